"""A run that is killed takes its workers with it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
def test_workers_end_with_the_run_that_started_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "warcabinet", "plan", "run", "as-it-happened", "--samples", "100000"]
    run = subprocess.Popen([*command, "--workers", "2", "--into", str(tmp_path / "out")], stdout=subprocess.DEVNULL)
    try:
        until(lambda: len(workers_of(run.pid)) >= 2)
        workers = workers_of(run.pid)
    finally:
        run.kill()
        run.wait()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def workers_of(pid: int) -> list[int]:
    """The children of a process that play parts; one more helper looks after what they share."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(it) for it in listed if b"spawn_main" in _command_of(it)]


def _command_of(pid: str) -> bytes:
    with contextlib.suppress(OSError):  # it may have ended meanwhile
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def until(done: Callable[[], bool]) -> None:
    """Wait for something that comes soon, on however busy a machine."""
    end = time.monotonic() + 120
    while not done():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.2)
