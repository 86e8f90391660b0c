"""Naips: five traditional Catalan card games as research environments.

    from envs import truc_v0, Batch
    env = truc_v0.env(num_players=4)
    batch = Batch("truc_v0", num_games=4096)

``GAMES`` is the one table of games. Everything is imported when first used.
"""

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envs.core.batch import Batch as GameBatch
    from envs.core.game import Game


class _Games(Mapping):
    """Environment id -> ``Game``, imported on first look."""

    def __init__(self, modules: dict[str, str]):
        self._modules = modules

    def __getitem__(self, env_id: str) -> "Game":
        if env_id not in self._modules:
            raise KeyError(env_id)
        return importlib.import_module(self._modules[env_id]).GAME

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


GAMES: Mapping[str, "Game"] = _Games(
    {
        "truc_v0": "envs.truc",
        "puc_v0": "envs.puc",
        "balco_v0": "envs.balco",
        "quatre_duros_v0": "envs.quatre_duros",
        "poker_builder_v0": "envs.poker_builder",
    }
)


def find_game(name: "str | Game") -> "Game":
    """The game of an id: ``truc_v0``, ``truc`` or ``naips/truc-v0``.

    Raises:
        ValueError: there is no such game; the message names those there are.
    """
    if not isinstance(name, str):
        return name
    plain = name.removeprefix("naips/").replace("-", "_").lower()
    for env_id in GAMES:
        if plain in (env_id, env_id.rpartition("_v")[0]):
            return GAMES[env_id]
    from envs.core.game import unknown

    raise ValueError(unknown("game", name, list(GAMES), "Naips"))


def Batch(game: "str | Game", num_games: int, **arguments: Any) -> "GameBatch":  # noqa: N802
    """``envs.core.batch.Batch`` by the game's id; see there for the arguments."""
    from envs.core.batch import Batch as GameBatch

    return GameBatch(find_game(game), num_games, **arguments)


_LAZY = {
    "game_seed": "envs.core.random",
    "IllegalActionError": "envs.core.game",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    if name in GAMES:
        return importlib.import_module(f"envs.{name}")
    raise AttributeError(f"module 'envs' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY, *GAMES])


def _register() -> None:
    """Make the games known to PettingZoo and Gymnasium, which load them when first used."""
    import gymnasium
    import pettingzoo

    for env_id in GAMES:
        name, _, version = env_id.rpartition("_v")
        pettingzoo.register("aec", f"naips/{name}-v{version}", entry_point=f"envs.{env_id}:env")
        gymnasium.register(
            f"naips/{name.title().replace('_', '')}-v{version}",
            entry_point="agents.gym:SingleAgentEnv",  # by name: only who plays needs the agents
            vector_entry_point="agents.gym:SingleAgentVectorEnv",
            kwargs={"game": env_id},
        )


_register()
