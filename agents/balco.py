"""Heuristics for Balcó: they see the observation and the mask, nothing else.

``simple`` throws its lowest cards and saves the special ones. ``strong`` does so while there is a
stock; then it weighs every throw, and it weighs the swap and the shots too. Its weights are
hundredths of a game won. They were fitted to games played on to the end, once for every possible
throw, from many positions; the reason above each says why a player would agree.
"""

import numpy as np

from envs.balco.actions import (
    FLIP,
    JOKER,
    KEEP,
    MOST_CARDS,
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
from envs.balco.observation import (
    BOUND,
    CLEANED,
    DOWN,
    HAND,
    HAND_SIZE,
    KNOWN,
    PHASE,
    PILE,
    PLACE,
    RUN,
    SHOT_BY,
    STOCK,
    TOP,
    UP,
)
from envs.balco.record import COPIES, Phase
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
    return throw_or_take(observation, mask, at, SAVE)


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
def throw_or_take(observation, mask, at, save):
    """The lowest card, else a joker, else the pile."""
    action = throw_lowest(observation, mask, at, save)
    if action < 0:
        action = throw_joker(mask)
    return action if action >= 0 else TAKE


@rule
def throw_lowest(observation, mask, at, save):
    """The card that is saved least, with all its equals unless it is a special one."""
    best = -1
    for number in range(1, NUM_NUMBERS + 1):
        if mask[play_action(number, 1, 0)] and (best < 0 or save[number - 1] < save[best - 1]):
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


# The strong player: what it sees

MANY = 2  # up to two players the weights of the first column count, with more the second
ALWAYS = (0, 1, 9, JOKER)  # kinds that help in any situation: 1, 2, 10 and the joker
TENTH = 0.1  # piles are measured in tens of cards


@rule
def strong(observation, mask, at, num_players, bits):
    """Save the special cards, press whoever is nearly out, and plan the last throws."""
    o, n = observation, num_players
    if mask[FLIP]:
        return np.int64(FLIP)
    if o[at[PHASE] + Phase.SWAP]:
        return keep_strongest_up(o, mask, at)
    if o[at[PHASE] + Phase.SHOOT]:
        return best_shot(o, mask, at, n)
    if o[at[STOCK]] > 0:
        return early_throw(o, mask, at, n)
    best = TAKE
    most = -np.inf
    for action in range(PLAY, SHOOT):
        if mask[action]:
            worth = worth_of_throw(o, at, n, action)
            if worth > most:
                best = action
                most = worth
    return np.int64(best)


@rule
def is_in(o, at, n, steps):
    """Whether the player so many seats to the right is still in."""
    first = at[PLACE] + steps * n
    return not o[first : first + n].any()


@rule
def next_in(o, at, n, steps):
    """The nearest player still in, to the right of one, in steps from me; 0 is me again."""
    steps = (steps + 1) % n
    while not is_in(o, at, n, steps):
        steps = (steps + 1) % n
    return steps


@rule
def pile_size(o, at):
    return np.sum(o[at[PILE] : at[PILE] + NUM_KINDS])


@rule
def unseen(o, at, n, kind):
    """Cards of a kind whose place I do not know: in hands, face down, in the stock."""
    left = COPIES - o[at[HAND] + kind] - o[at[PILE] + kind] - o[at[CLEANED] + kind]
    for steps in range(n):
        left -= o[at[UP] + steps * NUM_KINDS + kind]
        if steps > 0:
            left -= o[at[KNOWN] + steps * NUM_KINDS + kind]
    return max(0, left)


@rule
def fits(kind, number, bound):
    """Whether a kind may follow a number, after which ``bound`` plays are bound to 7 or lower."""
    if kind in (JOKER, 1):
        return True
    if number == 1:
        return kind == 0
    if bound > 0:
        return 3 <= kind + 1 <= 7
    return kind in (0, 9) or kind + 1 >= number


@rule
def chance_of_no_answer(o, at, n, steps, number, bound):
    """How likely it is that a player has nothing to follow a number with."""
    known = 0
    fitting = 0
    total = 0
    for kind in range(NUM_KINDS):
        held = o[at[KNOWN] + steps * NUM_KINDS + kind]
        if held > 0 and fits(kind, number, bound):
            return 0.0
        known += held
        left = unseen(o, at, n, kind)
        total += left
        if fits(kind, number, bound):
            fitting += left
    size = o[at[HAND_SIZE] + steps]
    unknown = size - known if size > 0 else 1  # an empty hand turns over one card
    return (1.0 - fitting / max(1, total)) ** unknown


@rule
def nearness_to_out(o, at, steps):
    """1 for a player with a single card, less for one with more."""
    return 1.0 / max(1, cards_of(o, at, steps))


# The strong player: the swap


# Jokers, then 1s and 10s are worth most at the end, where the up cards are played; a low card up
# would have to wait until then, and is better thrown at once. A 2 serves as well early as late.
UP_WORTH = np.array([3.0, -0.2, -2.6, -2.6, -1.4, -1.0, 0.0, -0.2, -1.6, 3.0, -0.5, -0.6, 5.2])
# Equal cards go in one throw, and three of them are near to a quartet.
UP_PAIR = 2.6


@rule
def keep_strongest_up(o, mask, at):
    """The three cards that will be worth most when the stock is gone."""
    best = -1
    most = -np.inf
    for swap in range(NUM_SWAPS):
        if mask[KEEP + swap]:
            worth = worth_of_row(o, at, swap)
            if worth > most:
                best = KEEP + swap
                most = worth
    return np.int64(best)


@rule
def worth_of_row(o, at, swap):
    """What three cards are worth face up: each for itself, and every pair of equals."""
    worth = 0.0
    for i in range(PLACES.shape[1]):
        kind = six_card(o, at, PLACES[swap, i])
        worth += UP_WORTH[kind]
        for j in range(i):
            if six_card(o, at, PLACES[swap, j]) == kind:
                worth += UP_PAIR
    return worth


# The strong player: throwing while there is a stock

# Every throw is replaced by a drawn card, so the lowest goes first, as with the simple player. When
# none but special cards is left, a 10 is the cheapest: it brings another turn. Several opponents
# soon need to be shot at the end, where a 1 is worth more; with one there is no reason to wait.
EARLY_SAVE_TWO = np.array([9, 11, 0, 1, 2, 3, 4, 5, 6, 10, 7, 8, 12], np.int8)
EARLY_SAVE_MORE = np.array([11, 10, 0, 1, 2, 3, 4, 5, 6, 9, 7, 8, 12], np.int8)


@rule
def early_throw(o, mask, at, n):
    """The lowest card; nothing is pressing yet."""
    return throw_or_take(o, mask, at, EARLY_SAVE_MORE if n > MANY else EARLY_SAVE_TWO)


# The strong player: whom to shoot

SHOT_SURE = -4.5  # all else equal the others will catch the defenceless one anyway
SHOT_PILE = 3.3  # the more cards the target must take, the better
SHOT_DANGER = 6.5  # most of all if it was nearly out
SHOT_LEAD = 4.7  # after the target's pick-up its right neighbour leads freely: that is me
SHOT_HAND = -0.1  # a full hand mostly has an answer unknown to me
SHOT_BACK = -0.9  # who shot me had a 1, and may have another


@rule
def best_shot(o, mask, at, n):
    """The target that a 1 hurts most."""
    best = -1
    most = -np.inf
    for steps in range(1, n):
        if mask[SHOOT + steps - 1]:
            worth = worth_of_shot(o, at, n, steps, pile_size(o, at))
            if worth > most:
                best = SHOOT + steps - 1
                most = worth
    return np.int64(best)


@rule
def worth_of_shot(o, at, n, steps, pile):
    """What a shot at a player is worth with so many cards in the pile."""
    chance = chance_of_no_answer(o, at, n, steps, 1, 0)
    worth = chance * (SHOT_SURE + SHOT_PILE * TENTH * pile)
    worth += chance * SHOT_DANGER * nearness_to_out(o, at, steps)
    if next_in(o, at, n, steps) == 0:
        worth += SHOT_LEAD * chance
    return worth + SHOT_HAND * o[at[HAND_SIZE] + steps] + SHOT_BACK * o[at[SHOT_BY] + steps]


@rule
def target_of(o, at, n, pile):
    """Whom I would shoot, in steps to the right."""
    best = 0
    most = -np.inf
    for steps in range(1, n):
        if is_in(o, at, n, steps):
            worth = worth_of_shot(o, at, n, steps, pile)
            if worth > most:
                best = steps
                most = worth
    return best


# The strong player: throwing when the stock is gone


@rule
def worth_of_throw(o, at, n, action):
    """The advice for the end, most important first."""
    number, naturals, jokers = number_of(action), naturals_of(action), jokers_of(action)
    cleans = is_clean(o, at, number, naturals + jokers)
    column = 1 if n > MANY else 0
    worth = save_special_cards(number, naturals, jokers, column)
    worth += plan_the_way_out(o, at, number, naturals, jokers, cleans, column)
    worth += keep_a_handy_hand(o, at, number, naturals, jokers, column)
    if cleans:
        return worth + CLEAN[column]
    if number == 2:
        return worth + BLANK[column]
    return worth + press_the_next(o, at, n, number, naturals, jokers, column)


@rule
def is_clean(o, at, number, count):
    """Whether a throw takes the pile out of the game."""
    run = count + (o[at[RUN]] if o[at[TOP] + number - 1] else 0)
    return number == 10 or (run >= MOST_CARDS and number != 2)


@rule
def left_of(o, at, kind, number, naturals, jokers):
    """Cards of a kind in my hand after a throw."""
    left = o[at[HAND] + kind]
    if kind == number - 1:
        left -= naturals
    if kind == JOKER:
        left -= jokers
    return left


# Every plain card that is gone is a gain, a joker is the greatest loss, the more so for a plain
# number; a 1 and a 10 are losses too, unless they do something. Two 2s at once are one too many.
SPEND_LOW, SPEND_HIGH = [3.5, 0.4], [2.1, 0.4]  # 3 to 6, 7 to 12
SPEND = np.array(
    [
        [-2.8, -1.8],  # 1
        [6.2, 1.9],  # 2
        *[SPEND_LOW] * 4,
        *[SPEND_HIGH] * 3,
        [-1.0, -3.0],  # 10
        *[SPEND_HIGH] * 2,
    ]
)
SPEND_JOKER = np.array([-3.9, -7.5])
PLAIN_JOKER = np.array([-1.5, -1.2])


@rule
def save_special_cards(number, naturals, jokers, column):
    """What the cards themselves are worth."""
    worth = SPEND[number - 1, column] * naturals + SPEND_JOKER[column] * jokers
    return worth + (PLAIN_JOKER[column] * jokers if number not in (1, 2, 8, 10) else 0.0)


# A clean empties the table and gives another free turn. A 2 gives that turn to the next player.
CLEAN = np.array([4.4, 4.6])
BLANK = np.array([-5.1, -2.4])


# The way out leads through an empty hand: blind cards are turned over one a turn, and after a clean
# at once and onto nothing, where every card fits. So the last card of the hand should be a 10, or a
# joker that can be one.
OUT = np.array([10.9, 6.9])
EMPTY = np.array([7.5, 5.9])
EMPTY_BY_CLEAN = np.array([11.6, 13.0])
LAST_10 = np.array([2.4, 3.1])
LAST_JOKER = np.array([2.7, 3.2])


@rule
def plan_the_way_out(o, at, number, naturals, jokers, cleans, column):
    """The last cards of the hand."""
    left = o[at[HAND_SIZE]] - naturals - jokers
    if left == 0 and o[at[DOWN]] == 0:
        return OUT[column]
    if left == 0:
        return EMPTY_BY_CLEAN[column] if cleans else EMPTY[column]
    if left == 1 and left_of(o, at, 9, number, naturals, jokers) > 0:
        return LAST_10[column]
    if left == 1 and left_of(o, at, JOKER, number, naturals, jokers) > 0:
        return LAST_JOKER[column]
    return 0.0


# Few numbers go in few turns. Without any special card the next high top or shot means the pile.
MORE_KINDS = np.array([-0.3, -2.3])
DEFENCELESS = np.array([-2.7, -3.3])


@rule
def keep_a_handy_hand(o, at, number, naturals, jokers, column):
    """How many turns the rest of the hand takes, and how well it defends itself."""
    kinds = 0
    special = False
    for kind in range(NUM_KINDS):
        if left_of(o, at, kind, number, naturals, jokers) > 0:
            kinds += 1
            special = special or kind in ALWAYS
    return MORE_KINDS[column] * kinds + (0.0 if special else DEFENCELESS[column])


# Pressing pays with a big pile and against one who is nearly out. It is no aim in itself: what the
# next player cannot beat I could have kept.
STUCK = np.array([-1.4, -1.1])
STUCK_PILE = np.array([15.0, 1.5])
STUCK_NEAR = np.array([22.7, 6.0])
STUCK_LEAD = np.array([-1.4, 0.3])
NEAR = np.array([-4.2, -2.3])
FIRE = np.array([1.6, 1.8])
SKIP = np.array([2.4, 0.5])
AGAIN = np.array([2.4, 0.7])
AGAIN_STUCK = np.array([-4.3, -2.9])
NO_ANSWER = np.array([-1.7, -1.1])


@rule
def press_the_next(o, at, n, number, naturals, jokers, column):
    """What the throw does to whoever plays next, and to me if that is myself."""
    count = naturals + jokers
    pile = pile_size(o, at) + count
    bound = count if number == 7 else max(0, o[at[BOUND]] - 1)
    worth = 0.0
    if number == 1:
        steps = target_of(o, at, n, pile)
        worth += FIRE[column]
    else:
        steps = player_after(o, at, n, count if number == 8 else 0)
    if number == 8:
        worth += SKIP[column]
    answered = can_follow(o, at, number, naturals, jokers)
    if steps == 0:
        stuck = not answered and o[at[HAND_SIZE]] > count
        return worth + AGAIN[column] + (AGAIN_STUCK[column] if stuck else 0.0)
    if not answered:
        worth += NO_ANSWER[column] * TENTH * pile
    chance = chance_of_no_answer(o, at, n, steps, number, bound)
    near = nearness_to_out(o, at, steps)
    worth += chance * (STUCK[column] + STUCK_PILE[column] * TENTH * pile)
    worth += chance * STUCK_NEAR[column] * near
    if next_in(o, at, n, steps) == 0:
        worth += STUCK_LEAD[column] * chance
    return worth + NEAR[column] * near


@rule
def player_after(o, at, n, eights):
    """Who plays after my throw, in steps to the right; 0 is me again."""
    others = 0
    for steps in range(1, n):
        others += is_in(o, at, n, steps)
    steps = 0
    for _ in range(1 + min(eights, others)):
        steps = next_in(o, at, n, steps)
    return steps


@rule
def can_follow(o, at, number, naturals, jokers):
    """Whether the rest of my hand could follow my own throw; special cards always can."""
    for kind in range(NUM_KINDS):
        follows = kind in ALWAYS or (number != 1 and kind + 1 >= number)
        if follows and left_of(o, at, kind, number, naturals, jokers) > 0:
            return True
    return o[at[HAND_SIZE]] == naturals + jokers


HEURISTICS = {"simple": simple, "strong": strong}
