"""The agents that come with the games: they load, play by the rules, and say what they are."""

import json

import numpy as np
import pytest

import agents
from agents import baselines
from envs import Batch, find_game
from training.baselines import TABLES

MOST_BYTES = 2_000_000


@pytest.mark.parametrize(("env_id", "players"), TABLES)
def test_a_baseline_is_there_small_and_says_what_it_is(env_id, players):
    game = find_game(env_id)
    file = baselines.find(game, game.configure(players))
    assert file.stat().st_size <= MOST_BYTES
    card = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert card == agents.load(game, "baseline", players).card
    assert card["env_id"] == env_id and card["num_players"] == players
    assert {"random", "simple", "strong"} <= set(card["figures"]["evaluation"]["against"])
    assert all(found["illegal"] == 0 for found in card["figures"]["evaluation"]["against"].values())
    assert f"with {players} players" in card["limits"]
    assert file.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("env_id", "players"), TABLES)
def test_it_plays_legally(env_id, players):
    batch = Batch(env_id, 16, seed=9, num_players=players)
    player, rngs = agents.load(env_id, "baseline", players), agents.streams(1, 16)
    for _ in range(150):
        actions = player.act_batch(batch.observations, batch.action_masks, rngs)
        assert batch.action_masks[np.arange(16), actions].all()
        batch.step(actions)


def test_a_table_without_one_is_refused_with_those_that_have_one():
    with pytest.raises(ValueError, match="Balcó has a baseline for 2, 4 players, not for 3"):
        agents.load("balco_v0", "baseline", 3)


def test_options_that_change_what_is_seen_are_refused():
    with pytest.raises(ValueError, match="was trained for"):
        agents.load("truc_v0", "baseline", signals="partner")
