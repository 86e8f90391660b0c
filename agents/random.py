"""Uniformly random legal play."""

import numpy as np

from envs.core.jit import rule
from envs.core.random import scale


@rule
def nth_legal(mask, n):
    """The n-th legal action, counted from zero."""
    for action in range(mask.shape[0]):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return -1


@rule
def uniform(observation, mask, at, num_players, bits):
    """Any legal action with equal chance."""
    return nth_legal(mask, scale(bits, np.sum(mask)))
