"""Nim as a stranger would write it: an AEC environment without any of this engine's hooks.

Eleven matches, the seats take one to three in turn, who takes the last one wins.
"""

import numpy as np
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv

MATCHES, MOST = 11, 3


class Nim(AECEnv):
    metadata = {"name": "nim_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    shows_masks_to_all = False

    def __init__(self, render_mode=None):
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        self._action_space = spaces.Discrete(MOST)
        mask = spaces.Box(0, 1, (MOST,), np.int8)
        left = spaces.Box(0, MATCHES, (1,), np.int8)
        self._space = spaces.Dict({"observation": left, "action_mask": mask})

    def observation_space(self, agent):
        return self._space

    def action_space(self, agent):
        return self._action_space

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.left = MATCHES
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        mask = np.zeros(MOST, np.int8)
        if agent == self.agent_selection or self.shows_masks_to_all:
            mask[: self.left] = 1
        return {"observation": np.array([self.left], np.int8), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.left -= action + 1
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        if self.left == 0:
            self.rewards = {agent: 1, other: -1}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._accumulate_rewards()


class OpenNim(Nim):
    """It shows the waiting seat what the other may do."""

    shows_masks_to_all = True


env, open_env = Nim, OpenNim
