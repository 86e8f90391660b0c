"""R11: the end of a hand and of the match, and what a match pays."""

from envs.core.jit import rule
from envs.puc.melds import HANDS, NONE, hand_points

CLOSING_BONUS = 10
REWARDS = ("points", "rank")
RANK = REWARDS.index("rank")
POINTS_PER_REWARD = 100


@rule
def score_hand(state, closer):
    """R11: every seat but the closer adds the cards it holds; the closer (NONE if the hand was
    blocked) loses ten points.
    """
    for seat in range(state.num_players):
        if seat == closer:
            state.score[seat] -= CLOSING_BONUS
        else:
            state.score[seat] += hand_points(state.hand[seat])


@rule
def was_last_hand(state):
    """R1: whether the match ends with this hand."""
    return state.only_hand != NONE or state.hand_number == HANDS


@rule
def finish(state, truncated):
    """End the match and pay it; a truncated one pays only with ``reward_at_cap``."""
    state.over = True
    state.truncated = truncated
    if truncated and not state.reward_at_cap:
        return
    for seat in range(state.num_players):
        if state.reward_kind == RANK:
            state.reward[seat] = rank_reward(state, seat)
        else:
            state.reward[seat] = points_reward(state, seat)


@rule
def points_reward(state, seat):
    """The mean of the others' totals minus one's own, in hundreds of points."""
    others = 0
    for other in range(state.num_players):
        if other != seat:
            others += state.score[other]
    return (others / (state.num_players - 1) - state.score[seat]) / POINTS_PER_REWARD


@rule
def rank_reward(state, seat):
    """1 for the lowest total down to -1, in equal steps; equal totals share their places' mean."""
    better, equal = 0, 0
    for other in range(state.num_players):
        if state.score[other] < state.score[seat]:
            better += 1
        elif state.score[other] == state.score[seat]:
            equal += 1
    place = better + (equal - 1) / 2
    return 1 - 2 * place / (state.num_players - 1)
