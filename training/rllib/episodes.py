"""Self-play as RLlib reads it: one episode for each seat and stretch of play.

An episode of T steps has T + 1 views: the seat's decisions, and where it stood at the end. Rewards
that arrived on others' turns are those of the seat's latest decision. Where the stretch ends before
the match the last view is the seat's next decision, from which RLlib's advantages go on with the
value; that decision's outcome is open, so it opens the seat's next episode. Where the match is over
nothing follows, and the last view, which no value is asked of, is the last decision's own.
"""

from collections.abc import Callable

import numpy as np
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

from envs.core.jit import rule
from training.kernels import TERMINAL
from training.rllib.module import MASK, OBSERVATION
from training.selfplay import Network, Rollout, SelfPlay

SHARED = "shared"  # the one policy of all seats


@rule
def chain_rows(following, order, ends):
    """Write the rows seat by seat, a last one twice where the game ended with it.

    Returns how many chains there are; chain c of ``order`` ends before ends[c].
    """
    rows = following.shape[0]
    led_to = np.zeros(rows, np.bool_)
    for row in range(rows):
        if following[row] >= 0:
            led_to[following[row]] = True
    count, chains = 0, 0
    for row in range(rows):
        if led_to[row]:
            continue
        at = row
        while at >= 0:
            order[count] = at
            count += 1
            after = following[at]
            if after == TERMINAL:
                order[count] = at
                count += 1
            at = after
        ends[chains] = count
        chains += 1
    return chains


# Observations [n, N] and masks bool[n, A] of the seats to act -> float32[n, A], masked logits.
Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Table(SelfPlay):
    """Self-play that also keeps what RLlib wants to know of every decision."""

    def _allocate(self) -> None:
        super()._allocate()
        rows = len(self._actions)
        self._logits = np.zeros((rows, self.batch.num_actions), np.float32)
        self._seats = np.zeros(rows, np.int8)

    def play(self, policy: Policy) -> Rollout:
        """Play ``rollout`` decisions in every game; no values are asked for."""
        self._policy = policy
        return self.collect(self._ask)

    def _ask(self, seen: np.ndarray, everyone: np.ndarray | None, masks: np.ndarray) -> np.ndarray:
        rows = slice(self._rows, self._rows + len(seen))
        self._logits[rows] = self._policy(seen, masks)
        return np.pad(self._logits[rows], ((0, 0), (0, 1)))  # a column for the value

    def _decide(self, network: Network, mine: np.ndarray) -> np.ndarray:
        self._seats[self._rows : self._rows + len(mine)] = self.batch.seats[mine]
        return super()._decide(network, mine)

    def _row_arrays(self) -> dict[str, np.ndarray]:
        return {**super()._row_arrays(), "logits": self._logits, "seats": self._seats}

    def episodes(self, rollout: Rollout, name: str) -> list[SingleAgentEpisode]:
        """The decisions of the latest ``collect`` whose outcome is known; ``name`` is unique."""
        rows = self._rows
        order, ends = np.empty(2 * rows, np.int64), np.empty(rows, np.int64)
        following = self._following[:rows]
        ends = ends[: chain_rows(following, order, ends)]
        order = order[: ends[-1] if len(ends) else 0]
        over = following[order] == TERMINAL
        columns = {
            "observations": rollout.observations[order],
            "masks": rollout.masks[order],
            "actions": rollout.actions[order],
            "rewards": self._rewards[order],
            "log_probs": rollout.log_probs[order],
            "logits": self._logits[order],
        }
        seats = self._seats[order]
        starts = [0, *ends[:-1].tolist()]
        return [
            _episode(columns, lo, hi, bool(over[hi - 1]), int(seats[lo]), f"{name}-{lo}")
            for lo, hi in zip(starts, ends.tolist(), strict=True)
            if hi - lo > 1
        ]


def _episode(
    columns: dict[str, np.ndarray], lo: int, hi: int, over: bool, seat: int, name: str
) -> SingleAgentEpisode:
    """Views lo … hi - 1 of one seat, and the decisions at all of them but the last."""

    def steps(column: str) -> InfiniteLookbackBuffer:
        return InfiniteLookbackBuffer(columns[column][lo : hi - 1])

    views = {OBSERVATION: columns["observations"][lo:hi], MASK: columns["masks"][lo:hi]}
    return SingleAgentEpisode(
        name,
        observations=InfiniteLookbackBuffer(views),
        actions=steps("actions"),
        rewards=steps("rewards"),
        extra_model_outputs={
            Columns.ACTION_LOGP: steps("log_probs"),
            Columns.ACTION_DIST_INPUTS: steps("logits"),
        },
        terminated=over,
        len_lookback_buffer=0,
        agent_id=f"player_{seat}",
        module_id=SHARED,
        multi_agent_episode_id=name,
    )
