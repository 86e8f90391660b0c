"""What an observation of Poker builder says, for its heuristics."""

import numpy as np

from envs.core.jit import rule
from envs.poker_builder.bets import NARROW, WIDE, bet_number, joker_id
from envs.poker_builder.hands import RANKS, poker_rank, strength_of
from envs.poker_builder.observation import (
    ASIDE,
    AUCTION,
    AUCTIONED,
    BETS,
    HAND,
    IN_PLAY,
    RULES,
)
from envs.poker_builder.record import AUCTIONS, CARDS, SUITS

ME, OTHER = 0, 1
ACE_HIGH = 14


@rule
def slots_in(mask):
    """Slots of a hand, told by the number of actions."""
    return WIDE if mask.shape[0] > joker_id(WIDE) else NARROW


@rule
def read_hand(observation, at, hand):
    """Fill in my cards in slot order; returns how many."""
    n = 0
    for rank in range(RANKS):
        for suit in range(SUITS):
            if observation[at[HAND] + suit * RANKS + rank]:
                hand[n] = suit * RANKS + rank
                n += 1
    return n


@rule
def card_in(observation, start):
    """The first card of a plane, or -1."""
    for card in range(CARDS):
        if observation[start + card]:
            return card
    return -1


@rule
def read_ranks(observation, start, ranks):
    """Masks of poker ranks by suit, of the cards of a plane."""
    for card in range(CARDS):
        if observation[start + card]:
            ranks[card // RANKS] |= np.int64(1) << poker_rank(card)


@rule
def strength(ranks):
    """The poker strength of masks by suit."""
    return strength_of(ranks[0], ranks[1], ranks[2], ranks[3])


@rule
def auction_now(observation, at):
    """Index of the auction under way."""
    for auction in range(AUCTIONS):
        if observation[at[AUCTION] + auction]:
            return auction
    return AUCTIONS - 1


@rule
def number_of(observation, at, card):
    """What a card counts in bets under the options of this game."""
    ace = ACE_HIGH if observation[at[RULES]] else 1
    return bet_number(card, ace, observation[at[RULES] + 1])


@rule
def read_unseen(observation, at, unseen):
    """Fill in the cards that may still be anywhere; returns how many."""
    n = 0
    for card in range(CARDS):
        mine = observation[at[HAND] + card] or observation[at[ASIDE] + card]
        shown = observation[at[IN_PLAY] + card] or observation[at[AUCTIONED] + card]
        bet = observation[at[BETS] + card] or observation[at[BETS] + CARDS + card]
        if not (mine or shown or bet):
            unseen[n] = card
            n += 1
    return n
