"""Server-sent events: whoever looks at a table learns at once that something moved."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import msgspec

HEARTBEAT = 15.0


class News(msgspec.Struct, frozen=True):
    """Something new at a table. Talk may be for one seat only: `line` lets a listener check that it may hear it."""

    kind: str
    data: bytes
    line: Any = None


class MoveNews(msgspec.Struct, frozen=True):
    """A move was made: which, by which seat, in words. What changed by it each page asks for by its own mark."""

    id: int
    seq: int
    by: str
    texts: tuple[str, ...]


class SeatsNews(msgspec.Struct, frozen=True):
    """Someone sat down or stood up, or an undo waits for consent."""


class Listener:
    """One open page. A page that does not keep up is told to look again, instead of being sent everything."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[News | None] = asyncio.Queue(maxsize=64)

    def give(self, news: News | None) -> None:
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(News("resync", b"{}"))
        self.queue.put_nowait(news)


class Switchboard:
    """Carries news from the threads in which moves are made to the pages that listen."""

    def __init__(self, most_per_table: int) -> None:
        self._most = most_per_table
        self._listeners: dict[str, set[Listener]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = threading.Event()

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Let every page go, so that the server can stop without waiting for them."""
        self._closed.set()
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._dismiss)

    def _dismiss(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.give(None)

    def tell(self, table: str, kind: str, data: Any, line: Any = None) -> None:
        """Send news to all who listen to a table; callable from any thread."""
        if self._loop is None or not self._listeners.get(table):
            return
        news = News(kind, msgspec.json.encode(data), line)
        self._loop.call_soon_threadsafe(self._spread, table, news)

    def _spread(self, table: str, news: News) -> None:
        for listener in self._listeners.get(table, ()):
            listener.give(news)

    def listening(self) -> int:
        return sum(map(len, self._listeners.values()))

    def full(self, table: str) -> bool:
        return len(self._listeners.get(table, ())) >= self._most

    async def listen(self, table: str) -> AsyncIterator[News | None]:
        """News as it comes; None now and then, when nothing does, to keep the connection alive."""
        listeners = self._listeners.setdefault(table, set())
        listener = Listener()
        listeners.add(listener)
        try:
            while not self._closed.is_set():
                try:
                    news = await asyncio.wait_for(listener.queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield None
                    continue
                if news is None:
                    return
                yield news
        finally:
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(table, None)
