"""A window that shows pictures, where there is a display and pygame is installed."""

import os
import sys
from typing import Any, Literal

from envs.core.picture.layout import PICTURE
from envs.core.picture.raster import needed, surface

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
_ROOM = 0.9  # share of the screen that a window takes at most
_closed: set[int] = set()  # ids of windows that a person has closed


def open_window(title: str) -> "Window | Literal[False]":
    """A window, or False without a display or without the extra ``play``."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in _DISPLAYS):
        return False
    try:
        needed("resvg_py")
        pygame: Any = needed("pygame")
    except ModuleNotFoundError:
        return False
    try:
        return Window(pygame, title)
    except pygame.error:  # a display that cannot be opened
        return False


class Window:
    """One window; when a person closes it, it stays closed and shows nothing any more."""

    def __init__(self, pygame: Any, title: str):
        self._pygame = pygame
        pygame.display.init()
        wide, high = pygame.display.get_desktop_sizes()[0]
        scale = min(1, _ROOM * wide / PICTURE.width, _ROOM * high / PICTURE.height)
        size = (int(PICTURE.width * scale), int(PICTURE.height * scale))
        self._window = pygame.Window(title, size, resizable=True)
        self._id = self._window.id

    def show(self, svg: str) -> bool:
        """Draw a picture; always True, for there is, or was, a window."""
        for event in self._pygame.event.get():
            if event.type == self._pygame.WINDOWCLOSE:
                _closed.add(event.window.id)
        if self._id in _closed:
            self.close()
        if self._window is not None:
            screen = self._window.get_surface()
            picture = self._pygame.transform.smoothscale(surface(svg), screen.get_size())
            screen.blit(picture, (0, 0))
            self._window.flip()
        return True

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.destroy()
        self._window = None
