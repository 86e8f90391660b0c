"""Scores as they are kept at the table: with two cards that cover and cross each other."""

from envs.core.picture.cards import HEIGHT, WIDTH, symbol_id
from envs.core.picture.layout import Box
from envs.core.picture.shapes import group, number, tag, words
from envs.core.picture.spanish import pip_places
from envs.core.table import HIDDEN, Counter

_TEXT = "#f6f1e3"
_ROOM = Box(-104, -80, 208, 208)  # what is drawn of the cards, in card units
# For two cards face down: (dx, dy, turn) of each, in card units.
_LIES = {
    "crossed": ((0, 20, 0), (0, 20, 90)),
    "side by side": ((-53, 20, 0), (53, 20, 0)),
    "one on the other": ((-4, 15, 0), (4, 25, 0)),
}


def counter(score: Counter, place: Box, style: str) -> str:
    """One counter in a box: what it says in words, and the two cards under that."""
    head = 14
    return group(
        words(f"{score.name} {score.note}", place.x + place.width / 2, place.y + 10, 11.5, _TEXT,
              anchor="middle", room=place.width),
        tag("svg", *_cards(score, style), x=place.x, y=place.y + head, width=place.width,
            height=place.height - head, viewBox=" ".join(map(number, _ROOM))),
        class_="counter", data_name=score.name,
    )  # fmt: skip


def _cards(score: Counter, style: str) -> list[str]:
    if score.lie in _LIES:
        return [_card(HIDDEN, style, *lie) for lie in _LIES[score.lie]]
    base = _card(score.base, style, 0, 0, 0)
    if score.shown is None:
        return [base]
    return [base, _card(HIDDEN, style, *_cover(score.shown, score.base))]


def _cover(shown: int, base: str) -> tuple[float, float, float]:
    """Where the upper card lies so that ``shown`` pips of the lower one are seen, row by row."""
    pips = pip_places(int(base[:-1]))
    if shown >= len(pips):
        return 0, HEIGHT * 0.93, 0
    last, first = pips[shown - 1], pips[shown]
    edge = (last[1] + first[1]) / 2 - HEIGHT / 2
    tilt = -28 if last[1] == first[1] else 0  # it parts two pips of one row
    lower = HEIGHT / 2 + (10 if tilt else 0)
    return (8 if tilt else 0), edge + lower, tilt


def _card(card: str, style: str, dx: float, dy: float, turn: float) -> str:
    return tag(
        "use", href=f"#{symbol_id(card, style)}", x=-WIDTH / 2, y=-HEIGHT / 2, width=WIDTH,
        height=HEIGHT,
        transform=f"translate({number(dx)} {number(dy)}) rotate({number(turn)})",
    )  # fmt: skip
