"""The rule options of Puc, and what follows from a configuration: pack, bounds, dictated decks."""

from collections.abc import Mapping
from typing import Any

from envs.core.game import Config, Option
from envs.puc.layoff import LAYOFFS
from envs.puc.melds import (
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    HANDS,
    JOKER,
    NATURALS,
    NONE,
    POINTS,
    RUN_SIZE,
    TRIO_SIZE,
)
from envs.puc.scoring import CLOSING_BONUS, POINTS_PER_REWARD, REWARDS

PLAYERS = tuple(range(3, 13))
MAX_PLAYERS = max(PLAYERS)
MAX_PACKS, MAX_JOKERS_PER_PACK = 4, 4
MAX_CARDS = 228  # of a pack or a dictated deck
TURNS_PER_SEAT = 100
MAX_TURNS = 30_000
BY_SEATS = "by seats"
STOCK_RULES = ("reshuffle", "block")
RESHUFFLES = ("shuffle", "turn_over")


def packs_for(num_players: int) -> int:
    """Packs by the number of seats: 2 up to five, 3 for six and seven, 4 from eight."""
    if num_players <= 5:
        return 2
    return 3 if num_players <= 7 else 4


def _by_seats(name: str, low: int, high: int, default, allow_none: bool):
    """A parser of a number whose default follows from the number of seats."""
    number = Option(name, 0, "", low=low, high=high, allow_none=allow_none)

    def parse(value: Any, num_players: int) -> int | None:
        if isinstance(value, str) and value == BY_SEATS:
            return default(num_players)
        try:
            return number.validate(value, num_players)
        except ValueError as error:
            raise ValueError(f"{error} or {BY_SEATS!r}") from None

    return parse


def _store_reward(record: Any, value: str) -> None:
    record.reward_kind = REWARDS.index(value)


_parse_packs = _by_seats("num_packs", 1, MAX_PACKS, packs_for, allow_none=False)
_parse_turns = _by_seats(
    "max_turns_per_hand", 1, MAX_TURNS, lambda n: TURNS_PER_SEAT * n, allow_none=True
)

OPTIONS = (
    Option(
        "num_packs",
        BY_SEATS,
        "packs of 52, 1 to 4; by seats: 2 to five, 3 to seven, 4 from eight",
        parse=_parse_packs,
    ),
    Option("jokers_per_pack", 2, "jokers in each pack", low=0, high=MAX_JOKERS_PER_PACK),
    Option("max_jokers_per_meld", 1, "R10: jokers in a meld when it is laid", low=0, high=1),
    Option("joker_in_trio", True, "R10: jokers may stand in trios", choices=(True, False)),
    Option("layoff", "all", "R8: whose melds a seat may add to", choices=LAYOFFS),
    Option(
        "discarder_may_puc",
        True,
        "R6: the seat that threw the card is asked, last",
        choices=(True, False),
    ),
    Option(
        "max_puc_per_hand", None, "R6: pucs of one seat in a hand", low=0, high=100, allow_none=True
    ),
    Option(
        "allow_return_discard",
        False,
        "R5: the card just taken may be thrown back",
        choices=(True, False),
    ),
    Option(
        "forbid_adjacent_runs",
        False,
        "R2: no two runs of an opening that touch end to end in one suit",
        choices=(True, False),
    ),
    Option("stock_exhausted", "reshuffle", "R12: an empty stock", choices=STOCK_RULES),
    Option(
        "max_turns_per_hand",
        BY_SEATS,
        "turns of a hand before truncation, 1 to 30000 or None; by seats: 100 each",
        parse=_parse_turns,
    ),
    Option(
        "only_hand",
        None,
        "R1: play this hand of the seven alone",
        low=1,
        high=HANDS,
        allow_none=True,
    ),
    Option(
        "reward",
        "points",
        "by points in hundreds, or by place from 1 to -1",
        choices=REWARDS,
        store=_store_reward,
    ),
    Option(
        "reward_at_cap",
        False,
        "a truncated match pays by its finished hands, instead of nothing",
        choices=(True, False),
    ),
)

RESET_OPTIONS = {
    "dealer": "seat that deals the first hand",
    "hand": "number of the first hand, 1 to 7",
    "reshuffle": "'shuffle', or 'turn_over': the discards turned over are the new stock",
}


def hand_size(hand: int) -> int:
    """R1: cards dealt to each seat in hand 1 … 7: exactly the contract."""
    return TRIO_SIZE * int(CONTRACT_TRIOS[hand]) + RUN_SIZE * int(CONTRACT_RUNS[hand])


def cards_needed(config: Config, hand: int) -> int:
    """Cards of a deal and the first face-up card."""
    return config["num_players"] * hand_size(hand) + 1


def pack(config: Config) -> list[int]:
    """Every card of a hand's pack by kind."""
    one = [*range(NATURALS), *[JOKER] * config["jokers_per_pack"]]
    return one * config["num_packs"]


def num_hands(config: Config) -> int:
    """Hands of a match."""
    return HANDS if config["only_hand"] is None else 1


def max_decisions(config: Config) -> int | None:
    """A bound of the decisions of a match, or None without a cap on turns.

    A turn takes one decision to take or draw, one from every other seat in the window, and the
    discard; cards on the table cost at most two decisions each.
    """
    turns = config["max_turns_per_hand"]
    if turns is None:
        return None
    return num_hands(config) * (turns * (config["num_players"] + 1) + 2 * len(pack(config)))


def reward_range(config: Config) -> tuple[float, float]:
    """Bounds of a seat's reward: at worst it holds every point of the pack in every hand."""
    if config["reward"] == "rank":
        return -1.0, 1.0
    hands, others = num_hands(config), config["num_players"] - 1
    points = hands * int(sum(POINTS[kind] for kind in pack(config)))
    bonus = hands * CLOSING_BONUS
    low, high = points + bonus / others, points / others + bonus
    return -low / POINTS_PER_REWARD, high / POINTS_PER_REWARD


def check_config(config: Config) -> None:
    """ValueError when the pack does not suffice for the largest deal."""
    hand = config["only_hand"] or HANDS
    cards, needed = len(pack(config)), cards_needed(config, hand)
    if cards < needed:
        raise ValueError(
            f"hand {hand} of {config['num_players']} players takes {needed} cards, and "
            f"{config['num_packs']} packs with {config['jokers_per_pack']} jokers each have {cards}"
        )


def check_deck(config: Config, deck: list[int]) -> None:
    """A dictated deck is any list of cards that suffices for the smallest deal asked for."""
    needed = cards_needed(config, config["only_hand"] or 1)
    if not needed <= len(deck) <= MAX_CARDS:
        raise ValueError(f"a deck of {len(deck)} cards: allowed are {needed} to {MAX_CARDS}")


def first_hand(record: Any, options: Mapping[str, Any]) -> int:
    """The hand that ``reset(options)`` asks for, checked."""
    hand = options.get("hand", int(record.hand_number))
    if isinstance(hand, bool) or hand not in range(1, HANDS + 1):
        raise ValueError(f"hand={hand!r}: hands go from 1 to {HANDS}")
    if record.only_hand != NONE and hand != record.only_hand:
        raise ValueError(f"hand={hand!r}: this game plays hand {record.only_hand} alone")
    return int(hand)


def deck_size(record: Any, hand: int, deck: Any) -> int:
    """The length of a dictated deck, checked against the deal of its hand."""
    needed = int(record.num_players) * hand_size(hand) + 1
    if len(deck) < needed:
        raise ValueError(f"a deck of {len(deck)} cards: hand {hand} takes at least {needed}")
    return len(deck)


def turns_over(reshuffle: Any) -> bool:
    """Whether the reset option ``reshuffle`` asks for the discards turned over."""
    if reshuffle not in RESHUFFLES:
        raise ValueError(f"reshuffle={reshuffle!r}: allowed are {', '.join(map(repr, RESHUFFLES))}")
    return reshuffle == "turn_over"
