"""``naips train-ray``: learn a game with RLlib, on this machine or on a Ray cluster."""

from pathlib import Path
from typing import Annotated

import tyro

from training.arguments import UsageError
from training.commands.common import (
    Changes,
    ClusterAddress,
    GameName,
    Minutes,
    Profile,
    RunFolder,
    Seats,
    TableOptions,
    needs_an_extra,
)
from training.commands.train import Wish, learn_and_measure

TempFolder = Annotated[
    Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(Ray's own, /tmp/ray)")
]


def train_ray(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    num_env_runners: int = 2,
    minutes: Minutes = None,
    out: RunFolder = None,
    address: ClusterAddress = None,
    temp_dir: TempFolder = None,
    profile: Profile = None,
    set: Changes = (),  # noqa: A002 - the name of the flag
    seed: int = 0,
    resume: bool = False,
    blocks: int = 1000,
) -> int:
    """Learn a game with RLlib's PPO, then measure what was learnt; from one machine to a cluster.

    The run's folder, its checkpoints and its report are like those of `naips train`, and
    `naips evaluate` and all others load it. Runners that fail, alone or with
    their machine, are started anew while the others play on.

      naips train-ray truc --minutes 10
      naips train-ray truc --num-env-runners 16 --address auto --set games=4096 --minutes 60
      naips train-ray truc --resume                         goes on with the newest run to its end

    On a cluster Naips is installed on every machine: `ray start --head` on the first,
    `ray start --address=FIRST:6379` on the others.

    Args:
        game: a game: truc, or truc_v0
        num_env_runners: actors that play, with a core each; 0 plays in the learner's process
        minutes: of learning, with --resume so many more; becomes a number of steps before it starts
        out: folder of the run
        address: of a running Ray cluster; auto for the one on this machine
        temp_dir: for Ray's files on this machine; its path must be short
        profile: a named set of settings
        set: a setting of the learner, like entropy=0.05
        seed: of the whole run
        resume: go on with the run in that folder, to its planned end unless minutes are given
        blocks: duplicate deals of the evaluation, for each opponent
    """
    if num_env_runners < 0:
        raise UsageError(f"--num-env-runners {num_env_runners}: allowed are integers from 0")
    with needs_an_extra():
        from training.rllib.setup import CHANGES
    extra = {"num_env_runners": num_env_runners, "address": address, "temp_dir": temp_dir}
    wish = Wish(minutes, out, "ray", profile, set, seed, resume, blocks, extra, CHANGES)
    return learn_and_measure(table.of(game), table, wish)
