"""A round robin on duplicate deals: every agent against every other, and a rating for each.

    report = tournament("truc_v0", ["random", "simple", "strong"], blocks=400, seed=7)
    print(report.text())

Each pairing is one matchup of ``training.evaluate``, on the same deals as all the others. With two
sides a pairing is played once, the agent whose name comes first being the one under test: that cell
is, figure for figure, what ``naips evaluate`` prints, and the other is its mirror. At tables of
more, being alone among three strong players is not the mirror of being three among weak ones, so
both are played: the row holds one seat and the column all others, and par is one in the number of
seats. (Tables that mix many agents would give figures that hang on who else was entered.)
``training.ratings`` turns the shares of matches won into ratings.

The agents' order means nothing: pairings are played in the order of their names.

With a folder every finished piece of work is kept there. A killed tournament goes on where it was,
more blocks and more agents may be added, and the report is the same, byte for byte, as that of a
tournament played in one go.
"""

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.table import Table

from agents import Agent
from agents.base import searches
from agents.storage import read_arrays, write_arrays, write_bytes
from envs import find_game
from envs.core.game import Config, Game
from training import reporting
from training.evaluate import (
    Matchup,
    Played,
    check_plan,
    mapper,
    matchup,
    name_of,
    pinned,
    play_blocks,
    resolve,
    scores_of,
)
from training.reporting import Reproducible
from training.statistics import Interval

FORMAT = "naips-tournament/1"
MANIFEST, PARTS, REPORT, PICTURE = "tournament.json", "parts", "report.json", "matrix.png"
CHUNK_BLOCKS = 256  # in one piece of work; no result depends on it
SEARCH_BLOCKS = 4  # the same for agents that think for long, so that a kill loses little


@dataclass(frozen=True)
class Pairing:
    """The row's agent under test against the column's in all other seats.

    Attributes:
        row: its name.
        result: see ``training.evaluate.Matchup``.
    """

    row: str
    result: Matchup


@dataclass(frozen=True)
class Standing:
    """An agent's place in the tournament.

    Attributes:
        agent: its name.
        rating: on the scale of Elo, mean zero, bootstrap interval.
        illegal: its illegal actions; must be zero.
    """

    agent: str
    rating: Interval
    illegal: int


@dataclass(frozen=True)
class TournamentReport(Reproducible):
    """What a tournament found; everything but ``seconds_played`` is a function of the arguments.

    Attributes:
        search_blocks: blocks of the pairings in which an agent searches.
        standings: the best first.
        pairings: in the order of the agents' names.
        weights: fingerprints of trained policies.
    """

    TIME: ClassVar[str] = "seconds_played"

    env_id: str
    config: dict[str, Any]
    seed: int
    blocks: int
    search_blocks: int
    rotations: int
    hashes: dict[str, str]
    weights: dict[str, str]
    standings: list[Standing]
    pairings: list[Pairing]
    seconds_played: float

    @property
    def par(self) -> float:
        """The win rate among equals."""
        return 1 / self.rotations

    @property
    def illegal(self) -> int:
        """Illegal actions of all players together."""
        return sum(standing.illegal for standing in self.standings)

    def win_rates(self) -> dict[tuple[str, str], Interval]:
        """(row, column) -> the row's share of matches won."""
        rates = {(p.row, p.result.opponent): p.result.win_rate for p in self.pairings}
        if self.rotations == 2:
            mirrored = {(column, row): _mirrored(rate) for (row, column), rate in rates.items()}
            rates |= mirrored
        return rates

    def derived(self) -> dict[str, Any]:
        """The win rate among equals."""
        return {"par": self.par}

    def save(self, folder: Path) -> None:
        """Write ``report.json`` and the cross-table as a picture."""
        self.write(folder / REPORT)
        self.draw(folder / PICTURE)

    def draw(self, path: Path) -> None:
        """Draw the cross-table, the best first."""
        from training.pictures import draw_matrix

        names, rates = [s.agent for s in self.standings], self.win_rates()
        values = np.array(
            [[rates[r, c].estimate if (r, c) in rates else np.nan for c in names] for r in names]
        )
        draw_matrix(path, self._title(), names, names, values, self.par, self._caption())

    def table(self) -> Table:
        """Ratings and the cross-table, the best first."""
        table = Table(
            title=self._title(), caption=self._caption(),
            title_justify="left", caption_justify="left",
        )  # fmt: skip
        names, rates = [s.agent for s in self.standings], self.win_rates()
        table.add_column("agent", no_wrap=True)
        for head in ("rating", *names):
            table.add_column(head, justify="right")
        for standing in self.standings:
            cells = (rates.get((standing.agent, column)) for column in names)
            shares = ["–" if rate is None else f"{rate.estimate:.1%}" for rate in cells]
            table.add_row(standing.agent, rating_text(standing.rating), *shares)
        return table

    def _title(self) -> str:
        return f"Tournament at {self.env_id}, {self.config['num_players']} players"

    def _caption(self) -> str:
        least = min(pairing.result.matches for pairing in self.pairings) // self.rotations
        fewer = f" ({least} with search)" if least < self.blocks else ""
        return (
            f"{self.blocks} duplicate blocks{fewer} of {self.rotations} matches a pairing, "
            f"seed {self.seed}\nmatches won by row against column, par is {self.par:.1%}"
        )


def read_report(path: Path) -> TournamentReport:
    """The report of a file that ``TournamentReport.save`` wrote."""
    saved = json.loads(path.read_text(encoding="utf-8"))
    data = saved["report"]
    del data["par"]
    data["standings"] = [
        Standing(**{**standing, "rating": Interval(**standing["rating"])})
        for standing in data["standings"]
    ]
    data["pairings"] = [
        Pairing(pairing["row"], _matchup_of(pairing["result"])) for pairing in data["pairings"]
    ]
    return TournamentReport(**data, seconds_played=saved["run"]["seconds_played"])


def _matchup_of(data: dict[str, Any]) -> Matchup:
    intervals = {name: Interval(**data[name]) for name in ("win_rate", "points")}
    return Matchup(**{**data, **intervals})


def rating_text(rating: Interval) -> str:
    """``+120 [+98, +143]``."""
    return reporting.signed(rating, 0)


def _mirrored(rate: Interval) -> Interval:
    return Interval(1 - rate.estimate, 1 - rate.high, 1 - rate.low)


@dataclass(frozen=True)
class _Work:
    """Blocks first … last - 1 of one pairing; ``players`` are its names, row and column."""

    players: tuple[str, str]
    first: int
    last: int

    @property
    def blocks(self) -> int:
        return self.last - self.first


Outcome = tuple[Played, float]  # of a piece of work, and the seconds it took
# Does a job for all pieces of work; the pieces come with their outcomes, in any order.
Spread = Callable[[Callable[[_Work], Outcome], list[_Work]], Iterable[tuple[_Work, Outcome]]]


def tournament(
    game: "str | Game",
    agents: "Sequence[str | Agent]",
    blocks: int = 400,
    seed: int = 0,
    search_blocks: int | None = None,
    num_players: int | None = None,
    processes: int = 1,
    folder: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    spread: Spread | None = None,
    **options: Any,
) -> TournamentReport:
    """Play every agent against every other.

    Args:
        game: ``"truc_v0"``.
        agents: at least two: agents, or what ``agents.load`` understands.
        blocks: deals for each pairing, at least 2.
        seed: of the deals, the policies' chance and the bootstrap.
        search_blocks: deals for the pairings in which an agent searches, which takes long; None
            for as many.
        num_players, options: as for the environment.
        processes: how many share the work; the report is the same for any number.
        folder: keeps the finished work, and what is there is not played again; None to keep
            nothing.
        progress: called with the number of blocks done since its last call, and that of all.
        spread: plays the work elsewhere, instead of ``processes``; what is done comes back here,
            and only here is it kept. See ``training.rllib.cluster``.

    Raises:
        ValueError, TypeError: no such game, option or agent, too few agents or blocks, two agents
            of one name, or a folder that holds something else.
    """
    game = find_game(game)
    config = game.configure(num_players, **options)
    search_blocks = min(blocks, blocks if search_blocks is None else search_blocks)
    check_plan(search_blocks, seed, processes)
    entered = {name: pinned(game, config, agent) for name, agent in _entered(agents).items()}
    seated = {name: resolve(game, config, agent) for name, agent in entered.items()}
    weights = {name: reporting.weights_hash(agent) for name, agent in seated.items()}
    identity = _identity(game, config, seed)
    if folder is not None:
        _claim(folder, identity)
    work = _all_work(seated, max(game.teams(config)) + 1, blocks, search_blocks)
    kept = _Kept(folder, weights)
    job = partial(_play, game, dict(config), entered, seed)
    if spread is None:
        done = _here(job, kept, work, processes)
    else:
        done = _elsewhere(job, kept, work, spread)
    outcomes, total = {}, sum(piece.blocks for piece in work)
    for piece, outcome in done:
        outcomes[piece] = outcome
        if progress is not None:
            progress(piece.blocks, total)
    parts: dict[tuple[str, str], list[Played]] = {}
    for piece in work:
        parts.setdefault(piece.players, []).append(outcomes[piece][0])
    results = {pair: Played.join(pieces) for pair, pieces in parts.items()}
    return TournamentReport(
        env_id=game.env_id,
        config=dict(config),
        seed=seed,
        blocks=blocks,
        search_blocks=search_blocks,
        rotations=max(game.teams(config)) + 1,
        hashes=identity["hashes"],
        weights={name: weight for name, weight in weights.items() if weight is not None},
        standings=_standings(list(entered), results, game.teams(config), seed),
        pairings=[
            Pairing(row, matchup(column, played, game.teams(config), seed))
            for (row, column), played in results.items()
        ],
        seconds_played=sum(seconds for _, seconds in outcomes.values()),
    )


def _here(
    job: "Callable[[_Work], Outcome]", kept: "_Kept", work: "list[_Work]", processes: int
) -> "Iterator[tuple[_Work, Outcome]]":
    """The outcomes of all work, played by processes that keep what they have done themselves."""
    with mapper(processes) as run:
        yield from zip(work, run(partial(_kept_or_played, job, kept), work), strict=True)


def _elsewhere(
    job: "Callable[[_Work], Outcome]", kept: "_Kept", work: "list[_Work]", spread: "Spread"
) -> "Iterator[tuple[_Work, Outcome]]":
    """The same from machines that need not see the folder."""
    found = {piece: kept.read(piece) for piece in work}
    yield from ((piece, outcome) for piece, outcome in found.items() if outcome is not None)
    for piece, outcome in spread(job, [p for p, outcome in found.items() if outcome is None]):
        kept.write(piece, outcome)
        yield piece, outcome


def _entered(agents: "Sequence[str | Agent]") -> "dict[str, str | Agent]":
    """Name -> agent, in the order of the names."""
    named = [(name_of(agent), agent) for agent in agents]
    entered = dict(sorted(named, key=lambda item: item[0]))
    if len(entered) < 2:
        raise ValueError(f"a tournament needs at least 2 different agents, not {len(entered)}")
    if len(entered) < len(named):
        twice = next(n for n, _ in named if [name for name, _ in named].count(n) > 1)
        raise ValueError(f"the agent {twice!r} was entered twice")
    return entered


def _all_work(
    seated: dict[str, Agent], rotations: int, blocks: int, search_blocks: int
) -> list[_Work]:
    slow = {name for name, agent in seated.items() if searches(agent)}
    work = []
    for pair in permutations(seated, 2):
        if rotations == 2 and pair[0] > pair[1]:
            continue  # its mirror is played
        number, size = (
            (search_blocks, SEARCH_BLOCKS) if slow.intersection(pair) else (blocks, CHUNK_BLOCKS)
        )
        work += [_Work(pair, at, min(at + size, number)) for at in range(0, number, size)]
    return work


def _play(
    game: Game, config: Config, players: "Mapping[str, str | Agent]", seed: int, work: _Work
) -> Outcome:
    """The results of a piece of work and the seconds it took."""
    start = time.perf_counter()
    row, column = (resolve(game, config, players[name]) for name in work.players)
    played = play_blocks(game, config, (row, column), seed, work.first, work.last)
    return played, time.perf_counter() - start


def _kept_or_played(job: Callable[[_Work], Outcome], kept: "_Kept", work: _Work) -> Outcome:
    found = kept.read(work)
    if found is None:
        found = job(work)
        kept.write(work, found)
    return found


@dataclass(frozen=True)
class _Kept:
    """Finished work in a tournament's folder; nowhere if that is None."""

    folder: Path | None
    weights: dict[str, str | None]

    def read(self, work: _Work) -> Outcome | None:
        file = self._file(work)
        if file is None or not file.is_file():
            return None
        arrays, header = read_arrays(file)
        return Played(**arrays, truncated=header["truncated"]), header["seconds"]

    def write(self, work: _Work, outcome: Outcome) -> None:
        file, (played, seconds) = self._file(work), outcome
        if file is not None:
            arrays = {"rewards": played.rewards, "illegal": played.illegal}
            header = {**dataclasses.asdict(work), "truncated": played.truncated, "seconds": seconds}
            write_arrays(file, {**arrays, "decisions": played.decisions}, header)

    def _file(self, work: _Work) -> Path | None:
        return self.folder and self.folder / PARTS / _part_name(work, self.weights)


def _part_name(work: _Work, weights: dict[str, str | None]) -> str:
    """A name for these players, with these weights, and these blocks."""
    players = json.dumps([[name, weights[name]] for name in work.players])
    digest = hashlib.sha256(players.encode()).hexdigest()[:16]
    return f"{digest}-{work.first}-{work.last}.safetensors"


def _identity(game: Game, config: Config, seed: int) -> dict[str, Any]:
    """What all work in one folder has in common."""
    return {
        "format": FORMAT,
        "env_id": game.env_id,
        "config": dict(config),
        "seed": seed,
        "hashes": reporting.source_hashes(game, config),
    }


def _claim(folder: Path, identity: dict[str, Any]) -> None:
    """Make the folder this tournament's; ValueError when it is another's."""
    manifest = folder / MANIFEST
    if manifest.is_file():
        _compare(folder, _read_manifest(manifest), identity)
    else:
        reporting.claim(folder)
    (folder / PARTS).mkdir(exist_ok=True)
    write_bytes(manifest, reporting.as_json(identity).encode())


def _read_manifest(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{file} is damaged, or no {FORMAT} file; choose another folder")
    return found


def _compare(folder: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    theirs, ours = ({**one, **one["config"]} for one in (found, wanted))
    for name in ("env_id", *wanted["config"], "seed"):
        if theirs.get(name) != ours[name]:
            raise ValueError(
                f"{folder} holds a tournament with {name}={theirs.get(name)!r}, not "
                f"{ours[name]!r}; choose another folder"
            )
    differ = [what for what, mark in wanted["hashes"].items() if found["hashes"].get(what) != mark]
    if differ:
        raise ValueError(
            f"{folder} was played with other code ({', '.join(differ)}), and results of both do "
            "not mix; choose another folder"
        )


def _standings(
    names: list[str], results: dict[tuple[str, str], Played], teams: Sequence[int], seed: int
) -> list[Standing]:
    from training.ratings import rate

    pairs = [(names.index(row), names.index(column)) for row, column in results]
    shares = [scores_of(played.rewards, teams)[1].mean(axis=1) for played in results.values()]
    sides = max(teams) + 1
    illegal = dict.fromkeys(names, 0)
    for pair, played in results.items():
        for name, count in zip(pair, played.illegal, strict=True):
            illegal[name] += int(count)
    rated = zip(names, rate(pairs, shares, len(names), sides, seed), strict=True)
    standings = [Standing(name, rating, illegal[name]) for name, rating in rated]
    return sorted(standings, key=lambda standing: -standing.rating.estimate)
