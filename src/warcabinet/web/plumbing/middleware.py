"""Around every request: its size and rate, the headers that keep browsers strict, and a line of log."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import threading
import time
import traceback
from collections import OrderedDict
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from warcabinet.store.apart import STOPPING
from warcabinet.web.plumbing.metrics import Metrics
from warcabinet.web.plumbing.settings import Settings

LOG = logging.getLogger("warcabinet.web")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Strict:
    """Headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class UnderPath:
    """The server under a path of a site, whether the proxy before it passes that path on or takes it off."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.root and scope["type"] == "http":
            path = scope["path"] if self._holds(scope["path"]) else self.root + scope["path"]
            scope = {**scope, "path": path, "root_path": self.root}
        await self.app(scope, receive, send)

    def _holds(self, path: str) -> bool:
        return path == self.root or path.startswith(f"{self.root}/")


#: PostgreSQL keeps no text with this character in it, and nobody means it.
NO_TEXT = "no text holds the character with the number zero"
#: How many times the share of one client an address gets: a house may hold several players.
CROWD = 10


class Buckets:
    """How much each client may still ask for. Old clients are forgotten, so memory is bounded."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        self.rate, self.burst, self.most = rate, burst, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, client: str, now: float) -> float:
        """Take one request; the answer is how many seconds to wait when none is left, else 0."""
        with self._lock:
            level = self._level(client, now)
            wait = 0.0 if level >= 1 else (1 - level) / self.rate
            self._levels[client] = (level if wait else level - 1, now)
            return wait

    def wait(self, client: str, now: float) -> float:
        """How many seconds until something is left of a share that is paid for afterwards."""
        with self._lock:
            return max(0.0, -self._level(client, now) / self.rate)

    def pay(self, client: str, cost: float, now: float) -> None:
        """What something turned out to cost; whoever owes waits."""
        with self._lock:
            self._levels[client] = (self._level(client, now) - cost, now)

    def _level(self, client: str, now: float) -> float:
        level, since = self._levels.pop(client, (float(self.burst), now))
        self._levels[client] = (level := min(float(self.burst), level + (now - since) * self.rate), now)
        while len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return level


class Limits:
    """Bounds on how often and how much."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.buckets = Buckets(settings.rate, settings.burst)
        # Cookies are easily made up: whoever changes them all the time still comes from somewhere.
        self.addresses = Buckets(settings.rate * CROWD, settings.burst * CROWD)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].endswith(("/health", "/metrics")):
            await self.app(scope, receive, send)
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            await _refuse(400, NO_TEXT, {})(scope, receive, send)
            return
        headers = Headers(scope=scope)
        now = time.monotonic()
        wait = self.addresses.take(address_of(scope), now) or self.buckets.take(client_of(scope, headers), now)
        if wait:
            await _refuse(429, "too many requests; slow down", {"retry-after": str(int(wait) + 1)})(
                scope, receive, send
            )
            return
        most = _most(self.settings, scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            await _refuse(413, f"a request holds at most {most} bytes", {})(scope, receive, send)
            return
        bodiless = length == "0" and "transfer-encoding" not in headers
        counted = receive if bodiless else _counted(receive, most, self.settings.request_seconds)
        await self.app(scope, counted, send)


def _most(settings: Settings, path: str) -> int:
    """How long a request to a path may be: whole games and positions are longer than orders."""
    if path.endswith("/tables/import"):
        return settings.import_limit
    return settings.position_limit if path.endswith(("/tables", "/setup", "/setup/file")) else settings.body_limit


def client_of(scope: Scope, headers: Headers) -> str:
    """A program by its token, a browser by its cookie, anybody else by address."""
    secret = headers.get("authorization") or headers.get("cookie")
    if secret:
        return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()[:24]
    return address_of(scope)


def address_of(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _refuse(status: int, text: str, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse({"error": text}, status, headers)


def _counted(receive: Receive, most: int, seconds: float) -> Receive:
    """A body is counted as it comes, and cut off where it grows too long or takes too long."""
    seen, whole = 0, False
    until = time.monotonic() + seconds

    async def counted() -> Message:
        nonlocal seen, whole
        if whole:
            return await receive()  # only whether the client went away: that may take as long as it likes
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
        except TimeoutError:
            return {"type": "http.disconnect"}
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if seen > most:
                return {"type": "http.disconnect"}
        return message

    return counted


class Logged:
    """One line of JSON a request, and a count. Invitations are secrets: their links are not written down."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, begun = time.perf_counter(), 500, False

        async def noted(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:
            if begun:
                raise
            # A server that stops waits no longer for it: whether it was done is told to who asks again under its key.
            await JSONResponse({"error": STOPPING}, 503)(scope, receive, noted)
        finally:
            took = time.perf_counter() - start
            path = scope["path"]
            stream = path.endswith("/events")
            self.metrics.count("requests", f'method="{_method(scope)}",status="{status}"')
            if not stream:
                self.metrics.time("request", took)
            log("request", method=scope["method"], path=told(path), status=status, ms=round(took * 1000, 1))


#: The beginnings of paths that end in a secret.
SECRETS = ("/join/", "/device/", "/recover/", "/notices/stop/", "/notices/confirm/")


def told(path: str) -> str:
    """A path as it is written down: links by which people sit down or sign in are secrets."""
    for secret in SECRETS:
        if secret in path:
            return path[: path.index(secret) + len(secret)] + "…"
    return path[:200]


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS") else "other"


class Flood(logging.Filter):
    """Lets so many lines a second through, those of a traceback counted; how many it held back is said in the next."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._second, self._lines, self._held = most, 0, 0, 0
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        with self._lock:
            now = int(time.monotonic())
            if now != self._second:
                self._second, self._lines = now, 0
                if self._held:
                    record.msg = f"{record.getMessage()}\n{_line('held back', lines=self._held)}"
                    record.args = ()
                    self._held = 0
            lines = 1 + len(_trace(record))
            # The first of a second comes through whatever its length: somebody must be told.
            if self._lines and self._lines + lines > self._most:
                self._held += lines
                return False
            self._lines += lines
            return True


#: Lines of a traceback that are written down: the last ones say where it happened.
TRACED = 30


def _trace(record: logging.LogRecord) -> list[str]:
    if not record.exc_info or not record.exc_info[0]:
        return []
    return "".join(traceback.format_exception(*record.exc_info)).splitlines()[-TRACED:]


class OneLine(logging.Formatter):
    """A line of JSON an event, whoever tells it: a traceback is a part of it."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name == LOG.name:
            return record.getMessage()
        told = {"source": record.name, "text": record.getMessage()}
        trace = _trace(record)
        return _line("trouble", **told, **({"trace": trace} if trace else {}))


def _line(event: str, **what: Any) -> str:
    told = {"time": round(time.time(), 3), "event": event, **what}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace").decode()


def log(event: str, **what: Any) -> None:
    LOG.info("%s", _line(event, **what))
