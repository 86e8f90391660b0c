"""A quick measurement of strength: matches of one agent against another, seats shared evenly."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from agents import Agent, streams
from envs import Batch
from envs.core.game import Config, Game
from training.config import TrainConfig
from training.selfplay import wins

_SEED = 0x9B0BE  # deals of the probes; the same in every run, so that curves can be compared


@dataclass(frozen=True)
class Probe:
    """What came out: matches, the share won, and the mean total reward of a seat of ours."""

    matches: int
    won: float
    total: float

    @property
    def margin(self) -> float:
        """Half the 95 % interval of ``won``."""
        return 1.96 * (max(self.won * (1 - self.won), 1e-9) / self.matches) ** 0.5


def play_matches(
    game: Game, config: Config, ours: Agent, theirs: Agent, matches: int, seed: int
) -> Probe:
    """Play ``matches`` games to their end, each in a slot of its own, so that long games count too.

    In game k one team is ours, team k modulo their number; the others are theirs.
    """
    batch = Batch(game, matches, seed=seed, skip_forced=True, autoreset=False, **config)
    teams = np.array(game.teams(config))
    mine = teams == np.arange(matches)[:, None] % (teams.max() + 1)
    rngs = streams(seed, matches)
    totals = np.zeros(mine.shape)
    actions = np.zeros(matches, np.int64)
    going = ~batch.states["over"]
    while going.any():
        turn = mine[np.arange(matches), batch.seats]
        for agent, rows in ((ours, going & turn), (theirs, going & ~turn)):
            own = rngs[rows]
            actions[rows] = agent.act_batch(batch.observations[rows], batch.action_masks[rows], own)
            rngs[rows] = own
        batch.step(actions)
        totals += batch.rewards
        going = ~batch.states["over"]
    share = mine.sum(axis=1)
    won = (wins(totals) * mine).sum(axis=1) / share
    return Probe(matches, float(won.mean()), float(((totals * mine).sum(axis=1) / share).mean()))


def probe(game: Game, settings: TrainConfig, ours: Agent) -> dict[str, dict[str, Any]]:
    """Matches by the rules the policy will be judged by, against each of the rule agents."""
    rules = game.configure(settings.num_players, **settings.options)
    results = {}
    for name in settings.rule_agents:
        theirs = agents.load(game, name, **rules)
        result = play_matches(game, rules, ours, theirs, settings.probe_games, _SEED)
        results[name] = {"matches": result.matches, "won": result.won, "return": result.total}
    return results
