"""``naips bench``: how fast the engine runs here."""

from typing import Any

from training.arguments import Setting, UsageError, usage
from training.commands.common import GameName, Seats, TableOptions, above_zero, print_figures


def bench(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    games: int = 4096,
    seconds: float = 2.0,
    start_up: bool = True,
    learner: bool = False,
    profile: str = "quick",
    json: bool = False,
) -> int:
    """Time the engine: a batch on one core and with threads, one environment, the start-up.

      naips bench truc
      naips bench truc --games 1024 --json
      naips bench truc --learner --seconds 10           the learner, its bare network, MaskablePPO

    Args:
        game: a game: truc, or truc_v0
        games: in the batch, 1 to 65,536
        seconds: for each measurement
        start_up: do not time fresh processes
        learner: time the learners instead, in decisions learnt from per second
        profile: the learners' settings
        json: print JSON
    """
    from envs.core.batch import MAX_GAMES
    from training import benchmark

    chosen = table.of(game)
    if games not in range(1, MAX_GAMES + 1):
        raise UsageError(f"--games {games}: allowed are 1 to {MAX_GAMES}")
    above_zero("seconds", seconds)
    if learner:
        figures = _learners(chosen, profile, seconds)
    else:
        figures = benchmark.measure(chosen.game, games, seconds, start_up, **chosen.config)
    print_figures(figures, json)
    return 0


def _learners(chosen: Setting, profile: str, seconds: float) -> dict[str, Any]:
    from training import ceiling
    from training.config import settings

    players = chosen.config["num_players"]
    with usage():
        config = settings(chosen.game, profile, num_players=players, options=chosen.given)
    return {
        "env_id": chosen.game.env_id,
        "config": chosen.config,
        "hidden": list(config.hidden),
        "threads": config.threads,
        **ceiling.measure(chosen.game, config, seconds),
    }
