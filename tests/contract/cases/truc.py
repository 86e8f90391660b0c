"""Truc: option sets that together give every option another value, and what stacks allow."""

from tests.contract.cases import Case

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
)
