"""Truc: signals and spoken calls before a trick (T16)."""

import numpy as np

from envs.core.jit import rule
from envs.core.random import draw_unit
from envs.truc.envit import seat_at
from envs.truc.hand import ask_card
from envs.truc.record import PUBLIC, RISKY, Action
from envs.truc.tricks import peu

SAID_NOTHING = int(Action.PASSO)


@rule
def mark_talk(state, seat, mask):
    """T16: one signal, nothing, or a peu's spoken call."""
    for action in range(Action.PASSO, Action.TAPADA + 1):
        mask[action] = True
    if seat == peu(state, seat % 2):
        mask[Action.VINE_A_MI] = True
        mask[Action.PITJA] = True


@rule
def opponent_sees(state, action):
    """T16: spoken calls and public signals are open; a risky one may be caught."""
    if action > Action.TAPADA or state.signals == PUBLIC:
        return True
    return state.signals == RISKY and draw_unit(state) < state.signal_catch


@rule
def seat_bit(seat):
    """A seat as a set of one; uncompiled, ``1 << int8(7)`` would be negative."""
    return np.int64(1) << np.int64(seat)


@rule
def witnesses(state, speaker, action):
    """Bits of the seats that see what the speaker says; asked from the speaker's right."""
    bits = seat_bit(speaker)
    for step in range(1, state.num_players):
        seat = (speaker + step) % state.num_players
        if seat % 2 == speaker % 2 or opponent_sees(state, action):
            bits |= seat_bit(seat)
    return bits


@rule
def talk(state, action):
    """T16: say it; after the last player the trick begins."""
    state.said[state.trick, state.turn] = action
    if action != Action.PASSO:
        state.seen[state.trick, state.turn] = witnesses(state, state.turn, action)
    state.talked += 1
    if state.talked < state.num_players:
        state.turn = seat_at(state, state.talked)
    else:
        ask_card(state)


@rule
def heard(state, seat, trick, speaker):
    """What a seat has perceived of a speaker: the action, PASSO if it saw nothing, 0 not yet."""
    said = np.int64(state.said[trick, speaker])
    if said == 0 or state.seen[trick, speaker] & seat_bit(seat):
        return said
    return SAID_NOTHING
