"""PettingZoo's own tests."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from envs.conformance.setup import DISPLAYS
from tests.contract.cells import Cell

EXPECTED = (  # what PettingZoo says about every environment with Dict observations, and at the end
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Action mask numpy array is all zeros (no legal actions)",
)


def test_api(cell: Cell) -> None:
    env = cell.subject.env(render_mode="ansi")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=1000)
    strange = [str(w.message) for w in caught if not str(w.message).startswith(EXPECTED)]
    assert not strange


def test_seed(cell: Cell) -> None:
    seed_test(cell.subject.env, num_cycles=100)


def test_render(cell: Cell, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    render_test(cell.subject.env)
    assert capsys.readouterr().out


def test_masks_can_be_sampled_and_infos_equal_themselves(cell: Cell) -> None:
    """What learners do with an environment: sample the mask, compare infos, step NumPy integers."""
    env = cell.subject.env()
    env.reset(seed=1)
    for kind in (np.int16, np.int32, np.int64, np.uint16):
        _, _, _, _, info = env.last()
        assert info is env.infos[env.agent_selection]
        env.step(kind(env.action_space(env.agent_selection).sample(info["action_mask"])))
        if any(env.terminations.values()):
            env.reset()


def test_str_and_copies_before_reset(cell: Cell) -> None:
    env = cell.subject.env()
    assert str(env)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset(seed=4)
        env.reset(seed=4)
        assert twin.get_state() == env.get_state()
