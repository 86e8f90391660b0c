"""Bets: their ids, their worth, and who wins an auction (B2 to B5).

Bet ids over a hand of n slots: the n single cards, the pairs of slots in lexicographic order, then
the joker. Ids belong to slots, so they do not move when the hand shrinks.
"""

import numpy as np

from envs.core.jit import rule

NOBODY = 2  # the winner of an auction whose card is discarded
SUITS_TIE_ANY, SUITS_TIE_COUNT = 0, 1  # option suit_tiebreak
NARROW, WIDE = 5, 10  # slots of a hand; wide with leftovers="keep"

_RANKS = 13
_ACE, _TEN = 1, 10
_DIAMONDS, _HEARTS = 1, 2


def _slots_of_bets(slots: int) -> np.ndarray:
    """int8[bets, 2]: the slots of every bet id but the joker's, -1 where there is no second."""
    singles = [(slot, -1) for slot in range(slots)]
    pairs = [(a, b) for a in range(slots) for b in range(a + 1, slots)]
    return np.array(singles + pairs, np.int8)


_NARROW_BETS = _slots_of_bets(NARROW)
_WIDE_BETS = _slots_of_bets(WIDE)


@rule
def joker_id(slots):
    """The id of the joker: 15, or 55 with ten slots."""
    return slots * (slots + 1) // 2


@rule
def pair_id(slots, first, second):
    """The id of the pair of slots ``first < second``."""
    return slots + first * (2 * slots - first - 1) // 2 + second - first - 1


@rule
def slot_of(slots, bet, k):
    """The slot of the k-th card (0 or 1) of a bet, or -1; the joker has none."""
    if bet >= joker_id(slots):
        return -1
    return _WIDE_BETS[bet, k] if slots == WIDE else _NARROW_BETS[bet, k]


@rule
def number_of_bets(cards):
    """How many bets a hand of that many cards has: singles, pairs, the joker."""
    return cards * (cards + 1) // 2 + 1


@rule
def nth_bet(slots, cards, n):
    """The n-th legal bet of a hand of that many cards, n from 0 to ``number_of_bets`` - 1."""
    if n < cards:
        return n
    n -= cards
    for first in range(cards):
        if n < cards - first - 1:
            return pair_id(slots, first, first + 1 + n)
        n -= cards - first - 1
    return joker_id(slots)


@rule
def bet_number(card, ace_bet_value, faces10):
    """B4, Q1, Q2: what a card counts in a bet."""
    number = card % _RANKS + 1
    if number == _ACE:
        return np.int64(ace_bet_value)
    return np.int64(_TEN) if faces10 and number > _TEN else number


@rule
def is_red(card):
    """Diamonds and hearts are red."""
    suit = card // _RANKS
    return suit == _DIAMONDS or suit == _HEARTS


@rule
def card_at(state, place):
    """The card at a deck place, wide enough to count with."""
    return np.int64(state.deck[place])


@rule
def bet_size(state, seat, auction):
    """How many cards a seat bet in a settled auction; 0 is the joker."""
    if state.bets[seat, auction, 0] < 0:
        return 0
    return 1 if state.bets[seat, auction, 1] < 0 else 2


@rule
def bet_sum(state, seat, auction):
    """B4: the sum of the numbers of the cards of a bet."""
    total = np.int64(0)
    for k in range(bet_size(state, seat, auction)):
        card = card_at(state, state.bets[seat, auction, k])
        total += bet_number(card, state.ace_bet_value, state.faces10)
    return total


@rule
def suit_matches(state, seat, auction, prize):
    """B5: cards of the bet in the suit of the card in play; with "any" at most 1 counts."""
    matches = 0
    for k in range(bet_size(state, seat, auction)):
        matches += card_at(state, state.bets[seat, auction, k]) // _RANKS == prize // _RANKS
    return matches if state.suit_tiebreak == SUITS_TIE_COUNT else min(matches, 1)


@rule
def colour_matches(state, seat, auction, prize):
    """B5: cards of the bet in the colour of the card in play; with "any" at most 1 counts."""
    matches = 0
    for k in range(bet_size(state, seat, auction)):
        matches += is_red(card_at(state, state.bets[seat, auction, k])) == is_red(prize)
    return matches if state.suit_tiebreak == SUITS_TIE_COUNT else min(matches, 1)


@rule
def higher(first, second):
    """The seat with the higher number, or NOBODY."""
    if first == second:
        return NOBODY
    return 0 if first > second else 1


@rule
def auction_winner(state, auction, prize):
    """B3 to B5: the seat that wins the card in play, or NOBODY."""
    if bet_size(state, 0, auction) == 0 or bet_size(state, 1, auction) == 0:
        return higher(bet_size(state, 0, auction) > 0, bet_size(state, 1, auction) > 0)
    winner = higher(bet_sum(state, 0, auction), bet_sum(state, 1, auction))
    if winner == NOBODY:
        winner = higher(
            suit_matches(state, 0, auction, prize), suit_matches(state, 1, auction, prize)
        )
    if winner == NOBODY:
        winner = higher(
            colour_matches(state, 0, auction, prize), colour_matches(state, 1, auction, prize)
        )
    return winner
