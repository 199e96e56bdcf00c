"""The rows of the board files, as they stand on disk."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal, NewType, TypeVar

import msgspec

from warcabinet.kernel.tables import read_csv

#: The key of a hex or box: `europe/M25`, `box/ethiopia`.
PlaceKey = NewType("PlaceKey", str)
BoardName = Literal["europe", "pacific"]
HexKind = Literal["land", "coastal", "sea", "lake"]
SideKind = Literal["all_water", "strait", "canal", "shore", "himalaya", "outback"]
RoleName = Literal[
    "capital",
    "key_city",
    "key_area",
    "objective",
    "ic_site",
    "oil_center",
    "supply_unlimited",
    "supply_limited",
    "fortress",
    "fortification",
    "port",
    "air_base",
]


class HexRow(msgspec.Struct, frozen=True):
    hex: str
    kind: HexKind
    terrain: str
    features: str
    area: str
    island: str
    seas: str
    front: str
    edge: str
    lon: float
    lat: float
    land_share: float
    rocks: str
    source: str


class SideRow(msgspec.Struct, frozen=True):
    board: BoardName
    hex_a: str
    hex_b: str
    kind: SideKind
    note: str
    source: str


class AreaRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    board: Literal["europe", "pacific", "both"]
    kind: Literal["power", "minor", "colony", "possession", "commonwealth", "region"]
    parent: str
    controller: str
    source: str


class SeaRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    board: BoardName
    basin: str
    source: str


class GroupRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    board: BoardName
    areas: str
    hexes: str
    source: str


class PlaceRow(msgspec.Struct, frozen=True):
    name: str
    board: BoardName
    hex: str
    country: str
    tier: int
    source: str


class RoleRow(msgspec.Struct, frozen=True):
    place: str
    role: RoleName
    of: str
    source: str


class AliasRow(msgspec.Struct, frozen=True):
    alias: str
    name: str
    source: str


class BoxRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    board: Literal["europe", "pacific", "both"]
    front: str
    supply: str
    source: str


class LinkRow(msgspec.Struct, frozen=True):
    box: str
    board: BoardName
    hexes: str
    means: str
    distance: int
    condition: str
    source: str


class RouteRow(msgspec.Struct, frozen=True):
    box_a: str
    box_b: str
    means: str
    condition: str
    source: str


class PassageRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    board: BoardName
    hexes: str
    sea_a: str
    sea_b: str
    needs: str
    source: str


class ControlRow(msgspec.Struct, frozen=True):
    board: BoardName
    hex: str
    controller: str
    source: str


T = TypeVar("T")


def folder() -> Traversable:
    """Where the board files are."""
    return resources.files("warcabinet").joinpath("data").joinpath("boards")


@cache
def table(name: str, row_type: type[T]) -> tuple[T, ...]:
    """All rows of one board file, read once."""
    return tuple(read_csv(folder().joinpath(f"{name}.csv"), row_type))


def parts(text: str) -> tuple[str, ...]:
    """The items of a cell that lists several."""
    return tuple(text.replace(";", " ").split()) if text else ()
