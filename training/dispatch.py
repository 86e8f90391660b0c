"""The subcommands of ``naips``: learn, measure, play, read the rules, time the engine.

Each subcommand (``training/commands``) teaches itself: ``naips evaluate --help``. Everything that a
person can get wrong is answered by one line and exit code 2.
"""

import inspect
import io
import os
import sys
from collections.abc import Callable, Sequence

import tyro

from envs import GAMES
from envs.core.game import unknown
from training.arguments import UsageError
from training.commands import COMMANDS

EXTRAS = (
    "torch", "scipy", "choix", "matplotlib", "stable_baselines3", "sb3_contrib", "tensorboard",
)  # fmt: skip

DESCRIPTION = """\
usage: naips COMMAND GAME [options]

Catalan card games as research environments.

  naips rules truc                          read the rules
  naips play truc                           play against the best rule player
  naips replay truc.jsonl                   step through a match that was recorded
  naips train truc --minutes 10             learn, then measure what was learnt
  naips evaluate truc strong --against random simple
  naips tournament truc                     rate all players of a game
  naips stats truc                          how long matches are, how they end
  naips bench truc                          how fast it runs here

commands (naips COMMAND --help tells more, with examples):
{commands}

games: {games}

Rule options are written --option name=value, as often as needed; `naips rules GAME` lists them."""


def overview() -> str:
    """The help of the whole command."""
    lines = [
        f"  {name:<12}{_help(function).splitlines()[0]}" for name, function in COMMANDS.items()
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


def run(words: Sequence[str]) -> int:
    """Run the command that these words make; returns its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks becomes a question mark
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch(words)
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
    except BrokenPipeError:  # the reader, `less` say, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a file that cannot be read or written, a full disk
        print(f"naips: {error}", file=sys.stderr)
        return 2
