"""The record of a match of 4 Duros, its options, actions and phases."""

from enum import IntEnum
from typing import Any

import numpy as np

from envs.core.cards import SPANISH_40
from envs.core.game import Config, Option, common_fields

CARDS = SPANISH_40
MAX_PLAYERS = 12
MAX_COINS = 100
PACK = 40
MAX_PLACES = MAX_PLAYERS + 1  # that anybody may come to see: those dealt, and the top of the stock

STAND, EXCHANGE, ASK, GUESS = 0, 1, 2, 13  # "ask +1" is ASK, "guess O" is GUESS
NUM_ACTIONS = 17
SUITS = 4

SEAT_BIT = (1 << np.arange(MAX_PLAYERS)).astype(np.int16)  # in sets of seats
EVERYBODY = (1 << MAX_PLAYERS) - 1

IS_KING, NO_KING = 1, -1  # what the table knows of a card; 0 nothing
TAKEN, OWN = 0, 1  # the two exchanges of a seat: with the seat before it, and in its own turn


class Phase(IntEnum):
    """What the seat to act decides; public, so it does not tell who holds a king."""

    TURN = 0  # stand, exchange or ask
    ANSWER = 1  # name the suit of the asker's king


TEN, ELEVEN, KING = 7, 8, 9  # numbers by their place in the order 1 … 7, 10, 11, 12


def max_decisions(config: Config) -> int:
    """The decisions after which a match is truncated."""
    seats, most = config["num_players"], max(starting_coins(config))
    return _decision_limit(seats, most)


def reward_range(config: Config) -> tuple[float, float]:
    """With ``hands`` a seat wins or loses at most all coins of the table."""
    total = float(sum(starting_coins(config)))
    return (-1.0, 1.0) if config["hands"] is None else (-total, total)


def starting_coins(config: Config) -> list[int]:
    """The coins of every seat at the start."""
    return coins_by_seat(config["coins"], config["num_players"])


def _decision_limit(num_players: int, coins: int) -> int:
    """``coins`` is the largest starting number."""
    return coins * num_players * (num_players + 8 * coins * num_players)


def coins_by_seat(value: int | tuple[int, ...], num_players: int) -> list[int]:
    """The starting coins of every seat."""
    return [value] * num_players if isinstance(value, int) else list(value)


def _is_count(value: Any, low: int, high: int) -> bool:
    whole = hasattr(value, "__index__") and not isinstance(value, bool | np.bool_)
    return whole and low <= value.__index__() <= high


def _parse_coins(value: Any, num_players: int) -> int | tuple[int, ...]:
    """Option ``coins``: a number for all, or one per seat."""
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(check_coins(value, num_players, MAX_COINS))
    if _is_count(value, 1, MAX_COINS):
        return value.__index__()
    raise ValueError(
        f"coins={value!r}: allowed are an integer from 1 to {MAX_COINS} or a list of {num_players}"
    )


def check_coins(values: Any, num_players: int, most: int) -> list[int]:
    """Coins per seat as integers.

    Raises:
        ValueError: not one number from 0 to ``most`` per seat, or fewer than two seats with coins.
    """
    listed = list(values) if isinstance(values, list | tuple | np.ndarray) else []
    fits = len(listed) == num_players and all(_is_count(coins, 0, most) for coins in listed)
    if not fits or sum(coins > 0 for coins in listed) < 2:
        raise ValueError(
            f"coins={values!r}: give {num_players} integers from 0 to {most}, "
            "at least two of them above 0"
        )
    return [coins.__index__() for coins in listed]


def _store_coins(record: Any, value: int | tuple[int, ...]) -> None:
    """The coins at the start, and the length limit that follows from them."""
    seats = int(record["num_players"])
    coins = coins_by_seat(value, seats)
    record["coins"][:seats] = record["start_coins"][:seats] = coins
    record["limit"] = _decision_limit(seats, max(coins))


OPTIONS = (
    Option("coins", 4, "coins at the start, for all or as a list per seat (N1)",
           low=1, high=MAX_COINS, parse=_parse_coins, store=_store_coins),
    Option("last_coin_tie", "sequential", "several last coins due at once (D7)",
           choices=("sequential", "simultaneous_replay")),
    Option("payments", "phases", "all side payments first, or seat by seat (D6)",
           choices=("phases", "per_player")),
    Option("stock_king_blocks", False, "a king from the stock is set aside (D5)",
           choices=(False, True)),
    Option("mask_refuted_suits", False, "suits guessed wrongly may not be guessed again (D4)",
           choices=(False, True)),
    Option("show_king", False, "a king that refuses is shown and may not ask (D4)",
           choices=(False, True)),
    Option("hands", None, "end after so many hands, reward in coins",
           low=1, high=1000, allow_none=True),
)  # fmt: skip

# Field            Meaning
# deck             card ids, the hand's order from the top; fixed while the hand lasts
# hand_number      hands played before this one
# coins            coins of each seat; start_coins: at the start of the match
# centre           coins that have left the game (D8)
# limit            decisions at which the match is truncated
# last_coin_tie … hands: the options; an index in the choices, 0/1, or -1 for None
# dealer           seat
# dealt            cards dealt, and so the place of the top of the stock
# turned           place of the stock card turned up by the dealer, -1 none
# asker            seat whose question is to be answered, -1 none
# num_removed      entries of removed: places of the cards that left the hand, oldest first
# place            place of the card of each seat, also after it was removed; -1 dealt none
# active           the seat holds an active card
# acted            its turn is over; stood, exchanged, turned_away (the other had a king): how
# taken            had to exchange with the seat before it; refused: by a king
# refuted          [asker, suit] guessed wrongly for the asker's king
# seen             by place: the seats that have seen the card, one bit each
# king             by place: IS_KING, NO_KING or 0, what everybody can conclude
# partner          [seat, TAKEN or OWN] the other seat of an exchange, -1 none (or the stock)
# gave, received   [seat, TAKEN or OWN] place of the card, -1 none
# shown            card ids of the latest showdown by seat, -1 none
# spare            room for resample_hidden, otherwise zero
STATE = np.dtype(
    [
        *common_fields(MAX_PLAYERS),
        ("deck", np.int8, (PACK,)),
        ("hand_number", np.int16),
        ("coins", np.int16, (MAX_PLAYERS,)),
        ("start_coins", np.int16, (MAX_PLAYERS,)),
        ("centre", np.int16),
        ("limit", np.int32),
        ("last_coin_tie", np.int8),
        ("payments", np.int8),
        ("stock_king_blocks", np.bool_),
        ("mask_refuted_suits", np.bool_),
        ("show_king", np.bool_),
        ("hands", np.int16),
        ("dealer", np.int8),
        ("dealt", np.int8),
        ("turned", np.int8),
        ("asker", np.int8),
        ("num_removed", np.int8),
        ("removed", np.int8, (MAX_PLACES,)),
        ("place", np.int8, (MAX_PLAYERS,)),
        ("active", np.int8, (MAX_PLAYERS,)),
        ("acted", np.int8, (MAX_PLAYERS,)),
        ("stood", np.int8, (MAX_PLAYERS,)),
        ("exchanged", np.int8, (MAX_PLAYERS,)),
        ("turned_away", np.int8, (MAX_PLAYERS,)),
        ("taken", np.int8, (MAX_PLAYERS,)),
        ("refused", np.int8, (MAX_PLAYERS,)),
        ("refuted", np.int8, (MAX_PLAYERS, SUITS)),
        ("seen", np.int16, (MAX_PLACES,)),
        ("king", np.int8, (MAX_PLACES,)),
        ("partner", np.int8, (MAX_PLAYERS, 2)),
        ("gave", np.int8, (MAX_PLAYERS, 2)),
        ("received", np.int8, (MAX_PLAYERS, 2)),
        ("shown", np.int8, (MAX_PLAYERS,)),
        ("spare", np.int8, (PACK,)),
    ],
    align=True,
)
