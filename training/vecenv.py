"""The batch engine as a native ``VecEnv`` of Stable-Baselines3.

The learner holds one seat in every game, the seat moves on with every new game, and the other
seats' decisions are played inside the step. What the others' moves pay or cost the learner arrives
with the step that led to it, losses included.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from agents import streams
from agents.storage import read_arrays, write_arrays
from envs import Batch, find_game
from envs.core.game import Config, Game
from training.checkpoint import batch_arrays, load_batch
from training.config import TrainConfig
from training.opponents import LEARNER, Opponents

TABLE_FORMAT = "naips-sb3-table/1"
_STREAMS = 0x5B3  # separates the opponents' chance from the deals of the same seed


class OneSeat(Opponents):
    """Seats for one learner in every game; its seat moves on with every new game.

    Attributes:
        learner: int64[games], the learner's seat.
    """

    def __init__(self, game: Game, config: Config, settings: TrainConfig, rng: np.random.Generator):
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
            self.opponents.act(who, self.batch, self.streams, actions)
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
        raise AttributeError("the games of a BatchVecEnv share their attributes; set them on it")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[None]:
        return [None] * self.num_envs

    def close(self) -> None:
        self.batch.close()

    # Checkpoints

    def save(self, path: Path) -> None:
        """Everything that the table is, from which ``restore`` goes on identically."""
        # SB3 shuffles its minibatches with NumPy's global stream.
        shuffles: Any = np.random.get_state(legacy=False)  # noqa: NPY002
        arrays: dict[str, np.ndarray] = {
            **batch_arrays(self.batch),
            "streams": self.streams,
            "owed": self._owed,
            "total": self._total,
            "length": self._length,
            "torch": torch.get_rng_state().numpy(),
            "numpy": shuffles["state"].pop("key"),
            **{f"opponents/{name}": a for name, a in self.opponents.arrays().items()},
        }
        header = {
            "format": TABLE_FORMAT,
            "rng": self._rng.bit_generator.state,
            "opponents": self.opponents.counts(),
            "unheard": [self.unheard, self.unheard_reward],
            "numpy": shuffles,
            "config": self.config.as_json(),
        }
        write_arrays(path, arrays, header)

    def restore(self, path: Path) -> None:
        """Go on from ``save``, the global random streams that SB3 uses included."""
        arrays, header = read_table(path)
        load_batch(self.batch, arrays)
        self.streams[:], self._owed[:] = arrays["streams"], arrays["owed"]
        self._total[:], self._length[:] = arrays["total"], arrays["length"]
        opponents = {
            n.removeprefix("opponents/"): a for n, a in arrays.items() if n.startswith("opponents/")
        }
        self.opponents.restore(opponents, header["opponents"])
        self._rng.bit_generator.state = header["rng"]
        self.unheard, self.unheard_reward = header["unheard"]
        torch.set_rng_state(torch.from_numpy(np.array(arrays["torch"])))
        header["numpy"]["state"]["key"] = arrays["numpy"]
        np.random.set_state(header["numpy"])  # noqa: NPY002
        self._restored = True


def read_table(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and header of ``BatchVecEnv.save``; ValueError when it is something else."""
    arrays, header = read_arrays(path)
    if header.get("format") != TABLE_FORMAT:
        raise ValueError(f"{path} is no {TABLE_FORMAT} file but {header.get('format')!r}")
    return arrays, header
