"""What takes long, plans, positions and pages about whole games: one at a time, few waiting, and a stop ends it.

Whoever waits holds one of the threads that answer everybody; so most are told at once to come again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from warcabinet.plans.form import Gist
from warcabinet.plans.intake import gist_of
from warcabinet.store.apart import STOPPING, Limits, Processes, Stopped
from warcabinet.web.plumbing.problems import Problem

T = TypeVar("T")
#: Told what a person's work cost the processor.
Pay = Callable[[str, float], None]

#: Those whose plans and positions are read or wait, all together and of one person.
HERE, OF_ONE = 4, 2


class Queue:
    """Those who have something worked out for them, one at a time."""

    def __init__(self, what: str, here: int, of_one: int) -> None:
        self._what, self._most, self._most_of_one = what, here, of_one
        self._free = threading.Condition()
        self._here: list[str] = []
        self._busy = self._closed = False

    @contextmanager
    def turn(self, person: str) -> Iterator[None]:
        """A person's turn; refused where too many wait."""
        with self._free:
            self._come_in(person)
            try:
                self._free.wait_for(lambda: self._closed or not self._busy)
                if self._closed:
                    raise Stopped(STOPPING)
            except BaseException:
                self._here.remove(person)
                raise
            self._busy = True
        try:
            yield
        finally:
            with self._free:
                self._busy = False
                self._here.remove(person)
                self._free.notify_all()

    def worked_out(self, person: str, work: Callable[[], T], pay: Pay) -> T:
        """What is worked out in a person's turn; a stop of the server leaves it to itself, and who waits is told so."""
        with self.turn(person):
            made: Future[T] = Future()
            threading.Thread(target=self._work, args=(person, work, pay, made), daemon=True).start()
            with self._free:
                self._free.wait_for(lambda: self._closed or made.done())
            if not made.done():
                raise Stopped(STOPPING)
            return made.result()

    def _work(self, person: str, work: Callable[[], T], pay: Pay, made: Future[T]) -> None:
        try:
            made.set_result(work())
        except BaseException as error:
            made.set_exception(error)
        pay(person, time.thread_time())
        with self._free:
            self._free.notify_all()

    def _come_in(self, person: str) -> None:
        if self._here.count(person) >= self._most_of_one:
            raise Problem(429, f"{self._what} of yours are being read; wait for them")
        if len(self._here) >= self._most:
            raise Problem(503, f"other {self._what} are being read; try again in a moment")
        self._here.append(person)

    def open(self) -> None:
        """A server that starts, or starts again, lets people in."""
        with self._free:
            self._closed = False

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._free:
            self._closed = True
            self._free.notify_all()


class Readers(Queue):
    """Those whose plans and positions are being read."""

    def __init__(self, limits: Limits, processes: Processes) -> None:
        super().__init__("plans and positions", HERE, OF_ONE)
        self._limits, self._processes = limits, processes

    def gist(self, person: str, name: str, text: str) -> Gist:
        """What a plan holds that a person wrote."""
        with self.turn(person):
            return gist_of(name, text, self._limits, self._processes)

    def apart(self, module: str, what: str, text: str, about: str = "") -> bytes:
        """What a module finds in a long text, as JSON: it is read in a process of its own."""
        return self._processes.carry_out(module, what, about or what, text, self._limits)

    def open(self) -> None:
        super().open()
        self._processes.open()

    def close(self) -> None:
        """Nobody waits any longer, and what is being read elsewhere ends."""
        super().close()
        self._processes.close()
