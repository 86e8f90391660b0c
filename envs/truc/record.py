"""Truc: actions, options, and the record of a match.

Seats are absolute, ``player_0`` = 0; teams by parity (A even, B odd). The *position* of a seat
counts from the dealer's right: p0 is the *mà* of the table, p(n-1) the dealer. Card ids are
suit·10 + index of the number in 1 2 3 4 5 6 7 10 11 12, suits in the order O C E B.
"""

from enum import IntEnum

import numpy as np

from envs.core.cards import SPANISH_40
from envs.core.game import Config, Option, common_fields

MAX_PLAYERS = 8
HAND_SIZE = 3
TRICKS = 3
CARDS = SPANISH_40
NUM_CARDS = len(CARDS)
INDEX_OF_TWO = 1  # in a suit; with twos="none" these cards are never dealt


class Action(IntEnum):
    """Action ids; 0–39 play the card of that id."""

    TRUC = 40
    RETRUC = 41
    VOL_NOU = 42
    JOC_FORA = 43
    ENVIDA = 44
    JO_ENVIT = 45
    DOS_MES = 46
    TOTS = 47
    VULL = 48
    NO_VULL = 49
    MEN_VAIG = 50
    PASSO = 51
    AMO = 52
    SEGON = 53
    LLENGUA = 54
    MARILLA = 55
    TRES = 56
    DOS = 57
    ASOS_BORTS = 58
    RES = 59
    RESERVADA = 60
    TAPADA = 61
    VINE_A_MI = 62
    PITJA = 63


NUM_ACTIONS = 64


class Phase(IntEnum):
    """What the seat to act decides."""

    PLAY = 0  # a card, before it any call it is entitled to (T2, T4, T8)
    TRUC = 1  # the answer to a truc call (T12)
    ENVIT = 2  # the answer to an envit call (T12)
    WINDOW = 3  # raise over a tied stack, or pass (T5)
    TALK = 4  # a signal, a spoken call, or nothing (T16)


class Envit(IntEnum):
    """Where the envit of the hand stands."""

    UNOPENED = 0
    CALLED = 1
    ACCEPTED = 2
    REFUSED = 3


class Window(IntEnum):
    """T5's window over a tied stack."""

    CLOSED = 0
    EITHER = 1  # nobody has called yet: p0's peu decides, the other peu after him
    LAST = 2  # the last peu that may raise decides
    CALLED = 3  # a raise was made in it


TIED = 2  # in ``trick_team``
NOBODY = -1

# Values of options that are stored as the index of a text.
STACK, THREE_TRICKS = 0, 1
NEAREST, P0_TEAM = 0, 1
REPLY_ONLY, NEVER, FREE = 0, 1, 2
ANSWER_PEU, ANSWER_ALL, ANSWER_NEXT = 0, 1, 2
SIGNALS_OFF, PARTNER, RISKY, PUBLIC, OPEN_HANDS = 0, 1, 2, 3, 4
REWARD_WIN, REWARD_POINTS = 0, 1


def _store_reward(record, value: str) -> None:
    """The field ``reward`` is the one in which every game pays; this option has another."""
    record.reward_kind = ("win", "points").index(value)


OPTIONS = (
    Option(
        "twos", "after_threes", "T1: the 2s are in, below the 3s, or out", ("after_threes", "none")
    ),
    Option("first_tie", "stack", "T3: after a tied first trick", ("stack", "three_tricks")),
    Option("mano", "nearest", "T3: who wins when hidden cards tie", ("nearest", "p0_team")),
    Option("envit_openers", "peus", "T8: who may open the envit", ("peus", "any")),
    Option(
        "envit_after_truc",
        "reply_only",
        "T11: may the envit be opened once truc was called",
        ("reply_only", "never", "free"),
    ),
    Option(
        "answer",
        "peu",
        "T12: who answers for a team",
        ("peu", "both_most_willing", "next_player"),
    ),
    Option("no_pair", "highest", "T7: envit without pair or piece", ("highest", "zero")),
    Option("reserved", 35, "T7: envit of amo and segon together", (35, 28)),
    Option(
        "envit_cap",
        False,
        "T10: an accepted envit pays at most what the leader misses",
        (False, True),
    ),
    Option(
        "reveal_envit", False, "T13: show every seat's envit after a hand with one", (False, True)
    ),
    Option("flor", False, "T15: three cards of a suit count together", (False, True)),
    Option(
        "signals",
        "off",
        "T16: who sees signals",
        ("off", "partner", "risky", "public", "open_hands"),
    ),
    Option(
        "signal_catch", 0.25, "T16: chance that an opponent sees a risky signal", low=0.0, high=1.0
    ),
    Option("legs", 1, "T13: best of so many legs, an odd number", (1, 3, 5, 7, 9)),
    Option("target", 24, "T13: points that win a leg", low=2, high=60),
    Option("hands", None, "end after so many hands", low=1, high=120, allow_none=True),
    Option(
        "reward",
        "win",
        "+1/-1 for the match, or each hand's points",
        ("win", "points"),
        store=_store_reward,
    ),
)

STATE = np.dtype(
    [
        *common_fields(MAX_PLAYERS),
        # options (see OPTIONS)
        ("signal_catch", np.float64),
        ("target", np.int16),
        ("reserved", np.int16),
        ("hands", np.int16),  # -1: no limit
        ("legs", np.int16),
        ("twos", np.int8),
        ("first_tie", np.int8),
        ("mano", np.int8),
        ("envit_openers", np.int8),
        ("envit_after_truc", np.int8),
        ("answer", np.int8),
        ("no_pair", np.int8),
        ("envit_cap", np.int8),
        ("reveal_envit", np.int8),
        ("flor", np.int8),
        ("signals", np.int8),
        ("reward_kind", np.int8),
        # match
        ("hand_number", np.int16),  # hands dealt before this one
        ("score", np.int16, (2,)),  # points of each team in this leg
        ("total", np.int16, (2,)),  # points of each team in the whole match
        ("legs_won", np.int16, (2,)),
        ("dealer", np.int8),
        # hand: the deck as dealt; position p holds places 3p … 3p+2, the stock lies behind
        ("deck", np.int8, (NUM_CARDS,)),
        ("hand_points", np.int16, (2,)),  # scored in this hand
        ("played", np.int8, (TRICKS, MAX_PLAYERS)),  # card by trick and seat, -1 none yet
        ("trick", np.int8),  # 0 … 2, the current one
        ("leader", np.int8),  # seat that leads the current trick
        ("cards_out", np.int8),  # cards played to the current trick
        ("trick_team", np.int8, (TRICKS,)),  # winning team, TIED, or -1 not yet
        ("stacked", np.bool_),  # the second trick is a tied-trick stack (T3)
        ("shown", np.bool_),  # the tied players' hidden cards lie open
        # calls
        ("truc_level", np.int8),  # accepted level 0 … 4
        ("truc_call", np.int8),  # level called and not yet answered, 0 none
        ("truc_caller", np.int8),  # seat of the latest truc call, -1 none
        ("raise_right", np.int8),  # team that may raise, -1 either
        ("truc_asked", np.int8),  # opponents that have answered this call (T12, both)
        ("truc_willing", np.bool_),  # one of them said vull
        ("window", np.int8),  # Window
        ("envit", np.int8),  # Envit
        ("envit_level", np.int8),  # accepted step 0 … 4
        ("envit_call", np.int8),  # step called and not yet answered, 0 none
        ("envit_caller", np.int8),  # seat of the latest envit call, -1 none
        ("envit_asked", np.int8),
        ("envit_willing", np.bool_),
        # memory of the hand's calls, index: truc 0 … joc fora 3, envida 4 … tots 7
        ("num_calls", np.int8),
        ("call_order", np.int8, (8,)),  # 1 = the hand's first call, 0 not made
        ("call_seat", np.int8, (8,)),
        ("call_trick", np.int8, (8,)),
        ("answers", np.int8, (8, MAX_PLAYERS)),  # 0 none, 1 vull, 2 no vull
        # talk
        ("talked", np.int8),  # players that have spoken in this talk round
        ("said", np.int8, (TRICKS, MAX_PLAYERS)),  # action, 0 nothing yet
        ("seen", np.int16, (TRICKS, MAX_PLAYERS)),  # bit per seat that saw it
        # the latest envit that was settled by the cards, until the next hand's first call
        ("last_envit", np.int8),  # winning value, -1 none
        ("last_envit_team", np.int8),
        ("last_envits", np.int8, (MAX_PLAYERS,)),  # every seat's value (reveal_envit)
    ],
    align=True,
)


def pack(config: Config) -> list[int]:
    """The ids of the cards in play: 40, or 36 without the 2s (T1)."""
    return [c for c in range(NUM_CARDS) if config["twos"] != "none" or c % 10 != INDEX_OF_TWO]


def max_decisions(config: Config) -> int:
    """No match is longer: every hand gives at least one point."""
    players = config["num_players"]
    answers = players // 2 if config["answer"] == "both_most_willing" else 1
    talk = 3 * players if config["signals"] in ("partner", "risky", "public") else 0
    truc, envit, window = 4 + 4 * answers, 2 + 4 * answers, 2
    hands = config["legs"] * (2 * config["target"] - 1)
    if config["hands"] is not None:
        hands = min(hands, config["hands"])
    return hands * (HAND_SIZE * players + truc + envit + window + talk)


def reward_range(config: Config) -> tuple[float, float]:
    """Total reward of a seat: a leg's winner has at most 8 points more than the target."""
    if config["reward"] == "win" and config["hands"] is None:
        return (-1.0, 1.0)
    most = config["legs"] * (config["target"] + 8) / config["target"]
    return (-most, most)
