"""Charts of BRPs as SVG: every power's level over the war, and the same small, uncovered as a story goes on."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil, floor
from typing import Any

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.plans.chart import lines_apart, spread
from warcabinet.web.sheets.power_sheet import Charts

Point = list[int]
#: Lines differ in dash too: colour is never alone.
DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "5 2 1 2 1 2", "12 3", "3 2")
#: How many steps of the sequence are shown as one turn's width.
WIDTH_OF_TURN = 40


def place(moment: int) -> float:
    """Where a moment lies on the line of turns."""
    turn, step = calendar.split(moment)
    return turn + step / WIDTH_OF_TURN


class _Frame:
    """Where a moment and a level lie in a chart."""

    def __init__(self, data: Charts, wide: int, high: int, edges: tuple[int, int, int, int], most_lines: int) -> None:
        self.data, self.wide, self.high = data, wide, high
        self.left, right, self.top, bottom = edges
        self.end_x, self.foot = wide - right, high - bottom
        points = [it for points in data.series.values() for it in points]
        self.first = floor(min(place(it[0]) for it in points))
        self.end = max(self.first + 1, place(data.now) + 0.1)
        self.low, self.high_level = min(0, *(it[1] for it in points)), max(50, *(it[1] for it in points))
        self.every = max(50, lines_apart(self.high_level - self.low, most_lines))

    def x(self, at: float) -> float:
        return round(self.left + (at - self.first) / (self.end - self.first) * (self.end_x - self.left), 1)

    def y(self, level: float) -> float:
        share = (self.high_level - level) / (self.high_level - self.low)
        return round(self.top + share * (self.foot - self.top), 1)

    def across(self, off: int) -> Iterator[str]:
        """Lines across, each with its figure at the left."""
        for n in range(ceil(self.low / self.every), floor(self.high_level / self.every) + 1):
            level = n * self.every
            kind, y = "axis" if level else "strong", self.y(level)
            yield f'<line class="{kind}" x1="{self.left}" x2="{self.end_x}" y1="{y}" y2="{y}"/>'
            yield f'<text x="{self.left - off}" y="{y + 4}" text-anchor="end">{level}</text>'

    def upright(self, turn: int, text: object) -> str:
        x = self.x(turn)
        line = f'<line class="axis" x1="{x}" x2="{x}" y1="{self.top}" y2="{self.foot}"/>'
        return f'{line}<text x="{x + 4}" y="{self.high - 6}">{text}</text>'

    def series(self) -> Iterator[str]:
        """Steps, because BRPs change at moments and stay between them; broken where a year start gives a new level."""
        for (power, points), dash in zip(self.data.series.items(), DASHES, strict=True):
            if points:
                yield f'<path class="series {power}" d="{self._steps(points)}" stroke-dasharray="{dash}"/>'

    def _steps(self, points: list[Point]) -> str:
        parts, last = [], None
        for moment, level, *_ in points:
            x, y = self.x(place(moment)), self.y(level)
            turn = calendar.split(moment)[0]
            opens = last is None or (turn % 4 == 0 and calendar.split(last)[0] < turn)
            parts.append(f"{f'H{x}' if last is not None and opens else ''}{f'M{x},{y}' if opens else f'H{x}V{y}'}")
            last = moment
        return f"{''.join(parts)}H{self.x(self.end)}"

    def drawn(self, kind: str, label: str, parts: list[str]) -> str:
        box = f'viewBox="0 0 {self.wide} {self.high}"'
        return f'<svg {box} class="chart levels{kind}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def chart_parts(data: Charts) -> dict[str, Any]:
    """What the page of the powers shows above one of them: the chart, and where BRPs came from and went by size."""
    by_size = {power: sorted(its.items(), key=lambda it: -abs(it[1])) for power, its in data.flows.items()}
    went, came = ({p: [it for it in its if sign * it[1] > 0] for p, its in by_size.items()} for sign in (-1, 1))
    most = [max((abs(n) for its in part.values() for _, n in its), default=1) for part in (went, came)]
    chart = level_chart(data) if any(data.series.values()) else ""
    return {"data": data, "chart": chart, "went": went, "came": came, "most_went": most[0], "most_came": most[1]}


def level_chart(data: Charts) -> str:
    """Every power's level; each point opens the sum of what made it."""
    frame = _Frame(data, 1340, 380, (40, 190, 12, 26), 16)
    turns = range(frame.first, floor(frame.end) + 1)
    last = {power: points[-1][1] for power, points in data.series.items() if points}
    by_height = sorted(last, key=lambda power: -last[power])
    ends = zip(spread([frame.y(last[it]) for it in by_height], frame.high - 8, 14), by_height, strict=True)
    parts = [
        *frame.across(6),
        *(frame.upright(it, _turn(it) if it % 4 == 0 or it == frame.first else _season(it)) for it in turns),
        *frame.series(),
        *(_point(frame, power, it) for power, points in data.series.items() for it in points if it[2] > 1),
        *(_end(frame, power, y, last[power]) for y, power in ends),
    ]
    return frame.drawn("", "BRP levels over the war", parts)


def growing_chart(data: Charts) -> str:
    """The same, small: the page uncovers it as far as its story has come."""
    frame = _Frame(data, 320, 190, (28, 8, 8, 18), 8)
    springs = range(4 * ceil(frame.first / 4), floor(frame.end) + 1, 4)
    scale = f'data-first="{frame.first}" data-left="{frame.left}" data-turn="{frame.x(frame.first + 1) - frame.left}"'
    parts = [
        *frame.across(4),
        *(frame.upright(it, it // 4) for it in springs),
        f'<clipPath id="so-far"><rect width="0" height="{frame.high}" {scale}/></clipPath>',
        f'<g clip-path="url(#so-far)">{"".join(frame.series())}</g>',
        f'<line class="now" y1="{frame.top}" y2="{frame.foot}"/>',
    ]
    return frame.drawn(" growing", "BRP levels so far", parts)


def _point(frame: _Frame, power: str, point: Point) -> str:
    moment, level, move, event = point
    told = f"{powers()[power].name} {level}, {_turn(calendar.split(moment)[0])}: open the sum"
    at = f'cx="{frame.x(place(moment))}" cy="{frame.y(level)}"'
    return f'<circle class="point {power}" {at} r="5" data-sum="{move}/{event}"><title>{escape(told)}</title></circle>'


def _end(frame: _Frame, power: str, y: float, level: int) -> str:
    it = powers()[power]
    return f'<text class="end {power}" x="{frame.end_x + 8}" y="{y + 4}">{it.seal} {it.name} {level}</text>'


def _season(turn: int) -> str:
    return ("Sp", "Su", "F", "W")[turn % 4]


def _turn(turn: int) -> str:
    return f"{_season(turn)} {turn // 4}"
