"""Balcó: the option sets."""

from tests.contract.cases import Case

CASE = Case(
    option_sets={
        "hand_empty": {"take_up": "hand_empty", "eights": "one"},
        "reveal": {"start": "reveal_return", "may_take": True, "end": "first_out"},
        "strict": {"sevens": "both", "ten_block": "anywhere", "shoot_back": False},
        "no_jokers": {"jokers": 0, "max_decisions": 60},
    },
)
