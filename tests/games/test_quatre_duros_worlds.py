"""4 Duros: resampled worlds agree with all that a seat can conclude, and are equally likely."""

from collections import Counter
from itertools import chain

import numpy as np
from scipy.stats import chisquare

from envs import GAMES
from envs.core.loops import compile_loops
from envs.core.random import key_from_seed
from envs.quatre_duros.view import zones
from tests.games.quatre_duros_table import PACK, play, table

GAME = GAMES["quatre_duros_v0"]
KINGS = {"12O", "12C", "12E", "12B"}
SAMPLES = 6000


def resampled(env, seat, seed):
    """The record of ``env`` with everything drawn anew that the seat cannot know."""
    states = env.states.copy()
    compile_loops(GAME).resample_one(GAME.plain(states), seat, key_from_seed(seed))
    return states


def worlds(env, seat, samples=SAMPLES):
    """Zones of many resampled worlds."""
    return [zones(resampled(env, seat, seed)[0]) for seed in range(samples)]


def fair(found, expected):
    """The counts fit the expected chances; the seeds are fixed, so this never varies."""
    assert set(found) <= set(expected)
    observed = np.array([found[key] for key in expected])
    chances = np.array(list(expected.values()))
    return chisquare(observed, chances * observed.sum()).pvalue > 0.001


def test_kings_of_refuted_suits_are_excluded_and_the_rest_is_uniform():
    env = table("3O 12E 12B 5B 7C")
    play(env, "0 exchange, 1 ask +2, 3 guess O, 1 stand, 2 ask +2, 4 guess C, 2 stand")
    found = worlds(env, 0)
    kings = Counter((world["hand_1"][0], world["hand_2"][0]) for world in found)
    pairs = {(a, b) for a in KINGS - {"12O"} for b in KINGS - {"12C"} if a != b}
    assert len(pairs) == 7
    assert fair(kings, dict.fromkeys(pairs, 1 / 7))
    # seat 3 may hold anything: 35 other cards and the two kings that are left
    is_king = Counter(world["hand_3"][0] in KINGS for world in found)
    assert fair(is_king, {True: 2 / 37, False: 35 / 37})


def test_who_exchanged_has_no_king():
    env = table("3O 7C 1E 5B 11O")
    play(env, "0 exchange")
    found = worlds(env, 4)
    others = [card for card in PACK if card not in KINGS and card != "11O"]
    for seat in (0, 1):
        cards = Counter(world[f"hand_{seat}"][0] for world in found)
        assert fair(cards, dict.fromkeys(others, 1 / 35))
    for place in ("hand_2", "stock"):
        cards = Counter(world[place][0] for world in found)
        expected = dict.fromkeys(others, 33 / 35 / 37) | dict.fromkeys(KINGS, 1 / 37)
        assert fair(cards, expected)


def test_a_seat_keeps_the_cards_that_it_knows():
    env = table("3O 7C 1E 5B 11O")
    play(env, "0 exchange, 1 exchange")
    for world in worlds(env, 1, 50):
        assert [world[f"hand_{seat}"] for seat in range(3)] == [["7C"], ["1E"], ["3O"]]
    for world in worlds(env, 0, 50):
        assert (world["hand_0"], world["hand_2"]) == (["7C"], ["3O"])


def test_a_king_told_by_a_right_answer_stays():
    env = table("12O 7C 1E 5B 6O", coins=[1, 4, 4, 4, 4])
    play(env, "0 ask +1, 1 guess O")
    assert all(world["discard"] == ["12O"] for world in worlds(env, 3, 50))


def test_a_removed_king_of_unknown_suit_stays_a_king():
    env = table("3O 12E 12B 5B 7C", coins=[4, 1, 4, 4, 4], dealer=4)
    play(env, "0 exchange, 1 stand, 2 ask +4, 1 guess O")
    found = worlds(env, 3)
    assert all(len(world["discard"]) == 1 for world in found)
    pairs = Counter((world["discard"][0], world["hand_2"][0]) for world in found)
    possible = [(a, b) for a in KINGS for b in KINGS - {"12O"} if a != b]
    assert len(possible) == 9
    assert fair(pairs, dict.fromkeys(possible, 1 / 9))


def test_the_worlds_do_not_depend_on_where_the_hidden_cards_lie():
    one = table("3O 7C 1E 5B 11O", stock="2O 4O")
    other = table("3O 7C 6E 2O 4B", stock="5B 11O")
    for env in (one, other):
        play(env, "0 exchange")
    for seed in range(20):
        assert resampled(one, 0, seed).tobytes() == resampled(other, 0, seed).tobytes()


def test_a_world_can_be_played_to_the_end():
    env = table("3O 12E 1E 5B 7C")
    play(env, "0 exchange, 1 ask +2, 3 guess O")
    world = env.determinize("player_3", 5)
    assert world.zones()["hand_3"] == ["5B"]
    while not world.terminations["player_0"]:
        legal = np.flatnonzero(world.observe(world.agent_selection)["action_mask"])
        world.step(int(legal[-1]))
        assert sorted(chain(*world.zones().values())) == sorted(PACK)
