"""Poker builder once more, slow and obvious, written from the rule page over card texts.

Nothing here uses the engine: ``SlowGame`` plays a whole game from a deck, and every clause is the
plainest Python that states it.
"""

from collections import Counter
from itertools import combinations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
POKER_ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["C", "D", "H", "S"]
COLOUR = {"C": "black", "S": "black", "D": "red", "H": "red"}
PACK = [rank + suit for suit in SUITS for rank in RANKS]
DEFAULTS = {
    "ace_bet_value": 1,
    "faces10": False,
    "suit_tiebreak": "any",
    "leftovers": "out",
    "hide_discards": False,
    "manual_showdown": False,
    "tie": "draw",
}
NOBODY = "nobody"


def rank_of(card):
    return card[:-1]


def suit_of(card):
    return card[-1]


def in_slots(cards):
    """Rank A, 2 … K, then suit C D H S."""
    return sorted(cards, key=lambda c: (RANKS.index(rank_of(c)), SUITS.index(suit_of(c))))


# Bets


def number(card, options):
    rank = rank_of(card)
    if rank == "A":
        return options["ace_bet_value"]
    if rank in ("J", "Q", "K"):
        return 10 if options["faces10"] else {"J": 11, "Q": 12, "K": 13}[rank]
    return int(rank)


def auction_winner(prize, bets, options):
    """bets: two lists of cards, an empty one is the joker."""
    if not bets[0] and not bets[1]:
        return NOBODY
    if not bets[0]:
        return 1
    if not bets[1]:
        return 0
    sums = [sum(number(card, options) for card in bet) for bet in bets]
    if sums[0] != sums[1]:
        return 0 if sums[0] > sums[1] else 1
    suits = [[suit_of(card) == suit_of(prize) for card in bet] for bet in bets]
    colours = [[COLOUR[suit_of(card)] == COLOUR[suit_of(prize)] for card in bet] for bet in bets]
    for matches in (suits, colours):
        if options["suit_tiebreak"] == "count":
            marks = [sum(matches[0]), sum(matches[1])]
        else:
            marks = [any(matches[0]), any(matches[1])]
        if marks[0] != marks[1]:
            return 0 if marks[0] > marks[1] else 1
    return NOBODY


def bets_by_id(hand, slots):
    """Every legal bet of a hand: id -> cards; the joker is the empty list."""
    cards = in_slots(hand)
    ids = [[slot] for slot in range(slots)] + [list(pair) for pair in combinations(range(slots), 2)]
    legal = {
        action: [cards[slot] for slot in bet]
        for action, bet in enumerate(ids)
        if all(slot < len(cards) for slot in bet)
    }
    legal[len(ids)] = []
    return legal


# Poker


def hand_key(cards):
    """Comparable: category, then ranks by how often they occur; missing cards are 0."""
    ranks = [POKER_ORDER.index(rank_of(card)) + 2 for card in cards]
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    order = [rank for rank, _ in groups] + [0] * (5 - len(groups))
    shape = sorted(Counter(ranks).values(), reverse=True)
    straight = 0
    if len(cards) == 5 and shape == [1, 1, 1, 1, 1]:
        if max(ranks) - min(ranks) == 4:
            straight = max(ranks)
        elif sorted(ranks) == [2, 3, 4, 5, 14]:
            straight = 5
    flush = len(cards) == 5 and len({suit_of(card) for card in cards}) == 1
    if straight and flush:
        return (8, [straight])
    if shape[:1] == [4]:
        return (7, order)
    if shape == [3, 2]:
        return (6, order)
    if flush:
        return (5, order)
    if straight:
        return (4, [straight])
    if shape[:1] == [3]:
        return (3, order)
    if shape[:2] == [2, 2]:
        return (2, order)
    if shape[:1] == [2]:
        return (1, order)
    return (0, order)


def best_key(cards):
    """The best of all hands of at most five cards."""
    return max(
        hand_key(hand)
        for size in range(min(5, len(cards)) + 1)
        for hand in combinations(cards, size)
    )


class SlowGame:
    """A game from a dictated deck; ``act`` takes action ids."""

    def __init__(self, deck, **options):
        self.options = {**DEFAULTS, **options}
        self.stock = list(deck)
        self.slots = 10 if self.options["leftovers"] == "keep" else 5
        self.hands, self.piles, self.aside, self.won = [[], []], [[], []], [[], []], [0, 0]
        self.discard, self.log = [], []
        self.auction, self.turn, self.sealed = 0, 0, None
        self.showdown, self.asked, self.finals = False, 0, [[], []]
        self.rewards = None
        self.draw()

    def draw(self):
        for seat in (0, 1):
            self.hands[seat] += [self.stock.pop(0) for _ in range(5)]
        prizes, self.stock = self.stock[:5], self.stock[5:]
        self.prizes = prizes

    def legal(self):
        """Set of legal action ids."""
        if self.rewards is not None:
            return set()
        joker = 15 if self.slots == 5 else 55
        if self.showdown:
            return {joker + 1, joker + 2}
        return set(bets_by_id(self.hands[self.turn], self.slots))

    def act(self, action):
        if self.showdown:
            self.choose(action)
        elif self.turn == 0:
            self.sealed = bets_by_id(self.hands[0], self.slots)[action]
            self.turn = 1
        else:
            self.settle([self.sealed, bets_by_id(self.hands[1], self.slots)[action]])

    def settle(self, bets):
        self.sealed = None
        self.turn = 0
        prize = self.prizes.pop(0)
        winner = auction_winner(prize, bets, self.options)
        for seat in (0, 1):
            self.hands[seat] = [card for card in self.hands[seat] if card not in bets[seat]]
            self.discard += bets[seat]
        if winner == NOBODY:
            self.discard.append(prize)
        else:
            self.piles[winner].append(prize)
            self.won[winner] += 1
        self.log.append((prize, bets, winner))
        self.auction += 1
        if self.auction == 5:
            if self.options["leftovers"] != "keep":
                self.aside = [in_slots(hand) for hand in self.hands]
                self.hands = [[], []]
            self.draw()
        elif self.auction == 10:
            self.open_showdown()

    def open_showdown(self):
        self.showdown = True
        if self.options["leftovers"] == "final_deck":
            self.piles = [self.piles[seat] + self.aside[seat] for seat in (0, 1)]
            self.aside = [[], []]
        if self.options["manual_showdown"]:
            self.pass_on()
        else:
            self.compare(self.piles)

    def choose(self, action):
        if action == (16 if self.slots == 5 else 56):
            self.finals[self.turn].append(self.piles[self.turn][self.asked])
        self.asked += 1
        if len(self.finals[self.turn]) == 5 or self.asked == len(self.piles[self.turn]):
            self.turn, self.asked = self.turn + 1, 0
            self.pass_on()

    def pass_on(self):
        while self.turn < 2 and not self.piles[self.turn]:
            self.turn += 1
        if self.turn == 2:
            self.compare(self.finals)

    def compare(self, hands):
        marks = [best_key(hand) for hand in hands]
        if marks[0] == marks[1] and self.options["tie"] == "bids":
            marks = self.won
        if marks[0] == marks[1]:
            self.rewards = [0, 0]
        else:
            self.rewards = [1, -1] if marks[0] > marks[1] else [-1, 1]
