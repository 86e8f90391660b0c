"""The generated tables of README.md: ``python -m training.docs`` writes them anew.

Each stands between ``<!-- name -->`` and ``<!-- /name -->``. With ``--check`` nothing is written
and the exit code says whether they are up to date.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import agents
from agents.baselines import FOLDER, player_counts
from envs import GAMES
from envs.core.aec import GameEnv
from envs.core.game import Game
from training import ladder as ladders
from training.baselines import SEARCH
from training.exploit import gain_text
from training.reporting import percent
from training.statistics import Interval
from training.tournament import TournamentReport, rating_text

README = Path(__file__).resolve().parents[1] / "README.md"
REPORTS = Path(__file__).resolve().parent / "reports"
YES, NO = "🟢", "–"


def status() -> str:
    """Which games there are, and what comes with each."""
    rows = [
        "| game | id | players | engine and rules | rule players | trained baseline |",
        "|---" * 6 + "|",
    ]
    rows += map(_status_row, GAMES.values())
    return "\n".join(rows)


def _status_row(game: Game) -> str:
    players = _listed(game.player_counts)
    heuristics = ", ".join(f"`{name}`" for name in agents.heuristics(game) if name != "random")
    counts = ", ".join(map(str, player_counts(game)))
    cells = (game.title, f"`{game.env_id}`", players, YES, heuristics or NO, counts or NO)
    return f"| {' | '.join(cells)} |"


def _listed(counts: tuple[int, ...]) -> str:
    """``2–12`` or ``4, 6, 8``."""
    low, high = min(counts), max(counts)
    if len(counts) > 2 and len(counts) == high - low + 1:
        return f"{low}–{high}"
    return ", ".join(map(str, counts))


def results() -> str:
    """The kept reports of training runs: what was learnt in how many minutes."""
    rows = ["| game | minutes | decisions | against | matches won |", "|---" * 5 + "|"]
    for path in sorted(
        REPORTS.glob("*.json"), key=lambda path: (path.stem.partition("-")[0], _minutes(path))
    ):
        rows += _result_rows(path)
    return "\n".join(rows)


def _minutes(path: Path) -> int:
    """The budget, from a name like ``truc_v0-30min.json``."""
    return int(path.stem.rpartition("-")[2].removesuffix("min"))


def _result_rows(path: Path) -> Iterator[str]:
    report = json.loads(path.read_text(encoding="utf-8"))["report"]
    decisions = int(report["agent"].rpartition("-")[2])
    for matchup in report["matchups"]:
        won = matchup["win_rate"]
        share = f"{won['estimate']:.1%} [{won['low']:.1%}, {won['high']:.1%}]"
        yield (
            f"| {GAMES[report['env_id']].title} | {_minutes(path)} | {decisions / 1e6:.1f} M | "
            f"`{matchup['opponent']}` | {share} |"
        )


def ladder() -> str:
    """The kept ladders: every game's agents, the best first."""
    rows = ["| game, players | agent | rating | against `strong` | against the next |"]
    rows += ["|---" * 5 + "|"]
    commands = []
    for report in ladders.kept_reports():
        rows += _ladder_rows(report)
        commands.append(ladders.command(report))
    made = ["Made by", "```\n" + "\n".join(commands) + "\n```"] if commands else []
    return "\n\n".join(["\n".join(rows), *made])


def _ladder_rows(report: TournamentReport) -> Iterator[str]:
    rates, names = report.win_rates(), [standing.agent for standing in report.standings]
    game = GAMES[report.env_id]
    options = (f"`{text}`" for text in ladders.option_texts(game, report.config))
    table = ", ".join([game.title, str(report.config["num_players"]), *options])
    for standing, following in zip(report.standings, [*names[1:], ""], strict=True):
        cells = [table, f"`{standing.agent}`", rating_text(standing.rating)]
        for other in ("strong", following):
            rate = rates.get((standing.agent, other))
            cells.append(NO if rate is None else percent(rate))
        if following:
            cells[-1] = f"`{following}` {cells[-1]}"
        yield f"| {' | '.join(cells)} |"


def trained() -> str:
    """The baselines' cards: how long they learnt, and what they win."""
    heads = ["`random`", "`simple`", "`strong`", f"`{SEARCH}`", "a student's gain"]
    rows = [f"| game, players | minutes | decisions | par | {' | '.join(heads)} |"]
    rows += ["|---" * (4 + len(heads)) + "|"]
    rows += [_trained_row(json.loads(path.read_text())) for path in sorted(FOLDER.glob("*.json"))]
    return "\n".join(rows)


def _trained_row(card: dict[str, Any]) -> str:
    figures = card["figures"]
    found = figures["evaluation"]["against"]
    cells = [
        f"{GAMES[card['env_id']].title}, {card['num_players']}",
        f"{figures['minutes']:.0f}",
        f"{card['training']['steps'] / 1e6:.0f} M",
        f"{figures['evaluation']['par']:.0%}",
        *(_won(found.get(name)) for name in ("random", "simple", "strong", SEARCH)),
        _student(card.get("exploitability")),
    ]
    return f"| {' | '.join(cells)} |"


def _won(result: dict[str, Any] | None) -> str:
    return NO if result is None else percent(Interval(*result["win_rate"]))


def _student(study: dict[str, Any] | None) -> str:
    """The exploiter's gain in points of win rate."""
    if study is None:
        return NO
    gain = study["gains"][0]["gain"]
    return gain_text(Interval(gain["estimate"], gain["low"], gain["high"]))


def tables() -> str:
    """Observation and actions of every game under its default configuration."""
    return "\n\n".join(map(_game_tables, GAMES.values()))


def _game_tables(game: Game) -> str:
    config = game.configure()
    layout = game.layout(config)
    head = (
        f"<details><summary>{game.title}, {config['num_players']} players: observation of "
        f"{layout.size} places ({layout.dtype}), {game.num_actions(config)} actions</summary>"
    )
    return "\n\n".join([head, layout.table(), action_table(game), "</details>"])


def action_table(game: Game) -> str:
    """Action ids and their words; a run of ids whose words begin alike is one row.

    Words that depend on the deal, a place in the hand say, are marked as an instance.
    """
    words, others = (_action_texts(game, seed) for seed in (0, 1))
    rows = ["| actions | words |", "|---|---|"]
    for ids, texts in _runs(words):
        first, last = ids[0], ids[-1]
        shown = f"`{texts[0]}`" if first == last else f"`{texts[0]}` … `{texts[-1]}`"
        instance = "" if others[first : last + 1] == texts else ", in one deal"
        rows.append(f"| {first if first == last else f'{first}–{last}'} | {shown}{instance} |")
    return "\n".join(rows)


def _action_texts(game: Game, seed: int) -> list[str]:
    env = GameEnv(game)
    env.reset(seed=seed)
    return [env.action_text(action) for action in range(game.num_actions(env.config))]


def _runs(texts: list[str]) -> Iterator[tuple[list[int], list[str]]]:
    """Neighbours that begin with the same word and go on."""
    start = 0
    for end in range(1, len(texts) + 1):
        if end == len(texts) or _beginning(texts[end]) != _beginning(texts[start]):
            yield list(range(start, end)), texts[start:end]
            start = end


def _beginning(text: str) -> str:
    return text.partition(" ")[0] if " " in text else text


TABLES: dict[str, Callable[[], str]] = {
    "status": status,
    "ladder": ladder,
    "trained": trained,
    "results": results,
    "tables": tables,
}


def generated(text: str) -> str:
    """The text with every table between its markers written anew.

    Raises:
        ValueError: a pair of markers is missing.
    """
    for name, table in TABLES.items():
        before, begin, rest = text.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not begin or not end:
            raise ValueError(f"the text has no <!-- {name} --> … <!-- /{name} -->")
        text = f"{before}{begin}\n\n{table()}\n\n{end}{after}"
    return text


def main(arguments: list[str]) -> int:
    """Write README.md, or with ``--check`` compare."""
    old = README.read_text(encoding="utf-8")
    new = generated(old)
    if "--check" in arguments:
        if old != new:
            print("README.md is not up to date; run: make docs", file=sys.stderr)
        return int(old != new)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
