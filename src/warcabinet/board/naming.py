"""Placing the names of a map: greedy, in a fixed order, so the same position always gives the same sheet.

First the cities that matter most, then countries, seas, the lesser places, hex ids, at last terrain. A name that finds
no room is left out until the map is drawn larger; a name of the first rank, and on the largest map every name, gets a
leader instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from xml.sax.saxutils import escape

import msgspec

from warcabinet.board import coast, hexes, names, palette, relief, rows
from warcabinet.board.control import fall_1939
from warcabinet.board.labels import Rect, Taken, spots, width
from warcabinet.board.maps import Board
from warcabinet.board.sheet import LEVELS, SPECK, Colours, Level, Sheet

_SPACING = (0.07, 0.13, 0.2)


class LabelRow(msgspec.Struct, frozen=True):
    board: rows.BoardName
    text: str
    kind: str
    area: str
    hex: str
    size: int
    source: str


class Naming:
    """The names of one map."""

    def __init__(self, board: Board, sheet: Sheet, level: Level, holder: Mapping[str, str], ids: bool) -> None:
        self.board, self.sheet, self.level, self.holder, self.ids = board, sheet, level, holder, ids
        self.look = LEVELS[level]
        self.taken = Taken(sheet.page)
        self.out: list[str] = []
        #: Every name on the sheet with the box it fills.
        self.placed: list[tuple[str, Rect]] = []

    def drawn(self, colours: Colours) -> str:
        places = [p for p in _places(self.board) if p.tier < 3 or self.level == 3]
        labels = [row for row in rows.table("labels", LabelRow) if row.board == self.board.name]
        self.out = ['<g class="wc-names">']
        for place in places:
            self._dot(place, colours)
        for place in places:
            if place.tier == 1:
                self._city(place, colours)
        for row in sorted((r for r in labels if r.kind != "sea"), key=lambda r: -r.size):
            self._country(row)
        for row in (r for r in labels if r.kind == "sea"):
            self._sea(row)
        for place in places:
            if place.tier > 1:
                self._city(place, colours)
        if self.level == 3 or self.ids:
            self._hex_ids()
        if self.level >= 2:
            self._relief(colours)
        self.out.append("</g>")
        return "".join(self.out)

    # Cities

    def _radius(self, place: names.Place) -> float:
        return {1: 2.1, 2: 2.6, 3: 3.2}[self.level] * (1.0 if place.tier == 1 else 0.72)

    def _clearance(self, place: names.Place) -> float:
        """How much room the dot needs, with the speck of an atoll that is drawn round it."""
        speck = 0.15 * self.look.hex if self.board[place.hex].land_share < SPECK else 0.0
        return max(self._radius(place) * 1.7, speck)

    def _dot(self, place: names.Place, colours: Colours) -> None:
        x, y = self._spot(place)
        r = self._radius(place)
        ink, paper = colours.colour("ink"), colours.colour("paper")
        mark = f'cx="{x:.1f}" cy="{y:.1f}"'
        if place.has("capital"):
            self.out.append(
                f'<circle {mark} r="{r * 1.55:.1f}" fill="{paper}" stroke="{ink}" stroke-width="{r * 0.4:.1f}"/>'
                f'<circle {mark} r="{r * 0.75:.1f}" fill="{ink}"/>'
            )
        else:
            self.out.append(f'<circle {mark} r="{r:.1f}" fill="{ink}" stroke="{paper}" stroke-width="{r * 0.3:.1f}"/>')
        clear = self._clearance(place)
        self.taken.add(Rect(x - clear, y - clear, x + clear, y + clear))

    def _spot(self, place: names.Place) -> tuple[float, float]:
        """The middle of the hex, or side by side when two places share it."""
        x, y = self.sheet.at(hexes.centre(self.board[place.hex].at))
        here = [p.name for p in _places(self.board) if p.hex == place.hex and (p.tier < 3 or self.level == 3)]
        if len(here) > 1:
            step = self.look.hex * 0.24
            y += (here.index(place.name) - (len(here) - 1) / 2) * 2 * step
        return x, y

    def _city(self, place: names.Place, colours: Colours) -> None:
        x, y = self._spot(place)
        size = self.look.tier[place.tier - 1]
        face = "bold" if place.tier == 1 else "sans"
        wide, high = width(place.name, face, size), size * 1.02
        choices = spots(x, y, wide, high, self._clearance(place) + 2)
        for rect, anchor in self._ranked(place, choices):
            if self._fits(rect):
                self._put(place.name, rect, anchor, size, f"t{place.tier}")
                return
        if place.tier == 1 or self.level == 3:
            self._with_leader(place, x, y, wide, high, colours)

    def _ranked(self, place: names.Place, choices: list[tuple[Rect, str]]) -> Iterator[tuple[Rect, str]]:
        """Spots at home or over water first; abroad last, and only where the name must be on the sheet."""
        home = self.board[place.hex].country
        abroad = []
        for rect, anchor in choices:
            under = self.board.by_axial.get(self.sheet.hex_at(*rect.middle))
            if under is None or not under.country or under.country == home:
                yield rect, anchor
            else:
                abroad.append((rect, anchor))
        if place.tier == 1 or self.level == 3:
            yield from abroad

    def _with_leader(self, place: names.Place, x: float, y: float, wide: float, high: float, colours: Colours) -> None:
        size = self.look.tier[0]
        for ring in (1, 1.5, 2, 2.5, 3):
            for dx, dy in ((1, 0), (-1, 0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7), (0, -1), (0, 1)):
                cx, cy = x + dx * (ring * self.look.hex + wide / 2), y + dy * ring * self.look.hex
                rect = Rect(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
                if self._fits(rect):
                    end = max(rect.left, min(x, rect.right)), max(rect.top, min(y, rect.bottom))
                    self.out.append(
                        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
                        f'stroke="{colours.colour("ink")}" stroke-width=".8"/>'
                    )
                    self._put(place.name, rect, "middle", size, f"t{place.tier}")
                    return

    # Countries and seas

    def _country(self, row: LabelRow) -> None:
        size, spacing = self.look.country[row.size - 1], _SPACING[row.size - 1]
        lines = row.text.split("|")
        note = self._held_note(row.area)
        wide = max(width(line, "serif", size, spacing) for line in lines)
        wide = max(wide, width(note, "serif", self.look.note))
        high = size * (1 + 1.12 * (len(lines) - 1)) + (self.look.note * 1.15 if note else 0)
        for rect in self._around(row.hex, wide, high, 2.2):
            under = self.board.by_axial.get(self.sheet.hex_at(*rect.middle))
            if under is not None and row.area in (under.country, under.region) and self._fits(rect):
                self._put_country(lines, note, rect, size, spacing)
                return

    def _put_country(self, lines: list[str], note: str, rect: Rect, size: float, spacing: float) -> None:
        middle, y = rect.middle[0], rect.top + size * 0.86
        for line in lines:
            self.out.append(
                f'<text class="land-name" x="{middle + spacing * size / 2:.1f}" y="{y:.1f}" font-size="{size}" '
                f'letter-spacing="{spacing * size:.2f}" text-anchor="middle">{escape(line)}</text>'
            )
            y += size * 1.12
        if note:
            y += self.look.note * 0.86 - size * 0.98
            self.out.append(
                f'<text class="held" x="{middle:.1f}" y="{y:.1f}" font-size="{self.look.note}" '
                f'text-anchor="middle">{escape(note)}</text>'
            )
        self._claim(" ".join(lines), rect)

    def _held_note(self, area: str) -> str:
        """`held by Germany` when one power holds most of a land that was not its own at the start."""
        ids = [h.id for h in self.board if area in (h.country, h.region)]
        now = [self.holder[id_] for id_ in ids]
        for holder in sorted(set(now)):
            fresh = any(fall_1939().get(self.board[i].key) != holder for i in ids if self.holder[i] == holder)
            if fresh and now.count(holder) * 2 > len(ids) and holder in palette.POWERS:
                return f"held by {palette.POWERS[holder].name}"
        return ""

    def _sea(self, row: LabelRow) -> None:
        size, spacing = self.look.sea[row.size - 1], 0.06
        wide = width(row.text, "serif", size, spacing)
        for rect in self._around(row.hex, wide, size, 2.6):
            if self._fits(rect) and self._all_water(rect):
                x, y = rect.middle[0], rect.top + size * 0.84
                self.out.append(
                    f'<text class="sea-name" x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
                    f'letter-spacing="{spacing * size:.2f}" text-anchor="middle">{escape(row.text)}</text>'
                )
                self._claim(row.text, rect)
                return

    def _all_water(self, rect: Rect) -> bool:
        steps = max(3, int((rect.right - rect.left) / self.look.hex * 2) + 1)
        for i in range(steps):
            x = rect.left + (rect.right - rect.left) * i / (steps - 1)
            for y in (rect.top, rect.bottom):
                under = self.board.by_axial.get(self.sheet.hex_at(x, y))
                if under is None or under.land_share > (0.04 if under.kind == "sea" else 0.3):
                    return False
        return True

    def _around(self, id_: str, wide: float, high: float, reach: float) -> Iterator[Rect]:
        """Boxes round a hand-set anchor, nearest first."""
        x, y = self.sheet.at(hexes.centre(self.board[id_].at))
        step = self.look.hex / 4
        n = int(reach * 4)
        offsets = sorted(
            ((dx * step, dy * step) for dx in range(-n, n + 1) for dy in range(-n, n + 1)),
            key=lambda d: (d[0] ** 2 + d[1] ** 2, d),
        )
        for dx, dy in offsets:
            cx, cy = x + dx, y + dy
            yield Rect(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)

    # Hex ids

    def _hex_ids(self) -> None:
        size = 10 if self.level == 3 else 8
        for h in self.board:
            x, y = self.sheet.at(hexes.centre(h.at))
            top = y - self.look.hex * 0.41
            wide = width(h.id, "sans", size)
            rect = Rect(x - wide / 2, top, x + wide / 2, top + size)
            if self.taken.free(rect):
                self._put(h.id, rect, "middle", size, "id")

    # Terrain

    def _relief(self, colours: Colours) -> None:
        """A mark in every hex that is not clear, where its names leave room."""
        self.out.append('<g class="wc-relief" opacity=".72">')
        wide, high = (half * self.look.hex for half in relief.HALF)
        for h in self.board:
            if h.terrain not in relief.MARKS:
                continue
            x, y = self.sheet.at(hexes.centre(h.at))
            for dx, dy in relief.SPOTS:
                cx, cy = x + dx * self.look.hex, y + dy * self.look.hex
                rect = Rect(cx - wide, cy - high, cx + wide, cy + high)
                if self.taken.free(rect) and (h.kind == "land" or self._on_land(rect)):
                    self.out.append(relief.mark(h.terrain, cx, cy, self.look.hex, colours.colour("ink-3")))
                    break
        self.out.append("</g>")

    def _on_land(self, rect: Rect) -> bool:
        """Whether a mark stands on the land of a coastal hex and not beside it on the water."""
        corners = [(x, y) for x in (rect.left, rect.right) for y in (rect.top, rect.bottom)]
        return all(coast.is_land(self.board, self.sheet.plane(*point)) for point in corners)

    def _fits(self, rect: Rect) -> bool:
        return self.taken.free(rect.grown(1.5, 0.5))

    def _put(self, text: str, rect: Rect, anchor: str, size: float, css: str) -> None:
        x = {"start": rect.left, "end": rect.right, "middle": rect.middle[0]}[anchor]
        y = rect.top + size * 0.86
        self.out.append(
            f'<text class="{css}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">'
            f"{escape(text)}</text>"
        )
        self._claim(text, rect)

    def _claim(self, text: str, rect: Rect) -> None:
        self.placed.append((text, rect))
        self.taken.add(rect)


@cache
def _places(board: Board) -> tuple[names.Place, ...]:
    found = [p for p in names.places().values() if p.board == board.name]
    return tuple(sorted(found, key=lambda p: (p.tier, not p.has("capital"), not p.has("key_area"))))
