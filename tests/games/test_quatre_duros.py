"""4 Duros: worked examples (ED…) and every clause and option of the page, in card and action texts.

Five seats 0–4 to the right, dealer 4, four duros each, unless a test says otherwise.
"""

import numpy as np
import pytest

from envs import Batch
from envs.quatre_duros_v0 import raw_env
from tests.games.quatre_duros_table import (
    card_flags,
    centre,
    coins,
    dealer,
    deck_of,
    hands,
    known,
    legal,
    play,
    seen,
    table,
)

# The worked examples


def test_ED1_exchanges_then_the_eleven_pays_left_and_the_lowest_the_centre():
    env = table("3O 7C 1E 5B 11O")
    play(env, "0 exchange")
    assert hands(env) == "7C 3O 1E 5B 11O"
    play(env, "1 exchange")
    assert hands(env) == "7C 1E 3O 5B 11O"
    play(env, "2 stand, 3 stand, 4 stand")
    assert coins(env) == [4, 3, 4, 5, 3]
    assert centre(env) == 1


def test_ED2_a_king_refuses_and_its_holder_is_next():
    env = table("3O 12C 1E 5B 11O")
    play(env, "0 exchange")
    assert hands(env) == "3O 12C 1E 5B 11O"
    assert env.agent_selection == "player_1"
    assert np.roll(seen(env, 3)["refused"], 3).tolist() == [0, 1, 0, 0, 0]
    assert np.roll(seen(env, 3)["turned_away"], 3).tolist() == [1, 0, 0, 0, 0]
    assert known(env, 0) == "3O ?? ?? ?? ??"


def test_ED3_wrong_answers_win_a_coin_a_right_one_costs_one_and_ends_the_questions():
    env = table("3O 12E 1E 5B 7O")
    play(env, "0 exchange, 1 ask +2, 3 guess O")
    assert coins(env) == [4, 5, 4, 3, 4]
    play(env, "1 ask +2, 3 guess E")
    assert coins(env) == [4, 4, 4, 4, 4]
    assert env.agent_selection == "player_2"
    assert known(env, 0) == "3O 12E ?? ?? ??"  # the right answer tells everybody


def test_ED4_the_dealer_takes_the_top_of_the_stock_for_all_to_see():
    env = table("3O 7C 1E 5B 2C", stock="6O")
    play(env, "0 stand, 1 stand, 2 stand, 3 stand")
    assert env.zones()["stock"][0] == "6O"
    play(env, "4 exchange")  # the hand ends; seat 2's 1 pays the centre
    assert coins(env) == [4, 4, 3, 4, 4]


def test_ED4_seen_by_all_when_the_match_ends_with_that_hand():
    env = table("3O 7C 1E 5B 2C", stock="6O", hands=1)
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 exchange")
    assert env.zones()["discard"] == ["2C"]
    assert env.zones()["hand_4"] == ["6O"]
    for seat in range(5):
        assert seen(env, seat)["turned"].tolist() == card_flags("6O")
        assert known(env, seat) == "3O 7C 1E 5B 6O"
    assert "2C" in env.table(4).centre[-1].cards  # the dealer knows what left, the others do not
    assert "2C" not in str(env.table(0))


def test_ED5_side_payments_come_before_the_centre():
    env = table("4O 4C 7B 10E 12O", coins=[1, 4, 4, 1, 4])
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    # the 10 pays seat 4 and is out; then both 4s pay the centre
    assert coins(env) == [0, 3, 4, 0, 5]
    assert centre(env) == 2


def test_ED5_the_lowest_pay_in_order_from_the_dealers_right():
    env = table("4O 4C", dealer=0, coins=[1, 1])
    play(env, "1 stand, 0 stand")
    assert coins(env) == [1, 0]  # seat 1 paid first


def test_ED6_a_ten_that_is_the_lowest_pays_both():
    env = table("10O 11C 12E 12O 12B", coins=[3, 4, 4, 4, 4])
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    # the 10: seat 1 and the centre; the 11: seat 0
    assert coins(env) == [3 - 1 + 1 - 1, 4 + 1 - 1, 4, 4, 4]
    assert centre(env) == 1


def test_ED6_one_coin_left():
    env = table("10O 12C 12E 12O 12B", coins=[3, 4, 4, 4, 4])
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    assert coins(env) == [1, 5, 4, 4, 4]


def test_ED7_the_neighbour_without_coins_is_back_in_the_next_hand():
    env = table("7O 10C - 5B 4E", coins=[4, 4, 0, 4, 4])
    assert hands(env) == "7O 10C - 5B 4E"
    play(env, "0 stand, 1 stand, 3 stand, 4 stand")
    assert coins(env) == [4, 3, 1, 4, 3]
    assert all(env.zones()[f"hand_{seat}"] for seat in range(5))


def test_ED8_a_side_payer_who_is_out_does_not_count_as_lowest():
    env = table("11B 10C 12O 12C 12E", coins=[3, 1, 4, 4, 4])
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    assert coins(env) == [1, 0, 5, 4, 5]
    assert centre(env) == 1


def test_ED9_of_two_last_coins_the_one_to_pay_last_wins():
    env = table("3O 3C", dealer=1, coins=[1, 1])
    play(env, "0 stand, 1 stand")
    assert coins(env) == [0, 1]
    assert env.terminations["player_0"]
    assert [env.rewards[a] for a in env.agents] == [-1.0, 1.0]


def test_ED10_out_and_back_without_a_card():
    env = table("10O 11C 7O 6C 5B", coins=[1, 1, 4, 4, 4])
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    assert coins(env) == [1, 1, 4, 4, 3]


def test_ED11_the_same_with_payments_from_seat_1():
    env = table("10O 11C 12O 12C 12B", dealer=0, coins=[1, 1, 4, 4, 4])
    play(env, "1 stand, 2 stand, 3 stand, 4 stand, 0 stand")
    # 1 pays 0 and is out; 0 pays 1; then 0's 10 is the lowest active card: its last coin
    assert coins(env) == [0, 1, 4, 4, 4]
    assert centre(env) == 1


def test_ED11_the_tens_owner_stays_active():
    env = table("10O 11C 2O 12C 12B", dealer=0, coins=[1, 1, 4, 4, 4])
    play(env, "1 stand, 2 stand, 3 stand, 4 stand, 0 stand")
    assert coins(env) == [1, 1, 3, 4, 4]


def test_ED12_the_asker_loses_his_last_coin():
    env = table("12O 7C 1E 5B 6O", coins=[1, 4, 4, 4, 4])
    play(env, "0 ask +1, 1 guess O")
    assert coins(env) == [0, 5, 4, 4, 4]
    assert hands(env) == "- 7C 1E 5B 6O"
    assert env.zones()["discard"] == ["12O"]
    play(env, "1 stand, 2 stand, 3 stand, 4 stand")
    assert hands(env).startswith("- ")


def test_ED13_the_deal_passes_over_seats_without_coins():
    env = table("7O - - 6C 5B", dealer=0, coins=[4, 0, 0, 4, 4])
    play(env, "3 stand, 4 stand, 0 stand")
    assert dealer(env) == 3
    assert [card == "-" for card in hands(env).split()] == [False, True, True, False, False]
    assert env.agent_selection == "player_4"


def test_ED14_the_asked_player_loses_the_last_coin_and_the_match_ends():
    env = table("12O 7C", dealer=1, coins=[2, 1])
    play(env, "0 ask +1, 1 guess B")
    assert coins(env) == [3, 0]
    assert [env.rewards[a] for a in env.agents] == [1.0, -1.0]
    assert all(env.terminations.values())
    assert known(env, 1) == "?? 7C"  # no showdown: the king's suit stays unknown


def test_ED15_nobody_is_left_to_exchange_with():
    env = table("12O 5C 1E", dealer=2, coins=[4, 4, 1])
    play(env, "0 ask +2, 2 guess C, 0 stand")
    assert env.agent_selection == "player_1"
    assert legal(env) == "stand"


# D1 and D2, dealer and deal


def test_D1_the_first_dealer_is_any_seat_with_coins():
    batch = Batch("quatre_duros_v0", 400, num_players=4, coins=[4, 0, 4, 1])
    assert set(batch.states["dealer"]) == {0, 2, 3}


def test_D1_dictated_coins_draw_the_dealer_among_their_owners():
    env = raw_env(num_players=4)
    found = set()
    for seed in range(60):
        env.reset(seed=seed, options={"coins": [0, 4, 4, 0]})
        found.add(dealer(env))
    assert found == {1, 2}


def test_D1_a_dealer_without_coins_gets_no_card_and_the_turns_end_before_him():
    env = table("3O 7C 6E -", dealer=3, coins=[4, 4, 4, 0])
    play(env, "0 stand, 1 stand")
    assert legal(env) == "stand"  # seat 2 is not the dealer and has nobody to its right
    play(env, "2 stand")
    assert coins(env) == [3, 4, 4, 0]


def test_D2_an_unknown_card_leaves_face_down():
    env = table("12O 7C 1E", dealer=2, coins=[4, 1, 4], hands=1)
    play(env, "0 ask +1, 1 guess C")
    assert env.zones()["discard"] == ["7C"]
    play(env, "0 stand, 2 stand")
    assert known(env, 0) == "12O ?? 1E"  # not shown at the showdown either
    assert known(env, 1) == "12O 7C 1E"


# D3, exchanges


def test_D3_the_partner_is_the_next_seat_with_a_card():
    env = table("12O 2C 1E 6B", dealer=3, coins=[4, 4, 1, 4])
    play(env, "0 ask +2, 2 guess C, 0 stand, 1 exchange")
    assert hands(env) == "12O 6B - 2C"


def test_D3_the_dealers_card_may_be_taken_and_he_may_replace_it():
    env = table("2O 3C 7E", dealer=2, stock="6O", hands=1)
    play(env, "0 stand, 1 exchange")
    assert hands(env) == "2O 7E 3C"
    assert legal(env) == "stand exchange"
    play(env, "2 exchange")
    assert hands(env) == "2O 7E 6O"
    assert env.zones()["discard"] == ["3C"]


def test_D3_what_a_seat_remembers_of_its_exchanges():
    env = table("3O 7C 1E 5B 11O")
    play(env, "0 exchange, 1 exchange")
    mine = seen(env, 1)
    assert mine["partner"].tolist() == [[0, 0, 0, 0, 1], [0, 1, 0, 0, 0]]  # seat 0, then seat 2
    assert mine["gave"].tolist() == [card_flags("7C"), card_flags("3O")]
    assert mine["received"].tolist() == [card_flags("3O"), card_flags("1E")]
    assert known(env, 1) == "7C 1E 3O ?? ??"
    assert known(env, 0) == "7C ?? 3O ?? ??"  # seat 0 follows the 3 it gave away
    assert known(env, 2) == "?? 1E 3O ?? ??"
    assert known(env, 3) == "?? ?? ?? 5B ??"
    for seat in range(5):
        at = seen(env, seat)
        assert np.roll(at["exchanged"], seat).tolist() == [1, 1, 0, 0, 0]
        assert np.roll(at["taken"], seat).tolist() == [0, 1, 1, 0, 0]
        assert np.roll(at["to_act"], seat).tolist() == [0, 0, 1, 1, 1]
        assert np.roll(at["kings"], seat).tolist() == [-1, -1, -1, 0, 0]


def test_D3_standing_is_seen_and_forgotten_with_the_hand():
    env = table("3O 7C 1E 5B 11O")
    play(env, "0 stand, 1 stand")
    assert seen(env, 1)["stood"].tolist() == [1, 0, 0, 0, 1]
    play(env, "2 stand, 3 stand, 4 stand")
    for name in ("stood", "exchanged", "taken", "refused", "turned_away", "kings", "partner",
                 "gave", "received", "refuted", "turned", "asker", "answers"):  # fmt: skip
        assert not seen(env, 1)[name].any(), name


# D4, kings


def test_D4_a_king_is_never_exchanged_and_may_ask_without_having_refused():
    env = table("12O 7C 1E 5B 6O")
    assert legal(env) == "stand ask+1 ask+2 ask+3 ask+4"


def test_D4_a_dealer_with_a_king_asks_and_does_not_take_from_the_stock():
    env = table("3O 7C 1E 5B 12O")
    play(env, "0 stand, 1 stand, 2 stand, 3 stand")
    assert legal(env) == "stand ask+1 ask+2 ask+3 ask+4"


def test_D4_any_active_player_may_be_asked_also_with_a_king():
    env = table("12O 12C 1E 5B 6O", coins=[4, 4, 1, 4, 4])
    play(env, "0 ask +2, 2 guess C")
    assert legal(env) == "stand ask+1 ask+3 ask+4"
    play(env, "0 ask +1, 1 guess C")  # all four suits, though seat 1 holds that king
    assert coins(env) == [6, 3, 0, 4, 4]


def test_D4_answers_are_public_and_an_answer_is_due():
    env = table("3O 12E 1E 5B 7O")
    play(env, "0 stand, 1 ask +2")
    assert legal(env) == "guessO guessC guessE guessB"
    for seat in range(5):
        at = seen(env, seat)
        assert np.roll(at["asker"], seat).tolist() == [0, 1, 0, 0, 0]
        assert np.roll(at["answers"], seat).tolist() == [0, 0, 0, 1, 0]
        assert np.roll(at["turn"], seat).tolist() == [0, 0, 0, 1, 0]
        assert np.roll(at["kings"], seat).tolist() == [0, 1, 0, 0, 0]
    play(env, "3 guess O, 1 ask +1, 2 guess B")
    for seat in range(5):
        wrong = np.roll(seen(env, seat)["refuted"], seat, axis=0)
        assert wrong.tolist() == [[0] * 4, [1, 0, 0, 1], [0] * 4, [0] * 4, [0] * 4]


def test_D4_a_suit_may_be_guessed_again():
    env = table("12O 7C 1E 5B 6O")
    play(env, "0 ask +1, 1 guess C, 0 ask +1, 1 guess C, 0 ask +2, 2 guess C")
    assert coins(env) == [7, 2, 3, 4, 4]


def test_D4_mask_refuted_suits():
    env = table("12O 12C 1E 5B 6O", mask_refuted_suits=True)
    play(env, "0 ask +2, 2 guess C, 0 ask +3")
    assert legal(env) == "guessO guessE guessB"
    play(env, "3 guess E, 0 ask +2, 2 guess B, 0 ask +4")
    assert legal(env) == "guessO"
    play(env, "4 guess O, 1 ask +1")
    assert legal(env) == "guessO guessC guessE guessB"  # another king, all suits again


def test_D4_an_asked_player_without_coins_loses_the_turn():
    env = table("12O 7C 1E 5B 6O", coins=[4, 1, 4, 4, 4])
    play(env, "0 ask +1, 1 guess C, 0 stand")
    assert env.agent_selection == "player_2"
    assert hands(env) == "12O - 1E 5B 6O"


def test_D4_show_king():
    env = table("3O 12E 12C 5B 7O", show_king=True)
    play(env, "0 exchange")
    assert known(env, 4) == "?? 12E ?? ?? 7O"
    assert legal(env) == "stand"  # shown by refusing: no questions
    play(env, "1 stand")
    assert legal(env) == "stand ask+1 ask+2 ask+3 ask+4"  # nobody asked seat 2 for an exchange


# D5, the stock


def test_D5_a_king_from_the_stock_counts():
    env = table("3O 7C 4E 5B 2C", stock="12B")
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 exchange")
    assert coins(env) == [3, 4, 4, 4, 4]


def test_D5_stock_king_blocks():
    env = table("3O 7C 4E 5B 2C", stock="12B", stock_king_blocks=True, hands=1)
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 exchange")
    assert coins(env) == [4, 4, 4, 4, 3]
    assert env.zones()["aside"] == ["12B"]
    assert env.zones()["discard"] == []
    assert seen(env, 0)["turned"].tolist() == card_flags("12B")


def test_D5_only_a_king_is_set_aside():
    env = table("3O 7C 4E 5B 2C", stock="6B", stock_king_blocks=True)
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 exchange")
    assert coins(env) == [3, 4, 4, 4, 4]


# D6 and D7, payments and the end


def test_D6_per_player_nobody_replaces_a_lowest_card_that_left():
    env = table("11B 10C 12O 12C 12E", coins=[3, 1, 4, 4, 4], payments="per_player")
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    # as ED8, but the lowest card was fixed before: seat 0's 11 does not pay the centre
    assert coins(env) == [2, 0, 5, 4, 5]
    assert centre(env) == 0


def test_D6_per_player_order_decides_the_end():
    play_it = "0 stand, 1 stand"
    both = {"cards": "4O 10C", "dealer": 1, "coins": [1, 2]}
    phases = play(table(**both), play_it)
    assert coins(phases) == [1, 1]  # seat 1 pays seat 0 first, who then pays the centre
    seat_by_seat = play(table(**both, payments="per_player"), play_it)
    assert coins(seat_by_seat) == [0, 2]  # seat 0 pays the centre first and is out
    assert seat_by_seat.terminations["player_0"]


def test_D7_the_match_ends_in_the_middle_of_the_payments():
    env = table("10O 12C", dealer=1, coins=[1, 3])
    play(env, "0 stand, 1 stand")
    assert coins(env) == [0, 4]
    assert centre(env) == 0
    assert [env.rewards[a] for a in env.agents] == [-1.0, 1.0]


def test_D7_simultaneous_replay_keeps_the_last_coins():
    env = table("3O 3C -", dealer=1, coins=[1, 1, 0], last_coin_tie="simultaneous_replay")
    play(env, "0 stand, 1 stand")
    assert not env.terminations["player_0"]
    assert coins(env) == [1, 1, 0]
    assert centre(env) == 0
    assert env.infos["player_0"]["hand_number"] == 1


def test_D7_simultaneous_replay_needs_everybody_on_the_last_coin():
    env = table("3O 3C", dealer=1, coins=[1, 2], last_coin_tie="simultaneous_replay")
    play(env, "0 stand, 1 stand")
    assert coins(env) == [0, 2]
    env = table("3O 3C", dealer=1, coins=[2, 1], last_coin_tie="simultaneous_replay")
    play(env, "0 stand, 1 stand")
    assert coins(env) == [1, 0]  # seat 0 has paid, so seat 1 is not everybody
    env = table("3O 3C 5B", dealer=2, coins=[1, 1, 1], last_coin_tie="simultaneous_replay")
    play(env, "0 stand, 1 stand, 2 stand")
    assert coins(env) == [0, 0, 1]


def test_rewards_of_five_players():
    env = table("12O - 7C - -", dealer=2, coins=[2, 0, 1, 0, 0])
    play(env, "0 ask +2, 2 guess B")
    assert [env.rewards[a] for a in env.agents] == [1.0, -0.25, -0.25, -0.25, -0.25]


def test_hands_rewards_coins_less_their_mean():
    env = table("3O 7C 1E 5B 11O", hands=1)
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    # the 11 pays seat 3, the 1 the centre: 0 0 −1 +1 −1, mean −0.2
    gains = [env.rewards[a] for a in env.agents]
    assert gains == pytest.approx([0.2, 0.2, -0.8, 1.2, -0.8])
    assert all(env.terminations.values())


def test_hands_also_end_with_the_match():
    env = table("10O 12C", dealer=1, coins=[1, 3], hands=9)
    play(env, "0 stand, 1 stand")
    assert [env.rewards[a] for a in env.agents] == [-1.0, 1.0]
    assert all(env.terminations.values())


def test_hands_left():
    env = table("3O 7C 1E 5B 11O", hands=2)
    assert seen(env, 0)["hands_left"].tolist() == [2]
    play(env, "0 stand, 1 stand, 2 stand, 3 stand, 4 stand")
    assert seen(env, 0)["hands_left"].tolist() == [1]


def test_truncation_after_the_limit_of_decisions():
    # two players with equal cards who replay their last coins for ever: 1·2·(2 + 8·1·2) = 36
    ties = [deck_of("3O 3C", dealer=1 - hand % 2) for hand in range(1, 18)]
    env = table("3O 3C", dealer=1, then=ties, coins_each=1, last_coin_tie="simultaneous_replay")
    assert env.metadata["max_decisions"] == 36
    for decision in range(36):
        assert not any(env.truncations.values()), decision
        env.step(env.parse_action("stand"))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    assert env.infos["player_0"]["truncated_reason"] == "decision limit"


# Options and texts


@pytest.mark.parametrize(
    "options",
    [
        {"coins": 0}, {"coins": 101}, {"coins": True}, {"coins": 2.5}, {"coins": "4"},
        {"coins": [4, 4]}, {"coins": [4, 0, 0, 0, 0]}, {"coins": [4, 4, 4, 4, -1]},
        {"hands": 0}, {"payments": "all"}, {"show_king": 1}, {"last_coin_tie": None},
        {"num_players": 1}, {"num_players": 13},
    ],
    ids=str,
)  # fmt: skip
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"allowed|give|played"):
        raw_env(**options)


@pytest.mark.parametrize(
    "given",
    [
        {"coins": [4, 4]}, {"coins": [21, 1, 0, 0, 0]}, {"coins": [20, 1, 0, 0, 0]}, {"coins": 5},
        {"coins": [9, 0, 0, 0, 0]}, {"coins": [1, 1, 1, 1, True]}, {"dealer": 5},
        {"deck": ["1O"] * 40},
    ],
    ids=str,
)  # fmt: skip
def test_bad_reset_options_leave_the_match_as_it_was(given):
    env = raw_env()
    env.reset(seed=3)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"coins|dealer|deck"):
        env.reset(options=given)
    assert env.get_state() == before


def test_coins_per_seat():
    env = raw_env(num_players=3, coins=[5, 1, 2])
    env.reset(seed=1)
    assert coins(env) == [5, 1, 2]
    assert env.config["coins"] == (5, 1, 2)


def test_action_texts_go_both_ways():
    env = raw_env()
    env.reset(seed=1)
    for action in range(17):
        assert env.parse_action(env.action_text(action).upper()) == action
    assert [env.action_text(a) for a in (0, 1, 2, 12, 13, 16)] == [
        "stand", "exchange", "ask +1", "ask +11", "guess O", "guess B",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="stand"):
        env.parse_action("ask +12")


def test_the_text_table_shows_what_the_seat_knows():
    env = table("3O 12C 1E 5B 11O")
    play(env, "0 exchange, 1 ask +1, 2 guess B")
    text = str(env.table(2))
    assert "1E" in text
    assert not any(card in text for card in ("3O", "12C", "5B", "11O"))
    assert all(card in str(env.table("all")) for card in ("3O", "12C", "1E", "5B", "11O"))
    assert "player_1's king is not of B" in text
    assert "player_0 was refused" in text
