"""The hall: which tables there are, who sits where, who said what. Secrets are kept only as their hashes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.evening_book import EveningBook
from warcabinet.web.hall.hall_database import HallDatabase
from warcabinet.web.hall.minder_book import MinderBook
from warcabinet.web.hall.notice_book import NoticeBook
from warcabinet.web.hall.people_book import PeopleBook, Person, hashed, new_secret
from warcabinet.web.hall.plan_book import PlanBook
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.hall.sealed_book import SealedBook
from warcabinet.web.hall.talk_book import TalkBook
from warcabinet.web.hall.year_book import YearBook
from warcabinet.web.plumbing.problems import Problem, not_found

Reports = Literal["players", "referee"]


# What every order asks is put into words once, and not for each.
_TABLE = sa.select(schema.tables).where(schema.tables.c.id == sa.bindparam("id"))
_SEATS = (
    sa.select(*schema.seats.c["id", "title", "role", "powers"])
    .where(schema.seats.c.table == sa.bindparam("at"))
    .order_by(schema.seats.c.place)
)
_SEATS_OF = _SEATS.join(
    schema.members,
    sa.and_(schema.members.c.table == schema.seats.c.table, schema.members.c.seat == schema.seats.c.id),
).where(schema.members.c.person == sa.bindparam("person"))
_PASSING = sa.select(schema.passing.c.seat).where(schema.passing.c.table == sa.bindparam("at"))


def _seat(row: Any) -> Seat:
    return Seat(row["id"], row["title"], row["role"], tuple(row["powers"].split()))


class Hall:
    """Tables and seats, and the books in which the rest is kept: people, talk, turns, sealed orders, years, plans."""

    def __init__(self, place: Path | str) -> None:
        self._database = HallDatabase(place)
        self.people = PeopleBook(self._database)
        self.talk = TalkBook(self._database)
        self.notices = NoticeBook(self._database)
        self.sealed = SealedBook(self._database)
        self.years = YearBook(self._database)
        self.plans = PlanBook(self._database)
        self.minders = MinderBook(self._database)
        self.evening = EveningBook(self._database)
        #: The last move of a table's game, told by whoever opens games.
        self.heads: Callable[[str], int] = lambda table: 0

    def close(self) -> None:
        self._database.close()

    def one_look(self) -> AbstractContextManager[None]:
        """Several questions in a row of this thread, by one connection."""
        return self._database.one_look()

    def add_table(self, row: TableRow, chairs: Iterable[Seat]) -> None:
        rows = [
            {"table": row.id, "place": n, **msgspec.to_builtins(seat), "powers": " ".join(seat.powers)}
            for n, seat in enumerate(chairs)
        ]
        self._database.do(schema.tables.insert().values(msgspec.to_builtins(row)), schema.seats.insert().values(rows))

    def table(self, id: str) -> TableRow:
        row = self._database.one(_TABLE, id=id)
        if row is None:
            raise not_found("such table")
        return TableRow(**row)

    def table_ids(self) -> list[str]:
        """Every table that is there, the oldest first."""
        return [row["id"] for row in self._database.all(sa.select(schema.tables.c.id).order_by(schema.tables.c.made))]

    def tables_of(self, person: str) -> list[TableRow]:
        mine = sa.select(schema.members.c.table).where(schema.members.c.person == person)
        tables = schema.tables
        query = sa.select(tables).where(sa.or_(tables.c.id.in_(mine), tables.c.host == person))
        return [TableRow(**row) for row in self._database.all(query.order_by(tables.c.made.desc()))]

    def tables_hosted(self, person: str) -> int:
        return self._count(schema.tables.c.host == person)

    def tables_there(self) -> int:
        return self._count(sa.true())

    def _count(self, condition: Any) -> int:
        return int(
            self._database.one(sa.select(sa.func.count().label("n")).select_from(schema.tables).where(condition))["n"]
        )

    # -- the end of a table ------------------------------------------------------------------------------------------

    def set_end(self, table: str, when: float) -> None:
        """A table goes at a moment; 0: it stays."""
        self._database.do(schema.tables.update().where(schema.tables.c.id == table).values(ends=when))

    def agreed(self, table: str, release: str) -> set[str]:
        """The people who agreed that a table goes on by the rules of a release."""
        given = schema.agreements
        query = sa.select(given.c.person).where(given.c.table == table, given.c.release == release)
        return {row["person"] for row in self._database.all(query)}

    def agree(self, table: str, person: str, release: str, needed: set[str]) -> bool:
        """Someone agrees to a release; when everybody needed has, the table is played by it."""
        given = schema.agreements
        with self._database.changing() as db:
            db.execute(given.delete().where(given.c.table == table, given.c.person == person))
            db.execute(given.insert().values(table=table, person=person, release=release))
            query = sa.select(given.c.person).where(given.c.table == table, given.c.release == release)
            if not needed <= set(db.execute(query).scalars()):
                return False
            db.execute(schema.tables.update().where(schema.tables.c.id == table).values(rules=release))
            db.execute(given.delete().where(given.c.table == table))
            return True

    def ended(self, now: float | None = None) -> list[str]:
        """The tables whose time to change one's mind is over."""
        tables = schema.tables
        over = sa.select(tables.c.id).where(tables.c.ends > 0, tables.c.ends <= (now or time.time()))
        return [row["id"] for row in self._database.all(over)]

    def forget_table(self, table: str) -> None:
        """All that the hall knows of a table."""
        about = [it for it in schema.metadata.tables.values() if "table" in it.c]
        self._database.do(
            *(it.delete().where(it.c.table == table) for it in about),
            schema.tables.delete().where(schema.tables.c.id == table),
        )

    # -- seats -------------------------------------------------------------------------------------------------------

    def seats(self, table: str) -> list[Seat]:
        return [_seat(row) for row in self._database.all(_SEATS, at=table)]

    def seat(self, table: str, id: str) -> Seat:
        for seat in self.seats(table):
            if seat.id == id:
                return seat
        raise not_found("such seat at this table")

    def sitters(self, table: str) -> dict[str, list[Person]]:
        """Who sits in each seat."""
        members, people = schema.members, schema.people
        query = (
            sa.select(members.c.seat, people.c.id, people.c.name)
            .join(people, people.c.id == members.c.person)
            .where(members.c.table == table)
        )
        found: dict[str, list[Person]] = {}
        for row in self._database.all(query):
            found.setdefault(row["seat"], []).append(Person(row["id"], row["name"]))
        return found

    def seats_of(self, table: str, person: str) -> list[Seat]:
        return [_seat(row) for row in self._database.all(_SEATS_OF, at=table, person=person)]

    def passing(self, table: str) -> set[str]:
        """The seats for which phases pass by themselves where they have nothing to decide."""
        return {row["seat"] for row in self._database.all(_PASSING, at=table)}

    def set_passing(self, table: str, seat: str, on: bool) -> None:
        rows = schema.passing
        old = rows.delete().where(rows.c.table == table, rows.c.seat == seat)
        self._database.do(old, *([rows.insert().values(table=table, seat=seat)] if on else []))

    def met(self, table: str) -> set[str]:
        """Everybody who ever played a power at a table."""
        return {
            row["person"]
            for row in self._database.all(sa.select(schema.met.c.person).where(schema.met.c.table == table))
        }

    def sat(self, table: str, move: int) -> dict[str, set[str]]:
        """Who sat in which seat, other than a spectator's, when a move was made."""
        its = schema.sittings.c
        there = sa.and_(its.table == table, its.since < move, sa.or_(its.left == 0, its.left >= move))
        found: dict[str, set[str]] = {}
        for row in self._database.all(sa.select(its.seat, its.person).where(there)):
            found.setdefault(row["seat"], set()).add(row["person"])
        return found

    def sit(self, table: str, seat: str, person: Person) -> None:
        """Take a seat. Only spectators share one; a seat that is taken stays with whoever has it."""
        chair, head = self.seat(table, seat), self.heads(table)
        with self._database.changing() as db:
            self._sit(db, table, chair, person, head)

    def _sit(self, db: sa.Connection, table: str, chair: Seat, person: Person, head: int, most: int = 0) -> None:
        members = schema.members
        # Whoever else would sit down at this table waits here (SQLite has one writer anyway).
        db.execute(sa.select(schema.tables.c.id).where(schema.tables.c.id == table).with_for_update())
        taken = db.execute(sa.select(members.c.person).where(members.c.table == table, members.c.seat == chair.id))
        there = {row.person for row in taken}
        if person.id in there:
            return
        if there and chair.role != "spectator":
            raise Problem(409, "someone sits there already; the host can vacate the seat first")
        if most and len(there) >= most:
            raise Problem(409, "the bench of this table is full")
        self.people.refuse_name(db, table, person.id, person.name)
        db.execute(members.insert().values(table=table, seat=chair.id, person=person.id))
        met = schema.met
        known = sa.select(met.c.person).where(met.c.table == table, met.c.person == person.id)
        if chair.role == "player" and db.execute(known).first() is None:
            db.execute(met.insert().values(table=table, person=person.id))
        if chair.role != "spectator":
            sat = schema.sittings
            same = (sat.c.table == table, sat.c.seat == chair.id, sat.c.person == person.id, sat.c.since == head)
            if not db.execute(sat.update().where(*same).values(left=0)).rowcount:
                db.execute(sat.insert().values(table=table, seat=chair.id, person=person.id, since=head, left=0))

    def vacate(self, table: str, seat: str, person: str = "") -> bool:
        """Empty a seat, or take one person out of it: they, its links and their programs lose it at once."""
        members, tokens, links = schema.members, schema.tokens, schema.invitations
        held, head, sat = self.seat(table, seat).powers, self.heads(table), schema.sittings
        gone = members.delete().where(members.c.table == table, members.c.seat == seat)
        lost = tokens.delete().where(tokens.c.table == table, tokens.c.seat == seat)
        if person:
            gone, lost = gone.where(members.c.person == person), lost.where(tokens.c.person == person)
        with self._database.changing() as db:
            found = db.execute(gone).rowcount
            ended = sat.update().where(sat.c.table == table, sat.c.seat == seat, sat.c.left == 0)
            db.execute((ended.where(sat.c.person == person) if person else ended).values(left=head))
            db.execute(lost)
            db.execute(links.delete().where(links.c.table == table, links.c.seat == seat))
            if not person:
                # What the one wished or ordered is not the next one's wish; a steward is of the table, and stays.
                minds = schema.minders
                orders = minds.delete().where(minds.c.table == table, minds.c.text != "")
                db.execute(orders.where(minds.c.power.in_(held)))
                wish = schema.passing
                db.execute(wish.delete().where(wish.c.table == table, wish.c.seat == seat))
            kept = schema.sealed  # an envelope goes with its player: those of opened rounds are gone already
            sealed = kept.delete().where(kept.c.table == table, kept.c.seat == seat)
            db.execute(sealed.where(kept.c.person == person) if person else sealed)
            asked = schema.requests
            db.execute(asked.delete().where(asked.c.table == table, asked.c.seat == seat))
        return bool(found)

    # -- invitations -------------------------------------------------------------------------------------------------

    def invite(self, table: str, seat: str, most: int) -> str:
        """A link to a seat. The oldest ones lapse when there are too many."""
        links = schema.invitations
        secret = new_secret()
        with self._database.changing() as db:
            here = sa.select(sa.func.count()).where(links.c.table == table)
            if int(db.execute(here).scalar() or 0) >= most:
                raise Problem(429, f"{most} links lead to this table: withdraw them by vacating a seat")
            db.execute(links.insert().values(secret=hashed(secret), table=table, seat=seat))
        return secret

    def invitation(self, secret: str) -> tuple[TableRow, Seat]:
        found = self._database.one(sa.select(schema.invitations).where(schema.invitations.c.secret == hashed(secret)))
        if found is None:
            raise not_found("such invitation: it was used up or withdrawn")
        return self.table(found["table"]), self.seat(found["table"], found["seat"])

    def join(self, secret: str, person: Person | None, name: str, most: int) -> tuple[TableRow, Seat, Person, str]:
        """Take the seat to which a link leads: looked up, seated and used up in one transaction.

        The last part of the answer is the secret of someone new.
        """
        row, chair = self.invitation(secret)
        links = schema.invitations
        told, head = "", self.heads(row.id)
        with self._database.changing() as db:
            link = links.c.secret == hashed(secret)
            if chair.role == "spectator":
                left = db.execute(sa.select(links.c.seat).where(link)).first() is not None
            else:
                left = bool(db.execute(links.delete().where(link)).rowcount)
            if not left:
                raise not_found("such invitation: it was used up or withdrawn")
            if person is None:
                person, told = self.people.new_person_in(db, name)
            self._sit(db, row.id, chair, person, head, most)
        return row, chair, person, told
