"""Point 6: a match depends on its seed and the actions, and on nothing else."""

import hashlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from envs.conformance.subject import Subject, choose, constructor, digest, is_over, same, trace

ROOT = Path(__file__).resolve().parents[2]


def determinism(subject: Subject) -> None:
    """Point 6: one object twice, a fresh one, two interleaved play alike; no global chance."""
    turns = subject.many(300)
    env = subject.env()
    first = _from_reset(env, 6, turns)
    same(first, _from_reset(env, 6, turns), "the same object reset twice")
    same(first, _from_reset(subject.env(), 6, turns), "a fresh object")
    if subject.has_game:
        same(first, _from_reset(env, np.int64(6), turns), "a NumPy seed")
    for log in _interleaved(subject, 6, turns):
        same(first, log, "two environments interleaved")
    python, numpy = random.getstate(), repr(np.random.get_state())
    _from_reset(subject.env(), 6, min(turns, 50))
    assert random.getstate() == python, "play has used Python's global random state"
    assert repr(np.random.get_state()) == numpy, "play has used NumPy's global random state"
    _check_seeds_differ(subject)


def _from_reset(env: AECEnv, seed: int | np.integer, turns: int) -> list[str]:
    env.reset(seed=seed)
    return trace(env, random.Random(1), turns)


def _interleaved(subject: Subject, seed: int, turns: int) -> list[list[str]]:
    pair = [subject.env(), subject.env()]
    chances = [random.Random(1), random.Random(1)]
    logs: list[list[str]] = [[], []]
    for env in pair:
        env.reset(seed=seed)
    while any(env.agents for env in pair) and len(logs[0]) < turns:
        for env, chance, log in zip(pair, chances, logs, strict=True):
            log += trace(env, chance, 1)
    return logs


def _check_seeds_differ(subject: Subject) -> None:
    """Seeds 0 … 19 and twenty seedless resets are matches of their own, with several deals."""
    if not subject.has_game:
        return
    env = subject.env().unwrapped
    keys, deals = set(), set()
    for seed in [*range(20), *[None] * 20]:
        env.reset(seed=seed)
        keys.add(int(env.states["rng"][0, 0]))
        deals.add(digest(env.zones()))
    assert len(keys) == 40, f"40 matches have {len(keys)} random streams"
    assert len(deals) > 2, f"40 matches have {len(deals)} different deals"


# Other processes. A job says how to get at a match there, and what its trace must hash to.


def other_processes(subject: Subject) -> None:
    """Point 6 and 7: the same match elsewhere, from its seed, its state, its pickle."""
    check_elsewhere([subject])


def check_elsewhere(subjects: Sequence[Subject]) -> None:
    """``other_processes`` of several subjects at the cost of two processes."""
    jobs, pickled = [], []
    for subject in subjects:
        jobs += _jobs(subject)
        pickled += _pickles(subject)
    _run_interpreter(jobs)
    _run_spawned(pickled)


def _hash(log: list[str]) -> str:
    return hashlib.sha256(" ".join(log).encode()).hexdigest()


def _jobs(subject: Subject) -> list[dict[str, Any]]:
    turns = subject.many(200)
    base = {
        "entry": subject.entry,
        "arguments": dict(subject.arguments),
        "turns": turns,
        "state": None,
    }
    env = subject.env()
    jobs = [base | {"hash": _hash(_from_reset(env, 16, turns))}]
    if hasattr(env, "get_state"):
        _go_to_middle(subject, env)
        state = env.get_state().hex()
        jobs.append(base | {"state": state, "hash": _hash(trace(env, random.Random(1), turns))})
    return jobs


def _go_to_middle(subject: Subject, env: AECEnv) -> None:
    env.reset(seed=17)
    chance = random.Random(17)
    for _ in range(min(subject.length // 2, 100)):
        if env.agents and not is_over(env):
            env.step(choose(env, chance))


def _pickles(subject: Subject) -> list[tuple[Any, int, str]]:
    env = subject.env()
    _go_to_middle(subject, env)
    turns = subject.many(200)
    twin = subject.env()
    _go_to_middle(subject, twin)
    return [(env, turns, _hash(trace(twin, random.Random(1), turns)))]


def run_job(job: dict[str, Any]) -> str:
    """The hash of the trace that a job describes, in this process."""
    env = constructor(job["entry"])(**job["arguments"])
    if job["state"] is None:
        return _hash(_from_reset(env, 16, job["turns"]))
    env.set_state(bytes.fromhex(job["state"]))
    return _hash(trace(env, random.Random(1), job["turns"]))


def _run_interpreter(jobs: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jobs.json")
        path.write_text(json.dumps(jobs))
        code = (
            "import json, sys; from envs.conformance.determinism import run_job; "
            "print(json.dumps([run_job(job) for job in json.load(open(sys.argv[1]))]))"
        )
        environment = os.environ | {
            "PYTHONHASHSEED": "4711",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env=environment, cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, f"another interpreter fails:\n{done.stderr[-3000:]}"
    for job, found in zip(jobs, json.loads(done.stdout), strict=True):
        way = "seed" if job["state"] is None else "state"
        assert found == job["hash"], (
            f"{job['entry']} {job['arguments']}: another interpreter plays on differently from "
            f"the {way}"
        )


def _spawned(env: AECEnv, turns: int) -> str:
    return _hash(trace(env, random.Random(1), turns))


def _run_spawned(pickled: list[tuple[Any, int, str]]) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        1, mp_context=context
    ) as pool:  # a Pool restarts dying children for ever
        found = [pool.submit(_spawned, env, turns).result() for env, turns, _ in pickled]
    for (env, _, expected), hashed in zip(pickled, found, strict=True):
        assert hashed == expected, f"{env} plays on differently in a spawned process"
