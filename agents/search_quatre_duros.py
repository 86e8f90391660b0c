"""4 Duros for the search: a playout ends with the hand, and coins say what that is worth.

Among equals a seat wins with a chance that goes with (coins + BASE) ** POWER. Both were fitted, by
likelihood, to the hands of matches in which ``strong`` held all five seats
(``python -m training.outlooks quatre_duros_v0 --matches 4000``, seed 0); a seat without coins may
still be paid by a neighbour.

Who is asked for his king's suit does not know it, so the answers of others are not the tree's.
"""

import numpy as np

from agents.search_guide import Guide
from envs.core.game import Config
from envs.core.jit import rule
from envs.quatre_duros.record import Phase, starting_coins

BASE, POWER = 1.2, 1.7


def weights(config: Config) -> np.ndarray:
    """By coins: what the chance to win goes with."""
    return (np.arange(sum(starting_coins(config)) + 1) + BASE) ** POWER


@rule
def modelled(state):
    """D4: the asked seat guesses."""
    return state.phase == Phase.ANSWER


@rule
def outlook(state, cut, scores, paid):
    """The chance to win the match; with the option ``hands`` the coins won so far."""
    total = 0.0
    gained = 0.0
    for seat in range(state.num_players):
        total += scores[state.coins[seat]]
        gained += state.coins[seat] - state.start_coins[seat]
    for seat in range(state.num_players):
        if state.hands >= 0:
            gain = state.coins[seat] - state.start_coins[seat]
            paid[seat] += gain - gained / state.num_players
        else:
            chance = scores[state.coins[seat]] / total
            paid[seat] += chance - (1 - chance) / (state.num_players - 1)


GUIDE = Guide(modelled=modelled, outlook=outlook, scores=weights, player="strong")
