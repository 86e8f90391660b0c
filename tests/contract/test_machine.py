"""Hypothesis plays the AEC environment in every order it can think of."""

import copy
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from envs.core.game import IllegalActionError
from tests.contract.cells import Cell


def machine(cell: Cell) -> type[RuleBasedStateMachine]:
    """The state machine of one cell."""

    class Play(RuleBasedStateMachine):
        @initialize(seed=st.integers(0, 2**70))
        def start(self, seed):
            self.env = cell.subject.env(render_mode="ansi")
            self.env.reset(seed=seed)
            self.saved = []

        @property
        def over(self):
            return bool(self.env.states["over"][0])

        def legal(self):
            return np.flatnonzero(self.env.observe(self.env.agent_selection)["action_mask"])

        @precondition(lambda self: self.env.agents and not self.over)
        @rule(picks=st.lists(st.integers(0, 10**6), min_size=1, max_size=12))
        def play(self, picks):
            for pick in picks:
                if not self.over:
                    legal = self.legal()
                    self.env.step(int(legal[pick % len(legal)]))

        @precondition(lambda self: self.env.agents and self.over)
        @rule()
        def leave(self):
            before = list(self.env.agents)
            assert self.env.agent_selection == before[0]
            assert not self.env.last()[0]["action_mask"].any()
            self.env.step(None)
            assert self.env.agents == before[1:]

        @precondition(lambda self: self.env.agents)
        @rule(action=st.one_of(st.integers(-5, 10**6), st.floats(), st.none(), st.text(max_size=2)))
        def play_illegal(self, action):
            legal = [None] if self.over else self.legal().tolist()
            if action in legal:
                return
            state = self.env.get_state()
            with pytest.raises(IllegalActionError):
                self.env.step(action)
            assert self.env.get_state() == state

        @rule()
        def save(self):
            self.saved.append((self.env.get_state(), self.env.render(), list(self.env.agents)))

        @precondition(lambda self: self.saved)
        @rule(pick=st.integers(0, 10**6))
        def load(self, pick):
            state, text, agents = self.saved[pick % len(self.saved)]
            self.env.set_state(state)
            assert (self.env.get_state(), self.env.render(), self.env.agents) == (
                state,
                text,
                agents,
            )

        @rule(way=st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]))
        def go_on_with_a_copy(self, way):
            state = self.env.get_state()
            old, self.env = self.env, way(self.env)
            assert self.env.get_state() == state
            old.reset(seed=1)
            assert self.env.get_state() == state

        @rule(seed=st.one_of(st.none(), st.integers(0, 2**64)))
        def reset(self, seed):
            self.env.reset(seed=seed)
            assert self.env.agents == self.env.possible_agents

        @invariant()
        def masks_belong_to_the_acting_seat(self):
            for agent in self.env.possible_agents if hasattr(self, "env") else ():
                shown = self.env.observe(agent)["action_mask"].any()
                assert shown == (agent == self.env.agent_selection and not self.over)

        @invariant()
        def cards_are_conserved(self):
            if hasattr(self, "env"):
                cards = [card for zone in self.env.zones().values() for card in zone]
                assert len(cards) == len(cell.subject.game.pack(cell.subject.config))

    return Play


def test_any_order_of_calls(cell: Cell, full: bool) -> None:
    run(
        machine(cell),
        settings=settings(
            max_examples=100 if full else 8,
            stateful_step_count=40 if full else 25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
