"""A run of a plan that is stopped and resumed: never do two goes at it play at once, in whichever processes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warcabinet.figures.position import Position, set_up
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.plan_book import Run, new_run
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.table import plan_runs

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
PLAN = """
plan: A long one
until: Winter 1944
uncertain:
  cost: {one of: {"5": 1, "10": 1}}
orders:
  - {each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
"""
#: Another process of the server: it begins a run and goes on until it is told to end.
OTHER = """
import sys
from pathlib import Path
from warcabinet.figures.position import Position, set_up
from warcabinet.plans.form import plan_of
from warcabinet.web.hall.hall import Hall
from warcabinet.web.table.plan_runs import start_run
from warcabinet.web.plumbing.settings import Settings

if __name__ == "__main__":
    data = Path(sys.argv[1])
    its = Settings(data, futures_per_run=1_000_000)
    state = set_up(Position("classic-1939", options={"set_up": "reported"}))[0]
    plan = plan_of("the plan", sys.argv[2])
    run = start_run(Hall(data), its, "table", "ada", plan.gist(), plan.text, 1, 100_000, 1, state)
    print(run.id, flush=True)
    sys.stdin.readline()
"""


def until(done: Callable[[], Any]) -> Any:
    """Wait for something that comes soon, on however busy a machine."""
    end = time.monotonic() + 120
    while not (found := done()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)
    return found


def playing(process: int) -> list[int]:
    """The processes that play futures for another, whichever of its threads started them."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*"):
        with contextlib.suppress(OSError):  # threads and processes end
            children = (thread / "children").read_text().split()
            found += [int(it) for it in children if b"spawn_main" in Path(f"/proc/{it}/cmdline").read_bytes()]
    return found


@pytest.fixture
def other(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that plays a run, and the run."""
    script = tmp_path / "other.py"
    script.write_text(OTHER)
    Hall(tmp_path).close()
    command = [sys.executable, str(script), str(tmp_path), PLAN]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        run = process.stdout.readline().strip()
        until(lambda: playing(process.pid))
        yield process, run
    finally:
        for child in playing(process.pid):
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def stop_and_resume(hall: Hall, data: Path, id: str) -> Run:
    """As one who presses the one button and then the other, while this process answers."""
    hall.plans.stop_run(id)
    run = hall.plans.run(id)
    assert run is not None
    state = set_up(Position("classic-1939", options={"set_up": "reported"}))[0]
    plan_runs.resume_run(hall, Settings(data, futures_per_run=1_000_000), run, state)
    return run


def test_a_resumed_run_waits_for_its_first_go_in_another_process(
    other: tuple[subprocess.Popen[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, id = other
    met: list[list[int]] = []
    monkeypatch.setattr(plan_runs, "_carry_out", lambda *_: met.append(playing(process.pid)))
    stop_and_resume(Hall(tmp_path), tmp_path, id)
    until(lambda: met)
    assert met == [[]]
    assert process.poll() is None, "it lives, and has let the run go"


def test_a_go_that_is_not_wanted_any_more_writes_nothing(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    run = new_run("table", "ada", "A plan", PLAN, 1, 8, 1)
    hall.plans.start_run(run)
    first = hall.plans.want_go(run)
    assert hall.plans.take_run(run.id, first)
    assert hall.plans.run_went_on(run.id, first, 2, b"two")
    second = hall.plans.want_go(run)
    assert not hall.plans.take_run(run.id, second), "the first has it in hand"
    assert not hall.plans.run_went_on(run.id, first, 4, b"four")
    assert not hall.plans.run_lives(run.id, first)
    hall.plans.run_failed(run.id, first, "it was ended")
    found = hall.plans.run(run.id)
    assert found is not None
    assert (found.state, found.done, found.result) == ("running", 2, b"two")
    hall.plans.leave_run(run.id, first)
    assert hall.plans.take_run(run.id, second)
    assert hall.plans.run_lives(run.id, second)


def test_a_run_whose_process_died_is_taken_over(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    run = new_run("table", "ada", "A plan", PLAN, 1, 8, 1)
    hall.plans.start_run(run)
    assert hall.plans.take_run(run.id, hall.plans.want_go(run))  # and never a word again
    go = hall.plans.want_go(run)
    assert not hall.plans.take_run(run.id, go)
    with hall._database.changing() as db:
        db.exec_driver_sql("update plan_goes set lease = lease - 31")
    assert hall.plans.take_run(run.id, go)
    hall.plans.leave_run(run.id, go)
    with hall._database.reading() as db:
        assert db.exec_driver_sql("select count(*) from plan_goes").scalar() == 0
