"""Poker builder: worked examples, options, and the slow second implementation beside the engine."""

import itertools

import numpy as np
import pytest

from envs import poker_builder_v0
from envs.core.cards import FRENCH_52
from envs.core.random import combine
from envs.poker_builder import GAME
from tests.games.reference_poker_builder import DEFAULTS, PACK, SlowGame, auction_winner

OPTION_SETS = [
    {},
    {"ace_bet_value": 14, "faces10": True},
    {"suit_tiebreak": "count", "tie": "bids"},
    {"leftovers": "keep"},
    {"leftovers": "final_deck", "manual_showdown": True},
    {"leftovers": "keep", "manual_showdown": True, "hide_discards": True},
    {"hide_discards": True, "tie": "bids", "leftovers": "final_deck"},
]


def ids(options):
    return " ".join(f"{name}={value}" for name, value in options.items()) or "default"


def a_deck(hand_0="", hand_1="", prizes="", hand_0b="", hand_1b="", prizes_b=""):
    """A deck with these cards first in their places; the rest is filled up from the other cards."""
    wanted = [text.split() for text in (hand_0, hand_1, prizes, hand_0b, hand_1b, prizes_b)]
    named = list(itertools.chain(*wanted))
    others = iter([card for card in PACK if card not in named])
    dealt = [cards + [next(others) for _ in range(5 - len(cards))] for cards in wanted]
    return [*itertools.chain(*dealt), *others]


def start(options=None, **cards):
    env = poker_builder_v0.env(**(options or {}))
    env.reset(options={"deck": a_deck(**cards)})
    return env


def play(env, *texts):
    for text in texts:
        env.step(env.unwrapped.parse_action(text))
    return env.unwrapped.zones()


def legal_texts(env):
    mask = env.last()[0]["action_mask"]
    return [env.unwrapped.action_text(int(action)) for action in np.flatnonzero(mask)]


def final_rewards(env):
    return [env.rewards[f"player_{seat}"] for seat in (0, 1)]


def played_for_piles(pile_0, pile_1, **options):
    """A whole game in which each player wins these cards against jokers, nobody the others."""
    won = [(card, 0) for card in pile_0.split()] + [(card, 1) for card in pile_1.split()]
    spare = [card for card in PACK if card not in [card for card, _ in won]]
    prizes = [card for card, _ in won] + spare[: 10 - len(won)]
    env = start(options, prizes=" ".join(prizes[:5]), prizes_b=" ".join(prizes[5:]))
    winners = [winner for _, winner in won] + [None] * (10 - len(won))
    for winner in winners:
        for seat in (0, 1):
            env.step(0 if seat == winner else joker_of(env))
    return env


def joker_of(env):
    return env.unwrapped.parse_action("joker")


def record_of(env):
    return env.unwrapped._states[0]


# Worked examples: what becomes of the card in play


def goes_to(prize, bet_0, bet_1, **options):
    """The zone in which the card in play ends; both bets are discarded, whoever sits where."""
    ends = []
    for bets in ((bet_0, bet_1), (bet_1, bet_0)):
        env = start(options, hand_0=bets[0], hand_1=bets[1], prizes=prize)
        zones = play(env, f"bet {bets[0]}", f"bet {bets[1]}")
        cards = set(f"{bet_0} {bet_1}".split())
        assert cards <= set(zones["discard"])
        assert not cards & {*zones["hand_0"], *zones["hand_1"]}
        ends.append(next(name for name, cards in zones.items() if prize in cards))
    other_seat = {"pile_0": "pile_1", "pile_1": "pile_0", "discard": "discard"}
    assert ends[1] == other_seat[ends[0]]
    return ends[0]


def test_EP1_the_higher_sum_wins():
    assert goes_to("6H", "10H", "10S 2H") == "pile_1"  # 10 against 12


def test_EP2_equal_sums_go_to_the_suit():
    assert goes_to("6H", "10H", "10S") == "pile_0"  # a heart


def test_EP3_equal_sums_without_a_match():
    assert goes_to("6H", "9S", "9C") == "discard"  # no heart, nothing red


def test_EP4_equal_sums_go_to_the_colour():
    assert goes_to("6H", "9D", "9C") == "pile_0"  # red


def test_EP7_both_match_the_suit():
    assert goes_to("6H", "5H 7C", "10S 2H") == "discard"  # 12 each, a heart each
    assert goes_to("6H", "5H 7C", "10S 2H", suit_tiebreak="count") == "discard"  # 1-1, red 1-1


def test_EP8_one_side_has_the_colour():
    assert goes_to("6H", "5D 7C", "10S 2C") == "pile_0"  # no heart, red against none


def test_EP9_two_matches_against_one():
    assert goes_to("6H", "4H 8H", "2H 10S") == "discard"  # a heart on both sides
    assert goes_to("6H", "4H 8H", "2H 10S", suit_tiebreak="count") == "pile_0"  # 2 hearts to 1


def test_EP10_the_ace_counts_one():
    assert goes_to("6H", "AS KS", "QD 2C") == "pile_1"  # 14 each, red against none
    assert goes_to("6H", "AS KS", "QD 2C", ace_bet_value=14) == "pile_0"  # 27 to 14


def test_Q2_faces_count_ten():
    assert goes_to("6H", "KS", "10C", faces10=True) == "discard"  # 10 each, nothing red
    assert goes_to("6H", "AS", "KC 4H", faces10=True, ace_bet_value=14) == "pile_1"  # 14 each


def test_EP5_joker_loses_to_an_ace_and_returns():
    env = start(hand_0="3C", hand_1="AC", prizes="6H")
    zones = play(env, "joker", "bet AC")
    assert zones["pile_1"] == ["6H"]
    assert zones["discard"] == ["AC"]
    assert len(zones["hand_0"]) == 5
    assert "joker" in legal_texts(env)


def test_EP6_two_jokers_discard_the_card_and_change_nothing_else():
    env = start(prizes="6H")
    before = env.unwrapped.zones()
    zones = play(env, "joker", "joker")
    assert zones["discard"] == ["6H"]
    assert (zones["hand_0"], zones["hand_1"]) == (before["hand_0"], before["hand_1"])
    assert zones["pile_0"] == zones["pile_1"] == []


def test_EP11_without_cards_only_the_joker():
    env = start(hand_0="AC 2C 3C 4C 5C")
    play(env, "bet AC 2C", "joker", "bet 3C 4C", "joker", "bet 5C", "joker")
    for _ in (4, 5):
        assert legal_texts(env) == ["joker"]
        play(env, "joker", "joker")
    assert len(legal_texts(env)) == 16


def test_EP12_left_over_cards_are_not_in_the_second_hand():
    env = start(hand_0="AC 2C 3C 4C 5C", hand_0b="6C 7C 8C 9C 10C")
    play(env, "bet AC", "joker", "bet 2C", "joker", "bet 3C", "joker", "joker", "joker")
    zones = play(env, "joker", "joker")
    assert zones["hand_0"] == ["6C", "7C", "8C", "9C", "10C"]
    assert zones["aside_0"] == ["4C", "5C"]
    assert len(zones["aside_1"]) == 5


@pytest.mark.parametrize("options", OPTION_SETS, ids=ids)
def test_EP13_twenty_bets_and_22_unseen_cards(options):
    env = poker_builder_v0.env(**options)
    rng = np.random.default_rng(13)
    for seed in range(4):
        env.reset(seed=seed)
        bets = 0
        while not record_of(env).over:
            bets += len(legal_texts(env)) > 2 or "joker" in legal_texts(env)
            env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        zones = env.unwrapped.zones()
        assert bets == 20
        assert len(zones["stock"]) == 22
        assert record_of(env).decisions <= GAME.max_decisions(env.unwrapped.config)
        if options.get("leftovers") != "final_deck":
            assert len(zones["pile_0"]) + len(zones["pile_1"]) <= 10


def score(pile_0, pile_1):
    """Rewards when the piles are compared, whoever holds which."""
    env = played_for_piles(pile_0, pile_1)
    zones = env.unwrapped.zones()
    assert (zones["pile_0"], zones["pile_1"]) == (pile_0.split(), pile_1.split())
    assert env.terminations == {"player_0": True, "player_1": True}
    rewards = final_rewards(env)
    assert final_rewards(played_for_piles(pile_1, pile_0)) == rewards[::-1]
    return rewards


def test_EP14_a_pair_of_aces_alone_beats_a_pair_of_kings_with_kickers():
    assert score("AS AH", "KS KH QC 5D 2S") == [1, -1]


def test_EP15_a_kicker_beats_none():
    assert score("9S 9H", "9C 9D 2S") == [-1, 1]


def test_EP16_equal_and_empty_piles():
    assert score("AS", "AH") == [0, 0]
    assert score("", "") == [0, 0]
    assert score("", "2C") == [-1, 1]


def test_B9_short_hands():
    assert score("9S 9H 2C 2D", "9C 9D KS QH") == [1, -1]  # two pair beat a pair
    assert score("9S 9H 2C 2D", "9C 9D 2S 2H 3C") == [-1, 1]  # the same two pair, a kicker
    assert score("2S 4S 6S 8S", "9C") == [-1, 1]  # four spades are no flush
    assert score("2S 2H 2D", "AC AD KC KD") == [1, -1]  # trips beat two pair


def test_B9_straights():
    assert score("AS 2H 3C 4D 5S", "KS KH KC") == [1, -1]
    assert score("AS 2H 3C 4D 5S", "2S 3H 4C 5D 6S") == [-1, 1]  # the ace is low here
    assert score("QS KH AC 2D 3S", "2C 2H") == [-1, 1]  # no way round the corner


# Options


@pytest.mark.parametrize(("tie", "rewards"), [("draw", [0, 0]), ("bids", [-1, 1])])
def test_Q10_equal_hands(tie, rewards):
    """An ace each, since player 1 leaves his deuce; but he has won two cards to one."""
    env = played_for_piles("AS", "AH 2C", tie=tie, manual_showdown=True)
    play(env, "keep", "keep", "leave")
    assert final_rewards(env) == rewards


def test_Q10_equal_hands_and_equally_many_cards_are_a_draw():
    assert final_rewards(played_for_piles("2S 2H", "2C 2D", tie="bids")) == [0, 0]


def test_B8_keep_leaves_cards_in_a_wide_hand():
    env = start({"leftovers": "keep"}, hand_0="AC 2C 3C 4C 5C", hand_0b="6C 7C 8C 9C 10C")
    assert env.action_space("player_0").n == 56
    zones = play(env, *["joker"] * 10)
    assert zones["hand_0"] == [f"{rank}C" for rank in ("A", 2, 3, 4, 5, 6, 7, 8, 9, 10)]
    assert len(legal_texts(env)) == 56
    assert env.unwrapped.parse_action("bet 10C") == 9
    assert env.unwrapped.parse_action("bet AC 2C") == 10
    assert env.unwrapped.parse_action("bet 9C 10C") == 54
    assert env.unwrapped.parse_action("joker") == 55


def test_B8_final_deck_joins_the_pile_after_the_won_cards():
    hands = {"hand_0": "3C AC 2C KD KH", "hand_1": "9C 2D 4H 6S 8C"}
    env = start({"leftovers": "final_deck"}, prizes="KS", **hands)
    play(env, "bet 3C", "joker", *["joker"] * 8)
    zones = env.unwrapped.zones()
    assert zones["aside_0"] == ["AC", "2C", "KD", "KH"]
    assert "KD" in str(env.unwrapped.table(0))
    assert "KD" not in str(env.unwrapped.table(1))
    zones = play(env, *["joker"] * 10)
    assert zones["pile_0"] == ["KS", "AC", "2C", "KD", "KH"]
    assert zones["aside_0"] == []
    assert final_rewards(env) == [1, -1]  # three kings


def test_B8_final_deck_does_not_count_as_cards_won():
    # Equal hands of two aces and the same kickers; player 1 won a card, player 0 none.
    options = {"leftovers": "final_deck", "tie": "bids"}
    env = start(options, hand_0="AC AD KC QC JC", hand_1="AS KD QD JD 2C", prizes="AH")
    play(env, "joker", "bet 2C", *["joker"] * 18)
    zones = env.unwrapped.zones()
    assert zones["pile_0"] == ["AC", "AD", "JC", "QC", "KC"]
    assert zones["pile_1"] == ["AH", "AS", "JD", "QD", "KD"]
    assert final_rewards(env) == [-1, 1]


def test_B9_manual_showdown_compares_exactly_the_chosen_cards():
    env = played_for_piles("AS AH 3D", "KS KH", manual_showdown=True)
    assert env.action_space("player_0").n == 18
    assert legal_texts(env) == ["keep", "leave"]
    play(env, "keep", "leave", "keep", "keep", "keep")  # A 3 against K K
    assert final_rewards(env) == [-1, 1]


def test_B9_manual_showdown_ends_with_five_and_skips_an_empty_pile():
    env = played_for_piles("", "AS AH AD AC KS KH", manual_showdown=True)
    assert env.agent_selection == "player_1"
    play(env, *["keep"] * 5)
    assert final_rewards(env) == [-1, 1]
    nothing = played_for_piles("2C", "", manual_showdown=True)
    play(nothing, "leave")
    assert final_rewards(nothing) == [0, 0]


def test_Q8_hidden_discards_keep_sizes_outcomes_and_own_bets():
    env = start({"hide_discards": True}, hand_0="9C 4D", hand_1="7H 6S", prizes="6H")
    play(env, "bet 9C 4D", "bet 6S 7H")
    for seat, own, other in ((0, "9C", "7H"), (1, "7H", "9C")):
        seen = env.unwrapped.decode(env.observe(f"player_{seat}"))
        assert seen["bets"][0][FRENCH_52.parse(own)] == 1
        assert not seen["bets"][1].any()
        assert seen["bet_sizes"][:, 0].tolist() == [2, 2]
        assert seen["outcomes"][0].tolist() == ([1, 0, 0] if seat == 1 else [0, 1, 0])  # a heart
        assert other not in str(env.unwrapped.table(seat))
    assert env.unwrapped.zones()["discard"] == ["4D", "9C", "6S", "7H"]


# Notation


def test_slots_close_up_and_ids_stay():
    env = start(hand_0="KD AC AD 7S 7H", hand_1="2C")
    play(env, "bet 7S KD", "joker")
    mask = np.flatnonzero(env.last()[0]["action_mask"]).tolist()
    assert mask == [0, 1, 2, 5, 6, 9, 15]
    assert legal_texts(env) == [
        "bet AC", "bet AD", "bet 7H", "bet AC AD", "bet AC 7H", "bet AD 7H", "joker",
    ]  # fmt: skip
    assert env.unwrapped.parse_action("bet 7♥ a♦") == 9


@pytest.mark.parametrize(
    "text", ["bet", "bet 2C 2C", "bet KS", "keep", "joker 2C", "fold", "bet XX"]
)
def test_what_is_no_action(text):
    env = start(hand_0="2C 3C 4C 5C 6C")
    with pytest.raises(ValueError, match="legal now"):
        env.unwrapped.parse_action(text)


@pytest.mark.parametrize(
    ("options", "ways"),
    [({}, "or 'joker'"), ({"manual_showdown": True}, "'joker', 'keep' or 'leave'")],
)
def test_what_is_no_action_names_the_ways_to_write_one(options, ways):
    env = poker_builder_v0.env(**options)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"'bet 2H 10S'.* {ways}"):
        env.unwrapped.parse_action("fold")


def test_deck_order():
    env = poker_builder_v0.env()
    env.reset(options={"deck": PACK})
    zones = env.unwrapped.zones()
    assert (zones["hand_0"], zones["hand_1"]) == (PACK[:5], PACK[5:10])
    assert zones["in_play"] == ["JC"]
    assert zones["stock"] == PACK[11:]
    zones = play(env, *["joker"] * 10)
    assert zones["discard"] == PACK[10:15]
    assert set(zones["hand_0"]) == set(PACK[15:20])
    assert set(zones["hand_1"]) == set(PACK[20:25])
    assert zones["in_play"] == [PACK[25]]


@pytest.mark.parametrize("bad", [{"num_players": 3}, {"ace_bet_value": 11}, {"leftovers": "away"}])
def test_bad_options_are_refused(bad):
    with pytest.raises(ValueError, match=r"allowed|played by"):
        poker_builder_v0.env(**bad)


# The slow second implementation beside the engine


def compare(env, slow):
    zones = env.unwrapped.zones()
    mask = env.unwrapped._mask
    assert set(np.flatnonzero(mask).tolist()) == slow.legal()
    for seat in (0, 1):
        assert set(zones[f"hand_{seat}"] + zones[f"bet_{seat}"]) == set(slow.hands[seat])
        assert zones[f"pile_{seat}"] == slow.piles[seat]
        assert zones[f"aside_{seat}"] == slow.aside[seat]
    assert zones["discard"] == slow.discard
    in_order = [text for cards in zones.values() for text in cards]
    assert sorted(in_order) == sorted(PACK)


@pytest.mark.parametrize("options", OPTION_SETS, ids=ids)
def test_engine_equals_the_slow_game(options):
    env = poker_builder_v0.env(**options)
    rng = np.random.default_rng(5)
    for seed in range(40):
        env.reset(seed=seed)
        deck = FRENCH_52.texts_of(record_of(env).deck)
        slow = SlowGame(deck, **options)
        while not record_of(env).over:
            compare(env, slow)
            assert env.agent_selection == f"player_{slow.turn}"
            legal = sorted(slow.legal())
            # Jokers and small bets on purpose: hands then last, and ties and left-overs occur.
            action = int(legal[-1] if rng.random() < 0.3 else rng.choice(legal))
            env.step(action)
            slow.act(action)
        compare(env, slow)
        assert final_rewards(env) == slow.rewards


def test_ties_in_bets_agree_with_the_slow_game():
    """Every pair of bets out of small hands with many equal sums, for every colour of prize."""
    hands = ("5H 5D 7C 2S 10C", "5C 5S 7H 2D 10D")
    for prize, rule in itertools.product(("6H", "6S"), ("any", "count")):
        options = {"suit_tiebreak": rule}
        env = start(options, hand_0=hands[0], hand_1=hands[1], prizes=prize)
        opening = env.unwrapped.get_state()
        for bet_0, bet_1 in itertools.product(range(16), range(16)):
            env.unwrapped.set_state(opening)
            slow = SlowGame(FRENCH_52.texts_of(record_of(env).deck), **options)
            for action in (bet_0, bet_1):
                env.step(action)
                slow.act(action)
            compare(env, slow)


# Hidden things


def views(env, seat):
    agent = f"player_{seat}"
    env.unwrapped._encode()
    seen = env.observe(agent)
    info = {k: v for k, v in env.infos.get(agent, {}).items() if k != "action_mask"}
    return (
        seen["observation"].tobytes(), seen["action_mask"].tobytes(), str(info),
        str(env.unwrapped.table(seat)),
    )  # fmt: skip


def random_states(options, seeds, policy_seed=3):
    """Environments at every decision of some random games."""
    env = poker_builder_v0.env(**options)
    rng = np.random.default_rng(policy_seed)
    for seed in seeds:
        env.reset(seed=seed)
        while not record_of(env).over:
            yield env, rng
            env.step(int(rng.choice(np.flatnonzero(env.unwrapped._mask))))


@pytest.mark.parametrize("options", OPTION_SETS, ids=ids)
def test_nothing_hidden_shows(options):
    kinds = set()
    for env, rng in random_states(options, range(4)):
        saved = env.unwrapped.get_state()
        for seat in (0, 1):
            before = views(env, seat)
            places = GAME.hidden(record_of(env), seat)
            cards = [place.index[0] for place in places if not place.alternatives]
            here, there = rng.choice(cards, 2, replace=False)
            deck = record_of(env).deck
            deck[here], deck[there] = deck[there], deck[here]
            for place in places:
                if place.alternatives:
                    kinds.add(place.field)
                    record_of(env)[place.field][place.index] = rng.choice(place.alternatives)
            assert views(env, seat) == before
            env.unwrapped.set_state(saved)
    assert "sealed" in kinds
    assert ("chosen" in kinds) == bool(options.get("manual_showdown"))


def test_a_visible_card_shows():
    env = start(prizes="6H")
    before = views(env, 0)
    deck = record_of(env).deck
    deck[10], deck[51] = deck[51], deck[10]
    assert views(env, 0) != before


@pytest.mark.parametrize("options", OPTION_SETS, ids=ids)
def test_resampled_worlds_look_the_same_and_are_possible(options):
    for env, rng in random_states(options, range(4)):
        for seat in (0, 1):
            before = views(env, seat)
            other = env.unwrapped.determinize(f"player_{seat}", int(rng.integers(1 << 30)))
            agent = f"player_{seat}"
            seen = other.observe(agent)
            assert (seen["observation"].tobytes(), seen["action_mask"].tobytes()) == before[:2]
            assert str(other.table(seat)) == before[3]
            assert sorted(itertools.chain(*other.zones().values())) == sorted(PACK)
            possible(other, options)


def possible(env, options):
    """A slow game with the world's deck and bets reaches the same table."""
    record = env._states[0]
    slow = SlowGame(FRENCH_52.texts_of(record.deck), **options)
    for auction in range(record.auction):
        bets = [
            [
                FRENCH_52.text(record.deck[place])
                for place in record.bets[seat, auction]
                if place >= 0
            ]
            for seat in (0, 1)
        ]
        slow.settle(bets)
    zones = env.zones()
    for seat in (0, 1):
        assert set(zones[f"hand_{seat}"] + zones[f"bet_{seat}"]) == set(slow.hands[seat])
        assert zones[f"pile_{seat}"] == slow.piles[seat]
        slots = [
            FRENCH_52.text(record.deck[p]) for p in record.hand[seat, : record.hand_size[seat]]
        ]
        assert slots == sorted(slots, key=lambda c: (PACK.index(c) % 13, PACK.index(c) // 13))
    assert zones["discard"] == slow.discard


def resampled(env, seat, draws):
    """Records of many worlds, one after the other in the same memory."""
    states = env.unwrapped._states.copy()
    fresh = states.copy()
    for stream in range(draws):
        states[:] = fresh
        mixed = np.uint64(combine(np.uint64(12345), np.uint64(stream)))
        env.unwrapped._loops.resample_one(GAME.plain(states), seat, mixed)
        yield states.view(np.recarray)[0]


def assert_uniform(counts, kinds):
    """χ²: every kind came equally often (fixed streams, so it never changes from run to run)."""
    from scipy.stats import chi2

    observed = np.array([counts.get(kind, 0) for kind in kinds])
    assert sum(counts.values()) == observed.sum(), set(counts) - set(kinds)
    expected = observed.sum() / len(kinds)
    statistic = ((observed - expected) ** 2 / expected).sum()
    assert chi2.sf(statistic, len(kinds) - 1) > 1e-3


def tally(values):
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def test_worlds_are_uniform_over_card_and_sealed_bet():
    """Player 0 holds one unknown card and has sealed a bet: 28 cards times two bets."""
    env = start(hand_0b="2S 3S 4S 5S 6S")
    play(env, *["joker"] * 10, "bet 2S", "joker", "bet 3S", "joker", "bet 4S", "joker", "bet 5S")
    play(env, "joker", "bet 6S")
    record = record_of(env)
    unknown = [int(record.deck[place.index[0]]) for place in GAME.hidden(record, 1)[:-1]]
    assert record.hand_size[0] == 1
    assert len(unknown) == 1 + 5 + 22  # in hand, put aside, in the stock
    worlds = tally(
        (int(world.deck[world.hand[0, 0]]), int(world.sealed[0]))
        for world in resampled(env, 1, 6000)
    )
    assert_uniform(worlds, list(itertools.product(unknown, (0, 15))))


def test_worlds_with_hidden_bets_fit_the_outcomes_uniformly():
    """Player 0 beat a five, then a queen: which two cards were it?"""
    env = start({"hide_discards": True}, hand_0="KC KD", hand_1="5C QC 9H 9S 9D", prizes="4S 5S 6S")
    play(env, "bet KC", "bet 5C", "bet KD", "bet QC")
    seen = {"5C", "QC", "9H", "9S", "9D", "4S", "5S", "6S"}
    unknown = [card for card in PACK if card not in seen]
    beat_five = [card for card in unknown if auction_winner("4S", [[card], ["5C"]], DEFAULTS) == 0]
    beat_queen = [card for card in unknown if auction_winner("5S", [[card], ["QC"]], DEFAULTS) == 0]
    assert len(beat_queen) == 5  # the kings and the queen of the suit in play
    worlds = tally(
        tuple(FRENCH_52.text(world.deck[world.bets[0, auction, 0]]) for auction in (0, 1))
        for world in resampled(env, 1, 8000)
    )
    pairs = itertools.product(beat_five, beat_queen)
    assert_uniform(worlds, [pair for pair in pairs if pair[0] != pair[1]])


def test_worlds_of_a_choice_are_all_sets_of_at_most_five():
    env = played_for_piles("AS AH AD AC KS KH", "2C 3C", manual_showdown=True)
    counts = tally(int(world.chosen[0]) for world in resampled(env, 1, 10))
    assert set(counts) == {0}  # player 0 has not been asked yet
    play(env, "keep", "keep", "leave", "keep", "keep", "keep")
    worlds = tally(int(world.chosen[0]) for world in resampled(env, 1, 6000))
    assert_uniform(worlds, [bits for bits in range(64) if bits.bit_count() <= 5])


def test_a_seat_knows_its_own_sealed_bet():
    env = start(hand_0="2C 3C 4C 5C 6C")
    play(env, "bet 2C 6C")
    seen = env.unwrapped.decode(env.observe("player_0"))
    marked = FRENCH_52.texts_of(np.flatnonzero(seen["sealed"]))
    assert marked == ["2C", "6C"]
    assert seen["hand_counts"].tolist() == [5, 5]
    other = env.unwrapped.decode(env.observe("player_1"))
    assert not other["sealed"].any()
    assert other["hand_counts"].tolist() == [5, 5]
    for world in resampled(env, 0, 20):
        assert world.sealed[0] == env.unwrapped._states[0].sealed[0]


def test_observation_lists_what_the_table_has_shown():
    env = start(hand_0="KC 3D", hand_1="2S 8C 9H", prizes="4S 5S 6H")
    play(env, "bet KC", "bet 2S 8C", "joker", "joker")
    for seat in (0, 1):
        seen = env.unwrapped.decode(env.observe(f"player_{seat}"))
        mine = "KC" if seat == 0 else "2S"
        assert seen["bets"][0][FRENCH_52.parse(mine)] == 1
        assert seen["bets"].astype(bool).sum() == 3
        assert FRENCH_52.texts_of(np.flatnonzero(seen["auctioned"])) == ["4S", "5S"]
        assert seen["auctioned"][FRENCH_52.parse("5S")] == 2
        assert seen["outcomes"][:2].tolist() == [[seat == 0, seat == 1, 0], [0, 0, 1]]
        assert FRENCH_52.texts_of(np.flatnonzero(seen["piles"][seat])) == ["4S"]
        assert seen["categories"][seat].tolist() == [1] + [0] * 8
        assert not seen["categories"][1 - seat].any()
        assert seen["in_play"][FRENCH_52.parse("6H")] == 1
        assert (seen["auction"].argmax(), seen["round"].argmax()) == (2, 0)
        assert seen["hand_counts"].tolist() == ([4, 3] if seat == 0 else [3, 4])


def test_every_section_fills_its_places():
    for options in OPTION_SETS:
        for env, _ in random_states(options, [1]):
            for seat in (0, 1):
                seen = env.observe(f"player_{seat}")["observation"]
                env.unwrapped.observation_layout.check(record_of(env), seat, seen)


def test_the_page_stands_alone():
    for name in [option.name for option in GAME.options]:
        assert f"`{name}`" in GAME.page
