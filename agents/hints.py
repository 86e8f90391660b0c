"""Hints: what a search makes of a position, and how often a player would do what.

Both see what the seat to act may see and nothing else, so a hint tells nobody what is hidden.
"""

from typing import NamedTuple

import numpy as np

from agents import ask_one, baselines, heuristics, load
from agents.base import Agent, searches, streams, worlds_of
from agents.search import SearchAgent
from envs.core.aec import GameEnv
from envs.core.game import Config, Game

SEARCH = "ismcts:1000"
ASKED = 200  # how often a policy is asked, to see how often it plays what


class Hint(NamedTuple):
    """One legal action.

    Attributes:
        action: its id.
        words: as the game says it.
        value: what the seat is paid on average after it; None where it was not tried.
        tried: the share of the search that was spent on it.
        policy: how often the player would play it.
    """

    action: int
    words: str
    value: float | None
    tried: float
    policy: float


class Adviser:
    """Gives hints in one game: the best player there is, and what a search makes of it."""

    def __init__(self, game: Game, config: Config):
        searcher = load(game, SEARCH, **config)
        assert isinstance(searcher, SearchAgent)
        self.searcher, self.player = searcher, best_player(game, config)

    def rank(self, env: GameEnv, seed: int) -> tuple[list[Hint], int]:
        """See ``rank``; but what the player plays most often comes first, since it is stronger."""
        hints, rounds = rank(env, self.searcher, self.player, seed)
        return sorted(hints, key=lambda hint: -hint.policy), rounds


def best_player(game: Game, config: Config) -> Agent:
    """The game's baseline, or where none was trained for this table the best rule player."""
    try:
        return load(game, baselines.NAME, **config)
    except ValueError:
        return load(game, list(heuristics(game))[-1], **config)


def rank(env: GameEnv, searcher: SearchAgent, player: Agent, seed: int) -> tuple[list[Hint], int]:
    """The legal actions, the best one first, and how many rounds the search had."""
    seats, rng = env.states["turn"].copy(), streams(seed)
    world = worlds_of(env.game, env.states, seats, rng)
    found = searcher.search(world, int(seats[0]), rng)
    shares = _habits(env, player, seed)
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    total = max(int(found.visits.sum()), 1)
    order = sorted(legal.tolist(), key=lambda a: (-found.visits[a], -found.values[a], a))
    return [
        Hint(
            action=a,
            words=env.action_text(a),
            value=round(float(found.values[a]), 4) if found.visits[a] and found.rounds else None,
            tried=round(int(found.visits[a]) / total, 4),
            policy=round(float(shares[a]), 4),
        )
        for a in order
    ], found.rounds


def _habits(env: GameEnv, player: Agent, seed: int) -> np.ndarray:
    """How often an agent plays each action here: asked once if it searches, else many times."""
    times = 1 if searches(player) else ASKED
    rngs = streams(seed, times)
    chosen = [ask_one(player, env, rngs[k : k + 1]) for k in range(times)]
    return np.bincount(chosen, minlength=env.action_space(env.agent_selection).n) / times
