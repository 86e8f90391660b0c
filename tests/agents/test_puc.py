"""The Puc planner against a brute force, and the heuristics at play."""

import numpy as np
import pytest

import agents
from agents.puc_planner import HELP, PLAN_SIZE, SPARE, make_plan
from envs import Batch
from envs.puc.melds import CONTRACT_RUNS, CONTRACT_TRIOS, JOKER, KINDS, MELD_KINDS, RUN, TRIO

TRIOS = MELD_KINDS[: RUN - TRIO].tolist()
RUNS = MELD_KINDS[RUN - TRIO :].tolist()


def fewest_missing(hand, trios, runs, enough=99, first=0):
    """Try every list of melds in order; a natural card may be missing, a joker may not."""
    if trios + runs == 0:
        return 0
    melds = TRIOS if trios else RUNS
    for index in range(first, len(melds)):
        kinds = [kind for kind in melds[index] if kind >= 0]
        used = []
        for kind in kinds:
            if hand[kind] > 0:
                hand[kind] -= 1
                used.append(kind)
        missing = len(kinds) - len(used)
        if used and missing < enough and (JOKER not in kinds or JOKER in used):
            rest = (trios - 1, runs) if trios else (0, runs - 1)
            start = index if rest[0] or not trios else 0
            enough = min(enough, missing + fewest_missing(hand, *rest, enough - missing, start))
        for kind in used:
            hand[kind] += 1
    return enough


def random_hand(rng, size, jokers):
    """Cards of one or two suits and few ranks, three packs: plans overlap and compete for cards."""
    suits, low, width = rng.permutation(4)[: rng.integers(1, 3)], rng.integers(13), 9
    pack = np.repeat([int(s) * 13 + (int(low) + r) % 13 for s in suits for r in range(width)], 3)
    hand = np.bincount(rng.permutation(pack)[: size - jokers], minlength=KINDS)
    hand[JOKER] = jokers
    return hand.astype(np.int16)


@pytest.mark.parametrize("number", range(1, 8))
def test_the_plan_is_the_nearest_and_names_what_helps_and_what_is_spare(number):
    rng = np.random.default_rng(number)
    trios, runs = int(CONTRACT_TRIOS[number]), int(CONTRACT_RUNS[number])
    plan, other = np.zeros(PLAN_SIZE, np.int64), np.zeros(PLAN_SIZE, np.int64)
    for _ in range(40):
        hand = random_hand(rng, 3 * trios + 4 * runs + int(rng.integers(3)), int(rng.integers(4)))
        distance = make_plan(hand, number, plan)
        assert distance == fewest_missing(hand.tolist(), trios, runs)
        for kind in range(KINDS):
            hand[kind] += 1
            assert (make_plan(hand, number, other) < distance) == bool(plan[HELP] >> kind & 1)
            hand[kind] -= 1
            if plan[SPARE] >> kind & 1:
                hand[kind] -= 1
                assert make_plan(hand, number, other) == distance
                hand[kind] += 1


@pytest.mark.parametrize("number", range(1, 8))
def test_a_complete_hand_lacks_nothing(number):
    rng = np.random.default_rng(number)
    plan = np.zeros(PLAN_SIZE, np.int64)
    for _ in range(50):
        hand = np.zeros(KINDS, np.int16)
        for kinds, count in ((TRIOS, CONTRACT_TRIOS[number]), (RUNS, CONTRACT_RUNS[number])):
            for index in rng.integers(0, len(kinds), count):
                for kind in kinds[index]:
                    hand[kind] += kind >= 0
        assert make_plan(hand, number, plan) == 0


def share_of_firsts(one, others, matches=96):
    """How often one player among four comes first, in fair shares; its seat goes round."""
    batch = Batch("puc_v0", matches, seed=1, threads=1, autoreset=False)
    mine = np.arange(matches) % 4
    players = [agents.load("puc_v0", one), agents.load("puc_v0", others)]
    streams = [agents.streams(k, matches) for k in range(2)]
    while not batch.states["over"].all():
        choices = [
            player.act_batch(batch.observations, batch.action_masks, stream)
            for player, stream in zip(players, streams, strict=True)
        ]
        batch.step(np.where(batch.seats == mine, *choices))
    scores = batch.states["score"][:, :4]
    best = scores == scores.min(1, keepdims=True)
    assert not batch.states["truncated"].any()
    return 4 * (best / best.sum(1, keepdims=True))[np.arange(matches), mine].mean()


def test_strong_beats_simple_and_simple_beats_random():
    assert share_of_firsts("strong", "simple") > 1.5
    assert share_of_firsts("simple", "random") > 3
