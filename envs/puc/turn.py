"""R5, R6, R9, R12: what a turn is made of: taking, the puc window, the stock, the discard."""

from envs.core.jit import rule
from envs.core.random import shuffle
from envs.puc.dealing import begin_turn, chance, fill_deck, lay_out
from envs.puc.layoff import lay_meld, lose_card
from envs.puc.melds import NONE
from envs.puc.opening import runs_missing, trios_missing
from envs.puc.options import STOCK_RULES
from envs.puc.scoring import finish, score_hand, was_last_hand
from envs.puc.state import PLAY, WINDOW

BLOCK = STOCK_RULES.index("block")


@rule
def gain_card(state, seat, kind):
    """A card comes into a hand."""
    state.hand[seat, kind] += 1
    state.hand_size[seat] += 1


@rule
def gain_face_up(state, seat):
    """The face-up card comes into a hand, and everybody knows it; its kind."""
    state.pile_size -= 1
    kind = state.pile[state.pile_size]
    gain_card(state, seat, kind)
    state.known[seat, kind] += 1
    return kind


@rule
def take(state, seat):
    """R5 (a): the seat whose turn it is keeps the face-up card."""
    state.taken = gain_face_up(state, seat)
    state.phase = PLAY


@rule
def open_window(state):
    """R5 (b): the face-up card was declined; the others are asked, if a puc can be paid (R12)."""
    if puc_payable(state):
        ask_after(state, state.serving)
    else:
        serve_stock_card(state)


@rule
def puc_payable(state):
    """R12: the penalty card and the draw after it exist, one discard staying face up."""
    available = int(state.stock_end) - state.stock_top
    if state.stock_exhausted != BLOCK:
        available += max(0, state.pile_size - 2)
    return available >= 2


@rule
def may_puc(state, seat):
    """R6: not down, below the limit, and not the discarder where that is barred.

    The discarder (before the first discard: the dealer) sits before the seat whose turn it is.
    """
    if state.down[seat]:
        return False
    if state.max_puc_per_hand != NONE and state.pucs[seat] >= state.max_puc_per_hand:
        return False
    return state.discarder_may_puc or (seat + 1) % state.num_players != state.serving


@rule
def ask_after(state, asked):
    """R6: the next seat that may puc is asked; when none is left the window closes."""
    seat = (asked + 1) % state.num_players
    while seat != state.serving:
        if may_puc(state, seat):
            state.turn = seat
            state.phase = WINDOW
            return
        seat = (seat + 1) % state.num_players
    serve_stock_card(state)


@rule
def puc(state, seat):
    """R6: the face-up card and a penalty card, no discard; it closes the window."""
    gain_face_up(state, seat)
    state.pucs[seat] += 1
    draw_stock(state, seat)
    serve_stock_card(state)


@rule
def serve_stock_card(state):
    """R5 (c): the seat whose turn it is draws; R12: without a card the hand is blocked."""
    if draw_stock(state, state.serving):
        state.turn = state.serving
        state.phase = PLAY
    else:
        state.blocked = True
        end_hand(state, NONE)


@rule
def draw_stock(state, seat):
    """The top card of the stock, made anew if it is empty; False if there is none."""
    if state.stock_top == state.stock_end and state.stock_exhausted != BLOCK:
        renew_stock(state)
    if state.stock_top == state.stock_end:
        return False
    gain_card(state, seat, state.deck[state.stock_top])
    state.stock_top += 1
    return True


@rule
def renew_stock(state):
    """R12: all discards but the face-up card become the stock."""
    cards = max(0, state.pile_size - 1)
    for i in range(cards):
        state.deck[i] = state.pile[i]
    if not state.turn_over:
        shuffle(state.deck, cards, chance(state))
    state.stock_top = 0
    state.stock_end = cards
    if cards > 0:
        state.pile[0] = state.pile[cards]
        state.pile_size = 1


@rule
def lay(state, seat, meld):
    """R7: a meld of the opening, which is complete with the contract; R8: a new meld."""
    lay_meld(state, seat, meld)
    if state.down[seat]:
        return
    state.opening[state.opening_melds] = meld
    state.opening_melds += 1
    if trios_missing(state) + runs_missing(state) == 0:
        state.down[seat] = True
        state.opened = True


@rule
def discard(state, seat, kind):
    """R5 (e): the turn ends; R9: whoever throws the last card closes the hand."""
    lose_card(state, seat, kind)
    state.pile[state.pile_size] = kind
    state.pile_size += 1
    if state.hand_size[seat] == 0:
        end_hand(state, seat)
        return
    state.turns += 1
    if state.turns == state.max_turns_per_hand:
        finish(state, True)
    else:
        begin_turn(state, (seat + 1) % state.num_players)


@rule
def end_hand(state, closer):
    """R11, R1, R3: score the hand; then the deal passes on, or the match ends."""
    score_hand(state, closer)
    if was_last_hand(state):
        finish(state, False)
        return
    state.hand_number += 1
    state.dealer = (state.dealer + 1) % state.num_players
    fill_deck(state)
    lay_out(state)
