"""A load on the server as a busy evening would be: many games, spectators that listen, orders at a steady pace."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.bench.client import Browser
from warcabinet.bench.own_server import Served, Used, busy, served
from warcabinet.bench.page_weights import Weights, weigh
from warcabinet.game.engine import at_rest
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.serve import within_means

#: How often a position is opened to measure how long it takes.
OPENINGS = 9
#: What a page asks for before it is drawn.
NEEDED = ("", "/log?most=80", "/talk", "/events")
#: What every page needs and the browser keeps after the first.
KEPT = ("/boards/europe", "/commands")


#: So many errors are told in full; the others are counted.
MOST_TOLD = 10
#: What comes in goes out again and leaves nothing to remember: a run can last for hours, and what grows is the server.
ORDERS: tuple[dict[str, Any], ...] = (
    {"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"},
    {"do": "report_brp", "power": "germany", "brp": -1, "cause": "other"},
)


class Load(msgspec.Struct, frozen=True):
    """How much: the sizes of the promise, or less for a quick look."""

    games: int = 200
    spectators: int = 1000
    orders_per_second: float = 50
    seconds: float = 20
    #: Of the demonstration's moves, every so many are weighed: what the pages of its table receive. 0: none.
    weigh_every: int = 4
    #: Hall and games in this database, served by so many processes; empty: SQLite and one process.
    database: str = ""
    workers: int = 2
    #: Only so many of the first steps of the demonstration are played for it; all of them if none is said.
    weigh_steps: int | None = None


class Measured(msgspec.Struct, frozen=True):
    """What came out: counts, errors, and times in milliseconds."""

    games: int
    spectators: int
    orders: int
    orders_per_second: float
    errors: int
    order_median_ms: float
    order_99_ms: float
    seen_median_ms: float
    seen_99_ms: float
    missed: int
    #: A position after three game turns, from the first request of a page to the last that it needs to be drawn.
    opened_median_ms: float
    opened_worst_ms: float
    cores: int
    #: How busy the machine was, by whatever: processes that wanted a core, in the mean of the last minute.
    busy_before: float
    busy_after: float
    #: Processes, memory and files of the server: with everybody there and no order yet, and after the last order.
    begin: Used
    end: Used
    weights: Weights | None

    def lines(self) -> list[str]:
        return [
            f"{self.games} games, {self.spectators} spectators listening, {self.cores} cores "
            f"(load average {self.busy_before:.1f} before, {self.busy_after:.1f} after)",
            f"{self.orders} orders at {self.orders_per_second:.1f} a second, {self.errors} errors",
            f"an order is answered in {self.order_median_ms:.1f} ms (99 %: {self.order_99_ms:.1f})",
            f"and seen by a spectator after {self.seen_median_ms:.1f} ms (99 %: {self.seen_99_ms:.1f})",
            f"{self.missed} missed",
            f"the server at the begin: {self.begin}",
            f"the server at the end: {self.end} ({self.end.more_than(self.begin)})",
            f"a position after three game turns is open after {self.opened_median_ms:.0f} ms "
            f"(the slowest of {OPENINGS}: {self.opened_worst_ms:.0f})",
            *(self.weights.lines() if self.weights else ()),
        ]


#: Whoever waits for a long run is told how it goes.
Tell = Callable[[str], None]


def server_bench(load: Load | None = None, tell: Tell = lambda line: None) -> Measured:
    """Start a server on loopback in processes of its own, put the load on it, and stop it again."""
    wanted = load or Load()
    weights = weigh(wanted.weigh_every, wanted.weigh_steps) if wanted.weigh_every else None
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), wanted.database, wanted.workers) as server:
        return asyncio.run(_bench(wanted, server, weights, tell))


async def _bench(load: Load, server: Served, weights: Weights | None, tell: Tell) -> Measured:
    within_means(Settings(Path()))  # as many files for those who listen as for the server that they listen to
    run = _Run(load, server, tell)
    await asyncio.wait_for(run.prepare(), 900)
    await asyncio.wait_for(run.play(), load.seconds * 3 + 60)
    await asyncio.wait_for(run.open_late_position(), 120)
    return run.measured(weights)


class _Run:
    """One run: tables, the people who play, those who look on, and the times they measure."""

    def __init__(self, load: Load, server: Served, tell: Tell) -> None:
        self.load, self.server, self.port, self.tell = load, server, server.port, tell
        self.players: list[tuple[Browser, str]] = []
        self.sent: dict[tuple[str, int], float] = {}
        self.begin = self.end = Used()
        self.busy_before = self.busy_after = 0.0
        self.answered: list[float] = []
        self.seen: list[float] = []
        self.heard: dict[str, int] = {}
        self.errors = 0
        self.opened: list[float] = []
        self.took = 0.0
        self.listening: list[asyncio.Task[None]] = []

    async def prepare(self) -> None:
        """Open the tables and let the spectators in, a few at a time."""
        few = asyncio.Semaphore(6)
        await asyncio.gather(*(self._open_table(n, few) for n in range(self.load.games)))
        self.tell(f"{self.load.games} tables are open, {len(self.listening)} listen")

    async def _open_table(self, n: int, few: asyncio.Semaphore) -> None:
        async with few:
            host = Browser(self.port)
            made = await host.post("/tables", {"title": f"Game {n}", "name": "Bench"})
            at = f"/tables/{made['table']}"
            link = await host.post(f"{at}/seats/spectators/invitations", {})
            self.players.append((host, at))
            self.heard[at] = 0
            for number in range(self.load.spectators // self.load.games):
                fan = Browser(self.port)
                await fan.post("/join", {"invitation": link["invitation"], "name": f"Fan {number}"})
                ready = asyncio.Event()
                self.listening.append(asyncio.create_task(self._look_on(fan, at, ready)))
                await asyncio.wait_for(ready.wait(), 60)

    async def _look_on(self, fan: Browser, at: str, ready: asyncio.Event) -> None:
        async for kind, data in fan.events(f"{at}/events"):
            if kind == "hello":
                ready.set()
            if kind == "move":
                self.heard[at] += 1
                started = self.sent.get((at, data["id"]))
                if started is not None:
                    self.seen.append((time.perf_counter() - started) * 1000)

    async def play(self) -> None:
        at_rest()  # what those who listen have to tidy up is not what is measured
        await asyncio.sleep(min(2.0, self.load.seconds))  # what the guests' coming left to do is done first
        total = int(self.load.orders_per_second * self.load.seconds)
        self.busy_before, self.begin = busy(), self.server.used()
        start = time.perf_counter()
        reporting = asyncio.create_task(self._report(start))
        under_way: set[asyncio.Task[None]] = set()
        for n in range(total):
            await asyncio.sleep(max(0.0, start + n / self.load.orders_per_second - time.perf_counter()))
            order = asyncio.create_task(self._order(n))
            under_way.add(order)
            order.add_done_callback(under_way.discard)
        await asyncio.gather(*under_way)
        self.took = time.perf_counter() - start
        await asyncio.sleep(1.0)
        self.busy_after, self.end = busy(), self.server.used()
        reporting.cancel()
        for task in self.listening:
            task.cancel()

    async def _report(self, start: float) -> None:
        """Ten times in a run, but not more often than every ten seconds: how it goes."""
        while True:
            await asyncio.sleep(max(10.0, self.load.seconds / 10))
            spent = time.perf_counter() - start
            used = self.server.used()
            self.tell(
                f"{spent:.0f} s: {len(self.answered)} orders, {self.errors} errors, seen after "
                f"{_share(self.seen, 50):.0f} ms (99 %: {_share(self.seen, 99):.0f}), {used}"
            )

    async def open_late_position(self) -> None:
        """Play three game turns, then open the table as a browser would, again and again."""
        host = Browser(self.port)
        made = await host.post(
            "/tables", {"title": "Late", "name": "Bench", "options": {"mobilization": "reported", "set_up": "reported"}}
        )
        at = f"/tables/{made['table']}"
        for turn in ("Winter 1939", "Spring 1940", "Summer 1940"):
            await host.post(f"{at}/advance", {"to": turn})
        for _ in range(OPENINGS):
            start = time.perf_counter()
            await host.page(at)
            await asyncio.gather(*map(host.get, KEPT), *(self._needed(host, at + part) for part in NEEDED))
            self.opened.append((time.perf_counter() - start) * 1000)

    async def _needed(self, host: Browser, path: str) -> None:
        if path.endswith("/events"):
            async for kind, _ in host.events(path):
                if kind == "hello":
                    return
        else:
            await host.get(path)

    async def _order(self, n: int) -> None:
        """One order of one game; games take turns, so each has one order under way."""
        host, at = self.players[n % len(self.players)]
        move = 2 + n // len(self.players)
        self.sent[at, move] = start = time.perf_counter()
        try:
            await host.post(f"{at}/do", ORDERS[move % len(ORDERS)])
            self.answered.append((time.perf_counter() - start) * 1000)
        except (OSError, RuntimeError, TimeoutError) as error:
            self.errors += 1
            if self.errors <= MOST_TOLD:
                self.tell(f"{type(error).__name__} {error}")

    def measured(self, weights: Weights | None) -> Measured:
        fans = self.load.spectators // self.load.games
        expected = len(self.answered) * fans
        return Measured(
            self.load.games,
            len(self.listening),
            len(self.answered) + self.errors,
            len(self.answered) / self.took,
            self.errors,
            _share(self.answered, 50),
            _share(self.answered, 99),
            _share(self.seen, 50),
            _share(self.seen, 99),
            expected - sum(self.heard.values()),
            statistics.median(self.opened),
            max(self.opened),
            os.cpu_count() or 1,
            self.busy_before,
            self.busy_after,
            self.begin,
            self.end,
            weights,
        )


def _share(times: list[float], per_cent: int) -> float:
    if len(times) < 2:
        return times[0] if times else 0.0
    return statistics.quantiles(times, n=100)[per_cent - 1]
