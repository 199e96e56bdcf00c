"""The sheet a map is drawn on: scale, margins, line weights by level, ruler and legend."""

from __future__ import annotations

from typing import Literal, Protocol
from xml.sax.saxutils import escape

import msgspec

from warcabinet.board import hexes, palette
from warcabinet.board.labels import Rect, width
from warcabinet.board.maps import Board
from warcabinet.board.relief import mark

Level = Literal[1, 2, 3]


class Look(msgspec.Struct, frozen=True):
    """Sizes in pixels at one level of detail."""

    hex: int
    grid_land: float
    grid_sea: float
    coast: float
    border: float
    front: float
    tier: tuple[float, float, float]
    country: tuple[float, float, float]
    sea: tuple[float, float, float]
    note: float


LEVELS: dict[Level, Look] = {
    1: Look(26, 0.6, 0.5, 0.8, 1.0, 1.6, (11, 10, 0), (9.5, 12, 15.5), (9.5, 11.5, 15), 9),
    2: Look(42, 0.8, 0.8, 1.0, 1.2, 1.9, (12.5, 11, 0), (10.5, 14, 19), (10.5, 14, 19), 10.5),
    3: Look(64, 1.0, 0.8, 1.3, 1.4, 2.2, (14, 12.5, 11.5), (12.5, 17, 24), (12.5, 17, 24), 12),
}

#: Land that covers less of its hex than this is drawn as a speck.
SPECK = 0.012
_LEFT, _TOP, _RIGHT, _BOTTOM = 40, 52, 20, 54


class Colours(Protocol):
    """Whoever knows the colours of the drawing."""

    title: str

    def colour(self, name: str) -> str: ...


class Sheet:
    """Where things stand on the page."""

    def __init__(self, board: Board, level: Level) -> None:
        self.board, self.scale = board, LEVELS[level].hex
        points = [p for h in board for p in hexes.corners(h.at)]
        self._x0, self._y0 = min(p[0] for p in points), min(p[1] for p in points)
        wide, high = max(p[0] for p in points) - self._x0, max(p[1] for p in points) - self._y0
        self.width, self.height = wide * self.scale + _LEFT + _RIGHT, high * self.scale + _TOP + _BOTTOM

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """From the plane of the board to the page."""
        return (point[0] - self._x0) * self.scale + _LEFT, (point[1] - self._y0) * self.scale + _TOP

    def text_at(self, point: tuple[float, float]) -> str:
        x, y = self.at(point)
        return f"{x:.1f},{y:.1f}"

    def hex_at(self, x: float, y: float) -> hexes.Axial:
        """The hex under a point of the page."""
        return hexes.at_point(*self.plane(x, y))

    def plane(self, x: float, y: float) -> tuple[float, float]:
        """From the page back to the plane of the board."""
        return (x - _LEFT) / self.scale + self._x0, (y - _TOP) / self.scale + self._y0

    @property
    def page(self) -> Rect:
        """The part of the page that names may use."""
        return Rect(_LEFT - 6, _TOP - 4, self.width - 4, self.height - _BOTTOM + 6)

    def ruler(self, colours: Colours) -> str:
        """Row letters down the left side."""
        out = ['<g class="wc-ruler">']
        for row in range(hexes.ROWS):
            _, y = self.at((0, row * hexes.ROW_HEIGHT))
            out.append(
                f'<text class="plain" x="18" y="{y + 3.5:.1f}" font-size="10" text-anchor="middle" '
                f'style="fill:{colours.colour("ink-2")}">{hexes.row_name(row)}</text>'
            )
        out.append("</g>")
        return "".join(out)

    def legend(self, colours: Colours, holders: list[str], sides: list[str], terrain: list[str]) -> str:
        """The title above the map; below it the holders by colour, pattern, letters and name, and what lines mean."""
        name = self.board.name
        heading = escape(f"{name.title()}, {colours.title}" if colours.title else name.title())
        out = [f'<g class="wc-legend"><text class="title" x="{_LEFT}" y="32" font-size="22">{heading}</text>']
        x, y = float(_LEFT), self.height - 32
        for holder in holders:
            look, power = palette.look_of(holder), palette.power_of(holder)
            fill, deep = colours.colour(f"{power}-map"), colours.colour(f"{power}-deep")
            box = f'x="{x:.1f}" y="{y:.1f}" width="34" height="18" rx="3"'
            out.append(f'<rect {box} fill="{colours.colour("land")}"/><rect {box} fill="{fill}" opacity=".55"/>')
            out.append(f'<rect {box} fill="url(#{name}-pattern-{holder}-1)" stroke="{fill}" stroke-width="2"/>')
            out.append(f'<circle cx="{x + 17:.1f}" cy="{y + 9:.1f}" r="8" fill="{deep}"/>')
            out.append(
                f'<text class="plain t1" x="{x + 17:.1f}" y="{y + 12.2:.1f}" font-size="8.5" text-anchor="middle" '
                f'style="fill:{colours.colour("paper")}">{look.seal}</text>'
            )
            out.append(
                f'<text class="plain" x="{x + 41:.1f}" y="{y + 13:.1f}" font-size="12">{escape(look.name)}</text>'
            )
            x += 41 + width(look.name, "sans", 12) + 22
        out.append(self._keys(colours, x + 6, y, sides, terrain))
        out.append("</g>")
        return "".join(out)

    def _keys(self, colours: Colours, x: float, y: float, sides: list[str], terrain: list[str]) -> str:
        ink = colours.colour("ink")
        lines = [("control border", ink, 1.9, ""), ("country border", ink, 1.2, "4.8 2.4 1.2 2.4")]
        lines += [(kind, colours.colour(kind), 3, "") for kind in sides]
        out = []
        for text, colour, weight, dash in lines:
            long = 12 if text == "strait" else 30
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            out.append(
                f'<path d="M{x:.1f},{y + 9:.1f}h{long}" stroke="{colour}" stroke-width="{weight}"{dashed} fill="none"/>'
            )
            x = self._key(out, text, x + long + 6, y)
        for kind in terrain:
            out.append(mark(kind, x + 9, y + 9, 60, colours.colour("ink-2")))
            x = self._key(out, kind, x + 24, y)
        self._key(out, "dense pattern: conquered", x, y)
        return "".join(out)

    def _key(self, out: list[str], text: str, x: float, y: float) -> float:
        """One word of the legend; answers where the next entry starts."""
        out.append(f'<text class="plain" x="{x:.1f}" y="{y + 13:.1f}" font-size="12">{text}</text>')
        return x + width(text, "sans", 12) + 20
