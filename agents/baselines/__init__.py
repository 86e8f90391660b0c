"""The trained agents that come with the project: ``agents.load(game, "baseline")``.

One for a game and a number of players, in files named after both:

    truc_v0-4.safetensors   weights and card; plays with NumPy alone
    truc_v0-4.json          the card, for people: training, figures, limits
    truc_v0-4.png           the learning curve

``make baselines`` trains, measures and writes them (``training.baselines``).
"""

from pathlib import Path

from envs.core.game import Config, Game

FOLDER = Path(__file__).parent
NAME = "baseline"


def stem(game: Game, num_players: int) -> str:
    """``truc_v0-4``, of which the files' names are made."""
    return f"{game.env_id}-{num_players}"


def player_counts(game: Game) -> list[int]:
    """The numbers of players for which the game has a baseline."""
    files = FOLDER.glob(f"{game.env_id}-*.safetensors")
    return sorted(int(file.stem.rpartition("-")[2]) for file in files)


def find(game: Game, config: Config) -> Path:
    """The baseline's file.

    Raises:
        ValueError: there is none for so many players; the message says for which there is.
    """
    counts = player_counts(game)
    if config["num_players"] not in counts:
        trained = ", ".join(map(str, counts)) or "no number of"
        raise ValueError(
            f"{game.title} has a baseline for {trained} players, not for {config['num_players']}"
        )
    return FOLDER / f"{stem(game, config['num_players'])}.safetensors"
