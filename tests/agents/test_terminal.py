"""A person at the table: what is shown, what is understood, and every way in which it ends."""

import time
from collections.abc import Iterator

import pytest

from agents import load
from agents.human import terminal
from agents.human.language import CODES, language
from agents.human.terminal import MatchLeft, Person, patiently, play, understand
from envs import GAMES
from envs.core.aec import GameEnv
from tests.games.positions_balco import position
from tests.toys.kuhn import GAME as KUHN

LEGAL = {4: "play 11B", 9: "play 11C", 40: "truc"}


class Script:
    """Answers given in advance, and all that was shown."""

    def __init__(self, *answers: str):
        self._answers: Iterator[str] = iter(answers)
        self.shown: list[str] = []

    def ask(self, prompt: str) -> str:
        try:
            return next(self._answers)
        except StopIteration:
            raise EOFError from None

    def show(self, text: str) -> None:
        self.shown.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def kuhn(*answers: str, seat: int = 0, seed: int = 1, code: str = "en"):
    """A match of Kuhn poker against random play; returns the outcome and what was shown."""
    script = Script(*answers)
    env = GameEnv(KUHN, render_mode="ansi", render_seat=seat)
    env.reset(seed=seed, options={"dealer": 1})  # seat 0 acts first
    others = {1 - seat: load(KUHN, "random")}
    outcome = play(env, seat, others, seed, script.ask, script.show, language(code))
    return outcome, script.text


@pytest.mark.parametrize(
    ("answer", "action"),
    [("1", 4), ("3", 40), ("truc", 40), ("play 11b", 4), ("play 11C", 9), ("t", 40)],
)
def test_a_number_words_or_their_beginning_mean_an_action(answer, action):
    assert understand(answer.lower(), LEGAL) == action


@pytest.mark.parametrize(
    ("answer", "says"),
    [("0", "1 to 3"), ("4", "1 to 3"), ("play", "can mean"), ("envida", "not legal")],
)
def test_other_answers_are_explained(answer, says):
    with pytest.raises(ValueError, match=says):
        understand(answer, LEGAL)


def test_a_match_is_played_to_its_end():
    outcome, text = kuhn("bet", "bet")
    assert outcome is not None
    assert sum(outcome.values()) == 0
    assert "The match is over." in text
    assert "Player 0 " in text.splitlines()[-1]


def test_bad_answers_are_asked_again_and_change_nothing():
    outcome, text = kuhn("", "all in", "7", "help", "table", "1", "1")
    assert outcome is not None
    assert "'all in' is not legal now" in text
    assert "There is no number 7" in text
    assert language().text("help") in text


@pytest.mark.parametrize("answers", [("quit",), ("q",), ("EXIT",), ()])
def test_the_match_can_be_left(answers):
    outcome, text = kuhn(*answers)
    assert outcome is None
    assert "left the match" in text


def test_leaving_is_told_apart_from_the_end_of_input():
    env = GameEnv(KUHN)
    env.reset(seed=1, options={"dealer": 1})
    script = Script("quit")
    person = Person(env, 0, script.ask, script.show)
    with pytest.raises(MatchLeft):
        person.choose()
    with pytest.raises(EOFError):
        person.choose()


def test_nothing_hidden_is_shown():
    """Two deals that differ in what the person cannot see look the same until the end."""
    shown = []
    for deck in ("J Q K", "J K Q"):
        env = GameEnv(KUHN, render_mode="ansi", render_seat=0)
        env.reset(seed=1, options={"dealer": 1, "deck": deck})
        script = Script()
        assert play(env, 0, {1: load(KUHN, "random")}, 1, script.ask, script.show) is None
        shown.append(script.text)
    assert shown[0] == shown[1]


def test_the_menu_fits_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    texts = [f"play {number}" for number in range(12)]
    menu = terminal._menu(texts)
    assert max(map(len, menu.splitlines())) <= 40
    assert all(text in menu for text in texts)


def test_what_the_others_do_is_told_and_can_be_read_again():
    for seed in range(20):
        _, text = kuhn("pass", "log", "quit", seed=seed)
        if text.count("Player 1: bet") == 2:  # it bet, so that there is another decision
            break
    assert "Player 0: pass\nPlayer 1: bet" in text


def test_what_an_act_of_ones_own_brought_is_printed():
    env = position(["", "11 3", "11"], down=["6 3"], pile="12")
    script = Script("flip")
    others = {seat: load("balco_v0", "random", num_players=3) for seat in (1, 2)}
    play(env, 0, others, 1, script.ask, script.show)
    assert "Player 0: flip → 6, taken with the pile" in script.shown


def test_help_says_who_plays_at_the_table():
    _, text = kuhn("help", "quit")
    assert "\n  random: plays at random" in text


def test_a_long_wait_is_explained(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    said: list[str] = []
    with patiently(said.append, language()):
        pass
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    with patiently(said.append, language("ca")):
        end = time.monotonic() + 10
        while not said and time.monotonic() < end:
            time.sleep(0.01)
    assert said == [language("ca").text("patience")]


def test_what_is_done_in_secret_is_not_told():
    env = GameEnv(GAMES["poker_builder_v0"])
    env.reset(seed=1)
    script = Script("1")
    play(env, 1, {0: load("poker_builder_v0", "random")}, 1, script.ask, script.show)
    acts = [line for line in script.shown if line.startswith("Player 0: ")]
    assert set(acts) == {"Player 0: chooses in secret"}


def test_a_hint_ranks_every_legal_action_and_plays_none():
    _, text = kuhn("hint", "quit")
    assert "rounds of ismcts" in text
    table = text[text.index("action ") :].splitlines()
    assert sorted(line.split()[0] for line in table[1:3]) == ["bet", "pass"]


@pytest.mark.parametrize("code", CODES)
def test_a_person_is_spoken_to_in_its_language(code):
    tongue = language(code)
    words = [tongue.text(f"word_{name}") for name in ("help", "table", "hint", "quit")]
    outcome, text = kuhn("all in", *words, code=code)
    assert outcome is None
    for key in ("help", "left"):
        assert tongue.text(key) in text
    assert tongue.text("not_legal", answer="'all in'") in text


@pytest.mark.parametrize("answer", ["play 11B", "juga 11B", "juga 11b"])
def test_words_are_understood_as_the_game_says_them_and_in_the_language(answer):
    env = GameEnv(GAMES["truc_v0"])
    mine = ["11B", "1E", "7O"]
    pack = map(env.game.cards.text, env.game.pack(env.config))
    deck = mine + [card for card in pack if card not in mine]
    env.reset(seed=1, options={"deck": deck, "dealer": 3})
    script = Script(answer)
    person = Person(env, 0, script.ask, script.show, language("ca"))
    assert env.action_text(person.choose()) == "play 11B"
