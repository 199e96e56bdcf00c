"""The counters that a power has: the list that is assumed where the documents name none, or a table's own."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.tables import read_csv
from warcabinet.model.keys import Unit
from warcabinet.model.names import DATA, power_named
from warcabinet.model.unit_lists import parse_count
from warcabinet.model.units import parse_unit


class Counter(msgspec.Struct, frozen=True):
    """How many units of a kind a power has beside what mobilization and production bring; none where only they do."""

    power: str
    unit: Unit
    count: int
    source: str


@lasting
def assumed_counters() -> dict[str, dict[Unit, Counter]]:
    """The list that is assumed, power by power."""
    found: dict[str, dict[Unit, Counter]] = {}
    for row in read_csv(DATA / "counters.csv", Counter):
        parse_unit(row.unit)
        found.setdefault(row.power, {})[row.unit] = row
    return found


@lasting
def own_counters(text: str) -> Mapping[str, Mapping[Unit, Counter]]:
    """A table's own list as it was written: `germany: 4 armor 4-6, 28 infantry 3-3; italy: 2 armor 2-5`."""
    found: dict[str, dict[Unit, Counter]] = {}
    for line in filter(None, map(str.strip, text.split(";"))):
        name, colon, units = line.partition(":")
        if not colon:
            raise WarCabinetError(
                f"'{line}': write a power and its counters, such as 'italy: 2 armor 2-5, 10 army air'"
            )
        power = power_named(name.strip()).power
        for unit, count in (parse_count(it) for it in units.split(",") if it.strip()):
            found.setdefault(power, {})[unit] = Counter(power, unit, count, "the table's own list")
    return found
