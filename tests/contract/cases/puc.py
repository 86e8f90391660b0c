"""Puc under contract."""

from tests.contract.cases import Case

CASE = Case(
    option_sets={
        "own": {
            "layoff": "own",
            "discarder_may_puc": False,
            "max_puc_per_hand": 1,
            "reward": "rank",
            "reward_at_cap": True,  # with few pucs matches at random are cut off
        },
        "few_jokers": {
            "num_packs": 3,
            "jokers_per_pack": 1,
            "max_jokers_per_meld": 0,
            "joker_in_trio": False,
            "stock_exhausted": "block",
        },
        "strict": {
            "forbid_adjacent_runs": True,
            "allow_return_discard": True,
            "max_turns_per_hand": 30,
            "reward_at_cap": True,
        },
        "one_hand": {"only_hand": 5},
    },
    # A match at random takes thousands of decisions: one whole match, the rest hand by hand.
    golden={
        3: {"seed": 7, "max_puc_per_hand": 1},
        **{players: {"only_hand": players - 3} for players in range(4, 11)},
        11: {"only_hand": 5, "layoff": "own"},
        12: {"only_hand": 7, "forbid_adjacent_runs": True},
    },
)
