"""PPO by self-play, for games of hidden information.

Every seat learns from one shared network. What matters in such games, beside plain PPO: a large
entropy bonus, a pull towards a slowly moving reference policy (magnetic mirror descent), a falling
learning rate, and opponents from a pool beside the self-play.

    python -m training.ppo truc_v0 --profile quick --minutes 3 --out runs/truc
"""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.policy import PolicyAgent
from envs import find_game
from envs.core.game import Game
from training.checkpoint import (
    alone_in,
    find_checkpoint,
    load_trainer,
    make_card,
    new_run,
    write_checkpoint,
    write_policy,
    write_trainer,
)
from training.config import TrainConfig, config_from_json, settings, steps_in
from training.kernels import SUMS, Workers, policy_gradient
from training.network import ActorCritic
from training.probe import probe
from training.progress import Progress, Stop, announce_measurement
from training.selfplay import Rollout, SelfPlay

_CHUNK = 8192  # rows the reference policy is asked about at one time


class Trainer:
    """A learner in the middle of its run: ``update`` until ``done``."""

    def __init__(self, game: Game, config: TrainConfig):
        torch.set_num_threads(config.threads)
        self.game, self.config = game, config
        self.updates = 0
        self.rng = np.random.default_rng(config.seed)
        self.workers = Workers(config.threads)
        self.play = SelfPlay(game, config, self.rng, self.workers)
        layout, batch = self.play.batch.layout, self.play.batch
        self.network = ActorCritic(
            layout.scale, batch.num_actions, batch.num_players, config, self.workers
        )
        self.reference = ActorCritic(
            layout.scale, batch.num_actions, batch.num_players, config, self.workers
        ).policy.requires_grad_(False)
        self.adam = torch.optim.Adam(
            self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
        )

    @property
    def step(self) -> int:
        """Decisions played so far."""
        return self.updates * self.config.steps_per_update

    @property
    def done(self) -> bool:
        return self.updates >= self.config.updates

    def update(self) -> dict[str, float]:
        """Play a rollout and learn from it; returns what there is to report."""
        rollout = self.play.collect(self._outputs)
        report = self._learn(rollout)
        self._move_reference()
        self.updates += 1
        if self.updates % self.config.past_every == 0:
            self.play.opponents.add(self.network.policy_layers())
        self.play.opponents.choose_active()
        return {**report, **_results(rollout)}

    @torch.no_grad()
    def _outputs(
        self, seen: np.ndarray, everyone: np.ndarray | None, masks: np.ndarray
    ) -> np.ndarray:
        return self.network(seen, everyone, np.arange(len(seen)), masks).numpy()

    def _learn(self, rollout: Rollout) -> dict[str, float]:
        """PPO's passes over the rows whose outcome is known."""
        config = self.config
        left = 1 - self.updates / config.updates
        for group in self.adam.param_groups:
            group["lr"] = config.learning_rate * _fall(left, config.learning_rate_end)
        entropy = config.entropy * _fall(left, config.entropy_end)
        gains = _standardised(rollout.advantages, rollout.ready)
        magnets = self._reference_logits(rollout)
        sums = np.zeros((config.threads, len(SUMS)))
        for _ in range(config.epochs if len(rollout.ready) else 0):
            order = self.rng.permutation(rollout.ready)
            for rows in np.array_split(order, max(1, round(len(order) / config.minibatch))):
                self._descend(rollout, gains, magnets, rows, entropy, sums)
        means = dict(
            zip(SUMS, sums.sum(axis=0) / max(1, config.epochs * len(rollout.ready)), strict=True)
        )
        spread = float(np.var(rollout.targets[rollout.ready])) if len(rollout.ready) else 0.0
        means["explained"] = 1 - means["value"] / spread if spread > 0 else 0.0
        return {
            **means,
            "learning_rate": self.adam.param_groups[0]["lr"],
            "learnt": len(rollout.ready),
        }

    def _descend(
        self, rollout: Rollout, gains: np.ndarray, magnets: np.ndarray, rows: np.ndarray,
        entropy: float, sums: np.ndarray,
    ) -> None:  # fmt: skip
        """One gradient step on the given rows."""
        config = self.config
        outputs = self.network(rollout.observations, rollout.everyone, rows, rollout.masks)
        gradient = np.empty(outputs.shape, np.float32)
        self.workers.run(
            policy_gradient, len(rows), rows, outputs.detach().numpy(), rollout.masks,
            rollout.actions, rollout.log_probs, gains, rollout.targets, magnets,
            np.array([config.clip, config.value_weight, entropy, config.magnet, 1 / len(rows)]),
            gradient, sums,
        )  # fmt: skip
        self.adam.zero_grad()
        outputs.backward(torch.from_numpy(gradient))
        torch.nn.utils.clip_grad_norm_(
            self.network.parameters(), config.gradient_norm, foreach=True
        )
        self.adam.step()

    @torch.no_grad()
    def _reference_logits(self, rollout: Rollout) -> np.ndarray:
        """float32[R, A]: what the reference policy thinks of the legal actions of every row."""
        total, actions = rollout.masks.shape
        out = np.empty((total, actions), np.float32)
        if self.config.magnet:
            for at in range(0, total, _CHUNK):
                rows = np.arange(at, min(at + _CHUNK, total))
                outputs = self.reference(rollout.observations, rows, rollout.masks)
                out[rows] = outputs[:, :actions].numpy()
        return out

    @torch.no_grad()
    def _move_reference(self) -> None:
        speed = self.config.magnet_speed
        for slow, fast in zip(
            self.reference.parameters(), self.network.policy.parameters(), strict=True
        ):
            slow.lerp_(fast, speed)

    def agent(self) -> PolicyAgent:
        """The policy as it is now, as it would be played from a checkpoint."""
        layers = self.network.policy_layers()
        return PolicyAgent(
            "learner", layers[0::2], layers[1::2], self.config.temperature,
            advisor=self.play.opponents.advisor,
        )  # fmt: skip

    # Checkpoints

    def arrays(self) -> dict[str, np.ndarray]:
        """The state of everything that learns or plays."""
        moments = {
            f"adam/{i}/{name}": value.numpy()
            for i, state in self.adam.state_dict()["state"].items()
            for name, value in state.items()
        }
        return {
            **{
                f"network/{name}": value.numpy()
                for name, value in self.network.state_dict().items()
            },
            **{
                f"reference/{name}": value.numpy()
                for name, value in self.reference.state_dict().items()
            },
            **moments,
            **{f"play/{name}": array for name, array in self.play.arrays().items()},
            **{f"opponents/{name}": array for name, array in self.play.opponents.arrays().items()},
        }

    def header(self) -> dict[str, Any]:
        """The plain part of the state."""
        return {
            "config": self.config.as_json(),
            "updates": self.updates,
            "rng": self.rng.bit_generator.state,
            "opponents": self.play.opponents.counts(),
        }

    def restore(self, arrays: dict[str, np.ndarray], header: Mapping[str, Any]) -> None:
        """Go on from ``arrays`` and ``header``, on the same trajectory."""
        self.updates = header["updates"]
        self.rng.bit_generator.state = header["rng"]
        self.network.load_state_dict(_tensors(arrays, "network/"))
        self.reference.load_state_dict(_tensors(arrays, "reference/"))
        state = self.adam.state_dict()
        state["state"] = (
            {i: _tensors(arrays, f"adam/{i}/") for i in range(len(list(self.network.parameters())))}
            if any(name.startswith("adam/") for name in arrays)
            else {}
        )
        self.adam.load_state_dict(state)
        self.play.restore(_below(arrays, "play/"))
        self.play.opponents.restore(_below(arrays, "opponents/"), header["opponents"])


def train(
    game: str | Game,
    config: TrainConfig | None,
    out: Path,
    minutes: float | None = None,
    resume: bool | Path = False,
    quiet: bool = False,
) -> Path:
    """Train a policy and return the folder of its last checkpoint.

    Args:
        game: ``"truc_v0"``.
        config: see ``training.config.settings``; None when resuming, or for the game's own.
        out: the run's folder, for checkpoints, metrics and the learning curve.
        minutes: a budget, turned into a number of steps by a short measurement before training
            starts; None for ``config.steps``.
        resume: go on from the newest checkpoint in ``out``, or from this one.
        quiet: print nothing.

    Raises:
        ValueError: ``out`` holds a run already, or the checkpoint does not fit.
    """
    game, out = find_game(game), Path(out)
    if resume:
        trainer, figures = _resume(game, config, out if resume is True else Path(resume))
    else:
        trainer, figures = _begin(game, config or settings(game), out)
    speed = None
    if minutes is not None:
        announce_measurement(quiet)
        speed = measure_speed(game, trainer.config)
        steps = trainer.step + steps_in(minutes, speed)
        trainer.config = replace(trainer.config, steps=steps)
    figures["planned_speed"] = speed or figures.get("planned_speed")
    return _run(trainer, figures, out, quiet)


def measure_speed(game: Game, config: TrainConfig, seconds: float = 4.0) -> float:
    """Decisions a second of a throwaway learner with these settings, its pool filled."""
    trial = Trainer(game, replace(config, steps=2**62))
    trial.play.opponents.fill(trial.network.policy_layers())
    trial.update()  # compiles and warms up
    start, first = time.perf_counter(), trial.step
    while time.perf_counter() - start < seconds:
        trial.update()
    return (trial.step - first) / (time.perf_counter() - start)


def _begin(game: Game, config: TrainConfig, out: Path) -> tuple[Trainer, dict[str, Any]]:
    new_run(out)
    return Trainer(game, config), {"seconds": 0.0, "probes": []}


def _resume(game: Game, config: TrainConfig | None, path: Path) -> tuple[Trainer, dict[str, Any]]:
    folder = find_checkpoint(path)
    arrays, header, card = load_trainer(folder, game)
    saved = config_from_json(header["config"])
    if config is not None:
        old, new = (_plain(c) for c in (saved, replace(config, steps=saved.steps)))
        differ = [name for name, value in new.items() if value != old[name]]
        if differ:
            raise ValueError(f"{folder} was trained with other settings: {', '.join(differ)}")
    trainer = Trainer(game, saved)
    trainer.restore(arrays, header)
    return trainer, card["figures"]


def _plain(config: TrainConfig) -> dict[str, Any]:
    """The settings as they are after a way through JSON."""
    return json.loads(json.dumps(config.as_json()))


def _run(trainer: Trainer, figures: dict[str, Any], out: Path, quiet: bool) -> Path:
    """Update until the run is done or stopped, with reports, probes and checkpoints on the way."""
    config = trainer.config
    start = time.perf_counter() - figures["seconds"]
    saved = time.perf_counter()
    with (
        alone_in(out),
        Stop() as stop,
        Progress(out, trainer.step, config.steps, quiet) as progress,
    ):
        while not (trainer.done or stop.asked):
            before = time.perf_counter()
            report = trainer.update()
            now = time.perf_counter()
            report["steps_per_second"] = config.steps_per_update / (now - before)
            if _crossed(trainer.updates, config.updates, config.probes):
                results = probe(trainer.game, config, trainer.agent())
                figures["probes"].append({"step": trainer.step, **results})
                report.update(_flat(results))
            figures["seconds"] = time.perf_counter() - start
            progress.report(trainer.step, figures["seconds"], report)
            if time.perf_counter() - saved > config.checkpoint_seconds and not trainer.done:
                _save(trainer, figures, out)
                saved = time.perf_counter()
        folder = _save(trainer, figures, out)
        progress.finish(folder, stop.asked and not trainer.done)
    return folder


def _save(trainer: Trainer, figures: dict[str, Any], out: Path) -> Path:
    game, config = trainer.game, trainer.config
    rules = game.configure(config.num_players, **config.options)
    card = make_card(
        game,
        rules,
        config.hidden,
        temperature=config.temperature,
        advisor=trainer.play.opponents.advisor and trainer.play.opponents.advisor.card(),
        training={
            "command": command(game, config),
            "method": "PPO by self-play" if config.rule_share < 1 else "PPO against fixed players",
            "settings": config.as_json(),
            "steps": trainer.step,
            "torch": torch.__version__,
        },
        figures=dict(figures),
        limits="Measured only against the opponents under figures; how far a player who studies it "
        "can exploit it stands under exploitability, if at all.",
    )

    def fill(folder: Path) -> None:
        write_policy(folder, trainer.network.policy_layers(), card)
        write_trainer(folder, trainer.step, trainer.arrays(), trainer.header())

    return write_checkpoint(out, trainer.step, fill)


def command(game: Game, config: TrainConfig) -> str:
    """A command that repeats the run."""
    usual = settings(game).as_json()
    changes = {name: value for name, value in config.as_json().items() if value != usual[name]}
    return (
        f"python -m training.ppo {game.env_id} --profile default --changes '{json.dumps(changes)}'"
    )


def _fall(left: float, end: float) -> float:
    """A factor that falls from 1 to ``end`` while ``left`` falls from 1 to 0."""
    return end + (1 - end) * max(0.0, left)


def _standardised(gains: np.ndarray, ready: np.ndarray) -> np.ndarray:
    """Advantages with mean 0 and deviation 1 over the rows that are learnt from."""
    chosen = gains[ready]
    if not len(chosen):
        return gains
    return (gains - chosen.mean()) / (chosen.std() + 1e-8)


def _crossed(done: int, total: int, marks: int) -> bool:
    """Whether update ``done`` is the first after one of ``marks`` even parts of the run."""
    return done * marks // total > (done - 1) * marks // total


def _results(rollout: Rollout) -> dict[str, float]:
    """Games finished, and results against each kind of opponent; past selves are one kind."""
    report: dict[str, float] = {"games": rollout.games, "unheard": rollout.unheard}
    groups: dict[str, list] = {}
    for label, tally in rollout.tallies.items():
        groups.setdefault(label.split()[0], []).append(tally)
    for label, tallies in groups.items():
        games = sum(t.games for t in tallies)
        report[f"against/{label}/won"] = sum(t.won for t in tallies) / games
        report[f"against/{label}/return"] = sum(t.total for t in tallies) / games
    return report


def _flat(result: Mapping[str, Any]) -> dict[str, float]:
    return {
        f"probe/{name}/{what}": value
        for name, values in result.items()
        for what, value in values.items()
    }


def _below(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    return {name[len(prefix) :]: a for name, a in arrays.items() if name.startswith(prefix)}


def _tensors(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, torch.Tensor]:
    return {
        name: torch.from_numpy(np.array(array)) for name, array in _below(arrays, prefix).items()
    }


def main(
    game: str,
    /,
    minutes: float | None = None,
    steps: int | None = None,
    profile: str = "quick",
    out: Path | None = None,
    seed: int | None = None,
    resume: bool = False,
    changes: str = "{}",
) -> None:
    """Train a policy by self-play.

    Args:
        game: for example truc_v0.
        minutes: time budget; becomes a number of steps before training starts.
        steps: decisions to play, instead of a time budget.
        profile: quick, or default for the plain settings.
        out: folder of the run; by default runs/GAME.
        seed: of the whole run.
        resume: go on from the newest checkpoint in the folder.
        changes: settings to change, as JSON.
    """
    chosen = find_game(game)
    out = out or Path("runs") / chosen.env_id
    given = {"steps": steps, "seed": seed}
    changed = config_from_json(json.loads(changes)).as_json()
    wanted = {name: changed[name] for name in json.loads(changes)}
    wanted |= {name: value for name, value in given.items() if value is not None}
    config = None if resume and not wanted else settings(chosen, profile, **wanted)
    train(chosen, config, out, minutes=minutes, resume=resume)


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
