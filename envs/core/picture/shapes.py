"""The few SVG elements that cards and tables are made of, as strings.

Everything drawn is text made by these functions: the same input gives the same bytes, and whatever
comes from outside is escaped here.
"""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

INK, PAPER = "#2b2420", "#fdfaf1"

# Widths of letters in ems, of the widest face that is likely to stand in for the font.
_NARROW, _WIDE = set("iIjl.,:;'|!()[]·-1tfr "), set("mMW@%—mwQOGDNHUCÒÓ")


def number(value: float) -> str:
    """A coordinate, in as few characters as it needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def tag(name: str, *inside: str, **attributes: Any) -> str:
    """An element; ``_`` in a name stands for ``-``, and attributes that are None are left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, int | float) else str(value)
            parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(shown)}")
    opening = " ".join(parts)
    return f"<{opening}>{''.join(inside)}</{name}>" if inside else f"<{opening}/>"


def path(d: str, fill: str = "none", stroke: str | None = None, width: float | None = None) -> str:
    """A path; a stroke is round where it ends and bends."""
    rounded = "round" if stroke else None
    return tag(
        "path", d=d, fill=fill, stroke=stroke, stroke_width=width if stroke else None,
        stroke_linejoin=rounded, stroke_linecap=rounded,
    )  # fmt: skip


def line(d: str, stroke: str, width: float) -> str:
    """An open path that is only stroked."""
    return path(d, stroke=stroke, width=width)


def circle(
    x: float, y: float, r: float, fill: str, stroke: str | None = None, width: float | None = None
) -> str:
    """A disc."""
    return tag(
        "circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=width if stroke else None
    )


def box(
    x: float, y: float, width: float, height: float, fill: str, *, rx: float | None = None,
    **more: Any,
) -> str:  # fmt: skip
    """A rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=rx, fill=fill, **more)


def group(*inside: str, **attributes: Any) -> str:
    """Elements that share attributes."""
    return tag("g", *(inside or ("",)), **attributes)


def placed(what: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A drawing around the origin, moved, turned and scaled."""
    steps = [f"translate({number(x)} {number(y)})"]
    steps += [f"rotate({number(turn)})"] if turn else []
    steps += [f"scale({number(scale)})"] if scale != 1 else []
    return group(what, transform=" ".join(steps))


def halves(what: str) -> str:
    """A drawing in a card's upper half, and the same upside down."""
    return what + group(what, transform="rotate(180 50 75)")


def words(
    text: Any, x: float, y: float, size: float, fill: str = INK, *, anchor: str = "start",
    room: float | None = None, smallest: float = 8, **more: Any,
) -> str:  # fmt: skip
    """A line of text; where ``room`` is given it shrinks, and then is cut, to fit into it."""
    text = str(text)
    if room is not None:
        size = max(min(size, size * room / max(width_of(text, size), 1)), min(size, smallest))
        text = cut(text, size, room)
    anchored = None if anchor == "start" else anchor
    return tag("text", escape(text), x=x, y=y, font_size=size, fill=fill, text_anchor=anchored,
               **more)  # fmt: skip


def width_of(text: str, size: float) -> float:
    """About how wide a text will be; rather too wide than too narrow."""
    ems = sum(0.36 if c in _NARROW else 0.86 if c in _WIDE else 0.63 for c in text)
    return ems * size


def cut(text: str, size: float, room: float) -> str:
    """The text, or as much of it as fits, with dots."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def lines_of(parts: Sequence[str], size: float, room: float, joint: str = " ") -> list[str]:
    """The parts in as few lines as they fit into, broken between parts only."""
    lines: list[str] = []
    for part in parts:
        if lines and width_of(f"{lines[-1]}{joint}{part}", size) <= room:
            lines[-1] += joint + part
        else:
            lines.append(part)
    return lines
