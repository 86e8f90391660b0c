"""The heuristics of Balcó: always legal, and some advice they must follow."""

import numpy as np
import pytest

import agents
from envs import Batch
from tests.games.positions_balco import position


def duel(one, other, num_players, games, **options):
    """Share of first places of ``one`` in every seat in turn, the others are ``other``."""
    firsts = 0
    players = [agents.load("balco_v0", spec, num_players, **options) for spec in (one, other)]
    for seat in range(num_players):
        batch = Batch(
            "balco_v0", games, seed=5, num_players=num_players, autoreset=False, **options
        )
        streams = [agents.streams(1, games), agents.streams(2, games)]
        while not batch.states["over"].all():
            chosen = [
                player.act_batch(batch.observations, batch.action_masks, stream)
                for player, stream in zip(players, streams, strict=True)
            ]
            batch.step(np.where(batch.seats == seat, *chosen))
        firsts += int((batch.states["place"][:, seat] == 1).sum())
    return firsts / (games * num_players)


@pytest.mark.parametrize("spec", ["simple", "strong"])
@pytest.mark.parametrize(
    "options",
    [{}, {"jokers": 0, "take_up": "hand_empty"}, {"may_take": True, "shoot_back": False}],
    ids=str,
)
def test_heuristics_only_play_what_is_legal(spec, options):
    assert duel(spec, "random", 3, 20, **options) > 1 / 3  # the batch refuses illegal actions


def test_strong_beats_simple_beats_random():
    assert duel("simple", "random", 2, 200) > 0.8
    assert duel("strong", "random", 2, 200) > 0.85
    assert duel("strong", "simple", 2, 400) > 0.54


def choice(env, spec="strong"):
    """What a heuristic does in a position, in words."""
    agent = agents.load("balco_v0", spec, len(env.agents))
    seen = env.observe(env.agent_selection)
    action = agent.act(seen["observation"], seen["action_mask"], agents.streams(1))
    return env.action_text(action)


@pytest.mark.parametrize("spec", ["simple", "strong"])
def test_the_lowest_card_goes_first(spec):
    assert choice(position(["3 9 JK", "4"] * 2, stock="5 6"), spec) == "play 3"


@pytest.mark.parametrize("spec", ["simple", "strong"])
def test_who_is_nearly_out_is_shot(spec):
    env = position(["1 3", "4 5 6 7", "9", "4 5 6 7"], known=["", "4 5 6 7", "9", "4 5 6 7"])
    env.step(env.parse_action("play 1"))
    assert choice(env, spec) == "shoot +2"


def test_the_last_hand_card_is_a_clean():
    """With blind cards left the 3 goes first: the 10 then opens the way to flip at once."""
    env = position(["3 10", "4 6 8"], down=["5 5", "9 9"])
    assert choice(env) == "play 3"
