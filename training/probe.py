"""A quick measurement of strength during training: a few duplicate blocks against rule agents."""

from typing import Any

import agents
from agents import Agent
from envs.core.game import Game
from training.config import TrainConfig
from training.evaluate import play_blocks, scores_of

_SEED = 0x9B0BE  # deals of the probes; the same in every run, so that curves can be compared


def probe(game: Game, settings: TrainConfig, ours: Agent) -> dict[str, dict[str, Any]]:
    """Matches by the rules the policy will be judged by, against each of the rule agents.

    Returns:
        Name of the rule agent -> ``matches``, the share ``won``, the mean ``return`` of our seats.
    """
    rules = game.configure(settings.num_players, **settings.options)
    teams = game.teams(rules)
    blocks = max(1, settings.probe_games // (max(teams) + 1))
    results = {}
    for name in settings.rule_agents:
        theirs = agents.load(game, name, **rules)
        played = play_blocks(game, rules, (ours, theirs), _SEED, 0, blocks)
        scores, shares = scores_of(played.rewards, teams)
        results[name] = {
            "matches": scores.size,
            "won": float(shares.mean()),
            "return": float(scores.mean()),
        }
    return results
