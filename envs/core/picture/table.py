"""A table as SVG, from the plain data of ``Table`` alone.

The viewer sits at the bottom, the others in playing order to the right, as at a Catalan table. What
lies in nobody's place is in the middle, the acts of the hand at the bottom left, numbers at the
bottom right. The picture's ``<desc>`` is the table as text.
"""

from collections import Counter as Multiset
from collections.abc import Iterator
from xml.sax.saxutils import escape

from envs.core.drawing import draw_text
from envs.core.picture import spanish
from envs.core.picture.cards import symbol, symbol_id
from envs.core.picture.counters import counter
from envs.core.picture.layout import (
    GAP,
    LABEL,
    PICTURE,
    RATIO,
    Box,
    Spot,
    Wish,
    fit,
    places,
    spread,
)
from envs.core.picture.shapes import (
    INK,
    box,
    circle,
    group,
    line,
    lines_of,
    placed,
    tag,
    width_of,
    words,
)
from envs.core.table import HIDDEN, SeatView, Table, Zone

CLOTH, SHADE, TEXT, FAINT, SIGNAL = "#2b6350", "#1f4c3d", "#f6f1e3", "#bfd3c6", "#ffcf4a"
_NAME, _FACTS, _LABEL = 15, 11.5, 11  # sizes of text
_LINE, _COIN, _COUNTER = 14, 24, 98  # heights
_TALLEST = {"seat": 96, "bottom": 132, "middle": 150}  # cards


def table_svg(table: Table) -> str:
    """The table as one self-contained SVG of 1200 by 800.

    Elements that programs may look for: ``#seat-K`` and ``#centre`` with ``data-seat``, in them
    ``.zone`` with ``data-zone``, in them ``.card`` with ``data-card`` and an id such as
    ``card-0-hand-2`` (seat or ``centre``, zone, place); the seat to act has the class ``turn``.
    """
    first = table.viewer if table.viewer is not None else 0
    count = len(table.seats)
    where = places(count)
    seats = [
        _seat(table, table.seats[(first + k) % count], where.seats[k], "seat" if k else "bottom")
        for k in range(count)
    ]
    body = [
        box(*PICTURE, CLOTH),
        _title(table),
        _centre(table, where.middle),
        *seats,
        _log(table, where.left),
        _facts(table, where.right),
    ]
    return tag(
        "svg",
        tag("title", escape(f"{table.game}: {table.phase}")),
        tag("desc", escape(draw_text(table))),
        tag("defs", *(symbol(card, table.style) for card in _kinds(table))),
        group(*body, font_family="'Helvetica Neue',Arial,sans-serif", font_weight="bold"),
        xmlns="http://www.w3.org/2000/svg", viewBox="0 0 1200 800",
        width=PICTURE.width, height=PICTURE.height, role="img", class_="naips-table",
        data_viewer="all" if table.viewer is None else table.viewer,
    )  # fmt: skip


def _kinds(table: Table) -> list[str]:
    """Every card text that is drawn, once, in order."""
    zones = [zone for seat in table.seats for zone in seat.zones] + table.centre
    found = {card for zone in zones if not zone.marks for card in zone.cards}
    found |= {card for c in table.counters for card in (c.base, HIDDEN)}
    return sorted(found)


def _title(table: Table) -> str:
    looks = "everything is shown" if table.viewer is None else f"seen by player_{table.viewer}"
    title = words(table.game, 14, 24, 20, TEXT)
    start = 26 + width_of(table.game, 20)
    return (
        title
        + words(table.phase, start, 24, 15, SIGNAL, room=900 - start)
        + words(looks, PICTURE.width - 14, 23, 12, FAINT, anchor="end")
    )


# Seats


def _seat(table: Table, seat: SeatView, place: Box, kind: str) -> str:
    """One seat: its name, what is said of it, its cards and coins."""
    acts = table.turn == seat.seat
    panel = box(
        *place, SHADE, rx=10, stroke=SIGNAL if acts else "#17392e", stroke_width=3 if acts else 1
    )
    heading, height = _heading(seat, place, acts)
    room = place.inner(10, height, 10, 8)
    coins = ""
    if seat.coins:
        coins = _coins(seat.coins, room.inner(room.width / 2, 0, 0, 0))
        room = room.inner(0, 0, room.width / 2 + GAP, 0)
    zones = [zone for zone in seat.zones if not zone.marks and (zone.cards or _caption(zone))]
    marked = Multiset(card for zone in seat.zones if zone.marks for card in zone.cards)
    return group(
        panel,
        heading,
        _zones(zones, room, table.style, str(seat.seat), _TALLEST[kind], marked),
        coins,
        id=f"seat-{seat.seat}", class_="seat turn" if acts else "seat", data_seat=seat.seat,
    )  # fmt: skip


def _heading(seat: SeatView, place: Box, acts: bool) -> tuple[str, float]:
    """The lines at the top of a seat, and their height."""
    name = f"player_{seat.seat}"
    x, y = place.x + 12, place.y + 21
    drawn = words(name, x, y, _NAME, SIGNAL if acts else TEXT)
    start = x + width_of(name, _NAME) + 10
    if seat.sealed:
        drawn += placed(_envelope(), start + 10, y - 5)
        start += 30
    facts = [*seat.tags, *(f"{k}: {v}" for k, v in seat.values.items()), *_legend(seat)]
    if not facts:
        return drawn, 30
    if width_of(" · ".join(facts), _FACTS) <= place.x + place.width - 10 - start:
        return drawn + words(" · ".join(facts), start, y, _FACTS, FAINT), 30
    lines = lines_of(facts, _FACTS, place.width - 22, " · ")
    for n, text in enumerate(lines):
        drawn += words(text, x, y + 15 + n * _LINE, _FACTS, FAINT, room=place.width - 22)
    return drawn, 30 + _LINE * len(lines)


def _legend(seat: SeatView) -> Iterator[str]:
    """What the frames mean; a card that lies nowhere is named."""
    lying = Multiset(card for zone in seat.zones if not zone.marks for card in zone.cards)
    for zone in seat.zones:
        if zone.marks:
            named = [card for card in zone.cards if card not in lying]
            yield f"{zone.name}: {' '.join(named) or ('framed' if zone.cards else 'none')}"


def _envelope() -> str:
    """A sealed choice."""
    return (
        box(-10, -7, 20, 14, "#f4e7c5", rx=1.5, stroke=INK, stroke_width=1)
        + line("M-9.5,-6L0,2L9.5,-6", INK, 1)
        + circle(0, 2, 3, "#b3202c")
    )


def _coins(count: int, place: Box) -> str:
    """Coins in a box."""
    coins = (placed(spanish.PIPS["O"], x, y) for x, y in spread(count, place, _COIN))
    return group(*coins, class_="coins", data_coins=count)


# Cards


def _zones(
    zones: list[Zone], room: Box, style: str, owner: str, tallest: float, marked: Multiset
) -> str:
    """Zones in a box; ``marked`` cards, which are used up, get a frame."""
    wishes = [Wish(len(zone.cards), width_of(_label(zone), _LABEL), _dense(zone)) for zone in zones]
    spots = fit(wishes, room, tallest)
    return "".join(
        _zone(zone, spot, style, owner, marked) for zone, spot in zip(zones, spots, strict=True)
    )


def _dense(zone: Zone) -> bool:
    return zone.pile or (len(zone.cards) > 3 and 2 * zone.cards.count(HIDDEN) >= len(zone.cards))


def _caption(zone: Zone) -> str:
    return zone.note if zone.caption is None else zone.caption


def _label(zone: Zone) -> str:
    caption = _caption(zone)
    if caption:
        return f"{zone.name}: {caption}"
    return f"{zone.name} ({len(zone.cards)})" if len(zone.cards) > 4 else zone.name


def _zone(zone: Zone, spot: Spot, style: str, owner: str, marked: Multiset) -> str:
    label = words(
        _label(zone), spot.label.x, spot.label.y + LABEL - 4, _LABEL, FAINT, room=spot.label.width
    )
    key = "".join(c if c.isalnum() else "-" for c in zone.name)
    cards = []
    for n, (card, (x, y)) in enumerate(zip(zone.cards, spot.cards, strict=True)):
        cards.append(_card(card, x, y, spot.height, style, f"card-{owner}-{key}-{n}"))
        if n < len(zone.owners):
            cards.append(_badge(str(zone.owners[n]), x, y, spot.height))
        if marked[card] > 0:
            marked[card] -= 1
            cards.append(_mark(x, y, spot.height))
    return group(label, *cards, class_="zone", data_zone=zone.name)


def _card(card: str, x: float, y: float, height: float, style: str, name: str) -> str:
    return tag(
        "use", href=f"#{symbol_id(card, style)}", x=x, y=y, width=height * RATIO, height=height,
        id=name, class_="card", data_card=card,
    )  # fmt: skip


def _badge(text: str, x: float, y: float, height: float) -> str:
    """The seat a card came from, where it shows even when other cards lie on this one."""
    r = max(height * 0.062, 6.5)
    at = (x + height * 0.115, y + height * 0.43)
    return circle(*at, r, SHADE) + words(
        text, at[0], at[1] + r * 0.4, r * 1.2, TEXT, anchor="middle"
    )


def _mark(x: float, y: float, height: float) -> str:
    """A frame, which shows even when other cards lie on this one."""
    return box(x + 1, y + 1, height * RATIO - 2, height - 2, "none", rx=height * 0.05,
               stroke="#e0218a", stroke_width=2.5)  # fmt: skip


# The middle and the corners


def _centre(table: Table, middle: Box) -> str:
    room = middle.inner(14, 8, 14, 8)
    coins = ""
    if table.coins:
        coins = _coins(table.coins, room._replace(height=64))
        room = room.inner(0, 72, 0, 0)
    zones = [zone for zone in table.centre if zone.cards or _caption(zone)]
    cards = _zones(zones, room, table.style, "centre", _TALLEST["middle"], Multiset())
    return group(_rim(middle), coins, cards, id="centre", data_seat="centre")


def _rim(middle: Box) -> str:
    inner = middle.inner(4, 4, 4, 4)
    return box(*inner, "#34745e", rx=28, stroke="#3f8a70", stroke_width=2)


def _log(table: Table, place: Box) -> str:
    """The latest acts that there is room for, the newest at the bottom."""
    lines: list[str] = []
    for act in reversed(table.log):
        broken = lines_of(f"– {act}".split(" "), _FACTS, place.width - 4)
        if (len(lines) + len(broken)) * _LINE > place.height - 4:
            break
        lines = broken + lines
    bottom = place.y + place.height - 8
    drawn = (
        words(text, place.x + 2, bottom - _LINE * n, _FACTS, FAINT, room=place.width)
        for n, text in enumerate(reversed(lines))
    )
    return group(*drawn, class_="log")


def _facts(table: Table, place: Box) -> str:
    """Scores shown with cards, and numbers of the table under them."""
    drawn, top = [], place.y
    if table.counters:
        each = place.width / len(table.counters)
        for n, score in enumerate(table.counters):
            at = Box(place.x + n * each, place.y, each - GAP, _COUNTER)
            drawn.append(counter(score, at, table.style))
        top += _COUNTER + 4
    facts = [f"{name}: {value}" for name, value in table.values.items()]
    lines = [part for fact in facts for part in lines_of(fact.split(" "), _FACTS, place.width)]
    apart = min(_LINE, (place.y + place.height - top) / max(len(lines), 1))
    size = min(_FACTS, apart * _FACTS / _LINE)
    for n, text in enumerate(lines):
        drawn.append(words(text, place.x, top + (n + 0.8) * apart, size, TEXT, room=place.width))
    return group(*drawn, class_="facts")
