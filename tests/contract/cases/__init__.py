"""What the contract tests know about single games: one small file each, and none is needed.

A game of the table ``GAMES`` is tested with the defaults of ``Case``; ``cases/<game>.py`` may
define ``CASE`` to say more.
"""

import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Any

from envs import GAMES
from envs.core.game import Game

TOYS = {"kuhn_v0": "tests.toys.kuhn"}


@dataclass(frozen=True)
class Case:
    """The data of one game.

    Attributes:
        option_sets: name -> options, tested beside the defaults.
        unmet: phases of the game's ``Phase`` that random play meets under none of them (an end).
        still: sections of the observation that never change under any of them.
        golden: player count -> arguments (``seed`` and options) of its golden game, where the
            default seed and options make it too long or too poor.
    """

    option_sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unmet: frozenset[str] = frozenset()
    still: Collection[str] = frozenset()
    golden: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@cache
def games() -> tuple[str, ...]:
    """Ids of all games under test."""
    return (*TOYS, *GAMES)


@cache
def game_of(env_id: str) -> Game:
    return importlib.import_module(TOYS[env_id]).GAME if env_id in TOYS else GAMES[env_id]


def entry_of(env_id: str, wrapped: bool = True) -> str:
    """``module:function`` of a game's constructor."""
    return f"{TOYS.get(env_id, f'envs.{env_id}')}:{'env' if wrapped else 'raw_env'}"


@cache
def case_of(env_id: str) -> Case:
    name = f"{__name__}.{game_of(env_id).name}"
    return importlib.import_module(name).CASE if find_spec(name) else Case()
