"""``naips train``: learn a game, then measure what was learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agents.policy import newest_checkpoint
from envs.core.game import Game
from training.arguments import Setting, UsageError, usage
from training.commands.common import (
    Changes,
    GameName,
    Minutes,
    Profile,
    RunFolder,
    Seats,
    TableOptions,
    above_zero,
    bar,
    console,
    given_by,
    not_negative,
    settings_changes,
)


def train(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    minutes: Minutes = None,
    out: RunFolder = None,
    learner: Literal["ppo", "sb3"] = "ppo",
    profile: Profile = None,
    set: Changes = (),  # noqa: A002 - the name of the flag
    seed: int = 0,
    resume: bool = False,
    blocks: int = 1000,
) -> int:
    """Learn a game by self-play, then measure what was learnt.

    The run's folder receives checkpoints, metrics (TensorBoard and JSON lines), the learning curve
    as a picture, and report.json with report.png: duplicate deals against random play and every
    heuristic.

      naips train truc --minutes 10
      naips train truc --profile baseline               as the baseline was trained, an hour or so
      naips train truc --num-players 6 --option twos=none --set learning_rate=5e-4
      naips train truc --resume                         goes on with the newest run to its end
      naips train truc --minutes 10 --resume            and so many minutes longer
      tensorboard --logdir runs

    Args:
        game: a game: truc, or truc_v0
        minutes: of learning, with --resume so many more; becomes a number of steps before it
            starts, so that runs repeat
        out: folder of the run
        learner: ppo, the project's own, or sb3, MaskablePPO of sb3-contrib
        profile: a named set of settings
        set: a setting of the learner, like entropy=0.05
        seed: of the whole run
        resume: go on with the run in that folder, to its planned end unless minutes are given
        blocks: duplicate deals of the evaluation, for each opponent
    """
    return learn_and_measure(
        table.of(game), table, Wish(minutes, out, learner, profile, set, seed, resume, blocks)
    )


@dataclass(frozen=True)
class Wish:
    """What was asked of a run; see ``train``, and ``extra`` for what its learner alone is told."""

    minutes: float | None
    out: Path | None
    learner: str
    profile: str | None
    set: Sequence[str]
    seed: int
    resume: bool
    blocks: int
    extra: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)


def learn_and_measure(chosen: Setting, table: Seats, wish: Wish) -> int:
    """Learn, play what was learnt against all that the game has, and say where everything is."""
    from training import runs

    if wish.minutes is not None:
        above_zero("minutes", wish.minutes)
    not_negative("seed", wish.seed)
    if wish.blocks < 2:
        raise UsageError(f"--blocks {wish.blocks}: an interval needs at least 2")
    out, changes = wish.out, settings_changes(wish.set)
    if wish.resume:
        out = out or _newest_run(chosen.game)
        asked = {**given_by(table, chosen), **changes}
        if wish.profile is not None:
            told = {**wish.defaults, **changes}
            asked = {**_learning_settings(chosen, wish.profile, told), **asked}
        runs.same_run(chosen, out, wish.learner, asked)
    checkpoint = runs.learn(
        chosen, out, wish.minutes, wish.learner, wish.profile or runs.USUAL_PROFILE, wish.seed,
        {**wish.defaults, **changes}, wish.resume, wish.extra,
    )  # fmt: skip
    out = checkpoint.parent
    report = runs.measure(chosen.game, checkpoint, out, wish.blocks, wish.seed, bar)
    console().print(report.table())
    print(f"\nEverything is in {out}: {', '.join(sorted(path.name for path in out.iterdir()))}")
    print(f"Play against it: naips play {chosen.game.name} --against {out}")
    return int(report.illegal > 0)


def _learning_settings(chosen: Setting, profile: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """How a run that begins with these learns: without its seed, its length and its table."""
    from training.config import settings

    with usage():
        config = settings(chosen.game, profile, num_players=chosen.config["num_players"], **changes)
    apart = ("steps", "seed", "num_players", "options")
    return {name: value for name, value in config.as_json().items() if name not in apart}


def _newest_run(game: Game) -> Path:
    from training import runs

    begun = [folder for folder in runs.folders(game) if newest_checkpoint(folder)]
    if not begun:
        raise UsageError(f"there is no run of {game.env_id} in runs/ to go on with")
    return begun[-1]
