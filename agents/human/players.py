"""What the agents are, for people who choose among them or play against them."""

import agents
from agents import baselines
from agents.human.language import Language
from agents.search import Spec, is_search, parse
from envs.core.game import Game

RULE_PLAYERS = ("random", "simple", "strong")  # those that every game has


def meaning(game: Game, spec: str, language: Language) -> str:
    """An agent's text explained: ``ismcts:50ms`` thinks ahead for so long.

    Args:
        game: what is played.
        spec: as for ``agents.load``, which understands it.
        language: of the answer.
    """
    if is_search(spec):
        return _search(parse(spec, list(agents.heuristics(game))), language)
    if spec == baselines.NAME:
        players = ", ".join(map(str, baselines.player_counts(game)))
        what = language.text("agent_baseline")
        return language.text("agent_baseline_for", what=what, players=players)
    if spec in agents.heuristics(game):
        return language.text(f"agent_{spec if spec in RULE_PLAYERS else 'rules'}")
    return language.text("agent_path")


def _search(spec: Spec, language: Language) -> str:
    key = "budget_ms" if spec.timed else f"budget_{spec.method}"
    budget = language.count(key, spec.budget)
    what = language.text(f"agent_{spec.method}", budget=budget)
    if not spec.player:
        return what
    return language.text("agent_playouts", what=what, player=spec.player)
