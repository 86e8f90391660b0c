"""What the contract tests know about Poker builder."""

from tests.contract.cases import Case

CASE = Case(
    option_sets={
        "high_ace": {"ace_bet_value": 14, "faces10": True, "suit_tiebreak": "count"},
        "keep": {"leftovers": "keep", "tie": "bids"},
        "final_deck": {"leftovers": "final_deck", "manual_showdown": True},
        "hidden": {"hide_discards": True},
    },
)
