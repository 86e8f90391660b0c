"""Poker hands: against phevaluator from five cards up, and against slow Python."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from phevaluator import evaluate_cards

from envs.core.cards import FRENCH_52
from envs.core.jit import COMPILED, rule
from envs.poker_builder.hands import CATEGORIES, category_of, poker_rank, strength_of
from tests.games.reference_poker_builder import PACK, best_key

# Narrow packs, so that every category turns up in small samples.
PACKS = {
    "whole": PACK,
    "two suits": [card for card in PACK if card[-1] in "HS"],
    "seven ranks": [card for card in PACK if card[:-1] in ("A", "2", "3", "4", "5", "6", "9")],
    "high": [card for card in PACK if card[:-1] in ("9", "10", "J", "Q", "K", "A")],
}


def strength(cards):
    masks = [0, 0, 0, 0]
    for card in FRENCH_52.parse_all(cards):
        masks[card // 13] |= 1 << int(poker_rank(card))
    return int(strength_of(*(np.int64(mask) for mask in masks)))


def oracle(cards):
    """Higher is better; the best five of more than seven cards."""
    names = [card.replace("10", "T")[:-1] + card[-1].lower() for card in cards]
    if len(names) <= 7:
        return -evaluate_cards(*names)
    return max(-evaluate_cards(*five) for five in combinations(names, 5))


def samples(size, number, seed):
    rng = random.Random(seed)
    for pack in PACKS.values():
        for _ in range(number):
            yield rng.sample(pack, size)


def assert_same_order(pairs):
    """Both numbers rank all hands alike: rising together, equal together."""
    pairs = sorted(pairs)
    for (low, low_key), (high, high_key) in pairwise(pairs):
        assert (low == high) == (low_key == high_key)
        assert low_key <= high_key


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 10])
def test_order_is_phevaluators(size):
    number = 2000 if size <= 7 else 150
    assert_same_order([(strength(cards), oracle(cards)) for cards in samples(size, number, size)])


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6])
def test_order_is_the_slow_evaluators(size):
    number = 500 if size <= 5 else 100
    pairs = [(strength(cards), best_key(cards)) for cards in samples(size, number, size)]
    for value, (category, _) in pairs:
        assert category_of(value) == category
    assert_same_order(pairs)


def test_short_and_long_hands_together():
    """Hands of all sizes in one order: kickers that are missing come last."""
    hands = [cards for size in range(7) for cards in samples(size, 40, 70 + size)]
    assert_same_order([(strength(cards), best_key(cards)) for cards in hands])


@rule
def count_five_card_hands(counts):
    """Categories of all 2,598,960 hands of five cards."""
    masks = np.zeros(4, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        masks[:] = 0
                        for card in (a, b, c, d, e):
                            masks[card // 13] |= np.int64(1) << poker_rank(card)
                        value = strength_of(masks[0], masks[1], masks[2], masks[3])
                        counts[category_of(value)] += 1


@pytest.mark.skipif(not COMPILED, reason="2.6 million hands need compiled code")
def test_all_hands_of_five_cards():
    counts = np.zeros(CATEGORIES, np.int64)
    count_five_card_hands(counts)
    # The known frequencies, high card … straight flush.
    assert counts.tolist() == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
