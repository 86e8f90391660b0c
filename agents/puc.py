"""Puc heuristics: ``simple`` (greedy towards the contract) and ``strong`` (an exact plan).

They see observation and mask only. The order of the advice is the order of the code.
"""

import numpy as np

from agents.puc_planner import PLAN_SIZE, SPARE, make_plan
from envs.core.jit import rule
from envs.puc import observation as section
from envs.puc.melds import (
    ADD,
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
    RUN_LOWS,
    RUN_SIZE,
    TAKE,
    TRIO,
    kind_at,
    meld_size,
    rank_count,
)

KEPT_JOKER = 100  # points for which a joker would be laid
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
def lay_off(mask):
    """Lay whatever can be laid: whole melds first, then single cards, jokers last of all.

    A joker fits everywhere and can wait; the card that is kept to be thrown is what fits nowhere.
    """
    best = NONE
    for meld in range(TRIO, ADD):
        if mask[meld] and (best < 0 or meld_worth(meld) > meld_worth(best)):
            best = meld
    if best < 0:
        best = first_legal(mask, REPLACE, JOKER_LOW)
    if best < 0:
        best = first_legal(mask, EXTEND, EXTEND_JOKER)
    if best < 0:
        best = first_legal(mask, ADD, EXTEND)
    if best < 0:
        best = first_legal(mask, EXTEND_JOKER, REPLACE)
    return best


@rule
def first_legal(mask, first, stop):
    """The first legal action in a range of ids, or NONE."""
    for action in range(first, stop):
        if mask[action]:
            return action
    return NONE


@rule
def meld_worth(meld):
    """Points that a meld takes out of the hand; one without a joker keeps it for later."""
    worth = 0
    for i in range(meld_size(meld)):
        kind = MELD_KINDS[meld - TRIO, i]
        worth += -KEPT_JOKER if kind == JOKER else POINTS[kind]
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
    lay = lay_off(mask)
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
    for low in range(1, RUN_LOWS + 1):
        others, inside = 0, False
        for position in range(low, low + RUN_SIZE):
            here = kind_at(suit, position)
            inside |= here == kind
            others += here != kind and cards[here] > 0
        if inside:
            most = max(most, others)
    return most


# Strong. The weights were found by play against itself: the plan comes first by far, and a puc that
# brings the contract nearer is worth its two extra cards at almost any time.

DISTANCE_WEIGHT = 100.0
HELP_WEIGHT = 3.0  # for each unseen card that would help
POINTS_WEIGHT = 0.6
FEED_WEIGHT = 0.5
LOST_DISTANCE, LOST_CARDS = 3, 1  # so far from the contract, another seat so near to closing
PAIR_WEIGHT = 4.0  # points that a twin in rank is worth to a seat that is down
JOKER_WEIGHT = 30.0  # points that a joker is worth to it


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
    lay = lay_off(mask)
    if lay >= 0:
        return lay
    if o[at[section.DOWN]]:
        return discard_when_down(o, at, mask)
    return discard_by_plan(o, at, num_players, mask)


@rule
def distance(o, at):
    """Cards that my contract lacks."""
    return make_plan(hand(o, at), hand_number(o, at), np.empty(PLAN_SIZE, np.int64))


@rule
def brings_nearer(o, at):
    """Take the face-up card exactly when the contract lacks one card less with it.

    Any other card of the table is worse than a stock card, which may be a joker.
    """
    cards, card = hand(o, at), face_up(o, at)
    before = distance(o, at)
    cards[card] += 1
    after = distance(o, at)
    cards[card] -= 1
    return after < before


@rule
def worth_a_puc(o, at, num_players):
    """A puc must bring the contract nearer, and there must be hope of laying it down."""
    return brings_nearer(o, at) and not lost(o, at, num_players, distance(o, at) - 1)


@rule
def lost(o, at, num_players, missing):
    """Another seat is about to close and the contract is far: only the points count now."""
    return missing >= LOST_DISTANCE and fewest_cards_down(o, at, num_players) <= LOST_CARDS


@rule
def discard_by_plan(o, at, num_players, mask):
    """Throw what the plan spares, so that as many cards as possible still to come would help.

    Cards that lie in the pile or in melds cannot come and do not count. Among equals: dear cards
    go first, and cards that a neighbour seems to collect go last. A joker always helps, so it is
    never spare while the contract lacks a card; it goes only with a lost hand.
    """
    plan, unseen = np.empty(PLAN_SIZE, np.int64), np.empty(KINDS, np.int64)
    if lost(o, at, num_players, make_plan(hand(o, at), hand_number(o, at), plan)):
        return dearest(mask)
    count_unseen(o, at, num_players, unseen)
    best, best_score = NONE, 0.0
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            score = POINTS_WEIGHT * POINTS[kind] - FEED_WEIGHT * feeds(o, at, num_players, kind)
            if plan[SPARE] >> kind & 1:
                score += HELP_WEIGHT * count_live(unseen, plan[kind])
            else:
                score -= DISTANCE_WEIGHT
            if best < 0 or score > best_score:
                best, best_score = kind, score
    return DISCARD + best


@rule
def feeds(o, at, num_players, kind):
    """Known cards of seats not yet down that go with a card; the next seat weighs most."""
    number, total, weight = hand_number(o, at), 0.0, 1.0
    for seat in range(1, num_players):
        if not o[at[section.DOWN] + seat]:
            known = at[section.KNOWN] + seat * KINDS
            total += weight * fit(o[known : known + KINDS], kind, number)
            weight *= 0.7
    return total


@rule
def dearest(mask):
    """The card with the most points."""
    best = NONE
    for kind in range(KINDS):
        if mask[DISCARD + kind] and (best < 0 or POINTS[kind] > POINTS[best]):
            best = kind
    return DISCARD + best


@rule
def discard_when_down(o, at, mask):
    """Nothing more can be laid now: throw dear cards, keep pairs, and a joker for the next turn."""
    cards = hand(o, at)
    best, best_score = NONE, 0.0
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            score = 1.0 * POINTS[kind]
            if kind == JOKER:
                score -= JOKER_WEIGHT
            else:
                score -= PAIR_WEIGHT * (rank_count(cards, kind % RANKS) - 1)
            if best < 0 or score > best_score:
                best, best_score = kind, score
    return DISCARD + best


HEURISTICS = {"simple": simple, "strong": strong}
