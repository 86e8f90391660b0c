"""Truc: envit values, what is paid and when, options of the match (T7, T10, T13, T15)."""

import numpy as np
import pytest

from tests.games.truc_scoresheet import (
    A_WINS,
    BIDS,
    ENVIT_B,
    SECOND_TRICK,
    at_score,
    deal,
    play,
    record,
    rewards,
    score,
    seen,
    turn,
)

pytestmark = pytest.mark.worked


@pytest.mark.parametrize(
    ("hand", "options", "value"),
    [
        ("11B 10O 6C", {"reserved": 28}, 34),
        ("11B 10O 12C", {"reserved": 28}, 28),
        ("11B 10O 12C", {}, 35),
        ("10O 7O 6O", {}, 34),
        ("11B 7B 6B", {}, 35),
        ("10C 11C 12E", {}, 20),
        ("7O 5C 12E", {"no_pair": "zero"}, 0),
        ("10C 11E 12O", {}, 0),
        ("7E 6E 5E", {"flor": True}, 38),
        ("11B 7B 6B", {"flor": True}, 41),
        ("10O 7O 6O", {"flor": True}, 40),
        ("10C 11C 12C", {"flor": True}, 20),
        ("11B 12B 1B", {"flor": True}, 29),
        ("11B 7C 5O", {"flor": True}, 35),
    ],
)
def test_T7_T15_envit_values(hand, options, value):
    assert seen(deal(hand, **options), 0, "my_envit")[0] == value


def tots(a, b, **options):
    """Tots accepted at a score and won by B; then B folds, A +1."""
    env = at_score(deal(*ENVIT_B, **options), a, b)
    return play(env, "p0 1E", "p1 7E", "p2 envida", "p3 tots", "p2 vull", "p2 1B", "p3 me'n vaig")


def test_T10_half_and_target_move_together():
    assert score(tots(6, 3, target=12)) == (6, 12)
    assert score(tots(7, 3, target=12)) == (8, 8)
    assert score(tots(6, 3, target=11)) == (7, 8)  # 6 is above 5.5


def test_T13_other_points_are_not_capped():
    env = play(at_score(deal(), 22, 0), "p0 truc", "p3 vull", *A_WINS)
    assert score(env) == (25, 0)


def test_T13_joc_fora_brings_the_score_to_the_target():
    env = play(at_score(deal(target=12), 5, 11), *BIDS, "p2 vull", *A_WINS)
    assert score(env) == (12, 11)


def test_T13_a_refused_envit_may_end_the_match_in_mid_hand():
    env = play(at_score(deal(), 23, 20), "p0 1E", "p1 7E", "p2 envida", "p3 no vull")
    assert turn(env) == "over"
    assert score(env) == (24, 20)
    assert rewards(env) == (1, -1)


def test_T13_if_the_envit_wins_the_match_the_truc_is_not_scored():
    env = at_score(deal(*ENVIT_B), 22, 22)
    play(env, "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 truc", "p3 vull", "p2 1B", "p3 3O")
    play(env, *SECOND_TRICK[:1], "p1 6E", "p2 12C", "p3 10C")
    assert score(env) == (22, 24)


def test_T13_a_refused_truc_scores_the_accepted_envit_first():
    env = at_score(deal(*ENVIT_B), 23, 22)
    play(env, "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 truc", "p3 no vull")
    assert score(env) == (23, 24)


def test_T13_legs():
    env = at_score(deal(legs=3), 23, 5)
    play(env, "p0 1E", "p1 me'n vaig")
    assert (score(env), record(env).legs_won.tolist()) == ((0, 0), [1, 0])
    assert record(env).dealer == 0
    assert rewards(env) == (0, 0)
    at_score(env, 5, 23)
    play(env, "p0 truc", "p3 vull", "p0 me'n vaig")  # B gives up: A +3
    assert score(env) == (8, 23)
    at_score(env, 23, 23)
    play(env, "p0 me'n vaig")  # p0 is player_2
    assert record(env).legs_won.tolist() == [1, 1]
    at_score(env, 23, 0)
    play(env, "p0 me'n vaig")  # p0 is player_3
    assert turn(env) == "over"
    assert record(env).legs_won.tolist() == [2, 1]
    assert rewards(env) == (1, -1)


def test_T13_joc_fora_wins_the_leg():
    env = play(at_score(deal(legs=3), 3, 9), *BIDS, "p2 vull", *A_WINS)
    assert turn(env) == "p0"
    assert record(env).legs_won.tolist() == [1, 0]


def test_envit_cap_limits_accepted_envits_only():
    def dos_mes(cap):
        env = at_score(deal(envit_cap=cap), 20, 3)
        play(env, "p0 1E", "p1 7E", "p2 envida", "p3 jo envit", "p2 dos més", "p3 vull")
        return play(env, "p2 1B", "p3 me'n vaig")

    assert score(dos_mes(cap=True)) == (24, 3)
    assert score(dos_mes(cap=False)) == (26, 3)
    env = at_score(deal(envit_cap=True), 23, 3)
    play(env, "p0 1E", "p1 7E", "p2 envida", "p3 jo envit", "p2 dos més", "p3 no vull")
    assert score(env) == (27, 3)


def test_reveal_envit_shows_every_seats_value():
    lines = ("p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 1B", "p3 me'n vaig")
    env = play(deal(reveal_envit=True), *lines)
    assert seen(env, 1, "last_envits").tolist() == [7, 27, 4, 4]  # p1, p2, p3, p0
    assert env.unwrapped.table(0).values["envits"] == "4 7 27 4"
    env = play(deal(), *lines)
    assert seen(env, 1, "last_envits").size == 0
    assert seen(env, 1, "last_envit").tolist() == [27, 0, 1]
    assert "envits" not in env.unwrapped.table(0).values


def test_the_last_envit_is_shown_until_the_next_hands_first_call():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 1B", "p3 me'n vaig")
    assert seen(env, 0, "last_envit").tolist() == [27, 1, 0]
    play(env, "p0 truc")
    assert seen(env, 0, "last_envit").tolist() == [0, 0, 0]


def test_the_last_envit_is_that_of_the_last_hand_only():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 1B", "p3 me'n vaig")
    play(env, "p0 me'n vaig")  # a hand without any call
    assert seen(env, 0, "last_envit").tolist() == [0, 0, 0]


def test_a_refused_envit_reveals_nothing():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 no vull", "p2 me'n vaig")
    assert seen(env, 0, "last_envit").tolist() == [0, 0, 0]


@pytest.mark.parametrize("reward", ["win", "points"])
def test_hands_ends_the_match_and_pays_all_points(reward):
    env = play(deal(hands=2, reward=reward), "p0 truc", "p3 vull", "p0 me'n vaig")
    assert rewards(env) == (0, 0)
    play(env, "p0 me'n vaig")  # player_1
    assert turn(env) == "over"
    assert score(env) == (1, 3)
    assert np.allclose(rewards(env), (-2 / 24, 2 / 24))


def test_hands_ends_earlier_when_the_match_is_won():
    env = play(deal(hands=5), *BIDS, "p2 no vull")  # B +9
    at_score(env, 0, 23)
    play(env, "p0 truc", "p3 vull", "p0 me'n vaig")  # player_1 folds: A +3
    at_score(env, 3, 23)
    play(env, "p0 me'n vaig")  # player_2: B +1
    assert turn(env) == "over"
    assert np.allclose(rewards(env), (-21 / 24, 21 / 24))


def test_reward_points_pays_each_hand():
    env = play(deal(reward="points"), "p0 truc", "p3 vull", "p0 me'n vaig")
    assert np.allclose(rewards(env), (-3 / 24, 3 / 24))
    play(env, "p0 me'n vaig")
    assert np.allclose(rewards(env), (1 / 24, -1 / 24))
    at_score(env, 23, 0)
    play(env, "p0 truc", "p3 vull")
    assert rewards(env) == (0, 0)


def test_reward_points_counts_a_refused_envit_with_its_hand():
    env = play(deal(reward="points"), "p0 1E", "p1 7E", "p2 envida", "p3 no vull")
    assert rewards(env) == (0, 0)
    play(env, "p2 me'n vaig")
    assert np.allclose(rewards(env), (0, 0))
    env = play(at_score(deal(reward="points"), 23, 0), "p0 1E", "p1 7E", "p2 envida", "p3 no vull")
    assert np.allclose(rewards(env), (1 / 24, -1 / 24))


def test_reward_points_with_another_target():
    env = play(deal(reward="points", target=12), "p0 me'n vaig")
    assert np.allclose(rewards(env), (-1 / 12, 1 / 12))


def test_reward_win_pays_at_the_end_only():
    env = play(deal(), "p0 me'n vaig")
    assert rewards(env) == (0, 0)


def test_action_texts_read_back():
    raw = deal().unwrapped
    for action in range(64):
        assert raw.parse_action(raw.action_text(action)) == action
    assert raw.action_text(0) == "play 1O"
    assert [raw.action_text(a) for a in (40, 44, 48, 50, 51, 52, 61, 62, 63)] == [
        "truc", "envida", "vull", "me'n vaig", "passo", "senya amo", "senya tapada",
        "vine a mi", "pitja",
    ]  # fmt: skip
    assert raw.parse_action("Dos mes") == raw.parse_action("dos més") == 46
