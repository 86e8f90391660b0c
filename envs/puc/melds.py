"""Cards, melds and action ids: what a trio and a run are, and the number of each way to lay one.

A card is known by its kind, 0 … 52 (suit * 13 + rank, ace first; the joker is 52); copies of a kind
are alike, so a hand is a vector of 53 counts. A meld is known by its action id. Positions along a
suit go from 1 (ace below the two) to 14 (ace above the king).
"""

from itertools import combinations_with_replacement

import numpy as np

from envs.core.jit import rule

RANKS, SUITS, NATURALS, JOKER, KINDS = 13, 4, 52, 52, 53
LOWEST, HIGHEST = 1, 14  # positions of a run; the ace stands at both
TRIO_SIZE, RUN_SIZE = 3, 4
NONE = -1

# R1: trios and runs of the contract, by hand number 1 … 7 (place 0 is not used).
CONTRACT_TRIOS = np.array([0, 2, 1, 0, 3, 2, 1, 0])
CONTRACT_RUNS = np.array([0, 0, 1, 2, 0, 1, 2, 3])
HANDS = 7

# Action ids. Each name is the first id of its family.
TAKE, DRAW, PUC, NO_PUC = 0, 1, 2, 3
TRIO = 4
TRIOS_OF_RANK = 30  # 20 multisets of three suits, then 10 of two suits with a joker
NATURAL_TRIOS = 20
RUN = TRIO + RANKS * TRIOS_OF_RANK
RUN_LOWS = 11  # a run of four starts at position 1 … 11
RUNS_OF_LOW = 5  # no joker, or the joker's place from the low end
ADD = RUN + SUITS * RUN_LOWS * RUNS_OF_LOW
ADD_JOKER = ADD + NATURALS
EXTEND = ADD_JOKER + RANKS
ENDS_OF_SUIT = 20  # low side at positions 1 … 10, then high side at 5 … 14
LOW_ENDS = 10
FIRST_HIGH_END = 5
EXTEND_JOKER = EXTEND + SUITS * ENDS_OF_SUIT
REPLACE = EXTEND_JOKER + SUITS * ENDS_OF_SUIT
JOKER_LOW = REPLACE + SUITS * HIGHEST
JOKER_HIGH = JOKER_LOW + 1
DISCARD = JOKER_HIGH + 1
NUM_ACTIONS = DISCARD + KINDS

# R11: what a card left in hand counts.
POINTS = np.array([min(rank + 1, 10) for rank in range(RANKS)] * SUITS + [20])


def _meld_kinds() -> np.ndarray:
    """The cards of every meld, by id - TRIO; a trio's fourth place is NONE."""
    melds = []
    for rank in range(RANKS):
        for suits in combinations_with_replacement(range(SUITS), TRIO_SIZE):
            melds.append([suit * RANKS + rank for suit in suits] + [NONE])
        for suits in combinations_with_replacement(range(SUITS), TRIO_SIZE - 1):
            melds.append([suit * RANKS + rank for suit in suits] + [JOKER, NONE])
    for suit in range(SUITS):
        for low in range(LOWEST, RUN_LOWS + 1):
            natural = [suit * RANKS + (low + i - 1) % RANKS for i in range(RUN_SIZE)]
            melds.append(natural)
            for joker in range(RUN_SIZE):
                melds.append([*natural[:joker], JOKER, *natural[joker + 1 :]])
    return np.array(melds, np.int64)


MELD_KINDS = _meld_kinds()
# How many copies of its kind a meld holds up to each place: the hand must have that many.
MELD_COPIES = np.array(
    [[list(row[: i + 1]).count(kind) for i, kind in enumerate(row)] for row in MELD_KINDS]
)


@rule
def kind_at(suit, position):
    """The kind that stands at a position of a suit; 1 and 14 are the ace."""
    return suit * RANKS + (position - 1) % RANKS


@rule
def meld_size(meld):
    """Cards of a meld when it is laid."""
    return TRIO_SIZE if meld < RUN else RUN_SIZE


@rule
def trio_rank(meld):
    """Rank 0 … 12 of a trio's id."""
    return (meld - TRIO) // TRIOS_OF_RANK


@rule
def run_suit(meld):
    """Suit of a run's id."""
    return (meld - RUN) // (RUN_LOWS * RUNS_OF_LOW)


@rule
def run_low(meld):
    """Position of the low end of a run's id."""
    return (meld - RUN) // RUNS_OF_LOW % RUN_LOWS + LOWEST


@rule
def run_joker(meld):
    """Place of the joker in a run's id, 1 … 4 from the low end; 0 without."""
    return (meld - RUN) % RUNS_OF_LOW


@rule
def holds(cards, meld):
    """Whether the counts hold every card of the meld."""
    for i in range(meld_size(meld)):
        if cards[MELD_KINDS[meld - TRIO, i]] < MELD_COPIES[meld - TRIO, i]:
            return False
    return True


@rule
def take_out(cards, meld):
    """Remove the meld's cards from the counts."""
    for i in range(meld_size(meld)):
        cards[MELD_KINDS[meld - TRIO, i]] -= 1


@rule
def put_back(cards, meld):
    """Undo ``take_out``."""
    for i in range(meld_size(meld)):
        cards[MELD_KINDS[meld - TRIO, i]] += 1


@rule
def rank_count(cards, rank):
    """Natural cards of a rank."""
    return cards[rank] + cards[RANKS + rank] + cards[2 * RANKS + rank] + cards[3 * RANKS + rank]


@rule
def next_trio(cards, jokers, first, stop):
    """R2: the first trio in ids first … stop - 1 that the cards hold, or NONE.

    ``jokers``: how many jokers may serve in trios (none, however many are held, if the rules say
    so). A trio holds one at most.
    """
    meld = first
    while meld < stop:
        rank = trio_rank(meld)
        end = TRIO + (rank + 1) * TRIOS_OF_RANK
        naturals = rank_count(cards, rank)
        if jokers > 0 and naturals == TRIO_SIZE - 1:
            meld = max(meld, end - TRIOS_OF_RANK + NATURAL_TRIOS)
        if naturals + min(jokers, 1) >= TRIO_SIZE:
            last = end if jokers > 0 else end - TRIOS_OF_RANK + NATURAL_TRIOS
            while meld < min(last, stop):
                if holds(cards, meld):
                    return meld
                meld += 1
        meld = end
    return NONE


@rule
def suit_line(cards, suit):
    """The positions of a suit that the cards can fill, as bits 1 … 14."""
    line = 0
    for rank in range(RANKS):
        if cards[suit * RANKS + rank] > 0:
            line |= 2 << rank
    return line | (line & 2) << RANKS


@rule
def run_starts(line, joker):
    """Low ends, as bits 1 … 11, of the runs that a line fills with the joker in this place."""
    a, b, c, d = line, line >> 1, line >> 2, line >> 3
    if joker == 1:
        starts = b & c & d
    elif joker == 2:
        starts = a & c & d
    elif joker == 3:
        starts = a & b & d
    elif joker == 4:
        starts = a & b & c
    else:
        starts = a & b & c & d
    return starts & ((2 << RUN_LOWS) - 2)


@rule
def next_run(cards, jokers, first):
    """R2: the first run from id ``first`` on that the cards hold, or NONE.

    ``jokers``: how many jokers may serve in runs. A run holds one at most.
    """
    choices = RUNS_OF_LOW if jokers > 0 else 1
    for suit in range(run_suit(first), SUITS):
        line = suit_line(cards, suit)
        best = NONE
        for joker in range(choices):
            starts = run_starts(line, joker)
            base = RUN + suit * RUN_LOWS * RUNS_OF_LOW + joker
            for low in range(RUN_LOWS):
                meld = base + low * RUNS_OF_LOW
                if starts >> (low + LOWEST) & 1 and meld >= first:
                    if best < 0 or meld < best:
                        best = meld
                    break
        if best >= 0:
            return best
    return NONE


@rule
def hand_points(cards):
    """R11: number cards their value, the ace 1, figures 10, a joker 20."""
    points = 0
    for kind in range(KINDS):
        points += cards[kind] * POINTS[kind]
    return points


@rule
def low_end_id(suit, position):
    """Offset of a low-side extension in its family (EXTEND or EXTEND_JOKER)."""
    return suit * ENDS_OF_SUIT + position - LOWEST


@rule
def high_end_id(suit, position):
    """Offset of a high-side extension in its family."""
    return suit * ENDS_OF_SUIT + LOW_ENDS + position - FIRST_HIGH_END
