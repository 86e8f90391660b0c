"""Matches of an evaluation as replays.

A block is the same whenever it is played among the same neighbours, so the first ones are played
once more with their actions written down, and each match is then played by an environment that
records it.
"""

from pathlib import Path

import numpy as np

import agents
from agents.base import searches
from envs.core.aec import GameEnv
from envs.core.game import Config, Game
from envs.core.replay import RecordGame
from training.evaluate import CHUNK_GAMES, UNDER_TEST, deals_of, play_blocks, seating_of


def record_blocks(
    game: Game,
    config: Config,
    agent: str,
    opponent: str,
    seed: int,
    blocks: int,
    kept: int,
    folder: Path,
) -> list[Path]:
    """Write the matches of the first blocks of an evaluation, a file for each.

    Args:
        game, config, agent, opponent, seed, blocks: of the evaluation.
        kept: how many of its blocks are written, from the first.
        folder: gets ``AGENT-OPPONENT-block-B-rotation-R.jsonl``.
    """
    seating = seating_of(game, config)
    rotations = len(seating)
    played: list[list[int]] = [[] for _ in range(kept * rotations)]

    def watch(running: np.ndarray, actions: np.ndarray) -> None:
        for match in running[running < len(played)]:
            played[match].append(int(actions[match]))

    players = (agents.load(game, agent, **config), agents.load(game, opponent, **config))
    # What a network answers may depend, in its last bits, on how much it is asked at once; a
    # search, which takes long, is asked for each position alone.
    alone = any(searches(player) for player in players)
    last = kept if alone else max(kept, min(blocks, CHUNK_GAMES // rotations))
    play_blocks(game, config, players, seed, 0, last, watch)
    files = []
    for match, actions in enumerate(played):
        block, rotation = divmod(match, rotations)
        names = [agent if side == UNDER_TEST else opponent for side in seating[rotation]]
        title = f"{_plain(agent)}-{_plain(opponent)}-block-{block}-rotation-{rotation}.jsonl"
        env = RecordGame(GameEnv(game, **config), folder / title, names)
        env.reset(seed=deals_of(seed, block, block + 1)[0])
        for action in actions:
            env.step(action)
        files.append(folder / title)
    return files


def _plain(name: str) -> str:
    """A name that may be a path, as a part of a file's name."""
    return "".join(c if c.isalnum() else "_" for c in name).strip("_")
