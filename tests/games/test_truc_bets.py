"""Truc: calls, answers, who may and who must (T4, T6, T8, T9, T11, T12)."""

import pytest

from tests.games.truc_scoresheet import (
    BIDS,
    EIGHT,
    ENVIT_B,
    FIRST_TRICK,
    FOLD,
    PLAIN,
    SIX,
    at_score,
    deal,
    legal,
    play,
    record,
    score,
    seen,
    turn,
)

pytestmark = pytest.mark.worked


def test_T4_calls_do_not_end_the_turn():
    env = play(deal(), "p0 truc", "p3 retruc", "p2 vull")
    assert legal(env) == {"1E", "12O", "4C", "vol nou", FOLD}
    play(env, "p0 vol nou", "p3 vull", "p0 1E")
    assert "joc fora" in legal(env)  # B accepted last


def test_T4_a_raise_accepts_the_call_it_answers():
    env = play(deal(), "p0 truc", "p3 retruc")
    assert seen(env, 0, "truc_level").tolist() == [0, 1, 0, 0, 0]
    assert seen(env, 0, "truc_call").tolist() == [0, 1, 0, 0, 0, 1]  # retruc, by them
    assert seen(env, 3, "raise_right").tolist() == [1, 0, 0]


def test_T4_nothing_is_above_joc_fora():
    env = play(deal(), *BIDS)
    assert legal(env) == {"vull", "no vull", FOLD}
    play(env, "p2 vull")
    assert legal(env) == {"1E", "12O", "4C", FOLD}


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        ((), (0, 1)),
        (("p0 truc", "p3 vull"), (0, 3)),
        (("p0 truc", "p3 retruc", "p2 vull"), (0, 6)),
        (("p0 truc", "p3 retruc", "p2 vol nou", "p3 vull"), (0, 9)),
        (("p0 truc", "p3 retruc", "p2 vol nou", "p3 joc fora", "p2 vull"), (0, 24)),
    ],
)
def test_T6_folding_before_a_card_pays_the_accepted_level(lines, points):
    assert score(play(deal(), *lines, "p0 me'n vaig")) == points


def test_T6_as_an_answer_to_a_truc_it_scores_like_no_vull():
    assert score(play(deal(), "p0 truc", "p3 me'n vaig")) == (1, 0)
    assert score(play(deal(), "p0 truc", "p3 retruc", "p2 me'n vaig")) == (0, 3)


def test_T6_an_accepted_envit_still_counts():
    env = play(deal(*ENVIT_B), "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 me'n vaig")
    assert score(env) == (0, 2 + 1)


def test_T6_an_envit_that_the_folder_owes_is_refused_first():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 me'n vaig")
    assert score(env) == (1 + 1, 0)
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 jo envit", "p2 me'n vaig")
    assert score(env) == (0, 2 + 1)


def test_T6_the_refused_envit_may_win_the_match_alone():
    env = at_score(deal(), 23, 0)
    play(env, "p0 1E", "p1 7E", "p2 envida", "p3 me'n vaig")
    assert score(env) == (24, 0)


def test_T6_the_folders_own_truc_under_the_envit_lapses():
    env = play(deal(), "p0 truc", "p3 envida", "p2 me'n vaig")
    assert score(env) == (0, 1 + 1)


def test_T6_the_others_truc_under_the_envit_is_not_accepted():
    env = play(deal(), "p0 truc", "p3 envida", "p2 jo envit", "p3 me'n vaig")
    assert score(env) == (2 + 1, 0)


def test_T6_folding_while_talking():
    env = play(deal(signals="public"), "p0 passo", "p1 me'n vaig")
    assert score(env) == (1, 0)


def test_T8_any_player_may_open_before_his_first_card():
    env = deal(envit_openers="any")
    assert "envida" in legal(env)
    play(env, "p0 envida", "p3 no vull")
    assert legal(env) == {"1E", "12O", "4C", "truc", FOLD}
    env = play(deal(envit_openers="any"), *FIRST_TRICK)
    assert "envida" not in legal(env)


@pytest.mark.parametrize(("hands", "peus"), [(SIX, {"p4", "p5"}), (EIGHT, {"p6", "p7"})])
def test_T8_T14_the_peus_are_the_last_two_seats(hands, peus):
    env = deal(*hands, num_players=len(hands))
    openers = set()
    for place, hand in enumerate(hands):
        if "envida" in legal(env):
            openers.add(turn(env))
        play(env, f"p{place} {hand.split()[0]}")
    assert openers == peus


@pytest.mark.parametrize(
    ("bids", "answers"),
    [
        (("p2 envida",), {"jo envit", "tots"}),
        (("p2 envida", "p3 jo envit"), {"dos més", "tots"}),
        (("p2 envida", "p3 jo envit", "p2 dos més"), {"tots"}),
        (("p2 envida", "p3 tots"), set()),
    ],
)
def test_T9_the_steps_go_in_order_and_tots_over_any(bids, answers):
    env = play(deal(), "p0 1E", "p1 7E", *bids)
    assert legal(env) == {"vull", "no vull", FOLD, *answers}


def test_T11_reply_only_over_the_first_truc_only():
    env = play(deal(), "p0 truc", "p3 retruc")
    assert "envida" not in legal(env)  # p2, a peu who has not played
    play(env, "p2 vull", "p0 1E", "p1 7E")
    assert "envida" not in legal(env)  # a truc has been accepted


def test_T11_reply_only_before_the_spokesmans_first_card():
    env = play(deal(), "p0 1E", "p1 7E", "p2 1B", "p3 truc")
    assert turn(env) == "p2"
    assert "envida" not in legal(env)


def test_T11_reply_only_once():
    env = play(deal(), "p0 truc", "p3 envida")
    assert legal(env) == {"vull", "no vull", "jo envit", "tots", FOLD}
    play(env, "p2 vull")
    assert turn(env) == "p3"
    assert legal(env) == {"vull", "no vull", "retruc", FOLD}


def test_T11_a_peu_may_open_before_calling_truc_himself():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 no vull", "p2 truc")
    assert legal(env) == {"vull", "no vull", "retruc", FOLD}


def test_T11_never():
    env = play(deal(envit_after_truc="never"), "p0 truc")
    assert legal(env) == {"vull", "no vull", "retruc", FOLD}
    play(env, "p3 vull", "p0 1E", "p1 7E")
    assert "envida" not in legal(env)
    env = play(deal(envit_after_truc="never"), "p0 1E", "p1 7E")
    assert "envida" in legal(env)


def test_T11_free():
    env = play(deal(envit_after_truc="free"), "p0 truc", "p3 retruc")
    assert "envida" in legal(env)  # over any step
    play(env, "p2 vull", "p0 1E", "p1 7E")
    assert "envida" in legal(env)  # in his own turn
    play(env, "p2 1B")
    assert "envida" in legal(env)
    play(env, "p3 3O")
    assert "envida" not in legal(env)


def test_T11_free_until_the_speakers_first_card():
    env = play(deal(envit_after_truc="free"), "p0 1E", "p1 7E", "p2 1B", "p3 truc")
    assert "envida" not in legal(env)


def answerers(env, call, answers):
    """Who is asked after p0's call, each answering in turn."""
    play(env, f"p0 {call}")
    asked = []
    for answer in answers:
        asked.append(turn(env))
        play(env, f"{turn(env)} {answer}")
    return asked


@pytest.mark.parametrize(
    ("hands", "peu", "everyone"),
    [
        (PLAIN, "p3", ["p1", "p3"]),
        (SIX, "p5", ["p1", "p3", "p5"]),
        (EIGHT, "p7", ["p1", "p3", "p5", "p7"]),
    ],
)
def test_T12_who_answers(hands, peu, everyone):
    def asked(answer, words):
        env = deal(*hands, num_players=len(hands), answer=answer, envit_openers="any")
        who = answerers(env, "truc", words)
        assert turn(env) == "p0"
        env = deal(*hands, num_players=len(hands), answer=answer, envit_openers="any")
        assert answerers(env, "envida", words) == who
        assert turn(env) == "p0"
        return who

    assert asked("peu", ["vull"]) == [peu]
    assert asked("next_player", ["vull"]) == ["p1"]
    no = ["no vull"] * (len(everyone) - 1)
    assert asked("both_most_willing", [*no, "vull"]) == everyone
    assert asked("both_most_willing", ["vull", *no]) == everyone


def test_T12_both_refuse():
    env = play(deal(answer="both_most_willing"), "p0 truc", "p1 no vull", "p3 no vull")
    assert score(env) == (1, 0)


def test_T12_both_the_answers_are_public():
    env = play(deal(answer="both_most_willing"), "p0 truc", "p1 no vull")
    truc = seen(env, 2, "answers")[0]  # seats from p2 on: p2, p3, p0, p1
    assert truc.tolist() == [[0, 0], [0, 0], [0, 0], [0, 1]]


@pytest.mark.parametrize(
    ("lines", "turn_after", "points"),
    [
        (("p1 retruc",), "p2", (0, 0)),  # the opponents from p1's right: p2, then p0
        (("p1 no vull", "p3 retruc"), "p0", (0, 0)),  # from p3's right: p0, then p2
        (("p1 vull", "p3 me'n vaig"), None, (1, 0)),
        (("p1 me'n vaig",), None, (1, 0)),
    ],
)
def test_T12_both_a_raise_or_a_fold_settles_it(lines, turn_after, points):
    env = play(deal(answer="both_most_willing"), "p0 truc", *lines)
    assert score(env) == points
    if turn_after is not None:
        assert turn(env) == turn_after
    else:
        assert record(env).hand_number == 1


def test_T12_both_after_a_reply_envida_the_same_player_answers_and_earlier_answers_stand():
    env = play(deal(answer="both_most_willing"), "p0 truc", "p1 vull", "p3 envida")
    play(env, "p0 no vull", "p2 no vull")  # from p3's right
    assert score(env) == (0, 1)
    play(env, "p3 no vull")
    assert turn(env) == "p0"  # p1's vull is enough
    assert "1E" in legal(env)


def test_T12_next_player_follows_the_last_caller():
    env = play(deal(answer="next_player"), "p0 truc", "p1 retruc", "p2 vol nou", "p3 vull")
    assert turn(env) == "p0"
    assert record(env).raise_right == 1
