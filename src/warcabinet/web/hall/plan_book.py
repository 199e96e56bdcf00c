"""What the hall remembers of plans: those that people wrote, and runs of them."""

from __future__ import annotations

import re
import secrets
import time
from typing import Literal

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase

State = Literal["running", "done", "stopped", "failed"]
#: The line that a search for the best plan puts before its text, with the plans that it tries.
SEARCH = re.compile(r"# The best of (\d+) plans\.\n")
#: Seconds of silence after which a run is taken for dead.
SILENT = 60.0
#: Seconds for which a go has a run in hand without a word; it gives one every few seconds.
LEASE = 30.0


class KeptPlan(msgspec.Struct, frozen=True):
    """A plan that someone wrote at a table; only they see it."""

    name: str
    text: str
    made: float


class Run(msgspec.Struct, frozen=True):
    """A run of a plan on the server: how far it is, and what it showed so far."""

    id: str
    table: str
    person: str
    title: str
    text: str
    seed: int
    samples: int
    at: int
    done: int
    state: State
    trouble: str
    made: float
    seen: float
    result: bytes

    @property
    def search(self) -> int:
        """How many plans it tries, where it looks for the best one: the first line of its text says so."""
        found = SEARCH.match(self.text)
        return int(found[1]) if found else 0

    @property
    def stands(self) -> State:
        """What became of it; one whose process has not been heard of for long went with it, and can be resumed."""
        return "stopped" if self.state == "running" and self.seen < time.time() - SILENT else self.state


class PlanBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def kept(self, table: str, person: str) -> list[KeptPlan]:
        kept = schema.plans
        query = sa.select(kept).where(kept.c.table == table, kept.c.person == person).order_by(kept.c.name)
        return [KeptPlan(row["name"], row["text"], row["made"]) for row in self._database.all(query)]

    def keep_plan(self, table: str, person: str, name: str, text: str) -> None:
        kept = schema.plans
        old = kept.delete().where(kept.c.table == table, kept.c.person == person, kept.c.name == name)
        self._database.do(old, kept.insert().values(table=table, person=person, name=name, text=text, made=time.time()))

    def drop_plan(self, table: str, person: str, name: str) -> None:
        kept = schema.plans
        self._database.do(kept.delete().where(kept.c.table == table, kept.c.person == person, kept.c.name == name))

    # -- runs ------------------------------------------------------------------------------------------------

    def start_run(self, run: Run) -> None:
        self._database.do(schema.plan_runs.insert().values(**msgspec.structs.asdict(run)))

    def run(self, id: str) -> Run | None:
        row = self._database.one(sa.select(schema.plan_runs).where(schema.plan_runs.c.id == id))
        return None if row is None else Run(**row)

    def runs(self, table: str, person: str, last: int = 12) -> list[Run]:
        its = schema.plan_runs
        mine = sa.select(its).where(its.c.table == table, its.c.person == person)
        return [Run(**row) for row in self._database.all(mine.order_by(its.c.made.desc()).limit(last))]

    def running(self, person: str = "") -> int:
        """Runs under way, of one person or of all; one whose process has gone is not."""
        its = schema.plan_runs
        alive = sa.select(sa.func.count()).where(its.c.state == "running", its.c.seen > time.time() - SILENT)
        row = self._database.one((alive.where(its.c.person == person) if person else alive).add_columns())
        return int(next(iter(row.values()))) if row else 0

    def want_go(self, run: Run) -> str:
        """A new go at a run: from now on it alone is wanted, and any other comes to its end."""
        goes, go = schema.plan_goes, secrets.token_hex(8)
        with self._database.changing() as db:
            if not db.execute(goes.update().where(goes.c.run == run.id).values(wanted=go)).rowcount:
                db.execute(goes.insert().values(run=run.id, table=run.table, wanted=go, held="", lease=0.0))
        return go

    def take_run(self, id: str, go: str) -> bool:
        """Take a run in hand, if this go is wanted and no other has it; one whose process died loses it."""
        goes, now = schema.plan_goes, time.time()
        free = sa.or_(goes.c.held == "", goes.c.lease < now)
        with self._database.changing() as db:
            mine = goes.update().where(goes.c.run == id, goes.c.wanted == go, free)
            return db.execute(mine.values(held=go, lease=now + LEASE)).rowcount == 1

    def leave_run(self, id: str, go: str) -> None:
        """A go has ended, with all that it started."""
        goes = schema.plan_goes
        held = (goes.c.run == id, goes.c.held == go)
        self._database.do(goes.delete().where(*held, goes.c.wanted == go), goes.update().where(*held).values(held=""))

    def _wanted(self, db: sa.Connection, id: str, go: str) -> bool:
        """Whether a go is the one that is wanted; what it has in hand it keeps."""
        goes, now = schema.plan_goes, time.time()
        db.execute(goes.update().where(goes.c.run == id, goes.c.held == go).values(lease=now + LEASE))
        return db.execute(sa.select(goes.c.wanted).where(goes.c.run == id)).scalar() == go

    def run_went_on(self, id: str, go: str, done: int, result: bytes, state: State = "running") -> bool:
        """Write down how far a run is; whether this go at it shall go on."""
        its = schema.plan_runs
        with self._database.changing() as db:
            now = db.execute(sa.select(its.c.state).where(its.c.id == id)).scalar()
            if not self._wanted(db, id, go) or now == "done":
                return False  # another go is wanted, or has come to the end: nothing of that is taken back
            ended = now if now != "running" else state
            values = {"done": done, "result": result, "state": ended, "seen": time.time()}
            db.execute(its.update().where(its.c.id == id).values(**values))
        return now == "running" and state == "running"

    def run_lives(self, id: str, go: str) -> bool:
        """Note that the process of a run is there; whether this go at it shall go on."""
        its = schema.plan_runs
        with self._database.changing() as db:
            if not self._wanted(db, id, go):
                return False
            here = its.update().where(its.c.id == id, its.c.state == "running").values(seen=time.time())
            return db.execute(here).rowcount == 1

    def run_failed(self, id: str, go: str, trouble: str) -> None:
        """A go at a run ended before its time; its futures so far stay."""
        its = schema.plan_runs
        with self._database.changing() as db:
            if self._wanted(db, id, go):
                failed = its.update().where(its.c.id == id, its.c.state == "running")
                db.execute(failed.values(state="failed", trouble=trouble))

    def resume_run(self, id: str) -> None:
        its = schema.plan_runs
        self._database.do(its.update().where(its.c.id == id).values(state="running", trouble="", seen=time.time()))

    def stop_run(self, id: str) -> None:
        its = schema.plan_runs
        self._database.do(its.update().where(its.c.id == id, its.c.state == "running").values(state="stopped"))


def new_run(table: str, person: str, title: str, text: str, seed: int, samples: int, at: int) -> Run:
    now = time.time()
    return Run(secrets.token_hex(8), table, person, title, text, seed, samples, at, 0, "running", "", now, now, b"")
