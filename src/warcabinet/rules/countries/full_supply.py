"""Which places a power fully supplies (87.42): by land as far as the boards tell, otherwise as reported."""

from __future__ import annotations

from collections.abc import Iterable

from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.countries import ReportFullSupply
from warcabinet.model.commands.forces import Build
from warcabinet.model.events import ControlChanged, StatusChanged
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import set_up_hexes
from warcabinet.rules.common.pieces import faction, friendly, said_of, side_of
from warcabinet.rules.economy.force_pools import construction_supply, site_is_supplied
from warcabinet.rules.kinds import definition, effect, limit, order, remembered
from warcabinet.rules.minors.building import fully_supplied_hex, supplied_hex
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.operations import whose_land
from warcabinet.rules.minors.status import bound


@remembered("87.42", "A power fully supplies a place: by a land line, unless a report says otherwise")
def fully_supplied(s: State, power: str, place: Place) -> bool:
    return friendly(s, place, faction(s, power)) and fully_supplied_hex(s, power, land(place)[0], place)


def _reported(s: State, nation: str, place: Place) -> bool:
    """Whether a power of the side on which a country stands is reported to supply a place, by sea say."""
    mine = (it for it in powers() if faction(s, it) == side_of(s, nation))
    return any((noted := fully_supplied.noted(s, it, place)) is not None and noted.value is True for it in mine)


@definition(
    "84.47B",
    displaces=supplied_hex,
    when=lambda s, nation, country, place: (
        nation == country and nation in countries() and nation != "communist_china" and _reported(s, nation, place)
    ),
    also=("82.94", "84.45A", "85.45A", "85.48"),
)
def supplied_as_reported(s: State, nation: str, country: str, place: Place) -> bool:
    """What a power is reported to supply is supplied, by whatever line, for units of the country in which it lies."""
    return True


def _in_bound_country(s: State, power: str, place: Place) -> bool:
    """Whether a power builds on the land of an associate or minor ally of its side; Russia and China have own lines."""
    country = whose_land(s, place)
    if power in ("russia", "china") or country not in s.countries:
        return False
    return bound(s, country) and faction(s, s.countries[country].by) == faction(s, power)


@definition("84.44", displaces=construction_supply, when=_in_bound_country)
def line_into_country(s: State, power: str, place: Place) -> bool:
    """Where an associate or minor ally has its hexes, others' units are built only if a supply line runs into it."""
    return fully_supplied(s, power, place) or _reported(s, power, place)


@limit("84.44", on=Build, displaces=site_is_supplied, when=lambda s, cmd: _in_bound_country(s, cmd.power, cmd.at))
def built_by_a_line_into_country(s: State, cmd: Build) -> Refusal | None:
    """A power's units are built in an associate or minor ally only where a supply line runs into it."""
    if construction_supply(s, cmd.power, cmd.at):
        return None
    country = whose_land(s, cmd.at)
    told = f"no supply line runs into {called(country)} to {place_called(cmd.at)}; by sea it is reported"
    return Refusal(said_of(s, country, "84.44"), f"{told} (report_full_supply)")


def _names(key: Place) -> tuple[Place, ...]:
    """Whoever asks may call a place by its key or by any of its names."""
    return (key, *(Place(it.name) for it in places_at(key)))


@order("87.42", "How a place is supplied is reported, by sea or by other chapters", on=ReportFullSupply)
def report_full_supply(p: Proceedings, cmd: ReportFullSupply) -> None:
    told = "reported as fully supplied" if cmd.supplied else "reported as not fully supplied"
    for name in _names(cmd.place):
        fully_supplied.note(p, cmd.supplied, told, cmd.power, name)


@limit("87.42", "Only places under its side's control are supplied by a power", on=ReportFullSupply)
def supplies_its_own(s: State, cmd: ReportFullSupply) -> str | None:
    if friendly(s, cmd.place, faction(s, cmd.power)):
        return None
    return f"{place_called(cmd.place)} is not under the control of {called(cmd.power)}'s side"


@effect("87.42", on=ControlChanged, when=lambda s, changed: fully_supplied.name in s.determinations)
def supply_report_lapses(p: Proceedings, changed: ControlChanged) -> None:
    """What was reported of a place's supply holds no longer once the place is lost."""
    end_supply_reports(p, map(Place, changed.places))


@effect("87.42", on=StatusChanged, when=lambda s, changed: fully_supplied.name in s.determinations)
def supply_report_lapses_with_country(p: Proceedings, changed: StatusChanged) -> None:
    """What was reported of the supply of a country's own hexes lapses when the country goes over."""
    end_supply_reports(p, set_up_hexes(changed.country))


def end_supply_reports(p: Proceedings, keys: Iterable[Place]) -> None:
    """Of places that are in friendly hands no more, nothing is left of what was reported about their supply."""
    among = set(keys)
    for power, key in [(power, Place(key)) for (power, key), _ in fully_supplied.kept(p.s)]:
        lost = key in among and not friendly(p.s, key, faction(p.s, power))
        for name in _names(key) if lost else ():
            fully_supplied.forget(p, power, name)
