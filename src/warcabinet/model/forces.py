"""The force tables: which units a nation has, and since when (82.61)."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.kernel.tables import read_csv
from warcabinet.model.keys import Unit
from warcabinet.model.names import DATA


class ForceRow(msgspec.Struct, frozen=True):
    """A line of the force tables: so many units, from a date or from the start."""

    nation: str
    unit: Unit
    count: int
    since: str
    source: str


@cache
def force_table() -> tuple[ForceRow, ...]:
    return tuple(read_csv(DATA / "forces.csv", ForceRow))


@cache
def force_rows(nation: str, unit: Unit) -> tuple[ForceRow, ...]:
    return tuple(row for row in force_table() if row.nation == nation and row.unit == unit)


@cache
def unit_names(nation: str) -> tuple[Unit, ...]:
    return tuple(dict.fromkeys(row.unit for row in force_table() if row.nation == nation))
