"""The notebooks run from top to bottom and show what they promise; git holds them unexecuted."""

import os
from collections import defaultdict
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from envs import GAMES
from envs.core.jit import ROOT

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
SVG, PNG, HTML, MARKDOWN, TEXT = (
    "image/svg+xml", "image/png", "text/html", "text/markdown", "text/plain",
)  # fmt: skip
CELL_SECONDS = 1200  # so that a test ends even where a kernel hangs; the first run compiles


def read(name: str) -> nbformat.NotebookNode:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def run(name: str, folder: Path, **parameters: float) -> dict[str, list[str]]:
    """Execute a notebook in a folder, its parameters replaced: kind of output -> all of it."""
    notebook = read(name)
    _set(notebook, parameters)
    client = NotebookClient(
        notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": ""})
    shown = defaultdict(list)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                shown[output.name].append(output.text)
            for kind, value in output.get("data", {}).items():
                shown[kind].append(value)
    return shown


def _set(notebook: nbformat.NotebookNode, parameters: dict[str, float]) -> None:
    """Put a cell with other values behind the one that is tagged ``parameters``."""
    tagged = [
        n for n, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", [])
    ]
    assert len(tagged) == bool(parameters)
    for n in tagged:
        unknown = [name for name in parameters if f"{name} = " not in notebook.cells[n].source]
        assert not unknown, f"no such parameters: {unknown}"
        lines = [f"{name} = {value!r}" for name, value in parameters.items()]
        notebook.cells.insert(n + 1, nbformat.v4.new_code_cell("\n".join(lines)))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_git_holds_it_unexecuted(name):
    notebook = read(name)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or (cell.outputs, cell.execution_count) == ([], None)


def test_every_notebook_is_executed_here():
    executed = [name for name in globals() if name.startswith("test_0")]
    assert sorted(name.removeprefix("test_") for name in executed) == NOTEBOOKS


def test_01_look(tmp_path):
    shown = run("01_look", tmp_path)
    assert len(shown[SVG]) == 3
    games, sections = shown[MARKDOWN]
    assert all(f"| {game.title} | `{env_id}` |" in games for env_id, game in GAMES.items())
    assert "| `hand` |" in sections
    (gallery,) = shown[HTML]
    assert all(f"<figcaption>{game.title}</figcaption>" in gallery for game in GAMES.values())
    said = "".join(shown["stdout"])
    for words in ("cannot play 48 (vull)", "decisions a second", "seen by player_2"):
        assert words in said


def test_02_train(tmp_path):
    shown = run("02_train", tmp_path, MINUTES=0.03, BLOCKS=10, PAUSE=0.0)
    curve, metrics, report = shown[PNG]
    assert all(map(len, (curve, metrics, report)))
    assert any("against" in table and "strong" in table for table in shown[HTML])
    assert len(shown[SVG]) == 2  # the table at the end of watching, and the position looked at
    (run_folder,) = (tmp_path / "runs").iterdir()
    assert (run_folder / "match.jsonl").is_file() and list(run_folder.glob("checkpoint-*"))


def test_03_tournament(tmp_path):
    shown = run("03_tournament", tmp_path, BLOCKS=50, SEARCH_BLOCKS=2)
    assert len(shown[PNG]) == 4  # the matrix, two ratings, intervals
    truc, duros, matchup = shown[HTML]
    assert "ismcts:50" in truc and "par is 50.0%" in truc
    assert "par is 20.0%" in duros
    assert "fewer matches" in matchup


def test_04_search(tmp_path):
    shown = run("04_search", tmp_path, WORLDS=50, ROUNDS=100, REPEATS=2)
    views, worlds = shown[HTML]
    assert "as player_1 sees it" in views and "world 3" in worlds
    assert len(shown[PNG]) == 3  # beliefs, values, budgets
    assert "the same findings: True" in "".join(shown["stdout"])


def test_05_sixth_game(tmp_path):
    shown = run("05_sixth_game", tmp_path, MINUTES=0.03, BLOCKS=10)
    assert len(shown[SVG]) == 1 and len(shown[PNG]) == 1
    assert "honest" in shown[HTML][0]
    assert "uniform worlds" in "".join(shown["stdout"])
    assert (tmp_path / "catxa.py").is_file()
