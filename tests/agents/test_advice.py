"""A policy with an advisor: it hears the advice, may overrule it, and its checkpoint keeps it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import agents
from agents.advice import Advisor, find_advisor
from agents.policy import PolicyAgent
from envs import Batch, find_game
from tests.toys.kuhn import GAME as KUHN
from tests.training.settings import SMALL
from training.ppo import Trainer, train

DUROS = find_game("quatre_duros_v0")
CONFIG = DUROS.configure()


@pytest.fixture(scope="module")
def batch():
    return Batch(DUROS.env_id, 64, seed=3)


def blank(batch, advisor, favourite=None):
    """A policy without a thought of its own, but perhaps a favourite action."""
    inputs, actions = batch.layout.size + batch.num_actions, batch.num_actions
    bias = np.zeros(actions, np.float32)
    if favourite is not None:
        bias[favourite] = 20
    weights = [np.zeros((inputs, actions), np.float32)]
    return PolicyAgent("blank", weights, [bias], temperature=0, advisor=advisor)


def play(batch, agent):
    return agent.act_batch(batch.observations, batch.action_masks, agents.streams(1, len(batch)))


def test_without_thoughts_of_its_own_it_plays_what_it_is_told(batch):
    advisor = find_advisor(DUROS, CONFIG, "strong", 3.0)
    assert play(batch, blank(batch, advisor)).tolist() == play(batch, advisor.agent).tolist()


def test_it_may_overrule_the_advice(batch):
    stand = 0
    advisor = find_advisor(DUROS, CONFIG, "strong", 3.0)
    told, chosen = play(batch, advisor.agent), play(batch, blank(batch, advisor, stand))
    may = batch.action_masks[:, stand]
    assert (told[may] != stand).any()
    assert (chosen[may] == stand).all()


def test_the_advice_stands_behind_the_observation(batch):
    advisor = find_advisor(DUROS, CONFIG, "strong", 3.0)
    rngs = agents.streams(1, len(batch))
    inputs = advisor.extend(batch.observations, batch.action_masks, rngs)
    size = batch.layout.size
    assert np.array_equal(inputs[:, :size], batch.observations)
    assert (inputs[:, size:].argmax(axis=1) == play(batch, advisor.agent)).all()
    assert (inputs[:, size:].sum(axis=1) == 1).all()


def test_rows_without_a_decision_get_no_advice(batch):
    advisor = find_advisor(DUROS, CONFIG, "strong", 3.0)
    masks = np.zeros_like(batch.action_masks)
    inputs = advisor.extend(batch.observations, masks, agents.streams(1, len(batch)))
    assert not inputs[:, batch.layout.size :].any()


ADVISED = replace(SMALL, advisor="random", advice=2.0)


def test_numpy_and_torch_add_the_same_advice():
    trainer = Trainer(KUHN, ADVISED)
    trainer.update()
    seen = np.repeat(trainer.play.batch.observations[:1], 2, axis=0)
    inputs = np.concatenate([seen, np.eye(2, dtype=seen.dtype)], axis=1)
    with torch.no_grad():
        theirs = trainer.network(inputs, None, np.arange(2), np.ones((2, 2), bool)).numpy()[:, :2]
    plain = trainer.agent().logits(inputs)
    assert theirs == pytest.approx(plain + 2.0 * np.eye(2), abs=1e-5)


def test_its_checkpoint_remembers_the_advisor(tmp_path):
    folder = train(KUHN, ADVISED, tmp_path, quiet=True)
    loaded = agents.load(KUHN, str(folder))
    assert isinstance(loaded.advisor, Advisor)
    assert loaded.card["advisor"] == {"agent": "random", "weight": 2.0}


def test_an_unknown_advisor_is_refused_by_name():
    with pytest.raises(ValueError, match=r"no advisor 'stronk' \(did you mean 'strong'"):
        find_advisor(DUROS, CONFIG, "stronk", 1.0)
