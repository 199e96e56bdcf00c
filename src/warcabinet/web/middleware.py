"""Around every request: its size and rate, the headers that keep browsers strict, and a line of log."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import OrderedDict
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from warcabinet.web.settings import Settings

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


#: How many times the share of one client an address gets: a house may hold several players.
CROWD = 10


class Buckets:
    """How much each client may still ask for. Old clients are forgotten, so memory is bounded."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        self.rate, self.burst, self.most = rate, burst, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> float:
        """Take one request; the answer is how many seconds to wait when none is left, else 0."""
        level, since = self._levels.pop(client, (float(self.burst), now))
        level = min(float(self.burst), level + (now - since) * self.rate)
        wait = 0.0 if level >= 1 else (1 - level) / self.rate
        self._levels[client] = (level if wait else level - 1, now)
        while len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return wait


class Limits:
    """Bounds on how often and how much."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.buckets = Buckets(settings.rate, settings.burst)
        # Cookies are easily made up: whoever changes them all the time still comes from somewhere.
        self.addresses = Buckets(settings.rate * CROWD, settings.burst * CROWD)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].endswith("/health"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        now = time.monotonic()
        wait = self.addresses.take(_address(scope), now) or self.buckets.take(_client(scope, headers), now)
        if wait:
            await _refuse(429, "too many requests; slow down", {"retry-after": str(int(wait) + 1)})(
                scope, receive, send
            )
            return
        most = self.settings.import_limit if scope["path"].endswith("/tables/import") else self.settings.body_limit
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            await _refuse(413, f"a request holds at most {most} bytes", {})(scope, receive, send)
            return
        await self.app(scope, _counted(receive, most), send)


def _client(scope: Scope, headers: Headers) -> str:
    """A program by its token, a browser by its cookie, anybody else by address."""
    secret = headers.get("authorization") or headers.get("cookie")
    if secret:
        return hashlib.sha256(secret.encode()).hexdigest()[:24]
    return _address(scope)


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _refuse(status: int, text: str, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse({"error": text}, status, headers)


def _counted(receive: Receive, most: int) -> Receive:
    """A body without a stated length is counted as it comes, and cut off where it grows too long."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                return {"type": "http.disconnect"}
        return message

    return counted


class Logged:
    """One line of JSON a request. Invitations are secrets: their links are not written down."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            path = scope["path"]
            shown = path[: path.index("/join/") + 6] + "…" if "/join/" in path else path
            log(
                "request",
                method=scope["method"],
                path=shown,
                status=status,
                ms=round((time.perf_counter() - start) * 1000, 1),
            )


def log(event: str, **what: Any) -> None:
    LOG.info(json.dumps({"time": round(time.time(), 3), "event": event, **what}, ensure_ascii=False))
