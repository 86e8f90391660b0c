"""Hints for people: who gives them, and in which order."""

import pytest

from agents.hints import Adviser, best_player
from envs import find_game, quatre_duros_v0


@pytest.mark.parametrize(
    ("players", "options", "name"),
    [(4, {}, "baseline"), (6, {}, "strong"), (4, {"twos": "none"}, "baseline")],
)
def test_the_best_player_is_the_baseline_where_there_is_one(players, options, name):
    game = find_game("truc")
    assert best_player(game, game.configure(players, **options)).name == name


def test_what_the_player_would_play_comes_first(monkeypatch):
    monkeypatch.setattr("agents.hints.SEARCH", "ismcts:20")
    env = quatre_duros_v0.raw_env()
    env.reset(seed=3)
    hints, rounds = Adviser(env.game, env.config).rank(env, seed=1)
    shares = [hint.policy for hint in hints]
    assert rounds == 20
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1, abs=1e-3)
