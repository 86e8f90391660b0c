"""The command ``naips``, with Kuhn poker as its only game."""

import io
import json
import os
import subprocess
import sys

import pytest

import agents
from envs import GAMES, find_game
from envs.core.aec import GameEnv
from envs.core.replay import RecordGame
from tests.toys.players import leave_checkpoint
from tests.training.settings import SMALL
from training import dispatch, docs, ladder, ppo
from training.cli import main
from training.commands import COMMANDS
from training.tournament import read_report

KUHN = "tests.toys.kuhn"


@pytest.fixture(autouse=True)
def only_kuhn(monkeypatch):
    monkeypatch.setattr(GAMES, "_modules", {"kuhn_v0": KUHN})
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def run(capsys):
    """Run a command line; returns its exit code, output and errors."""

    def command(line: str):
        try:
            code = main(line.split())
        except SystemExit as left:
            code = left.code
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def typed(monkeypatch):
    """Let standard input be a pipe with these lines."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_ctrl_c_ends_the_command_quietly(run, monkeypatch):
    def interrupted(words):
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "run", interrupted)
    assert run("play kuhn") == (130, "", "\n")


def test_ctrl_c_while_the_libraries_are_loaded_is_no_traceback(tmp_path):
    (tmp_path / "numba.py").write_text("raise KeyboardInterrupt\n")
    paths = [str(tmp_path), *sys.path]
    done = subprocess.run(
        [sys.executable, "-m", "training.cli", "games"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\n")


@pytest.mark.parametrize("line", ["", "--help", "-h", "help"])
def test_the_overview_names_commands_and_games(run, line):
    code, out, _ = run(line)
    assert code == 0
    for word in [*COMMANDS, "kuhn_v0", "naips train truc"]:
        assert word in out


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_teaches_itself_with_an_example(run, name):
    code, out, _ = run(f"{name} --help")
    assert code == 0
    assert f"\n  naips {name} truc" in out
    assert "Args:" not in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("lern kuhn", "no command 'lern'"),
        ("rules kunh", "no game 'kunh'; known: kuhn_v0"),
        ("evaluate tric random", "no game 'tric'"),
        ("evaluate kuhn radnom", "no agent 'radnom' (did you mean 'random'?)"),
        ("evaluate kuhn random --against stong", "no agent 'stong'"),
        ("evaluate kuhn random --blocks 1", "--blocks 1"),
        ("evaluate kuhn random --num-players 3", "num_players=3: Kuhn poker is played by 2"),
        ("evaluate kuhn random --option legs=3", "no option 'legs'"),
        ("evaluate kuhn random --option legs", "'legs': this is written name=value"),
        ("evaluate kuhn random --option num_players=2", "--num-players"),
        ("play kuhn --seat 2", "--seat 2: seats go from 0 to 1"),
        ("play kuhn --against random random", "--against: give one agent for all, or 1, not 2"),
        ("play kuhn --seed -1", "--seed -1"),
        ("play kuhn --record README.md", "--record README.md is there already"),
        ("replay README.md", "README.md is no replay"),
        ("replay nothing.jsonl", "nothing.jsonl"),
        ("evaluate kuhn random --replays tests", "--replays tests: name a new or an empty folder"),
        ("evaluate kuhn random --replay-blocks 0", "--replay-blocks 0: allowed are 1 to 1000"),
        ("train kuhn --minutes 0", "--minutes 0"),
        ("train kuhn --minutes nan", "--minutes nan"),
        ("train kuhn --set entropy", "'entropy': this is written name=value"),
        ("train kuhn --minutes inf", "--minutes inf"),
        ("train kuhn --seed -1", "--seed -1"),
        ("train kuhn --set games=many", "games='many': allowed are integers"),
        ("train kuhn --set seed=1", "with --seed"),
        ("train kuhn --set options=1", "with --option"),
        ("train kuhn --set past_every=0", "past_every=0: allowed are integers from 1"),
        ("train kuhn --set hidden=wide", "hidden='wide': allowed are integers"),
        ("train kuhn --set learning_rate=nan", "learning_rate=nan: allowed are numbers"),
        ("train kuhn --out README.md", "README.md cannot hold a training run"),
        ("train kuhn --out README.md/run", "README.md/run cannot hold a training run"),
        ("evaluate kuhn random --seed -1", "--seed -1"),
        ("evaluate kuhn random --processes 0", "--processes 0"),
        ("evaluate kuhn random --out tests", "tests: this is a folder"),
        ("evaluate kuhn random --out report.png", "name a JSON file"),
        ("evaluate kuhn random --out README.md/a.json", "README.md cannot hold a report: File"),
        ("evaluate kuhn random --replays README.md", "README.md cannot hold replays: File"),
        ("tournament kuhn random", "at least 2 different agents, not 1"),
        ("tournament kuhn random radnom", "no agent 'radnom'"),
        ("tournament kuhn --blocks 1", "--blocks 1"),
        ("tournament kuhn --search-blocks 1", "--search-blocks 1"),
        ("tournament kuhn random ismcts:9 --out tests", "tests holds something else"),
        ("ladder kuhn --processes 0", "--processes 0"),
        ("ladder kuhn random", "at least 2 different agents, not 1"),
        ("exploit kuhn radnom", "no agent 'radnom'"),
        ("exploit kuhn random --steps 0", "--steps 0"),
        ("exploit kuhn random --minutes 0", "--minutes 0"),
        ("exploit kuhn random --calibration 2", "--calibration 2: allowed are numbers from 0 to 1"),
        ("exploit kuhn random --responder-blocks 1", "--responder-blocks 1"),
        ("exploit kuhn random --responders stong", "no agent 'stong'"),
        ("exploit kuhn random --set seed=1", "with --seed"),
        ("exploit kuhn random --out tests", "tests holds something else"),
        ("exploit kuhn random --out README.md", "README.md holds something else"),
        ("exploit kuhn random --card", "'random' has no card; name a checkpoint"),
        ("exploit kuhn ismcts:9", "'ismcts:9' thinks too long"),
        ("crossplay kuhn random random random", "no game of two teams with partners"),
        ("crossplay kuhn random --out tests", "tests holds something else"),
        ("bench kuhn --games 0", "--games 0"),
        ("stats kuhn --matches 0", "--matches 0"),
        ("stats kuhn --seed -1", "--seed -1"),
        ("stats kuhn radnom", "no agent 'radnom'"),
        ("bench kuhn --seconds 0", "--seconds 0"),
        ("evaluate kuhn ismcts", "a search is written METHOD:BUDGET"),
        ("advise kuhn --search random", "--search random: allowed are ismcts:1000"),
        ("advise kuhn --actions raise", "action 1, 'raise'"),
        ("advise kuhn --actions pass,pass", "the match is over in this position"),
        ("advise kuhn --actions pass,pass,bet", "action 3, 'bet': the match is over before it"),
        ("advise kuhn --reset deck=X", "X"),
        ("advise kuhn --reset dealer=7", "dealer=7: seats go from 0 to 1"),
        ("advise kuhn --seed -1", "--seed -1"),
        ("advise kuhn --reset dealer=1 --seat 1", "--seat 1: player_0 is to act here"),
        ("advise kuhn --move 1", "name its --replay"),
        ("advise kuhn --replay nothing.jsonl", "--replay needs --move"),
        ("advise kuhn --replay nothing.jsonl --move 0", "No such file"),
        ("advise kuhn --replay a.jsonl --move 0 --actions bet", "leave away --num-players"),
        ("bench kuhn --seconds nan", "--seconds nan"),
    ],
)
def test_mistakes_are_answered_by_one_line_and_code_2(run, line, says):
    code, out, err = run(line)
    assert code == 2
    assert out == ""
    assert err.startswith("naips: ")
    assert err.count("\n") == 1
    assert says in err


@pytest.mark.parametrize(
    "line", ["evaluate kuhn random --blcks 3", "evaluate", "play kuhn --seat x"]
)
def test_other_mistakes_point_to_the_help(run, line):
    code, _, err = run(line)
    assert code == 2
    assert "--help" in err
    assert "Traceback" not in err


def test_evaluate_prints_a_table_and_saves_a_report_that_repeats(run, tmp_path):
    line = f"evaluate kuhn random --against random --blocks 20 --seed 3 --out {tmp_path}"
    code, out, _ = run(f"{line}/first.json")
    assert code == 0
    assert "matches won" in out
    run(f"{line}/second.json")
    first, second = (
        json.loads((tmp_path / name).read_text()) for name in ("first.json", "second.json")
    )
    assert first["report"] == second["report"]
    assert first["report"]["seed"] == 3


def test_evaluate_measures_against_all_others_unless_told(run):
    _, out, _ = run("evaluate kuhn random --blocks 10")
    assert "10 duplicate blocks" in out


def test_a_picture_is_put_beside_the_report(run, tmp_path):
    assert run(f"evaluate kuhn random --blocks 10 --out {tmp_path}/report.json")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "report.png"]


def test_a_ladder_is_kept_for_the_readme_and_its_command_makes_it_again(run, tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "REPORTS", tmp_path / "kept")
    line = "ladder kuhn random ismcts:9 --blocks 20 --search-blocks 10"
    code, out, _ = run(f"{line} --keep --out {tmp_path}/first")
    assert code == 0
    assert "rating" in out and "ismcts:9" in out
    [report] = ladder.kept_reports()
    assert run(f"{ladder.command(report).removeprefix('naips ')} --out {tmp_path}/again")[0] == 0
    first, again = (read_report(tmp_path / name / "report.json") for name in ("first", "again"))
    assert first.to_json() == again.to_json() == report.to_json()
    table = docs.ladder()
    assert "| Kuhn poker, 2 | `ismcts:9` |" in table
    assert ladder.command(report) in table


def test_a_tournament_says_where_its_report_is(run, tmp_path):
    code, out, _ = run(f"tournament kuhn random ismcts:9 --blocks 4 --out {tmp_path}/t")
    assert code == 0
    assert "matrix.png, parts, report.json, tournament.json" in out


def test_a_study_shows_what_it_gained_and_resumes(run, tmp_path):
    line = f"exploit kuhn random --steps 60000 --blocks 50 --out {tmp_path}/study"
    code, out, _ = run(line)
    assert code == 0
    assert "exploiter" in out and "not calibrated" in out
    report = json.loads((tmp_path / "study" / "report.json").read_text())["report"]
    assert report["gains"][0]["agent"] == "random"
    code, again, _ = run(line)
    assert (code, again) == (0, out)


def test_a_study_of_a_trained_agent_is_written_on_its_card(run, tmp_path):
    checkpoint = ppo.train(find_game("kuhn"), SMALL, tmp_path / "run", quiet=True)
    line = f"exploit kuhn {tmp_path}/run --blocks 20 --responders --out {tmp_path}/study --card"
    code, out, _ = run(line)
    assert code == 0
    assert f"The card in {checkpoint}/policy.safetensors says so too" in out
    card = json.loads((checkpoint / "card.json").read_text())
    [gain] = card["exploitability"]["gains"]
    assert gain["agent"] == str(checkpoint)
    assert gain["training"]["steps"] == 2 * card["training"]["steps"]
    assert run(f"evaluate kuhn {tmp_path}/run --blocks 2")[0] == 0


def test_rules_prints_the_page_plainly_into_a_pipe(run):
    code, out, _ = run("rules kuhn")
    assert code == 0
    assert out.startswith("Kuhn poker as a game of the engine")


def test_stats_describe_matches(run):
    code, out, _ = run("stats kuhn --matches 500 --json")
    figures = json.loads(out)
    assert code == 0
    assert figures["decisions_per_match"]["longest"] == 3
    assert figures["legal_actions"] == 2
    assert figures["forced"] == figures["truncated"] == 0
    assert sum(figures["first_places"]) == pytest.approx(1, abs=0.002)
    code, out, _ = run("stats kuhn --matches 10")
    assert code == 0
    assert "legal actions" in out


@pytest.mark.parametrize("line", ["rules kuhn", "train --help", "evaluate kuhn random --blocks 2"])
def test_a_pipe_that_knows_only_ascii_is_written_to(run, monkeypatch, line):
    pipe = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", pipe)
    assert run(line)[0] == 0
    pipe.flush()
    assert pipe.buffer.getvalue().isascii()


def test_bench_measures(run):
    code, out, _ = run("bench kuhn --games 64 --seconds 0.05 --no-start-up --json")
    figures = json.loads(out)
    assert code == 0
    assert figures["env_id"] == "kuhn_v0"
    assert figures["observation_places"] == 10
    assert 2 <= figures["decisions_per_match"] <= 3
    assert figures["batch_1_core"] > 0
    assert figures["aec"] > 0
    assert figures["ismcts"] > 0
    code, out, _ = run("bench kuhn --games 64 --seconds 0.05 --no-start-up")
    assert code == 0
    assert "state bytes" in out


def test_advise_ranks_what_is_legal(run):
    """Seat 1 has the king, and seat 0 has bet: a call wins two, a pass loses one."""
    line = "advise kuhn --reset dealer=1 --reset deck=Q,K --actions bet --search ismcts:100"
    code, out, err = run(f"{line} --policy random --json".replace("Q,K", "[Q,K]"))
    assert (code, err) == (0, "")
    advice = json.loads(out)
    assert (advice["seat"], advice["rounds"]) == (1, 100)
    best, other = advice["actions"]
    assert (best["action"], best["value"]) == ("bet", 2)
    assert (other["action"], other["value"]) == ("pass", -1)
    assert best["tried"] > other["tried"]
    assert best["policy"] + other["policy"] == 1
    code, out, _ = run("advise kuhn --seed 3")
    assert code == 0
    assert "is to act; 2,000 rounds of ismcts:2000" in out


@pytest.fixture
def bet_and_called(tmp_path):
    """A match of Kuhn poker: seat 0 bets the queen, seat 1 calls with the king."""
    env = RecordGame(GameEnv(find_game("kuhn")), tmp_path / "kuhn.jsonl")
    env.reset(seed=1, options={"dealer": 1, "deck": ["Q", "K", "J"]})
    for _ in range(2):
        env.step(env.unwrapped.parse_action("bet"))
    return tmp_path / "kuhn.jsonl"


def test_advise_takes_a_move_of_a_recorded_match(run, bet_and_called):
    """Before move 1 seat 1 is to answer the bet: as above, but out of the file."""
    line = f"advise kuhn --replay {bet_and_called} --move 1 --search ismcts:100 --policy random"
    code, out, err = run(f"{line} --seat 1 --json")
    assert (code, err) == (0, "")
    told = "advise kuhn --reset dealer=1 --reset deck=[Q,K] --actions bet --search ismcts:100"
    assert out == run(f"{told} --policy random --json")[1]
    code, out, _ = run(line)
    assert code == 0
    assert "player_1 is to act; 100 rounds of ismcts:100" in out


def test_advise_says_what_is_wrong_with_a_move_or_its_file(run, bet_and_called):
    cut = bet_and_called.with_name("cut.jsonl")
    cut.write_bytes(b"".join(bet_and_called.read_bytes().splitlines(keepends=True)[:2]))
    for line, says in (
        (f"kuhn --replay {bet_and_called} --move 2", "move 2: it has moves 0 to 1"),
        (f"kuhn --replay {bet_and_called} --move -1", "move -1: it has moves 0 to 1"),
        (f"kuhn --replay {bet_and_called} --move 0 --seat 1", "--seat 1: player_0 is to act"),
        (f"kuhn --replay {cut} --move 0", "ends after 1 moves, before its match does"),
        (f"kuhn --replay {cut} --move 2 --incomplete", "move 2: it has moves 0 to 1"),
    ):
        code, out, err = run(f"advise {line}")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert says in err
    code, out, _ = run(f"advise kuhn --replay {cut} --move 1 --incomplete --search ismcts:9")
    assert code == 0
    assert "player_1 is to act" in out


def test_play_ends_with_the_match(run, typed):
    typed("1\n1\n1\n")
    code, out, _ = run("play kuhn --seed 1")
    assert code == 0
    assert "The match is over." in out


def test_a_recorded_match_is_stepped_through(run, typed, tmp_path):
    file = tmp_path / "kuhn.jsonl"
    typed("1\n1\n1\n")
    code, out, _ = run(f"play kuhn --seed 1 --against random --record {file}")
    assert code == 0
    assert f"naips replay {file}\n" in out
    code, out, _ = run(f"replay {file}")
    assert code == 0
    assert "seed 1" in out
    assert "a person" in out and "random" in out
    assert "The match is over: player_0 " in out
    code, out, _ = run(f"replay {file} --step 1 --seat 0 --ascii")
    assert code == 0
    assert out.isascii()
    assert "seen by player_0" in out and "\n  1. player_" in out
    for flags, says in (("--seat 2", "--seat 2: allowed are all and"), ("--step 99", "--step 99")):
        code, out, err = run(f"replay {file} {flags}")
        assert (code, out) == (2, "")
        assert says in err


def test_a_match_that_was_left_is_shown_when_asked_for(run, typed, tmp_path):
    file = tmp_path / "kuhn.jsonl"
    for seed in range(9):  # until the person is not asked first, so that something was played
        typed("quit\n")
        _, out, _ = run(f"play kuhn --seed {seed} --against random --record {file}")
        if file.exists():
            break
    assert f"naips replay {file} --incomplete" in out
    code, _, err = run(f"replay {file}")
    assert code == 2
    assert "before its match does" in err
    code, out, _ = run(f"replay {file} --incomplete")
    assert code == 0
    assert "The file ends here" in out


@pytest.mark.parametrize("trained", [False, True])
def test_evaluate_keeps_the_matches_that_it_counts(run, tmp_path, trained):
    from envs.core.replay import load_replay
    from training.evaluate import play_blocks

    agent, folder = "random", tmp_path / "kept"
    if trained:
        agent = str(tmp_path / "run")
        leave_checkpoint(tmp_path / "run", 1, bet=0.5)
    line = f"evaluate kuhn {agent} --against random --blocks 9 --seed 4 --replay-blocks 3"
    code, out, _ = run(f"{line} --replays {folder}")
    assert code == 0
    assert "6 of them" in out
    game = GAMES["kuhn_v0"]
    players = (agents.load(game, agent), agents.load(game, "random"))
    rewards = play_blocks(game, game.configure(), players, 4, 0, 9).rewards
    for block in range(3):
        for rotation in range(2):
            [file] = folder.glob(f"*-random-block-{block}-rotation-{rotation}.jsonl")
            replay = load_replay(file)
            assert replay.result == rewards[block, rotation].tolist()
            assert replay.agents[rotation] == players[0].name


@pytest.mark.parametrize("text", ["", "quit\n", "nonsense\n", "help\n99\nq\n"])
def test_play_ends_when_the_person_leaves(run, typed, text):
    typed(text)
    code, out, err = run("play kuhn --seed 1 --seat 1 --ascii")
    assert code == 0
    assert "left the match" in out
    assert err == ""


def test_play_needs_an_input_and_takes_bytes_that_are_no_text(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    code, _, err = run("play kuhn")
    assert code == 2
    assert "standard input" in err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"h\xe9lp\nquit\n"), "utf-8"))
    code, out, _ = run("play kuhn --seed 1")
    assert code == 0
    assert "is not legal now" in out


def test_an_interrupt_ends_quietly(run, monkeypatch):
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    code, _, err = run("play kuhn --seed 1")
    assert code == 130
    assert err == "\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-1", -1),
        ("0.5", 0.5),
        ("5e-4", 5e-4),
        ("true", True),
        ("False", False),
        ("none", None),
        ("peus", "peus"),
        ("[1,2, x]", [1, 2, "x"]),
        ("[]", []),
        ("{reward=rank, hands=3}", {"reward": "rank", "hands": 3}),
    ],
)
def test_values_of_options_are_understood(text, value):
    from training.arguments import parse_value

    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


def test_the_texts_of_an_option_come_before_none():
    from envs.core.game import Option
    from training.arguments import _value

    twos = Option("twos", "after_threes", "", choices=("after_threes", "none"))
    hands = Option("hands", None, "", low=1, allow_none=True)
    assert _value(twos, "none") == "none"
    assert _value(hands, "none") is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play", "name a game"),
        ("play kuhn --lang fr", "known: ca, en, es"),
        ("play kuhn --web --seat 1", "are chosen there"),
        ("play tarot --web", "known: kuhn_v0"),
        ("play --web --port 70000", "allowed are 0 to 65535"),
    ],
)
def test_a_table_that_cannot_be_set_is_explained(run, typed, tmp_path, line, says):
    typed("")
    state = f" --state {tmp_path}" if "--web" in line else ""
    code, out, error = run(line + state)
    assert (code, out) == (2, "")
    assert says in error
