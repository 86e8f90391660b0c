"""Checkpoints that cannot be trusted are refused, and say why."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import save_file

import agents
from agents.policy import FILE, load_policy
from agents.storage import read_arrays, write_arrays
from tests.toys import kuhn, quitters
from tests.training.settings import SMALL
from training import checkpoint
from training.ppo import train


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(kuhn.GAME, SMALL, tmp_path_factory.mktemp("run"), quiet=True)


@pytest.fixture
def copy(trained, tmp_path):
    return shutil.copytree(trained, tmp_path / trained.name)


def rewrite(folder, **changes):
    arrays, card = read_arrays(folder / FILE)
    write_arrays(folder / FILE, arrays, {**card, **changes})


def test_the_card_says_what_it_is(trained):
    card = json.loads((trained / "card.json").read_text())
    assert card["env_id"] == "kuhn_v0"
    assert card["layout"] == kuhn.GAME.layout(kuhn.GAME.configure()).hash
    assert card["training"]["command"].startswith("python -m training.ppo kuhn_v0")
    assert card["figures"]["probes"][-1]["random"]["matches"] == SMALL.probe_games
    assert card["limits"]


@pytest.mark.parametrize("name", [".", FILE])
def test_agents_load_plays_it(trained, name):
    agent = agents.load(kuhn.GAME, str(trained / name))
    batch_rows = np.eye(4, 10, dtype=np.int8)
    masks = np.array([[True, True], [True, False], [False, True], [False, False]])
    chosen = agent.act_batch(batch_rows, masks, agents.streams(3, 4))
    assert chosen[1:].tolist() == [0, 1, -1]
    alone = [agent.act(batch_rows[i], masks[i], agents.streams(3, 4)[i : i + 1]) for i in range(4)]
    assert chosen.tolist() == alone


@pytest.mark.parametrize("name", [FILE, checkpoint.TRAINER_FILE])
@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text"])
def test_damaged_files_are_refused(copy, name, damage):
    content = bytearray((copy / name).read_bytes())
    if damage == "flip":
        content[-1] ^= 1
    damaged = {"cut": content[:-7], "flip": content, "empty": b"", "text": b"not a checkpoint"}[
        damage
    ]
    (copy / name).write_bytes(damaged)
    with pytest.raises(ValueError, match="damaged"):
        train(kuhn.GAME, None, copy.parent, resume=True, quiet=True)


def test_a_foreign_safetensors_file_is_refused(tmp_path):
    save_file({"weight_0": np.zeros((10, 2), np.float32)}, tmp_path / FILE)
    with pytest.raises(ValueError, match="not written by Naips"):
        agents.load(kuhn.GAME, str(tmp_path))


def test_a_pickle_is_never_opened(tmp_path):
    (tmp_path / FILE).write_bytes(b"cos\nsystem\n(S'touch /tmp/opened'\ntR.")
    with pytest.raises(ValueError, match="damaged"):
        agents.load(kuhn.GAME, str(tmp_path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layout": "0123456789abcdef"}, "trained for layout='0123456789abcdef'"),
        ({"env_id": "truc_v0"}, "trained for env_id='truc_v0', not 'kuhn_v0'"),
        ({"num_actions": 64}, "trained for num_actions=64, not 2"),
        ({"format": "naips-policy/9"}, "is no naips-policy/1 file"),
    ],
)
def test_what_does_not_fit_is_refused(copy, changes, message):
    rewrite(copy, **changes)
    with pytest.raises(ValueError, match=message):
        load_policy(kuhn.GAME, kuhn.GAME.configure(), copy)


def test_another_games_run_is_not_resumed(trained):
    with pytest.raises(ValueError, match="trained for kuhn_v0, not quitters_v0"):
        train(quitters.GAME, None, trained.parent, resume=True, quiet=True)


def test_nothing_to_resume(tmp_path):
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        train(kuhn.GAME, None, tmp_path, resume=True, quiet=True)


def test_only_one_process_trains_in_a_folder(copy):
    run = copy.parent
    with checkpoint.alone_in(run), pytest.raises(ValueError, match="another process is training"):
        train(kuhn.GAME, None, run, resume=True, quiet=True)
    assert train(kuhn.GAME, None, run, resume=True, quiet=True) == copy


def test_a_checkpoint_appears_whole_or_not_at_all(tmp_path):
    def fails(folder):
        (folder / FILE).write_bytes(b"half")
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        checkpoint.write_checkpoint(tmp_path, 5, fails)
    assert not list(tmp_path.glob("checkpoint-*"))
    checkpoint.write_checkpoint(tmp_path, 6, lambda folder: (folder / FILE).write_bytes(b"whole"))
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-000000000006"]


def test_only_the_newest_stay(tmp_path):
    for step in range(5):
        checkpoint.write_checkpoint(tmp_path, step, lambda folder: (folder / FILE).write_bytes(b""))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint-000000000003",
        "checkpoint-000000000004",
    ]
