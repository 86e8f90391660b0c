"""Piles and the showdown (B6, B9, Q10): from the first card won to the better hand."""

import numpy as np

from envs.core.jit import rule
from envs.poker_builder.bets import NOBODY, card_at, higher
from envs.poker_builder.hands import HAND_LIMIT, RANKS, poker_rank, strength_of
from envs.poker_builder.record import (
    AUCTIONS,
    LEFTOVERS_FINAL_DECK,
    NONE,
    PLAYERS,
    TIE_BIDS,
    Phase,
    count_bits,
    keep_id,
)


@rule
def add_to_pile(state, seat, place):
    """B6: the card joins the pile, not the hand."""
    state.pile[seat, state.pile_size[seat]] = place
    state.pile_size[seat] += 1
    card = card_at(state, place)
    state.ranks[seat, card // RANKS] |= np.int64(1) << poker_rank(card)
    state.strength[seat] = strength_of_ranks(state, seat)


@rule
def open_showdown(state):
    """B9: final hands are found, or asked for; B8: with "final_deck" left-over cards join first."""
    state.phase = Phase.SHOWDOWN
    if state.leftovers == LEFTOVERS_FINAL_DECK:
        for seat in range(PLAYERS):
            join_aside(state, seat)
    if not state.manual_showdown:
        compare_hands(state, state.strength[0], state.strength[1])
    elif state.pile_size[0] == 0:
        ask_second_player(state)


@rule
def join_aside(state, seat):
    """B8: the cards put aside join the pile, after the won cards, in slot order."""
    for i in range(state.aside_size[seat]):
        add_to_pile(state, seat, state.aside[seat, i])
        state.aside[seat, i] = NONE
    state.aside_size[seat] = 0


@rule
def choose(state, action):
    """B9: the card goes into the final hand or not, until five are chosen or none is left."""
    seat = state.turn
    if action == keep_id(state):
        state.chosen[seat] |= 1 << np.int64(state.asked)
    state.asked += 1
    if state.asked < state.pile_size[seat] and count_bits(state.chosen[seat]) < HAND_LIMIT:
        return
    if seat == 0:
        ask_second_player(state)
    else:
        compare_chosen(state)


@rule
def ask_second_player(state):
    """B9: player 1 chooses after player 0; an empty pile is not asked."""
    state.turn = 1
    state.asked = 0
    if state.pile_size[1] == 0:
        compare_chosen(state)


@rule
def compare_chosen(state):
    """B9: exactly the chosen cards are compared."""
    for seat in range(PLAYERS):
        take_unchosen_out(state, seat)
    compare_hands(state, strength_of_ranks(state, 0), strength_of_ranks(state, 1))


@rule
def take_unchosen_out(state, seat):
    """Only the chosen cards count from here on; the strength of the whole pile stays recorded."""
    for i in range(state.pile_size[seat]):
        if not (np.int64(state.chosen[seat]) >> i) & 1:
            card = card_at(state, state.pile[seat, i])
            state.ranks[seat, card // RANKS] &= ~(np.int64(1) << poker_rank(card))


@rule
def compare_hands(state, first, second):
    """B9: the better hand wins; Q10: equal hands are a draw, or go to who has won more cards."""
    winner = higher(first, second)
    if winner == NOBODY and state.tie == TIE_BIDS:
        winner = higher(cards_won(state, 0), cards_won(state, 1))
    if winner != NOBODY:
        state.reward[winner] = 1
        state.reward[1 - winner] = -1
    state.over = True


@rule
def cards_won(state, seat):
    """Q10: auctions a seat has won, those against a joker included."""
    won = 0
    for auction in range(AUCTIONS):
        won += state.winner[auction] == seat
    return won


@rule
def strength_of_ranks(state, seat):
    """The strength of the best hand in the ranks of a seat."""
    return strength_of(
        np.int64(state.ranks[seat, 0]),
        np.int64(state.ranks[seat, 1]),
        np.int64(state.ranks[seat, 2]),
        np.int64(state.ranks[seat, 3]),
    )
