"""R1, R3, R4: the pack, the deal and the beginning of a turn."""

import numpy as np

from envs.core.jit import rule
from envs.core.random import combine, deck_stream, draw_below, shuffle
from envs.puc.melds import (
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    JOKER,
    NATURALS,
    NONE,
    RUN_SIZE,
    TRIO_SIZE,
)
from envs.puc.state import CHOICE

_WORD = 1 << 31


@rule
def chance(state):
    """A stream for a shuffle that is no deal, from the record's own draws."""
    return combine(np.uint64(draw_below(state, _WORD)), np.uint64(draw_below(state, _WORD)))


@rule
def fill_deck(state):
    """The whole pack, shuffled for this hand."""
    size = 0
    for _ in range(state.num_packs):
        for kind in range(NATURALS):
            state.deck[size] = kind
            size += 1
        for _ in range(state.jokers_per_pack):
            state.deck[size] = JOKER
            size += 1
    state.deck_size = size
    shuffle(state.deck, size, deck_stream(state, state.hand_number))


@rule
def lay_out(state):
    """R4: every seat's cards from the dealer's right, then the face-up card; the rest is stock."""
    clear_hand(state)
    trios, runs = CONTRACT_TRIOS[state.hand_number], CONTRACT_RUNS[state.hand_number]
    size = TRIO_SIZE * trios + RUN_SIZE * runs
    top = 0
    for i in range(1, state.num_players + 1):
        seat = (state.dealer + i) % state.num_players
        for _ in range(size):
            state.hand[seat, state.deck[top]] += 1
            top += 1
        state.hand_size[seat] = size
    state.pile[0] = state.deck[top]
    state.pile_size = 1
    state.stock_top = top + 1
    state.stock_end = state.deck_size
    begin_turn(state, (state.dealer + 1) % state.num_players)


@rule
def clear_hand(state):
    """Forget the hand before."""
    state.turns = 0
    state.pile[:] = 0
    state.hand[:] = 0
    state.hand_size[:] = 0
    state.known[:] = 0
    state.down[:] = False
    state.pucs[:] = 0
    state.trio_cards[:] = 0
    state.trio_jokers[:] = 0
    state.trio_owners[:] = 0
    state.num_runs = 0
    state.run_suit[:] = 0
    state.run_low[:] = 0
    state.run_high[:] = 0
    state.run_jokers[:] = 0
    state.run_owner[:] = 0


@rule
def begin_turn(state, seat):
    """R5: the seat's turn begins with the choice between the face-up card and the stock."""
    state.serving = seat
    state.turn = seat
    state.phase = CHOICE
    state.taken = NONE
    state.taken_laid = 0
    state.opening_melds = 0
    state.opening[:] = NONE
    state.opened = False
    state.moving = NONE
