"""Truc: dealing (T1), whose turn it is, scoring and the end of hands, legs and matches (T13)."""

import numpy as np

from envs.core.jit import rule
from envs.core.random import deck_stream, shuffle
from envs.truc.envit import (
    ENVIT_POINTS,
    card_of,
    envit_points,
    envit_value,
    envit_winner,
    seat_at,
    truc_points,
)
from envs.truc.record import (
    HAND_SIZE,
    INDEX_OF_TWO,
    NOBODY,
    NUM_CARDS,
    PARTNER,
    PUBLIC,
    REWARD_POINTS,
    REWARD_WIN,
    Envit,
    Phase,
    Window,
)


@rule
def deal_hand(state):
    """T1: shuffle the pack of this hand number and deal three cards each."""
    size = 0
    for card in range(NUM_CARDS):
        if state.twos == 0 or card % 10 != INDEX_OF_TWO:
            state.deck[size] = card
            size += 1
    shuffle(state.deck, size, deck_stream(state, state.hand_number))
    lay_out(state)


@rule
def lay_out(state):
    """T1: a hand from the order in ``deck``; p0 leads."""
    state.hand_points[:] = 0
    state.played[:] = -1
    state.trick_team[:] = -1
    state.stacked = False
    state.shown = False
    clear_calls(state)
    clear_talk(state)
    state.trick = 0
    state.leader = seat_at(state, 0)
    begin_trick(state)


@rule
def clear_calls(state):
    """No bet has been made in this hand."""
    state.truc_level = 0
    state.truc_call = 0
    state.truc_caller = NOBODY
    state.truc_asked = 0
    state.truc_willing = False
    state.raise_right = NOBODY
    state.window = Window.CLOSED
    state.envit = Envit.UNOPENED
    state.envit_level = 0
    state.envit_call = 0
    state.envit_caller = NOBODY
    state.envit_asked = 0
    state.envit_willing = False
    state.num_calls = 0
    state.call_order[:] = 0
    state.call_seat[:] = NOBODY
    state.call_trick[:] = 0
    state.answers[:] = 0


@rule
def clear_talk(state):
    """Nothing has been said in this hand."""
    state.talked = 0
    state.said[:] = 0
    state.seen[:] = 0


@rule
def begin_trick(state):
    """A trick begins with a talk round where there is one (T16), else with its leader (T2)."""
    state.cards_out = 0
    if PARTNER <= state.signals <= PUBLIC and not state.stacked:
        state.phase = Phase.TALK
        state.talked = 0
        state.turn = seat_at(state, 0)
    else:
        ask_card(state)


@rule
def ask_card(state):
    """T2: the next seat to the right plays."""
    state.phase = Phase.PLAY
    state.turn = (state.leader + state.cards_out) % state.num_players


@rule
def is_played(state, seat, card):
    """Whether the seat has put this card of its own on the table, face up."""
    return (
        state.played[0, seat] == card
        or state.played[1, seat] == card
        or state.played[2, seat] == card
    )


@rule
def under_card(state, seat):
    """T3: the hidden card of a seat's stack, or -1 before it has put the stack."""
    if not state.stacked or state.played[1, seat] < 0:
        return -1
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        if not is_played(state, seat, card):
            return card
    return -1


@rule
def score(state, team, points):
    """Write points to a team."""
    state.score[team] += points
    state.total[team] += points
    state.hand_points[team] += points


@rule
def leg_is_won(state):
    """T13: a team has reached the target."""
    return max(state.score[0], state.score[1]) >= state.target


@rule
def refuse_envit(state):
    """T9, T13: a refused envit pays its caller the last accepted level, at once."""
    state.envit = Envit.REFUSED
    state.envit_call = 0
    score(state, state.envit_caller % 2, ENVIT_POINTS[state.envit_level])


@rule
def settle_envit(state):
    """T13: an accepted envit goes to the best envit; its value is shown, not its cards."""
    winner = envit_winner(state)
    score(state, winner % 2, envit_points(state, winner % 2))
    state.last_envit = envit_value(state, winner)
    state.last_envit_team = winner % 2
    for seat in range(state.num_players):
        state.last_envits[seat] = envit_value(state, seat)


@rule
def end_hand(state, team):
    """T13: the accepted envit is scored first, then the truc goes to ``team``."""
    if state.envit == Envit.ACCEPTED:
        settle_envit(state)
    if not leg_is_won(state):
        score(state, team, truc_points(state, team))
    close_hand(state)


@rule
def close_hand(state):
    """Pay the hand; then the next hand, the next leg or the end of the match."""
    if state.num_calls == 0:
        state.last_envit = NOBODY
    if state.reward_kind == REWARD_POINTS and state.hands < 0:
        pay(state, (state.hand_points[0] - state.hand_points[1]) / state.target)
    if leg_is_won(state):
        close_leg(state)
    if not state.over and state.hand_number + 1 == state.hands:
        end_match(state)
    if not state.over:
        state.hand_number += 1
        state.dealer = (state.dealer + 1) % state.num_players
        deal_hand(state)


@rule
def close_leg(state):
    """T13: best of ``legs``; a new leg starts at 0-0."""
    winner = 0 if state.score[0] >= state.target else 1
    state.legs_won[winner] += 1
    if 2 * state.legs_won[winner] > state.legs:
        end_match(state)
    else:
        state.score[:] = 0


@rule
def end_match(state):
    """The match is over; with ``hands`` it pays points, by default who won it."""
    state.over = True
    if state.hands >= 0:
        pay(state, (state.total[0] - state.total[1]) / state.target)
    elif state.reward_kind == REWARD_WIN:
        pay(state, 1.0 if state.legs_won[0] > state.legs_won[1] else -1.0)


@rule
def pay(state, amount):
    """Team A gets the amount, team B loses it."""
    for seat in range(state.num_players):
        state.reward[seat] = np.float32(amount if seat % 2 == 0 else -amount)
