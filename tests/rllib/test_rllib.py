"""Learning with RLlib: what its runner plays, what its learner is told, what comes out."""

import numpy as np
import pytest

pytest.importorskip("ray", reason="an extra of its own: make test-ray")

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.utils.torch_utils import FLOAT_MIN

from agents.policy import PolicyAgent, newest_checkpoint
from agents.storage import read_arrays
from envs import Batch, find_game
from tests.toys import quitters
from tests.toys.kuhn import BET, PASS
from tests.toys.kuhn import GAME as KUHN
from training import cli
from training.config import settings
from training.kernels import OPEN, Workers
from training.rllib import learn, setup
from training.rllib.cluster import cluster
from training.rllib.episodes import Table
from training.rllib.module import MASK, OBSERVATION, module_spec

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("ray")]

DUROS = find_game("quatre_duros_v0")


def table(game, **changes):
    alone = {"past_share": 0.0, "rule_share": 0.0, "games": 4, "rollout": 40, "threads": 1}
    config = setup.rllib_settings(game, **{**alone, **changes})
    return Table(game, config, np.random.default_rng(0), Workers(1))


def uniform(seen, masks):
    return np.where(masks, np.float32(0), FLOAT_MIN)


def always(action):
    def play(seen, masks):
        wanted = np.zeros(masks.shape, np.float32)
        wanted[:, action] = 100
        return np.where(masks, wanted, FLOAT_MIN)

    return play


@pytest.mark.parametrize(("critic", "advisor"), [("shared", ""), ("separate", "strong")])
def test_the_exported_policy_is_the_module(critic, advisor):
    config = settings(DUROS, critic=critic, advisor=advisor, hidden=(32, 16))
    batch = Batch(DUROS, 64, seed=3)
    module = module_spec(batch, config).build()
    with torch.no_grad():
        module.policy.weight.mul_(100)  # not the small weights it begins with
    seen = batch.observations
    if advisor:
        advice = np.eye(batch.num_actions, dtype=seen.dtype)[batch.action_masks.argmax(axis=1)]
        seen = np.concatenate([seen, advice], axis=1)
    views = {OBSERVATION: torch.from_numpy(seen), MASK: torch.from_numpy(batch.action_masks)}
    found = module.forward_inference({Columns.OBS: views})[Columns.ACTION_DIST_INPUTS].numpy()
    layers = module.policy_layers()
    ours = PolicyAgent("ours", layers[0::2], layers[1::2]).logits(seen)
    if advisor:
        ours += config.advice * advice
    legal = batch.action_masks
    assert found[legal] == pytest.approx(ours[legal], rel=1e-4, abs=1e-5)
    assert (found[~legal] == FLOAT_MIN).all()


def test_no_illegal_action_is_played_or_has_a_chance():
    play = table(DUROS, num_players=3)
    for episode in play.episodes(play.play(uniform), "here"):
        masks = episode.get_observations(slice(0, len(episode)))[MASK]
        actions = episode.get_actions(slice(0, len(episode)))
        assert masks[np.arange(len(actions)), actions].all()
        logits = episode.get_extra_model_outputs(Columns.ACTION_DIST_INPUTS)
        chances = torch.softmax(torch.from_numpy(np.array(logits)), dim=1).numpy()
        assert (chances[~masks] == 0).all()
        log_probs = episode.get_extra_model_outputs(Columns.ACTION_LOGP)
        assert np.exp(log_probs) == pytest.approx(1 / masks.sum(axis=1), rel=1e-5)


def kuhn_episodes(action):
    play = table(KUHN, games=1, rollout=20)
    return play.episodes(play.play(always(action)), "here")


def test_what_the_other_seats_turn_pays_is_the_latest_decisions():
    """Who passes first is paid when the other has passed too: one decision each, worth 1 or -1."""
    episodes = kuhn_episodes(PASS)
    assert len(episodes) == 20  # ten hands of two decisions
    assert {len(e) for e in episodes} == {1}
    assert {e.agent_id for e in episodes} == {"player_0", "player_1"}
    assert all(e.is_terminated for e in episodes)
    first, second = episodes[0::2], episodes[1::2]
    for a, b in zip(first, second, strict=True):
        assert {a.get_rewards(0), b.get_rewards(0)} == {1, -1}


def test_a_called_bet_is_worth_two():
    assert {abs(e.get_rewards(0)) for e in kuhn_episodes(BET)} == {2}


@pytest.mark.parametrize("game", [KUHN, quitters.GAME, DUROS], ids=lambda game: game.name)
def test_every_seat_is_paid_what_the_games_paid_it(game):
    """Seats that are out included: what they are paid later belongs to their last decision."""
    play = table(game, games=8, rollout=30)
    paid = np.zeros(play.batch.num_players)
    step = play.batch.step

    def watched(actions, *rest):
        acted = play._latest >= 0
        step(actions, *rest)
        nonlocal paid
        paid = paid + np.where(acted, play.batch.rewards, 0).sum(axis=0)

    play.batch.step = watched
    booked = np.zeros_like(paid)
    for turn in range(4):
        for episode in play.episodes(play.play(uniform), f"{turn}"):
            booked[int(episode.agent_id.removeprefix("player_"))] += episode.get_return()
    waiting = play._following[: play._rows] == OPEN
    np.add.at(booked, play._seats[: play._rows][waiting], play._rewards[: play._rows][waiting])
    assert booked == pytest.approx(paid, abs=1e-3)
    assert np.abs(paid).sum() > 0


def test_a_cut_episode_goes_on_with_the_view_it_ended_with():
    play = table(DUROS, games=1, rollout=7, num_players=2)
    open_views, continued = {}, 0
    for turn in range(12):
        for episode in play.episodes(play.play(uniform), f"{turn}"):
            views = episode.get_observations()[OBSERVATION]
            if episode.agent_id in open_views:
                assert (views[0] == open_views.pop(episode.agent_id)).all()
                continued += 1
            if not episode.is_terminated:
                open_views[episode.agent_id] = views[-1]
    assert continued > 3


def test_settings_without_a_place_in_rllib_are_refused():
    for changes, says in (({"magnet": 0.1}, "magnet=0.1"), ({"critic": "all_seeing"}, "critic=")):
        with pytest.raises(ValueError, match=says):
            setup.check(setup.rllib_settings(DUROS, **changes))


SMALL = {"games": 32, "rollout": 16, "minibatch": 128, "probes": 1, "probe_games": 32,
         "hidden": (16,), "past_every": 1, "num_players": 2}  # fmt: skip


@pytest.fixture(scope="module")
def here():
    with cluster(cpus=2):
        yield


@pytest.mark.usefixtures("here")
def test_a_run_is_resumed_where_it_was(tmp_path):
    config = setup.rllib_settings(DUROS, steps=1500, **SMALL)
    first = learn.train(DUROS, config, tmp_path, quiet=True, num_env_runners=0)
    assert learn._steps_of(first) >= 1500
    arrays, card = read_arrays(first / "policy.safetensors")
    config, _ = learn._saved(DUROS, first)
    algorithm = learn.build(DUROS, config, 0)
    algorithm.restore_from_path(str(first / learn.STATE))
    assert learn.steps_played(algorithm) == card["training"]["steps"]
    weights = learn.policy_of(algorithm, DUROS, config).layers[0::2]
    assert all((arrays[f"weight_{i}"] == w).all() for i, w in enumerate(weights))
    assert len(algorithm.env_runner.get_state()["past"][0]) > 0
    algorithm.stop()
    again = learn.train(DUROS, None, tmp_path, 0.01, resume=True, quiet=True, num_env_runners=0)
    assert again == newest_checkpoint(tmp_path)
    assert learn._steps_of(again) > learn._steps_of(first)


@pytest.mark.usefixtures("here")
def test_a_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small = [f"--set={n}={list(v) if n == 'hidden' else v}" for n, v in SMALL.items()
             if n != "num_players"]  # fmt: skip
    asked = ["quatre_duros", "--num-players", "2", "--blocks", "20", "--minutes", "0.02"]
    assert cli.main(["train-ray", *asked, "--num-env-runners", "1", *small]) == 0
    assert "matches won" in capsys.readouterr().out
    assert cli.main(["evaluate", "quatre_duros", "runs/quatre_duros_v0-1", *asked[1:5]]) == 0
    assert cli.main(["train", "quatre_duros", "--resume"]) == 2
    assert "not trained by the learner ppo, but by ray" in capsys.readouterr().err
