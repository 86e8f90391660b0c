"""The table that SB3 sees, and MaskablePPO on it."""

from dataclasses import replace

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

import agents
import agents.policy
from tests.toys import kuhn, quitters
from tests.training.settings import SMALL
from training import sb3
from training.sb3 import BatchVecEnv, make_model, policy_layers

J, Q, K = range(3)
SB3 = replace(SMALL, past_share=0.5, steps=64 * 8 * 6)


class Always:
    """A player of one action."""

    def __init__(self, action):
        self.action = action

    def act_batch(self, observations, masks, rngs):
        return np.full(len(observations), self.action)


def table(game=kuhn.GAME, opponent=None, **changes):
    env = BatchVecEnv(game, replace(SB3, past_share=0.0, **changes))
    if opponent is not None:
        make = env._prepare

        def prepare():
            make()
            env.opponents._rules = [opponent]

        env._prepare = prepare
    return env


def test_the_learners_loss_reaches_it():
    """Everybody bets: whoever holds the jack loses 2, on whichever seat's turn that comes out."""
    env = table(opponent=Always(kuhn.BET))
    env.reset()
    seen = {J: set(), Q: set(), K: set()}
    for _ in range(30):
        _, rewards, dones, infos = env.step(np.full(env.num_envs, kuhn.BET))
        for k in np.flatnonzero(dones):
            card = int(infos[k]["terminal_observation"][:3].argmax())
            seen[card].add(float(rewards[k]))
            assert infos[k]["episode"]["r"] == rewards[k]
        assert not rewards[~dones].any()
    assert seen == {J: {-2.0}, Q: {-2.0, 2.0}, K: {2.0}}


def test_the_learner_is_shown_its_own_last_view():
    env = table(opponent=Always(kuhn.BET))
    shown = env.reset().copy()
    for _ in range(20):
        after, _, dones, infos = env.step(np.full(env.num_envs, kuhn.PASS))
        for k in np.flatnonzero(dones):
            last = infos[k]["terminal_observation"]
            assert (last[:3] == shown[k, :3]).all()  # the card
            assert last[9] == shown[k, 9]  # the seat
            assert "TimeLimit.truncated" not in infos[k]
        shown = after.copy()


def test_seats_rotate():
    env = table()
    env.reset()
    before = env.opponents.learner.copy()
    _, _, dones, _ = env.step(np.full(env.num_envs, kuhn.PASS))
    assert (env.opponents.learner[dones] != before[dones]).all()
    assert (env.opponents.learner[~dones] == before[~dones]).all()
    assert (env.batch.seats == env.opponents.learner).all()


def test_games_that_end_before_the_learner_acts_are_counted():
    env = table(quitters.GAME, opponent=Always(quitters.QUIT))
    env.reset()
    assert env.seats.unheard > 0
    assert env.seats.unheard_reward == env.seats.unheard  # each paid the learner 1
    ended = 0
    for _ in range(10):
        _, rewards, dones, _ = env.step(np.full(env.num_envs, quitters.GO_ON))
        assert dones.all()  # the learner goes on, the other quits
        assert (rewards == 1).all()
        ended += dones.sum()
    assert ended == 10 * env.num_envs


def test_masks_belong_to_the_learner():
    env = table()
    env.reset()
    assert is_masking_supported(env)
    assert (get_action_masks(env) == env.batch.action_masks).all()
    assert env.env_method("action_masks", indices=[3])[0].shape == (2,)


def test_episodes_add_up_when_hands_are_paid_one_by_one():
    env = table(quitters.GAME, opponent=Always(quitters.GO_ON))
    env.reset()
    paid, totals = 0.0, 0.0
    for turn in range(12):
        action = quitters.QUIT if turn % 3 == 2 else quitters.GO_ON
        _, rewards, _, infos = env.step(np.full(env.num_envs, action))
        paid += rewards.sum()
        totals += sum(info["episode"]["r"] for info in infos if info)
    assert paid == totals != 0


def test_maskable_ppo_makes_no_illegal_move_and_loads(tmp_path):
    env = BatchVecEnv(kuhn.GAME, SB3)  # the engine refuses illegal actions
    model = make_model(env)
    model.learn(64 * 8 * 3)
    model.save(tmp_path / "model")
    loaded = MaskablePPO.load(tmp_path / "model", env=env)
    seen = env.reset()
    masks = env.action_masks()
    ours, _ = model.predict(seen, action_masks=masks, deterministic=True)
    theirs, _ = loaded.predict(seen, action_masks=masks, deterministic=True)
    assert (ours == theirs).all()
    layers = policy_layers(model, env.batch.layout.scale)
    plain = agents.policy.PolicyAgent("x", layers[0::2], layers[1::2], temperature=0.0)
    assert (
        plain.act_batch(env.batch.observations, masks, agents.streams(0, len(masks))) == ours
    ).all()


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path, monkeypatch):
    settings = replace(SB3, checkpoint_seconds=0.0)
    whole = sb3.train(kuhn.GAME, settings, tmp_path / "whole", quiet=True)
    updates, real = [0], MaskablePPO.train

    def dying(model):
        updates[0] += 1
        if updates[0] == 4:
            raise RuntimeError("killed")
        real(model)

    monkeypatch.setattr(MaskablePPO, "train", dying)
    with pytest.raises(RuntimeError, match="killed"):
        sb3.train(kuhn.GAME, settings, tmp_path / "halves", quiet=True)
    monkeypatch.setattr(MaskablePPO, "train", real)
    resumed = sb3.train(kuhn.GAME, None, tmp_path / "halves", resume=True, quiet=True)
    assert resumed.name == whole.name
    one, other = (agents.load(kuhn.GAME, str(folder)).layers for folder in (whole, resumed))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    said = (tmp_path / "halves" / "metrics.jsonl").read_text()
    sb3.train(kuhn.GAME, None, tmp_path / "halves", resume=True, quiet=True)
    assert (tmp_path / "halves" / "metrics.jsonl").read_text() == said  # nothing was learnt
