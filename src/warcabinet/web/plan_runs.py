"""Runs of plans on the server: each in a process of its own, bounded, written down as it goes on.

Any process of the server can tell how far a run is: it is in the hall, not in memory.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.run import Part, play_part
from warcabinet.plans.run import Run as PlanRun
from warcabinet.web.errors import Problem
from warcabinet.web.hall import Hall
from warcabinet.web.hall_plans import Run, new_run
from warcabinet.web.middleware import log
from warcabinet.web.settings import Settings


def _gently(brief: bytes, part: bytes) -> bytes:
    """A part of a run, played behind everything else that the machine does."""
    if not getattr(_gently, "nice", False):
        os.nice(10)
        _gently.nice = True  # type: ignore[attr-defined]
    return play_part(brief, part)


def start_run(
    hall: Hall, settings: Settings, table: str, person: str, text: str, seed: int, samples: int, at: int, start: State
) -> Run:
    """Begin a run, if this person and the server have room for one."""
    program = plan_of("the plan", text)
    if samples > settings.futures_per_run:
        raise Problem(400, f"this server plays at most {settings.futures_per_run:,} futures in a run")
    if hall.running(person):
        raise Problem(409, "you have a run under way: stop it first")
    if hall.running() >= settings.runs_at_once:
        raise Problem(503, "other plans are being run; try again in a minute")
    made = PlanRun(program, samples, seed, start)
    row = new_run(table, person, program.plan.plan, text, seed, samples, at)
    hall.start_run(row)
    threading.Thread(target=_carry_out, args=(hall, settings, row.id, made), daemon=True, name="plan run").start()
    return row


def _carry_out(hall: Hall, settings: Settings, id: str, run: PlanRun) -> None:
    until = time.monotonic() + settings.run_seconds
    try:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            going = hall.run_went_on(id, 0, b"")
            for part in run.prepare() if going else ():
                if not _one_part(hall, id, run, part, pool):
                    return
                if time.monotonic() > until:
                    told = f"a run may take {settings.run_seconds:.0f} seconds"
                    raise WarCabinetError(f"{told}; these are its futures so far")
        hall.run_went_on(id, _done(run), msgspec.json.encode(run.result()), "done")
    except (WarCabinetError, BrokenProcessPool) as error:
        kept = msgspec.json.encode(run.result()) if run.done else b""
        hall.run_went_on(id, _done(run), kept, "failed", str(error) or "its process died")
    except Exception as error:
        log("plan run", error=f"{type(error).__name__}: {error}")
        hall.run_went_on(id, _done(run), b"", "failed", "the run failed; the server's log says why")


def _one_part(hall: Hall, id: str, run: PlanRun, part: Part, pool: ProcessPoolExecutor) -> bool:
    """Play a part, write down what is known now; whether the run shall go on."""
    run.finish(part.number, pool.submit(_gently, run.brief, msgspec.msgpack.encode(part)).result())
    return hall.run_went_on(id, _done(run), msgspec.json.encode(run.result()))


def _done(run: PlanRun) -> int:
    return sum(it.futures for it in run.done.values())


def program_of_run(run: Run) -> Program:
    return plan_of("the plan", run.text)
