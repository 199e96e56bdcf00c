"""Reading what people wrote at length: one at a time, few waiting, none for long, and a stop of the server ends it.

Whoever waits holds one of the threads that answer everybody; so most are told at once to come again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from warcabinet.plans.form import Gist
from warcabinet.plans.intake import gist_of
from warcabinet.store.apart import Limits, Processes, Stopped
from warcabinet.web.plumbing.problems import Problem

#: Those who read or wait, all together and of one person.
HERE, OF_ONE = 4, 2


class Readers:
    """Those whose plans are being read."""

    def __init__(self, limits: Limits, processes: Processes) -> None:
        self._limits, self._processes = limits, processes
        self._free = threading.Condition()
        self._here: list[str] = []
        self._reading = self._closed = False

    def gist(self, person: str, name: str, text: str) -> Gist:
        """What a plan holds that a person wrote."""
        with self.turn(person):
            try:
                return gist_of(name, text, self._limits, self._processes)
            except Stopped:
                raise _stopping() from None

    @contextmanager
    def turn(self, person: str) -> Iterator[None]:
        """A person's turn to have something read; refused where too many wait."""
        with self._free:
            self._come_in(person)
            try:
                self._free.wait_for(lambda: self._closed or not self._reading)
                if self._closed:
                    raise _stopping()
            except BaseException:
                self._here.remove(person)
                raise
            self._reading = True
        try:
            yield
        finally:
            with self._free:
                self._reading = False
                self._here.remove(person)
                self._free.notify()

    def _come_in(self, person: str) -> None:
        if self._here.count(person) >= OF_ONE:
            raise Problem(429, "plans of yours are being read; wait for them")
        if len(self._here) >= HERE:
            raise Problem(503, "other plans are being read; try again in a moment")
        self._here.append(person)

    def open(self) -> None:
        """A server that starts, or starts again, reads what people bring."""
        with self._free:
            self._closed = False
        self._processes.open()

    def close(self) -> None:
        """Nobody waits any longer, and what is being read elsewhere ends."""
        with self._free:
            self._closed = True
            self._free.notify_all()
        self._processes.close()


def _stopping() -> Problem:
    return Problem(503, "the server is stopping; try again in a minute")
