"""Truc, version 0: ``env`` and ``raw_env``."""

from envs.core.ordered import constructors
from envs.truc import GAME

env, raw_env = constructors(GAME)
