"""Every decision of random matches against the second implementation, under all options."""

import random
from itertools import chain

import numpy as np
import pytest

from envs import GAMES
from envs.quatre_duros_v0 import raw_env
from tests.games.reference_quatre_duros import Reference

GAME = GAMES["quatre_duros_v0"]
OPTION_SETS = [
    {},
    {"coins": 1},
    {"coins": 2, "last_coin_tie": "simultaneous_replay"},
    {"coins": 1, "last_coin_tie": "simultaneous_replay", "payments": "per_player"},
    {"coins": 2, "payments": "per_player", "stock_king_blocks": True},
    {"mask_refuted_suits": True},
    {"show_king": True, "mask_refuted_suits": True},
    {"hands": 1},
    {"hands": 6, "coins": 1, "stock_king_blocks": True},
]


def cards_of(env):
    zones = env.zones()
    hands = {s: zones[f"hand_{s}"][0] for s in range(env.num_agents) if zones[f"hand_{s}"]}
    return hands, zones["stock"]


def coins_of(env):
    return [int(c) for c in env.decode(env.observe("player_0"))["coins"]]


def pick(rng, legal, keenness):
    """Random play that asks and exchanges more or less often, so that rare cases come up."""
    weights = [keenness if text.startswith(("ask", "exchange")) else 1 for text in legal]
    return rng.choices(legal, weights)[0]


def compare(env, reference):
    """The engine's table is the reference's."""
    zones = env.zones()
    assert coins_of(env) == reference.coins
    for seat in range(reference.n):
        card = reference.cards.get(seat)
        assert zones[f"hand_{seat}"] == ([card] if card else [])
    assert zones["stock"] == reference.stock
    assert zones["discard"] == reference.gone
    assert zones["aside"] == ([reference.aside] if reference.aside else [])
    assert sorted(chain(*zones.values())) == sorted(GAME.cards.texts)


def play_both(env, seed, keenness, coins=None):
    """One match in both implementations, compared at every decision."""
    rng = random.Random(seed)
    env.reset(seed=seed, options={} if coins is None else {"coins": coins})
    config = env.config
    dealer = int(np.argmax(env.decode(env.observe("player_0"))["dealer"]))
    reference = Reference(config, coins_of(env), dealer)
    total = np.zeros(reference.n)
    while True:
        if reference.needs_cards:
            reference.deal(*cards_of(env))
        compare(env, reference)
        assert env.agent_selection == f"player_{reference.turn}"
        mask = env.observe(env.agent_selection)["action_mask"]
        legal = [env.action_text(a) for a in np.flatnonzero(mask)]
        assert set(legal) == reference.legal()
        text = pick(rng, legal, keenness)
        env.step(env.parse_action(text))
        reference.play(text)
        total += [env.rewards[agent] for agent in env.agents]
        if reference.over:
            break
    assert env.terminations["player_0"] == (not reference.truncated)
    assert env.truncations["player_0"] == reference.truncated
    if not reference.needs_cards:
        compare(env, reference)
    np.testing.assert_allclose(total, reference.rewards(), atol=1e-5)
    assert sum(reference.coins) + reference.centre == sum(reference.start)
    return reference


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("num_players", [2, 3, 5, 12])
def test_second_implementation(num_players, options):
    env = raw_env(num_players=num_players, **options)
    for seed in range(12):
        play_both(env, seed, keenness=(1, 4, 0.2)[seed % 3])


@pytest.mark.parametrize("payments", ["phases", "per_player"])
@pytest.mark.parametrize("tie", ["sequential", "simultaneous_replay"])
def test_second_implementation_with_few_coins(payments, tie):
    """Ends, ties and returning players come up at once when seats start with 0 to 2 coins."""
    env = raw_env(num_players=4, payments=payments, last_coin_tie=tie)
    rng = random.Random(5)
    for seed in range(60):
        coins = [rng.choice([0, 1, 1, 2]) for _ in range(4)]
        if sum(c > 0 for c in coins) >= 2:
            play_both(env, seed, keenness=1, coins=coins)
