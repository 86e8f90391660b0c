"""The acts of a match as each seat learns of them."""

from typing import NamedTuple

from envs.core.aec import GameEnv
from envs.core.replay import Replay


class Act(NamedTuple):
    """A decision that was made.

    Attributes:
        seat: who made it.
        words: as the game says it.
        hand: the hand of the match in which it was made.
        untold: the seats that were not told; what is turned up later is for the table to show.
    """

    seat: int
    words: str
    hand: int
    untold: tuple[int, ...]

    def heard(self, viewer: int | None) -> str | None:
        """The words as far as a seat may know them; None is everybody together."""
        return None if viewer in self.untold else self.words


def act_of(env: GameEnv, action: int) -> Act:
    """What an action that is about to be played will be remembered as."""
    seat = int(env.states["turn"][0])
    others = (other for other in range(len(env.possible_agents)) if other != seat)
    untold = tuple(other for other in others if env.is_secret(action, other))
    return Act(seat, env.action_text(action), hand_number(env), untold)


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
