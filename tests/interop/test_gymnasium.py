"""The Gymnasium views tell the learner the truth, and pass Gymnasium's own checks."""

import warnings
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from agents.gym import SingleAgentEnv, SingleAgentVectorEnv
from envs import GAMES
from envs.core.aec import GameEnv
from envs.core.game import IllegalActionError
from envs.core.jit import rule
from tests.interop.players import Always, Recorder
from tests.toys import kuhn, quitters

IDS = {
    "truc_v0": "naips/Truc-v0",
    "puc_v0": "naips/Puc-v0",
    "balco_v0": "naips/Balco-v0",
    "quatre_duros_v0": "naips/QuatreDuros-v0",
    "poker_builder_v0": "naips/PokerBuilder-v0",
}
J, Q, K = range(3)


def sample(env, info):
    return env.action_space.sample(info["action_mask"])


@pytest.mark.parametrize("env_id", GAMES)
def test_gymnasiums_own_check_is_clean(env_id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(IDS[env_id], opponent="simple", illegal="random")
        check_env(env.unwrapped)


@pytest.mark.parametrize("env_id", GAMES)
def test_returns_views_and_lengths_are_those_of_the_aec_environment(env_id):
    """The same actions in the AEC environment, the learner's and the others'."""
    game = GAMES[env_id]
    others = Recorder(game)
    env, aec = SingleAgentEnv(game, opponent=others), GameEnv(game)
    env.action_space.seed(1)
    paid = []
    for match in range(4):
        seed = 5 if match == 0 else None
        others.played, views, actions = others.played if match else [], [], []
        observation, info = env.reset(seed=seed)
        seat, over, total = info["seat"], False, 0.0
        assert seat == (5 + match) % len(aec.possible_agents)
        while not over:
            views.append(observation)
            actions.append(sample(env, info))
            observation, reward, over, cut, info = env.step(actions[-1])
            total += reward
            assert not cut and info["seat"] == seat
        aec.reset(seed=seed)
        me = f"player_{seat}"
        returned, decisions = 0.0, 0
        while not aec._over[0]:
            if aec.agent_selection == me:
                shown = aec.observe(me)
                assert (views[decisions]["observation"] == shown["observation"]).all()
                assert (views[decisions]["action_mask"] == shown["action_mask"]).all()
                aec.step(actions[decisions])
                decisions += 1
            else:
                aec.step(others.played.pop(0))
            returned += aec.rewards[me]
        assert (observation["observation"] == aec.observe(me)["observation"]).all()
        assert not observation["action_mask"].any() and not info["action_mask"].any()
        assert total == pytest.approx(returned) and decisions == len(actions)
        paid.append(total)
    assert min(paid) < 0 or max(paid) > 0


def test_the_learners_loss_reaches_it():
    """Everybody bets: whoever holds the jack loses 2, on whichever seat's turn that comes out."""
    env = SingleAgentEnv(kuhn.GAME, opponent=Always(kuhn.BET))
    seen = {J: set(), Q: set(), K: set()}
    for seed in range(60):
        env.reset(seed=seed)
        observation, reward, over, _, _ = env.step(kuhn.BET)
        assert over
        seen[int(observation["observation"][:3].argmax())].add(reward)
    assert seen == {J: {-2.0}, Q: {-2.0, 2.0}, K: {2.0}}


def test_seats_rotate_or_stay():
    env = SingleAgentEnv(kuhn.GAME, opponent=Always(kuhn.BET))
    seats = [env.reset(seed=3 if k == 0 else None)[1]["seat"] for k in range(4)]
    assert seats == [1, 0, 1, 0]
    env = SingleAgentEnv(kuhn.GAME, opponent=Always(kuhn.BET), seat=1)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(4)} == {1}


def test_matches_that_end_before_the_learner_acts_are_counted():
    """The other seat quits at once when it begins, and pays 1."""
    env = SingleAgentEnv(quitters.GAME, opponent=Always(quitters.QUIT), seat=0)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["unheard"] == info["unheard_reward"]
        _, reward, over, _, _ = env.step(quitters.GO_ON)
        assert over and reward == 1
    vector = SingleAgentVectorEnv(quitters.GAME, 64, opponent=Always(quitters.QUIT), seat=0)
    vector.reset(seed=0)
    assert vector.unheard[0] == vector.unheard[1] > 0


@rule
def only_seat_0(state, mask):
    mask[:] = state.turn == 0


def test_an_empty_mask_raises():
    stuck = replace(kuhn.GAME, module="tests.toys.stuck", legal_actions=only_seat_0)
    env = SingleAgentEnv(stuck, opponent=Always(kuhn.BET), seat=1)
    with pytest.raises(RuntimeError, match="no legal action"):
        env.reset(seed=0)


def test_errors_name_what_is_allowed():
    with pytest.raises(ValueError, match="'rotate' and seats 0 to 1"):
        SingleAgentEnv(kuhn.GAME, seat=2)
    with pytest.raises(ValueError, match="'raise', 'random'"):
        SingleAgentEnv(kuhn.GAME, illegal="ignore")
    with pytest.raises(ValueError, match="random, simple, strong"):
        gymnasium.make("naips/Truc-v0", opponent="strongest")
    with pytest.raises(TypeError, match="target"):
        gymnasium.make("naips/Truc-v0", targett=12)
    env = SingleAgentEnv(kuhn.GAME)
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="no reset options"):
        env.reset(options={"deck": []})


@pytest.mark.parametrize("action", [-1, 2, 1.0, None, True])
def test_an_illegal_action_changes_nothing(action):
    env = SingleAgentEnv(quitters.GAME, opponent=Always(quitters.GO_ON))
    env.reset(seed=0)
    with pytest.raises(IllegalActionError):
        env.step(action)
    env.step(quitters.GO_ON)
    _, reward, over, _, _ = env.step(quitters.QUIT)
    assert over and reward == -1
    with pytest.raises(ResetNeeded, match="over"):
        env.step(quitters.QUIT)
    with pytest.raises(ResetNeeded, match="over"):
        env.action_masks()


def test_learners_without_masks_are_told():
    env = SingleAgentEnv(kuhn.GAME, opponent=Always(kuhn.BET), illegal="random")
    for action, illegal in ((7, True), (-1, True), (kuhn.BET, False)):
        env.reset(seed=0)
        assert env.step(action)[4]["illegal"] is illegal


def test_the_table_is_drawn_as_the_learner_sees_it():
    env = SingleAgentEnv(kuhn.GAME, opponent=Always(kuhn.BET), render_mode="ansi")
    env.reset(seed=0)
    assert env.render().count("▒▒") == 1
    env.step(kuhn.BET)
    assert env.render().count("▒▒") == 1


def test_matches_of_the_vector_are_those_of_the_single_environment():
    games, first = 6, 11
    vector = gymnasium.make_vec("naips/Truc-v0", num_envs=games, opponent="simple", hands=1)
    singles = [gymnasium.make("naips/Truc-v0", opponent="simple", hands=1) for _ in range(games)]
    seen, info = vector.reset(seed=first)
    alone = [env.reset(seed=first + k) for k, env in enumerate(singles)]
    ended = 0
    for _ in range(30):
        for k, (view, facts) in enumerate(alone):
            assert (seen["observation"][k] == view["observation"]).all()
            assert (seen["action_mask"][k] == facts["action_mask"]).all()
            assert info["seat"][k] == facts["seat"]
        actions = [int(np.flatnonzero(mask)[-1]) for mask in info["action_mask"]]
        seen, rewards, ends, cuts, info = vector.step(np.array(actions))
        for k, env in enumerate(singles):
            view, reward, over, _, facts = env.step(actions[k])
            assert (reward, over) == (rewards[k], ends[k]) and not cuts[k]
            if over:
                last = info["final_obs"][k]["observation"]
                assert (last == view["observation"]).all()
                assert info["final_info"]["seat"][k] == facts["seat"]
                ended += 1
                view, facts = env.reset()
            alone[k] = view, facts
    assert ended > games


def test_gymnasiums_vector_wrappers_work():
    env = gymnasium.make_vec("naips/Truc-v0", num_envs=8, hands=1)
    env = DictInfoToList(RecordEpisodeStatistics(env))
    _, infos = env.reset(seed=0)
    returns = []
    for _ in range(20):
        actions = np.array([np.flatnonzero(info["action_mask"])[0] for info in infos])
        _, _, ends, _, infos = env.step(actions)
        returns += [infos[k]["final_info"]["return"] for k in np.flatnonzero(ends)]
    assert min(returns) < 0 < max(returns)


def test_thousands_of_matches_in_one_object():
    env = gymnasium.make_vec("naips/Truc-v0", num_envs=2048, opponent="simple")
    _, info = env.reset(seed=0)
    for _ in range(5):
        _, rewards, _, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert rewards.shape == (2048,)
