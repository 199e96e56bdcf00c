"""How many requests of one client are worked on at once: the others of theirs wait, and take no thread meanwhile.

Forty threads answer everybody; whoever sends forty long requests together keeps four of them busy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from warcabinet.store.apart import STOPPING
from warcabinet.web.plumbing.problems import Problem

#: Requests of a client that have a thread; and of an address, behind which several may sit.
OF_CLIENT, OF_ADDRESS = 4, 12
#: Who, how many may, and in which loop of events they wait: a server has one.
Key = tuple[str, int, int]


class AtOnce:
    """Whose requests are worked on, and who waits. A proxy's address is everybody's: it has no bound."""

    def __init__(self, proxies: frozenset[str] = frozenset()) -> None:
        self._proxies = proxies
        self._doors: dict[Key, asyncio.Semaphore] = {}
        self._here: dict[Key, int] = {}
        self._closed = False

    @asynccontextmanager
    async def turn(self, client: str, address: str) -> AsyncIterator[None]:
        """A client's turn; a stop of the server tells those who wait to come again."""
        async with self._through(client, OF_CLIENT), self._through(address, OF_ADDRESS):
            if self._closed:
                raise Problem(503, STOPPING)
            yield

    @asynccontextmanager
    async def _through(self, who: str, most: int) -> AsyncIterator[None]:
        if who in self._proxies:
            yield
            return
        key = who, most, id(asyncio.get_running_loop())
        door = self._doors.setdefault(key, asyncio.Semaphore(most))
        self._here[key] = self._here.get(key, 0) + 1
        try:
            async with door:
                yield
        finally:
            self._here[key] -= 1
            if not self._here[key]:
                del self._here[key], self._doors[key]

    def waiting(self) -> int:
        """Those who wait for others of the same client or address."""
        return sum(max(0, many - most) for (_, most, _), many in self._here.items())

    def open(self) -> None:
        self._closed = False

    def close(self) -> None:
        self._closed = True
