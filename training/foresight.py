"""Pay a hand when it ends, not when the match does: what it changed in the scores' outlook.

A match of many hands pays once, at its end, and hands that went well or badly drown in the luck of
the others. The search knows what scores promise (``agents.search_guide``): every seat's expected
reward beyond what was paid. Here each step is paid what it changes in that promise, besides its own
reward. The sum over a match is the same but for the promise of its start, which no play can change,
so the best policy stays the best (potential-based shaping, Ng, Harada and Russell 1999).
"""

from collections.abc import Callable

import numpy as np

from agents.search_guide import guide_of
from envs.core.batch import Batch
from envs.core.jit import bind

outlook = None  # the name that ``bind`` supplies


def _promises(states, scores, out):
    """out[k, seat] of every game; nothing where it is over."""
    for k in range(states.shape[0]):
        out[k, :] = 0
        if not states[k].over:
            outlook(states[k], False, scores, out[k])


class Foresight:
    """Rewards of a batch with what the steps change in the outlook.

    Attributes:
        promised: float64[B, P], what every game promises as it stands.
    """

    def __init__(self, batch: Batch):
        guide = guide_of(batch.game)
        self._batch = batch
        self._loop: Callable = bind(_promises, {"outlook": guide.outlook}, batch.game.name)
        self._scores = guide.scores(batch.config)
        self.promised = self._look()

    def _look(self) -> np.ndarray:
        """float64[B, P]: the promise of every game as it stands."""
        out = np.zeros((len(self._batch), self._batch.num_players))
        self._loop(self._batch.game.plain(self._batch.states), self._scores, out)
        return out

    def rewards(self) -> np.ndarray:
        """float32[B, P] of the latest step; a game that ended promises nothing more."""
        before, self.promised = self.promised, self._look()
        after = np.where(self._batch.dones[:, None], 0, self.promised)
        return (self._batch.rewards + after - before).astype(np.float32)

    def refresh(self) -> None:
        """Look at the games anew, after they were loaded."""
        self.promised = self._look()
