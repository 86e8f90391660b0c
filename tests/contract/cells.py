"""Cells: one game, player count, option set, raw or wrapped. The fixed slice, and all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from envs.conformance import Subject
from envs.conformance.subject import constructor
from tests.contract.cases import case_of, entry_of, game_of

FULL_EFFORT = 5.0


@dataclass(frozen=True)
class Cell:
    """What one run of the contract is about."""

    env_id: str
    num_players: int
    options_name: str = "default"
    options: Mapping[str, Any] = field(default_factory=dict)
    wrapped: bool = True
    effort: float = 1.0

    def __str__(self) -> str:
        wrapping = "wrapped" if self.wrapped else "raw"
        return f"{self.env_id}-{self.num_players}p-{self.options_name}-{wrapping}"

    @property
    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the constructor."""
        return {"num_players": self.num_players, **self.options}

    @cached_property
    def subject(self) -> Subject:
        entry = entry_of(self.env_id, self.wrapped)
        return Subject(constructor(entry), self.arguments, entry, self.effort)


def cells(env_id: str, full: bool) -> list[Cell]:
    """The cells of a game: a slice in which every option set occurs, or all."""
    return list(_all(env_id) if full else _slice(env_id))


def _all(env_id: str) -> Iterator[Cell]:
    for players in game_of(env_id).player_counts:
        for name, options in {"default": {}, **case_of(env_id).option_sets}.items():
            if _allowed(env_id, players, options):
                for wrapped in (True, False):
                    yield Cell(env_id, players, name, options, wrapped, FULL_EFFORT)


def _slice(env_id: str) -> Iterator[Cell]:
    """Few, usual and most players with the defaults, then each option set with one player count.

    Raw and wrapped take turns.
    """
    game = game_of(env_id)
    counts = game.player_counts
    wrapped = True
    for players in sorted({counts[0], game.default_players, counts[-1]}):
        yield Cell(env_id, players, wrapped=wrapped)
        wrapped = not wrapped
    for turn, (name, options) in enumerate(case_of(env_id).option_sets.items()):
        fitting = [players for players in counts if _allowed(env_id, players, options)]
        yield Cell(env_id, fitting[turn % len(fitting)], name, options, wrapped)
        wrapped = not wrapped


def _allowed(env_id: str, players: int, options: Mapping[str, Any]) -> bool:
    """Whether a game allows the options with so many players (it may not)."""
    try:
        game_of(env_id).configure(players, **options)
    except ValueError:
        return False
    return True
