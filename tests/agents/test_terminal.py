"""A person at the table: what is shown, what is understood, and every way in which it ends."""

from collections.abc import Iterator

import pytest

from agents import load
from agents.human import terminal
from agents.human.terminal import MatchLeft, choose, play, understand
from envs.core.aec import GameEnv
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


def kuhn(*answers: str, seat: int = 0, seed: int = 1):
    """A match of Kuhn poker against random play; returns the outcome and what was shown."""
    script = Script(*answers)
    env = GameEnv(KUHN, render_mode="ansi", render_seat=seat)
    env.reset(seed=seed, options={"dealer": 1})  # seat 0 acts first
    outcome = play(env, seat, {1 - seat: load(KUHN, "random")}, seed, script.ask, script.show)
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
    assert "player_0 " in text.splitlines()[-1]


def test_bad_answers_are_asked_again_and_change_nothing():
    outcome, text = kuhn("", "all in", "7", "help", "table", "1", "1")
    assert outcome is not None
    assert "'all in' is not legal now" in text
    assert "There is no number 7" in text
    assert terminal.HELP in text


@pytest.mark.parametrize("answers", [("quit",), ("q",), ("EXIT",), ()])
def test_the_match_can_be_left(answers):
    outcome, text = kuhn(*answers)
    assert outcome is None
    assert "left the match" in text


def test_leaving_is_told_apart_from_the_end_of_input():
    env = GameEnv(KUHN)
    env.reset(seed=1, options={"dealer": 1})
    script = Script("quit")
    with pytest.raises(MatchLeft):
        choose(env, 0, script.ask, script.show)
    with pytest.raises(EOFError):
        choose(env, 0, script.ask, script.show)


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
