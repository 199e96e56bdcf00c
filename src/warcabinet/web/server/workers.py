"""Several processes on one port: any serves any table, one that ends is started again, all are renewed by turns.

SIGTERM or Ctrl+C stops them in order; SIGHUP starts each anew, one after the other, while the others go on.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import open_server

#: Seconds that a process may take to be ready, and to stop.
PATIENCE = 60.0


class Workers:
    """The parent of the processes: it holds the port, and does nothing else."""

    def __init__(self, settings: Settings, held: socket.socket, count: int) -> None:
        if not settings.database:
            raise WarCabinetError("several processes need a database that they share: --database postgresql://...")
        if sys.platform == "win32":
            raise WarCabinetError("several processes are served on Linux and macOS only")
        # The hall is made, or refused, once and here.
        open_server(settings).hall.close()
        self._socket = held
        told = msgspec.to_builtins(settings, enc_hook=str)
        self._environment = {
            **os.environ,
            "WARCABINET_SETTINGS": msgspec.json.encode(told).decode(),
            "WARCABINET_RUN": secrets.token_hex(8),
        }
        self._count = count
        self._children: list[subprocess.Popen[bytes]] = []
        self._ready: set[int] = set()
        self._stopping = self._interrupted = self._renewing = False

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, self._renew)
        self._children = [self._start() for _ in range(self._count)]
        while not self._stopping:
            time.sleep(0.2)
            for place, child in enumerate(self._children):
                if child.poll() is not None and not self._stopping:
                    log("worker ended", process=child.pid, status=child.returncode)
                    self._keep_door()
                    time.sleep(0.2)  # one that cannot start is not tried without end
                    self._children[place] = self._start()
            self._keep_door()
            if self._renewing:
                self._renewing = False
                self._renew_all()
        self._socket.close()  # whoever comes now is sent on by a proxy at once, and waits for nobody
        for child in self._children:
            child.terminate()
        for child in self._children:
            _waited(child)
        if self._interrupted:
            raise KeyboardInterrupt

    def _start(self) -> subprocess.Popen[bytes]:
        held = self._socket.fileno()
        command = [sys.executable, "-m", "warcabinet.web.server.worker", str(held)]
        # In a group of its own: Ctrl+C is for the parent, which stops them in order.
        child = subprocess.Popen(
            command, pass_fds=[held], env=self._environment, stdout=subprocess.PIPE, process_group=0
        )
        assert child.stdout is not None
        os.set_blocking(child.stdout.fileno(), False)
        log("worker", process=child.pid)
        return child

    def _keep_door(self) -> None:
        """The door is open while a process is ready: nobody waits before one behind which nobody is.

        Whoever is refused comes again, or is sent to another host by a proxy at once.
        """
        before, alive = self._ready, [it for it in self._children if it.poll() is None]
        self._ready = {it.pid for it in alive if it.pid in before or _says_ready(it)}
        with contextlib.suppress(OSError):  # where a system cannot shut a door they wait
            if before and not self._ready:
                self._socket.shutdown(socket.SHUT_RD)
            elif self._ready and not self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                self._socket.listen()

    def _renew_all(self) -> None:
        """By turns: a new process is ready before an old one goes, so that the port is always served."""
        for place, old in enumerate(self._children):
            new = self._start()
            while not (ready := _says_ready(new)) and new.poll() is None:
                time.sleep(0.05)
            if not ready:
                log("trouble", error="a new process did not start; the old ones go on")
                _waited(new)
                return
            self._ready.add(new.pid)
            self._children[place] = new
            old.terminate()
            _waited(old)

    def _stop(self, number: int, *_: Any) -> None:
        self._stopping, self._interrupted = True, number == signal.SIGINT

    def _renew(self, *_: Any) -> None:
        self._renewing = True


def _says_ready(child: subprocess.Popen[bytes]) -> bool:
    """Whether a process has said by now that it serves the port."""
    assert child.stdout is not None
    return child.stdout.readline() == b"ready\n"


def _waited(child: subprocess.Popen[bytes]) -> None:
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
