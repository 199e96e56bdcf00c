"""Kills in the middle of moves: of the command line, of the server, of PostgreSQL's backends and the workers on them.

What was acknowledged is there once, what was not is there once or not at all, and every game opens.
"""

from __future__ import annotations

import io
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa

from warcabinet.bench.own_postgres import programs, running
from warcabinet.bench.own_server import ALLOWED, Served, free_port, served
from warcabinet.cli.main import main as command_line
from warcabinet.store import create_game, examine, open_game
from warcabinet.store.database import database, one_of_many
from warcabinet.web.plumbing.settings import read_settings
from warcabinet.web.server.serve import log_to, make_server

ORDER = {"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"}
#: Kills before a new game is begun, so that what is checked after each stays short.
A_GAME = 25
#: Of the kills around PostgreSQL every so many is one of a worker, which takes seconds to come back.
WORKER_EVERY = 10

Tick = Callable[[], None]


# -- the command line ------------------------------------------------------------------------------------------------


def kill_command_line(folder: Path, kills: int, dice: random.Random, tick: Tick) -> Iterator[str]:
    """A process that gives one order after another by `warcabinet do` is killed at any moment."""
    game = folder / "line.warcabinet"
    acknowledged = shown = 0
    for n in range(kills):
        if n % A_GAME == 0:
            game = folder / f"line-{n}.warcabinet"
            create_game(game)
            shown = 1
        acknowledged = _ordered_until_killed(game, dice.uniform(0.0, 0.25))
        report = examine(game)
        yield from (f"command line, kill {n}: {fault}" for fault in report.faults)
        # The last order may have been written and not yet acknowledged.
        if not shown + acknowledged <= report.moves <= shown + acknowledged + 1:
            yield f"command line, kill {n}: {shown} moves and {acknowledged} acknowledged, but {report.moves} are there"
        if open_game(game).head.id != report.moves:
            yield f"command line, kill {n}: the game opens elsewhere"
        shown = report.moves
        tick()


def _ordered_until_killed(game: Path, seconds: float) -> int:
    """How many orders were acknowledged before the kill."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            words = ["do", *(f"{key}={value}" if key != "do" else str(value) for key, value in ORDER.items())]
            while True:
                with redirect_stdout(io.StringIO()):
                    command_line([*words, "-g", str(game)])
                os.write(write, b".")
        finally:
            os._exit(1)
    os.close(write)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as told:
        return len(told.read())


# -- the server ------------------------------------------------------------------------------------------------------


def kill_server(folder: Path, kills: int, dice: random.Random, tick: Tick) -> Iterator[str]:
    """A server on SQLite is killed while a page orders; the page asks again under its key until it has an answer."""
    port, data = free_port(), folder / "data"
    (folder / "server.toml").write_text(ALLOWED)
    page = Page([f"http://127.0.0.1:{port}"], dice)
    for n in range(kills):
        server = _forked_server(data, folder / "server.toml", port)
        try:
            if n % A_GAME == 0:
                page.begin()
            else:
                page.answered()
            page.insist_once()  # it has come up, and what was under way at the last kill is answered
            killer = threading.Timer(dice.uniform(0.0, 0.3), os.kill, (server, signal.SIGKILL))
            killer.start()
            while page.order():
                pass
            killer.join()
        finally:
            _end(server)
        report = examine(data / "games" / f"{page.table}.wcg")
        yield from (f"server, kill {n}: {fault}" for fault in report.faults)
        yield from page.wrong(f"server, kill {n}", report.moves)
        tick()


def _forked_server(data: Path, settings: Path, port: int) -> int:
    """A server in a process of its own, without the seconds that it takes to read the program."""
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            log_to(sys.stderr)
            make_server(read_settings(settings, data=data), "127.0.0.1", port).run()
        finally:
            os._exit(1)
    return child


def _end(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


class Page:
    """Who orders: one order at a time, each under its key until it is answered."""

    def __init__(self, bases: Sequence[str], dice: random.Random) -> None:
        self.bases, self.dice = bases, dice
        #: How often something was asked again, each time of the next host.
        self.again = 0
        self.client = httpx.Client(timeout=30)
        self.table = ""
        self.done = 0
        self.under_way = False

    def begin(self) -> None:
        made = self._insist("/tables", {"title": "Kills", "name": "Ada"}, "")
        self.table, self.done, self.under_way = made["table"], 0, False

    def answered(self) -> None:
        """Ask again for what got no answer."""
        if self.under_way:
            self.insist_once()

    def insist_once(self) -> None:
        self._insist(f"/tables/{self.table}/do", ORDER, self._key())
        self.done, self.under_way = self.done + 1, False

    def order(self) -> bool:
        """One more order; whether it was answered."""
        self.under_way = True
        try:
            answer = self._post(f"/tables/{self.table}/do", ORDER, self._key())
        except httpx.HTTPError:
            return False
        if answer.status_code != 200:
            return answer.status_code in (409, 502, 503)
        self.done, self.under_way = self.done + 1, False
        return True

    def wrong(self, when: str, moves: int) -> Iterator[str]:
        """The first move is the start; one that is under way may be written already."""
        if not self.done + 1 <= moves <= self.done + 1 + self.under_way:
            yield f"{when}: {self.done} orders were answered, and {moves - 1} are there"

    def _key(self) -> str:
        return f"order {self.done}"

    def _post(self, path: str, body: dict[str, Any], key: str) -> httpx.Response:
        base = self.bases[self.again % len(self.bases)]
        return self.client.post(f"{base}/api/v1{path}", json=body, headers={"idempotency-key": key} if key else {})

    def _insist(self, path: str, body: dict[str, Any], key: str) -> Any:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                answer = self._post(path, body, key)
                if answer.status_code < 300:
                    return answer.json()
                if answer.status_code not in (409, 502, 503, 504):
                    raise AssertionError(f"{answer.status_code} {answer.text[:300]}")
            except httpx.HTTPError:
                pass
            self.again += 1
            time.sleep(0.02)
        raise AssertionError("no answer for two minutes")


# -- PostgreSQL ------------------------------------------------------------------------------------------------------


def kill_backends(folder: Path, kills: int, dice: random.Random, tick: Tick) -> Iterator[str]:
    """All backends of PostgreSQL are ended at once, or a worker is killed, while a page orders."""
    where = programs()
    if where is None:
        return
    with running(where) as url, served(folder, url, 2) as server:
        engine = database(url)[0]
        page = Page([server.base], dice)
        for n in range(kills):
            if n % A_GAME == 0:
                page.begin()
            with _soon(dice.uniform(0.0, 0.3), lambda n=n: _strike(n, server, engine)) as struck:
                while not struck.is_set():
                    page.insist_once()
            page.insist_once()
            report = examine(one_of_many(url, page.table))
            yield from (f"PostgreSQL, kill {n}: {fault}" for fault in report.faults)
            yield from page.wrong(f"PostgreSQL, kill {n}", report.moves)
            tick()
        engine.dispose()


def _strike(n: int, server: Served, engine: sa.Engine) -> None:
    if n % WORKER_EVERY == WORKER_EVERY - 1:
        for child in server.children()[:1]:
            os.kill(child, signal.SIGKILL)
        return
    others = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
    with engine.begin() as db:
        db.execute(sa.text(f"{others} and datname = current_database()"))


@contextmanager
def _soon(seconds: float, act: Callable[[], None]) -> Iterator[threading.Event]:
    done = threading.Event()

    def run() -> None:
        time.sleep(seconds)
        try:
            act()
        finally:
            done.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield done
    finally:
        thread.join()
