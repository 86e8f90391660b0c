"""4 Duros under the contract."""

from tests.contract.cases import Case

OPTION_SETS = {
    "few coins": {"coins": 2, "last_coin_tie": "simultaneous_replay"},
    "coins by seat": {"coins": [0, 3, 1, 2], "payments": "per_player"},
    "seat by seat": {"payments": "per_player", "stock_king_blocks": True, "coins": 2},
    "shown kings": {"show_king": True, "mask_refuted_suits": True},
    "three hands": {"hands": 3, "coins": 5},
}

# The dealer's stock card is turned up by the last act of a hand, so it stays in view only in the
# hand that ends the match.
ONLY_AT_THE_END = frozenset({"turned"})

CASE = Case(
    option_sets=OPTION_SETS,
    still=ONLY_AT_THE_END,
)
