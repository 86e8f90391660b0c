"""MaskablePPO of sb3-contrib over the batch engine, for people who live in Stable-Baselines3.

``BatchVecEnv`` is a native SB3 ``VecEnv``: the learner holds one seat in every game, the seat moves
on with every new game, and the other seats' decisions are played inside the step. What the others'
moves pay or cost the learner arrives with the step that led to it, losses included.

    python -m training.sb3 truc_v0 --minutes 3 --out runs/truc-sb3
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from agents import policy, streams
from agents.storage import read_arrays, write_arrays
from envs import Batch, find_game
from envs.core.game import Game
from training.checkpoint import find_checkpoint, make_card, write_checkpoint, write_policy
from training.config import TrainConfig, config_from_json, settings
from training.opponents import LEARNER, Opponents
from training.probe import probe
from training.progress import Progress, Stop

MODEL, TABLE = "model.zip", "table.safetensors"
TABLE_FORMAT = "naips-sb3-table/1"
_STREAMS = 0x5B3
_SAFETY = 0.93  # share of the measured speed that a time budget counts on


class OneSeat(Opponents):
    """Seats for one learner in every game; its seat moves on with every new game.

    Attributes:
        learner: int64[games], the learner's seat.
    """

    def __init__(self, game: Game, config: dict, settings: TrainConfig, rng: np.random.Generator):
        if not settings.rule_agents:
            raise ValueError("rule_agents is empty: somebody must play until there are past selves")
        everywhere = replace(settings, rule_share=1 - settings.past_share)
        self.learner = np.arange(settings.games) % config["num_players"] - 1
        super().__init__(game, config, everywhere, rng)

    def seat_games(self, games: np.ndarray) -> None:
        """Move the learner on by one seat, and give all others to the game's opponent."""
        seats = self.owners.shape[1]
        self.learner[games] = (self.learner[games] + 1) % seats
        stand_ins = 1 + games % len(self._rules)
        plan = np.where(self._plan[games] == LEARNER, stand_ins, self._plan[games])
        present = len(self._rules) + len(self._active)
        self.owners[games] = np.where(plan <= present, plan, stand_ins)[:, None]
        self.owners[games, self.learner[games]] = LEARNER

    def arrays(self) -> dict[str, np.ndarray]:
        return {**super().arrays(), "learner": self.learner}

    def restore(self, arrays: dict[str, np.ndarray], counts: dict[str, Any]) -> None:
        super().restore(arrays, counts)
        self.learner[:] = arrays["learner"]


class BatchVecEnv(VecEnv):
    """Games of the batch engine as SB3 sees environments.

    Observations are float32, divided by ``Layout.scale``; ``action_masks`` belong to them. An
    environment that is done shows the first observation of its next game; its info holds
    ``terminal_observation``, the learner's last view, and ``episode``. An end by truncation is an
    end: the games pay final rewards there, so nothing is to be bootstrapped.

    Attributes:
        opponents: who plays the other seats.
        unheard: games that ended before the learner ever acted.
        unheard_reward: what they paid the learner, in sum.
    """

    def __init__(self, game: str | Game, config: TrainConfig):
        self.game, self.config = find_game(game), config
        self.batch = Batch(
            self.game, config.games, seed=config.seed, num_players=config.num_players,
            threads=min(config.threads, config.games), skip_forced=config.skip_forced,
            **config.all_training_options,
        )  # fmt: skip
        layout = self.batch.layout
        self._scale = layout.scale
        low, high = (
            np.asarray(bound, np.float32) / layout.scale for bound in (layout.low, layout.high)
        )
        self.render_mode = None
        super().__init__(
            config.games,
            spaces.Box(low, high, dtype=np.float32),
            spaces.Discrete(self.batch.num_actions),
        )
        self._seed = config.seed
        self._prepare()

    def _prepare(self) -> None:
        games = self.config.games
        self._rng = np.random.default_rng(self._seed)
        self.opponents = OneSeat(self.game, self.batch.config, self.config, self._rng)
        self.streams = streams(self._seed ^ _STREAMS, games)
        self._owed = np.zeros(games)  # paid before the learner's first decision of a game
        self._total = np.zeros(games)
        self._length = np.zeros(games, np.int64)
        self._earned, self._done = np.zeros(games), np.zeros(games, np.bool_)
        self._infos: list[dict[str, Any]] = [{} for _ in range(games)]
        self.unheard, self.unheard_reward = 0, 0.0
        self._restored = False

    # Stepping

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of all deals and of the opponents' chance, from the next ``reset`` on."""
        if seed is not None:
            self._seed = int(seed)
        return [self._seed] * self.num_envs

    def reset(self) -> np.ndarray:
        """Deal all games anew and play up to the learner's first decision in each."""
        if self._restored:  # SB3 resets when it begins; a restored table is just where it should be
            self._restored = False
            return self._observations()
        self._prepare()
        self.batch.reset(self._seed)
        self._done[:] = True
        self._others_move()
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64).reshape(self.num_envs)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learner's actions, then the others', up to the learner's next decisions."""
        self._restored = False
        self._earned, self._owed = self._owed, np.zeros(self.num_envs)
        self._done = np.zeros(self.num_envs, np.bool_)
        self._infos = [{} for _ in range(self.num_envs)]
        self._length += 1
        self._advance(self._actions, np.ones(self.num_envs, np.bool_))
        self._others_move()
        self._total += np.where(self._done, 0, self._earned)
        earned = (self.config.reward_scale * self._earned).astype(np.float32)
        return self._observations(), earned, self._done, self._infos

    def _others_move(self) -> None:
        """Play the opponents' decisions until the learner is to act in every game."""
        games = np.arange(self.num_envs)
        actions = np.zeros(self.num_envs, np.int64)
        while True:
            seats = self.batch.seats
            waiting = seats != self.opponents.learner
            if not waiting.any():
                break
            who = np.where(waiting, self.opponents.owners[games, seats], LEARNER)
            self.opponents.act(
                who, self.batch.observations, self.batch.action_masks, self.streams, actions
            )
            self._advance(actions, waiting)
        empty = np.flatnonzero(~self.batch.action_masks.any(axis=1))
        if len(empty):
            raise RuntimeError(f"the learner has no legal action in games {empty[:5].tolist()}")

    def _advance(self, actions: np.ndarray, moving: np.ndarray) -> None:
        """One decision where ``moving``.

        What it pays the learner belongs to the decision before, or, once that game is done, to the
        first decision of the next.
        """
        self.batch.step(actions, moving)
        paid = self.batch.rewards[np.arange(self.num_envs), self.opponents.learner]
        self._earned += np.where(self._done, 0, paid)
        self._owed += np.where(self._done, paid, 0)
        ended = np.flatnonzero(self.batch.dones)
        if len(ended):
            self._end_games(ended)

    def _end_games(self, ended: np.ndarray) -> None:
        """Close these games and seat the learner in the next ones."""
        final = self.batch.final_observations[np.arange(len(ended)), self.opponents.learner[ended]]
        for k, last in zip(ended, final, strict=True):
            if self._done[k]:  # the learner never acted in this one
                self.unheard += 1
                self.unheard_reward += float(self._owed[k])
                self._owed[k] = 0
                continue
            self._infos[k] = {
                "terminal_observation": last / self._scale,
                "episode": {
                    "r": float(self._total[k] + self._earned[k]),
                    "l": int(self._length[k]),
                    "t": time.perf_counter(),
                },
                "opponent": self.opponents.labels[int(self.opponents.owners[k].max()) - 1],
            }
            self._done[k] = True
            self._total[k] = self._length[k] = 0
        self.opponents.seat_games(ended)

    def _observations(self) -> np.ndarray:
        return self.batch.observations / self._scale

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, A]: what the learner may do now."""
        return self.batch.action_masks.copy()

    # What else SB3 asks of a VecEnv

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """``action_masks`` of single games; there are no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"the games of a BatchVecEnv have no method {method_name!r}")
        return list(self.action_masks()[list(self._get_indices(indices))])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError(
            "the games of a BatchVecEnv share their attributes; set them on it"
        )

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[None]:
        return [None] * self.num_envs

    def close(self) -> None:
        self.batch.close()

    # Checkpoints

    def save(self, path: Path) -> None:
        """Everything that the table is, from which ``restore`` goes on identically."""
        batch = self.batch
        arrays = {
            "states": np.ascontiguousarray(batch.states).view(np.uint8).reshape(len(batch), -1),
            "keys": batch.keys,
            "opening": batch.opening,
            "streams": self.streams,
            "owed": self._owed,
            "total": self._total,
            "length": self._length,
            "torch": torch.get_rng_state().numpy(),
            **{f"opponents/{name}": a for name, a in self.opponents.arrays().items()},
        }
        kind, words, *rest = cast(
            tuple, np.random.get_state()
        )  # SB3 shuffles its minibatches with it
        header = {
            "format": TABLE_FORMAT,
            "rng": self._rng.bit_generator.state,
            "opponents": self.opponents.counts(),
            "unheard": [self.unheard, self.unheard_reward],
            "numpy": [kind, *rest],
            "config": self.config.as_json(),
        }
        write_arrays(path, {**arrays, "numpy": words}, header)

    def restore(self, path: Path) -> None:
        """Go on from ``save``, the global random streams that SB3 uses included."""
        arrays, header = read_table(path)
        dtype = self.batch.states.dtype
        states = np.ascontiguousarray(arrays["states"]).view(dtype).reshape(-1)
        self.batch.load(states, arrays["keys"], arrays["opening"])
        self.streams[:], self._owed[:] = arrays["streams"], arrays["owed"]
        self._total[:], self._length[:] = arrays["total"], arrays["length"]
        opponents = {
            n.removeprefix("opponents/"): a for n, a in arrays.items() if n.startswith("opponents/")
        }
        self.opponents.restore(opponents, header["opponents"])
        self._rng.bit_generator.state = header["rng"]
        self.unheard, self.unheard_reward = header["unheard"]
        torch.set_rng_state(torch.from_numpy(np.array(arrays["torch"])))
        kind, *rest = header["numpy"]
        np.random.set_state((kind, arrays["numpy"], *rest))
        self._restored = True


def read_table(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and header of ``BatchVecEnv.save``; ValueError when it is something else."""
    arrays, header = read_arrays(path)
    if header.get("format") != TABLE_FORMAT:
        raise ValueError(f"{path} is no {TABLE_FORMAT} file but {header.get('format')!r}")
    return arrays, header


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

    def __init__(self, out: Path, figures: dict[str, Any], progress: Progress, stop: Stop):
        super().__init__()
        self._out, self._figures, self._progress, self._stop = out, figures, progress, stop
        self._start = time.perf_counter() - figures["seconds"]
        self._saved = self._before = time.perf_counter()
        self._ended: dict[str, list[float]] = {}
        self._reported = -1  # steps at the latest report; unknown before training starts
        self.folder: Path | None = None

    @property
    def _table(self) -> BatchVecEnv:
        return cast(BatchVecEnv, self.training_env)

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
        if not self._stop.asked and self._reported < self.model.num_timesteps:
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
            "unheard": env.unheard,
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
        if any(out.glob("checkpoint-*")):
            raise ValueError(
                f"{out} holds a training run already; resume it or choose another folder"
            )
        out.mkdir(parents=True, exist_ok=True)
        env = BatchVecEnv(game, config or settings(game))
        torch.set_num_threads(env.config.threads)
        model, figures = make_model(env), {"seconds": 0.0, "probes": []}
    if minutes is not None:
        speed = measure_speed(game, env.config)
        figures["planned_speed"] = speed
        steps = model.num_timesteps + max(1, int(minutes * 60 * speed * _SAFETY))
        env.config = replace(env.config, steps=steps)
    return _run(model, env, figures, out, quiet)


def measure_speed(game: Game, config: TrainConfig, seconds: float = 4.0) -> float:
    """Decisions a second of a throwaway learner, its pool filled; global streams stay as they
    were.
    """
    chance = torch.get_rng_state(), np.random.get_state()
    env = BatchVecEnv(game, config)
    model = make_model(env)
    env.opponents.add(policy_layers(model, env.batch.layout.scale))
    env.opponents.choose_active()
    per_update = env.num_envs * model.n_steps
    model.learn(per_update)
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
    with Stop() as stop, Progress(out, model.num_timesteps, total, quiet) as progress:
        keeper = _Keeper(out, figures, progress, stop)
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
    profile: str = "default",
    out: Path | None = None,
    resume: bool = False,
) -> None:
    """Train MaskablePPO on a game, for example truc_v0.

    Args:
        game: for example truc_v0.
        minutes: time budget; becomes a number of steps before training starts.
        profile: default or quick.
        out: folder of the run; by default runs/GAME-sb3.
        resume: go on from the newest checkpoint in the folder.
    """
    chosen = find_game(game)
    config = None if resume else settings(chosen, profile)
    train(chosen, config, out or Path("runs") / f"{chosen.env_id}-sb3", minutes, resume)


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
