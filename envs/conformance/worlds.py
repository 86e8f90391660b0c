"""Point 3: resampled worlds look the same, conserve the cards, and are drawn uniformly."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable

import numpy as np

from envs.conformance.positions import Table, differences, few_of_each, positions, viewers
from envs.conformance.slots import Slots
from envs.conformance.subject import Subject
from envs.core.loops import compile_loops
from envs.core.random import key_from_seed

SAMPLES = 400  # worlds drawn for a test of uniformity
ATTEMPTS = 100  # shuffles tried for one possible world, before uniformity is left unchecked
FAR = 5.0  # standard errors at which a frequency is called wrong


def resampled_worlds(subject: Subject) -> None:
    """Point 3: resampled worlds look the same, conserve the cards, and are several."""
    table, chance = Table(subject), random.Random(5)
    pack = Counter(map(subject.game.cards.text, subject.game.pack(subject.config)))
    for record in few_of_each(positions(subject), 4, chance):
        for seat in viewers(subject, record, chance):
            _check_resample(subject, table, record, seat, pack, chance)


def _check_resample(
    subject: Subject,
    table: Table,
    record: np.ndarray,
    seat: int,
    pack: Counter,
    chance: random.Random,
) -> None:
    table.put(record)
    before, slots = table.view(seat), table.hidden(seat)
    shape = _shape(slots, table.zones())
    key = record["rng"][0, 0]
    several = _has_other_world(subject, table, seat, chance)
    worlds = set()
    for stream in range(16 if several else 3):
        where = f"seat {seat}, phase {record['phase'][0]}, stream {stream}"
        resample(table, record, seat, stream)
        changed = differences(before, table.view(seat))
        assert not changed, f"{where}: resampling changes its {changed}"
        zones = table.zones()
        cards = Counter(card for cards in zones.values() for card in cards)
        assert cards == pack, (
            f"{where}: resampling loses {dict(pack - cards)}, adds {dict(cards - pack)}"
        )
        assert table.env.states["rng"][0, 0] != key, f"{where}: the record's own stream stays"
        assert slots.sealed or _shape(table.hidden(seat), zones) == shape, (
            f"{where}: zones or places change"
        )
        assert subject.possible(table.env.states[0], seat), (
            f"{where}: resampling builds a world that play cannot lead to: {zones}"
        )
        worlds.add(_world(zones))
    assert len(worlds) > 1 or not several, (
        f"seat {seat}, phase {record['phase'][0]}: always the same world"
    )
    first = resample(table, record, seat, 1).tobytes()
    assert resample(table, record, seat, 1).tobytes() == first, (
        "resampling depends on more than its stream"
    )


def _shape(slots: Slots, zones: dict[str, list[str]]) -> tuple:
    """How many cards lie where, and which single places are hidden: a seat knows all that."""
    sizes = {name: len(cards) for name, cards in zones.items()}
    return sizes, [place[:2] for place in slots.places if not place.counts]


def resample(table: Table, record: np.ndarray, seat: int, stream: int) -> np.ndarray:
    """Put the record on the table and resample it for a seat; the table's own record."""
    env = table.env
    env.states[:] = record
    loops = compile_loops(table.game)
    loops.resample_one(table.game.plain(env.states), seat, key_from_seed(stream))
    return env.states


def _has_other_world(subject: Subject, table: Table, seat: int, chance: random.Random) -> bool:
    """Whether some exchange of hidden cards makes another world that play can lead to."""
    slots = table.hidden(seat)
    here = _world(table.zones())
    for a, b in slots.pairs(chance, 20):
        slots.swap(a, b)
        possible = subject.possible(table.env.states[0], seat)
        other = _world(table.zones()) != here
        slots.restore()
        if possible and other:
            return True
    return False


def _world(zones: dict[str, list[str]]) -> tuple:
    """A world as its zones: the stock in order, all else without."""
    return tuple(
        (name, tuple(cards if name == "stock" else sorted(cards)))
        for name, cards in sorted(zones.items())
    )


def uniform_worlds(subject: Subject) -> None:
    """Point 3: few worlds come equally often, of many every card's place."""
    table, chance = Table(subject), random.Random(6)
    records = list(few_of_each(positions(subject), 6, chance))
    cases = [(record, seat) for record in records for seat in viewers(subject, record, chance)]
    counted = [(_count_hidden(table, record, seat), n) for n, (record, seat) in enumerate(cases)]
    counted = [(count, n) for count, n in counted if count > 1]
    few = 4 if subject.effort < 5 else 6
    enumerable = sorted((count, n) for count, n in counted if count <= few)
    for _, n in enumerable[-subject.many(3) :]:
        _check_every_world(subject, table, *cases[n])
    for _, n in chance.sample(counted, min(len(counted), subject.many(2))):
        _check_marginals(subject, table, *cases[n], chance)


def _count_hidden(table: Table, record: np.ndarray, seat: int) -> int:
    """Hidden cards; 0 where sealed choices depend on them, which no shuffle imitates."""
    table.put(record)
    slots = table.hidden(seat)
    return 0 if slots.sealed else len(slots.slots)


def _check_every_world(subject: Subject, table: Table, record: np.ndarray, seat: int) -> None:
    """χ² over all worlds, each weighted by the deals of physical cards that make it."""
    table.put(record)
    slots = table.hidden(seat)
    weights: Counter = Counter()
    for kinds in itertools.permutations([slot.kind for slot in slots.slots]):
        slots.write(kinds)
        if subject.possible(table.env.states[0], seat):
            weights[_world(table.zones())] += 1
    slots.restore()
    draws = 30 * len(weights) + 300
    seen: Counter = Counter()
    for stream in range(draws):
        resample(table, record, seat, stream)
        seen[_world(table.zones())] += 1
    strange = set(seen) - set(weights)
    assert not strange, f"seat {seat}: resampling makes a world that is none: {strange.pop()}"
    total = sum(weights.values())
    expected = {world: draws * weight / total for world, weight in weights.items()}
    chi2 = sum((seen[world] - e) ** 2 / e for world, e in expected.items())
    assert not _too_large(chi2, len(weights) - 1), (
        f"seat {seat}: {len(weights)} worlds are not drawn uniformly: χ² = {chi2:.1f}, "
        f"counts {sorted(seen.values())}"
    )


def _too_large(chi2: float, freedom: int) -> bool:
    """Whether χ² lies beyond about five standard deviations (Wilson and Hilferty's cube root)."""
    if freedom < 1:
        return False
    spread = 2 / (9 * freedom)
    return ((chi2 / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread) > 5


def _check_marginals(
    subject: Subject, table: Table, record: np.ndarray, seat: int, chance: random.Random
) -> None:
    """How often each card lies in each zone, against a plain shuffle of the hidden cards."""
    drawn = _frequencies(table, lambda n: len(resample(table, record, seat, n)) > 0)
    table.put(record)
    slots = table.hidden(seat)
    kinds = [slot.kind for slot in slots.slots]

    def shuffle(_: int) -> bool:
        for _attempt in range(ATTEMPTS):
            chance.shuffle(kinds)
            slots.write(kinds)
            if subject.possible(table.env.states[0], seat):
                return True
        return False

    expected = _frequencies(table, shuffle)
    if drawn is None or expected is None:
        return  # hardly any shuffle is a possible world: nothing to compare with
    copies = Counter(map(table.game.cards.text, kinds))
    for where in {*drawn, *expected}:
        p, q = drawn[where] / SAMPLES, expected[where] / SAMPLES
        most = max(1, copies[where[1]])  # hidden copies alike: so many may lie in the place
        spread = sum(f * abs(1 - f / most) for f in (p, q))
        error = math.sqrt(spread / SAMPLES) or 1 / SAMPLES
        assert abs(p - q) <= FAR * error, (
            f"seat {seat}, phase {record['phase'][0]}: resampling puts {where[1]} into {where[0]} "
            f"in {p:.3f} of the worlds, a shuffle of the hidden cards in {q:.3f}"
        )


def _frequencies(table: Table, make: Callable[[int], bool]) -> Counter | None:
    """(zone, card) -> count over sampled worlds, None if one cannot be made.

    The top of the stock counts as a zone of its own.
    """
    counts: Counter = Counter()
    for n in range(SAMPLES):
        if not make(n):
            return None
        zones = table.zones()
        for name, cards in zones.items():
            counts.update((name, card) for card in cards)
        counts.update(("top of the stock", card) for card in zones.get("stock", [])[:1])
    return counts
