"""What can be played: games, options and agents, for the page on which a match is begun."""

from typing import Any

import agents
from agents.human.language import Language
from agents.human.players import meaning
from envs import GAMES
from envs.core.game import Game, Option


def catalogue(language: Language) -> list[dict[str, Any]]:
    """Everything that the first page offers."""
    return [_game(game, language) for game in GAMES.values()]


def _game(game: Game, language: Language) -> dict[str, Any]:
    specs = [spec for spec in agents.specs(game) if " " not in spec]
    return {
        "id": game.env_id,
        "title": game.title,
        "style": game.cards.style,
        "player_counts": list(game.player_counts),
        "default_players": game.default_players,
        "options": [_option(option) for option in game.options],
        "agents": [{"name": spec, "meaning": meaning(game, spec, language)} for spec in specs],
        "best": list(agents.heuristics(game))[-1],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "meaning": option.meaning,
        "default": option.default,
        "choices": list(option.choices),
        "low": option.low,
        "high": option.high,
        "none": option.allow_none,
    }
