"""The learner learns, repeats itself, and goes on where it stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch

import agents
from agents.policy import PolicyAgent
from tests.toys.kuhn import GAME
from tests.training import kuhn_exact
from tests.training.settings import KUHN, SMALL
from training.config import config_from_json
from training.kernels import SUMS, Workers, policy_gradient
from training.network import Head
from training.ppo import Trainer, train


def weights(folder):
    return agents.load(GAME, str(folder)).layers


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """An uninterrupted run of the small settings."""
    return train(GAME, SMALL, tmp_path_factory.mktemp("whole"), quiet=True)


def test_learns_kuhn_poker():
    trainer = Trainer(GAME, KUHN)
    before = kuhn_exact.exploitability(kuhn_exact.policy_of(trainer.agent()))
    while not trainer.done:
        trainer.update()
    learnt = kuhn_exact.policy_of(trainer.agent())
    after = kuhn_exact.exploitability(learnt)
    assert before > 0.25
    assert after < 0.06
    assert kuhn_exact.value(learnt, learnt) == pytest.approx(kuhn_exact.VALUE, abs=0.04)


def test_the_exact_solver_knows_an_equilibrium():
    third = 1 / 3
    first = {
        (0, ""): third,
        (1, ""): 0,
        (2, ""): 1,
        (0, "pb"): 0,
        (1, "pb"): 2 * third,
        (2, "pb"): 1,
    }
    second = {(0, "p"): third, (1, "p"): 0, (2, "p"): 1, (0, "b"): 0, (1, "b"): third, (2, "b"): 1}
    assert kuhn_exact.exploitability({**first, **second}) == pytest.approx(0, abs=1e-12)
    assert kuhn_exact.value(first, second) == pytest.approx(kuhn_exact.VALUE)


def test_the_same_seed_gives_the_same_run(whole_run, tmp_path):
    again = train(GAME, SMALL, tmp_path / "again", quiet=True)
    other = train(GAME, replace(SMALL, seed=1), tmp_path / "other", quiet=True)
    assert same(weights(whole_run), weights(again))
    assert not same(weights(whole_run), weights(other))


@pytest.mark.parametrize(
    "changes", [{"critic": "shared"}, {"critic": "all_seeing"}, {"advisor": "random"}]
)
def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path, changes, monkeypatch):
    settings = replace(SMALL, checkpoint_seconds=0.0, **changes)
    whole = train(GAME, settings, tmp_path / "whole", quiet=True)
    updates, real = [0], Trainer.update

    def dying(trainer):
        updates[0] += 1
        if updates[0] == 6:
            raise RuntimeError("killed")
        return real(trainer)

    monkeypatch.setattr(Trainer, "update", dying)
    with pytest.raises(RuntimeError, match="killed"):
        train(GAME, settings, tmp_path / "halves", quiet=True)
    monkeypatch.setattr(Trainer, "update", real)
    resumed = train(GAME, None, tmp_path / "halves", resume=True, quiet=True)
    assert resumed.name == whole.name
    assert same(weights(whole), weights(resumed))
    lines = (tmp_path / "halves" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [512 * n for n in range(1, 13)]


SCRIPT = """
from dataclasses import replace
from pathlib import Path
import sys
from tests.toys.kuhn import GAME
from tests.training.settings import SMALL
from training.ppo import train
out = Path(sys.argv[1])
train(GAME, replace(SMALL, steps=512 * 4000, checkpoint_seconds=0.0, probes=0), out, quiet=True)
"""


def start(out):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(out)], env={**os.environ, "PYTHONPATH": "."}
    )
    deadline = time.monotonic() + 100
    while len(list(out.glob("checkpoint-*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


def test_a_kill_leaves_a_checkpoint_to_go_on_from(tmp_path):
    process = start(tmp_path)
    process.kill()
    process.wait()
    newest = max(tmp_path.glob("checkpoint-*"))
    step = int(newest.name.removeprefix("checkpoint-"))
    assert step > 0
    assert agents.load(GAME, str(tmp_path)).name == newest.name


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    process = start(tmp_path)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    newest = max(tmp_path.glob("checkpoint-*"))
    assert int(newest.name.removeprefix("checkpoint-")) == json.loads(lines[-1])["step"]
    assert not list(tmp_path.glob(".draft-*"))


def test_a_budget_in_minutes_becomes_steps_before_training(tmp_path):
    folder = train(GAME, SMALL, tmp_path, minutes=0.01, quiet=True)
    card = json.loads((folder / "card.json").read_text())
    planned = card["training"]["settings"]["steps"]
    assert planned == int(0.6 * card["figures"]["planned_speed"] * 0.93)
    repeated = config_from_json(card["training"]["settings"])
    again = train(GAME, repeated, tmp_path / "again", quiet=True)
    assert same(weights(folder), weights(again))


def test_a_folder_with_a_run_is_not_overwritten(whole_run):
    with pytest.raises(ValueError, match="holds a training run already"):
        train(GAME, SMALL, whole_run.parent, quiet=True)


def test_resuming_with_other_settings_is_refused(whole_run):
    with pytest.raises(ValueError, match="other settings: entropy"):
        train(GAME, replace(SMALL, entropy=0.3), whole_run.parent, resume=True, quiet=True)


def test_numpy_plays_what_torch_learnt(whole_run):
    trainer = Trainer(GAME, replace(SMALL, hidden=(16, 24, 8)))
    for _ in range(3):
        trainer.update()
    seen = trainer.play.batch.observations
    with torch.no_grad():
        legal = np.ones((len(seen), 2), bool)
        theirs = trainer.network(seen, None, np.arange(len(seen)), legal).numpy()[:, :-1]
    assert trainer.agent().logits(seen) == pytest.approx(theirs, abs=1e-5)
    dense = np.random.default_rng(0).integers(-3, 4, seen.shape).astype(np.int8)
    layers = trainer.network.policy_layers()
    values = dense.astype(np.float64)
    for weight, bias in zip(layers[0:-2:2], layers[1:-2:2], strict=True):
        values = np.maximum(values @ weight + bias, 0)
    assert PolicyAgent("x", layers[0::2], layers[1::2]).logits(dense) == pytest.approx(
        values @ layers[-2] + layers[-1], abs=1e-4
    )


@pytest.mark.parametrize("critic", ["shared", "separate", "all_seeing"])
def test_gradients_equal_those_of_autograd(critic):
    """The hand-written loss and first layer against plain torch."""
    settings = replace(SMALL, critic=critic)
    trainer = Trainer(GAME, settings)
    rollout = trainer.play.collect(trainer._outputs)
    rng = np.random.default_rng(0)
    rows = rng.permutation(rollout.ready)[:200]
    gains = rng.normal(size=len(rollout.actions)).astype(np.float32)
    magnets = rng.normal(size=(len(gains), 2)).astype(np.float32)
    old = rollout.log_probs + rng.normal(scale=0.3, size=len(gains)).astype(np.float32)
    weight = {"clip": 0.2, "value": 0.5, "entropy": 0.1, "magnet": 0.3}

    outputs = trainer.network(rollout.observations, rollout.everyone, rows, rollout.masks)
    gradient, sums = np.empty(outputs.shape, np.float32), np.zeros((1, len(SUMS)))
    policy_gradient(
        rows, outputs.detach().numpy(), rollout.masks, rollout.actions, old, gains, rollout.targets,
        magnets, np.array([*weight.values(), 1 / len(rows)]), gradient, sums, 0, 0, len(rows),
    )  # fmt: skip
    outputs.backward(torch.from_numpy(gradient))
    ours = [p.grad.clone() for p in trainer.network.parameters()]

    for parameter in trainer.network.parameters():
        parameter.grad = None
    plain = plain_outputs(trainer.network, rollout, rows)
    plain_loss(plain, rollout, rows, old, gains, magnets, weight).backward()
    for mine, parameter in zip(ours, trainer.network.parameters(), strict=True):
        torch.testing.assert_close(mine, parameter.grad, atol=1e-6, rtol=1e-3)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_head_over_legal_actions_equals_a_whole_one(threads):
    """Outputs and gradients where few of many actions are legal, with advice on one of them."""
    rng, workers = np.random.default_rng(5), Workers(threads)
    rows, masks = rng.permutation(700), rng.random((700, 40)) < 0.1
    observations = rng.integers(0, 2, (700, 50)).astype(np.int8)
    hidden, weights, bias = (
        torch.from_numpy(rng.normal(size=shape).astype(np.float32)).requires_grad_()
        for shape in ((700, 19), (41, 19), (41,))
    )
    live = np.concatenate([masks, np.ones((700, 1), bool)], axis=1)[rows]
    slope = torch.from_numpy((rng.normal(size=(700, 41)) * live).astype(np.float32))
    ours = Head.apply(hidden, weights, bias, masks, observations, 2.0, rows, workers)
    advice = np.concatenate([2.0 * observations[rows, 10:], np.zeros((700, 1))], axis=1)
    whole = (hidden @ weights.T + bias + torch.from_numpy(advice).float()) * torch.from_numpy(live)
    torch.testing.assert_close(ours, whole, atol=1e-5, rtol=1e-4)
    for mine, theirs in zip(
        torch.autograd.grad(ours, (hidden, weights, bias), slope),
        torch.autograd.grad(whole, (hidden, weights, bias), slope),
        strict=True,
    ):
        torch.testing.assert_close(mine, theirs, atol=1e-4, rtol=1e-4)


def plain_outputs(network, rollout, rows):
    def run(perceptron, inputs):
        values = torch.from_numpy(inputs[rows]).float() / perceptron.scale.T
        values = torch.relu(values @ perceptron.embedding + perceptron.embedding_bias)
        for place, layer in enumerate(perceptron.layers):
            values = layer(torch.relu(values) if place else values)
        return values

    outputs = run(network.policy, rollout.observations)
    if network.shared:
        return outputs
    seen = rollout.everyone if network.all_seeing else rollout.observations
    return torch.cat([outputs, run(network.critic, seen)], dim=1)


def plain_loss(outputs, rollout, rows, old, gains, magnets, weight):
    mask = torch.from_numpy(rollout.masks[rows])

    def log_softmax(logits):
        return torch.log_softmax(logits.masked_fill(~mask, -1e9), dim=1)

    log_p, log_m = log_softmax(outputs[:, :-1]), log_softmax(torch.from_numpy(magnets[rows]))
    p = log_p.exp()
    chosen = log_p.gather(1, torch.from_numpy(rollout.actions[rows])[:, None])[:, 0]
    ratio = (chosen - torch.from_numpy(old[rows])).exp()
    gain = torch.from_numpy(gains[rows])
    clipped = ratio.clamp(1 - weight["clip"], 1 + weight["clip"])
    policy = -torch.minimum(ratio * gain, clipped * gain)
    value = (outputs[:, -1] - torch.from_numpy(rollout.targets[rows])) ** 2 / 2
    entropy = -(p * log_p).sum(dim=1)
    magnet = (p * (log_p - log_m)).sum(dim=1)
    total = (
        policy + weight["value"] * value - weight["entropy"] * entropy + weight["magnet"] * magnet
    )
    return total.mean()
