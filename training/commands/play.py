"""``naips play``: a person at the table."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import tyro

from training.arguments import Setting, UsageError, usage
from training.cli import INTERRUPTED
from training.commands.common import (
    Others,
    ReplayFile,
    Seats,
    Seed,
    TableOptions,
    agent_of,
    best_agent,
    not_negative,
)

PORT = 8011
MaybeGame = Annotated[
    tyro.conf.Positional[str | None], tyro.conf.arg(metavar="GAME", help_behavior_hint="")
]
Tongue = Annotated[
    str | None, tyro.conf.arg(metavar="ca|es|en", help_behavior_hint="(that of the system)")
]
StateFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(the user's own)")
]


def play(
    game: MaybeGame = None,
    /,
    table: TableOptions = Seats(),
    against: Others = (),
    seat: int = 0,
    seed: Seed = None,
    ascii: bool = False,  # noqa: A002 - the name of the flag
    record: ReplayFile = None,
    lang: Tongue = None,
    web: bool = False,
    port: int = PORT,
    state: StateFolder = None,
) -> int:
    """Play in the terminal, or in a browser, against agents.

    You see what your seat may see and a numbered list of what you may do. Enter a number or the
    words; hint, log, help and quit are understood too. With --web everything is chosen in the
    browser: games, options, seats, agents, replays. It is served to this machine alone; from
    another one, ssh -L 8011:localhost:8011 brings it over.

      naips play truc
      naips play truc --against simple --seat 2 --seed 7
      naips play truc --against strong random strong       one for every other seat, in order
      naips play truc --record truc.jsonl                 then: naips replay truc.jsonl
      naips play truc --web

    The agents:

      random            plays at random
      simple, strong    rules written by hand, strong the best of them
      baseline          a trained network, for some numbers of players
      ismcts:1000       thinks ahead: a tree search of so many rounds, ismcts:50ms of so long
      pimc:200          thinks ahead: tries every action in so many imagined deals
      runs/truc_v0-1    a training run

    Args:
        game: a game: truc, or truc_v0
        against: one agent for all other seats, or one for each
        seat: yours, from 0
        seed: of the deal
        ascii: no suit symbols and no accents
        record: a new file to which the match is written
        lang: in which you are spoken to
        web: serve the browser app instead
        port: where it listens
        state: where it keeps matches and replays, for the next time too
    """
    if web:
        given = (table, against, seat, seed, ascii, record, lang)
        if given != (Seats(), (), 0, None, False, None, None):
            raise UsageError("with --web, seats, agents, options and language are chosen there")
        return _serve(game, port, state)
    if game is None:
        raise UsageError("name a game, like naips play truc, or play in a browser: --web")
    return _in_terminal(game, table, against, seat, seed, ascii, record, lang)


def _in_terminal(
    game: str,
    table: Seats,
    against: tuple[str, ...],
    seat: int,
    seed: int | None,
    ascii_only: bool,
    record: Path | None,
    lang: str | None,
) -> int:
    import secrets

    from agents.human import terminal
    from agents.human.language import language, preferred
    from envs.core.aec import GameEnv
    from envs.core.drawing import print_anywhere

    if sys.stdin is None:
        raise UsageError("your answers are read from standard input, and that is closed")
    chosen = table.of(game)
    with usage():
        tongue = language(lang or preferred(os.environ.get("LC_ALL") or os.environ.get("LANG", "")))
    if seed is None:
        seed = secrets.randbits(31)
    players = chosen.config["num_players"]
    if seat not in range(players):
        raise UsageError(f"--seat {seat}: seats go from 0 to {players - 1}")
    not_negative("seed", seed)
    named = _named(chosen, against, seat)
    seated = {other: agent_of(chosen, name) for other, name in named.items()}
    env = GameEnv(
        chosen.game, render_mode="ansi", render_seat=seat, ascii_only=ascii_only, **chosen.config
    )
    if record is not None:
        names = [named.get(player, "a person") for player in range(players)]
        env = _recorded(env, record, names)
    seats = ", ".join(f"player_{other} {name}" for other, name in named.items())
    title, rules = chosen.game.title, f"Rules: naips rules {chosen.game.name}"
    show = _ascii if ascii_only else print_anywhere
    show(f"{title}, seed {seed}, against {seats}. {rules}")
    with terminal.patiently(show, tongue):
        env.reset(seed=seed)
    ended = terminal.play(env, seat, seated, seed, tongue=tongue)
    if record is not None and record.exists():
        how = "" if ended else " --incomplete"
        print(f"\nThe match is in {record}; step through it: naips replay {record}{how}")
    return 0


def _named(chosen: Setting, against: tuple[str, ...], seat: int) -> dict[int, str]:
    """The agents at the other seats: one for all of them, or one for each."""
    others = [other for other in range(chosen.config["num_players"]) if other != seat]
    specs = against or (best_agent(chosen.game),)
    if len(specs) not in (1, len(others)):
        raise UsageError(f"--against: give one agent for all, or {len(others)}, not {len(specs)}")
    return dict(zip(others, specs * len(others) if len(specs) == 1 else specs, strict=True))


def _ascii(text: str) -> None:
    from envs.core.drawing import to_ascii

    print(to_ascii(text))


def _recorded(env: Any, path: Path, names: list[str]) -> Any:
    """The environment, written to a file while it is played."""
    from envs.core.replay import RecordGame

    try:
        return RecordGame(env, path, names)
    except FileExistsError as error:
        raise UsageError(f"--record {error}") from None


def _serve(game: str | None, port: int, state: Path | None) -> int:
    """Serve the browser app until it is interrupted."""
    import platformdirs

    from envs import find_game

    with usage():
        page = "" if game is None else f"?game={find_game(game).env_id}"
    try:
        from agents.human.web.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise UsageError(f"--web needs {error.name}; pip install 'naips[play]'") from None
    folder = state or Path(platformdirs.user_state_dir("naips")) / "web"
    try:
        serve(port, folder, page)
    except KeyboardInterrupt:
        print(file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)  # a thread that compiles cannot be stopped, and Python would wait
    except OSError as error:
        raise UsageError(f"--web: {error}") from None
    return 0
