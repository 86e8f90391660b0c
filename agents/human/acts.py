"""The acts of a match as each seat learns of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from envs.core.aec import GameEnv
from envs.core.replay import Replay
from envs.core.table import Table

KEPT = ("score", "duros")  # the first word of what a game keeps from hand to hand


class Act(NamedTuple):
    """A decision that was made.

    Attributes:
        seat: who made it.
        words: as the game says it.
        hand: the hand of the match in which it was made.
        untold: the seats that were not told; what is turned up later is for the table to show.
        news: what it brought that the words do not say, for each seat that may know something of
            it, and for everybody together (None).
        result: where it ended a hand or the match, what everyone has then, as the game says it.
    """

    seat: int
    words: str
    hand: int
    untold: tuple[int, ...]
    news: Mapping[int | None, str]
    result: str = ""

    def heard(self, viewer: int | None) -> str | None:
        """The words as far as a seat may know them; None is everybody together."""
        return None if viewer in self.untold else self.words


def perform(env: GameEnv, action: int, step: Callable[[int], Any] | None = None) -> Act:
    """Play an action, and say what it will be remembered as.

    Args:
        env: the raw environment.
        action: a legal one.
        step: plays it; that of ``env`` unless given.
    """
    seat, words, hand = int(env.states["turn"][0]), env.action_text(action), hand_number(env)
    others = (other for other in range(len(env.possible_agents)) if other != seat)
    untold = tuple(other for other in others if env.is_secret(action, other))
    before, table = env.states.copy(), env.table("all")
    (step or env.step)(action)
    ended = hand_number(env) != hand or env.states["over"][0]
    result = _result(table, env.table("all")) if ended else ""
    return Act(seat, words, hand, untold, _news(env, before, action), result)


def _news(env: GameEnv, before: np.recarray, action: int) -> dict[int | None, str]:
    """What an action that was played brought, by who may know it."""
    viewers = (*range(len(env.possible_agents)), None)
    record, after = before[0], env.states[0]
    said = {viewer: env.game.news(record, action, after, viewer) for viewer in viewers}
    return {viewer: words for viewer, words in said.items() if words}


def _result(before: Table, after: Table) -> str:
    """``score A: 3 (+3), score B: 0``: what everyone has, and how a hand has changed it."""
    had, has = kept(before), kept(after)
    changes = {name: now - had.get(name, now) for name, now in has.items()}
    return ", ".join(
        f"{name}: {now}" + (f" ({changes[name]:+d})" if changes[name] else "")
        for name, now in has.items()
    )


def kept(table: Table) -> dict[str, int]:
    """What is kept from hand to hand: the numbers of sides or seats, by their names."""
    sides = {name: value for name, value in table.values.items() if name.split()[0] in KEPT}
    seats = {
        f"player_{seat.seat}": value
        for seat in table.seats
        for name, value in seat.values.items()
        if name in KEPT
    }
    return {name: int(str(value).split()[0]) for name, value in (sides | seats).items()}


def acts_of(replay: Replay) -> list[Act]:
    """Every act of a replay."""
    env = replay.env_at(0)
    return [perform(env, move.action) for move in replay.moves]


def hand_number(env: GameEnv) -> int:
    """Which hand of the match is being played; always 0 in games of a single hand."""
    names = env.game.dtype.names or ()
    return int(env.states["hand_number"][0]) if "hand_number" in names else 0
