"""Point 3: nothing hidden gets through, and resampled worlds are fair.

The checks work on records met in random play, some of every phase, and look at them through the
AEC environment: whatever a seat is shown must be the same when cards it cannot see change places.
"""

import importlib
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from envs.conformance.batches import new_batch, random_actions
from envs.conformance.slots import Slots
from envs.conformance.subject import Subject, digest
from envs.core.aec import GameEnv
from envs.core.batch import Batch
from envs.core.drawing import draw_text
from envs.core.jit import COMPILED
from envs.core.loops import compile_loops
from envs.core.random import key_from_seed

OVER = "over"  # stands for a phase in the tables below
PER_PHASE = 20  # positions of every phase that random play reaches
GAMES = 64 if COMPILED else 8  # played at once to find them
PATIENCE = 300  # batch steps without a new phase after which the search is over
ROUNDS = 4000  # batch steps after which a phase counts as hardly reachable
SWAPS = 4  # pairs of hidden cards exchanged per position and seat
SAMPLES = 800  # worlds drawn for a test of uniformity
FAR = 5.5  # standard errors at which a frequency is called wrong


def phases(subject: Subject) -> dict[int, str]:
    """Number -> name of the game's phases, from the ``Phase`` of its rules; empty if it has none."""
    try:
        rules = importlib.import_module(f"{subject.game.module}.rules")
        return {int(phase): phase.name for phase in rules.Phase}
    except (ModuleNotFoundError, AttributeError):
        return {}


@lru_cache(maxsize=8)
def positions(subject: Subject, per_phase: int = PER_PHASE) -> dict[Any, list[np.ndarray]]:
    """Phase (or ``OVER``) -> records met at every third decision of random play."""
    batch = new_batch(subject, GAMES, seed=3)
    play, chance = random_actions(3), random.Random(3)
    found: dict[Any, list[np.ndarray]] = defaultdict(list)
    news = 0  # the latest turn that brought a phase not met before
    for turn in range(ROUNDS):
        met = len(found)
        if turn % 3 == 0:
            _collect(batch, found, per_phase, chance)
        batch.step(play(batch))
        for record in batch.final_states[: per_phase - len(found[OVER])]:
            found[OVER].append(_copy(record))
        news = turn if len(found) > met else news
        full = all(len(records) >= per_phase for records in found.values())
        if full and turn > news + PATIENCE:
            break
    return dict(found)


def _collect(batch: Batch, found: dict, per_phase: int, chance: random.Random) -> None:
    """At most two games of each phase, so that they come from many turns."""
    now = batch.states["phase"]
    for phase in np.unique(now).tolist():
        games = np.flatnonzero(now == phase).tolist()
        chance.shuffle(games)
        for k in games[: min(2, per_phase - len(found[phase]))]:
            found[phase].append(_copy(batch.states[k]))


def _copy(record: Any) -> np.ndarray:
    """The record in an array of its own."""
    return np.array(record).reshape(1).copy().view(np.recarray)


class Table:
    """A spare environment into which records are put, to see what each seat is shown."""

    def __init__(self, subject: Subject):
        self.env: GameEnv = subject.env().unwrapped
        self.env.reset(seed=0)
        self.game = subject.game

    def put(self, record: np.ndarray) -> Any:
        """Show this record; returns the live one, to be edited."""
        self.env.states[:] = record
        self.env.refresh()
        return self.env.states[0]

    def view(self, seat: int) -> tuple[str, ...]:
        """Digests of all that the seat is shown now: observation, mask, info, table, text."""
        self.env.refresh()
        agent = self.env.possible_agents[seat]
        seen = self.env.observe(agent)
        table = self.env.table(seat)
        return (
            digest(seen["observation"]),
            digest(seen["action_mask"]),
            digest(self.env.infos[agent]),
            digest(table.as_dict()),
            digest(draw_text(table)),
        )

    def hidden(self, seat: int) -> Slots:
        """The places this seat cannot see."""
        states = self.env.states
        return Slots(states, list(self.game.hidden(states[0], seat)))

    def zones(self) -> dict[str, list[str]]:
        return self.env.zones()


_PARTS = ("observation", "action mask", "info", "table", "text view")


def _differences(before: tuple, after: tuple) -> str:
    return ", ".join(part for part, a, b in zip(_PARTS, before, after, strict=True) if a != b)


def nothing_leaks(subject: Subject) -> None:
    """Point 3: exchanging what a seat cannot see changes nothing that it is shown."""
    table, chance = Table(subject), random.Random(3)
    found = positions(subject, subject.many(PER_PHASE))
    names = phases(subject)
    for phase, records in found.items():
        name = names.get(phase, phase)
        for record, seat in itertools.product(records, range(len(table.env.possible_agents))):
            table.put(record)
            _check_swaps(table, seat, chance, f"phase {name}, seat {seat}")


def _check_swaps(table: Table, seat: int, chance: random.Random, where: str) -> None:
    before, slots = table.view(seat), table.hidden(seat)
    for a, b in slots.pairs(chance, SWAPS):
        slots.swap(a, b)
        changed = _differences(before, table.view(seat))
        assert not changed, (
            f"{where}: its {changed} changes when {slots.say(a)} and {slots.say(b)} change places"
        )
        slots.restore()
    for place, value in slots.choices(chance, SWAPS):
        slots.record[place.field][place.index] = value
        changed = _differences(before, table.view(seat))
        assert not changed, (
            f"{where}: its {changed} changes with the sealed {place.field}{place.index}"
        )
        slots.restore()


def visible_cards_show(subject: Subject) -> None:
    """Point 3, positive control: a card that a seat sees cannot be exchanged behind its back."""
    table, chance = Table(subject), random.Random(4)
    tried: Counter = Counter()
    for record in _few(positions(subject), 4, chance):
        for seat in range(len(table.env.possible_agents)):
            table.put(record)
            tried[seat] += _control(table, seat, chance)
    unseen = [seat for seat in range(len(table.env.possible_agents)) if not tried[seat]]
    assert not unseen, f"seats {unseen} never had a card that only they see: hidden() is too wide"


def _control(table: Table, seat: int, chance: random.Random) -> int:
    """Exchange cards that the seat sees, and others do not, with cards that it does not see."""
    record, mine = table.env.states[0], table.hidden(seat)
    others: list = []
    for other in range(len(table.env.possible_agents)):
        if other != seat:
            others += [p for p in table.game.hidden(record, other) if p not in mine.places]
    both = Slots(table.env.states, [*mine.places, *dict.fromkeys(others)])
    own = [slot for slot in both.slots if slot.place not in mine.places]
    pairs = [(a, b) for a in own for b in mine.slots if both.can_swap(a, b)]
    before = table.view(seat)
    for a, b in chance.sample(pairs, min(SWAPS, len(pairs))):
        both.swap(a, b)
        after = table.view(seat)
        assert after[0] != before[0], (
            f"seat {seat} sees {both.say(a)}, but its observation is the same with {b.kind} there"
        )
        assert after[3] != before[3], (
            f"seat {seat} sees {both.say(a)}, but its table is the same with {b.kind} there"
        )
        both.restore()
    return len(pairs)


def _few(found: dict, per_phase: int, chance: random.Random) -> list[np.ndarray]:
    """Some positions of every phase, the ended ones left out."""
    return [
        record
        for phase, records in found.items()
        if phase != OVER
        for record in chance.sample(records, min(per_phase, len(records)))
    ]


# Resampling


def resampled_worlds(subject: Subject) -> None:
    """Point 3: resampled worlds look the same, conserve the cards, and are several."""
    table, chance = Table(subject), random.Random(5)
    pack = Counter(map(subject.game.cards.text, subject.game.pack(subject.config)))
    for record in _few(positions(subject), 5, chance):
        for seat in range(len(table.env.possible_agents)):
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
    for stream in range(24 if several else 3):
        where = f"seat {seat}, phase {record['phase'][0]}, stream {stream}"
        resample(table, record, seat, stream)
        changed = _differences(before, table.view(seat))
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
        assert subject.possible is None or subject.possible(table.env.states[0], seat), (
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
        possible = subject.possible is None or subject.possible(table.env.states[0], seat)
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
    """Point 3: where few cards are hidden each world comes equally often; else each card's place."""
    table, chance = Table(subject), random.Random(6)
    records = [record for record in _few(positions(subject), 6, chance)]
    seats = range(len(table.env.possible_agents))
    cases = [(record, seat) for record in records for seat in seats]
    counted = [(_count_hidden(table, record, seat), n) for n, (record, seat) in enumerate(cases)]
    counted = [(count, n) for count, n in counted if count > 1]
    enumerable = sorted((count, n) for count, n in counted if count <= 6)
    for _, n in enumerable[-subject.many(3) :]:
        _check_every_world(subject, table, *cases[n])
    for _, n in chance.sample(counted, min(len(counted), subject.many(4))):
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
        if subject.possible is None or subject.possible(table.env.states[0], seat):
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


class TooRareError(Exception):
    """Hardly any shuffle of the hidden cards is a possible world."""


def _check_marginals(
    subject: Subject, table: Table, record: np.ndarray, seat: int, chance: random.Random
) -> None:
    """How often each card lies in each zone, against a plain shuffle of the hidden cards."""
    drawn = _frequencies(table, lambda n: resample(table, record, seat, n))
    table.put(record)
    slots = table.hidden(seat)
    kinds = [slot.kind for slot in slots.slots]

    def shuffle(_: int) -> None:
        for _attempt in range(1000):
            chance.shuffle(kinds)
            slots.write(kinds)
            if subject.possible is None or subject.possible(table.env.states[0], seat):
                return
        raise TooRareError

    try:
        expected = _frequencies(table, shuffle)
    except TooRareError:
        return  # shuffling finds nothing to compare with
    copies = Counter(map(table.game.cards.text, kinds))
    for where in {*drawn, *expected}:
        p, q = drawn[where] / SAMPLES, expected[where] / SAMPLES
        most = max(1, copies[where[1]])  # hidden copies alike: so many may lie in the place
        spread = sum(f * abs(1 - f / most) for f in (p, q))
        error = math.sqrt(spread / SAMPLES) or 1 / SAMPLES
        assert abs(p - q) <= FAR * error, (
            f"seat {seat}, phase {record['phase'][0]}: resampling puts {where[1]} into {where[0]} in "
            f"{p:.3f} of the worlds, a shuffle of the hidden cards in {q:.3f}"
        )


def _frequencies(table: Table, make: Callable[[int], Any]) -> Counter:
    """(zone, card) -> count over sampled worlds; the top of the stock counts as a zone of its own."""
    counts: Counter = Counter()
    for n in range(SAMPLES):
        make(n)
        zones = table.zones()
        for name, cards in zones.items():
            counts.update((name, card) for card in cards)
        counts.update(("top of the stock", card) for card in zones.get("stock", [])[:1])
    return counts
