"""Wrappers of PettingZoo and SuperSuit: those that make sense work, the others say why not."""

import numpy as np
import pettingzoo
import pytest
import supersuit
from pettingzoo.utils import aec_to_parallel, wrappers

import envs
from envs import truc_v0


def short():
    return truc_v0.env(hands=1)


def vectors(env):
    """Observations as plain vectors; the mask stays in ``infos``."""
    return supersuit.observation_lambda_v0(
        env, lambda seen, space: seen["observation"], lambda space: space["observation"]
    )


WORKING = {
    "OrderEnforcing": wrappers.OrderEnforcingWrapper,
    "AssertOutOfBounds": wrappers.AssertOutOfBoundsWrapper,
    "TerminateIllegal": lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=-1),
    "MultiEpisode": lambda env: wrappers.MultiEpisodeEnv(env, num_episodes=2),
    "clip_reward": supersuit.clip_reward_v0,
    "reward_lambda": lambda env: supersuit.reward_lambda_v0(env, lambda reward: 10 * reward),
    "pad_action_space": supersuit.pad_action_space_v0,
    "observation_lambda": vectors,
    "dtype, normalize_obs": lambda env: supersuit.normalize_obs_v0(
        supersuit.dtype_v0(vectors(env), np.float32)
    ),
    "frame_stack": lambda env: supersuit.frame_stack_v2(vectors(env), 2),
    "agent_indicator": lambda env: supersuit.agent_indicator_v0(vectors(env)),
}
REFUSED = {
    "ClipOutOfBounds": (wrappers.ClipOutOfBoundsWrapper, "for Box spaces"),
    "aec_to_parallel": (aec_to_parallel, "Converting from an AEC environment"),
    "black_death": (supersuit.black_death_v3, "Converting from an AEC environment"),
    "pettingzoo_env_to_vec_env": (supersuit.pettingzoo_env_to_vec_env_v1, "takes in a pettingzoo"),
    "frame_stack": (supersuit.frame_stack_v2, "only allowed for Box and Discrete"),
    "agent_indicator": (supersuit.agent_indicator_v0, "must be 1d, 2d, or 3d Box"),
    "pad_observations": (supersuit.pad_observations_v0, "only supports Discrete and Box"),
}


@pytest.mark.parametrize("env_id", envs.GAMES)
def test_the_registry_knows_every_game(env_id):
    env = pettingzoo.make("aec", f"naips/{env_id.replace('_v', '-v')}")
    assert env.metadata["name"] == env_id


@pytest.mark.parametrize("name", WORKING)
def test_a_whole_match_can_be_played_through(name):
    env = WORKING[name](short())
    env.reset(seed=1)
    ended = set()
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        ended |= {agent} if over else set()
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
    assert ended == set(env.possible_agents)


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrapper_that_makes_no_sense_says_so(name):
    wrap, reason = REFUSED[name]
    with pytest.raises(AssertionError, match=reason):
        wrap(short())


def test_terminate_illegal_ends_the_match_at_the_offenders_cost():
    env = wrappers.TerminateIllegalWrapper(short(), illegal_reward=-1)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[4]["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env.rewards[offender] == -1
