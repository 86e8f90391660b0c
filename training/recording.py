"""Matches of an evaluation as replays.

A block is the same whenever it is played, so the first ones are played once more with their actions
written down, and each match is then played by an environment that records it.
"""

from pathlib import Path

import numpy as np

from agents import Agent
from envs.core.aec import GameEnv
from envs.core.game import Config, Game
from envs.core.replay import RecordGame
from training.evaluate import (
    UNDER_TEST,
    deals_of,
    name_of,
    play_blocks,
    resolve,
    seating_of,
)


def record_blocks(
    game: Game,
    config: Config,
    agent: "str | Agent",
    opponent: "str | Agent",
    seed: int,
    kept: int,
    folder: Path,
) -> list[Path]:
    """Write the matches of the first blocks of an evaluation, a file for each.

    Args:
        game, config, agent, opponent, seed: of the evaluation.
        kept: how many of its blocks are written, from the first.
        folder: gets ``AGENT-OPPONENT-block-B-rotation-R.jsonl``.
    """
    seating = seating_of(game, config)
    rotations = len(seating)
    played: list[list[int]] = [[] for _ in range(kept * rotations)]

    def watch(running: np.ndarray, actions: np.ndarray) -> None:
        for match in running:
            played[match].append(int(actions[match]))

    players = (resolve(game, config, agent), resolve(game, config, opponent))
    play_blocks(game, config, players, seed, 0, kept, watch)
    own, other = name_of(agent), name_of(opponent)
    files = []
    for match, actions in enumerate(played):
        block, rotation = divmod(match, rotations)
        names = [own if side == UNDER_TEST else other for side in seating[rotation]]
        title = f"{_plain(own)}-{_plain(other)}-block-{block}-rotation-{rotation}.jsonl"
        env = RecordGame(GameEnv(game, **config), folder / title, names)
        env.reset(seed=deals_of(seed, block, block + 1)[0])
        for action in actions:
            env.step(action)
        files.append(folder / title)
    return files


def _plain(name: str) -> str:
    """A name that may be a path, as a part of a file's name."""
    return "".join(c if c.isalnum() else "_" for c in name).strip("_")
