"""The text notation of cards, both ways."""

import pytest

from envs.core import cards
from envs.core.cards import (
    FRENCH_52,
    FRENCH_54,
    SPANISH_40,
    SPANISH_48,
    SPANISH_52,
    SPANISH_RANKS,
    Pack,
)

PACKS = [value for value in vars(cards).values() if isinstance(value, Pack)]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_card_parses_back(pack: Pack) -> None:
    for card, text in enumerate(pack.texts):
        assert pack.text(card) == text
        assert text.isascii()
        for written in (text, text.lower(), f" {text} ", pack.pretty(card), card):
            assert pack.parse(written) == card


@pytest.mark.parametrize(
    ("pack", "size", "first", "last"),
    [
        (SPANISH_40, 40, "1O", "12B"),
        (SPANISH_48, 48, "1O", "12B"),
        (SPANISH_52, 49, "1O", "JK"),  # 48 kinds and the joker
        (SPANISH_RANKS, 13, "1", "JK"),
        (FRENCH_52, 52, "AC", "KS"),
        (FRENCH_54, 53, "AC", "JK"),
    ],
    ids=lambda value: value.name if isinstance(value, Pack) else str(value),
)
def test_packs(pack: Pack, size: int, first: str, last: str) -> None:
    assert (len(pack), pack.texts[0], pack.texts[-1]) == (size, first, last)
    assert len(set(pack.texts)) == size


def test_ids_of_the_rule_pages() -> None:
    assert SPANISH_40.parse("11B") == 3 * 10 + 8  # suit·10 + index of the number
    assert SPANISH_40.texts_of([0, 7, 39]) == ["1O", "10O", "12B"]
    assert FRENCH_52.pretty(FRENCH_52.parse("10H")) == "10♥"
    assert SPANISH_40.parse_all("11B 10O") == SPANISH_40.parse_all(["11B", "10O"]) == [38, 7]


def test_a_hidden_card_has_no_face() -> None:
    assert SPANISH_40.text(-1) == FRENCH_52.text(-1) == FRENCH_52.pretty(-1) == "??"


@pytest.mark.parametrize("wrong", ["8O", "13B", "", "11", "B11", -1, 40, True, 1.0, None, "??"])
def test_what_is_no_card_raises_and_shows_the_notation(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"1O.*12B"):
        SPANISH_40.parse(wrong)
