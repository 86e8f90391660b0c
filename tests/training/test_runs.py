"""A run from the command line to its report, with Kuhn poker."""

import json

import pytest

from agents.policy import newest_checkpoint
from envs import GAMES
from tests.toys.kuhn import GAME as KUHN
from training import cli, runs
from training.ppo import Trainer

SMALL = ["--set", "games=64", "--set", "rollout=8", "--set", "minibatch=256", "--set", "probes=1"]


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """An empty folder to run in, where Kuhn poker is the only game."""
    monkeypatch.setattr(GAMES, "_modules", {"kuhn_v0": KUHN.module})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_runs_are_numbered(tmp_path):
    assert runs.new_folder(KUHN, tmp_path / "runs").name == "kuhn_v0-1"
    for name in ("kuhn_v0-2", "kuhn_v0-10", "kuhn_v0-old", "truc_v0-30"):
        (tmp_path / name).mkdir()
    assert [path.name for path in runs.folders(KUHN, tmp_path)] == ["kuhn_v0-2", "kuhn_v0-10"]
    assert runs.new_folder(KUHN, tmp_path).name == "kuhn_v0-11"


def test_runs_that_begin_at_once_get_a_folder_each(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "folders", lambda game, root: [])  # neither has seen the other
    made = [runs.new_folder(KUHN, tmp_path).name for _ in range(3)]
    assert made == ["kuhn_v0-1", "kuhn_v0-2", "kuhn_v0-3"]


def test_a_run_leaves_checkpoint_report_and_curve_and_can_be_resumed(workplace, capsys):
    assert cli.main(["train", "kuhn", "--minutes", "0.01", "--blocks", "20", *SMALL]) == 0
    out = capsys.readouterr().out
    assert "matches won" in out
    [folder] = (workplace / "runs").iterdir()
    assert folder.name == "kuhn_v0-1"
    names = {path.name for path in folder.iterdir()}
    assert {"report.json", "learning_curve.png", "metrics.jsonl"} <= names
    [first] = folder.glob("checkpoint-*")
    report = json.loads((folder / "report.json").read_text())["report"]
    assert [m["opponent"] for m in report["matchups"]] == ["random"]
    assert report["matchups"][0]["illegal"] == 0
    assert "weights" in report["hashes"]

    (workplace / "runs" / "kuhn_v0-2").mkdir()  # a run that was killed before its first checkpoint
    for changed in (["--set", "games=32"], ["--learner", "sb3"], ["--profile", "default"]):
        assert cli.main(["train", "kuhn", "--resume", *changed]) == 2
        assert "was" in capsys.readouterr().err
    again = ["train", "kuhn", "--minutes", "0.01", "--blocks", "20", "--resume", *SMALL]
    again += ["--profile", "quick"]
    assert cli.main(again) == 0
    assert max(folder.glob("checkpoint-*")).name > first.name
    assert not any((workplace / "runs" / "kuhn_v0-2").iterdir())
    assert cli.main(["evaluate", "kuhn", f"runs/{folder.name}", "--blocks", "20"]) == 0


def test_a_killed_run_is_resumed_to_the_end_that_was_planned(workplace, monkeypatch, capsys):
    small = ["--blocks", "20", *SMALL, "--set", "checkpoint_seconds=0"]
    planned = ["train", "kuhn", *small, "--set", "steps=5120"]
    updates, real = [0], Trainer.update

    def dying(trainer):
        updates[0] += 1
        if updates[0] == 5:
            raise KeyboardInterrupt
        return real(trainer)

    monkeypatch.setattr(Trainer, "update", dying)
    assert cli.main(planned) == 130
    monkeypatch.setattr(Trainer, "update", real)
    folder = workplace / "runs" / "kuhn_v0-1"
    assert newest_checkpoint(folder).name == "checkpoint-000000002048"
    for _ in range(2):  # the second time there is nothing left to learn
        assert cli.main(["train", "kuhn", "--resume", "--blocks", "20"]) == 0
        assert newest_checkpoint(folder).name == "checkpoint-000000005120"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--resume"], "no run of kuhn_v0 in runs/"),
        (["--resume", "--out", "nowhere"], "nowhere"),
        (["--profile", "slow"], "no profile 'slow'"),
        (["--set", "lerning_rate=1"], "did you mean 'learning_rate'?"),
        (["--set", "games=0"], "games=0"),
        (
            ["--learner", "sb3", "--minutes", "0.01", "--set", "magnet=0.1"],
            "sb3 makes no use of it",
        ),
    ],
)
def test_a_run_that_cannot_be_is_refused_in_one_line(workplace, capsys, arguments, says):
    assert cli.main(["train", "kuhn", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("naips: ")
    assert err.count("\n") == 1
    assert says in err
