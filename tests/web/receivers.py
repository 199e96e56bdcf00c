"""A mail server and a webhook's receiver on this machine, which keep what they are sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller


class Box:
    """What arrived, and how the receiver answers."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.got: list[Any] = []
        self.answers: list[Any] = []


@contextmanager
def mail_server() -> Iterator[Box]:
    box = Box()

    class Keep:
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
            if box.answers:
                return str(box.answers.pop(0))
            box.got.append(message_from_bytes(envelope.content, policy=policy.default))
            return "250 kept"

    controller = Controller(Keep(), hostname="127.0.0.1", port=_free_port())
    controller.start()
    box.address = f"smtp://127.0.0.1:{controller.port}"
    try:
        yield box
    finally:
        controller.stop()


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def receiver() -> Iterator[Box]:
    box = Box()

    class Keep(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status = box.answers.pop(0) if box.answers else 200
            if status < 300:
                box.got.append(json.loads(body))
            self.send_response(status)
            if status == 302:
                self.send_header("location", box.address)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Keep)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    box.address = f"http://127.0.0.1:{server.server_address[1]}/hook"
    try:
        yield box
    finally:
        server.shutdown()
        server.server_close()
