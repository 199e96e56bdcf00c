"""Who and what there is: powers, areas with economic value, tracks. Fixed tables, not part of the state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from importlib.resources import files
from typing import Literal

import msgspec

from warcabinet.board.names import Area as BoardArea
from warcabinet.board.names import find
from warcabinet.kernel.errors import UnknownName, WarCabinetError, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.tables import read_csv
from warcabinet.model.calendar import Player

StatusName = Literal[
    "neutral",
    "independent",
    "penetrated",
    "controlled",
    "associated",
    "allied",
    "conquered",
    "colony",
    "commonwealth",
]

#: How people speak of what is a power's.
ADJECTIVES = {
    "german": "germany",
    "italian": "italy",
    "japanese": "japan",
    "british": "britain",
    "french": "france",
    "russian": "russia",
    "soviet": "russia",
    "american": "usa",
    "chinese": "china",
}

DATA = files("warcabinet") / "data"

AreaKind = Literal["minor", "colony", "commonwealth", "key area", "ic", "major"]


class Power(msgspec.Struct, frozen=True):
    power: str
    name: str
    seal: str
    player: Player
    faction: str
    source: str


class Area(msgspec.Struct, frozen=True):
    """A country, colony, key economic area or industrial center: what it is worth, and what decides who holds it.

    `decides` names the places that must be controlled: a capital, or the key cities of a country without one.
    """

    area: str
    name: str
    kind: AreaKind
    owner: str
    brp: int
    decides: str
    theater: Literal["europe", "pacific"]
    source: str

    @property
    def places(self) -> tuple[str, ...]:
        return _listed(self.decides)

    @property
    def is_country(self) -> bool:
        """A country in the sense of chapter 82: something with a political status."""
        return self.kind in ("minor", "colony", "commonwealth")


@lasting
def _listed(text: str) -> tuple[str, ...]:
    return tuple(place.strip() for place in text.split(";") if place.strip())


@lasting
def powers() -> dict[str, Power]:
    """The major powers, Axis first, in the order in which they are listed everywhere."""
    return {row.power: row for row in read_csv(DATA / "powers.csv", Power)}


@lasting
def areas() -> dict[str, Area]:
    return {row.area: row for row in read_csv(DATA / "areas.csv", Area)}


@lasting
def countries() -> dict[str, Area]:
    return {name: area for name, area in areas().items() if area.is_country}


@lasting
def key_areas(power: str) -> tuple[Area, ...]:
    """The key economic areas that `power` originally controlled."""
    return tuple(a for a in areas().values() if a.kind == "key area" and a.owner == power)


# Home areas of Germany and Japan are worth nothing to a conqueror (38.231).
_WORTHLESS = ("berlin", "essen", "cologne", "leipzig", "breslau", "tokyo", "osaka", "kagoshima")


def conquest_value(area: str) -> int:
    """What an area is worth a year to a power that conquers it."""
    return 0 if area in _WORTHLESS else areas()[area].brp


TRACKS: dict[str, str] = {
    "usat": "U.S.-Axis tension",
    "usjt": "U.S.-Japanese tension",
    "rgt": "Russo-German tension",
    "effective_usat": "U.S.-Axis tension as it counts this turn",
    "effective_usjt": "U.S.-Japanese tension as it counts this turn",
    "chinese_resistance": "Chinese resistance level",
    "british_resistance": "British resistance level",
    "french_resistance": "French resistance level",
    "russian_resistance": "Russian resistance level",
    "german_resistance": "German resistance level",
    "italian_resistance": "Italian resistance level",
    "japanese_resistance": "Japanese resistance level",
}
# Where transports are counted apart (40.221).
OCEANS = ("atlantic", "pacific", "indian_ocean")
# Tensions start from nothing; effective levels (by the die) and resistance levels may lie below zero.
NEVER_NEGATIVE = ("usat", "usjt", "rgt")


# What people at a table also call the powers.
_POWERS_CALLED = {
    "usa": ("us", "united states", "america"),
    "britain": ("uk", "united kingdom", "great britain", "england"),
    "russia": ("ussr", "soviet union"),
}


def _plain(name: str) -> str:
    """A name without case, spaces and signs: 'U.S.', 'u s' and 'US' are one."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


@lasting
def _ids() -> dict[str, dict[str, str]]:
    """Every id of a power or area by each plain form of its names, powers and areas apart."""
    found: dict[str, dict[str, str]] = {"power": {}, "area": {}}
    for power, row in powers().items():
        found["power"] |= {_plain(called): power for called in (power, row.name, *_POWERS_CALLED.get(power, ()))}
    for area, named in areas().items():
        found["area"] |= {_plain(named.name): area}
    found["area"] |= {_plain(area): area for area in areas()}
    return found


def spelled(name: str, kind: str) -> str:
    """The id that is meant by the name of a power or area as people write it; unknown names stay as they are."""
    if name in powers() or name in areas():
        return name
    power, area = _ids()["power"].get(_plain(name)), _ids()["area"].get(_plain(name)) or _on_the_boards(name)
    return {"power": power, "country": area, "area": area}.get(kind, power or area) or name


def _on_the_boards(name: str) -> str:
    """The area that the boards know by another spelling: Romania, Siam."""
    try:
        found = find(name)
    except WarCabinetError:
        return ""
    return found.id if isinstance(found, BoardArea) and found.id in areas() else ""


def power_named(name: str) -> Power:
    found = powers().get(spelled(name, "power"))
    if found is None:
        raise unknown("power", name, powers())
    return found


# Nations that have units without being a power or an area of their own (82.61, 85.46I, 72.91).
OTHER_NATIONS = {
    "dutch_east_indies": "Dutch East Indies",
    "indian_national_army": "Indian National Army",
    "vlasov": "Vlasov's Russians",
}


def ids_of(kind: str) -> Iterable[str]:
    """All ids that a field of a kind may name, where its kind is one of names."""
    tables: dict[str, Callable[[], Iterable[str]]] = {
        "power": powers,
        "country": countries,
        "area": areas,
        "track": lambda: TRACKS,
        "belligerent": lambda: [*powers(), *countries()],
        "nation": lambda: [*powers(), *countries(), *OTHER_NATIONS],
    }
    return tables[kind]() if kind in tables else ()


def called(id: str) -> str:
    """The proper name of a power, area or nation; any other word as it is."""
    if id in powers():
        return powers()[id].name
    return areas()[id].name if id in areas() else OTHER_NATIONS.get(id, id)


# What the documents speak of as one country and conquer, count and join as several (89.22).
SEVERAL = {
    "dutch_east_indies": "the Dutch East Indies are three areas, each with its own status and BRPs: "
    "java, sumatra and borneo (South Borneo); name one of them",
}


def no_such(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Say that no country or area bears a name, or which ones do where the name stands for several."""
    plain = name.strip().casefold().replace(" ", "_").removeprefix("the_")
    return UnknownName(SEVERAL[plain]) if plain in SEVERAL else unknown(kind, name, known)


def among(kind: str, known: Callable[[], Collection[str]]) -> Callable[[str], str]:
    """A check that a name is one of those known, for the fields and figures that hold such names."""

    def check(name: str) -> str:
        if name not in known():
            raise no_such(kind, name, known())
        return name

    return check


def nation_named(name: str) -> str:
    """Whoever may have units: a power, a country, the Dutch in the East Indies, a force of its own."""
    if name not in powers() and name not in countries() and name not in OTHER_NATIONS:
        raise unknown("nation", name, [*powers(), *countries(), *OTHER_NATIONS])
    return name


def belligerent(name: str) -> str:
    """Whoever may be at war: a power or a country."""
    found = spelled(name, "belligerent")
    if found not in powers() and found not in countries():
        raise no_such("power or country", name, [*powers(), *countries()])
    return found


def attacker_among(between: tuple[str, ...]) -> str:
    """Who declared a war where it is not said: of a power and a country the power (82.41)."""
    major = [it for it in between if it in powers()]
    return major[0] if len(major) == 1 else ""


def area_named(name: str) -> Area:
    found = areas().get(name)
    if found is None:
        raise no_such("area", name, areas())
    return found
