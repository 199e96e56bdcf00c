"""The Commonwealth after a British surrender: its forces and BRPs stay, and its units may be lent to the U.S."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportLent
from warcabinet.model.events import PowerChanged, Reported
from warcabinet.model.names import called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.commonwealth.dominions import moves_with_britain
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.forces_of_minors import unit_names
from warcabinet.rules.minors.geography import commonwealth_area, in_area
from warcabinet.rules.minors.lent import lent_units
from warcabinet.rules.minors.units import moves_with

CLAUSES = {"canada": "70.16", "south_africa": "70.26", "australia": "71.154", "india": "72.164"}
ALSO = ("70.26", "71.154", "72.164")


@definition("70.16", also=ALSO)
def may_be_lent(s: State, country: str) -> bool:
    """A country's units may be lent to the U.S.: Britain has surrendered, the country has not."""
    return s.powers["britain"].surrendered and s.countries[country].status == "commonwealth"


@definition("70.16", "Units of the country are lent to the United States now", also=ALSO)
def lent_to_america(s: State, nation: str) -> bool:
    return may_be_lent(s, nation) and any(lent_units(s, nation, unit) for unit in unit_names(nation))


def _lent(s: State, nation: str) -> bool:
    return nation in CLAUSES and lent_to_america(s, nation)


@effect(
    "70.16",
    on=PowerChanged,
    when=lambda s, changed: changed.power == "britain" and changed.surrendered is True,
    also=ALSO,
)
def commonwealth_unaffected(p: Proceedings, changed: PowerChanged) -> None:
    """A British surrender leaves the forces and BRPs of the Commonwealth alone."""
    for country, clause in CLAUSES.items():
        if may_be_lent(p.s, country):
            told = f"{called(country)}: its forces and BRPs stay; its units may be lent to the United States"
            p.do(Reported("surrender", told), clause)


@limit("70.16", on=ReportLent, when=lambda s, cmd: cmd.country in CLAUSES, also=ALSO)
def lent_after_surrender(s: State, cmd: ReportLent) -> Refusal | None:
    """Commonwealth units are lent to the U.S. after a British surrender."""
    if may_be_lent(s, cmd.country):
        return None
    told = f"units of {called(cmd.country)} are lent to the United States only after a British surrender"
    return Refusal(CLAUSES[cmd.country], told)


@value("70.16", displaces=(moves_with, moves_with_britain), when=lambda s, nation: _lent(s, nation), also=ALSO)
def moves_with_america(s: State, nation: str) -> str:
    """Lent units move with America's."""
    return "usa"


@definition("70.16", displaces=(in_area, commonwealth_area), when=lambda s, nation, place: _lent(s, nation), also=ALSO)
def lent_area(s: State, nation: str, place: str) -> bool:
    """Lent units go where American units may."""
    return in_area(s, "usa", place)


def _lending(s: State, country: str) -> Iterator[Told]:
    lent = "some are" if lent_to_america(s, country) else "none are"
    yield Told(CLAUSES[country], f"after a British surrender its units may be lent to the U.S.; {lent}")


@tells_of("canada")
def canada_lends(s: State) -> Iterator[Told]:
    return _lending(s, "canada")


@tells_of("south_africa")
def south_africa_lends(s: State) -> Iterator[Told]:
    return _lending(s, "south_africa")


@tells_of("australia")
def australia_lends(s: State) -> Iterator[Told]:
    return _lending(s, "australia")


@tells_of("india")
def india_lends(s: State) -> Iterator[Told]:
    return _lending(s, "india")
