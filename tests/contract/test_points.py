"""Points 1-8, 10 and 11 over every cell; what starts processes once per game."""

from collections import Counter
from dataclasses import replace

import pytest

import agents
from envs.conformance import POINTS, Point
from envs.conformance.batches import Player
from envs.conformance.bounds import bounded
from envs.conformance.determinism import check_elsewhere
from envs.conformance.positions import PER_PHASE, phases, positions
from envs.conformance.setup import bare_process
from tests.contract.cases import case_of, game_of
from tests.contract.cells import Cell, cells

IN_PROCESS = [point for point in POINTS if not point.starts_processes]


@pytest.mark.parametrize("point", IN_PROCESS, ids=lambda point: point.name)
def test_point(cell: Cell, point: Point) -> None:
    assert not point.obstacle(cell.subject)
    point.check(cell.subject)


def test_other_processes(env_id: str, full: bool) -> None:
    check_elsewhere([cell.subject for cell in cells(env_id, full)])


def test_bare_process(env_id: str, full: bool) -> None:
    bare_process(cells(env_id, full)[0].subject)


def test_heuristics_end_their_matches(env_id: str, full: bool) -> None:
    """Point 10 with the game's own heuristics in every seat."""
    cell = cells(env_id, full)[0]
    subject = replace(cell.subject, players=heuristic_players(cell))
    bounded(subject)


def heuristic_players(cell: Cell) -> dict[str, Player]:
    """Name -> player, of ``agents/<game>.py``."""

    def player(spec: str) -> Player:
        agent = agents.load(game, spec, **cell.arguments)
        rngs = agents.streams(1, 2000)
        return lambda batch: agent.act_batch(
            batch.observations, batch.action_masks, rngs[: len(batch)]
        )

    game = game_of(cell.env_id)
    return {spec: player(spec) for spec in agents.heuristics(game)}


def test_every_phase_is_looked_at(env_id: str, full: bool) -> None:
    """Point 3 looks at positions from random play: together the cells meet every phase often."""
    subjects = [cell.subject for cell in cells(env_id, full)]
    met: Counter = Counter()
    for subject in subjects:
        met.update({phase: len(records) for phase, records in positions(subject).items()})
    names = phases(subjects[0])
    rare = {name: met[phase] for phase, name in names.items() if met[phase] < PER_PHASE}
    assert set(rare) == set(case_of(env_id).unmet), (
        f"met too seldom at every third decision: {rare}"
    )
    assert met["over"] >= PER_PHASE


def test_every_option_is_in_some_set(env_id: str) -> None:
    """The cases exercise every option of the game with a value beside its default."""
    game = game_of(env_id)
    used = {name for options in case_of(env_id).option_sets.values() for name in options}
    assert used == {option.name for option in game.options}
