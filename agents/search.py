"""Players that search: IS-MCTS, and plain determinised Monte Carlo (PIMC) as a yardstick.

    agents.load("truc_v0", "ismcts:1000")         1,000 iterations a decision
    agents.load("truc_v0", "ismcts:50ms")         50 milliseconds a decision
    agents.load("truc_v0", "pimc:200:simple")     200 worlds, playouts by the heuristic ``simple``

They get a world in which what the seat cannot see was drawn anew (``agents.base.ask``), and draw
their own worlds from it, so they cannot peek. ``agents.search_loops`` holds the algorithms.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from agents.base import next_bits, one_record
from agents.search_guide import Guide, guide_of
from agents.search_loops import Desk, compile_search
from agents.search_tree import clear, new_tree
from envs.core.game import Config, Game
from envs.core.loops import compile_loops

METHODS = ("ismcts", "pimc")
MOST = 10_000_000  # iterations, worlds or milliseconds of one decision
ROOM = 1_000_000  # most nodes of a tree; a full one goes on without new ones
NODES_PER_MS = 400
FIRST_CHUNK = 4  # iterations between two looks at the clock, at first


class Spec(NamedTuple):
    """What a text like ``ismcts:50ms:simple`` says.

    Attributes:
        method: ``ismcts`` or ``pimc``.
        budget: iterations, worlds or milliseconds a decision.
        timed: whether it is milliseconds.
        player: of the playouts; empty for the game's own choice.
    """

    method: str
    budget: int
    timed: bool
    player: str

    @property
    def text(self) -> str:
        """The text again."""
        player = f":{self.player}" if self.player else ""
        return f"{self.method}:{self.budget}{'ms' if self.timed else ''}{player}"


def parse(text: str, players: list[str]) -> Spec:
    """The meaning of a text.

    Args:
        text: ``METHOD:BUDGET`` or ``METHOD:BUDGET:PLAYER``.
        players: that the playouts may have.

    Raises:
        ValueError: naming what is allowed.
    """
    method, _, rest = text.partition(":")
    amount, colon, player = rest.partition(":")
    digits = amount.removesuffix("ms")
    good = method in METHODS and digits.isascii() and digits.isdecimal()
    if not good or not 1 <= int(digits) <= MOST or (colon and player not in players):
        raise ValueError(
            f"{text!r}: a search is written METHOD:BUDGET or METHOD:BUDGET:PLAYER, like "
            f"ismcts:1000, ismcts:50ms or pimc:200:{players[-1]}; METHOD is one of "
            f"{', '.join(METHODS)}, BUDGET a number from 1 to {MOST:,} (or that many ms), "
            f"PLAYER one of {', '.join(players)}"
        )
    return Spec(method, int(digits), amount.endswith("ms"), player)


def is_search(text: str) -> bool:
    """Whether a text means to name a search."""
    return text.partition(":")[0] in METHODS


class Findings(NamedTuple):
    """What a search found at its root.

    Attributes:
        visits: int64[A], how often each action was tried; never what the guide leaves out.
        values: float64[A], what the seat was paid after it on average, until the end of the match
            as far as scores tell; 0 where it was not tried.
        rounds: iterations, or worlds.
    """

    visits: np.ndarray
    values: np.ndarray
    rounds: int

    @property
    def best(self) -> int:
        """The action tried most; of equals the one of the highest value, then the lowest id."""
        order = np.lexsort((-self.values, -self.visits))
        return int(order[0])


class SearchAgent:
    """A player that searches before every decision.

    It holds its tree's memory, so one agent does not search for two threads at once.
    """

    def __init__(
        self,
        game: Game,
        config: Config,
        spec: Spec,
        players: dict[str, Callable],
        guide: Guide | None = None,
    ):
        """A search for one game.

        Args:
            game, config: what is played.
            spec: method and budget.
            players: those the playouts may have, by name.
            guide: facts about the game; None for its own.
        """
        self.name, self.game, self._spec = spec.text, game, spec
        self._guide = guide_of(game) if guide is None else guide
        player = spec.player or self._guide.player
        quick = None if spec.player else self._guide.playout
        self._search = compile_search(game, self._guide, player, quick or players[player])
        self._desk = _new_desk(game, config, self._guide)
        self._loops = compile_loops(game)
        self._actions = game.num_actions(config)
        self._treelike = spec.method == "ismcts"
        room = spec.budget * NODES_PER_MS if spec.timed else spec.budget
        self._tree = new_tree(min(room, ROOM) + 1 if self._treelike else 1)

    def act_states(self, worlds: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """See ``Searcher.act_states``."""
        out = np.empty(len(worlds), np.int64)
        for k, seat in enumerate(seats.tolist()):
            out[k] = self.search(one_record(worlds, k), seat, rngs[k : k + 1]).best
        return out

    def search(self, world: np.recarray, seat: int, rng: np.ndarray) -> Findings:
        """Think about the decision of ``seat`` in world[0]; ``rng`` is one stream, uint64[1]."""
        roots = self.game.plain(world)
        legal = np.zeros(self._actions, np.bool_)
        self._loops.encode_one(roots, legal, self._desk.observation)
        self._guide.sensible(roots[0], legal)
        self._desk.rng[0] = next_bits(rng, 0)
        visits, values = np.zeros(self._actions, np.int64), np.zeros(self._actions)
        if legal.sum() == 1:  # nothing to think about
            visits[legal] = 1
            return Findings(visits, values, 0)
        if self._treelike:
            return self._grow(roots, seat, visits, values)
        return self._weigh(roots, seat, legal, visits, values)

    def _grow(
        self, roots: np.ndarray, seat: int, visits: np.ndarray, values: np.ndarray
    ) -> Findings:
        clear(self._tree)
        guide = self._guide

        faith = guide.faith if guide.imagined else 0
        rule = guide.longest, guide.exploration, guide.imagined, faith

        def think(rounds: int) -> None:
            self._search.grow(roots, seat, rounds, *rule, self._tree, self._desk)

        rounds = self._spend(think)
        self._search.read_root(roots, self._tree, visits, values, self._desk)
        return Findings(visits, values, rounds)

    def _weigh(
        self,
        roots: np.ndarray,
        seat: int,
        legal: np.ndarray,
        visits: np.ndarray,
        values: np.ndarray,
    ) -> Findings:
        def think(worlds: int) -> None:
            self._search.weigh(roots, seat, worlds, self._guide.longest, legal, values, self._desk)

        worlds = self._spend(think)
        visits[legal] = worlds
        values /= worlds
        return Findings(visits, values, worlds)

    def _spend(self, think: Callable[[int], None]) -> int:
        """Think for the budget; how many rounds that were."""
        if not self._spec.timed:
            think(self._spec.budget)
            return self._spec.budget
        think(0)  # compiles, if need be, before the clock runs
        begin = time.perf_counter()
        end = begin + self._spec.budget / 1000
        rounds, chunk, now = 0, FIRST_CHUNK, begin
        while now < end or rounds == 0:
            think(chunk)
            rounds += chunk
            now = time.perf_counter()
            chunk = max(1, int(rounds * (end - now) / (now - begin) / 2))
        return rounds

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def _new_desk(game: Game, config: Config, guide: Guide) -> Desk:
    layout, seats = game.layout(config), game.dtype["reward"].shape[0]
    return Desk(
        world=game.plain(game.new_states(1, config)),
        mask=np.zeros(game.num_actions(config), np.bool_),
        meant=np.zeros(game.num_actions(config), np.int16),
        observation=np.zeros(layout.size, layout.dtype),
        offsets=layout.offsets,
        private=np.zeros(seats, np.uint64),
        paid=np.zeros(seats),
        scores=guide.scores(config),
        rng=np.zeros(1, np.uint64),
    )
