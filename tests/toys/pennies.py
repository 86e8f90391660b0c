"""Matching pennies with a sealed first choice: who chooses second wins by choosing the same.

Everything else is Kuhn poker's; the cards mean nothing.
"""

from dataclasses import replace

from agents.search_tree import HIDDEN, REVEALS
from envs.core.jit import rule
from tests.toys import kuhn


@rule
def step(state, action):
    state.history[state.plies] = action + 1
    state.plies += 1
    if state.plies == 2:
        state.over = True
        won = 1 if state.history[0] == state.history[1] else -1
        state.reward[state.turn] = won
        state.reward[1 - state.turn] = -won
    state.turn = 1 - state.turn


@rule
def shown(state, action):
    return HIDDEN if state.plies == 0 else REVEALS


GAME = replace(kuhn.GAME, module=__name__, title="Pennies", step=step)
