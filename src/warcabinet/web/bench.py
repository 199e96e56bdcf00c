"""A load on the server as a busy evening would be: many games, spectators that listen, orders at a steady pace."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.web.client import Browser
from warcabinet.web.settings import Settings
from warcabinet.web.weights import Weights, weigh

#: How often a position is opened to measure how long it takes.
OPENINGS = 9
#: What a page asks for before it is drawn.
NEEDED = ("", "/log?most=80", "/talk", "/events")
#: What every page needs and the browser keeps after the first.
KEPT = ("/boards/europe", "/commands")


class Load(msgspec.Struct, frozen=True):
    """How much: the sizes of the promise, or less for a quick look."""

    games: int = 100
    spectators: int = 500
    orders_per_second: float = 25
    seconds: float = 10
    #: Of the demonstration's moves, every so many are weighed: what the pages of its table receive.
    weigh_every: int = 4


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
    weights: Weights

    def lines(self) -> list[str]:
        return [
            f"{self.games} games, {self.spectators} spectators listening, {self.cores} cores",
            f"{self.orders} orders at {self.orders_per_second:.1f} a second, {self.errors} errors",
            f"an order is answered in {self.order_median_ms:.1f} ms (99 %: {self.order_99_ms:.1f})",
            f"and seen by a spectator after {self.seen_median_ms:.1f} ms (99 %: {self.seen_99_ms:.1f})",
            f"{self.missed} missed",
            f"a position after three game turns is open after {self.opened_median_ms:.0f} ms "
            f"(the slowest of {OPENINGS}: {self.opened_worst_ms:.0f})",
            *self.weights.lines(),
        ]


def server_bench(load: Load | None = None) -> Measured:
    """Start a server on loopback in a process of its own, put the load on it, and stop it again."""
    wanted = load or Load()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_bench(wanted, Path(folder), weigh(wanted.weigh_every)))


async def _bench(load: Load, folder: Path, weights: Weights) -> Measured:
    settings = Settings(folder, rate=10_000, burst=100_000, tables_open=load.games + 10)
    process, port = await _start(settings)
    try:
        run = _Run(load, port)
        await asyncio.wait_for(run.prepare(), 120)
        await asyncio.wait_for(run.play(), load.seconds * 3 + 60)
        await asyncio.wait_for(run.open_late_position(), 120)
        return run.measured(weights)
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 15)


async def _start(settings: Settings) -> tuple[asyncio.subprocess.Process, int]:
    """The server in another process, as in life: the load must not be its own measure."""
    import sys

    code = (
        "import sys; from pathlib import Path; from warcabinet.web.bench import _serve; "
        f"_serve(Path(sys.argv[1]), {settings.tables_open})"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(settings.data), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), 30)
    return process, int(line)


def _serve(data: Path, tables_open: int) -> None:
    """What the process runs: a server on a free port, whose number it prints."""
    import socket

    from warcabinet.web.serve import make_server

    settings = Settings(
        data, rate=10_000, burst=100_000, tables_open=tables_open, tables_per_hour=100_000, tables_per_person=100_000
    )
    server = make_server(settings, "127.0.0.1", 0)
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listening.getsockname()[1], flush=True)
    server.run(sockets=[listening])


class _Run:
    """One run: tables, the people who play, those who look on, and the times they measure."""

    def __init__(self, load: Load, port: int) -> None:
        self.load, self.port = load, port
        self.players: list[tuple[Browser, str]] = []
        self.sent: dict[tuple[str, int], float] = {}
        self.answered: list[float] = []
        self.seen: list[float] = []
        self.heard: dict[str, int] = {}
        self.errors = 0
        self.opened: list[float] = []
        self.took = 0.0
        self.listening: list[asyncio.Task[None]] = []

    async def prepare(self) -> None:
        """Open the tables and let the spectators in."""
        host = Browser(self.port)
        for n in range(self.load.games):
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
                await asyncio.wait_for(ready.wait(), 20)

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
        total = int(self.load.orders_per_second * self.load.seconds)
        start = time.perf_counter()
        orders = []
        for n in range(total):
            await asyncio.sleep(max(0.0, start + n / self.load.orders_per_second - time.perf_counter()))
            orders.append(asyncio.create_task(self._order(n)))
        await asyncio.gather(*orders)
        self.took = time.perf_counter() - start
        await asyncio.sleep(0.5)
        for task in self.listening:
            task.cancel()

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
            await host.post(f"{at}/do", {"do": "spend", "power": "germany", "brp": 1, "on": "other"})
            self.answered.append((time.perf_counter() - start) * 1000)
        except (OSError, RuntimeError):
            self.errors += 1

    def measured(self, weights: Weights) -> Measured:
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
            weights,
        )


def _share(times: list[float], per_cent: int) -> float:
    if len(times) < 2:
        return times[0] if times else 0.0
    return statistics.quantiles(times, n=100)[per_cent - 1]


def measure(load: Load | None = None) -> dict[str, Any]:
    """The result as plain data, for `--json`."""
    return dict(msgspec.to_builtins(server_bench(load)))
