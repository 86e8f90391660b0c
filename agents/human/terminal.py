"""A person in a terminal against agents.

The person sees what its seat may see, and a numbered list of the legal actions in words; nothing
that the others hold or do in secret is printed, since everything comes from that seat's view.
"""

import shutil
from collections.abc import Callable, Mapping

import numpy as np

from agents.base import Agent, ask_one, streams
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text, print_anywhere

HELP = """\
Answer with the number of an action or its words; the beginning is enough where it is unambiguous.
  table   show the table again
  help    this text
  quit    leave the match"""

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
) -> dict[str, float] | None:
    """One match, from the state in which ``env`` is (just reset) to its end.

    Args:
        env: the raw environment.
        seat: where the person sits.
        others: the agents at the other seats.
        seed: of the agents' chance.
        ask: shows a prompt and returns a line; EOFError ends the match.
        show: prints a text.

    Returns:
        The total reward of every seat, or None if the person left.
    """
    rngs = streams(seed, len(env.possible_agents))
    totals = dict.fromkeys(env.possible_agents, 0.0)
    show(f"You are player_{seat}. Enter a number or words; help and quit are understood.")
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
                action = choose(env, seat, ask, show)
            else:
                action = ask_one(others[at], env, rngs[at : at + 1])
            _step(env, seat, action, show)
    except (EOFError, MatchLeft):
        show("\nYou have left the match.")
        return None
    show("\n" + view(env, seat))
    show("\nThe match is over.\n" + _books(totals, seat))
    return totals


def _step(env: GameEnv, seat: int, action: int, show: Show) -> None:
    """Play an action; where it ends a hand, show how that stood, for the next is dealt at once."""
    before, hand = view(env, seat), hand_number(env)
    env.step(action)
    if hand_number(env) != hand:
        show(f"\n--- The hand is over. Before its last act:\n\n{before}\n\n--- A new hand.")


def hand_number(env: GameEnv) -> int:
    """Which hand of the match is being played; always 0 in games of a single hand."""
    names = env.game.dtype.names or ()
    return int(env.states["hand_number"][0]) if "hand_number" in names else 0


def choose(env: GameEnv, seat: int, ask: Ask, show: Show) -> int:
    """Ask until the answer is a legal action.

    Raises:
        MatchLeft: the person wants to leave.
        EOFError: there is no more input.
    """
    mask = env.observe(f"player_{seat}")["action_mask"]
    legal = {int(action): env.action_text(int(action)) for action in np.flatnonzero(mask)}
    show("\n" + view(env, seat))
    show(_menu(list(legal.values())))
    while True:
        answer = " ".join(ask("> ").split()).lower()
        if answer in ("quit", "exit", "q"):
            raise MatchLeft
        if answer in ("help", "h", "?"):
            show(HELP)
        elif answer == "table":
            show(view(env, seat) + "\n" + _menu(list(legal.values())))
        elif answer:
            try:
                return understand(answer, legal)
            except ValueError as error:
                show(str(error))


def understand(answer: str, legal: Mapping[int, str]) -> int:
    """The action that a number, its words or their beginning mean.

    Raises:
        ValueError: none or several; the message says what can be done.
    """
    actions = list(legal)
    if answer.isdecimal():
        if 1 <= int(answer) <= len(actions):
            return actions[int(answer) - 1]
        raise ValueError(f"There is no number {answer}; they go from 1 to {len(actions)}.")
    words = {action: text.lower() for action, text in legal.items()}
    exact = [action for action, text in words.items() if text == answer]
    meant = exact or [action for action, text in words.items() if text.startswith(answer)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        which = ", ".join(legal[action] for action in meant)
        raise ValueError(f"{answer!r} can mean {which}.")
    raise ValueError(f"{answer!r} is not legal now. Enter a number from the list, or help.")


def view(env: GameEnv, seat: int) -> str:
    """The table as the seat sees it."""
    return draw_text(env.table(seat), env.ascii_only)


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


def _books(totals: Mapping[str, float], seat: int) -> str:
    """What everyone got, the person's own first."""
    mine = totals[f"player_{seat}"]
    verdict = "You have won" if mine == max(totals.values()) else "You have lost"
    if len(set(totals.values())) == 1:
        verdict = "Nobody has won"
    return f"{verdict}. " + ", ".join(f"{name} {total:+g}" for name, total in totals.items())
