"""The browser app by its requests: whole games, and everything that can go wrong."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from agents.human.language import CODES
from agents.human.web.server import _listening
from agents.human.web.store import Store
from envs import GAMES
from envs.core.aec import GameEnv
from envs.core.replay import RecordGame
from tests.web.tables import SHORT, Client


@pytest.fixture
def client(tmp_path):
    return Client(tmp_path)


@pytest.fixture
def truc(client):
    """A match of Truc with two people, and their tokens by seat."""
    return client.create("truc_v0", ["person", "person", "random", "random"], 3)


def test_there_is_a_short_match_of_every_game():
    assert SHORT.keys() == set(GAMES)


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_match_and_its_replay(client, game):
    token = client.short(game)
    page = client.play(token)
    assert page["over"]
    assert page["actions"] == []
    assert sum(page["result"]["totals"]) == pytest.approx(0, abs=1e-3)
    name = client.post(f"matches/{token}/replay")["name"]
    last = client.get(f"replays/{name}?move={page['version']}&seat=0")
    assert last["result"] == pytest.approx(page["result"]["totals"], abs=1e-3)
    assert last["table"] == page["table"]
    assert last["log"] == page["log"]
    opened = client.get(f"replays/{name}?move=3&seat=all")["table"]
    zones = [zone for seat in opened["seats"] for zone in seat["zones"]]
    assert "??" not in [card for zone in zones for card in zone["cards"]]


@pytest.mark.parametrize("game", SHORT)
def test_a_match_goes_on_after_a_restart_as_if_nothing_had_happened(tmp_path, game):
    here, there = Client(tmp_path / "a"), Client(tmp_path / "b")
    interrupted, other = here.short(game), there.short(game)
    page = here.play(interrupted, most=5)
    again = Client(tmp_path / "a")
    assert again.get(f"matches/{interrupted}") == page
    assert again.play(interrupted, most=5, seed=2) == (
        there.play(other, most=5) and there.play(other, most=5, seed=2)
    )


def test_a_match_that_ends_at_once(client):
    token = client.create("balco_v0", ["person", "random"], 1, max_decisions=1)[0]
    page = client.play(token)
    assert page["over"] and page["version"] == 1
    assert page["result"]["title"] == "The match was cut off"


def test_without_people_everything_is_shown_to_one_who_watches(client):
    (token,) = client.create("poker_builder_v0", ["random", "random"]).values()
    page = client.get(f"matches/{token}")
    assert page["seat"] is None and page["agent"] and not page["mine"]
    assert "??" not in json.dumps(page)
    assert client.advance(token)["over"]


def test_nothing_new_is_not_sent_again(client, truc):
    page = client.get(f"matches/{truc[0]}")
    assert client.get(f"matches/{truc[0]}?seen={page['version']}") is None
    assert client.get(f"matches/{truc[0]}?seen={page['version'] + 1}") == page


def test_two_tabs_make_an_agents_move_once(client):
    token = client.short("truc_v0")
    page = client.get(f"matches/{token}")
    while not page["agent"]:
        page = client.act(token, page, page["actions"][0]["id"])
    first = client.post(f"matches/{token}/next", version=page["version"])
    second = client.post(f"matches/{token}/next", version=page["version"])
    assert first == second
    assert first["version"] == page["version"] + 1


def test_two_tabs_cannot_both_play_a_decision(client):
    token = client.short("truc_v0")
    page = client.advance(token)
    action = page["actions"][0]["id"]
    after = client.act(token, page, action)
    data = {"action": action, "version": page["version"]}
    status, message = client.refused("POST", f"/api/matches/{token}/act", json=data)
    assert (status, message) == (409, "the table has changed since")
    assert client.get(f"matches/{token}") == after


def test_an_illegal_action_says_what_is_legal_and_changes_nothing(client):
    token = client.short("truc_v0")
    page = client.advance(token)
    legal = {action["id"] for action in page["actions"]}
    for action in {0, 48, 63, 64, 10**9} - legal:
        data = {"action": action, "version": page["version"]}
        status, message = client.refused("POST", f"/api/matches/{token}/act", json=data)
        assert status == 400
        assert "legal now: " in message
    assert client.get(f"matches/{token}") == page


def test_nobody_plays_for_another(client, truc):
    page = client.get(f"matches/{truc[0]}")
    waiting = next(seat for seat in truc if seat != page["turn"])
    data = {"action": 0, "version": page["version"]}
    status, message = client.refused("POST", f"/api/matches/{truc[waiting]}/act", json=data)
    assert (status, message) == (409, f"player_{page['turn']} is to act")
    assert client.refused("GET", f"/api/matches/{truc[waiting]}/hint")[0] == 409
    assert client.get(f"matches/{truc[waiting]}")["actions"] == []


def test_a_page_does_not_hold_another_seats_link(client, truc):
    secrets = {seat: token.partition("-")[2] for seat, token in truc.items()}
    assert len(set(secrets.values())) == 2
    assert secrets[1] not in client.http.get(f"/api/matches/{truc[0]}").text


@pytest.mark.parametrize(
    "token",
    ["x", "..%2f..%2fetc%2fpasswd", "0123456789abcdef-0123456789abcdef", "0" * 5000],
)
def test_unknown_matches_are_not_there(client, token):
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/hint")):
        assert client.refused(method, f"/api/matches/{token}{rest}")[0] == 404


def test_a_secret_of_another_match_opens_nothing(client, truc):
    name = truc[0].partition("-")[0]
    other = client.short("balco_v0").partition("-")[2]
    assert client.refused("GET", f"/api/matches/{name}-{other}")[0] == 404


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "tarot"}, "known: "),
        ({"game": 7}, "needed are game"),
        ({"seats": ["person"] * 5}, "is played by 4, 6, 8"),
        ({"seats": "person"}, "a list of texts"),
        ({"seats": ["person", "genius", "random", "random"]}, "known: "),
        ({"seats": ["person", "ismcts:many", "random", "random"]}, "METHOD:BUDGET"),
        ({"seats": ["person", "/nowhere/policy.safetensors", "random", "random"]}, "nowhere"),
        ({"options": {"target": 1}}, "target=1: allowed are an integer from 2 to 60"),
        ({"options": {"speed": 3}}, "no option 'speed'"),
        ({"options": []}, "options, an object"),
        ({"seed": -1}, "an integer from 0"),
        ({"seed": 1.5}, "an integer from 0"),
        ({"seed": None}, "an integer from 0"),
    ],
)
def test_a_match_that_cannot_be_is_explained(client, change, says):
    good = {"game": "truc_v0", "seats": ["person", *["random"] * 3], "seed": 1, "options": {}}
    status, message = client.refused("POST", "/api/matches", json=good | change)
    assert status == 400
    assert says in message


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff", b'"x"', b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(client, body):
    assert client.refused("POST", "/api/matches", content=body)[0] == 400


def test_a_body_that_is_too_large_is_refused(client):
    assert client.refused("POST", "/api/replays", content=b"x" * 8_000_001)[0] == 413


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/nothing", 404),
        ("PUT", "/api/matches", 405),
        ("GET", "/api/rules/tarot", 404),
        ("GET", "/card/tarot/1O.svg", 404),
        ("GET", "/card/spanish/nocardisthislong.svg", 404),
        ("GET", "/static/../app.py", 404),
    ],
)
def test_other_addresses_are_answered_in_one_line(client, method, path, status):
    assert client.refused(method, path)[0] == status


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "example.org"},
        {"host": "localhost.example.org:8011"},
        {"host": ""},
        {"origin": "http://example.org"},
        {"origin": "null"},
    ],
)
def test_requests_for_or_from_elsewhere_are_refused(client, headers):
    assert client.refused("GET", "/api/texts", headers=headers)[0] == 403
    assert client.refused("POST", "/api/matches", headers=headers, json={})[0] == 403


@pytest.mark.parametrize("host", ["localhost:8011", "127.0.0.1:9", "localhost", "[::1]:8011"])
def test_this_machine_is_served_by_all_its_names(client, host):
    headers = {"host": host, "origin": f"http://{host}"}
    answer = client.http.get("/", headers=headers)
    assert answer.status_code == 200
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_the_page_takes_nothing_from_elsewhere(client):
    for name in ("style.css", "app.js", "base.js", "home.js", "match.js", "replay.js", "table.js"):
        answer = client.http.get(f"/static/{name}")
        assert answer.status_code == 200
        assert not re.search(r"https?:|@import|url\(|[\"'`]//", answer.text), name


def test_a_removed_match_is_gone(client, truc):
    client.http.delete(f"/api/matches/{truc[1]}")
    assert client.refused("GET", f"/api/matches/{truc[0]}")[0] == 404


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"keys": 1'])
def test_a_damaged_file_is_said_to_be_one(tmp_path, damage):
    token = Client(tmp_path).short("truc_v0")
    file = next((tmp_path / "matches").glob("*.json"))
    file.write_bytes(damage)
    assert Client(tmp_path).refused("GET", f"/api/matches/{token}")[0] == 410


def test_no_draft_is_left_behind(tmp_path):
    client = Client(tmp_path)
    client.play(client.short("truc_v0"), most=3)
    assert [file.suffix for file in (tmp_path / "matches").iterdir()] == [".json"]


def test_many_matches_do_not_stay_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.human.web.store.AWAKE", 2)
    client = Client(tmp_path)
    tokens = [client.short("truc_v0", seed) for seed in range(4)]
    assert len(client.store._awake) == 2
    assert [client.play(token, most=2)["version"] > 1 for token in tokens] == [True] * 4


def test_how_the_last_hand_ended_is_kept_and_told(client):
    token = client.create("truc_v0", ["person", "simple", "simple", "simple"])[0]
    page = client.advance(token)
    assert page["last_hand"] is None
    fold = next(action["id"] for action in page["actions"] if action["words"] == "me'n vaig")
    client.act(token, page, fold)
    page = client.get(f"matches/{token}")
    ended = page["last_hand"]["act"]
    assert (ended["seat"], ended["words"]) == (0, "me'n vaig")
    assert "score B: 1 (+1)" in ended["result"]
    assert ended in page["log"]
    assert page["last_hand"]["table"]["turn"] == 0


# Hints, languages, replays


def test_a_hint_ranks_the_legal_actions(client):
    token = client.short("truc_v0")
    page = client.advance(token)
    hint = client.get(f"matches/{token}/hint")
    assert {row["action"] for row in hint["actions"]} == {a["id"] for a in page["actions"]}
    played = [row["policy"] for row in hint["actions"]]
    assert played == sorted(played, reverse=True)
    assert client.get(f"matches/{token}/hint") == hint
    assert client.get(f"matches/{token}") == page


@pytest.mark.parametrize("code", CODES)
def test_the_reader_is_answered_in_its_language(tmp_path, code):
    client = Client(tmp_path, f"fr, {code};q=0.9")
    assert client.get("texts")["language"] == code
    token = client.short("truc_v0")
    phase = client.advance(token)["table"]["phase"]
    assert phase == {"ca": "tirar una carta", "es": "tirar una carta", "en": "play a card"}[code]
    assert client.get("texts?lang=es")["language"] == "es"


def test_everything_that_can_be_chosen_is_offered(client):
    offered = {game["id"]: game for game in client.get("games")}
    assert offered.keys() == set(GAMES)
    for env_id, game in offered.items():
        assert [o["name"] for o in game["options"]] == [o.name for o in GAMES[env_id].options]
        meanings = {agent["name"]: agent["meaning"] for agent in game["agents"]}
        assert {"random", "simple", "strong", "ismcts:1000"} <= meanings.keys()
        assert meanings["random"] == "plays at random"
        assert client.get(f"rules/{env_id}")["page"] == GAMES[env_id].page


def test_a_replay_waits_for_the_end(client, truc):
    status, message = client.refused("POST", f"/api/matches/{truc[0]}/replay", json={})
    assert (status, message) == (409, "the replay of a match can be seen when it is over")


@pytest.fixture
def recorded(tmp_path):
    """The bytes of a replay file."""
    path = tmp_path / "recorded.jsonl"
    env = RecordGame(GameEnv(GAMES["poker_builder_v0"]), path)
    env.reset(seed=4)
    while not env.unwrapped.states["over"][0]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    return path.read_bytes()


def test_a_replay_file_is_stepped_through_and_given_back(client, recorded):
    name = client._answer(client.http.post("/api/replays", content=recorded))["name"]
    last = client.get(f"replays/{name}")["last"]
    mine = [client.get(f"replays/{name}?move={n}&seat=0") for n in range(last + 1)]
    assert [page["move"] for page in mine] == list(range(last + 1))
    assert mine[0]["result"] is None and sum(mine[last]["result"]) == 0
    other = mine[1]["table"]["seats"][1]["zones"][0]["cards"]
    assert set(other) == {"??"}
    assert client.http.get(f"/api/replays/{name}/file").content == recorded
    for query in ("move=-1", f"move={last + 1}", "move=x", "seat=2", "seat=x"):
        assert client.refused("GET", f"/api/replays/{name}?{query}")[0] == 400


def test_what_is_no_replay_is_refused_and_not_kept(client, tmp_path, recorded):
    for content in (b"", b"no replay\n", recorded[:-300], recorded.replace(b"bet", b"set", 1)):
        status, message = client.refused("POST", "/api/replays", content=content)
        assert status == 400
        assert str(tmp_path) not in message
    assert not list((tmp_path / "replays").iterdir())
    for name in ("0" * 24, "..%2fmatches", "x"):
        assert client.refused("GET", f"/api/replays/{name}")[0] == 404


def test_ctrl_c_ends_a_server_that_compiles_without_a_word(tmp_path):
    command = [sys.executable, "-m", "training.cli", "play", "--web", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--state", str(tmp_path / "state")],
        env={**os.environ, "NAIPS_CACHE_DIR": str(tmp_path / "cache")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
    asking = threading.Thread(target=begin_a_match, args=(port,), daemon=True)
    asking.start()
    asking.join(3)
    assert asking.is_alive(), "nothing had to be compiled"
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=30)
    assert (server.returncode, errors.strip()) == (130, "")


def begin_a_match(port: int) -> None:
    """Ask for a match and wait for the answer, as long as there is a server."""
    data = {"game": "truc_v0", "seats": ["person", *["random"] * 3], "seed": 1, "options": {}}
    address, body = f"http://127.0.0.1:{port}/api/matches", json.dumps(data).encode()
    with contextlib.suppress(OSError):
        urllib.request.urlopen(urllib.request.Request(address, body), timeout=300).close()


def test_whoever_reads_the_address_can_connect():
    with _listening(0) as listener:
        socket.create_connection(listener.getsockname(), timeout=5).close()


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        Store(tmp_path / "file" / "state")
