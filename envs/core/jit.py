"""Compilation: the one place that knows Numba.

``rule`` compiles a function of the rules, ``bind`` compiles a loop of the engine together with one
game's verbs. Both cache on disk, in a folder named after a hash of every source they may depend on
and of the compiler's flags: Numba's own cache looks only at the file that holds the function, so an
edit in another file would go unnoticed.

What has no file to be keyed by, a cell of a notebook, is compiled anew in every process: its bound
loops would otherwise be taken for those of the cell that stood there before.

With ``NUMBA_DISABLE_JIT=1`` both return plain Python, for debugging and for coverage.
"""

import hashlib
import os
import sys
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba
import numpy as np
import platformdirs
from numba import config, njit

ROOT = Path(__file__).resolve().parents[2]
COMPILED = not config.DISABLE_JIT
NOT_COMPILED = {"human"}  # folders in which nothing is compiled: what people see may be edited


@cache
def _digest(folder: str) -> str:
    """Hash of all Python sources below one folder, given from the project's root or absolute."""
    digest = hashlib.sha256()
    top = ROOT / folder
    for path in sorted(top.rglob("*.py")):
        if NOT_COMPILED.isdisjoint(path.relative_to(top).parts):
            digest.update(str(path.relative_to(top)).encode() + path.read_bytes())
    return digest.hexdigest()


def _sources(module: str) -> tuple[str, ...] | None:
    """Folders whose sources a compiled function of ``module`` may use; None if it has no file."""
    parts = module.split(".")
    if parts[:2] == ["envs", "core"]:
        return ("envs/core",)
    if parts[0] == "envs" and len(parts) > 1:
        return ("envs/core", f"envs/{parts[1]}")
    if parts[0] == "agents":
        return ("envs", "agents")
    file = getattr(sys.modules.get(module), "__file__", None)  # a game or an agent from elsewhere
    # The file beside its folder: it may be edited and loaded again while the process runs.
    return ("envs", "agents", str(Path(file).parent), file) if file else None


def cache_folder(sources: tuple[str, ...]) -> Path:
    """The folder that holds what was compiled from these sources with these flags."""
    flags = f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT}"
    digest = hashlib.sha256(flags.encode())
    for place in sources:
        path = ROOT / place
        digest.update(path.read_bytes() if path.is_file() else _digest(place).encode())
    root = os.environ.get("NAIPS_CACHE_DIR") or platformdirs.user_cache_dir("naips")
    return Path(root) / "numba" / digest.hexdigest()[:20]


def _compile(function: Callable, sources: tuple[str, ...] | None) -> Callable:
    flags = {"nogil": True, "error_model": "numpy"}
    if sources is None:
        return njit(**flags)(function)
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder(sources))
    try:
        return njit(cache=True, **flags)(function)
    finally:
        config.CACHE_DIR = previous


def rule(function: Callable) -> Callable:
    """Compile a function over a game's record; it allocates nothing and raises nothing."""
    return _compile(function, _sources(function.__module__))


def bind(loop: Callable, verbs: dict[str, Callable], owner: str) -> Callable:
    """Compile ``loop`` with the verbs of one game standing for its free names.

    A closure over the verbs would never be found in the disk cache, so the function object is
    rebuilt with the verbs as its globals and a name of its own.

    Args:
        loop: a plain function that calls verbs by their bare names.
        verbs: name -> compiled function.
        owner: the game's package, ``"truc"``; distinguishes the compiled copies.
    """
    bound = types.FunctionType(loop.__code__, {**loop.__globals__, **verbs}, loop.__name__)
    bound.__qualname__ = f"{loop.__qualname__}_{owner}"
    bound.__module__ = loop.__module__
    # The engine's loops depend on the core and the game; others (search, rollouts) on agents too.
    modules = {loop.__module__, *(verb.__module__ for verb in verbs.values())}
    sources = [_sources(module) for module in modules]
    known = [places for places in sources if places is not None]
    whole = tuple(sorted({place for places in known for place in places}))
    return _compile(bound, whole if len(known) == len(sources) else None)
