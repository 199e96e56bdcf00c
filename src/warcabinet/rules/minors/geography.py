"""Geography of the boards as chapters 82 to 85 ask for it: land and fronts, and sets of places open to a country."""

from __future__ import annotations

from collections.abc import Callable

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import both, by_key
from warcabinet.board.names import areas as board_areas
from warcabinet.board.names import places_at
from warcabinet.kernel.kept import lasting
from warcabinet.model.names import countries
from warcabinet.model.places import Place, holder
from warcabinet.model.state import State
from warcabinet.model.traits import PARTS, home_hexes
from warcabinet.model.units import Unit, unit_branch
from warcabinet.rules.common.pieces import neighbours

CHINESE = ("china", "communist_china")


@lasting
def land(place: Place) -> tuple[str, str]:
    """The country and region of a hex; a box has neither."""
    if place.startswith("box/"):
        return "", ""
    at = by_key(place)
    return at.country, at.region


def country_now(s: State, place: Place) -> str:
    """The country in which a place lies; in China that is Communist China where it holds the place (79.21)."""
    lies_in = land(place)[0]
    if lies_in not in CHINESE:
        return lies_in
    return "communist_china" if holder(s, place) == "communist_china" else "china"


@lasting
def closed_to_all(place: Place) -> bool:
    """Whether a place lies in Switzerland, on which nobody declares war: no unit of any side enters it."""
    return not place.startswith("box/") and by_key(place).is_closed


def has_port(place: Place) -> bool:
    """Ships stand in ports, and in boxes."""
    return place.startswith("box/") or any(it.has("port") for it in places_at(place))


def stranded(unit: Unit, at: Place) -> bool:
    """Whether a ship would be where no port is."""
    return unit_branch(unit) == "naval" and not has_port(at)


def fronts(place: Place) -> tuple[str, ...]:
    return () if place.startswith("box/") else by_key(place).fronts


def european(nation: str) -> bool:
    return nation in countries() and countries()[nation].theater == "europe"


def at_home(nation: str, place: Place) -> bool:
    return place in home_hexes(nation)


def part_fallen(s: State, place: Place) -> bool:
    """Whether a place lies in Bessarabia or the Finnish border hexes, and these have been conquered by themselves."""
    region = land(place)[1]
    return region in PARTS and s.countries[region].status == "conquered"


# -- sets of places -----------------------------------------------------------------------------------------------

Places = frozenset[str]


@lasting
def group(name: str) -> Places:
    return frozenset(board_areas()[name].keys)


def those(of: Callable[[Place], bool]) -> Places:
    everywhere = (*(it.key for board in both() for it in board), *(Place(f"box/{it}") for it in boxes()))
    return frozenset(key for key in everywhere if of(key))


def country(*names: str) -> Places:
    return those(lambda key: land(key)[0] in names)


def region(name: str) -> Places:
    return those(lambda key: land(key)[1] == name)


def front(*names: str) -> Places:
    return those(lambda key: not set(names).isdisjoint(fronts(key)))


def beside(places: Places) -> Places:
    return frozenset(it for key in places for it in neighbours(key))
