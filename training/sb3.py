"""MaskablePPO of sb3-contrib over the batch engine, for people who live in Stable-Baselines3.

    env = BatchVecEnv("truc_v0", settings("truc_v0"))
    model = make_model(env)          # a MaskablePPO like any other
    model.learn(1_000_000)

The same with a live display, checkpoints and a pool of past selves:

    python -m training.sb3 truc_v0 --minutes 3 --out runs/truc-sb3
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from agents import policy
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
from training.config import TrainConfig, config_from_json, settings, steps_in
from training.probe import probe
from training.progress import Progress, Stop, announce_measurement
from training.vecenv import BatchVecEnv, read_table

__all__ = ["BatchVecEnv", "make_model", "policy_layers", "train"]

MODEL, TABLE = "model.zip", "table.safetensors"

# Settings of our own learner that MaskablePPO and its tables have nothing for.
UNUSED = (
    "advice",
    "advisor",
    "by_hand",
    "critic",
    "entropy_end",
    "magnet",
    "magnet_speed",
    "win_bonus",
)


def policy_layers(model: MaskablePPO, scale: np.ndarray) -> list[np.ndarray]:
    """The policy as ``agents.policy.PolicyAgent`` takes it: weight_0, bias_0, weight_1, …

    Raises:
        ValueError: it is not a plain stack of linear layers with ReLUs between them.
    """
    stack = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    kinds = [nn.Linear if place % 2 == 0 else nn.ReLU for place in range(len(stack))]
    if any(type(layer) is not kind for layer, kind in zip(stack, kinds, strict=True)):
        raise ValueError(
            f"only linear layers with ReLUs between them can be played without torch: {stack}"
        )
    arrays = [a.detach().numpy() for layer in stack[::2] for a in (layer.weight.T, layer.bias)]
    return [arrays[0] / scale[:, None], *arrays[1:]]


def make_model(env: BatchVecEnv, **changes: Any) -> MaskablePPO:
    """A MaskablePPO with the environment's settings; ``changes`` go to its constructor."""
    config = env.config
    arguments: dict[str, Any] = {
        "n_steps": config.rollout,
        "batch_size": config.minibatch,
        "n_epochs": config.epochs,
        "learning_rate": _Falling(config.learning_rate, config.learning_rate_end),
        "gamma": 1.0,
        "gae_lambda": config.trace,
        "clip_range": config.clip,
        "ent_coef": config.entropy,
        "vf_coef": config.value_weight,
        "max_grad_norm": config.gradient_norm,
        "seed": config.seed,
        "device": "cpu",
        "policy_kwargs": {"net_arch": list(config.hidden), "activation_fn": nn.ReLU},
    }
    return MaskablePPO("MlpPolicy", env, **{**arguments, **changes})


class _Falling:
    """A learning rate that falls linearly to a share of itself."""

    def __init__(self, start: float, share: float):
        self.start, self.share = start, share

    def __call__(self, left: float) -> float:
        return self.start * (self.share + (1 - self.share) * left)


class _Keeper(BaseCallback):
    """Reports, probes and checkpoints between rollouts, past selves, and the end on Ctrl-C."""

    def __init__(
        self, table: BatchVecEnv, out: Path, figures: dict[str, Any], progress: Progress, stop: Stop
    ):
        super().__init__()
        self._table = table
        self._out, self._figures, self._progress, self._stop = out, figures, progress, stop
        self._start = time.perf_counter() - figures["seconds"]
        self._saved = self._before = time.perf_counter()
        self._ended: dict[str, list[float]] = {}
        self._reported = -1  # steps at the latest report; unknown before training starts
        self.folder: Path | None = None

    def _on_rollout_start(self) -> None:
        steps, now = self.model.num_timesteps, time.perf_counter()
        if 0 <= self._reported < steps:
            self._report(steps, now)
        due = now - self._saved > self._table.config.checkpoint_seconds
        if steps and (due or self._stop.asked):
            self.save()
            self._saved = now
        self._reported, self._before = steps, time.perf_counter()

    def _on_training_end(self) -> None:
        if not self._stop.asked and 0 <= self._reported < self.model.num_timesteps:
            self._report(self.model.num_timesteps, time.perf_counter())

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self._ended.setdefault(info["opponent"].split()[0], []).append(info["episode"]["r"])
        return not self._stop.asked

    def _report(self, steps: int, now: float) -> None:
        """After an update: renew the pool, and say how the rollout went."""
        env, learnt = self._table, steps - self._reported
        if steps // learnt % env.config.past_every == 0:
            env.opponents.add(policy_layers(self.model, env.batch.layout.scale))
        env.opponents.choose_active()
        report: dict[str, float] = {
            "steps_per_second": learnt / (now - self._before),
            "unheard": env.seats.unheard,
        }
        for name, totals in self._ended.items():
            report[f"against/{name}/won"] = float(np.mean(np.array(totals) > 0))
            report[f"against/{name}/return"] = float(np.mean(totals))
        self._ended = {}
        self._figures["seconds"] = now - self._start
        self._progress.report(steps, self._figures["seconds"], report)

    def save(self) -> None:
        self.folder = save_model(self.model, self._table, self._figures, self._out)


def save_model(model: MaskablePPO, env: BatchVecEnv, figures: dict[str, Any], out: Path) -> Path:
    """A checkpoint: SB3's zip, the table, and the policy for ``agents.load``."""
    game, config = env.game, env.config
    rules = game.configure(config.num_players, **config.options)
    card = make_card(
        game,
        rules,
        config.hidden,
        temperature=config.temperature,
        training={
            "method": "MaskablePPO of sb3-contrib, one seat against a pool",
            "settings": config.as_json(),
            "steps": model.num_timesteps,
            "torch": torch.__version__,
        },
        figures=dict(figures),
        limits="Measured only against the opponents under figures.",
    )

    def fill(folder: Path) -> None:
        write_policy(folder, policy_layers(model, env.batch.layout.scale), card)
        model.save(folder / MODEL)
        env.save(folder / TABLE)

    return write_checkpoint(out, model.num_timesteps, fill)


def train(
    game: str | Game,
    config: TrainConfig | None,
    out: Path,
    minutes: float | None = None,
    resume: bool | Path = False,
    quiet: bool = False,
) -> Path:
    """Train with MaskablePPO; arguments, result and errors as of ``training.ppo.train``.

    Steps are the learner's own decisions here. The checkpoint folder holds ``model.zip``, which
    ``MaskablePPO.load`` opens (SB3 unpickles: only open zips that you trust).
    """
    game, out = find_game(game), Path(out)
    if resume:
        model, env, figures = _resume(game, out if resume is True else Path(resume))
    else:
        new_run(out)
        env = BatchVecEnv(game, config or settings(game))
        torch.set_num_threads(env.config.threads)
        model, figures = make_model(env), {"seconds": 0.0, "probes": []}
    if minutes is not None:
        announce_measurement(quiet)
        speed = measure_speed(game, env.config)
        figures["planned_speed"] = speed
        steps = model.num_timesteps + steps_in(minutes, speed)
        env.config = replace(env.config, steps=steps)
    return _run(model, env, figures, out, quiet)


def measure_speed(game: Game, config: TrainConfig, seconds: float = 4.0) -> float:
    """Decisions a second of a throwaway learner, its pool filled; global chance stays as it was."""
    chance = torch.get_rng_state(), np.random.get_state()
    env = BatchVecEnv(game, config)
    model = make_model(env)
    per_update = env.num_envs * model.n_steps
    model.learn(per_update)  # deals; the next one compiles the past selves too
    env.opponents.fill(policy_layers(model, env.batch.layout.scale))
    model.learn(per_update, reset_num_timesteps=False)
    start, updates = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        model.learn(per_update, reset_num_timesteps=False)
        updates += 1
    elapsed = time.perf_counter() - start
    torch.set_rng_state(chance[0])
    np.random.set_state(chance[1])
    return updates * per_update / elapsed


def _resume(game: Game, path: Path) -> tuple[MaskablePPO, BatchVecEnv, dict[str, Any]]:
    folder = find_checkpoint(path)
    _, header = read_table(folder / TABLE)
    _, card = read_arrays(folder / policy.FILE)
    config = config_from_json(header["config"])
    torch.set_num_threads(config.threads)
    policy.check_card(
        card, game, game.configure(config.num_players, **config.options), folder / policy.FILE
    )
    env = BatchVecEnv(game, config)
    model = MaskablePPO.load(folder / MODEL, env=env, device="cpu")
    env.restore(folder / TABLE)
    return model, env, card["figures"]


def _run(
    model: MaskablePPO, env: BatchVecEnv, figures: dict[str, Any], out: Path, quiet: bool
) -> Path:
    total = env.config.steps
    with (
        alone_in(out),
        Stop() as stop,
        Progress(out, model.num_timesteps, total, quiet) as progress,
    ):
        keeper = _Keeper(env, out, figures, progress, stop)
        left = max(0, total - model.num_timesteps)
        model.learn(left, callback=keeper, reset_num_timesteps=False)
        if not stop.asked:
            layers = policy_layers(model, env.batch.layout.scale)
            ours = policy.PolicyAgent("learner", layers[0::2], layers[1::2], env.config.temperature)
            figures["probes"].append(
                {"step": model.num_timesteps, **probe(env.game, env.config, ours)}
            )
            keeper.save()
        progress.finish(keeper.folder or out, stop.asked)
    return keeper.folder or out


def main(
    game: str,
    /,
    minutes: float = 3.0,
    profile: str = "quick",
    out: Path | None = None,
    resume: bool = False,
) -> None:
    """Train MaskablePPO on a game, for example truc_v0.

    Args:
        game: for example truc_v0.
        minutes: time budget; becomes a number of steps before training starts.
        profile: quick, or default for the plain settings.
        out: folder of the run; by default runs/GAME-sb3.
        resume: go on from the newest checkpoint in the folder.
    """
    chosen = find_game(game)
    config = None if resume else settings(chosen, profile)
    train(chosen, config, out or Path("runs") / f"{chosen.env_id}-sb3", minutes, resume)


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
