"""Heuristics for Poker builder.

``simple`` plays as a careful beginner: one card per auction, a good one for a card that makes
somebody's hand. ``strong`` asks what a good player asks: what is the card in play worth, to me and
to the other; what is he likely to bet for it; and what would my cards win later in the round?
"""

import numpy as np

from agents.poker_builder_reading import (
    ME,
    OTHER,
    auction_now,
    card_in,
    number_of,
    read_hand,
    read_ranks,
    read_unseen,
    slots_in,
    strength,
)
from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.poker_builder.bets import WIDE, is_red, joker_id, slot_of
from envs.poker_builder.hands import RANKS, category_of, poker_rank
from envs.poker_builder.observation import (
    ASKED,
    AUCTIONED,
    BET_SIZES,
    CHOSEN,
    HAND_COUNTS,
    IN_PLAY,
    PILES,
    RULES,
)
from envs.poker_builder.record import AUCTIONS, CARDS, DEALT, ROUND_AUCTIONS, SUITS

HIGH_RANK = 9  # poker rank of the jack

# How many ends of the game ``strong`` imagines for one decision.
ENDINGS = 48
# What usually hangs on an auction: the chance to win with its card less that without it. Measured
# in games of this heuristic against itself, where all ten auctions have nearly the same mean.
USUAL_STAKES = 0.19
# How often a player bets two cards who has one card for each auction left, and how many auctions
# must be seen until the habits of this one weigh as much. Found by trial, as are the next two.
PAIRS = 0.35
MEMORY = 8.0
# How much more he bets for a card of twice the usual stakes, in cards and in height: powers of the
# stakes as a multiple of the usual ones.
KEEN = 1.0
BOLD = 0.3
# How often I win with an equal sum: by suit, by colour, otherwise.
TIE_SUIT, TIE_COLOUR, TIE_NONE = 0.9, 0.6, 0.3
# Sums of two cards go up to 28.
SUMS = 30
# What makes a cheaper bet the better one among equals.
THRIFT = 1e-5


# The showdown


@rule
def at_showdown(mask):
    """``keep`` and ``leave`` are the last two actions where the option is on."""
    manual = mask.shape[0] > joker_id(slots_in(mask)) + 1
    return manual and mask[mask.shape[0] - 1]


@rule
def asked_order(observation, at, card):
    """The order in which pile cards are asked: by auction, then the cards put aside, by slot."""
    auction = observation[at[AUCTIONED] + card]
    return auction if auction > 0 else AUCTIONS + 1 + card % RANKS * SUITS + card // RANKS


@rule
def keep_or_leave(observation, mask, at):
    """Leave a card when the chosen ones and those still to come are as good without it."""
    asked = card_in(observation, at[ASKED])
    ranks = np.zeros(SUITS, np.int64)
    for card in range(CARDS):
        mine = observation[at[PILES] + card]
        later = asked_order(observation, at, card) > asked_order(observation, at, asked)
        if observation[at[CHOSEN] + card] or (mine and later):
            ranks[card // RANKS] |= np.int64(1) << poker_rank(card)
    without = strength(ranks)
    ranks[asked // RANKS] |= np.int64(1) << poker_rank(asked)
    keep = mask.shape[0] - 2
    return keep if strength(ranks) > without else keep + 1


# A careful beginner


@rule
def lifts(observation, at, owner, card):
    """The card makes a better category of a pile: a pair, two pair, trips …"""
    ranks = np.zeros(SUITS, np.int64)
    read_ranks(observation, at[PILES] + owner * CARDS, ranks)
    before = category_of(strength(ranks))
    ranks[card // RANKS] |= np.int64(1) << poker_rank(card)
    return category_of(strength(ranks)) > before


@rule
def slot_by_number(observation, at, hand, n, place):
    """The slot of the card that comes at ``place`` by its number in bets, 0 for the lowest."""
    for slot in range(n):
        number = number_of(observation, at, hand[slot])
        lower = 0
        for other in range(n):
            rival = number_of(observation, at, hand[other])
            lower += rival < number or (rival == number and other < slot)
        if lower == place:
            return slot
    return 0


@rule
def simple(observation, mask, at, num_players, bits):
    """One card per auction: the highest for a card that matters, else a low one."""
    if at_showdown(mask):
        return keep_or_leave(observation, mask, at)
    hand = np.empty(WIDE, np.int64)
    n = read_hand(observation, at, hand)
    if n == 0:
        return joker_id(slots_in(mask))
    # Against an empty hand any card wins.
    if observation[at[HAND_COUNTS] + OTHER] == 0:
        return slot_by_number(observation, at, hand, n, 0)
    card = card_in(observation, at[IN_PLAY])
    # A card that lifts a hand, mine or the other's, is worth my best card.
    if lifts(observation, at, ME, card) or lifts(observation, at, OTHER, card):
        return slot_by_number(observation, at, hand, n, n - 1)
    # High cards decide between hands without a pair.
    if poker_rank(card) >= HIGH_RANK:
        return slot_by_number(observation, at, hand, n, n // 2)
    return slot_by_number(observation, at, hand, n, 0)


# What the card in play is worth


@rule
def imagine(observation, at, bits, worth):
    """Chances to win the game: if I get the card, if the other does, if nobody does.

    The cards to come are drawn from those unseen and given out in many ways; the card in play is
    worth what it changes in those endings, so pairs, kickers, draws and what the other needs all
    count by themselves.
    """
    unseen = np.empty(CARDS, np.int64)
    n = read_unseen(observation, at, unseen)
    ranks = np.zeros((2, SUITS), np.int64)
    read_ranks(observation, at[PILES], ranks[ME])
    read_ranks(observation, at[PILES] + CARDS, ranks[OTHER])
    ending = np.zeros((2, SUITS), np.int64)
    card = card_in(observation, at[IN_PLAY])
    suit, bit = card // RANKS, np.int64(1) << poker_rank(card)
    worth[:] = 0
    for i in range(ENDINGS):
        ending[:] = ranks
        give_out(observation, at, unseen, n, combine(bits, np.uint64(i)), ending)
        mine, theirs = strength(ending[ME]), strength(ending[OTHER])
        ending[ME, suit] |= bit
        ending[OTHER, suit] |= bit
        worth[ME] += points(strength(ending[ME]), theirs)
        worth[OTHER] += points(mine, strength(ending[OTHER]))
        worth[2] += points(mine, theirs)
    worth /= ENDINGS


@rule
def give_out(observation, at, unseen, n, bits, ending):
    """Give the cards of the later auctions to the two players."""
    auction = auction_now(observation, at)
    for later in range(auction + 1, AUCTIONS):
        draw = combine(bits, np.uint64(later))
        i = later - auction - 1
        j = i + scale(draw, n - i)
        card = unseen[j]
        unseen[j] = unseen[i]
        unseen[i] = card
        owner = owner_of(observation, at, auction, later, draw << np.uint64(32))
        if owner >= 0:
            ending[owner, card // RANKS] |= np.int64(1) << poker_rank(card)


@rule
def owner_of(observation, at, auction, later, bits):
    """Who wins a later card: in this round by cards in hand, in the next both alike; -1 nobody."""
    mine, theirs = 1, 1
    if later // ROUND_AUCTIONS == auction // ROUND_AUCTIONS:
        mine = np.int64(observation[at[HAND_COUNTS]])
        theirs = np.int64(observation[at[HAND_COUNTS] + OTHER])
    if mine + theirs == 0:
        return -1
    return ME if scale(bits, mine + theirs) < mine else OTHER


@rule
def points(mine, theirs):
    """1 for a win, a half for a draw."""
    if mine == theirs:
        return 0.5
    return 1.0 if mine > theirs else 0.0


# What the other is likely to bet


@rule
def read_odds(observation, at, below):
    """``below[k, v]``: the chance that k + 1 unseen cards sum to less than v."""
    unseen = np.empty(CARDS, np.int64)
    n = read_unseen(observation, at, unseen)
    count = np.zeros((2, SUMS))
    for i in range(n):
        count[0, number_of(observation, at, unseen[i])] += 1.0 / n
    for first in range(1, SUMS // 2):
        for second in range(1, SUMS // 2):
            count[1, first + second] += count[0, first] * count[0, second]
    for k in range(2):
        for v in range(SUMS - 1):
            below[k, v + 1] = below[k, v] + count[k, v]


@rule
def habit(observation, at):
    """How readily the other bets two cards: what is usual, and what he did when he could."""
    could, did, cards = MEMORY, PAIRS * MEMORY, np.int64(0)
    for auction in range(auction_now(observation, at)):
        if auction % ROUND_AUCTIONS == 0:
            cards = np.int64(DEALT)
        size = np.int64(observation[at[BET_SIZES] + AUCTIONS + auction])
        if cards >= 2:
            could += 1.0
            did += size == 2
        cards -= size
    return did / could


@rule
def guess_sizes(cards, auctions, pairs, keen, sizes):
    """Chances that the other bets no card, one, two: he has so many cards for so many auctions."""
    rate = keen * cards / auctions
    two = min(1.0, pairs * rate) if cards >= 2 else 0.0
    one = min(max(0.0, rate - 2 * two), 1.0 - two)
    sizes[0], sizes[1], sizes[2] = 1.0 - one - two, one, two


@rule
def chance(below, sizes, total, tie, height):
    """The chance that a sum wins; ``height`` over 1 means that he bets higher than at random."""
    one = below[0, total] + tie * (below[0, total + 1] - below[0, total])
    two = below[1, total] + tie * (below[1, total + 1] - below[1, total])
    return sizes[0] + sizes[1] * one**height + sizes[2] * two**height


@rule
def tie_share(prize, first, second):
    """How often an equal sum is mine: a bet in the suit of the card in play wins most of them."""
    if first // RANKS == prize // RANKS or (second >= 0 and second // RANKS == prize // RANKS):
        return TIE_SUIT
    if is_red(first) == is_red(prize) or (second >= 0 and is_red(second) == is_red(prize)):
        return TIE_COLOUR
    return TIE_NONE


# What my cards are worth later


@rule
def numbers_left(observation, at, hand, n, first, second, numbers):
    """Numbers of the cards that stay in hand, highest first; returns how many."""
    left = 0
    for slot in range(n):
        if slot != first and slot != second:
            number = number_of(observation, at, hand[slot])
            j = left
            while j > 0 and numbers[j - 1] < number:
                numbers[j] = numbers[j - 1]
                j -= 1
            numbers[j] = number
            left += 1
    return left


@rule
def later_worth(numbers, n, auctions, unplayed, below, sizes):
    """My best cards win the best of the later auctions, one each; spare cards help the lowest.

    If stakes lie evenly between nothing and twice the usual, the i-th best of m auctions is worth
    2 (m + 1 - i) / (m + 1) of it. A card may also be worth something ``unplayed``.
    """
    total = unplayed * max(0, n - auctions)
    bets = min(n, auctions)
    for i in range(bets):
        helper = 2 * bets - 1 - i  # the highest spare card goes to the lowest bet
        number = numbers[i] + (numbers[helper] if bets <= helper < n else 0)
        stakes = USUAL_STAKES * 2 * (auctions - i) / (auctions + 1)
        total += max(unplayed, stakes * chance(below, sizes, number, 0.5, 1.0))
    return total


@rule
def auctions_to_come(observation, at, auction):
    """Auctions after this one that my cards can be kept for."""
    kept = observation[at[RULES] + 3] and auction < ROUND_AUCTIONS  # leftovers="keep"
    last = AUCTIONS if kept else (auction // ROUND_AUCTIONS + 1) * ROUND_AUCTIONS
    return last - auction - 1


@rule
def unplayed_worth(observation, at, auction):
    """A card that will join my pile anyway is half a prize: I gain it, but deny nothing."""
    joins = observation[at[RULES] + 4] and auction < ROUND_AUCTIONS  # leftovers="final_deck"
    return USUAL_STAKES / 2 if joins else 0.0


# A good player


@rule
def strong(observation, mask, at, num_players, bits):
    """Weigh every bet: what it wins now, and what the cards that stay will win later."""
    if at_showdown(mask):
        return keep_or_leave(observation, mask, at)
    hand = np.empty(WIDE, np.int64)
    n = read_hand(observation, at, hand)
    if n == 0:
        return joker_id(slots_in(mask))
    worth, value = np.empty(3), np.zeros(mask.shape[0])
    imagine(observation, at, bits, worth)
    below = np.zeros((2, SUMS))
    read_odds(observation, at, below)
    weigh_now(observation, mask, at, hand, worth, below, value)
    weigh_later(observation, mask, at, hand, n, below, value)
    best = joker_id(slots_in(mask))
    for action in range(best):
        if mask[action] and value[action] > value[best]:
            best = action
    return best


@rule
def weigh_now(observation, mask, at, hand, worth, below, value):
    """Add what every bet does in this auction: the more hangs on it, the more the other bets."""
    slots = slots_in(mask)
    auction = auction_now(observation, at)
    prize = card_in(observation, at[IN_PLAY])
    stakes = min(max((worth[ME] - worth[OTHER]) / USUAL_STAKES, 0.1), 10.0)
    sizes = np.empty(3)
    rivals = np.int64(observation[at[HAND_COUNTS] + OTHER])
    left = ROUND_AUCTIONS - auction % ROUND_AUCTIONS
    guess_sizes(rivals, left, habit(observation, at), stakes**KEEN, sizes)
    for action in range(joker_id(slots)):
        if mask[action]:
            first, second = slot_of(slots, action, 0), slot_of(slots, action, 1)
            partner = hand[second] if second >= 0 else -1
            total = number_of(observation, at, hand[first])
            total += number_of(observation, at, partner) if second >= 0 else 0
            tie = tie_share(prize, hand[first], partner)
            win = chance(below, sizes, total, tie, stakes**BOLD)
            value[action] += win * worth[ME] + (1.0 - win) * worth[OTHER] - THRIFT * total
    value[joker_id(slots)] += sizes[0] * worth[2] + (1.0 - sizes[0]) * worth[OTHER]


@rule
def weigh_later(observation, mask, at, hand, n, below, value):
    """Add what the cards that stay in hand after each bet may still win."""
    slots = slots_in(mask)
    auction = auction_now(observation, at)
    unplayed = unplayed_worth(observation, at, auction)
    auctions = auctions_to_come(observation, at, auction)
    sizes = np.empty(3)
    rivals = np.int64(observation[at[HAND_COUNTS] + OTHER])
    left = ROUND_AUCTIONS - auction % ROUND_AUCTIONS
    guess_sizes(rivals, left, habit(observation, at), 1.0, sizes)
    numbers = np.empty(WIDE, np.int64)
    for action in range(joker_id(slots) + 1):
        if mask[action]:
            first, second = slot_of(slots, action, 0), slot_of(slots, action, 1)
            stay = numbers_left(observation, at, hand, n, first, second, numbers)
            value[action] += later_worth(numbers, stay, auctions, unplayed, below, sizes)


HEURISTICS = {"simple": simple, "strong": strong}
