"""Tests that take ``cell`` run for every cell, those that take ``env_id`` for every game."""

import pytest

from tests.contract.cases import games
from tests.contract.cells import cells


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config = metafunc.config
    chosen = config.getoption("--game") or games()
    if "cell" in metafunc.fixturenames:
        found = [cell for env_id in chosen for cell in cells(env_id, config.getoption("--full"))]
        metafunc.parametrize("cell", [_param(cell, cell.env_id) for cell in found])
    elif "env_id" in metafunc.fixturenames:
        metafunc.parametrize("env_id", [_param(env_id, env_id) for env_id in chosen])


def _param(value: object, env_id: str):
    return pytest.param(value, id=str(value), marks=pytest.mark.xdist_group(env_id))


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long form was asked for."""
    return request.config.getoption("--full")
