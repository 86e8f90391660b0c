"""The seats of Balcó: who is next, who is out, what the places pay (L15)."""

from envs.balco.record import FIRST_OUT
from envs.core.jit import rule


@rule
def right_of(state, seat):
    """The nearest player still in, to the right of a seat."""
    seat = (seat + 1) % state.num_players
    while state.place[seat] > 0:
        seat = (seat + 1) % state.num_players
    return seat


@rule
def others_in(state, seat):
    """Players still in, a seat not counted."""
    return state.num_players - state.num_out - (state.place[seat] == 0)


@rule
def leave_if_empty(state, seat):
    """L15: a player without any card is out, and perhaps the game is over."""
    if state.hand_size[seat] > 0 or state.down_left[seat] > 0:
        return
    state.num_out += 1
    state.place[seat] = state.num_out
    if state.end == FIRST_OUT:
        finish(state)
    elif state.num_out == state.num_players - 1:
        last = right_of(state, seat)
        state.num_out += 1
        state.place[last] = state.num_out
        finish(state)


@rule
def finish(state):
    """L15: pay the places; whoever has none shares the mean of those that are left."""
    state.over = True
    shared = 0.0
    for place in range(state.num_out + 1, state.num_players + 1):
        shared += value_of(state, place) / (state.num_players - state.num_out)
    for seat in range(state.num_players):
        out = state.place[seat] > 0
        state.reward[seat] = value_of(state, state.place[seat]) if out else shared


@rule
def value_of(state, place):
    """L15: +1 for the first place down to -1 for the last, evenly spaced."""
    return 1.0 - 2.0 * (place - 1) / (state.num_players - 1)
