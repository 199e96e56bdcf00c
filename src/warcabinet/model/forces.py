"""Units: kinds, costs, and how many of them are where. Pieces are kept in the ledger like everything countable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.tables import read_csv
from warcabinet.model.names import DATA
from warcabinet.model.places import place_key
from warcabinet.model.state import State


class UnitKind(msgspec.Struct, frozen=True):
    """A type of unit. Ground units cost by combat factor, others by the piece."""

    unit: str
    name: str
    branch: Literal["ground", "air", "naval", "partisan", "other"]
    cost: int
    per: Literal["factor", "piece"]
    source: str


@cache
def unit_kinds() -> dict[str, UnitKind]:
    return {row.unit: row for row in read_csv(DATA / "units.csv", UnitKind)}


@cache
def parse_unit(text: str) -> tuple[UnitKind, int]:
    """'armor 3-5' as its kind and its combat factors; a unit without strength has one factor."""
    match = re.fullmatch(r"([a-z ]+?)(?:\s+(\d+)-(\d+))?", text.strip())
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


def unit_cost(text: str) -> int:
    """What one unit costs in BRPs."""
    kind, factors = parse_unit(text)
    return kind.cost * factors if kind.per == "factor" else kind.cost


def unbuilt_account(power: str, unit: str) -> str:
    return f"piece/{power}/unbuilt/{unit}"


def unbuilt(s: State, power: str) -> Iterator[tuple[str, int]]:
    """The units in a power's force pool that are not built, with their number."""
    prefix = f"piece/{power}/unbuilt/"
    for account, count in s.books.get("piece", {}).items():
        if account.startswith(prefix) and count > 0:
            yield account.removeprefix(prefix), count


_FLEET_FACTORS = {"cruiser": 2, "destroyer": 1, "battlecruiser": 3}


def unit_factors(text: str) -> int:
    """The combat factors of one unit: a counter's first figure, one for an air factor, a ship's own size."""
    kind, factors = parse_unit(text)
    return _FLEET_FACTORS.get(kind.unit, factors)


class Placement(msgspec.Struct, frozen=True):
    """Some units of one kind at one place, as an order names them."""

    unit: str
    count: int
    place: str


@cache
def parse_placement(text: str) -> Placement:
    """'2 infantry 1-3 at Brussels' as its units and the key of its place; the number may be left out."""
    match = re.fullmatch(r"\s*(?:(\d+)\s+)?([a-z][a-z ]*?(?:\s+\d+-\d+)?)\s+at\s+(.+?)\s*", text)
    if match is None:
        raise WarCabinetError(f"'{text}': write units and place, such as '2 infantry 1-3 at Brussels'")
    parse_unit(match.group(2))
    return Placement(match.group(2), int(match.group(1) or 1), place_key(match.group(3)))


class Stack(msgspec.Struct, frozen=True):
    """Units of one nation and kind at one place."""

    nation: str
    place: str
    unit: str
    count: int

    @property
    def factors(self) -> int:
        return self.count * unit_factors(self.unit)

    @property
    def branch(self) -> str:
        return parse_unit(self.unit)[0].branch


def stacks(s: State) -> Iterator[Stack]:
    """Every stack on the boards and in the boxes."""
    for account, count in s.books.get("piece", {}).items():
        parts = account.split("/")
        if len(parts) == 6 and parts[2] == "at":
            yield Stack(parts[1], f"{parts[3]}/{parts[4]}", parts[5], count)


# What players write for short.
_SHORT = {"aaf": "army air", "nas": "naval air", "mech": "mechanized infantry", "int": "interceptor"}


@cache
def parse_count(text: str) -> tuple[str, int]:
    """'3 army air', '2 infantry 1-2' or 'armor 3-5' as a unit and how many of it."""
    match = re.fullmatch(r"(?:(\d+)\s+)?([A-Za-z].*)", text.strip())
    if match is None:
        raise WarCabinetError(f"'{text}': write a number and a unit, such as '3 army air' or '2 armor 3-5'")
    name = match.group(2).strip()
    unit = _SHORT.get(name.casefold(), name)
    parse_unit(unit)
    count = int(match.group(1) or 1)
    if count < 1:
        raise WarCabinetError(f"'{text}': at least one unit")
    return unit, count


def counted(texts: tuple[str, ...]) -> dict[str, int]:
    """Several such lines added up, unit by unit, in the order in which they were named."""
    return tally(map(parse_count, texts))


def tally(units: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Units and their numbers added up, in the order in which they come."""
    found: dict[str, int] = {}
    for unit, count in units:
        found[unit] = found.get(unit, 0) + count
    return found


def kind_name(unit: str) -> str:
    """The type of a unit without its strength: 'armor' of 'armor 3-5'."""
    return parse_unit(unit)[0].unit


def strength(unit: str) -> str:
    """The strength of a unit without its type: '3-5' of 'armor 3-5'."""
    return unit.removeprefix(kind_name(unit)).strip()


def cost_of(units: dict[str, int]) -> int:
    return sum(unit_cost(unit) * count for unit, count in units.items())


def track_account(power: str, turn: int, unit: str) -> str:
    """Where units wait on the turn record track."""
    return f"piece/{power}/track/{turn}/{unit}"


def at_account(power: str, key: str, unit: str) -> str:
    """Where built units stand."""
    return f"piece/{power}/at/{key}/{unit}"


def lost_account(power: str, unit: str) -> str:
    """Units that will never be built again."""
    return f"piece/{power}/lost/{unit}"


def pieces(s: State, prefix: str) -> Iterator[tuple[str, int]]:
    """What follows a prefix in the accounts of pieces, with the number that stands there."""
    for account, count in s.books.get("piece", {}).items():
        if account.startswith(prefix) and count:
            yield account.removeprefix(prefix), count


def waiting(s: State, power: str) -> Iterator[tuple[int, str, int]]:
    """A power's units on the turn record track: the turn in which they enter its force pool, unit, number."""
    for rest, count in pieces(s, f"piece/{power}/track/"):
        turn, _, unit = rest.partition("/")
        yield int(turn), unit, count


def standing_units(s: State, power: str) -> Iterator[tuple[str, str, int]]:
    """A power's built units: the key of the place, unit, number."""
    for rest, count in pieces(s, f"piece/{power}/at/"):
        key, _, unit = rest.rpartition("/")
        yield key, unit, count
