"""Self-play: one shared network plays every learning seat of a batch of games.

Every seat's decisions form a trajectory of their own. What is paid on other seats' turns goes to
the seat's latest decision, truncation counts as an end, and a decision whose outcome is still open
when a rollout ends is carried into the next one, so that none is lost and none is guessed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from agents import streams
from envs import Batch
from envs.core.game import Game
from training.checkpoint import batch_arrays, load_batch
from training.config import TrainConfig
from training.foresight import Foresight
from training.kernels import OPEN, Workers, advantages, draw_rows, link_rows, pay_rows
from training.opponents import LEARNER, Opponents

# Observations of the seats to act, for an all-seeing critic those of every seat, and masks ->
# float32[n, A + 1], logits and the value of each.
Network = Callable[[np.ndarray, np.ndarray | None, np.ndarray], np.ndarray]

_STREAMS = 0x5E1F  # separates the players' chance from the deals of the same seed


@dataclass
class Tally:
    """Results of finished games, from the learner's side of the table."""

    games: int = 0
    won: float = 0.0
    total: float = 0.0

    def add(self, won: np.ndarray, totals: np.ndarray) -> None:
        self.games += len(won)
        self.won += float(won.sum())
        self.total += float(totals.sum())


@dataclass
class Rollout:
    """Rows of decisions; only those in ``ready`` have a known outcome and are learnt from.

    observations [R, N] (with an advisor [R, N + A]), everyone [R, P * N] or None, masks [R, A],
    actions, log_probs, values, advantages and targets [R]; ready int64[≤ R]; tallies by opponent.
    """

    observations: np.ndarray
    everyone: np.ndarray | None
    masks: np.ndarray
    actions: np.ndarray
    log_probs: np.ndarray
    values: np.ndarray
    advantages: np.ndarray
    targets: np.ndarray
    ready: np.ndarray
    games: int = 0
    unheard: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)


class SelfPlay:
    """Plays the batch and keeps the decisions of the learning seats."""

    def __init__(
        self, game: Game, settings: TrainConfig, rng: np.random.Generator, workers: Workers
    ):
        self.settings, self._workers = settings, workers
        self.batch = Batch(
            game, settings.games, seed=settings.seed, num_players=settings.num_players,
            threads=min(settings.threads, settings.games), skip_forced=settings.skip_forced,
            **settings.all_training_options,
        )  # fmt: skip
        self.opponents = Opponents(game, self.batch.config, settings, rng)
        self._foresight = Foresight(self.batch) if settings.by_hand else None
        self.streams = streams(settings.seed ^ _STREAMS, settings.games)
        self._allocate()

    def _allocate(self) -> None:
        batch, games, seats = self.batch, self.settings.games, self.batch.num_players
        rows = games * (self.settings.rollout + seats)
        inputs = batch.layout.size + (batch.num_actions if self.opponents.advisor else 0)
        self._latest = np.full((games, seats), -1, np.int64)
        self._totals = np.zeros((games, seats), np.float32)
        self._rows = 0
        self._observations = np.zeros((rows, inputs), batch.layout.dtype)
        all_seeing = self.settings.critic == "all_seeing"
        self._everyone = (
            np.zeros((rows, seats * batch.layout.size), batch.layout.dtype) if all_seeing else None
        )
        self._masks = np.zeros((rows, batch.num_actions), np.bool_)
        self._actions = np.zeros(rows, np.int64)
        self._log_probs, self._values, self._rewards, self._advantages = np.zeros(
            (4, rows), np.float32
        )
        self._following = np.zeros(rows, np.int64)

    def collect(self, network: Network) -> Rollout:
        """Play ``rollout`` decisions in every game."""
        self._carry()
        self._tallies: dict[str, Tally] = {}
        self._games = self._unheard = 0
        for _ in range(self.settings.rollout):
            self._play_one(network)
        rows = self._rows
        values, gains = self._values[:rows], self._advantages[:rows]
        advantages(rows, values, self._rewards, self._following, self.settings.trace, gains)
        return Rollout(
            self._observations[:rows],
            None if self._everyone is None else self._everyone[:rows],
            self._masks[:rows],
            self._actions[:rows],
            self._log_probs[:rows],
            values,
            gains,
            values + gains,
            np.flatnonzero(self._following[:rows] != OPEN),
            self._games,
            self._unheard,
            self._tallies,
        )

    def _play_one(self, network: Network) -> None:
        """One decision in every game."""
        batch, owners = self.batch, self.opponents.owners
        who = owners[np.arange(len(batch)), batch.seats]
        mine = np.flatnonzero(who == LEARNER)
        actions = np.empty(len(batch), np.int64)
        actions[mine] = self._decide(network, mine)
        self.opponents.act(who, batch, self.streams, actions)
        batch.step(actions)
        self._unheard += pay_rows(
            batch.rewards, self._worth(), batch.dones, self.settings.reward_scale, owners,
            self._latest, self._following, self._rewards, self._totals,
        )  # fmt: skip
        ended = np.flatnonzero(batch.dones)
        if len(ended):
            self._count(ended)
            self._totals[ended] = 0
            self.opponents.seat_games(ended)

    def _worth(self) -> np.ndarray:
        """float32[games, seats]: what the latest step is to the learner."""
        batch, bonus = self.batch, self.settings.win_bonus
        worth = batch.rewards if self._foresight is None else self._foresight.rewards()
        ended = np.flatnonzero(batch.dones)
        if not bonus or not len(ended):
            return worth
        won = wins(self._totals[ended] + batch.rewards[ended])
        worth = worth.copy()
        worth[ended] += bonus * (won - won.mean(axis=1, keepdims=True))
        return worth

    def _decide(self, network: Network, mine: np.ndarray) -> np.ndarray:
        """Draw the learner's actions in the games ``mine`` and keep them as new rows."""
        batch, first = self.batch, self._rows
        rows = slice(first, first + len(mine))
        np.take(batch.action_masks, mine, axis=0, out=self._masks[rows], mode="clip")
        self._observe(mine, self._observations[rows], self._masks[rows])
        everyone = None
        if self._everyone is not None:
            everyone = self._everyone[rows]
            everyone[:] = around_the_table(batch.observe_all()[mine], batch.seats[mine])
        outputs = network(self._observations[rows], everyone, self._masks[rows])
        self._values[rows] = outputs[:, -1]
        self._workers.run(
            draw_rows, len(mine), outputs, self._masks[rows], mine, self.streams,
            self._actions[rows], self._log_probs[rows],
        )  # fmt: skip
        link_rows(mine, batch.seats, first, self._latest, self._following, self._rewards)
        self._rows += len(mine)
        return self._actions[rows]

    def _observe(self, mine: np.ndarray, out: np.ndarray, masks: np.ndarray) -> None:
        """What the policy sees in the games ``mine``: observations, and advice behind them."""
        advisor = self.opponents.advisor
        if advisor is None:
            np.take(self.batch.observations, mine, axis=0, out=out, mode="clip")
        else:
            own = self.streams[mine]
            out[:] = advisor.extend(self.batch.observations[mine], masks, own)
            self.streams[mine] = own

    def _carry(self) -> None:
        """Move the open rows to the front and forget the others."""
        open_rows = np.sort(self._latest[self._latest >= 0])
        count = len(open_rows)
        for array in self._row_arrays().values():
            array[:count] = array[open_rows]
        self._latest[self._latest >= 0] = np.searchsorted(
            open_rows, self._latest[self._latest >= 0]
        )
        self._rows = count

    def _count(self, ended: np.ndarray) -> None:
        """Keep the results of the mixed games that ended."""
        self._games += len(ended)
        owners, totals = self.opponents.owners[ended], self._totals[ended]
        won = wins(totals)
        for number in np.unique(owners[owners != LEARNER]):
            against = (owners == number).any(axis=1)
            mine = owners[against] == LEARNER
            tally = self._tallies.setdefault(self.opponents.labels[number - 1], Tally())
            share = mine.sum(axis=1)
            tally.add(
                (won[against] * mine).sum(axis=1) / share,
                (totals[against] * mine).sum(axis=1) / share,
            )

    def _row_arrays(self) -> dict[str, np.ndarray]:
        arrays = {
            "observations": self._observations,
            "masks": self._masks,
            "actions": self._actions,
            "log_probs": self._log_probs,
            "values": self._values,
            "rewards": self._rewards,
            "following": self._following,
        }
        return arrays if self._everyone is None else {**arrays, "everyone": self._everyone}

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is needed to go on identically, beside the opponents' part."""
        self._carry()
        rows = {f"rows/{name}": array[: self._rows] for name, array in self._row_arrays().items()}
        return {
            **batch_arrays(self.batch),
            "streams": self.streams,
            "latest": self._latest,
            "totals": self._totals,
            **rows,
        }

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from ``arrays``."""
        load_batch(self.batch, arrays)
        if self._foresight is not None:
            self._foresight.refresh()
        self.streams[:], self._latest[:] = arrays["streams"], arrays["latest"]
        self._totals[:] = arrays["totals"]
        self._rows = len(arrays["rows/actions"])
        for name, array in self._row_arrays().items():
            array[: self._rows] = arrays[f"rows/{name}"]


def around_the_table(observations: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """[B, P * N] from [B, P, N]: every seat's view, beginning with the seat to act."""
    games, players, _ = observations.shape
    order = (seats[:, None] + np.arange(players)) % players
    return observations[np.arange(games)[:, None], order].reshape(games, -1)


def wins(totals: np.ndarray) -> np.ndarray:
    """float64[games, seats]: 1 for the seats with the highest total, unless all have the same."""
    top = totals.max(axis=1, keepdims=True)
    return np.where(totals.min(axis=1, keepdims=True) == top, 0.5, totals == top)
