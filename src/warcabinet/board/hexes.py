"""Axial hex mathematics in the game's own coordinates.

Rows run A to Z and on as AA to NN, columns are axial: walking down a column also leads half a hex to the left on
the plane. Hexes are pointy-top. The unit of the plane is one hex width, y grows downwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from warcabinet.kernel.errors import WarCabinetError

ROW_HEIGHT: Final = math.sqrt(3) / 2
ROWS: Final = 40

#: The six directions in order round the hex: east, north-east, north-west, west, south-west, south-east.
DIRECTIONS: Final = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
DIRECTION_NAMES: Final = ("east", "northeast", "northwest", "west", "southwest", "southeast")

_ID = re.compile(r"([A-Z])(\1?)0*([1-9][0-9]?)", re.ASCII)


class Axial(NamedTuple):
    """A hex by its row (A is 0, AA is 26) and its axial column."""

    row: int
    col: int

    def __str__(self) -> str:
        return format_id(self)


def parse_id(text: str) -> Axial:
    """Read an id such as `K28` or `MM19`; letters may be small."""
    found = _ID.fullmatch(text.strip().upper())
    if found:
        row = ord(found[1]) - ord("A") + (26 if found[2] else 0)
        if row < ROWS:
            return Axial(row, int(found[3]))
    raise WarCabinetError(f"{text!r} is no hex id: a row A to Z or AA to NN, then a column, as in K28 or MM19")


def format_id(at: Axial) -> str:
    """Write a hex the way the rules quote it."""
    return f"{row_name(at.row)}{at.col}"


def row_name(row: int) -> str:
    """The letters of a row: 0 is A, 26 is AA."""
    if not 0 <= row < ROWS:
        raise WarCabinetError(f"there is no row {row}: rows run from 0 (A) to {ROWS - 1} (NN)")
    letter = chr(ord("A") + row % 26)
    return letter if row < 26 else letter * 2


def neighbours(at: Axial) -> tuple[Axial, ...]:
    """The six hexes round a hex, in the order of DIRECTIONS; some may lie off the board."""
    return tuple(Axial(at.row + dr, at.col + dc) for dr, dc in DIRECTIONS)


def direction(a: Axial, b: Axial) -> int:
    """Which direction leads from a to its neighbour b."""
    step = (b.row - a.row, b.col - a.col)
    if step not in DIRECTIONS:
        raise WarCabinetError(f"{a} and {b} are not adjacent: they are {distance(a, b)} hexes apart")
    return DIRECTIONS.index(step)


def distance(a: Axial, b: Axial) -> int:
    """Steps between two hexes."""
    dr, dc = a.row - b.row, a.col - b.col
    return max(abs(dr), abs(dc), abs(dr + dc))


def ring(at: Axial, radius: int) -> Iterator[Axial]:
    """All hexes at exactly this distance, once each; radius 0 is the hex itself."""
    if radius == 0:
        yield at
        return
    row, col = at.row + DIRECTIONS[4][0] * radius, at.col + DIRECTIONS[4][1] * radius
    for dr, dc in DIRECTIONS:
        for _ in range(radius):
            yield Axial(row, col)
            row, col = row + dr, col + dc


def within(at: Axial, radius: int) -> Iterator[Axial]:
    """All hexes up to this distance, nearest first."""
    for r in range(radius + 1):
        yield from ring(at, r)


def line(a: Axial, b: Axial) -> list[Axial]:
    """A straight line of adjacent hexes from a to b, both included."""
    steps = distance(a, b)
    if steps == 0:
        return [a]
    # A nudge off the lattice decides ties the same way in every run.
    return [
        _round(a.row + (b.row - a.row) * i / steps + 1e-6, a.col + (b.col - a.col) * i / steps + 2e-6)
        for i in range(steps + 1)
    ]


def centre(at: Axial) -> tuple[float, float]:
    """The centre of a hex on the plane."""
    return at.col + at.row / 2, at.row * ROW_HEIGHT


def corners(at: Axial, scale: float = 1.0) -> tuple[tuple[float, float], ...]:
    """The six corners; side i, towards DIRECTIONS[i], runs from corner i to corner i + 1."""
    x, y = centre(at)
    radius = scale / math.sqrt(3)
    angles = (math.radians(30 - 60 * i) for i in range(6))
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def at_point(x: float, y: float) -> Axial:
    """The hex that holds a point of the plane (it may lie off the board)."""
    row = y / ROW_HEIGHT
    return _round(row, x - row / 2)


def _round(row: float, col: float) -> Axial:
    third = -row - col
    r, c, t = round(row), round(col), round(third)
    dr, dc, dt = abs(r - row), abs(c - col), abs(t - third)
    if dr > dc and dr > dt:
        r = -c - t
    elif dc > dt:
        c = -r - t
    return Axial(r, c)
