"""Balcó: the rules over one record.

Source: the encyclopedia article on the game (in Catalan, French and other languages). L1 … L15
are the clauses of the game's page, ``envs/balco/__init__.py``.

Glossary
    jos, down       the three cards of a player that nobody has seen
    sus, up         the three cards of a player that everybody sees
    pila, pile      the cards thrown, in the middle; ``netejar``, clean: it leaves the game
    number          1 … 12, what a thrown card counts as; a joker (*comodí*) counts as declared
    kind            a card by its text: the twelve numbers and the joker; suits never matter
    run             equal numbers in succession on top of the pile
    trenca, bound   after k sevens the next k players must stay at 7 or below
    disparar, shot  a player named by the thrower of a 1 must answer it

We play it this way where the source is silent: swap choices are sealed and applied together; the
lowest hand cards are thrown without effect to find the beginner; k eights skip k players; several
1s are one shot; the last player with cards loses. The options name the other ways.
"""

import numpy as np

from envs.balco.actions import (
    FLIP,
    JOKER,
    KEEP,
    MOST_CARDS,
    NUM_KINDS,
    PLACES,
    SHOOT,
    TAKE,
    jokers_of,
    naturals_of,
    number_of,
)
from envs.balco.legality import (
    card_at,
    is_legal_number,
    legal_actions,
    may_shoot,
    six_cards,
)
from envs.balco.moves import (
    clean_pile,
    deck_size,
    empty_pile,
    put_in_hand,
    put_on_pile,
    refill,
)
from envs.balco.record import COPIES, DEALT, ONE, OPTIONS, ORDER, REVEAL, ROW, STATE, Phase
from envs.balco.resample import resample_hidden
from envs.balco.seats import finish, leave_if_empty, others_in, right_of
from envs.core.jit import rule
from envs.core.random import deck_stream, draw_below, shuffle

__all__ = [
    "OPTIONS",
    "STATE",
    "Phase",
    "deal",
    "lay_out",
    "legal_actions",
    "resample_hidden",
    "step",
]


# Dealing


@rule
def deal(state):
    """Draw the dealer, shuffle the pack and deal."""
    state.dealer = draw_below(state, state.num_players)
    for card in range(deck_size(state)):
        state.deck[card] = card // COPIES
    shuffle(state.deck, deck_size(state), deck_stream(state, 0))
    lay_out(state)


@rule
def lay_out(state):
    """Deal nine cards at once to each seat from the dealer's right: down, up, hand."""
    clear_table(state)
    for i in range(state.num_players):
        seat = (state.dealer + 1 + i) % state.num_players
        for j in range(ROW):
            state.down[seat, j] = state.deck[i * DEALT + j]
            state.up[seat, state.deck[i * DEALT + ROW + j]] += 1
            state.hand[seat, state.deck[i * DEALT + 2 * ROW + j]] += 1
        state.hand_size[seat] = ROW
        state.down_left[seat] = ROW
    state.drawn = DEALT * np.int64(state.num_players)
    state.phase = Phase.SWAP
    state.turn = (state.dealer + 1) % state.num_players


@rule
def clear_table(state):
    """Everything that belongs to a game back to its beginning."""
    state.choice[:] = -1
    state.hand[:] = 0
    state.hand_size[:] = 0
    state.known[:] = 0
    state.up[:] = 0
    state.down[:] = -1
    state.down_left[:] = 0
    state.num_cleaned = 0
    state.place[:] = 0
    state.num_out = 0
    empty_pile(state)


# The swap and the start


@rule
def step(state, action):
    """One decision, and the truncation if it was the last one allowed."""
    if state.phase == Phase.SWAP:
        seal_swap(state, action)
    elif state.phase == Phase.SHOOT:
        shoot(state, (action - SHOOT + 1 + state.turn) % state.num_players)
    elif action == FLIP:
        flip(state)
    elif action == TAKE:
        take_pile(state)
    else:
        throw(state, number_of(action), naturals_of(action), jokers_of(action))
    if not state.over and state.decisions >= state.max_decisions:
        state.truncated = True
        finish(state)


@rule
def seal_swap(state, action):
    """L1: choices stay sealed until all are in, then they are applied together."""
    state.choice[state.turn] = action
    state.turn = (state.turn + 1) % state.num_players
    if state.choice[state.turn] >= 0:
        for seat in range(state.num_players):
            swap(state, seat)
        state.choice[:] = -1
        start(state)


@rule
def swap(state, seat):
    """L1: the chosen three lie face up; an up card that went to the hand is known there."""
    cards = six_cards(state, seat)
    for kind in range(NUM_KINDS):
        before = state.up[seat, kind]
        together = state.hand[seat, kind] + before
        after = 0
        for i in range(ROW):
            after += card_at(cards, PLACES[state.choice[seat] - KEEP, i]) == kind
        state.up[seat, kind] = after
        state.hand[seat, kind] = together - after
        state.known[seat, kind] = max(0, before - after)


@rule
def start(state):
    """L2: the holder of the lowest card begins, freely."""
    beginner = -1
    lowest = 0
    for i in range(state.num_players):
        seat = (state.dealer + 1 + i) % state.num_players
        kind = lowest_kind(state, seat)
        if beginner < 0 or ORDER[kind] < lowest:  # of equals the nearest to the dealer's right
            beginner = seat
            lowest = ORDER[kind]
        if state.start == REVEAL:
            state.known[seat, kind] = max(1, state.known[seat, kind])
        else:
            put_on_pile(state, seat, kind, (kind + 1) % NUM_KINDS)
    if state.start != REVEAL:
        for i in range(state.num_players):
            refill(state, (state.dealer + 1 + i) % state.num_players)
    give_turn(state, beginner)


@rule
def lowest_kind(state, seat):
    """L2: the lowest card of a hand."""
    lowest = -1
    for kind in range(NUM_KINDS):
        if state.hand[seat, kind] > 0 and (lowest < 0 or ORDER[kind] < ORDER[lowest]):
            lowest = kind
    return lowest


# Playing


@rule
def throw(state, number, naturals, jokers):
    """L3: throw the cards, refill, then what the number does."""
    seat = np.int64(state.turn)
    state.bound = max(0, state.bound - 1)  # L13: every play of a bound player uses up one
    if number != 1 or not state.shot:
        state.shot_by = -1
    state.shot = False
    state.free = False
    for _ in range(naturals):
        put_on_pile(state, seat, number - 1, number)
    for _ in range(jokers):
        put_on_pile(state, seat, JOKER, number)
    cleans = number == 10 or (state.run >= MOST_CARDS and number != 2)  # L10, L11
    if cleans:
        clean_pile(state)
    refill(state, seat)
    leave_if_empty(state, seat)
    if state.over:
        return
    if cleans:
        give_turn(state, seat if state.place[seat] == 0 else right_of(state, seat))
    else:
        act_upon(state, seat, number, naturals + jokers)


@rule
def act_upon(state, seat, number, count):
    """What so many cards of a number do to the players after a seat."""
    if number == 1:
        aim(state)
        return
    steps = 1
    if number == 2:  # L9
        state.bound = 0
        state.free = True
    elif number == 7:  # L13
        state.bound = count
    elif number == 8:  # L12
        steps += min(1 if state.eights == ONE else count, others_in(state, seat))
    for _ in range(steps):
        seat = right_of(state, seat)
    give_turn(state, seat)


@rule
def give_turn(state, seat):
    """The seat that plays next, from the hand or, without one, from its down cards (L7)."""
    state.turn = seat
    state.phase = Phase.PLAY if state.hand_size[seat] > 0 else Phase.FLIP


@rule
def aim(state):
    """L14: the thrower of a 1 names a target; a single one needs no choice."""
    targets = 0
    only = -1
    for target in range(state.num_players):
        if may_shoot(state, target):
            targets += 1
            only = target
    if targets == 1:
        shoot(state, only)
    else:
        state.phase = Phase.SHOOT


@rule
def shoot(state, target):
    """L14: the target must answer."""
    state.shot = True
    state.shot_by = state.turn
    give_turn(state, target)


@rule
def flip(state):
    """L7: turn over a down card; throw it if that is legal, else it and the pile are taken."""
    seat = np.int64(state.turn)
    place = ROW - state.down_left[seat]
    kind = np.int64(state.down[seat, place])
    state.down[seat, place] = -1
    state.down_left[seat] -= 1
    put_in_hand(state, seat, kind)
    if kind == JOKER:
        state.phase = Phase.DECLARE
    elif is_legal_number(state, kind + 1):
        throw(state, kind + 1, 1, 0)
    else:
        take_pile(state)


@rule
def take_pile(state):
    """L4: the whole pile into the hand; the player to the right begins on the empty pile."""
    for i in range(state.pile_size):
        put_in_hand(state, state.turn, state.pile[i])
    empty_pile(state)
    give_turn(state, right_of(state, state.turn))
