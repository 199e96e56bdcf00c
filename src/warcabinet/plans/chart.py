"""Fan charts: a figure over the turns, its median, half of the futures and nine in ten, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from warcabinet.model import calendar
from warcabinet.plans.hinges import Hinge
from warcabinet.plans.results import At

WIDE, HIGH, LEFT, BELOW = 760, 150, 46, 22

Points = Mapping[int, int]


class _Fan:
    """The scales of one chart. A figure stands through its turn, so it is drawn in steps."""

    def __init__(self, turns: Sequence[At], *others: Points) -> None:
        values = [value for it in turns for value in (it.low, it.high)]
        values += [value for points in others for value in points.values()]
        self.first, self.length = calendar.parse_turn(turns[0].turn), len(turns)
        self.low, self.high = min(0, *values), max(1, *values)

    def x(self, turn: int) -> float:
        return round(LEFT + (turn - self.first) * (WIDE - LEFT) / self.length, 1)

    def y(self, value: int) -> float:
        return round(HIGH - (value - self.low) * (HIGH - 10) / (self.high - self.low), 1)

    def steps(self, points: Points) -> list[str]:
        within = (turn for turn in sorted(points) if self.first <= turn < self.first + self.length)
        ends = ((turn + end, points[turn]) for turn in within for end in (0, 1))
        return [f"{self.x(turn)},{self.y(value)}" for turn, value in ends]

    def band(self, lows: Sequence[int], highs: Sequence[int], kind: str) -> str:
        over, under = self.steps(self._from_first(highs)), self.steps(self._from_first(lows))
        return f'<polygon class="{kind}" points="{" ".join((*over, *reversed(under)))}"/>'

    def line(self, points: Points, kind: str) -> str:
        return f'<polyline class="{kind}" points="{" ".join(self.steps(points))}"/>' if points else ""

    def medians(self, turns: Sequence[At]) -> Points:
        return self._from_first([it.median for it in turns])

    def _from_first(self, values: Sequence[int]) -> dict[int, int]:
        return {self.first + at: value for at, value in enumerate(values)}

    def grid(self) -> str:
        numbers = range(self.first, self.first + self.length)
        years = [it for it in numbers if calendar.season(it) == calendar.SPRING or it == self.first]
        upright = (
            f'<line class="grid" x1="{self.x(it)}" y1="8" x2="{self.x(it)}" y2="{HIGH}"/>'
            f'<text x="{self.x(it) + 4}" y="{HIGH + 15}">{calendar.year(it)}</text>'
            for it in years
        )
        level = (
            f'<line class="grid" x1="{LEFT}" y1="{self.y(it)}" x2="{WIDE}" y2="{self.y(it)}"/>'
            f'<text x="{LEFT - 6}" y="{self.y(it) + 4}" text-anchor="end">{it}</text>'
            for it in dict.fromkeys((self.low, (self.low + self.high) // 2, self.high))
        )
        return "".join((*upright, *level))


def fan_chart(turns: Sequence[At], one: Points, happened: Points) -> str:
    """The chart with its last turn in words; `one` is a single future, `happened` a game beside it."""
    fan = _Fan(turns, one, happened)
    parts = (
        fan.grid(),
        fan.band([it.low for it in turns], [it.high for it in turns], "wide"),
        fan.band([it.lower for it in turns], [it.upper for it in turns], "half"),
        fan.line(fan.medians(turns), "median"),
        fan.line(one, "one"),
        fan.line(happened, "happened"),
    )
    last = turns[-1]
    half, nine = f"half {last.lower} to {last.upper}", f"nine in ten {last.low} to {last.high}"
    told = escape(f"{last.turn}: median {last.median}, {half}, {nine}")
    size = f'viewBox="0 0 {WIDE} {HIGH + BELOW}"'
    return f'<svg {size} role="img" aria-label="{told}">{"".join(parts)}</svg><p>{told}</p>'


def hinge_lane(turns: Sequence[At], hinges: Sequence[Hinge]) -> str:
    """What is uncertain on the line of turns: a bar for its range, a diamond for its likeliest turn, and its share."""
    fan = _Fan(turns)
    first, end = fan.first, fan.first + fan.length
    shown = [it for it in hinges if calendar.parse_turn(it.last) >= first and calendar.parse_turn(it.first) < end]
    if not shown:
        return ""
    rows = "".join(_hinge(fan, it, 14 + 22 * row) for row, it in enumerate(shown))
    return f'<svg viewBox="0 0 {WIDE} {22 * len(shown) + 6}" role="img" aria-label="Hinges">{rows}</svg>'


def _hinge(fan: _Fan, it: Hinge, y: int) -> str:
    turns = (calendar.parse_turn(it.first), calendar.parse_turn(it.last) + 1, calendar.parse_turn(it.likeliest))
    start, end, spot = (fan.x(min(max(turn, fan.first), fan.first + fan.length)) for turn in turns)
    told = f"{escape(it.thing)} <tspan>{it.share:.0%}</tspan>"
    beyond = end + 7 * len(it.thing) + 50 > WIDE
    words = f'x="{start - 8}" text-anchor="end"' if beyond else f'x="{end + 8}"'
    return (
        f'<rect class="range" x="{start}" y="{y - 3}" width="{max(8, end - start)}" height="7" rx="3"/>'
        f'<path class="diamond" d="M{spot + 4},{y - 5}l5,5l-5,5l-5,-5z"/><text {words} y="{y + 4}">{told}</text>'
    )
