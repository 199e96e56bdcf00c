"""Partisans in minor countries: how many each side may have there (82.61)."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.kernel.tables import read_csv
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import DATA, countries, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import side_of, units_in
from warcabinet.rules.kinds import limit, value
from warcabinet.rules.minors.forces import force_table
from warcabinet.rules.minors.geography import land


class PartisanRow(msgspec.Struct, frozen=True):
    """Partisans that a faction may have in a country: automatically, and at most."""

    nation: str
    side: str
    automatic: int
    most: int
    source: str


@cache
def partisan_table() -> tuple[PartisanRow, ...]:
    return tuple(read_csv(DATA / "partisans.csv", PartisanRow))


@value("82.61", "Partisans that a faction may build in a country without further results")
def automatic_partisans(s: State, nation: str, side: str) -> int:
    return sum(row.automatic for row in partisan_table() if (row.nation, row.side) == (nation, side))


@value("82.61", "The most partisans that a faction may ever build in a country")
def most_partisans(s: State, nation: str, side: str) -> int:
    return sum(row.most for row in partisan_table() if (row.nation, row.side) == (nation, side))


# -- no more than the table gives ---------------------------------------------------------------------------------


def _of_one_side(s: State, nation: str, country: str) -> bool:
    """Whether partisans are reported for a power, and not simply for the country in which they rise."""
    return nation != country and nation in powers()


def partisans_in(s: State, nation: str, country: str) -> int:
    """Partisans in a country: of a power's faction, or all that go under the country's own name."""
    there = (it for it in units_in(s, country) if it.branch == "partisan")
    if _of_one_side(s, nation, country):
        return sum(it.count for it in there if it.nation in powers() and side_of(s, it.nation) == side_of(s, nation))
    return sum(it.count for it in there if it.nation == nation)


@value("82.61", "The most partisans that may be reported in a country for a nation")
def partisan_limit(s: State, nation: str, country: str) -> int:
    if _of_one_side(s, nation, country):
        return most_partisans(s, country, side_of(s, nation))
    sides = {row.side for row in partisan_table() if row.nation == country}
    return sum(most_partisans(s, country, side) for side in sides)


@cache
def in_force_table() -> frozenset[str]:
    """The countries that have a line in the tables of minor countries; the Ukraine's partisans are Russia's own."""
    listed = {row.nation for row in force_table()} | {row.nation for row in partisan_table()}
    return frozenset(listed & set(countries())) - {"ukraine"}


@limit(
    "82.61",
    "No more partisans rise in a country than the force table allows",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.count > 0
        and parse_unit(cmd.unit)[0].branch == "partisan"
        and land(place_key(cmd.at))[0] in in_force_table()
    ),
)
def partisans_within_table(s: State, cmd: ReportUnits) -> str | None:
    country = land(place_key(cmd.at))[0]
    most, there = partisan_limit(s, cmd.nation, country), partisans_in(s, cmd.nation, country)
    if there + cmd.count <= most:
        return None
    return f"{there + cmd.count} partisans in {countries()[country].name}; the table allows {most}"
