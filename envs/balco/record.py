"""The record of a game of Balcó: options, phases and every field."""

from enum import IntEnum

import numpy as np

from envs.balco.actions import NUM_KINDS
from envs.core.game import Option, common_fields

MAX_PLAYERS = 5
MAX_CARDS = 52
COPIES = 4  # of every natural number in the pack
ROW = 3  # cards down, up and, at least, in hand
DEALT = 3 * ROW  # cards dealt to each player
LONGEST_GAME = 10_000

OPTIONS = (
    Option(
        "start", "play", "L2: the start cards are the first pile, or shown and returned",
        choices=("play", "reveal_return"),
    ),
    Option(
        "take_up", "below_three", "L6: with the stock gone, when the up cards come into the hand",
        choices=("below_three", "hand_empty"),
    ),
    Option(
        "eights", "each", "L12: every 8 of a play skips a player, or the play skips one",
        choices=("each", "one"),
    ),
    Option(
        "sevens", "replace", "L13: seven or lower replaces the comparison with the top or joins it",
        choices=("replace", "both"),
    ),
    Option(
        "ten_block", "binding", "L10: a 10 is barred while a 7 or 1 binds, or lies in the pile",
        choices=("binding", "anywhere"),
    ),
    Option(
        "end", "last_in", "L15: the game lasts until one is left, or until one is out",
        choices=("last_in", "first_out"),
    ),
    Option(
        "may_take", False, "L3: the pile may be taken by a player who could throw",
        choices=(False, True),
    ),
    Option(
        "shoot_back", True, "L14: who answers a shot with a 1 may name the one who shot",
        choices=(False, True),
    ),
    Option("jokers", 4, "jokers in the pack", choices=(0, 4)),
    Option("max_decisions", 1000, "decisions until truncation", low=1, high=LONGEST_GAME),
)  # fmt: skip
BOTH, ANYWHERE, HAND_EMPTY, ONE, REVEAL, FIRST_OUT = 1, 1, 1, 1, 1, 1  # the second choice of each


class Phase(IntEnum):
    """What the seat to act decides."""

    SWAP = 0  # which three cards stay face up
    PLAY = 1  # what to throw from the hand; the pile is taken if nothing can be thrown
    FLIP = 2  # nothing: an empty hand turns over a down card
    DECLARE = 3  # the number of the joker just turned over
    SHOOT = 4  # whom the 1 just thrown is aimed at


# Counts of one kind are int8: the pack holds four of a kind. All other counts are int16.
#
# deck           the pack as shuffled or dictated; what is left of it from ``drawn`` on is the stock
# drawn          cards of the deck that have been dealt or drawn
# dealer         seat; the deal, the swap and the start begin to the right, at the next seat
# choice         seat -> its sealed swap action, -1 = not yet, and after the swap
# hand           seat, kind -> cards in hand;   hand_size: their number
# known          seat, kind -> cards that everybody knows to be in that hand
# up             seat, kind -> face-up cards: three or none
# down           seat, place -> kind of a face-down card, -1 = turned over; they go from the left
# down_left      seat -> face-down cards left
# pile           kinds, oldest first, the first ``pile_size`` count; pile_as: the number of each,
#                0 = a joker thrown at the start, which has none
# top            number last played, 0 = none;  run: length of the run of equals on top
# cleaned        kinds out of the game, oldest first, the first ``num_cleaned`` count
# free           whether the next player may throw any number (L3)
# bound          plays that are still bound to 7 or lower (L13)
# shot           whether the player to act must answer a 1 (L14)
# shot_by        seat that fired the shot to be answered, or just answered with another 1; else -1
# place          seat -> 1 for the first out …; 0 = still in;  num_out: players with a place
STATE = np.dtype(
    [
        *common_fields(MAX_PLAYERS),
        ("start", np.int8), ("take_up", np.int8), ("eights", np.int8), ("sevens", np.int8),
        ("ten_block", np.int8), ("end", np.int8), ("may_take", np.bool_), ("shoot_back", np.bool_),
        ("jokers", np.int8), ("max_decisions", np.int16),
        ("deck", np.int8, (MAX_CARDS,)),
        ("drawn", np.int16),
        ("dealer", np.int8),
        ("choice", np.int8, (MAX_PLAYERS,)),
        ("hand", np.int8, (MAX_PLAYERS, NUM_KINDS)),
        ("hand_size", np.int16, (MAX_PLAYERS,)),
        ("known", np.int8, (MAX_PLAYERS, NUM_KINDS)),
        ("up", np.int8, (MAX_PLAYERS, NUM_KINDS)),
        ("down", np.int8, (MAX_PLAYERS, ROW)),
        ("down_left", np.int16, (MAX_PLAYERS,)),
        ("pile", np.int8, (MAX_CARDS,)),
        ("pile_as", np.int8, (MAX_CARDS,)),
        ("pile_size", np.int16),
        ("top", np.int8),
        ("run", np.int16),
        ("cleaned", np.int8, (MAX_CARDS,)),
        ("num_cleaned", np.int16),
        ("free", np.bool_),
        ("bound", np.int16),
        ("shot", np.bool_),
        ("shot_by", np.int8),
        ("place", np.int8, (MAX_PLAYERS,)),
        ("num_out", np.int16),
    ],
    align=True,
)  # fmt: skip

# Rank of each kind in the order 3 < 4 < … < 9 < 11 < 12 < 1; at the start 10, 2 and the joker
# follow as the highest (L2).
ORDER = np.array([13, 15, 3, 4, 5, 6, 7, 8, 9, 14, 11, 12, 16], np.int8)
