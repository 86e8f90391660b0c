"""Without Ray: what a person is told."""

import sys

from training import cli


def test_without_the_library_one_line_names_the_extra(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("training.rllib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)
    for command in (["train-ray", "truc"], ["tournament", "truc", "--ray"]):
        assert cli.main(command) == 2
        assert capsys.readouterr().err == (
            'naips: ray is not installed; try: pip install "naips[ray]"\n'
        )
