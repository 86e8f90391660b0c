"""Serving the app on this machine."""

import logging
import socket
from pathlib import Path
from types import FrameType

import uvicorn

from agents.human.web.app import make_app
from agents.human.web.store import Store

HOST = "127.0.0.1"


def serve(port: int, folder: Path, page: str = "") -> None:
    """Serve until interrupted.

    Args:
        port: where to listen; 0 for any that is free.
        folder: of matches and replays.
        page: what follows in the address that is printed.

    Raises:
        OSError: the port is taken or not allowed, or the folder cannot be used.
        KeyboardInterrupt: it was interrupted; what threads still compute goes on.
    """
    app = make_app(Store(folder))
    with _listening(port) as listener:
        print(f"Naips is served at http://{HOST}:{listener.getsockname()[1]}/{page}", flush=True)
        print(f"Matches are kept in {folder}. Ctrl-C ends the server.", flush=True)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
        _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that ends without a word about the answers that nobody waits for any more."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called by the signals that end it."""
        logging.getLogger("uvicorn.error").disabled = True
        super().handle_exit(sig, frame)


def _listening(port: int) -> socket.socket:
    """The port, which lets whoever comes wait until the server is ready."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if port not in range(65536):
            raise OSError("allowed are 0 to 65535")
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise OSError(f"port {port}: {error.strerror or error}") from None
    return listener
