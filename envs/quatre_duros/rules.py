"""The rules of 4 Duros over one record.

Source: "4 Duros (Cucut, Dimoni, Miau)", Club Conservador de Cartes i Jocs; clause numbers D1 … D8
are those of this game's page, N1 … N9 the club's own.

Glossary
    duro        a coin; each seat starts with ``coins`` of them
    active      the card of a seat that has coins; a passive card leaves the hand at once
    king        rei, the 12: refuses exchanges, and may ask others for its suit
    stock       mas, the cards that were not dealt, before the dealer
    right       the next seat, seat + 1: turns, deals and payments run to the right
    place       index in ``deck``. Cards never move inside ``deck``: a seat holds a place

We play it this way
    * The exchange partner is the next seat with an active card, never past the dealer (D3).
    * A king that refuses stays face down; what the table learns is that it is a king (D4).
    * Any holder of a king may ask in his turn, and ask again after a wrong answer (D4).
    * All side payments come before those to the centre (D6); all payments are single and in
      order, so of several last coins the one to be paid last wins the game (D7).
"""

from envs.core.jit import rule
from envs.core.random import deck_stream, draw_below, shuffle
from envs.quatre_duros.payments import (
    discard,
    in_order,
    number,
    pay,
    players_with_coins,
    reward_coins,
    show_to_all,
    showdown,
    suit,
    to_the_right,
)
from envs.quatre_duros.record import (
    ASK,
    EXCHANGE,
    GUESS,
    IS_KING,
    KING,
    NO_KING,
    OWN,
    PACK,
    SEAT_BIT,
    STAND,
    SUITS,
    TAKEN,
    Phase,
)

# Dealing


@rule
def deal(state):
    """A new match: the first dealer is drawn, then the first hand is dealt."""
    state.shown[:] = -1
    draw_dealer(state)
    deal_hand(state)


@rule
def draw_dealer(state):
    """D1: one of the seats with coins."""
    chosen = draw_below(state, players_with_coins(state))
    for seat in range(state.num_players):
        if state.coins[seat] > 0:
            if chosen == 0:
                state.dealer = seat
                return
            chosen -= 1


@rule
def deal_hand(state):
    """The whole pack is shuffled for every hand."""
    for card in range(PACK):
        state.deck[card] = card
    shuffle(state.deck, PACK, deck_stream(state, state.hand_number))
    lay_out(state)


@rule
def lay_out(state):
    """D2: one card to every seat with coins, from the dealer's right."""
    clear_hand(state)
    place = 0
    for k in range(state.num_players):
        seat = in_order(state, k)
        if state.coins[seat] > 0:
            state.place[seat] = place
            state.active[seat] = 1
            state.seen[place] = SEAT_BIT[seat]
            place += 1
    state.dealt = place
    state.turn = next_active(state, state.dealer, state.num_players)


@rule
def clear_hand(state):
    """Nothing has happened yet in this hand."""
    state.phase = Phase.TURN
    state.turned = -1
    state.asker = -1
    state.num_removed = 0
    state.removed[:] = -1
    state.place[:] = -1
    state.active[:] = 0
    state.acted[:] = 0
    state.stood[:] = 0
    state.exchanged[:] = 0
    state.turned_away[:] = 0
    state.taken[:] = 0
    state.refused[:] = 0
    state.refuted[:] = 0
    state.seen[:] = 0
    state.king[:] = 0
    state.partner[:] = -1
    state.gave[:] = -1
    state.received[:] = -1


# Questions


@rule
def next_active(state, seat, steps):
    """The first of the next ``steps`` seats to the right that holds an active card, or -1."""
    for k in range(1, steps + 1):
        other = to_the_right(state, seat, k)
        if state.active[other]:
            return other
    return -1


@rule
def next_in_round(state, seat):
    """D3: the next seat with an active card, not past the dealer; -1 at the end of the round."""
    steps = state.dealer - seat
    return next_active(state, seat, steps if steps >= 0 else steps + state.num_players)


@rule
def has_king(state, seat):
    """The seat's card is a 12."""
    return number(state, seat) == KING


@rule
def may_ask(state, seat):
    """D4: a king's holder asks, unless (``show_king``) the king was shown by refusing."""
    return not (state.show_king and state.refused[seat])


@rule
def may_exchange(state, seat):
    """D3, D5: somebody is left to exchange with; the dealer always has the stock."""
    return seat == state.dealer or next_in_round(state, seat) >= 0


# Legal actions


@rule
def legal_actions(state, mask):
    """The legal actions of the seat to act; none when the match is over."""
    if state.over:
        return
    if state.phase == Phase.ANSWER:
        legal_guesses(state, mask)
    else:
        legal_in_turn(state, mask)


@rule
def legal_in_turn(state, mask):
    """D3, D4, D5: everybody may stand; a king asks, any other card may be exchanged."""
    mask[STAND] = True
    if not has_king(state, state.turn):
        mask[EXCHANGE] = may_exchange(state, state.turn)
    elif may_ask(state, state.turn):
        legal_questions(state, mask)


@rule
def legal_questions(state, mask):
    """D4: any other seat with an active card."""
    for k in range(1, state.num_players):
        mask[ASK + k - 1] = state.active[to_the_right(state, state.turn, k)]


@rule
def legal_guesses(state, mask):
    """D4: all four suits, every time (``mask_refuted_suits``: not those known to be wrong)."""
    for guess in range(SUITS):
        mask[GUESS + guess] = not (state.mask_refuted_suits and state.refuted[state.asker, guess])


# Decisions


@rule
def step(state, action):
    """Apply a legal action and move on to the next decision or to the end."""
    seat = state.turn
    if state.phase == Phase.ANSWER:
        answer(state, seat, action - GUESS)
    elif action >= ASK:
        ask(state, seat, to_the_right(state, seat, action - ASK + 1))
    else:
        if action == STAND:
            state.stood[seat] = 1
        elif seat == state.dealer:
            take_from_stock(state, seat)
        else:
            exchange(state, seat, next_in_round(state, seat))
        end_turn(state, seat)
    if state.decisions >= state.limit and not state.over:
        state.over = True
        state.truncated = True


@rule
def exchange(state, seat, other):
    """D3: the other has to exchange, unless he holds a king. Who asks for it has none (D4)."""
    state.king[state.place[seat]] = NO_KING
    if has_king(state, other):
        refuse(state, seat, other)
        return
    state.king[state.place[other]] = NO_KING
    state.exchanged[seat] = 1
    state.taken[other] = 1
    note_exchange(state, seat, OWN, other, state.place[other])
    note_exchange(state, other, TAKEN, seat, state.place[seat])
    state.place[seat], state.place[other] = state.place[other], state.place[seat]


@rule
def note_exchange(state, seat, which, other, received):
    """A seat remembers what it gave, what it received, and the other seat."""
    state.partner[seat, which] = other
    state.gave[seat, which] = state.place[seat]
    state.received[seat, which] = received
    state.seen[received] |= SEAT_BIT[seat]


@rule
def refuse(state, seat, other):
    """D4: the king refuses; it stays face down (``show_king``: it is shown)."""
    state.turned_away[seat] = 1
    state.refused[other] = 1
    state.king[state.place[other]] = IS_KING
    if state.show_king:
        show_to_all(state, state.place[other])


@rule
def take_from_stock(state, seat):
    """D5: the dealer turns up the top of the stock and replaces his card, which leaves unseen.

    With ``stock_king_blocks`` a king turned up is set aside and the dealer keeps his card.
    """
    own = state.place[seat]
    state.king[own] = NO_KING
    state.turned = state.dealt
    show_to_all(state, state.turned)
    state.exchanged[seat] = 1
    if state.stock_king_blocks and state.deck[state.turned] % 10 == KING:
        return
    note_exchange(state, seat, OWN, -1, state.turned)
    state.place[seat] = state.turned
    discard(state, own)


@rule
def ask(state, seat, other):
    """D4: the king's holder asks another for its suit, and so shows that it is a king."""
    state.king[state.place[seat]] = IS_KING
    state.asker = seat
    state.turn = other
    state.phase = Phase.ANSWER


@rule
def answer(state, seat, guess):
    """D4: a right answer wins a coin and ends the questions, a wrong one costs a coin."""
    asker = state.asker
    state.asker = -1
    state.phase = Phase.TURN
    state.turn = asker
    if guess == suit(state, asker):
        show_to_all(state, state.place[asker])
        pay(state, asker, seat)
        if not state.over:
            end_turn(state, asker)
    else:
        state.refuted[asker, guess] = 1
        pay(state, seat, asker)


@rule
def end_turn(state, seat):
    """D3: on to the next seat of the round; after the last one the cards are shown."""
    state.acted[seat] = 1
    following = next_in_round(state, seat)
    if following >= 0:
        state.turn = following
        return
    showdown(state)
    if not state.over:
        next_hand(state)


@rule
def next_hand(state):
    """D1: the next seat to the right that has coins deals; option ``hands`` may end the match."""
    if state.hands >= 0 and state.hand_number + 1 >= state.hands:
        state.over = True
        reward_coins(state)
        return
    state.hand_number += 1
    pass_deal(state)
    deal_hand(state)


@rule
def pass_deal(state):
    """D1: the next seat to the right that has coins becomes the dealer."""
    for k in range(state.num_players):
        seat = in_order(state, k)
        if state.coins[seat] > 0:
            state.dealer = seat
            return
