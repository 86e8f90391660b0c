"""Positions from random play, and a table on which they are looked at, for point 3."""

import importlib
import random
from collections import defaultdict
from functools import lru_cache
from typing import Any

import numpy as np

from envs.conformance.batches import Explorer, new_batch
from envs.conformance.slots import Slots
from envs.conformance.subject import Subject, digest
from envs.core.aec import GameEnv
from envs.core.batch import Batch
from envs.core.drawing import draw_text
from envs.core.jit import COMPILED

OVER = "over"  # stands for a phase in the tables below
PER_PHASE = 20  # positions of every phase that play reaches
GAMES = 64 if COMPILED else 8  # played at once to find them
PATIENCE = 1000 if COMPILED else 300  # batch steps without a new phase that end the search
ROUNDS = 4000  # batch steps after which a phase counts as hardly reachable


def phases(subject: Subject) -> dict[int, str]:
    """Number -> name of the phases, from the ``Phase`` of the rules; empty if there is none."""
    try:
        rules = importlib.import_module(f"{subject.game.module}.rules")
        return {int(phase): phase.name for phase in rules.Phase}
    except (ModuleNotFoundError, AttributeError):
        return {}


@lru_cache(maxsize=8)
def positions(subject: Subject, per_phase: int = PER_PHASE) -> dict[Any, list[np.ndarray]]:
    """Phase (or ``OVER``) -> records met at every third decision of ``Explorer``'s play."""
    batch = new_batch(subject, GAMES, seed=3)
    play, chance = Explorer(3), random.Random(3)
    found: dict[Any, list[np.ndarray]] = defaultdict(list)
    known = {*phases(subject), OVER}
    news = 0  # the latest turn that brought a phase not met before
    for turn in range(ROUNDS):
        met = len(found)
        if turn % 3 == 0:
            _collect(batch, found, per_phase, chance)
        batch.step(play(batch))
        for record in batch.final_states[: per_phase - len(found[OVER])]:
            found[OVER].append(_copy(record))
        news = turn if len(found) > met else news
        full = all(len(records) >= per_phase for records in found.values())
        if full and turn > news + (PATIENCE if known - set(found) else 0):
            break
    return dict(found)


def _collect(batch: Batch, found: dict, per_phase: int, chance: random.Random) -> None:
    """At most two games of each phase, so that they come from many turns."""
    now = batch.states["phase"]
    for phase in np.unique(now).tolist():
        games = np.flatnonzero(now == phase).tolist()
        chance.shuffle(games)
        for k in games[: min(2, per_phase - len(found[phase]))]:
            found[phase].append(_copy(batch.states[k]))


def _copy(record: Any) -> np.ndarray:
    """The record in an array of its own."""
    return np.array(record).reshape(1).copy().view(np.recarray)


class Table:
    """A spare environment into which records are put, to see what each seat is shown."""

    def __init__(self, subject: Subject):
        self.env: GameEnv = subject.env().unwrapped
        self.env.reset(seed=0)
        self.game = subject.game

    def put(self, record: np.ndarray) -> Any:
        """Show this record; returns the live one, to be edited."""
        self.env.states[:] = record
        self.env.refresh()
        return self.env.states[0]

    def view(self, seat: int, picture: bool = False) -> tuple[str, ...]:
        """Digests of all that the seat is shown now; the picture, which takes long, if wanted."""
        self.env.refresh()
        agent = self.env.possible_agents[seat]
        seen = self.env.observe(agent)
        table = self.env.table(seat)
        return (
            digest(seen["observation"]),
            digest(seen["action_mask"]),
            digest(self.env.infos[agent]),
            digest(repr(table)),
            digest(draw_text(table)),
            digest(self.env.svg(seat)) if picture else "",
        )

    def hidden(self, seat: int) -> Slots:
        """The places this seat cannot see."""
        states = self.env.states
        return Slots(states, list(self.game.hidden(states[0], seat)))

    def zones(self) -> dict[str, list[str]]:
        return self.env.zones()


_PARTS = ("observation", "action mask", "info", "table", "text view", "picture")


def differences(before: tuple, after: tuple) -> str:
    return ", ".join(part for part, a, b in zip(_PARTS, before, after, strict=True) if a != b)


def viewers(subject: Subject, record: np.ndarray, chance: random.Random) -> list[int]:
    """The seats whose view is looked at: the acting one and another; with more effort all."""
    acting, seats = int(record["turn"][0]), list(range(subject.config["num_players"]))
    seats.remove(acting)
    return [acting, *(chance.sample(seats, 1) if subject.effort < 5 else seats)]


def few_of_each(found: dict, per_phase: int, chance: random.Random) -> list[np.ndarray]:
    """Some positions of every phase, the ended ones left out."""
    return [
        record
        for phase, records in found.items()
        if phase != OVER
        for record in chance.sample(records, min(per_phase, len(records)))
    ]
