"""Agents by a short text."""

import pickle

import numpy as np
import pytest

import agents
from agents.base import CompiledAgent
from agents.policy import FILE, FORMAT
from agents.storage import write_arrays
from envs.core.jit import rule
from tests.toys.kuhn import GAME as KUHN

CONFIG = KUHN.configure()


@pytest.fixture
def checkpoint(tmp_path):
    """A policy that always bets, as a training run would leave it."""
    layout = KUHN.layout(CONFIG)
    card = {
        "format": FORMAT,
        "env_id": "kuhn_v0",
        "num_players": 2,
        "options": CONFIG,
        "layout": layout.hash,
        "num_actions": 2,
        "temperature": 0.0,
    }
    folder = tmp_path / "run" / "checkpoint-000000000001"
    folder.mkdir(parents=True)
    arrays = {
        "weight_0": np.zeros((layout.size, 2), np.float32),
        "bias_0": np.array([0, 1], np.float32),
    }
    write_arrays(folder / FILE, arrays, card)
    return folder


def test_a_checkpoint_is_found_by_its_folder_its_file_or_its_run(checkpoint):
    for path in (checkpoint, checkpoint / FILE, checkpoint.parent):
        agent = agents.load(KUHN, str(path))
        observations = np.zeros((3, KUHN.layout(CONFIG).size), np.int8)
        masks = np.ones((3, 2), bool)
        assert agent.act_batch(observations, masks, agents.streams(1, 3)).tolist() == [1, 1, 1]


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="no agent 'expert'; known: PATH of a checkpoint, ismcts"):
        agents.load(KUHN, "expert")
    with pytest.raises(FileNotFoundError, match="no checkpoint in"):
        agents.load(KUHN, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        agents.load(KUHN, str(tmp_path / "nowhere"))


def bets(agent):
    observations = np.zeros((8, KUHN.layout(CONFIG).size), np.int8)
    return agent.act_batch(observations, np.ones((8, 2), bool), agents.streams(1, 8)).tolist()


def test_a_compiled_agent_goes_to_another_process_by_the_name_of_its_function():
    agent = agents.load(KUHN, "random")
    travelling = pickle.dumps(agent)
    assert b"uniform" in travelling
    assert len(travelling) < 500  # no code, which would be compiled anew over there
    assert bets(pickle.loads(travelling)) == bets(agent) != [1] * 8


def test_a_function_that_has_no_such_name_travels_itself():
    @rule
    def bold(observation, mask, at, num_players, bits):
        return 1

    agent = CompiledAgent(KUHN, CONFIG, "bold", bold)
    assert bets(pickle.loads(pickle.dumps(agent))) == [1] * 8
