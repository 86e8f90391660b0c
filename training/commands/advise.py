"""``naips advise``: what to play in a position."""

import json as json_text
from typing import Annotated, Any

import numpy as np
import tyro
from rich.table import Table

import agents
from agents.base import searches, streams, worlds_of
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

ASKED = 200  # how often a policy is asked, to see how often it plays what
Reset = Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME=VALUE")]
Played = Annotated[str, tyro.conf.arg(metavar="WORDS")]
Advisor = Annotated[str, tyro.conf.arg(metavar="AGENT", help_behavior_hint="(the best there is)")]


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
    rows, rounds = _rank(env, searcher, player, seed)
    facts = {"env_id": chosen.game.env_id, "seat": int(env.states["turn"][0]), "rounds": rounds}
    if json:
        print(json_text.dumps({**facts, "actions": rows}, indent=2))
    else:
        _show(env, facts, rows, searcher.name, player.name)
    return 0


def _rank(
    env: GameEnv, searcher: SearchAgent, player: agents.Agent, seed: int
) -> tuple[list[dict[str, Any]], int]:
    """The legal actions, the best one first, and how many rounds the search had."""
    seats, rng = env.states["turn"].copy(), streams(seed)
    world = worlds_of(env.game, env.states, seats, rng)
    found = searcher.search(world, int(seats[0]), rng)
    shares = _habits(env, player, seed)
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    total = max(int(found.visits.sum()), 1)
    order = sorted(legal, key=lambda a: (-found.visits[a], -found.values[a], a))
    return [
        {
            "action": env.action_text(int(a)),
            "value": round(float(found.values[a]), 4) if found.visits[a] and found.rounds else None,
            "tried": round(int(found.visits[a]) / total, 4),
            "policy": round(float(shares[a]), 4),
        }
        for a in order
    ], found.rounds


def _habits(env: GameEnv, player: agents.Agent, seed: int) -> np.ndarray:
    """How often an agent plays each action here: asked once if it searches, else many times."""
    times = 1 if searches(player) else ASKED
    rngs = streams(seed, times)
    chosen = [agents.ask_one(player, env, rngs[k : k + 1]) for k in range(times)]
    return np.bincount(chosen, minlength=env.action_space(env.agent_selection).n) / times


def _show(
    env: GameEnv, facts: dict[str, Any], rows: list[dict[str, Any]], search: str, policy: str
) -> None:
    print_anywhere(draw_text(env.table(facts["seat"])))
    title = f"player_{facts['seat']} is to act; {facts['rounds']:,} rounds of {search}"
    shown = Table("action", title=title, title_justify="left")
    for name in ("value", "tried", policy):
        shown.add_column(name, justify="right")
    for row in rows:
        value = "–" if row["value"] is None else f"{row['value']:+.3f}"
        shown.add_row(row["action"], value, f"{row['tried']:.0%}", f"{row['policy']:.0%}")
    console().print(shown)
