"""The Middle East: what belongs to it, and how one gets there by sea (88.1, 88.36, 88.54)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from warcabinet.board.maps import by_key
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.places import board_of, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import BY_SEA, NR
from warcabinet.rules.common.pieces import patron, side_of
from warcabinet.rules.common.straits import marches, redeploys_by_sea
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition

AXIS, WEST = "axis", "western allies"

SUEZ, PORT_SAID, BASRA, ABADAN = map(place_key, ("Suez", "Port Said", "Basra", "Abadan"))
ETHIOPIA = "box/ethiopia"
INDIAN_OCEAN = "box/indian_ocean_sw"
INDIA, AUSTRALIA, SOUTH_AFRICA = "box/india_box", "box/australia_box", "box/south_africa"
BOXES = (SOUTH_AFRICA, INDIA, AUSTRALIA, ETHIOPIA)
#: Boxes beyond the canal, seen from the Mediterranean. South Africa is reached through the Atlantic as well.
BEYOND = (INDIA, AUSTRALIA, ETHIOPIA)
#: Waters that the canal alone joins to the other seas of the board.
EASTERN_WATERS = {"red_sea", "persian_gulf"}

PARTS = {
    "88.11A": ("arabia",),
    "88.11B": ("egypt",),
    "88.11C": ("ethiopia",),
    "88.11D": ("iraq", "kuwait", "lebanon_syria", "palestine", "transjordan"),
    "88.11E": ("persia",),
}
_LANDS = {country for members in PARTS.values() for country in members}


@definition("88.11", "Whether a country is part of the Middle East", covers=tuple(PARTS))
def in_middle_east(s: State, country: str) -> bool:
    for clause, members in PARTS.items():
        if country in members:
            note("part_of_it", clause, members, country)
            return True
    return False


def mediterranean(place: str) -> bool:
    """Whether ships there are in the Mediterranean, or in the Black Sea behind it."""
    return not place.startswith("box/") and bool({"mediterranean_sea", "black_sea"} & set(by_key(place).seas))


def mediterranean_shore(place: str) -> bool:
    """Whether a place lies on the Mediterranean itself, not only on the Black Sea behind it."""
    return mediterranean(place) and "mediterranean_sea" in by_key(place).seas


def eastern_waters(place: str) -> bool:
    """Whether a hex lies on the Red Sea or the Persian Gulf."""
    return place.startswith("europe/") and bool(EASTERN_WATERS & set(by_key(place).seas))


def in_its_lands(place: str) -> bool:
    """Whether a hex lies in a country of the Middle East."""
    return place.startswith("europe/") and by_key(place).country in _LANDS


def beyond_canal(place: str) -> bool:
    """Whether a place lies behind the canal, seen from the Mediterranean: in the east of the board, or off it."""
    return place in BEYOND or eastern_waters(place) or place.startswith("pacific/")


def _needs_canal(here: str, there: str) -> bool:
    if not here.startswith("europe/"):
        return False
    seas, far_off = set(by_key(here).seas), there == INDIAN_OCEAN
    # Gibraltar and Tangier lie on the Atlantic as well, and so on the ways through Panama and round Africa.
    if mediterranean(here) and not ("atlantic" in seas and (far_off or there.startswith("pacific/"))):
        return far_off or beyond_canal(there)
    # From an inland city such as London troops sail from a port of its side of the canal.
    inland = not seas and not in_its_lands(here)
    return (inland or bool(seas - EASTERN_WATERS)) and eastern_waters(there)


@lru_cache(maxsize=4096)
def leads_through_canal(one: str, other: str) -> bool:
    """Whether the way by sea between two places leads through the canal."""
    return _needs_canal(one, other) or _needs_canal(other, one)


class Sailing(NamedTuple):
    """Units of one kind that go from one place to another, and how."""

    nation: str
    unit: str
    origin: str
    to: str
    how: str

    @property
    def branch(self) -> str:
        return parse_unit(self.unit)[0].branch

    @property
    def by_sea(self) -> bool:
        return self.branch == "naval" or self.how in BY_SEA

    @property
    def ends(self) -> tuple[str, str]:
        return self.origin, self.to

    @property
    def through_canal(self) -> bool:
        """Whether it passes the Suez canal: the way round Africa leads through boxes, where units stop (88.36)."""
        return leads_through_canal(self.origin, self.to) and self.by_sea

    def other_end(self, place: str) -> str:
        return self.to if self.origin == place else self.origin


def ends(cmd: MoveUnits | ReportMove) -> tuple[str, str]:
    """Whence and whither an order or report says that units go."""
    return place_key(cmd.from_ if isinstance(cmd, MoveUnits) else cmd.origin), place_key(cmd.to)


def sailings(s: State, cmd: MoveUnits | ReportMove) -> tuple[Sailing, ...]:
    """What an order or report says of units that go somewhere, kind by kind."""
    if isinstance(cmd, MoveUnits):
        how = NR if redeploys_by_sea(s, cmd) else cmd.how
        return (_meant(s, Sailing(cmd.nation, cmd.unit, *ends(cmd), how)),)
    origin, to = ends(cmd)
    return tuple(_meant(s, Sailing(cmd.power, unit, origin, to, "")) for unit in counted(cmd.units))


def _meant(s: State, it: Sailing) -> Sailing:
    """What an order or report must mean, however it is called: to the other board by sea, past the canal if need be."""
    if {board_of(end) for end in it.ends} == {"europe", "pacific"} and not _by_siberia(s, it):
        return it._replace(how=NR)
    return _carried(s, it)


def _by_siberia(s: State, it: Sailing) -> bool:
    """Whether units go from one board to the other by land: Russian ones do."""
    return side_of(s, it.nation) == "russia" and it.branch != "naval"


def _carried(s: State, it: Sailing) -> Sailing:
    """Troops that are to go past the canal over land, where none leads there, go by sea, however it is called."""
    at_sea = it._replace(how=NR)
    if it.by_sea or it.branch != "ground" or not at_sea.through_canal or _by_siberia(s, it):
        return it
    return it if marches(s, patron(s, it.nation) or it.nation, it.origin, it.to) else at_sea


def of_side(s: State, nation: str, side: str) -> bool:
    return side_of(s, nation) == side


@tells_of(*(country for members in PARTS.values() for country in members))
def middle_east_page(s: State) -> Iterator[Told]:
    yield Told("88.11", "part of the Middle East")
