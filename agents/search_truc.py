"""Truc for the search: a playout ends with the hand, and the scores say what that is worth.

``ENDS`` is how hands end between equals: points of the mà's team, points of the other, hands out of
10,000; rarer ends are left out. Measured where ``strong`` held all four seats of 2,000 default
matches (``python -m training.outlooks truc_v0 --matches 2000``, seed 0). Every hand gives points,
and the mà changes teams with every deal, so the chance to win a leg follows from the chances at
higher scores, whatever the target. Legs to come are even.

Bets hang on what the others cannot see, so half of the iterations imagine the searching seat's
cards too. A node is what matters of the hand to the seat to act: the worth of its cards, how they
stand to the table, the tricks and the bets; cards are called by their rank in the hand. Otherwise
hardly two iterations would meet after a few cards. Playouts are ``agents.truc_quick``'s, and worlds
are kept by how well the bets that were made go with the cards in its eyes.

Letting the playouts' player answer the bets in the tree was tried, and was worse: the search learns
to bluff against him. So was a smaller constant of the bound (0.5); a greater one (2) was no better.
"""

import numpy as np

from agents.search_guide import Guide
from agents.search_tree import HIDDEN, OPEN
from agents.truc_quick import (
    WORTH,
    accept_chance,
    bet_chance,
    envit_band,
    envit_bet_chance,
    on_table,
    quick,
)
from envs.core.game import Config
from envs.core.jit import rule
from envs.core.random import combine
from envs.truc.calls import ANSWER_VULL, ENVIT_CALLS
from envs.truc.envit import card_of, level, over_in_stack, position
from envs.truc.hand import is_played
from envs.truc.record import (
    HAND_SIZE,
    NUM_CARDS,
    PARTNER,
    PUBLIC,
    REWARD_POINTS,
    RISKY,
    TIED,
    TRICKS,
    Action,
    Envit,
    Phase,
)
from envs.truc.talk import heard

ENDS = (
    (0, 1, 2667), (1, 0, 1342), (0, 3, 851), (3, 0, 747), (1, 1, 558), (0, 2, 364), (2, 1, 303),
    (2, 0, 281), (9, 0, 207), (0, 9, 192), (0, 5, 190), (4, 0, 162), (5, 0, 151), (1, 2, 146),
    (0, 6, 132), (0, 4, 121), (6, 0, 115), (2, 3, 94), (11, 0, 75), (7, 0, 70), (0, 7, 69),
    (1, 3, 66), (3, 2, 61), (6, 1, 57), (1, 9, 51), (1, 6, 51), (3, 1, 50), (10, 0, 50),
    (0, 11, 43), (24, 0, 36), (2, 9, 34), (9, 1, 32), (0, 24, 31), (9, 2, 26), (0, 10, 26),
    (15, 0, 25), (23, 0, 25), (0, 15, 22), (8, 0, 21), (0, 8, 20), (2, 6, 18), (12, 0, 18),
    (4, 1, 18), (1, 4, 18), (0, 12, 16), (0, 23, 15), (20, 0, 14), (13, 0, 14), (6, 3, 11),
    (19, 0, 11), (0, 20, 10), (18, 0, 10), (17, 0, 10), (22, 0, 10), (0, 13, 10), (6, 6, 10),
    (0, 18, 10), (14, 0, 9), (0, 21, 9), (21, 0, 9), (0, 22, 9), (2, 24, 8), (3, 4, 8),
    (0, 16, 8), (0, 14, 7), (16, 0, 7), (9, 4, 6), (6, 2, 6), (0, 17, 5), (0, 19, 5), (3, 6, 5),
    (6, 9, 4), (4, 3, 4), (2, 23, 3),
)  # fmt: skip


def leg_chances(config: Config) -> np.ndarray:
    """float64[target, target, 2]: team A's chance to win the leg.

    By the points of A, the points of B and whether A is the mà's team (1) in the hand to come.
    """
    target = config["target"]
    chances = np.zeros((target, target, 2))
    hands = sum(count for _, _, count in ENDS)
    for points in range(2 * target - 2, -1, -1):
        for ours in range(max(0, points - target + 1), min(points, target - 1) + 1):
            for mine in (0, 1):
                chances[ours, points - ours, mine] = sum(
                    count / hands * _after(chances, ours, points - ours, mine, end)
                    for *end, count in ENDS
                )
    return chances


def _after(chances: np.ndarray, ours: int, theirs: int, mine: int, end: list[int]) -> float:
    """Team A's chance to win the leg after a hand that ended so."""
    ours, theirs = ours + end[1 - mine], theirs + end[mine]
    if max(ours, theirs) >= len(chances):
        return (1 + (ours > theirs) - (ours < theirs)) / 2
    return float(chances[ours, theirs, 1 - mine])


@rule
def match_chance(ours, theirs):
    """The chance to win so many even legs before the others win so many."""
    chance = 0.0
    ways = 0.5**ours
    for lost in range(theirs):
        chance += ways
        ways *= (ours + lost) / (lost + 1) / 2
    return chance


@rule
def outlook(state, cut, scores, paid):
    """Team A's expected reward beyond what was paid; team B's is the contrary."""
    if state.hands >= 0:
        value = (state.total[0] - state.total[1]) / state.target
    elif state.reward_kind == REWARD_POINTS:
        value = 0.0
    else:
        leg = scores[state.score[0], state.score[1], state.dealer % 2]
        ours = state.legs // 2 + 1 - state.legs_won[0]
        theirs = state.legs // 2 + 1 - state.legs_won[1]
        won, lost = match_chance(ours - 1, theirs), match_chance(ours, theirs - 1)
        value = 2 * (leg * won + (1 - leg) * lost) - 1
    for seat in range(state.num_players):
        paid[seat] += value if seat % 2 == 0 else -value


@rule
def likely(state, seat):
    """T4, T9: how well the others' bets and answers go with their cards."""
    chance = 1.0
    for call in range(ENVIT_CALLS):
        if state.call_order[call] > 0:
            chance *= truc_likely(state, seat, call)
        caller = state.call_seat[ENVIT_CALLS + call]
        if state.call_order[ENVIT_CALLS + call] > 0 and caller != seat:
            chance *= envit_bet_chance(state, caller, call + 1)
    return chance


@rule
def truc_likely(state, seat, call):
    """T4: how often the others would have made and accepted this truc call."""
    chance = 1.0
    trick = state.call_trick[call]
    if state.call_seat[call] != seat:
        chance *= bet_chance(state, state.call_seat[call], call + 1, trick)
    for other in range(state.num_players):
        if other != seat and state.answers[call, other] == ANSWER_VULL:
            chance *= accept_chance(state, other, call + 1, trick)
    return chance


# What a seat looks at


@rule
def with_field(key, value, size):
    """A key with one more field, a number below ``size``."""
    return key * np.uint64(size) + np.uint64(value)


@rule
def side(team, seat):
    """0 nobody, 1 us, 2 them, 3 both."""
    if team < 0:
        return 0
    return 3 if team == TIED else 1 + (team != seat % 2)


@rule
def cards_key(state, seat):
    """The worths of the cards in hand, and how many of them win or tie the trick now."""
    held = np.uint64(0)
    wins, ties = 0, 0
    best = lead_level(state)
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        if not is_played(state, seat, card):
            here = level(state, card)
            held += np.uint64(1) << np.uint64(2 * WORTH[here])
            wins += here < best
            ties += here == best
    key = with_field(held, wins, HAND_SIZE + 1)
    return with_field(key, ties, HAND_SIZE + 1)


@rule
def lead_level(state):
    """The level of the best card of the trick under way, or one below all."""
    best = NOTHING
    for turn in range(state.cards_out):
        owner = (state.leader + turn) % state.num_players
        best = min(best, level(state, state.played[state.trick, owner]))
    return best


NOTHING = 99
MANY = 8  # above every phase, seat and level of a bet


@rule
def bets_key(state, seat, key):
    """T4, T9: what is called and accepted, and the envit while it matters."""
    key = with_field(key, side(state.raise_right, seat), 4)
    key = with_field(key, state.truc_level, MANY)
    key = with_field(key, state.truc_call, MANY)
    key = with_field(key, state.envit, 4)
    if state.phase == Phase.ENVIT or (state.envit == Envit.UNOPENED and state.trick == 0):
        key = with_field(key, envit_band(state, seat), MANY)
        key = with_field(key, state.envit_call, MANY)
        key = with_field(key, state.envit_level, MANY)
    return key


@rule
def view(state, seat, history):
    """The hand in the eyes of the seat to act; in a talk round all that has been said."""
    if state.phase == Phase.TALK:
        return history
    key = with_field(cards_key(state, seat), on_table(state, seat), MANY)
    key = with_field(key, state.phase, MANY)
    key = with_field(key, position(state, seat), MANY)
    key = with_field(key, (seat - state.leader) % state.num_players, MANY)
    key = with_field(key, state.cards_out, MANY)
    key = with_field(key, state.trick, 4)
    key = with_field(key, side(state.trick_team[0], seat), 4)
    key = with_field(key, side(state.trick_team[1], seat), 4)
    key = combine(bets_key(state, seat, key), np.uint64(seat))
    if PARTNER <= state.signals <= PUBLIC:
        for trick in range(TRICKS):
            for speaker in range(state.num_players):
                key = combine(key, np.uint64(heard(state, seat, trick, speaker)))
    return key


@rule
def label(state, action):
    """A card is called by how many of those in hand are higher."""
    if action >= NUM_CARDS:
        return action
    higher = 0
    for i in range(HAND_SIZE):
        card = card_of(state, state.turn, i)
        if card != action and not is_played(state, state.turn, card):
            higher += over_in_stack(state, card, action)
    return higher


@rule
def sensible(state, mask):
    """T6: who gives up never gets more than who plays on and refuses what he is asked."""
    mask[Action.MEN_VAIG] = False


@rule
def shown(state, action):
    """T16: a signal that not everybody sees stays with who gave it."""
    return HIDDEN if state.phase == Phase.TALK and PARTNER <= state.signals <= RISKY else OPEN


GUIDE = Guide(
    shown=shown,
    likely=likely,
    outlook=outlook,
    view=view,
    label=label,
    sensible=sensible,
    imagined=0.5,
    scores=leg_chances,
    player="simple",
    playout=quick,
)
