"""Naips in other libraries; ``README.md`` beside this file has examples and the versions tried.

``pip install "naips[interop]"`` brings the libraries. Nothing here is imported by ``import envs``.
"""

import importlib
from importlib.metadata import version
from types import ModuleType

EXTRA = "interop"


def require(module: str, package: str, oldest: str, below: str, extra: str = EXTRA) -> ModuleType:
    """A library of an extra, imported.

    Raises:
        ImportError: it is not installed, or of a version that cannot do; the message names the
            extra.
    """
    remedy = f'pip install "naips[{extra}]"'
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
