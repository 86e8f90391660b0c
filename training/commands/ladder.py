"""``naips ladder``: the agents that come with a game, rated."""

from pathlib import Path
from typing import Annotated

import tyro

from training.commands.common import GameName, Seats, TableOptions
from training.commands.tournament import Entrants, hold

OwnBlocks = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(the game's own number)")
]
LadderFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(runs/ladder-GAME-PLAYERS…)")
]


def ladder(
    game: GameName,
    agents: Entrants = (),
    /,
    table: TableOptions = Seats(),
    blocks: OwnBlocks = None,
    search_blocks: OwnBlocks = None,
    seed: int = 0,
    processes: int = 1,
    out: LadderFolder = None,
    keep: bool = False,
) -> int:
    """Rate all agents that come with a game: random, rule players, search, the baseline.

    It is a tournament (naips tournament --help) with a number of deals that suits the game, fewer
    where an agent searches. The same command goes on after a kill.

      naips ladder truc
      naips ladder balco --num-players 2 --processes 2
      naips ladder puc random simple strong --keep

    Args:
        game: a game: truc, or truc_v0
        agents: who plays: random, a heuristic's name, a search, baseline, or a checkpoint
        blocks: duplicate deals for each pairing
        search_blocks: the same for pairings in which an agent searches
        seed: of the deals and of the players' chance
        processes: that share the work
        out: folder of the tournament
        keep: copy the report to training/reports/ladder, for the README's table (make docs)
    """
    from training import ladder as rated

    chosen = table.of(game)
    names = agents or rated.rungs(chosen.game, chosen.config)
    usual = rated.BLOCKS.get(chosen.game.env_id, rated.USUAL_BLOCKS)
    folder = out or Path("runs") / f"ladder-{rated.stem(chosen.game, chosen.config)}"
    report = hold(
        chosen, names, usual[0] if blocks is None else blocks,
        usual[1] if search_blocks is None else search_blocks, seed, processes, folder,
    )  # fmt: skip
    print(f"\nEverything is in {folder}")
    if keep:
        print(f"The report was kept as {rated.keep(report, folder)}")
    return int(report.illegal > 0)
