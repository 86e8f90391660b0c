"""Ratings: one number for each agent out of who finished ahead of whom, on the scale of Elo.

The model is Bradley and Terry's: an agent of strength a finishes ahead of one of strength b with
probability a / (a + b); 400 points are odds of ten to one, and the mean of all agents is zero.
``choix`` finds the strengths of greatest likelihood for all results at once, so that their order
means nothing.

At tables of more than two sides each match is a ranking, and it is taken apart into comparisons of
the agent under test with every other seat. Plackett and Luce's model of rankings says the same of
such pairs as Bradley and Terry's, so the strengths are consistent estimates of its own.

An agent that has always won would be infinitely strong: every pair starts with half a win for each
side. The intervals come from a bootstrap over deals, which all pairs share; one that played fewer
played the first of them. In it that half is drawn from the gamma distribution with mean one half,
so that a pair that was never lost gets the interval of Jeffreys' prior and not one of no width.
"""

from collections.abc import Sequence

import choix
import numpy as np

from training.statistics import Interval

ELO = 400 / np.log(10)  # points for a factor of e in strength
PRIOR = 0.5  # wins for each side of a pair, before any match
RESAMPLES = 1000
_ITERATIONS = 10_000
_TOLERANCE = 1e-6  # of log strengths; far below what is printed


def rate(
    pairs: Sequence[tuple[int, int]], ahead: Sequence[np.ndarray], agents: int, seed: int = 0
) -> list[Interval]:
    """Rating and 95 % interval of each agent.

    Args:
        pairs: (row, column) of each pairing, numbers of agents.
        ahead: float[B] of each pairing, the share of the column's seats that the row finished
            ahead of in each block; block b is the same deal in all of them.
        agents: how many there are.
        seed: of the bootstrap.
    """
    prior = np.full((agents, agents), PRIOR)
    best = _strengths(pairs, ahead, [np.ones(len(shares)) for shares in ahead], prior, None)
    rng = np.random.default_rng(seed)
    resampled = []
    for _ in range(RESAMPLES):
        draws = _draw(sorted({len(shares) for shares in ahead}), rng)
        weights = [draws[: len(shares)] for shares in ahead]
        prior = rng.gamma(PRIOR, size=(agents, agents))
        resampled.append(_strengths(pairs, ahead, weights, prior, best))
    low, high = np.quantile(ELO * np.array(resampled), [0.025, 0.975], axis=0)
    return [Interval(*map(float, three)) for three in zip(ELO * best, low, high, strict=True)]


def _draw(sizes: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    """How often each block is drawn, so that the first n are n draws for every n of ``sizes``."""
    parts = np.diff([0, *sizes])
    return np.concatenate([rng.multinomial(part, np.full(part, 1 / part)) for part in parts])


def _strengths(
    pairs: Sequence[tuple[int, int]],
    ahead: Sequence[np.ndarray],
    weights: Sequence[np.ndarray],
    prior: np.ndarray,
    start: np.ndarray | None,
) -> np.ndarray:
    """Log strengths, of mean zero; ``prior`` float[agents, agents], wins before any match."""
    wins = prior.copy()
    for (row, column), shares, weight in zip(pairs, ahead, weights, strict=True):
        won = float(weight @ shares)
        wins[row, column] += won
        wins[column, row] += weight.sum() - won
    return choix.ilsr_pairwise_dense(
        wins, initial_params=start, max_iter=_ITERATIONS, tol=_TOLERANCE
    )
