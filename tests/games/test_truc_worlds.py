"""Drawing what a seat cannot see anew: the same view, all cards, every world equally often."""

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from envs import truc_v0
from envs.core.loops import compile_loops
from envs.truc import GAME
from tests.games.reference_truc import PACK, level
from tests.games.truc_scoresheet import deal, play, record, seen

SETS = (
    {},
    {"num_players": 6, "signals": "open_hands", "reveal_envit": True},
    {"num_players": 8, "signals": "risky", "signal_catch": 0.5, "twos": "none"},
    {"signals": "partner", "first_tie": "three_tricks", "answer": "both_most_willing"},
)
TYING = ("3O 6O 4O", "3C 5C 4C", "7B 5E 4E", "10B 5B 4B")  # the 3s tie, then all stack


def worlds(env, seat, count):
    """Zones of drawn worlds."""
    loops, states = compile_loops(GAME), env.unwrapped.states
    for stream in range(count):
        drawn = states.copy().view(np.recarray)
        loops.resample_one(GAME.plain(drawn), seat, np.uint64(stream))
        yield GAME.zones(drawn[0])


def assert_uniform(counts, cells, shares=None):
    """χ² of the counts, at most five standard deviations above its mean."""
    total = sum(counts.values())
    shares = shares or dict.fromkeys(cells, 1 / len(cells))
    assert set(counts) <= set(shares)
    chi2 = sum((counts[c] - total * shares[c]) ** 2 / (total * shares[c]) for c in shares)
    freedom = len(shares) - 1
    assert chi2 < freedom + 5 * (2 * freedom) ** 0.5, (chi2, freedom)


@pytest.mark.parametrize("options", SETS)
def test_a_drawn_world_looks_the_same_and_keeps_the_cards(options):
    env = truc_v0.env(**options)
    pack = sorted(PACK[c] for c in GAME.pack(env.unwrapped.config))
    rng = random.Random(5)
    env.reset(seed=11)
    for decision in range(180):
        raw = env.unwrapped
        if record(env).over:
            env.reset()
        if decision % 6 == 0:
            for agent in rng.sample(raw.possible_agents, 3):
                other = raw.determinize(agent, rng.randrange(10**9))
                for key, array in raw.observe(agent).items():
                    assert np.array_equal(array, other.observe(agent)[key])
                seat = int(agent[-1])
                assert raw.table(seat) == other.table(seat)
                assert sorted(c for zone in other.zones().values() for c in zone) == pack
        actions = np.flatnonzero(raw.last()[4]["action_mask"]).tolist()
        env.step(rng.choices(actions, [0.02 if a in (49, 50) else 1 for a in actions])[0])


def test_a_drawn_world_plays_on_with_the_same_rules():
    env = play(deal(*TYING), "p0 3O", "p1 3C", "p2 7B", "p3 10B", "p0 6O", "p1 5C")
    other = env.unwrapped.determinize("player_2", 3)
    while not other.states[0].over:
        other.step(int(np.flatnonzero(other.last()[4]["action_mask"])[0]))


def fits_under(card, top):
    """T3: lower, or equal with the higher id."""
    return (level(card, 4), PACK.index(card)) > (level(top, 4), PACK.index(top))


def test_every_world_under_the_stacks_is_equally_likely():
    env = deal("3O 6O 4O", "3C 6C 4C", "7B 5E 4E", "10B 5B 4B")
    play(env, "p0 3O", "p1 3C", "p2 7B", "p3 10B", "p0 6O", "p1 6C", "p2 5E", "p3 5B")
    zones = env.unwrapped.zones()
    unknown = [*zones["under_0"], *zones["under_1"], *zones["under_3"], *zones["stock"]]
    possible = {
        world
        for world in permutations(unknown, 3)
        if all(map(fits_under, world, ("6O", "6C", "5B")))
    }
    # Under 5B one of the three 4s p2 does not hold; under 6C and 6O also 5O, 5C, 6E or 6B.
    assert len(possible) == 3 * 6 * 5
    drawn = Counter(
        (z["under_0"][0], z["under_1"][0], z["under_3"][0]) for z in worlds(env, 2, 2500)
    )
    assert_uniform(drawn, possible)


def test_a_stack_and_open_hands_together():
    """p2 has not stacked yet: p1 sees p0's stack and two cards of p2 and of p3 it does not know."""
    env = play(deal(*TYING), "p0 3O", "p1 3C", "p2 7B", "p3 10B", "p0 6O", "p1 5C")
    zones = env.unwrapped.zones()
    unknown = [*zones["under_0"], *zones["hand_2"], *zones["hand_3"], *zones["stock"]]
    below = [card for card in unknown if fits_under(card, "6O")]
    drawn = list(worlds(env, 1, 1500))
    assert all(z["under_1"] == zones["under_1"] for z in drawn)
    assert_uniform(Counter(z["under_0"][0] for z in drawn), below)
    rest = Counter(card for z in drawn for card in (*z["hand_2"], *z["hand_3"]))
    # A card that fits under the stack lies there with 1 / len(below), else with equal chance in
    # any other place; each of the four open places holds it with the remaining share.
    others = len(unknown) - 1
    shares = {c: (1 - (c in below) / len(below)) / others for c in unknown}
    assert_uniform(rest, unknown, shares)


def test_before_the_first_card_all_unknown_cards_are_equally_likely_anywhere():
    env = deal()
    mine = env.unwrapped.zones()["hand_0"]
    unknown = [card for card in PACK if card not in mine]
    drawn = list(worlds(env, 0, 1000))
    assert all(z["hand_0"] == mine for z in drawn)
    for place in ("hand_1", "hand_2", "hand_3"):
        assert_uniform(Counter(card for z in drawn for card in z[place]), unknown)
    assert_uniform(Counter(z["stock"][0] for z in drawn), unknown)


def test_open_hands_keeps_the_partners_cards():
    env = deal(signals="open_hands")
    zones = env.unwrapped.zones()
    for world in worlds(env, 0, 20):
        assert world["hand_2"] == zones["hand_2"]
    assert len({tuple(world["hand_1"]) for world in worlds(env, 0, 20)}) > 10


def test_shown_hidden_cards_stay():
    env = deal("3O 12O 6C", "3C 12E 7C", "4E 5O 4C", "5B 6B 4B", hands=1)
    play(env, "p0 3O", "p1 3C", "p2 4E", "p3 5B", "p0 12O", "p1 12E", "p2 5O", "p3 6B")
    play(env, "p2 passo", "p3 passo")
    for world in worlds(env, 2, 20):
        assert (world["under_0"], world["under_1"], world["under_2"]) == (["6C"], ["7C"], ["4C"])


def test_the_next_deal_is_another():
    env = deal()
    other = env.unwrapped.determinize("player_0", 9)
    for match in (env, other):
        match.step(env.unwrapped.parse_action("me'n vaig"))
    assert env.unwrapped.zones() != other.zones()


def test_an_unseen_signal_is_not_in_the_drawn_world():
    env = play(deal(signals="partner"), "p0 senya amo")
    for seat, known in ((0, 1), (1, 0), (2, 1), (3, 0)):
        other = env.unwrapped.determinize(f"player_{seat}", 4)
        row = other.decode(other.observe("player_2"))["talk"][0, 2]  # p2 listens to p0
        assert row[1] == known


def test_who_else_caught_a_risky_signal_is_drawn():
    env = deal(signals="risky", signal_catch=0.5)
    play(env, "p0 senya amo")
    caught = 0
    for seed in range(200):
        other = env.unwrapped.determinize("player_0", seed)
        assert other.decode(other.observe("player_2"))["talk"][0, 2, 1] == 1  # the partner, always
        caught += int(other.decode(other.observe("player_1"))["talk"][0, 3, 1])
    assert 65 < caught < 135
    assert seen(env, 0, "talk")[0, 0, 1] == 1
