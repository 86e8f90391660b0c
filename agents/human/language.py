"""The languages in which people are spoken to, in the terminal and in the browser alike.

``texts/<code>.json`` holds one language: ``page``, the texts of our own; ``table``, what stands for
the words in which the games speak (actions, phases, zones), phrase by phrase; and ``cards``.
Catalan words of the games, like *envit* or *puc*, are the same in every language.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from envs.core.cards import JOKER
from envs.core.game import unknown
from envs.core.picture.cards import name_of
from envs.core.table import HIDDEN

FOLDER = Path(__file__).parent / "texts"
CODES = tuple(sorted(file.stem for file in FOLDER.glob("*.json")))
DEFAULT = "en"


class Language:
    """One language; ``language(code)`` finds it.

    Attributes:
        code: ``ca``, ``es`` or ``en``.
        name: its own name for itself.
        page: our own texts, by key.
    """

    def __init__(self, code: str):
        texts = json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8"))
        self.code, self.name = code, texts["name"]
        self.page: dict[str, str] = texts["page"]
        self._table: dict[str, str] = texts["table"]
        self._cards: dict[str, Any] | None = texts["cards"]
        phrases = sorted(self._table, key=len, reverse=True)  # the longest one that fits is meant
        self._pattern = re.compile("|".join([r"\bplayer_(\d+)", *map(_whole, phrases)]))

    def text(self, key: str, **facts: Any) -> str:
        """One of our own texts, with facts put in."""
        return self.page[key].format(**facts)

    def count(self, key: str, n: int) -> str:
        """So many of something; one of it has a text of its own where it is said otherwise."""
        single = f"{key}_1"
        return self.text(single if n == 1 and single in self.page else key, n=n)

    def player(self, seat: int) -> str:
        """The name of a seat."""
        return self.text("player", n=seat)

    def say(self, text: str) -> str:
        """What a game says in words, phrase by phrase; what has no translation stays."""
        return self._pattern.sub(self._phrase, text)

    def _phrase(self, match: re.Match) -> str:
        return self.player(int(match[1])) if match[1] else self._table[match[0]]

    def card(self, text: str, style: str) -> str:
        """The name of a card: ``knight of clubs``."""
        if self._cards is None:
            return name_of(text, style)
        if text == HIDDEN:
            return self._cards["hidden"]
        suit = self._cards["suits"][style].get(text[-1]) if text[:-1] and text != JOKER else None
        rank = text[:-1] if suit else text
        if rank.startswith(JOKER):
            value = rank.removeprefix(JOKER).removeprefix("=")
            joker = self._cards["joker"]
            return self._cards["as"].format(joker=joker, rank=value) if value else joker
        rank = self._cards["ranks"][style].get(rank, rank)
        return self._cards["of"].format(rank=rank, suit=suit) if suit else rank


def _whole(phrase: str) -> str:
    """A pattern for the phrase where it is no part of a longer word."""
    before = r"(?<!\w)" if phrase[0].isalnum() else ""
    return f"{before}{re.escape(phrase)}(?!\\w)"


@cache
def language(code: str = DEFAULT) -> Language:
    """The language of a code.

    Raises:
        ValueError: there is no such language; the message names those there are.
    """
    if code not in CODES:
        raise ValueError(unknown("language", code, list(CODES), "Naips"))
    return Language(code)


def preferred(wishes: str) -> str:
    """The code that fits an ``Accept-Language`` header, or a locale like ``ca_ES.UTF-8``, best."""
    for wish in sorted(map(_wish, wishes.split(",")), key=lambda wish: -wish[1]):
        if wish[0] in CODES:
            return wish[0]
    return DEFAULT


def _wish(text: str) -> tuple[str, float]:
    """``es-ES;q=0.8`` as a code and how much it is wished for."""
    name, _, weight = text.partition(";q=")
    try:
        much = float(weight or 1)
    except ValueError:
        much = 0.0
    return re.split(r"[-_.]", name.strip().lower())[0], much
