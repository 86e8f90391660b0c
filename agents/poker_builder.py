"""Heuristics for Poker builder.

``simple`` plays as a careful beginner: one card per auction, a good one for a card that makes
somebody's hand. ``strong`` asks three questions, as a good player would: what is this card worth to
me and to the other, what will the other bet for it, and what will my cards be worth later?
"""

import numpy as np

from envs.core.jit import rule
from envs.core.random import combine, scale
from envs.poker_builder.bets import NARROW, WIDE, bet_number, joker_id, slot_of
from envs.poker_builder.observation import (
    ASKED,
    AUCTION,
    AUCTIONED,
    ASIDE,
    BET_SIZES,
    BETS,
    CHOSEN,
    HAND,
    HAND_COUNTS,
    IN_PLAY,
    PILES,
    RULES,
)
from envs.poker_builder.rules import AUCTIONS, CARDS, ROUND_AUCTIONS, SUITS
from envs.poker_builder.showdown import RANKS, poker_rank, strength_of

ENDINGS = 48  # imagined ends of the game for each decision
NUMBERS = 29  # sums of bets go from 1 to 28
ME, OTHER = 0, 1

# What the other is thought to do, and how the future is weighed.
(PAIRS, BOLD, KEEN, LATER, TIE_SUIT, TIE_COLOUR, TIE_NONE, LAST_PAIR, MIX, SPARE, MEMORY) = range(11)
ADVICE = np.array([0.25, 0.5, 0.7, 1.0, 0.9, 0.6, 0.3, 0.8, 0.19, 0.0, 8.0])
# Mean stakes by auction, measured in games of this heuristic against itself.
STAKES = np.array([0.12, 0.13, 0.14, 0.15, 0.16, 0.18, 0.2, 0.22, 0.26, 0.33])


# Reading the table


@rule
def read_hand(observation, at, hand):
    """Fill in my cards in slot order; returns how many."""
    n = 0
    for rank in range(RANKS):
        for suit in range(SUITS):
            if observation[at[HAND] + suit * RANKS + rank]:
                hand[n] = suit * RANKS + rank
                n += 1
    return n


@rule
def card_in(observation, start):
    """The first card of a plane, or -1."""
    for card in range(CARDS):
        if observation[start + card]:
            return card
    return -1


@rule
def read_ranks(observation, start, ranks):
    """Masks of poker ranks by suit, of the cards of a plane."""
    ranks[:] = 0
    for card in range(CARDS):
        if observation[start + card]:
            ranks[card // RANKS] |= np.int64(1) << poker_rank(card)


@rule
def auction_now(observation, at):
    """Index of the auction under way."""
    for auction in range(AUCTIONS):
        if observation[at[AUCTION] + auction]:
            return auction
    return AUCTIONS - 1


@rule
def slots_in(mask):
    """Slots of a hand, told by the number of actions."""
    return WIDE if mask.shape[0] > joker_id(WIDE) else NARROW


@rule
def number_of(observation, at, card):
    """What a card counts in bets under the options of this game."""
    ace = 14 if observation[at[RULES]] else 1
    return bet_number(card, ace, observation[at[RULES] + 1])


@rule
def strength(ranks):
    """The poker strength of masks by suit."""
    return strength_of(ranks[0], ranks[1], ranks[2], ranks[3])


@rule
def read_unseen(observation, at, unseen):
    """Fill in the cards that may still be anywhere; returns how many."""
    n = 0
    for card in range(CARDS):
        known = observation[at[HAND] + card] or observation[at[IN_PLAY] + card]
        known = known or observation[at[AUCTIONED] + card] or observation[at[ASIDE] + card]
        known = known or observation[at[BETS] + card] or observation[at[BETS] + CARDS + card]
        if not known:
            unseen[n] = card
            n += 1
    return n


# The showdown


@rule
def at_showdown(mask):
    """``keep`` and ``leave`` are the last two actions where the option is on."""
    manual = mask.shape[0] > joker_id(slots_in(mask)) + 1
    return manual and mask[mask.shape[0] - 1]


@rule
def asked_order(observation, at, card):
    """The order in which pile cards are asked: by auction, then cards put aside, by slot."""
    auction = observation[at[AUCTIONED] + card]
    return auction if auction > 0 else AUCTIONS + card % RANKS * SUITS + card // RANKS


@rule
def keep_or_leave(observation, mask, at):
    """Leave a card when the chosen ones and those still to come are as good without it."""
    asked = card_in(observation, at[ASKED])
    ranks = np.zeros(SUITS, np.int64)
    for card in range(CARDS):
        mine = observation[at[PILES] + card]
        later = mine and asked_order(observation, at, card) > asked_order(observation, at, asked)
        if later or observation[at[CHOSEN] + card]:
            ranks[card // RANKS] |= np.int64(1) << poker_rank(card)
    without = strength(ranks)
    ranks[asked // RANKS] |= np.int64(1) << poker_rank(asked)
    keep = mask.shape[0] - 2
    return keep if strength(ranks) > without else keep + 1


# A careful beginner


@rule
def improves(observation, at, owner, card):
    """The card makes a better category of a pile: a pair, two pair, trips …"""
    ranks = np.zeros(SUITS, np.int64)
    read_ranks(observation, at[PILES] + owner * CARDS, ranks)
    before = strength(ranks) >> 20
    ranks[card // RANKS] |= np.int64(1) << poker_rank(card)
    return strength(ranks) >> 20 > before


@rule
def place_by_number(observation, at, hand, n, place):
    """The slot of the card that is place-th by its number in bets, 0 for the lowest."""
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
    """One card per auction: the highest for a card that matters, else the lowest."""
    if at_showdown(mask):
        return keep_or_leave(observation, mask, at)
    hand = np.empty(WIDE, np.int64)
    n = read_hand(observation, at, hand)
    if n == 0:
        return joker_id(slots_in(mask))
    # Against empty hands every card wins.
    if observation[at[HAND_COUNTS] + 1] == 0:
        return place_by_number(observation, at, hand, n, 0)
    card = card_in(observation, at[IN_PLAY])
    # A card that lifts a hand, mine or the other's, is worth my best card.
    if improves(observation, at, ME, card) or improves(observation, at, OTHER, card):
        return place_by_number(observation, at, hand, n, n - 1)
    # High cards decide hands without a pair.
    if poker_rank(card) >= 9:
        return place_by_number(observation, at, hand, n, n // 2)
    return place_by_number(observation, at, hand, n, 0)


# What the card is worth: imagined endings


@rule
def imagine(observation, at, bits, worth):
    """Chances to win the game if I win the card, if the other does, and if nobody does.

    The cards to come are drawn from those unseen. In this round they go to the players in
    proportion to the cards they hold, in the next to both alike.
    """
    unseen = np.empty(CARDS, np.int64)
    n = read_unseen(observation, at, unseen)
    ranks = np.zeros((2, SUITS), np.int64)
    read_ranks(observation, at[PILES], ranks[ME])
    read_ranks(observation, at[PILES] + CARDS, ranks[OTHER])
    ending = np.zeros((2, SUITS), np.int64)
    card = card_in(observation, at[IN_PLAY])
    suit, bit = card // RANKS, np.int64(1) << poker_rank(card)
    auction = auction_now(observation, at)
    worth[:] = 0
    for i in range(ENDINGS):
        stream = combine(bits, np.uint64(i))
        ending[:] = ranks
        deal_ending(observation, at, auction, unseen, n, stream, ending)
        mine, theirs = strength(ending[ME]), strength(ending[OTHER])
        ending[ME, suit] |= bit
        ending[OTHER, suit] |= bit
        worth[0] += points(strength(ending[ME]), theirs)
        worth[1] += points(mine, strength(ending[OTHER]))
        worth[2] += points(mine, theirs)
    worth /= ENDINGS


@rule
def deal_ending(observation, at, auction, unseen, n, bits, ending):
    """Give the cards of the later auctions to the two players."""
    for later in range(auction + 1, AUCTIONS):
        draw = combine(bits, np.uint64(later))
        i = later - auction - 1
        j = i + scale(draw, n - i)
        card = unseen[j]
        unseen[j] = unseen[i]
        unseen[i] = card
        owner = owner_of(observation, at, auction, later, draw)
        if owner >= 0:
            ending[owner, card // RANKS] |= np.int64(1) << poker_rank(card)


@rule
def owner_of(observation, at, auction, later, draw):
    """Who wins a later card: in this round by cards held, in the next both alike; -1 nobody."""
    mine, theirs = np.int64(1), np.int64(1)
    if later // ROUND_AUCTIONS == auction // ROUND_AUCTIONS:
        mine, theirs = observation[at[HAND_COUNTS]], observation[at[HAND_COUNTS] + 1]
    if mine + theirs == 0:
        return -1
    return ME if scale(draw << np.uint64(32), mine + theirs) < mine else OTHER


@rule
def points(mine, theirs):
    """1 for a win, a half for a draw."""
    return 0.5 if mine == theirs else (1.0 if mine > theirs else 0.0)


# What the other may bet


@rule
def read_numbers(observation, at, single, pair):
    """Chances that one unseen card, or two together, count so much in a bet."""
    single[:] = 0.0
    pair[:] = 0.0
    unseen = 0
    for card in range(CARDS):
        known = observation[at[HAND] + card] or observation[at[IN_PLAY] + card]
        known = known or observation[at[AUCTIONED] + card] or observation[at[ASIDE] + card]
        known = known or observation[at[BETS] + card] or observation[at[BETS] + CARDS + card]
        if not known:
            single[number_of(observation, at, card)] += 1.0
            unseen += 1
    for a in range(1, 15):
        for b in range(1, 15):
            pair[a + b] += single[a] * single[b]
    single /= unseen
    pair /= unseen * unseen


@rule
def accumulate(single, pair):
    """Turn chances of a number into chances of a lower one, kept in steps of half a number.

    After this ``table[v]`` is the chance of less than v.
    """
    below_single = 0.0
    below_pair = 0.0
    for v in range(NUMBERS):
        here = single[v]
        single[v] = below_single
        below_single += here
        here = pair[v]
        pair[v] = below_pair
        below_pair += here


@rule
def chance(single, pair, total, tie, sizes, greed):
    """The chance that a bet with this sum wins, ties counted with ``tie``."""
    low, high = min(total, NUMBERS - 1), min(total + 1, NUMBERS - 1)
    one = single[low] + tie * (single[high] - single[low]) if total < 28 else 1.0
    two = pair[low] + tie * (pair[high] - pair[low])
    return sizes[0] + sizes[1] * one**greed + sizes[2] * two**greed


@rule
def habit(observation, at, auction, advice):
    """How readily the other bets two cards: what is usual, and what he has done when he could."""
    could, did = 0.0, 0.0
    cards = 0
    for past in range(auction):
        if past % ROUND_AUCTIONS == 0:
            cards = 5
        size = observation[at[BET_SIZES] + AUCTIONS + past]
        if cards >= 2:
            could += 1.0
            did += size == 2
        cards -= size
    return (advice[PAIRS] * advice[MEMORY] + did) / (advice[MEMORY] + could)


@rule
def think_sizes(cards, auctions, keen, pairs, advice, sizes):
    """Chances that the other bets no card, one, two: he has so many for so many auctions."""
    rate = cards / auctions * keen
    two = min(1.0, pairs * rate)
    if auctions == 1:
        two = advice[LAST_PAIR]
        rate = 1.0 + two
    if cards < 2:
        two = 0.0
    one = min(max(0.0, rate - 2 * two), 1.0 - two)
    if auctions == 1:
        one = 1.0 - two
    if cards == 0:
        one = 0.0
    sizes[0] = 1.0 - one - two
    sizes[1] = one
    sizes[2] = two


# What my cards are worth later


@rule
def later_worth(numbers, n, auctions, stakes, single, pair, sizes, advice):
    """The best cards for the best of the later auctions, one each; spare cards join the lowest.

    ``numbers`` are sorted, highest first. If stakes lie evenly between nothing and twice their
    mean, the i-th best of m is worth ``2 (m + 1 - i) / (m + 1)`` of it.
    """
    total = 0.0
    bets = min(n, auctions)
    for i in range(bets):
        partner = 2 * bets - 1 - i  # spare cards, the highest to the lowest bet
        number = numbers[i] + (numbers[partner] if bets <= partner < n else 0)
        share = (1 - advice[SPARE]) * 2.0 * (auctions - i) / (auctions + 1) + advice[SPARE] * order_share(i, auctions)
        total += share * stakes * chance(single, pair, number, 0.5, sizes, 1.0)
    return total * advice[LATER]


@rule
def order_share(i, m):
    t = 0.0
    for j in range(i + 1, m + 1):
        t += 1.0 / j
    return t


@rule
def sorted_rest(observation, at, hand, n, first, second, numbers):
    """Numbers of the cards that stay in hand, highest first; returns how many."""
    kept = 0
    for slot in range(n):
        if slot != first and slot != second:
            number = number_of(observation, at, hand[slot])
            j = kept
            while j > 0 and numbers[j - 1] < number:
                numbers[j] = numbers[j - 1]
                j -= 1
            numbers[j] = number
            kept += 1
    return kept


@rule
def tie_credit(card, first, second, advice):
    """How often a tie is mine: a bet in the suit of the card in play wins most of them."""
    if first // RANKS == card // RANKS or (second >= 0 and second // RANKS == card // RANKS):
        return advice[TIE_SUIT]
    red = red_card(first) == red_card(card) or (second >= 0 and red_card(second) == red_card(card))
    return advice[TIE_COLOUR] if red else advice[TIE_NONE]


@rule
def red_card(card):
    """Diamonds and hearts."""
    return card // RANKS == 1 or card // RANKS == 2


@rule
def strong(observation, mask, at, num_players, bits):
    """Weigh every bet: what it wins now and what the cards that stay will win later."""
    return weigh(observation, mask, at, bits, ADVICE, STAKES)


@rule
def weigh(observation, mask, at, bits, advice, mean_stakes):
    if at_showdown(mask):
        return keep_or_leave(observation, mask, at)
    slots = slots_in(mask)
    hand = np.empty(WIDE, np.int64)
    n = read_hand(observation, at, hand)
    if n == 0:
        return joker_id(slots)
    worth = np.empty(3)
    imagine(observation, at, bits, worth)
    stakes = worth[0] - worth[1]
    auction = auction_now(observation, at)
    left = ROUND_AUCTIONS - auction % ROUND_AUCTIONS
    single, pair = np.empty(NUMBERS), np.empty(NUMBERS)
    read_numbers(observation, at, single, pair)
    accumulate(single, pair)
    now, later = np.empty(3), np.empty(3)
    relative = min(max(stakes / advice[MIX], 0.1), 10.0)
    rivals = observation[at[HAND_COUNTS] + 1]
    pairs = habit(observation, at, auction, advice)
    think_sizes(rivals, left, relative ** advice[KEEN], pairs, advice, now)
    think_sizes(rivals, left, 1.0, pairs, advice, later)
    greed = relative ** advice[BOLD]
    numbers = np.empty(WIDE, np.int64)
    card = card_in(observation, at[IN_PLAY])
    next_stakes = advice[MIX]
    best, choice = -1.0, joker_id(slots)
    for action in range(joker_id(slots) + 1):
        if mask[action]:
            first, second = slot_of(slots, action, 0), slot_of(slots, action, 1)
            kept = sorted_rest(observation, at, hand, n, first, second, numbers)
            value = later_worth(
                numbers, kept, left - 1, next_stakes, single, pair, later, advice
            )
            total = 0
            if first < 0:
                value += now[0] * worth[2] + (1.0 - now[0]) * worth[1]
            else:
                total = number_of(observation, at, hand[first])
                partner = -1
                if second >= 0:
                    total += number_of(observation, at, hand[second])
                    partner = hand[second]
                tie = tie_credit(card, hand[first], partner, advice)
                p = chance(single, pair, total, tie, now, greed)
                value += p * worth[0] + (1.0 - p) * worth[1]
            value -= 1e-5 * total
            if value > best:
                best, choice = value, action
    return choice


HEURISTICS = {"simple": simple, "strong": strong}
