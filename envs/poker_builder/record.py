"""The record of a game of Poker builder, its options, and small questions about it.

Cards never move in the record: hands, bets and piles hold *places in the deck*, counted from the
top, and ``deck`` alone says which card lies there.
"""

from enum import IntEnum

import numpy as np

from envs.core.game import Option, common_fields
from envs.core.jit import rule
from envs.poker_builder.bets import NARROW, WIDE, card_at, joker_id
from envs.poker_builder.hands import RANKS

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
#   aside      places of the cards left after round 1 (not with "keep"), in slot order; -1 from
#              aside_size on
#   ranks      mask of the poker ranks in a pile, by seat and suit (see ``hands``); once final
#              hands were chosen, of those
#   strength   of the best hand in each pile, see ``hands``; 0 for an empty pile
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


@rule
def slot_order(card):
    """The order of slots: rank index, then suit."""
    return card % RANKS * RANKS + card // RANKS


@rule
def sort_slots(state, places, count):
    """Bring the first ``count`` of these deck places into slot order of their cards."""
    for i in range(1, count):
        place = places[i]
        order = slot_order(card_at(state, place))
        j = i
        while j > 0 and slot_order(card_at(state, places[j - 1])) > order:
            places[j] = places[j - 1]
            j -= 1
        places[j] = place


@rule
def count_bits(number):
    """How many bits of a non-negative integer are set."""
    bits = 0
    rest = np.int64(number)
    while rest > 0:
        rest &= rest - 1
        bits += 1
    return bits
