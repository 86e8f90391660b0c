"""Point 3: nothing hidden gets through.

Whatever a seat is shown must be the same when cards it cannot see change places.
"""

import random
from collections import Counter

from envs.conformance.positions import (
    PER_PHASE,
    Table,
    differences,
    few_of_each,
    phases,
    positions,
    viewers,
)
from envs.conformance.slots import Slots
from envs.conformance.subject import Subject

SWAPS = 4  # pairs of hidden cards exchanged per position and seat
PICTURES = 4  # positions of every phase that are drawn too


def nothing_leaks(subject: Subject) -> None:
    """Point 3: exchanging what a seat cannot see changes nothing that it is shown."""
    table, chance = Table(subject), random.Random(3)
    found = positions(subject, subject.many(PER_PHASE))
    names = phases(subject)
    for phase, records in found.items():
        name = names.get(phase, phase)
        for n, record in enumerate(records):
            for seat in viewers(subject, record, chance):
                table.put(record)
                drawn = n < subject.many(PICTURES)
                _check_swaps(table, seat, chance, f"phase {name}, seat {seat}", drawn)


def _check_swaps(table: Table, seat: int, chance: random.Random, where: str, picture: bool) -> None:
    before, slots = table.view(seat, picture), table.hidden(seat)
    for a, b in slots.pairs(chance, SWAPS):
        slots.swap(a, b)
        changed = differences(before, table.view(seat, picture))
        assert not changed, (
            f"{where}: its {changed} changes when {slots.say(a)} and {slots.say(b)} change places"
        )
        slots.restore()
    for place, value in slots.choices(chance, SWAPS):
        slots.record[place.field][place.index] = value
        changed = differences(before, table.view(seat, picture))
        assert not changed, (
            f"{where}: its {changed} changes with the sealed {place.field}{place.index}"
        )
        slots.restore()


def visible_cards_show(subject: Subject) -> None:
    """Point 3, positive control: a card that a seat sees cannot be exchanged behind its back."""
    table, chance = Table(subject), random.Random(4)
    tried: Counter = Counter()
    for record in few_of_each(positions(subject), 4, chance):
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
    before = table.view(seat, picture=True)
    for a, b in chance.sample(pairs, min(SWAPS, len(pairs))):
        both.swap(a, b)
        after = table.view(seat, picture=True)
        assert after[0] != before[0], (
            f"seat {seat} sees {both.say(a)}, but its observation is the same with {b.kind} there"
        )
        assert after[3] != before[3], (
            f"seat {seat} sees {both.say(a)}, but its table is the same with {b.kind} there"
        )
        assert after[5] != before[5], (
            f"seat {seat} sees {both.say(a)}, but its picture is the same with {b.kind} there"
        )
        both.restore()
    return len(pairs)
