"""What is laid over a chronicle's map: counters where they stand, arrows of those who marched, numbers and names.

Whatever comes later makes room for what lies there already: counters first, then arrows, numbers, names.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import msgspec

from warcabinet.board import hexes, palette, rows
from warcabinet.board.labels import Rect, Taken, spots, width
from warcabinet.board.maps import Board
from warcabinet.board.names import places
from warcabinet.board.naming import LabelRow
from warcabinet.model.state import State
from warcabinet.views.chronicle.counters import counter
from warcabinet.views.chronicle.marches import March
from warcabinet.views.words import place_name

#: Pixels of a map for one hex.
HEX = 20.0

#: Names of countries and seas: the height of their letters by the size of what they name, and the room between them.
_LETTERS = (9.0, 11.5, 15.0)
_SPACING = 0.12
_SERIF = "Palatino, Georgia, Liberation Serif, serif"
#: Where such a name may stand, in hexes from the spot that was set for it.
_NEAR_ANCHOR = ((0, 0), (0, -1), (0, 1), (1.2, 0), (-1.2, 0), (1.2, -1), (-1.2, -1), (1.2, 1), (-1.2, 1))

#: What a ring around a hex is drawn with, light and dark: what is now.
RING: dict[palette.Theme, str] = {"light": "#8a3b12", "dark": "#e8a06a"}

Point = tuple[float, float]


class SeasonMap(msgspec.Struct, frozen=True):
    """What a season did on one part of a board: places taken with the taker, in order, and the marches by place.

    They are numbered from `first` on. Without any, `around` says which hexes are shown, each with a ring.
    """

    taken: Sequence[tuple[str, str]] = ()
    marches: dict[str, tuple[March, ...]] = {}
    first: int = 1
    around: Sequence[str] = ()

    @property
    def shown(self) -> list[str]:
        return [*(key for key, _ in self.taken), *self.around]

    @property
    def pixels(self) -> int:
        """How wide the map is seen: a season's across the page, a case's beside its words."""
        return 560 if self.around else 1000


NOTHING_TAKEN = SeasonMap()


#: As far from each other, in hexes, places are still shown on one map.
NEAR = 9.0


def theaters(one: Board, taken: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """What was taken on a board, by the parts of it that one map can show: each place near some other of its part."""
    parts: list[list[tuple[str, str]]] = []
    for it in taken:
        near = [part for part in parts if any(_apart(one, it[0], key) <= NEAR for key, _ in part)]
        joined = [*(other for part in near for other in part), it]
        parts = [*(part for part in parts if part not in near), joined]
    order = {key: n for n, (key, _) in enumerate(taken)}
    return [sorted(part, key=lambda it: order[it[0]]) for part in sorted(parts, key=lambda part: order[part[0][0]])]


def _apart(one: Board, a: str, b: str) -> float:
    return math.dist(*(hexes.centre(one[key.partition("/")[2]].at) for key in (a, b)))


def laid_over(state: State, one: Board, page: Rect, season: SeasonMap, size: float, theme: palette.Theme) -> str:
    """Counters, arrows, numbers and names, in the order in which they lie."""
    drawn = _Overlay(one, page, size, theme)
    if season.shown:
        drawn.rings(season.around)
        drawn.counters(state)
        for number, (key, by) in enumerate(season.taken, season.first):
            drawn.place(number, key, by, season.marches.get(key, ()))
        drawn.names(season.shown)
        drawn.lands_and_seas()
    return "".join(drawn.out)


class _Overlay:
    """A map's upper layer while it is drawn, with what is taken on it. `size` is one pixel as it is seen."""

    def __init__(self, one: Board, page: Rect, size: float, theme: palette.Theme) -> None:
        self.one, self.page, self.size, self.theme = one, page, size, theme
        self.covered = Taken(page)
        self.colours = palette.tokens(theme)
        self.out: list[str] = []
        self.lines: list[Point] = []

    def counters(self, state: State) -> None:
        edge = min(HEX * 0.8, 26 * self.size)
        for h in self.one:
            x, y = self.centre(h.key)
            stacks = state.pieces.at(h.key)
            if stacks and self.page.grown(-edge, -edge).meets(Rect(x, y, x, y).grown(0.1, 0.1)):
                self.out.append(counter(stacks, x, y, edge, self.theme))
                self.cover(x, y, edge * 0.6)

    def rings(self, keys: Sequence[str]) -> None:
        for key in keys:
            x, y = self.centre(key)
            corners = " ".join(
                f"{x + HEX * 0.577 * math.sin(turn):.1f},{y - HEX * 0.577 * math.cos(turn):.1f}"
                for turn in (n * math.pi / 3 for n in range(6))
            )
            self.out.append(
                f'<polygon points="{corners}" fill="none" stroke="{RING[self.theme]}" '
                f'stroke-width="{3 * self.size:.1f}" stroke-dasharray="{6 * self.size:.1f} {4 * self.size:.1f}"/>'
            )

    def place(self, number: int, key: str, by: str, marches: tuple[March, ...]) -> None:
        """The number of a place that was taken: on the arrow into it, or beside it where no march was reported."""
        at = self.centre(key)
        into = next((it for it in marches if not it.left), None)
        for it in marches:
            self.arrow(it)
        spot = self.on_the_way(self.centre(into.origin), at) if into else self.beside(at)
        fill = self.deep(by)
        self.out.append(
            f'<circle cx="{spot[0]:.0f}" cy="{spot[1]:.0f}" r="{10 * self.size:.1f}" fill="{fill}" '
            f'stroke="{self.colours["paper"]}" stroke-width="{2 * self.size:.1f}"/>'
            f'<text x="{spot[0]:.0f}" y="{spot[1] + 4 * self.size:.1f}" text-anchor="middle" '
            f'font-size="{11.5 * self.size:.1f}" font-weight="700" fill="{palette.readable(fill)}">{number}</text>'
        )
        self.cover(*spot, 10 * self.size)

    def arrow(self, march: March) -> None:
        start, end = self.centre(march.origin), self.centre(march.to)
        bend = _bend(start, end)
        colour = self.deep(march.nation)
        path = f"M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
        dashes = f' stroke-dasharray="{9 * self.size:.1f} {5 * self.size:.1f}"' if march.left else ""
        for stroke, wide in ((self.colours["paper"], 7.5), (colour, 4.5)):
            self.out.append(
                f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{wide * self.size:.1f}"{dashes}/>'
            )
        self.out.append(self.head(bend, end, colour))
        self.lines += [_along(start, bend, end, share) for share in (0.2, 0.35, 0.5, 0.65, 0.8)]

    def head(self, bend: Point, end: Point, colour: str) -> str:
        angle = math.atan2(end[1] - bend[1], end[0] - bend[0])
        reach = 13 * self.size
        back = [
            (end[0] - reach * math.cos(angle + turn), end[1] - reach * math.sin(angle + turn)) for turn in (0.5, -0.5)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (end, *back))
        return (
            f'<polygon points="{points}" fill="{colour}" stroke="{self.colours["paper"]}" '
            f'stroke-width="{1.2 * self.size:.1f}"/>'
        )

    def names(self, keys: list[str]) -> None:
        """Where there is room, what was taken by name (the caption has them all), then the objectives around it."""
        for point in self.lines:
            self.cover(*point, 4 * self.size)
        for key in dict.fromkeys([*keys, *self.objectives()]):
            x, y = self.centre(key)
            text = place_name(key).partition(" (")[0]
            high = 13 * self.size
            wide = width(text, "bold", high)
            bare = self.covered.free(Rect(x, y, x, y).grown(self.size, self.size))
            for rect, anchor in spots(x, y, wide, high, (6 if bare else 15) * self.size):
                if self.covered.free(rect):
                    self.write(text, rect, anchor, high)
                    if bare:
                        self.dot(x, y)
                    break

    def dot(self, x: float, y: float) -> None:
        """Where a city lies on which nothing stands."""
        self.out.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2.4 * self.size:.1f}" fill="{self.colours["ink"]}" '
            f'stroke="{self.colours["paper"]}" stroke-width="{1.2 * self.size:.1f}"/>'
        )
        self.cover(x, y, 3 * self.size)

    def write(self, text: str, rect: Rect, anchor: str, high: float) -> None:
        x = {"start": rect.left, "end": rect.right, "middle": rect.middle[0]}[anchor]
        self.out.append(
            f'<text fill="{self.colours["ink"]}" stroke="{self.colours["paper"]}" paint-order="stroke" '
            f'font-weight="600" x="{x:.1f}" y="{rect.bottom - high * 0.2:.1f}" font-size="{high:.1f}" '
            f'text-anchor="{anchor}" stroke-width="{3.5 * self.size:.1f}">{escape(text)}</text>'
        )
        self.covered.add(rect)

    def lands_and_seas(self) -> None:
        """The names of countries and seas, where they hide nothing: near the spot that was set for them by hand."""
        for row in rows.table("labels", LabelRow):
            if row.board != self.one.name or row.hex not in self.one:
                continue
            high = _LETTERS[row.size - 1] * self.size
            lines = row.text.split("|")
            wide = max(width(line, "serif", high, _SPACING) for line in lines)
            x, y = self.centre(f"{row.board}/{row.hex}")
            for dx, dy in _NEAR_ANCHOR:
                spot = Rect(x + dx * HEX, y + dy * HEX, x + dx * HEX, y + dy * HEX)
                rect = spot.grown(wide / 2, high * len(lines) * 0.55)
                if self.covered.free(rect):
                    self.letters(lines, rect, high, "sea" if row.kind == "sea" else "land")
                    break

    def letters(self, lines: list[str], rect: Rect, high: float, kind: str) -> None:
        colour = self.colours["sea-name" if kind == "sea" else "ink"]
        slant = ' font-style="italic"' if kind == "sea" else ""
        for n, line in enumerate(lines):
            self.out.append(
                f'<text class="land" fill="{colour}" stroke="{self.colours["sea" if kind == "sea" else "paper"]}" '
                f'paint-order="stroke" stroke-width="{3 * self.size:.1f}" stroke-opacity=".8"{slant} '
                f'font-family="{_SERIF}" letter-spacing="{_SPACING * high:.1f}" text-anchor="middle" '
                f'x="{rect.middle[0]:.0f}" y="{rect.top + high * (0.9 + n * 1.1):.0f}" '
                f'font-size="{high:.1f}">{escape(line)}</text>'
            )
        self.covered.add(rect)

    def objectives(self) -> Iterator[str]:
        for it in places().values():
            if it.has("objective") and it.key.startswith(f"{self.one.name}/"):
                yield it.key

    def on_the_way(self, start: Point, end: Point) -> Point:
        """The first free spot on an arrow."""
        ways = [_along(start, _bend(start, end), end, share) for share in (0.5, 0.35, 0.65, 0.2)]
        return next((p for p in ways if self.covered.free(Rect(*p, *p).grown(8 * self.size, 8 * self.size))), ways[0])

    def beside(self, at: Point) -> Point:
        """The first free spot around a hex."""
        reach = HEX * 0.62
        around = [(at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn)) for turn in (-2.2, -0.9, 2.2, 0.9)]
        half = 9 * self.size
        return next((p for p in around if self.covered.free(Rect(*p, *p).grown(half, half))), around[0])

    def centre(self, key: str) -> Point:
        x, y = hexes.centre(self.one[key.partition("/")[2]].at)
        return x * HEX, y * HEX

    def cover(self, x: float, y: float, half: float) -> None:
        self.covered.add(Rect(x, y, x, y).grown(half, half))

    def deep(self, nation: str) -> str:
        wears = palette.power_of(nation)
        return self.colours[f"{wears}-deep"] if wears else self.colours["ink"]


def _bend(start: Point, end: Point) -> Point:
    """The point that bows an arrow a little to its left, so that two between the same hexes stay apart."""
    across, down = end[0] - start[0], end[1] - start[1]
    return (start[0] + end[0]) / 2 + down * 0.14, (start[1] + end[1]) / 2 - across * 0.14


def _along(start: Point, bend: Point, end: Point, share: float) -> Point:
    """A point on an arrow."""
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]
