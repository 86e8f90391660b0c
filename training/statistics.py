"""Intervals for what an evaluation measures; the unit is always the duplicate block.

A block is one deal played once per team rotation. Its matches share their cards, so they are not
independent, and a formula that counts matches would be wrong by as much as the deals matter. Blocks
are independent: every function here takes one value per block.
"""

from dataclasses import dataclass

import numpy as np

Z_95 = 1.959963984540054  # the normal quantile of a two-sided 95 % interval
RESAMPLES = 9999
_BATCH_ELEMENTS = 4_000_000  # numbers that a bootstrap holds in memory at a time


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % confidence interval."""

    estimate: float
    low: float
    high: float

    def covers(self, value: float) -> bool:
        """Whether the interval holds the value."""
        return self.low <= value <= self.high


def win_rate(shares: np.ndarray) -> Interval:
    """The mean of block win shares with a Wilson score interval.

    Wilson's interval is made for independent yes-or-no trials. Block shares are neither: they take
    several values (0, 1/2, 1 with two teams) and vary less than matches drawn apart would. So the
    number of trials is the *effective* one, that in which independent matches would estimate the
    rate as precisely as the blocks do: n = p(1 - p) / (s² / B), s² the variance of the B shares.
    What remains is Wilson's shape: inside [0, 1], and sensible near the ends.

    Where the blocks show no variance, s² says nothing, and each block counts as one trial: the
    cautious choice, since it held several.

    Args:
        shares: float[B], the share of the block's matches that were won, a tie for first place
            counting as its part.
    """
    blocks = len(shares)
    p = float(np.mean(shares))
    spread = p * (1 - p)
    variance = float(np.var(shares, ddof=1)) if blocks > 1 else spread
    trials = blocks * spread / variance if variance > 0 else blocks
    z2 = Z_95**2 / trials
    centre = (p + z2 / 2) / (1 + z2)
    half = np.sqrt(z2 * (spread + z2 / 4)) / (1 + z2)
    return Interval(p, max(0.0, float(centre - half)), min(1.0, float(centre + half)))


def points(scores: np.ndarray, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """The mean of block scores with a bootstrap interval, bias-corrected and accelerated (BCa).

    Args:
        scores: float[B], the points of each block.
        seed: of the resampling; the same seed gives the same interval.
        resamples: bootstrap samples.
    """
    from scipy import stats

    mean = float(np.mean(scores))
    if np.ptp(scores) == 0:
        return Interval(mean, mean, mean)
    interval = stats.bootstrap(
        (scores,),
        np.mean,
        n_resamples=resamples,
        batch=max(1, _BATCH_ELEMENTS // len(scores)),
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(mean, float(interval.low), float(interval.high))


def variance_reduction(matches: np.ndarray) -> float | None:
    """By what factor duplicate blocks shrink the variance of the mean, against separate deals.

    Args:
        matches: float[B, R], the score of each match, a row for each block of R matches.

    Returns:
        Variance of the mean of B·R matches if they were independent, over that of the blocks'
        mean; None if the blocks do not vary.
    """
    blocks, rotations = matches.shape
    between = float(np.var(matches.mean(axis=1), ddof=1)) if blocks > 1 else 0.0
    if between == 0:
        return None
    return float(np.var(matches, ddof=1)) / rotations / between
