"""Two hosts on one database for a long time: orders without end, pages that listen, workers killed, hosts restarted.

What was acknowledged is there once, and no page is left with an old position.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
from kills import Page

from warcabinet.bench.own_server import Served, answers, free_port, started
from warcabinet.store import examine
from warcabinet.store.database import one_of_many

#: Seconds in which every page must know of a move, whatever is killed meanwhile; that a stream waits for a word; that a
#: host may take to start or stop while the machine has other work.
STALE, SILENT, CALM = 40.0, 40.0, 300.0
#: Pages at each table.
PAGES = 2

Tell = Callable[[str], None]


class Plan(msgspec.Struct, frozen=True):
    """How long, how many, how fast; and every how many seconds a worker is killed and a host restarted. 0: never.

    It goes on until so many hosts have been restarted, however slow the machine is.
    """

    seconds: float
    tables: int = 6
    workers: int = 2
    pause: float = 0.5
    kill_every: float = 60.0
    restart_every: float = 300.0
    restarts: int = 0


class Soaked(msgspec.Struct):
    """What happened."""

    orders: int = 0
    again: int = 0
    kills: int = 0
    restarts: int = 0
    came_back: int = 0
    slowest: float = 0.0
    latest: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.orders} orders ({self.again} asked again), {self.kills} workers killed, "
            f"{self.restarts} hosts restarted, pages came back {self.came_back} times; "
            f"slowest order {self.slowest:.1f} s, latest page {self.latest:.1f} s"
        )


class Host:
    """`warcabinet serve` on the shared database; it can be stopped in order and started anew on its port."""

    def __init__(self, folder: Path, database: str, workers: int) -> None:
        folder.mkdir()
        self.folder, self.database, self.workers = folder, database, workers
        self.port = free_port()
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        return started(self.folder, self.port, self.database, self.workers)

    @property
    def served(self) -> Served:
        return Served(self.port, self.process.pid)

    def wait(self) -> None:
        until = time.monotonic() + CALM
        while not answers(self.port):
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError("a host did not start")
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(CALM)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.process = self._started()
        self.wait()


@contextmanager
def hosts(folder: Path, database: str, workers: int, many: int = 2) -> Iterator[list[Host]]:
    here = [Host(folder / f"host-{n}", database, workers) for n in range(many)]
    try:
        for host in here:
            host.wait()
        yield here
    finally:
        for host in here:
            host.stop()


class _Table:
    """One who orders without end, and pages that look on."""

    def __init__(self, bases: Sequence[str], number: int, plan: Plan, soaked: Soaked) -> None:
        self.plan, self.soaked = plan, soaked
        self.page = Page(bases, random.Random(number))
        self.page.begin()
        self.acknowledged: dict[int, float] = {}
        #: No more is ordered; and, when the last order is answered, pages that know of it close.
        self.stopped, self.over = threading.Event(), threading.Event()
        cookies = dict(self.page.client.cookies)
        self.pages = [_Looking(self, [*bases[n % 2 :], *bases[: n % 2]], cookies) for n in range(PAGES)]
        self.threads = [threading.Thread(target=it.look, daemon=True) for it in self.pages]
        self.threads.append(threading.Thread(target=self._order, daemon=True))
        self.faults: list[str] = []
        for thread in self.threads:
            thread.start()

    def _order(self) -> None:
        try:
            while not self.stopped.wait(self.plan.pause):
                began = time.monotonic()
                self.page.insist_once()
                now = time.monotonic()
                self.acknowledged[self.page.done + 1] = now
                self.soaked.slowest = max(self.soaked.slowest, now - began)
                self.soaked.orders += 1
        except AssertionError as error:
            self.faults.append(f"table {self.page.table}: {error}")

    @property
    def head(self) -> int:
        return self.page.done + 1

    def end(self, database: str) -> Iterator[str]:
        self.stopped.set()
        self.threads[-1].join(150)
        self.over.set()
        yield from self.faults
        until = time.monotonic() + STALE
        while any(it.head < self.head for it in self.pages) and time.monotonic() < until:
            time.sleep(0.1)
        for page in self.pages:
            if page.head != self.head:
                yield f"table {self.page.table}: a page stands at move {page.head} of {self.head}"
            if page.late > STALE:
                yield f"table {self.page.table}: a page heard of a move after {page.late:.0f} s"
            self.soaked.latest = max(self.soaked.latest, page.late)
            self.soaked.came_back += page.came - 1
        self.soaked.again += self.page.again
        report = examine(one_of_many(database, self.page.table))
        yield from (f"table {self.page.table}: {fault}" for fault in report.faults)
        yield from self.page.wrong(f"table {self.page.table}", report.moves)


class _Looking:
    """A page as browsers show it: it hears of news, asks what changed since its mark, comes back after any break."""

    def __init__(self, table: _Table, bases: Sequence[str], cookies: dict[str, str]) -> None:
        self.table, self.bases, self.cookies = table, bases, cookies
        self.head, self.mark, self.last, self.came, self.late = 0, "", "", 0, 0.0

    def look(self) -> None:
        with httpx.Client(timeout=SILENT, cookies=self.cookies) as client:
            while not self._done():
                at = f"{self.bases[self.came % len(self.bases)]}/api/v1/tables/{self.table.page.table}"
                self.came += 1
                try:
                    self._listen(client, at)
                except (httpx.HTTPError, KeyError, json.JSONDecodeError):
                    time.sleep(0.2)

    def _done(self) -> bool:
        return self.table.over.is_set() and self.head >= self.table.head

    def _listen(self, client: httpx.Client, at: str) -> None:
        with client.stream("GET", f"{at}/events", params={"after": self.last}) as stream:
            stream.raise_for_status()
            kind = ""
            for line in stream.iter_lines():
                name, _, value = line.partition(": ")
                kind = value if name == "event" else kind
                self.last = value if name == "id" else self.last
                if name == "data" and kind in ("hello", "move", "resync"):
                    self._ask(client, at)
                if self._done():
                    return

    def _ask(self, client: httpx.Client, at: str) -> None:
        path = f"{at}/changes?since={self.mark}" if self.mark else at
        answer = client.get(path).raise_for_status().json()
        head, self.mark = answer["head"], answer["mark"]
        now = time.monotonic()
        waited = [now - self.table.acknowledged.get(it, now) for it in range(self.head + 1, head + 1)]
        # What was there before the page opened is no news to it.
        self.late = max(self.late, *waited, 0.0) if self.head and waited else self.late
        self.head = head


def soak(folder: Path, database: str, plan: Plan, dice: random.Random, tell: Tell) -> Iterator[str]:
    """The faults that were found; `tell` is told ten times how it goes, and at the end what happened."""
    with hosts(folder, database, plan.workers) as here:
        yield from soak_at(here, [f"http://127.0.0.1:{it.port}" for it in here], database, plan, dice, tell)


def soak_at(
    here: Sequence[Host], bases: Sequence[str], database: str, plan: Plan, dice: random.Random, tell: Tell
) -> Iterator[str]:
    soaked = Soaked()
    tables = [_Table(bases, n, plan, soaked) for n in range(plan.tables)]
    began = time.monotonic()
    tells, kill_at = plan.seconds / 10, plan.kill_every
    while (spent := time.monotonic() - began) < plan.seconds or soaked.restarts < plan.restarts:
        time.sleep(0.05)
        if plan.kill_every and spent >= kill_at:
            # A minute after the last one: what fell into a restart is not made up for by killing all at once.
            kill_at = spent + plan.kill_every
            _kill_worker(here, dice)
            soaked.kills += 1
        if plan.restart_every and spent >= (soaked.restarts + 1) * plan.restart_every:
            here[soaked.restarts % len(here)].restart()
            soaked.restarts += 1
        if spent >= tells:
            tells += plan.seconds / 10
            used = " and ".join(str(it.served.used()) for it in here)
            given_up = sum(bool(it.faults) for it in tables)
            tell(f"{spent:.0f} s: {soaked}; {given_up} tables without an answer; {used}")
    for table in tables:
        yield from table.end(database)
    tell(f"{plan.seconds:.0f} s, {plan.tables} tables, {plan.tables * PAGES} pages: {soaked}")


def _kill_worker(here: Sequence[Host], dice: random.Random) -> None:
    workers = [it for host in here for it in host.served.children()]
    if workers:
        os.kill(dice.choice(workers), signal.SIGKILL)
