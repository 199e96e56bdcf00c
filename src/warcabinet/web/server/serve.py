"""Run the server: `serve` is what the command line calls."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from types import FrameType
from typing import TextIO

import msgspec
import uvicorn

from warcabinet.game.engine import NEW_OBJECTS_IN_TALK, at_rest
from warcabinet.store.database import StorageError
from warcabinet.web.plumbing.connections import Places, patient_protocol
from warcabinet.web.plumbing.middleware import LOG, Flood, OneLine
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app
from warcabinet.web.server.workers import Workers


class Server(uvicorn.Server):
    """Stops at once and in order: open pages are let go first, then requests under way are finished."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        parts = self.config.app.state.server  # type: ignore[union-attr]
        parts.switchboard.close()
        parts.at_once.close()
        parts.readers.close()
        parts.reckoners.close()
        super().handle_exit(sig, frame)


def log_to(stream: TextIO = sys.stderr, most: int = 100) -> None:
    """Write the structured log, a line of JSON an event, to a stream; so many lines a second and no more."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(OneLine())
    handler.addFilter(Flood(most))
    # What others say of sockets and requests can come in floods as well.
    for name in ("asyncio", "uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers[:] = [handler]
        logging.getLogger(name).propagate = False
    LOG.handlers[:] = [handler]
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


def make_server(settings: Settings, host: str, port: int) -> Server:
    settings, connections = within_means(settings)
    # A few more than are answered, so that those are told to come again.
    places = Places(
        connections * 9 // 8 if connections else sys.maxsize, settings.connections_per_address, settings.proxies
    )
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        http=patient_protocol(settings.request_seconds, places),
        limit_concurrency=connections,
        log_config=None,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    return Server(config)


def within_means(settings: Settings) -> tuple[Settings, int | None]:
    """As many streams and open games as the system gives files for; so many connections at once."""
    try:
        import resource
    except ImportError:
        return settings, None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65536) if hard != resource.RLIM_INFINITY else 65536
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    # A game that is written takes three files for a moment; a connection takes one.
    open_ = min(settings.tables_open, max(8, soft // 8))
    streams = min(settings.listeners_on_server, max(16, soft // 2))
    return msgspec.structs.replace(settings, tables_open=open_, listeners_on_server=streams), max(64, soft * 5 // 8)


#: What can be done about an address that cannot be served, by why it cannot.
ADVICE = {
    errno.EADDRINUSE: "stop what runs there, or name another with --port",
    errno.EACCES: "ports below 1024 are root's; name another with --port",
}


def hold(host: str, port: int) -> socket.socket:
    """Take the port before anything is begun, and keep it: no browser is ever opened on somebody else's page.

    Nobody is let in before the server is ready: a proxy sends them to another host meanwhile.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if _shown(host) == "localhost" and _somebody_at("::1", port):  # which is where a browser looks first
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        held = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host, port))
        return held
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "name an address of this machine with --host")
        why = (error.strerror or str(error)).partition(" (")[0].lower()
        raise StorageError(f"{host}, port {port} cannot be served: {why}; {advice}") from None


def _somebody_at(host: str, port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((host, port), 1):
        return True
    return False


def _shown(host: str) -> str:
    return "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host


def serve(
    data: Path,
    host: str = "127.0.0.1",
    port: int = 8039,
    open_browser: bool = False,
    *,
    root_path: str = "",
    secure: bool = False,
    trusted_proxies: str = "127.0.0.1",
    settings: Settings | None = None,
    workers: int = 1,
) -> None:
    """Serve tables from a data folder until stopped (Ctrl+C or SIGTERM)."""
    settings = settings or Settings(data, root_path=root_path, secure=secure, trusted_proxies=trusted_proxies)
    held = hold(host, port)
    log_to(most=settings.log_lines)
    if not settings.public_url:
        settings = msgspec.structs.replace(settings, public_url=f"http://{_shown(host)}:{port}")

    def make() -> Server:
        return make_server(settings, host, port)

    several = Workers(settings, make, held, workers) if workers > 1 else None
    server = None if several else make()
    address = f"http://{_shown(host)}:{port}{settings.root_path}/"
    print(f"War Cabinet: {address}  (stop with Ctrl+C)", flush=True)
    if open_browser:
        held.listen()  # the browser waits until the server is ready
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    if several:
        several.run()
    elif server:
        at_rest(NEW_OBJECTS_IN_TALK)
        server.run(sockets=[held])


__all__ = ["Server", "hold", "log_to", "make_server", "serve", "within_means"]
