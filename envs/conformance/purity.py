"""Points 7 and 8: copies share nothing, looking changes nothing."""

import copy
import pickle
import random
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from envs.conformance.subject import Subject, choose, digest, is_over, same, trace

HORIZON = 60  # turns that a copy is followed


def copies(subject: Subject) -> None:
    """Point 7: copies by every way have the same future; the original is untouched."""
    for env in subject.tour(subject.many(12), every=3):
        before = _everything(env)
        twins = {
            "deepcopy": copy.deepcopy(env),
            "pickle": pickle.loads(pickle.dumps(env)),
        }
        if hasattr(env, "get_state"):
            twins["set_state"] = subject.env()
            twins["set_state"].set_state(env.get_state())
            assert twins["set_state"].get_state() == env.get_state(), (
                "set_state is not get_state's inverse"
            )
        for way, twin in twins.items():
            assert _everything(twin) == before, f"{way}: the copy differs from its original"
        logs = {way: trace(twin, random.Random(7), HORIZON) for way, twin in twins.items()}
        assert _everything(env) == before, "playing a copy has changed its original"
        for way, log in logs.items():
            same(logs["deepcopy"], log, f"{way} against deepcopy")
        _same_as_the_original(subject, env, logs["deepcopy"])


def _same_as_the_original(subject: Subject, env: AECEnv, expected: list[str]) -> None:
    """The original plays on like its copies; then it is put back through its own state."""
    if hasattr(env, "get_state"):
        state = env.get_state()
        same(trace(env, random.Random(7), HORIZON), expected, "the original against its copies")
        env.set_state(state)


def _everything(env: AECEnv) -> str:
    """A digest of all that can be read without a hook, and of the state where there is one."""
    books = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations)
    views = [env.observe(agent) for agent in env.agents]
    state = env.get_state() if hasattr(env, "get_state") else b""
    return digest((env.agents, env.agent_selection, books, env.infos, views, state))


def purity(subject: Subject) -> None:
    """Point 8: looking thrice changes nothing, kept arrays stay, scribbling does no harm."""
    mode = "ansi" if "ansi" in subject.env().metadata.get("render_modes", ()) else None
    kept: list[tuple[Any, str]] = []
    env, twin = subject.env(render_mode=mode), subject.env()
    turns = min(subject.many(300), 2 * subject.length)
    stride = max(1, turns // subject.many(20))
    for seed in range(2):
        chance, same_chance = random.Random(seed), random.Random(seed)
        env.reset(seed=seed)
        twin.reset(seed=seed)
        for turn in range(turns):
            if not env.agents:
                break
            if turn % stride == 0 or is_over(env):
                before = _everything(env)
                seen = [_look(env, mode) for _ in range(3)]
                assert digest(seen[0]) == digest(seen[1]) == digest(seen[2]), (
                    "looking again shows another thing"
                )
                assert _everything(env) == before, "looking has changed the environment"
                kept += [(thing, digest(thing)) for thing in seen[:1]]
                _scribble(_look(env, mode))
                assert _everything(env) == before, (
                    "scribbling on returned objects has changed the environment"
                )
                assert digest(_look(env, mode)) == digest(seen[0]), (
                    "scribbling on returned objects shows later"
                )
            assert digest(env.last()[:4]) == digest(twin.last()[:4]), (
                "an environment that was looked at plays on differently"
            )
            env.step(choose(env, chance))
            twin.step(choose(twin, same_chance))
    for thing, then in kept:
        assert digest(thing) == then, "an object that was returned earlier has changed"


def _look(env: AECEnv, mode: str | None) -> list[Any]:
    """All that can be looked at without changing anything."""
    seen: list[Any] = [env.observe(agent) for agent in env.agents]
    seen.append(list(env.last()[:4]))
    inner = env.unwrapped
    for name in ("zones", "get_state"):
        if hasattr(inner, name):
            seen.append(getattr(inner, name)())
    if hasattr(inner, "game"):
        seen += [inner.config, inner.decode(env.observe(env.agents[0]))]
        seen += [repr(inner.table(seat)) for seat in ("acting", 0, "all")]
        mask = env.observe(env.agent_selection)["action_mask"]
        seen.append([inner.action_text(int(action)) for action in np.flatnonzero(mask)])
    if mode is not None:
        seen.append(env.render())
    return seen


def _scribble(thing: Any) -> None:
    """Overwrite whatever can be overwritten."""
    if isinstance(thing, np.ndarray) and thing.flags.writeable:
        thing[...] = 77
    elif isinstance(thing, dict):
        for value in thing.values():
            _scribble(value)
        thing.clear()
    elif isinstance(thing, list | tuple):
        for value in thing:
            _scribble(value)
        if isinstance(thing, list):
            thing.clear()
