"""What a seat sees and remembers: named sections, relative seats, me first.

A card is written as fourteen flags: ten numbers (1 … 7, 10, 11, 12), then four suits (O C E B);
all zero is a card that is not known, or none.
"""

from collections.abc import Callable

from envs.core.game import Config
from envs.core.jit import rule
from envs.core.observation import Section
from envs.quatre_duros.payments import to_the_right
from envs.quatre_duros.record import OWN, SUITS, TAKEN, starting_coins
from envs.quatre_duros.worlds import knows

NUMBERS = 10
CARD = NUMBERS + SUITS  # flags of one card

# Places of the sections in the layout, for agents.
(
    CARDS, TURNED, COINS, CENTRE, HANDS_LEFT, DEALER, TURN, ACTIVE, TO_ACT, STOOD, EXCHANGED,
    TURNED_AWAY, TAKEN_BY, REFUSED, KINGS, PARTNER, GAVE, RECEIVED, REFUTED, ASKER, ANSWERS,
) = range(21)  # fmt: skip


@rule
def seats(state):
    """The number of seats, wide enough to count places with: int8 would overflow uncompiled."""
    return int(state.num_players)


@rule
def relative(state, seat, other):
    """How many seats to the right of ``seat`` the other sits."""
    steps = int(other) - int(seat)
    return steps + seats(state) * (steps < 0)


@rule
def put_card(state, place, out, at):
    """The flags of the card at a place of the deck."""
    card = int(state.deck[place])
    out[at + card % 10] = 1
    out[at + NUMBERS + card // 10] = 1


@rule
def write_cards(state, seat, out, at):
    for k in range(seats(state)):
        place = state.place[to_the_right(state, seat, k)]
        if place >= 0 and knows(state, seat, place):
            put_card(state, place, out, at + k * CARD)
    return at + seats(state) * CARD


@rule
def write_turned(state, seat, out, at):
    if state.turned >= 0:
        put_card(state, state.turned, out, at)
    return at + CARD


@rule
def write_coins(state, seat, out, at):
    return write_seats(state, seat, state.coins, out, at)


@rule
def write_centre(state, seat, out, at):
    out[at] = state.centre
    return at + 1


@rule
def write_hands_left(state, seat, out, at):
    if state.hands < 0:
        return at
    out[at] = state.hands - state.hand_number
    return at + 1


@rule
def write_seat(state, seat, other, out, at):
    """One flag per seat, set for ``other``; none if that is negative."""
    if other >= 0:
        out[at + relative(state, seat, other)] = 1
    return at + seats(state)


@rule
def write_seats(state, seat, values, out, at):
    """A value of every seat, this one first."""
    for k in range(seats(state)):
        out[at + k] = values[to_the_right(state, seat, k)]
    return at + seats(state)


@rule
def write_dealer(state, seat, out, at):
    return write_seat(state, seat, state.dealer, out, at)


@rule
def write_turn(state, seat, out, at):
    return write_seat(state, seat, -1 if state.over else state.turn, out, at)


@rule
def write_active(state, seat, out, at):
    return write_seats(state, seat, state.active, out, at)


@rule
def write_to_act(state, seat, out, at):
    for k in range(seats(state)):
        other = to_the_right(state, seat, k)
        out[at + k] = state.active[other] and not state.acted[other]
    return at + seats(state)


@rule
def write_stood(state, seat, out, at):
    return write_seats(state, seat, state.stood, out, at)


@rule
def write_exchanged(state, seat, out, at):
    return write_seats(state, seat, state.exchanged, out, at)


@rule
def write_turned_away(state, seat, out, at):
    return write_seats(state, seat, state.turned_away, out, at)


@rule
def write_taken(state, seat, out, at):
    return write_seats(state, seat, state.taken, out, at)


@rule
def write_refused(state, seat, out, at):
    return write_seats(state, seat, state.refused, out, at)


@rule
def write_kings(state, seat, out, at):
    for k in range(seats(state)):
        place = state.place[to_the_right(state, seat, k)]
        if 0 <= place < state.dealt:
            out[at + k] = state.king[place]
    return at + seats(state)


@rule
def write_partner(state, seat, out, at):
    at = write_seat(state, seat, state.partner[seat, TAKEN], out, at)
    return write_seat(state, seat, state.partner[seat, OWN], out, at)


@rule
def put_two(state, places, out, at):
    """The cards of the two exchanges of a seat."""
    for which in range(2):
        if places[which] >= 0:
            put_card(state, places[which], out, at + which * CARD)
    return at + 2 * CARD


@rule
def write_gave(state, seat, out, at):
    return put_two(state, state.gave[seat], out, at)


@rule
def write_received(state, seat, out, at):
    return put_two(state, state.received[seat], out, at)


@rule
def write_refuted(state, seat, out, at):
    for k in range(seats(state)):
        other = to_the_right(state, seat, k)
        for guess in range(SUITS):
            out[at + k * SUITS + guess] = state.refuted[other, guess]
    return at + seats(state) * SUITS


@rule
def write_asker(state, seat, out, at):
    return write_seat(state, seat, state.asker, out, at)


@rule
def write_answers(state, seat, out, at):
    return write_seat(state, seat, state.turn if state.asker >= 0 else -1, out, at)


@rule
def observe(state, seat, out):
    """All sections, in the order of ``sections``."""
    at = write_cards(state, seat, out, 0)
    at = write_turned(state, seat, out, at)
    at = write_coins(state, seat, out, at)
    at = write_centre(state, seat, out, at)
    at = write_hands_left(state, seat, out, at)
    at = write_dealer(state, seat, out, at)
    at = write_turn(state, seat, out, at)
    at = write_active(state, seat, out, at)
    at = write_to_act(state, seat, out, at)
    at = write_stood(state, seat, out, at)
    at = write_exchanged(state, seat, out, at)
    at = write_turned_away(state, seat, out, at)
    at = write_taken(state, seat, out, at)
    at = write_refused(state, seat, out, at)
    at = write_kings(state, seat, out, at)
    at = write_partner(state, seat, out, at)
    at = write_gave(state, seat, out, at)
    at = write_received(state, seat, out, at)
    at = write_refuted(state, seat, out, at)
    at = write_asker(state, seat, out, at)
    return write_answers(state, seat, out, at)


def sections(config: Config) -> list[Section]:
    """The layout: the same names for every configuration."""
    n = config["num_players"]
    coins = sum(starting_coins(config))
    hands = config["hands"] or 0

    def flags(name: str, meaning: str, write: Callable, low: int = 0) -> Section:
        return Section(name, (n,), low, 1, meaning, write)

    return [
        Section("cards", (n, CARD), 0, 1, "the card of each seat as far as I have seen it, the "
                "first one mine; also one that has left (see `active`)", write_cards),
        Section("turned", (CARD,), 0, 1, "the stock card turned up by the dealer", write_turned),
        Section("coins", (n,), 0, coins, "coins of each seat", write_coins),
        Section("centre", (1,), 0, coins, "coins out of play", write_centre),
        Section("hands_left", (min(hands, 1),), 0, hands, "hands to play, this one included "
                "(only with the option `hands`)", write_hands_left),
        flags("dealer", "the dealer", write_dealer),
        flags("turn", "the seat to act", write_turn),
        flags("active", "holds an active card", write_active),
        flags("to_act", "active, and its turn is not over", write_to_act),
        flags("stood", "stood in its turn", write_stood),
        flags("exchanged", "exchanged in its turn (the dealer: with the stock)", write_exchanged),
        flags("turned_away", "asked for an exchange and was refused", write_turned_away),
        flags("taken", "had to exchange with a seat before it", write_taken),
        flags("refused", "refused an exchange: holds a king", write_refused),
        flags("kings", "its card is known to everybody as a king (1) or as none (-1)",
              write_kings, -1),
        Section("partner", (2, n), 0, 1, "with whom I exchanged: when taken, and in my own turn",
                write_partner),
        Section("gave", (2, CARD), 0, 1, "the card that I gave in each of these (to the stock: "
                "the one I replaced)", write_gave),
        Section("received", (2, CARD), 0, 1, "the card that I received", write_received),
        Section("refuted", (n, SUITS), 0, 1, "suits guessed wrongly, by asker", write_refuted),
        flags("asker", "the seat whose question is to be answered", write_asker),
        flags("answers", "the seat that has to answer", write_answers),
    ]  # fmt: skip
