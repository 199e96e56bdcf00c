"""The application: endpoints behind the gate, the event stream, pages and files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web import api_hall, api_play, api_read, openapi, pages
from warcabinet.web.endpoints import ENDPOINTS, JSON, Answer, Ask, Endpoint, House, Kept, NoBody, NoQuery
from warcabinet.web.errors import Problem, unauthorized
from warcabinet.web.gate import COOKIE, same_origin, sitter_at, visitor
from warcabinet.web.hall import Hall
from warcabinet.web.middleware import Limits, Logged, Strict, log
from warcabinet.web.settings import Settings
from warcabinet.web.stream import Switchboard
from warcabinet.web.tables import Tables

STATIC = Path(__file__).parent / "static"
_LOADED = (api_hall, api_play, api_read)  # importing them registers their endpoints


def create_app(settings: Settings) -> Starlette:
    """The application over a data folder."""
    hall = Hall(settings.data)
    house = House(
        settings,
        hall,
        Tables(settings.data, hall, settings.tables_open),
        Switchboard(settings.listeners_per_table),
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        house.switchboard.start()
        log("start", data=settings.data.name)
        yield
        house.tables.close()
        house.hall.close()
        log("stop")

    app = Starlette(
        routes=_routes(house),
        middleware=[
            Middleware(Logged),
            Middleware(Strict),
            # Everything but the stream of events, whose news are a line each.
            Middleware(GZipMiddleware, minimum_size=600, compresslevel=6),
            Middleware(Limits, settings=settings),
        ],
        exception_handlers={Problem: _problem, HTTPException: _http, Exception: _crash},
        lifespan=lifespan,
    )
    app.state.house = house
    return app


def _routes(house: House) -> list[BaseRoute]:
    api: list[BaseRoute] = [_route(house, it) for it in sorted(ENDPOINTS, key=lambda it: "{" in it.path)]
    api.append(Route("/tables/{table}/events", _events(house), methods=["GET"]))
    api.append(Route("/openapi.json", lambda request: JSONResponse(openapi.description())))
    return [
        Route("/health", _health(house), methods=["GET"]),
        Mount(openapi.API, routes=api),
        Mount("/static", StaticFiles(directory=STATIC)),
        *pages.routes(house),
    ]


def _route(house: House, it: Endpoint) -> Route:
    async def serve(request: Request) -> Response:
        if it.method != "GET":
            same_origin(request)
        raw = await _body(request) if it.body is not NoBody else b""
        return await run_in_threadpool(_answer, house, it, request, raw)

    return Route(it.path, serve, methods=[it.method], name=it.handler.__name__)


async def _body(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:
        raise Problem(413, "the request is too large, or was broken off") from None


def _answer(house: House, it: Endpoint, request: Request, raw: bytes) -> Response:
    """Let the request in or not, read it strictly, and answer it."""
    who = visitor(house, request)
    sitter = sitter_at(house, who, request.path_params["table"]) if it.who == "sitter" else None
    person = None if who.program else who.person
    if it.who == "person" and person is None:
        raise unauthorized()
    query = _read(it.query, dict(request.query_params)) if it.query is not NoQuery else None
    body = _decoded(it.body, raw) if it.body is not NoBody else None
    base = str(request.scope.get("root_path", "")).removesuffix(openapi.API)
    try:
        result = it.handler(Ask(house, dict(request.path_params), query, body, person, sitter, base))
    except WarCabinetError as error:
        raise Problem(400, str(error)) from None
    return _response(house, it, request, result)


def _read(kind: Any, given: dict[str, str]) -> Any:
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(400, str(error)) from None


def _decoded(kind: Any, raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, f"malformed request: {error}") from None


def _response(house: House, it: Endpoint, request: Request, result: Any) -> Response:
    answer = result if isinstance(result, Answer) else Answer(result)
    if answer.kept is not None:
        return _kept(request, answer.kept, answer.forever)
    headers = {"content-disposition": f'attachment; filename="{answer.filename}"'} if answer.filename else {}
    content = msgspec.json.encode(answer.data) if it.media == JSON else answer.data
    response = Response(content, it.status, headers, it.media)
    if answer.secret:
        keep_signed_in(house, request, response, answer.secret)
    return response


def _kept(request: Request, kept: Kept, forever: bool) -> Response:
    """What never changes: kept by the browser for good under its mark; else it asks whether it still has it."""
    headers = {
        "etag": f'"{kept.mark}"',
        "cache-control": "public, max-age=31536000, immutable" if forever else "public, no-cache",
        "vary": "accept-encoding",
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(kept.packed, 200, {**headers, "content-encoding": "gzip"}, JSON)
    return Response(kept.content, 200, headers, JSON)


def keep_signed_in(house: House, request: Request, response: Response, secret: str) -> None:
    secure = house.settings.secure or request.url.scheme == "https"
    year = 365 * 24 * 3600
    response.set_cookie(COOKIE, secret, max_age=year, httponly=True, samesite="lax", secure=secure)


def _events(house: House) -> Callable[[Request], Any]:
    async def events(request: Request) -> Response:
        table = request.path_params["table"]

        def admit() -> Any:
            return sitter_at(house, visitor(house, request), table)

        sitter = await run_in_threadpool(admit)
        if house.switchboard.full(table):
            raise Problem(503, "this table has as many listeners as it can seat")

        async def stream() -> AsyncIterator[bytes]:
            nonlocal sitter
            yield b"retry: 2000\nevent: hello\ndata: {}\n\n"
            async for news in house.switchboard.listen(table):
                if news is None:
                    yield b": still here\n\n"
                    continue
                if news.kind == "seats":
                    # Seats changed hands: whoever lost theirs is shown out.
                    try:
                        sitter = await run_in_threadpool(admit)
                    except Problem:
                        yield b"event: gone\ndata: {}\n\n"
                        return
                if news.line is None or sitter.hears(news.line):
                    yield b"event: " + news.kind.encode() + b"\ndata: " + news.data + b"\n\n"

        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)

    return events


def _health(house: House) -> Callable[[Request], Response]:
    def health(request: Request) -> Response:
        house.hall.tables_hosted("")
        return JSONResponse({"status": "ok", "listening": house.switchboard.listening()})

    return health


def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    if "/api/" not in request.url.path:
        return pages.problem_page(request, error)
    body = msgspec.json.encode({"error": error.text, **error.more})
    return Response(body, error.status, media_type="application/json")


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def _crash(request: Request, error: Exception) -> Response:
    log("crash", path=request.url.path.split("/join/")[0], error=f"{type(error).__name__}: {error}")
    return JSONResponse({"error": "the server made a mistake; the game was not changed"}, 500)
