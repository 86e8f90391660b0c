"""How far a hand is from the contract of Puc: an exact plan over every choice of melds.

A plan names the contract's melds: windows of four in a suit for the runs, ranks for the trios. It
uses every card of the hand that fits, runs first (a card that a run and a trio want is worth the
same to both, and a trio can be completed by any suit), then a joker in each meld that lacks a card.
What is still missing is the plan's distance. All plans of the least distance together say which
cards are spare and which cards would help.

Cards are bits 0 … 52 of an integer, as the kinds of ``envs.puc.melds``.
"""

import numpy as np

from envs.core.jit import rule
from envs.puc.melds import (
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    JOKER,
    KINDS,
    NATURALS,
    RANKS,
    RUN_LOWS,
    RUN_SIZE,
    SUITS,
    TRIO_SIZE,
    kind_at,
    rank_count,
)

NUM_WINDOWS = SUITS * RUN_LOWS
NO_RANK = RANKS  # stands for a trio that the contract does not ask for
FAR = 99

# What ``make_plan`` fills: for every kind held, the kinds that help when a copy of it is thrown
# and nothing is lost; then the same for the whole hand, and the kinds that are spare.
HELP, SPARE = KINDS, KINDS + 1
PLAN_SIZE = KINDS + 2

WINDOWS = np.array(
    [
        sum(1 << kind_at(suit, low + i) for i in range(RUN_SIZE))
        for suit in range(SUITS)
        for low in range(1, RUN_LOWS + 1)
    ]
)
RANK_BITS = np.array(
    [sum(1 << (suit * RANKS + rank) for suit in range(SUITS)) for rank in range(RANKS)] + [0]
)
JOKER_BIT = 1 << JOKER
RANK_OF = np.array([kind % RANKS for kind in range(NATURALS)])


@rule
def count_bits(bits):
    """How many bits of a 53-bit integer are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def bits_of(cards, copies):
    """The natural kinds of which the hand holds at least so many."""
    bits = 0
    for kind in range(NATURALS):
        if cards[kind] >= copies:
            bits |= 1 << kind
    return bits


@rule
def make_plan(cards, hand_number, plan):
    """The least number of cards that the contract lacks; fills ``plan`` (int64[PLAN_SIZE]).

    Windows are tried in falling order of the cards that fit them, so that most choices of two and
    three are passed over: they cannot reach the best distance found.
    """
    trios, runs = CONTRACT_TRIOS[hand_number], CONTRACT_RUNS[hand_number]
    one, two = bits_of(cards, 1), bits_of(cards, 2)
    three, four = bits_of(cards, 3), bits_of(cards, 4)
    jokers = int(cards[JOKER])
    ranks, order = np.empty(RANKS, np.int64), np.empty(NUM_WINDOWS, np.int64)
    for rank in range(RANKS):
        ranks[rank] = rank_count(cards, rank)
    sort_windows(one, order)
    plan[:] = 0
    best = FAR
    # What jokers and trios can contribute at most.
    other = best_trios(ranks, trios) + min(jokers, trios + runs)
    size = TRIO_SIZE * trios + RUN_SIZE * runs
    for i in range(NUM_WINDOWS if runs > 0 else 1):
        a = WINDOWS[order[i]] if runs > 0 else 0
        fit_a = count_bits(a & one)
        if size - other - fit_a * runs > best:
            break
        for j in range(i, NUM_WINDOWS if runs > 1 else i + 1):
            b = WINDOWS[order[j]] if runs > 1 else 0
            fit_b = count_bits(b & one)
            if size - other - fit_a - fit_b * (runs - 1) > best:
                break
            for k in range(j, NUM_WINDOWS if runs > 2 else j + 1):
                c = WINDOWS[order[k]] if runs > 2 else 0
                if size - other - fit_a - fit_b - count_bits(c & one) > best:
                    break
                best = choose_trios(
                    (one, two, three, four), (a, b, c), ranks, trios, jokers, other, best, plan
                )
    return best


@rule
def sort_windows(one, order):
    """Indices of all windows, those first that more cards fit."""
    at = 0
    for fit in range(RUN_SIZE, -1, -1):
        for window in range(NUM_WINDOWS):
            if count_bits(WINDOWS[window] & one) == fit:
                order[at] = window
                at += 1


@rule
def best_trios(ranks, trios):
    """The most cards that so many trios can use."""
    used = 0
    for size in range(TRIO_SIZE, 0, -1):
        for rank in range(RANKS):
            full, rest = ranks[rank] // TRIO_SIZE, ranks[rank] % TRIO_SIZE
            for _ in range(full if size == TRIO_SIZE else int(rest == size)):
                if trios > 0:
                    used += size
                    trios -= 1
    return used


@rule
def choose_trios(held, windows, ranks, trios, jokers, other, best, plan):
    """All choices of trios beside these windows; the best distance known then."""
    one, two, three, four = held
    a, b, c = windows
    used_1 = (a | b | c) & one
    used_2 = (a & b | a & c | b & c) & two
    used_3 = a & b & c & three
    lack_a = a & ~one
    lack_b = b & ~a & ~one | b & a & ~two
    lack_c = c & ~(a | b) & ~one | c & (a ^ b) & ~two | c & a & b & ~three
    lacks = (lack_a, lack_b, lack_c)
    lacking = count_bits(lack_a) + count_bits(lack_b) + count_bits(lack_c)
    left = one & ~used_1 | two & ~used_2 | three & ~used_3 | four
    if trios == 0:
        return weigh(lacks, (NO_RANK, NO_RANK, NO_RANK), ranks, lacking, left, jokers, best, plan)
    if lacking + TRIO_SIZE * trios - other > best:
        return best
    use_ranks(ranks, used_1, -1)
    use_ranks(ranks, used_2, -1)
    use_ranks(ranks, used_3, -1)
    for p in range(RANKS):
        for q in range(p, RANKS) if trios > 1 else range(NO_RANK, NO_RANK + 1):
            for r in range(q, RANKS) if trios > 2 else range(NO_RANK, NO_RANK + 1):
                best = weigh(lacks, (p, q, r), ranks, lacking, left, jokers, best, plan)
    use_ranks(ranks, used_1, 1)
    use_ranks(ranks, used_2, 1)
    use_ranks(ranks, used_3, 1)
    return best


@rule
def use_ranks(ranks, bits, step):
    """Add ``step`` to the count of each card's rank."""
    while bits:
        low = bits & -bits
        ranks[RANK_OF[count_bits(low - 1)]] += step
        bits ^= low


@rule
def trio_lack(ranks, rank, before):
    """Cards that a trio of the rank lacks when ``before`` trios of it come first."""
    if rank == NO_RANK:
        return 0
    return TRIO_SIZE - min(TRIO_SIZE, max(0, ranks[rank] - TRIO_SIZE * before))


@rule
def weigh(lacks, trios, ranks, lacking, left, jokers, best, plan):
    """The distance of one plan; when it is no worse than the best, what it spares and wants."""
    p, q, r = trios
    lack_p, lack_q = trio_lack(ranks, p, 0), trio_lack(ranks, q, int(q == p))
    lack_r = trio_lack(ranks, r, int(r == p) + int(r == q))
    lacking += lack_p + lack_q + lack_r
    if lacking - min(jokers, 6) > best:
        return best
    a, b, c = lacks
    open_melds = int(a > 0) + int(b > 0) + int(c > 0)
    open_melds += int(lack_p > 0) + int(lack_q > 0) + int(lack_r > 0)
    distance = lacking - min(jokers, open_melds)
    if distance > best:
        return best
    if distance < best:
        plan[:] = 0
    short = jokers < open_melds  # some meld waits for a joker
    useful = wanted(a, short) | wanted(b, short) | wanted(c, short)
    useful |= RANK_BITS[p] if lack_p > 1 or (short and lack_p) else 0
    useful |= RANK_BITS[q] if lack_q > 1 or (short and lack_q) else 0
    useful |= RANK_BITS[r] if lack_r > 1 or (short and lack_r) else 0
    useful |= JOKER_BIT if short else 0
    spare = left & ~tied(ranks, p, 1) & ~tied(ranks, q, 1 + int(q == p))
    spare &= ~tied(ranks, r, 1 + int(r == p) + int(r == q))
    spare |= JOKER_BIT if jokers > open_melds else 0
    note(plan, useful, spare)
    return distance


@rule
def wanted(lack, short):
    """The cards that help a run: any it lacks, unless a joker stands in for the only one."""
    return lack if short or lack & (lack - 1) else 0


@rule
def tied(ranks, rank, trios):
    """The kinds of a rank, when so many trios of it use all its cards."""
    return RANK_BITS[rank] if rank != NO_RANK and ranks[rank] <= TRIO_SIZE * trios else 0


@rule
def note(plan, useful, spare):
    """Enter one plan among the best."""
    plan[HELP] |= useful
    plan[SPARE] |= spare
    while spare:
        low = spare & -spare
        plan[count_bits(low - 1)] |= useful
        spare ^= low
