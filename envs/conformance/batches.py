"""The batch engine: matches by simple players, and the proof that it plays the single game."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from envs.conformance.subject import MAX_TURNS, Subject, digest, same
from envs.core.aec import GameEnv
from envs.core.batch import Batch
from envs.core.random import game_seed

Player = Callable[[Batch], np.ndarray]  # the batch -> int64[B]


def random_actions(seed: int) -> Player:
    """Uniformly random legal play."""
    draw = np.random.default_rng(seed)
    return lambda batch: np.where(
        batch.action_masks, draw.random(batch.action_masks.shape), -1
    ).argmax(1)


def lowest_actions(batch: Batch) -> np.ndarray:
    """Always the legal action with the lowest id."""
    return batch.action_masks.argmax(1)


def highest_actions(batch: Batch) -> np.ndarray:
    """Always the legal action with the highest id."""
    return batch.num_actions - 1 - batch.action_masks[:, ::-1].argmax(1)


class Staller:
    """Does what was done most often in its slot: passing, drawing, whatever has not ended it."""

    _counts: np.ndarray | int = 0

    def __call__(self, batch: Batch) -> np.ndarray:
        actions = np.where(batch.action_masks, self._preference(), -np.inf).argmax(1)
        self._counts = self._counts + (np.arange(batch.num_actions) == actions[:, None])
        return actions

    def _preference(self) -> np.ndarray | int:
        return self._counts


class Explorer(Staller):
    """Does what was done least often in its slot, so that play gets where random play seldom does.

    In every other slot it plays at random.
    """

    def __init__(self, seed: int):
        self._draw = np.random.default_rng(seed)

    def __call__(self, batch: Batch) -> np.ndarray:
        self._noise = self._draw.random(batch.action_masks.shape)
        return super().__call__(batch)

    def _preference(self) -> np.ndarray:
        preference = self._noise - self._counts
        preference[::2] = self._noise[::2]
        return preference


class Outcome(NamedTuple):
    """What a set of matches came to: ``totals`` float[B, P], ``lengths`` and ``truncated`` [B]."""

    totals: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray


def new_batch(subject: Subject, games: int, **arguments: Any) -> Batch:
    """A batch of the subject's game under its configuration."""
    return Batch(subject.game, games, **{"threads": 1, **subject.config, **arguments})


def play_out(subject: Subject, games: int, player: Player, limit: int = MAX_TURNS) -> Outcome:
    """One match in each slot, to the end or the limit of decisions."""
    batch = new_batch(subject, games, seed=10, autoreset=False)
    totals = np.zeros((games, batch.num_players))
    truncated = np.zeros(games, np.bool_)
    turns = 0
    while not batch.states["over"].all() and turns < limit:
        batch.step(player(batch))
        totals += batch.rewards
        truncated |= batch.truncations
        turns += 1
    return Outcome(totals, batch.states["decisions"].copy(), truncated)


Log = list[str]
MAX_LOG = 2000  # turns compared: enough to see the next match in a slot, unless matches are long


def batch_log(batch: Batch, k: int, turns: int, others: random.Random) -> Log:
    """Game k of a batch, turn by turn; its policy depends on the turn alone."""
    log = []
    for turn in range(turns):
        seat = int(batch.seats[k])
        view = (seat, batch.observations[k].copy(), batch.action_masks[k].copy())
        actions = _actions(batch, k, turn, others)
        batch.step(actions)
        end = batch.final_observations[batch.dones[:k].sum()] if batch.dones[k] else np.zeros(0)
        flags = (bool(batch.dones[k]), bool(batch.truncations[k]))
        log.append(digest((view, int(actions[k]), batch.rewards[k].copy(), flags, end)))
    return log


def _pick(legal: np.ndarray, turn: int) -> int:
    return int(legal[random.Random(turn).randrange(len(legal))])


def _actions(batch: Batch, k: int, turn: int, others: random.Random) -> np.ndarray:
    actions = np.array(
        [others.choice(np.flatnonzero(mask)) for mask in batch.action_masks], np.int64
    )
    actions[k] = _pick(np.flatnonzero(batch.action_masks[k]), turn)
    return actions


def single_log(subject: Subject, seed: int, turns: int, skip_forced: bool = False) -> Log:
    """The same log from the AEC environment; after an end it goes on with a seedless reset."""
    env = subject.env().unwrapped
    env.reset(seed=seed)
    reward = _play_forced(env) if skip_forced else _nothing(env)
    log = []
    for turn in range(turns):
        observation = env.observe(env.agent_selection)
        mask = observation["action_mask"].astype(np.bool_)
        seat = env.possible_agents.index(env.agent_selection)
        view = (seat, observation["observation"], mask)
        action = _pick(np.flatnonzero(mask), turn)
        env.step(action)
        reward += _paid(env)
        if skip_forced and not _ended(env):
            reward += _play_forced(env, restart=False)
        done, truncated = _ended(env), any(env.truncations.values())
        end = (
            np.array([env.observe(a)["observation"] for a in env.possible_agents])
            if done
            else np.zeros(0)
        )
        log.append(digest((view, action, reward, (done, truncated), end)))
        reward = _nothing(env)
        if done:
            env.reset()
            reward = _play_forced(env) if skip_forced else reward
    return log


def _nothing(env: GameEnv) -> np.ndarray:
    return np.zeros(len(env.possible_agents), np.float32)


def _paid(env: GameEnv) -> np.ndarray:
    return np.array([env.rewards[agent] for agent in env.possible_agents], np.float32)


def _ended(env: GameEnv) -> bool:
    return bool(env.states["over"][0])


def _play_forced(env: GameEnv, restart: bool = True) -> np.ndarray:
    """Play decisions with one legal action; a match without any choice gives way to the next."""
    reward = _nothing(env)
    while True:
        if _ended(env):
            if not restart:
                return reward
            env.reset()
            reward = _nothing(env)
        mask = env.observe(env.agent_selection)["action_mask"]
        if mask.sum() != 1:
            return reward
        env.step(int(mask.argmax()))
        reward += _paid(env)


def batch_equals_single(subject: Subject) -> None:
    """Point 6: a slot of a batch is the AEC game of its seed, whatever stands beside it."""
    turns, games = max(60, min(subject.length + 50, subject.many(MAX_LOG))), 5
    for k, threads in ((0, 1), (3, 2), (4, 3)):
        alone = single_log(subject, game_seed(6, k), turns)
        batch = new_batch(subject, games, seed=6, threads=threads)
        same(
            alone,
            batch_log(batch, k, turns, random.Random(threads)),
            f"slot {k}, {threads} threads",
        )
        batch.close()
    seeds = [77, 5, game_seed(6, 4), 5]
    batch = new_batch(subject, 4, seeds=seeds)
    same(alone, batch_log(batch, 2, turns, random.Random(9)), "beside other neighbours")
    alone = single_log(subject, game_seed(6, 1), turns, skip_forced=True)
    batch = new_batch(subject, games, seed=6, skip_forced=True)
    same(
        alone,
        batch_log(batch, 1, turns, random.Random(8)),
        "skip_forced against forced moves by hand",
    )
