"""What an agent is, how it is asked, and the random streams it draws from.

An agent sees observations and masks, never the true state. One that searches needs a state to play
on from, so whoever asks it hands it a *world*: the record with all that its seat cannot see drawn
anew. ``ask`` and ``ask_one`` know the difference, so that every agent plays wherever one does.

Chance comes from outside, one stream per row, so that a decision depends on the deal and the seat
alone and never on its neighbours.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from typing_extensions import TypeIs

from envs.core.aec import GameEnv
from envs.core.batch import Batch
from envs.core.game import Config, Game
from envs.core.jit import bind, rule
from envs.core.loops import compile_loops
from envs.core.random import combine, mix

_OUTPUT = np.uint64(0x9E3779B97F4A7C15)
_SPARE, _UNIT = np.uint64(11), 1 / 9007199254740992.0  # 64 bits to a float in [0, 1)


class Observer(Protocol):
    """Plays by what it sees."""

    name: str

    def act(self, observation: np.ndarray, action_mask: np.ndarray, rng: np.ndarray) -> int:
        """One decision. ``rng`` is a stream: uint64[1], advanced in place (see ``streams``)."""

    def act_batch(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """int64[B] actions for observations [B, N] and masks bool[B, A]; streams uint64[B]."""


class Searcher(Protocol):
    """Plays by trying out what may follow."""

    name: str

    def act_states(self, worlds: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """int64[B] actions of the seats int[B] that are to act; streams uint64[B].

        ``worlds`` are B records in which all that the seat cannot see was drawn anew.
        """


Agent = Observer | Searcher


def searches(agent: Agent) -> TypeIs[Searcher]:
    """Whether an agent wants worlds rather than observations."""
    return hasattr(agent, "act_states")


def ask(agent: Agent, batch: Batch, rngs: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """int64[R]: what an agent would play in these rows of a batch.

    Args:
        rngs: uint64[R], the rows' streams, advanced in place.
        rows: int[R] in which somebody is to act; None for all.
    """
    if searches(agent):
        chosen = np.arange(len(batch)) if rows is None else rows
        seats = batch.seats[chosen]
        return agent.act_states(
            worlds_of(batch.game, batch.states[chosen], seats, rngs), seats, rngs
        )
    if rows is None:
        return agent.act_batch(batch.observations, batch.action_masks, rngs)
    return agent.act_batch(batch.observations[rows], batch.action_masks[rows], rngs)


def ask_one(agent: Agent, env: GameEnv, rng: np.ndarray) -> int:
    """What an agent would play for the seat to act; ``rng`` is one stream, uint64[1]."""
    if searches(agent):
        seats = env.states["turn"].copy()
        return int(agent.act_states(worlds_of(env.game, env.states, seats, rng), seats, rng)[0])
    seen = env.observe(env.agent_selection)
    return agent.act(seen["observation"], seen["action_mask"], rng)


def worlds_of(game: Game, states: np.ndarray, seats: np.ndarray, rngs: np.ndarray) -> np.recarray:
    """Copies of the records as the seats know them, the rest drawn from the streams."""
    worlds = np.array(states).view(np.recarray)
    resample_one = compile_loops(game).resample_one
    for k, seat in enumerate(seats):
        resample_one(game.plain(one_record(worlds, k)), seat, np.uint64(next_bits(rngs, k)))
    return worlds


def one_record(states: np.recarray, k: int) -> np.recarray:
    """Record k as an array of one, the same memory."""
    return cast(np.recarray, states[k : k + 1])


def streams(seed: int, n: int = 1) -> np.ndarray:
    """uint64[n]: independent random streams, stream k a function of (seed, k)."""
    start = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    return np.array([combine(start, np.uint64(k)) for k in range(n)], np.uint64)


@rule
def next_bits(rngs, k):
    """The next 64 random bits of stream k."""
    rngs[k] = mix(rngs[k])
    return combine(rngs[k], _OUTPUT)


@rule
def unit(bits):
    """64 random bits to a float in [0, 1)."""
    return np.float64(bits >> _SPARE) * _UNIT


choose = None  # the name that ``bind`` supplies


def _choose_rows(observations, masks, at, num_players, rngs, out):
    """One decision per row; rows without a legal action get -1."""
    for k in range(masks.shape[0]):
        out[k] = -1
        if masks[k].any():
            out[k] = choose(observations[k], masks[k], at, num_players, next_bits(rngs, k))


class ByRows:
    """What an observer is that decides for many rows at once."""

    act_batch: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]

    def act(self, observation: np.ndarray, action_mask: np.ndarray, rng: np.ndarray) -> int:
        """See ``Observer.act``."""
        return int(
            self.act_batch(observation[None], np.asarray(action_mask, np.bool_)[None], rng)[0]
        )


class CompiledAgent(ByRows):
    """An agent made of a compiled function ``choose(observation, mask, at, num_players, bits)``.

    ``at`` (int64[S + 1]) says where each section of the observation starts, in the order in which
    the game declares them; ``bits`` are 64 random bits for this decision.
    """

    def __init__(self, game: Game, config: Config, name: str, function: Callable):
        self.name = name
        self._made_of = game, config, function
        self._at = game.layout(config).offsets
        self._players = config["num_players"]
        self._rows = bind(_choose_rows, {"choose": function}, f"{game.name}_{name}")

    def act_batch(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """See ``Observer.act_batch``."""
        out = np.empty(len(observations), np.int64)
        masks = np.ascontiguousarray(action_masks, np.bool_)
        self._rows(np.ascontiguousarray(observations), masks, self._at, self._players, rngs, out)
        return out

    def __getstate__(self) -> tuple[Any, ...]:
        """A function that can be imported goes by its name: compiled, it lies in the cache."""
        game, config, function = self._made_of
        module, name = function.__module__, function.__qualname__
        if module == "__main__" or getattr(sys.modules.get(module), name, None) is not function:
            return game, config, self.name, function
        return game, config, self.name, (module, name)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        game, config, own_name, function = state
        if isinstance(function, tuple):
            module, name = function
            function = getattr(import_module(module), name)
        CompiledAgent.__init__(self, game, config, own_name, function)

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
