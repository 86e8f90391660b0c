"""Truc: card order (T-section 1), the value of an envit (T7, T15) and what it pays (T9, T10)."""

import numpy as np

from envs.core.jit import rule
from envs.truc.record import CARDS, HAND_SIZE, NUM_CARDS

AMO = CARDS.parse("11B")
SEGON = CARDS.parse("10O")
NUM_LEVELS = 17  # FIVES_LEVEL … 15, shifted by one in the observation
FIVES_LEVEL = -1
INDEX_OF_FIVE = 4  # in a suit
NO_PAIR_HIGHEST = 0  # the option's index

# The order of the cards, highest first; cards on one line are equal.
ORDER = (
    "11B",
    "10O",
    "1E",
    "1B",
    "7E",
    "7O",
    "3O 3C 3E 3B",
    "2O 2C 2E 2B",
    "1O 1C",
    "12O 12C 12E 12B",
    "11O 11C 11E",
    "10C 10E 10B",
    "7C 7B",
    "6O 6C 6E 6B",
    "5O 5C 5E 5B",
    "4O 4C 4E 4B",
)
LEVELS = np.zeros(NUM_CARDS, np.int64)
for _level, _cards in enumerate(ORDER):
    LEVELS[CARDS.parse_all(_cards)] = _level

# What a card counts in an envit: its number, figures nothing.
VALUES = np.array([n if n <= 7 else 0 for n in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)] * 4, np.int64)
AMO_BASE, SEGON_BASE, PAIR_BASE = 28, 27, 20
AMO_VALUE, SEGON_VALUE = AMO_BASE - PAIR_BASE, SEGON_BASE - PAIR_BASE
MAX_ENVIT = 41

TRUC_POINTS = np.array([1, 3, 6, 9], np.int64)  # T4: accepted level 0 … 3
ENVIT_POINTS = np.array([1, 2, 4, 6], np.int64)  # T9: accepted step 1 … 3; step 0: refused envida
TOTS_STEP = 4
JOC_FORA_LEVEL = 4


@rule
def suit(card):
    """O 0, C 1, E 2, B 3."""
    return card // 10


@rule
def card_level(num_players, card):
    """The card's place in the order, 0 the highest; with 6 or 8 players fives stand at -1 (T14)."""
    if num_players > 4 and card % 10 == INDEX_OF_FIVE:
        return FIVES_LEVEL
    return LEVELS[card]


@rule
def level(state, card):
    """The card's place in the order of this match."""
    return card_level(state.num_players, card)


@rule
def over_in_stack(state, card, other):
    """Which of two cards lies on top of a stack: the higher, of equals the lower id (T3)."""
    mine, theirs = level(state, card), level(state, other)
    return mine < theirs or (mine == theirs and card < other)


@rule
def position(state, seat):
    """Places to the right of the dealer: 0 is p0, the first to play."""
    return (seat - state.dealer - 1) % state.num_players


@rule
def seat_at(state, place):
    """The seat at a position."""
    return (state.dealer + 1 + place) % state.num_players


@rule
def card_of(state, seat, i):
    """The i-th card dealt to a seat in this hand."""
    return np.int64(state.deck[HAND_SIZE * position(state, seat) + i])


@rule
def piece_envit(card, other, reserved):
    """T7: amo 28 or segon 27, plus the value of one other card of any suit; else 0.

    Amo and segon together make ``reserved``, 35 or 28.
    """
    if card == AMO and other == SEGON:
        return reserved
    if card == AMO:
        return AMO_BASE + VALUES[other]
    if card == SEGON and other != AMO:
        return SEGON_BASE + VALUES[other]
    return 0


@rule
def pair_envit(card, other):
    """T7: two cards of a suit count 20 and their values; else 0."""
    return PAIR_BASE + VALUES[card] + VALUES[other] if suit(card) == suit(other) else 0


@rule
def flor_value(card):
    """T15: what a card counts in a flor: amo 8, segon 7, else its value."""
    return AMO_VALUE if card == AMO else SEGON_VALUE if card == SEGON else VALUES[card]


@rule
def flor_envit(a, b, c):
    """T15: three cards of a suit count 20 and all their values; else 0."""
    if suit(a) != suit(b) or suit(b) != suit(c):
        return 0
    return PAIR_BASE + flor_value(a) + flor_value(b) + flor_value(c)


@rule
def two_card_envit(card, other, reserved):
    """T7: the better reading of two cards."""
    return max(
        pair_envit(card, other),
        piece_envit(card, other, reserved),
        piece_envit(other, card, reserved),
    )


@rule
def envit_of(a, b, c, reserved, highest_counts, flor):
    """The envit of three cards: the best two (T7), or all three with ``flor`` (T15).

    Without pair or piece it is the highest single value, or 0 unless ``highest_counts``.
    """
    best = max(
        two_card_envit(a, b, reserved),
        two_card_envit(a, c, reserved),
        two_card_envit(b, c, reserved),
    )
    if flor:
        best = max(best, flor_envit(a, b, c))
    if best == 0 and highest_counts:
        best = max(VALUES[a], VALUES[b], VALUES[c])
    return best


@rule
def envit_value(state, seat):
    """The envit of a seat's dealt cards, played ones included."""
    a, b, c = card_of(state, seat, 0), card_of(state, seat, 1), card_of(state, seat, 2)
    return envit_of(a, b, c, state.reserved, state.no_pair == NO_PAIR_HIGHEST, state.flor)


@rule
def envit_winner(state):
    """T13: the seat with the highest envit; of equals the nearest to the dealer's right."""
    winner = seat_at(state, 0)
    best = envit_value(state, winner)
    for place in range(1, state.num_players):
        seat = seat_at(state, place)
        if envit_value(state, seat) > best:
            winner, best = seat, envit_value(state, seat)
    return winner


@rule
def missing(state, team):
    """Points that a team misses to win the leg."""
    return state.target - state.score[team]


@rule
def leader_missing(state):
    """What the better team misses (T10: the target minus L)."""
    return state.target - max(state.score[0], state.score[1])


@rule
def tots_points(state, team):
    """T10: what the leader misses, or the whole leg if nobody is above half the target."""
    if 2 * max(state.score[0], state.score[1]) > state.target:
        return leader_missing(state)
    return missing(state, team)


@rule
def envit_points(state, team):
    """T9, T10: what the accepted envit pays to the team that wins it."""
    if state.envit_level == TOTS_STEP:
        points = tots_points(state, team)
    else:
        points = ENVIT_POINTS[state.envit_level]
    if state.envit_cap:
        points = min(points, leader_missing(state))
    return points


@rule
def truc_points(state, team):
    """T4: what the accepted truc level pays to the team that wins the hand."""
    if state.truc_level == JOC_FORA_LEVEL:
        return missing(state, team)
    return TRUC_POINTS[state.truc_level]
