"""Work on what a stranger brought, in a process of its own: whatever it holds, it ends by its limits.

    python -m warcabinet.store.intake      a game
    python -m warcabinet.plans.intake      a plan

The first line of what such a process is given is an errand, the rest is what was brought; it answers with JSON.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

import msgspec

from warcabinet.kernel.errors import WarCabinetError

T = TypeVar("T")
#: Seconds of processor time in which such a process starts: it reads the rules first.
STARTING = 5
STOPPING = "the server is stopping; try again in a minute"


class Limits(msgspec.Struct, frozen=True):
    """How much a process may cost: seconds of its processor, bytes of memory and of what it writes."""

    seconds: float
    memory: int
    written: int = 0


class Errand(msgspec.Struct, frozen=True):
    """What a process is to do; `about` is whatever its module needs to know."""

    limits: Limits
    about: msgspec.Raw


class Told(msgspec.Struct, frozen=True):
    """What came of it, or what is wrong with what was brought."""

    found: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""


class Stopped(WarCabinetError):
    """Their owner ended the processes, or lets nobody wait: nothing is wrong with what was brought."""


class Processes:
    """The processes that somebody has under way, which end with their owner."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def carry_out(self, module: str, what: str, about: object, brought: str, limits: Limits) -> bytes:
        """What a module finds in what was brought, as JSON; or an error, in which that is called `what`."""
        errand = Errand(limits, msgspec.Raw(msgspec.json.encode(about)))
        child = self._start(module)
        try:
            told = _asked(child, what, msgspec.json.encode(errand) + b"\n" + brought.encode("utf-8", "replace"), limits)
        finally:
            self._end(child)
        if told.error:
            raise Stopped(STOPPING) if self._closed else WarCabinetError(told.error)
        return bytes(told.found)

    def _start(self, module: str) -> subprocess.Popen[bytes]:
        command, pipe = [sys.executable, "-m", module], subprocess.PIPE
        with self._lock:
            if self._closed:
                raise Stopped(STOPPING)
            child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            self._here.add(child)
            return child

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        child.kill()
        child.communicate()
        with self._lock:
            self._here.discard(child)

    def open(self) -> None:
        with self._lock:
            self._closed = False

    def close(self) -> None:
        """End all of them, at once; no other is started."""
        with self._lock:
            self._closed = True
            for child in self._here:
                child.kill()


def _asked(child: subprocess.Popen[bytes], what: str, given: bytes, limits: Limits) -> Told:
    try:
        # The seconds are of processor time; a machine under load may take a few times as many.
        out, _ = child.communicate(given, timeout=2 * STARTING + 4 * limits.seconds)
        return msgspec.json.decode(out, type=Told)
    except subprocess.TimeoutExpired:
        return Told(error=f"reading {what} takes longer than is allowed here")
    except msgspec.MsgspecError:
        return _too_large(what)


def _too_large(what: str) -> Told:
    return Told(error=f"{what} is too large, or too deeply nested, to be read here")


# -- in the process ----------------------------------------------------------------------------------------------------


def obey(what: str, kind: type[T], work: Callable[[T, Limits, str], object]) -> None:
    """Do the errand that stands in the first line, within its limits, and tell what came of it."""
    errand = msgspec.json.decode(sys.stdin.buffer.readline(), type=Errand)
    _limit(errand.limits)
    try:
        brought = sys.stdin.buffer.read().decode("utf-8")
        found = work(msgspec.json.decode(errand.about, type=kind), errand.limits, brought)
        told = Told(msgspec.Raw(msgspec.json.encode(found)))
    except WarCabinetError as error:
        told = Told(error=str(error))
    except (MemoryError, RecursionError):
        told = _too_large(what)
    except Exception as error:
        told = Told(error=f"{what} cannot be read: {error!r}")
    sys.stdout.buffer.write(msgspec.json.encode(told))


def _limit(limits: Limits) -> None:
    """Where the system can: so much memory and time, and no other program."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
        seconds = max(1, int(limits.seconds)) + STARTING
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.written, limits.written))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(5)
