"""Server-sent events: whoever looks at a table learns at once that something moved.

Every event bears an id: the last move and the lines of talk that whoever has heard it knows of. A page
that comes back says its last id and gets what it missed, from whichever server answers it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from warcabinet.web.plumbing.problems import Problem

HEARTBEAT = 15.0
#: Places at a table's stream that spectators leave to those who play.
FOR_PLAYERS = 24


class News(msgspec.Struct, frozen=True):
    """Something new at a table. Talk may be for one seat only: `line` lets a listener check that it may hear it."""

    kind: str
    data: bytes
    line: Any = None
    #: The move that it tells of; 0: none.
    move: int = 0


class MoveNews(msgspec.Struct, frozen=True):
    """A move was made: which, by which seat, in words. What changed by it each page asks for by its own mark."""

    id: int
    seq: int
    by: str
    texts: tuple[str, ...]


class SeatsNews(msgspec.Struct, frozen=True):
    """Someone sat down or stood up, or an undo waits for consent."""


#: Seconds after which no line of talk comes any more that was numbered before one which was heard then.
SETTLED = 10.0
#: Lines above the mark that an id names; with more of them the mark goes up.
NAMED = 40


class Known(msgspec.Struct):
    """What a listener knows of: the last move, all lines of talk up to a mark, and those above it that were heard.

    Lines are numbered in one step and sent in another: of those said in the same instant a lower one may come later.
    """

    move: int
    line: int
    heard: dict[int, float] = {}

    def __str__(self) -> str:
        """The id of an event."""
        return ".".join(map(str, (self.move, self.line, *sorted(self.heard))))

    def knows(self, line: int) -> bool:
        return line <= self.line or line in self.heard

    def hear(self, line: int, now: float) -> None:
        """A line was heard; the mark goes up to whatever cannot be overtaken any more."""
        self.heard[line] = now
        old = [it for it, when in self.heard.items() if now - when > SETTLED]
        old += sorted(self.heard)[: max(0, len(self.heard) - NAMED)]
        self.line = max(self.line, *old) if old else self.line
        self.heard = {it: when for it, when in self.heard.items() if it > self.line}


def known(id: str) -> Known | None:
    """The id that a page gives when it comes back."""
    parts = id.split(".")
    if not 2 <= len(parts) <= 2 + NAMED or not all(it.isascii() and it.isdigit() and len(it) < 16 for it in parts):
        return None
    move, line, *heard = map(int, parts)
    return Known(move, line, dict.fromkeys(heard, time.monotonic()))


class Listener:
    """One open page. A page that does not keep up is told to look again, instead of being sent everything."""

    def __init__(self, person: str, player: bool) -> None:
        self.person, self.player = person, player
        self.queue: asyncio.Queue[News | None] = asyncio.Queue(maxsize=64)

    def give(self, news: News | None) -> None:
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(News("resync", b"{}"))
        self.queue.put_nowait(news)


class Bounds(msgspec.Struct, frozen=True):
    per_table: int
    per_person: int
    on_server: int


class Switchboard:
    """Carries news from the threads in which moves are made to the pages that listen."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._listeners: dict[str, set[Listener]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = threading.Event()
        #: Tells the other processes of a server; nothing where there is one alone.
        self.spread_further: Callable[[str, News], None] = lambda table, news: None

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

    def tell(self, table: str, kind: str, data: Any, line: Any = None, *, here_only: bool = False) -> None:
        """Send news to all who listen to a table; callable from any thread. `here_only`: to those of this process."""
        news = News(kind, msgspec.json.encode(data), line, data.id if isinstance(data, MoveNews) else 0)
        self.hand_out(table, news)
        if not here_only:
            self.spread_further(table, news)

    def hand_out(self, table: str, news: News) -> None:
        """Give news to those who listen here."""
        if self._loop is not None and not self._loop.is_closed() and self._listeners.get(table):
            self._loop.call_soon_threadsafe(self._spread, table, news)

    def _spread(self, table: str, news: News) -> None:
        for listener in self._listeners.get(table, ()):
            listener.give(news)

    def listening(self) -> int:
        return sum(map(len, self._listeners.values()))

    def tables(self) -> list[str]:
        return list(self._listeners)

    def take_place(self, table: str, person: str, player: bool) -> Listener:
        """A place at a table's stream, counted as it is taken: whoever takes it gives it up again."""
        self._refuse(table, person, player)
        listener = Listener(person, player)
        self._listeners.setdefault(table, set()).add(listener)
        return listener

    def give_up(self, table: str, listener: Listener) -> None:
        listeners = self._listeners.get(table, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(table, None)

    def _refuse(self, table: str, person: str, player: bool) -> None:
        """Refuse one stream too many: of a person, of a table (players' places are kept for them), of the server."""
        here = self._listeners.get(table, set())
        if sum(it.person == person for it in here) >= self._bounds.per_person:
            raise Problem(429, f"you look at this table in {self._bounds.per_person} windows already; close one")
        kept = 0 if player else FOR_PLAYERS
        watching = sum(not it.player for it in here) if not player else len(here)
        if watching >= self._bounds.per_table - (kept if self._bounds.per_table > 2 * kept else 0):
            raise Problem(503, "this table has as many listeners as it can seat")
        if self.listening() >= self._bounds.on_server + (self._bounds.on_server // 10 if player else 0):
            raise Problem(503, "this server has as many listeners as it can seat")

    async def listen(self, listener: Listener) -> AsyncIterator[News | None]:
        """News as it comes; None at once, when it has begun, and now and then to keep the connection alive."""
        yield None
        while not self._closed.is_set():
            try:
                news = await asyncio.wait_for(listener.queue.get(), HEARTBEAT)
            except TimeoutError:
                yield None
                continue
            if news is None:
                return
            yield news
