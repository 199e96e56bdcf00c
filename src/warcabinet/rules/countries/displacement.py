"""Fleets that must leave their port: at both ends of the Suez canal, in the Philippines, elsewhere (88.35, 89.43)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged, Reported
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import Place, board_of, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import unit_branch
from warcabinet.rules.common import pieces
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.waiting import Going, nation_of, origin_of, units_going
from warcabinet.rules.common.ways import named
from warcabinet.rules.kinds import definition, effect, limit, opening, order
from warcabinet.rules.minors.status import lose
from warcabinet.rules.minors.voyages import (
    ABADAN,
    AUSTRALIA,
    AXIS,
    BASRA,
    INDIA,
    PORT_SAID,
    SUEZ,
    WEST,
    mediterranean_shore,
)


def _ships(s: State, place: Place, side: str) -> list[Stack]:
    return [it for it in pieces.units_at(s, place) if it.branch == "naval" and pieces.side_of(s, it.nation) == side]


def _for_the_axis(s: State, place: Place) -> bool:
    return pieces.held_by_partisans(s, place) or pieces.faction(s, holder(s, place)) == AXIS


def friendly_port(s: State, place: Place, side: str) -> bool:
    return pieces.controlled_for(s, place, side) and any(it.has("port") for it in places_at(place))


class Port(NamedTuple):
    """Ports that are left: by which clause, by which units, why not to some place, and whether in no other way."""

    clause: str
    places: frozenset[Place]
    leaving: Callable[[State], list[Stack]]
    no_refuge: Callable[[State, DisplaceFleet], str | None]
    no_other_way: bool = True


# -- both ends of the Suez canal ----------------------------------------------------------------------------------


def leaving_canal(s: State) -> list[Stack]:
    """Allied ships in Port Said or Suez where the Axis have come in."""
    return [it for port in (PORT_SAID, SUEZ) for it in _ships(s, port, WEST) if _for_the_axis(s, port)]


@definition("88.35", "Where ships displaced from Suez may go: Basra, Abadan or the India box")
def refuge_from_suez(s: State, place: Place) -> bool:
    if place not in (INDIA, BASRA, ABADAN) or _for_the_axis(s, place):
        return False
    if place == ABADAN and reading_in_force(s, "R-0060") == "b" and not pieces.friendly(s, place, WEST):
        note("persia_is_closed", "88.62", True, "persia")
        return False
    return True


def _not_past_canal(s: State, cmd: DisplaceFleet) -> str | None:
    """Ships displaced from Port Said stay in the Mediterranean, those from Suez go to the Indian Ocean."""
    if cmd.from_ == SUEZ:
        told = "ships displaced from Suez go to Basra, Abadan or the India box, not through the canal"
        return None if refuge_from_suez(s, cmd.to) else told
    if not mediterranean_shore(cmd.to):
        return "ships displaced from Port Said go into the Mediterranean, not through the canal"
    return None if friendly_port(s, cmd.to, WEST) else f"{place_called(cmd.to)} is no friendly port"


# -- the Philippines ----------------------------------------------------------------------------------------------

#: Boxes beside the Pacific board in which ships lie at anchor.
ANCHORAGES = (Place("box/pacific_us"), Place(AUSTRALIA), Place(INDIA))
PHILIPPINES = frozenset(home_hexes("philippines"))


def leaving_philippines(s: State) -> list[Stack]:
    """Allied ships and aircraft in the Philippines after their surrender (R-1881, R-1882)."""
    fallen = s.countries["philippines"]
    if (fallen.status, fallen.by) != ("conquered", "japan"):
        return []
    there = (it for it in s.pieces.among(PHILIPPINES) if it.branch in ("naval", "air"))
    allied = (
        it for it in there if it.nation == "usa" or pieces.side_of(s, it.nation) not in ("", pieces.faction(s, "japan"))
    )
    return [it for it in allied if holder(s, it.place) == "japan"]


def _not_in_pacific(s: State, cmd: DisplaceFleet) -> str | None:
    """From the Philippines ships go to a friendly port, aircraft to a hex, elsewhere in the Pacific or a box by it."""
    to = cmd.to
    flies = unit_branch(cmd.unit) == "air"
    fit = to in ANCHORAGES or (pieces.friendly(s, to, WEST) if flies else friendly_port(s, to, WEST))
    if fit and (to in ANCHORAGES or board_of(to) == "pacific") and to not in PHILIPPINES:
        return None
    wanted = "hex" if flies else "port"
    return f"{place_called(cmd.to)} is no friendly {wanted} in the Pacific outside the Philippines, nor a box beside it"


# -- every port that is left --------------------------------------------------------------------------------------

PORTS = [
    Port("88.35", frozenset((PORT_SAID, SUEZ)), leaving_canal, _not_past_canal),
    Port("89.43", PHILIPPINES, leaving_philippines, _not_in_pacific),
]


def leaving(s: State) -> list[Stack]:
    return [stack for port in PORTS for stack in port.leaving(s)]


@order("88.35", "Displaced ships leave their port", on=DisplaceFleet, out_of_turn=True, also=("73.61", "89.43"))
def displace_fleet(p: Proceedings, cmd: DisplaceFleet) -> None:
    origin, to = cmd.from_, cmd.to
    pieces.move_units(p, cmd.nation, cmd.unit, origin, to, cmd.count)
    if origin == SUEZ:
        gulf = " or appear in the Persian Gulf" if to in (BASRA, ABADAN) else ""
        told = f"{cmd.count} {cmd.unit} of {called(cmd.nation)} may be attacked from the air as they leave Suez{gulf}"
        p.do(Reported("air attack", told))


@opening("88.35", "Ports that fleets must leave", on=DisplaceFleet)
def fleets_to_displace(s: State, cmd: DisplaceFleet) -> Choice:
    ports = tuple(dict.fromkeys(it.place for it in leaving(s)))
    return Choice("from", ports, "no fleet must leave its port")


@limit("88.35", on=DisplaceFleet, covers=("73.61", "89.43"))
def displaced_to_refuge(s: State, cmd: DisplaceFleet) -> Refusal | None:
    """Only ships whose port the enemy has entered are displaced, to where the clause on that port lets them."""
    origin = cmd.from_
    port = next((it for it in PORTS if origin in it.places), PORTS[0])
    if not any((it.place, it.nation, it.unit) == (origin, cmd.nation, cmd.unit) for it in port.leaving(s)):
        return Refusal("88.35", f"no {cmd.unit} of {called(cmd.nation)} must leave {place_called(cmd.from_)}")
    there = pieces.standing_at(s, cmd.nation, origin, cmd.unit)
    if cmd.count > there:
        return Refusal("88.35", f"{there} {cmd.unit} in {place_called(cmd.from_)}, not {cmd.count}")
    told = port.no_refuge(s, cmd)
    return Refusal(port.clause, told) if told else None


@limit("88.35", on=Advance, when=lambda s, cmd: bool(leaving(s)), covers=("73.61", "89.43"))
def ports_cleared(s: State, cmd: Advance) -> Refusal:
    """Ships leave a port that the enemy has entered before play goes on, aircraft the Philippines."""
    told = ", ".join(f"{it.count} {it.unit} of {called(it.nation)} in {named(it.place)}" for it in leaving(s))
    first, *others = (it.clause for it in PORTS if it.leaving(s))
    return Refusal(first, f"must be displaced: {told}", also=tuple(others))


@limit(
    "88.35",
    on=(MoveUnits, ReportMove, ReportUnits),
    covers=("89.43",),
    when=lambda s, cmd: any(it.no_other_way and origin_of(cmd) in it.places for it in PORTS),
    excusable=True,
)
def no_other_way_out(s: State, cmd: Going) -> Refusal | None:
    """Units that must leave a port go only where displaced units go, as reports tell it too."""
    if isinstance(cmd, ReportUnits) and cmd.lost:
        return None
    nation, place, units = nation_of(cmd), origin_of(cmd), units_going(cmd)
    port = next(it for it in PORTS if place in it.places)
    if not any((it.nation, it.place) == (nation, place) and it.unit in units for it in port.leaving(s)):
        return None
    return Refusal(
        port.clause, f"{called(nation)}'s {', '.join(units)} in {named(place)} are displaced: displace_fleet"
    )


@effect(
    "88.37",
    on=ControlChanged,
    when=lambda s, changed: SUEZ in changed.places and changed.by in powers() and pieces.faction(s, changed.by) != AXIS,
)
def axis_fleets_lost_at_suez(p: Proceedings, changed: ControlChanged) -> None:
    """Axis fleets displaced from Suez are eliminated, wherever else the Axis have ports."""
    for stack in _ships(p.s, SUEZ, AXIS):
        lose(p, stack)
