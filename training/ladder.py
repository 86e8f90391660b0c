"""The ladder of a game: the agents that come with it, rated in one tournament.

The kept reports in ``training/reports/ladder`` are the README's table (``training.docs``).
"""

from pathlib import Path

import agents
from agents.storage import write_bytes
from envs import find_game
from envs.core.game import Config, Game
from training.tournament import REPORT, TournamentReport, read_report

RUNGS = ("random", "simple", "strong", "ismcts:100", "ismcts:1000", "baseline")
REPORTS = Path(__file__).resolve().parent / "reports" / "ladder"

# Deals for each pairing, and for those in which an agent searches. A block of default matches takes
# ismcts:1000 from a tenth of a second of one core (4 Duros, Poker builder) to five minutes (Puc).
BLOCKS = {
    "truc_v0": (1000, 200),
    "puc_v0": (100, 4),
    "balco_v0": (1000, 40),
    "quatre_duros_v0": (2000, 100),
    "poker_builder_v0": (1000, 400),
}
USUAL_BLOCKS = (400, 40)  # of any other game


def rungs(game: Game, config: Config) -> tuple[str, ...]:
    """Those of ``RUNGS`` that can play this game, and its other heuristics."""
    heuristics = [name for name in agents.heuristics(game) if name not in RUNGS]
    return (*(name for name in RUNGS if _plays(game, config, name)), *heuristics)


def _plays(game: Game, config: Config, spec: str) -> bool:
    try:
        agents.load(game, spec, **config)
    except (ValueError, FileNotFoundError):
        return False
    return True


def stem(game: Game, config: Config) -> str:
    """A table's name for files: ``puc_v0-4``, and with a rule option ``puc_v0-4-only_hand=1``."""
    return "-".join([game.env_id, str(config["num_players"]), *option_texts(game, config)])


def option_texts(game: Game, config: Config) -> list[str]:
    """The options that differ from the defaults, as the command line takes them."""
    return [f"{name}={value}" for name, value in game.changes(config).items()]


def keep(report: TournamentReport, folder: Path) -> Path:
    """Copy the report of a tournament's folder to where the README's table is made from."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    kept = REPORTS / f"{stem(find_game(report.env_id), report.config)}.json"
    write_bytes(kept, (folder / REPORT).read_bytes())
    return kept


def kept_reports() -> list[TournamentReport]:
    """All that were kept, in the order of their names; default rules before others."""
    return [read_report(path) for path in sorted(REPORTS.glob("*.json"), key=lambda p: p.stem)]


def command(report: TournamentReport) -> str:
    """The command that makes a report again."""
    names = " ".join(standing.agent for standing in report.standings[::-1])
    players, game = report.config["num_players"], find_game(report.env_id)
    options = (f" --option {text}" for text in option_texts(game, report.config))
    return (
        f"naips ladder {game.name} {names} --num-players {players} --blocks {report.blocks} "
        f"--search-blocks {report.search_blocks} --seed {report.seed}{''.join(options)}"
    )
