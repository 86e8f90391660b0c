"""Puc heuristics: ``simple`` (greedy towards the contract) and ``strong`` (an exact plan).

They see observation and mask only. The order of the advice is the order of the code.
"""

import numpy as np

from agents.puc_planner import PLAN_SIZE, SPARE, make_plan
from envs.core.jit import rule
from envs.puc import observation as section
from envs.puc.melds import (
    ADD,
    ADD_JOKER,
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    DISCARD,
    DRAW,
    EXTEND,
    EXTEND_JOKER,
    HANDS,
    JOKER,
    JOKER_LOW,
    KINDS,
    MELD_KINDS,
    NATURALS,
    NO_PUC,
    NONE,
    POINTS,
    PUC,
    RANKS,
    REPLACE,
    TAKE,
    TRIO,
    kind_at,
    meld_size,
    rank_count,
)

PACK = 54  # cards of a pack as it is usually played


# Reading the table


@rule
def first_one(o, start, length):
    """The place of the first entry above zero, or NONE."""
    for i in range(length):
        if o[start + i] > 0:
            return i
    return NONE


@rule
def hand_number(o, at):
    return first_one(o, at[section.HAND_NUMBER], HANDS) + 1


@rule
def hand(o, at):
    """My cards, as a view of the observation."""
    return o[at[section.HAND] : at[section.HAND] + KINDS]


@rule
def face_up(o, at):
    return first_one(o, at[section.FACE_UP], KINDS)


@rule
def count_unseen(o, at, num_players, unseen):
    """Copies of each kind that may still come: in the stock or unknown in a hand."""
    total = o[at[section.STOCK]]
    for seat in range(num_players):
        total += o[at[section.HAND_SIZES] + seat]
    for kind in range(KINDS):
        total += o[at[section.DISCARDS] + kind] + o[at[section.TABLE] + kind]
    packs = (total + PACK // 2) // PACK
    for kind in range(KINDS):
        copies = packs if kind != JOKER else total - packs * NATURALS
        gone = o[at[section.DISCARDS] + kind] + o[at[section.TABLE] + kind]
        gone += o[at[section.HAND] + kind]
        for seat in range(1, num_players):
            gone += o[at[section.KNOWN] + seat * KINDS + kind]
        unseen[kind] = max(0, copies - gone)


@rule
def count_live(unseen, kinds):
    """Unseen copies of a set of kinds (bits)."""
    live = 0
    for kind in range(KINDS):
        if kinds >> kind & 1:
            live += unseen[kind]
    return live


@rule
def fewest_cards_down(o, at, num_players):
    """The smallest hand of another seat that is down; a large number if none is."""
    fewest = KINDS
    for seat in range(1, num_players):
        if o[at[section.DOWN] + seat]:
            fewest = min(fewest, o[at[section.HAND_SIZES] + seat])
    return fewest


# What both do: lay what can be laid


@rule
def lay_off(mask, jokers_too):
    """Who is down gets rid of cards: whole melds first, then single cards, jokers last of all.

    A joker fits everywhere and can wait; the card kept to be thrown is what fits nowhere.
    """
    best, best_worth = NONE, 0
    for meld in range(TRIO, ADD):
        if mask[meld]:
            worth = meld_worth(meld)
            if worth > best_worth:
                best, best_worth = meld, worth
    if best >= 0:
        return best
    for action in range(REPLACE, JOKER_LOW):
        if mask[action]:
            return action
    for action in range(EXTEND, EXTEND_JOKER):
        if mask[action]:
            return action
    for action in range(ADD, ADD_JOKER):
        if mask[action]:
            return action
    for action in range(ADD_JOKER, EXTEND):
        if mask[action] and jokers_too:
            return action
    for action in range(EXTEND_JOKER, REPLACE):
        if mask[action] and jokers_too:
            return action
    return NONE


@rule
def meld_worth(meld):
    """Points that a meld takes out of the hand; a meld without a joker keeps it for later."""
    worth = 1000
    for i in range(meld_size(meld)):
        kind = MELD_KINDS[meld - TRIO, i]
        worth += -500 if kind == JOKER else POINTS[kind]
    return worth


# Simple


@rule
def simple(observation, mask, at, num_players, bits):
    """Greedy towards the contract: keeps pairs and neighbours, lays whatever can be laid."""
    o = observation
    if mask[JOKER_LOW]:
        return JOKER_LOW
    if mask[PUC]:
        return PUC if fit(hand(o, at), face_up(o, at), hand_number(o, at)) >= 3 else NO_PUC
    if mask[DRAW]:
        useful = mask[TAKE] and fit(hand(o, at), face_up(o, at), hand_number(o, at)) >= 2
        return TAKE if useful else DRAW
    lay = lay_off(mask, True)
    return lay if lay >= 0 else discard_loosest(o, at, mask)


@rule
def discard_loosest(o, at, mask):
    """Throw the card that has the least to do with the others; of those the dearest."""
    cards, number = hand(o, at), hand_number(o, at)
    best, best_score = NONE, -1000
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            cards[kind] -= 1
            score = POINTS[kind] - 20 * fit(cards, kind, number)
            cards[kind] += 1
            if score > best_score:
                best, best_score = kind, score
    return DISCARD + best


@rule
def fit(cards, kind, number):
    """How many cards of the hand go with a card in one meld of the contract, three at most."""
    if kind == JOKER:
        return 3
    most = 0
    if CONTRACT_TRIOS[number] > 0:
        most = min(2, rank_count(cards, kind % RANKS)) + (rank_count(cards, kind % RANKS) == 2)
    if CONTRACT_RUNS[number] > 0:
        most = max(most, fit_in_run(cards, kind))
    return most


@rule
def fit_in_run(cards, kind):
    """The most other cards of a window of four around the card."""
    suit, most = kind // RANKS, 0
    for low in range(1, 12):
        others, inside = 0, False
        for position in range(low, low + 4):
            here = kind_at(suit, position)
            inside |= here == kind
            others += here != kind and cards[here] > 0
        if inside:
            most = max(most, others)
    return most


# Strong

HELP_WEIGHT = 3.0
POINTS_WEIGHT = 0.6
PRESSED_POINTS_WEIGHT = 2.0
DISTANCE_WEIGHT = 100.0
DANGER_WEIGHT = 1.0


@rule
def strong(observation, mask, at, num_players, bits):
    """Plays by an exact plan of the contract and by what is still to come."""
    o = observation
    if mask[JOKER_LOW]:
        return JOKER_LOW
    if mask[PUC]:
        return PUC if worth_a_puc(o, at, num_players) else NO_PUC
    if mask[DRAW]:
        return TAKE if mask[TAKE] and brings_nearer(o, at) else DRAW
    lay = lay_off(mask, True)
    return lay if lay >= 0 else best_discard(o, at, num_players, mask)


@rule
def distance(o, at):
    return make_plan(hand(o, at), hand_number(o, at), np.empty(PLAN_SIZE, np.int64))


@rule
def distance_with(o, at, kind):
    cards = hand(o, at)
    cards[kind] += 1
    found = distance(o, at)
    cards[kind] -= 1
    return found


@rule
def brings_nearer(o, at):
    """Take the face-up card exactly when the contract lacks one card less with it."""
    return distance_with(o, at, face_up(o, at)) < distance(o, at)


@rule
def worth_a_puc(o, at, num_players):
    """A puc must bring the contract nearer, and leave time to get rid of two more cards."""
    before = distance(o, at)
    after = distance_with(o, at, face_up(o, at))
    return after < before


@rule
def best_discard(o, at, num_players, mask):
    """Throw what the plan spares, so that most cards still to come would help."""
    plan, unseen = np.empty(PLAN_SIZE, np.int64), np.empty(KINDS, np.int64)
    cards, number = hand(o, at), hand_number(o, at)
    if o[at[section.DOWN]]:
        return dearest(mask)
    count_unseen(o, at, num_players, unseen)
    make_plan(cards, number, plan)
    spare = plan[SPARE]
    best, best_score = NONE, -1e9
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            score = POINTS_WEIGHT * POINTS[kind]
            if spare >> kind & 1:
                score += HELP_WEIGHT * count_live(unseen, plan[kind])
            else:
                score -= DISTANCE_WEIGHT
            if score > best_score:
                best, best_score = kind, score
    return DISCARD + best


@rule
def dearest(mask):
    """The card with the most points."""
    best = NONE
    for kind in range(KINDS):
        if mask[DISCARD + kind] and (best < 0 or POINTS[kind] > POINTS[best]):
            best = kind
    return DISCARD + best


HEURISTICS = {"simple": simple, "strong": strong}
