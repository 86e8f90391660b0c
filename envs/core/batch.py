"""Thousands of games at once, arrays in and out, for learning and search."""

import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from envs.core.game import Game, IllegalActionError
from envs.core.loops import compile_loops, first_illegal
from envs.core.observation import Layout
from envs.core.random import game_seed, key_after, key_from_seed

MAX_GAMES = 65_536


class Batch:
    """B games of one kind that step together.

    Game k of a batch seeded with s is the same game as the AEC environment reset with
    ``game_seed(s, k)``; the next game in a slot is what a seedless ``reset`` there would deal.

    The arrays below are allocated once and overwritten by every ``step``; with ``copy=True`` each
    step hands out new ones. A is the number of actions, N the observation's length, P the seats.

    Attributes:
        observations: int8 or int16[B, N], of the seat to act.
        action_masks: bool[B, A], of the seat to act.
        seats: int8[B], the seat to act.
        rewards: float32[B, P], paid by the latest step.
        dones: bool[B], games that ended in the latest step, by the rules or by truncation.
        truncations: bool[B], those of them that were truncated.
        states: the records (see the game's ``STATE``); after editing them call ``refresh``.
        undecided: int64[B], matches of the slot that ended before anybody had a choice (only with
            ``skip_forced``).
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        seed: int = 0,
        num_players: int | None = None,
        threads: int | None = None,
        skip_forced: bool = False,
        autoreset: bool = True,
        copy: bool = False,
        seeds: Sequence[int] | None = None,
        **options: Any,
    ):
        """Deal all games.

        Args:
            game: the game's description.
            num_games: B, 1 to 65,536.
            seed: of the whole batch, from 0.
            num_players: seats; None for the game's default.
            threads: slices that step in parallel; None for one per 1,024 games, at most one a core.
            skip_forced: play decisions with a single legal action inside the engine.
            autoreset: deal a finished game anew at once; otherwise it stays finished: its mask is
                all false and its action is not looked at.
            copy: hand out fresh arrays after every step.
            seeds: environment seed of each game, instead of ``game_seed(seed, k)``.
            options: the game's rule options.

        Raises:
            ValueError, TypeError: naming what is allowed.
        """
        self.game = game
        self.config = game.configure(num_players, **options)
        self.num_games = _integer("num_games", num_games, 1, MAX_GAMES)
        self.skip_forced, self.autoreset, self.copy = skip_forced, autoreset, copy
        self.layout: Layout = game.layout(self.config)
        self.num_players: int = self.config["num_players"]
        self.num_actions = game.num_actions(self.config)
        self._slices = _slices(self.num_games, threads)
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None
        self._loops = compile_loops(game)
        self._template = game.plain(game.template(self.config))
        self._allocate()
        self.reset(seed, seeds)

    def _allocate(self) -> None:
        games, seats = self.num_games, self.num_players
        max_players = self.game.dtype["reward"].shape[0]
        self.states = self.game.new_states(games, self.config)
        self._ended = self.game.new_states(games, self.config)
        self._masks = np.zeros((games, self.num_actions), np.bool_)
        self._observations = np.zeros((games, self.layout.size), self.layout.dtype)
        self._seats = np.zeros(games, np.int8)
        self._all_rewards = np.zeros((games, max_players), np.float32)
        self._rewards = self._all_rewards[:, :seats]
        self._dones = np.zeros(games, np.bool_)
        self._truncations = np.zeros(games, np.bool_)
        self._opening = np.zeros((games, max_players), np.float32)
        self._everyone = np.ones(games, np.bool_)
        self.undecided = np.zeros(games, np.int64)

    def reset(self, seed: int = 0, seeds: Sequence[int] | None = None) -> None:
        """Deal all games anew."""
        seed = _integer("seed", seed, 0, None)
        if seeds is None:
            seeds = [game_seed(seed, k) for k in range(self.num_games)]
        elif len(seeds) != self.num_games:
            raise ValueError(f"{len(seeds)} seeds for {self.num_games} games")
        checked = [_integer("seeds", one, 0, None) for one in seeds]
        self._keys = np.array([key_from_seed(one) for one in checked], np.uint64)
        self._start()

    def deal_next(self) -> None:
        """Deal the next match in every slot, whether or not the present one has ended."""
        self._keys = np.array([key_after(key) for key in self._keys], np.uint64)
        self._start()

    def _start(self) -> None:
        self.undecided[:] = 0
        for array in (self._all_rewards, self._dones, self._truncations):
            array[:] = 0
        self._each(
            self._loops.start_slice,
            lambda lo, hi: (
                self._plain(), self._template, self._keys, lo, hi, self.skip_forced, self._masks,
                self._observations, self._seats, self._opening, self.undecided,
            ),
        )  # fmt: skip
        self._publish()

    def step(self, actions: np.ndarray, moving: np.ndarray | None = None) -> None:
        """Play one action in every game, in place.

        Args:
            actions: int32 or int64[B], each legal for the seat to act.
            moving: bool[B], the games to play in; None for all. The others stand still: they are
                paid nothing, and their actions are not looked at.

        Raises:
            IllegalActionError: some action is not legal; no game has moved.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_games,) or actions.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions are {self.num_games} integers, got {actions.dtype}{list(actions.shape)}"
            )
        actions = np.ascontiguousarray(actions, np.int64)
        moving = self._everyone if moving is None else np.ascontiguousarray(moving, np.bool_)
        if moving.shape != (self.num_games,):
            raise ValueError(f"moving is bool[{self.num_games}], got bool{list(moving.shape)}")
        bad = first_illegal(self._masks, actions, moving, self.states["over"])
        if bad >= 0:
            raise IllegalActionError(self._fault(bad, int(actions[bad])))
        plain, ended = self._plain(), self.game.plain(self._ended)
        self._each(
            self._loops.advance_slice,
            lambda lo, hi: (
                plain, ended, self._template, self._keys, actions, moving, lo, hi,
                self.skip_forced, self.autoreset, self._masks, self._observations, self._seats,
                self._all_rewards, self._dones, self._truncations, self._opening, self.undecided,
            ),
        )  # fmt: skip
        self._publish()

    def refresh(self) -> None:
        """Encode masks, observations and seats anew, after ``states`` was edited."""
        plain = self._plain()
        self._each(
            self._loops.encode_slice,
            lambda lo, hi: (plain, lo, hi, self._masks, self._observations, self._seats),
        )
        self._publish()

    def observe_all(self) -> np.ndarray:
        """int8 or int16[B, P, N]: what every seat sees, for a critic that sees everything."""
        return self._observe_every(self.states, np.arange(self.num_games))

    @property
    def final_observations(self) -> np.ndarray:
        """[D, P, N]: the last view of every seat of the D games that ended in the latest step.

        Its rows follow ``np.flatnonzero(batch.dones)``.
        """
        return self._observe_every(self._ended, np.flatnonzero(self._dones))

    @property
    def final_states(self) -> np.recarray:
        """The last records of the games that ended in the latest step, same order."""
        return self._ended[np.flatnonzero(self._dones)].view(np.recarray)

    @property
    def keys(self) -> np.ndarray:
        """uint64[B]: the keys of the current games."""
        return self._keys

    @property
    def opening(self) -> np.ndarray:
        """float32[B, max seats]: paid by forced decisions before a match's first real one.

        They join the next step's rewards; ``states``, ``keys`` and this are all that a batch is.
        """
        return self._opening

    def load(self, states: np.ndarray, keys: np.ndarray, opening: np.ndarray | None = None) -> None:
        """Go on from the saved arrays of a batch of the same shape and options.

        ``opening`` matters only with ``skip_forced``.
        """
        self.states[:] = states
        self._keys[:] = keys
        self._opening[:] = 0 if opening is None else opening
        self.refresh()

    def close(self) -> None:
        """Stop the threads; also done when the batch is collected."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __len__(self) -> int:
        return self.num_games

    def _observe_every(self, states: np.recarray, rows: np.ndarray) -> np.ndarray:
        out = np.empty((len(rows), self.num_players, self.layout.size), self.layout.dtype)
        self._loops.observe_every(self.game.plain(states), rows, out)
        return out

    def _plain(self) -> np.ndarray:
        return self.game.plain(self.states)

    def _each(self, loop: Callable, arguments: Callable[[int, int], tuple]) -> None:
        """Run a compiled loop over every slice; the loops release the GIL."""
        if self._pool is None:
            loop(*arguments(*self._slices[0]))
        else:
            for done in [self._pool.submit(loop, *arguments(*cut)) for cut in self._slices]:
                done.result()

    def _publish(self) -> None:
        hand_out = np.copy if self.copy else np.asarray
        self.observations = hand_out(self._observations)
        self.action_masks = hand_out(self._masks)
        self.seats = hand_out(self._seats)
        self.rewards = hand_out(self._rewards)
        self.dones = hand_out(self._dones)
        self.truncations = hand_out(self._truncations)

    def _fault(self, k: int, action: int) -> str:
        text = self.game.action_text
        record = self.states[k]
        legal = ", ".join(
            f"{a} ({text(a, record)})" for a in map(int, np.flatnonzero(self._masks[k]))
        )
        return (
            f"game {k}: seat {record.turn} cannot play {action}; legal now: {legal}; "
            f"no game has moved"
        )


def _slices(games: int, threads: int | None) -> list[tuple[int, int]]:
    if threads is None:
        threads = max(1, min(os.cpu_count() or 1, games // 1024))
    threads = min(_integer("threads", threads, 1, 256), games)
    bounds = np.linspace(0, games, threads + 1).astype(int)
    return [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]


def _integer(name: str, value: Any, low: int, high: int | None) -> int:
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        number = operator.index(value)
        if number >= low and (high is None or number <= high):
            return number
    limit = "" if high is None else f" to {high}"
    raise ValueError(f"{name}={value!r}: allowed are integers from {low}{limit}")
