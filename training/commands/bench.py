"""``naips bench``: how fast the engine runs here."""

from training.arguments import UsageError
from training.commands.common import GameName, Seats, TableOptions, above_zero, print_figures


def bench(
    game: GameName,
    /,
    table: TableOptions = Seats(),
    games: int = 4096,
    seconds: float = 2.0,
    start_up: bool = True,
    json: bool = False,
) -> int:
    """Time the engine: a batch on one core and with threads, one environment, the start-up.

      naips bench truc
      naips bench truc --games 1024 --json

    Args:
        game: a game: truc, or truc_v0
        games: in the batch, 1 to 65,536
        seconds: for each measurement
        start_up: do not time fresh processes
        json: print JSON
    """
    from envs.core.batch import MAX_GAMES
    from training import benchmark

    chosen = table.of(game)
    if games not in range(1, MAX_GAMES + 1):
        raise UsageError(f"--games {games}: allowed are 1 to {MAX_GAMES}")
    above_zero("seconds", seconds)
    figures = benchmark.measure(chosen.game, games, seconds, start_up, **chosen.config)
    print_figures(figures, json)
    return 0
