"""Agents as OpenSpiel's policies, for its bots and for its exact measures of exploitability.

game = pyspiel.load_game("python_naips_truc", SMALL["truc"])
ours = AgentPolicy(game, agents.load("truc_v0", "strong", hands=1))
exploitability.nash_conv(game, ours)
"""

from typing import Any

import numpy as np

from agents.base import Agent, ask, streams
from envs.core.batch import Batch
from envs.interop.openspiel import NaipsGame, NaipsState

from open_spiel.python.policy import Policy  # isort: skip  # after the check that it is there

DRAWS = 1024


class AgentPolicy(Policy):
    """The distribution of an agent's decisions.

    An agent answers with an action, so it is asked several times at each information state, every
    time with a random stream of its own, and the frequencies are its policy: exact for one without
    chance, and within ``draws ** -0.5`` of a probability else.

    Args:
        game: a game of ``envs.interop.openspiel``.
        agent: made for the same game and options.
        draws: how often it is asked.
        seed: of its chance.
    """

    def __init__(self, game: NaipsGame, agent: Agent, draws: int = DRAWS, seed: int = 0):
        super().__init__(game, list(range(game.num_players())))
        rules = game.rules
        self.agent = agent
        self._batch = Batch(rules.game, draws, autoreset=False, threads=1, **rules.config)
        self._streams = streams(seed, draws)
        self._known: dict[tuple[int, str], dict[int, float]] = {}

    def action_probabilities(
        self, state: NaipsState, player_id: int | None = None
    ) -> dict[int, float]:
        """Action -> probability, of the legal actions."""
        position = state.position
        what = position.turn, position.knowledge(position.turn)
        if what not in self._known:
            self._known[what] = self._frequencies(position.record)
        return self._known[what]

    def _frequencies(self, record: Any) -> dict[int, float]:
        self._batch.states[:] = record
        self._batch.refresh()
        actions = ask(self.agent, self._batch, self._streams.copy())
        counts = np.bincount(actions, minlength=self._batch.num_actions) / len(actions)
        return {int(a): float(counts[a]) for a in np.flatnonzero(self._batch.action_masks[0])}
