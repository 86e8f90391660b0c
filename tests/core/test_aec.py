"""The AEC environment: reset options, states, views, order of calls."""

import json
import zlib

import numpy as np
import pytest

from envs.core.aec import GameEnv
from envs.core.game import IllegalActionError
from envs.core.saved import MAGIC
from tests.toys import kuhn
from tests.toys.kuhn import BET, GAME, PASS


@pytest.fixture
def env() -> GameEnv:
    env = kuhn.env()
    env.reset(seed=1)
    return env


# Reset


def test_a_dictated_deck_and_dealer(env) -> None:
    env.reset(seed=3, options={"deck": "K J Q", "dealer": 0})
    assert env.agent_selection == "player_1"  # the seat after the dealer acts first
    assert env.zones() == {"hand_0": ["J"], "hand_1": ["K"], "stock": ["Q"]}


@pytest.mark.parametrize("options", [{"deck": None}, {"deck": 5}, {"decks": 5}, {"decks": [5]}])
def test_what_is_no_deck_is_refused_and_the_match_goes_on(env, options) -> None:
    env.reset(seed=3)
    before = env.get_state()
    with pytest.raises(ValueError, match="a deck is a list of cards"):
        env.reset(seed=4, options=options)
    assert env.get_state() == before


def test_decks_of_a_single_hand(env) -> None:
    env.reset(seed=3, options={"decks": ["K J Q"], "dealer": 0})
    assert env.zones()["hand_1"] == ["K"]


@pytest.mark.parametrize(
    ("seed", "options", "message"),
    [
        (-1, None, "seed=-1"),
        (1.5, None, "seed=1.5"),
        (True, None, "seed=True"),
        ("1", None, "seed='1'"),
        (1, {"deck": "K J K"}, "misses"),
        (1, {"deck": "K J"}, "misses"),
        (1, {"deck": "K J X"}, "'X' is no card"),
        (1, {"deck": "K J Q", "decks": ["K J Q"]}, "not both"),
        (1, {"dealer": 2}, "dealer=2: seats go from 0 to 1"),
        (1, {"dealer": True}, "dealer=True"),
        (1, {"dealer": -1}, "dealer=-1"),
        (1, {"dealer": "0"}, "dealer='0'"),
        (1, {"dek": "K J Q"}, "has no reset option 'dek' .did you mean 'deck'"),
        (1, {"options": 2}, "has no reset option 'options'"),
    ],
)
def test_a_bad_reset_leaves_the_match(
    env, seed: object, options: dict | None, message: str
) -> None:
    env.step(PASS)
    state, infos = env.get_state(), env.infos
    with pytest.raises(ValueError, match=message):
        env.reset(seed=seed, options=options)
    assert env.get_state() == state
    assert env.infos is infos


def test_pettingzoos_probe_is_taken(env) -> None:
    env.reset(seed=1, options={"options": 1})
    state = env.get_state()
    env.reset(seed=1)
    assert env.get_state() == state


def test_a_first_reset_without_seed_draws_one() -> None:
    keys = set()
    for _ in range(3):
        env = kuhn.env()
        env.reset()
        keys.add(int(env.states["rng"][0, 0]))
    assert len(keys) == 3


def test_seedless_resets_go_on_with_the_stream(env) -> None:
    first = [
        env.reset(seed=5) or env.get_state(),
        *(env.reset() or env.get_state() for _ in range(3)),
    ]
    again = [
        env.reset(seed=5) or env.get_state(),
        *(env.reset() or env.get_state() for _ in range(3)),
    ]
    assert first == again
    assert len(set(first)) == 4


# States


def edited(state: bytes, **header: object) -> bytes:
    """State bytes with another header and a checksum that fits."""
    line, _, record = state[len(MAGIC) :].partition(b"\n")[2].partition(b"\n")
    body = json.dumps(json.loads(line) | header, sort_keys=True).encode() + b"\n" + record
    return MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda state: None, "not the bytes"),
        (lambda state: "text", "not the bytes"),
        (lambda state: b"", "not the bytes"),
        (lambda state: state[1:], "not the bytes"),
        (lambda state: state[:-1], "damaged"),
        (lambda state: state + b"x", "damaged"),
        (lambda state: state[:40] + bytes([state[40] ^ 1]) + state[41:], "damaged"),
        (lambda state: state[:-1] + bytes([state[-1] ^ 1]), "damaged"),
        (lambda state: edited(state, format=99), "state format 99 is not the supported 1"),
        (lambda state: edited(state, env="truc_v0"), "belongs to truc_v0"),
        (
            lambda state: edited(state, config={"num_players": 3}),
            "belongs to kuhn_v0 .'num_players': 3",
        ),
    ],
)
def test_bad_states_are_refused_and_leave_the_match(env, damage, message: str) -> None:
    state = env.get_state()
    with pytest.raises(ValueError, match=message):
        env.set_state(damage(state))
    assert env.get_state() == state


def test_a_record_of_another_size_is_refused(env) -> None:
    line, _, record = env.get_state()[len(MAGIC) :].partition(b"\n")[2].partition(b"\n")
    body = line + b"\n" + record + b"\0"
    with pytest.raises(ValueError, match=r"another version of this game"):
        env.set_state(MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body)


def test_states_of_another_configuration_are_refused() -> None:
    from envs import truc_v0

    four, six = truc_v0.env(), truc_v0.env(num_players=6)
    six.reset(seed=1)
    with pytest.raises(ValueError, match=r"'num_players': 6"):
        four.set_state(six.get_state())


def test_set_state_counts_as_a_reset(env) -> None:
    fresh = kuhn.env()
    fresh.set_state(env.get_state())
    assert fresh.agents == ["player_0", "player_1"]
    fresh.step(PASS)
    assert env.states["decisions"][0] == 0


def test_states_at_every_stage(env) -> None:
    """In play, at the end, and while the seats leave."""
    while True:
        state = env.get_state()
        other = kuhn.env()
        other.set_state(bytearray(state))
        assert other.get_state() == state
        assert (other.agents, other.agent_selection) == (env.agents, env.agent_selection)
        assert (other.rewards, other.terminations) == (env.rewards, env.terminations)
        if not env.agents:
            return
        env.step(None if env.terminations[env.agent_selection] else BET)


# Views


def test_render_modes_and_seats() -> None:
    with pytest.raises(ValueError, match=r"render_mode='film': allowed are None, 'ansi'"):
        kuhn.env(render_mode="film")
    for seat in (2, -1, "nobody", True, None):
        with pytest.raises(ValueError, match=r"allowed are 'acting', 'all' and seats 0 to 1"):
            kuhn.env(render_seat=seat)
    env = kuhn.env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"render needs a render_mode"):
        env.render()


def test_rendering_shows_what_the_seat_may_see() -> None:
    def text(seat):
        env = kuhn.env(render_mode="ansi", render_seat=seat)
        env.reset(seed=1, options={"deck": "K J Q", "dealer": 0})
        return env.render()

    assert "K" in text(1).replace("Kuhn", "")
    assert "J" not in text(1)
    assert "J" in text(0)
    assert "K" not in text(0).replace("Kuhn", "")
    assert text("acting") == text(1)
    assert "J" in text("all")
    assert "K" in text("all").replace("Kuhn", "")


def test_human_rendering_prints(capsys: pytest.CaptureFixture) -> None:
    env = kuhn.env(render_mode="human", ascii_only=True)
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out.isascii()


def test_unknown_agents_and_actions(env) -> None:
    with pytest.raises(ValueError, match=r"has no agent 'player_2' .did you mean 'player_"):
        env.observe("player_2")
    with pytest.raises(ValueError, match=r"2 is no action; ids go from 0 to 1"):
        env.action_text(2)
    with pytest.raises(ValueError, match=r"legal now: 0 .pass., 1 .bet."):
        env.parse_action("raise")
    with pytest.raises(
        IllegalActionError, match=r"player_. cannot play 7; legal now: 0 .pass., 1 .bet."
    ):
        env.step(7)


def test_decode(env) -> None:
    observation = env.observe(env.agent_selection)
    assert env.decode(observation)["history"].shape == (3, 2)
    with pytest.raises(ValueError, match=r"expected an observation of shape"):
        env.decode(np.zeros(3))


def test_metadata() -> None:
    metadata = kuhn.env().metadata
    assert metadata["name"] == GAME.env_id == "kuhn_v0"
    assert (metadata["min_players"], metadata["max_players"], metadata["max_decisions"]) == (
        2,
        2,
        3,
    )
    assert (metadata["reward_range"], metadata["reward_sum"]) == ((-2.0, 2.0), 0.0)


# Order of calls


@pytest.mark.parametrize(
    "name", ["step", "observe", "last", "agent_iter", "render", "zones", "get_state"]
)
def test_calls_before_reset_say_so(name: str) -> None:
    env = kuhn.env(render_mode="ansi")
    arguments = {"step": [PASS], "observe": ["player_0"]}.get(name, [])
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        getattr(env, name)(*arguments)


@pytest.mark.parametrize(
    "name", ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos"]
)
def test_attributes_before_reset_say_so(name: str) -> None:
    with pytest.raises(AttributeError, match=r"before reset\(\)"):
        getattr(kuhn.env(), name)


def test_calls_after_the_end_say_so(env) -> None:
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else BET)
    for call in (env.last, lambda: env.step(None)):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()
    env.reset()
    assert env.agents == ["player_0", "player_1"]
