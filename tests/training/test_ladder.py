"""Where the ladders are kept; that one is made and made again is in ``tests/test_cli.py``."""

from envs import find_game
from training import ladder

PUC = find_game("puc")


def test_a_ladder_by_other_rules_is_kept_beside_that_of_the_defaults():
    assert ladder.stem(PUC, PUC.configure(4)) == "puc_v0-4"
    assert ladder.stem(PUC, PUC.configure(3, only_hand=1)) == "puc_v0-3-only_hand=1"
