"""The games as Python games of OpenSpiel: its own tests, its searcher, its exact measures."""

import contextlib
import copy
import io
import pickle
from collections import defaultdict
from itertools import permutations

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts
from open_spiel.python.bots.policy import PolicyBot
from open_spiel.python.tests import games_sim_test

import agents
from agents.openspiel import AgentPolicy
from envs import GAMES
from envs.core.aec import GameEnv
from envs.interop import openspiel
from envs.interop.efg import efg_text
from envs.interop.openspiel import DIGITS, SMALL, ChanceBeyondTheDealError, seed_of
from tests.toys import kuhn

openspiel.register(kuhn.GAME)
KUHN = {"deals": "|".join(map(" ".join, permutations("JQK"))), "dealer": 1}
SHORT = {"truc_v0": {"hands": 1}, "puc_v0": {"only_hand": 1}, "quatre_duros_v0": {"hands": 1}}
J, Q, K = range(3)


def load(env_id, **params):
    return pyspiel.load_game(f"python_naips_{GAMES[env_id].name}", params)


def dealt(game, *outcomes):
    state = game.new_initial_state()
    for outcome in outcomes or (1,) * DIGITS:
        state.apply_action(outcome)
    return state


def small(name):
    return pyspiel.load_game(f"python_naips_{name}", SMALL[name])


def every_state(game):
    stack = [game.new_initial_state()]
    while stack:
        state = stack.pop()
        yield state
        if not state.is_terminal():
            stack += [state.child(action) for action in state.legal_actions()]


@pytest.mark.parametrize("env_id", GAMES)
def test_openspiels_own_tests_pass(env_id):
    """Legal actions, clones, saved states and games, tensors, rewards against returns."""
    game = load(env_id, **SHORT.get(env_id, {}))
    with contextlib.redirect_stdout(io.StringIO()):
        games_sim_test.GamesSimTest().sim_game(game)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("env_id", GAMES)
def test_the_match_is_that_of_the_aec_environment(env_id):
    digits, rng = (3, 0, 7), np.random.default_rng(0)
    env, state = GameEnv(GAMES[env_id]), dealt(load(env_id), *digits)
    env.reset(seed=seed_of(digits))
    totals, scale = dict.fromkeys(env.possible_agents, 0.0), env.observation_layout.scale
    for _ in range(300):
        if state.is_terminal():
            break
        seat = state.current_player()
        assert env.agent_selection == f"player_{seat}"
        seen = env.observe(env.agent_selection)
        assert np.flatnonzero(seen["action_mask"]).tolist() == state.legal_actions()
        tensor = np.array(state.information_state_tensor(seat), np.float32)
        assert (tensor == (seen["observation"] / scale).astype(np.float32)).all()
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(action) == env.action_text(action)
        state.apply_action(action)
        env.step(action)
        totals = {agent: total + env.rewards[agent] for agent, total in totals.items()}
    assert state.is_terminal() == env._over[0]
    assert state.returns() == pytest.approx(list(totals.values()), abs=1e-5)


def test_deals_differ():
    game = load("truc_v0")
    hands = {dealt(game, 0, 0, k).observation_string(0) for k in range(20)}
    assert len(hands) > 15


def test_the_second_bidder_does_not_see_the_first_bid():
    game = load("poker_builder_v0")
    first = dealt(game)
    after = [first.child(action) for action in first.legal_actions()]
    assert len({state.information_state_string(1) for state in after}) == 1
    assert len({state.information_state_string(0) for state in after}) == len(after)


@pytest.mark.parametrize("env_id", GAMES)
def test_a_resampled_state_looks_the_same_to_the_player_alone(env_id):
    state, rng = dealt(load(env_id)), np.random.default_rng(1)
    for _ in range(4):
        state.apply_action(int(rng.choice(state.legal_actions())))
    me = state.current_player()
    worlds = [state.resample_from_infostate(me, rng.random) for _ in range(8)]
    for world in worlds:
        assert world.information_state_string(me) == state.information_state_string(me)
        assert world.information_state_tensor(me) == state.information_state_tensor(me)
        assert world.legal_actions() == state.legal_actions()
    for other in set(range(state.num_players())) - {me}:
        assert len({world.information_state_string(other) for world in worlds}) > 1


@pytest.mark.parametrize("env_id", GAMES)
def test_openspiels_is_mcts_plays(env_id):
    rng = np.random.RandomState(1)
    game = load(
        env_id, **SHORT.get(env_id, {}), **({"max_decisions": 60} if "balco" in env_id else {})
    )
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 1.0, 4, random_state=rng)
    strong = agents.load(GAMES[env_id], "simple", **game.rules.config)
    ours = PolicyBot(1, rng, AgentPolicy(game, strong, draws=1))
    state = dealt(game)
    for _ in range(12):
        if state.is_terminal():
            break
        player = bot if state.current_player() == 0 else ours
        state.apply_action(player.step(state))
    assert state.move_number() > DIGITS


@pytest.mark.parametrize("name", SMALL)
def test_players_of_a_small_variant_remember_all_and_see_nothing_hidden(name):
    """One history of own actions, and one set of choices, for each information state."""
    own, choices, views = defaultdict(set), defaultdict(set), defaultdict(set)
    decisions = 0
    for state in every_state(small(name)):
        if state.is_chance_node() or state.is_terminal():
            continue
        decisions += 1
        seat = state.current_player()
        known = seat, state.information_state_string()
        own[known].add(tuple(p.action for p in state.full_history() if p.player == seat))
        choices[known].add(tuple(state.legal_actions()))
        views[known].add(state.position.view(seat).tobytes())
    assert decisions > len(own) > 100
    for book in (own, choices, views):
        assert all(len(entries) == 1 for entries in book.values())


def test_kuhn_poker_is_kuhn_poker():
    """The toy game beside OpenSpiel's own: the value is -1/18, uniform play loses as much."""
    ours = pyspiel.load_game("python_naips_kuhn", KUHN)
    theirs = pyspiel.load_game("kuhn_poker")
    uniform = [
        exploitability.nash_conv(g, openspiel_policy.UniformRandomPolicy(g)) for g in (ours, theirs)
    ]
    assert uniform[0] == pytest.approx(uniform[1])
    solver = cfr.CFRPlusSolver(ours)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(ours, average) < 0.01
    value = expected_game_score.policy_value(ours.new_initial_state(), [average, average])
    assert value[0] == pytest.approx(-1 / 18, abs=0.005)


def test_cfr_solves_a_hand_of_4_duros():
    game = small("quatre_duros")
    solver = cfr.CFRPlusSolver(game)
    gaps = []
    for _ in range(2):
        for _ in range(5):
            solver.evaluate_and_update_policy()
        gaps.append(exploitability.nash_conv(game, solver.average_policy()))
    uniform = exploitability.nash_conv(game, openspiel_policy.UniformRandomPolicy(game))
    assert 0 < gaps[1] < gaps[0] < uniform / 5


def test_an_extensive_form_file_is_the_same_game():
    game = small("quatre_duros")
    same = pyspiel.load_efg_game(efg_text(game))
    uniform = exploitability.nash_conv(game, openspiel_policy.UniformRandomPolicy(game))
    assert pyspiel.nash_conv(same, pyspiel.UniformRandomPolicy(same)) == pytest.approx(uniform)
    solver = pyspiel.CFRPlusSolver(same)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(same, solver.average_policy()) < 0.01


@pytest.mark.parametrize("name", SMALL)
def test_the_exploitability_of_our_agents_is_exact(name):
    """A best response never loses against the seat's own play, and gains from a player of rules."""
    game = small(name)
    ours = AgentPolicy(game, agents.load(game.rules.game, "simple", **game.rules.config), draws=32)
    found = exploitability.nash_conv(game, ours, return_only_nash_conv=False)
    assert 0 < found.nash_conv <= game.num_players() * (game.max_utility() - game.min_utility())
    assert (found.player_improvements > -1e-9).all()


def test_a_policys_frequencies_are_the_agents():
    game = small("poker_builder")
    state = dealt(game, 0)
    random = AgentPolicy(game, agents.load("poker_builder_v0", "random"), draws=4096)
    chances = random.action_probabilities(state)
    assert list(chances) == state.legal_actions()
    assert sum(chances.values()) == pytest.approx(1)
    assert all(abs(c - 1 / len(chances)) < 0.04 for c in chances.values())
    simple = AgentPolicy(game, agents.load("poker_builder_v0", "simple"), draws=16)
    assert sorted(simple.action_probabilities(state).values())[-2:] == [0, 1]


def test_equal_deals_weigh_double():
    game = pyspiel.load_game("python_naips_kuhn", {"deals": "J Q|K J Q|J Q K"})
    assert game.new_initial_state().chance_outcomes() == [(0, 2 / 3), (1, 1 / 3)]


def test_dictated_deals_and_openings_are_checked():
    open_end = pyspiel.load_game("python_naips_quatre_duros", {"num_players": 2, "deals": "1O 4O"})
    state = dealt(open_end, 0)
    state.apply_action(0)
    with pytest.raises(ChanceBeyondTheDealError, match="one hand"):
        state.apply_action(0)  # both have stood: the next hand would be dealt
    with pytest.raises(ValueError, match="no card"):
        pyspiel.load_game("python_naips_truc", {"deals": "1X"})
    wrong = pyspiel.load_game("python_naips_truc", {"deals": "1O 2O 3O", "opening": "vull"})
    with pytest.raises(ValueError, match="'vull', which is not legal"):
        dealt(wrong, 0)
    with pytest.raises(ValueError, match="hands=0"):
        load("truc_v0", hands=0)
    with pytest.raises(ValueError, match="41 is not legal"):
        dealt(load("poker_builder_v0")).apply_action(41)


def test_options_reach_the_game():
    config = load("puc_v0", num_players=3, max_turns_per_hand="50", num_packs="3").rules.config
    assert (config["num_players"], config["max_turns_per_hand"], config["num_packs"]) == (3, 50, 3)
    assert load("truc_v0").rules.config["hands"] is None
    assert load("truc_v0", hands=2).rules.config["hands"] == 2


def test_copies_share_nothing():
    state = dealt(load("truc_v0"))
    twins = [state.clone(), copy.deepcopy(state.position), pickle.loads(pickle.dumps(state))]
    before = str(state), state.information_state_string(0)
    twins[0].apply_action(twins[0].legal_actions()[0])
    twins[1].play(int(np.flatnonzero(twins[1].mask)[0]))
    twins[2].apply_action(twins[2].legal_actions()[0])
    assert (str(state), state.information_state_string(0)) == before
    assert str(twins[0]) == str(twins[2]) != before[0]
