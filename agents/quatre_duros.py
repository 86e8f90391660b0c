"""4 Duros: how to play it well, as advice.

``simple`` plays by the card in hand, ``strong`` also by what it knows of the others. Both see the
observation and the mask alone. Seats are relative: 0 is me, k the player k seats to my right.
"""

from agents.random import nth_legal
from envs.core.jit import rule
from envs.core.random import scale
from envs.quatre_duros.observation import (
    ACTIVE,
    ASKER,
    CARD,
    CARDS,
    COINS,
    KINGS,
    NUMBERS,
    REFUTED,
    TO_ACT,
)
from envs.quatre_duros.record import ASK, ELEVEN, EXCHANGE, GUESS, KING, STAND, SUITS, TEN

UNKNOWN = -1
THREE, FOUR, FIVE = 2, 3, 4  # numbers by their place in the order 1 … 7, 10, 11, 12


# What the observation says


@rule
def value(observation, at, section, k):
    """The k-th value of a section."""
    return observation[at[section] + k]


@rule
def number_of(observation, at, k):
    """0 … 9: the number of seat k's card, UNKNOWN if I have not seen it."""
    for number in range(NUMBERS):
        if value(observation, at, CARDS, k * CARD + number) == 1:
            return number
    return UNKNOWN


@rule
def count_of(observation, at, section, num_players):
    """How many seats have this flag."""
    count = 0
    for k in range(num_players):
        count += value(observation, at, section, k)
    return count


@rule
def seat_of(observation, at, section, num_players):
    """The seat with this flag."""
    for k in range(num_players):
        if value(observation, at, section, k) == 1:
            return k
    return 0


@rule
def wrong_suits(observation, at, k):
    """How many suits were guessed wrongly for seat k's king."""
    count = 0
    for suit in range(SUITS):
        count += value(observation, at, REFUTED, k * SUITS + suit)
    return count


# Guessing, D4


@rule
def king_seen(observation, at, num_players, suit):
    """I have seen the king of this suit: my own, or one that was shown."""
    for k in range(num_players):
        of_suit = value(observation, at, CARDS, k * CARD + NUMBERS + suit) == 1
        if of_suit and number_of(observation, at, k) == KING:
            return True
    return False


@rule
def possible(observation, mask, at, num_players, suit):
    """The asker's king may be of this suit: it was not guessed wrongly and not seen elsewhere."""
    asker = seat_of(observation, at, ASKER, num_players)
    if not mask[GUESS + suit] or value(observation, at, REFUTED, asker * SUITS + suit) == 1:
        return False
    return not king_seen(observation, at, num_players, suit)


@rule
def guess(observation, mask, at, num_players, bits):
    """One of the suits that are still possible: they are all equally likely."""
    count = 0
    for suit in range(SUITS):
        if possible(observation, mask, at, num_players, suit):
            count += 1
    n = scale(bits, count)
    for suit in range(SUITS):
        if possible(observation, mask, at, num_players, suit):
            if n == 0:
                return GUESS + suit
            n -= 1
    return nth_legal(mask, 0)


# Asking, D4


@rule
def pays_to_ask(observation, at):
    """With at most one suit ruled out a guess is wrong two times in three; with two it is even,
    and an even bet only helps whoever is behind.
    """
    return wrong_suits(observation, at, 0) <= 1


@rule
def ask_anyone(mask, num_players, bits):
    """A question to any player, or STAND if none is allowed."""
    count = 0
    for k in range(1, num_players):
        count += mask[ASK + k - 1]
    n = scale(bits, count)
    for k in range(1, num_players):
        if mask[ASK + k - 1]:
            if n == 0:
                return ASK + k - 1
            n -= 1
    return STAND


@rule
def ask_richest(observation, mask, at, num_players):
    """The player with most coins, if possible without a king.

    Only one player will be left, so a coin is worth most when the strongest rival loses it. Who
    holds a king knows one suit that mine is not, and guesses better.
    """
    best, most = STAND, -1
    for k in range(1, num_players):
        if mask[ASK + k - 1]:
            worth = 2 * value(observation, at, COINS, k) - (value(observation, at, KINGS, k) == 1)
            if worth > most:
                best, most = ASK + k - 1, worth
    return best


# Standing and exchanging, D3 and D5


@rule
def costs_a_coin(number):
    """A 10 or an 11 pays a neighbour (D6): more than any other card is likely to cost."""
    return number in (TEN, ELEVEN)


@rule
def somebody_is_lower(observation, at, num_players):
    """I know a lower card of a player whose turn is over: mine cannot be the lowest any more."""
    mine = number_of(observation, at, 0)
    for k in range(1, num_players):
        done = value(observation, at, ACTIVE, k) == 1 and value(observation, at, TO_ACT, k) == 0
        if done and 0 <= number_of(observation, at, k) < mine:
            return True
    return False


@rule
def good_enough(observation, at, num_players):
    """The lowest number to stand with: the fewer cards are left, the higher.

    Of many cards one is likely to be a 1 or a 2, and an exchange may bring a 10 or an 11.
    """
    cards = count_of(observation, at, ACTIVE, num_players)
    if cards <= 3:
        return FIVE
    return FOUR if cards == 4 else THREE


@rule
def stand_or_exchange(mask, exchange):
    """The exchange if it is wanted and possible."""
    return EXCHANGE if exchange and mask[EXCHANGE] else STAND


# The two players


@rule
def answer_is_due(mask):
    """I am asked for the suit of a king."""
    return mask[GUESS : GUESS + SUITS].any()


@rule
def simple(observation, mask, at, num_players, bits):
    """Play by the own card: ask anyone with a king, pass on what is low or costs a coin."""
    if answer_is_due(mask):
        return guess(observation, mask, at, num_players, bits)
    mine = number_of(observation, at, 0)
    if mine == KING and pays_to_ask(observation, at):
        return ask_anyone(mask, num_players, bits)
    return stand_or_exchange(mask, costs_a_coin(mine) or mine < FIVE)


@rule
def strong(observation, mask, at, num_players, bits):
    """Play also by what is known of the others."""
    if answer_is_due(mask):
        return guess(observation, mask, at, num_players, bits)
    mine = number_of(observation, at, 0)
    if mine == KING:
        if pays_to_ask(observation, at):
            return ask_richest(observation, mask, at, num_players)
        return STAND
    if costs_a_coin(mine):
        return stand_or_exchange(mask, True)
    if somebody_is_lower(observation, at, num_players):
        return STAND
    return stand_or_exchange(mask, mine < good_enough(observation, at, num_players))


HEURISTICS = {"simple": simple, "strong": strong}
