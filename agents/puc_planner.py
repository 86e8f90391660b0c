"""How far a hand is from the contract of Puc: an exact plan over every choice of melds.

A plan names the contract's melds: windows of four in a suit for the runs, ranks for the trios. It
uses every card of the hand that fits, runs first (a card that a run and a trio want is worth the
same to both, and a trio can be completed by any suit), then a joker in each meld that lacks a card;
for the jokers' sake what is lacking is spread over as many melds as possible.
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
MAX_MELDS = 3
MELD_SETS = 1 << MAX_MELDS
TOUCH_BITS = 5
TOUCH_MASK = (1 << TOUCH_BITS) - 1
# One lack that a set of melds may bear, in the counts of all sets that it touches.
TOUCH = np.array(
    [
        sum(1 << (TOUCH_BITS * some) for some in range(MELD_SETS) if some & melds)
        for melds in range(MELD_SETS)
    ]
)

# What ``make_plan`` fills, as bits of kinds: for every kind that is spare, what helps once a copy
# of it is thrown; then what helps the whole hand, and which kinds are spare. Spare is what some
# plan of the least distance does not use (a card for which a joker without a place could stand in
# does not count).
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
    used = ((a | b | c) & one, (a & b | a & c | b & c) & two, a & b & c & three)
    lacking = count_bits(a) + count_bits(b) + count_bits(c)
    for bits in used:
        lacking -= count_bits(bits)
    if lacking + TRIO_SIZE * trios - other > best:
        return best
    touch = run_lacks(held, windows) if jokers > 0 else 0
    left = one & ~used[0] | two & ~used[1] | three & ~used[2] | four
    for bits in used:
        use_ranks(ranks, bits, -1)
    for p in range(RANKS) if trios > 0 else range(NO_RANK, NO_RANK + 1):
        for q in range(p, RANKS) if trios > 1 else range(NO_RANK, NO_RANK + 1):
            for r in range(q, RANKS) if trios > 2 else range(NO_RANK, NO_RANK + 1):
                melds = (a, b, c, p, q, r)
                best = weigh(held, melds, ranks, lacking, touch, left, jokers, best, plan)
    for bits in used:
        use_ranks(ranks, bits, 1)
    return best


@rule
def use_ranks(ranks, bits, step):
    """Add ``step`` to the count of each card's rank."""
    while bits:
        low = bits & -bits
        ranks[RANK_OF[count_bits(low - 1)]] += step
        bits ^= low


# What melds lack, and how many of them a joker each can help. The melds are bits 0 … 2: the runs
# from below, the trios from above. A card that several melds want may be missing in any of them, so
# a lack is known by the set of melds that may bear it. ``touch`` counts, for every set of melds,
# the lacks that one of them may bear, five bits each; by König's theorem the most melds that can
# each be given a lack of its own follow from these counts.


@rule
def melds_lacking(touch):
    """The most melds that can lack a card, when lacks are spread as widely as possible."""
    most = MAX_MELDS
    for melds in range(1, MELD_SETS):
        lacks = touch >> (TOUCH_BITS * melds) & TOUCH_MASK
        most = min(most, lacks + MAX_MELDS - count_bits(melds))
    return most


@rule
def wanted_by(windows, melds):
    """The kinds that exactly these runs want."""
    bits = -1
    for i in range(MAX_MELDS):
        bits &= windows[i] if melds >> i & 1 else ~windows[i]
    return bits


@rule
def run_lacks(held, windows):
    """``touch`` of the runs' lacks."""
    touch = 0
    for melds in range(1, MELD_SETS):
        bits = wanted_by(windows, melds)
        for copy in range(count_bits(melds)):
            touch += TOUCH[melds] * count_bits(bits & ~held[copy])
    return touch


@rule
def trio_set(melds, rank):
    """The trios of a rank, as bits."""
    bits = 0
    for i in range(MAX_MELDS):
        if melds[MAX_MELDS + i] == rank:
            bits |= 1 << (MAX_MELDS - 1 - i)
    return bits


@rule
def is_first_of_rank(melds, i):
    """Whether the i-th trio is the first of its rank (equal ranks stand together)."""
    rank = melds[MAX_MELDS + i]
    return rank != NO_RANK and (i == 0 or melds[MAX_MELDS + i - 1] != rank)


@rule
def rank_lack(melds, ranks, rank):
    """Cards that all trios of a rank lack together."""
    return max(0, TRIO_SIZE * count_bits(trio_set(melds, rank)) - ranks[rank])


@rule
def runs_with(held, melds, rank):
    """The runs that hold a card of the rank, as bits: they could lack it instead of a trio."""
    bits = 0
    for i in range(MAX_MELDS):
        if melds[i] & held[0] & RANK_BITS[rank]:
            bits |= 1 << i
    return bits


@rule
def shared_lacks(held, melds, ranks, rank):
    """How many lacks of a rank's trios could be a run's instead: one for each card runs hold."""
    in_runs = -ranks[rank]
    for bits in held:
        in_runs += count_bits(bits & RANK_BITS[rank])
    return min(rank_lack(melds, ranks, rank), in_runs)


@rule
def trio_lacks(held, melds, ranks):
    """``touch`` of the trios' lacks."""
    touch = 0
    for i in range(MAX_MELDS):
        if is_first_of_rank(melds, i):
            rank = melds[MAX_MELDS + i]
            trios, shared = trio_set(melds, rank), shared_lacks(held, melds, ranks, rank)
            touch += TOUCH[trios | runs_with(held, melds, rank)] * shared
            touch += TOUCH[trios] * (rank_lack(melds, ranks, rank) - shared)
    return touch


@rule
def weigh(held, melds, ranks, lacking, touch, left, jokers, best, plan):
    """The distance of one plan; when it is no worse than the best, what it spares and wants.

    ``melds``: three windows, then three ranks.
    """
    spare = left
    for i in range(MAX_MELDS):
        if is_first_of_rank(melds, i):
            rank = melds[MAX_MELDS + i]
            lacking += rank_lack(melds, ranks, rank)
            if ranks[rank] <= TRIO_SIZE * count_bits(trio_set(melds, rank)):
                spare &= ~RANK_BITS[rank]
    if lacking - jokers > best:
        return best
    if jokers > 0:
        touch += trio_lacks(held, melds, ranks)
    lacking_melds = melds_lacking(touch) if jokers > 0 else 0
    distance = lacking - min(jokers, lacking_melds)
    if distance > best:
        return best
    if distance < best:
        plan[:] = 0
    useful = useful_cards(held, melds, ranks, touch, jokers)
    if (jokers < lacking_melds) if jokers > 0 else lacking > 0:
        useful |= JOKER_BIT
    if jokers > lacking_melds:
        spare |= JOKER_BIT
    note(plan, useful, spare)
    return distance


@rule
def helps(touch, melds, jokers):
    """Whether filling a lack that these melds may bear leaves no joker without a place."""
    if jokers == 0:
        return True
    before, after = melds_lacking(touch), melds_lacking(touch - TOUCH[melds])
    return min(jokers, after) == min(jokers, before)


@rule
def useful_cards(held, melds, ranks, touch, jokers):
    """The natural kinds that bring the plan one card nearer."""
    useful = 0
    windows = melds[:MAX_MELDS]
    for some in range(1, MELD_SETS):
        bits = wanted_by(windows, some) & ~held[count_bits(some) - 1]
        if bits and helps(touch, some, jokers):
            useful |= bits
    for i in range(MAX_MELDS):
        if is_first_of_rank(melds, i):
            rank = melds[MAX_MELDS + i]
            trios, shared = trio_set(melds, rank), shared_lacks(held, melds, ranks, rank)
            own = rank_lack(melds, ranks, rank) - shared
            either = trios | runs_with(held, melds, rank)
            by_own = own > 0 and helps(touch, trios, jokers)
            if by_own or (shared > 0 and helps(touch, either, jokers)):
                useful |= RANK_BITS[rank]
    return useful


@rule
def note(plan, useful, spare):
    """Enter one plan among the best."""
    plan[HELP] |= useful
    plan[SPARE] |= spare
    while spare:
        low = spare & -spare
        plan[count_bits(low - 1)] |= useful
        spare ^= low
