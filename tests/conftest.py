"""Options of the test run, and marks by name and folder, so that no test carries them by hand."""

import re
from pathlib import Path

import pytest

WORKED = re.compile(r"test_E[A-Z]\d+")  # test_ET7_…: the ids of the rule pages' examples
CHECKED_FOLDERS = {"games"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="all cells of the contract, long play")
    parser.addoption("--game", action="append", help="only this game's contract (repeatable)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "xdist_group(name): tests that share compiled code; run with --dist loadgroup"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if WORKED.match(item.name):
            item.add_marker(pytest.mark.worked)
        if CHECKED_FOLDERS & set(Path(item.path).parts):
            item.add_marker(pytest.mark.bounds)
