"""The acts of a match as each seat learns of them."""

from typing import NamedTuple

from agents.search_guide import guide_of
from agents.search_tree import OPEN
from envs.core.aec import GameEnv
from envs.core.replay import Replay


class Act(NamedTuple):
    """A decision that was made.

    Attributes:
        seat: who made it.
        words: as the game says it.
        open: everybody learnt it at once. What is turned up later is for the table to show.
        hand: the hand of the match in which it was made.
    """

    seat: int
    words: str
    open: bool
    hand: int

    def heard(self, viewer: int | None) -> str | None:
        """The words as far as a seat may know them; None is everybody together."""
        return self.words if self.open or viewer in (None, self.seat) else None


def act_of(env: GameEnv, action: int) -> Act:
    """What an action that is about to be played will be remembered as."""
    seat = int(env.states["turn"][0])
    shown = guide_of(env.game).shown(env.states[0], action)
    return Act(seat, env.action_text(action), shown == OPEN, hand_number(env))


def acts_of(replay: Replay) -> list[Act]:
    """Every act of a replay."""
    env, acts = replay.env_at(0), []
    for move in replay.moves:
        acts.append(act_of(env, move.action))
        env.step(move.action)
    return acts


def hand_number(env: GameEnv) -> int:
    """Which hand of the match is being played; always 0 in games of a single hand."""
    names = env.game.dtype.names or ()
    return int(env.states["hand_number"][0]) if "hand_number" in names else 0
