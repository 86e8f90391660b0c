"""A position: told in words, the deal and then what was played, or out of a recorded match.

    env = set_up(game, config, reset={"deck": "? ? ? 11B 1E 7O", "dealer": 3}, actions="play 4C")
    env = recorded(game, "truc.jsonl", move=12)

Cards that one does not know are ``?`` or left away at the deck's end; any cards may lie there.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from envs.core.aec import GameEnv
from envs.core.game import Config, Game
from envs.core.replay import load_replay

UNKNOWN = "?"
BETWEEN = re.compile(r"[;,\n]")  # actions


def set_up(
    game: Game,
    config: Config,
    seed: int = 0,
    reset: Mapping[str, Any] | None = None,
    actions: str = "",
) -> GameEnv:
    """The environment at the position.

    Args:
        game, config: what is played.
        seed: of the deal, as far as ``reset`` does not dictate it.
        reset: reset options of the game; ``deck`` may be incomplete.
        actions: in words, with ``;``, a comma or a new line between.

    Raises:
        ValueError: a deal that cannot be, an action that is not legal, or nothing left to decide.
    """
    env = GameEnv(game, **config)
    options = dict(reset or {})
    if "deck" in options:
        options["deck"] = complete(game, config, options["deck"])
    env.reset(seed=seed, options=options)
    for number, text in enumerate(filter(None, map(str.strip, BETWEEN.split(actions))), start=1):
        try:
            if env.states["over"][0]:
                raise ValueError("the match is over before it")
            env.step(env.parse_action(text))
        except ValueError as error:
            raise ValueError(f"action {number}, {text!r}: {error}") from None
    if env.states["over"][0]:
        raise ValueError("the match is over in this position: nobody is to act")
    return env


def recorded(game: Game, file: Path, move: int, incomplete: bool = False) -> GameEnv:
    """The environment before a move of a recorded match, counted from 0.

    Args:
        game: what was played.
        file: that ``RecordGame`` wrote; every move of it is verified.
        move: its number; in a file that ends before its match does, also that of the next one.
        incomplete: take such a file.

    Raises:
        ValueError: the file is no whole replay, or of another game; or no such move.
        FileNotFoundError: there is no such file.
    """
    replay = load_replay(file, incomplete, game)
    last = len(replay.moves) - replay.complete
    if not 0 <= move <= last:
        raise ValueError(f"{file}, move {move}: it has moves 0 to {last}")
    return replay.env_at(move)


def complete(game: Game, config: Config, deck: Any) -> list[str]:
    """The card texts of a whole deck, the unknown ones filled in from what is left of the pack."""
    cards = deck.split() if isinstance(deck, str) else list(deck)
    pack = [game.cards.text(card) for card in game.pack(config)]
    left = Counter(pack)
    left.subtract(card for card in cards if card != UNKNOWN)
    unused = iter(np.repeat(list(left), [max(0, n) for n in left.values()]).tolist())
    cards += [UNKNOWN] * (len(pack) - len(cards))
    return [next(unused, UNKNOWN) if card == UNKNOWN else card for card in cards]
