"""Stable-Baselines3's own vector environments over the Gymnasium view."""

import warnings
from functools import partial

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

# "envs:" has Gymnasium import the package that registers the games, also in a spawned process.
TRUC = partial(gymnasium.make, "envs:naips/Truc-v0", opponent="simple", hands=1)


@pytest.fixture(params=["dummy", "spawned"])
def table(request):
    if request.param == "dummy":
        made = DummyVecEnv([TRUC] * 4)
    else:
        made = SubprocVecEnv([TRUC] * 2, start_method="spawn")
    yield made
    made.close()


def test_sb3s_own_check_passes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(TRUC(illegal="random").unwrapped)


def test_maskable_ppo_learns_on_it_without_an_illegal_move(table):
    """The environment refuses illegal actions, so that one would end the run."""
    assert is_masking_supported(table)
    model = MaskablePPO("MultiInputPolicy", table, n_steps=32, batch_size=32, n_epochs=1, seed=0)
    model.learn(128)
    seen = table.reset()
    masks = get_action_masks(table)
    assert (masks == seen["action_mask"]).all()
    actions, _ = model.predict(seen, action_masks=masks)
    assert masks[np.arange(len(masks)), actions].all()


def test_an_end_is_no_timeout_and_shows_the_learners_last_view(table):
    """SB3 would bootstrap from a timeout's value; the games have paid all there is."""
    table.seed(0)
    table.reset()
    ended = []
    for _ in range(20):
        _, rewards, ends, infos = table.step(get_action_masks(table).argmax(axis=1))
        for k in np.flatnonzero(ends):
            assert not infos[k]["TimeLimit.truncated"]
            assert not infos[k]["terminal_observation"]["action_mask"].any()
            ended.append(rewards[k])
    assert min(ended) < 0 < max(ended)
