"""What a seat of Balcó sees: sections of small integers, seats relative, me first."""

import numpy as np

from envs.balco.actions import JOKER, NUM_KINDS, NUM_NUMBERS
from envs.balco.legality import holds_seven_or_one
from envs.balco.moves import deck_size
from envs.balco.record import COPIES, DEALT, ROW, Phase
from envs.core.jit import rule
from envs.core.observation import Section

# The places of the sections in ``Layout.offsets``.
(
    HAND,
    UP,
    DOWN,
    HAND_SIZE,
    KNOWN,
    PILE,
    LAST_FOUR,
    TOP,
    RUN,
    RULE,
    BOUND,
    SHOT_BY,
    BARRED,
    STOCK,
    CLEANED,
    PLACE,
    PHASE,
    TURN,
    DEALER,
    DECISIONS_LEFT,
) = range(20)

SHOWN = 4  # cards of the pile shown in order
FREE, AT_LEAST, SEVEN, SHOT = range(4)  # the rule for the next play
HUNDRED = 100
NUM_PHASES = len(Phase)


@rule
def seats(state):
    """The number of seats, wide enough to be added to a place of the observation."""
    return np.int64(state.num_players)


@rule
def seat_at(state, seat, steps):
    """The seat so many steps to the right."""
    return (seat + steps) % seats(state)


@rule
def steps_to(state, seat, other):
    """How many steps to the right another seat is."""
    return (other - seat + seats(state)) % state.num_players


@rule
def write_counts(counts, out, at):
    """A count for each kind."""
    for kind in range(NUM_KINDS):
        out[at + kind] = counts[kind]
    return at + NUM_KINDS


@rule
def write_hand(state, seat, out, at):
    return write_counts(state.hand[seat], out, at)


@rule
def write_up(state, seat, out, at):
    for steps in range(seats(state)):
        at = write_counts(state.up[seat_at(state, seat, steps)], out, at)
    return at


@rule
def write_down(state, seat, out, at):
    for steps in range(seats(state)):
        out[at + steps] = state.down_left[seat_at(state, seat, steps)]
    return at + seats(state)


@rule
def write_hand_size(state, seat, out, at):
    for steps in range(seats(state)):
        out[at + steps] = state.hand_size[seat_at(state, seat, steps)]
    return at + seats(state)


@rule
def write_known(state, seat, out, at):
    for steps in range(seats(state)):
        at = write_counts(state.known[seat_at(state, seat, steps)], out, at)
    return at


@rule
def write_pile(state, seat, out, at):
    for i in range(state.pile_size):
        out[at + np.int64(state.pile[i])] += 1
    return at + NUM_KINDS


@rule
def write_last_four(state, seat, out, at):
    for i in range(min(SHOWN, state.pile_size)):
        place = at + i * (NUM_NUMBERS + 1)
        card = np.int64(state.pile_size) - 1 - i
        number = np.int64(state.pile_as[card])
        if number > 0:
            out[place + number - 1] = 1
        if state.pile[card] == JOKER:
            out[place + NUM_NUMBERS] = 1
    return at + SHOWN * (NUM_NUMBERS + 1)


@rule
def write_top(state, seat, out, at):
    if state.top > 0:
        out[at + np.int64(state.top) - 1] = 1
    return at + NUM_NUMBERS


@rule
def write_run(state, seat, out, at):
    out[at] = state.run
    return at + 1


@rule
def write_rule(state, seat, out, at):
    if state.shot:
        out[at + SHOT] = 1
    elif state.bound > 0:
        out[at + SEVEN] = 1
    elif state.free:
        out[at + FREE] = 1
    else:
        out[at + AT_LEAST] = 1
    return at + 4


@rule
def write_bound(state, seat, out, at):
    out[at] = state.bound
    return at + 1


@rule
def write_shot_by(state, seat, out, at):
    if state.shot_by >= 0:
        out[at + steps_to(state, seat, state.shot_by)] = 1
    return at + seats(state)


@rule
def write_barred(state, seat, out, at):
    out[at] = holds_seven_or_one(state)
    return at + 1


@rule
def write_stock(state, seat, out, at):
    out[at] = deck_size(state) - state.drawn
    return at + 1


@rule
def write_cleaned(state, seat, out, at):
    for i in range(state.num_cleaned):
        out[at + np.int64(state.cleaned[i])] += 1
    return at + NUM_KINDS


@rule
def write_place(state, seat, out, at):
    for steps in range(seats(state)):
        place = np.int64(state.place[seat_at(state, seat, steps)])
        if place > 0:
            out[at + place - 1] = 1
        at += seats(state)
    return at


@rule
def write_phase(state, seat, out, at):
    out[at + np.int64(state.phase)] = 1
    return at + NUM_PHASES


@rule
def write_turn(state, seat, out, at):
    if not state.over:
        out[at + steps_to(state, seat, state.turn)] = 1
    return at + seats(state)


@rule
def write_dealer(state, seat, out, at):
    out[at + steps_to(state, seat, state.dealer)] = 1
    return at + seats(state)


@rule
def write_decisions_left(state, seat, out, at):
    left = state.max_decisions - state.decisions
    out[at] = left // HUNDRED
    out[at + 1] = left % HUNDRED
    return at + 2


@rule
def observe(state, seat, out):
    """All sections for one seat, in the order of ``sections``."""
    at = write_hand(state, seat, out, 0)
    at = write_up(state, seat, out, at)
    at = write_down(state, seat, out, at)
    at = write_hand_size(state, seat, out, at)
    at = write_known(state, seat, out, at)
    at = write_pile(state, seat, out, at)
    at = write_last_four(state, seat, out, at)
    at = write_top(state, seat, out, at)
    at = write_run(state, seat, out, at)
    at = write_rule(state, seat, out, at)
    at = write_bound(state, seat, out, at)
    at = write_shot_by(state, seat, out, at)
    at = write_barred(state, seat, out, at)
    at = write_stock(state, seat, out, at)
    at = write_cleaned(state, seat, out, at)
    at = write_place(state, seat, out, at)
    at = write_phase(state, seat, out, at)
    at = write_turn(state, seat, out, at)
    at = write_dealer(state, seat, out, at)
    return write_decisions_left(state, seat, out, at)


def sections(config):
    """The layout for a configuration."""
    n = config["num_players"]
    cards = NUM_NUMBERS * COPIES + config["jokers"]
    kinds, numbers = NUM_KINDS, NUM_NUMBERS
    longest = config["max_decisions"] // HUNDRED
    return [
        Section("hand", (kinds,), 0, COPIES, "my hand, by kind 1 … 12, joker", write_hand),
        Section("up", (n, kinds), 0, ROW, "face-up cards, by seat and kind", write_up),
        Section("down", (n,), 0, ROW, "face-down cards left", write_down),
        Section("hand_size", (n,), 0, cards, "cards in hand", write_hand_size),
        Section("known", (n, kinds), 0, COPIES, "cards publicly known to be in hand", write_known),
        Section("pile", (kinds,), 0, COPIES, "cards of the pile, by kind", write_pile),
        Section(
            "last_four", (SHOWN, numbers + 1), 0, 1,
            "last cards of the pile, newest first: the number it counts as; whether it is a joker",
            write_last_four,
        ),
        Section("top", (numbers,), 0, 1, "number last played (all 0: none)", write_top),
        Section("run", (1,), 0, cards, "length of the run of equals on top", write_run),
        Section(
            "rule", (4,), 0, 1, "next play: free, at least top, seven or lower, shot", write_rule,
        ),
        Section("bound", (1,), 0, COPIES, "plays still bound to seven or lower", write_bound),
        Section("shot_by", (n,), 0, 1, "who fired the shot now or just answered", write_shot_by),
        Section("barred", (1,), 0, 1, "a card of the pile counts as 7 or 1", write_barred),
        Section("stock", (1,), 0, cards - n * DEALT, "cards in the stock", write_stock),
        Section("cleaned", (kinds,), 0, COPIES, "cards out of the game, by kind", write_cleaned),
        Section("place", (n, n), 0, 1, "by seat: place of those who are out", write_place),
        Section("phase", (NUM_PHASES,), 0, 1, "swap, play, flip, declare, shoot", write_phase),
        Section("turn", (n,), 0, 1, "who is to act (all 0: the game is over)", write_turn),
        Section("dealer", (n,), 0, 1, "who dealt; the first seat is to the right", write_dealer),
        Section(
            "decisions_left", (2,), 0, max(longest, HUNDRED - 1),
            "decisions before truncation: hundreds, rest", write_decisions_left,
        ),
    ]  # fmt: skip
