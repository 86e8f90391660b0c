"""``naips tournament``: every agent against every other, and a rating for each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

import agents as known
from training.arguments import Setting, UsageError, usage
from training.commands.common import (
    ClusterAddress,
    GameName,
    KeptFolder,
    Seats,
    TableOptions,
    agent_of,
    bar,
    console,
    measurable,
    needs_an_extra,
)

if TYPE_CHECKING:
    from training.tournament import Spread, TournamentReport

Entrants = Annotated[
    tyro.conf.Positional[tuple[str, ...]],
    tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(all that the game has)"),
]
SearchBlocks = Annotated[
    int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(as many as --blocks)")
]


def tournament(
    game: GameName,
    agents: Entrants = (),
    /,
    table: TableOptions = Seats(),
    blocks: int = 400,
    search_blocks: SearchBlocks = None,
    seed: int = 0,
    processes: int = 1,
    out: KeptFolder = None,
    ray: bool = False,
    address: ClusterAddress = None,
) -> int:
    """Play every agent against every other on duplicate deals; rate them with 95 % intervals.

    Ratings are on the scale of Elo: 400 points are odds of ten to one. Every
    pairing is an evaluation like that of `naips evaluate`. The same seed gives the same report.

      naips tournament truc
      naips tournament truc simple strong runs/truc_v0-1 runs/truc_v0-2 --blocks 1000
      naips tournament balco --num-players 2 --out runs/balco-ladder --processes 2
      naips tournament truc --blocks 10000 --ray --address auto

    With --out the folder receives report.json, the cross-table as a picture, and all finished
    work: the same command goes on after a kill, and may add agents and blocks.

    Args:
        game: a game: truc, or truc_v0
        agents: who plays: random, a heuristic's name, a search, baseline, or a checkpoint
        blocks: duplicate deals for each pairing
        search_blocks: the same for pairings in which an agent searches
        seed: of the deals and of the players' chance
        processes: that share the work
        out: folder of the tournament
        ray: spread the work over a Ray cluster, instead of over processes
        address: of that cluster, if it runs already; auto for the one on this machine
    """
    chosen = table.of(game)
    names = agents or tuple(known.heuristics(chosen.game))
    with spreading(ray, address) as spread:
        report = hold(chosen, names, blocks, search_blocks, seed, processes, out, spread)
    if out is not None:
        print(f"\nEverything is in {out}: {', '.join(sorted(path.name for path in out.iterdir()))}")
    return int(report.illegal > 0)


@contextmanager
def spreading(ray: bool, address: str | None) -> "Iterator[Spread | None]":
    """How to spread work over a cluster, while one is there; None where none is wanted."""
    if not ray:
        if address is not None:
            raise UsageError("--address is that of a Ray cluster: add --ray")
        yield None
        return
    with needs_an_extra():
        from training.rllib.cluster import cluster, spread
    with cluster(address):
        yield spread


def hold(
    chosen: Setting, names: Sequence[str], blocks: int, search_blocks: int | None, seed: int,
    processes: int, folder: Path | None, spread: "Spread | None" = None,
) -> "TournamentReport":  # fmt: skip
    """Play a tournament and show its table; keep everything in the folder if there is one."""
    from training.tournament import tournament as run

    measurable(blocks, seed, processes)
    if search_blocks is not None and search_blocks < 2:
        raise UsageError(f"--search-blocks {search_blocks}: an interval needs at least 2")
    for name in names:
        agent_of(chosen, name)
    with usage(), bar() as advance:
        report = run(
            chosen.game, names, blocks, seed, search_blocks, processes=processes, folder=folder,
            progress=advance, spread=spread, **chosen.config,
        )  # fmt: skip
    console().print(report.table())
    if folder is not None:
        report.save(folder)
    return report
