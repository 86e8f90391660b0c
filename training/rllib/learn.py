"""A run with RLlib: a cluster, PPO, checkpoints that ``agents.load`` plays, and going on.

A checkpoint folder is one of ours (``training.checkpoint``) whose state of training, in ``rllib/``,
is RLlib's own: ``Algorithm.from_checkpoint`` opens it. (RLlib unpickles: only open checkpoints that
you trust.) Games under way are not in it; a resumed run deals new ones.

Runners that fail, alone or with their machine, are started anew by RLlib where the cluster has room
for them, and until then the others play on.
"""

import os
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_RL_MODULE
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    LEARNER_RESULTS,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    WEIGHTS_SEQ_NO,
)

from agents import policy
from agents.advice import find_advisor
from agents.policy import PolicyAgent
from agents.storage import read_arrays
from envs import find_game
from envs.core.game import Game
from training.checkpoint import (
    alone_in,
    find_checkpoint,
    make_card,
    new_run,
    write_checkpoint,
    write_policy,
)
from training.config import TrainConfig, config_from_json, steps_in
from training.probe import probe
from training.progress import Progress, Stop, announce_measurement
from training.rllib.cluster import cluster
from training.rllib.episodes import SHARED
from training.rllib.runner import AGAINST, GAMES, UNHEARD, GameRunner
from training.rllib.setup import SAMPLE_SECONDS, check, ppo_config, rllib_settings

STATE = "rllib"  # the folder of RLlib's own checkpoint
STALLED = 900.0  # seconds without a decision from any runner after which a run gives up
_MEASURED = {  # RLlib's names -> those of our own learner's reports
    "entropy": "entropy",
    "vf_loss_unclipped": "value",
    "policy_loss": "policy",
    "vf_explained_var": "explained",
    "default_optimizer_learning_rate": "learning_rate",
}


class NoRunnerError(RuntimeError):
    """No env runner answers any more."""


def train(
    game: str | Game,
    config: TrainConfig | None,
    out: Path,
    minutes: float | None = None,
    resume: bool | Path = False,
    quiet: bool = False,
    num_env_runners: int = 2,
    address: str | None = None,
    temp_dir: Path | None = None,
) -> Path:
    """Train with RLlib's PPO; arguments, result and errors as of ``training.ppo.train``.

    Steps are the decisions learnt from.

    Args:
        num_env_runners: actors that play, with a core each; 0 plays in this process. A run may go
            on with another number.
        address, temp_dir: of the Ray cluster, see ``training.rllib.cluster``.

    Raises:
        NoRunnerError: no runner has played for ``STALLED`` seconds; the run was saved.
    """
    game, out = find_game(game), Path(out)
    begun = find_checkpoint(out if resume is True else Path(resume)) if resume else None
    if begun is None:
        config, figures = config or rllib_settings(game), {"seconds": 0.0, "probes": []}
        check(config)
        new_run(out)
    else:
        config, figures = _saved(game, begun)
    cpus = max(os.cpu_count() or 1, num_env_runners)
    with cluster(address, cpus, temp_dir):
        if minutes is not None:
            announce_measurement(quiet)
            speed = measure_speed(game, config, num_env_runners)
            figures["planned_speed"] = speed
            config = replace(config, steps=_steps_of(begun) + steps_in(minutes, speed))
        algorithm = build(game, config, num_env_runners)
        try:
            if begun is not None:
                algorithm.restore_from_path(str((begun / STATE).resolve()))
            _bring_up_to_date(algorithm)
            return _Run(game, config, algorithm, figures, out).go(quiet)
        finally:
            algorithm.stop()


def build(game: Game, config: TrainConfig, num_env_runners: int) -> Algorithm:
    """RLlib's algorithm, its runners started and holding the learner's weights."""
    configured = ppo_config(game, config, num_env_runners)
    algorithm = configured.build_algo()
    _bring_up_to_date(algorithm)
    return algorithm


def measure_speed(
    game: Game, config: TrainConfig, num_env_runners: int, seconds: float = 8.0
) -> float:
    """Decisions a second of a throwaway learner with these settings."""
    algorithm = build(game, replace(config, steps=2**62), num_env_runners)
    algorithm.train()  # compiles and warms up
    start, first = time.perf_counter(), steps_played(algorithm)
    while time.perf_counter() - start < seconds:
        algorithm.train()
    speed = (steps_played(algorithm) - first) / (time.perf_counter() - start)
    algorithm.stop()
    return speed


def steps_played(algorithm: Algorithm) -> int:
    """Decisions learnt from since the run began."""
    where = ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME
    return int(algorithm.metrics.peek(where, default=0))


def policy_of(algorithm: Algorithm, game: Game, config: TrainConfig) -> PolicyAgent:
    """The policy as it is now, as it would be played from a checkpoint."""
    rules = game.configure(config.num_players, **config.options)
    layers = algorithm.get_module(SHARED).policy_layers()
    advisor = find_advisor(game, rules, config.advisor, config.advice) if config.advisor else None
    return PolicyAgent("learner", layers[0::2], layers[1::2], config.temperature, advisor=advisor)


def _bring_up_to_date(algorithm: Algorithm) -> None:
    """Let all runners begin where the learner is, and wait for them.

    RLlib's own ``sync_weights`` drops a message for a runner that has not answered the one before.
    """
    group, local = algorithm.env_runner_group, algorithm.env_runner
    learner = algorithm.learner_group.get_state(
        components=f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}", inference_only=True
    )[COMPONENT_LEARNER]
    wanted = {name: learner[name] for name in (COMPONENT_RL_MODULE, WEIGHTS_SEQ_NO)}
    state = ray.put({**local.get_state(not_components=COMPONENT_RL_MODULE), **wanted})
    group.foreach_env_runner(partial(_take, state), timeout_seconds=SAMPLE_SECONDS)


def _take(state: ray.ObjectRef, runner: GameRunner) -> None:
    runner.set_state(ray.get(state))


def _saved(game: Game, folder: Path) -> tuple[TrainConfig, dict[str, Any]]:
    """Settings and figures of a checkpoint; ValueError when it is not one of RLlib's."""
    if not (folder / STATE).is_dir():
        raise ValueError(f"{folder} was not trained with RLlib")
    file = folder / policy.FILE
    _, card = read_arrays(file)
    config = config_from_json(card["training"]["settings"])
    policy.check_card(card, game, game.configure(config.num_players, **config.options), file)
    return config, card["figures"]


def _steps_of(folder: Path | None) -> int:
    return 0 if folder is None else int(read_arrays(folder / policy.FILE)[1]["training"]["steps"])


class _Run:
    """Updates until the run is done or stopped, with reports, probes and checkpoints on the way."""

    def __init__(
        self, game: Game, config: TrainConfig, algorithm: Algorithm, figures: dict[str, Any],
        out: Path,
    ):  # fmt: skip
        self._game, self._config, self._algorithm = game, config, algorithm
        self._figures, self._out = figures, out
        self._start = time.perf_counter() - figures["seconds"]
        self._moved = self._saved = time.perf_counter()

    def go(self, quiet: bool) -> Path:
        first, steps = steps_played(self._algorithm), self._config.steps
        with (
            alone_in(self._out),
            Stop() as stop,
            Progress(self._out, first, steps, quiet) as progress,
        ):
            while steps_played(self._algorithm) < steps and not stop.asked:
                report = self._update()
                if report:
                    at = steps_played(self._algorithm)
                    progress.report(at, self._figures["seconds"], report)
                if time.perf_counter() - self._saved > self._config.checkpoint_seconds:
                    self._save()
            folder = self._save()
            progress.finish(folder, stop.asked and steps_played(self._algorithm) < steps)
        return folder

    def _update(self) -> dict[str, float]:
        """A round of playing and learning; empty when nobody played."""
        before, first = time.perf_counter(), steps_played(self._algorithm)
        result = self._algorithm.train()
        now, last = time.perf_counter(), steps_played(self._algorithm)
        self._figures["seconds"] = now - self._start
        if last == first:
            self._wait(now)
            return {}
        self._moved = now
        report = {"steps_per_second": (last - first) / (now - before), **_measured(result)}
        report["runners"] = self._algorithm.env_runner_group.num_healthy_remote_workers()
        probes, steps = self._config.probes, self._config.steps
        if last * probes // steps > first * probes // steps:
            report |= self._probe(last)
        return report

    def _wait(self, now: float) -> None:
        if now - self._moved > STALLED:
            folder = self._save()
            raise NoRunnerError(
                f"no env runner has played for {STALLED:.0f} seconds; saved {folder}, from which "
                "--resume goes on"
            )
        time.sleep(1.0)

    def _probe(self, step: int) -> dict[str, float]:
        ours = policy_of(self._algorithm, self._game, self._config)
        results = probe(self._game, self._config, ours)
        self._figures["probes"].append({"step": step, **results})
        return {
            f"probe/{name}/{what}": value
            for name, values in results.items()
            for what, value in values.items()
        }

    def _save(self) -> Path:
        game, config, step = self._game, self._config, steps_played(self._algorithm)
        rules = game.configure(config.num_players, **config.options)
        agent = policy_of(self._algorithm, game, config)
        card = make_card(
            game,
            rules,
            config.hidden,
            temperature=config.temperature,
            advisor=agent.advisor and agent.advisor.card(),
            training={
                "method": "PPO of RLlib by self-play",
                "settings": config.as_json(),
                "steps": step,
                "torch": torch.__version__,
                "ray": ray.__version__,
            },
            figures=dict(self._figures),
            limits="Measured only against the opponents under figures.",
        )

        def fill(folder: Path) -> None:
            write_policy(folder, agent.layers, card)
            self._algorithm.save_to_path(str((folder / STATE).resolve()))

        self._saved = time.perf_counter()
        return write_checkpoint(self._out, step, fill)


def _measured(result: dict[str, Any]) -> dict[str, float]:
    """What RLlib tells of a round, under the names of our own learner's reports."""
    learner, runners = result[LEARNER_RESULTS][SHARED], result[ENV_RUNNER_RESULTS]
    report = {ours: float(learner[theirs]) for theirs, ours in _MEASURED.items()}
    report |= {name: float(runners[name]) for name in (GAMES, UNHEARD)}
    for kind, sums in runners.get(AGAINST, {}).items():
        if sums["games"]:
            for what in ("won", "return"):
                report[f"against/{kind}/{what}"] = float(sums[what] / sums["games"])
    return report
