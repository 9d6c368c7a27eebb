"""The server: addresses, what may be sent to them, and what is said if it is wrong."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from ..envs.faces.extras import missing

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
except ImportError as error:
    raise missing(error, "web") from None

from ..envs.registry import GAMES
from ..envs.registry import game as make_game
from ..envs.replay import Replay
from ..envs.replay.page import page_of
from .tables import ConflictError, Table, Tables, named_game
from .telling import game_told, hints_told, past_told, replay_told, table_told

__all__ = ["LOOPBACK", "listen", "make_app", "serve"]

STATIC = Path(__file__).with_name("static")
LOOPBACK = ("127.0.0.1", "localhost")
MOST_BYTES = 16_000  # of a body; a replay may have more
MOST_BYTES_OF_A_REPLAY = 1_000_000
PATIENCE = 20.0  # seconds that a question for news stays open
KEEP_ALIVE = 300  # seconds, as long as browsers keep a connection: closing it just when they use it would be an error to them
PAGES = 8  # of replays that are kept at hand: making one takes seconds
HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",  # addresses are secrets
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
}
ON_ITS_OWN = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'none'"

Handler = Callable[[Request], Awaitable[Response]]


class RefusedError(Exception):
    """A request that is answered with a status and one clear sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


# --- What is sent ----------------------------------------------------------------------------------------------------------------


async def body_of(request: Request, most: int = MOST_BYTES) -> str:
    """The body as text, not one byte more than allowed. JSON only: other pages in the browser cannot send that unasked."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "a body of the type application/json is expected")
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > most:
            raise RefusedError(413, f"too long: at most {most} bytes")
    try:
        return b"".join(parts).decode()
    except UnicodeDecodeError:
        raise RefusedError(400, "the body is not a text in UTF-8") from None


async def fields_of(request: Request, **kinds: type) -> list[Any]:
    """The fields of an object, each of its kind, and no others."""
    try:
        values = json.loads(await body_of(request))
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body is not JSON") from None
    if not isinstance(values, dict) or set(values) != set(kinds):
        raise RefusedError(400, f"an object with {', '.join(kinds)} is expected")
    for name, kind in kinds.items():
        if type(values[name]) is not kind:
            raise RefusedError(400, f"{name!r} must be of the kind {KINDS[kind]}, not {str(values[name])[:40]!r}")
    return [values[name] for name in kinds]


KINDS = {str: "text", int: "whole number", bool: "true or false", list: "list", dict: "object"}


def texts(name: str, values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise RefusedError(400, f"{name!r} must be a list of texts")
    return values


def is_dark(request: Request) -> bool:
    return request.query_params.get("theme") == "dark"


# --- What is answered ------------------------------------------------------------------------------------------------------------


def answered(handler: Callable[[Request], Awaitable[Any]]) -> Handler:
    """A handler's values as JSON, and what is wrong as {"error": ...}."""

    @wraps(handler)
    async def answer(request: Request) -> Response:
        try:
            told = await handler(request)
        except RefusedError as error:
            return complaint(error.status, str(error))
        except LookupError as error:
            return complaint(404, str(error.args[0]))
        except ConflictError as error:
            return complaint(409, str(error))
        except ValueError as error:
            return complaint(400, str(error))
        except ClientDisconnect:
            return complaint(400, "the body is not complete")
        except OSError as error:
            return complaint(507, f"this cannot be kept, so it was not done: {error.strerror}")
        return told if isinstance(told, Response) else JSONResponse(told, headers=HEADERS)

    return answer


def complaint(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status, headers=HEADERS)


async def not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return complaint(status, "there is nothing at this address" if status == 404 else "this address does not take that")


def page(name: str) -> Handler:
    async def show(request: Request) -> Response:
        return FileResponse(STATIC / name, headers=HEADERS)

    return show


class Site:
    """The handlers, over the tables of a folder."""

    def __init__(self, folder: Path, more_players: Sequence[str]) -> None:
        self.folder, self.more_players = folder, more_players
        self._pages: dict[str, str] = {}

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.tables = Tables(self.folder, self.more_players)
        yield
        self.tables.close()

    def routes(self) -> list[Route | Mount]:
        seat = "/api/tables/{table}/{key}"
        return [
            Route("/", page("lobby.html")),
            Route("/table/{table}/{key}", page("table.html")),
            Route("/replay/{name}", answered(self.replay_page)),
            Route("/api/games", answered(self.games)),
            Route("/api/replays", answered(self.bring), methods=["POST"]),
            Route("/api/replays/{name}", answered(self.replay)),
            Route("/api/tables", answered(self.open), methods=["POST"]),
            Route(seat, answered(self.table)),
            Route(seat + "/past/{decisions:int}", answered(self.past)),
            Route(seat + "/move", answered(self.move), methods=["POST"]),
            Route(seat + "/undo", answered(self.undo), methods=["POST"]),
            Route(seat + "/hint", answered(self.hint), methods=["POST"]),
            Route(seat + "/replay.json", answered(self.save)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    # --- Choosing a table ----------------------------------------------------------------------------------------------------

    async def games(self, request: Request) -> Any:
        def told() -> list[dict[str, Any]]:
            games = map(make_game, GAMES)
            return [game_told(game, self.tables.computers(game)) for game in games]

        return {"games": await self.tables.aside(told)}

    async def open(self, request: Request) -> Any:
        """{"game", "num_players", "options", "players", "open"}: the links of the seats; with {"replay", "at"} instead of the first
        three, a kept game goes on."""
        if "replay" in request.query_params:
            players, freely, at = await fields_of(request, players=list, open=bool, at=int)
            replay = await self.tables.replay(request.query_params["replay"])
            table = await self.tables.play_on(replay, at, texts("players", players), freely=freely)
        else:
            kinds = {"game": str, "num_players": int, "options": dict, "players": list, "open": bool}
            name, num_players, options, players, freely = await fields_of(request, **kinds)
            game = named_game(name, num_players, options)
            table = await self.tables.open(game, texts("players", players), freely=freely)
        links = {seat: f"/table/{table.name}/{key}" for seat, key in enumerate(table.seats.keys) if key}
        return {"table": table.name, "links": links}

    # --- At a table ----------------------------------------------------------------------------------------------------------

    async def _seat(self, request: Request) -> tuple[Table, int]:
        table = await self.tables.find(request.path_params["table"])
        return table, table.seat_of(request.path_params["key"])

    def _told(self, request: Request, table: Table, seat: int) -> dict[str, Any]:
        return table_told(table, seat, self.tables.computers(table.sitting.game), dark=is_dark(request))

    async def table(self, request: Request) -> Any:
        """The table now; with ?after=VERSION, as soon as it is another one."""
        table, seat = await self._seat(request)
        if after := request.query_params.get("after"):
            await table.wait_for_news(after, PATIENCE)
            if table.version == after:
                return Response(status_code=204, headers=HEADERS)
        return self._told(request, table, seat)

    async def move(self, request: Request) -> Any:
        table, seat = await self._seat(request)
        action, version = await fields_of(request, action=str, version=str)
        self.tables.play(table, seat, action, version)
        return self._told(request, table, seat)

    async def undo(self, request: Request) -> Any:
        table, seat = await self._seat(request)
        (version,) = await fields_of(request, version=str)
        await self.tables.undo(table, seat, version)
        return self._told(request, table, seat)

    async def hint(self, request: Request) -> Any:
        table, seat = await self._seat(request)
        (player,) = await fields_of(request, player=str)
        return hints_told(table, *await self.tables.hint(table, seat, player))

    async def past(self, request: Request) -> Any:
        table, seat = await self._seat(request)
        return past_told(table, seat, request.path_params["decisions"], dark=is_dark(request))

    # --- Replays -------------------------------------------------------------------------------------------------------------

    async def save(self, request: Request) -> Any:
        table, _ = await self._seat(request)
        replay = await self.tables.replay(table.name)
        name = f'attachment; filename="{replay.game}.json"'
        return Response(replay.to_json(), media_type="application/json", headers={**HEADERS, "content-disposition": name})

    async def bring(self, request: Request) -> Any:
        return {"replay": await self.tables.bring(await body_of(request, MOST_BYTES_OF_A_REPLAY))}

    async def replay(self, request: Request) -> Any:
        return replay_told(await self.tables.replay(request.path_params["name"]))

    async def replay_page(self, request: Request) -> Any:
        name = request.path_params["name"]
        if name not in self._pages:
            replay: Replay = await self.tables.replay(name)
            made = await self.tables.aside(lambda: page_of(replay, play_on=f"/?replay={name}&at="))
            while len(self._pages) >= PAGES:
                del self._pages[next(iter(self._pages))]
            self._pages[name] = made
        return HTMLResponse(self._pages[name], headers={**HEADERS, "content-security-policy": ON_ITS_OWN})


# --- Serving ---------------------------------------------------------------------------------------------------------------------


def make_app(folder: Path, *, more_players: Sequence[str] = (), hosts: Sequence[str] = LOOPBACK) -> Starlette:
    """The application over a folder of tables. It answers only to its own names, so that no other page can pretend to be it."""
    site = Site(folder, more_players)
    return Starlette(
        routes=site.routes(),
        lifespan=site.lifespan,
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
        exception_handlers={404: not_found, 405: not_found},
    )


def listen(host: str, port: int) -> socket.socket:
    """The place to listen at; OSError if it is taken."""
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def serve(place: socket.socket, folder: Path, more_players: Sequence[str] = ()) -> None:
    """Serve until it is stopped."""
    host = place.getsockname()[0]
    app = make_app(folder, more_players=more_players, hosts=LOOPBACK if host in LOOPBACK else ("*",))
    # No access log: addresses are the secrets of the seats.
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, timeout_keep_alive=KEEP_ALIVE)
    uvicorn.Server(config).run(sockets=[place])
