"""Importing is light and fast: nothing heavy comes along, in a process of its own."""

import pytest

from envs.conformance.setup import HEAVY, run_bare
from tests.contract.cases import entry_of, games

TIMED = """
import sys, time
start = time.process_time()
import {module}
took = time.process_time() - start
print(took, *(name for name in {heavy} if name in sys.modules))
"""


@pytest.mark.parametrize("module", ["envs", "envs.conformance", "agents"])
def test_import_is_light_and_fast(module: str) -> None:
    done = run_bare(TIMED.format(module=module, heavy=HEAVY))
    assert done.returncode == 0, done.stderr
    took, *heavy = done.stdout.split()
    assert not heavy
    assert float(took) < 1.5


def test_import_of_all_games_is_light() -> None:
    modules = ", ".join(entry_of(env_id).partition(":")[0] for env_id in games())
    done = run_bare(TIMED.format(module=modules, heavy=HEAVY))
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == 1


def test_import_of_envs_compiles_and_imports_no_game() -> None:
    code = "import sys, envs; print(*(m for m in sys.modules if m.startswith('envs.')), sep=',')"
    done = run_bare(code)
    assert done.returncode == 0, done.stderr
    assert "numba" not in done.stdout
    assert not [
        name for name in done.stdout.split(",") if name.strip() in ("envs.truc", "envs.core.jit")
    ]
