"""What a person types, turned into a game and its options, or into one clear line of complaint."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from envs import find_game
from envs.core.game import Game, Option, unknown


class UsageError(Exception):
    """What was typed cannot be meant; the message says what can. The command ends with code 2."""


@contextmanager
def usage() -> Iterator[None]:
    """Errors of checks on what was typed become ``UsageError``."""
    try:
        yield
    except (ValueError, TypeError, FileNotFoundError) as error:
        raise UsageError(str(error)) from error


@dataclass(frozen=True)
class Setting:
    """A game and how it is to be played.

    Attributes:
        game: the game.
        config: the full configuration, ``num_players`` included.
        given: the options that were given, of ``config``.
    """

    game: Game
    config: dict[str, Any]
    given: dict[str, Any]


def setting(name: str, num_players: int | None, options: Sequence[str]) -> Setting:
    """The game of a name, with options given as ``name=value``.

    Raises:
        UsageError: no such game, option, value or player count.
    """
    with usage():
        game = find_game(name)
        given = dict(_option(game, text) for text in options)
        config = game.configure(num_players, **given)
        return Setting(game, config, {option: config[option] for option in given})


def assignments(texts: Sequence[str]) -> dict[str, Any]:
    """Names and values of ``name=value`` texts.

    Raises:
        UsageError: a text without ``=``.
    """
    with usage():
        return {name: parse_value(value) for name, value in map(_halves, texts)}


def _halves(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r}: this is written name=value, like target=12")
    return name, value


def _option(game: Game, text: str) -> tuple[str, Any]:
    name, value = _halves(text)
    known = {option.name: option for option in game.options}
    if name == "num_players":
        raise ValueError("the number of players is given with --num-players")
    if name not in known:
        raise ValueError(unknown("option", name, list(known), game.title))
    return name, _value(known[name], value)


def _value(option: Option, text: str) -> Any:
    """The value that a text means for an option: its own texts come first."""
    return text if text in option.choices else parse_value(text)


def _items(text: str) -> list[str]:
    """What stands between the brackets, apart by commas."""
    return [item.strip() for item in text[1:-1].split(",") if item.strip()]


def parse_value(text: str) -> Any:
    """``3``, ``0.5``, ``true``, ``none``, ``[1,2]``, ``{name=1}`` as what they mean, else text."""
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    if text.startswith("[") and text.endswith("]"):
        return [parse_value(item) for item in _items(text)]
    if text.startswith("{") and text.endswith("}"):
        return assignments(_items(text))
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
