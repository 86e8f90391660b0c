"""Where the cards of Balcó go: hand, pile, out of the game (L4 – L6, L10)."""

import numpy as np

from envs.balco.actions import JOKER, NUM_KINDS, NUM_NUMBERS
from envs.balco.record import COPIES, HAND_EMPTY, ROW
from envs.core.jit import rule


@rule
def deck_size(state):
    """Cards in the pack: 48, and the jokers."""
    return NUM_NUMBERS * COPIES + np.int64(state.jokers)


@rule
def copies(state, kind):
    """How many cards of a kind the pack holds."""
    return np.int64(state.jokers) if kind == JOKER else COPIES


@rule
def put_in_hand(state, seat, kind):
    """A card that everybody has seen goes into a hand."""
    state.hand[seat, kind] += 1
    state.known[seat, kind] += 1
    state.hand_size[seat] += 1


@rule
def put_on_pile(state, seat, kind, number):
    """A card from the hand onto the pile, counted as a number (0: a joker without one)."""
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1
    state.known[seat, kind] = max(0, state.known[seat, kind] - 1)
    state.pile[state.pile_size] = kind
    state.pile_as[state.pile_size] = number
    state.pile_size += 1
    if number == 0:
        state.run = 0
    elif number == state.top:
        state.run += 1
    else:
        state.run = 1
    state.top = number


@rule
def clean_pile(state):
    """L10: the pile leaves the game."""
    for i in range(state.pile_size):
        state.cleaned[state.num_cleaned] = state.pile[i]
        state.num_cleaned += 1
    empty_pile(state)


@rule
def empty_pile(state):
    """No pile and nothing pending: the next player is free."""
    state.pile_size = 0
    state.top = 0
    state.run = 0
    state.free = True
    state.bound = 0
    state.shot = False
    state.shot_by = -1


@rule
def refill(state, seat):
    """L5, L6: draw up to three; with the stock gone the up cards come into the hand."""
    while state.hand_size[seat] < ROW and state.drawn < deck_size(state):
        state.hand[seat, state.deck[state.drawn]] += 1
        state.hand_size[seat] += 1
        state.drawn += 1
    enough = 1 if state.take_up == HAND_EMPTY else ROW
    if state.drawn == deck_size(state) and state.hand_size[seat] < enough:
        for kind in range(NUM_KINDS):
            for _ in range(state.up[seat, kind]):
                put_in_hand(state, seat, kind)
            state.up[seat, kind] = 0
