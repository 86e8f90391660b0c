"""What an agent is, and the random streams it draws from.

An agent sees observations and masks, never a state. Its chance comes from outside, one stream per
row, so that a decision depends on the deal and the seat alone and never on its neighbours.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from envs.core.game import Config, Game
from envs.core.jit import bind, rule
from envs.core.random import combine, mix

_OUTPUT = np.uint64(0x9E3779B97F4A7C15)


class Agent(Protocol):
    """Anything that plays."""

    name: str

    def act(self, observation: np.ndarray, action_mask: np.ndarray, rng: np.ndarray) -> int:
        """One decision. ``rng`` is a stream: uint64[1], advanced in place (see ``streams``)."""

    def act_batch(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """int64[B] actions for observations [B, N] and masks bool[B, A]; streams uint64[B]."""


def streams(seed: int, n: int = 1) -> np.ndarray:
    """uint64[n]: independent random streams, stream k a function of (seed, k)."""
    start = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    return np.array([combine(start, np.uint64(k)) for k in range(n)], np.uint64)


@rule
def next_bits(rngs, k):
    """The next 64 random bits of stream k."""
    rngs[k] = mix(rngs[k])
    return combine(rngs[k], _OUTPUT)


choose = None  # the name that ``bind`` supplies


def _choose_rows(observations, masks, at, num_players, rngs, out):
    """One decision per row; rows without a legal action get -1."""
    for k in range(masks.shape[0]):
        out[k] = -1
        if masks[k].any():
            out[k] = choose(observations[k], masks[k], at, num_players, next_bits(rngs, k))


class CompiledAgent:
    """An agent made of a compiled function ``choose(observation, mask, at, num_players, bits)``.

    ``at`` (int64[S + 1]) says where each section of the observation starts, in the order in which
    the game declares them; ``bits`` are 64 random bits for this decision.
    """

    def __init__(self, game: Game, config: Config, name: str, function: Callable):
        self.name = name
        self._at = game.layout(config).offsets
        self._players = config["num_players"]
        self._rows = bind(_choose_rows, {"choose": function}, f"{game.name}_{name}")

    def act(self, observation: np.ndarray, action_mask: np.ndarray, rng: np.ndarray) -> int:
        """See ``Agent.act``."""
        return int(
            self.act_batch(observation[None], np.asarray(action_mask, np.bool_)[None], rng)[0]
        )

    def act_batch(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """See ``Agent.act_batch``."""
        out = np.empty(len(observations), np.int64)
        masks = np.ascontiguousarray(action_masks, np.bool_)
        self._rows(np.ascontiguousarray(observations), masks, self._at, self._players, rngs, out)
        return out

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
