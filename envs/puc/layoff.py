"""R8 and R10: adding to melds on the table, and the jokers that move in runs."""

from envs.core.jit import rule
from envs.puc.melds import (
    ADD,
    ADD_JOKER,
    ENDS_OF_SUIT,
    EXTEND,
    EXTEND_JOKER,
    FIRST_HIGH_END,
    HIGHEST,
    JOKER,
    JOKER_LOW,
    LOW_ENDS,
    LOWEST,
    MELD_KINDS,
    NATURALS,
    NONE,
    RANKS,
    REPLACE,
    RUN,
    RUN_SIZE,
    TRIO,
    high_end_id,
    kind_at,
    low_end_id,
    meld_size,
    run_joker,
    run_low,
    run_suit,
    trio_rank,
)

LAYOFFS = ("all", "own")
OWN = LAYOFFS.index("own")


# What lies on the table


@rule
def has_joker(state, run, position):
    """Whether a joker stands at a position of a run."""
    return state.run_jokers[run] >> position & 1 == 1


@rule
def trio_open(state, seat, rank):
    """R8: whether the seat may add to the trios of a rank (``layoff``: everybody's, or its own)."""
    owners = state.trio_owners[rank]
    return owners >> seat & 1 == 1 if state.layoff == OWN else owners > 0


@rule
def run_open(state, seat, run):
    """R8: whether the seat may extend a run."""
    return state.layoff != OWN or state.run_owner[run] == seat


@rule
def relocatable(state, run):
    """R10: whether a joker of the run has an end to go to: one that no ace closes."""
    return state.run_low[run] > LOWEST or state.run_high[run] < HIGHEST


@rule
def end_position(offset):
    """The position a card takes by an extension, by its offset in the family."""
    place = offset % ENDS_OF_SUIT
    return place + LOWEST if place < LOW_ENDS else place - LOW_ENDS + FIRST_HIGH_END


@rule
def run_to_extend(state, seat, offset):
    """The earliest laid run that an extension fits, or NONE."""
    position = end_position(offset)
    for run in range(state.num_runs):
        if state.run_suit[run] == offset // ENDS_OF_SUIT and run_open(state, seat, run):
            low_side = offset % ENDS_OF_SUIT < LOW_ENDS
            if low_side and state.run_low[run] == position + 1:
                return run
            if not low_side and state.run_high[run] == position - 1:
                return run
    return NONE


@rule
def run_to_repair(state, suit, position):
    """The earliest laid run with a joker at this position that can move, or NONE."""
    for run in range(state.num_runs):
        if state.run_suit[run] == suit and has_joker(state, run, position):
            if relocatable(state, run):
                return run
    return NONE


# What a seat that was down before this turn may do


@rule
def mark_additions(state, seat, mask):
    """R8: cards that fit the trios on the table."""
    cards = state.hand[seat]
    for rank in range(RANKS):
        if trio_open(state, seat, rank):
            for kind in range(rank, NATURALS, RANKS):
                mask[ADD + kind] = cards[kind] > 0
            mask[ADD_JOKER + rank] = cards[JOKER] > 0 and state.joker_in_trio


@rule
def mark_extensions(state, seat, mask):
    """R8: cards that fit an end of a run; an end at position 1 or 14 is closed."""
    cards = state.hand[seat]
    for run in range(state.num_runs):
        if run_open(state, seat, run):
            suit, low, high = state.run_suit[run], state.run_low[run], state.run_high[run]
            if low > LOWEST:
                mark_end(cards, low_end_id(suit, low - 1), kind_at(suit, low - 1), mask)
            if high < HIGHEST:
                mark_end(cards, high_end_id(suit, high + 1), kind_at(suit, high + 1), mask)


@rule
def mark_end(cards, offset, kind, mask):
    """One open end: the natural card, and a joker in its place."""
    if cards[kind] > 0:
        mask[EXTEND + offset] = True
    if cards[JOKER] > 0:
        mask[EXTEND_JOKER + offset] = True


@rule
def mark_replacements(state, seat, mask):
    """R10: jokers of anybody's runs for which the seat holds the natural card."""
    for run in range(state.num_runs):
        if state.run_jokers[run] > 0 and relocatable(state, run):
            suit = state.run_suit[run]
            for position in range(state.run_low[run], state.run_high[run] + 1):
                if has_joker(state, run, position):
                    if state.hand[seat, kind_at(suit, position)] > 0:
                        mask[REPLACE + suit * HIGHEST + position - LOWEST] = True


# Placing cards


@rule
def lose_card(state, seat, kind):
    """A card leaves a hand for all to see; a copy known to be there is known no longer."""
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1
    if state.known[seat, kind] > 0:
        state.known[seat, kind] -= 1


@rule
def place_card(state, seat, kind):
    """A card goes from a hand to a meld."""
    lose_card(state, seat, kind)
    if kind == state.taken:
        state.taken_laid += 1


@rule
def lay_meld(state, seat, meld):
    """R2: put down a trio or a run."""
    for i in range(meld_size(meld)):
        place_card(state, seat, MELD_KINDS[meld - TRIO, i])
    if meld >= RUN:
        lay_run(state, seat, meld)
        return
    rank = trio_rank(meld)
    state.trio_owners[rank] |= 1 << seat
    for i in range(meld_size(meld)):
        put_in_trio(state, rank, MELD_KINDS[meld - TRIO, i])


@rule
def put_in_trio(state, rank, kind):
    """Count a card among the trios of a rank."""
    if kind == JOKER:
        state.trio_jokers[rank] += 1
    else:
        state.trio_cards[kind] += 1


@rule
def lay_run(state, seat, meld):
    """Open a new run on the table."""
    run = state.num_runs
    state.run_suit[run] = run_suit(meld)
    state.run_low[run] = run_low(meld)
    state.run_high[run] = run_low(meld) + RUN_SIZE - 1
    state.run_owner[run] = seat
    joker = run_joker(meld)
    state.run_jokers[run] = 1 << (run_low(meld) + joker - 1) if joker > 0 else 0
    state.num_runs += 1


@rule
def add_to_trio(state, seat, action):
    """R8: a card, or a joker, joins the trios of its rank."""
    joker = action >= ADD_JOKER
    rank = action - ADD_JOKER if joker else (action - ADD) % RANKS
    kind = JOKER if joker else action - ADD
    place_card(state, seat, kind)
    put_in_trio(state, rank, kind)


@rule
def extend_run(state, seat, action):
    """R8: a card, or a joker, becomes the new end of a run."""
    joker = action >= EXTEND_JOKER
    offset = action - EXTEND_JOKER if joker else action - EXTEND
    run = run_to_extend(state, seat, offset)
    kind = JOKER if joker else kind_at(offset // ENDS_OF_SUIT, end_position(offset))
    place_card(state, seat, kind)
    lengthen(state, run, offset % ENDS_OF_SUIT < LOW_ENDS, joker)


@rule
def lengthen(state, run, low_side, joker):
    """One more card at an end of a run."""
    if low_side:
        state.run_low[run] -= 1
        position = state.run_low[run]
    else:
        state.run_high[run] += 1
        position = state.run_high[run]
    if joker:
        state.run_jokers[run] |= 1 << position


@rule
def replace_joker(state, seat, action):
    """R10: the natural card takes the joker's place, the joker goes to the nearer open end.

    Exactly in the middle, with both ends open, the seat chooses next (``state.moving`` names the
    run until then).
    """
    suit, position = (action - REPLACE) // HIGHEST, (action - REPLACE) % HIGHEST + LOWEST
    run = run_to_repair(state, suit, position)
    place_card(state, seat, kind_at(suit, position))
    state.run_jokers[run] ^= 1 << position
    below, above = position - state.run_low[run], state.run_high[run] - position
    low_open, high_open = state.run_low[run] > LOWEST, state.run_high[run] < HIGHEST
    if low_open and high_open and below == above:
        state.moving = run
    else:
        lengthen(state, run, low_open and (below < above or not high_open), True)


@rule
def settle_joker(state, action):
    """R10: the joker from the middle goes to the end that was chosen."""
    lengthen(state, state.moving, action == JOKER_LOW, True)
    state.moving = NONE
