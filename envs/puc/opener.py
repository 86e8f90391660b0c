"""Hands that a seat in the middle of its opening may hold, drawn for ``determinise``.

Such a seat holds the rest of the contract. Hands that do are far too rare to wait for, so one is
proposed that holds a completion on purpose, and kept with a chance that makes up for the proposal
(rejection sampling): a hand with c completions would be proposed c times as often as it should be.
"""

from typing import Any

from envs.core.jit import rule
from envs.core.random import draw_unit, shuffle
from envs.puc.dealing import chance
from envs.puc.melds import (
    ADD,
    JOKER,
    KINDS,
    MELD_COPIES,
    MELD_KINDS,
    NONE,
    RUN,
    TRIO,
    meld_size,
    put_back,
    take_out,
)
from envs.puc.opening import (
    adjacent,
    card_to_use,
    extend_path,
    first_id,
    next_lay,
    opening_path,
    runs_missing,
    trios_missing,
)

MAX_TRIALS = 20_000  # after that a valid proposal is taken as it comes
FROM_HAND, FROM_DECK = 0, 1
KIND_BITS = 6  # a kind in packed picks; eight fit, and no more are ever needed
KIND_MASK = (1 << KIND_BITS) - 1


@rule
def deal_opener(state, opener, hidden, cards):
    """Shuffle ``deck`` so that its first ``hidden`` cards complete the opening; hand them over."""
    trial = 0
    while True:
        trial += 1
        know_or_hold(state, opener, cards)
        picks = propose(state, opener, hidden, cards)
        if picks < 0:
            continue
        bring_forward(state, picks, cards)
        know_or_hold(state, opener, hidden)
        ways = count_completions(state, state.hand[opener], state.hand_size[opener])
        if ways > 0 and (draw_unit(state) * ways < 1 or trial > MAX_TRIALS):
            return


@rule
def know_or_hold(state, seat, dealt):
    """The seat's hand becomes its known cards and the first ``dealt`` of the deck."""
    for kind in range(KINDS):
        state.hand[seat, kind] = state.known[seat, kind]
    for i in range(dealt):
        state.hand[seat, state.deck[i]] += 1


@rule
def propose(state, seat, hidden, cards):
    """Pick single cards that make up the rest of the contract; the picks from the deck, or NONE.

    Each card weighs the chance that the seat holds it: 1 if it is known, else ``hidden / cards``.
    Picks are packed, six bits each: kind + 1. The picks are taken with the exact chance that all
    of them were dealt to the seat together, relative to the fewest that could be needed.
    """
    trios, runs = trios_missing(state), runs_missing(state)
    path = opening_path(state)
    chance_of_one = hidden / max(cards, 1)
    from_hand, from_deck, needed = 0, 0, 0
    for _ in range(trios + runs):
        due = trios > 0
        first = first_id(opening_path(state), trios)
        meld = draw_meld(state, seat, chance_of_one, first, RUN if due else ADD)
        if meld < first_id(path, trios) or (state.forbid_adjacent_runs and adjacent(meld, path)):
            return NONE
        path = extend_path(path, meld)
        trios -= due
        for i in range(meld_size(meld)):
            kind = MELD_KINDS[meld - TRIO, i]
            source = draw_copy(state, seat, kind, chance_of_one, from_hand, from_deck)
            if source == NONE:
                return NONE
            if source == FROM_HAND:
                from_hand = from_hand << KIND_BITS | kind + 1
            else:
                from_deck = from_deck << KIND_BITS | kind + 1
            needed += 1
    fewest = max(0, needed - (state.hand_size[seat] - hidden))
    if draw_unit(state) >= dealt_together(hidden, cards, fewest, count_picks(from_deck)):
        return NONE
    return from_deck


@rule
def draw_meld(state, seat, chance_of_one, first, stop):
    """A meld with id first … stop - 1, drawn by the weight of its cards."""
    total = 0.0
    for meld in range(first, stop):
        total += meld_weight(state, seat, chance_of_one, meld)
    rest = draw_unit(state) * total
    chosen = NONE
    for meld in range(first, stop):
        weight = meld_weight(state, seat, chance_of_one, meld)
        if weight > 0 and rest >= 0:
            chosen = meld
        rest -= weight
    return chosen


@rule
def meld_weight(state, seat, chance_of_one, meld):
    """The total weight of the sets of single cards that make the meld, some counted too often.

    A set that picks one card twice is counted here and rejected by ``draw_copy``.
    """
    weight = 1.0
    for i in range(meld_size(meld)):
        kind = MELD_KINDS[meld - TRIO, i]
        if kind == JOKER and not joker_allowed(state, meld):
            return 0.0
        weight *= kind_weight(state, seat, chance_of_one, kind) / MELD_COPIES[meld - TRIO, i]
    return weight


@rule
def joker_allowed(state, meld):
    """R10: whether this kind of meld may be laid with a joker."""
    return state.max_jokers_per_meld > 0 and (meld >= RUN or state.joker_in_trio)


@rule
def kind_weight(state, seat, chance_of_one, kind):
    """The weight of all copies of a kind that the seat might hold."""
    known = state.known[seat, kind]
    return known + (state.hand[seat, kind] - known) * chance_of_one


@rule
def draw_copy(state, seat, kind, chance_of_one, from_hand, from_deck):
    """Pick a copy of a kind by weight: FROM_HAND, FROM_DECK, or NONE if it was picked before."""
    in_hand = state.known[seat, kind] - times_picked(from_hand, kind)
    in_deck = state.hand[seat, kind] - state.known[seat, kind] - times_picked(from_deck, kind)
    place = draw_unit(state) * kind_weight(state, seat, chance_of_one, kind)
    if place < in_hand:
        return FROM_HAND
    return FROM_DECK if place < in_hand + in_deck * chance_of_one else NONE


@rule
def times_picked(picks, kind):
    """How often a kind is among packed picks."""
    times = 0
    while picks > 0:
        times += picks & KIND_MASK == kind + 1
        picks >>= KIND_BITS
    return times


@rule
def count_picks(picks):
    """How many picks are packed."""
    count = 0
    while picks > 0:
        count += 1
        picks >>= KIND_BITS
    return count


@rule
def dealt_together(hidden, cards, fewest, picked):
    """The chance that ``picked`` given cards are all among ``hidden`` of ``cards``, relative to
    independent chances and to ``fewest`` of them.
    """
    chance_of_all = 1.0
    for i in range(fewest, picked):
        chance_of_all *= (hidden - i) / (cards - i) * (cards / hidden)
    return chance_of_all


@rule
def bring_forward(state, picks, cards):
    """Shuffle the deck, then swap the picks to its front."""
    shuffle(state.deck, cards, chance(state))
    front = 0
    while picks > 0:
        place = front
        while state.deck[place] != (picks & KIND_MASK) - 1:
            place += 1
        state.deck[place], state.deck[front] = state.deck[front], state.deck[place]
        front += 1
        picks >>= KIND_BITS


@rule
def count_completions(state, hand, size):
    """In how many ways, by single cards, the hand completes the opening with a card to throw."""
    trios, path = trios_missing(state), opening_path(state)
    must_use = card_to_use(state, hand, size)
    ways = 0.0
    meld = next_lay(state, hand, trios, first_id(path, trios), path)
    while meld >= 0:
        ways += meld_ways(hand, meld) * count_after(state, hand, meld, path, must_use)
        meld = next_lay(state, hand, trios, meld + 1, path)
    return ways


@rule
def count_after(state, hand, meld, path, must_use):
    """The ways to lay what is missing after ``meld``: nothing, or one meld more."""
    take_out(hand, meld)
    trios = trios_missing(state) - (meld < RUN)
    runs = runs_missing(state) - (meld >= RUN)
    path = extend_path(path, meld)
    ways = 0.0
    if trios + runs == 0:
        ways += must_use < 0 or hand[must_use] == 0
    else:
        last = next_lay(state, hand, trios, first_id(path, trios), path)
        while last >= 0:
            take_out(hand, last)
            fits = must_use < 0 or hand[must_use] == 0
            put_back(hand, last)
            ways += meld_ways(hand, last) * fits
            last = next_lay(state, hand, trios, last + 1, path)
    put_back(hand, meld)
    return ways


@rule
def meld_ways(cards, meld):
    """The sets of single cards of a hand that make the meld."""
    ways = 1.0
    for i in range(meld_size(meld)):
        copy = MELD_COPIES[meld - TRIO, i]
        ways *= (cards[MELD_KINDS[meld - TRIO, i]] - copy + 1) / copy
    return ways


def is_possible(record: Any, seat: int) -> bool:
    """A seat in the middle of its opening holds the rest of the contract; all else may be."""
    serving = int(record.serving)
    if serving == seat or record.opening_melds == 0 or record.down[serving]:
        return True
    return count_completions(record, record.hand[serving], record.hand_size[serving]) > 0
