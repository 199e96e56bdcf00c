"""Voyages: what an order, a reported move or an operation says of units that go by sea, and what they pass: straits,
and the Suez canal with the waters beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from warcabinet.board.maps import by_key
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.places import Place, board_of, place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import ANY_UNIT, Unit, unit_branch
from warcabinet.rules.common import ways
from warcabinet.rules.common.pieces import patron, side_of
from warcabinet.rules.common.waiting import goal_of, origin_of
from warcabinet.rules.minors.operations import activity_of, sails

Sailed = MoveUnits | ReportMove | ReportOperation
EVERY_VOYAGE: tuple[type[Sailed], ...] = (MoveUnits, ReportMove, ReportOperation)


class Voyage(NamedTuple):
    """Units of a nation on their way, of one kind if it is said; raiders and others that name no place have an end
    open.
    """

    nation: str
    unit: Unit
    origin: Place
    to: Place
    how: str = ""
    redeployed: bool = False
    through: str = ""
    #: How it is found out whether a strait lies between: troops that are reported elsewhere may have marched.
    past: ways.Past = ways.must_pass

    @property
    def named(self) -> tuple[str, str]:
        """Its ends as people call them."""
        return place_called(self.origin) if self.origin else "", place_called(self.to) if self.to else ""

    @property
    def ends(self) -> tuple[Place, Place]:
        return self.origin, self.to

    @property
    def branch(self) -> str:
        return unit_branch(self.unit)

    @property
    def by_sea(self) -> bool:
        return self.branch == "naval" or self.how in ways.BY_SEA

    @property
    def through_canal(self) -> bool:
        """Whether it passes the Suez canal: the way round Africa leads through boxes, where units stop (88.36)."""
        return leads_through_canal(self.origin, self.to) and self.by_sea

    def other_end(self, place: Place) -> Place:
        return self.to if self.origin == place else self.origin


#: Ways of moving by which units may go by sea, whether or not their words say so.
MAY_SAIL = frozenset((*ways.BY_SEA, *ways.OVERLAND))


def voyages(s: State, cmd: Sailed) -> tuple[Voyage, ...]:
    """What a command says of units that go by sea."""
    if isinstance(cmd, MoveUnits):
        return _ordered(s, cmd)
    if isinstance(cmd, ReportMove):
        return tuple(_reported(s, cmd))
    if cmd.branch == "naval" or (cmd.origin and cmd.at and sails(cmd)):
        return (Voyage(cmd.nation, ANY_UNIT, cmd.origin, cmd.at, activity_of(cmd), through=cmd.through),)
    return ()


def _ordered(s: State, cmd: MoveUnits) -> tuple[Voyage, ...]:
    said = Voyage(cmd.nation, cmd.unit, cmd.from_, cmd.to, cmd.how, through=cmd.through)
    if said.branch != "naval" and cmd.how not in MAY_SAIL:
        return ()
    redeployed = cmd.how == ways.NR or ways.redeployed_by_sea(s, said.nation, said.branch, said.how, *said.ends)
    flown = (said.branch, said.how) == ("air", "base change")
    return (said._replace(redeployed=redeployed),) if redeployed or (said.by_sea and not flown) else ()


def _reported(s: State, cmd: ReportMove) -> Iterator[Voyage]:
    """Ships first, then troops; aircraft fly."""
    branches = {unit_branch(unit) for unit in counted(cmd.units)}
    redeployed = s.place.step.name == "redeployment"
    said = Voyage(cmd.power, ANY_UNIT, cmd.origin, cmd.to, redeployed=redeployed)
    if "naval" in branches:
        yield said
    if "ground" in branches:
        yield said._replace(past=ways.carried_past)


class Strait(NamedTuple):
    """Waters that some do not pass: by which clause, on which voyages, and what keeps these back."""

    clause: str
    passes: Callable[[State, Voyage], bool]
    shuts: Callable[[State, Voyage], Bound | str | None]


STRAITS: list[Strait] = []


def strait(
    clause: str, *, passes: Callable[[State, Voyage], bool]
) -> Callable[[Callable[[State, Voyage], Bound | str | None]], None]:
    """Write down what keeps a strait from those who would pass it; its clause stands with `straits_are_open`."""
    return lambda shuts: STRAITS.append(Strait(clause, passes, shuts))


# -- the waters of the Middle East, and what passes the Suez canal ------------------------------------------------

AXIS, WEST = "axis", "western allies"

SUEZ, PORT_SAID, BASRA, ABADAN = map(place_key, ("Suez", "Port Said", "Basra", "Abadan"))
ETHIOPIA = Place("box/ethiopia")
INDIAN_OCEAN = "box/indian_ocean_sw"
INDIA, AUSTRALIA, SOUTH_AFRICA = "box/india_box", "box/australia_box", "box/south_africa"
BOXES = (SOUTH_AFRICA, INDIA, AUSTRALIA, ETHIOPIA)
#: Boxes beyond the canal, seen from the Mediterranean. South Africa is reached through the Atlantic as well.
BEYOND = (INDIA, AUSTRALIA, ETHIOPIA)
#: Waters that the canal alone joins to the other seas of the board.
EASTERN_WATERS = {"red_sea", "persian_gulf"}
#: The countries of the Middle East, by clause.
PARTS = {
    "88.11A": ("arabia",),
    "88.11B": ("egypt",),
    "88.11C": ("ethiopia",),
    "88.11D": ("iraq", "kuwait", "lebanon_syria", "palestine", "transjordan"),
    "88.11E": ("persia",),
}
LANDS = {country for members in PARTS.values() for country in members}


@lasting
def mediterranean(place: Place) -> bool:
    """Whether ships there are in the Mediterranean, or in the Black Sea behind it."""
    return not place.startswith("box/") and bool({"mediterranean_sea", "black_sea"} & set(by_key(place).seas))


def mediterranean_shore(place: Place) -> bool:
    """Whether a place lies on the Mediterranean itself, not only on the Black Sea behind it."""
    return mediterranean(place) and "mediterranean_sea" in by_key(place).seas


@lasting
def eastern_waters(place: Place) -> bool:
    """Whether a hex lies on the Red Sea or the Persian Gulf."""
    return place.startswith("europe/") and bool(EASTERN_WATERS & set(by_key(place).seas))


def in_its_lands(place: Place) -> bool:
    """Whether a hex lies in a country of the Middle East."""
    return place.startswith("europe/") and by_key(place).country in LANDS


def beyond_canal(place: Place) -> bool:
    """Whether a place lies behind the canal, seen from the Mediterranean: in the east of the board, or off it."""
    return place in BEYOND or eastern_waters(place) or place.startswith("pacific/")


class Waters(NamedTuple):
    """Where a place lies, seen from the canal: on which seas, west of it on other ones or inland, beyond it, or far."""

    mediterranean: bool
    atlantic: bool
    western: bool
    eastern: bool
    beyond: bool
    far: bool


@lasting
def _waters(place: Place) -> Waters:
    europe = place.startswith("europe/")
    seas = set(by_key(place).seas) if europe else set()
    # From an inland city such as London troops sail from a port of its side of the canal.
    inland = europe and not seas and not in_its_lands(place)
    far = place == INDIAN_OCEAN or place.startswith("pacific/")
    western, eastern = inland or bool(seas - EASTERN_WATERS), eastern_waters(place)
    return Waters(europe and mediterranean(place), "atlantic" in seas, western, eastern, beyond_canal(place), far)


def _needs_canal(here: Waters, there: Waters) -> bool:
    # Gibraltar and Tangier lie on the Atlantic as well, and so on the ways through Panama and round Africa.
    if here.mediterranean and not (here.atlantic and there.far):
        return there.far or there.beyond
    return here.western and there.eastern


def leads_through_canal(one: Place, other: Place) -> bool:
    """Whether the way by sea between two places leads through the canal."""
    here, there = _waters(one), _waters(other)
    return _needs_canal(here, there) or _needs_canal(there, here)


def ends(cmd: Sailed) -> tuple[Place, Place]:
    """Whence and whither an order or report says that units go; of an operation one may be left open."""
    if isinstance(cmd, ReportOperation):
        return cmd.origin, cmd.at
    return origin_of(cmd), goal_of(cmd)


def sailings(s: State, cmd: Sailed) -> tuple[Voyage, ...]:
    """What an order or report says of units that go somewhere, kind by kind; of an operation what sails."""
    origin, to = ends(cmd)
    if isinstance(cmd, ReportOperation):
        return (Voyage(cmd.nation, Unit("destroyer"), origin, to),) if origin and to and sails(cmd) else ()
    if isinstance(cmd, MoveUnits):
        how = ways.NR if ways.redeploys_by_sea(s, cmd) else cmd.how
        return (_meant(s, Voyage(cmd.nation, cmd.unit, origin, to, how)),)
    return tuple(_meant(s, Voyage(cmd.power, unit, origin, to)) for unit in counted(cmd.units))


def _meant(s: State, it: Voyage) -> Voyage:
    """What an order or report must mean, however it is called: to the other board, or past the canal where no land
    leads there, troops go by sea; Russians have a way by land.
    """
    if side_of(s, it.nation) == "russia" and it.branch != "naval":
        return it
    at_sea = it._replace(how=ways.NR)
    if {board_of(end) for end in it.ends} == {"europe", "pacific"}:
        return at_sea
    if it.by_sea or it.branch != "ground" or not at_sea.through_canal:
        return it
    return it if ways.marches(s, patron(s, it.nation) or it.nation, it.origin, it.to) else at_sea
