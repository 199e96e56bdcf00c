"""The ground of a chronicle's map: sea and waterlines, land by who holds it, coast, grid, borders and fronts.

Each map holds only what lies on its part of the board: a chronicle has dozens of them on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from zlib import crc32

from warcabinet.board import coast, hexes, outline, palette
from warcabinet.board.control import fall_1939
from warcabinet.board.labels import Rect
from warcabinet.board.maps import Board, Hex
from warcabinet.board.sheet import SPECK
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.views.chronicle.fronts import HEX

Point = tuple[float, float]
#: What lies so many hexes beyond the map's edge is drawn too, so that no line begins or ends in sight of it.
BEYOND = 1.2
#: How strongly the lines of the grid show on land and at sea.
_GRID = (0.38, 0.7)


def ground(state: State, one: Board, page: Rect, size: float, theme: palette.Theme) -> str:
    """All that lies under counters, arrows and names. Lines are as wide as on the table: `size` is one pixel."""
    return _Ground(state, one, page, size, theme).drawn()


class _Ground:
    """One map's ground in the making."""

    def __init__(self, state: State, one: Board, page: Rect, size: float, theme: palette.Theme) -> None:
        self.one, self.page, self.size = one, page, size
        self.dark = theme == "dark"
        self.colours = palette.tokens(theme)
        around = page.grown(BEYOND * HEX, BEYOND * HEX)
        self.shown = [h for h in one if _inside(around, _scaled(hexes.centre(h.at)))]
        self.holder = {h.id: holder(state, h.key) for h in self.shown if h.is_land}
        self.land = _coast(one, around, size)
        # Maps of one page must not cut each other by the same name.
        self.id = f"{crc32(f'{one.name}{page}{sorted(self.holder.items())}'.encode()):08x}"

    def drawn(self) -> str:
        held = self.held()
        return "".join([self.defined(held), self.sea(), *self.control(held), self.grid(), self.borders(), self.coast()])

    def held(self) -> dict[str, list[Hex]]:
        """The hexes by the power whose colour they wear; rocks in a sea hex wear that of the land they belong to."""
        found: dict[str, list[Hex]] = {}
        for h in self.shown:
            power = palette.power_of(self.holder.get(h.id if h.is_land else h.rocks, ""))
            if power:
                found.setdefault(power, []).append(h)
        return found

    def defined(self, held: dict[str, list[Hex]]) -> str:
        """The coast of this part, each power's land and the patterns it wears."""
        out = [f'<defs><path id="coast-{self.id}" fill-rule="evenodd" clip-rule="evenodd" d="{self.land}"/>']
        edge = _path(outline.around(self.one, [h.id for h in self.shown]))
        out.append(f'<path id="edge-{self.id}" d="{edge}"/>{self.clip("board", "edge")}{self.clip("land", "coast")}')
        for power, its in held.items():
            shape = _path(outline.around(self.one, [h.id for h in its]))
            out.append(f'<path id="{power}-{self.id}" clip-rule="evenodd" fill-rule="evenodd" d="{shape}"/>')
            out.append(self.clip(f"in-{power}", power))
        for wearer, strength in self.worn(held):
            look = palette.look_of(wearer)
            tile = look.tile * (0.6 if strength == 2 else 1)
            deep = self.colours[f"{palette.power_of(wearer)}-deep"]
            out.append(
                f'<pattern id="{wearer}-{strength}-{self.id}" width="{tile:.2f}" height="{tile:.2f}" '
                f'patternUnits="userSpaceOnUse" patternTransform="scale({self.size:.2f})">'
                f'<g opacity="{palette.PATTERN[self.dark] * strength:.2f}">'
                f"{palette.pattern(look.pattern, tile, deep, 0.9)}</g></pattern>"
            )
        return "".join([*out, self.tile("grid-land", _GRID[0]), self.tile("grid-sea", _GRID[1]), "</defs>"])

    def clip(self, name: str, by: str) -> str:
        return f'<clipPath id="{name}-{self.id}"><use href="#{by}-{self.id}"/></clipPath>'

    def worn(self, held: dict[str, list[Hex]]) -> dict[tuple[str, int], list[str]]:
        """The land by its pattern: once as strong where it was held from the start, twice where it was taken."""
        found: dict[tuple[str, int], list[str]] = {}
        for power, its in held.items():
            for h in its:
                by = self.holder.get(h.id, power)
                wearer = by if by in palette.SHARING else power
                own = not h.is_land or palette.power_of(fall_1939().get(h.key, "")) == power
                found.setdefault((wearer, 1 if own else 2), []).append(h.id)
        return found

    def sea(self) -> str:
        left, top = self.page.left, self.page.top
        wide, high = self.page.right - left, self.page.bottom - top
        sea = self.colours["sea"]
        out = [
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{high:.0f}" fill="{self.colours["desk"]}"/>'
            f'<g clip-path="url(#board-{self.id})"><use href="#edge-{self.id}" fill="{sea}"/>'
        ]
        out.append(f'<use href="#edge-{self.id}" fill="url(#grid-sea-{self.id})"/>')
        for n, grown, weight in ((3, 0.34, 0.6), (2, 0.22, 0.7), (1, 0.11, 0.8)):
            for colour, extra in ((self.colours[f"waterline-{n}"], weight), (sea, -weight)):
                out.append(self.stroked(colour, 2 * grown * HEX + extra * self.size))
        return "".join([*out, f'<use href="#coast-{self.id}" fill="{self.colours["land"]}"/></g>'])

    def control(self, held: dict[str, list[Hex]]) -> Iterator[str]:
        """Tint, a band inside the edge, and the pattern, all of it cut by the coast."""
        band = 2 * min(0.3 * HEX, 11 * self.size)
        yield f'<g clip-path="url(#land-{self.id})">'
        for power in held:
            shape, colour = f"#{power}-{self.id}", self.colours[f"{power}-map"]
            yield (
                f'<use href="{shape}" fill="{colour}" opacity="{palette.TINT[self.dark]}"/>'
                f'<g clip-path="url(#in-{power}-{self.id})" opacity="{palette.BAND}">'
                f'<use href="{shape}" fill="none" stroke="{colour}" stroke-width="{band:.1f}"/>'
                f"{self.stroked(colour, band)}</g>"
            )
        for (wearer, strength), ids in self.worn(held).items():
            shape = _path(outline.around(self.one, ids))
            yield f'<path fill="url(#{wearer}-{strength}-{self.id})" fill-rule="evenodd" d="{shape}"/>'
        yield "</g>"

    def grid(self) -> str:
        """On land; at sea it lies under the waterlines."""
        return f'<use href="#coast-{self.id}" fill="url(#grid-land-{self.id})"/>'

    def tile(self, name: str, opacity: float) -> str:
        """The grid as a pattern of two hexes: side by side they would be a third of the page."""
        x, y = _scaled(hexes.corners(self.shown[0].at)[1])
        wide, rise, side = HEX, HEX / 2 / 3**0.5, HEX / 3**0.5
        high = 2 * (rise + side)
        return (
            f'<pattern id="{name}-{self.id}" patternUnits="userSpaceOnUse" x="{x:.2f}" y="{y - rise:.2f}" '
            f'width="{wide}" height="{high:.3f}"><path fill="none" stroke="{self.colours[name]}" '
            f'stroke-width="{0.8 * self.size:.2f}" stroke-opacity="{opacity}" '
            f'd="M0,{rise:.2f}L{wide / 2},0 {wide},{rise:.2f}'
            f"V{rise + side:.2f}L{wide / 2},{2 * rise + side:.2f} 0,{rise + side:.2f}V{rise:.2f}"
            f'M{wide / 2},{2 * rise + side:.2f}V{high:.2f}"/></pattern>'
        )

    def borders(self) -> str:
        """Countries parted by dashes, what two powers hold by a line; neither runs along water or out to sea."""

        def joined(a: Hex, b: Hex) -> bool:
            both = a.id in self.holder and b.id in self.holder
            return both and self.one.side(a.id, b.id) != "all_water"

        def front(a: Hex, b: Hex) -> bool:
            sides = (self.holder[a.id], self.holder[b.id])
            return sides[0] != sides[1] and any(palette.power_of(it) for it in sides)

        borders = self.between(lambda a, b: joined(a, b) and a.country != b.country and not front(a, b))
        fronts = self.between(lambda a, b: joined(a, b) and front(a, b))
        dashes = " ".join(f"{share * self.size:.1f}" for share in (4.8, 2.4, 1.2, 2.4))
        return (
            f'<g clip-path="url(#land-{self.id})">{self.line(borders, "ink", 1.2, 0.85, dashes)}'
            f"{self.line(fronts, 'ink', 1.9, 1)}</g>"
        )

    def between(self, parted: Callable[[Hex, Hex], bool]) -> str:
        edges = []
        for h in self.shown:
            for i, at in enumerate(hexes.neighbours(h.at)):
                other = self.one.by_axial.get(at)
                if other is not None and h.at < at and parted(h, other):
                    edges.append(outline.side_ends(h, i))
        return _path(outline.chains(edges))

    def coast(self) -> str:
        """The coast, and a speck for each land hex whose land is too small to be seen."""
        out = [f'<g clip-path="url(#board-{self.id})">{self.stroked(self.colours["coast"], self.size)}</g>']
        for h in self.shown:
            if h.is_land and h.land_share < SPECK:
                x, y = _scaled(hexes.centre(h.at))
                power = palette.power_of(self.holder[h.id])
                fill = self.colours[f"{power}-map" if power else "land"]
                out.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.14 * HEX:.1f}" fill="{fill}" '
                    f'stroke="{self.colours["coast"]}" stroke-width="{self.size:.1f}"/>'
                )
        return "".join(out)

    def stroked(self, colour: str, wide: float) -> str:
        return (
            f'<use href="#coast-{self.id}" fill="none" stroke="{colour}" stroke-width="{wide:.1f}" '
            'stroke-linejoin="round"/>'
        )

    def line(self, path: str, colour: str, wide: float, opacity: float, dashes: str = "") -> str:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        return (
            f'<path fill="none" stroke="{self.colours[colour]}" stroke-width="{wide * self.size:.2f}" '
            f'stroke-opacity="{opacity}"{dashed} d="{path}"/>'
        )


def _scaled(point: Point) -> Point:
    return point[0] * HEX, point[1] * HEX


def _inside(page: Rect, point: Point) -> bool:
    return page.left <= point[0] <= page.right and page.top <= point[1] <= page.bottom


def _path(chains: Sequence[Sequence[Point]]) -> str:
    parts = []
    for chain in chains:
        closed = chain[0] == chain[-1]
        points = [f"{x:.1f},{y:.1f}" for x, y in map(_scaled, chain[:-1] if closed else chain)]
        parts.append("M" + "L".join(points) + ("Z" if closed else ""))
    return "".join(parts)


def _coast(one: Board, page: Rect, size: float) -> str:
    """The coast within a part of the board as one path, as fine as the map can show."""
    parts = []
    for ring in coast.rings(one):
        kept: list[Point] = []
        for x, y in _cut([_scaled(point) for point in ring], page):
            if not kept or abs(x - kept[-1][0]) + abs(y - kept[-1][1]) > 1.8 * size:
                kept.append((x, y))
        if len(kept) > 2:
            parts.append(_fine(kept))
    return "".join(parts)


def _fine(ring: Sequence[Point]) -> str:
    """A closed line of many short steps, each told from the one before it: half as long to write."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in ring]
    steps = [(x - was_x, y - was_y) for (was_x, was_y), (x, y) in pairwise(tenths)]
    told = "".join(f"{dx / 10:+g}{dy / 10:+g}" for dx, dy in steps)
    return f"M{tenths[0][0] / 10:g},{tenths[0][1] / 10:g}l{told}z"


def _cut(ring: list[Point], page: Rect) -> list[Point]:
    """A ring cut to a part of the plane, edge by edge; where land goes on beyond it the ring runs along the edge."""
    edges = ((0, page.left, 1), (0, page.right, -1), (1, page.top, 1), (1, page.bottom, -1))
    for axis, limit, sign in edges:
        kept: list[Point] = []
        for before, here in zip((ring[-1:] + ring)[:-1], ring, strict=True):
            was, is_ = ((point[axis] - limit) * sign >= 0 for point in (before, here))
            if was != is_:
                share = (limit - before[axis]) / (here[axis] - before[axis])
                kept.append((before[0] + (here[0] - before[0]) * share, before[1] + (here[1] - before[1]) * share))
            if is_:
                kept.append(here)
        ring = kept
    return ring
