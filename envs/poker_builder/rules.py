"""The rules of Poker builder, compiled over one record.

Source: "Poker builder (joc de cartes)", a blog post in Catalan; no second description of the game
is known. Clause numbers (B1 … B9, Q1 … Q11) are those of the game's page in this package.

Glossary: *carta en joc*, the card in play, the prize of an auction; *aposta*, a bet: one or two
cards of the hand, face down, or the joker (*jòquer*); *piló*, the cards a player has won; *ronda*,
a round of five auctions with the five cards drawn at its start.

We play it this way: the ace counts 1 in bets; the joker goes alone; a bet matches a suit or colour
when any of its cards does; equal matches discard the card in play; cards left after round 1 are out
of the game; equal hands are a draw. Options say how else it can be played.

Cards never move in the record: hands, bets and piles hold *places in the deck*, counted from the
top, and ``deck`` alone says which card lies there.
"""

from enum import IntEnum

import numpy as np

from envs.core.game import Option, common_fields
from envs.core.jit import rule
from envs.core.random import deck_stream, shuffle
from envs.poker_builder.bets import (
    NARROW,
    NOBODY,
    WIDE,
    auction_winner,
    card_at,
    higher,
    joker_id,
    pair_id,
    slot_of,
)
from envs.poker_builder.showdown import HAND_LIMIT, RANKS, poker_rank, strength_of

PLAYERS = 2
CARDS = 52
SUITS = 4
AUCTIONS = 10
ROUND_AUCTIONS = 5
DEALT = 5  # cards a player draws per round
ROUND_CARDS = PLAYERS * DEALT + ROUND_AUCTIONS
PILE_LIMIT = 10  # a card won costs a card of the hand, so piles with left-over cards fit too

LEFTOVERS_OUT, LEFTOVERS_KEEP, LEFTOVERS_FINAL_DECK = 0, 1, 2
TIE_DRAW, TIE_BIDS = 0, 1
NONE = -1


class Phase(IntEnum):
    """What is being decided."""

    AUCTION = 0
    SHOWDOWN = 1


OPTIONS = (
    Option("ace_bet_value", 1, "B4, Q1: what an ace counts in a bet", choices=(1, 14)),
    Option("faces10", False, "Q2: J, Q and K count 10 in a bet", choices=(False, True)),
    Option(
        "suit_tiebreak",
        "any",
        "B5, Q4: with equal sums, whether any card of a bet matches, or how many do",
        choices=("any", "count"),
    ),
    Option(
        "leftovers",
        "out",
        "B8, Q7: cards left after round 1 are out, kept in hand, or join the pile at the showdown",
        choices=("out", "keep", "final_deck"),
    ),
    Option(
        "hide_discards",
        False,
        "Q8: the other's bets cannot be looked up once their auction is over",
        choices=(False, True),
    ),
    Option(
        "manual_showdown",
        False,
        "B9: players choose the cards of their final hand themselves",
        choices=(False, True),
    ),
    Option(
        "tie",
        "draw",
        "B9, Q10: equal hands are a draw, or go to whoever has won more cards",
        choices=("draw", "bids"),
    ),
)

# The options' fields, then:
#   deck       card id (suit * 13 + rank index, suits C D H S, ranks A … K) at each place, top first
#   auction    auctions settled so far, 0 … 10; also the index of the one under way
#   hand       places of the cards in hand, by slot: rank index, then suit; -1 from hand_size on
#   hand_size  cards in hand; a sealed bet still lies there
#   sealed     bet id a seat has laid face down in the auction under way; -1 none
#   bets       places of the cards bet, by seat and auction; -1 for none (both: joker, or not yet)
#   winner     by auction: seat 0 or 1, 2 for nobody; -1 not settled
#   pile       places of the cards in a pile, in the order won; -1 from pile_size on
#   aside      places of the cards left after round 1 (not with "keep"); -1 from aside_size on
#   ranks      mask of the poker ranks in a pile, by seat and suit (see ``showdown``); once final
#              hands were chosen, of those
#   strength   of the best hand in each pile, see ``showdown``; 0 for an empty pile
#   chosen     manual showdown: bit i is set when pile card i goes into the final hand
#   asked      manual showdown: index of the pile card that the seat to act decides on
STATE = np.dtype(
    [
        *common_fields(PLAYERS),
        ("ace_bet_value", np.int16),
        ("faces10", np.int8),
        ("suit_tiebreak", np.int8),
        ("leftovers", np.int8),
        ("hide_discards", np.int8),
        ("manual_showdown", np.int8),
        ("tie", np.int8),
        ("deck", np.int8, (CARDS,)),
        ("auction", np.int16),
        ("hand", np.int8, (PLAYERS, WIDE)),
        ("hand_size", np.int16, (PLAYERS,)),
        ("sealed", np.int16, (PLAYERS,)),
        ("bets", np.int8, (PLAYERS, AUCTIONS, 2)),
        ("winner", np.int8, (AUCTIONS,)),
        ("pile", np.int8, (PLAYERS, PILE_LIMIT)),
        ("pile_size", np.int16, (PLAYERS,)),
        ("aside", np.int8, (PLAYERS, DEALT)),
        ("aside_size", np.int16, (PLAYERS,)),
        ("ranks", np.int16, (PLAYERS, SUITS)),
        ("strength", np.int32, (PLAYERS,)),
        ("chosen", np.int16, (PLAYERS,)),
        ("asked", np.int16),
    ],
    align=True,
)


@rule
def slots_of(state):
    """Slots of a hand under the options: 5, or 10 when left-over cards are kept."""
    return WIDE if state.leftovers == LEFTOVERS_KEEP else NARROW


@rule
def keep_id(state):
    """The id of ``keep`` at the showdown; ``leave`` is the next one."""
    return joker_id(slots_of(state)) + 1


@rule
def prize_place(auction):
    """The deck place of the card in play of an auction."""
    round_index = auction // ROUND_AUCTIONS
    return round_index * ROUND_CARDS + PLAYERS * DEALT + auction % ROUND_AUCTIONS


@rule
def next_place(state):
    """The place of the top card of the stock: what lies from here on has not been seen."""
    return prize_place(min(state.auction, AUCTIONS - 1)) + 1


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
        sort_hand(state, seat)


@rule
def slot_order(card):
    """The order of slots: rank index, then suit."""
    return card % RANKS * RANKS + card // RANKS


@rule
def sort_hand(state, seat):
    """Bring a hand into slot order, by insertion."""
    for i in range(1, state.hand_size[seat]):
        place = state.hand[seat, i]
        order = slot_order(card_at(state, place))
        j = i
        while j > 0 and slot_order(card_at(state, state.hand[seat, j - 1])) > order:
            state.hand[seat, j] = state.hand[seat, j - 1]
            j -= 1
        state.hand[seat, j] = place


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
def add_to_pile(state, seat, place):
    """B6: the card joins the pile, not the hand."""
    state.pile[seat, state.pile_size[seat]] = place
    state.pile_size[seat] += 1
    card = card_at(state, place)
    state.ranks[seat, card // RANKS] |= np.int64(1) << poker_rank(card)
    state.strength[seat] = strength_of_ranks(state, seat)


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


# Showdown


@rule
def open_showdown(state):
    """B9: final hands are found, or asked for; B8: with "final_deck" left-over cards join first."""
    state.phase = Phase.SHOWDOWN
    if state.leftovers == LEFTOVERS_FINAL_DECK:
        for seat in range(PLAYERS):
            join_aside(state, seat)
    if not state.manual_showdown:
        compare_hands(state, state.strength[0], state.strength[1])
    elif state.pile_size[0] == 0:
        ask_second_player(state)


@rule
def join_aside(state, seat):
    """B8: the cards put aside join the pile, after the won cards, in slot order."""
    for i in range(state.aside_size[seat]):
        add_to_pile(state, seat, state.aside[seat, i])
        state.aside[seat, i] = NONE
    state.aside_size[seat] = 0


@rule
def choose(state, action):
    """B9: the card goes into the final hand or not, until five are chosen or the pile is through."""
    seat = state.turn
    if action == keep_id(state):
        state.chosen[seat] |= 1 << np.int64(state.asked)
    state.asked += 1
    if state.asked < state.pile_size[seat] and count_bits(state.chosen[seat]) < HAND_LIMIT:
        return
    if seat == 0:
        ask_second_player(state)
    else:
        compare_chosen(state)


@rule
def ask_second_player(state):
    """B9: player 1 chooses after player 0; an empty pile is not asked."""
    state.turn = 1
    state.asked = 0
    if state.pile_size[1] == 0:
        compare_chosen(state)


@rule
def compare_chosen(state):
    """B9: exactly the chosen cards are compared."""
    for seat in range(PLAYERS):
        take_unchosen_out(state, seat)
    compare_hands(state, strength_of_ranks(state, 0), strength_of_ranks(state, 1))


@rule
def take_unchosen_out(state, seat):
    """Only the chosen cards count from here on; the strength of the whole pile stays recorded."""
    for i in range(state.pile_size[seat]):
        if not (np.int64(state.chosen[seat]) >> i) & 1:
            card = card_at(state, state.pile[seat, i])
            state.ranks[seat, card // RANKS] &= ~(np.int64(1) << poker_rank(card))


@rule
def compare_hands(state, first, second):
    """B9: the better hand wins; Q10: equal hands are a draw, or go to who has won more cards."""
    winner = higher(first, second)
    if winner == NOBODY and state.tie == TIE_BIDS:
        winner = higher(cards_won(state, 0), cards_won(state, 1))
    if winner != NOBODY:
        state.reward[winner] = 1
        state.reward[1 - winner] = -1
    state.over = True


@rule
def cards_won(state, seat):
    """Q10: auctions a seat has won, those against a joker included."""
    won = 0
    for auction in range(AUCTIONS):
        won += state.winner[auction] == seat
    return won


@rule
def strength_of_ranks(state, seat):
    """The strength of the best hand in the ranks of a seat."""
    return strength_of(
        np.int64(state.ranks[seat, 0]),
        np.int64(state.ranks[seat, 1]),
        np.int64(state.ranks[seat, 2]),
        np.int64(state.ranks[seat, 3]),
    )


@rule
def count_bits(number):
    """How many bits of a non-negative integer are set."""
    bits = 0
    rest = np.int64(number)
    while rest > 0:
        rest &= rest - 1
        bits += 1
    return bits
