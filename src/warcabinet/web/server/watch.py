"""Health and metrics: what tells whoever runs the server how it is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from warcabinet import __version__
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.table.endpoints import ServerParts

BEGAN = time.time()


def routes(server: ServerParts) -> list[Route]:
    """Neither waits for a thread of those that answer requests: they tell even when all are busy."""
    own = CapacityLimiter(2)
    return [
        Route("/health", _health(server, own), methods=["GET"]),
        Route("/metrics", _metrics(server, own), methods=["GET"]),
    ]


def _health(server: ServerParts, own: CapacityLimiter) -> Callable[[Request], Any]:
    async def health(request: Request) -> Response:
        free = server.folder.free()
        faults = []
        if free < server.settings.free_disk:
            faults.append("the disk is nearly full: no table can be made")
        try:
            await to_thread.run_sync(server.hall.tables_there, limiter=own)
        except WarCabinetError as error:
            faults.append(str(error))
        if server.trouble.recent():
            faults.append(server.trouble.text)
        told = {
            "status": "ok" if not faults else "trouble",
            "faults": faults,
            "disk_free": free,
            "listening": server.switchboard.listening(),
            "version": __version__,
        }
        return JSONResponse(told, 200 if not faults else 503)

    return health


def _metrics(server: ServerParts, own: CapacityLimiter) -> Callable[[Request], Any]:
    async def metrics(request: Request) -> Response:
        address = request.client.host if request.client else ""
        if address not in server.settings.metrics_from.split():
            return JSONResponse({"error": "there is no such page"}, 404)
        threads = to_thread.current_default_thread_limiter()
        gauges = {
            "streams": server.switchboard.listening(),
            "tables_open": server.tables.open(),
            "tables": await to_thread.run_sync(server.hall.tables_there, limiter=own),
            "threads_busy": threads.borrowed_tokens,
            "requests_waiting": threads.statistics().tasks_waiting + server.at_once.waiting(),
            "disk_free_bytes": server.folder.free(),
            "open_files": _open_files(),
            "memory_bytes": _memory(),
            "up_seconds": time.time() - BEGAN,
        }
        return PlainTextResponse(server.metrics.text(gauges), media_type="text/plain; version=0.0.4")

    return metrics


def _open_files() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return -1


def _memory() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return -1
