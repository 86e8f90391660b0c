"""Truc: a quick player for playouts; it reads the record, but goes by its own seat's view alone.

It knows its cards, the table and the tricks, guesses from them the chances to win the hand and the
envit, and bets and answers by what the points at stake ask for, with noise, so that nobody's bets
are always believed or always called. A chance before all bets is given in logits, so that every bet
of the others takes away the same.

``RESULT`` … ``ENVIT`` are fits to hands that were played out plainly and without bets
(``python -m training.outlooks truc_v0``); after a tied first trick hardly anything is left to
decide, so there stands what holds at the beginning. What bets take away was set by hand, so that
single hands against ``simple`` are won in points, and few of them are played for the whole match.
"""

import math

import numpy as np

from agents.truc_deals import NONE, plain_card
from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.truc.calls import ENVIT_CALLS
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
# The chance to win the envit, by band.
ENVIT = np.array([-0.66, -0.49, -0.13, 0.43, 1.02, 1.98, 4.07])
# What the betting takes away from a chance, by its level, before one raises, or accepts; in logits.
RAISED = np.array([0.0, 0.8, 1.6, 2.4, 3.2, 4.0])
CALLED = np.array([0.0, 0.8, 1.3, 1.7, 2.1, 2.5])
NOISE = 0.1  # a chance is felt to be higher or lower by up to so much
CALLS_FROM = 0.6  # the chance from which one bets or raises
BLUFFS = 0.03  # how often one bets on nothing
SURPRISE = 0.05  # the least chance of what a seat has done
RAISES, ACCEPTS, REFUSES = 0, 1, 2


@rule
def was_out(state, seat, card, trick):
    """The seat had played the card before this trick."""
    out = False
    for earlier in range(trick):
        out = out or state.played[earlier, seat] == card
    return out


@rule
def strength(state, seat, trick, current):
    """The worth of the two best cards that the seat had before a trick, or has now in it."""
    best, second = 0, 0
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        if was_out(state, seat, card, trick + (1 if current else 0)):
            continue
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
def standing(state, seat, trick):
    """How the tricks stood before this one.

    0 none yet, then the first won, lost, tied; one each, the first won, or lost.
    """
    if trick == 0:
        return 0
    first = state.trick_team[0]
    if first == TIED:
        return 3
    ours = first == seat % 2
    if trick == 1:
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
def prospects(state, seat, trick, current):
    """The chance of the seat's team to win the hand before a trick, or now in it, in logits.

    As far as the seat's own view says.
    """
    stands = standing(state, seat, trick)
    return RESULT[stands] + SLOPE[stands] * strength(state, seat, trick, current)


@rule
def hand_chance(state, seat):
    """The same for the seat to act."""
    return prospects(state, seat, state.trick, True) + TABLE[on_table(state, seat)]


@rule
def chance_of(x):
    """Logits as a chance."""
    return 1.0 / (1.0 + math.exp(-x))


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
def answer(x, level, most, stake, refused, bits):
    """RAISES, ACCEPTS or REFUSES a call that brings the betting to a level."""
    noise = jitter(bits)
    if level < most and chance_of(x - RAISED[level]) + noise > CALLS_FROM:
        return RAISES
    if chance_of(x - CALLED[level]) + noise > enough(stake, refused):
        return ACCEPTS
    return REFUSES


@rule
def answer_truc(state, seat, bits):
    """T4: raise, accept or refuse."""
    called = state.truc_call
    refused = np.float64(TRUC_POINTS[called - 1])
    x = hand_chance(state, seat)
    what = answer(x, called, JOC_FORA_LEVEL, truc_stake(state, called), refused, bits)
    if what == RAISES:
        return np.int64(Action.TRUC + called)
    return np.int64(Action.VULL if what == ACCEPTS else Action.NO_VULL)


@rule
def answer_envit(state, seat, bits):
    """T9: the same; who says tots at once has bet twice."""
    called = state.envit_call
    bets = envit_calls(state) + (called == TOTS_STEP)
    most = bets + 1 if called < TOTS_STEP else bets
    refused = np.float64(ENVIT_POINTS[state.envit_level])
    x = ENVIT[envit_band(state, seat)]
    what = answer(x, bets, most, envit_stake(state, called), refused, bits)
    if what == RAISES:
        return np.int64(Action.ENVIDA + called)
    return np.int64(Action.VULL if what == ACCEPTS else Action.NO_VULL)


@rule
def envit_calls(state):
    """How many envit calls were made in this hand."""
    count = 0
    for call in range(ENVIT_CALLS, ENVIT_CALLS + TOTS_STEP):
        count += state.call_order[call] > 0
    return count


@rule
def bluffs(bits):
    """Now and then one bets on nothing."""
    return scale(combine(bits, np.uint64(3)), 1000) < 1000 * BLUFFS


@rule
def wants_envit(state, seat, bits):
    """T8: open the envit."""
    chance = chance_of(ENVIT[envit_band(state, seat)])
    return chance + jitter(combine(bits, np.uint64(1))) > CALLS_FROM or bluffs(bits)


@rule
def wants_truc(state, seat, bits):
    """T4: call the next level."""
    chance = chance_of(hand_chance(state, seat) - RAISED[state.truc_level])
    if state.truc_level == 0 and bluffs(~bits):
        return True
    return chance + jitter(combine(bits, np.uint64(2))) > CALLS_FROM


@rule
def share_above(chance, least):
    """How often a chance with its noise is above a limit; never quite never."""
    return min(max((chance + NOISE - least) / (2 * NOISE), SURPRISE), 1.0)


@rule
def bet_chance(state, seat, called, trick):
    """How often the seat calls this truc level in a trick, with its cards."""
    x = prospects(state, seat, trick, False)
    return share_above(chance_of(x - RAISED[called - 1]), CALLS_FROM)


@rule
def accept_chance(state, seat, called, trick):
    """How often it accepts one."""
    least = enough(truc_stake(state, called), np.float64(TRUC_POINTS[called - 1]))
    x = prospects(state, seat, trick, False)
    return share_above(chance_of(x - CALLED[called]), least)


@rule
def envit_bet_chance(state, seat, called):
    """How often it calls this envit step."""
    x = ENVIT[envit_band(state, seat)]
    return share_above(chance_of(x - RAISED[called - 1]), CALLS_FROM)


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
        return answer_envit(state, seat, bits)
    if mask[Action.ENVIDA] and wants_envit(state, seat, bits):
        return np.int64(Action.ENVIDA)
    if state.phase == Phase.TRUC:
        return answer_truc(state, seat, bits)
    call = Action.TRUC + state.truc_level
    if state.truc_level < JOC_FORA_LEVEL and mask[call] and wants_truc(state, seat, bits):
        return np.int64(call)
    if state.phase == Phase.WINDOW:
        return np.int64(Action.PASSO)
    return np.int64(quick_card(state, seat))
