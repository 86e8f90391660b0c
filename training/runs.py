"""A whole run: learn, then measure what was learnt, all in one folder."""

import importlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import agents
from agents.policy import FILE, newest_checkpoint
from agents.storage import read_arrays
from envs.core.game import Game
from training.arguments import Setting, UsageError, usage
from training.checkpoint import card_of, find_checkpoint
from training.config import TrainConfig, profile_values, settings
from training.evaluate import Report, evaluate

REPORT, PICTURE = "report.json", "report.png"
USUAL_MINUTES, USUAL_PROFILE = 3.0, "quick"
LEARNERS = {"ppo": "training.ppo", "sb3": "training.sb3", "ray": "training.rllib.learn"}
OWN_FILES = {"ppo": "trainer.safetensors", "sb3": "model.zip", "ray": "rllib"}  # in a checkpoint
Bar = Callable[[int], AbstractContextManager[Callable[[int], None]]]  # a progress bar of n blocks


def folders(game: Game, root: Path = Path("runs")) -> list[Path]:
    """The numbered runs of a game, oldest first: runs/truc_v0-1, runs/truc_v0-2 …"""
    found = [path for path in root.glob(f"{game.env_id}-*") if _number(path)]
    return sorted(found, key=_number)


def new_folder(game: Game, root: Path = Path("runs")) -> Path:
    """Make the folder of a new run; runs that begin at the same moment get one each."""
    root.mkdir(parents=True, exist_ok=True)
    for number in count(max(map(_number, folders(game, root)), default=0) + 1):
        folder = root / f"{game.env_id}-{number}"
        with suppress(FileExistsError):
            folder.mkdir()
            return folder
    raise AssertionError("there is always a next number")


def _number(path: Path) -> int:
    text = path.name.rpartition("-")[2]
    return int(text) if text.isdecimal() else 0


def learn(
    chosen: Setting,
    out: Path | None,
    minutes: float | None,
    learner: str = "ppo",
    profile: str = USUAL_PROFILE,
    seed: int = 0,
    changes: dict[str, Any] | None = None,
    resume: bool = False,
    extra: Mapping[str, Any] | None = None,
) -> Path:
    """Train, or go on training; returns the folder of the last checkpoint.

    Without ``minutes`` training lasts for the steps of ``changes`` or of the profile, or else
    ``USUAL_MINUTES``; what goes on, to its planned end. Without ``out`` there is a new folder,
    ``runs/GAME-1``, ``-2`` … ``extra`` are further arguments of the learner's ``train``.

    Raises:
        UsageError: the settings do not exist, or the folder does not fit.
    """
    module = importlib.import_module(LEARNERS[learner])
    config = None
    if not resume:
        for name in sorted((changes or {}).keys() & getattr(module, "UNUSED", ())):
            raise UsageError(f"--set {name}: the learner {learner} makes no use of it")
        players = chosen.config["num_players"]
        with usage():
            planned = {**profile_values(chosen.game, profile, players), **(changes or {})}
            minutes = USUAL_MINUTES if minutes is None and "steps" not in planned else minutes
            config = settings(
                chosen.game,
                profile,
                num_players=players,
                options=chosen.given,
                seed=seed,
                **(changes or {}),
            )
    folder = out or new_folder(chosen.game)
    with usage():
        return module.train(
            chosen.game, config, folder, minutes=minutes, resume=resume, **(extra or {})
        )


def train_fully(
    game: Game, config: TrainConfig, out: Path, minutes: float | None = None, quiet: bool = False
) -> Path:
    """The checkpoint at the end of a run of our own learner, begun or taken up again.

    Raises:
        ValueError: ``out`` holds a run with other settings, or of another length.
        KeyboardInterrupt: it was stopped before its end; the same call goes on.
    """
    from training.ppo import train

    begun = newest_checkpoint(out)
    if begun is not None and minutes is None:
        planned = card_of(begun)["training"]["settings"]["steps"]
        if planned != config.steps:
            raise ValueError(f"{out} was planned for {planned:,} steps, not {config.steps:,}")
    checkpoint = train(
        game, config, out, None if begun else minutes, resume=begun is not None, quiet=quiet
    )
    training = card_of(checkpoint)["training"]
    if training["steps"] < training["settings"]["steps"]:
        raise KeyboardInterrupt
    return checkpoint


def same_run(chosen: Setting, out: Path, learner: str, asked: dict[str, Any]) -> None:
    """Check that a run that is to go on is the one that was asked for.

    Raises:
        UsageError: ``asked``, values of options and settings, or the learner differ from the
            run's own; or there is nothing to go on from.
    """
    with usage():
        folder = find_checkpoint(out)
        _, card = read_arrays(folder / FILE)
    settings = card.get("training", {}).get("settings", {})
    if not (folder / OWN_FILES[learner]).exists():
        theirs = next((name for name, own in OWN_FILES.items() if (folder / own).exists()), "none")
        raise UsageError(f"{folder} was not trained by the learner {learner}, but by {theirs}")
    own = {**settings, **card.get("options", {})}
    for name, value in json.loads(json.dumps(asked)).items():
        if own.get(name, value) != value:
            raise UsageError(f"{folder} was trained with {name}={own[name]!r}, not {value!r}")


def measure(game: Game, checkpoint: Path, out: Path, blocks: int, seed: int, bar: Bar) -> Report:
    """Play a checkpoint, by its card's rules, against all that the game has; keep the report."""
    card = json.loads((checkpoint / "card.json").read_text(encoding="utf-8"))
    opponents = list(agents.heuristics(game))
    with bar(blocks * len(opponents)) as advance:
        report = evaluate(
            game, str(checkpoint), opponents, blocks, seed, progress=advance, **card["options"]
        )
    report.save(out / REPORT)
    report.draw(out / PICTURE)
    return report
