"""Options of the test run: ``--full`` for the long form, ``--game`` for some games alone."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="every cell of the contract, and long play")
    parser.addoption("--game", action="append", help="only this game's contract (repeatable)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "xdist_group(name): tests that share compiled code; run with --dist loadgroup"
    )
