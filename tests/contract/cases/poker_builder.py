"""What the contract tests know about Poker builder."""

from typing import Any

from envs.poker_builder.bets import auction_winner, card_at
from envs.poker_builder.record import prize_place
from tests.contract.cases import Case


def possible(record: Any, seat: int) -> bool:
    """The bets of settled auctions give the outcomes that everybody saw."""
    return all(
        auction_winner(record, auction, card_at(record, prize_place(auction)))
        == record.winner[auction]
        for auction in range(record.auction)
    )


CASE = Case(
    option_sets={
        "high_ace": {"ace_bet_value": 14, "faces10": True, "suit_tiebreak": "count"},
        "keep": {"leftovers": "keep", "tie": "bids"},
        "final_deck": {"leftovers": "final_deck", "manual_showdown": True},
        "hidden": {"hide_discards": True},
    },
    possible=possible,
)
