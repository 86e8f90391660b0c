"""Worlds that look the same to a seat: drawing one uniformly.

The cards a seat cannot place are the stock and what others hold beyond the cards known to be
theirs. They are gathered by kind, shuffled and dealt anew; every way to deal the single cards is
as likely as any other.
"""

from envs.core.jit import rule
from envs.core.random import reseed, shuffle
from envs.puc.dealing import chance
from envs.puc.melds import KINDS, NONE
from envs.puc.opener import deal_opener


@rule
def resample_hidden(state, seat, stream):
    """Deal what the seat cannot know anew, uniformly among the worlds that look the same to it."""
    reseed(state, stream)
    opener = NONE
    if state.opening_melds > 0 and not state.down[state.serving] and state.serving != seat:
        opener = int(state.serving)
    hidden = hidden_cards(state, opener) if opener >= 0 else 0
    cards = gather(state, seat)
    if opener >= 0:
        deal_opener(state, opener, hidden, cards)
    else:
        shuffle(state.deck, cards, chance(state))
    deal_hidden(state, seat, opener, hidden)


@rule
def hidden_cards(state, seat):
    """Cards of a hand that are not known to be there."""
    hidden = int(state.hand_size[seat])
    for kind in range(KINDS):
        hidden -= state.known[seat, kind]
    return hidden


@rule
def gather(state, seat):
    """Take the stock and the unknown cards of all others into ``deck``, by kind; their number.

    The others keep their known cards alone. The row of one of them serves for counting.
    """
    count = state.hand[(seat + 1) % state.num_players]
    for i in range(state.stock_top, state.stock_end):
        count[state.deck[i]] += 1
    cards = 0
    state.deck[:] = NONE
    for kind in range(KINDS):
        copies = 0
        for other in range(state.num_players):
            if other != seat:
                copies += state.hand[other, kind] - state.known[other, kind]
                state.hand[other, kind] = state.known[other, kind]
        for _ in range(copies):
            state.deck[cards] = kind
            cards += 1
    return cards


@rule
def deal_hidden(state, seat, opener, dealt):
    """Deal ``deck`` on: after the opener's ``dealt`` cards the others', then the stock."""
    top = dealt
    for other in range(state.num_players):
        if other != seat and other != opener:
            for _ in range(hidden_cards(state, other)):
                state.hand[other, state.deck[top]] += 1
                top += 1
    move_stock(state, top)


@rule
def move_stock(state, start):
    """The stock moves from place ``start`` of the deck to its own; nothing else stays there."""
    size = state.stock_end - state.stock_top
    shift = state.stock_top - start
    for i in range(size):
        place = start + size - 1 - i if shift > 0 else start + i
        state.deck[place + shift] = state.deck[place]
    state.deck[: state.stock_top] = NONE
    state.deck[state.stock_end :] = NONE
