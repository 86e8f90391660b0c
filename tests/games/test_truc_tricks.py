"""Truc: dealing, tricks, ties, the window over tied stacks, fives (T1–T3, T5, T14)."""

import pytest

from tests.games.truc_scoresheet import (
    BIDS,
    FOLD,
    PLAIN,
    STACKS,
    TIE,
    TIED,
    deal,
    deck,
    legal,
    play,
    record,
    score,
    seen,
    turn,
)

pytestmark = pytest.mark.worked


def to_the_window(*before, hands=TIE, **options):
    """Up to the tied tops, with calls before the first card."""
    return play(deal(*hands, **options), *before, *TIED, *STACKS)


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


def test_T2_the_two_best_cards_of_one_team_win_and_the_earlier_leads():
    env = deal("4O 12O 5O", "7B 3O 5C", "1E 4C 4E", "6O 3C 5E")
    play(env, "p0 4O", "p1 7B", "p2 1E", "p3 6O")  # p2 leads
    play(env, "p2 4C", "p3 3C", "p0 12O", "p1 3O")  # p3 and p1: B's, p3 was earlier
    assert turn(env) == "p3"


def test_T2_the_cards_of_a_trick_lie_in_the_order_in_which_they_were_played():
    env = deal("4O 12O 5O", "7B 3O 5C", "1E 4C 4E", "6O 3C 5E")
    play(env, "p0 4O", "p1 7B", "p2 1E", "p3 6O", "p2 4C", "p3 3C", "p0 12O", "p1 3O", "p3 5E")
    first, second, third = env.unwrapped.table(0).centre
    assert (first.owners, first.cards) == ([0, 1, 2, 3], ["4O", "7B", "1E", "6O"])
    assert (second.owners, second.cards) == ([2, 3, 0, 1], ["4C", "3C", "12O", "3O"])
    assert (third.owners, third.cards) == ([3], ["5E"])


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


def test_T14_the_fives_stand_above_the_amo_with_6_and_8_players():
    env = deal(
        "11B 4O 4C", "5O 6O 6C", "4E 2O 2C", "5C 6E 6B", "7C 1O 4B", "7B 1C 12O", num_players=6
    )
    play(env, "p0 11B", "p1 5O", "p2 4E", "p3 5C", "p4 7C", "p5 7B")
    assert turn(env) == "p1"  # equal fives of one team: the earlier
    assert record(env).trick_team[0] == 1


def test_T14_equal_fives_of_both_teams_tie():
    env = deal(
        "5O 4O 4C", "5C 6O 6C", "4E 2O 2C", "3C 6E 6B", "7C 1O 4B", "7B 1C 12O", num_players=6
    )
    play(env, "p0 5O", "p1 5C", "p2 4E", "p3 3C", "p4 7C", "p5 7B")
    assert turn(env) == "p0"
    assert legal(env) == {"4O", "truc", FOLD}  # stacks


def test_T14_fives_keep_their_envit():
    assert seen(deal("5O 7O 4C", num_players=6), 0, "my_envit")[0] == 32


def test_T14_with_4_players_the_fives_are_low():
    env = deal("5O 12O 4C", "6E 11O 5C", "4E 12C 6B", "4O 10C 4B")
    play(env, "p0 5O", "p1 6E", "p2 4E", "p3 4O")
    assert turn(env) == "p1"
