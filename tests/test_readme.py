"""The README says what is true."""

import re
import shlex

import pytest

from training import cli, docs
from training.commands import COMMANDS

TEXT = docs.README.read_text(encoding="utf-8")


def test_the_generated_tables_are_up_to_date():
    assert docs.generated(TEXT) == TEXT, "run: make docs"


def test_every_example_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "95 % intervals" in capsys.readouterr().out


def test_the_actions_of_every_example_are_legal(capsys):
    """Also those of the command's own help."""
    told = "\n".join([TEXT, *(command.__doc__ or "" for command in COMMANDS.values())])
    examples = re.findall(r'naips (advise \w+ --seed \d+ --actions "[^"]+")', told)
    assert len(examples) == 2
    for example in examples:
        words = [*shlex.split(example), "--search", "pimc:1", "--policy", "random"]
        assert cli.main(words) == 0, capsys.readouterr().err


def test_a_missing_marker_is_named():
    with pytest.raises(ValueError, match="<!-- /status -->"):
        docs.generated("<!-- status --> and no end")


def test_neighbours_whose_words_begin_alike_are_one_row():
    texts = ["play 1O", "play 2O", "truc", "vull", "no vull"]
    assert [ids for ids, _ in docs._runs(texts)] == [[0, 1], [2], [3], [4]]
