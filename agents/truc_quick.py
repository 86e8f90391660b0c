"""Truc: a quick player for playouts, which reads the record but uses its own seat's view alone.

It knows its cards, the table and the tricks so far, and guesses from them the chance to win the
hand and the envit; ``RESULT`` … ``ENVIT`` are fits to hands that were played out without bets
(``python -m training.outlooks truc_v0``). It bets and answers by what the points at stake ask for,
with noise, so that nobody's bets are believed or called always.
"""

import math

import numpy as np

from agents.truc_deals import NONE, plain_card
from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.truc.envit import (
    ENVIT_POINTS,
    JOC_FORA_LEVEL,
    TOTS_STEP,
    TRUC_POINTS,
    card_of,
    envit_value,
    level,
    missing,
    over_in_stack,
    tots_points,
)
from envs.truc.hand import is_played
from envs.truc.record import HAND_SIZE, TIED, Action, Phase

WORTH = np.array([4, 4, 3, 3, 3, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4])  # by level; fives last
BANDS = np.array([20, 25, 28, 30, 32, 34])  # of envit values: below BANDS[0], BANDS[1] …
# The chance to win the hand, in logits: by how the tricks stand, a card's worth, and the table.
RESULT = np.array([-1.17, 0.04, -1.76, -1.17, -0.68, -0.65])
SLOPE = np.array([0.51, 0.81, 0.50, 0.51, 1.06, 1.11])
TABLE = np.array([0.0, 1.49, 0.97, -0.98, 0.08, 0.33])
ENVIT = np.array([-0.66, -0.49, -0.13, 0.43, 1.02, 1.98, 4.07])  # the chance to win the envit, by band
RESPECT = 0.8  # what a bet of the others takes away, see ``respect``
NOISE = 0.1
CALLS_FROM = 0.6
BLUFFS = 0.03


@rule
def strength(state, seat):
    """The worth of the two best cards dealt."""
    best, second = 0, 0
    for i in range(HAND_SIZE):
        worth = WORTH[level(state, card_of(state, seat, i))]
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    return best + second


@rule
def strength_left(state, seat):
    """The worth of the two best cards that are left."""
    best, second = 0, 0
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        if not is_played(state, seat, card):
            worth = WORTH[level(state, card)]
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
    return best + second


@rule
def envit_band(state, seat):
    """Which of the bands the seat's envit is in."""
    band = 0
    value = envit_value(state, seat)
    for limit in BANDS:
        band += value >= limit
    return band


@rule
def standing(state, seat):
    """How the tricks stand: 0 none yet, then won, lost, tied; one each, the first won, or lost."""
    if state.trick == 0:
        return 0
    first = state.trick_team[0]
    if first == TIED:
        return 3
    ours = first == seat % 2
    if state.trick == 1:
        return 1 if ours else 2
    return 4 if ours else 5


@rule
def on_table(state, seat):
    """The trick under way: 0 nothing, else who leads it and whether with a piece; 5 even."""
    best, ours, even = NONE, False, False
    for turn in range(state.cards_out):
        owner = (state.leader + turn) % state.num_players
        here = level(state, state.played[state.trick, owner])
        if here < best:
            best, ours, even = here, owner % 2 == seat % 2, False
        elif here == best and ours != (owner % 2 == seat % 2):
            even = True
    if best == NONE:
        return 0
    if even:
        return 5
    return (1 if ours else 3) + (best > 6)


@rule
def hand_chance(state, seat):
    """The chance of the seat's team to win the hand, as far as its own view says."""
    stands = standing(state, seat)
    x = RESULT[stands] + SLOPE[stands] * strength_left(state, seat) + TABLE[on_table(state, seat)]
    return x


@rule
def respect(chance, bets):
    """A chance in logits after the betting came to a level, as a chance."""
    return 1.0 / (1.0 + math.exp(RESPECT * bets - chance))


@rule
def jitter(bits):
    """-NOISE to NOISE."""
    return NOISE * (scale(bits, 2001) - 1000) / 1000.0


@rule
def truc_stake(state, called):
    """Points of a truc level, on average."""
    if called == JOC_FORA_LEVEL:
        return (missing(state, 0) + missing(state, 1)) / 2.0
    return np.float64(TRUC_POINTS[called])


@rule
def envit_stake(state, called):
    """Points of an envit step, on average."""
    if called == TOTS_STEP:
        return (tots_points(state, 0) + tots_points(state, 1)) / 2.0
    return np.float64(ENVIT_POINTS[called])


@rule
def enough(stake, refused):
    """The chance from which accepting costs less than refusing."""
    return (stake - refused) / (2.0 * stake)


@rule
def answer_truc(state, seat, mask, bits):
    called = state.truc_call
    chance = respect(hand_chance(state, seat), called) + jitter(bits)
    if called < JOC_FORA_LEVEL and chance > CALLS_FROM:
        return np.int64(Action.TRUC + called)
    least = enough(truc_stake(state, called), np.float64(TRUC_POINTS[called - 1]))
    return np.int64(Action.VULL if chance > least else Action.NO_VULL)


@rule
def answer_envit(state, seat, mask, bits):
    called = state.envit_call
    chance = respect(ENVIT[envit_band(state, seat)], called) + jitter(bits)
    if called < TOTS_STEP and chance > CALLS_FROM:
        return np.int64(Action.ENVIDA + called)
    refused = ENVIT_POINTS[state.envit_level] if state.envit_level > 0 else 1
    least = enough(envit_stake(state, called), np.float64(refused))
    return np.int64(Action.VULL if chance > least else Action.NO_VULL)


@rule
def bluffs(bits):
    return scale(combine(bits, np.uint64(3)), 1000) < 1000 * BLUFFS


@rule
def wants_envit(state, seat, bits):
    chance = respect(ENVIT[envit_band(state, seat)], 0) + jitter(combine(bits, np.uint64(1)))
    return chance > CALLS_FROM or bluffs(combine(bits, np.uint64(4)))


@rule
def wants_truc(state, seat, bits):
    chance = respect(hand_chance(state, seat), state.truc_level)
    chance += jitter(combine(bits, np.uint64(2)))
    return chance > CALLS_FROM or (state.truc_level == 0 and bluffs(bits))


@rule
def quick_card(state, seat):
    """Plain card play."""
    levels = np.empty((state.num_players, HAND_SIZE), np.int64)
    table = np.empty(state.num_players, np.int64)
    table[:] = NONE
    for turn in range(state.cards_out):
        owner = (state.leader + turn) % state.num_players
        table[owner] = level(state, state.played[state.trick, owner])
    top = np.int64(-1)
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        levels[seat, i] = NONE
        if not is_played(state, seat, card):
            levels[seat, i] = level(state, card)
            if top < 0 or over_in_stack(state, card, top):
                top = card
    if state.stacked:
        return top
    first = state.trick_team[0]
    place = plain_card(levels, table, state.num_players, seat, state.cards_out, first)
    return card_of(state, seat, place)


@rule
def quick(state, mask, bits):
    """Bet by chances, answer by what is at stake, play plainly."""
    seat = state.turn
    if state.phase == Phase.TALK:
        return np.int64(Action.PASSO)
    if state.phase == Phase.ENVIT:
        return answer_envit(state, seat, mask, bits)
    if mask[Action.ENVIDA] and wants_envit(state, seat, bits):
        return np.int64(Action.ENVIDA)
    if state.phase == Phase.TRUC:
        return answer_truc(state, seat, mask, bits)
    call = Action.TRUC + state.truc_level
    if state.truc_level < JOC_FORA_LEVEL and mask[call] and wants_truc(state, seat, bits):
        return np.int64(call)
    if state.phase == Phase.WINDOW:
        return np.int64(Action.PASSO)
    return np.int64(quick_card(state, seat))
