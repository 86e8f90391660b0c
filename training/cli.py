"""The command ``naips``: learn, measure, play, read the rules, time the engine.

Each subcommand teaches itself: ``naips evaluate --help``. Everything that a person can get wrong is
answered by one line and exit code 2.
"""

import inspect
import io
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import agents
from agents import Agent
from agents.policy import newest_checkpoint
from envs import GAMES
from envs.core.drawing import print_anywhere
from envs.core.game import Game, unknown
from training.arguments import Setting, UsageError, assignments, setting, usage

TEXT_WIDTH = 100
EXTRAS = ("torch", "scipy", "stable_baselines3", "sb3_contrib", "tensorboard")
OWN_FLAGS = {"num_players": "--num-players", "options": "--option", "seed": "--seed"}
COMMANDS: dict[str, Callable[..., int]] = {}


def command(function: Callable[..., int]) -> Callable[..., int]:
    """Make a function a subcommand of its name; its docstring is the help."""
    COMMANDS[function.__name__] = function
    return function


GameName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
Options = Annotated[
    tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(name="option", metavar="NAME=VALUE")
]
Changes = Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME=VALUE")]
Rivals = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(all that the game has)")
]
Others = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(the best there is)")
]
PlayerCount = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(the game's default)")
]
Seed = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(a new one each time)")
]
RunFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(runs/GAME-1, -2 …)")
]
ReportFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(none)")]

DESCRIPTION = """\
usage: naips COMMAND GAME [options]

Catalan card games as research environments.

  naips rules truc                          read the rules
  naips play truc                           play against the best agent there is
  naips train truc --minutes 10             learn, then measure what was learnt
  naips evaluate truc strong --against random simple
  naips stats truc                          how long matches are, how they end
  naips bench truc                          how fast it runs here

commands (naips COMMAND --help tells more, with examples):
{commands}

games: {games}

Rule options are written --option name=value, as often as needed; `naips rules GAME` lists them."""


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


@command
def train(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    minutes: float = 3.0,
    out: RunFolder = None,
    learner: Literal["ppo", "sb3"] = "ppo",
    profile: str = "quick",
    set: Changes = (),  # noqa: A002 - the name of the flag
    seed: int = 0,
    resume: bool = False,
    blocks: int = 1000,
) -> int:
    """Learn a game by self-play, then measure what was learnt.

    The run's folder receives checkpoints, metrics (TensorBoard and JSON lines), the learning curve
    as a picture, and report.json: duplicate deals against random play and every heuristic.

      naips train truc --minutes 10
      naips train truc --num-players 6 --option twos=none --set learning_rate=5e-4
      naips train truc --minutes 10 --resume            goes on with the newest run
      tensorboard --logdir runs

    Args:
        game: a game: truc, or truc_v0
        minutes: of learning; becomes a number of steps before it starts, so that runs repeat
        out: folder of the run
        learner: ppo, the project's own, or sb3, MaskablePPO of sb3-contrib
        profile: a named set of settings
        set: a setting of the learner, like entropy=0.05
        seed: of the whole run
        resume: go on with the run in that folder
        blocks: duplicate deals of the evaluation, for each opponent
    """
    from training import runs

    chosen = table.of(game)
    _above_zero("minutes", minutes)
    _not_negative("seed", seed)
    if blocks < 2:
        raise UsageError(f"--blocks {blocks}: an interval needs at least 2")
    if out is None:
        begun = [folder for folder in runs.folders(chosen.game) if newest_checkpoint(folder)]
        if resume and not begun:
            raise UsageError(f"there is no run of {chosen.game.env_id} in runs/ to go on with")
        out = begun[-1] if resume else runs.next_folder(chosen.game)
    changes = assignments(set)
    for name in changes.keys() & OWN_FLAGS.keys():
        raise UsageError(f"--set {name}: this is given with {OWN_FLAGS[name]}")
    if resume:
        runs.same_run(chosen, out, learner, {**_given(table, chosen), **changes})
    checkpoint = runs.learn(chosen, out, minutes, learner, profile, seed, changes, resume)
    report = runs.measure(chosen.game, checkpoint, out, blocks, seed, _bar)
    _console().print(report.table())
    print(f"\nEverything is in {out}: {', '.join(sorted(path.name for path in out.iterdir()))}")
    print(f"Play against it: naips play {chosen.game.name} --against {out}")
    return int(report.illegal > 0)


@command
def evaluate(
    game: GameName,
    agent: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="AGENT")],
    /,
    table: TableOptions = Seats(),
    against: Rivals = (),
    blocks: int = 1000,
    seed: int = 0,
    processes: int = 1,
    out: ReportFile = None,
) -> int:
    """Measure an agent on duplicate deals: win rates and points with 95 % intervals.

    Every deal is played once per team with the agent in that team's seats and the opponent in all
    others, so that luck of the cards cancels; the interval is over deals. The same seed gives the
    same report.

      naips evaluate truc strong
      naips evaluate truc runs/truc_v0-1 --against simple strong --blocks 4000
      naips evaluate truc simple --against random --num-players 6 --out report.json

    Args:
        game: a game: truc, or truc_v0
        agent: who is measured: random, a heuristic's name, or a checkpoint
        against: the opponents, each in turn
        blocks: duplicate deals for each opponent
        seed: of the deals and of the players' chance
        processes: that share the work
        out: a JSON file for the report
    """
    from training.evaluate import evaluate as run

    chosen = table.of(game)
    names = against or tuple(name for name in agents.heuristics(chosen.game) if name != agent)
    for name in (agent, *names):
        _agent(chosen, name)
    if blocks < 2:
        raise UsageError(f"--blocks {blocks}: an interval needs at least 2")
    if processes < 1:
        raise UsageError(f"--processes {processes}: allowed are integers from 1")
    _not_negative("seed", seed)
    if out is not None and out.is_dir():
        raise UsageError(f"--out {out}: this is a folder; name a file")
    with _bar(blocks * len(names)) as advance:
        report = run(
            chosen.game, agent, names, blocks, seed, processes=processes, progress=advance,
            **chosen.config,
        )  # fmt: skip
    _console().print(report.table())
    if out is not None:
        report.save(out)
        print(f"\nThe report is in {out}")
    return int(report.illegal > 0)


@command
def play(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    against: Others = (),
    seat: int = 0,
    seed: Seed = None,
    ascii: bool = False,  # noqa: A002 - the name of the flag
) -> int:
    """Play in the terminal against agents.

    You see what your seat may see and a numbered list of what you may do. Enter a number or the
    words; help and quit are understood too.

      naips play truc
      naips play truc --against simple --seat 2 --seed 7
      naips play truc --against strong random strong       one for every other seat, in order

    Args:
        game: a game: truc, or truc_v0
        against: one agent for all other seats, or one for each
        seat: yours, from 0
        seed: of the deal
        ascii: no suit symbols and no accents
    """
    import secrets

    from agents.human import terminal
    from envs.core.aec import GameEnv

    if sys.stdin is None:
        raise UsageError("your answers are read from standard input, and that is closed")
    chosen = table.of(game)
    if seed is None:
        seed = secrets.randbits(31)
    players = chosen.config["num_players"]
    if seat not in range(players):
        raise UsageError(f"--seat {seat}: seats go from 0 to {players - 1}")
    _not_negative("seed", seed)
    specs = against or (_best(chosen.game),)
    if len(specs) not in (1, players - 1):
        raise UsageError(f"--against: give one agent for all, or {players - 1}, not {len(specs)}")
    others = [other for other in range(players) if other != seat]
    named = dict(zip(others, specs * (players - 1) if len(specs) == 1 else specs, strict=True))
    seated = {other: _agent(chosen, name) for other, name in named.items()}
    env = GameEnv(
        chosen.game, render_mode="ansi", render_seat=seat, ascii_only=ascii, **chosen.config
    )
    env.reset(seed=seed)
    seats = ", ".join(f"player_{other} {name}" for other, name in named.items())
    print(
        f"{chosen.game.title}, seed {seed}, against {seats}. Rules: naips rules {chosen.game.name}"
    )
    terminal.play(env, seat, seated, seed)
    return 0


@command
def rules(game: GameName, /) -> int:
    """Show the rules of a game: clauses, options, actions, what an observation holds.

      naips rules truc
      naips rules truc | less

    Args:
        game: a game: truc, or truc_v0
    """
    page = setting(game, None, ()).game.page
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        print_anywhere(page)
    return 0


@command
def bench(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    games: int = 4096,
    seconds: float = 2.0,
    start_up: bool = True,
    json: bool = False,
) -> int:
    """Time the engine: a batch on one core and with threads, one environment, the start-up.

      naips bench truc
      naips bench truc --games 1024 --json

    Args:
        game: a game: truc, or truc_v0
        games: in the batch, 1 to 65,536
        seconds: for each measurement
        start_up: do not time fresh processes
        json: print JSON
    """
    from envs.core.batch import MAX_GAMES
    from training import benchmark

    chosen = table.of(game)
    if games not in range(1, MAX_GAMES + 1):
        raise UsageError(f"--games {games}: allowed are 1 to {MAX_GAMES}")
    _above_zero("seconds", seconds)
    figures = benchmark.measure(chosen.game, games, seconds, start_up, **chosen.config)
    _print_figures(figures, json)
    return 0


@command
def stats(
    game: GameName,
    agent: tyro.conf.Positional[str] = "random",
    /,
    table: TableOptions = Seats(),
    matches: int = 256,
    seed: int = 0,
    json: bool = False,
) -> int:
    """Say what matches are like: length, choices, forced decisions, how they end, who comes first.

      naips stats truc
      naips stats puc strong --matches 64 --num-players 6

    Args:
        game: a game: truc, or truc_v0
        agent: who plays in every seat
        matches: whole matches, 1 to 65,536
        seed: of the deals and of the players' chance
        json: print JSON
    """
    from envs.core.batch import MAX_GAMES
    from training.matches import describe

    chosen = table.of(game)
    if matches not in range(1, MAX_GAMES + 1):
        raise UsageError(f"--matches {matches}: allowed are 1 to {MAX_GAMES}")
    _not_negative("seed", seed)
    figures = describe(chosen.game, chosen.config, _agent(chosen, agent), matches, seed)
    _print_figures({"env_id": chosen.game.env_id, "agent": agent, **figures}, json)
    return 0


def _print_figures(figures: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(figures, indent=2))
        return
    from rich.table import Table

    shown = Table("figure", title=figures["env_id"], title_justify="left")
    shown.add_column("value", justify="right")
    for name, value in figures.items():
        if name not in ("env_id", "config"):
            shown.add_row(name.replace("_", " "), _figure(value))
    _console().print(shown)


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(_figure, value))
    return value if isinstance(value, str) else f"{value:,}"


def _above_zero(name: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise UsageError(f"--{name} {value:g}: allowed are numbers above 0")


def _not_negative(name: str, value: int) -> None:
    if value < 0:
        raise UsageError(f"--{name} {value}: allowed are integers from 0")


def _given(table: Seats, chosen: Setting) -> dict[str, Any]:
    """The players and options that were typed, without those that are the game's defaults."""
    players = {} if table.num_players is None else {"num_players": table.num_players}
    return {**players, **chosen.given}


def _console() -> Console:
    """Standard output; wide enough for tables where it is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=TEXT_WIDTH)


def _agent(chosen: Setting, spec: str) -> Agent:
    with usage():
        return agents.load(chosen.game, spec, **chosen.config)


def _best(game: Game) -> str:
    """The strongest agent that comes with the game: heuristics are listed from weak to strong."""
    return list(agents.heuristics(game))[-1]


class _bar:  # noqa: N801 - used like a function
    """A progress bar over blocks on standard error; ``with _bar(total) as advance``."""

    def __init__(self, total: int):
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
        return lambda blocks: self._progress.advance(task, blocks)

    def __exit__(self, *raised: object) -> None:
        self._progress.stop()


def overview() -> str:
    """The help of the whole command."""
    lines = [
        f"  {name:<10}{_help(function).splitlines()[0]}" for name, function in COMMANDS.items()
    ]
    return DESCRIPTION.format(commands="\n".join(lines), games=", ".join(GAMES))


def _help(function: Callable) -> str:
    return (inspect.getdoc(function) or "").partition("\nArgs:")[0].rstrip()


def _dispatch(words: Sequence[str]) -> int:
    name, rest = (words[0], words[1:]) if words else ("--help", [])
    if name in ("--help", "-h", "help"):
        print(overview())
        return 0
    if name not in COMMANDS:
        raise UsageError(unknown("command", name, list(COMMANDS), "naips"))
    function = COMMANDS[name]
    config = (tyro.conf.FlagCreatePairsOff,)
    return tyro.cli(
        function, prog=f"naips {name}", args=rest, description=_help(function), config=config
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks becomes a question mark
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"naips: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        print(
            f"naips: this needs {error.name}; pip install 'naips[train]' brings it", file=sys.stderr
        )
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `less` say, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a file that cannot be read or written, a full disk
        print(f"naips: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
