"""Connections that send nothing, or half a request, are let go after a while; nobody takes all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol


class Places(msgspec.Struct, frozen=True):
    """How many connections there may be, all together and of one address; a proxy's are everybody's."""

    all: int
    of_one: int
    proxies: frozenset[str] = frozenset()


class Counted:
    """Connections, counted as they are taken."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._here: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Whether there is a place for one more."""
        full = address not in self._places.proxies and self._here[address] >= self._places.of_one
        if full or self._here.total() >= self._places.all:
            return False
        self._here[address] += 1
        return True

    def give_up(self, address: str) -> None:
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]


def patient_protocol(seconds: float, places: Places) -> type[H11Protocol]:
    """Uvicorn's way of reading requests, with so much patience for the head of one, and so many places."""
    counted = Counted(places)

    class Patient(H11Protocol):
        _waiting: asyncio.TimerHandle | None = None
        #: Where it comes from; None: there was no place for it.
        _address: str | None = None

        def connection_made(self, transport: Any) -> None:
            peer = transport.get_extra_info("peername")
            address = str(peer[0]) if isinstance(peer, tuple) else ""
            if not counted.take(address):
                transport.abort()
                return
            self._address = address
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            if self._address is None:
                return
            super().data_received(data)
            if self._answering():
                self._stop_waiting()
            else:
                self._wait()  # part of a head; the time runs from its first byte

        def eof_received(self) -> None:
            if self._address is not None:
                super().eof_received()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._address is None:
                return
            counted.give_up(self._address)
            self._stop_waiting()
            super().connection_lost(exc)

        def _answering(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self) -> None:
            if self._waiting is None:
                self._waiting = self.loop.call_later(seconds, self._give_up)

        def _stop_waiting(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _give_up(self) -> None:
            self._waiting = None
            if not self._answering() and not self.transport.is_closing():
                self.transport.close()

    return Patient
