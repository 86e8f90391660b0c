"""Worked examples and clauses of Balcó, in card and action texts."""

import numpy as np
import pytest

from envs import balco_v0
from tests.games.positions_balco import (
    cards,
    joker_numbers,
    legal,
    play,
    position,
    seat_to_act,
    singles,
)

EVERY = "1 2 3 4 5 6 7 8 9 10 11 12 JK"
KEEP_UP = "keep up {}"


def dealt(rows, stock, dealer, **options):
    """A game dealt from rows of (down, up, hand), in seat order from the dealer's right."""
    env = balco_v0.raw_env(num_players=len(rows), **options)
    deck = " ".join(" ".join(row) for row in rows) + " " + stock
    env.reset(seed=0, options={"deck": deck, "dealer": dealer})
    return env


def with_rest(rows, jokers=4):
    """The cards that the rows leave over, as a stock."""
    pack = [str(number) for number in range(1, 13)] * 4 + ["JK"] * jokers
    for row in rows:
        for card in " ".join(row).split():
            pack.remove(card)
    return " ".join(pack)


def keep_all_up(env):
    """Every seat keeps the cards up that lie up."""
    for _ in range(len(env.agents)):
        seat = seat_to_act(env)
        play(env, KEEP_UP.format(cards(env, f"up_{seat}")))


# Worked examples


def test_EB1_on_a_4_any_number_from_4_up_and_the_special_cards():
    env = position([EVERY, "3"], pile="4")
    expected = {"4", "5", "6", "7", "8", "9", "11", "12", "1", "2", "10"}
    assert singles(env) == expected
    assert joker_numbers(env) == expected


@pytest.mark.parametrize(("top", "card"), [("9", "7"), ("12", "8")])
def test_EB2_a_special_number_is_still_a_number(top, card):
    assert card not in singles(position([EVERY, "3"], pile=top))


def test_EB3_one_seven_binds_the_next_player_to_seven_or_lower():
    env = position(["7 9", EVERY, "3"])
    play(env, "play 7")
    assert singles(env) == {"2", "3", "4", "5", "6", "7"}
    assert joker_numbers(env) == {"2", "3", "4", "5", "6", "7"}


def test_EB4_two_sevens_bind_two_players():
    env = position(["7 7 3", "5 9", "3 4 5 6 7 2 8 9 10 11 12 1", "3 4 5"])
    play(env, "play 7 7", "play 5")
    assert singles(env) == {"2", "3", "4", "5", "6", "7"}  # Y, below the 5 as well
    play(env, "play 4")
    assert singles(env) == {"4", "5"}  # Z


def test_EB5_a_ten_cleans_and_the_same_player_goes_on_freely():
    env = position(["10 3 4", "5"], pile="6 12", stock="9 8")
    play(env, "play 10")
    assert cards(env, "pile") == ""
    assert cards(env, "discard").endswith("6 12 10")
    assert cards(env, "hand_0") == "3 4 9"
    assert seat_to_act(env) == 0
    assert singles(env) == {"3", "4", "9"}


def test_EB6_a_shot_is_answered_by_a_1():
    env = position(["3", "1 12 5", "3"], pile="1", turn=1, shot_by=0)
    assert legal(env) == {"play 1"}


def test_EB6_without_an_answer_the_pile_is_taken_and_the_right_neighbour_starts():
    env = position(["3", "12 5", "3"], pile="1", turn=1, shot_by=0)
    assert legal(env) == {"take"}
    play(env, "take")
    assert cards(env, "hand_1") == "1 5 12"
    assert seat_to_act(env) == 2
    assert cards(env, "pile") == ""


def test_EB6_a_joker_answers_as_1_or_2():
    env = position(["3", "JK 5", "3"], pile="1", turn=1, shot_by=0)
    assert legal(env) == {"play JK=1", "play JK=2"}


def test_EB7_after_a_2_in_answer_the_targets_right_plays_anything():
    env = position([EVERY, "2 5", EVERY], pile="12 1", turn=1, shot_by=0)
    play(env, "play 2")
    assert seat_to_act(env) == 2
    assert singles(env) == set(EVERY.split()) - {"JK"}


def test_EB8_four_equals_by_several_players_clean_jokers_as_declared():
    env = position(["5 9", "JK 12", "3"], pile="4 5 5")
    play(env, "play 5", "play JK=5")
    assert cards(env, "discard").endswith("4 5 5 5 JK")
    assert cards(env, "pile") == ""
    assert seat_to_act(env) == 1
    assert legal(env) == {"play 12"}


def test_EB9_four_2s_do_not_clean():
    env = position(["2 3", "2 3", "3 10 1 7"], pile="9 2 2")
    play(env, "play 2", "play 2")
    assert cards(env, "pile") == "9 2 2 2 2"
    assert seat_to_act(env) == 2
    assert singles(env) == {"3", "10", "1", "7"}


@pytest.mark.parametrize(("thrown", "next_seat"), [("play 8", 2), ("play 8 8", 3)])
def test_EB10_every_8_skips_a_player(thrown, next_seat):
    env = position(["8 8 3", "9", "9", "9"])
    play(env, thrown)
    assert seat_to_act(env) == next_seat


def test_EB10_with_two_players_the_thrower_must_beat_his_own_8():
    env = position(["8 7 9", "12"])
    play(env, "play 8")
    assert seat_to_act(env) == 0
    assert legal(env) == {"play 9"}


def test_EB11_a_lone_2_must_be_thrown():
    env = position(["2 3 4", "12"], pile="11")
    assert legal(env) == {"play 2"}


def test_EB12_stock_runs_out_and_the_up_cards_are_taken():
    env = position(["3 4", "12"], up=["9 9 12", ""], stock="11")
    play(env, "play 3")
    assert cards(env, "hand_0") == "4 9 9 11 12"
    assert cards(env, "up_0") == ""


def test_EB13_a_down_card_that_does_not_fit_goes_to_the_hand_with_the_pile():
    env = position(["", "3 4", "5"], down=["6 3"], pile="4 12")
    assert legal(env) == {"flip"}
    play(env, "flip")
    assert cards(env, "hand_0") == "4 6 12"
    assert cards(env, "down_0") == "3"
    assert seat_to_act(env) == 1
    assert singles(env) == {"3", "4"}


def test_EB14_the_lowest_card_begins_on_the_start_cards():
    rows = [
        ("9 9 9", "1 1 1", "4 5 6"),
        ("11 11 11", "2 2 2", "3 6 7"),
        ("12 12 12", "10 10 10", "4 8 8"),
    ]
    env = dealt(rows, with_rest(rows), dealer=2)
    keep_all_up(env)
    assert seat_to_act(env) == 1
    assert cards(env, "pile") == "4 3 4"
    assert [len(env.zones()[f"hand_{seat}"]) for seat in range(3)] == [3, 3, 3]
    assert {"6", "7"} <= singles(env)


def test_EB15_sevens_and_a_joker_as_7_clean_without_a_rule():
    env = position(["7 7 7 JK 12", "3"], pile="6")
    play(env, "play 7 7 7 JK=7")
    assert cards(env, "pile") == ""
    assert seat_to_act(env) == 0
    assert legal(env) == {"play 12"}


def test_EB16_a_last_card_8_still_skips():
    env = position(["8", "9", "9", "9"], pile="3")
    play(env, "play 8")
    assert env.decode(env.observe("player_0"))["place"][0].tolist() == [1, 0, 0, 0]
    assert seat_to_act(env) == 2


def lowest_action(env):
    """The throw of the lowest legal number, else whatever is legal."""
    order = ["3", "4", "5", "6", "7", "8", "9", "11", "12", "1", "10", "2"]
    throws = [text for text in sorted(legal(env)) if text.startswith("play")]
    if not throws:
        return legal(env).pop()
    return min(throws, key=lambda text: (order.index(text.split()[1]), len(text)))


def test_EB17_a_game_that_goes_round_ends_by_truncation_without_a_winner():
    env = position(["7 8 8 9 9", "8 9", "7 11 11 11"], decisions=0)
    first = env.zones()
    played = []
    for _ in range(6):
        played.append(lowest_action(env))
        play(env, played[-1])
    assert played == ["play 7", "take"] * 3
    assert env.zones() == first
    assert seat_to_act(env) == 0
    steps = 6
    while not any(env.truncations.values()):
        play(env, lowest_action(env))
        steps += 1
    assert steps == 1000 == env.metadata["max_decisions"]
    assert not any(env.terminations.values())
    assert list(env.rewards.values()) == [0, 0, 0]
    assert env.infos["player_0"]["truncated_reason"] == "max_decisions"
    assert not env.decode(env.observe("player_0"))["place"].any()


# L1, L2: swap and start

ROWS = [
    ("9 9 9", "1 1 2", "4 5 6"),
    ("11 11 11", "2 2 4", "3 6 7"),
    ("12 12 12", "10 10 10", "4 8 8"),
]


def test_L1_choices_stay_sealed_until_all_are_in():
    """What the first seat kept shows to nobody else before the last choice."""
    ends = []
    for kept in ("1 1 2", "4 5 6"):
        env = dealt(ROWS, with_rest(ROWS), dealer=2)
        play(env, KEEP_UP.format(kept))
        others = ["player_1", "player_2"]
        views = [env.observe(agent)["observation"].tobytes() for agent in others]
        masks = [env.infos[agent]["action_mask"].tobytes() for agent in others]
        tables = [repr(env.table(seat)) for seat in (1, 2)]
        assert cards(env, "up_0") == "1 1 2"
        ends.append((views, masks, tables))
    assert ends[0] == ends[1]


def test_L1_all_choices_are_applied_together():
    env = dealt(ROWS, with_rest(ROWS), dealer=2, start="reveal_return")
    play(env, "keep up 4 5 6", "keep up 2 2 7")
    assert cards(env, "up_0") == "1 1 2"
    play(env, "keep up 10 10 10")
    assert cards(env, "up_0") == "4 5 6"
    assert cards(env, "hand_0") == "1 1 2"
    assert cards(env, "up_1") == "2 2 7"
    assert cards(env, "hand_1") == "3 4 6"


def test_L1_of_equal_choices_only_the_lowest_id_is_legal():
    env = dealt(ROWS, with_rest(ROWS), dealer=2)
    texts = [env.action_text(int(action)) for action in np.flatnonzero(env._mask)]
    assert len(set(texts)) == len(texts)
    assert env.parse_action("keep up 1 2 4") == 4  # places 0, 2, 3 of 1 1 2 4 5 6
    with pytest.raises(ValueError, match="legal now"):
        env.parse_action("keep up 1 1 1")
    with pytest.raises(ValueError, match="cannot play"):
        env.step(10)  # places 1, 2, 3: the same cards


def test_L1_given_up_cards_are_known_in_the_hand():
    env = dealt(ROWS, with_rest(ROWS), dealer=2, start="reveal_return")
    play(env, "keep up 1 4 5", "keep up 2 2 4", "keep up 10 10 10")
    known = env.decode(env.observe("player_2"))["known"]
    assert np.flatnonzero(known[1]).tolist() == [0, 1, 5]  # a 1 and a 2 were up, a 6 was shown


def test_L2_10_2_and_joker_are_the_highest_start_cards():
    rows = [
        ("9 9 9", "3 3 3", "JK JK 2"),
        ("11 11 11", "4 4 4", "10 JK 2"),
        ("12 12 12", "5 5 5", "JK 2 2"),
    ]
    env = dealt(rows, with_rest(rows), dealer=1)
    keep_all_up(env)  # seats 2, 0, 1 threw 2, 10 and 2
    assert cards(env, "pile") == "2 10 2"
    assert seat_to_act(env) == 0


def test_L2_a_tie_goes_to_the_dealers_right():
    rows = [
        ("9 9 9", "3 3 3", "4 4 JK"),
        ("11 11 11", "5 5 5", "4 10 JK"),
        ("12 12 12", "6 6 6", "8 8 2"),
    ]
    env = dealt(rows, with_rest(rows), dealer=0)
    keep_all_up(env)
    assert cards(env, "pile") == "4 4 8"  # the dealer's own on top
    assert seat_to_act(env) == 1


def test_L2_start_cards_count_for_a_later_run_but_do_not_clean():
    rows = [(f"{9 + i} 1 1" if i < 2 else "12 12 12", "3 3 6", "4 5 6") for i in range(2)]
    rows += [("12 12 12", "7 7 7", "4 8 8"), ("11 11 11", "9 9 9", "4 10 10")]
    env = dealt(rows, with_rest(rows), dealer=3)
    keep_all_up(env)
    assert cards(env, "pile") == "4 4 4 4"
    assert seat_to_act(env) == 0
    env = position(["4 5", "9", "9"], pile="4 4 4", free=True)
    play(env, "play 4")
    assert cards(env, "pile") == ""
    assert seat_to_act(env) == 0


def test_L2_a_joker_as_start_card_has_no_number():
    env = position(["5 9", "9", "9"], pile="5 5 JK", free=True)
    play(env, "play 5")
    assert env.decode(env.observe("player_0"))["run"] == 1
    assert env.decode(env.observe("player_0"))["last_four"][1].tolist() == [0] * 12 + [1]


def test_L2_who_stays_below_three_at_the_start_takes_the_up_cards():
    rows = [
        ("1 1 1", "2 2 2", "3 9 9"),
        ("1 2 3", "3 3 4", "4 9 9"),
        ("4 4 5", "5 5 5", "6 10 10"),
        ("6 6 6", "7 7 7", "7 10 10"),
        ("8 8 8", "11 11 11", "8 12 12"),
    ]
    env = dealt(rows, "11 12 12", dealer=4, jokers=0)
    keep_all_up(env)
    assert cards(env, "hand_2") == "10 10 12"
    assert cards(env, "up_2") == "5 5 5"
    assert cards(env, "hand_3") == "7 7 7 10 10"
    assert cards(env, "up_3") == ""


def test_L2_reveal_return_leaves_the_pile_empty_and_the_cards_known():
    env = dealt(ROWS, with_rest(ROWS), dealer=2, start="reveal_return")
    keep_all_up(env)
    assert seat_to_act(env) == 1
    assert cards(env, "pile") == ""
    assert cards(env, "hand_1") == "3 6 7"
    assert env.decode(env.observe("player_0"))["known"][1].tolist() == [0, 0, 1] + [0] * 10


# L3 – L9: playing


def test_L3_up_to_four_of_a_number_with_jokers():
    env = position(["5 5 JK JK JK 3", "9"], pile="4")
    fives = {text for text in legal(env) if text.endswith("5") and "=4" not in text}
    assert fives == {
        "play 5", "play JK=5",
        "play 5 5", "play 5 JK=5", "play JK=5 JK=5",
        "play 5 5 JK=5", "play 5 JK=5 JK=5", "play JK=5 JK=5 JK=5",
        "play 5 5 JK=5 JK=5", "play 5 JK=5 JK=5 JK=5",
    }  # fmt: skip


def test_L3_taking_is_not_allowed_when_something_can_be_thrown():
    assert "take" not in legal(position(["5 3", "9"], pile="4"))


def test_L3_may_take():
    env = position(["5 3", "9"], pile="4", may_take=True)
    assert legal(env) == {"play 5", "take"}
    assert "take" not in legal(position(["5 3", "9"], may_take=True))  # no pile
    env = position(["", "9"], down=["JK"], pile="4", may_take=True)
    assert legal(env) == {"flip"}
    play(env, "flip")
    assert "take" not in legal(env)


def test_L4_a_pick_up_ends_what_is_pending():
    env = position(["9 11", "12", "1 3"], pile="6 7 7", bound=2)
    play(env, "take")
    assert seat_to_act(env) == 1
    assert legal(env) == {"play 12"}


def test_L5_the_refill_comes_before_the_target_is_named():
    env = position(["1 3 4", "9", "9"], stock="6 7")
    play(env, "play 1")
    assert cards(env, "hand_0") == "3 4 6"
    assert legal(env) == {"shoot +1", "shoot +2"}


def test_L6_three_cards_in_hand_leave_the_up_cards_where_they_are():
    env = position(["3 4 5", "12"], up=["9 9 12"], stock="11")
    play(env, "play 3")
    assert cards(env, "up_0") == "9 9 12"


def test_L6_hand_empty():
    env = position(["3 4", "12"], up=["9 9 12"], take_up="hand_empty")
    play(env, "play 3")
    assert cards(env, "hand_0") == "4"
    env = position(["3", "12"], up=["9 9 12"], take_up="hand_empty")
    play(env, "play 3")
    assert cards(env, "hand_0") == "9 9 12"


def test_L7_a_down_card_that_fits_is_thrown_at_once():
    env = position(["", "3", "5"], down=["9 6"], pile="4")
    play(env, "flip")
    assert cards(env, "pile") == "4 9"
    assert seat_to_act(env) == 1


def test_L7_a_flipped_joker_is_declared():
    env = position(["", "3", "5"], down=["JK 6"], pile="12")
    play(env, "flip")
    assert seat_to_act(env) == 0
    assert legal(env) == {"play JK=12", "play JK=1", "play JK=2", "play JK=10"}


def test_L7_a_flipped_1_needs_a_target():
    env = position(["", "3", "5"], down=["1 6"], pile="12")
    play(env, "flip")
    assert legal(env) == {"shoot +1", "shoot +2"}


def test_L7_who_is_shot_or_bound_flips_too():
    env = position(["", "3", "5"], down=["9 6"], pile="1", shot_by=2)
    play(env, "flip")
    assert cards(env, "hand_0") == "1 9"
    env = position(["", "3", "5"], down=["9 6"], pile="7", bound=1)
    play(env, "flip")
    assert cards(env, "hand_0") == "7 9"
    env = position(["", "3", "5"], down=["3 6"], pile="7", bound=1)
    play(env, "flip")
    assert cards(env, "pile") == "7 3"


def test_L8_a_joker_picked_up_is_a_joker_again():
    env = position(["5", "3", "9"], pile="JK=12")
    play(env, "take")
    assert cards(env, "hand_0") == "5 JK"


def test_L8_a_joker_can_always_be_thrown():
    assert "play JK=2" in legal(position(["JK", "3", "9"], pile="7", bound=1))
    assert "play JK=2" in legal(position(["JK", "3", "9"], pile="1", shot_by=1))


def test_L9_after_a_2_any_number():
    env = position(["2 5", "3", "9"], pile="12")
    play(env, "play 2")
    assert legal(env) == {"play 3"}
    assert cards(env, "pile") == "12 2"


# L10, L11: clean


def test_L10_a_10_breaks_no_rule():
    assert singles(position(["10 3", "9"], pile="7", bound=1)) == {"3"}
    assert legal(position(["10 3", "9"], pile="1", shot_by=1)) == {"take"}


def test_L10_binding_a_10_lies_on_a_7_that_no_longer_binds():
    assert "10" in singles(position(["10 3", "9"], pile="7 4"))


@pytest.mark.parametrize("pile", ["7 4", "JK=7 4", "1 2", "JK=1 2"])
def test_L10_anywhere_no_10_while_a_7_or_1_lies_in_the_pile(pile):
    free = pile.endswith("2")
    env = position(["10 3 5 JK", "9"], pile=pile, free=free, ten_block="anywhere")
    assert "10" not in singles(env)
    assert "10" not in joker_numbers(env)
    assert "10" in singles(position(["10 3 5 JK", "9"], pile=pile, free=free))


def test_L10_anywhere_other_piles_do_not_bar_it():
    assert "10" in singles(position(["10 3", "9"], pile="JK=6 8", ten_block="anywhere"))


def test_L11_a_2_breaks_the_run():
    env = position(["5 9", "9"], pile="5 5 5 2", free=True)
    play(env, "play 5")
    assert cards(env, "pile") == "5 5 5 2 5"


def test_L11_a_longer_run_counts():
    env = position(["5 JK 9", "9"], pile="5 5 5")
    play(env, "play 5 JK=5")
    assert cards(env, "pile") == ""


def test_L11_a_quartet_cleans_under_a_7():
    env = position(["7 7 9", "3", "9"], pile="7 7", bound=1)
    play(env, "play 7 7")
    assert seat_to_act(env) == 0
    assert legal(env) == {"play 9"}


def test_L11_a_quartet_cleans_under_a_shot():
    env = position(["1 JK 9", "3", "9"], pile="1 1", shot_by=1)
    play(env, "play 1 JK=1")
    assert seat_to_act(env) == 0
    assert legal(env) == {"play 9"}


def test_L11_four_8s_skip_nobody_else():
    env = position(["8 9", "3", "9"], pile="8 8 8")
    play(env, "play 8")
    assert seat_to_act(env) == 0
    assert cards(env, "pile") == ""


# L12 – L14: 8, 7, 1


def test_L12_no_more_players_are_skipped_than_there_are():
    env = position(["8 8 8 9", "9", "9"])
    play(env, "play 8 8 8")
    assert seat_to_act(env) == 0


def test_L12_last_cards_8_8_with_two_others_left():
    env = position(["8 8", "9", "9"])
    play(env, "play 8 8")
    assert seat_to_act(env) == 1


def test_L12_eights_one():
    env = position(["8 8 3", "9", "9", "9"], eights="one")
    play(env, "play 8 8")
    assert seat_to_act(env) == 2


def test_L13_a_new_7_sets_the_counter_anew():
    env = position(["7 7 3", "7 9", "3 9", "11 12"])
    play(env, "play 7 7", "play 7", "play 3")
    assert singles(env) == {"11", "12"}


def test_L13_the_counter_is_not_capped_by_the_players():
    env = position(["7 7 9 4", "5 3"])
    play(env, "play 7 7", "play 5")
    assert legal(env) == {"play 4"}


def test_L13_an_out_player_uses_up_nothing():
    env = position(["7 7 9", "5", "9 6", "9 12"])
    play(env, "play 7 7", "play 5")
    assert legal(env) == {"play 6"}


def test_L13_a_2_ends_the_rule():
    env = position(["7 7 3", "2 9", "12 3"])
    play(env, "play 7 7", "play 2")
    assert legal(env) == {"play 12", "play 3"}


def test_L13_both_keeps_the_comparison_with_the_top():
    env = position(["7 3", EVERY], sevens="both")
    play(env, "play 7")
    assert singles(env) == {"7", "2"}


def test_L14_the_target_answers_and_aims_in_turn():
    env = position(["1 3", "9", "1 4"])
    play(env, "play 1", "shoot +2")
    assert seat_to_act(env) == 2
    play(env, "play 1")
    assert legal(env) == {"shoot +1", "shoot +2"}
    play(env, "shoot +1")  # the shooter himself
    assert seat_to_act(env) == 0
    assert legal(env) == {"take"}
    play(env, "take")
    assert seat_to_act(env) == 1


def test_L14_shoot_back_off_spares_the_shooter():
    env = position(["1 3", "9", "1 4", "5"], shoot_back=False)
    play(env, "play 1", "shoot +2", "play 1")
    assert legal(env) == {"shoot +3", "shoot +1"} - {"shoot +2"}
    env = position(["1 3", "9", "1 4"], shoot_back=False)
    play(env, "play 1", "shoot +2", "play 1")
    assert seat_to_act(env) == 1  # the only one left to name


def test_L14_shoot_back_off_with_no_other_target():
    env = position(["1 3", "1 4"], shoot_back=False)
    play(env, "play 1", "play 1")
    assert seat_to_act(env) == 0


def test_L14_several_1s_are_one_shot():
    env = position(["1 1 3", "1 9", "9"])
    play(env, "play 1 1", "shoot +1")
    assert legal(env) == {"play 1"}


def test_L14_a_single_target_needs_no_choice():
    env = position(["1 3", "1 9"])
    play(env, "play 1")
    assert seat_to_act(env) == 1


# L15: the end


def places(env):
    """The place of each seat, 0 for none."""
    table = env.decode(env.observe("player_0"))["place"]
    return [int(row.argmax()) + 1 if row.any() else 0 for row in table]


def test_L15_the_last_one_with_cards_loses():
    env = position(["5", "6", "9 9"], pile="3")
    play(env, "play 5")
    assert not any(env.terminations.values())
    play(env, "play 6")
    assert all(env.terminations.values())
    assert places(env) == [1, 2, 3]
    assert list(env.rewards.values()) == [1, 0, -1]


def test_L15_the_last_one_has_a_place_but_is_not_out():
    env = position(["5", "3 6"], pile="4")
    play(env, "play 5")
    tags = [seat.tags for seat in env.table("all").seats]
    assert [[tag for tag in of if tag != "dealer"] for of in tags] == [
        ["out", "place 1"],
        ["place 2"],
    ]


def test_L15_a_last_card_1_still_names_a_target():
    env = position(["1", "9 2", "9 3"])
    play(env, "play 1")
    assert places(env) == [1, 0, 0]
    assert seat_to_act(env) == 0
    assert legal(env) == {"shoot +1", "shoot +2"}
    play(env, "shoot +2")
    assert seat_to_act(env) == 2
    assert legal(env) == {"take"}


def test_L15_a_clean_by_a_player_who_is_out_passes_the_lead():
    env = position(["10", "9 2", "9 3"], pile="12")
    play(env, "play 10")
    assert seat_to_act(env) == 1
    assert singles(env) == {"9", "2"}


def test_L15_a_clean_is_carried_out_even_at_the_end():
    env = position(["10", "9 2"], pile="12")
    play(env, "play 10")
    assert all(env.terminations.values())
    assert cards(env, "pile") == ""


def test_L15_no_other_effect_at_the_end():
    env = position(["7", "9 2"], pile="4")
    play(env, "play 7")
    assert places(env) == [1, 2]
    assert env.decode(env.observe("player_1"))["bound"] == 0


def test_L15_down_cards_keep_a_player_in():
    env = position(["10", "9 2"], down=["5"], pile="4")
    play(env, "play 10")
    assert legal(env) == {"flip"}
    play(env, "flip")
    assert places(env) == [1, 2]


def test_L15_first_out_pays_the_others_alike():
    env = position(["5", "6", "9 9", "8"], pile="3", end="first_out")
    play(env, "play 5")
    assert places(env) == [1, 0, 0, 0]
    assert np.allclose(list(env.rewards.values()), [1, -1 / 3, -1 / 3, -1 / 3])


def test_truncation_keeps_the_places_and_shares_the_rest():
    env = position(["5", "9 6", "9 9", "8 4"], pile="3", decisions=20, max_decisions=22)
    play(env, "play 5", "play 6")
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert places(env) == [1, 0, 0, 0]
    assert np.allclose(list(env.rewards.values()), [1, -1 / 3, -1 / 3, -1 / 3])


def test_the_last_allowed_decision_may_still_end_the_game():
    env = position(["5", "9 6"], pile="3", decisions=20, max_decisions=21)
    play(env, "play 5")
    assert all(env.terminations.values())


def test_truncation_in_the_swap_reveals_nothing():
    env = balco_v0.raw_env(num_players=3, max_decisions=1)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env._mask)[0]))
    assert all(env.truncations.values())
    assert list(env.rewards.values()) == [0, 0, 0]
    assert "will stay up" not in repr(env.table((env._record.dealer + 2) % 3))


# What is known of a hand


def known(env, seat):
    """The cards that everybody knows to be in a hand, as counts by kind."""
    return env.decode(env.observe(f"player_{seat}"))["known"][0].tolist()


def counts(texts):
    kinds = [*map(str, range(1, 13)), "JK"]
    return [texts.split().count(kind) for kind in kinds]


def test_known_cards_come_with_the_pile_and_go_when_thrown():
    env = position(["5 6", "3", "3 3"], pile="12 JK=12")
    play(env, "take")
    assert known(env, 0) == counts("12 JK")
    play(env, "play 3")  # seat 1 is out
    play(env, "play 3", "play 12 JK=12")
    assert known(env, 0) == counts("")


def test_known_cards_come_from_the_table_and_from_a_flip():
    env = position(["3 4", "12"], up=["9 9 12"])
    play(env, "play 3")
    assert known(env, 0) == counts("9 9 12")
    env = position(["", "3"], down=["5 6"], pile="8")
    play(env, "flip")
    assert known(env, 0) == counts("5 8")


# Notation


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (20, "play 1"), (21, "play JK=1"), (20 + 4 * 14 + 3, "play 5 JK=5"),
        (20 + 11 * 14 + 13, "play JK=12 JK=12 JK=12 JK=12"), (20 + 6 * 14 + 9, "play 7 7 7 7"),
        (188, "shoot +1"), (191, "shoot +4"), (192, "flip"), (193, "take"),
    ],
)  # fmt: skip
def test_action_texts_go_both_ways(action, text):
    env = position([EVERY, "3"], pile="4")
    assert env.action_text(action) == text
    assert env.parse_action(text.lower()) == action


@pytest.mark.parametrize(
    "text", ["play", "play 5 6", "play 13", "keep up 1 2 3", "pass", "play 5 JK=6"]
)
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError, match="legal now"):
        position([EVERY, "3"], pile="4").parse_action(text)


def test_card_texts_without_jokers():
    env = balco_v0.raw_env(jokers=0)
    env.reset(seed=1)
    assert sum(len(zone) for zone in env.zones().values()) == 48
    assert not any("JK" in zone for zone in env.zones().values())
