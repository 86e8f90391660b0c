"""Cross-play: do policies that learnt apart play together as well as with themselves?

    report = crossplay("truc_v0", ["runs/truc_v0-1", "runs/truc_v0-2", "runs/truc_v0-3"])
    print(report.text())

Partners who learnt together may have grown a language of their own. So every policy is made the
partner of every other, in both orders of the seats, and the mixed team plays the same duplicate
deals against the same strangers as the teams of one policy do. The strangers are each policy that
is in neither team, and any others named. *Self-play minus cross-play* is what a team loses when
its members have never met, in points of win rate.

Within a team the two policies take turns: in Truc for four each holds one seat, for six one of them
two. The intervals are over deals; they do not speak of policies that other seeds would have grown.
"""

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from agents import Agent
from envs import find_game
from envs.core.game import Config, Game
from training import reporting
from training.evaluate import (
    SCORE_DIGITS,
    check_plan,
    mapper,
    name_of,
    pinned,
    play_seated,
    resolve,
    scores_of,
)
from training.reporting import Reproducible, percent
from training.statistics import Interval, points, win_rate

REPORT, PICTURE = "report.json", "partners.png"
FEWEST = 3  # policies: with two there is no stranger to play against
CHUNK_BLOCKS = 128


@dataclass(frozen=True)
class Stranger:
    """What teams of one policy and mixed teams win against the same opponent.

    Attributes:
        opponent: who holds the other team.
        self_play, cross_play: share of matches won by the teams of one policy and by mixed ones.
        gap: self-play minus cross-play.
    """

    opponent: str
    self_play: Interval
    cross_play: Interval
    gap: Interval


@dataclass(frozen=True)
class CrossplayReport(Reproducible):
    """What was found; everything but ``wall_seconds`` is a function of the arguments.

    Attributes:
        policies: in the order given.
        overall: over all the strangers.
        strangers: against each of them.
        partners: float[k, k], matches won by a team of row and column, against all strangers.
        opponents: float[k, k], matches won by the row's team against the column's.
    """

    env_id: str
    config: dict[str, Any]
    seed: int
    blocks: int
    hashes: dict[str, str]
    weights: list[str | None]
    policies: list[str]
    overall: Stranger
    strangers: list[Stranger]
    partners: list[list[float]]
    opponents: list[list[float]]
    illegal: int
    wall_seconds: float

    def save(self, folder: Path) -> None:
        """Write ``report.json`` and the matrix of partners as a picture."""
        from training.pictures import draw_matrix

        self.write(folder / REPORT)
        draw_matrix(
            folder / PICTURE, f"Partners at {self.env_id}", self.policies, self.policies,
            np.array(self.partners), 0.5, "matches won by a team of row and column",
        )  # fmt: skip

    def table(self) -> Table:
        """Self-play and cross-play against each stranger."""
        note = (
            f"{len(self.policies)} policies, {self.blocks} duplicate blocks, seed {self.seed}\n"
            "matches won and [95 % intervals], over deals; the difference in points of win rate"
        )
        table = Table(
            title=f"Cross-play at {self.env_id}, {self.config['num_players']} players",
            caption=note, title_justify="left", caption_justify="left",
        )  # fmt: skip
        table.add_column("against")
        for head in ("self-play", "cross-play", "difference"):
            table.add_column(head, justify="right", no_wrap=True)
        for row in (*self.strangers, self.overall):
            gap = Interval(*(100 * v for v in dataclasses.astuple(row.gap)))
            shares = (percent(row.self_play), percent(row.cross_play))
            table.add_row(row.opponent, *shares, reporting.signed(gap, 1))
        return table


LineUp = tuple[int, int, int]  # numbers of players: a team's two policies, and its opponent


def crossplay(
    game: "str | Game",
    policies: "Sequence[str | Agent]",
    against: "Sequence[str | Agent]" = (),
    blocks: int = 400,
    seed: int = 0,
    num_players: int | None = None,
    processes: int = 1,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> CrossplayReport:
    """Measure policies as each other's partners.

    Args:
        game: ``"truc_v0"``; a game of two teams.
        policies: at least three agents, of runs that differ in their seeds alone.
        against: further strangers, like ``"strong"``.
        blocks: deals for each line-up, at least 2.
        seed: of the deals and of the policies' chance.
        num_players, options: as for the environment.
        processes: that share the work; the report is the same for any number.
        progress: called with the number of blocks done since its last call.

    Raises:
        ValueError, TypeError: not a game of two teams with partners, too few policies or blocks,
            or no such agent.
    """
    game = find_game(game)
    config = game.configure(num_players, **options)
    start, names = time.perf_counter(), [name_of(player) for player in (*policies, *against)]
    _check(game, config, names[: len(policies)])
    check_plan(blocks, seed, processes)
    players = [pinned(game, config, player) for player in (*policies, *against)]
    pieces = [
        (line_up, first, min(first + CHUNK_BLOCKS, blocks))
        for line_up in line_ups(len(policies), len(players))
        for first in range(0, blocks, CHUNK_BLOCKS)
    ]
    shares: dict[LineUp, list[np.ndarray]] = {}
    illegal = 0
    with mapper(processes) as run:
        job = partial(_play, game, dict(config), players, seed)
        for (line_up, first, last), (won, wrong) in zip(pieces, run(job, pieces), strict=True):
            shares.setdefault(line_up, []).append(won)
            illegal += wrong
            if progress is not None:
                progress(last - first)
    won = {line_up: np.concatenate(parts) for line_up, parts in shares.items()}
    overall, strangers = gaps(won, len(policies), names, seed)
    return CrossplayReport(
        env_id=game.env_id,
        config=dict(config),
        seed=seed,
        blocks=blocks,
        hashes=reporting.source_hashes(game, config),
        weights=[reporting.weights_hash(resolve(game, config, player)) for player in players],
        policies=names[: len(policies)],
        overall=overall,
        strangers=strangers,
        partners=_partners(won, len(policies)),
        opponents=_opponents(won, len(policies)),
        illegal=illegal,
        wall_seconds=time.perf_counter() - start,
    )


def line_ups(policies: int, players: int) -> list[LineUp]:
    """All teams of two policies, also of one twice, in both orders, against who is in neither."""
    return [
        (first, second, opponent)
        for opponent in range(players)
        for first, second in product(range(policies), repeat=2)
        if opponent not in (first, second)
    ]


def seating_of(teams: Sequence[int]) -> np.ndarray:
    """int[2, P]: in rotation t the line-up's team holds team t, its two policies taking turns."""
    seats = np.array(teams)
    seating = np.full((2, len(seats)), 2)
    for rotation in range(2):
        own = np.flatnonzero(seats == rotation)
        seating[rotation, own] = np.arange(len(own)) % 2
    return seating


def gaps(
    won: dict[LineUp, np.ndarray], policies: int, names: Sequence[str], seed: int
) -> tuple[Stranger, list[Stranger]]:
    """What strangers cost a team, over all opponents and against each.

    Args:
        won: float[B] of each line-up, the share of its matches that were won in each block.
        policies: how many of the players are policies; ``names`` are those of all.
        seed: of the bootstrap.
    """
    alone, mixed = [], []
    for opponent in range(len(names)):
        met = {key: share for key, share in won.items() if key[2] == opponent}
        alone.append(np.mean([share for key, share in met.items() if key[0] == key[1]], axis=0))
        mixed.append(np.mean([share for key, share in met.items() if key[0] != key[1]], axis=0))
    overall = _stranger("all", np.mean(alone, axis=0), np.mean(mixed, axis=0), seed)
    each = zip(names, alone, mixed, strict=True)
    return overall, [_stranger(name, own, others, seed) for name, own, others in each]


def _stranger(name: str, alone: np.ndarray, mixed: np.ndarray, seed: int) -> Stranger:
    difference = np.round(alone - mixed, SCORE_DIGITS)
    return Stranger(name, win_rate(alone), win_rate(mixed), points(difference, seed))


def _partners(won: dict[LineUp, np.ndarray], policies: int) -> list[list[float]]:
    matrix = np.zeros((policies, policies))
    for row, column in product(range(policies), repeat=2):
        pair = {row, column}
        matrix[row, column] = np.mean([w.mean() for key, w in won.items() if {*key[:2]} == pair])
    return matrix.tolist()


def _opponents(won: dict[LineUp, np.ndarray], policies: int) -> list[list[float]]:
    matrix = np.full((policies, policies), 0.5)
    for row, column in permutations(range(policies), 2):
        matrix[row, column] = won[row, row, column].mean()
    return matrix.tolist()


def _play(
    game: Game, config: Config, players: "Sequence[str | Agent]", seed: int,
    piece: tuple[LineUp, int, int],
) -> tuple[np.ndarray, int]:  # fmt: skip
    """Blocks first … last - 1 of a line-up: the share won in each, and all illegal actions."""
    line_up, first, last = piece
    seated = [resolve(game, config, players[number]) for number in line_up]
    teams = game.teams(config)
    played = play_seated(game, config, seated, seating_of(teams), seed, first, last)
    return scores_of(played.rewards, teams)[1].mean(axis=1), int(played.illegal.sum())


def _check(game: Game, config: Config, policies: Sequence[str]) -> None:
    teams = game.teams(config)
    if max(teams) != 1 or len(teams) < 4:
        raise ValueError(
            f"{game.title} with {config['num_players']} players is no game of two teams with "
            "partners, so there is no cross-play to measure"
        )
    if len(set(policies)) < max(FEWEST, len(policies)):
        raise ValueError(
            f"cross-play needs at least {FEWEST} different policies, not "
            f"{', '.join(policies) or 'none'}"
        )
