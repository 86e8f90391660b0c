"""What a person may do now, with the cards that each action takes from the hand."""

import re
from typing import NamedTuple

import numpy as np

from envs.core.aec import GameEnv
from envs.core.cards import JOKER, Pack
from envs.core.table import Zone

_NOT_HELD = re.compile(rf" as \S+| {JOKER} by")  # what a joker stands for; one on the table


class Choice(NamedTuple):
    """A legal action.

    Attributes:
        action: its id.
        words: as the game says it.
        cards: texts of the cards it names, those that lie on the table left out.
    """

    action: int
    words: str
    cards: list[str]


def choices(env: GameEnv) -> list[Choice]:
    """The legal actions of the seat to act, in order."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return [
        Choice(int(action), words := env.action_text(int(action)), cards_of(words, env.game.cards))
        for action in np.flatnonzero(mask)
    ]


def cards_of(words: str, pack: Pack) -> list[str]:
    """The cards that an action names: ``play 5 JK=5`` takes ``5`` and ``JK``."""
    tokens = [token.partition("=")[0] for token in _NOT_HELD.sub("", words).split()]
    return [token for token in tokens if token in pack.ids]


def taken_from(options: list[Choice], zones: list[Zone]) -> list[bool]:
    """For each of the player's zones whether some action takes a card from it.

    A card that lies in several zones is taken from the first of them.
    """
    taken = [False] * len(zones)
    for option in options:
        wanted = list(option.cards)
        for place, zone in enumerate(zones):
            found = [] if zone.marks else [card for card in zone.cards if card in wanted]
            for card in found:
                if card in wanted:
                    wanted.remove(card)
                    taken[place] = True
    return taken
