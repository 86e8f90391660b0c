"""A recorded match in the terminal, move by move, as a seat saw it or with everything shown."""

from collections.abc import Callable

from agents.human.acts import perform
from agents.human.terminal import Ask, Show
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text, print_anywhere, to_ascii
from envs.core.replay import Replay
from envs.core.table import count_of

HELP = "Enter: the next move   b: back   a number: that move   q: leave"


class Viewer:
    """Shows the positions of a replay.

    Args:
        replay: the match.
        seat: whose view, or None for everything.
        ascii_only: no suit symbols and no accents.
        show: prints a text.
    """

    def __init__(
        self,
        replay: Replay,
        seat: int | None = None,
        ascii_only: bool = False,
        show: Show = print_anywhere,
    ):
        self._replay, self._seat, self._ascii = replay, seat, ascii_only
        self._last = len(replay.moves)
        self._print: Callable[[str], None] = lambda text: show(
            to_ascii(text) if ascii_only else text
        )

    def whole(self) -> None:
        """Print every position and every move."""
        self._print(self._title())
        env = self._replay.env_at(0)
        for n in range(self._last + 1):
            self._print(f"\n{self._table(env)}\n  {self._after(env, n)}")

    def position(self, n: int) -> None:
        """Print the table before move ``n``, and the move."""
        env = self._replay.env_at(n)
        self._print(f"{self._table(env)}\n  {self._after(env, n)}")

    def walk(self, n: int = 0, ask: Ask = input) -> None:
        """Step through the match from move ``n``; ``ask`` shows a prompt and returns a line."""
        self._print(self._title() + "\n" + HELP)
        while True:
            self._print("")
            self.position(n)
            try:
                answer = ask(f"[{n}/{self._last}] ").strip().lower()
            except EOFError:
                return
            if answer in ("q", "quit", "exit"):
                return
            n = self._next(n, answer)

    def _next(self, n: int, answer: str) -> int:
        """The move to show after an answer; where it means none, the same again."""
        if answer == "" and n < self._last:
            return n + 1
        if answer in ("b", "back") and n > 0:
            return n - 1
        if answer.isdecimal() and int(answer) <= self._last:
            return int(answer)
        self._print(f"{HELP}; moves go from 0 to {self._last}, this is {n}.")
        return n

    def _title(self) -> str:
        match = self._replay
        seats = ", ".join(f"player_{k} {name}" for k, name in enumerate(match.agents) if name)
        seed = "" if match.seed is None else f", seed {match.seed}"
        moves = count_of(self._last, "move")
        title = f"{match.game.title}{seed}: {moves}{' by ' if seats else ''}{seats}"
        if not match.same_rules:
            title += "\nThe game's sources have changed since; every move is legal all the same."
        return title

    def _table(self, env: GameEnv) -> str:
        return draw_text(env.table("all" if self._seat is None else self._seat), self._ascii)

    def _after(self, env: GameEnv, n: int) -> str:
        """Play move ``n``, and say what it is and brings; or how the match has ended."""
        if n < self._last:
            act = perform(env, self._replay.moves[n].action)
            words, news = act.heard(self._seat) or "acts in secret", act.news.get(self._seat)
            return f"{n}. player_{act.seat}: {words}" + (f" → {news}" if news else "")
        if self._replay.result is None:
            return "The file ends here, before the match does."
        books = ", ".join(f"player_{k} {paid:+g}" for k, paid in enumerate(self._replay.result))
        return f"The match is over: {books}"
