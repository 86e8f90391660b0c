"""Truc for the search: a playout ends with the hand, and the scores say what that is worth.

``ENDS`` is how hands end between equals: points of the mà's team, points of the other, hands out of
10,000; rarer ends are left out. Measured where ``strong`` held all four seats of 2,000 default
matches (``python -m training.outlooks truc_v0 --matches 2000``, seed 0). Every hand gives points,
and the mà changes teams with every deal, so the chance to win a leg follows from the chances at
higher scores, whatever the target. Legs to come are even.

Who bets has a reason. ``TRUC_BETS`` and ``ENVIT_BETS`` say how often ``strong`` bets in the first
trick with what it holds; worlds are kept by that, compared with the hand that bets most. Bets of
later tricks hang on the tricks before, and nothing is concluded from them. Measured in the same way
(``python -m training.outlooks truc_v0 --matches 400``, seed 0).

All worlds of a search hold the searching seat's own cards, so opponents in the tree come to accept
just those bets that lose. Letting the playouts' player answer bets instead was measured, and was
worse: the search learns to bluff against ``simple``.
"""

import numpy as np

from agents.search_guide import Guide
from agents.truc_quick import quick, WORTH, strength, envit_band
from agents.search_tree import HIDDEN, OPEN
from envs.core.game import Config
from envs.core.jit import rule
from envs.truc.calls import ENVIT_CALLS
from envs.core.random import combine
from envs.truc.envit import card_of, envit_value, level, over_in_stack
from envs.truc.hand import is_played
from envs.truc.record import (
    HAND_SIZE, NUM_CARDS, PARTNER, PUBLIC, REWARD_POINTS, RISKY, TIED, TRICKS, Action, Phase,
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


# By level called, and by the worth of the two best cards. So few raised with a worth of 8 that the
# shares of 7 stand there too.
TRUC_BETS = np.array([
    [0.016, 0.031, 0.097, 0.194, 0.341, 0.536, 0.649, 0.648, 0.703],
    [0.004, 0.010, 0.016, 0.027, 0.069, 0.120, 0.134, 0.179, 0.179],
    [0.012, 0.010, 0.010, 0.009, 0.013, 0.027, 0.048, 0.057, 0.057],
    [0.002, 0.004, 0.003, 0.004, 0.020, 0.024, 0.040, 0.083, 0.083],
])  # fmt: skip
# By step called, and by the envit's value: below BANDS[0], BANDS[1] …; tots as the step before it.
ENVIT_BETS = np.array([
    [0.027, 0.035, 0.068, 0.159, 0.287, 0.321, 0.319],
    [0.007, 0.011, 0.008, 0.012, 0.029, 0.063, 0.076],
    [0.003, 0.002, 0.004, 0.004, 0.012, 0.043, 0.039],
    [0.003, 0.002, 0.004, 0.004, 0.012, 0.043, 0.039],
])  # fmt: skip
TRUC_LIKELY = TRUC_BETS / TRUC_BETS.max(axis=1, keepdims=True)
ENVIT_LIKELY = ENVIT_BETS / ENVIT_BETS.max(axis=1, keepdims=True)


@rule
def likely(state, seat):
    """T4, T9: how well the others' bets go with their cards."""
    chance = 1.0
    for call in range(ENVIT_CALLS):
        caller = state.call_seat[call]
        if state.call_order[call] > 0 and state.call_trick[call] == 0 and caller != seat:
            chance *= TRUC_LIKELY[call, strength(state, caller)]
        caller = state.call_seat[ENVIT_CALLS + call]
        if state.call_order[ENVIT_CALLS + call] > 0 and caller != seat:
            chance *= ENVIT_LIKELY[call, envit_band(state, caller)]
    return chance


@rule
def shown(state, action):
    """T16: a signal that not everybody sees stays with who gave it."""
    return HIDDEN if state.phase == Phase.TALK and PARTNER <= state.signals <= RISKY else OPEN


@rule
def fold(key, field, size):
    return key * np.uint64(size) + np.uint64(field)


@rule
def relative(team, seat):
    """0 nobody, 1 us, 2 them, 3 tied."""
    if team < 0:
        return 0
    return 3 if team == TIED else 1 + (team != seat % 2)


@rule
def holds(state, seat, i):
    card = card_of(state, seat, i)
    return not is_played(state, seat, card)


@rule
def cards_view(state, seat):
    """What is left in hand, and how it stands to the table."""
    a, b, c, beats, ties = 0, 0, 0, 0, 0
    best = 99
    ours = 0
    for turn in range(state.cards_out):
        owner = (state.leader + turn) % state.num_players
        here = level(state, state.played[state.trick, owner])
        if here < best:
            best = here
            ours = 1 if owner % 2 == seat % 2 else 2
        elif here == best and ours != 3 and ours != (1 if owner % 2 == seat % 2 else 2):
            ours = 3
    for i in range(HAND_SIZE):
        if holds(state, seat, i):
            here = level(state, card_of(state, seat, i))
            beats += here < best
            ties += here == best
            w = 1 + WORTH[here]
            if w > a:
                a, b, c = w, a, b
            elif w > b:
                b, c = w, b
            elif w > c:
                c = w
    key = fold(np.uint64(0), a, 6)
    key = fold(key, b, 6)
    key = fold(key, c, 6)
    if state.cards_out > 0:
        key = fold(key, beats, 4)
        key = fold(key, ties, 4)
        key = fold(key, ours, 4)
        key = fold(key, min(best // 3, 5), 6)
    return key


@rule
def view(state, seat, history):
    if state.phase == Phase.TALK:
        return history
    key = cards_view(state, seat)
    key = fold(key, state.phase, 8)
    key = fold(key, (seat - state.dealer - 1) % state.num_players, 8)
    key = fold(key, (seat - state.leader) % state.num_players, 8)
    key = fold(key, state.cards_out, 8)
    key = fold(key, state.trick, 4)
    key = fold(key, relative(state.trick_team[0], seat), 4)
    key = fold(key, relative(state.trick_team[1], seat), 4)
    key = fold(key, relative(state.raise_right, seat), 4)
    key = fold(key, state.truc_level, 8)
    key = fold(key, state.truc_call, 8)
    key = fold(key, state.envit, 4)
    if state.phase == Phase.ENVIT or (state.envit == 0 and state.trick == 0):
        key = fold(key, envit_band(state, seat), 8)
        key = fold(key, state.envit_call, 8)
        key = fold(key, state.envit_level, 8)
    if PARTNER <= state.signals <= PUBLIC:
        for trick in range(TRICKS):
            for speaker in range(state.num_players):
                key = combine(key, np.uint64(heard(state, seat, trick, speaker)))
    return combine(key, np.uint64(seat))


@rule
def label(state, action):
    """A card by its rank among those in hand."""
    if action >= NUM_CARDS:
        return action
    rank = 0
    for i in range(HAND_SIZE):
        card = card_of(state, state.turn, i)
        if card != action and not is_played(state, state.turn, card):
            rank += over_in_stack(state, card, action)
    return rank


@rule
def sensible(state, mask):
    mask[Action.MEN_VAIG] = False


GUIDE = Guide(view=view, label=label, sensible=sensible, imagined=0.5, faith=4, playout=quick,
shown=shown, likely=likely, outlook=outlook, scores=leg_chances, player="simple")
