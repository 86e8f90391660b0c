"""The batch engine's arguments and errors."""

import numpy as np
import pytest

from envs import Batch, find_game
from envs.core.batch import MAX_GAMES
from envs.core.game import IllegalActionError
from tests.toys.kuhn import BET, GAME, PASS


def everything(batch) -> list[bytes]:
    arrays = (batch.states, batch.keys, batch.observations, batch.action_masks, batch.seats)
    return [array.tobytes() for array in (*arrays, batch.rewards, batch.dones, batch.truncations)]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (
            [PASS, BET, 2],
            "game 2: seat . cannot play 2; legal now: 0 .pass., 1 .bet.; no game has moved",
        ),
        ([PASS, -1, PASS], "game 1"),
        ([10**12, PASS, PASS], "game 0"),
        ([PASS, PASS], "3 integers"),
        ([PASS, PASS, PASS, PASS], "3 integers"),
        ([[PASS], [PASS], [PASS]], "3 integers"),
        ([0.0, 1.0, 0.0], "3 integers, got float64"),
        ([True, False, True], "3 integers, got bool"),
        ([PASS, None, PASS], "3 integers, got object"),
        (None, "3 integers"),
        ("pass", "3 integers"),
    ],
)
def test_bad_actions_move_no_game(actions: object, message: str) -> None:
    batch = Batch(GAME, 3, seed=1)
    before = everything(batch)
    with pytest.raises(IllegalActionError, match=message):
        batch.step(actions)
    assert everything(batch) == before
    batch.step(np.zeros(3, np.int32))
    assert everything(batch) != before


def test_games_that_stand_still() -> None:
    batch = Batch(GAME, 3, seed=1)
    before = batch.states.copy()
    batch.step(np.array([PASS, -1, PASS]), moving=np.array([True, False, True]))
    assert batch.states["decisions"].tolist() == [1, 0, 1]
    assert batch.states[1] == before[1]
    with pytest.raises(ValueError, match=r"moving is bool\[3\]"):
        batch.step(np.zeros(3, np.int64), moving=np.array([True]))


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"num_games": 0}, ValueError, "num_games=0: allowed are integers from 1 to 65536"),
        ({"num_games": MAX_GAMES + 1}, ValueError, "num_games=65537"),
        ({"num_games": 2.0}, ValueError, "num_games=2.0"),
        ({"num_games": True}, ValueError, "num_games=True"),
        ({"seed": -1}, ValueError, "seed=-1: allowed are integers from 0"),
        ({"seed": None}, ValueError, "seed=None"),
        ({"seeds": [1]}, ValueError, "1 seeds for 2 games"),
        ({"threads": 0}, ValueError, "threads=0: allowed are integers from 1 to 256"),
        ({"num_players": 3}, ValueError, "num_players=3: Kuhn poker is played by 2"),
        ({"flor": True}, TypeError, "has no option 'flor'"),
    ],
)
def test_bad_arguments(arguments: dict, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        Batch(GAME, **{"num_games": 2, **arguments})


def test_games_by_name() -> None:
    game = find_game("truc_v0")
    assert (
        find_game("truc")
        is find_game("naips/truc-v0")
        is find_game("TRUC")
        is find_game(game)
        is game
    )
    with pytest.raises(ValueError, match=r"no game 'trucs' .did you mean 'truc_v0'[?].; known"):
        Batch("trucs", 1)


def test_more_threads_than_games_and_numpy_seeds() -> None:
    one, other = Batch(GAME, 2, seed=3, threads=8), Batch(GAME, 2, seed=np.int64(3))
    assert everything(one) == everything(other)
    assert len(one) == 2


def test_a_reset_starts_over() -> None:
    batch = Batch(GAME, 4, seed=3)
    before = everything(batch)
    for _ in range(5):
        batch.step(batch.action_masks.argmax(1))
    batch.reset(3)
    assert everything(batch) == before
    batch.reset(4)
    assert everything(batch) != before
    with pytest.raises(ValueError, match=r"seed"):
        batch.reset(-1)


def test_arrays_are_reused_unless_copies_are_asked_for() -> None:
    batch = Batch(GAME, 2, seed=1)
    observations = batch.observations
    batch.step(np.zeros(2, np.int64))
    assert batch.observations is observations or np.shares_memory(batch.observations, observations)
    batch = Batch(GAME, 2, seed=1, copy=True)
    observations = batch.observations
    batch.step(np.zeros(2, np.int64))
    assert not np.shares_memory(batch.observations, observations)


def test_shapes_and_types() -> None:
    batch = Batch(GAME, 5)
    n = batch.layout.size
    assert (batch.observations.shape, batch.observations.dtype) == ((5, n), np.int8)
    assert (batch.action_masks.shape, batch.action_masks.dtype) == ((5, 2), np.bool_)
    assert (batch.seats.shape, batch.seats.dtype) == ((5,), np.int8)
    assert (batch.rewards.shape, batch.rewards.dtype) == ((5, 2), np.float32)
    assert (batch.dones.dtype, batch.truncations.dtype) == (np.bool_, np.bool_)
    assert batch.observe_all().shape == (5, 2, n)


def test_edited_states_show_after_a_refresh() -> None:
    batch = Batch(GAME, 2, seed=1)
    seat = int(batch.seats[0])
    batch.states["card"][0, seat] = 2
    batch.refresh()
    assert batch.observations[0, :3].tolist() == [0, 0, 1]
