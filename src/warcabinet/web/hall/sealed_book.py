"""Rounds of sealed orders: what each seat chose is kept here, and told to nobody until all are opened together."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase
from warcabinet.web.plumbing.problems import Problem


class Round(msgspec.Struct, frozen=True):
    """A round: what it is about, of whom orders are awaited, and when it was opened (0: it is sealed)."""

    id: int
    table: str
    title: str
    seats: tuple[str, ...]
    made: float
    opened: float
    outcome: str


class Envelope(msgspec.Struct, frozen=True):
    """What one seat has sealed, and who sealed it."""

    seat: str
    person: str
    orders: str
    words: str


#: Asked after every order.
_LAST_ROUND = (
    sa.select(schema.rounds)
    .where(schema.rounds.c.table == sa.bindparam("at"))
    .order_by(schema.rounds.c.id.desc())
    .limit(1)
)


class SealedBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def last_round(self, table: str) -> Round | None:
        """The round under way, or the last one that was opened."""
        row = self._database.one(_LAST_ROUND, at=table)
        return None if row is None else Round(**{**row, "seats": tuple(row["seats"].split())})

    def open_round(self, table: str) -> Round | None:
        found = self.last_round(table)
        return found if found is not None and not found.opened else None

    def asked(self, round_: int) -> dict[str, set[str]]:
        """Who sat in the seats of a round as it began: whoever leaves one is still asked."""
        rows = schema.asked_to_seal
        found: dict[str, set[str]] = {}
        for row in self._database.all(sa.select(rows.c.seat, rows.c.person).where(rows.c.round == round_)):
            found.setdefault(row["seat"], set()).add(row["person"])
        return found

    def begin_round(self, table: str, title: str, seats: Mapping[str, Iterable[str]]) -> None:
        rounds = schema.rounds
        with self._database.changing() as db:
            db.execute(sa.select(schema.tables.c.id).where(schema.tables.c.id == table).with_for_update())
            if db.execute(sa.select(rounds.c.id).where(rounds.c.table == table, rounds.c.opened == 0)).first():
                raise Problem(409, "a round of sealed orders is under way already")
            values = {"table": table, "title": title, "seats": " ".join(seats)}
            made = db.execute(rounds.insert().values(**values, made=time.time(), opened=0.0, outcome=""))
            assert made.inserted_primary_key is not None
            there = [{"seat": seat, "person": person} for seat, people in seats.items() for person in people]
            id = int(made.inserted_primary_key[0])
            db.execute(schema.asked_to_seal.insert(), [{"round": id, "table": table, **it} for it in there])

    def seal(self, round_: Round, envelope: Envelope) -> None:
        """Keep what a seat chose; until the round is opened it may be exchanged for something else."""
        kept = schema.sealed
        self._database.do(
            kept.delete().where(kept.c.round == round_.id, kept.c.seat == envelope.seat),
            kept.insert().values(round=round_.id, table=round_.table, **msgspec.to_builtins(envelope)),
        )

    def envelopes(self, round_: int) -> dict[str, Envelope]:
        kept = schema.sealed
        columns = (kept.c.seat, kept.c.person, kept.c.orders, kept.c.words)
        return {
            row["seat"]: Envelope(**row)
            for row in self._database.all(sa.select(*columns).where(kept.c.round == round_))
        }

    def end_round(self, round_: int, outcome: str) -> None:
        """It was opened, or called off (no outcome): the envelopes are gone."""
        rounds, kept = schema.rounds, schema.sealed
        which = rounds.c.id == round_
        opened = rounds.update().where(which).values(opened=time.time(), outcome=outcome)
        asked = schema.asked_to_seal
        self._database.do(
            asked.delete().where(asked.c.round == round_),
            kept.delete().where(kept.c.round == round_),
            opened if outcome else rounds.delete().where(which),
        )
