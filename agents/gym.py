"""Gymnasium: one seat of a game for a learner, the others played inside the step.

    import envs, gymnasium    # or gymnasium.make("envs:naips/Truc-v0"), also in spawned processes
    env = gymnasium.make("naips/Truc-v0", opponent="strong", seat="rotate")
    envs = gymnasium.make_vec("naips/Truc-v0", num_envs=4096, opponent="strong")

Observations are ``{"observation": int8 or int16[N], "action_mask": int8[A]}`` as in the AEC
environment, and ``info["action_mask"]`` holds the mask again. Both always belong to the learner's
seat, ``info["seat"]``; after the end the mask is all zero. Rewards are the seat's own, losses
included, and what was lost by the others' moves comes with the step that led to it.

Every end is ``terminated``, also by a length limit (``info["truncated"]``): the games pay their
final rewards there, so nothing is to be bootstrapped.

Seeded with s, the environment plays the match that the AEC environment plays after
``reset(seed=s)``, and after it those of seedless resets there; with ``seat="rotate"`` the learner
begins at seat s modulo the seats and moves on by one with every match. A match that ends before
the learner ever acts is passed over and counted in ``info["unheard"]``; ``info["unheard_reward"]``
is what these matches paid it.
"""

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from agents import Agent, load, streams
from agents.seats import LearnerSeats, OneRival
from envs import find_game
from envs.core.aec import RENDER_MODES, GameEnv
from envs.core.batch import Batch
from envs.core.game import Game

__all__ = ["SingleAgentEnv", "SingleAgentVectorEnv"]

ROTATE = "rotate"
RAISE, RANDOM = "raise", "random"  # what becomes of an illegal action
_STREAMS = 0x61A  # separates the opponents' chance from the deals of the same seed


class SeatTable:
    """What both environments share: a batch, an opponent, and the learner's seats.

    Args:
        game, num_players, options: as for the AEC environment.
        games: how many are played side by side.
        opponent: who holds the other seats: an agent, or what ``agents.load`` understands.
        seat: the learner's, from 0; ``"rotate"`` to take them in turn.
        threads: of the batch.
    """

    def __init__(
        self,
        game: "str | Game",
        games: int,
        opponent: "str | Agent",
        seat: int | str,
        num_players: int | None,
        threads: int | None,
        **options: Any,
    ):
        self.game = find_game(game)
        self.batch = Batch(self.game, games, num_players=num_players, threads=threads, **options)
        self.config = self.batch.config
        self.seat = _checked_seat(seat, self.batch.num_players)
        self.agent = (
            load(self.game, opponent, **self.config) if isinstance(opponent, str) else opponent
        )
        self._seats: LearnerSeats | None = None

    def observation_space(self) -> gymnasium.spaces.Dict:
        """The AEC environment's; a place that these options hold constant may also be one more.

        Gymnasium's checks warn of a place with a single value.
        """
        layout, aec = self.batch.layout, self.game.observation_space(self.config)
        low, kind = layout.low.astype(layout.dtype), layout.dtype.type
        high = np.maximum(layout.high, layout.low + 1).astype(layout.dtype)
        box = gymnasium.spaces.Box(low, high, dtype=kind)
        return gymnasium.spaces.Dict({"observation": box, "action_mask": aec["action_mask"]})

    @property
    def started(self) -> bool:
        return self._seats is not None

    @property
    def seats(self) -> LearnerSeats:
        if self._seats is None:
            raise ResetNeeded("no match yet; call reset() first")
        return self._seats

    @property
    def learner(self) -> np.ndarray:
        """int64[B]: the learner's seats."""
        return self.seats.others.learner

    def deal(self, seeds: Sequence[int]) -> None:
        """Deal anew from environment seeds, up to the learner's first decisions."""
        self.batch.reset(seeds=seeds)
        players = self.batch.num_players
        rotate = self.seat == ROTATE
        first = np.array([seed % players if rotate else self.seat for seed in seeds], np.int64)
        rival = OneRival(self.agent, players, first, rotate)
        chance = np.array([streams(seed ^ _STREAMS)[0] for seed in seeds], np.uint64)
        self._seats = LearnerSeats(self.batch, rival, chance)
        self._seats.start()

    def deal_next(self) -> None:
        """Give up the matches in progress for the next ones."""
        self.batch.deal_next()
        self.seats.others.seat_games(np.arange(self.batch.num_games))
        self.seats.start()

    def observations(self) -> dict[str, np.ndarray]:
        """Fresh arrays [B, N] and [B, A] of the learner's present decisions."""
        masks = self.batch.action_masks.astype(np.int8)
        return {"observation": self.batch.observations.copy(), "action_mask": masks}


class SingleAgentEnv(gymnasium.Env):
    """One match at a time.

    Args:
        game: ``"truc_v0"``.
        opponent: who holds the other seats: an agent, or what ``agents.load`` understands.
        seat: the learner's, from 0; ``"rotate"`` to take them in turn.
        num_players, options: as for the AEC environment.
        render_mode: as for the AEC environment; it shows the learner's view.
        illegal: ``"raise"``, or ``"random"`` for learners without masks: a random legal action is
            played instead, and ``info["illegal"]`` says so.

    Raises:
        ValueError, TypeError: naming what is allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  # Gymnasium's name

    def __init__(
        self,
        game: "str | Game",
        opponent: "str | Agent" = "random",
        seat: int | str = ROTATE,
        num_players: int | None = None,
        render_mode: str | None = None,
        illegal: str = RAISE,
        **options: Any,
    ):
        if illegal not in (RAISE, RANDOM):
            raise ValueError(f"illegal={illegal!r}: allowed are {RAISE!r}, {RANDOM!r}")
        self._table = SeatTable(game, 1, opponent, seat, num_players, threads=1, **options)
        self._viewer = GameEnv(self._table.game, render_mode=render_mode, **self._table.config)
        self.render_mode, self._illegal = render_mode, illegal
        self.observation_space = self._table.observation_space()
        self.action_space = gymnasium.spaces.Discrete(self._table.batch.num_actions)
        self._over = False

    @property
    def config(self) -> dict[str, Any]:
        """``num_players`` and every option of the game; a copy."""
        return dict(self._table.config)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal a match, up to the learner's first decision; without a seed the next one."""
        _no_options(options)
        super().reset(seed=seed)
        if seed is not None or not self._table.started:
            self._table.deal([_seed(seed, self.np_random)])
        elif not self._over:  # the match after an ended one waits already
            self._table.deal_next()
        self._over = False
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the others' up to its next decision or the end.

        Raises:
            IllegalActionError: the action is not legal now; nothing has changed.
            ResetNeeded: there is no match, or it is over.
        """
        seats = self._table.seats
        if self._over:
            raise ResetNeeded("the match is over; call reset()")
        played, illegal = self._legal(np.asarray(action).reshape(-1))
        seats.step(played)
        self._over = bool(seats.done[0])
        info = self._last_info() if self._over else self._info()
        if self._illegal == RANDOM:
            info["illegal"] = illegal
        return self._observation(), float(seats.earned[0]), self._over, False, info

    def action_masks(self) -> np.ndarray:
        """bool[A]: the legal actions, as sb3-contrib asks for them."""
        if self._over:
            raise ResetNeeded("the match is over: nothing is legal; call reset()")
        return self._table.seats.batch.action_masks[0].copy()

    def render(self) -> "str | np.ndarray | None":
        """The table as the learner sees it; see ``GameEnv.render``."""
        states = self._table.seats.final_states if self._over else self._table.batch.states
        self._viewer.reset(seed=0)
        self._viewer.states[:] = states
        self._viewer.refresh()
        self._viewer.render_seat = self._seat
        return self._viewer.render()

    def close(self) -> None:
        """Release the batch, and a window that is open."""
        self._table.batch.close()
        self._viewer.close()

    def _legal(self, action: np.ndarray) -> tuple[np.ndarray, bool]:
        mask = self._table.batch.action_masks[0]
        if self._illegal == RAISE or (
            action.shape == (1,) and 0 <= action[0] < len(mask) and mask[action[0]]
        ):
            return action, False
        return self.np_random.choice(np.flatnonzero(mask), 1), True

    def _observation(self) -> dict[str, np.ndarray]:
        if self._over:
            idle = np.zeros(self._table.batch.num_actions, np.int8)
            return {"observation": self._table.seats.finals[0].copy(), "action_mask": idle}
        return {name: array[0] for name, array in self._table.observations().items()}

    def _info(self) -> dict[str, Any]:
        """Mask, seat and the game's public flags at the learner's decision."""
        self._seat = int(self._table.learner[0])
        batch = self._table.batch
        return self._facts(batch.action_masks[0].astype(np.int8), batch.states)

    def _last_info(self) -> dict[str, Any]:
        """The same at the end, of the seat that the learner had."""
        idle = np.zeros(self._table.batch.num_actions, np.int8)
        final = self._table.seats.final_states
        return {**self._facts(idle, final), "truncated": bool(final[0].truncated)}

    def _facts(self, mask: np.ndarray, states: np.recarray) -> dict[str, Any]:
        seats, game = self._table.seats, self._table.game
        return {
            "action_mask": mask,
            "seat": self._seat,
            "unheard": seats.unheard,
            "unheard_reward": seats.unheard_reward,
            **game.info(game.plain(states)[0]),
        }


class SingleAgentVectorEnv(VectorEnv):
    """Thousands of matches in one object; a finished one is dealt anew in the same step.

    Match k of an environment seeded with s is that of ``SingleAgentEnv`` seeded with s + k.
    Where matches ended, ``infos["final_obs"]`` holds the learner's last views (an array of dicts,
    None elsewhere) and ``infos["final_info"]`` seat, return, decisions and truncation.

    Args:
        num_envs: 1 to 65,536.
        threads: slices that step in parallel; None for one per 1,024 games, at most one a core.
        game, opponent, seat, num_players, options: as for ``SingleAgentEnv``.
    """

    metadata = {  # noqa: RUF012  # Gymnasium's name
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: "str | Game",
        num_envs: int = 1,
        opponent: "str | Agent" = "random",
        seat: int | str = ROTATE,
        num_players: int | None = None,
        threads: int | None = None,
        **options: Any,
    ):
        self._table = SeatTable(game, num_envs, opponent, seat, num_players, threads, **options)
        self.num_envs = num_envs
        self.single_observation_space = self._table.observation_space()
        self.single_action_space = gymnasium.spaces.Discrete(self._table.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def config(self) -> dict[str, Any]:
        """``num_players`` and every option of the game; a copy."""
        return dict(self._table.config)

    def reset(
        self,
        *,
        seed: "int | Sequence[int] | None" = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal all matches: from seed, seed + 1, …, from a list of seeds, or the next ones."""
        _no_options(options)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None and self._table.started:
            self._table.deal_next()
        else:
            self._table.deal(self._seeds(seed))
        return self._table.observations(), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's action in every match, up to its next decisions.

        Raises:
            IllegalActionError: some action is not legal; no match has moved.
        """
        seats = self._table.seats
        before = self._table.learner.copy()
        seats.step(np.asarray(actions))
        infos = self._infos()
        if seats.done.any():
            infos |= self._final_infos(before)
        never = np.zeros(self.num_envs, np.bool_)
        return self._table.observations(), seats.earned, seats.done, never, infos

    @property
    def unheard(self) -> tuple[int, float]:
        """Matches that ended before the learner ever acted, and what they paid it in sum."""
        return self._table.seats.unheard, self._table.seats.unheard_reward

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, A]: the legal actions."""
        return self._table.seats.batch.action_masks.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the batch's threads."""
        self._table.batch.close()

    def _seeds(self, seed: "int | Sequence[int] | None") -> list[int]:
        if seed is None or isinstance(seed, int | np.integer):
            first = _seed(seed, self.np_random)
            return [first + k for k in range(self.num_envs)]
        return [int(one) for one in seed]

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._table.batch.action_masks.astype(np.int8),
            "_action_mask": every,
            "seat": self._table.learner.copy(),
            "_seat": every.copy(),
        }

    def _final_infos(self, seat: np.ndarray) -> dict[str, Any]:
        seats = self._table.seats
        done = seats.done
        views = np.full(self.num_envs, None, object)
        for k in np.flatnonzero(done):
            idle = np.zeros(self._table.batch.num_actions, np.int8)
            views[k] = {"observation": seats.finals[k].copy(), "action_mask": idle}
        facts = {
            "seat": seat,
            "return": seats.returns.copy(),
            "length": seats.lengths.copy(),
            "truncated": seats.final_states["truncated"].copy(),
        }
        marked = {f"_{name}": done.copy() for name in facts}
        return {
            "final_obs": views,
            "_final_obs": done.copy(),
            "final_info": {**facts, **marked},
            "_final_info": done.copy(),
        }


def _checked_seat(seat: Any, players: int) -> int | str:
    if seat == ROTATE:
        return ROTATE
    if not isinstance(seat, bool | str) and hasattr(seat, "__index__"):
        if 0 <= operator.index(seat) < players:
            return operator.index(seat)
    raise ValueError(f"seat={seat!r}: allowed are {ROTATE!r} and seats 0 to {players - 1}")


def _no_options(options: dict[str, Any] | None) -> None:
    if options:
        raise ValueError(f"there are no reset options; got {', '.join(map(str, options))}")


def _seed(seed: int | None, rng: np.random.Generator) -> int:
    return int(rng.integers(2**62)) if seed is None else operator.index(seed)
