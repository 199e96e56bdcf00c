"""Canada and South Africa: boxes, forces, construction and who pays for it, units that are lent (70).

Neither is ever lost to an enemy. Their chapters differ in their boxes, in Canada's shipyard and in the transports that
American BRPs for South Africa take; those are in modules of their own, and with the others' who pays (`building`).
"""

from __future__ import annotations

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import Rebuild, ReportLent, ReportUnits
from warcabinet.model.events import PowerChanged, Reported
from warcabinet.model.forces import unit_names
from warcabinet.model.keys import Place
from warcabinet.model.names import called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.forces_of_minors import force_level
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.set_up import reported_within_table, set_up_at_home
from warcabinet.rules.minors.status import counters_in_being
from warcabinet.rules.minors.units import lent_units, moves_with


class Dominion(msgspec.Struct, frozen=True):
    """The clauses of one of the two: its box, forces at the start, no more later, where built."""

    location: str
    start: str
    no_more: str
    built_at: str


DOMINIONS = {
    "canada": Dominion("70.12", "70.14A", "70.14D", "70.15A"),
    "south_africa": Dominion("70.22", "70.24", "70.24", "70.25A"),
}


def _dominion(s: State, nation: str) -> bool:
    return nation in DOMINIONS and s.countries[nation].status == "commonwealth"


def _of(nation: str, about: str) -> str:
    """The clause on something of one of the two; none for others."""
    return str(getattr(DOMINIONS[nation], about)) if nation in DOMINIONS else ""


# -- part of the Commonwealth, with units of their own ------------------------------------------------------------


@value(
    "70.11",
    displaces=moves_with,
    when=lambda s, nation: _dominion(s, nation) or _lent(s, nation),
    covers=("70.16", "70.26", "71.154", "72.164"),
    also=("70.21",),
)
def moves_with_its_power(s: State, nation: str) -> str:
    """Canadian and South African units move with Britain's; what a country of the Commonwealth lent with America's."""
    if not _lent(s, nation):
        return "britain"
    note("lent", CLAUSES[nation], "usa", nation)
    return "usa"


# -- forces -------------------------------------------------------------------------------------------------------


@barred("70.14A", acts=("set up",), displaces=set_up_at_home, by=lambda s, it: _of(it.nation, "start"))
def set_up_in_its_box(s: State, it: Presence) -> str | None:
    """Canada is set up in the Atlantic U.S. box, South Africa in its own."""
    home = COMMONWEALTH_BOXES[it.nation][0]
    told = f"{called(it.nation)} is set up in {boxes()[home.removeprefix('box/')].name}, not in {it.place}"
    return told if it.at != home else None


@limit(
    "70.14D",
    on=ReportUnits,
    displaces=reported_within_table,
    when=lambda s, cmd: _dominion(s, cmd.nation) and cmd.count > 0,
    covers=("70.24",),
    by=lambda s, cmd: _of(cmd.nation, "no_more"),
    excusable=True,
)
def no_more_units(s: State, cmd: ReportUnits) -> str | None:
    """Canada and South Africa receive no further units, by mobilization or production."""
    there, most = counters_in_being(s, cmd.nation, cmd.unit) + cmd.count, force_level(s, cmd.nation, cmd.unit)
    told = f"{there} {cmd.unit} of {called(cmd.nation)}: it has {most}; no more are mobilized or produced"
    return told if there > most else None


# -- construction -------------------------------------------------------------------------------------------------


@limit(
    "70.15A",
    on=Rebuild,
    when=lambda s, cmd: _dominion(s, cmd.country),
    covers=("70.25A",),
    also=("82.13B",),
    by=lambda s, cmd: _of(cmd.country, "built_at"),
)
def built_in_its_box(s: State, cmd: Rebuild) -> str | None:
    """Canadian units are built in one of the U.S. boxes, South African ones in South Africa."""
    where = "either U.S. box" if cmd.country == "canada" else "the South Africa box"
    told = f"units of {called(cmd.country)} are built in {where}"
    return None if cmd.at in COMMONWEALTH_BOXES[cmd.country] else told


CLAUSES = {"canada": "70.16", "south_africa": "70.26", "australia": "71.154", "india": "72.164"}


@definition("70.16")
def may_be_lent(s: State, country: str) -> bool:
    """A country's units may be lent to the U.S.: Britain has surrendered, the country has not."""
    return s.powers["britain"].surrendered and s.countries[country].status == "commonwealth"


@definition("70.16", "Units of the country are lent to the United States now")
def lent_to_america(s: State, nation: str) -> bool:
    return may_be_lent(s, nation) and any(lent_units(s, nation, unit) for unit in unit_names(nation))


def _lent(s: State, nation: str) -> bool:
    return nation in CLAUSES and lent_to_america(s, nation)


@effect("70.16", on=PowerChanged, when=lambda s, changed: changed.power == "britain" and changed.surrendered is True)
def commonwealth_unaffected(p: Proceedings, changed: PowerChanged) -> None:
    """A British surrender leaves the forces and BRPs of the Commonwealth alone."""
    for country, clause in CLAUSES.items():
        if may_be_lent(p.s, country):
            told = f"{called(country)}: its forces and BRPs stay; its units may be lent to the United States"
            p.do(Reported("surrender", told), clause)


@limit("70.16", on=ReportLent, by=lambda s, cmd: CLAUSES.get(cmd.country, ""))
def lent_after_surrender(s: State, cmd: ReportLent) -> str | None:
    """Commonwealth units are lent to the U.S. after a British surrender."""
    told = f"units of {called(cmd.country)} are lent to the United States only after a British surrender"
    return None if may_be_lent(s, cmd.country) else told


@definition("70.16", displaces=in_area, when=lambda s, nation, place: _lent(s, nation))
def lent_area(s: State, nation: str, place: Place) -> bool:
    """Lent units go where American units may."""
    return in_area(s, "usa", place)
