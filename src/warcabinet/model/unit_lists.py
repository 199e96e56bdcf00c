"""Units as orders name them, and what a state has of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.kept import lasting
from warcabinet.model.keys import NOWHERE, Place, Unit
from warcabinet.model.names import spelled
from warcabinet.model.pieces import UNBUILT, Stack
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit, unit_branch, unit_cost, unit_spelled

Name = TypeVar("Name", bound=str)


def unbuilt(s: State, power: str) -> Iterator[tuple[Unit, int]]:
    """The units in a power's force pool that are not built, with their number."""
    return ((unit, count) for unit, count in s.pieces.off(power, UNBUILT).items() if count > 0)


def unbuilt_of(s: State, power: str, unit: Unit) -> int:
    """How many units of a kind a power has unbuilt."""
    return s.pieces.count(power, UNBUILT, unit)


class Placement(msgspec.Struct, frozen=True):
    """Some units of one kind at one place, as an order names them."""

    unit: Unit
    count: int
    place: Place


@lasting
def parse_placement(text: str) -> Placement:
    """'2 infantry 1-3 at Brussels' as its units and the key of its place; the number may be left out."""
    match = re.fullmatch(r"\s*(?:(\d{1,15})\s+)?([a-z][a-z ]*?(?:\s+\d+-\d+)?)\s+at\s+(.+?)\s*", text)
    if match is None:
        raise WarCabinetError(f"'{text}': write units and place, such as '2 infantry 1-3 at Brussels'")
    return Placement(unit_spelled(match.group(2)), int(match.group(1) or 1), place_key(match.group(3)))


class Force(msgspec.Struct, frozen=True):
    """Units in a battle: whose they are (empty: of the side that is spoken of), where they stand, where they go."""

    nation: str
    unit: Unit
    count: int
    place: Place
    to: Place = NOWHERE

    @property
    def branch(self) -> str:
        return unit_branch(self.unit)

    @property
    def factors(self) -> int:
        return parse_unit(self.unit)[1] * self.count


@lasting
def parse_force(text: str) -> Force:
    """'2 infantry 2-3 at Milan', of another nation '2 infantry 2-3 of Italy at Milan', at its end 'to Venice'."""
    match = re.fullmatch(r"(.+?)(?:\s+of\s+(.+?))?\s+at\s+(.+?)(?:\s+to\s+(.+))?", text.strip())
    placed = parse_placement(f"{match[1]} at {match[3]}" if match else text)
    nation, to = (match[2] or "", match[4] or "") if match else ("", "")
    nation = spelled(nation, "nation") if nation else ""
    return Force(nation, placed.unit, placed.count, placed.place, place_key(to) if to else NOWHERE)


def stacks(s: State) -> Iterator[Stack]:
    """Every stack on the boards and in the boxes."""
    return s.pieces.stacks()


@lasting
def parse_count(text: str) -> tuple[Unit, int]:
    """'3 army air', '2 infantry 1-2' or 'armor 3-5' as a unit and how many of it."""
    match = re.fullmatch(r"(?:(\d{1,15})\s+)?([A-Za-z].*)", text.strip())
    if match is None:
        raise WarCabinetError(f"'{text}': write a number and a unit, such as '3 army air' or '2 armor 3-5'")
    unit = unit_spelled(match.group(2))
    count = int(match.group(1) or 1)
    if count < 1:
        raise WarCabinetError(f"'{text}': at least one unit")
    return unit, count


def counted(texts: tuple[str, ...]) -> Mapping[Unit, int]:
    """Several such lines added up, unit by unit, in the order in which they were named; for all who ask the same."""
    return _counted(tuple(texts))


@lru_cache(maxsize=1024)
def _counted(texts: tuple[str, ...]) -> Mapping[Unit, int]:
    return tally(map(parse_count, texts))


def tally(things: Iterable[tuple[Name, int]]) -> dict[Name, int]:
    """Units, or other names, and their numbers added up, in the order in which they come."""
    found: dict[Name, int] = {}
    for it, count in things:
        found[it] = found.get(it, 0) + count
    return found


def cost_of(units: Mapping[Unit, int]) -> int:
    return sum(unit_cost(unit) * count for unit, count in units.items())


def waiting(s: State, power: str) -> Iterator[tuple[int, Unit, int]]:
    """A power's units on the turn record track: the turn in which they enter its force pool, unit, number."""
    return s.pieces.tracks(power)
