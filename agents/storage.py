"""Files of arrays: safetensors with a JSON header, written atomically and checked when read.

Nothing is ever unpickled. The header travels in the file's metadata together with a digest of the
arrays, so that a file that was cut short, altered or made by another program is refused.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> None:
    """Write ``arrays`` and a JSON ``header``; a reader sees the old file or the whole new one."""
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    metadata = {"header": json.dumps(header, sort_keys=True), "sha256": _digest(arrays)}
    write_bytes(path, save(arrays, metadata))


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file by ``content``, atomically and durably."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with open(draft, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def make_folder(folder: Path, purpose: str) -> None:
    """Make a folder, unless it is there, and try to write in it.

    Work of hours must not find out at its end that nothing can be kept.

    Raises:
        ValueError: it cannot hold what it is for, ``purpose``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".draft-", dir=folder):
            pass
    except OSError as error:
        raise ValueError(f"{folder} cannot hold {purpose}: {error.strerror}") from None


def read_arrays(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and header of a file that ``write_arrays`` wrote.

    Raises:
        ValueError: the file is damaged, incomplete or of another origin.
        FileNotFoundError: there is no such file.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is damaged or is no safetensors file: {error}") from None
    if not {"header", "sha256"} <= metadata.keys():
        raise ValueError(f"{path} was not written by Naips: it has no header")
    if metadata["sha256"] != _digest(arrays):
        raise ValueError(f"{path} is damaged: its digest does not match")
    return arrays, json.loads(metadata["header"])


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()
