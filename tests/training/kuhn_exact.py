"""Kuhn poker solved by enumeration: the exact value and exploitability of a policy."""

from itertools import permutations, product

import numpy as np

from tests.toys.kuhn import BET, PASS

VALUE = -1 / 18  # of the game for the first seat
NASH_LIMIT = 1e-12

# What a seat knows: (card, history), history a string of p and b. The first seat decides at "" and
# "pb", the second at "p" and "b".
DECISIONS = (("", "pb"), ("p", "b"))
Policy = dict[tuple[int, str], float]  # knowledge -> probability of a bet


def observation(card: int, history: str) -> np.ndarray:
    """The game's observation of a seat that knows this and is to act."""
    out = np.zeros(10, np.int8)
    out[card] = 1
    for ply, letter in enumerate(history):
        out[3 + 2 * ply + "pb".index(letter)] = 1
    out[9] = len(history) % 2 == 0
    return out


def policy_of(agent) -> Policy:
    """The probabilities of an agent with ``logits``."""
    known = [(card, history) for seat in DECISIONS for history in seat for card in range(3)]
    logits = agent.logits(np.array([observation(*what) for what in known]))
    bets = 1 / (1 + np.exp(logits[:, PASS] - logits[:, BET]))
    return dict(zip(known, bets.tolist(), strict=True))


def payoff(first: int, second: int, history: str) -> int | None:
    """What the first seat wins at the end of a history, or None when it goes on."""
    showdown = 1 if first > second else -1
    return {"pp": showdown, "pbp": -1, "pbb": 2 * showdown, "bp": 1, "bb": 2 * showdown}.get(
        history
    )


def value(first: Policy, second: Policy) -> float:
    """The first seat's expected reward."""

    def below(cards, history):
        ended = payoff(*cards, history)
        if ended is not None:
            return ended
        seat = len(history) % 2
        bet = (first, second)[seat][cards[seat], history]
        return bet * below(cards, history + "b") + (1 - bet) * below(cards, history + "p")

    return float(np.mean([below(cards, "") for cards in permutations(range(3), 2)]))


def pure_policies(seat: int) -> list[Policy]:
    known = [(card, history) for history in DECISIONS[seat] for card in range(3)]
    return [dict(zip(known, bets, strict=True)) for bets in product((0.0, 1.0), repeat=len(known))]


def exploitability(policy: Policy) -> float:
    """The mean gain of a best response in either seat over the value of the game."""
    as_first = max(value(pure, policy) for pure in pure_policies(0))
    as_second = max(-value(policy, pure) for pure in pure_policies(1))
    return (as_first + as_second) / 2
