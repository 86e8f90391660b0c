"""``naips stats``: what matches are like."""

import tyro

from training.arguments import UsageError
from training.commands.common import (
    GameName,
    Seats,
    TableOptions,
    agent_of,
    not_negative,
    print_figures,
)


def stats(
    game: GameName,
    agent: tyro.conf.Positional[str] = "random",
    /,
    table: TableOptions = Seats(),
    matches: int = 256,
    seed: int = 0,
    json: bool = False,
) -> int:
    """Say what matches are like: length, choices, forced decisions, how they end, who comes first.

      naips stats truc
      naips stats puc strong --matches 64 --num-players 6

    Args:
        game: a game: truc, or truc_v0
        agent: who plays in every seat
        matches: whole matches, 1 to 65,536
        seed: of the deals and of the players' chance
        json: print JSON
    """
    from envs.core.batch import MAX_GAMES
    from training.matches import describe

    chosen = table.of(game)
    if matches not in range(1, MAX_GAMES + 1):
        raise UsageError(f"--matches {matches}: allowed are 1 to {MAX_GAMES}")
    not_negative("seed", seed)
    figures = describe(chosen.game, chosen.config, agent_of(chosen, agent), matches, seed)
    print_figures({"env_id": chosen.game.env_id, "agent": agent, **figures}, json)
    return 0
