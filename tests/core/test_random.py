"""The random streams of the games."""

import math
from collections import Counter

import numpy as np
import pytest

from envs import game_seed
from envs.core import random
from envs.core.batch import Batch
from tests.toys.kuhn import GAME


def records(n: int = 1) -> np.recarray:
    return GAME.new_states(n, GAME.configure())


# The first outputs of SplitMix64 for seed 1234567, as its author's reference code gives them;
# output n is the finaliser of seed + n · golden ratio.
SPLITMIX64 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_mix_is_splitmix64() -> None:
    state, golden = 1234567, 0x9E3779B97F4A7C15
    found = [int(random.mix(np.uint64((state + n * golden) % 2**64))) for n in range(5)]
    assert found == SPLITMIX64


def is_uniform(counts: Counter, values: int) -> bool:
    """χ² against equal frequencies, within five standard deviations."""
    expected = counts.total() / values
    chi2 = sum((counts[value] - expected) ** 2 / expected for value in range(values))
    return abs(chi2 - (values - 1)) < 5 * math.sqrt(2 * (values - 1))


@pytest.mark.parametrize("n", [2, 3, 7, 40, 64])
def test_draws_are_uniform(n: int) -> None:
    state = GAME.plain(records())[0]
    counts = Counter(int(random.draw_below(state, n)) for _ in range(400 * n))
    assert set(counts) <= set(range(n))
    assert is_uniform(counts, n)


def test_unit_draws_lie_in_the_unit_interval_and_are_uniform() -> None:
    state = GAME.plain(records())[0]
    draws = [float(random.draw_unit(state)) for _ in range(5000)]
    assert min(draws) >= 0
    assert max(draws) < 1
    assert is_uniform(Counter(int(20 * draw) for draw in draws), 20)


def test_scale_reaches_both_ends() -> None:
    assert random.scale(np.uint64(0), 6) == 0
    assert random.scale(np.uint64(2**64 - 1), 6) == 5
    assert random.scale(np.uint64(2**63), 2) == 1


def test_shuffles_are_uniform_over_permutations() -> None:
    orders = {}
    counts: Counter = Counter()
    for stream in range(24 * 100):
        cards = np.arange(4, dtype=np.int8)
        random.shuffle(cards, 4, np.uint64(random.mix(np.uint64(stream))))
        counts[orders.setdefault(tuple(cards.tolist()), len(orders))] += 1
    assert len(orders) == 24
    assert is_uniform(counts, 24)


def test_shuffle_leaves_the_rest_alone() -> None:
    cards = np.arange(10, dtype=np.int8)
    random.shuffle(cards, 4, np.uint64(3))
    assert sorted(cards[:4]) == [0, 1, 2, 3]
    assert cards[4:].tolist() == [4, 5, 6, 7, 8, 9]


def test_the_deck_of_a_hand_does_not_depend_on_draws() -> None:
    states = records()
    states["rng"][0, 0] = 99
    state = GAME.plain(states)[0]
    before = [int(random.deck_stream(state, hand)) for hand in range(5)]
    for _ in range(17):
        random.draw_below(state, 3)
    assert [int(random.deck_stream(state, hand)) for hand in range(5)] == before
    assert len(set(before)) == 5


def test_reseeding_replaces_key_and_count() -> None:
    states = records()
    state = GAME.plain(states)[0]
    states["rng"][0] = 99, 5
    random.reseed(state, np.uint64(1))
    one = states["rng"][0].tolist()
    states["rng"][0] = 77, 3
    random.reseed(state, np.uint64(1))
    assert states["rng"][0].tolist() == one
    assert one[0] not in (99, 77)
    assert one[1] == 0


def test_games_of_batches_have_seeds_of_their_own() -> None:
    seeds = {game_seed(seed, game) for seed in range(20) for game in range(200)}
    assert len(seeds) == 4000
    assert all(0 <= seed < 2**63 for seed in seeds)
    keys = Batch(GAME, 50, seed=1).keys.tolist() + Batch(GAME, 50, seed=2).keys.tolist()
    assert len(set(keys)) == 100


def test_the_keys_of_a_slot_follow_each_other() -> None:
    key = random.key_from_seed(7)
    keys = {int(key)}
    for _ in range(1000):
        key = random.key_after(key)
        keys.add(int(key))
    assert len(keys) == 1001
    assert random.key_from_seed(-1) == random.key_from_seed(2**64 - 1)
