"""What is done at the table, as people hear of it."""

import copy
import random

import numpy as np
import pytest

from agents.human.acts import Act, perform
from agents.human.choices import Choice, taken_from
from agents.human.language import language
from agents.human.terminal import understand
from agents.human.words import act_words, heard_words
from envs import GAMES
from envs.conformance.slots import Slots
from envs.conformance.subject import choose
from envs.core.aec import GameEnv
from envs.core.cards import pretty_words
from envs.core.table import Zone
from tests.games.positions_balco import position


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


# What an act brings


def news(env: GameEnv, text: str) -> str:
    """What everybody together hears of an act beyond its words."""
    return perform(env, env.parse_action(text)).news.get(None, "")


@pytest.mark.parametrize(
    ("downs", "pile", "said"),
    [
        ("9 3", "4", "9"),
        ("6 3", "12", "6, taken with the pile"),
        ("JK 3", "12", "JK"),
        ("9", "4", "9; out, place 1"),
        ("10 3", "4", "10; the pile is cleaned"),
        ("5 3", "5 5 5", "5; the pile is cleaned"),
    ],
)
def test_what_a_flip_turned_over_is_told(downs, pile, said):
    env = position(["", "11 3", "11"], down=[downs], pile=pile)
    act = perform(env, env.parse_action("flip"))
    assert act.news == dict.fromkeys((0, 1, 2, None), said)


def test_the_pile_that_is_taken_is_counted():
    assert news(position(["3", "5"], pile="12"), "take") == "1 card"
    assert news(position(["3", "5"], pile="7 12"), "take") == "2 cards"


def test_a_shot_that_needs_no_choice_names_its_target():
    assert news(position(["1 3", "5"], pile="4"), "play 1") == "player_1 is shot"
    assert news(position(["1 3", "5", "6"], pile="4"), "play 1") == ""
    assert news(position(["", "5"], down=["JK 3"], pile="1", shot_by=1), "flip") == "JK"


@pytest.mark.parametrize("start", ["play", "reveal_return"])
def test_who_begins_is_told_with_the_lowest_cards(start):
    env = GameEnv(GAMES["balco_v0"], num_players=3, start=start)
    nines = "8 8 10 7 7 9 4 12 12", "8 8 10 7 7 9 3 JK 1", "11 11 10 6 6 9 3 5 6"  # down, up, hand
    first = " ".join(nines).split()
    rest = list(map(env.game.cards.text, env.game.pack(env.config)))
    for card in first:
        rest.remove(card)
    env.reset(seed=1, options={"deck": first + rest, "dealer": 2})
    assert news(env, "keep up 7 7 9") == news(env, "keep up 7 7 9") == ""
    lowest = "4 by player_0, 3 by player_1, 3 by player_2; player_1 begins"
    assert news(env, "keep up 6 6 9") == f"the lowest cards: {lowest}"


def puc(stock: str, **options) -> GameEnv:
    """A first hand of three in which seat 0 is offered K♦."""
    hands = "2C 4C 6C 8C 10C QC " * 3
    env = GameEnv(GAMES["puc_v0"], num_players=3, **options)
    env.reset(seed=1, options={"deck": f"{hands} KD {stock}", "dealer": 2})
    return env


def told(env: GameEnv, *texts: str) -> list[dict]:
    """What everyone hears of some acts."""
    return [dict(perform(env, env.parse_action(text)).news) for text in texts]


def test_the_card_taken_face_up_is_told_to_all():
    assert told(puc("7S 8C"), "take") == [dict.fromkeys((0, 1, 2, None), "KD")]


def test_a_card_of_the_stock_is_told_to_whoever_drew_it():
    mine = {0: "player_0 draws 7S", None: "player_0 draws 7S"}
    assert told(puc("7S 8C"), "draw", "no puc", "no puc") == [{}, {}, mine]
    alone = {0: "7S from the stock", None: "7S from the stock"}
    assert told(puc("7S"), "draw") == [alone]  # too few cards for a puc


def test_a_puc_brings_two_cards_and_the_turn_a_third():
    heard = told(puc("7S 8C 9D"), "draw", "no puc", "puc")[-1]
    assert heard == {
        0: "KD, player_0 draws 8C",
        1: "KD",
        2: "KD, 7S from the stock",
        None: "KD, 7S from the stock, player_0 draws 8C",
    }


def test_the_end_of_the_stock_is_told():
    blocked = "no card is left to draw, the hand is blocked"
    assert told(puc(""), "draw") == [dict.fromkeys((0, 1, 2, None), blocked)]
    turn = ("draw", "no puc", "no puc", "discard 2C")
    heard = told(puc("3S 4S 5S"), *turn, *turn, *turn, *turn[:3])
    assert heard[-1][1] == "the discards become the stock"
    assert "the discards become the stock" in heard[-1][0]
    assert not any("become" in words for act in heard[:-1] for words in act.values())


def duros(deck: str, **options) -> GameEnv:
    """A first hand of three; seat 0 begins and seat 2 deals."""
    env = GameEnv(GAMES["quatre_duros_v0"], num_players=3, **options)
    rest = [card for card in map(env.game.cards.text, range(40)) if card not in deck.split()]
    env.reset(seed=1, options={"deck": [*deck.split(), *rest], "dealer": 2})
    return env


def test_cards_are_told_to_those_who_exchange_them_and_to_who_has_seen_them():
    first, second, third = told(duros("3O 7C 1E 6O"), "exchange", "exchange", "exchange")
    both = "with player_1: gives 3O, takes 7C"
    assert first == {0: both, 1: both, 2: "with player_1", None: both}
    both = "with player_2: gives 3O, takes 1E"
    assert second == {0: "with player_2: gives 3O", 1: both, 2: both, None: both}
    assert third == dict.fromkeys((0, 1, 2, None), "6O")


def test_a_king_refuses_asks_and_stops_the_dealer():
    all_hear = (0, 1, 2, None)
    env = duros("3O 12C 1E 12B", stock_king_blocks=True)
    acts = "exchange", "ask +1", "guess O", "ask +1", "guess C", "exchange"
    assert [heard.get(None) for heard in told(env, *acts)] == [
        "player_1 has a king",
        None,
        "wrong guess, player_2 pays player_1",
        None,
        "right guess, player_1 pays player_2",
        "12B, set aside",
    ]
    assert told(duros("3O 12C 1E"), "exchange") == [dict.fromkeys(all_hear, "player_1 has a king")]


def test_the_last_act_of_a_match_says_what_everyone_has():
    env = duros("3O 7C 1E", coins=[1, 0, 1])
    told(env, "stand")
    assert (
        perform(env, env.parse_action("stand")).result
        == "player_0: 0 (-1), player_1: 0, player_2: 1"
    )


@pytest.mark.parametrize("game", GAMES)
def test_an_act_says_nothing_that_a_seat_cannot_see(game):
    """Worlds that look the same to a seat before and after an act sound the same to it."""
    env, chance = GameEnv(GAMES[game]), random.Random(3)
    env.reset(seed=3)
    alike = apart = 0
    for _ in range(150):
        if env.states["over"][0]:
            env.reset()
        viewer = chance.randrange(len(env.possible_agents))
        action = choose(env, chance)
        for other in worlds_for(env, viewer, action, chance):
            acts = [(world, perform(world, action)) for world in (copy.deepcopy(env), other)]
            seen = [world.observe(f"player_{viewer}")["observation"] for world, _ in acts]
            heard = [heard_words(act, viewer, env, language()) for _, act in acts]
            looks = [world.table(viewer) for world, _ in acts]
            if np.array_equal(*seen) and looks[0] == looks[1]:
                assert heard[0] == heard[1]
                alike += 1
            apart += [act.news for _, act in acts].count({}) < 2 and heard[0] != heard[1]
        env.step(action)
    assert alike > 50
    assert apart or game in ("poker_builder_v0", "truc_v0")


def worlds_for(env: GameEnv, viewer: int, action: int, chance: random.Random):
    """Copies with two cards exchanged that a seat cannot see, in which the action is legal too."""
    words = env.action_text(action)
    slots = Slots(env.states, env.game.hidden(env.states[0], viewer))
    for a, b in slots.pairs(chance, 3):
        slots.swap(a, b)
        other = copy.deepcopy(env)
        slots.restore()
        other.refresh()
        legal = other.observe(other.agent_selection)["action_mask"][action]
        possible = other.game.is_possible(other.states[0], viewer)
        if legal and possible and other.action_text(action) == words:
            yield other


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "take → K♦"),
        ("ca", "agafa → K♦"),
        ("es", "coge → K♦"),
    ],
)
def test_what_an_act_brought_is_said_in_the_language(code, said):
    act = Act(0, "take", 1, (), {1: "KD"})
    assert heard_words(act, 1, puc("7S"), language(code)) == said
    assert "→" not in heard_words(act, 0, puc("7S"), language(code))


def test_a_secret_act_brings_no_news():
    act = Act(0, "take", 1, (1,), {1: "KD"})
    assert heard_words(act, 1, puc("7S"), language()) == "chooses in secret"


# Words


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
