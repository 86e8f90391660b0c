"""The poker hand in a pile (B9): one number per set of cards, higher is better.

Hands may be short: with fewer than five cards there are high cards, pairs, two pairs, trips and
quads; straights, flushes and full houses need five. A missing kicker is below every card, so an
empty pile loses to any card. Suits have no order.

Cards come as four masks, one per suit: bit 0 is the deuce, bit 12 the ace. A strength is
``category << 20`` plus up to five ranks of four bits, the most telling first: 1 for the deuce …
13 for the ace, 0 for a missing card.
"""

import numpy as np

from envs.core.jit import rule

CATEGORY_NAMES = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    TRIPS,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    QUADS,
    STRAIGHT_FLUSH,
) = range(9)
CATEGORIES = len(CATEGORY_NAMES)
RANKS = 13
HAND_LIMIT = 5

_CATEGORY_BITS = 20
_RANK_BITS = 4
_ACE = RANKS - 1
# The number of the highest set bit, from 1, of masks of up to fourteen ranks (ace low and high).
_HIGHEST_BIT = np.array([ranks.bit_length() for ranks in range(1 << (RANKS + 1))], np.int64)


@rule
def poker_rank(card):
    """0 for the deuce … 12 for the ace, of a card id."""
    return (card + _ACE) % RANKS


@rule
def category_of(strength):
    """The category of a strength that is not an empty pile's."""
    return strength >> _CATEGORY_BITS


@rule
def strength_of(clubs, diamonds, hearts, spades):
    """The strength of the best hand of at most five cards; 0 for no cards.

    Args:
        clubs, diamonds, hearts, spades: int64 masks of the ranks held in each suit.
    """
    run = max(
        straight_top(clubs), straight_top(diamonds), straight_top(hearts), straight_top(spades)
    )
    if run > 0:
        return grade(STRAIGHT_FLUSH, run, 1)
    quads = top(clubs & diamonds & hearts & spades)
    every = clubs | diamonds | hearts | spades
    if quads > 0:
        return grade(QUADS, join(quads, every, 1), 2)
    trips = top(in_three_suits(clubs, diamonds, hearts, spades))
    doubles = in_two_suits(clubs, diamonds, hearts, spades)
    pair = top(without(doubles, trips))
    if trips > 0 and pair > 0:
        return grade(FULL_HOUSE, (trips << _RANK_BITS) | pair, 2)
    flush = max(flush_ranks(clubs), flush_ranks(diamonds), flush_ranks(hearts), flush_ranks(spades))
    if flush > 0:
        return grade(FLUSH, flush, 5)
    run = straight_top(every)
    if run > 0:
        return grade(STRAIGHT, run, 1)
    if trips > 0:
        return grade(TRIPS, join(trips, every, 2), 3)
    return strength_of_pairs(every, doubles, pair)


@rule
def strength_of_pairs(every, doubles, pair):
    """The strength of a hand without anything better than two pair."""
    if pair == 0:
        return grade(HIGH_CARD, highest(every, 5), 5)
    second = top(without(doubles, pair))
    if second == 0:
        return grade(PAIR, join(pair, every, 3), 4)
    kicker = top(without(without(every, pair), second))
    return grade(TWO_PAIR, (((pair << _RANK_BITS) | second) << _RANK_BITS) | kicker, 3)


@rule
def grade(category, ranks, count):
    """The strength of a category with ``count`` ranks, moved up so that the first one leads."""
    return (category << _CATEGORY_BITS) | (ranks << (_RANK_BITS * (HAND_LIMIT - count)))


@rule
def top(ranks):
    """1 … 13: the highest rank of a mask, or 0 when there is none."""
    return _HIGHEST_BIT[ranks]


@rule
def without(ranks, rank):
    """The mask without a rank given as 1 … 13; 0 takes nothing away."""
    return ranks & ~((np.int64(1) << np.int64(rank)) >> np.int64(1))


@rule
def highest(ranks, count):
    """The ``count`` highest ranks, four bits each; 0 where there are no more."""
    packed = np.int64(0)
    for _ in range(count):
        rank = top(ranks)
        packed = (packed << _RANK_BITS) | rank
        ranks = without(ranks, rank)
    return packed


@rule
def join(rank, every, kickers):
    """A rank, then the highest ``kickers`` other ranks."""
    return (rank << (_RANK_BITS * kickers)) | highest(without(every, rank), kickers)


@rule
def straight_top(ranks):
    """The highest rank of the best straight (the five for A–5), or 0."""
    with_low_ace = (ranks << 1) | (ranks >> _ACE)
    runs = with_low_ace & (with_low_ace >> 1) & (with_low_ace >> 2)
    runs &= (with_low_ace >> 3) & (with_low_ace >> 4)
    lowest = top(runs)  # the ace is 1 here, the deuce 2, so a rank stands one place higher
    return lowest + 3 if lowest > 0 else 0


@rule
def flush_ranks(ranks):
    """The five highest ranks of a suit, or 0 when it has fewer."""
    five = highest(ranks, HAND_LIMIT)
    return five if five & 15 > 0 else 0


@rule
def in_two_suits(a, b, c, d):
    """Ranks that lie in at least two of the suits."""
    return (a & b) | (c & d) | ((a | b) & (c | d))


@rule
def in_three_suits(a, b, c, d):
    """Ranks that lie in at least three of the suits."""
    return (a & b & (c | d)) | (c & d & (a | b))
