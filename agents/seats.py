"""One learner's seat in every game of a batch; the other seats are played inside the step.

The one place that decides what a learner is paid and shown, whatever library it learns with. What
the others' moves pay or cost it arrives with the step that led to them, losses included. A game
that ends before the learner ever acts is counted, and the next one is dealt.
"""

from typing import Protocol

import numpy as np

from agents.base import Agent, ask
from envs.core.batch import Batch


class Others(Protocol):
    """Who plays the seats that are not the learner's.

    Attributes:
        learner: int64[B], the learner's seat in each game.
    """

    learner: np.ndarray

    def seat_games(self, games: np.ndarray) -> None:
        """Hand out the seats of these newly dealt games, given by number."""

    def play(
        self, waiting: np.ndarray, batch: Batch, streams: np.ndarray, actions: np.ndarray
    ) -> None:
        """Fill in the actions of the games ``waiting`` (bool[B]), each drawing from its stream."""


class OneRival:
    """The same agent at every seat but the learner's.

    Args:
        agent: who it is.
        players: seats at the table.
        first: int64[B], the learner's seat in the first game of each slot.
        rotate: move the learner on by one seat with every new game.
    """

    def __init__(self, agent: Agent, players: int, first: np.ndarray, rotate: bool):
        self.agent, self.learner = agent, np.array(first, np.int64)
        self._players, self._rotate = players, rotate

    def seat_games(self, games: np.ndarray) -> None:
        if self._rotate:
            self.learner[games] = (self.learner[games] + 1) % self._players

    def play(
        self, waiting: np.ndarray, batch: Batch, streams: np.ndarray, actions: np.ndarray
    ) -> None:
        games = np.flatnonzero(waiting)
        own = streams[games]
        actions[games] = ask(self.agent, batch, own, games)
        streams[games] = own


class LearnerSeats:
    """The learner's side of a batch that deals finished games anew.

    Attributes:
        earned: float64[B], what the latest step paid the learner.
        done: bool[B], games of the learner that ended in it; the batch already shows the next.
        finals: [B, N], where ``done``, the learner's last view.
        final_states: where ``done``, the last record.
        returns, lengths: where ``done``, the game's sum for the learner and its decisions in it.
        owed: float64[B], paid before the learner's first decision of a game; its first step has it.
        unheard: games that ended before the learner ever acted.
        unheard_reward: what they paid the learner, in sum.
    """

    def __init__(self, batch: Batch, others: Others, streams: np.ndarray):
        games = batch.num_games
        self.batch, self.others, self.streams = batch, others, streams
        self.owed = np.zeros(games)
        self.earned, self.done = np.zeros(games), np.zeros(games, np.bool_)
        self.total, self.length = np.zeros(games), np.zeros(games, np.int64)
        self.finals = np.zeros_like(batch.observations)
        self.final_states = batch.states.copy()
        self.returns, self.lengths = np.zeros(games), np.zeros(games, np.int64)
        self.unheard, self.unheard_reward = 0, 0.0
        self._everywhere = np.ones(games, np.bool_)

    def start(self) -> None:
        """Play up to the learner's first decision in every game of a freshly dealt batch."""
        for array in (self.owed, self.earned, self.total, self.length):
            array[:] = 0
        self.done[:] = True
        self._others_move()

    def step(self, actions: np.ndarray) -> None:
        """Play the learner's actions, then the others', up to the learner's next decisions.

        Raises:
            IllegalActionError: some action is not legal; no game has moved.
        """
        self.batch.step(actions)
        self.earned, self.owed = self.owed, np.zeros_like(self.owed)
        self.done = np.zeros_like(self.done)
        self.length += 1
        self._settle()
        self._others_move()
        self.total += np.where(self.done, 0, self.earned)

    def _others_move(self) -> None:
        """Play the others' decisions until the learner is to act in every game."""
        actions = np.zeros(self.batch.num_games, np.int64)
        while (waiting := self.batch.seats != self.others.learner).any():
            self.others.play(waiting, self.batch, self.streams, actions)
            self.batch.step(actions, waiting)
            self._settle()
        empty = np.flatnonzero(~self.batch.action_masks.any(axis=1))
        if len(empty):
            raise RuntimeError(f"the learner has no legal action in games {empty[:5].tolist()}")

    def _settle(self) -> None:
        """Book what the batch's step paid the learner.

        It belongs to the decision before, or, once that game is done, to the first decision of the
        next.
        """
        paid = self.batch.rewards[np.arange(self.batch.num_games), self.others.learner]
        self.earned += np.where(self.done, 0, paid)
        self.owed += np.where(self.done, paid, 0)
        ended = np.flatnonzero(self.batch.dones)
        if len(ended):
            self._close(ended)

    def _close(self, ended: np.ndarray) -> None:
        """Close these games and seat the learner in the next ones."""
        heard = ~self.done[ended]
        unheard = ended[~heard]
        self.unheard += len(unheard)
        self.unheard_reward += float(self.owed[unheard].sum())
        self.owed[unheard] = 0
        games = ended[heard]
        views = self.batch.final_observations[heard, self.others.learner[games]]
        self.finals[games], self.final_states[games] = views, self.batch.final_states[heard]
        self.returns[games] = self.total[games] + self.earned[games]
        self.lengths[games] = self.length[games]
        self.done[games] = True
        self.total[games] = self.length[games] = 0
        self.others.seat_games(ended)
