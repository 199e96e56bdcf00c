"""What may have happened this turn or year, by kind: rules look for it under these names, and positions set it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar, TypeVar

import msgspec

from warcabinet.board.boxes import box
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.model.events import Happened
from warcabinet.model.keys import Place, Unit
from warcabinet.model.names import OCEANS, TRACKS, among, areas, countries, nation_named, power_named, powers, spelled
from warcabinet.model.state import FrameKind, Happening, State, happened, total


class Kind(msgspec.Struct, frozen=True):
    """One kind of happening: how it is written (`<power>` and the like stand for a name), and what it is about."""

    name: str
    about: str
    text: str

    @property
    def pattern(self) -> str:
        return re.sub(r"<[^>]*>", r"(.+)", self.name)


KINDS = (
    Kind("bombed", "area or power", "BRPs lost to bombing, flying bombs or rockets"),
    Kind("hit by rockets", "area or power", "of those BRPs, what rockets cost"),
    Kind("lost beside its box", "country", "BRPs that enemy ground factors beside its box cost Britain"),
    Kind("spent", "power", "BRPs spent"),
    Kind("constructed", "power", "BRPs used for unit construction"),
    Kind("deferred", "power", "BRPs of units deferred from a mobilization"),
    Kind("mobilized army air", "power", "army air factors mobilized"),
    Kind("mobilized on tension", "power", "mobilized because tension called for it"),
    Kind("shipbuilding", "shipyard", "shipbuilding increases, such as `usa pacific`"),
    Kind("ic raised", "area or power", "times that an industrial center (or all of Russia's) rose"),
    Kind("war to be declared", "power", "the U.S. mobilized for a war on it that it declares in the same player turn"),
    Kind("japan attacks", "power", "Japan attacked it"),
    Kind("effective level reported", "track", "an effective tension level was given by the players"),
    Kind("stood before at", "track", "the level that a track stood at before it was moved"),
    Kind("attacked", "country", "war was declared on it"),
    Kind("inside <country>", "units", "units that stood in it as its power declared war on it: `germany infantry 3-3`"),
    Kind("set up anew", "nation", "its forces were set up after a border war, for the first time or again"),
    Kind("associated by survival", "country", "survived the first turn of attack and joined a power"),
    Kind("infantry factors added", "country", "infantry factors that production added to its force pool"),
    Kind("joined", "country", "became an associate or ally whose units must be placed"),
    Kind("activated", "country", "became a minor ally"),
    Kind("switched", "country", "changed sides"),
    Kind("turned", "country", "a diplomatic result turned it against those inside"),
    Kind("diplomatic result", "country", "the result that was reported"),
    Kind("eliminated by <power>", "units", "units of a kind that the power eliminated, such as `japan infantry 1-2`"),
    Kind("fell with its forces", "country", "was conquered for the first time, with forces of its own"),
    Kind("fell alone", "country", "was conquered while it stood with no power"),
    Kind("passed on by <power>", "place", "a partner took it, and the senior one has it for its part in the taking"),
    Kind("taken by <power>", "area", "the power took it"),
    Kind("lost by <power>", "area", "BRPs a year that the power lost for it, because it was not retaken"),
    Kind("took part by <how>", "participation", "the power took part in the taking of an area, such as `italy greece`"),
    Kind("rebuilt any <branch>", "power", "minor country units rebuilt by the power"),
    Kind("rebuilt <branch>", "nation", "units of the country rebuilt"),
    Kind("granted", "grant", "BRPs granted by one power to another, such as `britain russia`"),
    Kind("grant received", "grant", "BRPs of a grant that arrived"),
    Kind("grant returned", "grant", "BRPs of a grant that came back to its grantor"),
    Kind("granted for construction", "participation", "BRPs granted to the Commonwealth, such as `usa australia`"),
    Kind("construction grant returned", "participation", "BRPs of such a grant that no construction used"),
    Kind("repairs", "country", "Australian shipbuilding points paid for repairs, less ships repaired with them"),
    Kind("shipbuilding used", "country", "shipbuilding points of a Commonwealth country that were used"),
    Kind("transports used", "ocean", "transports of an ocean that carry grants"),
    Kind("supplied by sea from <country>", "place", "a port to which a sea supply line runs from the country's box"),
    Kind(
        "carried between boxes",
        "boxes",
        "BRPs carried between two boxes and for whom: `atlantic_us south_africa india`",
    ),
    Kind("sent by <route>", "power", "capacity of a route used by the power: `ports`, `hump`, `persia`"),
    Kind("oil sent by <route>", "power", "oil counters shipped by the power on a route: `persia`, `turkey`, `siberia`"),
    Kind("sent to murmansk", "power", "capacity of the Murmansk route used by the power: BRPs, and ten an oil counter"),
    Kind("oil sent to murmansk", "power", "oil counters shipped by the power"),
    Kind("oil received", "power", "oil counters that arrived"),
    Kind("partial oil lost", "power", "partial oil counters on the way to the power that were eliminated"),
    Kind("redeployment to <place>", "nation", "units redeployed into a box"),
    Kind("redeployment from <place>", "nation", "units redeployed out of a box"),
    Kind("<naval or strategic> redeployment to <place>", "nation", "units redeployed into a box, and how"),
    Kind("<naval or strategic> redeployment from <place>", "nation", "units redeployed out of a box, and how"),
    Kind("<naval or strategic> redeployment from <place> to <place>", "nation", "units redeployed between boxes"),
    Kind("redeployed into <place>", "units", "units that came into a box, such as `italy infantry 1-3`"),
    Kind("sailed from <place> to <place>", "units", "units redeployed by sea, such as `germany submarine`"),
    Kind("<attack, attrition or pass> on <front>", "nation", "what the nation chose on a front"),
    Kind("raided from <place>", "nation", "ships that raided from a port"),
    Kind("partisans built", "partisans", "partisans that rose: wafdist, arab or persian"),
    Kind("built a partisan", "country", "partisans built in the country"),
    Kind(
        "<bombing, flying bombs or rockets> on <box>", "power", "BRPs lost to it in a box, such as `bombing on urals`"
    ),
    Kind("lost beside urals", "power", "BRPs lost to enemy units beside the Urals box"),
    Kind(
        "added up at <step>", "power", "yearly BRPs gained and lost there, prorated in one sum: `end of combat phase`"
    ),
    Kind(
        "off the map", "units", "units of a country that left a place and came to no other, such as `greece army air`"
    ),
    Kind("left a place", "units", "units of a country that left a place, such as `hungary europe/S30 infantry 1-3`"),
    Kind(
        "off the map from <country>", "units", "of those, units that left a colony of their country and did not return"
    ),
    Kind("inverted", "units", "air units that are inverted, such as `germany europe/K28 army air`"),
)


def kind_named(name: str) -> Kind:
    for kind in KINDS:
        found = re.fullmatch(kind.pattern, name)
        if found:
            if kind.name.endswith("<power>"):
                power_named(found.group(1))
            return kind
    raise unknown("happening", name, [kind.name for kind in KINDS])


def _area(name: str) -> str:
    """An area by its key or its name."""
    key = spelled(name, "area")
    if key not in areas():
        raise unknown("area", name, areas())
    return key


def _area_or_power(name: str) -> str:
    return name if name in powers() else _area(name)


def _words(first: Callable[[str], object], *more: Callable[[str], object]) -> Callable[[str], str]:
    """Several names after each other, of which the later ones may be missing."""

    def check(text: str) -> str:
        for one, name in zip((first, *more), text.split(" "), strict=False):
            one(name)
        return text

    return check


def _theater(name: str) -> None:
    if name not in ("europe", "pacific"):
        raise unknown("theater", name, ("europe", "pacific"))


_KEYS: dict[str, Callable[[str], str]] = {
    "area": _area,
    "area or power": _area_or_power,
    "power": lambda name: power_named(name).power,
    "country": among("country", countries),
    "nation": nation_named,
    "track": among("track", lambda: TRACKS),
    "shipyard": _words(power_named, _theater),
    "participation": _words(power_named, _area),
    "grant": _words(power_named, power_named),
    "units": _words(nation_named),
    "partisans": among("partisans", lambda: ("wafdist", "arab", "persian")),
    "place": lambda name: name,
    "ocean": among("ocean", lambda: OCEANS),
    "boxes": _words(box, box, nation_named),
}


def happening_key(kind: str, about: object) -> str:
    """The key of a happening of this kind, from the name that someone wrote."""
    if not isinstance(about, str):
        raise WarCabinetError(f"{kind}: a name is wanted, not {about!r}")
    return _KEYS[kind_named(kind).about](about)


class Deed(msgspec.Struct, frozen=True):
    """What happened, by its fields. Under which kind and key it is kept stands in its `KEPT`, and nowhere else."""

    KEPT: ClassVar[tuple[str, str]]


class TakenBy(Deed, frozen=True):
    KEPT = ("taken by {by}", "{area}")

    by: str
    area: str


class LostBy(Deed, frozen=True):
    KEPT = ("lost by {power}", "{area}")

    power: str
    area: str


class PassedOn(Deed, frozen=True):
    KEPT = ("passed on by {by}", "{place}")

    by: str
    place: Place


class TookPart(Deed, frozen=True):
    KEPT = ("took part by {how}", "{power} {area}")

    how: str
    power: str
    area: str


class Eliminated(Deed, frozen=True):
    KEPT = ("eliminated by {by}", "{nation} {unit}")

    by: str
    nation: str
    unit: Unit


class StoodInside(Deed, frozen=True):
    KEPT = ("inside {country}", "{nation} {unit}")

    country: str
    nation: str
    unit: Unit


class WentOffMap(Deed, frozen=True):
    KEPT = ("off the map", "{nation} {unit}")

    nation: str
    unit: Unit


class LeftColony(Deed, frozen=True):
    KEPT = ("off the map from {country}", "{nation} {unit}")

    country: str
    nation: str
    unit: Unit


class LeftPlace(Deed, frozen=True):
    KEPT = ("left a place", "{nation} {place} {unit}")

    nation: str
    place: Place
    unit: Unit


class Inverted(Deed, frozen=True):
    KEPT = ("inverted", "{nation} {place} {unit}")

    nation: str
    place: Place
    unit: Unit


class WentBySea(Deed, frozen=True):
    KEPT = ("sailed from {origin} to {to}", "{nation} {unit}")

    origin: Place
    to: Place
    nation: str
    unit: Unit


class CameInto(Deed, frozen=True):
    KEPT = ("redeployed into {to}", "{nation} {unit}")

    to: Place
    nation: str
    unit: Unit


class WentTo(Deed, frozen=True):
    KEPT = ("{how} to {to}", "{nation}")

    how: str
    to: Place
    nation: str


class WentFrom(Deed, frozen=True):
    KEPT = ("{how} from {origin}", "{nation}")

    how: str
    origin: Place
    nation: str


class WentBetween(Deed, frozen=True):
    KEPT = ("{how} from {origin} to {to}", "{nation}")

    how: str
    origin: Place
    to: Place
    nation: str


class Raided(Deed, frozen=True):
    KEPT = ("raided from {origin}", "{nation}")

    origin: Place
    nation: str


class ChoseOn(Deed, frozen=True):
    KEPT = ("{option} on {front}", "{nation}")

    option: str
    front: str
    nation: str


class Rebuilt(Deed, frozen=True):
    KEPT = ("rebuilt {what}", "{nation}")

    what: str
    nation: str


class RebuiltAny(Deed, frozen=True):
    KEPT = ("rebuilt any {what}", "{power}")

    what: str
    power: str


class SentBy(Deed, frozen=True):
    KEPT = ("{what} by {route}", "{power}")

    what: str
    route: str
    power: str


class HitInBox(Deed, frozen=True):
    KEPT = ("{by} on {box}", "{power}")

    by: str
    box: str
    power: str


class SuppliedBySea(Deed, frozen=True):
    KEPT = ("supplied by sea from {country}", "{place}")

    country: str
    place: Place


class AddedUp(Deed, frozen=True):
    KEPT = ("added up at {step}", "{power}")

    step: str
    power: str


class Granted(Deed, frozen=True):
    KEPT = ("{what}", "{power} {to}")

    what: str
    power: str
    to: str


class Carried(Deed, frozen=True):
    KEPT = ("carried between boxes", "{start} {end} {to}")

    start: str
    end: str
    to: str


class SentTo(Deed, frozen=True):
    KEPT = ("{what} to {road}", "{power}")

    what: str
    road: str
    power: str


D = TypeVar("D", bound=Deed)


@lasting
def kept_as(deed: Deed) -> tuple[str, str]:
    """Under which kind a deed is kept, and of whom."""
    kind, key = deed.KEPT
    fields = msgspec.structs.asdict(deed)
    return kind.format(**fields), key.format(**fields)


@lasting
def _read(of: type[D], kind: str, key: str) -> D | None:
    """The deed of a type that is kept so, if it is one."""
    found = re.fullmatch("\n".join(re.sub(r"{(\w+)}", r"(?P<\1>.+?)", it) for it in of.KEPT), f"{kind}\n{key}")
    return of(**found.groupdict()) if found else None


def deed_of(of: type[D], it: Happening) -> D | None:
    """What happened as a deed of a type, if it is one."""
    return _read(of, it.kind, it.key)


def befell(s: State, deed: Deed, amount: int = 0) -> Happened:
    """The event by which a deed is remembered."""
    return Happened(Happening(s.moment, *kept_as(deed), amount))


def done(s: State, deed: Deed, within: FrameKind) -> bool:
    """Whether a deed happened within an open stretch of time."""
    return happened(s, *kept_as(deed), within)


def sum_of(s: State, deed: Deed, within: FrameKind) -> int:
    """How much of a deed there was within an open stretch of time."""
    return total(s, *kept_as(deed), within)


def deeds(s: State, of: type[D], within: FrameKind) -> Iterator[tuple[D, int]]:
    """Every deed of a type within an open stretch of time, and how much of it."""
    return deeds_since(s, of, s.since(within))


def deeds_since(s: State, of: type[D], since: int) -> Iterator[tuple[D, int]]:
    """Every deed of a type from a moment on, and how much of it."""
    kind = of.KEPT[0]
    for it in s.happenings if "{" in kind else s.happenings.lately(kind, since):
        if it.moment >= since and (deed := deed_of(of, it)) is not None:
            yield deed, it.amount
