"""Shipyards: where a minor country's damaged ships are repaired, and may go for it (84.47D, 85.461, 85.483)."""

from __future__ import annotations

from warcabinet.board.names import places_at
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import countries, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import is_damaged
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.economy.construction import HOME_BOXES
from warcabinet.rules.kinds import definition

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
