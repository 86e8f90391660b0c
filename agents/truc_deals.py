"""Truc: reading an observation, and thinking a hand through over sampled deals.

The heuristics estimate chances as a good player does: count what has been seen, imagine the other
hands, and play each of them out plainly. Only the observation is used. Seats are relative: 0 is
me, even ones are my team. A card is its id, a gone or unknown one -1; a level is its place in the
order, 0 the highest, and ``NONE`` where there is no card.
"""

import numpy as np

from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.truc import observation as section
from envs.truc.envit import FIVES_LEVEL, INDEX_OF_FIVE, LEVELS, NUM_LEVELS, card_level, envit_of
from envs.truc.observation import CARD_CODE
from envs.truc.record import HAND_SIZE, NUM_CARDS, TRICKS, Action

US, THEM, TIE, OPEN = 0, 1, 2, -1  # results of a trick
NONE = 99

CODES = np.full((NUM_LEVELS, 4), -1, np.int64)  # level and suit of the observation -> card
for _card in range(NUM_CARDS):
    CODES[LEVELS[_card] - FIVES_LEVEL, _card // 10] = _card
    if _card % 10 == INDEX_OF_FIVE:
        CODES[0, _card // 10] = _card

# Signals that name a card: action -> first and last level of the cards meant.
_MEANT = {
    Action.AMO: (0, 0),
    Action.SEGON: (1, 1),
    Action.LLENGUA: (2, 3),
    Action.MARILLA: (4, 5),
    Action.TRES: (6, 6),
    Action.DOS: (7, 7),
    Action.ASOS_BORTS: (8, 8),
}
MEANT = np.full((section.TALK_ACTIONS, 2), NONE, np.int64)
for _signal, _levels in _MEANT.items():
    MEANT[_signal - Action.PASSO] = _levels


@rule
def place_of_one(o, start, length):
    """Which place of a one-of-n section is set, or -1."""
    for i in range(length):
        if o[start + i]:
            return i
    return -1


@rule
def played_card(o, at, n, trick, seat):
    """The card a seat played to a trick, or -1."""
    start = at[section.PLAYED] + (trick * n + seat) * CARD_CODE
    lvl = place_of_one(o, start, NUM_LEVELS)
    return -1 if lvl < 0 else CODES[lvl, place_of_one(o, start + NUM_LEVELS, 4)]


@rule
def trick_number(o, at):
    return place_of_one(o, at[section.TRICK], TRICKS)


@rule
def result(o, at, trick):
    """US, THEM, TIE or OPEN."""
    return place_of_one(o, at[section.RESULTS] + 3 * trick, 3)


@rule
def read_hands(o, at, n, hands, known):
    """Fill hands[seat] with the known cards, played ones first; known[seat] counts them."""
    hands[:] = -1
    known[:] = 0
    for trick in range(TRICKS):
        for seat in range(n):
            add_known(hands, known, seat, played_card(o, at, n, trick, seat))
    for card in range(NUM_CARDS):
        if o[at[section.HAND] + card]:
            add_known(hands, known, 0, card)
    if at[section.PARTNERS] < at[section.PARTNERS + 1]:
        for i in range(n // 2 - 1):
            for card in range(NUM_CARDS):
                if o[at[section.PARTNERS] + i * NUM_CARDS + card]:
                    add_known(hands, known, 2 * (i + 1), card)


@rule
def add_known(hands, known, seat, card):
    if card >= 0:
        hands[seat, known[seat]] = card
        known[seat] += 1


@rule
def unseen_cards(hands, known, n, cards):
    """Fill ``cards`` with those that no known place holds; returns how many."""
    seen = np.uint64(0)
    for seat in range(n):
        for i in range(known[seat]):
            seen |= np.uint64(1) << np.uint64(hands[seat, i])
    size = 0
    for card in range(NUM_CARDS):
        if (seen >> np.uint64(card)) & np.uint64(1) == 0:
            cards[size] = card
            size += 1
    return size


@rule
def believe_signals(o, at, n, hands, known):
    """A partner that signalled a card holds it, as far as such a card is unseen."""
    if at[section.TALK] == at[section.TALK + 1]:
        return
    for trick in range(TRICKS):
        for seat in range(2, n, 2):
            start = at[section.TALK] + (trick * n + seat) * section.TALK_ACTIONS
            said = place_of_one(o, start, section.TALK_ACTIONS)
            if said > 0 and known[seat] < HAND_SIZE:
                add_known(hands, known, seat, unseen_between(hands, known, n, MEANT[said]))


@rule
def unseen_between(hands, known, n, levels):
    """The first unseen card whose level lies in the range, or -1."""
    for card in range(NUM_CARDS):
        if levels[0] <= card_level(n, card) <= levels[1]:
            seen = False
            for seat in range(n):
                for i in range(known[seat]):
                    seen = seen or hands[seat, i] == card
            if not seen:
                return card
    return -1


@rule
def deal_unseen(hands, known, n, cards, size, bits):
    """Complete every hand from the unseen cards, uniformly."""
    drawn = 0
    for seat in range(1, n):
        for i in range(known[seat], HAND_SIZE):
            j = drawn + scale(combine(bits, np.uint64(drawn)), size - drawn)
            cards[drawn], cards[j] = cards[j], cards[drawn]
            hands[seat, i] = cards[drawn]
            drawn += 1


@rule
def envit_is_ours(hands, n, ma):
    """Whether the best envit of full hands is my team's; of equals the nearest to the mà."""
    best, ours = -1, False
    for step in range(n):
        seat = (ma + step) % n
        value = envit_of(hands[seat, 0], hands[seat, 1], hands[seat, 2], 35, True, False)
        if value > best:
            best, ours = value, seat % 2 == 0
    return ours


@rule
def team_best(table, n, team):
    """The best level a team has on the table."""
    best = NONE
    for seat in range(team, n, 2):
        best = min(best, table[seat])
    return best


@rule
def lowest(levels, seat):
    """The place of the seat's lowest card."""
    place = -1
    for i in range(HAND_SIZE):
        if levels[seat, i] != NONE and (place < 0 or levels[seat, i] > levels[seat, place]):
            place = i
    return place


@rule
def highest(levels, seat):
    """The place of the seat's highest card."""
    place = 0
    for i in range(1, HAND_SIZE):
        if levels[seat, i] < levels[seat, place]:
            place = i
    return place


@rule
def cheapest_under(levels, seat, limit):
    """The place of the seat's lowest card of a level below ``limit``, or -1."""
    place = -1
    for i in range(HAND_SIZE):
        if levels[seat, i] < limit and (place < 0 or levels[seat, i] > levels[seat, place]):
            place = i
    return place


@rule
def plain_card(levels, table, n, seat, out, first):
    """Plain card play: lead high; leave a trick to the partner who wins it; win cheaply; or save.

    With the first trick won a tie is as good as a win (*qui no mata empata*).
    """
    if out == 0:
        return highest(levels, seat)
    ours, theirs = team_best(table, n, seat % 2), team_best(table, n, 1 - seat % 2)
    if ours < theirs:
        return lowest(levels, seat)
    tie_wins = first == seat % 2
    place = cheapest_under(levels, seat, theirs + 1 if tie_wins else theirs)
    return place if place >= 0 else lowest(levels, seat)


@rule
def trick_result(table, n):
    """US, THEM or TIE."""
    ours, theirs = team_best(table, n, 0), team_best(table, n, 1)
    return TIE if ours == theirs else US if ours < theirs else THEM


@rule
def winner_of(table, n, leader):
    """The seat with the best card, of equals the earliest to play."""
    best = leader
    for step in range(1, n):
        seat = (leader + step) % n
        if table[seat] < table[best]:
            best = seat
    return best


@rule
def stack_is_ours(levels, table, n, ma):
    """T3: all put their stacks; tops, then hidden cards of the tied, then the nearest to the mà."""
    for seat in range(n):
        if table[seat] == NONE:
            top = highest(levels, seat)
            table[seat] = levels[seat, top]
            levels[seat, top] = NONE
    tops = trick_result(table, n)
    if tops != TIE:
        return tops == US
    best, hidden, ours = team_best(table, n, 0), NONE, False
    for step in range(n):
        seat = (ma + step) % n
        under = levels[seat, lowest(levels, seat)]
        if table[seat] == best and under < hidden:
            hidden, ours = under, seat % 2 == 0
    return ours


@rule
def hand_is_ours(levels, table, n, trick, leader, out, first, second, ma, my_place):
    """Play a hand out with plain card play; consumes ``levels`` and ``table``.

    Args:
        levels: [n, 3] of the cards in hand.
        table: [n] of the current trick.
        my_place: the card I play now, or -1 for plain play.
    """
    while True:
        if trick == 1 and first == TIE:
            return stack_is_ours(levels, table, n, ma)
        while out < n:
            seat = (leader + out) % n
            place = my_place
            if seat != 0 or place < 0:
                place = plain_card(levels, table, n, seat, out, first)
            else:
                my_place = -1
            table[seat] = levels[seat, place]
            levels[seat, place] = NONE
            out += 1
        won = trick_result(table, n)
        if trick == 0:
            first = won
        elif trick == 1:
            if won == TIE or won == first:
                return first == US
        else:
            return first == US if won == TIE else won == US
        leader = ma if won == TIE else winner_of(table, n, leader)
        trick += 1
        out = 0
        table[:] = NONE


@rule
def think(o, at, n, bits, samples, wins):
    """Sample deals; wins[i] becomes how often I win the hand playing the i-th card I hold.

    wins[3] is the chance with plain play from here, wins[4] that of the envit.
    """
    hands = np.empty((n, HAND_SIZE), np.int64)
    known = np.empty(n, np.int64)
    cards = np.empty(NUM_CARDS, np.int64)
    levels = np.empty((n, HAND_SIZE), np.int64)
    table = np.empty(n, np.int64)
    read_hands(o, at, n, hands, known)
    believe_signals(o, at, n, hands, known)
    size = unseen_cards(hands, known, n, cards)
    trick = trick_number(o, at)
    leader = place_of_one(o, at[section.LEADER], n)
    ma = place_of_one(o, at[section.MA], n)
    mine = my_cards_played(o, at, n)
    out = cards_out(o, at, n, trick)
    to_act = (leader + out) % n == 0 and out < n
    wins[:] = 0.0
    for sample in range(samples):
        deal_unseen(hands, known, n, cards, size, combine(bits, np.uint64(sample)))
        wins[4] += envit_is_ours(hands, n, ma)
        for place in range(-1, HAND_SIZE):
            if place >= 0 and (not to_act or place < mine):
                continue
            set_table(o, at, n, trick, hands, levels, table)
            ours = hand_is_ours(
                levels, table, n, trick, leader, out, result(o, at, 0), result(o, at, 1), ma, place
            )
            wins[place if place >= 0 else HAND_SIZE] += ours
    wins /= samples


@rule
def my_cards_played(o, at, n):
    """How many cards I have played; mine come first in ``hands``."""
    count = 0
    for trick in range(TRICKS):
        count += played_card(o, at, n, trick, 0) >= 0
    return count


@rule
def cards_out(o, at, n, trick):
    """How many cards lie in the current trick."""
    count = 0
    for seat in range(n):
        count += played_card(o, at, n, trick, seat) >= 0
    return count


@rule
def set_table(o, at, n, trick, hands, levels, table):
    """Levels of the cards in hand and on the table, for one playout."""
    for seat in range(n):
        gone = 0
        table[seat] = NONE
        for t in range(TRICKS):
            card = played_card(o, at, n, t, seat)
            if card >= 0:
                gone += 1
                if t == trick:
                    table[seat] = card_level(n, card)
        for i in range(HAND_SIZE):
            levels[seat, i] = card_level(n, hands[seat, i]) if i >= gone else NONE
