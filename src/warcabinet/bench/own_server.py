"""A server to be measured or put to the test: `warcabinet serve` as in life, on loopback, and what it takes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from warcabinet.kernel.errors import WarCabinetError

#: All that comes to it comes from one address: what a public server allows one address is not what is measured.
ALLOWED = """rate = 100000
burst = 1000000
tables_per_hour = 1000000
share_seconds = 1000000
tables_per_person = 1000000
free_disk = 0
"""
#: Seconds until it must answer.
PATIENCE = 120.0


class Used(msgspec.Struct, frozen=True):
    """What a server takes: all its processes together. Nothing is known of it but on Linux."""

    processes: int = 0
    memory_mb: float = 0.0
    files: int = 0

    def __str__(self) -> str:
        return f"{self.processes} processes, {self.memory_mb:.0f} MB, {self.files} files"

    def more_than(self, other: Used) -> str:
        return f"{self.memory_mb - other.memory_mb:+.0f} MB, {self.files - other.files:+d} files"


class Served(msgspec.Struct, frozen=True):
    """A server that runs: where, and by which process."""

    port: int
    process: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def children(self) -> list[int]:
        try:
            return [int(it) for it in Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()]
        except OSError:
            return []

    def used(self) -> Used:
        found = [it for it in map(_used, (self.process, *self.children())) if it]
        return Used(len(found), sum(it[0] for it in found), sum(it[1] for it in found))


def _used(process: int) -> tuple[float, int] | None:
    """Megabytes that are its own, and open files."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()
        own = (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE") / 2**20
        return own, len(os.listdir(f"/proc/{process}/fd"))
    except OSError:
        return None


def busy() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def started(folder: Path, port: int, database: str = "", workers: int = 1) -> subprocess.Popen[bytes]:
    """`warcabinet serve`, with its games in a folder or in a database."""
    settings = folder / "server.toml"
    settings.write_text(ALLOWED)
    command = [sys.executable, "-m", "warcabinet", "serve", str(folder / "data"), "--port", str(port)]
    command += ["--settings", str(settings)]
    if database:
        command += ["--database", database, "--workers", str(workers)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


@contextmanager
def served(folder: Path, database: str = "", workers: int = 1) -> Iterator[Served]:
    """A server that answers, stopped in order afterwards."""
    port = free_port()
    process = started(folder, port, database, workers)
    try:
        until = time.monotonic() + PATIENCE
        while not answers(port):
            if process.poll() is not None or time.monotonic() > until:
                raise WarCabinetError("the server that is to be measured did not start")
            time.sleep(0.05)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
