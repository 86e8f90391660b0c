"""R7: which melds may be laid in an opening, by an exact search.

Opening means laying exactly the contract, trios before runs, in non-decreasing id, with a card left
that may be thrown. A meld may be laid only if the rest of the contract can still follow it. The
search walks the runs first, since a hand holds few, and decides the trios by counting ranks. It
works on the hand's own counts, puts every card back, and keeps its path in one integer.
"""

from envs.core.jit import rule
from envs.puc.melds import (
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    JOKER,
    NONE,
    RANKS,
    RUN,
    RUN_SIZE,
    TRIO,
    TRIO_SIZE,
    TRIOS_OF_RANK,
    next_run,
    next_trio,
    put_back,
    rank_count,
    run_low,
    run_suit,
    take_out,
    trio_rank,
)

_COMPLETE = -2  # the contract is certain, no further meld need be looked for
_BITS = 10  # a meld id in a path
_ID = (1 << _BITS) - 1


@rule
def jokers_for_trios(state, cards):
    """R10: how many jokers may go into trios that are laid now."""
    return cards[JOKER] if state.joker_in_trio and state.max_jokers_per_meld > 0 else 0


@rule
def jokers_for_runs(state, cards):
    """R10: how many jokers may go into runs that are laid now."""
    return cards[JOKER] if state.max_jokers_per_meld > 0 else 0


@rule
def banned_discard(state, cards):
    """R5: the kind that may not be thrown back this turn, or NONE.

    It is the card just taken face up, unless another copy was held at the taking; copies laid since
    then count as held.
    """
    if state.taken < 0 or state.allow_return_discard:
        return NONE
    return int(state.taken) if cards[state.taken] + state.taken_laid == 1 else NONE


@rule
def most_trios(cards, jokers, first_rank):
    """The most trios that ranks ``first_rank`` … K yield with one joker each; exact up to three.

    Natural trios count first. Then a joker helps once where two cards are left over, two jokers
    where four cards make two pairs, three where six make three.
    """
    trios = pairs = fours = sixes = 0
    for rank in range(first_rank, RANKS):
        naturals = rank_count(cards, rank)
        trios += naturals // TRIO_SIZE
        if naturals % TRIO_SIZE == 2:
            pairs += 1
        elif naturals == 6:
            sixes += 1
        elif naturals > TRIO_SIZE and naturals % TRIO_SIZE == 1:
            fours += 1
    pairs = min(pairs, jokers)
    fours = min(fours, (jokers - pairs) // 2)
    sixes = min(sixes, (jokers - pairs - 2 * fours) // 3)
    return trios + pairs + fours + sixes


@rule
def adjacent(meld, path):
    """``forbid_adjacent_runs``: whether a run touches one of the path end to end, in its suit."""
    while path > 0:
        other = path & _ID
        apart = abs(run_low(meld) - run_low(other))
        if other >= RUN and run_suit(meld) == run_suit(other) and apart == 4:
            return True
        path >>= _BITS
    return False


@rule
def next_allowed_run(state, cards, first, path):
    """The first run from id ``first`` on that may follow the melds of the path, or NONE."""
    meld = next_run(cards, jokers_for_runs(state, cards), first)
    while meld >= 0 and state.forbid_adjacent_runs and adjacent(meld, path):
        meld = next_run(cards, jokers_for_runs(state, cards), meld + 1)
    return meld


@rule
def next_needed_trio(state, cards, trios, first, must_use):
    """The next trio to try when ``trios`` are missing, NONE, or _COMPLETE by counting ranks.

    Unless a card must be used, any trios will do, so the ranks above decide; only when they do not
    suffice must the first trio be of this very rank.
    """
    free = must_use < 0
    if trios == 0:
        return _COMPLETE if free or cards[must_use] == 0 else NONE
    jokers = jokers_for_trios(state, cards)
    rank = trio_rank(first)
    if first >= RUN or most_trios(cards, jokers, rank) < trios:
        return NONE
    if free and most_trios(cards, jokers, rank + 1) >= trios:
        return _COMPLETE
    return next_trio(cards, jokers, first, TRIO + (rank + 1) * TRIOS_OF_RANK if free else RUN)


@rule
def can_finish(state, cards, trios, runs, trio_from, run_from, path, must_use):
    """Whether the cards hold ``trios`` and ``runs`` more, ids from ``trio_from`` and ``run_from``.

    Args:
        cards: counts of the hand; changed on the way and restored.
        path: the melds laid so far in this opening, ids packed into an integer.
        must_use: a kind of which no copy may be left over, or NONE.
    """
    depth = 0
    cursor = run_from if runs > 0 else trio_from
    while True:
        if depth < runs:
            meld = next_allowed_run(state, cards, cursor, path)
        else:
            meld = next_needed_trio(state, cards, trios + runs - depth, cursor, must_use)
        if meld >= 0:
            take_out(cards, meld)
            path = extend_path(path, meld)
            depth += 1
            cursor = trio_from if depth == runs else meld
        elif meld == _COMPLETE or depth == 0:
            break
        else:
            depth -= 1
            put_back(cards, path & _ID)
            cursor = (path & _ID) + 1
            path >>= _BITS
    for _ in range(depth):
        put_back(cards, path & _ID)
        path >>= _BITS
    return meld == _COMPLETE


@rule
def trios_missing(state):
    """R7: trios of the contract that the opening still needs."""
    return max(0, CONTRACT_TRIOS[state.hand_number] - state.opening_melds)


@rule
def runs_missing(state):
    """R7: runs of the contract that the opening still needs."""
    size = CONTRACT_TRIOS[state.hand_number] + CONTRACT_RUNS[state.hand_number]
    return size - state.opening_melds - trios_missing(state)


@rule
def extend_path(path, meld):
    """The path with one more meld."""
    return path << _BITS | meld


@rule
def first_id(path, trios):
    """The least id of the next meld after a path: melds of an opening never fall in id."""
    return max(path & _ID, TRIO if trios > 0 else RUN)


@rule
def opening_path(state):
    """The melds laid so far in this opening as a path."""
    path = 0
    for i in range(state.opening_melds):
        path = extend_path(path, int(state.opening[i]))
    return path


@rule
def card_to_use(state, cards, size):
    """The card just taken, where the contract leaves one card and that may not be it, or NONE."""
    needed = TRIO_SIZE * trios_missing(state) + RUN_SIZE * runs_missing(state)
    return banned_discard(state, cards) if size == needed + 1 else NONE


@rule
def mark_opening(state, cards, size, mask):
    """R7: set the melds that may be laid next in an opening.

    Args:
        cards, size: the counts of the hand, restored at the end, and their sum.
        mask: bool over all actions.
    """
    trios, runs = trios_missing(state), runs_missing(state)
    path = opening_path(state)
    trio_from, run_from = first_id(path, 1), first_id(path, 0)
    must_use = card_to_use(state, cards, size)
    if not can_finish(state, cards, trios, runs, trio_from, run_from, path, must_use):
        return
    meld = next_lay(state, cards, trios, first_id(path, trios), path)
    while meld >= 0:
        longer = extend_path(path, meld)
        take_out(cards, meld)
        if trios > 0:
            mask[meld] = can_finish(state, cards, trios - 1, runs, meld, RUN, longer, must_use)
        else:
            mask[meld] = can_finish(state, cards, 0, runs - 1, RUN, meld, longer, must_use)
        put_back(cards, meld)
        meld = next_lay(state, cards, trios, meld + 1, path)


@rule
def next_lay(state, cards, trios, first, path):
    """The next meld of the family that is due: a trio while any is missing, then runs."""
    if trios > 0:
        return next_trio(cards, jokers_for_trios(state, cards), first, RUN)
    return next_allowed_run(state, cards, first, path)
