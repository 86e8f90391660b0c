"""The cache policy of compiled code, tried on a copy of the sources in other processes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from envs.core.jit import COMPILED, ROOT

pytestmark = pytest.mark.skipif(not COMPILED, reason="NUMBA_DISABLE_JIT leaves nothing to cache")

PLAY = """
from tests.toys.kuhn import GAME
from envs.core.batch import Batch
from envs.core.loops import compile_loops
batch = Batch(GAME, 2)
advance = compile_loops(GAME).start_slice
stats = advance.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
print(*batch.states["dealer"], *batch.states["card"].ravel())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of ``envs`` and the toys, small enough to compile in seconds."""
    ignore = shutil.ignore_patterns(
        "__pycache__", "truc", "puc", "balco", "quatre_duros", "poker_builder"
    )
    shutil.copytree(ROOT / "envs", tmp_path / "envs", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "toys", tmp_path / "tests" / "toys", ignore=ignore)
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "agents").mkdir()
    return tmp_path


def run(project: Path, code: str, **flags: str) -> list[str]:
    """The lines that a fresh interpreter prints; its cache lies in the project."""
    environment = os.environ | {
        "NAIPS_CACHE_DIR": str(project / "cache"),
        "PYTHONPATH": str(project),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | flags, cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def folder(project: Path, module: str, **flags: str) -> str:
    """The cache folder of what ``module`` compiles."""
    code = (
        "import sys; from envs.core import jit; "
        f"import {module}; print(jit.cache_folder(jit._sources({module!r})))"
    )
    return run(project, code, **flags)[0]


def test_a_second_process_finds_what_the_first_compiled(project: Path) -> None:
    first, second = run(project, PLAY), run(project, PLAY)
    assert first[0].split() == ["0", "1"]
    assert second[0].split() == ["1", "0"]
    assert first[1] == second[1]


def test_an_edit_in_another_file_is_noticed(project: Path) -> None:
    """The engine's loop is bound to the game's verbs: it must not be taken from before the edit."""
    before = run(project, PLAY)
    rules = project / "tests" / "toys" / "kuhn.py"
    text = rules.read_text()
    old = "state.dealer = draw_below(state, 2)"
    assert old in text
    rules.write_text(text.replace(old, "state.dealer = 3 + draw_below(state, 2)"))
    rules.write_text(
        rules.read_text().replace("state.turn = 1 - state.dealer", "state.turn = 4 - state.dealer")
    )
    after = run(
        project, PLAY.replace('print(*batch.states["dealer"]', "print(*batch.states['dealer']")
    )
    assert {int(d) for d in before[1].split()[:2]} <= {0, 1}
    assert {int(d) for d in after[1].split()[:2]} <= {3, 4}


def test_sources_and_flags_are_part_of_the_key(project: Path) -> None:
    plain = folder(project, "envs.core.loops")
    assert folder(project, "envs.core.loops") == plain
    assert folder(project, "envs.core.loops", NUMBA_BOUNDSCHECK="1") != plain
    assert folder(project, "envs.core.loops", NUMBA_OPT="1") != plain
    toy = folder(project, "tests.toys.kuhn")
    (project / "envs" / "core" / "table.py").open("a").write("\n# edited\n")
    assert folder(project, "envs.core.loops") != plain
    assert folder(project, "tests.toys.kuhn") != toy


def test_games_do_not_share_a_key(project: Path) -> None:
    """An edit in one house leaves what the other houses have compiled."""
    code = "from envs.core import jit; print(*(jit.cache_folder(jit._sources(m)) for m in ({})))"
    houses = "'envs.one.rules', 'envs.two.rules', 'envs.core.loops'"
    for house in ("one", "two"):
        (project / "envs" / house).mkdir()
        (project / "envs" / house / "rules.py").write_text(f"# {house}")
    before = run(project, code.format(houses))[0].split()
    (project / "envs" / "one" / "rules.py").write_text("# edited")
    after = run(project, code.format(houses))[0].split()
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]
    assert len(set(before)) == 3


ECHO = "verb = None\n\n\ndef echo():\n    return verb()\n"  # a loop of the engine
VERB = "from envs.core.jit import bind, rule\n\n\n@rule\ndef verb():\n    return {}\n"
SAY = "from envs.core.echo import echo\nprint(bind(echo, {'verb': verb}, 'toy')())\n"


def test_a_cell_is_not_taken_for_the_one_before(project: Path) -> None:
    """What was typed has no file by which a cache on disk could tell its versions apart."""
    (project / "envs" / "core" / "echo.py").write_text(ECHO)
    assert run(project, VERB.format(1) + SAY) == ["1"]
    assert run(project, VERB.format(2) + SAY) == ["2"]


def test_a_module_may_be_edited_and_loaded_again(project: Path) -> None:
    (project / "envs" / "core" / "echo.py").write_text(ECHO)
    (project / "toy.py").write_text(VERB.format(1) + SAY)
    code = (
        "import importlib, pathlib, toy; file = pathlib.Path('toy.py'); "
        "file.write_text(file.read_text().replace('return 1', 'return 22')); "
        "importlib.invalidate_caches(); importlib.reload(toy)"
    )
    assert run(project, code) == ["1", "22"]


def test_without_compilation_all_is_plain_python(project: Path) -> None:
    code = (
        "from envs.core import jit, random; "
        "print(jit.COMPILED, type(jit.rule(lambda x: x)).__name__, random.scale(2**63, 2))"
    )
    assert run(project, code, NUMBA_DISABLE_JIT="1")[0].split() == ["False", "function", "1"]
