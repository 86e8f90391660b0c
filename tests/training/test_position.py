"""A position told in words."""

import pytest

from envs import GAMES
from training.position import complete, set_up

TRUC = GAMES["truc_v0"]
CONFIG = TRUC.configure()


def test_cards_that_are_not_named_are_filled_in():
    deck = complete(TRUC, CONFIG, "? 11B ? 1E")
    assert (deck[1], deck[3]) == ("11B", "1E")
    assert sorted(deck) == sorted(TRUC.cards.texts)
    assert complete(TRUC, CONFIG, deck) == deck


def test_the_deal_and_the_actions_lead_to_the_position():
    """The dealer is seat 3, so seat 0 holds the first three cards of the deck."""
    env = set_up(TRUC, CONFIG, reset={"deck": "1E 12O 4C 7E", "dealer": 3}, actions="play 1E; truc")
    assert env.zones()["hand_0"] == ["12O", "4C"]
    assert "7E" in env.zones()["hand_1"]
    assert env.states["turn"][0] == 2  # the peu of team A answers


@pytest.mark.parametrize(
    ("reset", "actions", "says"),
    [
        ({"deck": "1E 1E"}, "", "has too many of"),
        ({"deck": "1E 13E"}, "", "13E"),
        ({"dealer": 9}, "", "dealer=9"),
        ({"deal": 1}, "", "no reset option 'deal'"),
        ({"deck": "1E 12O 4C", "dealer": 3}, "play 1E; play 4C", "action 2, 'play 4C'"),
        ({}, "sing", "action 1, 'sing'"),
    ],
)
def test_what_cannot_be_is_named(reset, actions, says):
    with pytest.raises(ValueError, match=says):
        set_up(TRUC, CONFIG, reset=reset, actions=actions)
