"""4 Duros, version 0: ``env`` and ``raw_env``."""

from envs.core.ordered import constructors
from envs.quatre_duros import GAME

env, raw_env = constructors(GAME)
