"""Balcó for the search: swap choices are sealed until all are in; playouts last to the end."""

from agents.search_guide import Guide
from agents.search_tree import HIDDEN, OPEN, REVEALS
from envs.balco.record import Phase
from envs.core.jit import rule


@rule
def shown(state, action):
    """L1: the last swap choice turns up all of them."""
    if state.phase != Phase.SWAP:
        return OPEN
    after = (state.turn + 1) % state.num_players
    return REVEALS if state.choice[after] >= 0 else HIDDEN


GUIDE = Guide(shown=shown)
