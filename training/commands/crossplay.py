"""``naips crossplay``: do policies that learnt apart play together?"""

from typing import Annotated

import tyro

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

Policies = Annotated[
    tyro.conf.Positional[tuple[str, ...]],
    tyro.conf.arg(metavar="AGENT AGENT AGENT …", help_behavior_hint="(required)"),
]
Strangers = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="AGENT …", help_behavior_hint="(the policies alone)")
]


def crossplay(
    game: GameName,
    policies: Policies,
    /,
    table: TableOptions = Seats(),
    against: Strangers = (),
    blocks: int = 400,
    seed: int = 0,
    processes: int = 1,
    out: KeptFolder = None,
) -> int:
    """Make policies of several training runs each other's partners: self-play minus cross-play.

    Teams of one policy and of two that never met play the same duplicate deals against the same
    opponents. The difference is what a team loses when its members learnt apart.

      naips crossplay truc runs/truc_v0-1 runs/truc_v0-2 runs/truc_v0-3
      naips crossplay truc runs/truc_v0-1 runs/truc_v0-2 runs/truc_v0-3 --against strong

    Args:
        game: a game of teams: truc, or truc_v0
        policies: at least three, of runs that differ in their seeds alone
        against: further opponents
        blocks: duplicate deals for each line-up
        seed: of the deals and of the players' chance
        processes: that share the work
        out: folder for the report and the matrix of partners as a picture
    """
    from training import reporting
    from training.crossplay import PICTURE, REPORT, line_ups
    from training.crossplay import crossplay as run

    chosen = table.of(game)
    measurable(blocks, seed, processes)
    for name in (*policies, *against):
        agent_of(chosen, name)
    count = len(line_ups(len(policies), len(policies) + len(against)))
    if out is not None:
        with usage():
            reporting.claim(out, (REPORT, PICTURE))
    with usage(), bar(blocks * count) as advance:
        report = run(
            chosen.game, policies, against, blocks, seed, processes=processes, progress=advance,
            **chosen.config,
        )  # fmt: skip
    console().print(report.table())
    if out is not None:
        report.save(out)
        print(f"\nThe report and the matrix of partners are in {out}")
    return int(report.illegal > 0)
