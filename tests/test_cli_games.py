"""The command with every game that there is."""

import io

import pytest

from envs import GAMES
from training.cli import main


@pytest.mark.parametrize("env_id", list(GAMES))
def test_a_person_who_always_takes_the_first_action_comes_to_the_end(env_id, capsys, monkeypatch):
    game = GAMES[env_id]
    enough = game.max_decisions(game.configure())
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * enough))
    assert main(["play", env_id, "--seed", "5", "--seat", "1", "--against", "random"]) == 0
    out, err = capsys.readouterr()
    assert "The match is over." in out
    assert "Player 1" in out.splitlines()[-1]
    assert err == ""


def test_ascii_is_all_that_is_printed_where_that_is_wanted(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    asked = ["play", "balco", "--seed", "5", "--against", "random", "--ascii", "--lang", "ca"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert out.startswith("Balco, seed 5")
    assert " -> les cartes mes baixes: " in out
    assert out.isascii() and "?" not in out.replace("??", "")


@pytest.mark.parametrize("env_id", list(GAMES))
def test_rules_prints_the_page(env_id, capsys):
    assert main(["rules", env_id]) == 0
    assert capsys.readouterr().out.strip() == GAMES[env_id].page.strip()
