"""Fleets that must leave their port: at both ends of the Suez canal, and in the Philippines (88.35, 88.37, 89.43)."""

from __future__ import annotations

from collections.abc import Callable

from warcabinet.board.names import places_at
from warcabinet.kernel.lasting import lasting
from warcabinet.kernel.limits import Choice
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged, Reported
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import (
    controlled_for,
    faction,
    friendly,
    held_by_partisans,
    move_units,
    side_of,
    standing_at,
    units_at,
)
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.countries.middle_east import (
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
from warcabinet.rules.kinds import definition, effect, limit, opening, order
from warcabinet.rules.minors.parts import lose


def _ships(s: State, place: str, side: str) -> list[Stack]:
    return [it for it in units_at(s, place) if it.branch == "naval" and side_of(s, it.nation) == side]


def _for_the_axis(s: State, place: str) -> bool:
    return held_by_partisans(s, place) or faction(s, holder(s, place)) == AXIS


def leaving_canal(s: State) -> list[Stack]:
    """Allied ships in Port Said or Suez where the Axis have come in."""
    return [it for port in (PORT_SAID, SUEZ) for it in _ships(s, port, WEST) if _for_the_axis(s, port)]


def leaving_philippines(s: State) -> list[Stack]:
    """Allied ships and aircraft in the Philippines after their surrender (R-1881, R-1882)."""
    fallen = s.countries["philippines"]
    if (fallen.status, fallen.by) != ("conquered", "japan"):
        return []
    branches = ("naval", "air") if reading_in_force(s, "R-1881") == "a" else ("naval",)
    there = (it for it in s.pieces.among(_philippine_hexes()) if it.branch in branches and _leaves_japan(s, it))
    return [it for it in there if holder(s, it.place) == "japan"]


def _leaves_japan(s: State, stack: Stack) -> bool:
    """Whether units are Allied ones that Japan's conquest displaces: American ships, and others by the readings."""
    if stack.nation == "usa":
        return True
    allied = side_of(s, stack.nation) not in ("", faction(s, "japan"))
    return allied and (stack.branch == "air" or reading_in_force(s, "R-1882") == "a")


@lasting
def _philippine_hexes() -> frozenset[str]:
    return frozenset(home_hexes("philippines"))


Leaving = Callable[[State], list[Stack]]
_LEAVING: list[Leaving] = [leaving_canal, leaving_philippines]


def must_leave(fn: Leaving) -> Leaving:
    """Register a function that tells which ships must leave their port by the clause of another chapter."""
    _LEAVING.append(fn)
    _LEAVING.sort(key=lambda it: (it.__module__, it.__code__.co_firstlineno))
    return fn


def leaving(s: State) -> list[Stack]:
    return [stack for ships in _LEAVING for stack in ships(s)]


@order("88.35", "Displaced ships leave their port", on=DisplaceFleet, out_of_turn=True, also=("89.43",))
def displace_fleet(p: Proceedings, cmd: DisplaceFleet) -> None:
    origin, to = place_key(cmd.from_), place_key(cmd.to)
    move_units(p, cmd.nation, cmd.unit, origin, to, cmd.count)
    if origin == SUEZ:
        gulf = " or appear in the Persian Gulf" if to in (BASRA, ABADAN) else ""
        told = f"{cmd.count} {cmd.unit} of {called(cmd.nation)} may be attacked from the air as they leave Suez{gulf}"
        p.do(Reported("air attack", told))


@opening("88.35", "Ports that fleets must leave", on=DisplaceFleet)
def fleets_to_displace(s: State, cmd: DisplaceFleet) -> Choice:
    ports = tuple(dict.fromkeys(_name(it.place) for it in leaving(s)))
    return Choice("from", ports, "no fleet must leave its port")


def _name(place: str) -> str:
    found = places_at(place)
    return found[0].name if found else place


@limit("88.35", "Only ships whose port the enemy has entered are displaced", on=DisplaceFleet)
def ships_are_displaced(s: State, cmd: DisplaceFleet) -> str | None:
    origin = place_key(cmd.from_)
    if not any((it.place, it.nation, it.unit) == (origin, cmd.nation, cmd.unit) for it in leaving(s)):
        return f"no {cmd.unit} of {called(cmd.nation)} must leave {cmd.from_}"
    there = standing_at(s, cmd.nation, origin, cmd.unit)
    return None if cmd.count <= there else f"{there} {cmd.unit} in {cmd.from_}, not {cmd.count}"


@definition("88.35", "Where ships displaced from Suez may go: Basra, Abadan or the India box", covers=("88.62",))
def refuge_from_suez(s: State, place: str) -> bool:
    key = place_key(place)
    if key not in (INDIA, BASRA, ABADAN) or _for_the_axis(s, key):
        return False
    if key == ABADAN and reading_in_force(s, "R-0060") == "b" and not friendly(s, key, WEST):
        note("persia_is_closed", "88.62", True, "persia")
        return False
    return True


@limit("88.35", on=DisplaceFleet, when=lambda s, cmd: place_key(cmd.from_) in (PORT_SAID, SUEZ))
def displaced_without_canal(s: State, cmd: DisplaceFleet) -> str | None:
    """Ships displaced from Port Said stay in the Mediterranean, those from Suez go to the Indian Ocean."""
    to = place_key(cmd.to)
    if place_key(cmd.from_) == SUEZ:
        told = "ships displaced from Suez go to Basra, Abadan or the India box, not through the canal"
        return None if refuge_from_suez(s, cmd.to) else told
    if not mediterranean_shore(to):
        return "ships displaced from Port Said go into the Mediterranean, not through the canal"
    return None if friendly_port(s, to, WEST) else f"{cmd.to} is no friendly port"


#: Boxes beside the Pacific board in which ships lie at anchor.
ANCHORAGES = ("box/pacific_us", AUSTRALIA, INDIA)


def friendly_port(s: State, place: str, side: str) -> bool:
    return controlled_for(s, place, side) and any(it.has("port") for it in places_at(place))


@limit("89.43", on=DisplaceFleet, when=lambda s, cmd: place_key(cmd.from_) in home_hexes("philippines"))
def displaced_from_philippines(s: State, cmd: DisplaceFleet) -> str | None:
    """From the Philippines ships go to a friendly port, aircraft to a hex, elsewhere in the Pacific or a box beside
    it.
    """
    to = place_key(cmd.to)
    if to in ANCHORAGES:
        return None
    flies = parse_unit(cmd.unit)[0].branch == "air"
    fit = friendly(s, to, WEST) if flies else friendly_port(s, to, WEST)
    if fit and board_of(to) == "pacific" and to not in home_hexes("philippines"):
        return None
    wanted = "hex" if flies else "port"
    return f"{cmd.to} is no friendly {wanted} in the Pacific outside the Philippines, nor a box beside it"


@limit("88.35", on=Advance, when=lambda s, cmd: bool(leaving_canal(s)))
def canal_ports_cleared(s: State, cmd: Advance) -> str:
    """Ships leave a port that the enemy has entered before play goes on."""
    return still_there(leaving_canal(s))


@limit("89.43", on=Advance, when=lambda s, cmd: bool(leaving_philippines(s)))
def philippine_ports_cleared(s: State, cmd: Advance) -> str:
    """Allied ships and aircraft leave the Philippines before play goes on."""
    return still_there(leaving_philippines(s))


Departure = MoveUnits | ReportMove | ReportUnits


def _left_behind(cmd: Departure) -> str:
    """Where units go away from."""
    return place_key(cmd.from_ if isinstance(cmd, MoveUnits) else cmd.origin if isinstance(cmd, ReportMove) else cmd.at)


def _departing(cmd: Departure) -> tuple[str, str, tuple[str, ...]]:
    """Whose units go away from where, kind by kind; nothing where units come, or are lost."""
    if isinstance(cmd, MoveUnits):
        return cmd.nation, _left_behind(cmd), (cmd.unit,)
    if isinstance(cmd, ReportMove):
        return cmd.power, _left_behind(cmd), tuple(counted(cmd.units))
    return cmd.nation, _left_behind(cmd), (cmd.unit,) if cmd.count < 0 and not cmd.lost else ()


def _slips_away(s: State, cmd: Departure, ships: list[Stack]) -> str | None:
    """Why ships that must leave a port do not go from it in another manner, to a place that is not open to them."""
    nation, place, units = _departing(cmd)
    if not any((it.nation, it.place) == (nation, place) and it.unit in units for it in ships):
        return None
    told = f"{called(nation)}'s {', '.join(units)} in {_name(place)} are displaced: displace_fleet"
    return told if isinstance(cmd, MoveUnits) else unless_excused(cmd, told)


@limit("88.35", on=(MoveUnits, ReportMove, ReportUnits), when=lambda s, cmd: _left_behind(cmd) in (PORT_SAID, SUEZ))
def no_other_way_out(s: State, cmd: Departure) -> str | None:
    """Ships that must leave Port Said or Suez go only where displaced ships go, as reports tell it too."""
    return _slips_away(s, cmd, leaving_canal(s))


@limit(
    "89.43", on=(MoveUnits, ReportMove, ReportUnits), when=lambda s, cmd: _left_behind(cmd) in home_hexes("philippines")
)
def no_other_way_from_philippines(s: State, cmd: Departure) -> str | None:
    """Allied ships and aircraft that must leave the Philippines go only where displaced units go, by report too."""
    return _slips_away(s, cmd, leaving_philippines(s))


def still_there(ships: list[Stack]) -> str:
    told = ", ".join(f"{it.count} {it.unit} of {called(it.nation)} in {_name(it.place)}" for it in ships)
    return f"must be displaced: {told}"


@effect(
    "88.37",
    on=ControlChanged,
    when=lambda s, changed: SUEZ in changed.places and changed.by in powers() and faction(s, changed.by) != AXIS,
)
def axis_fleets_lost_at_suez(p: Proceedings, changed: ControlChanged) -> None:
    """Axis fleets displaced from Suez are eliminated, wherever else the Axis have ports."""
    for stack in _ships(p.s, SUEZ, AXIS):
        lose(p, stack)
