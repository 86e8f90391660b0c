"""The evaluation cannot flatter."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from agents import load, streams
from envs.core.aec import GameEnv
from envs.core.random import game_seed
from tests.toys.kuhn import GAME as KUHN
from tests.toys.players import CardBettor, leave_checkpoint
from training import evaluate as module
from training.evaluate import evaluate, play_blocks, scores_of

STEADY = CardBettor("steady")
CONFIG = KUHN.configure()


def kuhn(agent, opponents, **arguments):
    return evaluate(KUHN, agent, opponents, **arguments)


class Outlaw(NamedTuple):
    """Answers with an action that does not exist."""

    name: str = "outlaw"

    def act_batch(self, observations, action_masks, rngs):
        return np.full(len(observations), action_masks.shape[1])


def test_a_deterministic_agent_against_itself_scores_zero_in_every_block():
    played = play_blocks(KUHN, CONFIG, (STEADY, STEADY), seed=3, first=0, last=200)
    scores, shares = scores_of(played.rewards, KUHN.teams(CONFIG))
    assert (scores.mean(axis=1) == 0).all()
    assert (shares.mean(axis=1) == 0.5).all()
    assert len(np.unique(scores)) > 1  # single matches are won and lost
    [matchup] = kuhn(STEADY, STEADY, blocks=200).matchups
    assert matchup.points.low == matchup.points.high == 0.0


def test_random_against_random_covers_zero_as_often_as_it_promises():
    covered = 0
    for seed in range(200):
        [matchup] = kuhn("random", "random", blocks=60, seed=seed).matchups
        covered += matchup.points.covers(0)
    assert 180 <= covered <= 199


def test_an_erring_agent_ranks_below_its_original():
    [matchup] = kuhn(CardBettor("erring", errs=20), STEADY, blocks=2000).matchups
    assert matchup.points.high < 0
    [mirrored] = kuhn(STEADY, CardBettor("erring", errs=20), blocks=2000).matchups
    assert mirrored.points.low > 0


def test_the_report_repeats_byte_for_byte_and_says_what_it_measured():
    first = kuhn("random", ["random", STEADY], blocks=50, seed=9)
    again = kuhn("random", ["random", STEADY], blocks=50, seed=9)
    assert first.to_json() == again.to_json()
    assert first.to_json() != kuhn("random", ["random", STEADY], blocks=50, seed=10).to_json()
    data = json.loads(first.to_json())
    assert data["env_id"] == "kuhn_v0"
    assert data["config"] == {"num_players": 2}
    assert [m["opponent"] for m in data["matchups"]] == ["random", "steady"]
    assert set(data["hashes"]) == {"observation", "rules", "agents"}
    assert "wall_seconds" not in first.to_json()


@pytest.mark.parametrize("agent", ["random", "ismcts:9"])
def test_another_process_and_two_processes_write_the_same_report(agent):
    here = kuhn(agent, "random", blocks=1100, seed=4).to_json()  # more than one chunk
    code = (
        "import sys; from training.evaluate import evaluate; from tests.toys.kuhn import GAME\n"
        "if __name__ == '__main__':\n"
        "    report = evaluate(GAME, sys.argv[1], 'random', blocks=1100, seed=4, processes=2)\n"
        "    print(report.to_json(), end='')"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run(
        [sys.executable, "-c", code, agent],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert there.stdout == here


def test_a_process_that_is_killed_ends_the_measurement_with_a_word():
    with (
        pytest.raises(ChildProcessError, match="one of 2 processes was ended from outside"),
        module.mapper(2) as run,
    ):
        list(run(os._exit, [1]))


def test_a_run_that_goes_on_is_measured_as_it_was_at_the_start(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_GAMES", 40)
    run = tmp_path / "run"
    leave_checkpoint(run, 1, bet=20)

    def go_on(done):
        if not (run / "checkpoint-000000000002").exists():
            leave_checkpoint(run, 2, bet=-20)

    before = kuhn(str(run), ["random", str(run)], blocks=60, seed=3)
    during = kuhn(str(run), ["random", str(run)], blocks=60, seed=3, progress=go_on)
    assert during.to_json() == before.to_json()
    assert during.to_json() != kuhn(str(run), ["random", str(run)], blocks=60, seed=3).to_json()


def test_runs_of_one_length_are_told_apart(tmp_path):
    runs = [str(tmp_path / name) for name in ("one", "other")]
    for run in runs:
        leave_checkpoint(tmp_path / run, 1, bet=0)
    report = kuhn(runs[0], runs, blocks=10)
    assert [matchup.opponent for matchup in report.matchups] == runs
    assert report.agent == "checkpoint-000000000001"  # whatever folder it lies in


def test_a_saved_report_keeps_the_wall_time_apart(tmp_path):
    report = kuhn("random", "random", blocks=10)
    report.save(tmp_path / "deep" / "report.json")
    saved = json.loads((tmp_path / "deep" / "report.json").read_text())
    assert saved["report"] == json.loads(report.to_json())
    assert saved["run"]["wall_seconds"] > 0
    assert os.listdir(tmp_path / "deep") == ["report.json"]


def test_illegal_answers_are_counted_for_the_side_that_gave_them():
    [matchup] = kuhn(Outlaw(), STEADY, blocks=20).matchups
    assert matchup.illegal == matchup.decisions > 0
    assert matchup.opponent_illegal == 0
    report = kuhn(STEADY, Outlaw(), blocks=20)
    assert report.matchups[0].illegal == 0
    assert report.illegal == report.matchups[0].opponent_illegal > 0


def test_a_block_is_the_same_match_as_in_the_single_environment():
    """Rotation t of block b: the deal of game_seed(seed, b), the agent in seat t."""
    player, seed, block, rotation = load(KUHN, "random"), 6, 5, 1
    played = play_blocks(KUHN, CONFIG, (STEADY, STEADY), seed, first=block, last=block + 1)
    env = GameEnv(KUHN)
    env.reset(seed=game_seed(seed, block))
    totals = dict.fromkeys(env.possible_agents, 0.0)
    while not env.terminations[env.agent_selection]:
        observation = env.observe(env.agent_selection)
        env.step(STEADY.act(observation["observation"], observation["action_mask"], streams(0)))
        for name, reward in env.rewards.items():
            totals[name] += reward
    assert played.rewards[0, rotation].tolist() == list(totals.values())
    assert player.name == "random"


def test_blocks_do_not_depend_on_how_many_there_are():
    few = play_blocks(KUHN, CONFIG, (load(KUHN, "random"), STEADY), seed=2, first=0, last=10)
    later = play_blocks(KUHN, CONFIG, (load(KUHN, "random"), STEADY), seed=2, first=4, last=10)
    assert (few.rewards[4:] == later.rewards).all()


def test_win_shares_count_teams_and_split_ties():
    rewards = np.array([[[1.0, -1, 1, -1], [1.0, -1, 1, -1]]])  # one block, two rotations
    scores, shares = scores_of(rewards, teams=(0, 1, 0, 1))
    assert scores.tolist() == [[1, -1]]
    assert shares.tolist() == [[1, 0]]
    three = np.array([[[2.0, 2, -4]] * 3])
    scores, shares = scores_of(three, teams=(0, 1, 2))
    assert scores.tolist() == [[2, 2, -4]]
    assert shares.tolist() == [[0.5, 0.5, 0]]


def test_a_game_of_teams_rotates_teams():
    together = replace(KUHN, teams=lambda config: (0, 0))
    played = play_blocks(together, CONFIG, (STEADY, Outlaw()), seed=1, first=0, last=3)
    assert played.rewards.shape == (3, 1, 2)
    assert played.illegal.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"blocks": 1}, "at least 2"),
        ({"num_players": 3}, "2"),
        ({"seed": -1}, "seed=-1: allowed are integers from 0"),
        ({"processes": 0}, "processes=0: allowed are integers from 1"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        kuhn("random", "random", **arguments)


def test_an_unknown_agent_is_refused_by_name():
    with pytest.raises(ValueError, match=r"no agent 'radnom' \(did you mean 'random'\?\)"):
        kuhn("radnom", "random", blocks=10)
    with pytest.raises(ValueError, match="no agent 'stong'"):
        kuhn("random", ["random", "stong"], blocks=10)


def test_the_table_shows_every_opponent():
    text = kuhn(STEADY, ["random", STEADY], blocks=10).text()
    for word in ("steady", "random", "95 % intervals", "50.0%"):
        assert word in text
