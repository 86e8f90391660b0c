"""Puc: the worked examples of its rules, and the engine against a slow second implementation."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from envs import find_game, puc_v0
from tests.games.reference_puc import CONTRACTS, PACKS, Referee, all_melds, openings

GAME = find_game("puc_v0")
# No two of one rank, no two in sequence in a suit.
JUNK = ["2C", "4D", "6H", "8S", "10C", "QD", "3H", "5S", "7C", "9D", "JH", "KS"]


def table(hands, face_up, stock, **options):
    """A match whose first hand is dealt as written, None standing for junk; seat 0 acts first."""
    reset = {name: options.pop(name) for name in ("hand", "reshuffle") if name in options}
    env = puc_v0.raw_env(num_players=len(hands), **options)
    size = sum(n * c for n, c in zip((3, 4), CONTRACTS[reset.get("hand", 1)], strict=True))
    cards = [card for hand in hands for card in (JUNK[:size] if hand is None else hand.split())]
    deck = [*cards, face_up, *stock.split()]
    env.reset(seed=0, options={"deck": deck, "dealer": len(hands) - 1, **reset})
    return env


def legal(env):
    mask = env.last()[4]["action_mask"]
    return {env.action_text(action) for action in np.flatnonzero(mask)}


def play(env, script):
    """Actions separated by semicolons; ``discard any`` throws the first card that may go."""
    for text in script.split(";"):
        text = text.strip()
        if text == "discard any":
            text = min(t for t in legal(env) if t.startswith("discard"))
        env.step(env.parse_action(text))


def hand_of(env, seat):
    return Counter(env.zones()[f"hand_{seat}"])


def record(env):
    return env._states[0]


EIGHTS = ("8S", "8H", "8D")


def start_with_texts(texts, start):
    return {text for text in texts if text.startswith(start)}


# Worked examples


def test_EU1_the_deal_equals_the_contract():
    for hand, size in zip(range(1, 8), (6, 7, 8, 9, 10, 11, 12), strict=True):
        trios, runs = CONTRACTS[hand]
        assert 3 * trios + 4 * runs == size
        env = puc_v0.raw_env()
        env.reset(seed=1, options={"hand": hand})
        assert all(len(env.zones()[f"hand_{seat}"]) == size for seat in range(4))
        assert env.decode(env.observe("player_0"))["contract"].tolist() == [trios, runs]


def lay_down_seat_1(hands, face_up, stock, lays, discard, **options):
    """Seat 1 pucs the first card (a penalty card comes with it), opens in its turn, and is to move
    again after having drawn; seats 0 and 2 draw and throw."""
    env = table(hands, face_up, stock, **options)
    play(env, "draw; puc; discard any; draw; no puc; no puc")
    play(env, f"{lays}; discard {discard}")
    play(env, "draw; no puc; discard any; draw; no puc; discard any; draw; no puc; no puc")
    return env


def test_EU2_a_trio_that_leaves_nothing_to_throw_is_masked():
    trios = "trio 5: 5C 5D 5H; trio 9: 9C 9D 9H"
    env = lay_down_seat_1(
        [None, "5C 5D 5H 9C 9D 9H", None], "8S", "8H 3S KD QC JC 8D AC AD", trios, "KD"
    )
    assert hand_of(env, 1) == Counter(["8S", "8H", "8D"])
    assert legal(env) == {f"discard {card}" for card in EIGHTS}


def test_EU2_or_lay_off_one_if_the_trio_is_on_the_table():
    trios = "trio 5: 5C 5D 5H; trio 8: 8C 8D 8H"
    env = lay_down_seat_1(
        [None, "5C 5D 5H 8C 8D 8H", None], "8S", "8H 3S KD QC JC 8D AC AD", trios, "KD"
    )
    assert legal(env) == {f"{verb} {card}" for verb in ("add", "discard") for card in EIGHTS}


def test_EU3_who_took_no_puc_closes_in_the_turn_of_opening():
    env = table(["5S 5H 5D 9C 9H 9S", None, None], "2H", "KD 3C 4C")
    play(env, "draw; no puc; no puc; trio 5: 5D 5H 5S; trio 9: 9C 9H 9S")
    assert legal(env) == {"discard KD"}
    play(env, "discard KD")
    junk = 2 + 4 + 6 + 8 + 10 + 10
    assert record(env).score[:3].tolist() == [-10, junk, junk]
    assert record(env).hand_number == 2


def test_EU4_points_of_the_cards_left():
    losers = "AC 7D QS JK 2C 3C"
    env = table(["5S 5H 5D 9C 9H 9S", losers, None], "2H", "KD 3C 4C", only_hand=1)
    play(env, "draw; no puc; no puc; trio 5: 5D 5H 5S; trio 9: 9C 9H 9S; discard KD")
    assert record(env).score[:2].tolist() == [-10, 1 + 7 + 10 + 20 + 2 + 3]
    rewards = [(10 + (43 + 40) / 2) / 100, (-43 + (-10 + 40) / 2) / 100, (-40 + 33 / 2) / 100]
    assert [env.rewards[f"player_{s}"] for s in range(3)] == pytest.approx(rewards)


def test_EU5_the_first_in_order_who_wants_it_gets_it():
    env = table([None] * 4, "AS", "KD 3C 4C KH 5C")
    play(env, "draw; no puc; no puc; no puc; discard any")  # seat 0 threw
    play(env, "draw")  # seat 1 declines
    assert env.agent_selection == "player_2"
    play(env, "puc")
    assert hand_of(env, 2).total() == 6 + 2 and "3C" in hand_of(env, 2)
    assert env.agent_selection == "player_1" and "4C" in hand_of(env, 1)


def test_EU6_who_is_down_only_draws_and_the_others_may_puc():
    env = table([None, "5C 5D 5H 9C 9D 9H", None, None], "8S", "8H 3S KD QC JC 8D AC AD 7S 7H")
    play(env, "draw; puc; discard any; draw; no puc; no puc; no puc")
    play(env, "trio 5: 5C 5D 5H; trio 9: 9C 9D 9H; discard KD")
    for _ in range(3):  # seats 2, 3 and 0; seat 1 is not asked
        play(env, "draw; no puc; no puc; discard any")
    assert env.agent_selection == "player_1" and legal(env) == {"draw"}
    asked = []
    play(env, "draw")
    while legal(env) == {"puc", "no puc"}:
        asked.append(env.agent_selection)
        play(env, "no puc")
    assert asked == ["player_2", "player_3", "player_0"]
    assert env.agent_selection == "player_1"


def test_EU7_after_the_draw_nobody_may_puc():
    env = table([None] * 3, "AS", "KD 3C 4C")
    play(env, "draw; no puc; no puc")
    assert not {"puc", "take"} & legal(env)
    assert not env.decode(env.last()[0])["face_up"].any()


def test_EU8_the_ace_ends_a_run():
    texts = {GAME.action_text(action, None) for action in range(950)}
    assert "run AH: AH 2H 3H 4H" in texts and "run JH: JH QH KH AH" in texts
    assert not any("KH AH 2H" in text for text in texts)


def runs_on_the_table(run, natural, penalty, other="7C 8C 9C 10C"):
    """Seat 1 has opened hand 3 with the run and another; it is to move, with both cards in hand."""
    first, second = sorted(
        (natural_run(run), natural_run(other)), key=lambda text: GAME.parse_action(text, None)
    )
    return lay_down_seat_1(
        [None, f"{run} {other}", None],
        natural, f"{penalty} AH 2D 4S AD 6C QC JD 10H", f"{first}; {second}", "2D", hand=3,
    )  # fmt: skip


def natural_run(cards):
    """The action that lays these cards as a run: headed by the natural low end."""
    return next(m.text for m in all_melds() if m.text.endswith(f": {cards}"))


def run_with(env, card):
    return next(cards for name, cards in env.zones().items() if "run" in name and card in cards)


def test_EU9_the_joker_goes_to_the_nearer_end():
    env = runs_on_the_table("5H 6H JK 8H", "7H", "KD")
    play(env, "replace JK by 7H")
    assert run_with(env, "5H") == ["5H", "6H", "7H", "8H", "JK"]


@pytest.mark.parametrize(
    ("side", "cards"), [("low", "JK 4C 5C 6C 7C 8C"), ("high", "4C 5C 6C 7C 8C JK")]
)
def test_EU10_from_the_exact_middle_the_player_chooses(side, cards):
    env = runs_on_the_table("4C 5C JK 7C", "6C", "8C", other="7D 8D 9D 10D")
    play(env, "extend high 8C; replace JK by 6C")
    assert legal(env) == {"joker low", "joker high"}
    assert sum(len(zone) for zone in env.zones().values()) == 3 * 8 + 1 + 9
    play(env, f"joker {side}")
    assert run_with(env, "4C") == cards.split()
    assert env.agent_selection == "player_1"


def test_EU11_an_end_closed_by_the_ace_sends_the_joker_to_the_other():
    env = runs_on_the_table("JK 2S 3S 4S", "AS", "KD")
    play(env, "replace JK by AS low")
    assert run_with(env, "2S") == ["AS", "2S", "3S", "4S", "JK"]


def test_EU12_closed_at_the_high_end():
    env = runs_on_the_table("JD QD JK AD", "KD", "KH")
    play(env, "replace JK by KD")
    assert run_with(env, "QD") == ["JK", "JD", "QD", "KD", "AD"]


def test_EU13_exactly_the_contract_in_the_turn_of_opening():
    env = table(
        [None, "7S 7H 7D 3C 4C 5C 6C", None], "7C", "8C AD KD 2H 3H", hand=2
    )  # seat 1 pucs the seven, and the eight comes with it
    play(env, "draw; puc; discard any; draw; no puc; no puc")
    assert hand_of(env, 1) == Counter(["7S", "7H", "7D", "3C", "4C", "5C", "6C", "7C", "8C", "KD"])
    play(env, "trio 7: 7D 7H 7S")
    assert legal(env) == {
        "run 3C: 3C 4C 5C 6C", "run 4C: 4C 5C 6C 7C", "run 5C: 5C 6C 7C 8C"
    }  # fmt: skip
    play(env, "run 3C: 3C 4C 5C 6C")
    assert legal(env) == {"discard 7C", "discard 8C", "discard KD"}


def test_EU14_the_card_just_taken_is_not_thrown_back():
    env = table([None, None, None], "9D", "KD 3C 4C")
    play(env, "take")
    assert "discard 9D" not in legal(env) and "discard 2C" in legal(env)
    env = table(["9D 2C 4D 6H 8S 10C", None, None], "9D", "KD 3C 4C")
    play(env, "take")
    assert "discard 9D" in legal(env)
    env = table([None, None, None], "9D", "KD 3C 4C", allow_return_discard=True)
    play(env, "take")
    assert "discard 9D" in legal(env)


def test_EU15_a_joker_may_be_thrown_and_taken():
    env = table(["JK 2C 4D 6H 8S 10C", None, None], "9D", "KD 3C 4C")
    play(env, "draw; no puc; no puc; discard JK; take")
    assert hand_of(env, 1)["JK"] == 1


def test_EU16_without_a_card_to_draw_the_hand_is_blocked():
    env = table([None] * 3, "9D", "", only_hand=1)
    assert legal(env) == {"take", "draw"}
    play(env, "draw")
    assert record(env).over and not record(env).truncated
    assert env.infos["player_0"]["blocked"] is True
    assert record(env).score[:3].tolist() == [40, 40, 40]
    assert all(reward == 0 for reward in env.rewards.values())


def test_EU16_a_blocked_hand_passes_the_deal_on():
    env = table([None] * 3, "9D", "")
    play(env, "draw")
    assert record(env).hand_number == 2 and record(env).dealer == 0
    assert env.agent_selection == "player_1" and env.infos["player_1"]["blocked"] is True
    play(env, "take")
    assert env.infos["player_1"]["blocked"] is False


def test_EU17_a_meld_must_leave_the_contract_possible():
    env = table(["2S 2H 2D 2C 6S 6H", None, None], "9D", "JK 3C 4C")
    play(env, "draw; no puc; no puc")
    assert start_with_texts(legal(env), "trio") == {
        "trio 2: 2C 2D 2H", "trio 2: 2C 2D 2S", "trio 2: 2C 2H 2S", "trio 2: 2D 2H 2S"
    }  # fmt: skip
    play(env, "trio 2: 2D 2H 2S")
    assert legal(env) == {"trio 6: 6H 6S JK"}


# Clarifications


def test_the_taken_card_must_be_used_when_one_card_would_be_left():
    env = table(["2S 2H 2D 6S 6H 6D", None, None], "6C", "KD 3C 4C")
    play(env, "take")
    lays = {"trio 2: 2D 2H 2S"}
    assert start_with_texts(legal(env), "trio") == lays
    play(env, "trio 2: 2D 2H 2S")
    assert legal(env) == {"trio 6: 6C 6D 6H", "trio 6: 6C 6D 6S", "trio 6: 6C 6H 6S"}


def test_a_discard_closes_the_hand_before_anybody_may_puc_it():
    env = table(["5S 5H 5D 9C 9H 9S", None, None], "2H", "KD 3C 4C", only_hand=1)
    play(env, "draw; no puc; no puc; trio 5: 5D 5H 5S; trio 9: 9C 9H 9S; discard KD")
    assert record(env).over and not legal(env)


def test_the_discarder_is_asked_last_or_not_at_all():
    for allowed, asked in ((True, [1, 2, 3]), (False, [1, 2])):
        env = table([None] * 4, "AS", "KD 3C 4C", discarder_may_puc=allowed)
        play(env, "draw")
        seats = []
        while legal(env) == {"puc", "no puc"}:
            seats.append(record(env).turn)
            play(env, "no puc")
        assert seats == asked


def test_max_puc_per_hand_is_per_player():
    env = table([None] * 3, "AS", "KD 3C 4C 5C 6C 7C", max_puc_per_hand=1)
    play(env, "draw; puc; discard any; take; discard any; draw")
    assert env.agent_selection == "player_0"  # seat 1 has had its puc
    play(env, "puc")
    assert record(env).pucs[:3].tolist() == [1, 1, 0]


@pytest.mark.parametrize(("stock", "asked"), [("KD", False), ("KD 3C", True)])
def test_a_puc_is_offered_only_if_two_stock_cards_can_follow(stock, asked):
    for rule in ("reshuffle", "block"):
        env = table([None] * 3, "AS", stock, stock_exhausted=rule)
        play(env, "draw")
        assert (legal(env) == {"puc", "no puc"}) == asked


def test_the_stock_is_renewed_from_all_discards_but_the_top():
    env = table([None] * 3, "AS", "KD 3C 4C", reshuffle="turn_over")
    play(env, "draw; no puc; no puc; discard 2C; draw; no puc; no puc; discard 2C")
    play(env, "draw; no puc; no puc; discard 2C")
    assert env.zones()["stock"] == [] and env.zones()["discard"] == ["AS", "2C", "2C", "2C"]
    play(env, "draw; no puc; no puc")
    assert env.zones()["stock"] == ["2C", "2C"] and env.zones()["discard"] == ["2C"]
    assert hand_of(env, 0)["AS"] == 1


def test_with_block_nothing_is_renewed():
    env = table([None] * 3, "AS", "KD 3C 4C", stock_exhausted="block", only_hand=1)
    play(env, "draw; no puc; no puc; discard 2C; draw; no puc; no puc; discard 2C")
    play(env, "draw; discard 2C; draw")
    assert record(env).over and env.infos["player_0"]["blocked"]


def test_known_cards_are_those_taken_in_sight():
    env = table(["AS 2C 4D 6H 8S 10C", None, None], "AS", "KD 3C 4C 5C")
    play(env, "take; discard 2C; draw; puc; discard any")  # seat 2 pucs the two of clubs
    view = env.decode(env.observe("player_1"))["known"]
    kinds = [GAME.cards.texts_of(np.flatnonzero(row)) for row in view]
    assert kinds == [[], ["2C"], ["AS"]]  # seats 1, 2, 0; the penalty card is not known


@pytest.mark.parametrize("reward_at_cap", [False, True])
def test_the_turn_cap_truncates(reward_at_cap):
    env = puc_v0.raw_env(max_turns_per_hand=2, reward_at_cap=reward_at_cap, num_players=3)
    env.reset(seed=3)
    record(env).score[:3] = [0, 60, 30]
    play(env, "take; discard any; take; discard any")
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.infos["player_0"]["truncated_reason"] == "turn_cap"
    paid = [0.45, -0.45, 0.0] if reward_at_cap else [0, 0, 0]
    assert list(env.rewards.values()) == pytest.approx(paid)


def test_no_cap_means_no_bound():
    env = puc_v0.raw_env(max_turns_per_hand=None)
    assert env.metadata["max_decisions"] is None
    assert puc_v0.raw_env(num_players=4).metadata["max_decisions"] == 7 * (400 * 5 + 2 * 108)


def test_adjacent_runs_may_be_forbidden():
    hands = ["2C 3C 4C 5C 6C 7C 8C 9C", None, None]
    for forbid in (False, True):
        env = table(hands, "AS", "KD 3H 4H", hand=3, forbid_adjacent_runs=forbid)
        play(env, "draw; no puc; no puc")
        assert ("run 2C: 2C 3C 4C 5C" in legal(env)) != forbid


def test_without_jokers_in_melds():
    hands = ["2S 2H JK 6S 6H 6D", None, None]
    for options, trios in (({}, 1), ({"max_jokers_per_meld": 0}, 0), ({"joker_in_trio": False}, 0)):
        env = table(hands, "9D", "KD 3C 4C", **options)
        play(env, "draw; no puc; no puc")
        assert len(start_with_texts(legal(env), "trio")) == trios


def test_rank_reward_shares_places():
    env = table([None] * 3, "9D", "", only_hand=1, reward="rank")
    record(env).score[:3] = [10, -5, 10]
    play(env, "draw")  # blocked: everybody adds 40
    assert list(env.rewards.values()) == pytest.approx([-0.5, 1.0, -0.5])


def test_decks_of_several_hands_and_the_first_hand():
    first = [["5S", "5H", "5D", "9C", "9H", "9S"], JUNK[:6], JUNK[:6]]
    deck = [card for hand in first for card in hand] + ["2H", "KD", "3C"]
    second = [*JUNK[:7] * 3, "AS", "AH"]
    env = puc_v0.raw_env(num_players=3)
    env.reset(seed=1, options={"decks": [deck, second], "dealer": 2})
    play(env, "draw; no puc; no puc; trio 5: 5D 5H 5S; trio 9: 9C 9H 9S; discard KD")
    assert env.zones()["discard"] == ["AS"] and env.zones()["stock"] == ["AH"]
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize(
    "options",
    [
        {"deck": ["2C"] * 18},
        {"deck": ["2C"] * 229},
        {"deck": ["1X"] * 30},
        {"deck": ["2C"] * 24, "hand": 3},
        {"hand": 0},
        {"hand": 8},
        {"hand": True},
        {"reshuffle": "riffle"},
        {"dealer": 3},
    ],
)
def test_bad_reset_options_raise(options):
    env = puc_v0.raw_env(num_players=3)
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"allowed|go from|takes at least|no card"):
        env.reset(seed=1, options=options)
    assert env.get_state() == before


def test_bad_configurations_raise():
    for options in (
        {"num_players": 2},
        {"num_packs": 5},
        {"num_packs": 1, "num_players": 5},
        {"num_packs": "many"},
        {"max_turns_per_hand": 0},
        {"only_hand": 8},
        {"layoff": "none"},
        {"max_jokers_per_meld": 2},
    ):
        with pytest.raises(ValueError, match=r"allowed are|played by|takes"):
            puc_v0.raw_env(**options)
    assert puc_v0.raw_env(num_packs=1, num_players=5, only_hand=1).config["num_packs"] == 1


def test_packs_by_seats():
    for players, packs in PACKS.items():
        config = GAME.configure(players)
        assert config["num_packs"] == packs and len(GAME.pack(config)) == 54 * packs


def test_texts_and_ids_go_both_ways():
    texts = [GAME.action_text(action, None) for action in range(950)]
    assert len(set(texts)) == 950
    assert [GAME.parse_action(text, None) for text in texts] == list(range(950))
    known = {
        0: "take", 4: "trio A: AC AC AC", 24: "trio A: AC AC JK", 393: "trio K: KS KS JK",
        394: "run AC: AC 2C 3C 4C", 395: "run AC: JK 2C 3C 4C", 613: "run JS: JS QS KS JK",
        614: "add AC", 666: "add JK to A", 679: "extend low AC", 689: "extend high 5C",
        698: "extend high AC", 759: "extend low JK as AC", 839: "replace JK by AC low",
        852: "replace JK by AC high", 895: "joker low", 897: "discard AC", 949: "discard JK",
    }  # fmt: skip
    assert {action: texts[action] for action in known} == known
    assert GAME.parse_action("Run 5♥: 5♥ 6♥ jk 8♥", None) == 394 + (2 * 11 + 4) * 5 + 3
    with pytest.raises(ValueError, match="no action"):
        GAME.parse_action("trio 7", None)


def test_the_melds_of_the_reference_are_those_of_the_engine():
    assert [m.text for m in all_melds()] == [GAME.action_text(a, None) for a in range(4, 614)]


# Hidden cards


def test_a_seat_in_its_opening_is_dealt_every_hand_that_completes_it_equally_often():
    """Seat 0 has laid a trio and must hold the second; seat 1 cannot see its four other cards."""
    own = "5S 5H 5D 9C 9H 2C"
    env = table([own, "9S 9D 2D 6H 8S 10C", "3C 4C JK 2H 7D 7C"], "KD", "9D QC QD QH")
    play(env, "draw; no puc; no puc; trio 5: 5D 5H 5S")
    assert_worlds_are_uniform(env, laid="trio 5: 5D 5H 5S", known=[])


def test_known_cards_stay_where_they_are_in_an_opening():
    """As above, but everybody saw seat 0 take the nine of diamonds."""
    own = "5S 5H 5D 9C 9H 2C"
    env = table([own, "9S 9D 2D 6H 8S 10C", "3C 4C JK 2H 7D 9H"], "9D", "KD QC QD QH 9C")
    play(env, "take; trio 5: 5D 5H 5S")
    assert_worlds_are_uniform(env, laid="trio 5: 5D 5H 5S", known=["9D"])


def assert_worlds_are_uniform(env, laid, known, draws=1500):
    """Seat 0's hand, as seat 1 may imagine it, against all hands that complete the contract."""
    zones = env.zones()
    rest = [*(Counter(zones["hand_0"]) - Counter(known)).elements()]
    pool = rest + zones["hand_2"] + zones["stock"]
    melds = all_melds()
    first = [meld for meld in melds if meld.text == laid]
    weights = Counter()
    for cards in combinations(range(len(pool)), len(rest)):
        hand = Counter([*known, *(pool[i] for i in cards)])
        banned = known[0] if known and hand[known[0]] == 1 else None
        if openings(hand, 1, 0, first, melds, True, banned):
            weights[tuple(sorted(hand.elements()))] += 1
    seen = Counter()
    view = env.observe("player_1")["observation"]
    for k in range(draws):
        world = env.determinize("player_1", k)
        assert np.array_equal(world.observe("player_1")["observation"], view)
        seen[tuple(sorted(world.zones()["hand_0"]))] += 1
    assert set(seen) <= set(weights)
    total = sum(weights.values())
    expected = {hand: draws * weight / total for hand, weight in weights.items()}
    chi2 = sum((seen[hand] - e) ** 2 / e for hand, e in expected.items())
    freedom = len(weights) - 1
    assert freedom > 10 and chi2 < freedom + 5 * (2 * freedom) ** 0.5


# The engine against the second implementation

OPTION_SETS = [
    {},
    {"num_players": 3, "layoff": "own", "reward": "rank", "discarder_may_puc": False},
    {"num_players": 3, "forbid_adjacent_runs": True, "allow_return_discard": True, "hand": 6},
    {"num_players": 6, "max_puc_per_hand": 1, "stock_exhausted": "block"},
    {"num_players": 4, "joker_in_trio": False, "max_turns_per_hand": 60, "reward_at_cap": True},
    {"num_players": 3, "num_packs": 3, "jokers_per_pack": 4, "hand": 4},
    {"num_players": 3, "max_jokers_per_meld": 0, "jokers_per_pack": 4, "layoff": "own"},
    {"num_players": 5, "only_hand": 5, "max_puc_per_hand": 2},
    {"num_players": 12, "only_hand": 7, "max_puc_per_hand": 0, "jokers_per_pack": 0},
]


def likely(text, rng):
    """A weight that keeps hands small and gets cards on the table."""
    if text.startswith("discard"):
        return 0.3
    return {"puc": 0.15, "take": 0.5}.get(text, 2.0)


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_engine_does_what_the_second_implementation_does(options):
    options = dict(options)
    hand = options.pop("hand", None)
    env = puc_v0.raw_env(**options)
    rng = np.random.default_rng(1)
    seen = Counter()
    for seed in range(2):
        reset = {"reshuffle": "turn_over"} | ({"hand": hand} if hand else {})
        env.reset(seed=seed, options=reset)
        state = record(env)
        referee = Referee(env.config, env.zones(), int(state.dealer), int(state.hand_number))
        compare(env, referee)
        for _ in range(800):
            texts = sorted(legal(env))
            assert set(texts) == referee.legal()
            weights = np.array([likely(text, rng) for text in texts])
            text = texts[rng.choice(len(texts), p=weights / weights.sum())]
            seen[text.split()[0]] += 1
            env.step(env.parse_action(text))
            referee.play(text, env.zones())
            compare(env, referee)
            if referee.over:
                rewards = [env.rewards[f"player_{s}"] for s in range(referee.n)]
                assert rewards == pytest.approx(referee.rewards(), abs=1e-6)
                assert sum(rewards) == pytest.approx(0, abs=1e-5)
                break
    assert seen["discard"] > 100 and seen["take"] and seen["draw"]


def compare(env, referee):
    """Zones, seats, scores, known cards and flags agree."""
    zones = env.zones()
    mine = referee.zones()
    assert zones.keys() == mine.keys()
    for name, cards in mine.items():
        assert (Counter(zones[name]) if isinstance(cards, Counter) else zones[name]) == cards, name
    state = record(env)
    assert state.score[: referee.n].tolist() == referee.scores
    assert (bool(state.over), bool(state.truncated)) == (referee.over, referee.truncated)
    assert bool(state.blocked) == referee.blocked
    if not referee.over:
        assert state.turn == referee.turn and state.serving == referee.serving
    for seat in range(referee.n):
        kinds = [kind for kind in range(53) for _ in range(state.known[seat, kind])]
        known = Counter(GAME.cards.texts_of(kinds))
        assert known == +referee.known[seat]


def random_hand(rng, size, jokers):
    """Cards from two packs, drawn so that melds are not too rare: few ranks or few suits."""
    suits = rng.permutation(4)[: rng.integers(1, 5)]
    lows, width = rng.integers(0, 13), rng.integers(4, 14)
    pack = [int(s) * 13 + int(lows + r) % 13 for s in suits for r in range(width)] * 2
    pack = [*(k for k in range(52)), *pack] if len(pack) < size + 4 else pack
    return [52] * jokers + rng.permutation(pack)[: size - jokers].tolist()


def test_the_opening_mask_agrees_with_a_brute_force():
    """Thousands of hands of 7 … 22 cards with jokers, all contracts, with and without a ban."""
    rng = np.random.default_rng(7)
    states = GAME.new_states(1, GAME.configure(4))
    melds = all_melds()
    found = Counter()
    for _ in range(2500):
        hand_number = int(rng.integers(1, 8))
        trios, runs = CONTRACTS[hand_number]
        least = 3 * trios + 4 * runs + 1
        size = int(rng.integers(least, max(least, 22) + 1)) if rng.random() < 0.6 else least
        hand = random_hand(rng, size, int(rng.integers(0, 4)))
        ban = int(rng.choice(hand)) if rng.random() < 0.5 else None
        forbid = bool(rng.random() < 0.3)
        mask = opening_mask(states, hand, hand_number, ban, forbid)
        cards = Counter(GAME.cards.texts_of(hand))
        banned = GAME.cards.text(ban) if ban is not None and hand.count(ban) == 1 else None
        expected = openings(cards, trios, runs, [], melds, not forbid, banned)
        assert {GAME.action_text(a, None) for a in np.flatnonzero(mask[:614])} == expected
        found[bool(expected)] += 1
    assert min(found.values()) > 500


def opening_mask(states, hand, hand_number, taken, forbid):
    """The engine's mask for a seat that has drawn and holds these cards."""
    from envs.core.loops import compile_loops

    state = states[0]
    state.hand_number, state.phase, state.turn, state.serving = hand_number, 2, 0, 0
    state.taken = -1 if taken is None else taken
    state.forbid_adjacent_runs = forbid
    state.hand[0] = np.bincount(hand, minlength=53)
    state.hand_size[0] = len(hand)
    mask, out = np.zeros(950, np.bool_), np.zeros(GAME.layout(GAME.configure(4)).size, np.int16)
    compile_loops(GAME).encode_one(GAME.plain(states), mask, out)
    assert state.hand[0].tolist() == np.bincount(hand, minlength=53).tolist()
    return mask
