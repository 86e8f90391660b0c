"""Positions of Balcó written in card texts, for the worked examples."""

from collections import Counter

import numpy as np

from envs import balco_v0
from envs.balco.record import Phase
from envs.core.cards import SPANISH_RANKS

KIND = SPANISH_RANKS.ids


def position(
    hands,
    down=(),
    up=(),
    pile="",
    stock="",
    turn=0,
    free=None,
    bound=0,
    shot_by=None,
    known=(),
    out=(),
    decisions=20,
    **options,
):
    """An environment in the middle of a game; cards that are not named have left the game.

    Args:
        hands, down, up: cards by seat, as texts with spaces; seats not given have none.
        pile: oldest first; a joker is ``JK=5``, or ``JK`` without a number.
        stock: top first.
        turn: the seat to act, from the hand or by a flip.
        free: whether any number may follow; by default only on an empty pile.
        bound: plays still bound to seven or lower.
        shot_by: the seat that shot the one to act.
        known: cards by seat that everybody knows to be in the hand.
        out: seats in the order in which they went out.
    """
    env = balco_v0.raw_env(num_players=len(hands), **options)
    env.reset(seed=0)
    record = env._record
    record.hand[:] = record.up[:] = record.known[:] = 0
    record.hand_size[:] = record.down_left[:] = 0
    record.down[:] = -1
    left = Counter([*SPANISH_RANKS.texts[:12]] * 4 + ["JK"] * options.get("jokers", 4))
    for seat, cards in enumerate(hands):
        fill_counts(record.hand[seat], cards, left)
        record.hand_size[seat] = len(cards.split())
    for seat, cards in enumerate(up):
        fill_counts(record.up[seat], cards, left)
    for seat, cards in enumerate(known):
        fill_counts(record.known[seat], cards, Counter(cards.split()))
    for seat, cards in enumerate(down):
        ids = take_out(cards.split(), left)
        record.down[seat, 3 - len(ids) :] = ids
        record.down_left[seat] = len(ids)
    fill_pile(record, pile.split(), left)
    stock_ids = take_out(stock.split(), left)
    size = len(env.game.pack(env.config))
    record.drawn = size - len(stock_ids)
    record.deck[record.drawn : size] = stock_ids
    rest = take_out(list(left.elements()), left)
    record.cleaned[: len(rest)] = rest
    record.num_cleaned = len(rest)
    record.free = not pile if free is None else free
    record.bound = bound
    record.shot = shot_by is not None
    record.shot_by = -1 if shot_by is None else shot_by
    record.num_out = len(out)
    for place, seat in enumerate(out):
        record.place[seat] = place + 1
    record.turn = turn
    record.phase = Phase.PLAY if hands[turn] else Phase.FLIP
    record.decisions = decisions
    env._encode()
    return env


def take_out(cards, left):
    """Ids of the cards, which must still be there."""
    for card in cards:
        assert left[card] > 0, f"too many {card}"
        left[card] -= 1
    return [KIND[card] for card in cards]


def fill_counts(counts, cards, left):
    for kind in take_out(cards.split(), left):
        counts[kind] += 1


def fill_pile(record, cards, left):
    numbers = [0 if card == "JK" else int(card.removeprefix("JK=")) for card in cards]
    record.pile[: len(cards)] = take_out([card.split("=")[0] for card in cards], left)
    record.pile_as[: len(cards)] = numbers
    record.pile_size = len(cards)
    record.top = numbers[-1] if numbers else 0
    record.run = 0
    for number in reversed(numbers):
        if number == 0 or number != record.top:
            break
        record.run += 1


def play(env, *texts):
    """Play actions given in words, whoever is to act."""
    for text in texts:
        env.step(env.parse_action(text))


def seat_to_act(env):
    return int(env.agent_selection.removeprefix("player_"))


def legal(env):
    """The texts of the legal actions."""
    return {env.action_text(int(action)) for action in np.flatnonzero(env._mask)}


def singles(env):
    """The numbers that can be thrown as one natural card."""
    words = [text.split() for text in legal(env)]
    return {
        text[1] for text in words if text[0] == "play" and len(text) == 2 and "=" not in text[1]
    }


def joker_numbers(env):
    """The numbers that one joker may be declared as."""
    words = [text.split() for text in legal(env)]
    return {text[1][3:] for text in words if len(text) == 2 and text[1].startswith("JK=")}


def cards(env, zone):
    """The cards of a zone, as one text."""
    return " ".join(env.zones()[zone])
