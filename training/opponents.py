"""Who else sits at the table during training: past selves and rule agents.

A fixed share of the games is *mixed*: when such a game is dealt, some of its teams are given to an
opponent and at least one stays with the learner. Opponents' decisions are never learnt from.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

import agents
from agents.advice import find_advisor
from agents.policy import PolicyAgent
from envs.core.batch import Batch
from envs.core.game import Config, Game
from training.config import TrainConfig

LEARNER = 0  # in ``owners``; opponent number i is i + 1
Layers = Sequence[np.ndarray]  # weight_0, bias_0, weight_1, … of a policy


class Opponents:
    """The opponents and the seats they hold.

    Attributes:
        labels: the opponents' names; those after the rule agents are past selves.
        owners: int8[games, seats], who decides at each seat (``LEARNER``, or an opponent's number).
        past: the past selves that may play, oldest first.
    """

    def __init__(self, game: Game, config: Config, settings: TrainConfig, rng: np.random.Generator):
        self._settings, self._rng = settings, rng
        rules = list(settings.rule_agents) if settings.rule_share > 0 else []
        self._rules = [agents.load(game, name, **config) for name in rules]
        self.advisor = (
            find_advisor(game, config, settings.advisor, settings.advice)
            if settings.advisor
            else None
        )
        self._active: list[PolicyAgent] = []
        self.labels = [*rules, *(f"past {i + 1}" for i in range(settings.past_active))]
        self.past: list[list[np.ndarray]] = []
        self.seen = 0  # past selves ever added
        self._teams = np.array(game.teams(config))
        self._plan = self._share_out(len(rules))
        self.owners = np.zeros((settings.games, config["num_players"]), np.int8)
        self.seat_games(np.arange(settings.games))

    def _share_out(self, rules: int) -> np.ndarray:
        """int8[games]: the opponent of each mixed game, LEARNER in games of self-play alone."""
        settings = self._settings
        plan = np.zeros(settings.games, np.int8)
        by_rules = round(settings.rule_share * settings.games) if rules else 0
        by_past = round(settings.past_share * settings.games) if settings.past_active else 0
        plan[:by_rules] = 1 + np.arange(by_rules) % max(rules, 1)
        plan[by_rules : by_rules + by_past] = (
            1 + rules + np.arange(by_past) % max(settings.past_active, 1)
        )
        return plan

    def seat_games(self, games: np.ndarray) -> None:
        """Hand out the seats of newly dealt games."""
        present = 1 + len(self._rules) + len(self._active)
        mixed = games[(self._plan[games] != LEARNER) & (self._plan[games] < present)]
        self.owners[games] = LEARNER
        if len(mixed):
            theirs = self._draw_teams(len(mixed))
            self.owners[mixed] = np.where(theirs, self._plan[mixed, None], LEARNER)

    def _draw_teams(self, games: int) -> np.ndarray:
        """bool[games, seats]: the seats of the opponent, never all and never none."""
        teams = self._teams.max() + 1
        theirs = self._rng.random((games, teams)) < (1.0 if self._settings.alone else 0.5)
        learners, opponents = np.argsort(self._rng.random((games, teams)), axis=1)[:, :2].T
        rows = np.arange(games)
        theirs[rows, learners], theirs[rows, opponents] = False, True
        return theirs[:, self._teams]

    def act(self, who: np.ndarray, batch: Batch, streams: np.ndarray, actions: np.ndarray) -> None:
        """Fill in the actions of the games where an opponent is to act; ``who`` is int8[games]."""
        for number, agent in enumerate([*self._rules, *self._active], start=1):
            games = np.flatnonzero(who == number)
            if len(games):
                own = streams[games]
                actions[games] = agents.ask(agent, batch, own, games)
                streams[games] = own

    def add(self, layers: Layers) -> None:
        """Remember a past self; in a full pool every self has had the same chance to stay."""
        self.seen += 1
        self.past.append([np.array(array) for array in layers])
        if len(self.past) > self._settings.past_kept:
            keep = int(self._rng.integers(self.seen))
            self.past.pop(keep if keep < self._settings.past_kept else len(self.past) - 1)

    def choose_active(self) -> None:
        """Draw the past selves that play from now on."""
        if self.past and self._settings.past_active:
            picks = self._rng.integers(len(self.past), size=self._settings.past_active)
            self._active = [self._player(self.past[pick]) for pick in picks]

    def fill(self, layers: Layers) -> None:
        """Let a past self play from now on in all the games meant for one, to measure speed."""
        self.add(layers)
        self.choose_active()
        self.seat_games(np.arange(len(self.owners)))

    def _player(self, layers: Layers) -> PolicyAgent:
        return PolicyAgent("past", layers[0::2], layers[1::2], advisor=self.advisor)

    def arrays(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold."""
        selves = {
            f"past/{i}/{j}": a for i, layers in enumerate(self.past) for j, a in enumerate(layers)
        }
        active = {
            f"active/{i}/{j}": a
            for i, agent in enumerate(self._active)
            for j, a in enumerate(agent.layers)
        }
        return {"owners": self.owners, **selves, **active}

    def counts(self) -> dict[str, Any]:
        """The plain numbers that belong to ``arrays``."""
        return {"past": len(self.past), "active": len(self._active), "seen": self.seen}

    def restore(self, arrays: dict[str, np.ndarray], counts: dict[str, Any]) -> None:
        """Go on from ``arrays`` and ``counts``."""
        self.owners[:] = arrays["owners"]
        self.past = [_gather(arrays, f"past/{i}/") for i in range(counts["past"])]
        self._active = [
            self._player(_gather(arrays, f"active/{i}/")) for i in range(counts["active"])
        ]
        self.seen = counts["seen"]


def _gather(arrays: dict[str, np.ndarray], prefix: str) -> list[np.ndarray]:
    return [arrays[f"{prefix}{j}"] for j in range(sum(name.startswith(prefix) for name in arrays))]
