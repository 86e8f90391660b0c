"""The heuristics of Poker builder: legal under all options, and sensible where it can be seen."""

import numpy as np
import pytest

import agents
from envs import Batch
from tests.games.test_poker_builder import OPTION_SETS, ids, played_for_piles, start
from tests.games.test_poker_builder import play as play_texts

NAMES = ("simple", "strong")


def choice(name, env, **options):
    """What the agent does for the seat to act, in words."""
    agent = agents.load("poker_builder_v0", name, **options)
    seen = env.last()[0]
    action = agent.act(seen["observation"], seen["action_mask"], agents.streams(1))
    return env.unwrapped.action_text(action)


def score(first, second, pairs, **options):
    """Mean points of the first agent over deals played once in each seat; a draw is a half."""
    players = [agents.load("poker_builder_v0", name, **options) for name in (first, second)]
    paid = []
    for seat in (0, 1):
        batch = Batch("poker_builder_v0", pairs, seed=7, autoreset=False, threads=1, **options)
        rngs = agents.streams(8, pairs)
        total = np.zeros((pairs, 2))
        while not batch.states["over"].all():
            mine = batch.seats == seat
            turns = [mine, ~mine]
            chosen = [
                agent.act_batch(batch.observations, batch.action_masks & turn[:, None], rngs)
                for agent, turn in zip(players, turns, strict=True)
            ]
            batch.step(np.where(mine, *chosen))
            total += batch.rewards
        paid.append(total[:, seat])
    return (np.mean(paid) + 1) / 2


@pytest.mark.parametrize("options", OPTION_SETS, ids=ids)
def test_strong_beats_random_under_all_options(options):
    """Every choice is legal, or ``step`` would raise; random play is far below."""
    assert score("strong", "random", 150, **options) > 0.65


def test_ladder():
    assert score("simple", "random", 400) > 0.6
    assert score("strong", "simple", 400) > 0.55


@pytest.mark.parametrize("name", NAMES)
def test_against_an_empty_hand_the_lowest_card_will_do(name):
    env = start(hand_0="AC 2C 3C 4C 5C", hand_1="3H 9D JD QD KD", prizes="6H 7H 7S 8C")
    play_texts(env, "bet AC 2C", "joker", "bet 3C 4C", "joker", "bet 5C", "joker", "joker")
    # Player 0 has no card left, and the eight comes.
    assert choice(name, env) == "bet 3H"


@pytest.mark.parametrize("name", NAMES)
def test_the_last_card_that_decides_is_worth_a_high_bet(name):
    piles = {"prizes": "QS 2H 3D 4S 6C", "prizes_b": "8D 9H 10C JS QC"}
    env = start(hand_0b="2S 3S 5S KS KH", **piles)
    play_texts(env, "bet AC", "joker", *["joker"] * 8)  # the queen of spades
    play_texts(env, *["joker"] * 8)
    chosen = choice(name, env)  # the queen of clubs makes a pair, for me or against me
    assert "K" in chosen


@pytest.mark.parametrize("name", NAMES)
def test_the_best_five_of_the_pile_are_kept(name):
    env = played_for_piles("2C 9S 9H 3D 4D KD 9C", "", manual_showdown=True)
    for _ in range(7):
        env.step(env.unwrapped.parse_action(choice(name, env, manual_showdown=True)))
        if env.unwrapped._states[0].over:
            break
    chosen = next(
        zone for zone in env.unwrapped.table("all").seats[0].zones if zone.name == "final hand"
    )
    assert sorted(chosen.cards) == ["4D", "9C", "9H", "9S", "KD"]
