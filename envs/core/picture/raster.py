"""SVG to pixels, with resvg and one fixed font, so that a picture is the same everywhere."""

import io
import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np


def pixels(svg: str) -> np.ndarray:
    """The picture as uint8[height, width, 3].

    Raises:
        ModuleNotFoundError: what the extra ``play`` brings is not installed.
    """
    pygame = needed("pygame")
    return np.ascontiguousarray(pygame.surfarray.array3d(surface(svg)).swapaxes(0, 1))


def surface(svg: str) -> Any:
    """The picture as a surface of pygame; this needs no display."""
    return needed("pygame").image.load(io.BytesIO(png(svg)), "picture.png")


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, ``width`` pixels wide (None: as wide as it says).

    Raises:
        ModuleNotFoundError: what the extra ``play`` brings is not installed.
    """
    font = _font()
    family = "FreeSans" if font else None
    return bytes(
        needed("resvg_py").svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=font is not None,
            font_files=[font] if font else None,
            font_family=family,
            sans_serif_family=family,
        )
    )


def needed(name: str) -> ModuleType:
    """A module of the extra ``play``; the error says how to get it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"pictures need {name}; pip install 'naips[play]' brings it", name=name
        ) from error


@cache
def _font() -> str | None:
    """The font that comes with pygame; without it, what the system has."""
    found = find_spec("pygame")
    places = found.submodule_search_locations if found else None
    font = Path(next(iter(places))) / "freesansbold.ttf" if places else None
    return str(font) if font and font.exists() else None
