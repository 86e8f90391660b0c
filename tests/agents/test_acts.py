"""What is done at the table, as people hear of it."""

import pytest

from agents.human.acts import perform
from agents.human.choices import Choice, taken_from
from agents.human.language import language
from agents.human.terminal import understand
from agents.human.words import act_words
from envs import GAMES
from envs.core.aec import GameEnv
from envs.core.cards import pretty_words
from envs.core.table import Zone


def dealt(game: str, first: list[str], **config) -> GameEnv:
    """A match in which the last seat deals these cards from the top of the pack."""
    env = GameEnv(GAMES[game], **config)
    pack = map(env.game.cards.text, env.game.pack(env.config))
    deck = first + [card for card in pack if card not in first]
    env.reset(seed=1, options={"deck": deck, "dealer": len(env.possible_agents) - 1})
    return env


def test_an_act_that_ends_a_hand_says_what_it_came_to():
    env = dealt("truc_v0", ["11B", "1E", "7O"])
    assert perform(env, env.parse_action("play 11B")).result == ""
    assert perform(env, env.parse_action("me'n vaig")).result == "score A: 1 (+1), score B: 0"


def test_coins_that_were_paid_are_told_seat_by_seat():
    env = dealt("quatre_duros_v0", ["1C", "5E"], num_players=2)
    assert perform(env, env.parse_action("stand")).result == ""
    assert perform(env, env.parse_action("stand")).result == "player_0: 3 (-1), player_1: 4"


@pytest.mark.parametrize(
    ("cards", "taken"),
    [
        ([["1"], ["9"]], [True, False, False]),  # the 1 that lies open cannot be thrown yet
        ([["1"], ["1", "10", "10"]], [True, True, False]),
        ([[]], [False, False, False]),
    ],
)
def test_cards_are_taken_from_the_hand_first(cards, taken):
    zones = [Zone("hand", ["1", "9"]), Zone("up", ["1", "10", "10"]), Zone("down", ["??"] * 3)]
    assert taken_from([Choice(0, "", of) for of in cards], zones) == taken


def test_a_seat_that_is_named_by_steps_to_the_right_is_said():
    env = dealt("quatre_duros_v0", ["1C", "5E"], num_players=4)
    assert act_words("ask +3", 2, env, language("en")) == "ask +3 → Player 1"


@pytest.mark.parametrize(
    ("text", "style", "said"),
    [
        ("trio K: KS 10H JK", "french", "trio K: K♠ 10♥ JK"),
        ("extend high JK as AS", "french", "extend high JK as A♠"),
        ("play 7C", "spanish", "play 7C"),
    ],
)
def test_french_suits_are_symbols_in_words_too(text, style, said):
    assert pretty_words(text, style) == said


def test_a_card_alone_is_understood_where_only_one_action_ends_with_it():
    legal = {4: "play 11B", 9: "play 1C", 40: "truc"}
    assert understand("11b", legal) == 4
    with pytest.raises(ValueError, match="not legal"):
        understand("1b", legal)
