"""Cross-play tells partners who share a language from partners who do not."""

from typing import NamedTuple

import numpy as np
import pytest

from agents import load
from envs import find_game
from training.cli import main
from training.crossplay import crossplay, gaps, line_ups, seating_of

TRUC = find_game("truc_v0")
SHORT = {"target": 6}


class Twin(NamedTuple):
    """The same player under another name."""

    name: str
    player: object = None

    def act_batch(self, observations, action_masks, rngs):
        return self.player.act_batch(observations, action_masks, rngs)


def twins(*names):
    player = load(TRUC, "simple", **SHORT)
    return [Twin(name, player) for name in names]


def test_every_partner_meets_every_stranger_in_both_orders():
    three = line_ups(3, 3)
    assert len(three) == 3 * 4  # two policies are left for each opponent: 2 alone, 2 mixed
    assert (0, 1, 2) in three and (1, 0, 2) in three and (0, 0, 1) in three
    assert all(opponent not in team for *team, opponent in three)
    assert len(line_ups(3, 4)) == 12 + 9  # an opponent of another kind meets them all


def test_the_two_policies_take_turns_in_their_team():
    assert seating_of((0, 1, 0, 1)).tolist() == [[0, 2, 1, 2], [2, 0, 2, 1]]
    assert seating_of((0, 1) * 3).tolist() == [[0, 2, 1, 2, 0, 2], [2, 0, 2, 1, 2, 0]]


def test_players_that_are_all_alike_lose_nothing_with_strangers():
    report = crossplay(TRUC, twins("a", "b", "c"), blocks=20, **SHORT)
    for row in (report.overall, *report.strangers):
        assert (row.gap.low, row.gap.estimate, row.gap.high) == (0, 0, 0)
        assert row.self_play.estimate == 0.5
    assert np.array(report.partners).tolist() == [[0.5] * 3] * 3
    assert report.illegal == 0


def test_what_a_strange_partner_costs_is_found():
    """Teams of one policy win six blocks in ten against anybody, mixed teams four."""
    rng = np.random.default_rng(2)
    won = {
        (first, second, opponent): (rng.random(4000) < (0.6 if first == second else 0.4)) * 1.0
        for first, second, opponent in line_ups(3, 3)
    }
    overall, strangers = gaps(won, 3, ["a", "b", "c"], seed=0)
    assert overall.self_play.covers(0.6) and overall.cross_play.covers(0.4)
    assert overall.gap.covers(0.2) and overall.gap.low > 0.15
    assert [s.opponent for s in strangers] == ["a", "b", "c"]
    assert all(s.gap.covers(0.2) for s in strangers)


def test_a_strong_partner_helps_and_a_strong_opponent_does_not():
    report = crossplay(TRUC, ["random", "simple", "strong"], blocks=40, seed=1, **SHORT)
    partners, opponents = np.array(report.partners), np.array(report.opponents)
    assert partners[2, 2] > partners[2, 0] > partners[0, 0]
    assert (partners == partners.T).all()
    assert opponents[2, 0] > 0.5 > opponents[0, 2]
    assert [(opponents[i, i]) for i in range(3)] == [0.5] * 3


def test_the_report_repeats_with_two_processes(tmp_path):
    three = ["random", "simple", "strong"]
    here = crossplay(TRUC, three, blocks=6, seed=2, **SHORT)
    there = crossplay(TRUC, three, blocks=6, seed=2, processes=2, **SHORT)
    assert here.to_json() == there.to_json()
    here.save(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["partners.png", "report.json"]
    assert all(name in here.text() for name in (*three, "all", "cross-play"))


def test_a_report_takes_the_place_of_its_like_alone(tmp_path, capsys):
    three, out = ["random", "simple", "strong"], tmp_path / "out"
    command = ["crossplay", "truc", *three, "--option", "target=6", "--blocks", "2", "--out"]
    for _ in range(2):
        assert main([*command, str(out)]) == 0
    (out / "metrics.jsonl").write_text("a training run's")
    assert main([*command, str(out)]) == 2
    assert "out holds something else; choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "policies", "says"),
    [
        ("truc_v0", ["random", "simple"], "at least 3 different policies, not random, simple"),
        ("truc_v0", ["random", "simple", "simple"], "at least 3 different"),
        ("truc_v0", ["random", "simple", "stong"], "no agent 'stong'"),
        ("balco_v0", ["random", "simple", "strong"], "no game of two teams with partners"),
    ],
)
def test_what_cannot_be_measured_is_refused(game, policies, says):
    with pytest.raises(ValueError, match=says):
        crossplay(game, policies)
