"""Agents: random, heuristics, search, trained policies; ``load`` finds them by a short text.

agent = agents.load("truc_v0", "strong")
action = agent.act(observation, action_mask, agents.streams(seed=1))
"""

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import baselines
from agents.base import Agent, CompiledAgent, ask, ask_one, streams
from agents.random import uniform
from agents.search import SearchAgent, is_search, parse
from envs import find_game
from envs.core.game import unknown

if TYPE_CHECKING:
    from envs.core.game import Game

__all__ = ["Agent", "CompiledAgent", "ask", "ask_one", "load", "specs", "streams"]

SEARCHES = ["ismcts:1000", "ismcts:50ms", "pimc:200"]  # as they may be written


def heuristics(game: "Game") -> dict[str, Any]:
    """Name -> compiled function, of ``agents/<game>.py``; it may replace ``random``."""
    try:
        module = importlib.import_module(f"agents.{game.name}")
    except ModuleNotFoundError as error:
        if error.name != f"agents.{game.name}":
            raise
        return {"random": uniform}
    return {"random": uniform, **module.HEURISTICS}


def specs(game: "Game") -> list[str]:
    """What ``load`` understands for this game."""
    trained = [baselines.NAME] if baselines.player_counts(game) else []
    return [*heuristics(game), *SEARCHES, *trained, "PATH of a checkpoint"]


def load(game: "str | Game", spec: str, num_players: int | None = None, **options: Any) -> Agent:
    """The agent that a text describes, for a game under a configuration.

    Args:
        game: ``"truc_v0"``.
        spec: ``random``, a heuristic (``simple``, ``strong``), a search (``ismcts:1000``,
            ``ismcts:50ms``, ``pimc:200``, and with another player for its playouts
            ``ismcts:1000:simple``), ``baseline``, the trained agent that comes with the project, or
            the path of a checkpoint, which may also be that of a training run, whose newest
            checkpoint is meant.
        num_players, options: as for the environment.

    Raises:
        ValueError: no such agent, and the message names those there are; or a checkpoint that is
            damaged or was trained for another game, player count or observation.
        FileNotFoundError: no checkpoint at that path.
    """
    game = find_game(game)
    config = game.configure(num_players, **options)
    known = heuristics(game)
    if spec in known:
        return CompiledAgent(game, config, spec, known[spec])
    if is_search(spec):
        return SearchAgent(game, config, parse(spec, list(known)), known)
    if spec == baselines.NAME:
        from agents.policy import load_policy

        return load_policy(game, config, baselines.find(game, config), name=spec)
    if Path(spec).exists() or os.sep in spec or spec.endswith(".safetensors"):
        from agents.policy import load_policy

        return load_policy(game, config, spec)
    raise ValueError(unknown("agent", spec, specs(game), game.title))
