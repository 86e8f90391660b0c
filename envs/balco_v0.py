"""Balcó, version 0: ``env`` and ``raw_env``."""

from envs.balco import GAME
from envs.core.ordered import constructors

env, raw_env = constructors(GAME)
