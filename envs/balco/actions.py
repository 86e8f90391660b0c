"""Action ids of Balcó: what each of the 194 means, and the way back.

| ids | meaning |
|---|---|
| 0–19 | the swap: which three of the six known cards, sorted by kind, stay face up |
| 20–187 | play: 20 + 14 · (number − 1) + the place of (naturals, jokers) in ``MIXES`` |
| 188–191 | shoot the player 1, 2, 3 or 4 seats to the right |
| 192, 193 | flip a down card, take the pile |
"""

from itertools import combinations

import numpy as np

from envs.core.jit import rule

NUM_NUMBERS = 12  # numbers 1 … 12; the kind of a natural card is its number - 1
JOKER = 12  # the kind of a joker
NUM_KINDS = 13
MOST_CARDS = 4  # thrown at once, and a run of this length cleans (L3, L11)

KEEP = 0
PLAY = 20
SHOOT = 188
FLIP = 192
TAKE = 193
NUM_ACTIONS = 194

# Which places of the six sorted cards each swap keeps up, in lexicographic order.
PLACES = np.array(list(combinations(range(6), 3)), np.int8)
NUM_SWAPS = len(PLACES)
# (naturals, jokers) thrown together, by total and then by jokers.
MIXES = np.array(
    [(total - j, j) for total in range(1, MOST_CARDS + 1) for j in range(total + 1)], np.int8
)
NUM_MIXES = len(MIXES)


@rule
def play_action(number, naturals, jokers):
    """The id of throwing so many natural cards of a number and so many jokers declared as it."""
    total = naturals + jokers
    return PLAY + (number - 1) * NUM_MIXES + (total - 1) * (total + 2) // 2 + jokers


@rule
def number_of(action):
    """The number that a play action throws."""
    return (action - PLAY) // NUM_MIXES + 1


@rule
def naturals_of(action):
    """How many natural cards a play action throws."""
    return np.int64(MIXES[(action - PLAY) % NUM_MIXES, 0])


@rule
def jokers_of(action):
    """How many jokers a play action throws."""
    return np.int64(MIXES[(action - PLAY) % NUM_MIXES, 1])
