"""Worlds that look the same to one seat.

Hidden from a seat is every card that it has not seen (``seen``). What it can conclude about them is
public: who refused or asked holds a king, of none of the suits guessed wrongly; who exchanged, or
asked for an exchange, holds none (D4). Among all deals of the hidden cards that agree with this,
one is drawn uniformly:

1. the cards that are known to be kings, drawn again until no refuted suit is among them;
2. the cards that are known to be none, from the other numbers;
3. all the rest, stock included. However 1 and 2 fell, 3 has the same number of orders.
"""

from typing import Any

import numpy as np

from envs.core.jit import rule
from envs.core.random import combine, reseed, scale
from envs.quatre_duros.record import CARDS, IS_KING, KING, NO_KING, PACK, SEAT_BIT

_ONE = np.int64(1)


@rule
def knows(state, seat, place):
    """The seat has seen the card at this place of the deck."""
    return place <= state.dealt and state.seen[place] & SEAT_BIT[seat] != 0


@rule
def conclusion(state, place):
    """IS_KING, NO_KING or 0: what is known of a card that the seat has not seen."""
    return state.king[place] if place < state.dealt else 0


@rule
def resample_hidden(state, seat, stream):
    """Draw a world uniformly among those that give this seat the same view; reseed the record."""
    num_kings = list_hidden(state, seat, IS_KING, 0)
    num_known = list_hidden(state, seat, NO_KING, num_kings)
    num_hidden = list_hidden(state, seat, 0, num_known)
    sort_hidden(state, num_hidden)
    draws = draw_kings(state, num_kings, num_hidden, stream)
    for i in range(num_kings, num_known):
        draws += 1
        swap(state, i, nth_of_kind(state, i, num_hidden, False, combine(stream, draws)))
    for i in range(num_known, num_hidden - 1):
        draws += 1
        swap(state, i, i + scale(combine(stream, draws), num_hidden - i))
    state.spare[:] = 0
    reseed(state, stream)


@rule
def list_hidden(state, seat, kind, count):
    """Append to ``spare`` the hidden places of which this is known; returns the new count."""
    for place in range(PACK):
        if not knows(state, seat, place) and conclusion(state, place) == kind:
            state.spare[count] = place
            count += 1
    return count


@rule
def sort_hidden(state, num_hidden):
    """Put the hidden cards into id order, so that nothing depends on where they really lie."""
    cards = np.int64(0)
    for i in range(num_hidden):
        cards |= _ONE << np.int64(state.deck[state.spare[i]])
    i = 0
    for card in range(PACK):
        if cards & (_ONE << np.int64(card)):
            state.deck[state.spare[i]] = card
            i += 1


@rule
def draw_kings(state, num_kings, num_hidden, stream):
    """Kings for the cards known to be kings; returns how many draws that took."""
    draws = 0
    while True:
        for i in range(num_kings):
            draws += 1
            swap(state, i, nth_of_kind(state, i, num_hidden, True, combine(stream, draws)))
        if kings_fit(state):
            return draws


@rule
def nth_of_kind(state, first, num_hidden, kings, bits):
    """A uniformly drawn entry of ``spare``, from ``first`` on, that holds a king (or does not)."""
    count = 0
    for i in range(first, num_hidden):
        if is_king_at(state, i) == kings:
            count += 1
    n = scale(bits, count)
    for i in range(first, num_hidden):
        if is_king_at(state, i) == kings:
            if n == 0:
                return i
            n -= 1
    return first


@rule
def is_king_at(state, i):
    """The card at entry i of ``spare`` is a king."""
    return state.deck[state.spare[i]] % 10 == KING


@rule
def kings_fit(state):
    """No king has a suit that was guessed wrongly for it (D4)."""
    for seat in range(state.num_players):
        place = state.place[seat]
        if place >= 0 and state.refuted[seat, state.deck[place] // 10]:
            return False
    return True


@rule
def swap(state, i, j):
    """Exchange the cards at two entries of ``spare``."""
    first, second = state.spare[i], state.spare[j]
    state.deck[first], state.deck[second] = state.deck[second], state.deck[first]


def is_possible(record: Any, seat: int) -> bool:
    """Kings are where somebody refused or asked, and of no suit guessed wrongly; none where
    somebody exchanged.
    """
    for place in range(record.dealt):
        is_king = CARDS.text(record.deck[place]).startswith("12")
        if record.king[place] == (NO_KING if is_king else IS_KING):
            return False
    return not any(
        record.refuted[owner, record.deck[record.place[owner]] // 10]
        for owner in range(record.num_players)
        if record.place[owner] >= 0
    )
