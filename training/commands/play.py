"""``naips play``: a person at the table."""

import sys
from pathlib import Path
from typing import Any

from training.arguments import UsageError
from training.commands.common import (
    GameName,
    Others,
    ReplayFile,
    Seats,
    Seed,
    TableOptions,
    agent_of,
    best_agent,
    not_negative,
)


def play(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    against: Others = (),
    seat: int = 0,
    seed: Seed = None,
    ascii: bool = False,  # noqa: A002 - the name of the flag
    record: ReplayFile = None,
) -> int:
    """Play in the terminal against agents.

    You see what your seat may see and a numbered list of what you may do. Enter a number or the
    words; help and quit are understood too.

      naips play truc
      naips play truc --against simple --seat 2 --seed 7
      naips play truc --against strong random strong       one for every other seat, in order
      naips play truc --record truc.jsonl                 then: naips replay truc.jsonl

    Args:
        game: a game: truc, or truc_v0
        against: one agent for all other seats, or one for each
        seat: yours, from 0
        seed: of the deal
        ascii: no suit symbols and no accents
        record: a new file to which the match is written
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
    not_negative("seed", seed)
    specs = against or (best_agent(chosen.game),)
    if len(specs) not in (1, players - 1):
        raise UsageError(f"--against: give one agent for all, or {players - 1}, not {len(specs)}")
    others = [other for other in range(players) if other != seat]
    named = dict(zip(others, specs * (players - 1) if len(specs) == 1 else specs, strict=True))
    seated = {other: agent_of(chosen, name) for other, name in named.items()}
    env = GameEnv(
        chosen.game, render_mode="ansi", render_seat=seat, ascii_only=ascii, **chosen.config
    )
    if record is not None:
        names = [named.get(player, "a person") for player in range(players)]
        env = _recorded(env, record, names)
    env.reset(seed=seed)
    seats = ", ".join(f"player_{other} {name}" for other, name in named.items())
    print(
        f"{chosen.game.title}, seed {seed}, against {seats}. Rules: naips rules {chosen.game.name}"
    )
    ended = terminal.play(env, seat, seated, seed)
    if record is not None and record.exists():
        how = "" if ended else " --incomplete"
        print(f"\nThe match is in {record}; step through it: naips replay {record}{how}")
    return 0


def _recorded(env: Any, path: Path, names: list[str]) -> Any:
    """The environment, written to a file while it is played."""
    from envs.core.replay import RecordGame

    try:
        return RecordGame(env, path, names)
    except FileExistsError as error:
        raise UsageError(f"--record {error}") from None
