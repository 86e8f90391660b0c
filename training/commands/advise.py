"""``naips advise``: what to play in a position."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

import agents
from agents.hints import Hint, rank
from agents.search import SearchAgent
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text, print_anywhere
from training.arguments import Setting, UsageError, assignments, usage
from training.commands.common import (
    GameName,
    Seats,
    TableOptions,
    agent_of,
    best_agent,
    console,
    not_negative,
)
from training.position import recorded, set_up

Reset = Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME=VALUE")]
Played = Annotated[str, tyro.conf.arg(metavar="WORDS")]
Recorded = Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(none)")]
Move = Annotated[int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(with --replay)")]
Asker = Annotated[int | None, tyro.conf.arg(metavar="SEAT", help_behavior_hint="(who is to act)")]
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
    replay: Recorded = None,
    move: Move = None,
    incomplete: bool = False,
    seat: Asker = None,
    search: str = "ismcts:2000",
    policy: Advisor = "",
    json: bool = False,
) -> int:
    """Say what to play in a position: every legal action, with what it is worth.

    The position is a deal and the actions played since, in the words in which `naips play` shows
    them. The deal is a seed's, or dictated with --reset: `naips rules GAME` says in which order a
    deck is dealt. Cards that you do not know are ? or left away at the end: the search sees only
    what the seat to act may see. Or it is the one before a move of a recorded match, counted from 0
    as `naips replay` counts them; players and options are then those of the match.

      naips advise truc --seed 7 --actions "play 10C; play 1C"
      naips advise truc --reset "deck=11B 1E 7O" --reset dealer=3
      naips advise puc --seed 3 --search ismcts:500ms --policy strong
      naips advise truc --replay truc.jsonl --move 12

    Args:
        game: a game: truc, or truc_v0
        seed: of the deal, as far as it is not dictated, and of the search
        reset: a reset option: deck, dealer, or what the game's page names
        actions: what was played, with ; or a comma between
        replay: a recorded match: what play --record, evaluate --replays or RecordGame wrote
        move: its move that is to be decided, from 0
        incomplete: take a file that ends before its match does
        seat: who asks; it has to be the seat to act
        search: who estimates: ismcts:N, ismcts:Nms or pimc:N
        policy: who says how often it would play what
        json: print JSON
    """
    chosen = table.of(game)
    not_negative("seed", seed)
    if replay is None:
        if move is not None or incomplete:
            raise UsageError(
                "--move and --incomplete belong to a recorded match: name its --replay"
            )
        with usage():
            env = set_up(chosen.game, chosen.config, seed, assignments(reset), actions)
    else:
        env = _of_match(chosen, table, replay, move, incomplete, bool(reset or actions))
    turn = int(env.states["turn"][0])
    if seat not in (None, turn):
        raise UsageError(f"--seat {seat}: player_{turn} is to act here, and nobody else decides")
    chosen = Setting(chosen.game, env.config, {})
    searcher, player = agent_of(chosen, search), agent_of(chosen, policy or best_agent(chosen.game))
    if not isinstance(searcher, SearchAgent):
        raise UsageError(f"--search {search}: allowed are {', '.join(agents.SEARCHES)}")
    hints, rounds = rank(env, searcher, player, seed)
    facts = {"env_id": chosen.game.env_id, "seat": turn, "rounds": rounds}
    if json:
        print(json_text.dumps({**facts, "actions": list(map(_row, hints))}, indent=2))
    else:
        _show(env, facts, hints, searcher.name, player.name)
    return 0


def _of_match(
    chosen: Setting, table: Seats, file: Path, move: int | None, incomplete: bool, told: bool
) -> GameEnv:
    """The position before a move of a recorded match, which says all else itself."""
    if move is None:
        raise UsageError("--replay needs --move: the move that is to be decided, from 0")
    if told or table != Seats():
        raise UsageError(
            "--replay: the match has its own players, options, deal and actions; leave away "
            "--num-players, --option, --reset and --actions"
        )
    with usage():
        return recorded(chosen.game, file, move, incomplete)


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
