"""What a search must know about a game beyond its verbs: one small file each, and none is needed.

``agents/search_<game>.py`` may define ``GUIDE``; a game without one is searched to the end of the
match with random playouts, every action being open.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from envs.core.game import Config, Game
from envs.core.jit import rule

LONGEST = 100_000  # decisions of a playout where the game itself sees to its end


@rule
def all_open(state, action):
    """Every action is seen by all."""
    return 0


@rule
def never(state):
    """Everybody's decisions belong to the tree."""
    return False


@rule
def all_likely(state, seat):
    """Nothing is concluded from what others have done."""
    return 1.0


@rule
def nothing_to_come(state, cut, scores, paid):
    """Nothing is expected beyond what has been paid."""


@rule
def by_history(state, seat, history):
    """A node is what has happened."""
    return history


@rule
def by_id(state, action):
    """Every action is one of its own."""
    return action


@rule
def all_sensible(state, mask):
    """Nothing is left out."""


def no_scores(config: Config) -> np.ndarray:
    """For games whose playouts last to the end."""
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Guide:
    """Facts about a game for the search.

    Attributes:
        shown: compiled, ``(state, action) -> OPEN, HIDDEN or REVEALS`` before the action is played:
            everybody learns it; only the seat to act knows it; everybody learns it and all that was
            hidden. Nobody's node depends on what is hidden from it.
        modelled: compiled, ``(state) -> bool``: another seat's decision here is the playout
            player's, not the tree's. Where worlds are not imagined, all of them hold the searching
            seat's own cards, so its opponents' nodes learn them; where that spoils a decision, like
            guessing one of these very cards, a player is asked who sees his own view.
        likely: compiled, ``(state, seat) -> float`` from 0 to 1: how likely the other seats'
            actions are in a world, compared with the likeliest; worlds are kept with this chance.
        outlook: compiled, ``(state, cut, scores, paid)``: add to ``paid[seat]`` what the scores
            promise beyond the end of the hand, or (``cut``) where a playout is cut off.
        view: compiled, ``(state, seat, history) -> uint64``: the node of the seat to act, by what
            it sees; ``history`` stands for the actions since the root. It may see its own cards,
            and leave out what hardly matters, so that more iterations meet in a node.
        label: compiled, ``(state, action) -> int`` below the number of actions: what an action is
            called in a node, another one for each that is legal; for nodes in which different
            cards meet.
        sensible: compiled, ``(state, mask)``: takes actions out of the mask that are never better
            than another one; at least one has to be left.
        imagined: the share of iterations in which the searching seat's own cards are drawn anew
            too, as another seat would do it. Only these train the other seats' nodes; in all others
            the others do what they learnt there. 0 for plain IS-MCTS; more than 0 wants a ``view``
            that sees a seat's own cards.
        faith: how many visits of a node the playout's player is worth in what the others do.
        scores: the table for ``outlook`` under a configuration.
        player: who plays the playouts by default: ``random`` or a heuristic.
        playout: compiled, ``(state, mask, bits) -> action``: plays them instead, from the record,
            but by the view of the seat to act; for players that are too fast to be observed.
        exploration: the constant of the bound, in standard deviations of the results.
        longest: decisions after which a playout is cut off.
    """

    shown: Callable = all_open
    modelled: Callable = never
    likely: Callable = all_likely
    outlook: Callable = nothing_to_come
    view: Callable = by_history
    label: Callable = by_id
    sensible: Callable = all_sensible
    imagined: float = 0.0
    faith: int = 4
    scores: Callable[[Config], np.ndarray] = no_scores
    player: str = "random"
    playout: Callable | None = None
    exploration: float = 1.0
    longest: int = LONGEST


def guide_of(game: Game) -> Guide:
    """The game's own guide, or the one for any game."""
    name = f"agents.search_{game.name}"
    return importlib.import_module(name).GUIDE if find_spec(name) else Guide()
