"""Truc: what a seat cannot know, and drawing a world that looks the same to it."""

from typing import Any

import numpy as np

from envs.core.jit import rule
from envs.core.random import combine, draw_unit, reseed, scale, shuffle
from envs.truc.envit import card_of, over_in_stack, position
from envs.truc.hand import is_played, under_card
from envs.truc.record import (
    HAND_SIZE,
    NUM_CARDS,
    OPEN_HANDS,
    RISKY,
    SIGNALS_OFF,
    TRICKS,
    Action,
)
from envs.truc.talk import seat_bit
from envs.truc.tricks import best_seat, ties_best

UNKNOWN = -1


@rule
def knows_hand(state, seat, owner):
    """A seat knows its own cards, and with open hands its partners' (T16)."""
    return owner == seat or (state.signals == OPEN_HANDS and owner % 2 == seat % 2)


@rule
def is_shown(state, owner):
    """T3: the owner's hidden card was shown to break the tie."""
    return state.shown and ties_best(state, 1, owner, best_seat(state, 1))


@rule
def knows_place(state, seat, owner, i):
    """Whether a seat can name the i-th card of an owner."""
    if knows_hand(state, seat, owner):
        return True
    return is_played(state, owner, card_of(state, owner, i)) or is_shown(state, owner)


@rule
def forget(state, seat):
    """Blank the dealt cards that the seat does not know; returns the cards in play but unknown."""
    pool = np.uint64(0)
    for i in range(state.num_players * HAND_SIZE, NUM_CARDS - 4 * (state.twos != 0)):
        pool |= bit(state.deck[i])
    for owner in range(state.num_players):
        for i in range(HAND_SIZE):
            if not knows_place(state, seat, owner, i):
                pool |= bit(card_of(state, owner, i))
    for owner in range(state.num_players):
        for i in range(HAND_SIZE):
            if (pool & bit(card_of(state, owner, i))) != 0:
                state.deck[HAND_SIZE * position(state, owner) + i] = UNKNOWN
    return pool


@rule
def bit(card):
    """A card as a set of one."""
    return np.uint64(1) << np.uint64(card)


@rule
def fits(state, pool, card, owner):
    """Whether a card of the pool may be the owner's: under a stack only what belongs there."""
    if (pool & bit(card)) == 0:
        return False
    return not has_stacked(state, owner) or over_in_stack(state, state.played[1, owner], card)


@rule
def has_stacked(state, owner):
    """The owner's one card that is left lies under a stack (T3)."""
    return state.stacked and state.played[1, owner] >= 0


@rule
def draw_card(state, pool, owner, bits):
    """A uniform card of the pool that may be the owner's."""
    count = 0
    for card in range(NUM_CARDS):
        count += fits(state, pool, card, owner)
    skip = scale(bits, count)
    for card in range(NUM_CARDS):
        if fits(state, pool, card, owner):
            if skip == 0:
                return card
            skip -= 1
    return UNKNOWN


@rule
def blank_place(state, owner):
    """The first unknown place of an owner's deal, or -1."""
    for i in range(HAND_SIZE):
        place = HAND_SIZE * position(state, owner) + i
        if state.deck[place] == UNKNOWN:
            return place
    return UNKNOWN


@rule
def most_bound(state):
    """The seat to deal to next: stacks first, the lowest top card before the others; or -1."""
    best = UNKNOWN
    for owner in range(state.num_players):
        if blank_place(state, owner) == UNKNOWN:
            continue
        if best == UNKNOWN or is_more_bound(state, owner, best):
            best = owner
    return best


@rule
def is_more_bound(state, owner, other):
    """Whether fewer cards can be the owner's than the other's."""
    if has_stacked(state, owner) and has_stacked(state, other):
        return over_in_stack(state, state.played[1, other], state.played[1, owner])
    return has_stacked(state, owner) and not has_stacked(state, other)


@rule
def resample_hidden(state, seat, stream):
    """Deal all that the seat cannot know anew, uniformly over the worlds it cannot tell apart.

    Hidden cards of stacks come first, those with the fewest candidates before the others: their
    candidates are nested, so every choice leaves equally many completions. A signal that the seat
    did not see becomes nothing said.
    """
    pool = forget(state, seat)
    draws = np.uint64(0)
    owner = most_bound(state)
    while owner != UNKNOWN:
        draws += np.uint64(1)
        card = draw_card(state, pool, owner, combine(stream, draws))
        state.deck[blank_place(state, owner)] = card
        pool ^= bit(card)
        owner = most_bound(state)
    fill_stock(state, pool, stream)
    reseed(state, stream)
    if state.signals != SIGNALS_OFF:
        resample_talk(state, seat)


@rule
def fill_stock(state, pool, stream):
    """What is left of the pool, in id order, then shuffled by draw 0: the hands had 1, 2, …"""
    start = state.num_players * HAND_SIZE
    size = 0
    for card in range(NUM_CARDS):
        if (pool & bit(card)) != 0:
            state.deck[start + size] = card
            size += 1
    shuffle(state.deck[start:], size, combine(stream, np.uint64(0)))


@rule
def resample_talk(state, seat):
    """T16: who else saw a signal is drawn anew; unseen signals are forgotten."""
    for trick in range(TRICKS):
        for speaker in range(state.num_players):
            said = state.said[trick, speaker]
            if said <= Action.PASSO or said > Action.TAPADA:
                continue
            if state.seen[trick, speaker] & seat_bit(seat) == 0:
                state.said[trick, speaker] = Action.PASSO
                state.seen[trick, speaker] = 0
            elif state.signals == RISKY:
                redraw_witnesses(state, trick, speaker, seat)


@rule
def redraw_witnesses(state, trick, speaker, seat):
    """The opponents that caught a risky signal, the seat itself excepted."""
    bits = state.seen[trick, speaker] & seat_bit(seat)
    for other in range(state.num_players):
        if other == seat:
            continue
        if other % 2 == speaker % 2 or draw_unit(state) < state.signal_catch:
            bits |= seat_bit(other)
    state.seen[trick, speaker] = bits


def is_possible(record: Any, seat: int) -> bool:
    """T3: the card under a stack is not higher than the one on top."""
    return all(
        over_in_stack(record, record.played[1, owner], under_card(record, owner))
        for owner in range(record.num_players)
        if has_stacked(record, owner) and under_card(record, owner) >= 0
    )
