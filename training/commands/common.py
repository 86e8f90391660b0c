"""What the commands share: their arguments' types, checks, and how they print."""

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import agents
from agents import Agent
from envs.core.game import Game
from training.arguments import Setting, UsageError, assignments, setting, usage

TEXT_WIDTH = 100
OWN_FLAGS = {"num_players": "--num-players", "options": "--option", "seed": "--seed"}

GameName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
Options = Annotated[
    tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(name="option", metavar="NAME=VALUE")
]
Changes = Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME=VALUE")]
Rivals = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(all that the game has)")
]
Others = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(the best rule player)")
]
PlayerCount = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(the game's default)")
]
Seed = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(a new one each time)")
]
Minutes = Annotated[
    float | None, tyro.conf.arg(metavar="FLOAT", help_behavior_hint="(3, or what the profile says)")
]
Profile = Annotated[
    str | None, tyro.conf.arg(metavar="STR", help_behavior_hint="(quick, or the run's own)")
]
RunFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(runs/GAME-1, -2 …)")
]
KeptFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(nothing is kept)")
]
ReplayFile = Annotated[
    Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(nothing is recorded)")
]
ReplayFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(nothing is recorded)")
]
ReportFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(none)")]
ClusterAddress = Annotated[
    str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="(a cluster of this machine)")
]


@contextmanager
def needs_an_extra() -> Iterator[None]:
    """A library that is missing or of a wrong version becomes ``UsageError``; it names the extra.

    See ``envs.interop.require``.
    """
    try:
        yield
    except ModuleNotFoundError:
        raise
    except ImportError as error:
        raise UsageError(str(error)) from error


@dataclass(frozen=True)
class Seats:
    """Who sits at the table, and by which rules."""

    num_players: PlayerCount = None
    """seats at the table"""
    option: Options = ()
    """a rule option, like target=12"""

    def of(self, game: str) -> Setting:
        """The game with this configuration."""
        return setting(game, self.num_players, self.option)


TableOptions = Annotated[Seats, tyro.conf.arg(name="")]


def print_figures(figures: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(figures, indent=2))
        return
    from rich.table import Table

    shown = Table("figure", title=figures["env_id"], title_justify="left")
    shown.add_column("value", justify="right")
    for name, value in figures.items():
        if name not in ("env_id", "config"):
            shown.add_row(name.replace("_", " "), _figure(value))
    console().print(shown)


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(_figure, value))
    return value if isinstance(value, str) else f"{value:,}"


def above_zero(name: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise UsageError(f"--{name} {value:g}: allowed are numbers above 0")


def not_negative(name: str, value: int) -> None:
    if value < 0:
        raise UsageError(f"--{name} {value}: allowed are integers from 0")


def settings_changes(texts: Sequence[str]) -> dict[str, Any]:
    """Settings of a learner, from ``--set``; those that have a flag of their own are refused."""
    changes = assignments(texts)
    for name in changes.keys() & OWN_FLAGS.keys():
        raise UsageError(f"--set {name}: this is given with {OWN_FLAGS[name]}")
    return changes


def given_by(table: Seats, chosen: Setting) -> dict[str, Any]:
    """The players and options that were typed, without those that are the game's defaults."""
    players = {} if table.num_players is None else {"num_players": table.num_players}
    return {**players, **chosen.given}


def console() -> Console:
    """Standard output; wide enough for tables where it is no terminal."""
    out = Console()
    return out if out.is_terminal else Console(width=TEXT_WIDTH)


def agent_of(chosen: Setting, spec: str) -> Agent:
    with usage():
        return agents.load(chosen.game, spec, **chosen.config)


def best_agent(game: Game) -> str:
    """The strongest rule player of the game: heuristics are listed from weak to strong."""
    return list(agents.heuristics(game))[-1]


def measurable(blocks: int, seed: int, processes: int = 1) -> None:
    """Check what every measurement is asked for."""
    if blocks < 2:
        raise UsageError(f"--blocks {blocks}: an interval needs at least 2")
    if processes < 1:
        raise UsageError(f"--processes {processes}: allowed are integers from 1")
    not_negative("seed", seed)


class bar:  # noqa: N801 - used like a function
    """A progress bar over blocks on standard error; ``with bar(total) as advance``.

    The total may also come with the progress: ``advance(done, total)``.
    """

    def __init__(self, total: int | None = None):
        self._total = total
        console = Console(stderr=True)
        columns = (
            TextColumn("evaluating"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total} blocks"),
        )
        self._progress = Progress(
            *columns,
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def __enter__(self):
        self._progress.start()
        task = self._progress.add_task("", total=self._total)

        def advance(blocks: int, total: int | None = None) -> None:
            self._progress.update(task, advance=blocks, total=total or self._total)

        return advance

    def __exit__(self, *raised: object) -> None:
        self._progress.stop()
