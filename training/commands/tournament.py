"""``naips tournament``: every agent against every other, and a rating for each."""

from typing import Annotated

import tyro

import agents as known
from training.arguments import usage
from training.commands.common import (
    GameName,
    KeptFolder,
    Seats,
    TableOptions,
    agent_of,
    bar,
    console,
    measurable,
)

Entrants = Annotated[
    tyro.conf.Positional[tuple[str, ...]],
    tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(all that the game has)"),
]


def tournament(
    game: GameName,
    agents: Entrants = (),
    /,
    table: TableOptions = Seats(),
    blocks: int = 400,
    seed: int = 0,
    processes: int = 1,
    out: KeptFolder = None,
) -> int:
    """Play every agent against every other on duplicate deals; rate them with 95 % intervals.

    Ratings are on the scale of Elo: 400 points are odds of ten to one of finishing ahead. Every
    cell of the cross-table is what `naips evaluate ROW --against COLUMN` prints. The same seed
    gives the same report.

      naips tournament truc
      naips tournament truc simple strong runs/truc_v0-1 runs/truc_v0-2 --blocks 1000
      naips tournament balco --num-players 2 --out runs/balco-ladder --processes 2

    With --out the folder receives report.json, the cross-table as a picture, and all finished
    work: the same command goes on after a kill, and may add agents and blocks.

    Args:
        game: a game: truc, or truc_v0
        agents: who plays: random, a heuristic's name, or a checkpoint
        blocks: duplicate deals for each pairing
        seed: of the deals and of the players' chance
        processes: that share the work
        out: folder of the tournament
    """
    from training.tournament import pairings_of
    from training.tournament import tournament as run

    chosen = table.of(game)
    measurable(blocks, seed, processes)
    names = agents or tuple(known.heuristics(chosen.game))
    for name in names:
        agent_of(chosen, name)
    rotations = max(chosen.game.teams(chosen.config)) + 1
    with usage(), bar(blocks * pairings_of(len(names), rotations)) as advance:
        report = run(
            chosen.game, names, blocks, seed, processes=processes, folder=out, progress=advance,
            **chosen.config,
        )  # fmt: skip
    console().print(report.table())
    if out is not None:
        report.save(out)
        print(f"\nEverything is in {out}: {', '.join(sorted(path.name for path in out.iterdir()))}")
    return int(report.illegal > 0)
