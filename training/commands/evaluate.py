"""``naips evaluate``: measure an agent on duplicate deals."""

from typing import Annotated

import tyro

import agents
from agents.storage import make_folder
from training.arguments import UsageError, usage
from training.commands.common import (
    GameName,
    ReplayFolder,
    ReportFile,
    Rivals,
    Seats,
    TableOptions,
    bar,
    console,
    measurable,
)

PICTURE = ".png"


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
    replays: ReplayFolder = None,
    replay_blocks: int = 1,
) -> int:
    """Measure an agent on duplicate deals: win rates and points with 95 % intervals.

    Every deal is played once per team with the agent in that team's seats and the opponent in all
    others, so that luck of the cards cancels; the interval is over deals. The same seed gives the
    same report.

      naips evaluate truc strong
      naips evaluate truc runs/truc_v0-1 --against simple strong --blocks 4000
      naips evaluate truc simple --against random --num-players 6 --out report.json
      naips evaluate truc strong --replays matches         then: naips replay matches/FILE

    Args:
        game: a game: truc, or truc_v0
        agent: who is measured: random, a heuristic's name, a search, baseline, or a checkpoint
        against: the opponents, each in turn
        blocks: duplicate deals for each opponent
        seed: of the deals and of the players' chance
        processes: that share the work
        out: a JSON file for the report; a picture is put beside it
        replays: a folder for the matches of the first blocks against each opponent
        replay_blocks: how many blocks that is
    """
    from training.evaluate import evaluate as run
    from training.evaluate import pinned
    from training.recording import record_blocks

    chosen = table.of(game)
    names = against or tuple(name for name in agents.heuristics(chosen.game) if name != agent)
    with usage():
        tested = pinned(chosen.game, chosen.config, agent)
        rivals = [pinned(chosen.game, chosen.config, name, name) for name in names]
    measurable(blocks, seed, processes)
    if out is not None and out.is_dir():
        raise UsageError(f"--out {out}: this is a folder; name a file")
    if out is not None and out.suffix == PICTURE:
        raise UsageError(f"--out {out}: name a JSON file; the picture is put beside it")
    if not 1 <= replay_blocks <= blocks:
        raise UsageError(f"--replay-blocks {replay_blocks}: allowed are 1 to {blocks}")
    if replays is not None and replays.is_dir() and any(replays.iterdir()):
        raise UsageError(f"--replays {replays}: name a new or an empty folder")
    with usage():
        if out is not None:
            make_folder(out.parent, "a report")
        if replays is not None:
            make_folder(replays, "replays")
    with bar(blocks * len(names)) as advance:
        report = run(
            chosen.game, tested, rivals, blocks, seed, processes=processes, progress=advance,
            **chosen.config,
        )  # fmt: skip
    console().print(report.table())
    if out is not None:
        report.save(out)
        report.draw(out.with_suffix(PICTURE))
        print(f"\nThe report is in {out}, its picture in {out.with_suffix(PICTURE)}")
    if replays is not None:
        for rival in rivals:
            record_blocks(chosen.game, chosen.config, tested, rival, seed, replay_blocks, replays)
        print(f"\nThe matches are in {replays}, {len(list(replays.iterdir()))} of them")
    return int(report.illegal > 0)
