"""Checkpoints of a training run: all that is needed to play the policy, and to go on learning.

A checkpoint is a folder ``checkpoint-<step>`` inside the run's folder:

    policy.safetensors    weights and card; ``agents.load`` plays it
    card.json             the card again, for people
    trainer.safetensors   everything else, from which training goes on identically

It is written under another name, flushed to the disk and renamed, so it is there whole or not at
all, whenever the process is killed. Nothing is ever unpickled.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from agents import policy
from agents.policy import check_card, newest_checkpoint
from agents.storage import make_folder, read_arrays, write_arrays, write_bytes
from envs.core.batch import Batch
from envs.core.game import Config, Game

TRAINER_FORMAT = "naips-trainer/1"
TRAINER_FILE = "trainer.safetensors"
KEPT = 2  # newest checkpoints that stay; the older ones are removed


def new_run(run: Path) -> None:
    """Make the folder of a new run; ValueError when it holds one already or cannot be written."""
    if any(run.glob("checkpoint-*")):
        raise ValueError(f"{run} holds a training run already; resume it or choose another folder")
    make_folder(run, "a training run")
    remove_drafts(run)


@contextmanager
def alone_in(run: Path) -> Iterator[None]:
    """Keep other processes from training in a run's folder; ValueError where one does already.

    The lock goes with the process, however that ends; a system without such locks keeps nobody out.
    """
    if os.name != "posix":
        yield
        return
    import fcntl

    handle = os.open(run, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise ValueError(f"another process is training in {run}") from None
    except OSError:
        pass
    try:
        yield
    finally:
        os.close(handle)


def write_checkpoint(run: Path, step: int, fill: Callable[[Path], None]) -> Path:
    """Let ``fill`` write the files of a checkpoint; it appears whole, and old ones are removed."""
    target = run / f"checkpoint-{step:012d}"
    if target.exists():
        return target
    remove_drafts(run)
    draft = run / f".draft-{target.name}"
    draft.mkdir(parents=True)
    fill(draft)
    _flush(draft)
    os.rename(draft, target)
    _flush(run)
    for old in sorted(run.glob("checkpoint-*"))[:-KEPT]:
        shutil.rmtree(old)
    return target


def write_policy(folder: Path, layers: Sequence[np.ndarray], card: Mapping[str, Any]) -> None:
    """Write what ``agents.load`` plays: weight_0, bias_0, weight_1, … and the card."""
    named = {f"{'weight' if i % 2 == 0 else 'bias'}_{i // 2}": a for i, a in enumerate(layers)}
    write_arrays(folder / policy.FILE, named, card)
    write_bytes(folder / "card.json", json.dumps(card, indent=2).encode())


def card_of(path: Path) -> dict[str, Any]:
    """What the policy that a path means says about itself."""
    return read_arrays(policy.find_policy(path))[1]


def amend_card(file: Path, **more: Any) -> None:
    """Add to what a policy says about itself, in its file and in the card beside it.

    The weights stay as they are; a reader sees the old file or the new one.
    """
    arrays, card = read_arrays(file)
    card |= more
    write_arrays(file, arrays, card)
    beside = file.with_name("card.json") if file.name == policy.FILE else file.with_suffix(".json")
    if beside.is_file():
        write_bytes(beside, (json.dumps(card, indent=2) + "\n").encode())


def write_trainer(
    folder: Path, step: int, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]
) -> None:
    """Write the trainer's state."""
    write_arrays(folder / TRAINER_FILE, arrays, {"format": TRAINER_FORMAT, "step": step, **header})


def remove_drafts(run: Path) -> None:
    """Remove what a killed process left half-written."""
    for draft in run.glob(".draft-*"):
        shutil.rmtree(draft)


def find_checkpoint(path: Path) -> Path:
    """The checkpoint that a path means: itself, or the newest of a run's folder.

    Raises:
        FileNotFoundError: there is none.
    """
    folder = path if (path / policy.FILE).is_file() else newest_checkpoint(path)
    if folder is None:
        raise FileNotFoundError(f"there is no checkpoint to go on from in {path}")
    return folder


def load_trainer(folder: Path, game: Game, config: Config | None = None) -> tuple[dict, dict, dict]:
    """The trainer's arrays and header, and the policy's card.

    Raises:
        ValueError: the checkpoint is damaged, foreign, or of another game or observation.
    """
    arrays, header = read_arrays(folder / TRAINER_FILE)
    if header.get("format") != TRAINER_FORMAT:
        raise ValueError(
            f"{folder / TRAINER_FILE} is no {TRAINER_FORMAT} file but {header.get('format')!r}"
        )
    _, card = read_arrays(folder / policy.FILE)
    if config is None:
        config = _config_of(card, game)
    check_card(card, game, config, folder / policy.FILE)
    return arrays, header, card


def _config_of(card: Mapping[str, Any], game: Game) -> Config:
    """The configuration on a card; another game's options would not even parse."""
    if card.get("env_id") != game.env_id:
        raise ValueError(f"this checkpoint was trained for {card.get('env_id')}, not {game.env_id}")
    return game.configure(**card["options"])


def make_card(game: Game, config: Config, hidden: Sequence[int], **more: Any) -> dict[str, Any]:
    """What a policy says about itself: what it plays, what it expects, how it came to be.

    ``more``: temperature, training (command, settings, steps, seconds, …), figures, limits.
    """
    return {
        "format": policy.FORMAT,
        "env_id": game.env_id,
        "num_players": config["num_players"],
        "options": dict(config),
        "layout": game.layout(config).hash,
        "num_actions": game.num_actions(config),
        "hidden": list(hidden),
        **more,
    }


def batch_arrays(batch: Batch) -> dict[str, np.ndarray]:
    """All that a batch is."""
    records = np.ascontiguousarray(batch.states)
    return {
        "states": records.view(np.uint8).reshape(len(batch), -1),
        "keys": batch.keys,
        "opening": batch.opening,
    }


def load_batch(batch: Batch, arrays: Mapping[str, np.ndarray]) -> None:
    """Set a batch to what ``batch_arrays`` saved."""
    records = np.ascontiguousarray(arrays["states"]).view(batch.states.dtype).reshape(-1)
    batch.load(records, arrays["keys"], arrays["opening"])


def _flush(folder: Path) -> None:
    """Make the folder's entries durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
