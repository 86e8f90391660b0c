"""Naips in other people's libraries, and the versions with which it was tried.

| library | tried | where | what |
|---|---|---|---|
| Gymnasium | gymnasium 1.4.0 | `agents.gym` | one seat of a game: `make`, `make_vec` |
| PettingZoo | pettingzoo 1.27.0 | `envs` | every game is one: `pettingzoo.make` |
| SuperSuit | supersuit 3.11.0 | – | wrappers over the AEC environment |
| Stable-Baselines3 | stable_baselines3 2.9.2, sb3_contrib 2.9.2 | `training.sb3` | `BatchVecEnv`, or its own vector environments over the Gymnasium view |
| OpenSpiel | open_spiel 2.0.2 | `envs.interop.openspiel` | every game as a Python game of `pyspiel` |

`pip install "naips[interop]"` brings them. Nothing here is imported by `import envs`.
"""

import importlib
from importlib.metadata import version
from types import ModuleType

EXTRA = "interop"


def require(module: str, package: str, oldest: str, below: str) -> ModuleType:
    """A library of the extra, imported.

    Raises:
        ImportError: it is not installed, or of a version that cannot do; the message names the
            extra.
    """
    remedy = f'pip install "naips[{EXTRA}]"'
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ImportError(f"{package} is not installed; try: {remedy}") from None
    found = version(package)
    if not _numbers(oldest) <= _numbers(found) < _numbers(below):
        raise ImportError(
            f"{package} {found} is installed, from {oldest} and below {below} is needed; "
            f"try: {remedy}"
        )
    return imported


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])
