"""Paying by the hand moves rewards forward in time and adds nothing over a match."""

import numpy as np
import pytest

import agents
from envs import Batch
from training.foresight import Foresight

GAMES = 16


def played(env_id):
    """Of each slot's first match: sums of rewards and worths; its first promise; all worths."""
    batch = Batch(env_id, GAMES, seed=4)
    foresight = Foresight(batch)
    promised = foresight.promised.copy()
    player, rngs = agents.load(env_id, "simple"), agents.streams(2, GAMES)
    paid, worth = np.zeros((2, GAMES, batch.num_players))
    running, steps = np.ones(GAMES, bool), []
    while running.any():
        batch.step(player.act_batch(batch.observations, batch.action_masks, rngs))
        steps.append(foresight.rewards())
        worth[running] += steps[-1][running]
        paid[running] += batch.rewards[running]
        running &= ~batch.dones
    return paid, worth, promised, steps


@pytest.mark.parametrize("env_id", ["truc_v0", "quatre_duros_v0", "puc_v0", "balco_v0"])
def test_a_match_is_worth_its_reward_less_what_its_start_promised(env_id):
    paid, worth, promised, _ = played(env_id)
    assert worth == pytest.approx(paid - promised, abs=1e-4)


def test_hands_are_paid_when_they_end():
    _, _, _, steps = played("truc_v0")
    paying = np.mean([np.any(step != 0, axis=1) for step in steps])
    assert 1 / 40 < paying < 1 / 3  # a hand takes a dozen decisions, a match some two hundred


def test_a_game_without_an_outlook_pays_as_ever():
    _, _, promised, steps = played("poker_builder_v0")
    assert not promised.any()
    assert all(set(np.unique(step)) <= {-1, 0, 1} for step in steps)
