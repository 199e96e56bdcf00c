"""Runs of plans on the server: each in a process of its own, bounded, written down as it goes on.

Everything that takes time is done by that process, behind all else that the machine does; a thread here only listens
to it. Any process of the server can tell how far a run is: it is in the hall, not in memory. The parts that are done
lie in a folder, so that a run which was stopped goes on where it was.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import threading
import time
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State, decode, encode
from warcabinet.plans.counsel import Counsel, counsel, so_far
from warcabinet.plans.form import Gist, Program, plan_of
from warcabinet.plans.judging import judges_here
from warcabinet.plans.run import Run as PlanRun
from warcabinet.plans.run import here
from warcabinet.plans.search import Bench, Effort, Search, proposes
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.plan_book import Run, new_run
from warcabinet.web.plumbing.middleware import log
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.settings import Settings

#: Seconds after which a run that says nothing is asked whether it shall go on.
LOOK = 2.0
#: Seconds after which a go looks again whether the one before it has ended.
WAIT = 0.2
#: Futures on which each plan of a search is judged, those for the best one, and what a plan costs of a run's futures.
TRIED_ON, FRESH, FUTURES_EACH = 24, 200, 8


class Task(msgspec.Struct, frozen=True):
    """What the process of a run is told."""

    text: str
    seed: int
    samples: int
    start: bytes
    folder: str
    #: Plans that are tried, where the best one is looked for.
    plans: int = 0


class News(msgspec.Struct, frozen=True):
    """What the process of a run tells: how far it is, what it showed so far; or what went wrong."""

    done: int = 0
    result: bytes = b""
    ended: bool = False
    trouble: str = ""


def start_run(
    hall: Hall,
    settings: Settings,
    table: str,
    person: str,
    plan: Gist,
    text: str,
    seed: int,
    samples: int,
    at: int,
    start: State,
) -> Run:
    """Begin a run, if this person and the server have room for one; what is left of their last one goes."""
    if samples > settings.futures_per_run:
        raise Problem(400, f"this server plays at most {settings.futures_per_run:,} futures in a run")
    if start.moment >= plan.end:
        raise Problem(400, f"the game is past {plan.until}, where the plan ends")
    _room(hall, settings, person)
    row = new_run(table, person, plan.title, text, seed, samples, at)
    hall.plans.start_run(row)
    shutil.rmtree(_folder(settings, row).parent, ignore_errors=True)
    _begin(hall, settings, row, start)
    return row


def start_search(
    hall: Hall, settings: Settings, table: str, person: str, plan: Gist, text: str, seed: int, at: int, start: State
) -> Run:
    """Begin to look for the best plan; as many are tried as a run of this server has futures for."""
    if not plan.choices or not plan.goals:
        raise Problem(400, "leave a decision open (`choose`) and say what is wanted (`want`): see docs/plans.md")
    plans = min(plan.ways, max(1, settings.futures_per_run // FUTURES_EACH))
    if plan.ways > plans and not proposes():
        told = f"there are {plan.ways:,} ways, more than the {plans:,} that this server tries"
        raise Problem(400, f"{told}, and Optuna is not installed on it: leave less open")
    marked = f"# The best of {plans} plans.\n{text}"
    return start_run(hall, settings, table, person, plan, marked, seed, plans, at, start)


def resume_run(hall: Hall, settings: Settings, run: Run, start: State) -> None:
    """Go on with a run that was stopped, or whose time was over."""
    if run.stands not in ("stopped", "failed"):
        raise Problem(409, "all its futures are played" if run.stands == "done" else "it is under way")
    _room(hall, settings, run.person)
    hall.plans.resume_run(run.id)
    _begin(hall, settings, run, start)


def _room(hall: Hall, settings: Settings, person: str) -> None:
    if hall.plans.running(person):
        raise Problem(409, "you have a run under way: stop it first")
    if hall.plans.running() >= settings.runs_at_once:
        raise Problem(503, "other plans are being run; try again in a minute")


def _folder(settings: Settings, run: Run) -> Path:
    """Where the parts of a run lie: each person has room for one."""
    return settings.data / "runs" / run.person / run.id


def _begin(hall: Hall, settings: Settings, run: Run, start: State) -> None:
    task = Task(run.text, run.seed, run.samples, encode(start), str(_folder(settings, run)), run.search)
    go = hall.plans.want_go(run)
    threading.Thread(target=_go, args=(hall, settings, run, go, task), daemon=True, name="plan run").start()


def _go(hall: Hall, settings: Settings, run: Run, go: str, task: Task) -> None:
    """One go at a run. After a stop and a resume the go before may still play, here or in another process.

    Two would write into one folder: this one waits until that one has ended.
    """
    try:
        while hall.plans.run_lives(run.id, go):
            if hall.plans.take_run(run.id, go):
                _carry_out(hall, settings, run, go, task)
                return
            time.sleep(WAIT)
    except WarCabinetError as error:
        log("plan run", error=str(error))


def _carry_out(hall: Hall, settings: Settings, run: Run, go: str, task: Task) -> None:
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    child = spawn.Process(target=play_run, args=(theirs, msgspec.msgpack.encode(task)), daemon=True, name="plan run")
    try:
        child.start()
        theirs.close()
        _listen(hall, run, go, ours, settings.run_seconds)
    except WarCabinetError as error:
        hall.plans.run_failed(run.id, go, str(error))
    except Exception as error:
        log("plan run", error=f"{type(error).__name__}: {error}")
        hall.plans.run_failed(run.id, go, "the run failed; the server's log says why")
    finally:
        ours.close()
        if child.pid is not None:
            child.terminate()
            child.join()
        hall.plans.leave_run(run.id, go)


def _listen(hall: Hall, run: Run, go: str, ours: Connection, seconds: float) -> None:
    """Write down what the process tells, until it ends, is stopped, or its time is over."""
    until = time.monotonic() + seconds
    going = True
    while going:
        if ours.poll(LOOK):
            news = _next(ours)
            going = hall.plans.run_went_on(run.id, go, news.done, news.result, "done" if news.ended else "running")
        else:
            going = hall.plans.run_lives(run.id, go)
        if going and time.monotonic() > until:
            raise WarCabinetError(f"a run may take {seconds:.0f} seconds; these are its futures so far")


def _next(ours: Connection) -> News:
    try:
        news = msgspec.msgpack.decode(ours.recv_bytes(), type=News)
    except EOFError:
        raise WarCabinetError("its process died; resumed, it goes on where it was") from None
    if news.trouble:
        raise WarCabinetError(news.trouble)
    return news


# -- in the process of the run -----------------------------------------------------------------------------------------


def play_run(told: Connection, task: bytes) -> None:
    """Play a run, and tell after each part how far it is. Nobody listens any more: then it ends."""
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        try:
            mine = msgspec.msgpack.decode(task, type=Task)
            (_search if mine.plans else _play)(told, mine)
        except (WarCabinetError, OSError) as error:
            told.send_bytes(msgspec.msgpack.encode(News(trouble=str(error))))


def _play(told: Connection, task: Task) -> None:
    folder = Path(task.folder)
    run = PlanRun(plan_of("the plan", task.text), task.samples, task.seed, decode(task.start), folder)
    parts = run.prepare()
    _tell(told, run, ended=not parts)
    for part, counted in here(run.brief, parts):
        run.finish(part.number, counted)
        _tell(told, run, ended=part is parts[-1])
    shutil.rmtree(folder, ignore_errors=True)


def _tell(told: Connection, run: PlanRun, ended: bool) -> None:
    done = sum(it.futures for it in run.done.values())
    told.send_bytes(msgspec.msgpack.encode(News(done, msgspec.json.encode(run.result()), ended)))


def _search(told: Connection, task: Task) -> None:
    """Look for the best plan, and tell every few seconds which leads."""
    program, start, folder = plan_of("the plan", task.text), decode(task.start), Path(task.folder)
    effort = Effort(task.plans, TRIED_ON, FRESH, task.seed)
    last = 0.0

    def tell(tried: int, whole: int, leads: float | None) -> None:
        nonlocal last
        if time.monotonic() > last + LOOK / 2:
            last = time.monotonic()
            _tell_counsel(told, min(tried, task.samples), so_far(search), ended=False)

    search = Search(program, Bench(program, start, effort, judges_here, folder), effort, tell)
    search.run()
    _tell_counsel(told, task.samples, counsel(search, start), ended=True)
    shutil.rmtree(folder, ignore_errors=True)


def _tell_counsel(told: Connection, done: int, found: Counsel, ended: bool) -> None:
    told.send_bytes(msgspec.msgpack.encode(News(done, msgspec.json.encode(found), ended)))


@lru_cache(maxsize=8)
def _read(text: str) -> Program:
    return plan_of("the plan", text)


def program_of_run(run: Run) -> Program:
    """Its plan, which was read within bounds when the run began."""
    return _read(run.text)
