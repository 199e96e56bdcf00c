"""The hall: which tables there are, who sits where, who said what. Secrets are kept only as their hashes."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from warcabinet.web import schema
from warcabinet.web.errors import Problem, not_found
from warcabinet.web.schema import Asked, Line, Seat, TableRow


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(24)


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str


class Hall:
    """The hall's database. Every method is one short transaction."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._db = sa.create_engine(f"sqlite:///{(data / 'hall.sqlite').as_posix()}")
        sa.event.listen(self._db, "connect", _concurrent)
        schema.metadata.create_all(self._db)

    def close(self) -> None:
        self._db.dispose()

    def _one(self, query: sa.Select[Any]) -> Any:
        with self._db.connect() as db:
            return db.execute(query).mappings().first()

    def _all(self, query: sa.Select[Any]) -> list[Any]:
        with self._db.connect() as db:
            return list(db.execute(query).mappings())

    def _do(self, *statements: sa.Executable) -> None:
        with self._db.begin() as db:
            for statement in statements:
                db.execute(statement)

    # -- people ----------------------------------------------------------------------------------------------

    def new_person(self, name: str) -> tuple[Person, str]:
        """Someone new, and the secret by which the browser shows who it is."""
        person, secret = Person(secrets.token_hex(8), name), new_secret()
        self._do(schema.people.insert().values(id=person.id, secret=hashed(secret), name=name))
        return person, secret

    def person(self, secret: str) -> Person | None:
        people = schema.people
        row = self._one(sa.select(people.c.id, people.c.name).where(people.c.secret == hashed(secret)))
        return Person(**row) if row else None

    def rename(self, person: str, name: str) -> None:
        self._do(schema.people.update().where(schema.people.c.id == person).values(name=name))

    def token_owner(self, secret: str) -> tuple[Person, str, str] | None:
        """The person, table and seat for which a program's token was made."""
        tokens, people = schema.tokens, schema.people
        row = self._one(
            sa.select(people.c.id, people.c.name, tokens.c.table, tokens.c.seat)
            .join(people, people.c.id == tokens.c.person)
            .where(tokens.c.secret == hashed(secret))
        )
        return (Person(row["id"], row["name"]), row["table"], row["seat"]) if row else None

    def new_token(self, table: str, seat: str, person: str, label: str) -> str:
        secret = "wct_" + new_secret()
        values = {"secret": hashed(secret), "table": table, "seat": seat, "person": person, "label": label}
        self._do(schema.tokens.insert().values(values))
        return secret

    # -- tables and seats ------------------------------------------------------------------------------------

    def add_table(self, row: TableRow, chairs: Iterable[Seat]) -> None:
        rows = [
            {"table": row.id, "place": n, **msgspec.to_builtins(seat), "powers": " ".join(seat.powers)}
            for n, seat in enumerate(chairs)
        ]
        self._do(schema.tables.insert().values(msgspec.to_builtins(row)), schema.seats.insert().values(rows))

    def table(self, id: str) -> TableRow:
        row = self._one(sa.select(schema.tables).where(schema.tables.c.id == id))
        if row is None:
            raise not_found("such table")
        return TableRow(**row)

    def tables_of(self, person: str) -> list[TableRow]:
        mine = sa.select(schema.members.c.table).where(schema.members.c.person == person)
        query = sa.select(schema.tables).where(schema.tables.c.id.in_(mine)).order_by(schema.tables.c.made.desc())
        return [TableRow(**row) for row in self._all(query)]

    def tables_hosted(self, person: str) -> int:
        query = sa.select(sa.func.count().label("n")).where(schema.tables.c.host == person)
        return int(self._one(query)["n"])

    def seats(self, table: str) -> list[Seat]:
        chairs = schema.seats
        columns = (chairs.c.id, chairs.c.title, chairs.c.role, chairs.c.powers)
        found = self._all(sa.select(*columns).where(chairs.c.table == table).order_by(chairs.c.place))
        return [Seat(row["id"], row["title"], row["role"], tuple(row["powers"].split())) for row in found]

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
        for row in self._all(query):
            found.setdefault(row["seat"], []).append(Person(row["id"], row["name"]))
        return found

    def seats_of(self, table: str, person: str) -> list[Seat]:
        members = schema.members
        held = {
            row["seat"]
            for row in self._all(sa.select(members.c.seat).where(members.c.table == table, members.c.person == person))
        }
        return [seat for seat in self.seats(table) if seat.id in held]

    def sit(self, table: str, seat: str, person: str) -> None:
        """Take a seat. Only spectators share one; a seat that is taken stays with whoever has it."""
        members = schema.members
        with self._db.begin() as db:
            taken = db.execute(sa.select(members.c.person).where(members.c.table == table, members.c.seat == seat))
            there = {row.person for row in taken}
            if person in there:
                return
            if there and self.seat(table, seat).role != "spectator":
                raise Problem(409, "someone sits there already; the host can vacate the seat first")
            db.execute(members.insert().values(table=table, seat=seat, person=person))

    def vacate(self, table: str, seat: str) -> None:
        """Empty a seat: whoever sat there, its invitations and its programs lose it at once."""
        self._do(
            *(
                held.delete().where(held.c.table == table, held.c.seat == seat)
                for held in (schema.members, schema.tokens, schema.invitations)
            )
        )

    def invite(self, table: str, seat: str) -> str:
        secret = new_secret()
        self._do(schema.invitations.insert().values(secret=hashed(secret), table=table, seat=seat))
        return secret

    def invitation(self, secret: str) -> tuple[TableRow, Seat]:
        found = self._one(sa.select(schema.invitations).where(schema.invitations.c.secret == hashed(secret)))
        if found is None:
            raise not_found("such invitation: it was used up or withdrawn")
        return self.table(found["table"]), self.seat(found["table"], found["seat"])

    def use_up(self, secret: str) -> None:
        self._do(schema.invitations.delete().where(schema.invitations.c.secret == hashed(secret)))

    # -- talk, notes, consent --------------------------------------------------------------------------------

    def say(self, table: str, text: str, *, seat: str = "", name: str = "", to: str = "", move: int = 0) -> Line:
        values = {"table": table, "made": time.time(), "seat": seat, "name": name, "to": to, "text": text, "move": move}
        with self._db.begin() as db:
            made = db.execute(schema.talk.insert().values(values))
            key = made.inserted_primary_key
        assert key is not None
        return Line(int(key[0]), values["made"], seat, name, to, text, move)  # type: ignore[arg-type]

    def talk(self, table: str, last: int = 200) -> list[Line]:
        said = schema.talk
        query = sa.select(said).where(said.c.table == table).order_by(said.c.id.desc()).limit(last)
        return [Line(**{k: v for k, v in row.items() if k != "table"}) for row in reversed(self._all(query))]

    def note(self, table: str, person: str) -> str:
        notes = schema.notes
        row = self._one(sa.select(notes.c.text).where(notes.c.table == table, notes.c.person == person))
        return str(row["text"]) if row else ""

    def write_note(self, table: str, person: str, text: str) -> None:
        notes = schema.notes
        old = notes.delete().where(notes.c.table == table, notes.c.person == person)
        self._do(old, notes.insert().values(table=table, person=person, text=text))

    def asked(self, table: str) -> Asked | None:
        row = self._one(sa.select(schema.requests).where(schema.requests.c.table == table))
        return Asked(row["head"], row["seat"], row["reason"], tuple(row["agreed"].split())) if row else None

    def ask(self, table: str, asked: Asked | None) -> None:
        """Remember an undo that waits for consent, or forget it."""
        wait = schema.requests
        self._do(wait.delete().where(wait.c.table == table))
        if asked is not None:
            values = {**msgspec.to_builtins(asked), "agreed": " ".join(asked.agreed)}
            self._do(wait.insert().values(table=table, **values))


def _concurrent(connection: Any, _record: Any) -> None:
    """Readers do not wait for the writer."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


Reports = Literal["players", "referee"]
