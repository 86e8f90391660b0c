"""A game that may end before everybody has acted: in turn, each of two seats may quit.

Action 0 quits and pays the other seat 1, action 1 goes on. After four decisions it is a draw.
Everything else is Kuhn poker's.
"""

from dataclasses import replace

from envs.core.jit import rule
from tests.toys import kuhn

QUIT, GO_ON = 0, 1
LENGTH = 4


@rule
def step(state, action):
    if action == QUIT:
        state.over = True
        state.reward[state.turn] = -1
        state.reward[1 - state.turn] = 1
    elif state.decisions == LENGTH:
        state.over = True
    state.turn = 1 - state.turn


GAME = replace(
    kuhn.GAME, module=__name__, title="Quitters", step=step, max_decisions=lambda config: LENGTH
)
