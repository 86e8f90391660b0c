"""Heuristics for Balcó: they see the observation and the mask, nothing else.

``simple`` throws its lowest cards and saves the special ones. ``strong`` weighs every throw.
"""

import numpy as np

from agents.random import nth_legal
from envs.balco.actions import (
    FLIP,
    JOKER,
    KEEP,
    NUM_KINDS,
    NUM_NUMBERS,
    NUM_SWAPS,
    PLACES,
    PLAY,
    SHOOT,
    TAKE,
    jokers_of,
    naturals_of,
    number_of,
    play_action,
)
from envs.balco.observation import DOWN, HAND, HAND_SIZE, PHASE, UP
from envs.balco.record import Phase
from envs.core.jit import rule

# From the card to throw first to the one to save longest, by kind 1 … 12, joker.
SAVE = np.array([9, 12, 0, 1, 2, 3, 4, 5, 6, 10, 7, 8, 11], np.int8)


# Simple


@rule
def simple(observation, mask, at, num_players, bits):
    """Good cards stay up, low cards go first, the player with the fewest cards is shot."""
    phase = observation[at[PHASE] : at[PHASE + 1]]
    if phase[Phase.SWAP]:
        return keep_best_up(observation, mask, at)
    if phase[Phase.SHOOT]:
        return shoot_fewest_cards(observation, mask, at, num_players)
    if mask[FLIP]:
        return FLIP
    action = throw_lowest(observation, mask, at)
    if action < 0:
        action = throw_joker(mask)
    return action if action >= 0 else TAKE


@rule
def keep_best_up(observation, mask, at):
    """The up cards come last, when every card counts: leave the best ones there."""
    best = -1
    best_value = -1
    for swap in range(NUM_SWAPS):
        value = 0
        for i in range(PLACES.shape[1]):
            value += SAVE[six_card(observation, at, PLACES[swap, i])]
        if mask[KEEP + swap] and value > best_value:
            best = KEEP + swap
            best_value = value
    return best


@rule
def six_card(observation, at, place):
    """The kind at one of the six places of my known cards, sorted, before the swap."""
    for kind in range(NUM_KINDS):
        place -= observation[at[HAND] + kind] + observation[at[UP] + kind]
        if place < 0:
            return kind
    return JOKER


@rule
def shoot_fewest_cards(observation, mask, at, num_players):
    """Whoever is nearest to going out needs a pile most."""
    best = -1
    fewest = 0
    for steps in range(1, num_players):
        cards = cards_of(observation, at, steps)
        if mask[SHOOT + steps - 1] and (best < 0 or cards < fewest):
            best = SHOOT + steps - 1
            fewest = cards
    return best


@rule
def cards_of(observation, at, steps):
    """All cards of the player so many seats to the right."""
    cards = observation[at[HAND_SIZE] + steps] + observation[at[DOWN] + steps]
    for kind in range(NUM_KINDS):
        cards += observation[at[UP] + steps * NUM_KINDS + kind]
    return cards


@rule
def throw_lowest(observation, mask, at):
    """The card that is saved least, with all its equals unless it is a special one."""
    best = -1
    for number in range(1, NUM_NUMBERS + 1):
        if mask[play_action(number, 1, 0)] and (best < 0 or SAVE[number - 1] < SAVE[best - 1]):
            best = number
    if best < 0:
        return -1
    together = 1 if best in (1, 2, 10) else observation[at[HAND] + best - 1]
    return play_action(best, together, 0)


@rule
def throw_joker(mask):
    """A lone joker counts as a 10 if it may, else as a 2."""
    for number in (10, 2):
        if mask[play_action(number, 0, 1)]:
            return play_action(number, 0, 1)
    return -1


HEURISTICS = {"simple": simple}
