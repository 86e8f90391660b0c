"""Options: validation and its messages, and what is written into the record."""

from dataclasses import replace

import numpy as np
import pytest

from envs.core.game import Option, unknown
from tests.toys.kuhn import GAME

CHOICE = Option("mano", "nearest", "T3", ("nearest", "p0_team"))
FLAG = Option("flor", False, "T15", (False, True))
NUMBERS = Option("reserved", 35, "T7", (35, 28))
COUNT = Option("hands", None, "so many hands", low=1, high=120, allow_none=True)
CHANCE = Option("catch", 0.25, "T16", low=0.0, high=1.0)
OPEN = Option("target", 24, "T13", low=2)


def parse_order(value, num_players):
    if sorted(value) != list(range(num_players)):
        raise ValueError(f"order={value!r}: allowed are the seats in some order")
    return tuple(value)


def store_order(record, value):
    record["order"][: len(value)] = value


ORDER = Option("order", (0, 1), "seats", parse=parse_order, store=store_order)


@pytest.mark.parametrize(
    ("option", "given", "canonical"),
    [
        (CHOICE, "p0_team", "p0_team"),
        (FLAG, True, True),
        (FLAG, np.True_, True),
        (NUMBERS, np.int64(28), 28),
        (COUNT, None, None),
        (COUNT, 120, 120),
        (COUNT, np.int16(1), 1),
        (CHANCE, 1, 1.0),
        (CHANCE, np.float32(0.5), 0.5),
        (OPEN, 10**6, 10**6),
        (ORDER, [1, 0], (1, 0)),
    ],
)
def test_values_in_canonical_form(option: Option, given: object, canonical: object) -> None:
    value = option.validate(given, 2)
    assert value == canonical
    assert type(value) is type(canonical)


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        (CHOICE, "farthest", r"mano='farthest': allowed are 'nearest', 'p0_team'"),
        (CHOICE, None, r"mano=None: allowed are 'nearest', 'p0_team'"),
        (FLAG, 1, r"flor=1: allowed are False, True"),
        (FLAG, "yes", r"allowed are False, True"),
        (NUMBERS, 35.5, r"allowed are 35, 28"),
        (NUMBERS, True, r"allowed are 35, 28"),
        (COUNT, 0, r"hands=0: allowed are an integer from 1 to 120 or None"),
        (COUNT, 121, r"an integer from 1 to 120 or None"),
        (COUNT, 1.0, r"an integer from 1 to 120 or None"),
        (COUNT, True, r"an integer from 1 to 120 or None"),
        (CHANCE, -0.1, r"a number from 0.0 to 1.0"),
        (CHANCE, float("nan"), r"a number from 0.0 to 1.0"),
        (CHANCE, None, r"a number from 0.0 to 1.0"),
        (OPEN, 1, r"target=1: allowed are an integer from 2$"),
        (OPEN, "24", r"an integer from 2$"),
        (ORDER, [0, 0], r"the seats in some order"),
    ],
)
def test_messages_name_what_is_allowed(option: Option, given: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        option.validate(given, 2)


FIELDS = [
    ("mano", "i1"),
    ("flor", "?"),
    ("reserved", "i2"),
    ("hands", "i2"),
    ("catch", "f8"),
    ("order", "i1", 4),
]


def test_values_in_the_record() -> None:
    record = np.zeros(1, FIELDS).view(np.recarray)[0]
    for option, value in (
        (CHOICE, "p0_team"),
        (FLAG, True),
        (NUMBERS, 28),
        (COUNT, None),
        (CHANCE, 0.5),
        (ORDER, (1, 0)),
    ):
        option.write(record, value)
    assert (record.mano, record.flor, record.reserved, record.hands, record.catch) == (
        1,
        True,
        28,
        -1,
        0.5,
    )
    assert record.order.tolist() == [1, 0, 0, 0]


def test_player_counts() -> None:
    assert (
        GAME.configure() == GAME.configure(2) == GAME.configure(np.int64(2)) == {"num_players": 2}
    )
    for players in (0, 1, 3, -2, True, "2", 2.5):
        with pytest.raises(ValueError, match=r"Kuhn poker is played by 2"):
            GAME.configure(players)


def test_unknown_options_name_the_nearest() -> None:
    game = replace(GAME, options=(CHOICE, FLAG))
    with pytest.raises(
        TypeError,
        match=r"has no option 'mani' .did you mean 'mano'[?].; known: flor, mano, num_players",
    ):
        game.configure(mani="nearest")
    assert unknown("game", "zzz", ["a"], "Naips") == "Naips has no game 'zzz'; known: a"


def test_options_may_forbid_each_other() -> None:
    def check(config):
        if config["flor"] and config["mano"] == "p0_team":
            raise ValueError("flor excludes mano='p0_team'")

    game = replace(GAME, options=(CHOICE, FLAG), check_config=check)
    assert game.configure(flor=True)["mano"] == "nearest"
    with pytest.raises(ValueError, match=r"flor excludes"):
        game.configure(flor=True, mano="p0_team")


def test_decks() -> None:
    config = GAME.configure()
    assert GAME.parse_deck(config, "K J Q").tolist() == [2, 0, 1]
    assert GAME.parse_deck(config, [2, "j", np.int8(1)]).tolist() == [2, 0, 1]
    with pytest.raises(
        ValueError, match=r"each of its 3 cards.*this one has 3, misses \['Q'\] and .* \['K'\]"
    ):
        GAME.parse_deck(config, "K J K")
    with pytest.raises(ValueError, match=r"has 2, misses \['Q'\] and has too many of none"):
        GAME.parse_deck(config, "K J")
    with pytest.raises(ValueError, match=r"'A' is no card of the Kuhn pack"):
        GAME.parse_deck(config, "A J K")
