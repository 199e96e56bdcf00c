"""Shipyards of minor countries: building and repair, where, by whom, and at whose cost (84.47D, 85.483)."""

from __future__ import annotations

from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.minors import Repair, ReportDamage
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import OUT_OF_PLAY, At
from warcabinet.model.places import place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import damaged, is_damaged, kind_name
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.pieces import BOUND, friendly, side_of, standing_at
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, limit, opening, order
from warcabinet.rules.minors.building import status_of

#: BRPs that a shipbuilding point costs, assumed for Canada.
POINT = 3
#: Factors of a ship, each of which takes a shipbuilding point; for the last three it is assumed.
FACTORS = {"destroyer": 1, "cruiser": 2, "battlecruiser": 3, "submarine": 1, "asw": 1, "transport": 1}


def points_in(unit: str) -> int:
    """The shipbuilding points that a ship takes; none where its size is not told."""
    return FACTORS.get(kind_name(unit), 0)


#: Boxes in which ships are built, and whose yards are there (70.15B, 71.152C, R-2630).
YARDS = {"box/atlantic_us": ("usa", "britain"), "box/pacific_us": ("usa",), "box/australia_box": ("britain",)}


def _repaired_by(s: State, nation: str) -> str:
    return "85.483" if nation in countries() and s.countries[nation].status == "allied" else "84.47D"


@definition("84.47D", covers=("85.483",))
def may_repair_at(s: State, nation: str, place: str) -> bool:
    """A damaged ship of a minor country may be repaired in a shipyard of its faction."""
    note("ship_repair", _repaired_by(s, nation), True, nation)
    key, side = place_key(place), side_of(s, nation)
    # Boxes in which ships are built are never lost to the enemy.
    return is_shipyard(s, key, side) and (key in YARDS or friendly(s, key, side))


@definition(
    "84.47D", "A port at home of a power of the faction, or of Australia, or a box in which ships are built (R-0426)"
)
def is_shipyard(s: State, place: str, side: str) -> bool:
    if place.startswith("box/"):
        return any(side_of(s, power) == side for power in YARDS.get(place, ()))
    at_home = any(place in home_hexes(it) for it in (*powers(), "australia") if side_of(s, it) == side)
    return at_home and any(it.has("port") for it in places_at(place))


def in_australia(place: str) -> bool:
    """Whether a ship in this place is repaired with Australian shipbuilding points (71.152C)."""
    return place == "box/australia_box" or place in home_hexes("australia")


def american_yard(s: State, place: str, side: str) -> bool:
    """Whether the U.S., which builds ships in the boxes that are its home, is on this side (R-2630)."""
    return "usa" in YARDS.get(place, ()) and side_of(s, "usa") == side


def repaired_abroad(s: State, nation: str, unit: str, place: str) -> bool:
    """Whether a damaged ship may be in a shipyard of its faction, a Dutch one too (R-1960)."""
    return nation not in powers() and is_damaged(unit) and may_repair_at(s, nation, place)


SHIPS = ("cruiser", "battlecruiser")


def _change(p: Proceedings, nation: str, unit: str, to: str, at: At, count: int, memo: str) -> None:
    """Counters are turned over: so many of one name leave, and as many of the other come."""
    p.do(UnitsMoved(nation, unit, count, at, OUT_OF_PLAY, memo))
    p.do(UnitsMoved(nation, to, count, OUT_OF_PLAY, at, memo))


@order("84.47D", "Ships of a minor country are damaged", on=ReportDamage, also=("85.483",))
def report_damage(p: Proceedings, cmd: ReportDamage) -> None:
    _change(p, cmd.nation, cmd.ship, damaged(cmd.ship), At(cmd.at), cmd.count, f"{cmd.ship} damaged")


@limit("84.47D", on=ReportDamage)
def damaged_ships_are_there(s: State, cmd: ReportDamage) -> Bound | str:
    """Damage is kept for the ships of minor countries, which these rules repair; no more than lie in the place."""
    if cmd.nation in powers():
        return f"what becomes of {called(cmd.nation)}'s damaged ships is told in chapters that are played outside"
    there = standing_at(s, cmd.nation, cmd.at, cmd.ship)
    return Bound("count", most=there, text=f"undamaged ships of {called(cmd.nation)} there")


@order("84.47D", on=Repair, phases=("unit construction",), also=("85.483",))
def repair(p: Proceedings, cmd: Repair) -> None:
    """A damaged ship is repaired, and paid for by the power that leads its country."""
    _change(p, cmd.country, damaged(cmd.ship), cmd.ship, At(cmd.at), 1, f"{cmd.ship} repaired")
    if in_australia(cmd.at):
        p.do(Happened(Happening(p.s.moment, "repairs", "australia", -1)), "71.152C")
    if cmd.brp:
        move_brps(p, cmd.power, -cmd.brp, f"{called(cmd.country)}: {cmd.ship} repaired", Sink("brp", "repair"))
        p.do(Happened(Happening(p.s.moment, "spent", cmd.power, cmd.brp)))


@opening("84.47D", "Countries with damaged ships", on=Repair)
def ships_to_repair(s: State, cmd: Repair) -> Choice:
    nations = {it.nation for ship in SHIPS for it in s.pieces.of_type(damaged(ship))}
    return Choice("country", tuple(sorted(nations)), "no ship of a minor country is damaged")


@opening("84.47D", "Minor countries with ships that can be damaged", on=ReportDamage)
def ships_to_damage(s: State, cmd: ReportDamage) -> Choice:
    nations = {it.nation for ship in SHIPS for it in s.pieces.of_type(ship)} - set(powers())
    return Choice("nation", tuple(sorted(nations)), "no minor country has such ships on the boards")


@limit("84.47D", "Only a damaged ship is repaired, in the place in which it lies", on=Repair)
def ship_is_damaged(s: State, cmd: Repair) -> str | None:
    there = standing_at(s, cmd.country, cmd.at, damaged(cmd.ship))
    return None if there else f"no damaged {cmd.ship} of {called(cmd.country)} at {place_called(cmd.at)}"


@limit("39.11", "Repairs are paid from what may be spent", on=Repair, when=lambda s, cmd: cmd.brp > 0)
def repair_within_means(s: State, cmd: Repair) -> Bound:
    return Bound("brp", most=spendable(s, cmd.power), text="what the power may spend")


@limit("84.47D", on=Repair, also=("85.483",), by=lambda s, cmd: _repaired_by(s, cmd.country))
def repaired_in_shipyard(s: State, cmd: Repair) -> str | None:
    """Ships of minor countries that are bound to a power are repaired in a shipyard of their faction."""
    if cmd.country in powers() or status_of(s, cmd.country) not in (*BOUND, "commonwealth"):
        return f"{called(cmd.country)} is bound to no power; its repairs are played outside"
    yard = may_repair_at(s, cmd.country, cmd.at)
    return None if yard else f"{place_called(cmd.at)} is no shipyard that the faction of {called(cmd.country)} controls"
