"""A tournament is fair to every order, repeats, and survives being killed."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from agents.policy import PolicyAgent
from agents.storage import write_bytes
from tests.toys.kuhn import GAME as KUHN
from tests.toys.players import CardBettor, leave_checkpoint
from training import tournament as module
from training.evaluate import evaluate
from training.tournament import read_report, tournament

STEADY, ERRING = CardBettor("steady"), CardBettor("erring", errs=20)
ENTRANTS = ["random", STEADY, ERRING]


class Mortal(NamedTuple):
    """Plays like the steady one until its life is used up; then the process is gone."""

    life: list
    name: str = "steady"

    def act_batch(self, observations, action_masks, rngs):
        self.life[0] -= 1
        if self.life[0] < 0:
            raise KeyboardInterrupt
        return STEADY.act_batch(observations, action_masks, rngs)


def kuhn(agents=ENTRANTS, **arguments):
    return tournament(KUHN, agents, **{"blocks": 60, **arguments})


def places(report):
    return [standing.agent for standing in report.standings]


def policy(name, bet):
    """Bets with odds of exp(bet); in Kuhn poker who bets more wins more matches, not more chips."""
    weights, bias = np.zeros((10, 2), np.float32), np.array([0, bet], np.float32)
    return PolicyAgent(name, [weights], [bias])


def test_an_erring_agent_ranks_below_its_original():
    report = kuhn(["random", policy("erring", 1), policy("bold", 20)], blocks=800)
    assert places(report) == ["bold", "erring", "random"]
    rating = {standing.agent: standing.rating for standing in report.standings}
    assert rating["bold"].low > rating["erring"].high
    assert rating["erring"].low > rating["random"].high
    assert sum(r.estimate for r in rating.values()) == pytest.approx(0, abs=1e-6)


def test_a_cell_is_what_the_evaluation_finds():
    report = kuhn(blocks=80, seed=5)
    for pairing in report.pairings:
        row, column = (a for name in (pairing.row, pairing.result.opponent) for a in ENTRANTS
                       if name in (a, getattr(a, "name", None)))  # fmt: skip
        [matchup] = evaluate(KUHN, row, column, blocks=80, seed=5).matchups
        assert pairing.result == matchup


def test_the_order_of_the_agents_means_nothing():
    assert kuhn(ENTRANTS).to_json() == kuhn(ENTRANTS[::-1]).to_json()
    assert kuhn().to_json() != kuhn(seed=1).to_json()


def test_rows_and_columns_of_two_sides_mirror_each_other():
    rates = kuhn().win_rates()
    assert len(rates) == 6
    for (row, column), rate in rates.items():
        mirrored = rates[column, row]
        assert rate.estimate == pytest.approx(1 - mirrored.estimate)
        assert rate.low == pytest.approx(1 - mirrored.high)


def test_at_a_table_of_three_every_agent_is_alone_once_against_each_other():
    report = tournament(
        "quatre_duros_v0", ["random", "simple", "strong"], blocks=200, num_players=3, hands=3
    )
    assert report.par == pytest.approx(1 / 3, abs=1e-6)
    assert len(report.pairings) == 6
    assert {p.result.matches for p in report.pairings} == {600}
    assert places(report)[-1] == "random"
    assert report.illegal == 0


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(module, "CHUNK_BLOCKS", 10)


@pytest.mark.usefixtures("small_chunks")
def test_a_killed_tournament_goes_on_and_ends_the_same(tmp_path):
    whole = kuhn().to_json()
    with pytest.raises(KeyboardInterrupt):
        kuhn(["random", Mortal([31]), ERRING], folder=tmp_path)
    kept = set((tmp_path / "parts").iterdir())
    assert 0 < len(kept) < 18
    before = {path: path.stat().st_mtime_ns for path in kept}
    assert kuhn(folder=tmp_path).to_json() == whole
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())
    idle = kuhn(["random", Mortal([0]), ERRING], folder=tmp_path)  # nothing is left to play
    assert idle.to_json() == whole


def test_agents_that_search_may_play_fewer_of_the_deals():
    seen = []
    report = kuhn(
        ["random", "ismcts:9", ERRING], blocks=40, search_blocks=10,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    matches = {(p.row, p.result.opponent): p.result.matches for p in report.pairings}
    assert matches == {
        ("erring", "random"): 80, ("erring", "ismcts:9"): 20, ("ismcts:9", "random"): 20
    }  # fmt: skip
    assert sum(done for done, _ in seen) == 60 == seen[0][1]
    assert "40 duplicate blocks (10 with search)" in report.text()


@pytest.mark.usefixtures("small_chunks")
def test_more_agents_and_blocks_may_be_added(tmp_path):
    kuhn(["random", ERRING], blocks=40, folder=tmp_path)
    assert kuhn(folder=tmp_path).to_json() == kuhn().to_json()


def test_another_process_and_two_processes_write_the_same_report(tmp_path):
    here = kuhn(["random", STEADY, "ismcts:9"], blocks=600, seed=4)
    here.save(tmp_path)
    code = (
        "import sys; from pathlib import Path; from training.tournament import tournament\n"
        "from tests.toys.kuhn import GAME; from tests.toys.players import CardBettor\n"
        "if __name__ == '__main__':\n"
        "    entrants = ['ismcts:9', CardBettor('steady'), 'random']\n"
        "    report = tournament(GAME, entrants, 600, 4, processes=2)\n"
        "    print(report.to_json(), end='')\n"
        "    report.draw(Path(sys.argv[1]))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "there.png"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert there.stdout == here.to_json()
    assert (tmp_path / "there.png").read_bytes() == (tmp_path / "matrix.png").read_bytes()
    saved = json.loads((tmp_path / "report.json").read_text())
    assert saved["report"] == json.loads(there.stdout)
    assert saved["run"]["seconds_played"] > 0
    assert read_report(tmp_path / "report.json").to_json() == here.to_json()


def test_a_folder_of_another_tournament_is_refused(tmp_path):
    kuhn(folder=tmp_path / "ours", seed=3)
    with pytest.raises(ValueError, match="holds a tournament with seed=3, not 4; choose another"):
        kuhn(folder=tmp_path / "ours", seed=4)
    manifest = tmp_path / "ours" / "tournament.json"
    found = json.loads(manifest.read_text())
    for damaged in (b"", b"[]", b"{}", manifest.read_bytes()[:99]):
        write_bytes(manifest, damaged)
        with pytest.raises(ValueError, match=r"tournament\.json is damaged"):
            kuhn(folder=tmp_path / "ours", seed=3)
    found["hashes"]["rules"] = "older"
    write_bytes(manifest, json.dumps(found).encode())
    with pytest.raises(ValueError, match=r"played with other code \(rules\)"):
        kuhn(folder=tmp_path / "ours", seed=3)


def test_the_option_that_differs_is_named(tmp_path):
    first = {"blocks": 2, "num_players": 3, "folder": tmp_path}
    tournament("quatre_duros_v0", ["random", "simple"], hands=1, **first)
    with pytest.raises(ValueError, match="with hands=1, not 2; choose another folder"):
        tournament("quatre_duros_v0", ["random", "simple"], hands=2, **first)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "report.json").write_text("a training run's")
    with pytest.raises(ValueError, match="holds something else"):
        kuhn(folder=tmp_path)
    with pytest.raises(ValueError, match="holds something else"):
        kuhn(folder=tmp_path / "report.json")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_results_of_other_weights_are_not_mixed_in(tmp_path):
    kuhn([STEADY, policy("net", 3)], folder=tmp_path)
    again = kuhn([STEADY, policy("net", -3)], folder=tmp_path)
    assert again.to_json() == kuhn([STEADY, policy("net", -3)]).to_json()
    assert list(again.weights) == ["net"]


@pytest.mark.usefixtures("small_chunks")
def test_a_run_that_goes_on_plays_as_it_was_at_the_start(tmp_path):
    run = tmp_path / "run"
    leave_checkpoint(run, 1, bet=20)

    def go_on(done, total):
        if not (run / "checkpoint-000000000002").exists():
            leave_checkpoint(run, 2, bet=-20)

    before = kuhn([STEADY, str(run)])
    during = kuhn([STEADY, str(run)], folder=tmp_path / "kept", progress=go_on)
    assert during.to_json() == before.to_json()
    # and what it has learnt since is played, not read from the folder
    after = kuhn([STEADY, str(run)], folder=tmp_path / "kept")
    assert after.to_json() == kuhn([STEADY, str(run)]).to_json() != before.to_json()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"blocks": 1}, "at least 2"),
        ({"agents": ["random"]}, "at least 2 different agents, not 1"),
        ({"agents": ["random", STEADY, "random"]}, "'random' was entered twice"),
        ({"agents": ["random", "radnom"]}, "did you mean 'random'"),
        ({"num_players": 3}, "2"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        kuhn(**arguments)


def test_the_table_has_the_best_first_and_illegal_actions_are_counted():
    class Outlaw(NamedTuple):
        name: str = "outlaw"

        def act_batch(self, observations, action_masks, rngs):
            return np.full(len(observations), -1)

    report = kuhn([STEADY, ERRING, Outlaw()], blocks=20)
    assert report.illegal == sum(s.illegal for s in report.standings if s.agent == "outlaw") > 0
    lines = report.text().splitlines()
    assert [line.split()[1] for line in lines if line.startswith("│")] == places(report)
