"""Ratings: one number for each agent out of who came first, on the scale of Elo.

The model is Plackett and Luce's: of the agents at a table, one of strength a comes first with
probability a / (sum of all strengths); with two sides that is Bradley and Terry's. 400 points are
odds of ten to one between two, and the mean of all agents is zero. ``choix`` finds the strengths of
greatest likelihood for all results at once, so that their order means nothing.

At tables of more than two sides every match is taken apart into comparisons of its winner with each
loser, which gives consistent estimates of the same strengths. Who sits there with the same agent in
all other seats compares with nobody but that agent, so that an agent whose rating is r higher comes
first there with odds of 10^(r / 400) to the number of the others.

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
    pairs: Sequence[tuple[int, int]],
    shares: Sequence[np.ndarray],
    agents: int,
    sides: int = 2,
    seed: int = 0,
) -> list[Interval]:
    """Rating and 95 % interval of each agent.

    Args:
        pairs: (row, column) of each pairing, numbers of agents.
        shares: float[B] of each pairing, the share of the block's matches that the row won alone
            against the column in all other seats; block b is the same deal in all of them.
        agents: how many there are.
        sides: seats or teams at a table.
        seed: of the bootstrap.
    """
    prior = np.full((agents, agents), PRIOR)
    best = _strengths(pairs, shares, [np.ones(len(own)) for own in shares], sides, prior, None)
    rng = np.random.default_rng(seed)
    resampled = []
    for _ in range(RESAMPLES):
        draws = _draw(sorted({len(own) for own in shares}), rng)
        weights = [draws[: len(own)] for own in shares]
        prior = rng.gamma(PRIOR, size=(agents, agents))
        resampled.append(_strengths(pairs, shares, weights, sides, prior, best))
    low, high = np.quantile(ELO * np.array(resampled), [0.025, 0.975], axis=0)
    return [Interval(*map(float, three)) for three in zip(ELO * best, low, high, strict=True)]


def _draw(sizes: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    """How often each block is drawn, so that the first n are n draws for every n of ``sizes``."""
    parts = np.diff([0, *sizes])
    return np.concatenate([rng.multinomial(part, np.full(part, 1 / part)) for part in parts])


def _strengths(
    pairs: Sequence[tuple[int, int]],
    shares: Sequence[np.ndarray],
    weights: Sequence[np.ndarray],
    sides: int,
    prior: np.ndarray,
    start: np.ndarray | None,
) -> np.ndarray:
    """Log strengths, of mean zero; ``prior`` float[agents, agents], wins before any match."""
    wins = prior.copy()
    for (row, column), own, weight in zip(pairs, shares, weights, strict=True):
        won = float(weight @ own)
        wins[row, column] += won * (sides - 1)  # ahead of every other seat
        wins[column, row] += weight.sum() - won  # another seat was ahead of the row's
    return choix.ilsr_pairwise_dense(
        wins, initial_params=start, max_iter=_ITERATIONS, tol=_TOLERANCE
    )
