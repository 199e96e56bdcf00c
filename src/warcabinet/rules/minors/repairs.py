"""Shipyards of minor countries: building and repair, where, by whom, and at whose cost (84.47D, 85.483)."""

from __future__ import annotations

from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.minors import MoveUnits, Rebuild, Repair, ReportDamage
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import OUT_OF_PLAY, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import damaged, is_damaged
from warcabinet.rules.common.books import move_brps, out_of_the_economy
from warcabinet.rules.common.pieces import BOUND, friendly, patron, side_of, standing_at
from warcabinet.rules.economy.force_pools import HOME_BOXES
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, limit, opening, order
from warcabinet.rules.minors.building import status_of

#: Boxes in which ships are built and repaired (70.15B, 71.152C).
SHIPBUILDING_BOXES = ("box/atlantic_us", "box/australia_box")


@definition("84.47D", covers=("85.483",))
def may_repair_at(s: State, nation: str, place: str) -> bool:
    """A damaged ship of a minor country may be repaired in a shipyard of its faction."""
    allied = nation in countries() and s.countries[nation].status == "allied"
    note("ship_repair", "85.483" if allied else "84.47D", True, nation)
    key, side = place_key(place), side_of(s, nation)
    # Boxes in which ships are built are never lost to the enemy.
    return is_shipyard(s, key, side) and (key.startswith("box/") or friendly(s, key, side))


@definition("84.47D", "A port at home of a power of the faction, or a box in which ships are built (R-0426)")
def is_shipyard(s: State, place: str, side: str) -> bool:
    if place.startswith("box/"):
        return american_yard(s, place, side) or (place in SHIPBUILDING_BOXES and side_of(s, "britain") == side)
    at_home = any(place in home_hexes(power) for power in powers() if side_of(s, power) == side)
    return at_home and any(it.has("port") for it in places_at(place))


@definition("84.47D")
def american_yard(s: State, place: str, side: str) -> bool:
    """The U.S. builds ships in the boxes that are its home: its shipyards are there beside Canada's (R-2630)."""
    return place in HOME_BOXES["usa"] and side_of(s, "usa") == side


def goes_to_shipyard(s: State, cmd: MoveUnits) -> bool:
    """Whether a damaged ship changes its base to a shipyard of its faction, outside its own areas though it lies."""
    return repaired_abroad(s, cmd.nation, cmd.unit, cmd.to)


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
    _change(p, cmd.nation, cmd.ship, damaged(cmd.ship), At(place_key(cmd.at)), cmd.count, f"{cmd.ship} damaged")


@limit("84.47D", "Damage is kept for the ships of minor countries, which these rules repair", on=ReportDamage)
def damage_to_minors(s: State, cmd: ReportDamage) -> str | None:
    if cmd.nation not in powers():
        return None
    return f"what becomes of {powers()[cmd.nation].name}'s damaged ships is told in chapters that are played outside"


@limit("84.47D", "No more ships are damaged than lie in the place", on=ReportDamage)
def damaged_ships_are_there(s: State, cmd: ReportDamage) -> Bound:
    there = standing_at(s, cmd.nation, place_key(cmd.at), cmd.ship)
    return Bound("count", most=there, text=f"undamaged ships of {called(cmd.nation)} there")


@order("84.47D", on=Repair, phases=("unit construction",), also=("85.483",))
def repair(p: Proceedings, cmd: Repair) -> None:
    """A damaged ship is repaired, and paid for by the power that leads its country."""
    _change(p, cmd.country, damaged(cmd.ship), cmd.ship, At(place_key(cmd.at)), 1, f"{cmd.ship} repaired")
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
    there = standing_at(s, cmd.country, place_key(cmd.at), damaged(cmd.ship))
    return None if there else f"no damaged {cmd.ship} of {called(cmd.country)} at {cmd.at}"


@limit("84.45C", "The power that leads a country has its ships repaired, and pays", on=Repair)
def repaired_by_leader(s: State, cmd: Repair) -> str | None:
    leader = patron(s, cmd.country)
    if leader == cmd.power:
        return None
    return f"{powers()[leader].name} has its ships repaired" if leader else f"{called(cmd.country)} stands with nobody"


@limit("83.43", on=(Rebuild, Repair), when=lambda s, cmd: s.powers[cmd.power].surrendered)
def surrendered_power_builds_nothing(s: State, cmd: Rebuild | Repair) -> str | None:
    # A country that fights alone only has its units built in the turn of the power to which it looks (82.83A).
    """A power that has surrendered has nothing of its countries rebuilt or repaired (R-0443)."""
    if not out_of_the_economy(s, cmd.power) or patron(s, cmd.country) != cmd.power:
        return None
    return f"{powers()[cmd.power].name} has surrendered"


@limit("39.11", "Repairs are paid from what may be spent", on=Repair, when=lambda s, cmd: cmd.brp > 0)
def repair_within_means(s: State, cmd: Repair) -> Bound:
    return Bound("brp", most=spendable(s, cmd.power), text="what the power may spend")


def _yard(s: State, cmd: Repair) -> str | None:
    if may_repair_at(s, cmd.country, cmd.at):
        return None
    return f"{cmd.at} is no shipyard that the faction of {called(cmd.country)} controls"


@limit(
    "84.47D", on=Repair, when=lambda s, cmd: cmd.country not in powers() and status_of(s, cmd.country) == "associated"
)
def repaired_in_shipyard(s: State, cmd: Repair) -> str | None:
    """Ships of an associated country are repaired in a shipyard of its faction."""
    return _yard(s, cmd)


@limit("85.483", on=Repair, when=lambda s, cmd: cmd.country not in powers() and status_of(s, cmd.country) == "allied")
def ally_repaired_in_shipyard(s: State, cmd: Repair) -> str | None:
    """Ships of a minor ally are repaired in a shipyard of its faction."""
    return _yard(s, cmd)


@limit("84.47D", on=Repair, when=lambda s, cmd: cmd.country in powers() or status_of(s, cmd.country) not in BOUND)
def repairs_of_associates(s: State, cmd: Repair) -> str:
    """Only ships of associates and minor allies are repaired by these rules."""
    return f"{called(cmd.country)} is neither an associate nor a minor ally; its repairs are played outside"
