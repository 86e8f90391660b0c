"""Worlds that look the same to a seat.

A world is what the seat cannot know: the order of the stock, the other's hand, the cards he put
aside, with ``hide_discards`` also the cards of his old bets, the bet he has sealed, and at a manual
showdown the cards he has chosen. ``resample_hidden`` draws one of the worlds that agree with the
seat's observation, all with equal chance:

* A sealed bet goes with its hand. A hand of n cards has 1 + n + n(n-1)/2 bets whatever the cards
  are, and n is public, so there are equally many worlds for each deal of the unknown cards. Dealing
  the cards first and then drawing one of the bets of that hand is the uniform draw over pairs of
  hand and bet. Nothing is inferred from how people bid; that is the business of the searcher.
* Old bets that can no longer be looked up must still give the outcome that everybody saw. Each is
  drawn among the bets of its size that do, and all anew when a card turns up twice; so every set
  of old bets that fits has the same chance. The other cards are dealt from what is left.
* A choice at the showdown is one of the sets of at most five cards of the pile; while the other is
  still being asked, of the cards that he has been asked about.
"""

from typing import Any

import numpy as np

from envs.core.jit import rule
from envs.core.random import draw_below, reseed
from envs.poker_builder.bets import auction_winner, bet_size, card_at, nth_bet, number_of_bets
from envs.poker_builder.hands import HAND_LIMIT
from envs.poker_builder.record import (
    CARDS,
    NONE,
    Phase,
    count_bits,
    next_place,
    prize_place,
    slot_order,
    slots_of,
    sort_slots,
)


@rule
def bit(position):
    """The mask of one card or one deck place."""
    return np.int64(1) << np.int64(position)


@rule
def hidden_places(state, seat):
    """Mask of the deck places whose cards the seat cannot know."""
    other = 1 - seat
    hidden = bit(CARDS) - bit(next_place(state))
    for i in range(state.hand_size[other]):
        hidden |= bit(state.hand[other, i])
    for i in range(state.aside_size[other]):
        hidden |= bit(state.aside[other, i])
    if state.hide_discards:
        hidden |= old_bet_places(state, other)
    return hidden


@rule
def old_bet_places(state, seat):
    """Mask of the deck places of the cards a seat has bet in settled auctions."""
    places = np.int64(0)
    for auction in range(state.auction):
        for k in range(bet_size(state, seat, auction)):
            places |= bit(state.bets[seat, auction, k])
    return places


@rule
def resample_hidden(state, seat, stream):
    """Replace all that a seat cannot know by a uniformly drawn world, and the random fields."""
    reseed(state, stream)
    other = 1 - seat
    places = hidden_places(state, seat)
    cards = cards_at(state, places)
    if state.hide_discards:
        cards &= ~draw_old_bets(state, other, cards)
        places &= ~old_bet_places(state, other)
    deal_places(state, places, cards)
    sort_slots(state, state.hand[other], state.hand_size[other])
    sort_slots(state, state.aside[other], state.aside_size[other])
    draw_sealed_bet(state, other)
    draw_choice(state, other)


@rule
def cards_at(state, places):
    """Mask of the cards at the deck places of a mask."""
    cards = np.int64(0)
    for place in range(CARDS):
        if places & bit(place):
            cards |= bit(card_at(state, place))
    return cards


@rule
def draw_card(state, cards):
    """Any card of a mask."""
    n = draw_below(state, count_bits(cards))
    for card in range(CARDS):
        if cards & bit(card):
            if n == 0:
                return card
            n -= 1
    return NONE


@rule
def deal_places(state, places, cards):
    """Deal the cards to the places, in any order with equal chance."""
    for place in range(CARDS):
        if places & bit(place):
            card = draw_card(state, cards)
            state.deck[place] = card
            cards &= ~bit(card)


@rule
def draw_old_bets(state, seat, cards):
    """Old bets that fit what was seen of them; returns the mask of the cards they use."""
    while True:
        used = np.int64(0)
        twice = np.int64(0)
        for auction in range(state.auction):
            drawn = draw_old_bet(state, seat, auction, cards)
            twice |= used & drawn
            used |= drawn
        if twice == 0:
            return used


@rule
def draw_old_bet(state, seat, auction, cards):
    """A bet of the same size and outcome; returns the mask of its cards."""
    size = bet_size(state, seat, auction)
    prize = card_at(state, prize_place(auction))
    while True:
        drawn = np.int64(0)
        for k in range(size):
            card = draw_card(state, cards & ~drawn)
            state.deck[state.bets[seat, auction, k]] = card
            drawn |= bit(card)
        if auction_winner(state, auction, prize) == state.winner[auction]:
            order_bet(state, seat, auction)
            return drawn


@rule
def order_bet(state, seat, auction):
    """Two cards of a bet lie in slot order, as when they came from the hand."""
    if bet_size(state, seat, auction) < 2:
        return
    first, second = state.bets[seat, auction, 0], state.bets[seat, auction, 1]
    card, other = card_at(state, first), card_at(state, second)
    if slot_order(card) > slot_order(other):
        state.deck[first] = other
        state.deck[second] = card


@rule
def draw_sealed_bet(state, seat):
    """Any bet of the hand, if one lies there."""
    if state.sealed[seat] != NONE:
        cards = state.hand_size[seat]
        n = draw_below(state, number_of_bets(cards))
        state.sealed[seat] = nth_bet(slots_of(state), cards, n)


@rule
def choice_limits(state, seat):
    """Pile cards a seat has decided on at the showdown, and the most of them it can have chosen."""
    if state.phase != Phase.SHOWDOWN or state.over or not state.manual_showdown:
        return 0, 0
    if seat == state.turn:
        return np.int64(state.asked), HAND_LIMIT - 1
    return (np.int64(state.pile_size[seat]), HAND_LIMIT) if seat < state.turn else (0, 0)


@rule
def draw_choice(state, seat):
    """Any set of pile cards that the seat may have chosen so far."""
    decided, limit = choice_limits(state, seat)
    if decided == 0:
        return
    while True:
        chosen = draw_below(state, bit(decided))
        if count_bits(chosen) <= limit:
            state.chosen[seat] = chosen
            return


def is_possible(record: Any, seat: int) -> bool:
    """The bets of settled auctions give the outcomes that everybody saw."""
    return all(
        auction_winner(record, auction, card_at(record, prize_place(auction)))
        == record.winner[auction]
        for auction in range(record.auction)
    )
