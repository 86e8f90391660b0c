"""Points 1 and 2: the action mask is well formed, and it tells the truth."""

import copy
import random
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from envs.conformance.subject import Subject, is_over, mask_of

SAMPLE = 64  # masked-in and masked-out actions tried per position, at most


def mask_contract(subject: Subject) -> None:
    """Point 1: the acting seat's mask is well formed; all other masks are zero."""
    for env in subject.tour(subject.many(250)):
        acting = None if is_over(env) else env.agent_selection
        if acting is not None:
            _check_acting(env, acting)
        for agent in env.agents:
            mask = mask_of(env, agent)
            if agent != acting and mask is not None:
                assert not mask.any(), (
                    f"{agent} does not act ({acting} does) but is shown legal actions "
                    f"{np.flatnonzero(mask).tolist()}"
                )
                shown = env.infos[agent].get("action_mask", mask)
                assert not np.any(shown), (
                    f"infos[{agent!r}] shows a mask to a seat that does not act"
                )


def _check_acting(env: AECEnv, agent: str) -> None:
    observation, _, _, _, info = env.last()
    space = env.observation_space(agent)
    assert space.contains(observation), (
        f"{agent}: observation outside its space: {_outside(space, observation)}"
    )
    mask = mask_of(env, agent)
    if mask is None:
        return
    size = env.action_space(agent).n
    assert mask.shape == (size,), f"{agent}: mask of shape {mask.shape} for {size} actions"
    assert mask.dtype == np.int8, f"{agent}: mask of {mask.dtype}, not int8"
    assert np.isin(mask, (0, 1)).all(), f"{agent}: mask holds values beside 0 and 1"
    assert mask.any(), f"{agent} is to act and has no legal action"
    if "action_mask" in info:
        assert np.array_equal(info["action_mask"], mask), (
            f"{agent}: masks in info and observation differ"
        )
    drawn = env.action_space(agent).sample(mask)
    assert mask[drawn], f"{agent}: action_space.sample(mask) drew the illegal {drawn}"


def _outside(space: Any, observation: Any) -> str:
    box = space["observation"] if hasattr(space, "spaces") else space
    vector = observation["observation"] if isinstance(observation, dict) else observation
    if getattr(vector, "shape", None) != box.shape or vector.dtype != box.dtype:
        found = f"{getattr(vector, 'dtype', '')}{getattr(vector, 'shape', '')}"
        return f"{found} for {box.dtype}{box.shape}"
    places = np.flatnonzero((vector < box.low) | (vector > box.high))
    return ", ".join(f"[{p}] = {vector[p]} not in {box.low[p]}…{box.high[p]}" for p in places[:5])


def mask_truth(subject: Subject) -> None:
    """Point 2: legal actions can be played; illegal ones raise and change nothing."""
    chance = random.Random(2)
    spare = subject.env()
    for env in subject.tour(subject.many(60)):
        mask = None if is_over(env) else mask_of(env)
        if mask is None:
            continue
        for legal in _some(np.flatnonzero(mask), chance):
            _check_legal(env, spare, legal)
        if hasattr(env, "get_state"):
            outside: list[Any] = [-1, len(mask), None, 1.5, "0", np.array([0, 0])]
            for action in [*_some(np.flatnonzero(mask == 0), chance), *outside]:
                _check_illegal(env, action)


def _some(actions: np.ndarray, chance: random.Random) -> list[int]:
    return chance.sample(actions.tolist(), min(SAMPLE, len(actions)))


def _check_legal(env: AECEnv, spare: AECEnv, action: int) -> None:
    if hasattr(env, "get_state"):
        spare.set_state(env.get_state())
        twin = spare
    else:
        twin = copy.deepcopy(env)
    try:
        twin.step(action)
    except Exception as error:
        raise AssertionError(f"the mask allows {action}, which raises {error!r}") from error


def _check_illegal(env: AECEnv, action: object) -> None:
    before, views = (
        env.get_state(),
        [env.observe(agent)["observation"].tobytes() for agent in env.agents],
    )
    try:
        env.step(action)
    except ValueError as error:
        assert "legal" in str(error), (
            f"the error for {action!r} does not name the legal actions: {error}"
        )
    except Exception as error:
        raise AssertionError(
            f"illegal {action!r} raises {error!r}, which is no ValueError"
        ) from error
    else:
        raise AssertionError(f"illegal {action!r} is played without an error")
    assert env.get_state() == before, f"illegal {action!r} raises, but has changed the state"
    after = [env.observe(agent)["observation"].tobytes() for agent in env.agents]
    assert after == views, f"illegal {action!r} raises, but has changed an observation"
