"""A second Truc, slow and obvious, written from the rules alone; it shares no code with the engine.

Cards and actions are texts, a match is one generator that asks ``(seat, phase, legal texts)`` and
is sent the text of what that seat does. Whoever drives it deals: ``deal()`` gives each seat's hand.
"""

from itertools import permutations

SUITS, NUMBERS = "OCEB", (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
PACK = [f"{number}{suit}" for suit in SUITS for number in NUMBERS]
LADDER = [
    "11B", "10O", "1E", "1B", "7E", "7O", "3O 3C 3E 3B", "2O 2C 2E 2B", "1O 1C", "12O 12C 12E 12B",
    "11O 11C 11E", "10C 10E 10B", "7C 7B", "6O 6C 6E 6B", "5O 5C 5E 5B", "4O 4C 4E 4B",
]  # fmt: skip

TRUC_CALLS = ["truc", "retruc", "vol nou", "joc fora"]
ENVIT_CALLS = ["envida", "jo envit", "dos més", "tots"]
TRUC_PAYS = [1, 3, 6, 9]
ENVIT_PAYS = {None: 1, "envida": 2, "jo envit": 4, "dos més": 6}
SIGNALS = [
    "amo", "segon", "llengua", "marilla", "tres", "dos", "asos borts", "res", "la reservada",
    "tapada",
]  # fmt: skip
SPOKEN = ["vine a mi", "pitja"]
TIE = "tie"


class HandEnds(Exception):
    """The hand is given up or a truc refused: ``winner`` takes it."""

    def __init__(self, winner):
        super().__init__()
        self.winner = winner


class LegEnds(Exception):
    """A refused envit has won the leg: nothing more of the hand is scored."""


def number(card):
    return int(card[:-1])


def value(card):
    """T7: figures count nothing."""
    return number(card) if number(card) < 10 else 0


def level(card, players):
    """T1, T14: place in the ladder, low is high."""
    if players > 4 and number(card) == 5:
        return -1
    return next(i for i, row in enumerate(LADDER) if card in row.split())


def envit_of(hand, options):
    """T7, T15."""
    found = []
    for a, b in permutations(hand, 2):
        if a == "11B" and b == "10O":
            found.append(options["reserved"])
        elif a == "11B":
            found.append(28 + value(b))
        elif a == "10O" and b != "11B":
            found.append(27 + value(b))
        if a[-1] == b[-1]:
            found.append(20 + value(a) + value(b))
    if options["flor"] and len({card[-1] for card in hand}) == 1:
        found.append(20 + sum({"11B": 8, "10O": 7}.get(card, value(card)) for card in hand))
    if not found:
        found.append(max(map(value, hand)) if options["no_pair"] == "highest" else 0)
    return max(found)


class Truc:
    """One match.

    Attributes:
        turn, phase, legal: who is asked what, and the texts it may answer with.
        score, legs: by team. rewards: by seat, of the latest action. over.
        hands, under: cards by seat, still held and hidden under the stack.
        tricks: a dict seat -> card for each trick; results: 0, 1 or TIE for each finished one.
        calls: (seat, call, trick); answers: (call, seat, answer).
        stacks_shown: how often tied tops were decided by the hidden cards.
        said: (trick, seat) -> what was said; saw: (trick, seat) -> the seats that perceived it.
    """

    def __init__(self, players, options, dealer, deal):
        self.players, self.options, self.dealer, self.deal = players, options, dealer, deal
        self.score, self.total, self.legs = [0, 0], [0, 0], [0, 0]
        self.last_envit = None
        self.stacks_shown = 0
        self.over = False
        self._run = self._match()
        self._ask_next(None)

    def act(self, action):
        assert action in self.legal, f"{action} is not among {sorted(self.legal)}"
        self._ask_next(action)

    def _ask_next(self, action):
        self.rewards = [0.0] * self.players
        try:
            self.turn, self.phase, self.legal = self._run.send(action)
        except StopIteration:
            self.over, self.turn, self.legal = True, None, set()

    # Seats

    def place(self, p):
        return (self.dealer + 1 + p) % self.players

    def from_(self, seat):
        return [(seat + step) % self.players for step in range(self.players)]

    def peu(self, team):
        return [s for s in self.from_(self.place(0)) if s % 2 == team][-1]

    def answerers(self, caller):
        """T12."""
        others = [s for s in self.from_(caller) if s % 2 != caller % 2]
        if self.options["answer"] == "both_most_willing":
            return others
        if self.options["answer"] == "next_player":
            return others[:1]
        return [self.peu(1 - caller % 2)]

    # Match

    def _match(self):
        played = 0
        while True:
            before = list(self.total)
            yield from self._hand()
            played += 1
            gains = [after - b for after, b in zip(self.total, before, strict=True)]
            if self.options["hands"] is None and self.options["reward"] == "points":
                self._pay((gains[0] - gains[1]) / self.options["target"])
            if self._leg_won():
                self.legs[0 if self.score[0] >= self.options["target"] else 1] += 1
                if max(self.legs) > self.options["legs"] / 2:
                    break
                self.score = [0, 0]
            if played == self.options["hands"]:
                break
            self.dealer = self.place(0)
        if self.options["hands"] is not None:
            self._pay((self.total[0] - self.total[1]) / self.options["target"])
        elif self.options["reward"] == "win":
            self._pay(1 if self.legs[0] > self.legs[1] else -1)

    def _pay(self, amount):
        self.rewards = [amount if s % 2 == 0 else -amount for s in range(self.players)]

    def _leg_won(self):
        return max(self.score) >= self.options["target"]

    def _score(self, team, points):
        self.score[team] += points
        self.total[team] += points

    # Hand

    def _hand(self):
        self.hands = {seat: list(hand) for seat, hand in self.deal().items()}
        self.dealt = {seat: tuple(hand) for seat, hand in self.hands.items()}
        self.under, self.tricks, self.results, self.leader = {}, [], [], self.place(0)
        self.stacked = self.shown = False
        self.accepted, self.pending, self.right = (
            0,
            None,
            None,
        )  # truc: level, (caller, level), team
        self.envit, self.envit_level, self.envit_call = "unopened", None, None
        self.calls, self.answers = [], []
        self.said, self.saw = {}, {}
        try:
            winner = yield from self._tricks()
        except HandEnds as end:
            winner = end.winner
        except LegEnds:
            return
        if not self.calls:
            self.last_envit = None
        if self.envit == "accepted":
            self._settle_envit()
        if not self._leg_won():
            self._score(winner, self._truc_points(winner))

    def _truc_points(self, team):
        if self.accepted == 4:
            return self.options["target"] - self.score[team]
        return TRUC_PAYS[self.accepted]

    def _settle_envit(self):
        values = {s: envit_of(self.dealt[s], self.options) for s in self.from_(self.place(0))}
        best = max(values.values())
        team = next(s for s in values if values[s] == best) % 2
        target, most = self.options["target"], max(self.score)
        if self.envit_level != "tots":
            points = ENVIT_PAYS[self.envit_level]
        elif most > target / 2:
            points = target - most
        else:
            points = target - self.score[team]
        if self.options["envit_cap"]:
            points = min(points, target - most)
        self.last_envit = (best, team, values)
        self._score(team, points)

    # Tricks

    def _tricks(self):
        first, leader = yield from self._trick(self.place(0))
        if first == TIE:
            if self.options["first_tie"] == "stack":
                return (yield from self._stack())
            return (yield from self._tied_first())
        second, leader = yield from self._trick(leader)
        if second in (first, TIE):
            return first
        third, leader = yield from self._trick(leader)
        return first if third == TIE else third

    def _tied_first(self):
        for _ in range(2):
            result, _ = yield from self._trick(self.place(0))
            if result != TIE:
                return result
        return self.place(0) % 2

    def _trick(self, leader):
        self.leader = leader
        self.tricks.append({})
        if self.options["signals"] in ("partner", "risky", "public"):
            yield from self._talk()
        for seat in self.from_(leader):
            yield from self._card(seat, self.hands[seat])
        tied = self._best(self.tricks[-1])
        self.results.append(tied[0] % 2 if len({s % 2 for s in tied}) == 1 else TIE)
        return self.results[-1], tied[0]

    def _best(self, cards):
        """The seats with the highest card, in the order of ``cards``."""
        levels = {seat: level(card, self.players) for seat, card in cards.items()}
        return [seat for seat in cards if levels[seat] == min(levels.values())]

    def _stack(self):
        self.stacked, self.leader = True, self.place(0)
        self.tricks.append({})
        for seat in self.from_(self.leader):
            top = min(self.hands[seat], key=lambda c: (level(c, self.players), PACK.index(c)))
            yield from self._card(seat, [top])
            self.under[seat] = self.hands[seat].pop()
        tied = self._best(self.tricks[1])
        if len({s % 2 for s in tied}) == 1:
            self.results.append(tied[0] % 2)
            return tied[0] % 2
        self.results.append(TIE)
        yield from self._window()
        self.shown = True
        self.stacks_shown += 1
        equal = self._best({s: self.under[s] for s in tied})
        if len({s % 2 for s in equal}) == 2 and self.options["mano"] == "p0_team":
            return self.place(0) % 2
        return equal[0] % 2

    # Decisions

    def _ask(self, seat, phase, *actions):
        action = yield seat, phase, {*actions, "me'n vaig"}
        if action == "me'n vaig":
            if phase == "envit":
                self._refuse_envit()
            raise HandEnds(1 - seat % 2)
        return action

    def _card(self, seat, cards):
        while True:
            actions = [f"play {card}" for card in cards]
            if self.accepted < 4 and self.right in (None, seat % 2):
                actions.append(TRUC_CALLS[self.accepted])
            if self._may_open(seat):
                actions.append("envida")
            action = yield from self._ask(seat, "play", *actions)
            if action == "envida":
                yield from self._bid_envit(seat)
            elif action in TRUC_CALLS:
                yield from self._bid_truc(seat)
            else:
                card = action.removeprefix("play ")
                self.hands[seat].remove(card)
                self.tricks[-1][seat] = card
                return

    def _may_open(self, seat):
        """T8, T11, in the speaker's own turn."""
        if self.envit != "unopened" or len(self.tricks) > 1:
            return False
        if self.options["envit_openers"] == "peus" and seat not in (self.peu(0), self.peu(1)):
            return False
        truc_called = any(call in TRUC_CALLS for _, call, _ in self.calls)
        rule = self.options["envit_after_truc"]
        return {"free": True, "never": not truc_called, "reply_only": self.accepted == 0}[rule]

    def _may_reply(self, seat):
        """T11, instead of answering a truc."""
        if self.envit != "unopened" or seat in self.tricks[0]:
            return False
        rule = self.options["envit_after_truc"]
        return {"free": True, "never": False, "reply_only": self.pending[1] == 1}[rule]

    def _call(self, seat, call):
        if not self.calls:
            self.last_envit = None
        self.calls.append((seat, call, len(self.tricks) - 1))

    def _bid_truc(self, caller):
        """T4: returns when a call is accepted."""
        while True:
            level = self.accepted + 1
            self._call(caller, TRUC_CALLS[self.accepted])
            self.pending = (caller, level)
            answer, speaker = yield from self._answer_truc()
            if answer == "no vull":
                raise HandEnds(caller % 2)
            self.accepted, self.pending, self.right = level, None, 1 - caller % 2
            if answer == "vull":
                return
            caller = speaker

    def _answer_truc(self):
        caller, level = self.pending
        heard = []
        for seat in self.answerers(caller):
            answer = "envida"
            while answer == "envida":
                answer = yield from self._ask(
                    seat,
                    "truc",
                    "vull",
                    "no vull",
                    *TRUC_CALLS[level : level + 1],
                    *(["envida"] if self._may_reply(seat) else []),
                )
                if answer == "envida":
                    yield from self._bid_envit(seat)
            if answer in TRUC_CALLS:
                return answer, seat
            heard.append(answer)
            self.answers.append((TRUC_CALLS[level - 1], seat, answer))
        return ("vull" if "vull" in heard else "no vull"), None

    def _bid_envit(self, caller):
        """T9: returns when it is accepted or refused."""
        self.envit, call = "called", "envida"
        while True:
            self._call(caller, call)
            self.envit_call = (caller, call)
            answer, speaker = yield from self._answer_envit()
            if answer == "no vull":
                self._refuse_envit()
                return
            self.envit_level, self.envit_call = call, None
            if answer == "vull":
                self.envit = "accepted"
                return
            caller, call = speaker, answer

    def _answer_envit(self):
        caller, call = self.envit_call
        step = ENVIT_CALLS.index(call) + 1
        raises = {*ENVIT_CALLS[step : step + 1], *ENVIT_CALLS[3:]} if step < 4 else set()
        heard = []
        for seat in self.answerers(caller):
            answer = yield from self._ask(seat, "envit", "vull", "no vull", *raises)
            if answer in ENVIT_CALLS:
                return answer, seat
            heard.append(answer)
            self.answers.append((call, seat, answer))
        return ("vull" if "vull" in heard else "no vull"), None

    def _refuse_envit(self):
        """T9, T13: paid at once; the leg may end here."""
        caller, _ = self.envit_call
        self.envit, self.envit_call = "refused", None
        self._score(caller % 2, ENVIT_PAYS[self.envit_level])
        if self._leg_won():
            raise LegEnds

    def _window(self):
        """T5."""
        if self.accepted == 4:
            return
        p0_team = self.place(0) % 2
        for team in [p0_team, 1 - p0_team] if self.right is None else [self.right]:
            seat = self.peu(team)
            action = yield from self._ask(seat, "window", "passo", TRUC_CALLS[self.accepted])
            if action != "passo":
                yield from self._bid_truc(seat)
                return

    def _talk(self):
        """T16."""
        for seat in self.from_(self.place(0)):
            words = ["passo", *(f"senya {signal}" for signal in SIGNALS)]
            words += SPOKEN if seat in (self.peu(0), self.peu(1)) else []
            said = yield from self._ask(seat, "talk", *words)
            self.said[len(self.tricks) - 1, seat] = said
            open_to_all = said in SPOKEN or self.options["signals"] == "public"
            self.saw[len(self.tricks) - 1, seat] = {
                s for s in range(self.players) if open_to_all or s % 2 == seat % 2
            }
