"""``python -m envs.conformance`` on environments of this engine and of others."""

import pytest

from envs.conformance import find
from envs.conformance.__main__ import main


def test_an_environment_of_another_origin_gets_what_needs_no_hooks(capsys) -> None:
    assert main(["tests.toys.nim"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "tests.toys.nim:env: all hold"
    assert len([line for line in lines if " holds " in line]) > 10
    assert [line for line in lines if "no Game to look into" in line]


def test_what_is_broken_is_named(capsys) -> None:
    assert main(["tests.toys.nim:open_env"]) == 1
    broken = [line for line in capsys.readouterr().out.splitlines() if " BROKEN " in line]
    assert len(broken) == 1
    assert "mask contract" in broken[0]
    assert "is shown legal actions" in broken[0]


def test_names() -> None:
    assert find("truc") == find("truc_v0") == find("naips/truc-v0") == "envs.truc_v0:env"
    assert find("tests.toys.kuhn:raw_env") == "tests.toys.kuhn:raw_env"


@pytest.mark.parametrize("name", ["nonsense", "no.such.module", "tests.toys.nim:nothing"])
def test_what_there_is_not(name: str, capsys) -> None:
    assert main([name]) == 2
    assert "truc_v0" in capsys.readouterr().err
