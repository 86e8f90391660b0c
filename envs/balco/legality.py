"""What is legal in Balcó: one function per phase and per clause (L1, L3, L4, L8 – L14)."""

import numpy as np

from envs.balco.actions import (
    FLIP,
    JOKER,
    KEEP,
    MOST_CARDS,
    NUM_KINDS,
    NUM_NUMBERS,
    NUM_SWAPS,
    PLACES,
    SHOOT,
    TAKE,
    play_action,
)
from envs.balco.record import ANYWHERE, BOTH, ORDER, ROW, Phase
from envs.balco.seats import others_in
from envs.core.jit import rule


@rule
def legal_actions(state, mask):
    """The legal actions of the seat to act."""
    if state.over:
        return
    if state.phase == Phase.SWAP:
        mark_swaps(state, mask)
    elif state.phase == Phase.SHOOT:
        mark_targets(state, mask)
    elif state.phase == Phase.FLIP:
        mask[FLIP] = True
    else:
        mark_plays(state, mask)


@rule
def mark_swaps(state, mask):
    """L1: of the swaps that keep the same cards up, the one of the lowest id."""
    cards = six_cards(state, state.turn)
    for swap in range(NUM_SWAPS):
        mask[KEEP + swap] = is_lowest_swap(cards, swap)


@rule
def six_cards(state, seat):
    """The kinds of the known cards of a seat before the swap, sorted, one in each 8-bit field."""
    cards = np.uint64(0)
    place = 0
    for kind in range(NUM_KINDS):
        for _ in range(state.hand[seat, kind] + state.up[seat, kind]):
            cards |= np.uint64(kind) << np.uint64(8 * place)
            place += 1
    return cards


@rule
def card_at(cards, place):
    """The kind at one of the six places."""
    return np.int64((cards >> np.uint64(8 * place)) & np.uint64(0xFF))


@rule
def is_lowest_swap(cards, swap):
    """Whether no lower id keeps the same cards: of equal cards the first ones are kept."""
    for i in range(ROW):
        place = np.int64(PLACES[swap, i])
        follows = i > 0 and PLACES[swap, i - 1] == place - 1
        if place > 0 and not follows and card_at(cards, place - 1) == card_at(cards, place):
            return False
    return True


@rule
def mark_targets(state, mask):
    """L14: the players that the 1 may be aimed at."""
    for steps in range(1, state.num_players):
        mask[SHOOT + steps - 1] = may_shoot(state, (state.turn + steps) % state.num_players)


@rule
def may_shoot(state, target):
    """L14: any other player still in; ``shoot_back`` off spares the one who shot, if possible."""
    if target == state.turn or state.place[target] > 0:
        return False
    spared = not state.shoot_back and target == state.shot_by
    return not spared or others_in(state, state.turn) == 1


@rule
def mark_plays(state, mask):
    """L3, L4: what the hand can throw; the pile must be taken when that is nothing."""
    hand = state.hand[state.turn]
    stuck = True
    for number in range(1, NUM_NUMBERS + 1):
        if hand[number - 1] + hand[JOKER] > 0 and is_legal_number(state, number):
            stuck = False
            mark_number(hand, number, mask)
    voluntary = state.may_take and state.phase == Phase.PLAY and state.pile_size > 0
    mask[TAKE] = stuck or voluntary


@rule
def mark_number(hand, number, mask):
    """L3, L8: one to four cards of a number, jokers mixed in."""
    for jokers in range(hand[JOKER] + 1):
        fewest = 0 if jokers > 0 else 1
        for naturals in range(fewest, min(hand[number - 1], MOST_CARDS - jokers) + 1):
            mask[play_action(number, naturals, jokers)] = True


@rule
def is_legal_number(state, number):
    """Whether the situation lets the player to act throw this number."""
    if state.shot:  # L14
        return number <= 2
    if state.bound > 0:  # L13
        return is_seven_or_lower(state, number)
    if number == 10:  # L10
        return state.ten_block != ANYWHERE or not holds_seven_or_one(state)
    return state.free or number == 2 or reaches_top(state, number)


@rule
def is_seven_or_lower(state, number):
    """L13: 2 … 7; with ``sevens="both"`` not below the top either."""
    if number == 2:
        return True
    low_enough = 3 <= number <= 7
    return low_enough and (state.sevens != BOTH or reaches_top(state, number))


@rule
def reaches_top(state, number):
    """L3: equal to or above the number last played."""
    return ORDER[number - 1] >= ORDER[state.top - 1]


@rule
def holds_seven_or_one(state):
    """Whether a card of the pile counts as 7 or 1."""
    found = False
    for i in range(state.pile_size):
        found = found or state.pile_as[i] == 7 or state.pile_as[i] == 1
    return found
