"""Point 5: the books of rewards."""

import random
from collections import defaultdict

import numpy as np
from pettingzoo.utils.env import AECEnv

from envs.conformance.batches import play_out, random_actions
from envs.conformance.subject import Subject, choose

MANY_TURNS = 50_000  # of all matches whose winners are counted, unless with more effort
ENOUGH = 10  # decided matches per seat before a seat can be said never to win
TOLERANCE = 1e-4  # of sums over a match: rewards are float32


def reward_books(subject: Subject) -> None:
    """Point 5: what ``last()`` delivers is what ``rewards`` announced, in range and adding up."""
    env = subject.env()
    for seed in range(subject.many(6)):
        env.reset(seed=seed)
        announced, delivered = _books(env, random.Random(seed))
        for agent in env.possible_agents:
            assert abs(announced[agent] - delivered[agent]) < TOLERANCE, (
                f"seed {seed}: {agent} is due {announced[agent]}, last() gave {delivered[agent]}"
            )
        _check_totals(env.metadata, [announced[agent] for agent in env.possible_agents], seed)


def _books(env: AECEnv, chance: random.Random) -> tuple[dict[str, float], dict[str, float]]:
    announced: dict[str, float] = defaultdict(float)
    delivered: dict[str, float] = defaultdict(float)
    while env.agents:
        delivered[env.agent_selection] += float(env.last()[1])
        env.step(choose(env, chance))
        for agent, reward in env.rewards.items():
            announced[agent] += float(reward)
    return announced, delivered


def _check_totals(metadata: dict, totals: list[float], seed: int) -> None:
    if "reward_range" in metadata:
        low, high = metadata["reward_range"]
        assert min(totals) >= low - TOLERANCE and max(totals) <= high + TOLERANCE, (
            f"seed {seed}: totals {totals} leave reward_range {low}…{high}"
        )
    if metadata.get("reward_sum") is not None:
        assert abs(sum(totals) - metadata["reward_sum"]) < TOLERANCE, (
            f"seed {seed}: totals {totals} add up to {sum(totals)}, not {metadata['reward_sum']}"
        )


def everybody_wins_and_loses(subject: Subject) -> None:
    """Point 5: over many matches every seat gains and loses, and the books of each match close."""
    matches = 500 if subject.effort >= 5 else min(500, max(100, MANY_TURNS // subject.length))
    totals = _many_totals(subject, matches)
    metadata = subject.env().metadata
    for match, row in enumerate(totals):
        _check_totals(metadata, row.tolist(), match)
    decided = totals[(totals != 0).any(1)]  # matches cut off may pay nobody
    if len(decided) < ENOUGH * totals.shape[1]:
        return
    for seat, column in enumerate(decided.T):
        assert (column > 0).any(), f"seat {seat} gained nothing in {len(column)} matches"
        assert (column < 0).any(), f"seat {seat} lost nothing in {len(column)} matches"


def _many_totals(subject: Subject, matches: int) -> np.ndarray:
    """float[matches, seats], of random play."""
    if subject.has_game:
        return play_out(subject, matches, random_actions(5)).totals
    env = subject.env()
    rows = []
    for seed in range(matches):
        env.reset(seed=seed)
        announced, _ = _books(env, random.Random(seed))
        rows.append([announced[agent] for agent in env.possible_agents])
    return np.array(rows)
