"""Golden games: behaviour that changes without a new version fails here."""

from tests.contract.cases import game_of, games
from tests.golden import FOLDER, path_of, replay, wanted


def test_golden_games_replay(env_id: str) -> None:
    for players in game_of(env_id).player_counts:
        path = path_of(env_id, players)
        assert path.exists(), f"no golden game {path.name}: python -m tests.golden {env_id}"
        lines = replay(env_id, path.read_text(encoding="utf-8"))
        for number, (then, now) in enumerate(lines, start=2):
            assert then == now, f"{path.name}, line {number}, no longer holds"


def test_no_golden_game_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} <= {
        path_of(*game).name for game in wanted()
    }


def test_every_game_has_a_version_module() -> None:
    assert all(env_id == game_of(env_id).env_id for env_id in games())
