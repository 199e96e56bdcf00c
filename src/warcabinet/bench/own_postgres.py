"""A PostgreSQL server for a bench or for tests alone: on loopback, in a folder of its own, thrown away afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

HOW = "no PostgreSQL here: install Debian's package `postgresql`"


def programs() -> Path | None:
    """The folder of Debian's newest server programs, or wherever `initdb` is found."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda it: int(it.parts[-3]))
    path = str(found[-1]) if found else shutil.which("initdb")
    return Path(path).parent if path else None


def _user() -> dict[str, str]:
    """PostgreSQL refuses to be run by root: then Debian's own user runs it."""
    return {"user": "postgres"} if hasattr(os, "geteuid") and os.geteuid() == 0 else {}


@contextmanager
def running(where: Path, *, durable: bool = False) -> Iterator[str]:
    """A server and the URL of its database. `durable`: it waits for the disk, as one does that keeps games."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="warcabinet-postgres-"))
    if who := _user():
        shutil.chown(folder, who["user"])
    words = ["-D", str(folder / "data")]
    initdb = [where / "initdb", *words, "-U", "warcabinet", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=folder, **who)  # type: ignore[call-overload]
    options = [*words, "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), *([] if durable else ["-F"])]
    server = subprocess.Popen([where / "postgres", *options], stderr=subprocess.DEVNULL, cwd=folder, **who)  # type: ignore[call-overload]
    url = f"postgresql+psycopg://warcabinet@127.0.0.1:{port}/postgres"
    try:
        _answers(url)
        yield url
    finally:
        server.send_signal(3)
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _answers(url: str) -> None:
    engine = sa.create_engine(url)
    until = time.monotonic() + 60
    while True:
        try:
            engine.connect().close()
            break
        except sa.exc.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
    engine.dispose()
