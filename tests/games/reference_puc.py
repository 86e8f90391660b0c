"""A second, slow and obvious implementation of Puc, written from the rule clauses alone.

Cards and actions are texts. ``Referee`` follows a hand from its deal; the tests compare what it
allows and what it makes of every action with the engine. It knows stocks in drawing order, so it
needs ``reshuffle="turn_over"``.
"""

from collections import Counter
from itertools import combinations_with_replacement

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["C", "D", "H", "S"]
CONTRACTS = {1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (3, 0), 5: (2, 1), 6: (1, 2), 7: (0, 3)}
PACKS = {3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 4, 11: 4, 12: 4}


def card_at(suit, position):
    """Position 1 is the low ace, 14 the high one."""
    return RANKS[(position - 1) % 13] + suit


def points(card):
    """R11."""
    if card == "JK":
        return 20
    rank = card[:-1]
    return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)


class Meld:
    """A meld that could be laid: its text, its cards and its place in the order of ids."""

    def __init__(self, text, cards, order):
        self.text, self.cards, self.order = text, Counter(cards), order


def all_melds(max_jokers=1, joker_in_trio=True):
    """R2, R10: every trio and run, in the order of the action ids."""
    melds = []
    for r, rank in enumerate(RANKS):
        for number, jokers in enumerate((0, 1)):
            if jokers and not (max_jokers and joker_in_trio):
                continue
            for suits in combinations_with_replacement(range(4), 3 - jokers):
                cards = [rank + SUITS[s] for s in suits] + ["JK"] * jokers
                melds.append(Meld(f"trio {rank}: {' '.join(cards)}", cards, (0, r, number, suits)))
    for s, suit in enumerate(SUITS):
        for low in range(1, 12):
            for place in range(5 if max_jokers else 1):
                cards = [card_at(suit, low + i) for i in range(4)]
                head = cards[0]
                if place:
                    cards[place - 1] = "JK"
                melds.append(Meld(f"run {head}: {' '.join(cards)}", cards, (1, s, low, place)))
    return melds


def fits(meld, hand):
    return all(hand[card] >= n for card, n in meld.cards.items())


def openings(hand, trios, runs, laid, melds, adjacent_allowed=True, banned=None):
    """R7: texts of the melds that may be laid next; ``laid`` are those of this opening so far."""
    possible = [m for m in melds if fits(m, hand)]

    def allowed(meld, before, trios):
        if meld.order[0] != (0 if trios else 1) or (before and meld.order < before[-1].order):
            return False
        touching = [b for b in before if b.order[0] == 1 and b.order[1] == meld.order[1]
                    and abs(b.order[2] - meld.order[2]) == 4]  # fmt: skip
        return adjacent_allowed or meld.order[0] == 0 or not touching

    def completes(cards, trios, runs, before):
        if trios + runs == 0:
            return any(n > 0 and card != banned for card, n in cards.items())
        for meld in possible:
            if allowed(meld, before, trios) and fits(meld, cards):
                rest = cards.copy()
                rest.subtract(meld.cards)
                kind = meld.order[0]
                if completes(rest, trios - (kind == 0), runs - (kind == 1), [*before, meld]):
                    return True
        return False

    legal = set()
    for meld in possible:
        if allowed(meld, laid, trios):
            rest = hand.copy()
            rest.subtract(meld.cards)
            kind = meld.order[0]
            if completes(rest, trios - (kind == 0), runs - (kind == 1), [*laid, meld]):
                legal.add(meld.text)
    return legal


class Run:
    """A run on the table: cards from the low end."""

    def __init__(self, meld, owner):
        self.suit, self.low = SUITS[meld.order[1]], meld.order[2]
        self.cards = meld.text.split(": ")[1].split()
        self.owner = owner

    @property
    def high(self):
        return self.low + len(self.cards) - 1

    def joker_at(self, position):
        return self.low <= position <= self.high and self.cards[position - self.low] == "JK"

    def add(self, side, card):
        if side == "low":
            self.cards.insert(0, card)
            self.low -= 1
        else:
            self.cards.append(card)


class Referee:
    """One match, told by texts."""

    def __init__(self, config, zones, dealer, hand):
        self.config, self.n = config, config["num_players"]
        self.scores = [0] * self.n
        self.over = self.truncated = self.blocked = False
        self.melds = all_melds(config["max_jokers_per_meld"], config["joker_in_trio"])
        self.deal(zones, dealer, hand)

    def deal(self, zones, dealer, hand):
        """Adopt a deal after checking its shape."""
        self.dealer, self.hand = dealer, hand
        self.trios_due, self.runs_due = CONTRACTS[hand]
        self.hands = [Counter(zones[f"hand_{s}"]) for s in range(self.n)]
        assert all(h.total() == 3 * self.trios_due + 4 * self.runs_due for h in self.hands)
        self.stock, self.pile = list(zones["stock"]), list(zones["discard"])
        assert len(self.pile) == 1
        self.trios, self.trio_owners, self.runs = {}, {}, []
        self.known = [Counter() for _ in range(self.n)]
        self.down, self.pucs, self.turns = set(), [0] * self.n, 0
        self.begin((dealer + 1) % self.n)

    def begin(self, seat):
        self.serving = self.turn = seat
        self.phase = "choice"
        self.taken, self.banned = None, None
        self.opening, self.opened, self.moving = [], False, None

    # Legality

    def legal(self):
        if self.over:
            return set()
        return getattr(self, f"legal_{self.phase}")()

    def legal_choice(self):
        return {"draw"} if self.serving in self.down else {"take", "draw"}

    def legal_window(self):
        return {"puc", "no puc"}

    def legal_joker(self):
        return {"joker low", "joker high"}

    def legal_play(self):
        hand = self.hands[self.serving]
        if self.serving not in self.down:
            trios = max(0, self.trios_due - len(self.opening))
            runs = self.trios_due + self.runs_due - len(self.opening) - trios
            lays = openings(
                hand, trios, runs, self.opening, self.melds,
                not self.config["forbid_adjacent_runs"], self.banned,
            )  # fmt: skip
            return lays if self.opening else lays | self.discards()
        return self.discards() if self.opened else self.discards() | self.placements()

    def discards(self):
        hand = self.hands[self.serving]
        return {f"discard {card}" for card, n in hand.items() if n > 0 and card != self.banned}

    def placements(self):
        """R8, R9, R10."""
        hand, size = self.hands[self.serving], self.hands[self.serving].total()
        texts = {m.text for m in self.melds if fits(m, hand) and m.cards.total() < size}
        if size < 2:
            return texts
        own = self.config["layoff"] == "own"
        held = [card for card, n in hand.items() if n > 0]
        for rank in self.trios:
            if own and self.serving not in self.trio_owners[rank]:
                continue
            texts |= {f"add {card}" for card in held if card[:-1] == rank and card != "JK"}
            if "JK" in held and self.config["joker_in_trio"]:
                texts.add(f"add JK to {rank}")
        for run in self.runs:
            if not own or run.owner == self.serving:
                for side, position in (("low", run.low - 1), ("high", run.high + 1)):
                    if 1 <= position <= 14:
                        card = card_at(run.suit, position)
                        texts |= {f"extend {side} {card}"} if card in held else set()
                        texts |= {f"extend {side} JK as {card}"} if "JK" in held else set()
            for position in range(run.low, run.high + 1):
                if self.replaceable(run, position) and card_at(run.suit, position) in held:
                    texts.add(replace_text(run.suit, position))
        return texts

    def replaceable(self, run, position):
        return run.joker_at(position) and (run.low > 1 or run.high < 14)

    # Consequences

    def play(self, text, zones_after):
        """Do what an action says. ``zones_after``: the engine's zones, to adopt a new deal from."""
        assert text in self.legal()
        self.blocked, self.zones_after = False, zones_after
        verb, _, rest = text.partition(" ")
        getattr(self, "do_" + {"no": "decline", "joker": "settle"}.get(verb, verb))(rest)

    def do_take(self, _):
        card = self.pile.pop()
        held_before = self.hands[self.serving][card]
        self.receive(self.serving, card)
        self.known[self.serving][card] += 1
        if held_before == 0 and not self.config["allow_return_discard"]:
            self.banned = card
        self.phase = "play"

    def do_draw(self, _):
        self.queue = []
        more = max(0, len(self.pile) - 2) if self.config["stock_exhausted"] == "reshuffle" else 0
        if len(self.stock) + more >= 2:
            self.queue = [s for s in self.seats_after(self.serving) if self.eligible(s)]
        self.ask()

    def seats_after(self, seat):
        return [(seat + i) % self.n for i in range(1, self.n)]

    def eligible(self, seat):
        limit = self.config["max_puc_per_hand"]
        discarder = (self.serving - 1) % self.n
        return (
            seat not in self.down
            and (limit is None or self.pucs[seat] < limit)
            and (self.config["discarder_may_puc"] or seat != discarder)
        )

    def ask(self):
        if self.queue:
            self.turn, self.phase = self.queue.pop(0), "window"
        else:
            self.serve()

    def do_decline(self, _):
        self.ask()

    def do_puc(self, _):
        card = self.pile.pop()
        self.receive(self.turn, card)
        self.known[self.turn][card] += 1
        self.pucs[self.turn] += 1
        self.receive(self.turn, self.stock_card())
        self.serve()

    def serve(self):
        card = self.stock_card()
        if card is None:
            self.blocked = True
            self.end(None)
            return
        self.receive(self.serving, card)
        self.turn, self.phase = self.serving, "play"

    def stock_card(self):
        if not self.stock and self.config["stock_exhausted"] == "reshuffle":
            self.stock, self.pile = self.pile[:-1], self.pile[-1:]
        return self.stock.pop(0) if self.stock else None

    def receive(self, seat, card):
        self.hands[seat][card] += 1

    def give(self, card):
        """A card leaves the hand of the seat whose turn it is."""
        self.hands[self.serving][card] -= 1
        assert self.hands[self.serving][card] >= 0
        self.known[self.serving][card] = max(0, self.known[self.serving][card] - 1)
        return card

    def lay(self, text):
        meld = next(m for m in self.melds if m.text == text)
        for card in meld.cards.elements():
            self.give(card)
        if meld.order[0] == 1:
            self.runs.append(Run(meld, self.serving))
        else:
            rank = RANKS[meld.order[1]]
            self.trios.setdefault(rank, Counter()).update(meld.cards)
            self.trio_owners.setdefault(rank, set()).add(self.serving)
        if self.serving not in self.down:
            self.opening.append(meld)
            if len(self.opening) == self.trios_due + self.runs_due:
                self.down.add(self.serving)
                self.opened = True

    def do_trio(self, rest):
        self.lay(f"trio {rest}")

    def do_run(self, rest):
        self.lay(f"run {rest}")

    def do_add(self, rest):
        card, _, rank = rest.partition(" to ")
        self.trios[rank or card[:-1]][self.give(card)] += 1

    def do_extend(self, rest):
        side, card = rest.split()[0], rest.split()[-1]
        for run in self.runs:
            if self.config["layoff"] == "own" and run.owner != self.serving:
                continue
            position = run.low - 1 if side == "low" else run.high + 1
            if 1 <= position <= 14 and card_at(run.suit, position) == card:
                run.add(side, self.give("JK" if "JK" in rest else card))
                return
        raise AssertionError(rest)

    def do_replace(self, rest):
        for run in self.runs:
            for position in range(run.low, run.high + 1):
                text = replace_text(run.suit, position).partition(" ")[2]
                if text == rest and self.replaceable(run, position):
                    run.cards[position - run.low] = self.give(card_at(run.suit, position))
                    self.move_joker(run, position - run.low, run.high - position)
                    return
        raise AssertionError(rest)

    def move_joker(self, run, below, above):
        """R10: to the nearer open end; the seat chooses from the exact middle."""
        if run.low == 1:
            run.add("high", "JK")
        elif run.high == 14:
            run.add("low", "JK")
        elif below == above:
            self.moving, self.phase = run, "joker"
        else:
            run.add("low" if below < above else "high", "JK")

    def do_settle(self, side):
        self.moving.add(side, "JK")
        self.moving, self.phase = None, "play"

    def do_discard(self, card):
        self.pile.append(self.give(card))
        if self.hands[self.serving].total() == 0:
            self.end(self.serving)
            return
        self.turns += 1
        if self.turns == self.config["max_turns_per_hand"]:
            self.over = self.truncated = True
        else:
            self.begin((self.serving + 1) % self.n)

    def end(self, closer):
        """R11."""
        for seat in range(self.n):
            loss = sum(points(card) * n for card, n in self.hands[seat].items())
            self.scores[seat] += -10 if seat == closer else loss
        if self.hand == 7 or self.config["only_hand"]:
            self.over = True
        else:
            self.deal(self.zones_after, (self.dealer + 1) % self.n, self.hand + 1)

    # Books

    def rewards(self):
        """What the match pays each seat."""
        if self.truncated and not self.config["reward_at_cap"]:
            return [0.0] * self.n
        if self.config["reward"] == "points":
            total = sum(self.scores)
            return [((total - s) / (self.n - 1) - s) / 100 for s in self.scores]
        ladder = [1 - 2 * p / (self.n - 1) for p in range(self.n)]
        ranked = sorted(self.scores)
        shares = {s: [pay for pay, t in zip(ladder, ranked, strict=True) if t == s] for s in ranked}
        return [sum(shares[s]) / len(shares[s]) for s in self.scores]

    def zones(self):
        """The engine's zones, hands and trios as counts."""
        zones = {"stock": self.stock, "discard": self.pile}
        zones |= {f"hand_{s}": +hand for s, hand in enumerate(self.hands)}
        zones |= {f"trio_{rank}": cards for rank, cards in self.trios.items()}
        zones |= {f"run_{i}": run.cards for i, run in enumerate(self.runs, 1)}
        if self.moving:
            zones[f"joker_of_run_{self.runs.index(self.moving) + 1}"] = ["JK"]
        return zones


def replace_text(suit, position):
    side = {1: " low", 14: " high"}.get(position, "")
    return f"replace JK by {card_at(suit, position)}{side}"
