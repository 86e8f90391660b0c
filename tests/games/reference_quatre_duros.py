"""4 Duros a second time: slow, plain Python over card texts, written from the game's page.

``Hand`` objects do not exist here: one dictionary per fact, one method per clause. The engine gives
it nothing but the cards of each hand; everything else it works out itself.
"""

NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
SUITS = ["O", "C", "E", "B"]


def number(card):
    return NUMBERS.index(card[:-1])


class Reference:
    """A match of 4 Duros that is told the dealt cards and the stock of every hand."""

    def __init__(self, config, coins, dealer):
        self.config = config
        self.n = config["num_players"]
        self.start = list(coins)
        self.coins = list(coins)
        self.dealer = dealer
        self.centre = 0
        self.hands_played = 0
        self.decisions = 0
        self.winner = None
        self.over = False
        self.truncated = False
        self.needs_cards = True

    # D1, D2

    def deal(self, hands, stock):
        """hands: seat -> card text for every seat that was dealt one; stock: texts, top first."""
        self.cards = dict(hands)
        assert sorted(self.cards) == [s for s in range(self.n) if self.coins[s] > 0]
        self.stock = list(stock)
        self.turned = None
        self.aside = None
        self.gone = []
        self.shown_kings = set()
        self.refuted = set()
        self.asker = None
        self.finished = set()
        self.needs_cards = False
        self.turn = self.still_to_act()[0]

    def order(self):
        return [(self.dealer + k) % self.n for k in range(1, self.n + 1)]

    def still_to_act(self):
        return [s for s in self.order() if s in self.cards and s not in self.finished]

    # D3, D4, D5: legality

    def legal(self):
        """The texts of the legal actions of ``self.turn``."""
        if self.over:
            return set()
        if self.asker is not None:
            wrong = self.refuted if self.config["mask_refuted_suits"] else set()
            return {f"guess {suit}" for suit in SUITS if suit not in wrong}
        actions = {"stand"}
        if number(self.cards[self.turn]) == 9:
            if not (self.config["show_king"] and self.turn in self.shown_kings):
                for k in range(1, self.n):
                    if (self.turn + k) % self.n in self.cards:
                        actions.add(f"ask +{k}")
        elif self.turn == self.dealer or self.partner() is not None:
            actions.add("exchange")
        return actions

    def partner(self):
        order = self.order()
        after = order[order.index(self.turn) + 1 :]
        return next((s for s in after if s in self.cards), None)

    # D3, D4, D5: what an action does

    def play(self, text):
        self.decisions += 1
        verb, _, argument = text.partition(" ")
        seat = self.turn
        if verb == "guess":
            self.answer(argument)
        elif verb == "ask":
            self.asker = seat
            self.turn = (seat + int(argument)) % self.n
        else:
            if verb == "exchange" and seat == self.dealer:
                self.take_stock()
            elif verb == "exchange":
                self.exchange(seat, self.partner())
            self.end_turn(seat)
        n, most = self.n, max(self.config_coins())
        if not self.over and self.decisions >= most * n * (n + 8 * most * n):
            self.over = self.truncated = True

    def config_coins(self):
        coins = self.config["coins"]
        return [coins] if isinstance(coins, int) else coins

    def exchange(self, seat, other):
        if number(self.cards[other]) == 9:
            self.shown_kings.add(other)
        else:
            self.cards[seat], self.cards[other] = self.cards[other], self.cards[seat]

    def take_stock(self):
        self.turned = self.stock.pop(0)
        if number(self.turned) == 9 and self.config["stock_king_blocks"]:
            self.aside = self.turned
        else:
            self.gone.append(self.cards[self.dealer])
            self.cards[self.dealer] = self.turned

    def answer(self, suit):
        asked, asker = self.turn, self.asker
        self.asker = None
        self.turn = asker
        if self.cards[asker].endswith(suit):
            self.pay(asker, asked)
            if not self.over:
                self.end_turn(asker)
        else:
            self.refuted.add(suit)
            self.pay(asked, asker)

    def end_turn(self, seat):
        self.finished.add(seat)
        self.refuted = set()
        left = self.still_to_act()
        if left:
            self.turn = left[0]
        else:
            self.showdown()

    # D6, D7, D8

    def pay(self, payer, receiver):
        self.coins[payer] -= 1
        if receiver is None:
            self.centre += 1
        else:
            self.coins[receiver] += 1
        if self.coins[payer] == 0 and payer in self.cards:
            self.gone.append(self.cards.pop(payer))
        rich = [s for s in range(self.n) if self.coins[s] > 0]
        if len(rich) == 1:
            self.over = True
            self.winner = rich[0]

    def side_payment(self, seat):
        if seat in self.cards and number(self.cards[seat]) == 7:
            self.pay(seat, (seat + 1) % self.n)
        elif seat in self.cards and number(self.cards[seat]) == 8:
            self.pay(seat, (seat - 1) % self.n)

    def lowest_holders(self):
        if not self.cards:
            return []
        lowest = min(number(card) for card in self.cards.values())
        return [s for s in self.order() if s in self.cards and number(self.cards[s]) == lowest]

    def centre_payment(self, seat, holders):
        """False when the others keep their last coins and another hand is dealt."""
        if seat not in holders or seat not in self.cards:
            return True
        waiting = [s for s in holders[holders.index(seat) :] if s in self.cards]
        rich = [s for s in range(self.n) if self.coins[s] > 0]
        all_of_them = sorted(waiting) == rich and all(self.coins[s] == 1 for s in rich)
        if self.config["last_coin_tie"] == "simultaneous_replay" and all_of_them:
            return False
        self.pay(seat, None)
        return True

    def showdown(self):
        self.payments()
        if self.over:
            return
        self.hands_played += 1
        if self.hands_played == self.config["hands"]:
            self.over = True
            return
        self.dealer = next(s for s in self.order() if self.coins[s] > 0)
        self.needs_cards = True

    def payments(self):
        per_player = self.config["payments"] == "per_player"
        if not per_player:
            for seat in self.order():
                if not self.over:
                    self.side_payment(seat)
        holders = self.lowest_holders()
        for seat in self.order():
            if per_player and not self.over:
                self.side_payment(seat)
            if self.over or not self.centre_payment(seat, holders):
                return

    # The scorer

    def rewards(self):
        """The match's reward of every seat."""
        if self.truncated or not self.over:
            return [0.0] * self.n
        if self.config["hands"] is None:
            return [1.0 if s == self.winner else -1 / (self.n - 1) for s in range(self.n)]
        gains = [now - then for now, then in zip(self.coins, self.start, strict=True)]
        return [gain - sum(gains) / self.n for gain in gains]
