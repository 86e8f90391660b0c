"""Balcó over whole games: against the plain reference, and what stays hidden."""

import random
from collections import Counter

import numpy as np
import pytest

from envs import balco_v0
from envs.core.random import key_from_seed
from tests.games.positions_balco import cards, play, position
from tests.games.reference_balco import Referee

OPTION_SETS = [
    {},
    {"take_up": "hand_empty"},
    {"start": "reveal_return", "end": "first_out"},
    {"eights": "one", "may_take": True},
    {"sevens": "both", "ten_block": "anywhere"},
    {"shoot_back": False, "jokers": 0},
    {"jokers": 0, "take_up": "hand_empty", "start": "reveal_return", "max_decisions": 50},
]
GAMES = 1


def new_game(rng, num_players, options):
    """The same deal for the engine and for the reference."""
    env = balco_v0.raw_env(num_players=num_players, **options)
    pack = [str(number) for number in range(1, 13)] * 4 + ["JK"] * env.config["jokers"]
    rng.shuffle(pack)
    dealer = rng.randrange(num_players)
    env.reset(seed=0, options={"deck": pack, "dealer": dealer})
    return env, Referee(num_players, dealer, pack, **options)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_engine_plays_like_the_reference(num_players, options):
    """Legal actions, every card's place, whose turn, every view, the end and the rewards."""
    rng = random.Random(num_players)
    for _ in range(GAMES):
        env, referee = new_game(rng, num_players, options)
        while not referee.over:
            compare(env, referee)
            action = rng.choice(sorted(referee.legal()))
            env.step(env.parse_action(action))
            referee.play(action)
        assert set(env.truncations.values()) == {referee.truncated}
        assert set(env.terminations.values()) == {not referee.truncated}
        assert np.allclose(list(env.rewards.values()), referee.rewards())
        compare_views(env, referee)


def compare(env, referee):
    """The seat to act after every decision, the views of all seats after some."""
    actions = np.flatnonzero(env._mask)
    assert sorted(env.action_text(int(action)) for action in actions) == sorted(referee.legal())
    assert env.agent_selection == f"player_{referee.turn}"
    assert env.zones() == referee.zones()
    if referee.decisions % 5 == 0:
        compare_views(env, referee)


def compare_views(env, referee):
    for seat, agent in enumerate(env.possible_agents):
        observation = env.observe(agent)
        seen = {name: values.tolist() for name, values in env.decode(observation).items()}
        assert seen == referee.view(seat)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_another_world_looks_the_same(num_players):
    """``resample_hidden``: same view and mask for the seat, every card still there once."""
    rng = random.Random(num_players)
    changed = 0
    for options in OPTION_SETS[:3]:
        env, _ = new_game(rng, num_players, options)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            seat = rng.randrange(num_players)
            other = env.determinize(f"player_{seat}", rng.randrange(1000))
            changed += other.zones() != env.zones()
            compare_worlds(env, other, seat)
            env.step(int(rng.choice(np.flatnonzero(env._mask))))
    assert changed > 30


def compare_worlds(env, other, seat):
    agent = f"player_{seat}"
    assert (other.observe(agent)["observation"] == env.observe(agent)["observation"]).all()
    assert (other.infos[agent]["action_mask"] == env.infos[agent]["action_mask"]).all()
    assert other.table(seat) == env.table(seat)
    ours = Counter(card for zone in env.zones().values() for card in zone)
    assert Counter(card for zone in other.zones().values() for card in zone) == ours


def test_worlds_are_drawn_uniformly_over_physical_cards():
    """Seat 0 cannot place 5, 5, 9: each of the three places holds the 9 in a third of them."""
    env = position(["3", "5", "4 9"], down=["", "5"], known=["", "", "4"], stock="")
    where = Counter()
    for seed in range(1200):
        world = env.determinize("player_0", seed)
        where["hand_1"] += cards(world, "hand_1") == "9"
        where["down_1"] += cards(world, "down_1") == "9"
        where["hand_2"] += cards(world, "hand_2") == "4 9"
    assert sum(where.values()) == 1200
    # χ² with 2 degrees of freedom exceeds 13.8 once in a thousand; the seeds are fixed.
    assert sum((count - 400) ** 2 / 400 for count in where.values()) < 13.8


def test_sealed_swaps_are_drawn_anew_but_not_ones_own():
    env = balco_v0.raw_env(num_players=3)
    env.reset(seed=3, options={"dealer": 2})
    env.step(int(np.flatnonzero(env._mask)[-1]))
    choices = set()
    for seed in range(200):
        assert env.determinize("player_0", seed)._record.choice[0] == env._record.choice[0]
        world = env.determinize("player_1", seed)
        choices.add(int(world._record.choice[0]))
        play(world, world.action_text(int(np.flatnonzero(world._mask)[0])))
        play(world, world.action_text(int(np.flatnonzero(world._mask)[0])))
        assert sum(len(zone) for zone in world.zones().values()) == 52
    assert len(choices) > 10


def test_sealed_swaps_of_six_different_cards_are_equally_likely():
    """L1: three of six cards stay up, in 20 ways; where cards are equal some ways are the same."""
    env = balco_v0.raw_env(num_players=2)
    top = ["3", "3", "3", "4", "5", "6", "7", "8", "9"]  # seat 0: down, up, hand
    pack = [env.game.cards.text(card) for card in env.game.pack(env.config)]
    rest = (Counter(pack) - Counter(top)).elements()
    env.reset(seed=3, options={"dealer": 1, "deck": [*top, *rest]})
    env.step(int(np.flatnonzero(env._mask)[0]))
    counts = Counter()
    for seed in range(3000):
        record = env.determinize("player_1", seed)._record
        if (record.hand[0] + record.up[0]).max() == 1:
            counts[int(record.choice[0])] += 1
    assert set(counts) == set(range(20))
    expected = counts.total() / 20
    assert expected > 10
    # χ² with 19 degrees of freedom exceeds 43.8 once in a thousand; the seeds are fixed.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 43.8


def test_a_drawn_world_keeps_nothing_of_the_deal():
    env = balco_v0.raw_env(num_players=3)
    env.reset(seed=3)
    record = env.determinize("player_1", 5)._record
    assert (record.deck[: record.drawn] == -1).all()
    assert record.rng[0] != env._record.rng[0] != key_from_seed(5)


def test_hidden_names_every_card_a_seat_cannot_place():
    env = position(
        ["3 4", "5 6", "JK"], down=["9", "", "2 2"], known=["", "6"], stock="11 12", pile="7"
    )
    places = env.game.hidden(env._record, 0)
    assert Counter(place.field for place in places) == {"deck": 2, "down": 3, "hand": 2}
    assert {place.index for place in places if place.field == "hand"} == {(1, 4), (2, 12)}


def test_text_shows_a_seat_only_what_it_may_know():
    env = position(["3 4", "5 6"], down=["9", "2"], known=["", "6"], pile="JK=7")
    table = env.table(0)
    assert [zone.cards for zone in table.seats[1].zones] == [["6", "??"], [], ["??"]]
    assert [zone.cards for zone in table.seats[0].zones] == [["3", "4"], [], ["??"]]
    assert table.centre[0].cards == ["JK=7"]
    everything = env.table("all")
    assert [zone.cards for zone in everything.seats[1].zones] == [["5", "6"], [], ["2"]]


def test_every_option_is_on_the_page():
    game = balco_v0.GAME
    for option in game.options:
        assert f"| `{option.name}` |" in game.page
