"""How fast a game runs on this machine: the batch, the single environment, and the start-up."""

import json
import os
import random
import subprocess
import sys
import time
from typing import Any

import numpy as np

from agents import ask, ask_one, load, streams
from envs import find_game
from envs.core.aec import GameEnv
from envs.core.batch import Batch
from envs.core.game import Config, Game

BATCH_GAMES = 4096
SEARCHED = 1000  # iterations a decision, to time the search
_IMPORT = "import time; t = time.perf_counter(); import envs; print(time.perf_counter() - t)"
_FIRST_STEP = """
import json, sys, numpy
from envs import Batch
config = json.loads(sys.argv[2])
batch = Batch(sys.argv[1], 16, **config)
batch.step(batch.action_masks.argmax(axis=1))
"""


def measure(
    game: "str | Game",
    num_games: int = BATCH_GAMES,
    seconds: float = 2.0,
    start_up: bool = True,
    num_players: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Figures of one game, by name.

    ``batch_1_core`` and ``batch_N_threads`` are decisions per second of a batch whose actions a
    compiled random player chooses on one core, masks and observations written; ``step_…`` counts
    the time inside ``Batch.step`` alone. ``aec`` counts ``step`` and ``last`` of the raw
    single environment. ``ismcts`` counts iterations of the search per second on one core, at the
    start of matches and with the game's own playouts. Start-up times are those of a fresh process
    with a warm compilation cache.

    Args:
        game: ``"truc_v0"``; for the start-up times one of the registered games.
        num_games: in the batch.
        seconds: for each of the measurements.
        start_up: measure fresh processes too.
        num_players, options: as for the environment.
    """
    game = find_game(game)
    config = game.configure(num_players, **options)
    threads = os.cpu_count() or 1
    figures: dict[str, Any] = {"env_id": game.env_id, "config": config, "batch_games": num_games}
    figures["observation_places"] = game.layout(config).size
    figures["actions"] = game.num_actions(config)
    figures["state_bytes"] = game.dtype.itemsize
    one = batch_rate(game, config, num_games, 1, seconds)
    figures["decisions_per_match"] = decisions_per_match(game, config)
    figures["batch_1_core"], figures["step_1_core"] = one["all"], one["step"]
    if threads > 1:
        several = batch_rate(game, config, num_games, threads, seconds)
        figures[f"batch_{threads}_threads"] = several["all"]
        figures[f"step_{threads}_threads"] = several["step"]
    figures["aec"] = aec_rate(game, config, seconds)
    figures["ismcts"] = search_rate(game, config, seconds)
    if start_up:
        figures["import_seconds"] = min(_output(_IMPORT) for _ in range(3))
        figures["first_step_seconds"] = first_step_seconds(game, config)
    return figures


def batch_rate(
    game: Game, config: Config, num_games: int, threads: int, seconds: float
) -> dict[str, float]:
    """Decisions per second of random play in a batch: ``all``, and ``step`` alone."""
    batch = Batch(game, num_games, threads=threads, **config)
    player = load(game, "random", **config)
    rngs = streams(1, num_games)
    steps, stepping = 0, 0.0
    batch.step(ask(player, batch, rngs))  # compiles
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        actions = ask(player, batch, rngs)
        before = time.perf_counter()
        batch.step(actions)
        stepping += time.perf_counter() - before
        steps += 1
    elapsed = time.perf_counter() - begin
    batch.close()
    decisions = steps * num_games
    return {"all": round(decisions / elapsed), "step": round(decisions / stepping)}


def decisions_per_match(game: Game, config: Config, matches: int = 256) -> float:
    """Mean length of a match of random play."""
    batch = Batch(game, matches, autoreset=False, **config)
    player = load(game, "random", **config)
    rngs = streams(2, matches)
    while not batch.states["over"].all():
        batch.step(ask(player, batch, rngs))
    return round(float(np.mean(batch.states["decisions"])), 1)


def aec_rate(game: Game, config: Config, seconds: float) -> int:
    """Decisions per second of the raw single environment, ``step`` and ``last``, random play."""
    env = GameEnv(game, **config)
    pick = random.Random(1)
    env.reset(seed=1)
    env.step(env.infos[env.agent_selection]["action_mask"].argmax())  # compiles,
    for agent in env.possible_agents:
        env.observe(agent)  # and so does the view of a seat that waits
    decisions, inside = 0, 0.0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.reset()
        legal = env.infos[env.agent_selection]["action_mask"].nonzero()[0]
        action = legal[pick.randrange(len(legal))]
        before = time.perf_counter()
        env.step(action)
        env.last()
        inside += time.perf_counter() - before
        decisions += 1
    return round(decisions / inside)


def search_rate(game: Game, config: Config, seconds: float) -> int:
    """Iterations per second of ``ismcts:1000`` at the first decisions of matches."""
    env, agent = GameEnv(game, **config), load(game, f"ismcts:{SEARCHED}", **config)
    rng = streams(3)
    decisions, inside = -1, 0.0
    while inside < seconds:
        env.reset(seed=decisions + 1)
        before = time.perf_counter()
        ask_one(agent, env, rng)
        if decisions >= 0:  # the first one compiles
            inside += time.perf_counter() - before
        decisions += 1
    return round(SEARCHED * decisions / inside)


def first_step_seconds(game: Game, config: Config) -> float:
    """Wall time of a whole process that makes one batch step, once the cache is warm."""
    for _ in range(2):  # the first fills the cache
        begin = time.perf_counter()
        _run(_FIRST_STEP, game.env_id, json.dumps(dict(config)))
        elapsed = time.perf_counter() - begin
    return round(elapsed, 3)


def _run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _output(code: str) -> float:
    return round(float(_run(code)), 3)


if __name__ == "__main__":
    from training.cli import main

    sys.exit(main(["bench", *sys.argv[1:]]))
