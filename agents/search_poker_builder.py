"""Poker builder for the search: the first bet is sealed, the second turns both up."""

from agents.search_guide import Guide
from agents.search_tree import HIDDEN, REVEALS
from envs.core.jit import rule
from envs.poker_builder.record import Phase


@rule
def shown(state, action):
    """B2, B6: bets are turned up together; B9: what goes into a final hand is shown at the end."""
    return REVEALS if state.phase == Phase.AUCTION and state.turn == 1 else HIDDEN


GUIDE = Guide(shown=shown)
