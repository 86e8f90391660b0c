"""Poker builder, version 0: ``env`` and ``raw_env``."""

from envs.core.ordered import constructors
from envs.poker_builder import GAME

env, raw_env = constructors(GAME)
