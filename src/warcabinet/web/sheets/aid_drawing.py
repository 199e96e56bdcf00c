"""The strips of the aid page: a piece of the map for each theater, as a picture, and the roads that lie over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import atan2, cos, hypot, sin

from warcabinet.board import hexes, palette
from warcabinet.board.labels import Rect, Taken, spots, width
from warcabinet.board.maps import board
from warcabinet.board.names import places
from warcabinet.model.state import State
from warcabinet.views.aid_roads import MapLine, Road
from warcabinet.views.chronicle.fronts import HEX
from warcabinet.views.chronicle.ground import ground
from warcabinet.views.convoy_sheet import ConvoySheet
from warcabinet.web.sheets.aid_strips import Strip

Point = tuple[float, float]
#: How many pixels of a strip are drawn from its top, and how many are surely seen.
DRAWN, SEEN = 264, 244
#: Where the way round northern Norway begins and ends, and where on it lie its six hexes off the board.
ARCTIC = ("europe/C28", "europe/A47")
STATIONS = tuple(0.3 + 0.09 * n for n in range(1, 7))


def window(strip: Strip) -> Rect:
    """The part of the board that a strip shows, in the map's own units."""
    one = board(strip.board)
    at = [hexes.centre(one[id].at) for id in strip.frame if id in one]
    left, right = min(x for x, _ in at) - 1, max(x for x, _ in at) + 1
    top = min(y for _, y in at) - strip.above
    return Rect(left * HEX, top * HEX, right * HEX, (top + (right - left) * DRAWN / strip.pixels) * HEX)


def strip_map(state: State, strip: Strip, theme: palette.Theme) -> str:
    """The map under the roads, as a file of its own."""
    page = window(strip)
    box = f"{page.left:.0f} {page.top:.0f} {page.right - page.left:.0f} {page.bottom - page.top:.0f}"
    drawn = ground(state, board(strip.board), page, (page.right - page.left) / strip.pixels, theme)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{drawn}</svg>'


def strip_roads(strip: Strip, roads: Iterable[Road], planned: set[str], convoy: ConvoySheet | None) -> str:
    """What lies over the map, as a part of a drawing: roads by their state, what they hang on, names."""
    drawn = _Roads(strip, planned)
    mine = [next(it for it in roads if it.id == id) for id in strip.roads]
    for road in mine:
        if road.id == "murmansk":
            drawn.arctic(road, [it.state for it in convoy.hexes] if convoy else [])
        for line in road.lines:
            drawn.road(road, line)
    for road in mine:
        for key in road.hangs_on:
            drawn.hangs_on(key)
    for put in drawn.tags:
        drawn.tag(*put)
    for text, id in strip.lands:
        drawn.land(text.upper(), f"{strip.board}/{id}")
    for name in strip.names:
        drawn.place(name)
    return "".join(drawn.out)


class _Roads:
    """A strip's upper layer while it is drawn, with what is taken on it. `size` is one pixel as it is seen."""

    def __init__(self, strip: Strip, planned: set[str]) -> None:
        self.one, self.page, self.planned = board(strip.board), window(strip), planned
        page = self.page
        self.size = (page.right - page.left) / strip.pixels
        seen = Rect(page.left, page.top, page.right, page.top + SEEN * self.size)
        self.taken = Taken(seen.grown(-2 * self.size, -2 * self.size))
        self.out: list[str] = []
        self.tags: list[tuple[Point, str, str]] = []

    def at(self, key: str) -> Point | None:
        name, _, id = key.partition("/")
        if name != self.one.name or id not in self.one:
            return None
        x, y = hexes.centre(self.one[id].at)
        return x * HEX, y * HEX

    def look(self, road: Road, open: bool) -> str:
        return "closed" if not open else "sent" if road.used or road.id in self.planned else "open"

    def road(self, road: Road, line: MapLine) -> None:
        way = [at for key in line.hexes if (at := self.at(key))]
        murmansk = road.id == "murmansk"
        if len(way) < 2 or (murmansk and not line.open):
            return
        look, bow = self.look(road, line.open), line.bow or not line.open
        points = [_bend(way[0], way[-1], i / 20) for i in range(21)] if bow else way
        self.way(points, look)
        self.arrow(points[-2], points[-1], look)
        self.disc(points[0], 3.6, look)
        if murmansk:
            x, y = way[0]
            self.tags.append(((x + 8 * self.size, y - 16 * self.size), line.text, look))
            return
        text = f"{road.id} {road.capacity}" if line.bow else str(road.capacity)
        if not line.open:
            text = f"{line.text} closed" if road.id in ("ports", "hump") else "closed"
        x, y = _bend(way[0], way[-1], 0.5) if bow else way[len(way) // 2]
        self.tags.append(((x + (0 if bow else 16) * self.size, y - (9 if bow else 14) * self.size), text, look))

    def way(self, points: Sequence[Point], look: str, wide: float = 2.6) -> None:
        d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{6 * self.size:.1f} {4 * self.size:.1f}"' if look == "closed" else ""
        self.out.append(f'<path class="casing" d="{d}" stroke-width="{5.5 * self.size:.1f}"/>')
        self.out.append(f'<path class="way {look}" d="{d}" stroke-width="{wide * self.size:.1f}"{dash}/>')

    def arrow(self, start: Point, end: Point, look: str) -> None:
        turn, reach = atan2(end[1] - start[1], end[0] - start[0]), 9 * self.size
        back = [(end[0] + reach * cos(turn + side), end[1] + reach * sin(turn + side)) for side in (2.6, -2.6)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (end, *back))
        self.out.append(f'<polygon class="spot {look}" points="{points}"/>')

    def disc(self, at: Point, radius: float, look: str) -> None:
        self.out.append(
            f'<circle class="spot {look}" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius * self.size:.1f}" '
            f'stroke-width="{1.2 * self.size:.1f}"/>'
        )

    def text(self, text: str, x: float, y: float, high: float, kind: str, anchor: str = "start") -> None:
        self.out.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{high * self.size:.1f}" text-anchor="{anchor}" '
            f'stroke-width="{2.6 * self.size:.1f}">{escape(text)}</text>'
        )

    def hangs_on(self, key: str) -> None:
        """A hex on which a road hangs; names keep off it."""
        at = self.at(key)
        if at is None:
            return
        shape = " ".join(
            f"{at[0] + HEX * 0.577 * sin(n * 1.0472):.1f},{at[1] - HEX * 0.577 * cos(n * 1.0472):.1f}" for n in range(6)
        )
        self.out.append(f'<polygon class="hangs" points="{shape}" stroke-width="{1.8 * self.size:.1f}"/>')

    def tag(self, at: Point, text: str, look: str) -> None:
        """A word on a paper label with a coloured edge, kept inside the strip."""
        wide, high = width(text, "bold", 11 * self.size) + 10 * self.size, 16 * self.size
        left = min(max(self.page.left + 3 * self.size, at[0] - wide / 2), self.page.right - wide - 3 * self.size)
        tops = [max(self.page.top, at[1] + (off - 8) * self.size) for off in (0, -18, 18, -36, 36)]
        rects = [Rect(left, top, left + wide, top + high) for top in tops]
        rect = next((it for it in rects if self.taken.free(it)), rects[0])
        self.taken.add(rect)
        self.out.append(
            f'<rect class="tag {look}" x="{rect.left:.1f}" y="{rect.top:.1f}" width="{wide:.1f}" height="{high:.1f}" '
            f'rx="{3 * self.size:.1f}" stroke-width="{1.2 * self.size:.1f}"/>'
        )
        self.text(text, rect.left + 5 * self.size, rect.top + 12 * self.size, 11, f"word {look}")

    def arctic(self, road: Road, states: Sequence[str]) -> None:
        """The way round northern Norway: six hexes off the board, one attack each."""
        start, goal = map(self.at, ARCTIC)
        if start is None or goal is None:
            return
        left, top = self.page.left + 10 * self.size, self.page.top + 18 * self.size
        self.text("Murmansk box", left, top, 13, "land")
        told = left + width("Murmansk box  ", "serif", 13 * self.size)
        self.text("six hexes off the board", told, top, 11, "note")
        look = self.look(road, road.state != "closed")
        high = max(self.page.top + 30 * self.size, goal[1] - 3.4 * HEX)
        over = ((start[0], high), (start[0] + (goal[0] - start[0]) * 0.75, high - 6 * self.size))
        self.way([_arc(start, *over, goal, i / 40) for i in range(41)], look, 2.4)
        self.disc(start, 3.6, look)
        for n, share in enumerate(STATIONS):
            x, y = _arc(start, *over, goal, share)
            state = states[n] if n < len(states) else look
            self.out.append(f'<circle class="station {state}" cx="{x:.1f}" cy="{y:.1f}" r="{8.5 * self.size:.1f}"/>')
            self.text(str(n + 1), x, y + 4 * self.size, 11, f"number {state}", "middle")

    def place(self, name: str) -> None:
        found = next((it for it in places().values() if it.name == name and it.board == self.one.name), None)
        at = self.at(found.key) if found else None
        if at is None:
            return
        self.disc(at, 2.4, "place")
        high = 11 * self.size
        around = spots(*at, width(name, "bold", high), high * 1.2, 6 * self.size)
        rect, anchor = next((it for it in around if self.taken.free(it[0])), (None, ""))
        if rect is not None:
            self.taken.add(rect)
            x = {"start": rect.left, "end": rect.right, "middle": rect.middle[0]}[anchor]
            self.text(name, x, rect.bottom - high * 0.3, 11, "name", anchor)

    def land(self, text: str, key: str) -> None:
        at = self.at(key)
        wide, high = width(text, "serif", 12 * self.size, 0.12), 14 * self.size
        if at and self.taken.free(rect := Rect(*at, *at).grown(wide / 2, high / 2)):
            self.taken.add(rect)
            self.text(text, at[0], at[1] + 4 * self.size, 12, "land spaced", "middle")


def _bend(a: Point, b: Point, t: float) -> Point:
    lift = hypot(b[0] - a[0], b[1] - a[1]) * 0.22
    u = 1 - t
    return u * a[0] + t * b[0], u * a[1] + t * b[1] - 2 * u * t * lift


def _arc(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    u = 1 - t
    x, y = (u**3 * a[i] + 3 * u * u * t * b[i] + 3 * u * t * t * c[i] + t**3 * d[i] for i in (0, 1))
    return x, y
