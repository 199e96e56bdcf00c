"""The application: endpoints behind the gate, the event stream, pages and files."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router

from warcabinet.game import Conflict
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import apart
from warcabinet.store.database import Damaged, StorageError
from warcabinet.web.api import (
    api_battle,
    api_books,
    api_hall,
    api_minders,
    api_moments,
    api_notices,
    api_people,
    api_plans,
    api_play,
    api_read,
    api_rules,
    api_sealed,
    api_setup,
    api_years,
)
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.tables_in_play import Table, Tables
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.plumbing.at_once import AtOnce
from warcabinet.web.plumbing.folder import Folder
from warcabinet.web.plumbing.mail import check_server
from warcabinet.web.plumbing.metrics import Metrics
from warcabinet.web.plumbing.middleware import (
    NO_TEXT,
    Buckets,
    Limits,
    Logged,
    Strict,
    UnderPath,
    address_of,
    client_of,
    log,
    told,
)
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found, unauthorized
from warcabinet.web.plumbing.readers import Queue, Readers
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import Bounds, MoveNews, Switchboard
from warcabinet.web.server import files, openapi, pages, watch
from warcabinet.web.server.keeping import kept_response
from warcabinet.web.server.relay import Relay
from warcabinet.web.table.endpoints import (
    ENDPOINTS,
    JSON,
    Answer,
    Ask,
    Endpoint,
    ServerParts,
    Trouble,
)
from warcabinet.web.table.event_stream import events
from warcabinet.web.table.gate import COOKIE, same_origin, sitter_at, visitor
from warcabinet.web.table.minders import mind_on
from warcabinet.web.table.passing_phases import pass_phases
from warcabinet.web.table.reckoning import QUEUE
from warcabinet.web.turns.herald import Herald

# Importing them registers their endpoints.
_LOADED = (
    *(api_hall, api_notices, api_people, api_minders, api_plans, api_play, api_read),
    *(api_battle, api_books, api_moments, api_rules, api_sealed, api_setup, api_years),
)


def create_app(settings: Settings) -> Starlette:
    """The application over a data folder."""
    server = open_server(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        server.switchboard.start()
        server.readers.open()
        server.reckoners.open()
        server.at_once.open()
        relay = Relay(settings.database, server.switchboard) if settings.database else None
        if relay is not None:
            relay.start()
        log("start", data=settings.data.name)
        rounds = asyncio.create_task(_rounds(server))
        server.herald.start()
        yield
        server.at_once.close()
        server.reckoners.close()
        server.readers.close()
        rounds.cancel()
        server.herald.stop()
        if relay is not None:
            relay.stop()
        server.tables.close()
        server.hall.close()
        server.folder.close()
        log("stop")

    app = Starlette(
        routes=_routes(server),
        middleware=[
            Middleware(UnderPath, root=settings.root_path),
            Middleware(Logged, metrics=server.metrics),
            Middleware(Strict),
            # Everything but the stream of events, whose news are a line each.
            Middleware(GZipMiddleware, minimum_size=600, compresslevel=6),
            Middleware(Limits, settings=settings),
        ],
        exception_handlers={Problem: _problem, HTTPException: _http, Exception: _crash},
        lifespan=lifespan,
    )
    app.state.server = server
    _never_redirect(app.router)
    return app


def open_server(settings: Settings) -> ServerParts:
    """Everything the server is made of, over a data folder that is its own."""
    check_server(settings.smtp, settings.mail_from)
    folder = Folder(settings.data, alone=not settings.database)
    try:
        hall = Hall(settings.database or settings.data)
        tables = Tables(folder, hall, settings)
    except BaseException:
        folder.close()
        raise
    bounds = Bounds(settings.listeners_per_table, settings.listeners_per_person, settings.listeners_on_server)
    switchboard = Switchboard(bounds)
    metrics = Metrics()
    herald = Herald(hall, tables, settings, metrics)
    tables.on_outside = lambda table: _moved_outside(switchboard, herald, table)
    making = Buckets(settings.tables_per_hour / 3600, settings.tables_per_hour)
    talking = Buckets(settings.talk_per_minute / 60, settings.talk_per_minute)
    trying = Buckets(6 / 3600, 6)
    readers = Readers(apart.Limits(settings.plan_seconds, settings.import_memory), tables.processes)
    minding = Buckets(settings.steward_seconds / 60, int(settings.steward_seconds))
    server = ServerParts(
        *(settings, folder, hall, tables, switchboard, metrics, Trouble(), making, talking, herald, trying, readers),
        *(Queue("pages", *QUEUE), Buckets(settings.share_seconds / 60, int(4 * settings.share_seconds))),
        minding,
        set(),
        AtOnce(settings.proxies),
    )
    herald.on_looked = lambda table: pass_phases(server, table)
    return server


def _moved_outside(switchboard: Switchboard, herald: Herald, table: Table) -> None:
    head = table.game.head
    news = MoveNews(head.id, head.seq, head.seat, (move_line(head, table.game.line()).text,))
    # Every process looks for itself, and whoever moved at a server has told the others already.
    switchboard.tell(table.id, "move", news, here_only=True)
    herald.moved(table.id)
    log("outside", table=table.id, move=head.id)


#: In a database a look at each table is a message to and fro, and processes tell each other of their moves: so many
#: tables at a time.
AT_A_TIME = 16
#: Seconds between two rounds.
PAUSE = 2.0


def _to_look_at(server: ServerParts, turn: int) -> list[str]:
    """The tables that someone listens to; in a database a share of them."""
    ids = server.switchboard.tables()
    shares = -(-len(ids) // AT_A_TIME) or 1
    return sorted(ids)[turn % shares :: shares] if server.settings.database else ids


async def _rounds(server: ServerParts) -> None:
    """Now and then: notice what other programs wrote, and take away what was deleted long enough ago."""
    for turn in itertools.count():
        await asyncio.sleep(PAUSE)
        try:
            await run_in_threadpool(server.tables.look_round, _to_look_at(server, turn))
            for id in tuple(server.paused):
                await run_in_threadpool(mind_on, server, id)
            if turn % 300 == 0:
                for id in await run_in_threadpool(server.tables.tidy):
                    log("deleted", table=id)
        except WarCabinetError as error:
            server.trouble.note(str(error))
            log("trouble", error=str(error))


def _never_redirect(router: Router) -> None:
    """A path with a slash too many is not there; a redirect would name the host that the client made up."""
    router.redirect_slashes = False
    for route in router.routes:
        if isinstance(route, Mount) and isinstance(route.app, Router):
            _never_redirect(route.app)


def _routes(server: ServerParts) -> list[BaseRoute]:
    api: list[BaseRoute] = [_route(server, it) for it in sorted(ENDPOINTS, key=lambda it: "{" in it.path)]
    api.append(Route("/tables/{table}/events", events(server), methods=["GET"]))
    api.append(Route("/openapi.json", lambda request: JSONResponse(openapi.description())))
    return [
        *watch.routes(server),
        Mount(openapi.API, routes=api),
        Route("/static/{name}", files.serve, methods=["GET"]),
        *pages.routes(server),
    ]


def _route(server: ServerParts, it: Endpoint) -> Route:
    async def serve(request: Request) -> Response:
        if it.method != "GET":
            same_origin(request, server.settings.public_url)
        raw = await _body(request) if it.body is not None else b""
        address = address_of(request.scope)
        async with server.at_once.turn(client_of(request.scope, request.headers), address):
            return await run_in_threadpool(_answer, server, it, request, raw)

    return Route(it.path, serve, methods=[it.method], name=it.handler.__name__)


async def _body(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:
        raise Problem(413, "the request is too large, or was broken off") from None


def _answer(server: ServerParts, it: Endpoint, request: Request, raw: bytes) -> Response:
    try:
        return _answered(server, it, request, raw)
    except (StorageError, Damaged) as error:
        server.trouble.note(str(error))
        server.metrics.count("storage_errors")
        log("trouble", error=str(error))
        raise Problem(507 if "disk is full" in str(error) else 503, str(error)) from None
    except Conflict as conflict:
        server.metrics.count("conflicts")
        raise Problem(409, str(conflict)) from None
    except apart.Stopped as stopped:
        raise Problem(503, str(stopped)) from None
    except WarCabinetError as error:
        raise Problem(400, str(error)) from None


def _key(request: Request, person: str) -> str:
    """What a request is called by whoever sent it, so that it is carried out once; a person's names are their own."""
    given = request.headers.get("idempotency-key", "")
    if len(given) > 100:
        raise Problem(400, "a key has at most 100 characters")
    return hashlib.sha256(f"{person} {given}".encode("utf-8", "replace")).hexdigest()[:32] if given else ""


def _answered(server: ServerParts, it: Endpoint, request: Request, raw: bytes) -> Response:
    """Let the request in or not, read it strictly, and answer it."""
    with server.hall.one_look():
        who = visitor(server, request)
        sitter = sitter_at(server, who, request.path_params["table"]) if it.who == "sitter" else None
    person = None if who.program else who.person
    if it.who == "person" and person is None:
        raise unauthorized()
    if sitter is not None and sitter.program and not it.programs:
        raise forbidden("a program plays its seat; this is for people")
    query = _read(it.query, dict(request.query_params)) if it.query is not None else None
    body = _decoded(it.body, raw) if it.body is not None else None
    base = str(request.scope.get("root_path", "")).removesuffix(openapi.API)
    address = request.client.host if request.client else ""
    secret = request.cookies.get(COOKIE, "")
    key = _key(request, who.person.id if who.person else "")
    ask = Ask(server, dict(request.path_params), query, body, person, sitter, base, address, key, secret)
    with _share(server, who.person.id if who.person else address):
        return _response(server, it, request, it.handler(ask))


@contextmanager
def _share(server: ServerParts, who: str) -> Iterator[None]:
    """What a person's requests cost the processor, not how many they are, bounds what one may ask for."""
    if wait := server.shares.wait(who, time.monotonic()):
        raise Problem(429, f"you have asked for very much; go on in {int(wait) + 1} seconds")
    began = time.thread_time()
    try:
        yield
    finally:
        server.pay(who, time.thread_time() - began)


def _read(kind: Any, given: dict[str, str]) -> Any:
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(400, str(error)) from None


#: The character zero in a string of JSON: after an even number of backslashes, which are each other's.
_ZERO = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def _decoded(kind: Any, raw: bytes) -> Any:
    if _ZERO.search(raw):
        raise Problem(400, f"malformed request: {NO_TEXT}")
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, f"malformed request: {error}") from None


def _response(server: ServerParts, it: Endpoint, request: Request, result: Any) -> Response:
    answer = result if isinstance(result, Answer) else Answer(result)
    if answer.kept is not None:
        return kept_response(request, answer.kept, answer.forever)
    headers = {"content-disposition": _attachment(answer.filename)} if answer.filename else {}
    content = msgspec.json.encode(answer.data) if it.media == JSON else answer.data
    response = Response(content, it.status, headers, it.media)
    if answer.secret:
        keep_signed_in(server, request, response, answer.secret)
    if answer.forget:
        response.delete_cookie(COOKIE, httponly=True, samesite="lax")
        # Pages that are kept for a time without a line, and entries that wait to be sent, are of who signed out.
        response.headers["clear-site-data"] = '"storage"'
    return response


def _attachment(name: str) -> str:
    """A file's name for every browser: plain letters, and as it is written."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def keep_signed_in(server: ServerParts, request: Request, response: Response, secret: str) -> None:
    secure = server.settings.secure or request.url.scheme == "https"
    year = 365 * 24 * 3600
    response.set_cookie(COOKIE, secret, max_age=year, httponly=True, samesite="lax", secure=secure)


def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    if "/api/" not in request.url.path:
        return pages.problem_page(request, error)
    body = msgspec.json.encode({"error": error.text, **error.more})
    return Response(body, error.status, media_type="application/json")


def _wants_page(request: Request) -> bool:
    """Whether a person looks for a page in a browser, who is answered by one."""
    return "/api/" not in request.url.path and "text/html" in request.headers.get("accept", "")


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and _wants_page(request):
        return pages.problem_page(request, not_found("such page"))
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def _crash(request: Request, error: Exception) -> Response:
    log("crash", path=told(request.url.path), error=f"{type(error).__name__}: {error}")
    text = "the server made a mistake; the game was not changed"
    if _wants_page(request):
        return pages.problem_page(request, Problem(500, text))
    return JSONResponse({"error": text}, 500)
