"""Golden games: one text file per game and player count, replayed line by line.

``python -m tests.golden`` writes them anew; the diff shows what a change of the rules has changed.
A file holds the configuration, the seed, the deal, and one line per decision:

    player_2  play 11B  | 0f3c…  | +1 -1 +1 -1

the seat, its action in words, a hash of what it saw (observation and mask), and the rewards, where
there were any. The actions were drawn once and kept: random ones, rather those not played before.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from envs.conformance.subject import constructor, digest
from envs.core.aec import GameEnv
from tests.contract.cases import case_of, entry_of, game_of, games

FOLDER = Path(__file__).parent
SEED = 1


def wanted() -> list[tuple[str, int]]:
    """Id and player count of every golden game there must be."""
    return [(env_id, players) for env_id in games() for players in game_of(env_id).player_counts]


def path_of(env_id: str, players: int) -> Path:
    return FOLDER / f"{env_id}-{players}p.txt"


def record(env_id: str, players: int) -> str:
    """The text of a golden game, played anew."""
    arguments = {"seed": SEED, **case_of(env_id).golden.get(players, {})}
    seed = arguments.pop("seed")
    arguments = {"num_players": players, **arguments}
    env: GameEnv = constructor(entry_of(env_id, wrapped=False))(**arguments)
    chance = random.Random(seed)
    lines = [json.dumps({"seed": seed, **arguments}), *_begin(env, seed)]
    played: Counter = Counter()
    while not _over(env):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
        action = min(legal, key=lambda a: (played[a], chance.random()))
        played[action] += 1
        lines.append(_line(env, env.action_text(action)))
    return "\n".join([*lines, *_end(env), ""])


def replay(env_id: str, text: str) -> Iterator[tuple[str, str]]:
    """(line of the file, line as the game is now), until one of them is exhausted."""
    header, *lines = text.splitlines()
    arguments = json.loads(header)
    seed = arguments.pop("seed")
    env: GameEnv = constructor(entry_of(env_id, wrapped=False))(**arguments)
    opening = _begin(env, seed)
    yield from zip(lines, opening, strict=False)
    lines = lines[len(opening) :]
    while not _over(env):
        line = lines.pop(0) if lines else "the file ends here"
        words = line.partition("  ")[2].partition("  |")[0]
        yield line, _line(env, words)
    ending = _end(env)
    yield from zip(lines, ending, strict=False)
    yield f"{len(lines)} lines after the end", f"{len(ending)} lines after the end"


def _begin(env: GameEnv, seed: int) -> list[str]:
    env.reset(seed=seed)
    return [f"{name}: {' '.join(cards)}" for name, cards in env.zones().items() if cards]


def _over(env: GameEnv) -> bool:
    return bool(env.states["over"][0])


def _line(env: GameEnv, words: str) -> str:
    """Play an action given in words; the line that says what happened."""
    agent = env.agent_selection
    seen = env.observe(agent)
    env.step(env.parse_action(words))
    rewards = " ".join(f"{env.rewards[a]:+.6g}" for a in env.possible_agents)
    paid = f"  | {rewards}" if any(env.rewards.values()) else ""
    return f"{agent}  {words}  | {digest([seen['observation'], seen['action_mask']])}{paid}"


def _end(env: GameEnv) -> list[str]:
    """What every seat sees at the end, and how it ended."""
    views = digest([env.observe(agent)["observation"] for agent in env.possible_agents])
    ended = "truncated" if any(env.truncations.values()) else "terminated"
    return [f"{ended} after {int(env.states['decisions'][0])} decisions  | {views}"]
