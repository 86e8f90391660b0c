"""Ratings recover strengths that are known."""

import numpy as np
import pytest

from training import ratings
from training.ratings import rate

TRUE = np.array([-350.0, -50.0, 100.0, 300.0])  # mean zero
PAIRS = [(row, column) for row in range(4) for column in range(row + 1, 4)]
SHARES = np.array([1 / (1 + 10 ** ((TRUE[column] - TRUE[row]) / 400)) for row, column in PAIRS])


def results(seed, blocks):
    """Yes-or-no blocks of players with the true ratings, float[B] of each pair."""
    return (np.random.default_rng(seed).random((blocks, len(PAIRS))) < SHARES).T.astype(float)


def test_exact_results_give_the_exact_ratings():
    rated = rate(PAIRS, np.tile(SHARES[:, None], 10_000), agents=4)
    assert [r.estimate for r in rated] == pytest.approx(TRUE, abs=1)


def test_intervals_cover_known_strengths_as_often_as_they_promise(monkeypatch):
    monkeypatch.setattr(ratings, "RESAMPLES", 300)  # enough for this, and quick
    covered = 0
    for seed in range(100):
        rated = rate(PAIRS, results(seed, blocks=150), agents=4, seed=seed)
        covered += sum(r.covers(true) for r, true in zip(rated, TRUE, strict=True))
        assert sorted(range(4), key=lambda agent: rated[agent].estimate) == [0, 1, 2, 3]
    assert 365 <= covered <= 393  # of 400, at 95 % 380


def test_odds_of_ten_to_one_are_four_hundred_points():
    upper, lower = rate([(0, 1)], [np.full(10_000, 10 / 11)], agents=2)
    assert upper.estimate - lower.estimate == pytest.approx(400, abs=1)


def test_who_has_always_won_is_not_certain_by_how_much():
    winner, loser = rate([(0, 1)], [np.ones(100)], agents=2)
    assert winner.estimate == -loser.estimate > 400
    assert winner.high - winner.low > 200
    more, _ = rate([(0, 1)], [np.ones(1000)], agents=2)
    assert more.low > winner.low


def test_equal_results_are_equal_ratings():
    rated = rate(PAIRS, np.full((len(PAIRS), 50), 0.5), agents=4)
    assert [r.estimate for r in rated] == pytest.approx([0] * 4, abs=1e-3)


def test_the_same_seed_gives_the_same_intervals():
    assert rate(PAIRS, results(1, 50), 4, seed=3) == rate(PAIRS, results(1, 50), 4, seed=3)
    assert rate(PAIRS, results(1, 50), 4, seed=3) != rate(PAIRS, results(1, 50), 4, seed=4)


def test_a_pair_may_have_played_fewer_of_the_deals():
    all_deals = results(1, 2000)
    fewer = [*all_deals[:-1], all_deals[-1][:20]]
    first, second = rate(PAIRS, all_deals, 4), rate(PAIRS, fewer, 4)
    for agent in range(4):
        assert second[agent].covers(TRUE[agent])
    assert second[3].high - second[3].low > first[3].high - first[3].low


def test_who_sits_alone_at_a_large_table_is_rated_by_first_places():
    """Of four seats the stronger takes 10 / 13 alone, and the weaker 1 / 31: ten to one both."""
    pairs, shares = [(0, 1), (1, 0)], [np.full(10_000, 10 / 13), np.full(10_000, 1 / 31)]
    stronger, weaker = rate(pairs, shares, agents=2, sides=4)
    assert stronger.estimate - weaker.estimate == pytest.approx(400, abs=1)
    fair = rate(pairs, [np.full(100, 1 / 4)] * 2, agents=2, sides=4)
    assert [r.estimate for r in fair] == pytest.approx([0, 0], abs=1e-3)
