"""Kinds of units: what they are called, what they cost, how strong they are."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.tables import read_csv
from warcabinet.model.keys import ANY_UNIT as ANY_UNIT
from warcabinet.model.keys import Unit as Unit
from warcabinet.model.names import DATA

#: Units of one kind that are named, set or reported at once, and whatever else is counted: many times what a box holds.
MOST_UNITS = 1_000
#: The same of the combat factors of one counter.
MOST_FACTORS = 99


Branch = Literal["ground", "air", "naval", "partisan", "other"]


class UnitKind(msgspec.Struct, frozen=True):
    """A type of unit. Ground units cost by combat factor, others by the piece."""

    unit: str
    name: str
    branch: Branch
    cost: int
    per: Literal["factor", "piece"]
    source: str


@lasting
def unit_kinds() -> dict[str, UnitKind]:
    return {row.unit: row for row in read_csv(DATA / "units.csv", UnitKind)}


@lasting
def parse_unit(text: str) -> tuple[UnitKind, int]:
    """'armor 3-5' as its kind and its combat factors; a unit without strength has one factor."""
    match = re.fullmatch(r"([a-z ]+?)(?:\s+(\d{1,15})-(\d{1,15}))?", text.strip())
    name = match.group(1) if match else text.strip()
    kind = unit_kinds().get(name)
    if kind is None or match is None:
        raise unknown("unit type", name, unit_kinds())
    if (match.group(2) is None) == (kind.per == "factor"):
        wanted = "a strength such as 3-4" if kind.per == "factor" else "no strength"
        raise WarCabinetError(f"'{text}': {kind.name} is written with {wanted}")
    if match.group(2) is not None and int(match.group(2)) < 1:
        raise WarCabinetError(f"'{text}': a unit has at least one combat factor")
    return kind, int(match.group(2) or 1)


@lasting
def unit_kind(unit: Unit) -> UnitKind:
    """The type of a unit, whatever its strength."""
    return parse_unit(unit)[0]


@lasting
def unit_branch(unit: Unit) -> Branch:
    """Whether units fight as ground, air or naval ones, as partisans, or are something else."""
    return unit_kind(unit).branch


#: Units of which clauses speak by their name and strength.
HEAVY_ARMOR, TRANSPORT = Unit("armor 5-6"), Unit("transport")
INFANTRY_3_4 = (Unit("infantry 3-4"), Unit("mechanized infantry 3-4"))
# What players write for short.
SHORT = {"aaf": "army air", "nas": "naval air", "mech": "mechanized infantry", "int": "interceptor"}


@lasting
def unit_spelled(text: str) -> Unit:
    """A kind of units however it was written, spelled in the one way."""
    plain = SHORT.get(text.strip().casefold(), text)
    kind, _ = parse_unit(plain)
    return Unit(" ".join((kind.unit, *plain.split()[len(kind.unit.split()) :])))


def check_units(unit: str, count: int = 1) -> None:
    """Refuse units that somebody names if there are none such, or far more than there could be."""
    if parse_unit(unit)[1] > MOST_FACTORS:
        raise WarCabinetError(f"'{unit}': a unit has at most {MOST_FACTORS} combat factors")
    if count > MOST_UNITS:
        raise WarCabinetError(f"{count:,} {unit}: at most {MOST_UNITS:,} units of a kind")


@lasting
def unit_cost(text: Unit) -> int:
    """What one unit costs in BRPs."""
    kind, factors = parse_unit(text)
    return kind.cost * factors if kind.per == "factor" else kind.cost


_FLEET_FACTORS = {"cruiser": 2, "destroyer": 1, "battlecruiser": 3}
_DAMAGED = "damaged "


@lasting
def unit_factors(text: Unit) -> int:
    """The combat factors of one unit: a counter's first figure, one for an air factor, a ship's own size."""
    kind, factors = parse_unit(text)
    return _FLEET_FACTORS.get(kind.unit.removeprefix(_DAMAGED), factors)


def damaged(unit: Unit) -> Unit:
    """The name of a ship while it is damaged, if it is of a kind that can be."""
    return Unit(_DAMAGED + unit) if _DAMAGED + unit in unit_kinds() else ANY_UNIT


def is_damaged(unit: Unit) -> bool:
    return unit.startswith(_DAMAGED)


def undamaged(unit: Unit) -> Unit:
    """The name of a ship once it has been repaired."""
    return Unit(unit.removeprefix(_DAMAGED))


@lasting
def kind_name(unit: Unit) -> str:
    """The type of a unit without its strength: 'armor' of 'armor 3-5'."""
    return unit_kind(unit).unit


def strength(unit: Unit) -> str:
    """The strength of a unit without its type: '3-5' of 'armor 3-5'."""
    return unit.removeprefix(kind_name(unit)).strip()
