"""Make the agents that come with the project: train them, measure them, write down what they are.

    python -m training.baselines truc_v0                      make baselines: every one
    python -m training.baselines balco_v0 --num-players 2

Training follows the profile ``baseline`` and goes on where it was interrupted. Then the policy
plays deals that no training saw, against every rule player and a search, and its weights, its card
and its learning curve are copied to ``agents/baselines``. How far a player who studies it can
exploit it takes a training run of its own: ``naips exploit GAME baseline --card``.
"""

import json
import sys
from pathlib import Path
from typing import Any

import agents
from agents import baselines
from agents.baselines import stem
from agents.policy import find_policy
from agents.storage import read_arrays, write_arrays, write_bytes
from envs import GAMES, find_game
from envs.core.game import Game
from training.config import settings
from training.evaluate import Matchup, evaluate
from training.progress import CURVE
from training.reporting import rounded
from training.runs import train_fully

RUNS = Path("runs") / "baselines"
SEARCH = "ismcts:1000"

# The tables for which there is a baseline, with the number of deals to measure it on: against rule
# players, and against the search, which takes minutes for each hundred matches.
TABLES: dict[tuple[str, int], tuple[int, int]] = {
    ("truc_v0", 4): (2000, 100),
    ("puc_v0", 4): (6000, 8),
    ("balco_v0", 2): (2000, 150),
    ("balco_v0", 4): (2000, 25),
    ("quatre_duros_v0", 5): (2000, 250),
    ("poker_builder_v0", 2): (2000, 100),
}


def make(game: Game, num_players: int, root: Path = RUNS) -> Path:
    """Train, measure and write the baseline of a table; returns its file."""
    config = settings(game, "baseline", num_players=num_players)
    run = root / stem(game, num_players)
    checkpoint = train_fully(game, config, run)
    figures = measure(game, num_players, checkpoint)
    return ship(game, num_players, run, checkpoint, figures)


def measure(game: Game, num_players: int, checkpoint: Path) -> dict[str, Any]:
    """Matches won against each rule player and the search, with 95 % intervals over deals."""
    blocks, search_blocks = TABLES[game.env_id, num_players]
    results: dict[str, Any] = {}
    for opponent in (*agents.heuristics(game), SEARCH):
        deals = search_blocks if opponent == SEARCH else blocks
        report = evaluate(
            game, str(checkpoint), opponent, deals, seed=0, num_players=num_players, processes=2
        )
        results[opponent] = _figures(report.matchups[0], deals)
        print(f"{stem(game, num_players)} against {opponent}: {results[opponent]['win_rate']}")
    return {"par": report.fair_share, "seed": 0, "against": results}


def _figures(matchup: Matchup, deals: int) -> dict[str, Any]:
    won, points = matchup.win_rate, matchup.points
    return rounded(
        {
            "blocks": deals,
            "win_rate": [won.estimate, won.low, won.high],
            "points": [points.estimate, points.low, points.high],
            "illegal": matchup.illegal,
        }
    )


def ship(
    game: Game, num_players: int, run: Path, checkpoint: Path, figures: dict[str, Any]
) -> Path:
    """Copy weights, card and learning curve to where ``agents.load`` finds them."""
    arrays, card = read_arrays(find_policy(checkpoint))
    card["figures"] = {
        "minutes": round(card["figures"]["seconds"] / 60, 1),
        "probes": card["figures"]["probes"],
        "evaluation": figures,
    }
    card["limits"] = limits(game, num_players, card)
    card["training"]["command"] = (
        f"python -m training.baselines {game.env_id} --num-players {num_players}"
    )
    target = baselines.FOLDER / f"{stem(game, num_players)}.safetensors"
    write_arrays(target, arrays, card)
    write_bytes(target.with_suffix(".json"), (json.dumps(card, indent=2) + "\n").encode())
    write_bytes(target.with_suffix(".png"), (run / CURVE).read_bytes())
    return target


def limits(game: Game, num_players: int, card: dict[str, Any]) -> str:
    """What the agent cannot do, in words."""
    said = [
        f"Plays {game.title} with {num_players} players; other numbers are refused.",
        "Trained for the default rules alone: under other options it plays as if they were the "
        "default, and where they change what is seen it is refused.",
        f"Draws its actions at temperature {card['temperature']}, so it is not deterministic.",
    ]
    if card.get("advisor"):
        name = card["advisor"]["agent"]
        said.append(
            f"Asks the rule player {name!r} at every decision and may overrule it; what {name!r} "
            "does not see it sees only as far as the network learnt it."
        )
    trained = ", ".join(dict.fromkeys(card["training"]["settings"]["rule_agents"]))
    said.append(
        f"Played {trained} in training, so its results against these say less than those against "
        "others."
    )
    said.append(
        "How far a player who studies it can exploit it stands under exploitability, if at all."
    )
    return " ".join(said)


def main(games: tuple[str, ...] = (), /, num_players: int | None = None) -> None:
    """Train, measure and write baselines.

    Args:
        games: which; all that there are unless given.
        num_players: only for this number of players.
    """
    wanted = [find_game(name).env_id for name in games] or list(GAMES)
    for env_id, players in TABLES:
        if env_id in wanted and num_players in (None, players):
            print(f"written: {make(find_game(env_id), players)}")


if __name__ == "__main__":
    import tyro

    try:
        tyro.cli(main)
    except KeyboardInterrupt:
        sys.exit(130)
