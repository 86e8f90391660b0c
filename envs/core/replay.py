"""Replays: one match as a file of JSON lines, which is verified when it is read.

The first line says what was played: game, version, options, the key of the deals, who sat where.
Then one line for each decision, and a last one with the result and a hash over all that stands
before it. Every line is written at once, so that a match that was cut short leaves a file that can
be read up to there, and is known to be no whole one.

    env = RecordGame(truc_v0.env(), "match.jsonl")
    replay = load_replay("match.jsonl")
    replay.env_at(10).render()          # the table before the tenth decision, counted from 0
"""

import hashlib
import json
import operator
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from pettingzoo.utils import BaseWrapper

from envs import find_game
from envs.core.aec import GameEnv
from envs.core.game import Game

FORMAT = "naips-replay"
VERSION = 1
DIGITS = 6  # rewards are float32: what lies beyond is rounding


class ReplayError(ValueError):
    """The file is no replay, damaged, cut short, or of other rules; the message says which."""


class IncompleteReplayError(ReplayError):
    """The file ends before its match does; ``load_replay(path, incomplete=True)`` reads it."""


class Move(NamedTuple):
    """A decision: who made it, and its id and words."""

    seat: int
    action: int
    words: str


# Writing


class RecordGame(BaseWrapper):
    """An environment that writes every match to a file of its own.

    The first match goes to ``path``, later ones beside it: ``match.jsonl``, ``match-2.jsonl`` …
    The file is begun by the first decision. No file is ever overwritten. A copy of the environment
    is not recorded, nor is a match that was entered by ``set_state``.

    Args:
        env: an environment of Naips, wrapped or raw.
        path: the file of the first match.
        agents: who plays, a text for each seat.

    Raises:
        FileExistsError: a file of that name is there already; at the start, or at the reset.
        ValueError: not one agent for each seat.
    """

    def __init__(self, env: Any, path: str | Path, agents: Sequence[str] | None = None):
        super().__init__(env)
        seats = len(self.possible_agents)
        self._names = list(agents) if agents is not None else [""] * seats
        if len(self._names) != seats:
            raise ValueError(f"agents: {seats} seats need {seats} names, not {len(self._names)}")
        self._path, self._matches = Path(path), 0
        self._writer: _Writer | None = None
        _refuse_existing(self._path)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        path = self._path
        if self._matches:
            path = path.with_name(f"{path.stem}-{self._matches + 1}{path.suffix}")
        _refuse_existing(path)
        super().reset(seed, options)
        self._leave_file()
        self._writer = _Writer(path, _header(self.unwrapped, seed, options, self._names))

    def step(self, action: int | None) -> None:
        inner: GameEnv = self.unwrapped
        writer = self._writer
        if writer is None or action is None or _is_over(inner):
            super().step(action)
            return
        # Seat and words belong to the position before; an action that is not legal has no words.
        seat = inner.possible_agents.index(inner.agent_selection)
        legal = np.flatnonzero(inner.observe(inner.agent_selection)["action_mask"])
        words = inner.action_text(action) if action in legal else ""
        super().step(action)
        writer.move(Move(seat, operator.index(action), words), _paid(inner))
        if writer.moves == 1:
            self._matches += 1
        if _is_over(inner):
            writer.end(_ending(inner))
            self._writer = None

    def set_state(self, state: bytes) -> None:
        """Enter another match, which is not recorded: nobody could verify how it came about."""
        self.unwrapped.set_state(state)
        self._leave_file()

    def close(self) -> None:
        self._leave_file()
        super().close()

    def _leave_file(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = None

    def _repr_svg_(self) -> str | None:
        return self.unwrapped._repr_svg_()

    def __reduce__(self):
        return _itself, (self.env,)


def _itself(env: Any) -> Any:
    return env


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise FileExistsError(f"{path} is there already; a replay never overwrites a file")


class _Writer:
    """Writes one match, line by line."""

    def __init__(self, path: Path, header: dict[str, Any]):
        self._path, self._header = path, header
        self._file: IO[bytes] | None = None
        self._hash = hashlib.sha256()
        self._totals = np.zeros(header["config"]["num_players"])
        self.moves = 0

    def move(self, move: Move, paid: np.ndarray) -> None:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self._path, "xb")  # noqa: SIM115 - it stays open for the match
            self._write(self._header)
        self._write(move._asdict())
        self._totals += paid
        self.moves += 1

    def end(self, ended: str) -> None:
        last = _last_line(self.moves, self._totals, ended)
        self._write({**last, "hash": _seal(self._hash, last)})
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        text = _line(line)
        self._hash.update(text)
        if self._file is not None:
            self._file.write(text)
            self._file.flush()


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


def _last_line(moves: int, totals: np.ndarray, ended: str) -> dict[str, Any]:
    result = [round(total, DIGITS) + 0.0 for total in totals.tolist()]  # no negative zero
    return {"moves": moves, "result": result, "ended": ended}


def _seal(so_far: Any, last: Mapping[str, Any]) -> str:
    """The hash of all lines, the last one without its hash."""
    sealed = so_far.copy()
    sealed.update(_line(last))
    return sealed.hexdigest()


def _header(
    env: GameEnv, seed: int | None, options: Mapping[str, Any] | None, agents: Sequence[str]
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "naips": _own_version(),
        "env": env.game.env_id,
        "rules": rules_hash(env.game),
        "config": env.config,
        "seed": None if seed is None else operator.index(seed),
        "key": f"{env.key:016x}",
        "options": _plain(env.game, options or {}),
        "agents": list(agents),
    }


def _own_version() -> str:
    try:
        return version("naips")
    except PackageNotFoundError:  # a copy of the sources that was not installed
        return "unknown"


def _plain(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Reset options as JSON holds them: decks as lists of card texts."""
    plain = {name: _listed(value) for name, value in options.items()}
    texts = game.cards.texts_of
    if "deck" in plain:
        plain["deck"] = texts(game.cards.parse_all(plain["deck"]))
    if "decks" in plain:
        plain["decks"] = [texts(game.cards.parse_all(deck)) for deck in plain["decks"]]
    return plain


def _listed(value: Any) -> Any:
    """The value without arrays, tuples and numbers of NumPy."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


def rules_hash(game: Game) -> str:
    """A fingerprint of the sources of a game."""
    file = Path(sys.modules[game.module].__file__ or "")
    sources = sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _is_over(env: GameEnv) -> bool:
    return bool(env.states["over"][0])


def _paid(env: GameEnv) -> np.ndarray:
    return np.array([env.rewards.get(agent, 0.0) for agent in env.possible_agents])


def _ending(env: GameEnv) -> str:
    return "truncated" if env.states["truncated"][0] else "terminated"


# Reading


@dataclass(frozen=True)
class Replay:
    """A match that was verified move by move.

    Attributes:
        game: what was played.
        config: player count and options.
        seed: as given to ``reset``, or None.
        agents: who sat where; empty texts where it was not said.
        moves: the decisions in order.
        result: the total reward of every seat; None where the file ends before the match.
        ended: ``terminated``, ``truncated``, or empty.
        same_rules: whether the game's sources are those with which it was recorded. If not, it is
            verified all the same: every move is legal and the result is what it was.
    """

    game: Game
    config: dict[str, Any]
    seed: int | None
    agents: list[str]
    moves: list[Move]
    result: list[float] | None
    ended: str
    same_rules: bool
    key: int
    options: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Whether the match is there to its end."""
        return self.result is not None

    def env_at(self, n: int, **view: Any) -> GameEnv:
        """An environment before move ``n``; ``n = len(moves)`` is the end.

        Args:
            n: 0 to ``len(moves)``.
            view: ``render_mode``, ``render_seat`` and ``ascii_only`` of the environment.
        """
        if n not in range(len(self.moves) + 1):
            raise ValueError(f"{n} is no move of this replay; they go from 0 to {len(self.moves)}")
        env = GameEnv(self.game, **self.config, **view)
        env.deal_from(self.key, self.options)
        for move in self.moves[:n]:
            env.step(move.action)
        return env


def load_replay(
    path: str | Path, incomplete: bool = False, game: "str | Game | None" = None
) -> Replay:
    """Read a replay and verify it: its hash, every move, and the result.

    Args:
        path: a file that ``RecordGame`` wrote.
        incomplete: take a file that ends before its match does, up to the last whole line.
        game: the game that it has to be; needed where it is none of Naips' own.

    Raises:
        ReplayError: what is wrong with the file, in one line.
        FileNotFoundError: there is no such file.
    """
    path = Path(path)
    lines = _lines(path)
    header, last = _first_line(path, lines[0]), _sealed(path, lines)
    if game is not None and find_game(game).env_id != header["env"]:
        raise ReplayError(f"{path} is a match of {header['env']}, not of {find_game(game).env_id}")
    if last is None and not incomplete:
        raise IncompleteReplayError(
            f"{path} ends after {len(lines) - 1} moves, before its match does: it was cut short, "
            "or the match was left"
        )
    moves = [_move(path, n, line) for n, line in enumerate(lines[1 : -1 if last else None])]
    try:
        game = find_game(game or header["env"])
        replay = Replay(
            game=game,
            config=header["config"],
            seed=header["seed"],
            agents=header["agents"],
            moves=moves,
            result=last["result"] if last else None,
            ended=last["ended"] if last else "",
            same_rules=header["rules"] == rules_hash(game),
            key=int(header["key"], 16),
            options=header["options"],
        )
        env = replay.env_at(0)
        if len(replay.agents) != len(env.possible_agents):
            raise ValueError(f"it names {len(replay.agents)} agents")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ReplayError(f"{path} cannot be played here: {error}") from None
    _verify(path, replay, env)
    return replay


def _lines(path: Path) -> list[bytes]:
    """The whole lines of the file, at least one."""
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()  # it was being written when the end came
    if not lines:
        raise ReplayError(f"{path} is no replay: it has no first line")
    return lines


def _first_line(path: Path, line: bytes) -> dict[str, Any]:
    header = _parsed(line)
    if header is None or header.get("format") != FORMAT:
        raise ReplayError(f"{path} is no replay: its first line does not say so")
    if header.get("version") != VERSION:
        raise ReplayError(
            f"{path} is a replay of format {header.get('version')}; known is {VERSION}"
        )
    missing = {"env", "rules", "config", "seed", "key", "options", "agents"} - header.keys()
    if missing:
        raise ReplayError(f"{path} is damaged: its first line lacks {', '.join(sorted(missing))}")
    return header


def _sealed(path: Path, lines: list[bytes]) -> dict[str, Any] | None:
    """The last line, if it is a result; its hash has to be that of the lines before it."""
    last = _parsed(lines[-1])
    if last is None or "hash" not in last:
        if any(b'"hash"' in line for line in lines[1:-1]):
            raise ReplayError(f"{path} was changed after it was written: lines follow its end")
        return None
    so_far = hashlib.sha256()
    for line in lines[:-1]:
        so_far.update(line)
    named = last.pop("hash")
    if named != _seal(so_far, last) or not {"moves", "result", "ended"} <= last.keys():
        raise ReplayError(f"{path} was changed after it was written: its hash does not match")
    return last


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _move(path: Path, n: int, line: bytes) -> Move:
    data = _parsed(line) or {}
    try:
        return Move(int(data["seat"]), int(data["action"]), str(data["words"]))
    except (KeyError, TypeError, ValueError):
        raise ReplayError(f"{path} is damaged: line {n + 2} is no move") from None


def _verify(path: Path, replay: Replay, env: GameEnv) -> None:
    """Play the match anew; every move and the result have to be what the file says."""
    totals = np.zeros(len(env.possible_agents))
    for n, move in enumerate(replay.moves):
        fault = _fault(env, move)
        if fault:
            raise ReplayError(f"{path} cannot be played here: move {n}: {fault}{_whose(replay)}")
        env.step(move.action)
        totals += _paid(env)
    if replay.complete:
        found = _last_line(len(replay.moves), totals, _ending(env) if _is_over(env) else "")
        said = {"moves": len(replay.moves), "result": replay.result, "ended": replay.ended}
        if found != said:
            raise ReplayError(f"{path} says {said}, but its moves give {found}{_whose(replay)}")


def _fault(env: GameEnv, move: Move) -> str:
    """Why a move cannot be made here, or nothing."""
    if _is_over(env):
        return "the match is over before it"
    seat = env.possible_agents.index(env.agent_selection)
    if move.seat != seat:
        return f"it is of player_{move.seat}, but player_{seat} is to act"
    mask = env.observe(env.agent_selection)["action_mask"]
    if move.action not in np.flatnonzero(mask):
        return f"{move.words!r} ({move.action}) is not legal"
    words = env.action_text(move.action)
    return "" if words == move.words else f"action {move.action} is {words!r}, not {move.words!r}"


def _whose(replay: Replay) -> str:
    return "" if replay.same_rules else "; it was recorded with other rules"
