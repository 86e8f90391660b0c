"""Truc: signals, spoken calls and the score counters (T16, T17)."""

import numpy as np
import pytest

from envs.truc.view import counters
from tests.games.truc_scoresheet import (
    EIGHT,
    FOLD,
    SIX,
    STACKS,
    TIE,
    TIED,
    at_score,
    deal,
    deck,
    legal,
    play,
    record,
    seen,
    turn,
)

pytestmark = pytest.mark.worked

TALK = {
    "passo", "senya amo", "senya segon", "senya llengua", "senya marilla", "senya tres",
    "senya dos", "senya asos borts", "senya res", "senya la reservada", "senya tapada", FOLD,
}  # fmt: skip
PASSO = 0  # places of the talk section
AMO, TAPADA, VINE_A_MI = 1, 10, 11


def heard(env, listener, speaker, trick=0):
    """What a seat has heard of a speaker: a place of the talk section, or None."""
    n = record(env).num_players
    row = seen(env, listener, "talk")[trick, (speaker - listener) % n]
    assert row.sum() <= 1
    return int(row.argmax()) if row.any() else None


def test_T16_off_there_is_no_talk():
    assert seen(deal(), 0, "talk").size == 0


@pytest.mark.parametrize("signals", ["partner", "risky", "public"])
def test_T16_a_talk_round_from_p0_before_each_trick(signals):
    env = deal("1E 4O 4C", "7E 11O 12E", "1B 5O 6B", "3O 10C 4B", signals=signals)
    assert legal(env) == TALK
    play(env, "p0 passo", "p1 senya amo", "p2 senya res")
    assert legal(env) == TALK | {"vine a mi", "pitja"}  # p3, a peu: p2 might have too
    play(env, "p3 pitja", "p0 1E", "p1 7E", "p2 1B", "p3 3O")
    play(env, "p0 passo", "p1 passo", "p2 vine a mi", "p3 passo")
    play(env, "p0 4O", "p1 11O", "p2 5O", "p3 10C")  # p1 leads the third trick
    play(env, "p0 passo", "p1 passo", "p2 passo", "p3 passo", "p1 12E")


def test_T16_no_talk_round_before_a_stack():
    env = deal(*TIE, signals="public")
    play(env, "p0 passo", "p1 passo", "p2 passo", "p3 passo", *TIED, *STACKS)
    assert turn(env) == "p2"


def test_T16_three_tricks_talk_goes_on_after_a_tie():
    env = deal(*TIE, signals="public", first_tie="three_tricks")
    play(env, "p0 passo", "p1 passo", "p2 passo", "p3 passo", *TIED)
    assert "senya amo" in legal(env)


@pytest.mark.parametrize(
    ("options", "who"),
    [
        ({"signals": "partner"}, {0, 2}),
        ({"signals": "public"}, {0, 1, 2, 3}),
        ({"signals": "risky", "signal_catch": 0.0}, {0, 2}),
        ({"signals": "risky", "signal_catch": 1.0}, {0, 1, 2, 3}),
    ],
)
@pytest.mark.parametrize(("word", "place"), [("senya amo", AMO), ("senya tapada", TAPADA)])
def test_T16_who_sees_a_signal(options, who, word, place):
    env = play(deal(**options), f"p0 {word}")
    for seat in range(4):
        assert heard(env, seat, 0) == (place if seat in who else PASSO)
        line = f"player_0 before trick 1: {word if seat in who else 'passo'}"
        assert line in env.unwrapped.table(seat).log


def test_T16_risky_catches_now_and_then():
    env = deal(signals="risky", signal_catch=0.5)
    caught = 0
    for seed in range(200):
        env.reset(seed=seed, options={"dealer": 3})
        play(env, "p0 senya amo")
        caught += (heard(env, 1, 0) == AMO) + (heard(env, 3, 0) == AMO)
    assert 140 < caught < 260  # 200 expected, deviation 10


@pytest.mark.parametrize("signals", ["partner", "risky", "public"])
def test_T16_spoken_calls_are_public(signals):
    env = deal(*EIGHT, num_players=8, signals=signals, signal_catch=0.0)
    play(env, *(f"p{place} passo" for place in range(7)), "p7 vine a mi")
    assert [heard(env, seat, 7) for seat in range(8)] == [VINE_A_MI] * 8
    assert record(env).seen[0, 7] == 0b1111_1111


def test_T16_with_more_players_only_the_peus_speak():
    env = deal(*SIX, num_players=6, signals="partner")
    for place in range(6):
        assert ("pitja" in legal(env)) == (place >= 4)
        play(env, f"p{place} senya amo")
    for listener in range(6):
        for speaker in range(6):
            mate = listener % 2 == speaker % 2
            assert heard(env, listener, speaker) == (AMO if mate else PASSO)


def test_T16_an_unseen_signal_looks_exactly_like_passo():
    quiet = play(deal(signals="partner"), "p0 passo", "p1 passo")
    loud = play(deal(signals="partner"), "p0 senya amo", "p1 passo")
    for seat in (1, 3):
        agent = f"player_{seat}"
        one, other = quiet.observe(agent), loud.observe(agent)
        assert np.array_equal(one["observation"], other["observation"])
        assert quiet.unwrapped.table(seat) == loud.unwrapped.table(seat)
    assert heard(loud, 2, 0) == AMO


def test_T16_open_hands_shows_the_partners_cards_and_has_no_talk():
    env = deal(signals="open_hands")
    assert legal(env) == {"1E", "12O", "4C", "truc", FOLD}
    partner = seen(env, 0, "partners")[0]
    assert [card for i, card in enumerate(deck(())) if partner[i]] == ["12C", "1B", "6B"]
    six = deal(*SIX, num_players=6, signals="open_hands")
    assert seen(six, 1, "partners").sum(axis=1).tolist() == [3, 3]


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, ""),
        (1, "dolentes: 1 on the 8"),
        (8, "dolentes: 8 on the 8"),
        (9, "dolentes: the 9 open on the 8"),
        (10, "dolentes: crossed"),
        (11, "dolentes: side by side"),
        (12, "dolentes: one on the other"),
        (13, "a bones: 1 on the 9"),
        (21, "a bones: 9 on the 9"),
        (22, "a bones: crossed"),
        (23, "a bones: side by side"),
        (24, ""),
    ],
)
def test_T17_the_counters(points, text):
    assert counters(points) == text
    if text:
        assert (
            at_score(deal(), points, 0).unwrapped.table(0).values["score A"] == f"{points} ({text})"
        )
