"""Truc heuristics: ``random`` (never folds), ``simple`` (thresholds) and ``strong`` (chances).

They see observation and mask only. The order of the advice is the order of the code.
"""

import numpy as np

from agents.random import nth_legal
from agents.truc_deals import (
    THEM,
    US,
    card_level,
    cards_out,
    my_cards_played,
    place_of_one,
    plain_card,
    read_hands,
    result,
    set_table,
    think,
    trick_number,
)
from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.truc import observation as section
from envs.truc.envit import ENVIT_POINTS, JOC_FORA_LEVEL, TOTS_STEP, TRUC_POINTS
from envs.truc.record import HAND_SIZE, Action, Phase

TARGET = 24  # of the default match; other targets are played as if it were this
SAMPLES = 64
# How much worse a hand is than it looks when the other side has just bet on its own.
RESPECT = 0.5
REFUSED, RAISED = 0.35, 0.2  # how often a call of ours is refused, raised
BLUFF_RATE = 0.03
EDGE, STEEPNESS = 0.8, 1.25  # of the chance to win a match, see ``match_chance``
WIDE_ENVIT, GOOD_ENVIT, GREAT_ENVIT = 28, 30, 32
LAST_PIECE = 6  # levels 0 … 6 are the *peces*


@rule
def never_fold(observation, mask, at, num_players, bits):
    """Any legal action but *me'n vaig*, with equal chance."""
    skip = scale(bits, np.sum(mask) - mask[Action.MEN_VAIG])
    for action in range(mask.shape[0]):
        if mask[action] and action != Action.MEN_VAIG:
            if skip == 0:
                return action
            skip -= 1
    return nth_legal(mask, 0)


@rule
def phase_of(o, at):
    return place_of_one(o, at[section.PHASE], len_phases)


len_phases = len(Phase)


# Simple: a few thresholds.


@rule
def pieces_in_hand(o, at, n, last_level):
    """How many cards of at least this rank I still hold."""
    count = 0
    for card in range(section.NUM_CARDS):
        if o[at[section.HAND] + card] and card_level(n, card) <= last_level:
            count += 1
    return count


@rule
def hand_strength(o, at, n):
    """0 weak … 3 excellent: pieces in hand, and a first trick won or lost."""
    strength = pieces_in_hand(o, at, n, LAST_PIECE)
    first = result(o, at, 0)
    if first == US:
        strength += 1
    elif first == THEM:
        strength -= 1
    return strength


@rule
def simple_envit(o, at, mask):
    """Open with a good envit, accept with a fair one, raise with a great one; no tots."""
    value = o[at[section.MY_ENVIT]]
    step = place_of_one(o, at[section.ENVIT_CALL], TOTS_STEP) + 1
    if step == 0:
        return Action.ENVIDA if mask[Action.ENVIDA] and value >= GOOD_ENVIT else Action.PASSO
    if value >= GREAT_ENVIT and step < TOTS_STEP - 1:
        return Action.ENVIDA + step
    return Action.VULL if value >= WIDE_ENVIT + step - 1 else Action.NO_VULL


@rule
def simple(observation, mask, at, num_players, bits):
    """Thresholds on the envit and on the number of pieces; plain card play."""
    o, n = observation, num_players
    phase = phase_of(o, at)
    if phase == Phase.TALK:
        return np.int64(Action.PASSO)
    if phase == Phase.ENVIT:
        return np.int64(simple_envit(o, at, mask))
    if mask[Action.ENVIDA] and simple_envit(o, at, mask) == Action.ENVIDA:
        return np.int64(Action.ENVIDA)
    level = place_of_one(o, at[section.TRUC_LEVEL], JOC_FORA_LEVEL + 1)
    strength = hand_strength(o, at, n)
    if phase == Phase.TRUC:
        return simple_answer(o, at, strength)
    if level < JOC_FORA_LEVEL - 1 and mask[Action.TRUC + level] and strength >= 2 + level:
        return np.int64(Action.TRUC + level)
    if phase == Phase.WINDOW:
        return np.int64(Action.PASSO)
    return plain_play(o, at, n)


@rule
def simple_answer(o, at, strength):
    """Accept a truc with one piece, each further step with one more."""
    called = place_of_one(o, at[section.TRUC_CALL], JOC_FORA_LEVEL) + 1
    return np.int64(Action.VULL if strength >= called else Action.NO_VULL)


@rule
def plain_play(o, at, n):
    """The card of plain card play."""
    hands = np.empty((n, HAND_SIZE), np.int64)
    known = np.empty(n, np.int64)
    levels = np.empty((n, HAND_SIZE), np.int64)
    table = np.empty(n, np.int64)
    trick = trick_number(o, at)
    read_hands(o, at, n, hands, known)
    set_table(o, at, n, trick, hands, levels, table)
    if o[at[section.STACKED]]:
        return top_of_stack(o, at, n, hands)
    return hands[0, plain_card(levels, table, n, 0, cards_out(o, at, n, trick), result(o, at, 0))]


@rule
def top_of_stack(o, at, n, hands):
    """T3: the higher of the two last cards, of equals the lower id."""
    a, b = hands[0, 1], hands[0, 2]
    if card_level(n, a) == card_level(n, b):
        return min(a, b)
    return a if card_level(n, a) < card_level(n, b) else b


# Strong: chances over sampled deals, turned into chances of the match.


@rule
def needed(o, at, team):
    """Points a team (0 us, 1 them) still needs."""
    return max(TARGET - o[at[section.SCORE] + team], 0)


@rule
def match_chance(we_need, they_need):
    """The chance to win a match from what both sides need.

    The side that needs less is the favourite; and who expects to play better than the table needs
    less than it seems, so that a lottery for the match is not for him.
    """
    if we_need <= 0:
        return 1.0
    if they_need <= 0:
        return 0.0
    ours, theirs = (EDGE * we_need) ** STEEPNESS, float(they_need) ** STEEPNESS
    return theirs / (ours + theirs)


@rule
def outlook(o, at, points):
    """What points for us (negative: for them) make of the match; single hands count points."""
    if o[at[section.HANDS_LEFT]] > 0:
        return 0.5 + points / 100.0
    we, they = needed(o, at, 0), needed(o, at, 1)
    return match_chance(we - points, they) if points > 0 else match_chance(we, they + points)


@rule
def gamble(o, at, chance, win, lose):
    """The outlook of a bet that pays ``win`` to us or ``lose`` to them."""
    return chance * outlook(o, at, win) + (1.0 - chance) * outlook(o, at, -lose)


@rule
def respect(chance, calls):
    """A chance after the other side has bet on its hand; certainty stays certain."""
    return max(chance - RESPECT * calls * chance * (1.0 - chance), 0.0)


@rule
def truc_stake(o, at, level, team):
    """Points of an accepted truc level to a team."""
    return needed(o, at, team) if level == JOC_FORA_LEVEL else TRUC_POINTS[level]


@rule
def truc_value(o, at, chance, level):
    """The outlook of playing the hand out at a level."""
    return gamble(o, at, chance, truc_stake(o, at, level, 0), truc_stake(o, at, level, 1))


@rule
def call_value(o, at, chance, level):
    """The outlook of calling ``level`` + 1: it is refused, accepted, or raised in turn.

    Who accepts has a fair hand, who raises a good one; a raise we may still refuse.
    """
    refused = outlook(o, at, TRUC_POINTS[level])
    accepted = truc_value(o, at, respect(chance, 1), level + 1)
    raised = accepted
    if level + 2 <= JOC_FORA_LEVEL:
        played = truc_value(o, at, respect(chance, 2), level + 2)
        raised = max(outlook(o, at, -TRUC_POINTS[level + 1]), played)
    return REFUSED * refused + RAISED * raised + (1.0 - REFUSED - RAISED) * accepted


@rule
def envit_stake(o, at, step, team):
    """T9, T10: points of an accepted step to a team."""
    if step < TOTS_STEP:
        return ENVIT_POINTS[step]
    leader = min(needed(o, at, 0), needed(o, at, 1))
    return leader if 2 * leader < TARGET else needed(o, at, team)


@rule
def envit_value(o, at, chance, step):
    """The outlook of settling the envit at a step."""
    return gamble(o, at, chance, envit_stake(o, at, step, 0), envit_stake(o, at, step, 1))


@rule
def envit_call_value(o, at, chance, step):
    """The outlook of calling ``step`` over ``step`` - 1, as for the truc."""
    refused = outlook(o, at, ENVIT_POINTS[step - 1])
    accepted = envit_value(o, at, respect(chance, 1), step)
    raised = accepted
    if step < TOTS_STEP:
        played = envit_value(o, at, respect(chance, 2), step + 1)
        raised = max(outlook(o, at, -ENVIT_POINTS[step]), played)
    return REFUSED * refused + RAISED * raised + (1.0 - REFUSED - RAISED) * accepted


@rule
def bluffs(bits):
    """A bluff now and then keeps our bets from being believed."""
    return scale(combine(bits, np.uint64(7)), 1000) < 1000 * BLUFF_RATE


@rule
def opens_envit(o, at, chance, bits):
    """Open when the bet is worth more than the peace, or as a bluff."""
    return envit_call_value(o, at, chance, 1) > outlook(o, at, 0) or bluffs(bits)


@rule
def strong_envit_answer(o, at, chance, mask):
    """The best of refusing, accepting and raising."""
    step = place_of_one(o, at[section.ENVIT_CALL], TOTS_STEP) + 1
    believed = respect(chance, 1)
    best, value = Action.NO_VULL, outlook(o, at, -ENVIT_POINTS[step - 1])
    accept = envit_value(o, at, believed, step)
    if accept > value:
        best, value = Action.VULL, accept
    if step < TOTS_STEP - 1 and envit_call_value(o, at, believed, step + 1) > value:
        best = Action.ENVIDA + step
    return np.int64(best)


@rule
def strong_truc_answer(o, at, chance):
    """The best of refusing, accepting and raising."""
    called = place_of_one(o, at[section.TRUC_CALL], JOC_FORA_LEVEL) + 1
    believed = respect(chance, 1)
    best, value = Action.NO_VULL, outlook(o, at, -TRUC_POINTS[called - 1])
    accept = truc_value(o, at, believed, called)
    if accept > value:
        best, value = Action.VULL, accept
    if called < JOC_FORA_LEVEL and call_value(o, at, believed, called) > value:
        best = Action.TRUC + called
    return np.int64(best)


@rule
def calls_truc(o, at, chance, level, bits):
    """Call when it is worth more than playing on at the accepted level, or as an early bluff."""
    if call_value(o, at, chance, level) > truc_value(o, at, chance, level):
        return True
    return level == 0 and chance < 0.3 and bluffs(bits)


@rule
def best_card(o, at, n, wins):
    """The card with the best chance; of equals the lowest."""
    hands = np.empty((n, HAND_SIZE), np.int64)
    known = np.empty(n, np.int64)
    read_hands(o, at, n, hands, known)
    if o[at[section.STACKED]]:
        return top_of_stack(o, at, n, hands)
    best = -1
    for i in range(my_cards_played(o, at, n), HAND_SIZE):
        if (
            best < 0
            or wins[i] > wins[best]
            or (
                wins[i] == wins[best] and card_level(n, hands[0, i]) > card_level(n, hands[0, best])
            )
        ):
            best = i
    return hands[0, best]


@rule
def honest_signal(o, at, n):
    """T16: tell the best card, both best cards, or that there is nothing."""
    hands = np.empty((n, HAND_SIZE), np.int64)
    known = np.empty(n, np.int64)
    read_hands(o, at, n, hands, known)
    top, second = 99, 99
    for i in range(my_cards_played(o, at, n), HAND_SIZE):
        level = card_level(n, hands[0, i])
        if level < top:
            top, second = level, top
        elif level < second:
            second = level
    if top == 0 and second == 1:
        return np.int64(Action.RESERVADA)
    return SIGNAL_OF_LEVEL[max(top, 0)]


SIGNAL_OF_LEVEL = np.full(100, int(Action.RES), np.int64)
SIGNAL_OF_LEVEL[:9] = [
    Action.AMO, Action.SEGON, Action.LLENGUA, Action.LLENGUA, Action.MARILLA, Action.MARILLA,
    Action.TRES, Action.DOS, Action.ASOS_BORTS,
]  # fmt: skip


@rule
def strong(observation, mask, at, num_players, bits):
    """Count, estimate, and bet on the match rather than on the hand."""
    o, n = observation, num_players
    phase = phase_of(o, at)
    if phase == Phase.TALK:
        return honest_signal(o, at, n)
    wins = np.empty(HAND_SIZE + 2)
    think(o, at, n, bits, SAMPLES, wins)
    chance, envit = wins[HAND_SIZE], wins[HAND_SIZE + 1]
    if phase == Phase.ENVIT:
        return strong_envit_answer(o, at, envit, mask)
    if mask[Action.ENVIDA] and opens_envit(o, at, envit, bits):
        return np.int64(Action.ENVIDA)
    if phase == Phase.TRUC:
        return strong_truc_answer(o, at, chance)
    level = place_of_one(o, at[section.TRUC_LEVEL], JOC_FORA_LEVEL + 1)
    if (
        level < JOC_FORA_LEVEL
        and mask[Action.TRUC + level]
        and calls_truc(o, at, max(chance, wins[0], wins[1], wins[2]), level, bits)
    ):
        return np.int64(Action.TRUC + level)
    if phase == Phase.WINDOW:
        return np.int64(Action.PASSO)
    return best_card(o, at, n, wins)


HEURISTICS = {"random": never_fold, "simple": simple, "strong": strong}
