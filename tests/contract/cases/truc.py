"""Truc: option sets that together give every option another value, and what stacks allow."""

from typing import Any

from envs.truc.envit import over_in_stack
from envs.truc.hand import under_card
from envs.truc.worlds import has_stacked
from tests.contract.cases import Case


def possible(record: Any, seat: int) -> bool:
    """T3: the card under a stack is not higher than the one on top."""
    return all(
        over_in_stack(record, record.played[1, owner], under_card(record, owner))
        for owner in range(record.num_players)
        if has_stacked(record, owner) and under_card(record, owner) >= 0
    )


CASE = Case(
    option_sets={
        "house": {
            "twos": "none",
            "first_tie": "three_tricks",
            "mano": "p0_team",
            "envit_openers": "any",
            "envit_after_truc": "never",
            "answer": "both_most_willing",
            "reveal_envit": True,
        },
        "points": {
            "envit_after_truc": "free",
            "answer": "next_player",
            "no_pair": "zero",
            "reserved": 28,
            "envit_cap": True,
            "flor": True,
            "hands": 6,
            "reward": "points",
        },
        "talk": {"signals": "risky", "signal_catch": 0.5, "target": 6, "legs": 3},
        "partner": {"signals": "partner", "hands": 3},
        "public": {"signals": "public", "hands": 3},
        "open_hands": {"signals": "open_hands", "hands": 3},
    },
    possible=possible,
)
