import numpy as np
import pytest

from training.statistics import points, variance_reduction, win_rate


def test_independent_yes_no_blocks_give_wilsons_own_interval():
    """40 of 100, one match a block: the textbook interval, within what n - 1 for n changes."""
    interval = win_rate(np.repeat([1.0, 0.0], [40, 60]))
    assert interval.estimate == 0.4
    assert (interval.low, interval.high) == pytest.approx((0.3094, 0.4980), abs=1e-3)


def test_blocks_that_cancel_narrow_the_interval_and_agreeing_ones_widen_it():
    matches = np.repeat([1.0, 0.0], 200)
    apart = win_rate(matches)
    cancelling = win_rate(np.array([0.5] * 190 + [1.0, 0.0] * 5))  # 400 matches in 200 blocks
    agreeing = win_rate(np.repeat([1.0, 0.0], 100))
    assert cancelling.high - cancelling.low < apart.high - apart.low < agreeing.high - agreeing.low


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_an_end_that_was_reached_in_every_block_is_not_certain(share):
    interval = win_rate(np.full(50, share))
    assert interval.estimate == share
    assert interval.covers(share)
    assert 0.05 < interval.high - interval.low < 0.1  # 3.84 / 53.84


def test_blocks_that_all_have_the_same_share_count_as_one_trial_each():
    """25 of 50, the textbook interval: four blocks of 1/2 do not show that all are."""
    interval = win_rate(np.full(50, 0.5))
    assert (interval.low, interval.high) == pytest.approx((0.3664, 0.6336), abs=1e-4)
    assert win_rate(np.full(4, 0.5)).high > 0.8


def test_equal_points_are_one_value():
    assert points(np.zeros(20)).low == points(np.zeros(20)).high == 0.0


def test_points_interval_repeats_with_its_seed_and_covers_the_mean():
    scores = np.random.default_rng(3).exponential(size=200)
    assert points(scores, seed=1) == points(scores, seed=1)
    interval = points(scores, seed=1)
    normal = 1.96 * scores.std(ddof=1) / np.sqrt(200)
    assert interval.covers(interval.estimate)
    assert interval.high - interval.low == pytest.approx(2 * normal, rel=0.15)
    assert (
        interval.high - interval.estimate > interval.estimate - interval.low
    )  # skewed to the right


def test_variance_reduction_of_matches_that_cancel_in_part():
    rng = np.random.default_rng(5)
    luck, noise = rng.normal(size=(4000, 1)), rng.normal(size=(4000, 2))
    matches = luck * [1, -1] + noise  # variance 2 a match; 1 without the luck
    assert variance_reduction(matches) == pytest.approx(2.0, rel=0.1)
    assert variance_reduction(rng.normal(size=(4000, 2))) == pytest.approx(1.0, rel=0.1)
    assert variance_reduction(np.zeros((5, 2))) is None
