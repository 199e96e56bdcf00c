"""What the pages of a table receive after each move of a campaign, compressed as it travels.

The demonstration is played at a table of the real application, in this process. One page holds every power and gives
the orders, a second of the same person looks on, and a spectator's: the heaviest and the lightest there are. Counted is
everything that reaches each page: the answer to its own order, the news on the stream, the changes it then asks for.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from warcabinet.game.demo import BESIDE, Demo, carry_out, demo
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app
from warcabinet.web.server.openapi import API


class Weights(msgspec.Struct, frozen=True):
    """In bytes as they travel: what pages receive for a move, and what one receives that opens the table."""

    moves: int
    mover_median: int
    mover_most: int
    watcher_median: int
    watcher_most: int
    spectator_median: int
    #: The whole view late in the campaign, and what is kept after the first visit: boards and commands.
    opened: int
    kept: int

    def lines(self) -> list[str]:
        return [
            f"{self.moves} moves of the demonstration, compressed: the mover's page receives {_kb(self.mover_median)} "
            f"(median; most {_kb(self.mover_most)}),",
            f"another of the same seat {_kb(self.watcher_median)} (most {_kb(self.watcher_most)}), "
            f"a spectator's {_kb(self.spectator_median)}",
            f"the whole view late in it is {_kb(self.opened)}; boards and commands, sent once, {_kb(self.kept)}",
        ]


def _kb(size: int) -> str:
    return f"{size / 1000:.1f} KB"


class Page:
    """A browser's page as far as its traffic goes: a cookie, the mark of its view, and the bytes it received."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookie = ""
        self.mark = ""
        self.received = 0

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None, since: bool = False) -> Any:
        """One request to the application, as a browser sends it; the answer as data."""
        content = b"" if body is None else json.dumps(body).encode()
        query = f"since={quote(self.mark)}" if since else ""
        status, headers, raw = await self._call(method, API + path, query, content)
        self.received += len(raw)
        self.cookie = headers.get(b"set-cookie", self.cookie.encode()).decode().partition(";")[0]
        text = gzip.decompress(raw) if headers.get(b"content-encoding") == b"gzip" else raw
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {text[:300].decode(errors='replace')}")
        answer = json.loads(text)
        view = answer.get("update") or answer if isinstance(answer, dict) else {}
        self.mark = view.get("mark", self.mark)
        return answer

    async def _call(self, method: str, path: str, query: str, content: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(self._scope(method, path, query, content), receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]), b"".join(it.get("body", b"") for it in sent[1:])

    def _scope(self, method: str, path: str, query: str, content: bytes) -> dict[str, Any]:
        """A request as the server hands it to the application."""
        headers = [(b"host", b"localhost"), (b"accept-encoding", b"gzip"), (b"content-type", b"application/json")]
        headers += [(b"content-length", str(len(content)).encode()), (b"cookie", self.cookie.encode())]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }

    async def listen(self, path: str, sizes: asyncio.Queue[int]) -> None:
        """Hear the stream of a table and note how large each news of a move is."""

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if b"\nevent: move\n" in message.get("body", b""):
                await sizes.put(len(message["body"]))

        await self.app(self._scope("GET", API + path, "", b""), receive, send)


def weigh(every: int = 1, steps: int | None = None) -> Weights:
    """Play the demonstration, or its first steps, and weigh every so many moves; nobody looks at the others."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder), rate=100_000, burst=1_000_000)
        return asyncio.run(_weigh(settings, demo(), every, steps))


async def _weigh(settings: Settings, script: Demo, every: int, steps: int | None) -> Weights:
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        table = await _seated(app, script)
        for number, step in enumerate(script.steps[:steps]):
            if number % every or "dice" in step:
                table.make(step)
            else:
                await table.weigh(step)
        return await table.weights()


async def _seated(app: Any, script: Demo) -> _Table:
    """A table at which one person holds everything, with a second page open, and a spectator."""
    mover, watcher, spectator = Page(app), Page(app), Page(app)
    new = {"title": "Weights", "name": "Mover", "scenario": script.scenario, "options": script.options}
    made = await mover.ask("POST", "/tables", new)
    at = f"/tables/{made['table']}"
    watcher.cookie = mover.cookie
    link = await mover.ask("POST", f"{at}/seats/spectators/invitations", {})
    await spectator.ask("POST", "/join", {"invitation": link["invitation"], "name": "Fan"})
    return _Table(app, at, (mover, watcher, spectator))


class _Table:
    """The table in play, its pages, and what each received for the moves that were weighed."""

    def __init__(self, app: Any, at: str, pages: tuple[Page, Page, Page]) -> None:
        self.app, self.at, self.pages = app, at, pages
        self.weighed: tuple[list[int], list[int], list[int]] = ([], [], [])
        self.news: asyncio.Queue[int] = asyncio.Queue()
        self.listening = asyncio.create_task(pages[2].listen(f"{at}/events", self.news))

    def make(self, step: dict[str, Any]) -> None:
        """A move that nobody's page makes: with the dice of the script, or not weighed."""
        with self.app.state.server.tables.at(self.at.rpartition("/")[2]) as table:
            carry_out(table.game, step)

    async def weigh(self, step: dict[str, Any]) -> None:
        """Everybody looks; then one moves, and what comes to each page is counted."""
        for page in self.pages:
            await page.ask("GET", self.at + ("/changes" if page.mark else ""), since=True)
            page.received = 0
        mover, *others = self.pages
        to = {"to": step["to"]} if "to" in step and step["do"] == "advance" else None
        command = {key: value for key, value in step.items() if key not in BESIDE}
        while not self.news.empty():
            self.news.get_nowait()
        await mover.ask("POST", self.at + ("/do" if to is None else "/advance"), to or command, since=True)
        told = await asyncio.wait_for(self.news.get(), 10)
        for page in others:
            await page.ask("GET", self.at + "/changes", since=True)
        for sizes, page in zip(self.weighed, self.pages, strict=True):
            sizes.append(page.received + told)

    async def weights(self) -> Weights:
        self.listening.cancel()
        fresh = Page(self.app)
        fresh.cookie = self.pages[0].cookie
        await fresh.ask("GET", self.at)
        opened, fresh.received = fresh.received, 0
        for path in ("/boards/europe", "/boards/pacific", "/commands"):
            await fresh.ask("GET", path)
        mover, watcher, spectator = self.weighed
        return Weights(
            moves=len(mover),
            mover_median=int(statistics.median(mover)),
            mover_most=max(mover),
            watcher_median=int(statistics.median(watcher)),
            watcher_most=max(watcher),
            spectator_median=int(statistics.median(spectator)),
            opened=opened,
            kept=fresh.received,
        )
