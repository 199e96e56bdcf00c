"""The tables of a game's database, their formats, and how a file of an earlier one becomes today's.

| format | what changed |
|---|---|
| `warcabinet-1` | release 0.1.0: accounts and pieces as paths; its first builds had no mark on moves |
| `warcabinet-2` | release 0.2.0: accounts and pieces typed |
| `warcabinet-3` | sealed dice, the key of a request, a mark on snapshots and on the end of the journal |

Looking at an old game leaves its file as it is. The first move that is written turns it into one of today's format in
the same transaction: columns are added, nothing that was written is changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from warcabinet.store.database import Damaged, schema_of

metadata = sa.MetaData()
meta = sa.Table("meta", metadata, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String))
moves = sa.Table(
    "moves",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("before", sa.Integer, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("command", sa.LargeBinary),
    sa.Column("redo", sa.LargeBinary, nullable=False),
    sa.Column("batch", sa.Integer, nullable=False),
    sa.Column("barrier", sa.String, nullable=False),
    sa.Column("moment", sa.Integer, nullable=False),
    sa.Column("checked", sa.LargeBinary, nullable=False),
    sa.Column("records", sa.LargeBinary, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("digest", sa.String, nullable=False, server_default=""),
    sa.Column("key", sa.String, nullable=False, server_default=""),
    sa.Column("given", sa.Integer, nullable=False, server_default="0"),
)
#: Of PostgreSQL's dialect it is told only where one is spoken to: reading it takes as long as reading a game.
_keyed = sa.Index("moves_by_key", moves.c.key, unique=True, sqlite_where=moves.c.key != "")
postings = sa.Table(
    "postings",
    metadata,
    sa.Column("account", sa.String, primary_key=True),
    sa.Column("move", sa.Integer, primary_key=True),
)
snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("move", sa.Integer, primary_key=True),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("mark", sa.String, nullable=False, server_default=""),
)
dice = sa.Table(
    "dice",
    metadata,
    sa.Column("first", sa.Integer, primary_key=True),
    sa.Column("commitment", sa.String, nullable=False),
    sa.Column("secret", sa.String, nullable=False),
    sa.Column("revealed", sa.Integer, nullable=False),  # 1: by an earlier build; 2: it threw nothing since
)
#: Columns that an earlier format may lack, and how one is added.
ADDED = {
    moves: {
        "digest": "VARCHAR NOT NULL DEFAULT ''",
        "key": "VARCHAR NOT NULL DEFAULT ''",
        "given": "INTEGER NOT NULL DEFAULT 0",
    },
    snapshots: {"mark": "VARCHAR NOT NULL DEFAULT ''"},
}
#: What a move's mark is made of; what later formats add counts only where it says something.
MARKED = ("id", "kind", "seq", "at", "before", "seat", "command", "redo", "batch", "barrier", "moment", "checked",
          "records")  # fmt: skip
MARKED_IF_SAID = ("key", "given")


def digest(before: str, row: Mapping[str, Any]) -> str:
    """A move's mark: it rests on the mark before it, so no line can be altered or left out unnoticed."""
    marked = hashlib.sha256(before.encode())
    for name in (*MARKED, *(it for it in MARKED_IF_SAID if row.get(it))):
        told = _written(row[name])
        marked.update(len(told).to_bytes(8, "big") + told)
    return marked.hexdigest()


def _written(value: Any) -> bytes:
    return value if isinstance(value, bytes) else b"" if value is None else str(value).encode("utf-8", "replace")


def snapshot_mark(move_digest: str, state: Any) -> str:
    return hashlib.sha256(move_digest.encode() + _written(state)).hexdigest()


def end_mark(move: int, move_digest: str) -> str:
    return f"{move} {move_digest}"


def end_of(mark: str) -> int:
    """The last move, by the mark of the end."""
    return int(mark.partition(" ")[0])


def create_all(db: sa.Connection) -> None:
    """Make whatever table or index is not there yet."""
    if db.dialect.name == "postgresql":
        _keyed.dialect_options["postgresql"]["where"] = moves.c.key != ""
    metadata.create_all(db)


#: The words of which a file's tables and indexes are made; whatever else stands in one was put there by somebody else.
_WORDS = {
    *("create", "table", "unique", "index", "on", "where", "not", "null", "primary", "key", "default"),
    *("integer", "varchar", "blob", "0"),
    *(name for table in metadata.sorted_tables for name in (table.name, *table.columns.keys())),
    *(str(index.name) for table in metadata.sorted_tables for index in table.indexes),
}
_TOKEN = re.compile(r"""\s*(?:"(\w+)"|(\w+)|'0?'|[(),]|!=)""")
#: What SQLite itself keeps in a file.
_OWN = re.compile(r"sqlite_(autoindex_\w+|stat[1-4]|sequence)")


def refuse_strange(db: sa.Connection, name: str) -> None:
    """Refuse a file with anything but the tables, columns and indexes of a game: a trigger or a view acts by itself."""
    if db.dialect.name != "sqlite":
        return
    for kind, called, sql in db.exec_driver_sql("SELECT type, name, sql FROM sqlite_master").all():
        if _OWN.fullmatch(str(called)):
            continue
        known = kind == "index" or (kind == "table" and called in metadata.tables)
        if not known or not _plain(str(sql)):
            raise Damaged(
                f"{name} is not read: its {kind} {str(called)[:40]!r} is not made as this program makes it, "
                "and could act by itself; ask whoever gave it to you for an export"
            )


def _plain(sql: str) -> bool:
    at = 0
    while at < len(sql.rstrip()):
        token = _TOKEN.match(sql, at)
        if token is None or (token[1] or token[2] or "table").lower() not in _WORDS:
            return False
        at = token.end()
    return True


class Columns:
    """The columns that a file really has; what it lacks is read as if it said nothing."""

    def __init__(self, db: sa.Connection) -> None:
        there, schema = sa.inspect(db), schema_of(db)
        self.names = {
            table.name: {column["name"] for column in there.get_columns(table.name, schema)}
            for table in metadata.sorted_tables
            if there.has_table(table.name, schema)
        }

    def of(self, table: sa.Table) -> list[Any]:
        lacking = ADDED.get(table, {})
        return [
            column
            if column.name not in lacking or column.name in self.names.get(table.name, ())
            else sa.literal(0 if "INTEGER" in lacking[column.name] else "").label(column.name)
            for column in table.columns
        ]

    @property
    def missing(self) -> list[str]:
        """Tables without which there is no game."""
        return [name for name in ("meta", "moves", "postings", "snapshots") if name not in self.names]


def bring_up_to_date(db: sa.Connection, there: Columns, origin: str) -> None:
    """Add the tables and columns of today, and the marks that moves of the first builds lack."""
    create_all(db)
    for table, columns in ADDED.items():
        for name, kind in columns.items():
            if name not in there.names[table.name]:
                db.exec_driver_sql(f'ALTER TABLE {table.name} ADD COLUMN "{name}" {kind}')
    for index in moves.indexes:
        index.create(db, checkfirst=True)
    if "digest" not in there.names["moves"]:
        _mark_moves(db, origin)


def _mark_moves(db: sa.Connection, origin: str) -> None:
    mark = origin
    for row in db.execute(sa.select(moves).order_by(moves.c.id)).mappings().all():
        mark = digest(mark, dict(row))
        db.execute(moves.update().where(moves.c.id == row["id"]).values(digest=mark))
