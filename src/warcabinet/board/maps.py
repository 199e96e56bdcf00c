"""The two boards, read once: hexes, sides, areas and the bitmaps that make searches fast.

A set of hexes is one integer with a bit per hex. Rows are laid end to end with a spare column between them, so the
neighbours of a whole set are six shifts of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property

import msgspec

from warcabinet.board import hexes, rows
from warcabinet.board.hexes import DIRECTIONS, Axial
from warcabinet.board.rows import BoardName, HexKind, SideKind
from warcabinet.kernel.errors import WarCabinetError, unknown

#: Six bitmaps: for each direction, the hexes whose side in that direction may be crossed.
Sides = tuple[int, int, int, int, int, int]

#: Sides that no ground unit and no land supply line crosses.
CLOSED_TO_GROUND: frozenset[SideKind] = frozenset({"all_water", "himalaya", "outback"})
#: Sides between two coastal hexes that ships can use; a canal needs its rule (88.342) and is left out.
NAVIGABLE: frozenset[SideKind] = frozenset({"all_water", "strait", "shore"})


class Hex(msgspec.Struct, frozen=True):
    """One hex and all that is known of it."""

    #: The hex among both boards, as the state names it: `europe/K28`.
    key: rows.PlaceKey
    board: BoardName
    id: str
    at: Axial
    kind: HexKind
    terrain: str
    features: tuple[str, ...]
    country: str
    region: str
    island: str
    seas: tuple[str, ...]
    fronts: tuple[str, ...]
    edges: tuple[str, ...]
    lon: float
    lat: float
    land_share: float
    #: For a sea hex with slivers of land: the land hex they belong to.
    rocks: str
    source: str

    @property
    def is_land(self) -> bool:
        return self.kind in ("land", "coastal")

    @property
    def is_closed(self) -> bool:
        """No unit of any side ever enters: Switzerland."""
        return "closed" in self.features

    @property
    def has_sea(self) -> bool:
        return self.kind in ("sea", "coastal")


class Side(msgspec.Struct, frozen=True):
    """A hexside that is more than plain land or open sea."""

    hex_a: str
    hex_b: str
    kind: SideKind
    note: str
    source: str


class Board:
    """One board. Use `europe()`, `pacific()` or `board(name)`: there is only one of each."""

    def __init__(self, name: BoardName) -> None:
        self.name: BoardName = name
        self.hexes: dict[str, Hex] = {row.hex: _hex(name, row) for row in rows.table(f"hexes-{name}", rows.HexRow)}
        self.by_axial: dict[Axial, Hex] = {h.at: h for h in self.hexes.values()}
        self.width = max(at.col for at in self.by_axial) + 3
        self.shifts = tuple(dr * self.width + dc for dr, dc in DIRECTIONS)
        self.bit: dict[str, int] = {id_: h.at.row * self.width + h.at.col for id_, h in self.hexes.items()}
        #: The bitmap of each hex by itself, by its id and by its key.
        self.single: dict[str, int] = {id_: 1 << bit for id_, bit in self.bit.items()}
        self.single |= {f"{name}/{id_}": bits for id_, bits in self.single.items()}
        self.id_of_bit: dict[int, str] = {bit: id_ for id_, bit in self.bit.items()}
        self.edge_sides: dict[tuple[str, str], Side] = {}
        self.special_sides: dict[tuple[str, str], Side] = {}
        for row in rows.table("hexsides", rows.SideRow):
            if row.board == name:
                self._add_side(Side(row.hex_a, row.hex_b, row.kind, row.note, row.source))

    def __repr__(self) -> str:
        return f"<board {self.name}, {len(self.hexes)} hexes>"

    def _add_side(self, side: Side) -> None:
        if side.hex_b.endswith(" edge"):
            self.edge_sides[side.hex_a, side.hex_b.removesuffix(" edge")] = side
            return
        hexes.direction(self[side.hex_a].at, self[side.hex_b].at)
        self.special_sides[side.hex_a, side.hex_b] = self.special_sides[side.hex_b, side.hex_a] = side

    def __getitem__(self, name: str) -> Hex:
        """A hex by its id or by its key."""
        id_ = name.removeprefix(self.name + "/")
        if id_ not in self.hexes:
            raise unknown(f"hex of the {self.name} board", id_, self.hexes)
        return self.hexes[id_]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.removeprefix(self.name + "/") in self.hexes

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes.values())

    def neighbours(self, name: str) -> list[Hex]:
        """The hexes beside a hex that are on the board."""
        around = hexes.neighbours(self[name].at)
        return [self.by_axial[at] for at in around if at in self.by_axial]

    def distance(self, a: str, b: str) -> int:
        return hexes.distance(self[a].at, self[b].at)

    def side(self, a: str, b: str) -> SideKind | str:
        """What lies between two adjacent hexes: a special side, or `land`, or `sea`."""
        one, other = self[a], self[b]
        hexes.direction(one.at, other.at)
        found = self.special_sides.get((one.id, other.id))
        if found:
            return found.kind
        return "land" if one.is_land and other.is_land else "sea"

    # Bitmaps

    def bits(self, names: Iterable[str]) -> int:
        """The bitmap of some hexes, given by id or key."""
        single, found = self.single, 0
        for name in names:
            if name not in single:
                raise unknown(f"hex of the {self.name} board", name.removeprefix(self.name + "/"), self.bit)
            found |= single[name]
        return found

    def ids(self, bits: int) -> tuple[str, ...]:
        """The hexes of a bitmap, row by row."""
        found = []
        while bits:
            low = bits & -bits
            found.append(self.id_of_bit[low.bit_length() - 1])
            bits ^= low
        return tuple(found)

    @cached_property
    def all(self) -> int:
        return self.bits(self.hexes)

    @cached_property
    def land(self) -> int:
        """Land and coastal hexes."""
        return self.bits(h.id for h in self if h.is_land)

    @cached_property
    def water(self) -> int:
        """Hexes that ships can enter."""
        return self.bits(h.id for h in self if h.has_sea)

    @cached_property
    def ground_sides(self) -> Sides:
        """The sides that ground units and land supply lines may cross, straits included."""
        return self.sides(CLOSED_TO_GROUND)

    @cached_property
    def dry_sides(self) -> Sides:
        """The same without straits: a zone of control does not reach across a strait."""
        return self.sides(CLOSED_TO_GROUND | {"strait"})

    @cached_property
    def naval_sides(self) -> Sides:
        """The sides that ships may cross, canals left out."""

        def open_to_ships(a: Hex, b: Hex) -> bool:
            if not (a.has_sea and b.has_sea):
                return False
            side = self.special_sides.get((a.id, b.id))
            return side.kind in NAVIGABLE if side else "sea" in (a.kind, b.kind)

        return self._sides(open_to_ships)

    def sides(self, closed: frozenset[SideKind]) -> Sides:
        """The sides between two land hexes, less those of the closed kinds and those of closed hexes."""

        def open_to_ground(a: Hex, b: Hex) -> bool:
            if not (a.is_land and b.is_land) or a.is_closed or b.is_closed:
                return False
            side = self.special_sides.get((a.id, b.id))
            return not (side and side.kind in closed)

        return self._sides(open_to_ground)

    def without_sides(self, sides: Sides, closed: Iterable[tuple[str, str]]) -> Sides:
        """The same sides less some given by their two hexes."""
        masks = list(sides)
        for a, b in closed:
            one, other = self[a], self[b]
            i = hexes.direction(one.at, other.at)
            masks[i] &= ~(1 << self.bit[one.id])
            masks[(i + 3) % 6] &= ~(1 << self.bit[other.id])
        return masks[0], masks[1], masks[2], masks[3], masks[4], masks[5]

    def _sides(self, may_cross: Callable[[Hex, Hex], bool]) -> Sides:
        masks = [0] * 6
        for h in self:
            for i, at in enumerate(hexes.neighbours(h.at)):
                other = self.by_axial.get(at)
                if other is not None and may_cross(h, other):
                    masks[i] |= 1 << self.bit[h.id]
        return masks[0], masks[1], masks[2], masks[3], masks[4], masks[5]

    def spread(self, bits: int, sides: Sides) -> int:
        """One step from a set of hexes over the given sides; the set itself is not part of it unless stepped on."""
        s = self.shifts
        east, west = (bits & sides[0]) << s[0], (bits & sides[3]) >> -s[3]
        north = (bits & sides[1]) >> -s[1] | (bits & sides[2]) >> -s[2]
        south = (bits & sides[4]) << s[4] | (bits & sides[5]) << s[5]
        return east | west | north | south


def _hex(board: BoardName, row: rows.HexRow) -> Hex:
    area = areas_by_id().get(row.area)
    if row.area and area is None:
        raise unknown("area", row.area, areas_by_id())
    inside = area is not None and area.kind == "region"
    return Hex(
        key=rows.PlaceKey(f"{board}/{row.hex}"),
        board=board,
        id=row.hex,
        at=hexes.parse_id(row.hex),
        kind=row.kind,
        terrain=row.terrain,
        features=rows.parts(row.features),
        country=area.parent if area is not None and inside else row.area,
        region=row.area if inside else "",
        island=row.island,
        seas=rows.parts(row.seas),
        fronts=rows.parts(row.front),
        edges=rows.parts(row.edge),
        lon=row.lon,
        lat=row.lat,
        land_share=row.land_share,
        rocks=row.rocks,
        source=row.source,
    )


@cache
def areas_by_id() -> dict[str, rows.AreaRow]:
    """Countries, colonies and their regions."""
    return {row.id: row for row in rows.table("areas", rows.AreaRow)}


@cache
def _board(name: BoardName) -> Board:
    return Board(name)


def europe() -> Board:
    """The European board."""
    return _board("europe")


def pacific() -> Board:
    """The Pacific board."""
    return _board("pacific")


def both() -> tuple[Board, Board]:
    return europe(), pacific()


def board(name: str) -> Board:
    """A board by name."""
    if name == "europe":
        return europe()
    if name == "pacific":
        return pacific()
    raise unknown("board", name, ("europe", "pacific"))


@cache
def by_key(key: str) -> Hex:
    """A hex by its key, `europe/K28`."""
    name, slash, id_ = key.partition("/")
    if not slash:
        raise WarCabinetError(f"{key!r} is no hex key: it would read europe/{key} or pacific/{key}")
    return board(name)[id_]
