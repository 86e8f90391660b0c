"""Packs of cards and their text notation.

A card is a small integer inside the engine and a short text for people: ``11B`` (knight of clubs,
Spanish), ``10H`` (ten of hearts, French), ``JK`` (joker). The pretty form draws French suits as
symbols. The games' pages say which pack they use and how ids are laid out.
"""

import re
from dataclasses import dataclass
from functools import cached_property

SPANISH_SUITS = ("O", "C", "E", "B")  # oros, copes, espases, bastos
FRENCH_SUITS = ("C", "D", "H", "S")
FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMED = re.compile(r"\b(?:10|[2-9AJQK])[CDHS]\b")  # French cards in a sentence
JOKER = "JK"


@dataclass(frozen=True)
class Pack:
    """The kinds of card of a game; the place of a text is the card's id."""

    name: str
    texts: tuple[str, ...]
    style: str  # "spanish" or "french": how the cards are drawn

    @cached_property
    def ids(self) -> dict[str, int]:
        """Text -> id."""
        return {text: card for card, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, card: int) -> str:
        """The ASCII text of a card; a hidden card (negative) is ``??``."""
        return self.texts[card] if card >= 0 else "??"

    def pretty(self, card: int) -> str:
        """The text with suit symbols where the pack is French."""
        return pretty(self.text(card)) if self.style == "french" else self.text(card)

    def parse(self, text: str | int) -> int:
        """The id of a card given by text, ASCII or pretty, any case, or by id.

        Raises:
            ValueError: the pack has no such card.
        """
        if isinstance(text, str):
            plain = text.strip().upper()
            for letter, symbol in _SYMBOLS.items():
                plain = plain.replace(symbol, letter)
            if plain in self.ids:
                return self.ids[plain]
        elif not isinstance(text, bool) and hasattr(text, "__index__"):
            if 0 <= text.__index__() < len(self):
                return text.__index__()
        raise ValueError(
            f"{text!r} is no card of the {self.name} pack; cards are written {self.texts[0]!r} … "
            f"{self.texts[-1]!r} or as ids 0 … {len(self) - 1}"
        )

    def parse_all(self, cards: "str | list | tuple") -> list[int]:
        """Ids of several cards: a list, or one string with spaces between."""
        return [self.parse(card) for card in (cards.split() if isinstance(cards, str) else cards)]

    def texts_of(self, cards) -> list[str]:
        """Texts of several ids."""
        return [self.text(int(card)) for card in cards]


def pretty(text: str) -> str:
    """A French card text with its suit as a symbol: ``10H`` -> ``10♥``."""
    return text[:-1] + _SYMBOLS[text[-1]] if text[-1:] in _SYMBOLS and text != "??" else text


def pretty_words(text: str, style: str) -> str:
    """What is said in words with its cards as the style shows them: ``bet 2H`` -> ``bet 2♥``."""
    return _NAMED.sub(lambda found: pretty(found[0]), text) if style == "french" else text


def _spanish(numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{number}{suit}" for suit in SPANISH_SUITS for number in numbers)


def _french() -> tuple[str, ...]:
    return tuple(rank + suit for suit in FRENCH_SUITS for rank in FRENCH_RANKS)


SPANISH_40 = Pack("Spanish 40", _spanish((1, 2, 3, 4, 5, 6, 7, 10, 11, 12)), "spanish")
SPANISH_48 = Pack("Spanish 48", _spanish(tuple(range(1, 13))), "spanish")
SPANISH_52 = Pack("Spanish 48 with jokers", (*SPANISH_48.texts, JOKER), "spanish")
SPANISH_RANKS = Pack("Spanish ranks", (*map(str, range(1, 13)), JOKER), "spanish")
FRENCH_52 = Pack("French 52", _french(), "french")
FRENCH_54 = Pack("French 52 with jokers", (*_french(), JOKER), "french")
