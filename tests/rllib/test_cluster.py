"""Two simulated nodes, one of which is killed while a run is learning."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="an extra of its own: make test-ray")

import ray
from ray.cluster_utils import Cluster

from agents.policy import newest_checkpoint
from training import cli
from training.checkpoint import card_of
from training.progress import METRICS, read_metrics
from training.rllib.cluster import patiently

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("ray")]

SMALL = {"games": 32, "rollout": 16, "minibatch": 128, "probes": 1, "probe_games": 32,
         "hidden": [16], "checkpoint_seconds": 5.0}  # fmt: skip
PATIENCE = 600.0  # seconds


@pytest.fixture(scope="module")
def nodes():
    """A cluster of nodes with a core each, the first of which is there."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    arguments = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = Cluster()
    cluster.new_node = lambda: patiently(lambda: cluster.add_node(**arguments))
    cluster.new_node()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def reports(out: Path) -> list[dict]:
    return read_metrics(out / METRICS) if (out / METRICS).is_file() else []


def steps_of(checkpoint: Path) -> int:
    return card_of(checkpoint)["training"]["steps"]


def wait_for(run: subprocess.Popen, what: Callable[[], object]) -> None:
    """Until something is so, while the run is running."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert run.poll() is None
        assert time.monotonic() < end
        time.sleep(0.2)


def asked(out: Path, *more: str) -> list[str]:
    """A small run, as it is typed."""
    settings = [f"--set={name}={value}" for name, value in SMALL.items()]
    return ["train-ray", "quatre_duros", "--num-players", "2", "--blocks", "20",
            "--out", str(out), *settings, *more]  # fmt: skip


def naips(*words: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-m", "training.cli", *words])


def wait_for_runners(run: subprocess.Popen, out: Path, number: int) -> None:
    """Until so many have played in two rounds, one after the other."""
    wait_for(run, lambda: [line["runners"] for line in reports(out)][-2:] == [number] * 2)


@pytest.mark.slow
def test_a_run_outlives_a_node_and_takes_in_a_new_one(nodes, tmp_path):
    second = nodes.new_node()
    where = ["--address", nodes.address, "--num-env-runners", "2"]
    with naips(*asked(tmp_path, *where, "--minutes", "60")) as run:
        wait_for_runners(run, tmp_path, 2)
        nodes.remove_node(second, allow_graceful=False)
        wait_for_runners(run, tmp_path, 1)
        nodes.new_node()
        wait_for_runners(run, tmp_path, 2)
        run.send_signal(signal.SIGINT)  # it ends after its present update, and is measured
        assert run.wait(PATIENCE) == 0
    lines = reports(tmp_path)
    assert {line["runners"] for line in lines} == {1, 2}
    steps = [line["step"] for line in lines]
    assert steps == sorted(set(steps))  # it learnt from something in every round
    assert steps_of(newest_checkpoint(tmp_path)) == steps[-1]
    assert cli.main(["evaluate", "quatre_duros", str(tmp_path), "--num-players", "2",
                     "--against", "random", "--blocks", "20"]) == 0  # fmt: skip


@pytest.mark.slow
def test_a_tournament_over_two_nodes_is_the_same_byte_for_byte(nodes, tmp_path, capsys):
    words = ["tournament", "quatre_duros", "random", "simple", "strong", "--num-players", "3",
             "--blocks", "300"]  # fmt: skip
    assert cli.main([*words, "--out", str(tmp_path / "here")]) == 0
    spread = [*words, "--out", str(tmp_path / "spread"), "--ray", "--address", nodes.address]
    assert cli.main(spread) == 0
    here, there = (
        json.loads((tmp_path / where / "report.json").read_text()) for where in ("here", "spread")
    )
    assert json.dumps(here["report"]) == json.dumps(there["report"])
    parts = {p.name for p in (tmp_path / "here" / "parts").iterdir()}
    assert parts == {p.name for p in (tmp_path / "spread" / "parts").iterdir()}


@pytest.mark.slow
def test_a_run_whose_process_is_killed_goes_on_from_its_last_checkpoint(tmp_path):
    alone = ["--num-env-runners", "1"]
    with naips(*asked(tmp_path, *alone, "--minutes", "60")) as run:
        wait_for(run, lambda: newest_checkpoint(tmp_path))
        run.send_signal(signal.SIGKILL)
    before = steps_of(newest_checkpoint(tmp_path))
    assert cli.main(asked(tmp_path, *alone, "--minutes", "0.02", "--resume")) == 0
    assert steps_of(newest_checkpoint(tmp_path)) > before
