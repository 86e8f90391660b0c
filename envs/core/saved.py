"""A match as bytes: a magic word, a checksum, a JSON header, the record."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from envs.core.game import Game

FORMAT = 1
MAGIC = b"naips-state "


def pack(game: Game, config: Mapping[str, Any], facts: Mapping[str, Any], record: bytes) -> bytes:
    """The bytes of a match; ``facts`` is what is known outside the record, ready for JSON."""
    header = {"format": FORMAT, "env": game.env_id, "config": dict(config), **facts}
    body = json.dumps(header, sort_keys=True).encode() + b"\n" + record
    return MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body


def unpack(state: bytes, game: Game, config: Mapping[str, Any]) -> tuple[dict, bytes]:
    """Header and record of ``get_state`` bytes, after every check that can be made."""
    if not isinstance(state, bytes | bytearray) or not bytes(state).startswith(MAGIC):
        raise ValueError("these are not the bytes of get_state()")
    checksum, _, body = bytes(state)[len(MAGIC) :].partition(b"\n")
    if checksum != f"{zlib.crc32(body):08x}".encode():
        raise ValueError("the state is damaged: its checksum does not match")
    line, _, record = body.partition(b"\n")
    header = json.loads(line)
    if header["format"] != FORMAT:
        raise ValueError(f"state format {header['format']} is not the supported {FORMAT}")
    mine = json.loads(json.dumps(dict(config)))
    if (header["env"], header["config"]) != (game.env_id, mine):
        raise ValueError(
            f"the state belongs to {header['env']} {header['config']}, not {game.env_id} {mine}"
        )
    if len(record) != game.dtype.itemsize:
        raise ValueError("the state is of another version of this game")
    return header, record
