"""The benchmark's loops survive every kind of ending."""

from envs import GAMES
from training import benchmark


def test_matches_cut_off_by_a_limit_are_followed_by_others():
    game = GAMES["balco_v0"]
    assert benchmark.aec_rate(game, game.configure(max_decisions=10), seconds=0.1) > 0
