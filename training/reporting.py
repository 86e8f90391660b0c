"""What all reports share: rounding, JSON that repeats byte for byte, fingerprints, plain text."""

import dataclasses
import hashlib
import json
import platform
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from rich.console import Console, RenderableType

from agents import Agent
from agents.policy import PolicyAgent
from agents.storage import make_folder, write_bytes
from envs.core.game import Config, Game
from training.statistics import Interval

DIGITS = 6
TEXT_WIDTH = 100


class Reproducible(ABC):
    """A report, which is a dataclass: all of it but the time it took can be reproduced.

    Attributes:
        TIME: the name of that field.
    """

    TIME: ClassVar[str] = "wall_seconds"

    def derived(self) -> dict[str, Any]:
        """Figures that follow from the fields and are written beside them."""
        return {}

    @abstractmethod
    def table(self) -> RenderableType:
        """The findings for the terminal."""

    def to_dict(self) -> dict[str, Any]:
        """The reproducible part as plain data."""
        data = dataclasses.asdict(cast(Any, self)) | self.derived()
        del data[self.TIME]
        return rounded(data)

    def to_json(self) -> str:
        """The reproducible part as JSON."""
        return as_json(self.to_dict())

    def text(self) -> str:
        """The table as plain text."""
        return plain_text(self.table())

    def write(self, path: Path) -> None:
        """Write a JSON file, whole or not at all: ``report``, and as ``run`` what differs."""
        run = {
            self.TIME: round(getattr(self, self.TIME), 3),
            "python": platform.python_version(),
            "machine": platform.machine(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, as_json({"report": self.to_dict(), "run": run}).encode())


def as_json(data: Any) -> str:
    """JSON in one fixed order."""
    return json.dumps(data, indent=2, sort_keys=True) + "\n"


def claim(folder: Path, own: Collection[str] = ()) -> None:
    """Make the folder of a report, before the work that fills it.

    Args:
        folder: of the report.
        own: what it may hold already, and what may be replaced.

    Raises:
        ValueError: it holds something else, or cannot be written.
    """
    if folder.exists() and not (folder.is_dir() and _names(folder) <= set(own)):
        raise ValueError(f"{folder} holds something else; choose another folder")
    make_folder(folder, "a report")


def _names(folder: Path) -> set[str]:
    """What lies in a folder, without what a killed process left half-written."""
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def rounded(value: Any) -> Any:
    """The same data with floats that a person can read."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def percent(interval: Interval) -> str:
    """``62.1% [60.0%, 64.2%]``."""
    return f"{interval.estimate:.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def signed(interval: Interval, digits: int = 3) -> str:
    """``+0.120 [-0.010, +0.250]``."""
    values = (interval.estimate, interval.low, interval.high)
    shown = (f"{round(value, digits) + 0.0:+.{digits}f}" for value in values)  # no negative zero
    return "{} [{}, {}]".format(*shown)


def plain_text(*parts: RenderableType) -> str:
    """Tables as plain text."""
    console = Console(width=TEXT_WIDTH, no_color=True)
    with console.capture() as capture:
        console.print(*parts, sep="\n")
    return capture.get()


def source_hashes(game: Game, config: Config) -> dict[str, str]:
    """Fingerprints of the code that a result depends on."""
    rules = Path(sys.modules[game.module].__file__ or "")
    core = Path(sys.modules["envs.core"].__file__ or "").parent
    players = Path(sys.modules["agents"].__file__ or "").parent
    return {
        "observation": game.layout(config).hash,
        "rules": _source_hash(rules.parent if rules.name == "__init__.py" else rules, core),
        "agents": _source_hash(players),
    }


def fingerprints(game: Game, config: Config, agent: Agent) -> dict[str, str]:
    """Those of the code and, where it has any, of an agent's weights."""
    weights, hashes = weights_hash(agent), source_hashes(game, config)
    return hashes if weights is None else {**hashes, "weights": weights}


def weights_hash(agent: Agent) -> str | None:
    """A fingerprint of a trained policy and how it is played; None for an agent without weights."""
    if not isinstance(agent, PolicyAgent):
        return None
    manner = json.dumps([agent.temperature, agent.card.get("advisor")], sort_keys=True)
    arrays = (np.ascontiguousarray(layer).tobytes() for layer in agent.layers)
    return _digest(chain([manner.encode()], arrays))


def _source_hash(*places: Path) -> str:
    files = [sorted(place.rglob("*.py")) if place.is_dir() else [place] for place in places]
    return _digest(path.name.encode() + path.read_bytes() for path in chain.from_iterable(files))


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]
