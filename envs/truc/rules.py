"""Truc: the verbs. Clause numbers are those of the game's page (``envs/truc/__init__.py``).

Source: the Balearic *Reglament del truc* (Catalan text), with published Menorcan and Mallorcan
rules where it is silent.

Glossary: *mà* the seat at the dealer's right (p0), *peu* a team's last player and its spokesman,
*vasa* trick, *truc* and *envit* the two bets, *vull* / *no vull* accept / refuse, *me'n vaig* fold.

How we play it where houses differ: all stack after a tied first trick, only the peus open the
envit, the peu answers, the envit goes before the truc; every such choice is an option.

Where the clauses live: T1 and T13 in ``hand``, T2, T3, T5 in ``tricks``, T4, T6, T8, T9, T11, T12
in ``calls``, T7, T10, T14, T15 in ``envit``, T16 in ``talk``.
"""

from envs.core.jit import rule
from envs.core.random import draw_below
from envs.truc.calls import (
    answer_envit,
    answer_truc,
    call_envit,
    call_truc,
    fold,
    mark_envit_answers,
    mark_own_calls,
    mark_truc_answers,
    mark_window,
)
from envs.truc.hand import deal_hand
from envs.truc.record import Action, Phase
from envs.truc.talk import mark_talk, talk
from envs.truc.tricks import mark_cards, pass_window, play_card


@rule
def deal(state):
    """T1: a match begins with a random dealer."""
    state.dealer = draw_below(state, state.num_players)
    state.last_envit = -1
    deal_hand(state)


@rule
def legal_actions(state, mask):
    """What the seat to act may do; giving the hand up is always among it (T6)."""
    if state.over:
        return
    mask[Action.MEN_VAIG] = True
    seat = state.turn
    if state.phase == Phase.PLAY:
        mark_cards(state, seat, mask)
        mark_own_calls(state, seat, mask)
    elif state.phase == Phase.TRUC:
        mark_truc_answers(state, seat, mask)
    elif state.phase == Phase.ENVIT:
        mark_envit_answers(state, mask)
    elif state.phase == Phase.WINDOW:
        mark_window(state, mask)
    else:
        mark_talk(state, seat, mask)


@rule
def step(state, action):
    """Apply a legal action."""
    if action == Action.MEN_VAIG:
        fold(state)
    elif action < Action.TRUC:
        play_card(state, action)
    elif action <= Action.JOC_FORA:
        call_truc(state, action - Action.TRUC + 1)
    elif action <= Action.TOTS:
        call_envit(state, action - Action.ENVIDA + 1)
    elif action <= Action.NO_VULL:
        answer(state, action == Action.VULL)
    elif state.phase == Phase.WINDOW:
        pass_window(state)
    else:
        talk(state, action)


@rule
def answer(state, willing):
    """Vull or no vull, to the bet that is asked."""
    if state.phase == Phase.ENVIT:
        answer_envit(state, willing)
    else:
        answer_truc(state, willing)
