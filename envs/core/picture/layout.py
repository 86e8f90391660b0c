"""Where things lie in a picture: seats around the table, cards in a box. Numbers only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from envs.core.picture.cards import HEIGHT, WIDTH

RATIO = WIDTH / HEIGHT
LABEL = 14  # height of a zone's name
GAP = 8  # between zones
_STEPS = (1.06, 0.8, 0.6, 0.48, 0.38, 0.3, 0.22, 0.15, 0.08)  # from card to card, in card widths
_ROW_STEP = 0.52  # from row to row within a zone, in card heights: the indices stay visible


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    def inner(self, left: float, top: float, right: float, bottom: float) -> "Box":
        """The box without margins."""
        return Box(
            self.x + left,
            self.y + top,
            max(self.width - left - right, 1),
            max(self.height - top - bottom, 1),
        )


@dataclass(frozen=True)
class Wish:
    """What a zone needs.

    Attributes:
        cards: how many.
        label: width of its name.
        dense: the cards may lie close: many are face down, or they are a pile.
    """

    cards: int
    label: float
    dense: bool


@dataclass(frozen=True)
class Spot:
    """Where a zone lies: its label's box, and the places of its cards, all of one height."""

    label: Box
    cards: list[tuple[float, float]]
    height: float


# The table

PICTURE = Box(0, 0, 1200, 800)
HEAD = 34  # height of the title line
SIDE = 222  # width of the columns at both sides
TOP, FOOT = 150, 200  # height of the seats opposite, and of the seat at the bottom
_SIDES = {  # other seats -> those at the right, those at the top; the rest sit at the left
    0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1), 4: (1, 2), 5: (1, 3),
    6: (2, 2), 7: (2, 3), 8: (2, 4), 9: (3, 3), 10: (3, 4), 11: (3, 5),
}  # fmt: skip


@dataclass(frozen=True)
class Places:
    """Where the parts of a table lie.

    Attributes:
        seats: in playing order from the seat at the bottom, to the right.
        middle: what lies in nobody's place.
        left, right: the corners beside the bottom seat, for words.
    """

    seats: list[Box]
    middle: Box
    left: Box
    right: Box


def places(players: int) -> Places:
    """The parts of a table for 1 to 12 seats."""
    right, top = _SIDES[players - 1]
    left = players - 1 - right - top
    floor = PICTURE.height - FOOT - GAP
    ceiling = HEAD + (TOP + GAP if top else 0)
    column = Box(GAP, ceiling, SIDE, floor - GAP - ceiling)
    other = PICTURE.width - GAP - SIDE
    middle = column.inner(0, 0, 0, 0)._replace(
        x=2 * GAP + SIDE if left else GAP,
        width=PICTURE.width - 2 * GAP - (GAP + SIDE) * ((left > 0) + (right > 0)),
    )
    bottom = Box(2 * GAP + SIDE, floor, PICTURE.width - 2 * SIDE - 4 * GAP, FOOT)
    return Places(
        seats=[
            bottom,
            *reversed(_stack(column._replace(x=other), right)),
            *reversed(_row(Box(GAP, HEAD, PICTURE.width - 2 * GAP, TOP), top)),
            *_stack(column, left),
        ],
        middle=middle,
        left=Box(GAP, floor, SIDE, FOOT),
        right=Box(other, floor, SIDE, FOOT),
    )


def _stack(box: Box, count: int) -> list[Box]:
    """Boxes under each other, from the top."""
    height = (box.height - GAP * (count - 1)) / max(count, 1)
    return [Box(box.x, box.y + i * (height + GAP), box.width, height) for i in range(count)]


def _row(box: Box, count: int) -> list[Box]:
    """Boxes beside each other, from the left, none wider than the bottom seat's."""
    room = (box.width - GAP * (count - 1)) / max(count, 1)
    width = min(room, PICTURE.width - 2 * SIDE - 4 * GAP)
    spare = (room - width) / 2
    return [Box(box.x + i * (room + GAP) + spare, box.y, width, box.height) for i in range(count)]


# Cards in a box


def fit(wishes: Sequence[Wish], box: Box, tallest: float) -> list[Spot]:
    """The places of some zones in a box: the largest cards, spread as far as that allows."""
    best, best_worth = None, -1.0
    for height in _heights(tallest):
        if height * 1.03 < best_worth:
            break  # smaller cards, even spread out, cannot be better
        for step in _STEPS:
            worth = height * (0.3 + 0.7 * min(step, 1.03))
            if worth > best_worth and (step >= 0.3 or best is None):
                spots = _flow(wishes, box, height, step)
                if spots is not None:
                    best, best_worth = spots, worth
                    break
    return best or _flow(wishes, box, 12, _STEPS[-1], force=True) or []


def _heights(tallest: float) -> Iterator[float]:
    height = tallest
    while height > 16:
        yield round(height, 1)
        height *= 0.94
    yield 16


def _flow(
    wishes: Sequence[Wish], box: Box, height: float, step: float, force: bool = False
) -> list[Spot] | None:
    """Zones side by side and row under row; None where the box is too small."""
    blocks = [_block(wish, box.width, height, step) for wish in wishes]
    rows: list[list[int]] = [[]]
    used = 0.0
    for i, (width, _, _) in enumerate(blocks):
        if rows[-1] and used + GAP + width > box.width + 0.01:
            rows.append([])
            used = 0.0
        used += width + (GAP if rows[-1] else 0)
        rows[-1].append(i)
    tall = [max((blocks[i][1] for i in row), default=0) for row in rows]
    total = sum(tall) + GAP * (len(rows) - 1)
    widest = max((block[0] for block in blocks), default=0)
    if not force and (total > box.height + 0.01 or widest > box.width + 0.01):
        return None
    return _settle(blocks, rows, tall, box, height, (box.height - total) / 2)


def _settle(
    blocks: list, rows: list[list[int]], tall: list[float], box: Box, height: float, spare: float
) -> list[Spot]:
    """The spots of blocks in rows, each row centred."""
    spots = []
    y = box.y + max(spare, 0)
    for row, row_height in zip(rows, tall, strict=True):
        across = sum(blocks[i][0] for i in row) + GAP * (len(row) - 1)
        x = box.x + max((box.width - across) / 2, 0)
        for i in row:
            width, _, places = blocks[i]
            cards = [(x + dx, y + LABEL + dy) for dx, dy in places]
            spots.append(Spot(Box(x, y, width, LABEL), cards, height))
            x += width + GAP
        y += row_height + GAP
    return spots


def _block(
    wish: Wish, room: float, height: float, step: float
) -> tuple[float, float, list[tuple[float, float]]]:
    """Width and height of a zone, and its cards' places in it."""
    across = height * RATIO
    apart = across * (min(step, 0.3) if wish.dense else step)
    line = max(1, int((room - across + 0.01) / apart) + 1)
    rows = max(1, -(-wish.cards // line))
    line = -(-wish.cards // rows)  # rows of the same length
    down = height * _ROW_STEP
    places = [((i % line) * apart, (i // line) * down) for i in range(wish.cards)] if line else []
    cards_width = across + (min(line, max(wish.cards, 1)) - 1) * apart if wish.cards else 0
    width = max(cards_width, min(wish.label, room, 130 if wish.cards else 300))
    tall = LABEL + (height + (rows - 1) * down if wish.cards else 0)
    return width, tall, places


def spread(count: int, box: Box, size: float) -> list[tuple[float, float]]:
    """Centres of discs in a box: in centred rows, closer together where there are many."""
    rows = max(1, min(int(box.height / (size * 1.05)), round((count * size / box.width) + 0.49)))
    line = -(-count // rows)
    apart = min(size * 1.05, (box.width - size) / max(line - 1, 1))
    top = box.y + (box.height - rows * size * 1.05) / 2 + size / 2
    found = []
    for i in range(count):
        row = i // line
        width = (min(line, count - row * line) - 1) * apart
        x = box.x + (box.width - width) / 2 + (i % line) * apart
        found.append((x, top + row * size * 1.05))
    return found
