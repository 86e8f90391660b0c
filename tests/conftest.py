"""Marks by name and folder, so that no test has to carry them by hand."""

import re
from pathlib import Path

import pytest

WORKED = re.compile(r"test_E[A-Z]\d+")  # test_ET7_…: the ids of the rule pages' examples
CHECKED_FOLDERS = {"games"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if WORKED.match(item.name):
            item.add_marker(pytest.mark.worked)
        if CHECKED_FOLDERS & set(Path(item.path).parts):
            item.add_marker(pytest.mark.bounds)
