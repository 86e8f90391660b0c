"""Evaluation on duplicate deals: who is better, by how much, and how sure is that.

    report = evaluate("truc_v0", "strong", ["random", "simple"], blocks=1000, seed=7)
    print(report.text())
    report.save("report.json")

A *block* is one deal played once per team: in rotation t the agent under test holds every seat of
team t and the opponent all others, so that good cards help both alike. In a game without teams
every seat is a team of its own; in a match of several hands the deals of every hand are fixed by
the block's seed, however the hands before it were played. The block is the unit of all statistics.

The chance of a policy is a stream of its own for every deal, seat and side. A deterministic agent
against itself therefore scores exactly zero in every block, and a random one against itself does
not: its two sides are independent, as two random players are.
"""

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from rich.table import Table

from agents import Agent, ask, load, streams
from agents.policy import PolicyAgent
from envs import find_game
from envs.core.batch import Batch
from envs.core.game import Config, Game
from envs.core.random import game_seed
from training import reporting
from training.reporting import Reproducible, percent, signed
from training.statistics import Interval, points, variance_reduction, win_rate

CHUNK_GAMES = 1024  # matches in one batch; fixed, so that no result depends on the processes
UNDER_TEST, OPPONENT = 0, 1  # the two sides
Watch = Callable[[np.ndarray, np.ndarray], None]
SCORE_DIGITS = 5  # rewards are float32: what lies beyond is rounding, and zero is to be zero


@dataclass(frozen=True)
class Played:
    """Raw results of B blocks with T rotations and P seats.

    Attributes:
        rewards: float64[B, T, P], the total of every seat.
        illegal: int[2], illegal actions of each side; the first legal one was played instead.
        decisions: int[2], decisions of each side. (A side is a player of the seating.)
        truncated: matches that ended by a length limit.
    """

    rewards: np.ndarray
    illegal: np.ndarray
    decisions: np.ndarray
    truncated: int

    @staticmethod
    def join(parts: "Sequence[Played]") -> "Played":
        """The results of all chunks, in order."""
        return Played(
            np.concatenate([part.rewards for part in parts]),
            np.sum([part.illegal for part in parts], axis=0),
            np.sum([part.decisions for part in parts], axis=0),
            sum(part.truncated for part in parts),
        )


@dataclass(frozen=True)
class Matchup:
    """The agent under test against one opponent, which holds all seats that are not the agent's.

    Attributes:
        opponent: its name.
        win_rate: share of matches won, Wilson interval; a tie for first place counts as its part.
        points: mean reward of the agent's seats, BCa interval.
        team_points, team_wins: the same means by the team that the agent held.
        variance_reduction: how many times fewer matches the duplicate blocks needed; None where
            the blocks do not vary.
        matches, decisions: how much was played, the decisions of the agent under test.
        illegal: illegal actions of the agent; must be zero.
        opponent_illegal: those of the opponent.
        truncated: matches that ended by a length limit.
    """

    opponent: str
    win_rate: Interval
    points: Interval
    team_points: list[float]
    team_wins: list[float]
    variance_reduction: float | None
    matches: int
    decisions: int
    illegal: int
    opponent_illegal: int
    truncated: int


@dataclass(frozen=True)
class Report(Reproducible):
    """What an evaluation found.

    Everything but ``wall_seconds`` is a function of the arguments: the same seed gives the same
    ``to_json`` text, byte for byte.
    """

    env_id: str
    config: dict[str, Any]
    agent: str
    seed: int
    blocks: int
    rotations: int
    hashes: dict[str, str]
    matchups: list[Matchup]
    wall_seconds: float

    @property
    def fair_share(self) -> float:
        """The win rate among equals."""
        return 1 / self.rotations

    @property
    def illegal(self) -> int:
        """Illegal actions of all players together."""
        return sum(m.illegal + m.opponent_illegal for m in self.matchups)

    def derived(self) -> dict[str, Any]:
        """The win rate among equals."""
        return {"fair_share": self.fair_share}

    def save(self, path: str | os.PathLike) -> None:
        """Write the JSON file: the reproducible part as ``report``, the rest as ``run``."""
        self.write(Path(path))

    def draw(self, path: str | os.PathLike) -> None:
        """Draw the win rates with their intervals as a picture."""
        from training.pictures import draw_intervals

        draw_intervals(
            Path(path),
            f"{self.agent} at {self.env_id}, {self.config['num_players']} players",
            {f"against {m.opponent}": m.win_rate for m in self.matchups},
            self.fair_share,
            f"share of matches won; {self.blocks} duplicate blocks, 95 % intervals; dashed: par",
        )

    def table(self) -> Table:
        """The results as a table for the terminal."""
        title = f"{self.agent} at {self.env_id}, {self.config['num_players']} players"
        note = (
            f"{self.blocks} duplicate blocks of {self.rotations} matches, seed {self.seed}; "
            f"par is {self.fair_share:.1%}\n[95 % intervals], over blocks"
        )
        table = Table(title=title, caption=note, title_justify="left", caption_justify="left")
        table.add_column("against", no_wrap=True)
        for head in ("matches won", "points a match", "fewer matches", "illegal"):
            table.add_column(head, justify="right", no_wrap=True)
        for m in self.matchups:
            table.add_row(
                m.opponent,
                percent(m.win_rate),
                signed(m.points),
                "–" if m.variance_reduction is None else f"×{m.variance_reduction:.2f}",
                str(m.illegal),
            )
        return table


def evaluate(
    game: "str | Game",
    agent: "str | Agent",
    opponents: "str | Agent | Iterable[str | Agent]",
    blocks: int = 1000,
    seed: int = 0,
    num_players: int | None = None,
    processes: int = 1,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Report:
    """Play the agent against each opponent on the same duplicate blocks.

    Args:
        game: ``"truc_v0"``.
        agent: who is tested: an agent, or what ``agents.load`` understands.
        opponents: one or several; each in turn holds all seats that are not the agent's.
        blocks: deals for each opponent, at least 2.
        seed: of the deals and of the policies' chance.
        num_players, options: as for the environment.
        processes: how many processes share the work. The report is the same for any number. With
            more than one, agents are given by text, or can be pickled.
        progress: called with the number of blocks done since its last call.

    Raises:
        ValueError, TypeError: no such game, option or agent, too few blocks, or a negative seed.
    """
    game = find_game(game)
    config = game.configure(num_players, **options)
    check_plan(blocks, seed, processes)
    agent = pinned(game, config, agent)
    rivals = [pinned(game, config, rival, name_of(rival)) for rival in _several(opponents)]
    tested = resolve(game, config, agent)
    start = time.perf_counter()
    matchups = []
    with mapper(processes) as run:
        for rival in rivals:
            played = _play_all(game, config, (agent, rival), blocks, seed, run, progress)
            matchups.append(matchup(name_of(rival), played, game.teams(config), seed))
    return Report(
        env_id=game.env_id,
        config=dict(config),
        agent=tested.name,
        seed=seed,
        blocks=blocks,
        rotations=max(game.teams(config)) + 1,
        hashes=reporting.fingerprints(game, config, tested),
        matchups=matchups,
        wall_seconds=time.perf_counter() - start,
    )


def check_plan(blocks: int, seed: int, processes: int) -> None:
    """Raise ValueError now for what would end a measurement later, when it has been played."""
    if blocks < 2:
        raise ValueError(f"blocks={blocks}: an interval needs at least 2")
    if seed < 0:
        raise ValueError(f"seed={seed}: allowed are integers from 0")
    if processes < 1:
        raise ValueError(f"processes={processes}: allowed are integers from 1")


def play_blocks(
    game: Game,
    config: Config,
    players: tuple[Agent, Agent],
    seed: int,
    first: int,
    last: int,
    watch: Watch | None = None,
) -> Played:
    """Blocks first … last - 1 of an evaluation; block b is the same whoever plays it."""
    return play_seated(game, config, players, seating_of(game, config), seed, first, last, watch)


def seating_of(game: Game, config: Config) -> np.ndarray:
    """int[T, P]: in rotation t the agent under test holds team t."""
    teams = np.array(game.teams(config))
    rotations = np.arange(teams.max() + 1)
    return np.where(teams == rotations[:, None], UNDER_TEST, OPPONENT)


def deals_of(seed: int, first: int, last: int) -> list[int]:
    """The seeds with which an environment deals the blocks first … last - 1."""
    return [game_seed(seed ^ _DEALS, block) for block in range(first, last)]


def play_seated(
    game: Game,
    config: Config,
    players: Sequence[Agent],
    seating: np.ndarray,
    seed: int,
    first: int,
    last: int,
    watch: Watch | None = None,
) -> Played:
    """Blocks of any seating: ``seating`` int[T, P] says which player holds a seat in a rotation.

    ``watch`` is told the matches that are running and the actions of all, before they are played.
    """
    rotations, blocks, seats = len(seating), last - first, seating.shape[1]
    deals = deals_of(seed, first, last)
    batch = Batch(
        game,
        blocks * rotations,
        autoreset=False,
        threads=1,
        seeds=np.repeat(deals, rotations).tolist(),
        **config,
    )
    side = np.tile(seating, (blocks, 1))  # [match, seat]
    sides = len(players)
    chance = np.array([streams(deal ^ _CHANCE, sides * seats) for deal in deals])
    chance = np.repeat(chance.reshape(blocks, seats, sides), rotations, axis=0)
    rewards = np.zeros((batch.num_games, seats))
    illegal, decisions, truncated = np.zeros(sides, np.int64), np.zeros(sides, np.int64), 0
    actions = np.zeros(batch.num_games, np.int64)
    running = np.flatnonzero(~batch.states["over"])
    while len(running):
        to_act = batch.seats[running]
        acting_side = side[running, to_act]
        for which, player in enumerate(players):
            rows, at = running[acting_side == which], to_act[acting_side == which]
            if len(rows):
                chosen, wrong = _ask(player, batch, rows, chance, (rows, at, which))
                actions[rows] = chosen
                illegal[which] += wrong
                decisions[which] += len(rows)
        if watch is not None:
            watch(running, actions)
        batch.step(actions)
        rewards += batch.rewards
        truncated += int(batch.truncations.sum())
        running = running[~batch.states["over"][running]]
    return Played(rewards.reshape(blocks, rotations, seats), illegal, decisions, truncated)


_CHANCE = 0x5851F42D4C957F2D  # sets the policies' streams apart from the deals'
_DEALS = 0x2545F4914F6CDD1D  # and the deals apart from those of training with the same seed


def _ask(
    player: Agent, batch: Batch, rows: np.ndarray, chance: np.ndarray, at: tuple
) -> tuple[np.ndarray, int]:
    """Legal actions of one player for some matches, and how many of its answers were illegal."""
    masks = batch.action_masks[rows]
    rngs = chance[at]
    chosen = np.array(ask(player, batch, rngs, rows), np.int64)
    chance[at] = rngs
    inside = (chosen >= 0) & (chosen < batch.num_actions)
    legal = inside & masks[np.arange(len(rows)), np.where(inside, chosen, 0)]
    return np.where(legal, chosen, masks.argmax(axis=1)), int((~legal).sum())


def _play_all(
    game: Game,
    config: Config,
    players: "tuple[str | Agent, str | Agent]",
    blocks: int,
    seed: int,
    run: Callable,
    progress: Callable[[int], None] | None,
) -> Played:
    size = max(1, CHUNK_GAMES // (max(game.teams(config)) + 1))
    starts = range(0, blocks, size)
    job = partial(_play_chunk, game, dict(config), players, blocks, seed, size)
    parts = []
    for part in run(job, starts):
        parts.append(part)
        if progress is not None:
            progress(len(part.rewards))
    return Played.join(parts)


def _play_chunk(
    game: Game, config: Config, players: tuple, blocks: int, seed: int, size: int, first: int
) -> Played:
    agent, opponent = (resolve(game, config, player) for player in players)
    return play_blocks(game, config, (agent, opponent), seed, first, min(first + size, blocks))


@contextmanager
def mapper(processes: int) -> Iterator[Callable]:
    """``map`` in this process, or over several (spawned: threads do not survive a fork).

    Raises:
        ChildProcessError: one of them was ended from outside.
    """
    if processes == 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_end_with_the_parent) as pool:
        try:
            yield pool.map
        except BrokenProcessPool:
            raise ChildProcessError(
                f"one of {processes} processes was ended from outside, perhaps for want of memory; "
                "try again with fewer"
            ) from None


def _end_with_the_parent() -> None:
    """Let this process end when the one that started it has been killed, else it waits for ever."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _several(opponents: "str | Agent | Iterable[str | Agent]") -> "list[str | Agent]":
    if isinstance(opponents, str) or hasattr(opponents, "name"):
        return [cast("str | Agent", opponents)]
    return list(opponents)


def resolve(game: Game, config: Config, player: "str | Agent") -> Agent:
    return load(game, player, **config) if isinstance(player, str) else player


def pinned(
    game: Game, config: Config, player: "str | Agent", called: str | None = None
) -> "str | Agent":
    """The player as it is now, also for other processes and machines.

    A trained policy goes itself: its run may go on while it is measured, and another machine may
    not have its checkpoints. Every other text means the same there and later.

    Args:
        game, config, player: what ``resolve`` takes.
        called: what a policy is called in reports; None for the name of its checkpoint, which
            policies of several runs may share.

    Raises:
        ValueError, FileNotFoundError: no such agent.
    """
    agent = resolve(game, config, player)
    if not isinstance(agent, PolicyAgent):
        return player
    agent.name = called or agent.name
    return agent


def name_of(player: "str | Agent") -> str:
    """What a player is called that was asked for by a text, or given."""
    return player if isinstance(player, str) else player.name


def scores_of(rewards: np.ndarray, teams: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Points and win shares of the agent under test, float64[B, T] each, from all rewards."""
    by_team = _team_scores(rewards, teams)
    first = by_team == by_team.max(axis=2, keepdims=True)
    shares = first / first.sum(axis=2, keepdims=True)
    own = np.arange(rewards.shape[1])
    return by_team[:, own, own], shares[:, own, own]


def _team_scores(rewards: np.ndarray, teams: Sequence[int]) -> np.ndarray:
    """float64[B, T, T]: the points of every team in every rotation."""
    of = np.array(teams)
    means = [rewards[:, :, of == team].mean(axis=2) for team in range(rewards.shape[1])]
    return np.round(np.stack(means, axis=2), SCORE_DIGITS)


def matchup(opponent: str, played: Played, teams: Sequence[int], seed: int) -> Matchup:
    scores, shares = scores_of(played.rewards, teams)
    block_scores = np.round(scores.mean(axis=1), SCORE_DIGITS) + 0.0  # no negative zero
    return Matchup(
        opponent=opponent,
        win_rate=win_rate(shares.mean(axis=1)),
        points=points(block_scores, seed),
        team_points=scores.mean(axis=0).tolist(),
        team_wins=shares.mean(axis=0).tolist(),
        variance_reduction=variance_reduction(scores),
        matches=scores.size,
        decisions=int(played.decisions[UNDER_TEST]),
        illegal=int(played.illegal[UNDER_TEST]),
        opponent_illegal=int(played.illegal[OPPONENT]),
        truncated=played.truncated,
    )


if __name__ == "__main__":
    from training.cli import main

    sys.exit(main(["evaluate", *sys.argv[1:]]))
