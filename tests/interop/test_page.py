"""The page about other libraries: its examples run, and its versions are those in use."""

import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

import envs.interop

PAGE = (Path(envs.interop.__file__).parent / "README.md").read_text(encoding="utf-8")
EXAMPLES: dict[str, str] = dict(re.findall(r"\n## (.+?)\n.*?```python\n(.*?)```", PAGE, re.DOTALL))
TRIED = dict(re.findall(r"^\| (\w+) \| ([\d.]+) \|", PAGE, re.MULTILINE))
APART = {"tianshou": "Tianshou", "ray": "RLlib"}  # tested in environments of their own


def test_there_is_an_example_for_every_library():
    assert list(EXAMPLES) == [
        "Gymnasium", "PettingZoo and SuperSuit", "Stable-Baselines3", "OpenSpiel", "TorchRL",
        "Tianshou", "RLlib",
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("title", EXAMPLES)
def test_its_example_runs(title):
    for library, apart in APART.items():
        if title == apart and find_spec(library) is None:
            pytest.skip(f"an extra of its own: make test-{library}")
    exec(compile(EXAMPLES[title], f"{title} in README.md", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("library", TRIED)
def test_the_versions_tried_are_those_installed(library):
    try:
        assert version(library) == TRIED[library]
    except PackageNotFoundError:
        assert library in APART


def test_a_missing_library_names_the_extra():
    with pytest.raises(ImportError, match=r'not installed; try: pip install "naips\[interop\]"'):
        envs.interop.require("no_such_library", "nothing", "1.0", "2.0")


def test_an_unknown_version_names_the_extra():
    with pytest.raises(ImportError, match=r'below 1.0 is needed; try: .*"naips\[interop\]"'):
        envs.interop.require("pyspiel", "open_spiel", "0.1", "1.0")
