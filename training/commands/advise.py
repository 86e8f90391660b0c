"""``naips advise``: what to play in a position."""

import json as json_text
from typing import Annotated, Any

import tyro
from rich.table import Table

import agents
from agents.hints import Hint, rank
from agents.search import SearchAgent
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text, print_anywhere
from training.arguments import UsageError, assignments, usage
from training.commands.common import (
    GameName,
    Seats,
    TableOptions,
    agent_of,
    best_agent,
    console,
    not_negative,
)
from training.position import set_up

Reset = Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME=VALUE")]
Played = Annotated[str, tyro.conf.arg(metavar="WORDS")]
Advisor = Annotated[
    str, tyro.conf.arg(metavar="AGENT", help_behavior_hint="(the best rule player)")
]


def advise(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    seed: int = 0,
    reset: Reset = (),
    actions: Played = "",
    search: str = "ismcts:2000",
    policy: Advisor = "",
    json: bool = False,
) -> int:
    """Say what to play in a position: every legal action, with what it is worth.

    The position is a deal and the actions played since, in the words in which `naips play` shows
    them. The deal is a seed's, or dictated with --reset: `naips rules GAME` says in which order a
    deck is dealt. Cards that you do not know are ? or left away at the end: the search sees only
    what the seat to act may see.

      naips advise truc --seed 7 --actions "play 3C; play 4E"
      naips advise truc --reset "deck=11B 1E 7O" --reset dealer=3
      naips advise puc --seed 3 --search ismcts:500ms --policy strong

    Args:
        game: a game: truc, or truc_v0
        seed: of the deal, as far as it is not dictated, and of the search
        reset: a reset option: deck, dealer, or what the game's page names
        actions: what was played, with ; or a comma between
        search: who estimates: ismcts:N, ismcts:Nms or pimc:N
        policy: who says how often it would play what
        json: print JSON
    """
    chosen = table.of(game)
    not_negative("seed", seed)
    searcher, player = agent_of(chosen, search), agent_of(chosen, policy or best_agent(chosen.game))
    if not isinstance(searcher, SearchAgent):
        raise UsageError(f"--search {search}: allowed are {', '.join(agents.SEARCHES)}")
    with usage():
        env = set_up(chosen.game, chosen.config, seed, assignments(reset), actions)
    hints, rounds = rank(env, searcher, player, seed)
    facts = {"env_id": chosen.game.env_id, "seat": int(env.states["turn"][0]), "rounds": rounds}
    if json:
        print(json_text.dumps({**facts, "actions": list(map(_row, hints))}, indent=2))
    else:
        _show(env, facts, hints, searcher.name, player.name)
    return 0


def _row(hint: Hint) -> dict[str, Any]:
    return {
        "action": hint.words,
        "value": hint.value,
        "tried": hint.tried,
        "policy": hint.policy,
    }


def _show(env: GameEnv, facts: dict[str, Any], hints: list[Hint], search: str, policy: str) -> None:
    print_anywhere(draw_text(env.table(facts["seat"])))
    print(f"\nplayer_{facts['seat']} is to act; {facts['rounds']:,} rounds of {search}")
    shown = Table("action")
    for name in ("value", "tried", policy):
        shown.add_column(name, justify="right")
    for hint in hints:
        value = "–" if hint.value is None else f"{hint.value:+.3f}"
        shown.add_row(hint.words, value, f"{hint.tried:.0%}", f"{hint.policy:.0%}")
    console().print(shown)
