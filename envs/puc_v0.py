"""Puc, version 0: ``env`` and ``raw_env``."""

from envs.core.aec import constructors
from envs.puc import GAME

env, raw_env = constructors(GAME)
