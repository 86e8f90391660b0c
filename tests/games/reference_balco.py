"""Balcó once more, slow and obvious: plain lists of texts, written from the rules alone.

It shares nothing with the engine. The tests let both play the same games and compare what is
legal, where every card lies and what is paid.
"""

from collections import Counter
from itertools import combinations

ORDER = ["3", "4", "5", "6", "7", "8", "9", "11", "12", "1"]  # L3
START_ORDER = [*ORDER, "10", "2", "JK"]  # L2
BY_KIND = [*map(str, range(1, 13)), "JK"]
DEFAULTS = {
    "start": "play", "take_up": "below_three", "eights": "each", "sevens": "replace",
    "ten_block": "binding", "end": "last_in", "may_take": False, "shoot_back": True,
    "jokers": 4, "max_decisions": 1000,
}  # fmt: skip


def by_kind(cards):
    return sorted(cards, key=BY_KIND.index)


class Referee:
    """A game of Balcó; ``play`` takes action texts, ``legal`` gives them."""

    def __init__(self, num_players, dealer, deck, **options):
        self.n = num_players
        self.options = DEFAULTS | options
        self.order = [(dealer + 1 + i) % num_players for i in range(num_players)]
        deck = list(deck)
        self.down, self.up, self.hand = {}, {}, {}
        for seat in self.order:
            for row in (self.down, self.up, self.hand):
                row[seat], deck = deck[:3], deck[3:]
        self.stock = deck
        self.pile = []  # pairs (card, number it counts as or None)
        self.discard = []
        self.choices = {}
        self.known = {seat: Counter() for seat in self.order}  # cards known to be in a hand
        self.out = []  # in order of going out
        self.over = self.truncated = False
        self.decisions = 0
        self.turn = self.order[0]
        self.asked = "swap"  # swap, play, flip, declare or shoot
        self.end_effects()

    def end_effects(self):
        self.sevens = 0  # plays still bound
        self.shooter = None  # who shot the player to act
        self.answered = None  # whose shot was just answered with a 1
        self.free = True

    # What is legal

    def legal(self):
        if self.over:
            return set()
        if self.asked == "swap":
            six = by_kind(self.hand[self.turn] + self.up[self.turn])
            return {"keep up " + " ".join(three) for three in combinations(six, 3)}
        if self.asked == "flip":
            return {"flip"}
        if self.asked == "shoot":
            return {f"shoot +{(target - self.turn) % self.n}" for target in self.targets()}
        hand = self.hand[self.turn]
        plays = set()
        for number in BY_KIND[:12]:
            if self.fits(number):
                for jokers in range(5):
                    for naturals in range(5):
                        enough = naturals <= hand.count(number) and jokers <= hand.count("JK")
                        if enough and 1 <= naturals + jokers <= 4:
                            cards = [number] * naturals + [f"JK={number}"] * jokers
                            plays.add("play " + " ".join(cards))
        if not plays:
            return {"take"}  # L4
        if self.options["may_take"] and self.pile and self.asked == "play":
            plays.add("take")
        return plays

    def fits(self, number):
        """Legal numbers, from the summary under L15."""
        if self.shooter is not None:
            return number in ("1", "2")
        top = self.pile[-1][1] if self.pile else None
        if self.sevens > 0:
            low = ["3", "4", "5", "6", "7"]
            if self.options["sevens"] == "both":
                low = low[low.index(top) :]
            return number in ["2", *low]
        if number == "10":
            numbers = [as_number for _, as_number in self.pile]
            blocked = "7" in numbers or "1" in numbers
            return not (self.options["ten_block"] == "anywhere" and blocked)
        if self.free or number == "2":
            return True
        return ORDER.index(number) >= ORDER.index(top)

    def targets(self):
        others = [seat for seat in self.inside() if seat != self.turn]
        spared = [seat for seat in others if seat != self.answered]
        return spared if spared and not self.options["shoot_back"] else others

    def inside(self):
        return [seat for seat in self.order if seat not in self.out]

    def right(self, seat):
        while True:
            seat = (seat + 1) % self.n
            if seat not in self.out:
                return seat

    # Playing

    def play(self, text):
        assert text in self.legal(), (text, self.legal())
        self.decisions += 1
        words = text.split()
        if words[0] == "keep":
            self.choose(words[2:])
        elif words[0] == "shoot":
            self.shoot((self.turn + int(words[1])) % self.n)
        elif words[0] == "flip":
            self.flip()
        elif words[0] == "take":
            self.take()
        else:
            self.throw(words[1:])
        if not self.over and self.decisions == self.options["max_decisions"]:
            self.over = self.truncated = True

    def choose(self, three):
        self.choices[self.turn] = three
        if len(self.choices) < self.n:
            self.turn = (self.turn + 1) % self.n
            return
        for seat in self.order:
            six = self.hand[seat] + self.up[seat]
            for card in self.choices[seat]:
                six.remove(card)
            self.known[seat] = Counter(self.up[seat]) - Counter(self.choices[seat])
            self.hand[seat], self.up[seat] = six, self.choices[seat]
        lowest = {seat: min(self.hand[seat], key=START_ORDER.index) for seat in self.order}
        beginner = min(self.order, key=lambda seat: START_ORDER.index(lowest[seat]))
        for seat in self.order:
            if self.options["start"] == "reveal_return":
                self.known[seat] |= Counter([lowest[seat]])
                continue
            self.hand[seat].remove(lowest[seat])
            self.known[seat] -= Counter([lowest[seat]])
            number = None if lowest[seat] == "JK" else lowest[seat]
            self.pile.append((lowest[seat], number))
        if self.options["start"] == "play":
            for seat in self.order:
                self.refill(seat)
        self.ask(beginner)

    def ask(self, seat):
        self.turn = seat
        self.asked = "play" if self.hand[seat] else "flip"

    def refill(self, seat):
        while self.stock and len(self.hand[seat]) < 3:
            self.hand[seat].append(self.stock.pop(0))
        few = 3 if self.options["take_up"] == "below_three" else 1
        if not self.stock and len(self.hand[seat]) < few:
            self.hand[seat] += self.up[seat]
            self.known[seat] += Counter(self.up[seat])
            self.up[seat] = []

    def throw(self, cards):
        seat = self.turn
        number = cards[-1].removeprefix("JK=")
        self.sevens = max(self.sevens - 1, 0)
        self.answered = self.shooter if number == "1" else None
        self.shooter = None
        self.free = False
        for card in cards:
            card = "JK" if card.startswith("JK") else card
            self.hand[seat].remove(card)
            self.known[seat] -= Counter([card])
            self.pile.append((card, number))
        last = [as_number for _, as_number in self.pile[-4:]]
        cleans = number == "10" or (number != "2" and last == [number] * 4)
        if cleans:
            self.discard += [card for card, _ in self.pile]
            self.pile = []
            self.end_effects()
        self.refill(seat)
        if not self.hand[seat] and not self.down[seat]:
            self.leave(seat)
        if self.over:
            return
        if cleans:
            self.ask(self.right(seat) if seat in self.out else seat)
            return
        if number == "2":
            self.end_effects()
        if number == "7":
            self.sevens = len(cards)
        if number == "1":
            if len(self.targets()) == 1:
                self.shoot(self.targets()[0])
            else:
                self.asked = "shoot"
            return
        skipped = 0
        if number == "8":
            skipped = len(cards) if self.options["eights"] == "each" else 1
            skipped = min(skipped, len([other for other in self.inside() if other != seat]))
        for _ in range(skipped + 1):
            seat = self.right(seat)
        self.ask(seat)

    def shoot(self, target):
        self.shooter = self.turn
        self.answered = None
        self.ask(target)

    def flip(self):
        card = self.down[self.turn].pop(0)
        self.hand[self.turn].append(card)
        self.known[self.turn] += Counter([card])
        if card == "JK":
            self.asked = "declare"
        elif self.fits(card):
            self.throw([card])
        else:
            self.take()

    def take(self):
        self.hand[self.turn] += [card for card, _ in self.pile]
        self.known[self.turn] += Counter(card for card, _ in self.pile)
        self.pile = []
        self.end_effects()
        self.ask(self.right(self.turn))

    def leave(self, seat):
        self.out.append(seat)
        if self.options["end"] == "first_out":
            self.over = True
        elif len(self.inside()) == 1:
            self.out += self.inside()
            self.over = True

    # What is paid, and where the cards lie

    def rewards(self):
        values = [1 - 2 * place / (self.n - 1) for place in range(self.n)]
        left = values[len(self.out) :]
        paid = {seat: values[place] for place, seat in enumerate(self.out)}
        return [paid[seat] if seat in paid else sum(left) / len(left) for seat in range(self.n)]

    def zones(self):
        zones = {
            "stock": self.stock,
            "pile": [card for card, _ in self.pile],
            "discard": self.discard,
        }
        for seat in range(self.n):
            zones[f"hand_{seat}"] = by_kind(self.hand[seat])
            zones[f"up_{seat}"] = by_kind(self.up[seat])
            zones[f"down_{seat}"] = self.down[seat]
        return zones

    def view(self, seat):
        """What the observation must say to a seat, by section, as nested lists."""
        ring = [(seat + steps) % self.n for steps in range(self.n)]
        run = 0
        for _, number in reversed(self.pile):
            if number is None or number != self.pile[-1][1]:
                break
            run += 1
        shooter = self.shooter if self.shooter is not None else self.answered
        left = self.options["max_decisions"] - self.decisions
        numbers = BY_KIND[:12]
        last = [[number == as_number for number in numbers] + [card == "JK"]
                for card, as_number in self.pile[:-5:-1]]  # fmt: skip
        rule = "shot" if self.shooter is not None else "bound" if self.sevens else "top"
        rule = "free" if rule == "top" and self.free else rule
        return {
            "hand": kinds(self.hand[seat]),
            "up": [kinds(self.up[other]) for other in ring],
            "down": [len(self.down[other]) for other in ring],
            "hand_size": [len(self.hand[other]) for other in ring],
            "known": [kinds(self.known[other].elements()) for other in ring],
            "pile": kinds(card for card, _ in self.pile),
            "last_four": last + [[0] * 13] * (4 - len(last)),
            "top": [bool(self.pile) and number == self.pile[-1][1] for number in numbers],
            "run": [run],
            "rule": [rule == name for name in ("free", "top", "bound", "shot")],
            "bound": [self.sevens],
            "shot_by": [other == shooter for other in ring],
            "barred": [any(number in ("1", "7") for _, number in self.pile)],
            "stock": [len(self.stock)],
            "cleaned": kinds(self.discard),
            "place": [[self.out[place : place + 1] == [other] for place in range(self.n)]
                      for other in ring],
            "phase": [self.asked == name for name in PHASES],
            "turn": [other == self.turn and not self.over for other in ring],
            "dealer": [other == self.order[-1] for other in ring],
            "decisions_left": [left // 100, left % 100],
        }  # fmt: skip


PHASES = ("swap", "play", "flip", "declare", "shoot")


def kinds(cards):
    """Counts by kind."""
    count = Counter(cards)
    return [count[kind] for kind in BY_KIND]
