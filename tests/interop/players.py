"""Players whose moves a test knows."""

import numpy as np

import agents
from envs.core.game import Game


class Always:
    """A player of one action."""

    name = "always"

    def __init__(self, action: int):
        self.action = action

    def act_batch(self, observations, masks, rngs):
        return np.full(len(observations), self.action)


class Recorder:
    """Plays at random and writes down what it played."""

    name = "recorder"

    def __init__(self, game: Game, num_players: int | None = None):
        self.agent = agents.load(game, "random", num_players)
        self.played: list[int] = []

    def act_batch(self, observations, masks, rngs):
        actions = self.agent.act_batch(observations, masks, rngs)
        self.played += actions.tolist()
        return actions
