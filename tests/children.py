"""Work done in children of a process that has no threads and has done it before.

The process of the tests has threads of servers and browsers. A child forked from it may begin with a lock that a thread
held which the child does not have, and wait for it for ever. So children come from a process of their own, in which
nothing else runs: it says so if it ever has a second thread, and a child that does not end in time is a failure.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing import connection
from pathlib import Path
from typing import Any

from warcabinet.kernel.errors import WarCabinetError

DONE = "done"
LATE = "it did not end in time"

Work = Callable[..., object]


class Children:
    """A process whose children do what they are asked: functions of a test file with what they are given, by name."""

    def __init__(self, seconds: int = 120) -> None:
        """A child that takes longer than these seconds is ended by the system, whatever it waits for."""
        self.seconds = seconds
        self.asked, other = connection.Pipe()
        words = [sys.executable, __file__, str(other.fileno()), str(seconds), *sys.path]
        self.process = subprocess.Popen(words, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)
        other.close()

    def here(self, work: Work, *given: object) -> str:
        """Do it in the process itself, so that its children have nothing left to do for the first time."""
        self.asked.send(("here", work, given))
        return self.told()

    def child(self, work: Work, *given: object) -> str:
        """Do it in a child: `done`, or why it was refused, or where it failed, or nothing where it was killed."""
        self._begun("child", work, given)
        return self.told()

    def stopped(self, work: Work, *given: object) -> int:
        """A child that waits for SIGCONT before it begins; `told` says what came of it."""
        return self._begun("stopped", work, given)

    def told(self) -> str:
        said = self._heard()
        assert said != LATE, said
        return str(said)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.asked.close()

    def _begun(self, how: str, work: Work, given: tuple[object, ...]) -> int:
        self.asked.send((how, work, given))
        began = self._heard()
        assert isinstance(began, int), began
        return began

    def _heard(self) -> object:
        if not self.asked.poll(self.seconds + 30):
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(LATE)
        return self.asked.recv()


# -- In that process -----------------------------------------------------------------------------------------------


def serve(asked: connection.Connection, seconds: int) -> None:
    """Do what is asked for, one after another, until nobody asks any more."""
    while True:
        try:
            how, work, given = asked.recv()
        except EOFError:
            return
        if how == "here":
            asked.send(_said(work, given))
        elif (alone := _threads()) != 1:
            asked.send(f"the process of which children come has {alone} threads")
        else:
            _begin(asked, seconds, how == "stopped", work, given)


def _threads() -> int:
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


def _begin(asked: connection.Connection, seconds: int, stopped: bool, work: Work, given: tuple[object, ...]) -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _child(write, seconds, stopped, work, given)
    os.close(write)
    if stopped:
        os.waitpid(child, os.WUNTRACED)
    asked.send(child)
    with os.fdopen(read, errors="replace") as said:
        told = said.read()
    _, status = os.waitpid(child, 0)
    asked.send(LATE if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else told)


def _child(write: int, seconds: int, stopped: bool, work: Work, given: tuple[object, ...]) -> None:
    told = ""
    try:
        if stopped:
            os.kill(os.getpid(), signal.SIGSTOP)
        signal.alarm(seconds)
        told = _said(work, given)
    finally:
        # The word itself may be the call that fails.
        for _ in range(3):
            try:
                os.write(write, told.encode()[-3000:])
                break
            except OSError:
                continue
        os._exit(0)


def _said(work: Work, given: tuple[Any, ...]) -> str:
    try:
        work(*given)
    except WarCabinetError as error:
        return f"refused: {error}"
    except BaseException:
        return traceback.format_exc()
    return DONE


if __name__ == "__main__":
    os.setpgid(0, 0)
    sys.path[:] = sys.argv[3:]
    serve(connection.Connection(int(sys.argv[1])), int(sys.argv[2]))
