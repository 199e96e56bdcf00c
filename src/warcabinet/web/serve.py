"""Run the server: `serve` is what the command line calls."""

from __future__ import annotations

import logging
import sys
import threading
import webbrowser
from pathlib import Path
from types import FrameType
from typing import TextIO

import uvicorn

from warcabinet.engine import at_rest
from warcabinet.web.app import create_app
from warcabinet.web.middleware import LOG
from warcabinet.web.settings import Settings


class Server(uvicorn.Server):
    """Stops at once and in order: open pages are let go first, then requests under way are finished."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.config.app.state.house.switchboard.close()  # type: ignore[union-attr]
        super().handle_exit(sig, frame)


def log_to(stream: TextIO = sys.stderr) -> None:
    """Write the structured log, a line of JSON an event, to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(message)s"))
    LOG.handlers[:] = [handler]
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


def make_server(settings: Settings, host: str, port: int) -> Server:
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        root_path=settings.root_path,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    return Server(config)


def serve(
    data: Path,
    host: str = "127.0.0.1",
    port: int = 8039,
    open_browser: bool = False,
    *,
    root_path: str = "",
    secure: bool = False,
    trusted_proxies: str = "127.0.0.1",
) -> None:
    """Serve tables from a data folder until stopped (Ctrl+C or SIGTERM)."""
    settings = Settings(data, root_path=root_path, secure=secure, trusted_proxies=trusted_proxies)
    log_to()
    server = make_server(settings, host, port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    address = f"http://{shown}:{port}{root_path}/"
    print(f"War Cabinet: {address}  (stop with Ctrl+C)", flush=True)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    at_rest()
    server.run()


__all__ = ["Server", "log_to", "make_server", "serve"]
