"""The hall's people: who they are, by which devices and programs they are known, and what they are called."""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase
from warcabinet.web.plumbing.problems import Problem, not_found


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def new_id() -> str:
    return secrets.token_hex(8)


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str


class Device(msgspec.Struct, frozen=True):
    """A browser that someone is signed in with. Its secret is told once, to the browser."""

    id: str
    label: str
    made: float
    #: When a page was last opened with it, and what kind of browser it is.
    seen: float = 0.0
    agent: str = ""


class TokenLine(msgspec.Struct, frozen=True):
    """A program's token, as far as it is told again: for which seat, and since when."""

    id: str
    seat: str
    label: str
    made: float
    table: str = ""


#: Seconds after which it is written down anew that a device was used.
SEEN_AGAIN = 600.0


#: Letters of other alphabets, and figures, that look like Latin ones.
_LOOKS_LIKE = str.maketrans(
    "авеѕіјкмнорстухԁһԛԝαβεζηικμνορτυχγω01i|",
    "abesijkmhopctyxdhqwabeznikmvoptuxywolll",
)
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx")
#: Nobody is called like the table's own voices.
RESERVED = (
    "Referee",
    "System",
    "Server",
    "War Cabinet",
    "Admin",
    "Administrator",
    "Moderator",
    "Spectators",
    "Everybody",
)
#: Letters that show nothing.
_BLANK = "\u115f\u1160\u3164\uffa0\u2800\u034f"


def alike(name: str) -> str:
    """What two names have in common that look the same: case, spaces and the dress of letters do not count.

    Nor does the alphabet: a Cyrillic or Greek letter is the Latin one that it looks like.
    """
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITALS).casefold()
    return "".join(c for c in plain if c.isalnum()).translate(_LOOKS_LIKE)


def check_name(name: str) -> None:
    """Refuse a name that is not what it seems: with letters that show nothing or of several alphabets, or reserved."""
    if any(c in _BLANK or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp") for c in name):
        raise Problem(400, "a name holds no letters that show nothing; choose another")
    alphabets = {unicodedata.name(c, "").partition(" ")[0] for c in name if c.isalpha()}
    if len(alphabets & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
        raise Problem(400, "a name is written in one alphabet; choose another")
    if alike(name) in map(alike, RESERVED):
        raise Problem(400, f"nobody is called {name} here: it would be taken for the table itself; choose another")


#: Asked by every request.
_PERSON = (
    sa.select(*schema.people.c["id", "name"])
    .join(schema.devices, schema.devices.c.person == schema.people.c.id)
    .where(schema.devices.c.secret == sa.bindparam("secret"))
)


class PeopleBook:
    """People, their devices and their programs' tokens."""

    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def new_person(self, name: str, id: str = "") -> tuple[Person, str]:
        """Someone new, and the secret by which the browser shows who it is."""
        with self._database.changing() as db:
            return self.new_person_in(db, name, id)

    def new_person_in(self, db: sa.Connection, name: str, id: str = "") -> tuple[Person, str]:
        """Someone new, written down within a larger change."""
        check_name(name)
        person = Person(id or new_id(), name)
        db.execute(schema.people.insert().values(id=person.id, name=name, made=time.time()))
        return person, self._new_device(db, person.id, "browser")

    def _new_device(self, db: sa.Connection, person: str, label: str) -> str:
        secret = new_secret()
        values = {"id": secrets.token_hex(6), "secret": hashed(secret), "person": person}
        db.execute(schema.devices.insert().values(**values, label=label, made=time.time()))
        return secret

    def person(self, secret: str) -> Person | None:
        row = self._database.one(_PERSON, secret=hashed(secret))
        return Person(**row) if row else None

    def name_of(self, person: str) -> str:
        row = self._database.one(sa.select(schema.people.c.name).where(schema.people.c.id == person))
        return str(row["name"]) if row else ""

    def devices(self, person: str) -> list[Device]:
        devices = schema.devices
        columns = (devices.c.id, devices.c.label, devices.c.made, devices.c.seen, devices.c.agent)
        query = sa.select(*columns).where(devices.c.person == person)
        return [Device(**row) for row in self._database.all(query.order_by(devices.c.made))]

    def device(self, secret: str) -> str:
        """The device that a secret belongs to."""
        row = self._database.one(sa.select(schema.devices.c.id).where(schema.devices.c.secret == hashed(secret)))
        return str(row["id"]) if row else ""

    def device_used(self, secret: str, agent: str) -> None:
        """A page was opened with a device; it is written down now and then, not each time."""
        devices = schema.devices
        mine = devices.c.secret == hashed(secret)
        row = self._database.one(sa.select(devices.c.seen, devices.c.agent).where(mine))
        if row is not None and (time.time() - row["seen"] > SEEN_AGAIN or row["agent"] != agent):
            self._database.do(devices.update().where(mine).values(seen=time.time(), agent=agent))

    # -- links by which a person is known in another browser ---------------------------------------------------------

    def new_link(self, person: str, kind: str, label: str, ends: float, most: int) -> str:
        """A link that makes a browser this person's, once. There is one for recovery: a new one takes its place."""
        links, devices = schema.links, schema.devices
        secret = new_secret()
        with self._database.changing() as db:
            db.execute(links.delete().where(links.c.ends > 0, links.c.ends <= time.time()))
            if kind == "recovery":
                db.execute(links.delete().where(links.c.person == person, links.c.kind == kind))
            else:
                waiting = sa.select(sa.func.count()).where(links.c.person == person, links.c.kind == kind)
                known = sa.select(sa.func.count()).where(devices.c.person == person)
                if int(db.execute(waiting).scalar() or 0) + int(db.execute(known).scalar() or 0) >= most:
                    raise Problem(429, "as many browsers are signed in as this server allows; sign one out first")
            values = {"secret": hashed(secret), "person": person, "kind": kind, "label": label}
            db.execute(links.insert().values(**values, made=time.time(), ends=ends))
        return secret

    def link(self, secret: str) -> tuple[Person, str]:
        """Whose link it is, and of which kind."""
        links, people = schema.links, schema.people
        row = self._database.one(
            sa.select(people.c.id, people.c.name, links.c.kind, links.c.ends)
            .join(people, people.c.id == links.c.person)
            .where(links.c.secret == hashed(secret))
        )
        if row is None or 0 < row["ends"] <= time.time():
            raise not_found("such link: it was used, withdrawn, or its time is over")
        return Person(row["id"], row["name"]), row["kind"]

    def use_link(self, secret: str) -> tuple[Person, str, str]:
        """Use a link up: whose it is, its kind, and the secret of the new device."""
        person, kind = self.link(secret)
        links = schema.links
        mine = links.c.secret == hashed(secret)
        with self._database.changing() as db:
            label = db.execute(sa.select(links.c.label).where(mine)).scalar()
            if not db.execute(links.delete().where(mine)).rowcount:
                raise not_found("such link: it was used, withdrawn, or its time is over")
            return person, kind, self._new_device(db, person.id, str(label))

    def recovery_made(self, person: str) -> float:
        """Since when someone has a recovery link; 0: they have none."""
        links = schema.links
        row = self._database.one(sa.select(links.c.made).where(links.c.person == person, links.c.kind == "recovery"))
        return float(row["made"]) if row else 0.0

    def withdraw_links(self, person: str, recovery: bool) -> None:
        """Links for other browsers are not worth anything any more, nor the one for recovery where that is wished."""
        gone = schema.links.delete().where(schema.links.c.person == person)
        self._database.do(gone if recovery else gone.where(schema.links.c.kind != "recovery"))

    def called(self, name: str) -> list[Person]:
        """Everybody whose name is this, or looks like it; all of them where it is empty."""
        rows = self._database.all(sa.select(schema.people.c.id, schema.people.c.name).order_by(schema.people.c.made))
        return [Person(**row) for row in rows if not name or alike(row["name"]) == alike(name) or row["id"] == name]

    def sign_out(self, person: str, device: str = "", but: str = "") -> None:
        """One device of a person, or every one (but this), is not known any more."""
        devices = schema.devices
        gone = devices.delete().where(devices.c.person == person, devices.c.id != but)
        self._database.do(gone.where(devices.c.id == device) if device else gone)

    def refuse_name(self, db: sa.Connection, table: str, person: str, name: str) -> None:
        """Nobody at a table is called like another: a name is all by which people know each other there."""
        members, people, tables = schema.members, schema.people, schema.tables
        there = sa.select(members.c.person).where(members.c.table == table)
        hosts = sa.select(tables.c.host).where(tables.c.id == table)
        others = db.execute(sa.select(people).where(people.c.id.in_(there.union(hosts)), people.c.id != person))
        if alike(name) in {alike(other.name) for other in others} or not alike(name):
            raise Problem(409, f"someone at this table is called {name} already: choose another name")

    def rename(self, person: str, name: str) -> None:
        """Call someone otherwise, unless that is another's name at one of the tables where both sit."""
        check_name(name)
        members = schema.members
        with self._database.changing() as db:
            at = db.execute(sa.select(members.c.table).where(members.c.person == person).distinct()).scalars().all()
            for table in at:
                self.refuse_name(db, table, person, name)
            db.execute(schema.people.update().where(schema.people.c.id == person).values(name=name))

    # -- programs ----------------------------------------------------------------------------------------------------

    def token_owner(self, secret: str) -> tuple[Person, str, str] | None:
        """The person, table and seat for which a program's token was made."""
        tokens, people = schema.tokens, schema.people
        row = self._database.one(
            sa.select(people.c.id, people.c.name, tokens.c.table, tokens.c.seat)
            .join(people, people.c.id == tokens.c.person)
            .where(tokens.c.secret == hashed(secret))
        )
        return (Person(row["id"], row["name"]), row["table"], row["seat"]) if row else None

    def new_token(self, table: str, seat: str, person: str, label: str, most: int) -> str:
        tokens = schema.tokens
        secret = "wct_" + new_secret()
        values = {"secret": hashed(secret), "table": table, "seat": seat, "person": person, "label": label}
        with self._database.changing() as db:
            held = sa.select(sa.func.count()).where(tokens.c.table == table, tokens.c.person == person)
            if int(db.execute(held).scalar() or 0) >= most:
                raise Problem(429, f"you have {most} tokens at this table: withdraw one first")
            db.execute(tokens.insert().values(**values, made=time.time()))
        return secret

    def tokens(self, table: str, person: str) -> list[TokenLine]:
        """Someone's programs at a table, or at all tables."""
        tokens = schema.tokens
        query = sa.select(tokens).where(tokens.c.person == person)
        rows = self._database.all(query.where(tokens.c.table == table) if table else query)
        return [TokenLine(row["secret"][:12], row["seat"], row["label"], row["made"], row["table"]) for row in rows]

    def withdraw_token(self, table: str, person: str, id: str) -> None:
        tokens = schema.tokens
        with self._database.changing() as db:
            mine = tokens.delete().where(tokens.c.table == table, tokens.c.person == person)
            if len(id) != 12 or not db.execute(mine.where(tokens.c.secret.startswith(id, autoescape=True))).rowcount:
                raise not_found("such token of yours")
