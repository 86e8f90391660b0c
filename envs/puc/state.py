"""The record of a match of Puc, and the phases of a turn."""

from enum import IntEnum

import numpy as np

from envs.core.game import common_fields
from envs.puc.melds import KINDS, NATURALS, RANKS, RUN_SIZE
from envs.puc.options import MAX_CARDS, MAX_PLAYERS

MAX_RUNS = MAX_CARDS // RUN_SIZE
MAX_OPENING = 3  # melds of the largest contract


class Phase(IntEnum):
    """What is being decided."""

    CHOICE = 0  # the seat whose turn it is takes the face-up card or draws
    WINDOW = 1  # another seat is asked whether it wants the face-up card
    PLAY = 2  # the seat whose turn it is lays cards, then discards
    JOKER = 3  # a joker replaced in the middle of a run goes low or high


CHOICE, WINDOW, PLAY, JOKER_MOVES = (int(phase) for phase in Phase)

STATE = np.dtype(
    [
        *common_fields(MAX_PLAYERS),
        # the match
        ("hand_number", np.int16),  # 1 … 7
        ("dealer", np.int8),  # seat
        ("score", np.int32, (MAX_PLAYERS,)),  # points so far, low is good
        ("turns", np.int32),  # turns completed in this hand
        ("blocked", np.bool_),  # the latest decision blocked a hand (R12)
        ("turn_over", np.bool_),  # for tests: discards become the stock unshuffled
        # the cards: kinds 0 … 52
        ("deck", np.int8, (MAX_CARDS,)),  # at the deal the whole pack; later the stock within it
        ("deck_size", np.int16),  # cards of this hand's pack
        ("stock_top", np.int16),  # place in deck of the next stock card
        ("stock_end", np.int16),  # place after the last
        ("pile", np.int8, (MAX_CARDS,)),  # discards, oldest first; the last is face up
        ("pile_size", np.int16),
        ("hand", np.int16, (MAX_PLAYERS, KINDS)),  # copies of each kind
        ("hand_size", np.int16, (MAX_PLAYERS,)),
        ("known", np.int16, (MAX_PLAYERS, KINDS)),  # copies that everybody knows to be there
        ("down", np.int8, (MAX_PLAYERS,)),  # 1: the contract lies on the table
        ("pucs", np.int16, (MAX_PLAYERS,)),  # in this hand
        # the table
        ("trio_cards", np.int16, (NATURALS,)),  # natural cards in trios, by kind
        ("trio_jokers", np.int16, (RANKS,)),  # jokers in the trios of a rank
        ("trio_owners", np.int16, (RANKS,)),  # bit s: seat s laid a trio of the rank
        ("num_runs", np.int16),  # runs in the order in which they were laid
        ("run_suit", np.int16, (MAX_RUNS,)),
        ("run_low", np.int16, (MAX_RUNS,)),  # positions of the ends, 1 … 14
        ("run_high", np.int16, (MAX_RUNS,)),
        ("run_jokers", np.int16, (MAX_RUNS,)),  # bit p: a joker stands at position p
        ("run_owner", np.int16, (MAX_RUNS,)),  # seat
        # the turn
        ("serving", np.int8),  # seat whose turn it is; turn is the seat asked
        ("taken", np.int8),  # kind taken face up in this turn, -1 none
        ("taken_laid", np.int16),  # copies of that kind laid since
        ("opening_melds", np.int16),  # melds laid in this turn's opening
        ("opening", np.int16, (MAX_OPENING,)),  # their ids, -1 none
        ("opened", np.bool_),  # the seat came down in this turn
        ("moving", np.int16),  # run whose joker is to go low or high, -1 none
        # the options; a choice among texts is its index
        ("num_packs", np.int16),
        ("jokers_per_pack", np.int16),
        ("max_jokers_per_meld", np.int16),
        ("joker_in_trio", np.bool_),
        ("layoff", np.int8),  # all, own
        ("discarder_may_puc", np.bool_),
        ("max_puc_per_hand", np.int16),  # -1 no limit
        ("allow_return_discard", np.bool_),
        ("forbid_adjacent_runs", np.bool_),
        ("stock_exhausted", np.int8),  # reshuffle, block
        ("max_turns_per_hand", np.int32),  # -1 no cap
        ("only_hand", np.int16),  # -1 all seven
        ("reward_kind", np.int8),  # points, rank
        ("reward_at_cap", np.bool_),
    ],
    align=True,
)
