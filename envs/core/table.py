"""A table as plain data: what one seat, or everyone, may see of a game.

``view.table`` of each game fills it; text, pictures and web pages are drawn from it alone, so
nothing that a seat may not know can reach them.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

HIDDEN = "??"


def count_of(number: int, noun: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass
class Zone:
    """Cards that lie together.

    Attributes:
        name: ``hand``, ``up``, ``down``, ``trick 1``, ``meld`` …
        cards: texts in order; a card this view may not know is ``??``.
        note: a word on the zone (``won by player_2``).
        caption: what a picture says in place of the note, where it shows the rest; None: the note.
        owners: the seat that each card came from, where that is to be shown.
        pile: the cards lie on each other, the last one on top.
        marks: these cards lie in other zones of the seat, where a picture marks them.
    """

    name: str
    cards: list[str] = field(default_factory=list)
    note: str = ""
    caption: str | None = None
    owners: list[int] = field(default_factory=list)
    pile: bool = False
    marks: bool = False


@dataclass
class Counter:
    """A number shown with two cards, as scores are kept at the table.

    Attributes:
        name: what is counted.
        base: the card that lies face up.
        shown: how many of its pips the other card, face down, leaves to be seen; None where the
            two lie as ``lie`` says.
        lie: ``crossed``, ``side by side`` or ``one on the other``: both face down; or ``open``:
            only ``base`` is seen.
        note: a word on it.
    """

    name: str
    base: str
    shown: int | None = None
    lie: str = ""
    note: str = ""


@dataclass
class SeatView:
    """One seat.

    Attributes:
        seat: index.
        tags: ``mà``, ``dealer``, ``to act``, ``out`` …
        zones: the cards that lie before it.
        values: numbers and words by name: coins, score, cards in hand …
        coins: that lie before it, for pictures.
        sealed: it has chosen in secret, for pictures.
    """

    seat: int
    tags: list[str] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    coins: int = 0
    sealed: bool = False


@dataclass
class Table:
    """The whole table.

    Attributes:
        game: the game's title.
        style: ``spanish`` or ``french``, how the cards are drawn.
        viewer: the seat that looks, or None for all.
        phase: what is being decided, in words.
        turn: the seat to act, or None when the game is over.
        seats: every seat in play order.
        centre: zones in the middle: tricks, pile, stock, melds.
        values: numbers and words by name that belong to no seat.
        log: the public acts of the hand in words, oldest first.
        coins: that lie in the middle, for pictures.
        counters: scores shown with cards, for pictures.
    """

    game: str
    style: str
    viewer: int | None
    phase: str
    turn: int | None
    seats: list[SeatView] = field(default_factory=list)
    centre: list[Zone] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    coins: int = 0
    counters: list[Counter] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The table as nested dicts and lists, ready for JSON."""
        return asdict(self)
