"""Two simulated nodes, one of which is killed while a run is learning."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="an extra of its own: make test-ray")

import ray
from ray.cluster_utils import Cluster

from agents.policy import newest_checkpoint
from envs import find_game
from training import cli
from training.progress import METRICS, read_metrics
from training.rllib import learn, setup
from training.rllib.cluster import patiently

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("ray")]

DUROS = find_game("quatre_duros_v0")
SMALL = {"games": 32, "rollout": 16, "minibatch": 128, "probes": 1, "probe_games": 32,
         "hidden": (16,), "num_players": 2, "checkpoint_seconds": 5.0}  # fmt: skip
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


def wait_for(what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.2)


class Fate(threading.Thread):
    """Kills the second node in mid-training, adds a third, and stops the run when all is well."""

    def __init__(self, nodes: Cluster, out: Path):
        super().__init__(daemon=True)
        self.nodes, self.out, self.failed = nodes, out, None

    def run(self):
        try:
            self.wait_for_runners(2)
            [second] = self.nodes.worker_nodes
            self.nodes.remove_node(second, allow_graceful=False)
            self.wait_for_runners(1)
            self.nodes.new_node()
            self.wait_for_runners(2)
        except Exception as error:
            self.failed = error
        finally:
            os.kill(os.getpid(), signal.SIGINT)  # the run ends after its present update

    def wait_for_runners(self, number):
        """Until so many have played in two rounds, one after the other."""
        wait_for(lambda: [line["runners"] for line in reports(self.out)][-2:] == [number] * 2)


@pytest.mark.slow
def test_a_run_outlives_a_node_and_takes_in_a_new_one(nodes, tmp_path):
    nodes.new_node()
    fate = Fate(nodes, tmp_path)
    fate.start()
    config = setup.rllib_settings(DUROS, steps=10_000_000, **SMALL)
    learn.train(DUROS, config, tmp_path, quiet=True, address=nodes.address, num_env_runners=2)
    fate.join()
    assert fate.failed is None
    lines = reports(tmp_path)
    runners = [line["runners"] for line in lines]
    lost = runners.index(1)
    assert set(runners[:lost]) == {2}
    assert runners[-1] == 2
    steps = [line["step"] for line in lines]
    assert steps == sorted(set(steps))  # it learnt from something in every round
    found = newest_checkpoint(tmp_path)
    assert learn._steps_of(found) == steps[-1]
    assert cli.main(["evaluate", "quatre_duros", str(tmp_path), "--num-players", "2",
                     "--against", "random", "--blocks", "20"]) == 0  # fmt: skip


@pytest.mark.slow
def test_a_tournament_over_two_nodes_is_the_same_byte_for_byte(nodes, tmp_path, capsys):
    asked = ["tournament", "quatre_duros", "random", "simple", "strong", "--num-players", "3",
             "--blocks", "300"]  # fmt: skip
    assert cli.main([*asked, "--out", str(tmp_path / "here")]) == 0
    spread = [*asked, "--out", str(tmp_path / "spread"), "--ray", "--address", nodes.address]
    assert cli.main(spread) == 0
    here, there = (
        json.loads((tmp_path / where / "report.json").read_text()) for where in ("here", "spread")
    )
    assert json.dumps(here["report"]) == json.dumps(there["report"])
    parts = {p.name for p in (tmp_path / "here" / "parts").iterdir()}
    assert parts == {p.name for p in (tmp_path / "spread" / "parts").iterdir()}


@pytest.mark.slow
def test_a_run_whose_process_is_killed_goes_on_from_its_last_checkpoint(tmp_path):
    small = [f"{n}={list(v) if n == 'hidden' else v}" for n, v in SMALL.items()
             if n != "num_players"]  # fmt: skip
    asked = ["train-ray", "quatre_duros", "--num-players", "2", "--num-env-runners", "1",
             "--blocks", "20", "--out", str(tmp_path / "run")]  # fmt: skip
    for setting in small:
        asked += ["--set", setting]
    command = [sys.executable, "-m", "training.cli", *asked, "--minutes", "30"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: newest_checkpoint(tmp_path / "run"))
        process.send_signal(signal.SIGKILL)
    before = learn._steps_of(newest_checkpoint(tmp_path / "run"))
    assert cli.main([*asked, "--minutes", "0.02", "--resume"]) == 0
    assert learn._steps_of(newest_checkpoint(tmp_path / "run")) > before
