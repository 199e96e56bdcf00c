"""What the hall remembers in its database besides the games: tables, seats, people, talk."""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlalchemy as sa

Role = Literal["player", "referee", "spectator"]

metadata = sa.MetaData()
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("scenario", sa.String, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("parent", sa.String, nullable=False),
    sa.Column("parent_move", sa.Integer, nullable=False),
    sa.Column("reports", sa.String, nullable=False),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("powers", sa.String, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("secret", sa.String, unique=True, nullable=False),
    sa.Column("name", sa.String, nullable=False),
)
members = sa.Table(
    "members",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True, index=True),
)
invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("secret", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("seat", sa.String, nullable=False),
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("secret", sa.String, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("person", sa.String, nullable=False),
    sa.Column("label", sa.String, nullable=False),
)
talk = sa.Table(
    "talk",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table", sa.String, nullable=False, index=True),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("to", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("move", sa.Integer, nullable=False),
)
notes = sa.Table(
    "notes",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("text", sa.String, nullable=False),
)
requests = sa.Table(
    "requests",
    metadata,
    sa.Column("table", sa.String, primary_key=True),
    sa.Column("head", sa.Integer, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("reason", sa.String, nullable=False),
    sa.Column("agreed", sa.String, nullable=False),
)


class TableRow(msgspec.Struct, frozen=True):
    """A table as the hall lists it. `reports` says who brings in outcomes: every player, or the referee alone."""

    id: str
    title: str
    scenario: str
    host: str
    made: float
    parent: str = ""
    parent_move: int = 0
    reports: Literal["players", "referee"] = "players"


class Seat(msgspec.Struct, frozen=True):
    """A chair at a table: whoever sits in it decides for its powers, or rules, or looks on."""

    id: str
    title: str
    role: Role
    powers: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """Something said at a table: to everybody, or to one seat only. The table itself says what happened to seats."""

    id: int
    made: float
    seat: str
    name: str
    to: str
    text: str
    move: int


class Asked(msgspec.Struct, frozen=True):
    """An undo that needs consent: of what state, asked by which seat, why it is not free, and who agreed so far."""

    head: int
    seat: str
    reason: str
    agreed: tuple[str, ...] = ()
