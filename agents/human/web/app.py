"""Requests and answers: a JSON interface, and the files of the page.

Only this machine is served: a request for another host's name, or one that another site's page
made, is refused. Whatever is wrong with a request is answered by one line of JSON.
"""

import json
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from agents.human.acts import Act
from agents.human.language import CODES, Language, language, preferred
from agents.human.web import page
from agents.human.web.catalogue import catalogue
from agents.human.web.match import Plan
from agents.human.web.store import Seat, Store
from envs import find_game
from envs.core.picture.cards import any_card_svg
from envs.core.replay import Replay

STATIC = Path(__file__).parent / "static"
HOSTS = ("127.0.0.1", "localhost", "[::1]")
LARGEST = 8_000_000  # bytes of a request
LONGEST_CARD = 8
ICON = "1O"
MOST = 2**63
POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"


class Refusal(Exception):  # noqa: N818 - an answer
    """A request that is not granted: the status and one line that says why."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def make_app(store: Store) -> Starlette:
    """The application that plays the matches of a store."""
    table = Handlers(store)
    routes = [
        *(Route(path, _file("index.html")) for path in ("/", "/play/{token}", "/replay/{name}")),
        Route("/favicon.ico", _endpoint(table.icon)),
        Route("/card/{style}/{card}.svg", _endpoint(table.card)),
        Route("/api/texts", _endpoint(table.texts)),
        Route("/api/games", _endpoint(table.games)),
        Route("/api/rules/{game}", _endpoint(table.rules)),
        Route("/api/matches", _endpoint(table.create), methods=["POST"]),
        Route("/api/matches/{token}", _endpoint(table.look)),
        Route("/api/matches/{token}", _endpoint(table.forget), methods=["DELETE"]),
        Route("/api/matches/{token}/act", _endpoint(table.act), methods=["POST"]),
        Route("/api/matches/{token}/next", _endpoint(table.agent_acts), methods=["POST"]),
        Route("/api/matches/{token}/hint", _endpoint(table.hint)),
        Route("/api/matches/{token}/replay", _endpoint(table.keep_replay), methods=["POST"]),
        Route("/api/replays", _endpoint(table.add_replay), methods=["POST"]),
        Route("/api/replays/{name}", _endpoint(table.replay)),
        Route("/api/replays/{name}/file", _endpoint(table.replay_file)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(OwnMachine)],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )


class Asked:
    """A request, its body read.

    Attributes:
        path, query: parameters of the address.
        body: the bytes that came with it.
        language: in which it is answered.
    """

    def __init__(self, request: Request, body: bytes):
        self.path, self.query, self.body = request.path_params, request.query_params, body
        wished = request.query_params.get("lang", "")
        wishes = wished if wished in CODES else request.headers.get("accept-language", "")
        self.language: Language = language(preferred(wishes))

    def data(self) -> dict[str, Any]:
        """The body as a JSON object."""
        try:
            data = json.loads(self.body)
        except (ValueError, RecursionError):
            raise Refusal(400, "the request holds no JSON") from None
        if not isinstance(data, dict):
            raise Refusal(400, "the request holds no JSON object")
        return data


def number(data: dict[str, Any], name: str) -> int:
    """A field that has to be an integer from 0."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST:
        raise Refusal(400, f"{name}={value!r}: needed is an integer from 0")
    return operator.index(value)


class Handlers:
    """What is done for each kind of request."""

    def __init__(self, store: Store):
        self._store = store

    # Beginning

    def texts(self, asked: Asked) -> Any:
        names = {code: language(code).name for code in CODES}
        return {"language": asked.language.code, "languages": names, "texts": asked.language.page}

    def games(self, asked: Asked) -> Any:
        return catalogue(asked.language)

    def icon(self, asked: Asked) -> Response:
        return _card(ICON, "spanish")

    def card(self, asked: Asked) -> Response:
        style, card = asked.path["style"], asked.path["card"]
        if style not in ("spanish", "french") or len(card) > LONGEST_CARD:
            raise Refusal(404, "there is no such card")
        return _card(card, style)

    def rules(self, asked: Asked) -> Any:
        try:
            game = find_game(asked.path["game"])
        except ValueError as error:
            raise Refusal(404, str(error)) from None
        return {"title": game.title, "page": game.page}

    def create(self, asked: Asked) -> Any:
        data = asked.data()
        try:
            tokens = self._store.create(_plan(data))
        except (ValueError, TypeError, FileNotFoundError) as error:
            raise Refusal(400, str(error)) from None
        return {"tokens": tokens, "first": tokens[min(tokens)]}

    # Playing

    def look(self, asked: Asked) -> Any:
        seat = self._seat(asked)
        with seat.match.lock:
            if asked.query.get("seen") == str(seat.match.version):
                return None
            return page.match_page(seat, asked.language)

    def act(self, asked: Asked) -> Any:
        data, seat = asked.data(), self._seat(asked)
        action, seen = number(data, "action"), number(data, "version")
        with seat.match.lock:
            if seen != seat.match.version:
                raise Refusal(409, "the table has changed since")
            if seat.match.turn is None:
                raise Refusal(409, "the match is over")
            if seat.match.turn != seat.viewer:
                raise Refusal(409, f"player_{seat.match.turn} is to act")
            try:
                seat.match.act(action)
            except ValueError as error:
                raise Refusal(400, str(error)) from None
            self._save(seat)
            return page.match_page(seat, asked.language)

    def agent_acts(self, asked: Asked) -> Any:
        """One decision of an agent; asked twice for the same one, it is made once."""
        seen, seat = number(asked.data(), "version"), self._seat(asked)
        with seat.match.lock:
            if seen == seat.match.version and seat.match.agent_acts():
                self._save(seat)
            return page.match_page(seat, asked.language)

    def hint(self, asked: Asked) -> Any:
        seat = self._seat(asked)
        with seat.match.lock:
            if seat.match.turn is None or seat.match.turn != seat.viewer:
                raise Refusal(409, "there are hints for the seat to act only")
            return page.hint_page(seat.match, asked.language)

    def forget(self, asked: Asked) -> Any:
        self._store.forget(self._seat(asked).name)
        return {}

    def _seat(self, asked: Asked) -> Seat:
        try:
            return self._store.find(asked.path["token"])
        except KeyError:
            raise Refusal(404, "there is no such match") from None
        except ValueError as error:
            raise Refusal(410, str(error)) from None

    def _save(self, seat: Seat) -> None:
        try:
            self._store.save(seat)
        except KeyError:
            raise Refusal(404, "the match was removed meanwhile") from None

    # Replays

    def keep_replay(self, asked: Asked) -> Any:
        seat = self._seat(asked)
        with seat.match.lock:
            if not seat.match.over:
                raise Refusal(409, "the replay of a match can be seen when it is over")
            return {"name": self._store.replay_of(seat.match)}

    def add_replay(self, asked: Asked) -> Any:
        try:
            return {"name": self._store.add_replay(asked.body)}
        except ValueError as error:
            raise Refusal(400, str(error)) from None

    def replay(self, asked: Asked) -> Any:
        replay, acts = self._replay(asked)
        move, viewer = asked.query.get("move", "0"), asked.query.get("seat", "all")
        if move not in map(str, range(len(replay.moves) + 1)):
            raise Refusal(400, f"move={move}: moves go from 0 to {len(replay.moves)}")
        if viewer not in ("all", *map(str, range(len(replay.agents)))):
            raise Refusal(400, f"seat={viewer}: allowed are all and seats")
        looks = None if viewer == "all" else int(viewer)
        return page.replay_page(replay, acts, int(move), looks, asked.language)

    def replay_file(self, asked: Asked) -> Response:
        replay, _ = self._replay(asked)
        path = self._store.replay_file(asked.path["name"])
        return FileResponse(
            path, filename=f"{replay.game.env_id}-{path.stem[:8]}.jsonl", media_type="text/plain"
        )

    def _replay(self, asked: Asked) -> tuple[Replay, list[Act]]:
        try:
            return self._store.replay(asked.path["name"])
        except KeyError:
            raise Refusal(404, "there is no such replay") from None
        except ValueError as error:
            raise Refusal(410, str(error)) from None


def _plan(data: dict[str, Any]) -> Plan:
    """The match that a page asks for."""
    given, options = data.get("game"), data.get("options", {})
    seated = data.get("seats")
    if not isinstance(given, str) or not isinstance(options, dict):
        raise Refusal(400, "needed are game, a text, and options, an object")
    if not isinstance(seated, list) or not all(isinstance(spec, str) for spec in seated):
        raise Refusal(400, "seats: needed is a list of texts, one for each seat")
    game = find_game(given)
    config = game.configure(len(seated), **options)
    return Plan(game, config, number(data, "seed"), tuple(seated))


def _card(card: str, style: str) -> Response:
    return Response(
        any_card_svg(card, style),
        media_type="image/svg+xml",
        headers={"Cache-Control": "max-age=86400"},
    )


# Around the handlers


def _endpoint(handler: Callable[[Asked], Any]) -> Callable:
    """A handler, run in a thread, its answer as JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            asked = Asked(request, await _body(request))
            answer = await run_in_threadpool(handler, asked)
        except Refusal as refusal:
            return _message(refusal.status, str(refusal))
        if isinstance(answer, Response):
            return answer
        if answer is None:
            return Response(status_code=204)
        return JSONResponse(answer, headers={"Cache-Control": "no-store"})

    return endpoint


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise Refusal(413, f"a request holds at most {LARGEST:,} bytes")
    return body


def _file(name: str) -> Callable:
    async def endpoint(request: Request) -> Response:
        return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})

    return endpoint


def _message(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status, {"Cache-Control": "no-store"})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _message(error.status_code, str(error.detail))


async def _failed(request: Request, error: Exception) -> Response:
    return _message(500, f"this should not have happened: {type(error).__name__}: {error}")


class OwnMachine:
    """Lets through what this machine's own browser asks for in its own name."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if _name(host) not in HOSTS:
            await _message(403, "this server answers to localhost only")(scope, receive, send)
        elif origin is not None and origin != f"{scope['scheme']}://{host}":
            await _message(403, "this request comes from another site")(scope, receive, send)
        else:
            await self._app(scope, receive, _guarded(send))


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _guarded(send: Send) -> Send:
    """Answers say that nothing from elsewhere belongs to the page."""
    headers = [
        (b"content-security-policy", POLICY.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
    ]

    async def guarded(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
        await send(message)

    return guarded
