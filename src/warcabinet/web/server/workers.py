"""Several processes on one port: any serves any table, one that ends is started again, all are renewed by turns.

SIGTERM or Ctrl+C stops them in order; SIGHUP starts each anew, one after the other, while the others go on.
Each is forked from a parent that has read the program, so that one which was killed is made up for at once,
however busy the machine is.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

import uvicorn

from warcabinet.game.engine import NEW_OBJECTS_IN_TALK, at_rest
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.database import share_nothing
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import open_server

#: Seconds that a process may take to be ready, and to stop.
PATIENCE = 60.0
SIGNALS = (signal.SIGTERM, signal.SIGINT)
READY = "ready"
#: Makes what serves the port, in the process that serves it.
Make = Callable[[], uvicorn.Server]


class Worker:
    """One process among several: it serves the port that its parent holds."""

    def __init__(self, make: Make, held: socket.socket) -> None:
        fork = multiprocessing.get_context("fork")
        self._told, tells = fork.Pipe(duplex=False)
        self._process = fork.Process(target=_work, args=(make, held, tells, os.getpid()))
        # Until it has its own ways to end, it hears of nothing.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (*SIGNALS, signal.SIGHUP))
        self._process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        tells.close()
        self.number = self._process.pid
        self._ready = False
        log("worker", process=self.number)

    @property
    def sentinel(self) -> int:
        return self._process.sentinel

    @property
    def status(self) -> int | None:
        """With what it ended; None while it runs."""
        return self._process.exitcode

    def ready(self) -> bool:
        """Whether it serves the port."""
        if not self._ready and self._told.poll():
            with contextlib.suppress(EOFError):
                self._ready = self._told.recv() == READY
        return self._ready and self.status is None

    def stop(self) -> None:
        self._process.terminate()

    def wait(self) -> None:
        self._process.join(PATIENCE)
        if self.status is None:
            self._process.kill()
            self._process.join()


class Workers:
    """The parent of the processes: it holds the port, and does nothing else."""

    def __init__(self, settings: Settings, make: Make, held: socket.socket, count: int) -> None:
        if not settings.database:
            raise WarCabinetError("several processes need a database that they share: --database postgresql://...")
        if sys.platform == "win32":
            raise WarCabinetError("several processes are served on Linux and macOS only")
        # The hall is made, or refused, once and here.
        open_server(settings).hall.close()
        share_nothing()
        at_rest(NEW_OBJECTS_IN_TALK)
        self._make, self._socket, self._count = make, held, count
        self._workers: list[Worker] = []
        self._open = False
        self._stopping = self._interrupted = self._renewing = False

    def run(self) -> None:
        for number in SIGNALS:
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, self._renew)
        try:
            for _ in range(self._count):
                self._workers.append(self._start())
            while not self._stopping:
                self._look_after()
        finally:
            self._socket.close()  # whoever comes now is sent on by a proxy at once, and waits for nobody
            for worker in self._workers:
                worker.stop()
            for worker in self._workers:
                worker.wait()
        if self._interrupted:
            raise KeyboardInterrupt

    def _look_after(self) -> None:
        wait([it.sentinel for it in self._workers], 0.2)
        self._keep_door()
        for place, worker in enumerate(self._workers):
            if worker.status is not None and not self._stopping:
                log("worker ended", process=worker.number, status=worker.status)
                self._workers[place] = self._start()
                time.sleep(0.2)  # one that cannot start is not tried without end
        if self._renewing:
            self._renewing = False
            self._renew_all()

    def _start(self) -> Worker:
        return Worker(self._make, self._socket)

    def _keep_door(self) -> None:
        """The door is open while a process is ready: nobody waits before one behind which nobody is.

        Whoever is refused comes again, or is sent to another host by a proxy at once.
        """
        was_open, self._open = self._open, any(it.ready() for it in self._workers)
        with contextlib.suppress(OSError):  # where a system cannot shut a door they wait
            if was_open and not self._open:
                self._socket.shutdown(socket.SHUT_RD)
            elif self._open and not self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                self._socket.listen()

    def _renew_all(self) -> None:
        """By turns: a new process is ready before an old one goes, so that the port is always served."""
        for place, old in enumerate(self._workers):
            new = self._start()
            while not new.ready() and new.status is None:
                time.sleep(0.05)
            if new.status is not None:
                log("trouble", error="a new process did not start; the old ones go on")
                return
            self._workers[place] = new
            old.stop()
            old.wait()

    def _stop(self, number: int, *_: Any) -> None:
        self._stopping, self._interrupted = True, number == signal.SIGINT

    def _renew(self, *_: Any) -> None:
        self._renewing = True


# -- in the process ----------------------------------------------------------------------------------------------------


def _work(make: Make, held: socket.socket, tells: Connection, parent: int) -> None:
    for number in (*SIGNALS, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    # In a group of its own: Ctrl+C is for the parent, which stops them in order.
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (*SIGNALS, signal.SIGHUP))
    try:
        server = make()
    except WarCabinetError as error:
        # The database may be away for a moment: the parent tries again.
        log("trouble", error=str(error))
        sys.exit(1)
    at_rest(NEW_OBJECTS_IN_TALK)
    asyncio.run(_serve(server, held, tells, parent))


async def _serve(server: uvicorn.Server, held: socket.socket, tells: Connection, parent: int) -> None:
    serving = asyncio.create_task(server.serve(sockets=[held]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    tells.send(READY)
    while not serving.done():
        await asyncio.wait([serving], timeout=1)
        if os.getppid() != parent:
            # Whoever started it was killed: a server that comes in its place needs the port.
            server.handle_exit(signal.SIGTERM, None)
    await serving
