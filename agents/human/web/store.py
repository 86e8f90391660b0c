"""Matches and replays in a folder: what is asked for is found there again after a restart.

A link holds the name of a match and a secret of the seat, so that nobody looks into another's cards
by guessing an address.
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import tempfile
from collections import OrderedDict
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from agents.human.acts import Act, acts_of
from agents.human.web.match import Match, Plan
from envs.core.replay import Replay, ReplayError, load_replay

AWAKE = 64  # matches, and replays, held in memory
WATCHER = -1  # stands for the seat of somebody who only watches
_TOKEN = re.compile(r"([0-9a-f]{16})-([0-9a-f]{16})")
_REPLAY = re.compile(r"[0-9a-f]{24}")


class Seat(NamedTuple):
    """Who looks at which match.

    Attributes:
        name: of the match.
        match: itself.
        viewer: the seat, or None for somebody who watches agents play and sees everything.
        keys: the secrets of the people at the table, by seat.
    """

    name: str
    match: Match
    viewer: int | None
    keys: dict[str, str]


class Store:
    """The matches and replays in a folder, which is made if it is not there.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path):
        self._matches, self._replays = folder / "matches", folder / "replays"
        for inner in (self._matches, self._replays):
            inner.mkdir(parents=True, exist_ok=True)
        self._lock = RLock()
        self._awake: OrderedDict[str, tuple[Match, dict[str, str]]] = OrderedDict()
        self._read: OrderedDict[str, tuple[Replay, list[Act]]] = OrderedDict()

    # Matches

    def create(self, plan: Plan) -> dict[int, str]:
        """Begin a match; the tokens of its people, or of the one who watches it, by seat."""
        match = Match(plan)
        name = secrets.token_hex(8)
        keys = {str(seat): secrets.token_hex(8) for seat in plan.persons or [WATCHER]}
        self._write(name, match, keys)
        self._keep(name, match, keys)
        return {int(seat): f"{name}-{key}" for seat, key in keys.items()}

    def find(self, token: str) -> Seat:
        """The seat of a token.

        Raises:
            KeyError: there is no such match, or not with this secret.
            ValueError: the match cannot be restored.
        """
        parts = _TOKEN.fullmatch(token)
        if not parts:
            raise KeyError(token)
        match, keys = self._match(parts[1])
        for seat, key in keys.items():
            if secrets.compare_digest(key, parts[2]):
                return Seat(parts[1], match, None if int(seat) == WATCHER else int(seat), keys)
        raise KeyError(token)

    def save(self, seat: Seat) -> None:
        """Write a match to its file; whoever reads it finds the old match or the new one.

        Raises:
            KeyError: the match was removed.
        """
        if not self._file(seat.name).exists():
            raise KeyError(seat.name)
        self._write(seat.name, seat.match, seat.keys)

    def _write(self, name: str, match: Match, keys: dict[str, str]) -> None:
        _write(self._file(name), json.dumps({"keys": keys, **match.facts()}).encode())

    def _file(self, name: str) -> Path:
        return self._matches / f"{name}.json"

    def forget(self, name: str) -> None:
        """Remove a match."""
        with self._lock:
            self._awake.pop(name, None)
            self._file(name).unlink(missing_ok=True)

    def _match(self, name: str) -> tuple[Match, dict[str, str]]:
        with self._lock:
            if name not in self._awake:
                self._keep(name, *self._restore(name))
            self._awake.move_to_end(name)
            return self._awake[name]

    def _restore(self, name: str) -> tuple[Match, dict[str, str]]:
        try:
            facts = json.loads(self._file(name).read_bytes())
        except FileNotFoundError:
            raise KeyError(name) from None
        try:
            return Match.restore(facts), facts["keys"]
        except (KeyError, TypeError, FileNotFoundError) as error:
            raise ValueError(f"the match cannot be restored: {error}") from None

    def _keep(self, name: str, match: Match, keys: dict[str, str]) -> None:
        with self._lock:
            self._awake[name] = match, keys
            while len(self._awake) > AWAKE:
                self._awake.popitem(last=False)

    # Replays

    def add_replay(self, content: bytes) -> str:
        """Keep a replay file; its name.

        Raises:
            ReplayError: it is none, or damaged.
        """
        name = hashlib.sha256(content).hexdigest()[:24]
        path = self.replay_file(name)
        if not path.exists():
            _write(path, content)
            try:
                self.replay(name)
            except ReplayError as error:
                path.unlink()
                raise ReplayError(str(error).replace(str(path), "the file")) from None
        return name

    def replay_of(self, match: Match) -> str:
        """The name of the replay of a match that is over."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "match.jsonl"
            match.write_replay(path)
            return self.add_replay(path.read_bytes())

    def replay(self, name: str) -> tuple[Replay, list[Act]]:
        """A replay by its name, and its acts.

        Raises:
            KeyError: there is none.
        """
        with self._lock:
            if name not in self._read:
                if not self.replay_file(name).exists():
                    raise KeyError(name)
                replay = load_replay(self.replay_file(name))
                self._read[name] = replay, acts_of(replay)
                while len(self._read) > AWAKE:
                    self._read.popitem(last=False)
            return self._read[name]

    def replay_file(self, name: str) -> Path:
        """Where a replay lies.

        Raises:
            KeyError: this is no name of a replay.
        """
        if not _REPLAY.fullmatch(name):
            raise KeyError(name)
        return self._replays / f"{name}.jsonl"


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise
