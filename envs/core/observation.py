"""Observation layouts: named sections, declared once.

A game declares its sections in the order in which it writes them. Sizes, slices, ``Box`` bounds,
``decode``, the documentation table and a network's input scaling all come from that declaration.
Every section brings its encoder ``write(state, seat, out, at) -> at``, which fills its places of
``out`` from ``at`` on and returns the place after the last; ``check`` proves that each filled
exactly what it declares.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
from gymnasium import spaces


@dataclass(frozen=True)
class Section:
    """A named stretch of the observation.

    Attributes:
        name: identifier, unique in the layout.
        shape: of the decoded section; empty sections (a zero in the shape) are allowed, so that
            the sections of a game are the same for all options.
        low, high: inclusive bounds of the values.
        meaning: one sentence for the documentation table.
        write: the compiled encoder.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    write: Callable = field(compare=False, repr=False)

    @property
    def length(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """All sections of one game under one configuration."""

    sections: tuple[Section, ...]

    @cached_property
    def offsets(self) -> np.ndarray:
        """int64[S + 1]: where each section starts; the last entry is the size."""
        return np.cumsum([0, *(s.length for s in self.sections)], dtype=np.int64)

    @property
    def size(self) -> int:
        """Length of the observation vector."""
        return int(self.offsets[-1])

    @cached_property
    def dtype(self) -> np.dtype:
        """int8, or int16 where a bound does not fit."""
        wide = any(s.low < -128 or s.high > 127 for s in self.sections if s.length)
        return np.dtype(np.int16 if wide else np.int8)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Section name -> its slice of the vector."""
        return {
            s.name: slice(int(start), int(start) + s.length)
            for s, start in zip(self.sections, self.offsets, strict=False)
        }

    @cached_property
    def low(self) -> np.ndarray:
        """Lower bound of every place."""
        return np.repeat([s.low for s in self.sections], [s.length for s in self.sections])

    @cached_property
    def high(self) -> np.ndarray:
        """Upper bound of every place."""
        return np.repeat([s.high for s in self.sections], [s.length for s in self.sections])

    @cached_property
    def scale(self) -> np.ndarray:
        """float32[N]: divide an observation by this and it lies in [-1, 1]."""
        return np.maximum(np.maximum(np.abs(self.low), np.abs(self.high)), 1).astype(np.float32)

    @cached_property
    def hash(self) -> str:
        """Short fingerprint of names, shapes and bounds, kept on a trained agent's card."""
        text = json.dumps([(s.name, s.shape, s.low, s.high) for s in self.sections])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def space(self) -> spaces.Box:
        """The observation's Gymnasium space."""
        return spaces.Box(
            self.low.astype(self.dtype), self.high.astype(self.dtype), dtype=self.dtype.type
        )

    def decode(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Section name -> a copy of its values in the section's shape."""
        values = np.asarray(observation)
        if values.shape != (self.size,):
            raise ValueError(f"expected an observation of shape ({self.size},), got {values.shape}")
        return {s.name: values[self.slices[s.name]].reshape(s.shape).copy() for s in self.sections}

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| places | section | shape | values | meaning |", "|---|---|---|---|---|"]
        for s in self.sections:
            if s.length:
                place = self.slices[s.name]
                shape = "×".join(map(str, s.shape))
                last = f"–{place.stop - 1}" if s.length > 1 else ""
                places, values = f"{place.start}{last}", f"{s.low}…{s.high}"
                rows.append(f"| {places} | `{s.name}` | {shape} | {values} | {s.meaning} |")
        return "\n".join(rows)

    def check(self, state, seat: int, observation: np.ndarray) -> None:
        """Raise if a section's encoder does not fill exactly its places, or leaves its bounds."""
        for s in self.sections:
            place = self.slices[s.name]
            alone = np.zeros(self.size, self.dtype)
            stop = s.write(state, seat, alone, place.start)
            if stop != place.stop:
                raise AssertionError(f"{s.name} ends at {stop}, declared {place.stop}")
            outside = alone.copy()
            outside[place] = 0
            if outside.any() or (alone[place] != observation[place]).any():
                raise AssertionError(f"{s.name} does not write its own places, or only those")
            if s.length and not (alone[place].min() >= s.low and alone[place].max() <= s.high):
                raise AssertionError(f"{s.name} leaves its bounds {s.low}…{s.high}: {alone[place]}")
