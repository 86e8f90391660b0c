"""Advice: what a rule player would do, as further inputs of a trained policy.

A rule player may know what a small network learns slowly or never: the best meld of Puc, what the
next cards of an auction are worth. Its choice stands behind the observation, one place per action,
and raises that action's logit, so that learning begins at the rule player's strength and says where
it is wrong. The advice is drawn from the observation alone, like everything else a policy sees.
"""

from typing import Any

import numpy as np

from agents import heuristics
from agents.base import CompiledAgent, Observer
from envs.core.game import Config, Game, unknown


class Advisor:
    """Extends observations by the choice of a rule player.

    Args:
        agent: who advises.
        weight: what the advice adds to the logit of the advised action.
    """

    def __init__(self, agent: Observer, weight: float):
        self.agent, self.weight = agent, float(weight)

    def extend(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """[B, N + A] of observations [B, N] and masks bool[B, A]; streams uint64[B] move on."""
        rows, actions = action_masks.shape
        extended = np.zeros((rows, observations.shape[1] + actions), observations.dtype)
        extended[:, :-actions] = observations
        chosen = self.agent.act_batch(observations, action_masks, rngs)
        asked = np.flatnonzero(chosen >= 0)
        extended[asked, observations.shape[1] + chosen[asked]] = 1
        return extended

    def card(self) -> dict[str, Any]:
        """What a checkpoint says about it; see ``find_advisor``."""
        return {"agent": self.agent.name, "weight": self.weight}


def find_advisor(game: Game, config: Config, name: str, weight: float) -> Advisor:
    """The advisor of that name, one of the game's rule players.

    Raises:
        ValueError: no such rule player.
    """
    known = heuristics(game)
    if name not in known:
        raise ValueError(unknown("advisor", name, list(known), game.title))
    return Advisor(CompiledAgent(game, config, name, known[name]), weight)
