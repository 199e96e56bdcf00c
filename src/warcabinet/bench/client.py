"""A very small HTTP client for loopback: enough for a bench and for a program that holds a seat, nothing to install."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

API = "/api/v1"


class Browser:
    """Keeps its cookie, like a browser. Every request has a connection of its own, as behind a busy proxy."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token
        self.cookie = ""

    def _head(self, method: str, path: str, body: bytes, api: str = API) -> bytes:
        lines = [f"{method} {api}{path} HTTP/1.1", f"host: 127.0.0.1:{self.port}", "connection: close"]
        lines.append("accept-encoding: gzip")
        if self.cookie:
            lines.append(f"cookie: {self.cookie}")
        if self.token:
            lines.append(f"authorization: Bearer {self.token}")
        if method != "GET":
            lines += ["content-type: application/json", f"content-length: {len(body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        return await self._ask("POST", path, json.dumps(body).encode())

    async def get(self, path: str) -> Any:
        return await self._ask("GET", path, b"")

    async def page(self, path: str) -> str:
        """A page for people."""
        return (await self._fetch("GET", path, b"", "")).decode()

    async def _ask(self, method: str, path: str, body: bytes) -> Any:
        content = await self._fetch(method, path, body, API)
        return json.loads(content) if content else None

    async def _fetch(self, method: str, path: str, body: bytes, api: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head(method, path, body, api))
            await writer.drain()
            head, _, content = (await asyncio.wait_for(reader.read(), 30)).partition(b"\r\n\r\n")
        finally:
            writer.close()
        lines = head.decode().split("\r\n")
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                self.cookie = value.strip().partition(";")[0]
            elif name.lower() == "content-encoding" and value.strip() == "gzip":
                content = gzip.decompress(content)
        status = int(lines[0].split(" ")[1])
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content[:200].decode(errors='replace')}")
        return content

    async def events(self, path: str) -> AsyncIterator[tuple[str, Any]]:
        """Server-sent events as they come: their kind and their data."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head("GET", path, b""))
            await writer.drain()
            kind = ""
            while line := await reader.readline():
                text = line.decode().strip()
                if text.startswith("event: "):
                    kind = text.removeprefix("event: ")
                elif text.startswith("data: ") and kind:
                    yield kind, json.loads(text.removeprefix("data: "))
                    kind = ""
        finally:
            writer.close()
