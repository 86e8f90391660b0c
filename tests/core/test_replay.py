"""Replays: whole matches are verified, everything else is refused in one clear line."""

import copy
import hashlib
import io
import json
import pickle
import random

import numpy as np
import pytest

from agents.human.acts import hand_number, perform
from agents.human.viewer import Viewer
from envs import GAMES, truc_v0
from envs.conformance.subject import choose
from envs.core import replay as replays
from envs.core.aec import GameEnv
from envs.core.game import IllegalActionError
from envs.core.replay import (
    IncompleteReplayError,
    RecordGame,
    ReplayError,
    load_replay,
)
from tests.toys import kuhn

SHORT = {"puc_v0": {"only_hand": 1}}  # whole matches at random take thousands of decisions


def play(env, seed=1, decisions=10**6, **options) -> list[bytes]:
    """Play at random; the record before every decision, and at the end."""
    env.reset(seed=seed, options=options or None)
    return play_on(env, seed, decisions)


def play_on(env, seed=1, decisions=10**6) -> list[bytes]:
    chance = random.Random(seed)
    records = [env.unwrapped.states.tobytes()]
    while not any(env.terminations.values()) and len(records) <= decisions:
        env.step(choose(env, chance))
        records.append(env.unwrapped.states.tobytes())
    return records


def kuhn_match(path, decisions=10**6, **options) -> list[bytes]:
    return play(RecordGame(kuhn.env(), path, ["me", "you"]), 1, decisions, **options)


def load(path, **arguments):
    return load_replay(path, game=kuhn.GAME, **arguments)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


# Whole matches


@pytest.mark.parametrize("env_id", list(GAMES))
def test_a_match_comes_back_position_by_position(env_id, path):
    game = GAMES[env_id]
    env = RecordGame(GameEnv(game, **SHORT.get(env_id, {})), path)
    records = play(env, seed=3)
    match = load_replay(path)
    assert match.complete
    assert (match.game, match.config, match.seed) == (game, env.unwrapped.config, 3)
    assert len(match.moves) == len(records) - 1
    for n in {0, 1, len(records) // 2, len(records) - 1}:
        assert match.env_at(n).states.tobytes() == records[n]
    assert sum(match.result) == pytest.approx(0, abs=1e-5)


def test_what_a_file_says(path):
    kuhn_match(path, deck="K J Q", dealer=0)
    header, *moves, last = map(json.loads, path.read_text().splitlines())
    assert header["env"] == "kuhn_v0"
    assert header["options"] == {"deck": ["K", "J", "Q"], "dealer": 0}
    assert header["agents"] == ["me", "you"]
    assert moves[0] == {"seat": 1, "action": moves[0]["action"], "words": moves[0]["words"]}
    assert last["moves"] == len(moves)
    assert last["result"] == load(path).result


def test_the_same_match_is_the_same_file(tmp_path):
    for name in "ab":
        kuhn_match(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_matches_without_a_seed_and_with_decks_come_back(tmp_path):
    env = RecordGame(truc_v0.env(hands=2), tmp_path / "match.jsonl")
    pack = list(GAMES["truc_v0"].cards.texts)
    backwards = np.arange(len(pack))[::-1]
    ends = [play(env, seed=None)[-1], play(env, decks=[pack, backwards], dealer=np.int64(2))[-1]]
    for name, end in zip(("match.jsonl", "match-2.jsonl"), ends, strict=True):
        match = load_replay(tmp_path / name)
        assert match.env_at(len(match.moves)).states.tobytes() == end


def test_every_match_has_a_file_and_a_deal_without_a_decision_none(tmp_path):
    env = RecordGame(kuhn.env(), tmp_path / "match.jsonl")
    for seed in range(3):
        env.reset(seed=100)
        play(env, seed)
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"match.jsonl", "match-2.jsonl", "match-3.jsonl"}
    assert load(tmp_path / "match-3.jsonl").seed == 2


def test_nothing_is_overwritten(tmp_path, path):
    kuhn_match(path)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=r"match\.jsonl is there already"):
        RecordGame(kuhn.env(), path)
    env = RecordGame(kuhn.env(), tmp_path / "other.jsonl")
    play(env)
    (tmp_path / "other-2.jsonl").touch()
    with pytest.raises(FileExistsError, match=r"other-2\.jsonl"):
        env.reset(seed=1)
    assert path.read_bytes() == before


def test_agents_are_one_for_each_seat(path):
    with pytest.raises(ValueError, match="2 seats need 2 names, not 1"):
        RecordGame(kuhn.env(), path, ["me"])


def test_an_illegal_action_is_not_written(path):
    env = RecordGame(kuhn.env(), path)
    env.reset(seed=1)
    for action in (7, -1, 1.5, "bet"):
        with pytest.raises(IllegalActionError):
            env.step(action)
    assert not path.exists()
    play_on(env)
    assert load(path).complete


def test_copies_and_other_matches_are_not_recorded(path):
    env = RecordGame(kuhn.env(), path)
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped.get_state() == env.unwrapped.get_state()
        play_on(twin)
    assert not path.exists()
    env.set_state(env.unwrapped.get_state())
    play_on(env)
    assert not path.exists()
    play(env, seed=5)
    assert load(path).seed == 5


# What is refused


def test_a_match_that_was_left_is_known_to_be_unfinished(path):
    records = play(RecordGame(truc_v0.env(), path), decisions=20)
    with pytest.raises(IncompleteReplayError, match="ends after 20 moves, before its match does"):
        load_replay(path)
    match = load_replay(path, incomplete=True)
    assert not match.complete
    assert match.env_at(20).states.tobytes() == records[20]


@pytest.mark.parametrize("cut", [1, 30, 75, 120])
def test_a_truncated_file_is_refused_and_can_be_read_up_to_there(path, cut):
    kuhn_match(path)
    whole = load(path)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(IncompleteReplayError, match="cut short"):
        load(path)
    match = load(path, incomplete=True)
    assert match.moves == whole.moves[: len(match.moves)]
    assert match.result is None


def changed(path, change) -> None:
    lines = path.read_text().splitlines()
    change(lines)
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.__setitem__(0, lines[0].replace('"me"', '"you"')),
        lambda lines: lines.__setitem__(0, lines[0].replace('"seed": 1', '"seed": 2')),
        lambda lines: lines.__setitem__(1, lines[1].replace('"action": ', '"action": 1')),
        lambda lines: lines.__setitem__(-1, lines[-1].replace("-", "")),
        lambda lines: lines.pop(1),
        lambda lines: lines.insert(1, lines[1]),
        lambda lines: lines.append(lines[1]),
    ],
)
def test_a_changed_file_is_refused(path, change):
    kuhn_match(path)
    changed(path, change)
    for incomplete in (False, True):
        with pytest.raises(ReplayError, match="was changed after it was written"):
            load(path, incomplete=incomplete)


def reseal(path, change) -> None:
    """Change a file and give it the hash of what it says now."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    body = b"".join(replays._line(line) for line in lines[:-1])
    last = {k: v for k, v in lines[-1].items() if k != "hash"}
    last["hash"] = replays._seal(hashlib.sha256(body), last)
    path.write_bytes(body + replays._line(last))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[1].update(action=9), r"move 0: '.*' \(9\) is not legal"),
        (lambda lines: lines[1].update(words="raise"), "move 0: action . is '.*', not 'raise'"),
        (lambda lines: lines[1].update(seat=5), "move 0: it is of player_5, but player_. is to"),
        (lambda lines: lines[-1].update(result=[9.0, -9.0]), r"says .*9.0.* but its moves give"),
        (lambda lines: lines[-1].update(ended="truncated"), "says .*truncated.*, but its moves"),
        (lambda lines: lines.insert(-1, lines[-2]), "the match is over before it"),
        (lambda lines: lines.pop(-2), "but its moves give"),
        (lambda lines: lines[0].update(rules="0", config={"num_players": 3}), "num_players=3"),
        (lambda lines: lines[0].update(options={"deck": "K K"}), "misses"),
        (lambda lines: lines[0].update(key="no"), "cannot be played here"),
        (lambda lines: lines[0].update(agents=[]), "it names 0 agents"),
        (lambda lines: lines[0].update(version=99), "of format 99; known is 1"),
        (lambda lines: lines[0].pop("key"), "its first line lacks key"),
        (lambda lines: lines[0].update(format="?"), "is no replay"),
        (lambda lines: lines[1].pop("seat"), "line 2 is no move"),
    ],
)
def test_a_file_that_does_not_play_is_refused(path, change, says):
    kuhn_match(path)
    reseal(path, change)
    with pytest.raises(ReplayError, match=says):
        load(path)


def test_other_rules_are_named_where_the_moves_no_longer_fit(path):
    kuhn_match(path)
    reseal(path, lambda lines: lines[0].update(rules="0"))
    assert not load(path).same_rules
    reseal(path, lambda lines: lines[1].update(action=9))
    with pytest.raises(ReplayError, match="not legal; it was recorded with other rules"):
        load(path)


@pytest.mark.parametrize("content", ["", "no JSON\n", "[]\n", "{}\n", "\x00\x01"])
def test_what_is_no_replay_is_refused(path, content):
    path.write_text(content)
    with pytest.raises(ReplayError, match="is no replay"):
        load_replay(path)


def test_a_game_that_is_not_there_and_a_file_that_is_not_there(path):
    kuhn_match(path)
    with pytest.raises(ReplayError, match="no game 'kuhn_v0'"):
        load_replay(path)
    with pytest.raises(FileNotFoundError):
        load_replay(path.with_name("nothing"))


def test_a_file_of_another_game_is_refused(path):
    kuhn_match(path)
    with pytest.raises(ReplayError, match="is a match of kuhn_v0, not of truc_v0"):
        load_replay(path, game="truc")


def test_positions_are_counted_from_0_to_the_end(path):
    kuhn_match(path)
    match = load(path)
    for n in (-1, len(match.moves) + 1):
        with pytest.raises(ValueError, match=f"they go from 0 to {len(match.moves)}"):
            match.env_at(n)
    assert match.env_at(0, render_mode="ansi").render()


# What seats see


def told(env_id: str, seat: int, decisions: int = 60, **options) -> list[tuple[int, str, str]]:
    """(who moved, the words, what the seat is told) of a random match."""
    env = GameEnv(GAMES[env_id], **options)
    env.reset(seed=2)
    chance, found = random.Random(2), []
    while not env.terminations[env.agent_selection] and len(found) < decisions:
        act = perform(env, choose(env, chance))
        found.append((act.seat, act.words, act.heard(seat) or ""))
        assert act.heard(None) == act.heard(act.seat) == act.words
    return found


def test_a_sealed_bet_is_secret_and_the_second_bet_opens_it():
    for mover, words, shown in told("poker_builder_v0", seat=1):
        assert shown == words if mover == 1 else shown == ""
    assert all(shown == words for _, words, shown in told("poker_builder_v0", seat=0))
    for mover, words, shown in told("poker_builder_v0", seat=0, hide_discards=True):
        assert bool(shown) == (mover == 0 or words == "joker")


def test_the_choice_of_up_cards_is_secret_but_for_the_last_which_opens_all():
    kept = [(m, s) for m, w, s in told("balco_v0", seat=1, num_players=4) if "keep" in w]
    assert len(kept) == 4
    assert [bool(shown) for mover, shown in kept[:-1]] == [mover == 1 for mover, _ in kept[:-1]]
    assert kept[-1][1]


def test_signals_are_for_the_partner():
    found = told("truc_v0", seat=0, signals="partner")
    signals = [(m, s) for m, w, s in found if w.startswith("senya")]
    assert {bool(shown) for mover, shown in signals if mover == 2} == {True}
    assert {bool(shown) for mover, shown in signals if mover % 2} == {False}


@pytest.mark.parametrize("env_id", ["puc_v0", "quatre_duros_v0"])
def test_all_acts_are_public(env_id):
    assert all(shown == words for _, words, shown in told(env_id, seat=1))


@pytest.mark.parametrize(
    ("env_id", "options"),
    [
        ("truc_v0", {"signals": "partner"}),
        ("puc_v0", {"only_hand": 1}),
        ("balco_v0", {}),
        ("poker_builder_v0", {}),
        ("poker_builder_v0", {"hide_discards": True, "leftovers": "keep"}),
    ],
)
def test_no_card_is_told_that_the_table_does_not_show(env_id, options):
    env = GameEnv(GAMES[env_id], **options)
    chance, named = random.Random(4), 0
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(150):
            hand, act = hand_number(env), perform(env, choose(env, chance))
            seat = (act.seat + 1) % len(env.possible_agents)
            words = act.heard(seat) or ""
            if env.terminations[env.agent_selection]:
                break
            if hand_number(env) == hand:  # a new hand's table shows no more of the one before
                cards = {word.strip(":") for word in words.split()} & {*env.game.cards.texts}
                shown = repr(env.table(seat))
                assert all(f"'{card}" in shown or f"{card}+" in shown for card in cards), words
                named += len(cards)
    assert bool(named) != options.get("hide_discards", False)


# The viewer


def printed(path, seat=None, act=Viewer.whole, **options) -> str:
    kuhn_match(path, **options)
    out = io.StringIO()
    act(Viewer(load(path), seat, show=lambda text: print(text, file=out)))
    return out.getvalue()


def test_the_whole_match_is_printed(path):
    text = printed(path, deck="K J Q", dealer=0)
    assert "Kuhn poker, seed 1: " in text
    assert "by player_0 me, player_1 you" in text
    assert "  0. player_1: " in text
    assert "The match is over: player_0 " in text


def test_what_a_move_brought_is_printed(tmp_path):
    env = RecordGame(GameEnv(GAMES["puc_v0"], only_hand=1), path := tmp_path / "puc.jsonl")
    env.reset(seed=1)
    card = env.unwrapped.zones()["discard"][-1]
    env.step(env.unwrapped.parse_action("take"))
    env.close()
    out = io.StringIO()
    replay = load_replay(path, incomplete=True)
    Viewer(replay, 0, show=lambda text: print(text, file=out)).whole()
    assert f": take → {card}\n" in out.getvalue()
    assert "Puc, seed 1: 1 move\n" in out.getvalue()


def test_a_seat_sees_no_card_of_another(path):
    text = printed(path, seat=0, deck="K J Q", dealer=0)
    assert "hand: J" in text
    assert "hand: K" not in text
    assert "hand: Q" not in text


def test_one_walks_forth_and_back_and_jumps(path):
    prompts = []
    answers = iter(["", "b", "b", "2", "99", "what", "q"])

    def ask(prompt):
        prompts.append(prompt)
        return next(answers)

    text = printed(path, act=lambda viewer: viewer.walk(0, ask))
    last = len(load(path).moves)
    assert prompts == [f"[{n}/{last}] " for n in (0, 1, 0, 0, 2, 2, 2)]
    assert text.count("this is") == 3


def test_the_end_of_the_input_ends_the_walk(path):
    def ask(prompt):
        raise EOFError

    assert "hand: " in printed(path, act=lambda viewer: viewer.walk(1, ask))
