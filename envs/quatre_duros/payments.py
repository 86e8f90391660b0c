"""Coins: single payments, the showdown, and the end they may bring (D2, D6, D7, D8).

Every coin that moves goes through ``pay``. Each single payment may remove the payer's card and may
end the game, so callers look at ``state.over`` after every one.
"""

from envs.core.jit import rule
from envs.quatre_duros.record import ELEVEN, EVERYBODY, TEN

CENTRE = -1  # as the receiver of a payment
NONE_LEFT = 10  # above every number: no active card remains
PER_PLAYER = 1  # payments="per_player"
REPLAY = 1  # last_coin_tie="simultaneous_replay"


@rule
def number(state, seat):
    """0 … 9: the number of a seat's card in the order 1 … 7, 10, 11, 12."""
    return state.deck[state.place[seat]] % 10


@rule
def suit(state, seat):
    """0 … 3: the suit of a seat's card: O, C, E, B."""
    return state.deck[state.place[seat]] // 10


@rule
def show_to_all(state, place):
    """The card at this place of the deck is seen by everyone."""
    state.seen[place] = EVERYBODY


@rule
def to_the_right(state, seat, k):
    """The k-th seat to the right, for k from 0 to num_players; a division would be slow."""
    other = seat + k
    return other - state.num_players * (other >= state.num_players)


@rule
def in_order(state, k):
    """The k-th seat (from 0) in the order of turns and payments, from the dealer's right (N9)."""
    return to_the_right(state, state.dealer, k + 1)


@rule
def remove_card(state, seat):
    """D2: the card of a seat without coins is passive and leaves at once, face down."""
    state.active[seat] = 0
    discard(state, state.place[seat])


@rule
def discard(state, place):
    """A card leaves the hand."""
    state.removed[state.num_removed] = place
    state.num_removed += 1


@rule
def players_with_coins(state):
    """How many seats have coins."""
    count = 0
    for seat in range(state.num_players):
        if state.coins[seat] > 0:
            count += 1
    return count


@rule
def pay(state, payer, receiver):
    """One coin to a seat or to the CENTRE, where it is out of play (D8)."""
    state.coins[payer] -= 1
    if receiver == CENTRE:
        state.centre += 1
    else:
        state.coins[receiver] += 1
    if state.coins[payer] == 0:
        remove_card(state, payer)
        if players_with_coins(state) == 1:
            finish(state)


@rule
def finish(state):
    """D7: the game is over; the only seat with coins has won."""
    state.over = True
    if state.hands >= 0:
        reward_coins(state)
        return
    for seat in range(state.num_players):
        won = state.coins[seat] > 0
        state.reward[seat] = 1.0 if won else -1.0 / (state.num_players - 1)


@rule
def reward_coins(state):
    """Option ``hands``: coins won or lost since the start, less the mean over all seats."""
    total = 0
    for seat in range(state.num_players):
        total += state.coins[seat] - state.start_coins[seat]
    for seat in range(state.num_players):
        gain = state.coins[seat] - state.start_coins[seat]
        state.reward[seat] = gain - total / state.num_players


@rule
def pay_neighbour(state, seat):
    """D6: an active 10 pays the seat on the right, an active 11 the one on the left.

    The neighbour is the seat at the table, also one without coins: it is back in the next hand.
    """
    if number(state, seat) == TEN:
        pay(state, seat, to_the_right(state, seat, 1))
    elif number(state, seat) == ELEVEN:
        pay(state, seat, to_the_right(state, seat, state.num_players - 1))


@rule
def lowest_number(state):
    """D6: the lowest number among the active cards, NONE_LEFT if there is none."""
    lowest = NONE_LEFT
    for seat in range(state.num_players):
        if state.active[seat] and number(state, seat) < lowest:
            lowest = number(state, seat)
    return lowest


@rule
def owes_centre(state, seat, lowest):
    """D6: the seat holds an active card of the lowest number."""
    return state.active[seat] > 0 and number(state, seat) == lowest


@rule
def all_on_last_coin(state, k, lowest):
    """D7, ``simultaneous_replay``: those who pay from here on are all with coins, one each."""
    for j in range(state.num_players):
        seat = in_order(state, j)
        if state.coins[seat] == 0:
            continue
        if j < k or state.coins[seat] > 1 or not owes_centre(state, seat, lowest):
            return False
    return True


@rule
def pay_neighbours(state):
    """D6, phase 1: the side payments, in order."""
    for k in range(state.num_players):
        seat = in_order(state, k)
        if state.active[seat]:
            pay_neighbour(state, seat)
        if state.over:
            return


@rule
def pay_centre(state):
    """D6, phase 2: every holder of the lowest number pays the centre, in order."""
    lowest = lowest_number(state)
    for k in range(state.num_players):
        seat = in_order(state, k)
        if not owes_centre(state, seat, lowest):
            continue
        if state.last_coin_tie == REPLAY and all_on_last_coin(state, k, lowest):
            return
        pay(state, seat, CENTRE)
        if state.over:
            return


@rule
def pay_seat_by_seat(state):
    """D6, ``payments="per_player"``: each seat to its neighbour, then to the centre.

    The lowest number is fixed before any payment; who loses the last coin to the neighbour has no
    active card any more and does not pay the centre.
    """
    lowest = lowest_number(state)
    for k in range(state.num_players):
        seat = in_order(state, k)
        if state.active[seat]:
            pay_neighbour(state, seat)
        if state.over:
            return
        if not owes_centre(state, seat, lowest):
            continue
        if state.last_coin_tie == REPLAY and all_on_last_coin(state, k, lowest):
            return
        pay(state, seat, CENTRE)
        if state.over:
            return


@rule
def showdown(state):
    """D6: all active cards are shown and paid for."""
    for seat in range(state.num_players):
        state.shown[seat] = -1
        if state.active[seat]:
            show_to_all(state, state.place[seat])
            state.shown[seat] = state.deck[state.place[seat]]
    if state.payments == PER_PLAYER:
        pay_seat_by_seat(state)
        return
    pay_neighbours(state)
    if not state.over:
        pay_centre(state)
