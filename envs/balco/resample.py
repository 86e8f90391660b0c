"""What a seat of Balcó cannot see, drawn anew."""

import numpy as np

from envs.balco.actions import NUM_KINDS, NUM_SWAPS, PLACES
from envs.balco.legality import card_at, is_lowest_swap, six_cards
from envs.balco.moves import copies, deck_size
from envs.balco.record import ROW, Phase
from envs.core.jit import rule
from envs.core.random import combine, reseed, scale, shuffle

_SWAP_STREAM = np.uint64(1000)  # beyond the counters that ``shuffle`` uses


@rule
def resample_hidden(state, seat, stream):
    """Deal the cards that the seat cannot know anew, uniformly: hands, down cards, stock.

    What is publicly known to be in a hand stays there. Swap choices of the others that are still
    sealed are drawn anew too, each of the 20 sets of places with the same chance. What is left in
    the record of the order of the deal is wiped out.
    """
    end = deck_size(state)
    at = end - num_unseen(state, seat)
    gather_unseen(state, seat, at)
    shuffle(state.deck[at:end], end - at, stream)
    at = deal_hands(state, seat, at)
    deal_down(state, at)
    state.deck[: state.drawn] = -1  # from here on lies the stock
    if state.phase == Phase.SWAP:
        draw_choices(state, seat, stream)
    reseed(state, stream)


@rule
def num_unseen(state, seat):
    """Cards that the seat cannot know."""
    cards = deck_size(state) - state.drawn
    for other in range(state.num_players):
        cards += state.down_left[other]
        if other != seat:
            cards += num_unknown(state, other)
    return cards


@rule
def num_unknown(state, seat):
    """Cards of a hand that are not publicly known."""
    return state.hand_size[seat] - np.sum(state.known[seat])


@rule
def gather_unseen(state, seat, at):
    """The cards that the seat cannot know, in the order of their ids, into the deck's end."""
    for kind in range(NUM_KINDS):
        for _ in range(copies(state, kind) - num_seen(state, seat, kind)):
            state.deck[at] = kind
            at += 1


@rule
def num_seen(state, seat, kind):
    """Cards of a kind whose place the seat knows."""
    seen = 0
    for i in range(state.pile_size):
        seen += state.pile[i] == kind
    for i in range(state.num_cleaned):
        seen += state.cleaned[i] == kind
    for other in range(state.num_players):
        seen += state.up[other, kind]
        seen += state.hand[other, kind] if other == seat else state.known[other, kind]
    return seen


@rule
def deal_hands(state, seat, at):
    """The unknown cards of the other hands, from the deck; returns where the next card lies."""
    for other in range(state.num_players):
        if other != seat:
            unknown = num_unknown(state, other)
            state.hand[other, :] = state.known[other]
            for _ in range(unknown):
                state.hand[other, state.deck[at]] += 1
                at += 1
    return at


@rule
def deal_down(state, at):
    """All down cards, from the deck."""
    for owner in range(state.num_players):
        for place in range(ROW - state.down_left[owner], ROW):
            state.down[owner, place] = state.deck[at]
            at += 1


@rule
def draw_choices(state, seat, stream):
    """L1: the sealed choices of the others, drawn anew from the cards they hold now."""
    for other in range(state.num_players):
        if other != seat and state.choice[other] >= 0:
            bits = combine(stream, _SWAP_STREAM + np.uint64(other))
            state.choice[other] = lowest_equal(six_cards(state, other), scale(bits, NUM_SWAPS))


@rule
def lowest_equal(cards, swap):
    """The lowest swap that keeps the same cards up."""
    for lower in range(swap):
        if is_lowest_swap(cards, lower) and keeps_same(cards, lower, swap):
            return lower
    return swap


@rule
def keeps_same(cards, one, other):
    """Whether two swaps keep cards of the same kinds up."""
    for i in range(ROW):
        if card_at(cards, PLACES[one, i]) != card_at(cards, PLACES[other, i]):
            return False
    return True
