"""Matches over the JSON interface, as a page plays them."""

import random
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from agents.human.web.app import make_app
from agents.human.web.store import Store

# Every game, as short as its rules allow: seats, and options.
SHORT: dict[str, tuple[list[str], dict[str, Any]]] = {
    "truc_v0": (["person", "random", "simple", "random"], {"target": 4}),
    "puc_v0": (["person", "simple", "simple"], {"only_hand": 1}),
    "balco_v0": (["person", "simple", "random"], {"end": "first_out"}),
    "quatre_duros_v0": (["person", "random", "simple"], {"coins": 1}),
    "poker_builder_v0": (["person", "simple"], {}),
}


class Client:
    """A browser's requests to a server that keeps its state in a folder."""

    def __init__(self, folder: Path, language: str = "en"):
        self.store = Store(folder)
        self.http = TestClient(
            make_app(self.store),
            base_url="http://localhost:8011",
            headers={"accept-language": language},
            raise_server_exceptions=False,
        )

    def get(self, path: str) -> Any:
        return self._answer(self.http.get(f"/api/{path}"))

    def post(self, path: str, **data: Any) -> Any:
        return self._answer(self.http.post(f"/api/{path}", json=data))

    def _answer(self, answer: Any) -> Any:
        assert answer.status_code in (200, 204), answer.text
        return answer.json() if answer.content else None

    def refused(self, method: str, path: str, **more: Any) -> tuple[int, str]:
        """Status and message of a request that is not granted."""
        answer = self.http.request(method, path, **more)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["error"]

    def create(self, game: str, seats: list[str], seed: int = 1, **options: Any) -> dict[int, str]:
        made = self.post("matches", game=game, seats=seats, seed=seed, options=options)
        return {int(seat): token for seat, token in made["tokens"].items()}

    def short(self, game: str, seed: int = 1) -> str:
        """A short match; the token of its person."""
        seats, options = SHORT[game]
        return self.create(game, seats, seed, **options)[0]

    def advance(self, token: str) -> dict[str, Any]:
        """Let agents play until the seat has to act or the match is over."""
        page = self.get(f"matches/{token}")
        while page["agent"]:
            page = self.post(f"matches/{token}/next", version=page["version"])
        return page

    def act(self, token: str, page: dict[str, Any], action: int) -> dict[str, Any]:
        return self.post(f"matches/{token}/act", action=action, version=page["version"])

    def play(self, token: str, most: int = 10_000, seed: int = 1) -> dict[str, Any]:
        """Play a seat at random, at most so many decisions; the last page."""
        chance = random.Random(seed)
        page = self.advance(token)
        while page["mine"] and most:
            page = self.act(token, page, chance.choice(page["actions"])["id"])
            page = self.advance(token) if page["agent"] else page
            most -= 1
        return page
