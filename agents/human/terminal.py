"""A person in a terminal against agents.

The person sees what its seat may see, what the others do, and a numbered list of the legal actions
in words; nothing that the others hold or do in secret is printed, since everything comes from that
seat's view.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Timer

import numpy as np

from agents.base import Agent, ask_one, streams
from agents.hints import Adviser, Hint
from agents.human.acts import Act, hand_number, perform
from agents.human.language import Language, language
from agents.human.players import meaning
from agents.human.words import act_words, heard_words
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text, print_anywhere, to_ascii

COMMANDS = ("hint", "log", "table", "help", "quit")  # English ones are known in every language
SHORT = {"h": "help", "?": "help", "q": "quit", "exit": "quit"}
LINES = 30  # of the log, at most
HINTS = 8
PATIENCE = 4.0  # seconds; after so long it is said why nothing happens

Ask = Callable[[str], str]
Show = Callable[[str], None]


class MatchLeft(Exception):  # noqa: N818 - leaving is no error
    """The person has left the match."""


def play(
    env: GameEnv,
    seat: int,
    others: Mapping[int, Agent],
    seed: int = 0,
    ask: Ask = input,
    show: Show = print_anywhere,
    tongue: Language | None = None,
) -> dict[str, float] | None:
    """One match, from the state in which ``env`` is (just reset) to its end.

    Args:
        env: the raw environment, or one that records it.
        seat: where the person sits.
        others: the agents at the other seats.
        seed: of the agents' chance.
        ask: shows a prompt and returns a line; EOFError ends the match.
        show: prints a text.
        tongue: the language; English unless given.

    Returns:
        The total reward of every seat, or None if the person left.
    """
    names = [other.name for other in others.values()]
    person = Person(env.unwrapped, seat, ask, show, tongue, names)
    rngs = streams(seed, len(env.possible_agents))
    totals = dict.fromkeys(env.possible_agents, 0.0)
    person.tell(person.tongue.text("greeting", n=seat))
    try:
        while env.agents:
            name = env.agent_selection
            _, reward, terminated, truncated, _ = env.last(observe=False)
            totals[name] += reward
            if terminated or truncated:
                env.step(None)
                continue
            at = env.possible_agents.index(name)
            if at == seat:
                action = person.choose()
            else:
                with patiently(person.tell, person.tongue):
                    action = ask_one(others[at], env.unwrapped, rngs[at : at + 1])
            _step(env, person, action)
    except (EOFError, MatchLeft):
        person.tell("\n" + person.tongue.text("left"))
        return None
    person.tell(f"\n{person.view()}\n\n{person.tongue.text('over')}.\n{person.books(totals)}")
    return totals


@contextmanager
def patiently(show: Show, tongue: Language) -> Iterator[None]:
    """Where this takes long, as what has to be compiled does, tell whoever sits there why."""
    timer = Timer(PATIENCE, show, [tongue.text("patience")])
    timer.daemon = True
    if sys.stdout.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _step(env: GameEnv, person: "Person", action: int) -> None:
    """Play an action; where it ends a hand, show how that stood, for the next is dealt at once."""
    before, hand = person.view(), hand_number(person.env)
    act = perform(person.env, action, env.step)
    person.hears(act)
    if hand_number(person.env) != hand:
        person.tell(person.end_of_hand(before, act))


class Person:
    """Somebody at the terminal: what is shown to them, and what they answer.

    Args:
        env: the raw environment.
        seat: where they sit.
        ask: shows a prompt and returns a line.
        show: prints a text.
        tongue: their language.
        rivals: the agents at the other seats, as they were named.
    """

    def __init__(
        self,
        env: GameEnv,
        seat: int,
        ask: Ask = input,
        show: Show = print_anywhere,
        tongue: Language | None = None,
        rivals: Sequence[str] = (),
    ):
        self.env, self.seat, self.tongue = env, seat, tongue or language()
        self._rivals = list(dict.fromkeys(rivals))
        self._ask, self._show = ask, show
        self._log: list[str] = []
        self._adviser: Adviser | None = None

    def tell(self, text: str) -> None:
        """Print a text, in ASCII where that is wanted."""
        self._show(to_ascii(text) if self.env.ascii_only else text)

    def view(self) -> str:
        """The table as the seat sees it."""
        return self.tongue.say(draw_text(self.env.table(self.seat)))

    def hears(self, act: Act) -> None:
        """Learn what a seat does; print it at once, unless the person knows all of it."""
        self._log.append(self._line(act))
        if act.seat != self.seat or self.seat in act.news:
            self.tell(self._log[-1])
        if act.result:
            ended = self.tongue.text("hand_ended")
            self._log.append(f"--- {ended} · {self.tongue.say(act.result)}")

    def end_of_hand(self, before: str, act: Act) -> str:
        """How a hand ended: the table before its last act, that act, and what it came to."""
        texts, came_to = self.tongue.text, self.tongue.say(act.result)
        ending = f"{before}\n\n{self._line(act)}" + (f"\n{came_to}" if came_to else "")
        return f"\n--- {texts('hand_over')}\n\n{ending}\n\n--- {texts('new_hand')}"

    def _line(self, act: Act) -> str:
        words = heard_words(act, self.seat, self.env, self.tongue)
        return f"{self.tongue.player(act.seat)}: {words}"

    def choose(self) -> int:
        """Ask until the answer is a legal action.

        Raises:
            MatchLeft: the person wants to leave.
            EOFError: there is no more input.
        """
        mask = self.env.observe(f"player_{self.seat}")["action_mask"]
        legal = {int(action): self.env.action_text(int(action)) for action in np.flatnonzero(mask)}
        words = {action: self._said(text) for action, text in legal.items()}
        menu = _menu(list(words.values()))
        self.tell(f"\n{self.view()}\n{menu}")
        while True:
            answer = " ".join(self._ask("> ").split()).lower()
            command = self._command(answer)
            if command == "quit":
                raise MatchLeft
            if command:
                self.tell(self._answer_to(command, menu))
            elif answer:
                try:
                    return self._understood(answer, legal, words)
                except ValueError as error:
                    self.tell(str(error))

    def _said(self, words: str) -> str:
        """An action of the person's own in their language."""
        return act_words(words, self.seat, self.env, self.tongue)

    def _understood(self, answer: str, legal: Mapping[int, str], words: Mapping[int, str]) -> int:
        """The action that is meant, in the person's language or as the game says it."""
        try:
            return understand(answer, legal)
        except ValueError:
            return understand(answer, words, self.tongue)

    def _command(self, answer: str) -> str:
        """The command that is meant, or nothing."""
        known = {self.tongue.text(f"word_{name}"): name for name in COMMANDS}
        return ({name: name for name in COMMANDS} | SHORT | known).get(answer, "")

    def _answer_to(self, command: str, menu: str) -> str:
        if command == "help":
            return self._help()
        if command == "log":
            return "\n".join(self._log[-LINES:])
        return self._hints() if command == "hint" else f"{self.view()}\n{menu}"

    def _help(self) -> str:
        """The commands, and what the agents at the table are."""
        game, texts = self.env.game, [self.tongue.text("help")]
        if self._rivals:
            texts.append(f"\n{self.tongue.text('opponents')}")
        texts += [f"  {name}: {meaning(game, name, self.tongue)}" for name in self._rivals]
        return "\n".join(texts)

    def _hints(self) -> str:
        """The best actions by a search and by a rule player, neither of which can peek."""
        with patiently(self.tell, self.tongue):
            if self._adviser is None:
                self._adviser = Adviser(self.env.game, self.env.config)
            hints, rounds = self._adviser.rank(self.env, len(self._log))
        names = (self._adviser.searcher.name, self._adviser.player.name)
        note = self.tongue.text("hint_note", rounds=rounds, search=names[0])
        return f"{self._hint_table(hints[:HINTS], names[1])}\n{note}"

    def _hint_table(self, hints: list[Hint], player: str) -> str:
        keys = ("hint_action", "hint_value", "hint_tried")
        rows = [[*map(self.tongue.text, keys), player]]
        for hint in hints:
            value = "–" if hint.value is None else f"{hint.value:+.2f}"
            shares = [f"{share:.0%}" for share in (hint.tried, hint.policy)]
            rows.append([self._said(hint.words), value, *shares])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows
        )

    def books(self, totals: Mapping[str, float]) -> str:
        """What everyone got, and whether that is a win."""
        mine = totals[f"player_{self.seat}"]
        verdict = "won" if mine == max(totals.values()) else "lost"
        if len(set(totals.values())) == 1:
            verdict = "drawn"
        paid = ", ".join(
            f"{self.tongue.player(seat)} {round(total, 2):+g}"
            for seat, total in enumerate(totals.values())
        )
        return f"{self.tongue.text(verdict)}. {self.tongue.text('paid', paid=paid)}"


def understand(answer: str, legal: Mapping[int, str], tongue: Language | None = None) -> int:
    """The action that a number, its words or their beginning mean.

    Raises:
        ValueError: none or several; the message says what can be done.
    """
    say = (tongue or language()).text
    actions = list(legal)
    if answer.isdecimal():
        if 1 <= int(answer) <= len(actions):
            return actions[int(answer) - 1]
        raise ValueError(say("no_number", n=answer, last=len(actions)))
    words = {action: text.lower() for action, text in legal.items()}
    exact = [action for action, text in words.items() if text == answer]
    meant = exact or [action for action, text in words.items() if text.startswith(answer)]
    meant = meant or [action for action, text in words.items() if text.endswith(f" {answer}")]
    if len(meant) == 1:
        return meant[0]
    if meant:
        which = ", ".join(legal[action] for action in meant)
        raise ValueError(say("ambiguous", answer=repr(answer), which=which))
    raise ValueError(say("not_legal", answer=repr(answer)))


def _menu(texts: list[str]) -> str:
    """The texts, numbered, in as many columns as the terminal has room for."""
    cells = [f"{number:>3}  {text}" for number, text in enumerate(texts, 1)]
    width = max(map(len, cells)) + 2
    columns = max(1, shutil.get_terminal_size().columns // width)
    rows = -(-len(cells) // columns)
    lines = [
        "".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)
    ]
    return "\n".join(lines)
