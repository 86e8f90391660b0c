"""The rules of Poker builder, compiled over one record.

Source: "Poker builder (joc de cartes)", a blog post in Catalan; no second description of the game
is known. Clause numbers (B1 … B9, Q1 … Q11) are those of the game's page in this package.

Glossary: *carta en joc*, the card in play, the prize of an auction; *aposta*, a bet: one or two
cards of the hand, face down, or the joker (*jòquer*); *piló*, the cards a player has won; *ronda*,
a round of five auctions with the five cards drawn at its start.

We play it this way: the ace counts 1 in bets; the joker goes alone; a bet matches a suit or colour
when any of its cards does; equal matches discard the card in play; cards left after round 1 are out
of the game; equal hands are a draw. Options say how else it can be played.
"""

from envs.core.jit import rule
from envs.core.random import deck_stream, shuffle
from envs.poker_builder.bets import NOBODY, auction_winner, card_at, joker_id, pair_id, slot_of
from envs.poker_builder.record import (
    AUCTIONS,
    CARDS,
    DEALT,
    LEFTOVERS_KEEP,
    NONE,
    PLAYERS,
    ROUND_AUCTIONS,
    ROUND_CARDS,
    Phase,
    keep_id,
    prize_place,
    slots_of,
    sort_slots,
)
from envs.poker_builder.showdown import add_to_pile, choose, open_showdown

# Dealing


@rule
def deal(state):
    """Shuffle the 52 cards and begin; jokers are no part of the deck."""
    for card in range(CARDS):
        state.deck[card] = card
    shuffle(state.deck, CARDS, deck_stream(state, 0))
    lay_out(state)


@rule
def lay_out(state):
    """The first round, from the order in ``deck``."""
    state.phase = Phase.AUCTION
    state.turn = 0
    state.auction = 0
    state.asked = 0
    state.bets[:] = NONE
    state.winner[:] = NONE
    state.sealed[:] = NONE
    state.hand[:] = NONE
    state.pile[:] = NONE
    state.aside[:] = NONE
    for counter in (state.hand_size, state.pile_size, state.aside_size, state.chosen):
        counter[:] = 0
    state.ranks[:] = 0
    state.strength[:] = 0
    draw_hands(state, 0)


@rule
def draw_hands(state, first_place):
    """Five cards to each player, player 0 first."""
    for seat in range(PLAYERS):
        for i in range(DEALT):
            state.hand[seat, state.hand_size[seat]] = first_place + seat * DEALT + i
            state.hand_size[seat] += 1
        sort_slots(state, state.hand[seat], state.hand_size[seat])


# Legality


@rule
def legal_actions(state, mask):
    """The bets of the seat to act, or ``keep`` and ``leave`` at the showdown."""
    if state.over:
        return
    if state.phase == Phase.AUCTION:
        legal_bets(state, mask)
    else:
        mask[keep_id(state)] = True
        mask[keep_id(state) + 1] = True


@rule
def legal_bets(state, mask):
    """B2: one card, two cards or the joker; B7: without cards only the joker."""
    slots = slots_of(state)
    cards = state.hand_size[state.turn]
    for first in range(cards):
        mask[first] = True
        for second in range(first + 1, cards):
            mask[pair_id(slots, first, second)] = True
    mask[joker_id(slots)] = True


# Playing


@rule
def step(state, action):
    """Apply a legal action."""
    if state.phase == Phase.AUCTION:
        seal(state, action)
    else:
        choose(state, action)


@rule
def seal(state, action):
    """B2: a bet is laid face down; when both lie there, the auction is settled."""
    state.sealed[state.turn] = action
    if state.turn == 0:
        state.turn = 1
    else:
        settle_auction(state)
        open_next(state)


@rule
def settle_auction(state):
    """B3 to B6: both bets are turned up and discarded, the card in play goes to the winner."""
    for seat in range(PLAYERS):
        discard_bet(state, seat)
    place = prize_place(state.auction)
    winner = auction_winner(state, state.auction, card_at(state, place))
    state.winner[state.auction] = winner
    if winner != NOBODY:
        add_to_pile(state, winner, place)


@rule
def discard_bet(state, seat):
    """B6: the cards of the sealed bet leave the hand, the others close up; B3: the joker stays."""
    kept = 0
    bet = 0
    first = slot_of(slots_of(state), state.sealed[seat], 0)
    second = slot_of(slots_of(state), state.sealed[seat], 1)
    for slot in range(state.hand_size[seat]):
        place = state.hand[seat, slot]
        state.hand[seat, slot] = NONE
        if slot == first or slot == second:
            state.bets[seat, state.auction, bet] = place
            bet += 1
        else:
            state.hand[seat, kept] = place
            kept += 1
    state.hand_size[seat] = kept
    state.sealed[seat] = NONE


@rule
def open_next(state):
    """B1: the next auction, the second round, or the showdown."""
    state.auction += 1
    state.turn = 0
    if state.auction == AUCTIONS:
        open_showdown(state)
    elif state.auction == ROUND_AUCTIONS:
        change_round(state)


@rule
def change_round(state):
    """B8: left-over cards are put aside (or stay), and each player draws five more."""
    if state.leftovers != LEFTOVERS_KEEP:
        for seat in range(PLAYERS):
            put_aside(state, seat)
    draw_hands(state, ROUND_CARDS)


@rule
def put_aside(state, seat):
    """B8: the left-over cards leave the hand, unseen by the other player."""
    for slot in range(state.hand_size[seat]):
        state.aside[seat, slot] = state.hand[seat, slot]
        state.hand[seat, slot] = NONE
    state.aside_size[seat] = state.hand_size[seat]
    state.hand_size[seat] = 0
