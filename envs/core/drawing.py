"""Drawing a table as text, from the plain data of ``Table`` alone."""

import sys

from envs.core.cards import pretty, pretty_words
from envs.core.table import HIDDEN, SeatView, Table, Zone


def draw_text(table: Table, ascii_only: bool = False) -> str:
    """The table as lines of text.

    Args:
        table: what the viewer may see.
        ascii_only: no suit symbols and no accents, for terminals that know only ASCII.
    """
    looks = "everyone" if table.viewer is None else f"player_{table.viewer}"
    lines = [f"{table.game}: {table.phase}, seen by {looks}", *_values(table.values)]
    for seat in table.seats:
        lines += _seat(seat, table)
    lines += [f"  {_zone(zone, table.style)}" for zone in table.centre]
    lines += [f"  · {pretty_words(line, table.style)}" for line in table.log]
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def _seat(seat: SeatView, table: Table) -> list[str]:
    mark = ">" if table.turn == seat.seat else " "
    tags = f" ({', '.join(seat.tags)})" if seat.tags else ""
    values = "".join(f"  {name}: {value}" for name, value in seat.values.items())
    zones = [f"      {_zone(zone, table.style)}" for zone in seat.zones]
    return [f"{mark} player_{seat.seat}{tags}{values}", *zones]


def _zone(zone: Zone, style: str) -> str:
    show = pretty if style == "french" else str
    cards = " ".join("▒▒" if card == HIDDEN else show(card) for card in zone.cards) or "–"
    return f"{zone.name}: {cards}" + (f"  {zone.note}" if zone.note else "")


def _values(values: dict) -> list[str]:
    return (
        ["  " + "  ".join(f"{name}: {value}" for name, value in values.items())] if values else []
    )


_ASCII = str.maketrans(
    "àèéíïòóúüçñ·…–▒♣♦♥♠ÀÈÉÍÒÓÚÇÑ×±−’",
    "aeeiioouucn..-?CDHSAEEIOOUCNx+-'",
) | str.maketrans({"→": "->"})


def to_ascii(text: str) -> str:
    """The text in ASCII; what has no likeness becomes a question mark."""
    return text.translate(_ASCII).encode("ascii", "replace").decode()


def print_anywhere(text: str) -> None:
    """Print, in ASCII where the terminal cannot do better."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = to_ascii(text)
    print(text)
