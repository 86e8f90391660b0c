"""Truc's clauses, clarifications and options, one worked case each, named by the clause."""

import numpy as np
import pytest

from envs.truc.view import counters
from tests.games.truc_scoresheet import (
    A_WINS,
    FIRST_TRICK,
    PLAIN,
    SECOND_TRICK,
    at_score,
    deal,
    deck,
    legal,
    play,
    record,
    rewards,
    score,
    seen,
    turn,
)

pytestmark = pytest.mark.worked

FOLD = "me'n vaig"
BIDS = ("p0 truc", "p3 retruc", "p2 vol nou", "p3 joc fora")
ENVIT_B = ("1E 12O 4C", "7E 6E 5C", "1B 12C 4O", "3O 10C 4B")  # p1 has 33, p2 4
TIE = ("3O 12O 6C", "3C 12E 7C", "4E 5O 4C", "5B 6B 4B")  # first trick and tops tie, hidden 7C wins
TIED = ("p0 3O", "p1 3C", "p2 4E", "p3 5B")
STACKS = ("p0 12O", "p1 12E", "p2 5O", "p3 6B")
SIX = (*PLAIN, "2O 11C 6O", "2C 11E 6C")
EIGHT = (*SIX, "2E 10E 6E", "2B 10B 4E")


def to_the_window(*before, hands=TIE, **options):
    """Up to the tied tops, with calls before the first card."""
    return play(deal(*hands, **options), *before, *TIED, *STACKS)


# T1


def test_T1_the_deal_moves_to_the_right():
    env = play(deal(dealer=2), "p0 me'n vaig")
    assert record(env).dealer == 3
    assert env.unwrapped.agent_selection == "player_0"


def test_T1_three_cards_in_turn_from_the_dealers_right():
    env = deal(dealer=1)
    zones = env.unwrapped.zones()
    assert [zones[f"hand_{seat}"] for seat in (2, 3, 0, 1)] == [
        sorted(hand.split(), key=deck(()).index) for hand in PLAIN
    ]
    assert zones["stock"] == deck(PLAIN)[12:]


def test_T1_without_the_twos_there_are_36_cards():
    env = deal(twos="none")
    cards = [card for zone in env.unwrapped.zones().values() for card in zone]
    assert len(cards) == 36
    assert not {"2O", "2C", "2E", "2B"} & set(cards)


def test_T1_the_dealer_is_drawn_and_the_first_seat_follows_him():
    env = deal()
    dealers = set()
    for seed in range(40):
        env.reset(seed=seed)
        dealers.add(int(record(env).dealer))
        assert turn(env) == "p0"
    assert dealers == {0, 1, 2, 3}


def test_decks_dictates_several_hands_and_dealer_the_first():
    env = deal()
    second = ("1O 2O 3O", "4C 5C 6C", "7E 10E 11E", "12B 1B 2B")
    env.reset(seed=3, options={"decks": [deck(PLAIN), deck(second)], "dealer": 3})
    play(env, "p0 me'n vaig")
    assert env.unwrapped.zones()["hand_1"] == second[0].split()  # p0 is now player_1
    assert legal(env) == {*second[0].split(), "truc", FOLD}


# T2, T3


def test_T2_the_two_best_cards_of_one_team_win_and_the_earlier_leads():
    env = deal("4O 12O 5O", "7B 3O 5C", "1E 4C 4E", "6O 3C 5E")
    play(env, "p0 4O", "p1 7B", "p2 1E", "p3 6O")  # p2 leads
    play(env, "p2 4C", "p3 3C", "p0 12O", "p1 3O")  # p3 and p1: B's, p3 was earlier
    assert turn(env) == "p3"


def test_T3_of_equal_cards_the_lower_id_is_the_one_stack():
    env = play(deal("3O 12C 12O", "3C 11E 7C", "4E 5O 4C", "5B 6B 4B"), *TIED)
    assert legal(env) == {"12O", "truc", FOLD}


def test_T3_the_best_top_card_wins_the_hand():
    env = play(deal("3O 12O 6C", "3C 1B 7C", "4E 5O 4C", "5B 6B 4B"), *TIED)
    play(env, "p0 12O", "p1 1B", "p2 5O", "p3 6B")
    assert score(env) == (0, 1)


def test_T3_two_equal_tops_of_one_team_win_without_hidden_cards():
    env = play(deal("3O 12O 6C", "3C 7C 4O", "4E 12C 5E", "5B 6B 4B"), *TIED)
    play(env, "p0 12O", "p1 7C", "p2 12C", "p3 6B")
    assert score(env) == (1, 0)


def test_T3_only_the_tied_players_hidden_cards_count():
    env = deal("3O 11O 6C", "3C 11E 5O", "4E 6B 4B", "5B 10E 7B")
    play(env, *TIED, "p0 11O", "p1 11E", "p2 6B", "p3 10E", "p2 passo", "p3 passo")
    assert score(env) == (1, 0)  # p0's 6C against p1's 5O; p3's 7B does not count


HIDDEN_TIE = ("4E 5O 4C", "3O 12O 6C", "3C 12E 6E", "5B 6B 4B")  # p1 and p2, nearest is p1


@pytest.mark.parametrize(("mano", "points"), [("nearest", (0, 1)), ("p0_team", (1, 0))])
def test_T3_equal_hidden_cards_of_both_teams(mano, points):
    env = deal(*HIDDEN_TIE, mano=mano)
    play(env, "p0 4E", "p1 3O", "p2 3C", "p3 5B", "p0 5O", "p1 12O", "p2 12E", "p3 6B")
    play(env, "p2 passo", "p3 passo")
    assert score(env) == points


@pytest.mark.parametrize("mano", ["nearest", "p0_team"])
def test_T3_equal_hidden_cards_of_one_team(mano):
    env = deal("3O 12O 4C", "3C 12E 6C", "4E 5O 5C", "5B 12B 6B", mano=mano)
    play(env, *TIED, "p0 12O", "p1 12E", "p2 5O", "p3 12B", "p2 passo", "p3 passo")
    assert score(env) == (0, 1)  # p1 and p3


def test_T3_three_tricks_after_a_tie_p0_leads_an_ordinary_trick():
    env = play(deal(*TIE, first_tie="three_tricks"), *TIED)
    assert legal(env) == {"12O", "6C", "truc", FOLD}
    play(env, "p0 6C", "p1 7C", "p2 5O", "p3 6B")
    assert score(env) == (0, 1)


def test_T3_three_tricks_all_tied_go_to_p0s_team():
    env = deal("3O 12O 6C", "3C 12E 6E", "4E 5O 4C", "5B 5E 4B", first_tie="three_tricks")
    play(env, *TIED, "p0 12O", "p1 12E", "p2 5O", "p3 5E")
    assert turn(env) == "p0"  # no window
    play(env, "p0 6C", "p1 6E", "p2 4C", "p3 4B")
    assert score(env) == (1, 0)


def test_T3_three_tricks_the_third_decides_after_two_ties():
    env = deal("3O 12O 6C", "3C 12E 7C", "4E 5O 4C", "5B 5E 4B", first_tie="three_tricks")
    play(env, *TIED, "p0 12O", "p1 12E", "p2 5O", "p3 5E", "p0 6C", "p1 7C", "p2 4C", "p3 4B")
    assert score(env) == (0, 1)


# T4


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


# T5


def test_T5_nobody_has_called_so_p0s_peu_is_asked_first():
    env = to_the_window()
    assert turn(env) == "p2"
    assert legal(env) == {"passo", "truc", FOLD}
    play(env, "p2 passo")
    assert turn(env) == "p3"
    assert legal(env) == {"passo", "truc", FOLD}
    assert score(play(env, "p3 passo")) == (0, 1)


def test_T5_after_the_first_pairs_raise_there_is_no_second_window():
    env = play(to_the_window(), "p2 truc")
    assert legal(env) == {"vull", "no vull", "retruc", FOLD}
    assert score(play(env, "p3 vull")) == (0, 3)


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        (("p2 truc", "p3 no vull"), (1, 0)),
        (("p2 truc", "p3 retruc", "p2 vull"), (0, 6)),
        (("p2 truc", "p3 retruc", "p2 no vull"), (0, 3)),
        (("p2 passo", "p3 truc", "p2 vull"), (0, 3)),
        (("p2 passo", "p3 truc", "p2 no vull"), (0, 1)),
        (("p2 me'n vaig",), (0, 1)),
        (("p2 passo", "p3 me'n vaig"), (1, 0)),
    ],
)
def test_T5_the_windows_branches(lines, points):
    assert score(play(to_the_window(), *lines)) == points


def test_T5_with_a_raising_right_only_its_peu_is_asked():
    env = to_the_window("p0 truc", "p3 vull")
    assert turn(env) == "p3"
    assert legal(env) == {"passo", "retruc", FOLD}
    assert score(play(env, "p3 passo")) == (0, 3)
    env = play(to_the_window("p0 truc", "p3 retruc", "p2 vull"), "p2 vol nou", "p3 vull")
    assert score(env) == (0, 9)


def test_T5_no_window_after_joc_fora():
    env = to_the_window(*BIDS, "p2 vull")
    assert turn(env) == "over"
    assert score(env) == (0, 24)


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("peu", ("p2 truc", "p3 vull")),
        ("next_player", ("p2 truc", "p3 vull")),
        ("both_most_willing", ("p2 truc", "p3 no vull", "p1 vull")),
    ],
)
def test_T5_goes_through_the_peu_and_its_answer_follows_T12(answer, lines):
    assert score(play(to_the_window(answer=answer), *lines)) == (0, 3)


def test_T5_the_hidden_cards_are_shown_to_all_only_when_they_decide():
    env = play(deal(*TIE, hands=1), *TIED, *STACKS)
    assert seen(env, 1, "under").sum(axis=1).tolist() == [2, 0, 0, 0]  # his own
    play(env, "p2 passo", "p3 passo")
    assert seen(env, 1, "under").sum(axis=1).tolist() == [2, 0, 0, 2]  # p1's own and p0's


# T6


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


# T7, T15


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


# T8, T9


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


# T10, T13


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


# T11


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


# T12


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


# T14


def test_T14_the_fives_stand_above_the_amo_with_6_and_8_players():
    env = deal("11B 4O 4C", "5O 6O 6C", "4E 2O 2C", "5C 6E 6B", "7C 1O 4B", "7B 1C 12O", num_players=6)
    play(env, "p0 11B", "p1 5O", "p2 4E", "p3 5C", "p4 7C", "p5 7B")
    assert turn(env) == "p1"  # equal fives of one team: the earlier
    assert record(env).trick_team[0] == 1


def test_T14_equal_fives_of_both_teams_tie():
    env = deal("5O 4O 4C", "5C 6O 6C", "4E 2O 2C", "3C 6E 6B", "7C 1O 4B", "7B 1C 12O", num_players=6)
    play(env, "p0 5O", "p1 5C", "p2 4E", "p3 3C", "p4 7C", "p5 7B")
    assert turn(env) == "p0"
    assert legal(env) == {"4O", "truc", FOLD}  # stacks


def test_T14_fives_keep_their_envit():
    assert seen(deal("5O 7O 4C", num_players=6), 0, "my_envit")[0] == 32


def test_T14_with_4_players_the_fives_are_low():
    env = deal("5O 12O 4C", "6E 11O 5C", "4E 12C 6B", "4O 10C 4B")
    play(env, "p0 5O", "p1 6E", "p2 4E", "p3 4O")
    assert turn(env) == "p1"


# T16

TALK = {
    "passo", "senya amo", "senya segon", "senya llengua", "senya marilla", "senya tres", "senya dos",
    "senya asos borts", "senya res", "senya la reservada", "senya tapada", FOLD,
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


# T17


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
        assert at_score(deal(), points, 0).unwrapped.table(0).values["score A"] == f"{points} ({text})"


# Options beside the clauses


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
        "truc", "envida", "vull", "me'n vaig", "passo", "senya amo", "senya tapada", "vine a mi", "pitja",
    ]  # fmt: skip
    assert raw.parse_action("Dos mes") == raw.parse_action("dos més") == 46
