"""``naips rules``: the page of a game."""

import sys

from rich.console import Console

from envs.core.drawing import print_anywhere
from training.arguments import setting
from training.commands.common import GameName


def rules(game: GameName, /) -> int:
    """Show the rules of a game: clauses, options, actions, what an observation holds.

      naips rules truc
      naips rules truc | less

    Args:
        game: a game: truc, or truc_v0
    """
    page = setting(game, None, ()).game.page
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        print_anywhere(page)
    return 0
