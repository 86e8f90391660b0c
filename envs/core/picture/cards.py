"""One card as SVG: a symbol of 100 by 150, made once and used wherever the card lies."""

import re
from functools import cache
from xml.sax.saxutils import escape

from envs.core.cards import JOKER
from envs.core.picture import french, spanish
from envs.core.picture.shapes import (
    INK,
    PAPER,
    box,
    circle,
    halves,
    line,
    path,
    placed,
    tag,
    words,
)
from envs.core.table import HIDDEN

WIDTH, HEIGHT = 100, 150
_SUITS = {
    "spanish": {"O": "oros", "C": "copes", "E": "espases", "B": "bastos"},
    "french": {"C": "trèvols", "D": "diamants", "H": "cors", "S": "piques"},
}
_NAMES = {
    "spanish": {"1": "as", "10": "sota", "11": "cavall", "12": "rei"},
    "french": {"A": "as", "J": "jota", "Q": "reina", "K": "rei"},
}
_FORMS = {
    "spanish": re.compile(r"(1[0-2]|[1-9])([OCEB]?)"),
    "french": re.compile(r"(10|[2-9AJQK])([CDHS])|([JQK])"),
}
_DECLARED = re.compile(rf"{JOKER}=(\w+)")
_WRITTEN = {"spanish": "1O … 12B, 1 … 12", "french": "AC … KS, J, Q, K"}
_IN_BOTH = f"{JOKER}, {JOKER}=5, {HIDDEN}"


def card_svg(text: str, style: str = "spanish") -> str:
    """A card as a picture of its own, 100 by 150 units.

    Args:
        text: as in the games' card texts: ``11B``, ``10H``, ``JK``, ``JK=5`` (a joker that stands
            for a 5), ``??`` (face down).
        style: the deck, ``spanish`` or ``french``; ``7C`` is a card of both.

    Raises:
        ValueError: there is no such deck, or no such card in it; the message says what there is.
    """
    if style not in _FORMS:
        raise ValueError(f"style={style!r}: allowed are {', '.join(map(repr, _FORMS))}")
    if not _is_known(text, style):
        raise ValueError(_fault(text, style))
    return any_card_svg(text, style)


def _is_known(text: str, style: str) -> bool:
    return bool(
        text in (HIDDEN, JOKER) or _DECLARED.fullmatch(text) or _FORMS[style].fullmatch(text)
    )


def _fault(text: str, style: str) -> str:
    others = [other for other in _FORMS if other != style and _is_known(text, other)]
    hint = f"; style={others[0]!r} has it" if others else ""
    return (
        f"{text!r} is no card of the {style} deck, whose cards are written {_WRITTEN[style]}, "
        f"{_IN_BOTH}{hint}"
    )


def any_card_svg(text: str, style: str) -> str:
    """The same for a card of whatever game: a text that the deck lacks gets a plain card."""
    body = tag("title", escape(name_of(text, style))) + drawing(text, style)
    return tag(
        "svg", body, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH, height=HEIGHT, role="img", data_card=text,
    )  # fmt: skip


def symbol_id(text: str, style: str) -> str:
    """The id of the card's symbol, the same in every picture."""
    return f"naip-{style}-" + "".join(c if c.isalnum() else f"_{ord(c):x}" for c in text)


@cache
def symbol(text: str, style: str) -> str:
    """The card as a ``<symbol>``."""
    return tag(
        "symbol", tag("title", escape(name_of(text, style))), drawing(text, style),
        id=symbol_id(text, style), viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )  # fmt: skip


def name_of(text: str, style: str) -> str:
    """The card's name in Catalan: ``cavall de bastos``."""
    if text == HIDDEN:
        return "carta tapada"
    if text == JOKER or _DECLARED.fullmatch(text):
        return "jòquer" + text.removeprefix(JOKER).replace("=", " com a ")
    form = _FORMS[style].fullmatch(text)
    if not form:
        return text
    rank, suit = form[1] or form[3], form[2]
    name = _NAMES[style].get(rank, rank)
    if not suit:
        return name
    of = _SUITS[style][suit]
    return f"{name} d'{of}" if of[0] in "aeiou" else f"{name} de {of}"


@cache
def drawing(text: str, style: str) -> str:
    """Paper and face, or the back."""
    if text == HIDDEN:
        return _paper() + _back()
    declared = _DECLARED.fullmatch(text)
    if text == JOKER or declared:
        return _paper() + _joker(declared[1] if declared else "")
    form = _FORMS[style].fullmatch(text)
    if not form:
        return _paper() + _plain(text)
    if style == "spanish":
        return _paper() + spanish.face(int(form[1]), form[2])
    return _paper() + french.face(form[1] or form[3], form[2] or "")


def _paper() -> str:
    return box(0.75, 0.75, 98.5, 148.5, PAPER, rx=8, stroke="#8f8672", stroke_width=1.5)


def _back() -> str:
    """Small lozenges in a frame."""
    lozenges = "".join(
        f"M{x},{y - 7}l5,7l-5,7l-5,-7z" for y in range(19, 138, 14) for x in range(15, 90, 10)
    )
    return (
        box(6, 6, 88, 138, "#23436f", rx=5)
        + path(lozenges, "#3f6ba6", "#c9d8ee", 0.9)
        + box(6, 6, 88, 138, "none", rx=5, stroke="#c9d8ee", stroke_width=2)
    )


def _joker(stands_for: str) -> str:
    """A jester; the number he stands for, if any, under the index and in a badge."""
    index = words(JOKER, 17, 27, 21, INK, anchor="middle", letter_spacing=-1)
    if not stands_for:
        star = "M17,33l2.4,5.2 5.6,.6-4.2,3.8 1.2,5.6-5,-2.9-5,2.9 1.2-5.6-4.2-3.8 5.6-.6z"
        return placed(_jester(), 11, 18, 0.8) + halves(index) + path(star, "#6a3fa0")
    under = words(f"={stands_for}", 17, 45, 19 if len(stands_for) < 2 else 16, "#6a3fa0",
                  anchor="middle")  # fmt: skip
    badge = box(31, 107, 40, 30, "#fff", rx=6, stroke="#6a3fa0", stroke_width=2)
    value = words(f"={stands_for}", 51, 129.5, 22, "#6a3fa0", anchor="middle")
    return placed(_jester(), 11, 10, 0.8) + index + under + badge + value


def _jester() -> str:
    """Hat with bells, a smile, a ruff."""
    bells = ((27, 39), (54, 23), (76, 39))
    zigzag = "M28,100L36,97L42,102L50,97L58,102L64,97L72,100L66,109L58,106L50,112L42,106L34,109Z"
    return (
        path("M33,109L42,107L50,112V132H28Z", "#c0272d", INK, 1.4)
        + path("M67,109L58,107L50,112V132H72Z", "#2f7d3b", INK, 1.4)
        + path(zigzag, "#fff", INK, 1.3)
        + circle(50, 82, 15, spanish.SKIN, INK, 1.4)
        + line("M44,79h.1M56,79h.1", INK, 3) + line("M42,86Q50,95 58,86", "#a3202c", 2)
        + circle(43, 85, 2, "#e79c8a") + circle(57, 85, 2, "#e79c8a")
        + path("M34,68C24,62 18,48 27,40C28,50 34,54 40,56Z", "#c0272d", INK, 1.4)
        + path("M36,66C34,46 42,28 54,24C52,34 56,44 60,66Z", "#e5a823", INK, 1.4)
        + path("M66,68C76,62 84,50 76,40C74,50 66,54 58,56Z", "#2f7d3b", INK, 1.4)
        + path("M32,68C40,60 60,60 68,68L66,74C58,68 42,68 34,74Z", "#1f5fa8", INK, 1.4)
        + "".join(circle(x, y, 3.4, "#f3b61f", INK, 1.2) for x, y in bells)
    )  # fmt: skip


def _plain(text: str) -> str:
    """A card with nothing but a text: what no deck knows."""
    return box(5.5, 5.5, 89, 139, "none", rx=4, stroke="#4a4458", stroke_width=1.6) + halves(
        words(text, 12, 30, 24, INK, room=76)
    )
