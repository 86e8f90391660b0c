"""The batch engine as a native ``VecEnv`` of Stable-Baselines3.

The learner holds one seat in every game, the seat moves on with every new game, and rule agents
and past selves play the others inside the step: see ``agents.seats``.
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
from agents.seats import LearnerSeats
from agents.storage import read_arrays, write_arrays
from envs import Batch, find_game
from envs.core.batch import Batch as GameBatch
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

    def play(
        self, waiting: np.ndarray, batch: GameBatch, streams: np.ndarray, actions: np.ndarray
    ) -> None:
        """See ``agents.seats.Others``."""
        owner = self.owners[np.arange(len(waiting)), batch.seats]
        who = np.where(waiting, owner, LEARNER)
        self.act(who, batch, streams, actions)

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
        seats: the learner's books, with what games paid that ended before it ever acted.
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
        chance = streams(self._seed ^ _STREAMS, games)
        self.seats = LearnerSeats(self.batch, self.opponents, chance)
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
        self.seats.start()
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64).reshape(self.num_envs)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learner's actions, then the others', up to the learner's next decisions."""
        self._restored = False
        owners = self.opponents.owners.max(axis=1)  # before the seats of the next games
        self.seats.step(self._actions)
        done = self.seats.done
        earned = (self.config.reward_scale * self.seats.earned).astype(np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for k in np.flatnonzero(done):
            infos[k] = self._last_info(int(k), int(owners[k]))
        return self._observations(), earned, done, infos

    def _last_info(self, k: int, opponent: int) -> dict[str, Any]:
        return {
            "terminal_observation": self.seats.finals[k] / self._scale,
            "episode": {
                "r": float(self.seats.returns[k]),
                "l": int(self.seats.lengths[k]),
                "t": time.perf_counter(),
            },
            "opponent": self.opponents.labels[opponent - 1],
        }

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
            "streams": self.seats.streams,
            "owed": self.seats.owed,
            "total": self.seats.total,
            "length": self.seats.length,
            "torch": torch.get_rng_state().numpy(),
            "numpy": shuffles["state"].pop("key"),
            **{f"opponents/{name}": a for name, a in self.opponents.arrays().items()},
        }
        header = {
            "format": TABLE_FORMAT,
            "rng": self._rng.bit_generator.state,
            "opponents": self.opponents.counts(),
            "unheard": [self.seats.unheard, self.seats.unheard_reward],
            "numpy": shuffles,
            "config": self.config.as_json(),
        }
        write_arrays(path, arrays, header)

    def restore(self, path: Path) -> None:
        """Go on from ``save``, the global random streams that SB3 uses included."""
        arrays, header = read_table(path)
        load_batch(self.batch, arrays)
        seats = self.seats
        seats.streams[:], seats.owed[:] = arrays["streams"], arrays["owed"]
        seats.total[:], seats.length[:] = arrays["total"], arrays["length"]
        opponents = {
            n.removeprefix("opponents/"): a for n, a in arrays.items() if n.startswith("opponents/")
        }
        self.opponents.restore(opponents, header["opponents"])
        self._rng.bit_generator.state = header["rng"]
        seats.unheard, seats.unheard_reward = header["unheard"]
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
