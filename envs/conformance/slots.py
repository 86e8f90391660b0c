"""The hidden cards of a record, taken out and put elsewhere."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from envs.core.game import Place


class Slot(NamedTuple):
    """One hidden card: where it lies, and what it is (a card id, or a kind in a count)."""

    place: Place
    kind: int


class Slots:
    """The hidden places of the record ``states[0]`` that hold a card; ``restore`` undoes edits.

    Cards move freely between single places and counts, where ids and kinds are the same numbers.
    """

    def __init__(self, states: np.recarray, places: Sequence[Place]):
        self.states, self.record = states, states[0]
        self.places = list(places)
        self.sealed = [place for place in self.places if place.alternatives]
        self._before = states.copy()
        cards = [place for place in self.places if not place.alternatives]
        self.slots = [Slot(place, self._kind(place)) for place in cards if self._kind(place) >= 0]

    def _kind(self, place: Place) -> int:
        """What lies there; -1 for nothing."""
        value = int(self.record[place.field][place.index])
        if place.counts:
            return place.index[-1] if value > 0 else -1
        return value

    def can_swap(self, a: Slot, b: Slot) -> bool:
        """Whether the cards differ and each may lie in the other's place."""
        return a.kind != b.kind and self._holds(a.place, b.kind) and self._holds(b.place, a.kind)

    def _holds(self, place: Place, kind: int) -> bool:
        return not place.counts or kind < self.record[place.field].shape[-1]

    def pairs(self, chance: random.Random, n: int) -> Iterator[tuple[Slot, Slot]]:
        """Up to n random pairs of different cards to exchange."""
        for _ in range(8 * n if len(self.slots) > 1 else 0):
            a, b = chance.sample(self.slots, 2)
            if n and self.can_swap(a, b):
                n -= 1
                yield a, b

    def swap(self, a: Slot, b: Slot) -> None:
        """Exchange two cards."""
        for slot in (a, b):
            self._take(slot)
        self._give(a.place, b.kind)
        self._give(b.place, a.kind)

    def write(self, kinds: Sequence[int]) -> None:
        """Deal these kinds to the slots, in order, instead of what the record held at first."""
        self.restore()
        for slot in self.slots:
            self._take(slot)
        for slot, kind in zip(self.slots, kinds, strict=True):
            self._give(slot.place, kind)

    def choices(self, chance: random.Random, n: int) -> list[tuple[Place, int]]:
        """Up to n other values of sealed choices."""
        others = [
            (place, value)
            for place in self.sealed
            for value in place.alternatives
            if value != self.record[place.field][place.index]
        ]
        return chance.sample(others, min(n, len(others)))

    def restore(self) -> None:
        """Put the record back as it was."""
        self.states[:] = self._before

    def say(self, slot: Slot) -> str:
        """A slot in words."""
        return f"card {slot.kind} in {slot.place.field}{list(slot.place.index)}"

    def _take(self, slot: Slot) -> None:
        if slot.place.counts:
            self.record[slot.place.field][slot.place.index] -= 1

    def _give(self, place: Place, kind: int) -> None:
        if place.counts:
            self.record[place.field][(*place.index[:-1], kind)] += 1
        else:
            self.record[place.field][place.index] = kind
