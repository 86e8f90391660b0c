"""Puc for the search: a playout ends with the hand, and the scores say what that is worth.

The reward is linear in the points, so with ``reward="points"`` the scores are what is expected of
equals: every hand to come is worth nothing to anybody. With ``reward="rank"`` a seat is before
another with the chance that the hands to come do not turn their difference, a normal deviate with
the standard deviations below: two seats' points of a hand lie so far apart when ``strong`` holds
every seat (``python -m training.outlooks puc_v0 --matches 150``, seed 0).

A hand that is cut off is scored as if it were blocked: that is what the cards held cost then.
"""

import math

import numpy as np

from agents.search_guide import Guide
from envs.core.game import Config
from envs.core.jit import rule
from envs.puc.melds import HANDS, hand_points
from envs.puc.scoring import POINTS_PER_REWARD, RANK

SPREADS = (32.7, 42.0, 45.5, 49.1, 55.3, 58.2, 66.8)  # of hands 1 … 7


def variances(config: Config) -> np.ndarray:
    """By hand number: the variance of two seats' difference from this hand to the end."""
    return np.array([0.0, *(sum(s * s for s in SPREADS[hand:]) for hand in range(HANDS))])


@rule
def total_of(state, seat, cut):
    """The seat's points, with the cards it holds if the hand was cut off."""
    return state.score[seat] + (hand_points(state.hand[seat]) if cut else 0)


@rule
def outlook(state, cut, scores, paid):
    """Against each other seat: the points ahead, or the chance to stay ahead."""
    others = state.num_players - 1
    for seat in range(state.num_players):
        for other in range(state.num_players):
            ahead = total_of(state, other, cut) - total_of(state, seat, cut)
            if seat != other and state.reward_kind == RANK:
                apart = math.sqrt(2 * scores[state.hand_number])
                paid[seat] += math.erf(ahead / apart) / others
            elif seat != other:
                paid[seat] += ahead / others / POINTS_PER_REWARD


GUIDE = Guide(outlook=outlook, scores=variances, player="simple")
