"""``naips play``: a person at the table."""

import sys

from training.arguments import UsageError
from training.commands.common import (
    GameName,
    Others,
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
    env.reset(seed=seed)
    seats = ", ".join(f"player_{other} {name}" for other, name in named.items())
    print(
        f"{chosen.game.title}, seed {seed}, against {seats}. Rules: naips rules {chosen.game.name}"
    )
    terminal.play(env, seat, seated, seed)
    return 0
