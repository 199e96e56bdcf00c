"""The boards as data for the page: hexes, sides, places, names, coast. Fixed, so browsers keep them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from warcabinet.board import hexes, rows
from warcabinet.board.boxes import boxes
from warcabinet.board.maps import Board, areas_by_id, board
from warcabinet.board.names import places
from warcabinet.board.seas import seas
from warcabinet.kernel.tables import read_csv
from warcabinet.model.places import default_holders
from warcabinet.model.units import unit_kinds
from warcabinet.views.chronicle.counters import LETTERS
from warcabinet.web.plumbing.problems import not_found

#: A place is ringed when it is one of these.
RINGED = ("capital", "key_area", "objective")
BOARDS = ("europe", "pacific")


class BoardHex(msgspec.Struct, frozen=True):
    """A hex as it is printed: where it lies, what it is, whose land it is and who holds it at birth."""

    id: str
    row: int
    col: int
    kind: str
    region: str
    country: str
    holder: str
    share: float
    terrain: str


class BoardSide(msgspec.Struct, frozen=True):
    """A side between two hexes that is not as they would have it: a strait, a river, a border of seas."""

    a: str
    b: str
    kind: str


class PlaceRole(msgspec.Struct, frozen=True):
    role: str
    of: str


class BoardPlace(msgspec.Struct, frozen=True):
    """A city, port or fortress and what it is for whom."""

    name: str
    hex: str
    tier: int
    ringed: bool
    roles: tuple[PlaceRole, ...]


class BoardLabel(msgspec.Struct, frozen=True):
    """The name of a country or sea and the hex at which it is written."""

    text: str
    kind: str
    area: str
    hex: str
    size: int


class BoardBox(msgspec.Struct, frozen=True):
    """A box with the hexes it touches on this board, by which the page finds its edge."""

    id: str
    name: str
    clause: str
    hexes: tuple[str, ...]
    home: bool


class Coast(msgspec.Struct, frozen=True, omit_defaults=True):
    """Closed lines around the land: x and y in turns, in units of the plane.

    In steps each point but a line's first is told by how far it lies from the one before, which is half as long.
    """

    unit: float
    rings: tuple[tuple[float, ...], ...]
    steps: bool = False


def in_steps(coast: Coast) -> Coast:
    return Coast(coast.unit, tuple(tuple(_steps(ring)) for ring in coast.rings), True)


def _steps(ring: tuple[float, ...]) -> Iterator[float]:
    """Units are whole wherever a coast was written in whole ones."""
    for before, here in zip((0, 0, *ring), ring, strict=False):
        yield int(here - before) if (here - before).is_integer() else here - before


class UnitLook(msgspec.Struct, frozen=True):
    """A kind of counters: the symbol in its frame, letters where no strength is printed, and with what it fights."""

    symbol: str
    letters: str
    #: Ground, air or naval.
    branch: str


#: Symbols of ground units that are no infantry.
SYMBOLS = {"armor": "armor", "mechanized infantry": "mechanized"}


def _looks() -> dict[str, UnitLook]:
    """Every kind of unit as its counters look."""
    return {
        kind.unit: UnitLook(
            SYMBOLS.get(kind.unit, kind.branch if kind.branch in ("air", "naval") else "infantry"),
            LETTERS.get(kind.unit, ""),
            kind.branch,
        )
        for kind in unit_kinds().values()
    }


class BoardData(msgspec.Struct, frozen=True):
    """A board as it is printed. It never changes, so browsers keep it."""

    board: str
    hexes: tuple[BoardHex, ...]
    sides: tuple[BoardSide, ...]
    places: tuple[BoardPlace, ...]
    names: tuple[BoardLabel, ...]
    areas: dict[str, str]
    boxes: tuple[BoardBox, ...]
    coast: Coast
    rows: int
    #: How the counters of each kind of unit look.
    units: dict[str, UnitLook]


@cache
def board_data(name: str) -> BoardData:
    if name not in BOARDS:
        raise not_found(f"board {name}")
    one = board(name)
    coast = rows.folder().joinpath(f"coast-{name}.json").read_bytes()
    return BoardData(
        board=name,
        hexes=tuple(_hex(h) for h in one),
        sides=tuple(BoardSide(s.hex_a, s.hex_b, s.kind) for (a, _), s in one.special_sides.items() if a == s.hex_a),
        places=tuple(board_place(p) for p in places().values() if p.board == name),
        names=tuple(_names(one)),
        areas={row.id: row.name for row in areas_by_id().values()},
        boxes=tuple(_box(b, name) for b in boxes().values() if name in _boards_of(b)),
        coast=msgspec.json.decode(coast, type=Coast),
        rows=hexes.ROWS,
        units=_looks(),
    )


def _hex(h: Any) -> BoardHex:
    holder = default_holders().get(h.key, "")
    return BoardHex(h.id, h.at.row, h.at.col, h.kind, h.region or h.country, h.country, holder, h.land_share, h.terrain)


def board_place(p: Any) -> BoardPlace:
    roles = tuple(PlaceRole(r.role, r.of) for r in p.roles)
    return BoardPlace(p.name, p.hex, p.tier, any(p.has(r) for r in RINGED), roles)


def _boards_of(box: Any) -> set[str]:
    return {link.board for link in box.links} | {box.board}


def _box(box: Any, name: str) -> BoardBox:
    return BoardBox(
        id=box.id,
        name=box.name.removesuffix(" box"),
        clause="" if box.source == "assumed" else box.source,
        hexes=tuple(id_ for link in box.links if link.board == name for id_ in link.hexes),
        home=box.board in (name, "both"),
    )


def _names(one: Board) -> list[BoardLabel]:
    """Names of countries and seas with their anchors: set by hand where a table has them, else in the middle."""
    file = rows.folder().joinpath("labels.csv")
    if file.is_file():
        return [n for row in read_csv(file, _LabelRow) if row.board == one.name and (n := _label(one, row))]
    return [*_land_names(one), *_sea_names(one)]


class _LabelRow(msgspec.Struct, frozen=True):
    board: str
    text: str
    kind: str
    area: str
    hex: str
    size: int
    source: str


def _label(one: Board, row: _LabelRow) -> BoardLabel | None:
    if row.hex not in one:
        return None
    kind = "sea" if row.kind == "sea" else "land"
    return BoardLabel(row.text, kind, row.area, row.hex, row.size)


def _land_names(one: Board) -> list[BoardLabel]:
    found = []
    for row in areas_by_id().values():
        mine = [h for h in one if h.country == row.id]
        if len(mine) > 1:
            size = 3 if len(mine) > 40 else 2 if len(mine) > 12 else 1
            found.append(BoardLabel(row.name.upper(), "land", row.id, _middle(mine), size))
    return found


def _sea_names(one: Board) -> list[BoardLabel]:
    found = []
    for sea in seas(one).values():
        mine = [h for h in one if sea.id in h.seas and h.kind == "sea"]
        if len(mine) > 2:
            size = 3 if len(mine) > 60 else 2 if len(mine) > 15 else 1
            found.append(BoardLabel(sea.name, "sea", sea.id, _middle(mine), size))
    return found


def _middle(mine: list[Any]) -> str:
    x = sum(hexes.centre(h.at)[0] for h in mine) / len(mine)
    y = sum(hexes.centre(h.at)[1] for h in mine) / len(mine)
    best = min(mine, key=lambda h: (hexes.centre(h.at)[0] - x) ** 2 + (hexes.centre(h.at)[1] - y) ** 2)
    return str(best.id)
