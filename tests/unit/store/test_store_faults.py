"""Every system call that writes fails once, with a full disk, a failing disk or a kill: nothing half is left.

strace makes the calls fail. A few of each kind are tried every time; with WARCABINET_ALL_FAULTS=1 all of them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from children import DONE, Children
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import create_game, examine, export_game, import_game, open_game, whole_file
from warcabinet.store.backup import back_up
from warcabinet.web.hall.tables_in_play import usual_seats
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import open_server

CALLS = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "link",
    "linkat",
    "unlink",
    "ftruncate",
    "fchmod",
    "mkdir",
)
FAULTS = ("error=ENOSPC", "error=EIO", "signal=KILL")
EVERYTHING = os.environ.get("WARCABINET_ALL_FAULTS") == "1"


def _can_trace() -> bool:
    if sys.platform != "linux" or shutil.which("strace") is None:
        return False
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    return tried.returncode == 0


pytestmark = pytest.mark.skipif(not _can_trace(), reason="needs strace, and leave to trace")

Work = Callable[[Path], None]


def _new(folder: Path) -> None:
    create_game(folder / "out")


def _import(folder: Path) -> None:
    try:
        lines = (folder / "game.jsonl").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise WarCabinetError(str(error)) from None  # the command line says so of any file
    import_game(lines, folder / "out")


def _export(folder: Path) -> None:
    with whole_file(folder / "out") as part:
        part.write_text("\n".join(export_game(open_game(folder / "game"))), encoding="utf-8")


def _backup(folder: Path) -> None:
    back_up(folder / "game", folder / "out")


def _move(folder: Path) -> None:
    open_game(folder / "game").do({"do": "roll", "purpose": "weather"})


def _table(folder: Path) -> None:
    server = open_server(Settings(folder / "data", free_disk=0))
    from warcabinet.figures.position import Position

    chairs = usual_seats([("All", ("germany",))])
    person, _ = server.hall.people.new_person("Ada")
    row = server.tables.create(Position("classic-1939"), "A", person.id, chairs, "players")
    server.hall.sit(row.id, "seat1", person)


WORKS: dict[str, Work] = {
    "new": _new,
    "import": _import,
    "export": _export,
    "backup": _backup,
    "move": _move,
    "table": _table,
}


class Outcome:
    def __init__(self, told: str, calls: Counter[str]) -> None:
        self.told, self.calls = told, calls

    @property
    def done(self) -> bool:
        return self.told == DONE


def run(children: Children, work: Work, folder: Path, inject: str = "") -> Outcome:
    """Do something in a child under strace; what it said, and how often it called what."""
    child = children.stopped(work, folder)
    log = folder.parent / "strace.log"
    command = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={','.join(CALLS)}", "-p", str(child)]
    tracer = subprocess.Popen([*command, *(["-e", f"inject={inject}"] if inject else [])], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not _traced(child) and time.monotonic() < until:
        time.sleep(0.002)
    assert _traced(child), "strace did not come"
    os.kill(child, signal.SIGCONT)
    told = children.told()
    tracer.wait(60)
    return Outcome(told, Counter(re.findall(r"^\d+ +(\w+)\(", log.read_text(errors="replace"), re.MULTILINE)))


def _traced(process: int) -> bool:
    told = Path(f"/proc/{process}/status").read_text()
    return "TracerPid:\t0\n" not in told


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.end()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, children: Children) -> Path:
    """What the works need; everything is done once before, so that nothing is read for the first time in a child."""
    folder = tmp_path_factory.mktemp("prepared")
    game = create_game(folder / "game")
    game.do({"do": "spend", "power": "germany", "brp": 5, "on": "other"})
    (folder / "game.jsonl").write_text("\n".join(export_game(game)), encoding="utf-8")
    game.journal.close()  # type: ignore[attr-defined]
    for name, work in WORKS.items():
        trial = tmp_path_factory.mktemp(name) / "trial"
        shutil.copytree(folder, trial)
        assert children.here(work, trial) == DONE
    return folder


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", WORKS)
def test_a_call_that_fails_leaves_nothing_half(
    prepared: Path, children: Children, tmp_path: Path, name: str, fault: str
) -> None:
    work = WORKS[name]
    shutil.copytree(prepared, tmp_path / "plain")
    plain = run(children, work, tmp_path / "plain")
    assert plain.done, plain.told
    points = [(call, n) for call, count in sorted(plain.calls.items()) for n in range(1, count + 1)]
    tried = points if EVERYTHING else points[:: max(1, len(points) // 6)]
    for call, n in tried:
        folder = tmp_path / f"{call}-{n}"
        shutil.copytree(prepared, folder)
        outcome = run(children, work, folder, f"{call}:{fault}:when={n}")
        where = f"{name}, {call} {n}, {fault}: {outcome.told}"
        assert "Traceback" not in outcome.told, where
        # A kill may leave a hidden part, and so may a disk that does not take one away; nothing else does.
        left = [] if "KILL" in fault or call == "unlink" else list(folder.rglob(".*.part*"))
        assert left == [], where
        check(name, folder, outcome, where)
        shutil.rmtree(folder)


def check(name: str, folder: Path, outcome: Outcome, where: str) -> None:
    """What is left is whole; what was acknowledged is there."""
    out = folder / "out"
    seen = {it.name for it in folder.iterdir() if not it.name.startswith(".")}
    assert seen <= {"game", "game-journal", "game.jsonl", "out", "data"}, where
    if name == "move":
        report = examine(folder / "game")
        assert report.ok, (where, report.faults)
        assert report.moves == 3 if outcome.done else report.moves in (2, 3), where
        return
    if name == "table":
        _check_folder(folder / "data", outcome, where)
        return
    assert out.exists() or not outcome.done, where
    if out.exists() and name != "export":
        assert examine(out).ok, where
    if not out.exists():
        # Whatever a kill left is no hindrance, and goes.
        WORKS[name](folder)
    assert not [it for it in folder.iterdir() if it.name.startswith(".")] or out.exists(), where


def _check_folder(data: Path, outcome: Outcome, where: str) -> None:
    server: Any = open_server(Settings(data, free_disk=0))
    try:
        assert server.hall.tables_there() in ((1,) if outcome.done else (0, 1)), where
        for file in server.folder.games.glob("*.wcg"):
            assert examine(file).ok, where
        assert not list(server.folder.games.glob(".*")), where
    finally:
        server.tables.close()
        server.hall.close()
        server.folder.close()
