"""Balcó: the option sets, and what does not change under them."""

from tests.contract.cases import Case

OPTION_SETS = {
    "hand_empty": {"take_up": "hand_empty", "eights": "one"},
    "reveal": {"start": "reveal_return", "may_take": True, "end": "first_out"},
    "strict": {"sevens": "both", "ten_block": "anywhere", "shoot_back": False},
    "no_jokers": {"jokers": 0, "max_decisions": 60},
}
# With two players, and with ``end="first_out"``, the first place is given when the game is over.
STILL = {name: frozenset({"place"}) for name in ("default", *OPTION_SETS)}

CASE = Case(option_sets=OPTION_SETS, still=STILL)
