"""``naips replay``: verify a recorded match and step through it."""

import sys
from pathlib import Path
from typing import Annotated

import tyro

from training.arguments import UsageError, usage

Step = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(the first, or all into a pipe)")
]


def replay(
    file: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="FILE")],
    /,
    seat: str = "all",
    step: Step = None,
    incomplete: bool = False,
    ascii: bool = False,  # noqa: A002 - the name of the flag
) -> int:
    """Verify a recorded match and step through it.

    Every move is played anew and has to be legal, and the result has to be what the file says.
    In a terminal: Enter goes on, b goes back, a number jumps to that move, q leaves. Into a pipe
    the whole match is printed, or the one position that --step names.

      naips play truc --record truc.jsonl
      naips replay truc.jsonl
      naips replay truc.jsonl --seat 2 | less          as player_2 saw it

    Args:
        file: what play --record, evaluate --replays or RecordGame wrote
        seat: whose view: a seat, or all for everything
        step: the move to begin with, from 0
        incomplete: show a file that ends before its match does
        ascii: no suit symbols and no accents
    """
    from agents.human import viewer
    from envs.core.replay import load_replay

    with usage():
        match = load_replay(file, incomplete)
    players = match.config["num_players"]
    if seat != "all" and seat not in map(str, range(players)):
        raise UsageError(f"--seat {seat}: allowed are all and seats 0 to {players - 1}")
    if step is not None and step not in range(len(match.moves) + 1):
        raise UsageError(f"--step {step}: moves go from 0 to {len(match.moves)}")
    looks = None if seat == "all" else int(seat)
    show = viewer.Viewer(match, looks, ascii)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        show.walk(step or 0)
    elif step is None:
        show.whole()
    else:
        show.position(step)
    return 0
