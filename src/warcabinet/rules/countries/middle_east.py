"""The Middle East, Arabia and Iraq: what belongs to them, how one gets there by sea, who may enter (88.1, 88.36, 88.5,
88.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from warcabinet.board.maps import by_key
from warcabinet.kernel.why import note
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import DeclareWar, MoveUnits
from warcabinet.model.names import powers
from warcabinet.model.places import board_of, holder, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.diplomacy import declaration_cost
from warcabinet.rules.common.pieces import controlled_for, faction, patron, side_of
from warcabinet.rules.common.supply_by_land import unlimited_sources
from warcabinet.rules.common.ways import BY_SEA, NR, marches, redeploys_by_sea
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.attack import declaration_unnecessary, may_attack_country
from warcabinet.rules.minors.conquest import captor
from warcabinet.rules.minors.geography import admits, land, power_area

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


@value("88.21", displaces=declaration_cost, when=lambda s, power, target: target == "arabia")
def arabian_declaration(s: State, power: str, target: str) -> int:
    """A declaration of war on Arabia costs 10 BRPs."""
    return 10


@definition("88.21", displaces=captor, when=lambda s, country: country == "arabia")
def arabian_captor(s: State, country: str) -> str:
    """Arabia is conquered by whoever controls Kaf and Jauf."""
    return captor.general(s, country)


@tells_of("arabia")
def arabian_page(s: State) -> Iterator[Told]:
    standing = s.countries["arabia"]
    if standing.status == "neutral":
        yield Told("88.21", "closed to both sides until war is declared on it, for 10 BRPs; it falls with Kaf and Jauf")
    elif standing.status == "conquered" and not standing.by:
        yield Told("88.21", "in the hands of partisans, and closed to both sides until war is declared on it")
    elif standing.status != "conquered":
        inside = ", ".join(powers()[it].name for it in powers() if admits(s, it, "arabia"))
        yield Told("88.21", f"open to {inside}; it falls with Kaf and Jauf")


MOSUL = place_key("Mosul")


@value("88.52", adds_to=unlimited_sources, when=lambda s, side: side == WEST and controlled_for(s, BASRA, WEST))
def supplied_through_basra(s: State, side: str) -> tuple[str, ...]:
    """The Western Allies trace sea supply through the Indian Ocean to Basra."""
    return (BASRA,)


@value("88.53", "How many oil effects an oil center offsets, as far as these chapters say: Mosul three")
def oil_effects_offset(s: State, place: str) -> int:
    return 3 if place_key(place) == MOSUL else 0


def axis_fights_usa(s: State) -> bool:
    """Whether the Axis are at war with the U.S.: one of them is enough."""
    return any(at_war(s, it, "usa") for it in powers() if faction(s, it) == AXIS)


@definition(
    "88.55",
    displaces=may_attack_country,
    when=lambda s, power, country: country == "iraq" and faction(s, power) == AXIS,
)
def axis_may_enter_iraq(s: State, power: str, country: str) -> bool:
    # Whether a peace was reported as well makes no difference: the surrender decides.
    """The Axis enter Iraq without a declaration of war on it; after a British surrender they must fight the U.S."""
    if s.powers["britain"].surrendered:
        note("british_surrender", "88.55", True, "iraq")
        return axis_fights_usa(s)
    # Iraq is British all the same: who is at peace with Britain has no quarrel there (R-0410).
    return at_war(s, power, "britain")


@definition(
    "88.55",
    displaces=power_area,
    when=lambda s, nation, place: (
        land(place)[0] == "iraq"
        and nation in powers()
        and faction(s, nation) == AXIS
        and s.powers["britain"].surrendered
        and faction(s, holder(s, place)) != AXIS
        and not admits(s, nation, "iraq")
    ),
)
def iraq_closed(s: State, nation: str, place: str) -> bool:
    """After a British surrender what is not Axis of Iraq is closed to the Axis until they are at war with the U.S."""
    note("closed", "88.55", True, "iraq")
    return False


def _why_closed(s: State) -> str:
    if s.powers["britain"].surrendered:
        return "Britain has surrendered: without war with the U.S. the Axis stay out of Iraq"
    return "Iraq is a British colony, and Britain is not an enemy"


def _axis(s: State, nation: str) -> bool:
    return side_of(s, nation) == AXIS


@limit(
    "88.55",
    on=DeclareWar,
    displaces=declaration_unnecessary,
    when=lambda s, cmd: "iraq" in (cmd.on or ()) and faction(s, cmd.power) == AXIS,
)
def no_declaration_on_iraq(s: State, cmd: DeclareWar) -> str | None:
    """No declaration of war is made on Iraq."""
    return "the Axis enter Iraq without a declaration of war on it"


@tells_of("iraq")
def iraqi_page(s: State) -> Iterator[Told]:
    open_ = "may" if admits(s, "germany", "iraq") else "may not"
    yield Told("88.55", f"Germany {open_} enter it now; no declaration of war on it is needed")
    if s.powers["britain"].surrendered and not axis_fights_usa(s):
        yield Told("88.55", "the Axis may enter it once Germany has declared war on the U.S.")
    elif not s.powers["britain"].surrendered:
        yield Told("88.55", "after a British surrender the Axis enter it only at war with the U.S.")
    yield Told("88.52", "Baghdad is a limited supply source for who controls it; the West is supplied by sea at Basra")
    yield Told("88.53", f"Mosul offsets {oil_effects_offset(s, 'Mosul')} oil effects")
    yield Told("88.54", "Basra is joined by sea to Suez, Abadan, Ethiopia, South Africa, India and Australia")
