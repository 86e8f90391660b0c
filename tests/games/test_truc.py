"""The worked examples of Truc's rule page, by their ids."""

from itertools import combinations_with_replacement, product

import pytest

from envs.truc.envit import LEVELS
from tests.games.reference_truc import PACK, level
from tests.games.truc_scoresheet import (
    A_WINS,
    BIDS,
    ENVIT_B,
    FIRST_TRICK,
    STACKS,
    TIED,
    at_score,
    deal,
    legal,
    play,
    record,
    rewards,
    score,
    seen,
    turn,
)

pytestmark = pytest.mark.worked


def envit(hand, **options):
    """The envit that a seat with this hand is told."""
    return seen(deal(hand, **options), 0, "my_envit")[0]


def tied_hand(p0="3O 12O 6C"):
    """ET7's deal, before the first card."""
    return deal(p0, "3C 12E 7C", "4E 5O 4C", "5B 6B 4B")


def test_the_ladder_is_the_rule_pages():
    assert [level(card, 4) for card in PACK] == LEVELS.tolist()


@pytest.mark.parametrize(
    ("hand", "value"),
    [("6C 4C 12B", 30), ("11O 4O 12B", 24), ("1E 4E 12B", 25), ("6E 7E 12B", 33)],
)
def test_ET1_envit_of_a_pair(hand, value):
    assert envit(hand) == value


@pytest.mark.parametrize(("hand", "value"), [("11B 7C 5O", 35), ("10O 7C 3E", 34)])
def test_ET2_envit_of_a_piece(hand, value):
    assert envit(hand) == value


def test_ET3_the_best_two_of_three():
    assert envit("7E 6E 5E") == 33


@pytest.mark.parametrize(
    ("hand", "value"), [("11B 10O 6C", 35), ("11B 12C 10E", 28), ("7O 5C 12E", 7)]
)
def test_ET4_reserved_lonely_amo_and_no_pair(hand, value):
    assert envit(hand) == value


def test_ET5_an_equal_envit_goes_to_the_seat_nearer_to_the_dealers_right():
    env = deal("1E 12O 3C", "6B 4B 11O", "6C 4C 12B", "3O 10C 1B")  # p1 and p2 have 30
    play(env, "p0 1E", "p1 6B", "p2 envida", "p3 vull", "p2 6C", "p3 me'n vaig")
    assert score(env) == (1, 2)


def test_ET6_the_highest_card_wins_and_leads():
    env = deal("3C 4O 4C", "7O 5O 5C", "1B 6O 6C", "12O 5E 4E")
    play(env, "p0 3C", "p1 7O", "p2 1B", "p3 12O")
    assert turn(env) == "p2"
    assert record(env).trick_team[0] == 0


def test_ET7_tied_stacks_are_decided_by_the_hidden_cards():
    env = play(tied_hand(), *TIED)
    assert legal(env) == {"12O", "truc", "me'n vaig"}  # the higher of two lies on top
    play(env, *STACKS, "p2 passo", "p3 passo")
    assert score(env) == (0, 1)  # 7C beats 6C


def test_ET8_equal_hidden_cards_go_to_the_seat_nearer_to_the_dealers_right():
    env = play(tied_hand("3O 12O 7B"), *TIED, *STACKS, "p2 passo", "p3 passo")
    assert score(env) == (1, 0)


def test_ET9_a_tied_second_trick_goes_to_the_first_tricks_winner():
    env = deal("1E 12O 4C", "7E 12C 5C", "1B 4E 6B", "3O 10C 4B")
    play(env, *FIRST_TRICK, "p0 12O", "p1 12C", "p2 4E", "p3 10C")
    assert score(env) == (1, 0)
    assert record(env).hand_number == 1


def test_ET10_a_tied_third_trick_goes_to_the_first_tricks_winner():
    env = deal("1E 4O 12C", "7E 11O 12E", "1B 5O 6B", "3O 10C 4B")
    play(env, *FIRST_TRICK)  # A
    play(env, "p0 4O", "p1 11O", "p2 5O", "p3 10C")  # B, p1 leads
    play(env, "p1 12E", "p2 6B", "p3 4B", "p0 12C")  # tied
    assert score(env) == (1, 0)


@pytest.mark.parametrize(
    ("bids", "refuser", "points"),
    [(1, "p3", (1, 0)), (2, "p2", (0, 3)), (3, "p3", (6, 0)), (4, "p2", (0, 9))],
)
def test_ET11_a_refused_truc_pays_its_caller(bids, refuser, points):
    env = play(deal(), *BIDS[:bids], f"{refuser} no vull")
    assert score(env) == points


@pytest.mark.parametrize(("bids", "points"), [(0, 1), (1, 3), (2, 6), (3, 9)])
def test_ET11_an_accepted_truc_pays_the_winner_of_the_tricks(bids, points):
    answer = [("p3 vull", "p2 vull")[(bids - 1) % 2]] if bids else []
    env = play(deal(), *BIDS[:bids], *answer, *A_WINS)
    assert score(env) == (points, 0)


@pytest.mark.parametrize(
    ("bids", "points"),
    [
        (("p2 envida", "p3 no vull"), (1, 0)),
        (("p2 envida", "p3 jo envit", "p2 no vull"), (0, 2)),
        (("p2 envida", "p3 jo envit", "p2 dos més", "p3 no vull"), (4, 0)),
        (("p2 envida", "p3 jo envit", "p2 dos més", "p3 tots", "p2 no vull"), (0, 6)),
        (("p2 envida", "p3 tots", "p2 no vull"), (0, 2)),
        (("p2 envida", "p3 jo envit", "p2 tots", "p3 no vull"), (4, 0)),
    ],
)
def test_ET12_a_refused_envit_pays_its_caller_at_once(bids, points):
    env = play(deal(), "p0 1E", "p1 7E", *bids)
    assert score(env) == points
    assert turn(env) == "p2"  # who still has to play his card


@pytest.mark.parametrize(
    ("bids", "points"),
    [
        (("p2 envida", "p3 vull"), 2),
        (("p2 envida", "p3 jo envit", "p2 vull"), 4),
        (("p2 envida", "p3 jo envit", "p2 dos més", "p3 vull"), 6),
    ],
)
def test_ET12_an_accepted_envit_pays_the_better_envit_after_the_hand(bids, points):
    env = play(deal(), "p0 1E", "p1 7E", *bids)
    assert score(env) == (0, 0)
    play(env, "p2 1B", "p3 me'n vaig")
    assert score(env) == (points + 1, 0)  # p2's 27, and 1 for the hand


def tots(a, b, *hands):
    """Tots accepted at a score, then B gives the hand up."""
    env = at_score(deal(*hands), a, b)
    return play(env, "p0 1E", "p1 7E", "p2 envida", "p3 tots", "p2 vull", "p2 1B", "p3 me'n vaig")


def test_ET13_tots_wins_the_match_while_nobody_is_above_half():
    env = tots(12, 7, *ENVIT_B)
    assert turn(env) == "over"
    assert score(env) == (12, 24)
    assert rewards(env) == (-1, 1)


def test_ET14_tots_above_half_pays_what_the_leader_misses():
    assert score(tots(13, 7, *ENVIT_B)) == (13 + 1, 18)
    env = tots(13, 7)
    assert score(env) == (24, 7)
    assert rewards(env) == (1, -1)


def test_ET15_at_23_all_the_envit_goes_first():
    env = deal("1E 12O 4C", "7E 11O 5C", "4E 4O 6B", "3O 10C 4B", dealer=0)  # p0 is player_1, B
    at_score(env, 23, 23)
    play(env, "p0 truc", "p3 envida", "p2 vull", "p3 vull", *FIRST_TRICK[:2])
    assert turn(env) == "p2"
    play(env, "p2 4E", "p3 3O", "p0 12O", "p1 11O", "p2 6B", "p3 10C")  # p0's team wins the tricks
    assert score(env) == (25, 23)  # p1's 7 is the best envit
    assert rewards(env) == (1, -1)


def test_ET16_joc_fora_wins_the_match():
    env = at_score(deal(), 3, 20)
    play(env, *BIDS, "p2 vull", *A_WINS)
    assert score(env) == (24, 20)
    assert rewards(env) == (1, -1)


def test_ET17_what_may_be_said_before_a_card():
    env = deal()
    assert legal(env) == {"1E", "12O", "4C", "truc", "me'n vaig"}
    play(env, "p0 1E")
    assert legal(env) == {"7E", "11O", "5C", "truc", "me'n vaig"}
    play(env, "p1 7E")
    assert legal(env) == {"1B", "12C", "6B", "truc", "envida", "me'n vaig"}
    play(env, "p2 1B")
    assert legal(env) == {"3O", "10C", "4B", "truc", "envida", "me'n vaig"}
    play(env, "p3 3O")
    for line in ("p0 12O", "p1 11O", "p2 12C", "p3 10C"):
        assert "envida" not in legal(env)
        play(env, line)


def test_ET17_the_second_peu_may_not_open_again():
    env = play(deal(), "p0 1E", "p1 7E", "p2 envida", "p3 no vull", "p2 1B")
    assert legal(env) == {"3O", "10C", "4B", "truc", "me'n vaig"}


def test_ET18_only_the_team_that_accepted_may_raise():
    env = play(deal(), "p0 truc", "p3 vull")
    for who, card in zip(("p0", "p1", "p2", "p3"), ("1E", "7E", "1B", "3O"), strict=True):
        assert ("retruc" in legal(env)) == (who in ("p1", "p3"))
        play(env, f"{who} {card}")
    play(env, "p0 12O", "p1 retruc", "p2 vull", "p1 11O", "p2 vol nou", "p3 vull")
    assert not legal(env) & {"truc", "retruc", "vol nou", "joc fora"}


AMO, LLENGUA = 0, 2


def beats_all(mine, pool):
    """In trick 3 the card wins for B whatever p0, p2 (A) and p1 (B) play; a tie is A's."""
    for p0, p2 in combinations_with_replacement(sorted(set(pool)), 2):
        if mine < min(p0, p2):
            continue  # p1 cannot spoil it
        for p1 in set(pool):
            held = (p0, p1, p2)
            dealt = all(pool.count(x) >= held.count(x) for x in held)
            if dealt and min(mine, p1) >= min(p0, p2):
                return False
    return True


def test_ET19_joc_segur():
    """p3 kept 1E and 11B, A won trick 1, p3 is last in trick 2: some card wins both tricks."""
    pool = sorted(level(card, 4) for card in PACK if card not in ("7C", "1E", "11B"))
    known = {}
    for played in product(sorted(set(pool)), repeat=3):
        if any(pool.count(x) < played.count(x) for x in played):
            continue
        left = tuple(sorted(pool))
        for card in played:
            at = left.index(card)
            left = left[:at] + left[at + 1 :]
        p0, p1, p2 = played
        winning = False
        for card, kept in ((LLENGUA, AMO), (AMO, LLENGUA)):
            if (kept, left) not in known:
                known[kept, left] = beats_all(kept, left)
            winning |= min(card, p1) < min(p0, p2) and known[kept, left]
        assert winning, played


@pytest.mark.parametrize(
    ("p0", "second", "third"), [("1B 10O 7E", "11B", "1E"), ("1B 7E 7O", "1E", "11B")]
)
def test_ET19_on_the_table(p0, second, third):
    """Against the 10O the amo goes first, else the llengua."""
    env = deal(p0, "4O 4C 4E", "3O 3C 3E", "7C 1E 11B")
    lead = p0.split()
    play(env, "p0 1B", "p1 4O", "p2 3O", "p3 7C", f"p0 {lead[1]}", "p1 4C", "p2 3C", f"p3 {second}")
    play(env, f"p3 {third}", f"p0 {lead[2]}", "p1 4E", "p2 3E")
    assert score(env) == (0, 1)


def test_ET20_folding_in_trick_2_leaves_the_accepted_envit():
    env = play(
        deal(), "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 truc", "p3 vull", "p2 1B", "p3 3O"
    )
    play(env, "p0 12O", "p1 me'n vaig")
    assert score(env) == (3 + 2, 0)
    assert seen(env, 0, "last_envit").tolist() == [27, 1, 0]


def test_ET20_the_envit_may_go_to_the_folders():
    env = deal(*ENVIT_B)
    play(env, "p0 1E", "p1 7E", "p2 envida", "p3 vull", "p2 truc", "p3 vull", "p2 1B", "p3 3O")
    play(env, "p0 12O", "p1 me'n vaig")
    assert score(env) == (3, 2)


def test_ET21_a_truc_may_be_answered_by_opening_the_envit():
    env = play(deal(), "p0 truc")
    assert turn(env) == "p3"
    assert legal(env) == {"vull", "no vull", "retruc", "envida", "me'n vaig"}
    play(env, "p3 envida", "p2 no vull")
    assert score(env) == (0, 1)
    assert turn(env) == "p3"
    assert legal(env) == {"vull", "no vull", "retruc", "me'n vaig"}
