"""Fan charts: a figure over the turns, its median, half of the futures and nine in ten; above them the hinges. SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor

import msgspec

from warcabinet.model import calendar
from warcabinet.plans.hinges import Hinge
from warcabinet.plans.results import At

Points = Mapping[int, int]
#: Points of a line, in pieces: what stands apart is not joined.
Pieces = list[list[tuple[float, float]]]


class Size(msgspec.Struct, frozen=True):
    """How large a chart is drawn: on a phone narrower, not smaller, so that its words stay readable."""

    wide: int
    high: int
    left: int
    right: int
    top: int = 12
    bottom: int = 22

    @property
    def foot(self) -> int:
        return self.high - self.bottom


DESK, PHONE = Size(860, 190, 44, 92), Size(400, 170, 34, 78)


class _Line:
    """The line of turns that the lane of hinges and all charts of a run share."""

    def __init__(self, turns: Sequence[At], size: Size) -> None:
        self.turns, self.size = turns, size
        self.first = calendar.parse_turn(turns[0].turn)

    def x(self, at: float) -> float:
        room = self.size.wide - self.size.left - self.size.right
        return round(self.size.left + min(len(self.turns), max(0, at)) * room / len(self.turns), 1)

    def of(self, turn: str, after: int = 0) -> float:
        return self.x(calendar.parse_turn(turn) - self.first + after)

    def within(self, first: str, last: str) -> bool:
        end = self.first + len(self.turns)
        return calendar.parse_turn(last) >= self.first and calendar.parse_turn(first) < end

    def years(self, top: int, foot: int, words: int = 0) -> Iterator[str]:
        """A line at each spring, with its year where there is room for words."""
        for at, it in enumerate(self.turns):
            spring = it.turn.startswith("Spring")
            if at and not spring:
                continue
            yield f'<line class="axis" x1="{self.x(at)}" x2="{self.x(at)}" y1="{top}" y2="{foot}"/>'
            if words and (at or spring or len(self.turns) < 3):
                yield f'<text x="{self.x(at) + 4}" y="{words}">{it.turn[-4:]}</text>'


class _Fan(_Line):
    """The scales of one chart. A figure stands through its turn; a level falls from year start to year start."""

    def __init__(self, turns: Sequence[At], size: Size, others: Iterable[Points], broken: bool) -> None:
        super().__init__(turns, size)
        self.broken = broken
        values = [value for it in turns for value in (it.low, it.high)] + [v for it in others for v in it.values()]
        least, most = min(values), max(1, *values)
        # A level is read from nothing; of what never comes near it only what moves is drawn.
        start = min(0, least) if broken or least < most / 2 else least
        self.every = lines_apart(max(most - start, most / 10))
        self.low = (ceil(start / self.every) - 1) * self.every if start else 0
        self.high = (floor(most / self.every) + 1) * self.every

    def y(self, value: float) -> float:
        room = self.size.foot - self.size.top
        return round(self.size.top + (self.high - value) / (self.high - self.low) * room, 1)

    def pieces(self, values: Points) -> Pieces:
        """A figure's points from the first turn on, by the number of the turn in the chart."""
        if not self.broken:
            return (
                [[(self.x(at + end), self.y(values[at])) for at in sorted(values) for end in (0, 1)]] if values else []
            )
        years: dict[str, list[int]] = {}
        for at in sorted(values):
            years.setdefault(self.turns[at].turn[-4:], []).append(at)
        return [
            [*((self.x(at), self.y(values[at])) for at in its), (self.x(its[-1] + 1), self.y(values[its[-1]]))]
            for its in years.values()
        ]

    def of_turns(self, points: Points) -> Points:
        within = range(self.first, self.first + len(self.turns))
        return {turn - self.first: value for turn, value in points.items() if turn in within}

    def each(self, name: str) -> Points:
        return {at: getattr(it, name) for at, it in enumerate(self.turns)}

    def band(self, low: str, high: str, kind: str) -> Iterator[str]:
        for over, under in zip(self.pieces(self.each(high)), self.pieces(self.each(low)), strict=True):
            yield f'<polygon class="{kind}" points="{_points([*over, *reversed(under)])}"/>'

    def line(self, values: Points, kind: str) -> Iterator[str]:
        for piece in self.pieces(values):
            yield f'<polyline class="{kind}" points="{_points(piece)}"/>'

    def levels(self) -> Iterator[str]:
        end = self.size.wide - self.size.right
        for value in range(self.low, self.high + 1, self.every):
            kind = "axis" if value else "strong"
            yield f'<line class="{kind}" x1="{self.size.left}" x2="{end}" y1="{self.y(value)}" y2="{self.y(value)}"/>'
            yield f'<text x="{self.size.left - 6}" y="{self.y(value) + 4}" text-anchor="end">{value}</text>'

    def ends(self) -> Iterator[str]:
        """What the last turn comes to, at the right; where all futures agree there is one thing to say."""
        it = self.turns[-1]
        said = [("95 %", it.high), ("75 %", it.upper), ("median", it.median), ("25 %", it.lower), ("5 %", it.low)]
        if it.low == it.high:
            said = [("all", it.median)]
        wanted = [self.y(value) + 4 for _, value in said]
        for at, (label, value) in zip(spread(wanted, self.size.foot + 4), said, strict=True):
            kind = ' class="middle"' if label in ("median", "all") else ""
            yield f'<text x="{self.size.wide - self.size.right + 6}" y="{at}"{kind}>{label} {value}</text>'


def lines_apart(span: float, lines: int = 4) -> int:
    """How far lines across a chart lie apart: the least round figure with which so many span it."""
    ten = 1
    while True:
        for step in (ten, 2 * ten, 5 * ten):
            if span / step <= lines:
                return step
        ten *= 10


def _points(piece: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in piece)


def spread(wanted: list[float], lowest: float, apart: int = 13) -> list[float]:
    """Labels pushed apart so that none covers another, and back up where the last would fall below the chart."""
    found: list[float] = []
    for at in wanted:
        found.append(max(at, found[-1] + apart) if found else at)
    if found[-1] <= lowest:
        return found
    return [min(at, lowest - (len(found) - 1 - i) * apart) for i, at in enumerate(found)]


def fan_chart(
    title: str, turns: Sequence[At], beside: Mapping[str, Points], hinges: Sequence[Hinge], size: Size = DESK
) -> str:
    """One figure of one power. `beside` holds lines by their kind: one future, another run, what happened."""
    fan = _Fan(turns, size, beside.values(), title.endswith("level"))
    marks = (fan.of(it.likeliest) for it in hinges if fan.within(it.likeliest, it.likeliest))
    parts = [
        *fan.levels(),
        *fan.years(size.top, size.foot, size.high - 6),
        *(f'<line class="hinged" x1="{x}" x2="{x}" y1="{size.top}" y2="{size.foot}"/>' for x in marks),
        *fan.band("low", "high", "wide"),
        *fan.band("lower", "upper", "half"),
        *fan.line(fan.each("median"), "median"),
        *(piece for kind, points in beside.items() for piece in fan.line(fan.of_turns(points), kind)),
        *fan.ends(),
    ]
    last = turns[-1]
    half, nine = f"half {last.lower} to {last.upper}", f"nine in ten {last.low} to {last.high}"
    told = f"{title} in {last.turn}: median {last.median}, {half}, {nine}"
    return _figure(title, told, size.wide, size.high, parts)


def _figure(title: str, told: str, wide: int, high: int, parts: Iterable[str], kind: str = "") -> str:
    drawn = f'<svg viewBox="0 0 {wide} {high}" class="chart fan-chart{kind}" role="img" aria-label="{escape(told)}">'
    return f'<figure class="fan-chart"><figcaption>{escape(title)}</figcaption>{drawn}{"".join(parts)}</svg></figure>'


def hinge_lane(turns: Sequence[At], hinges: Sequence[Hinge], size: Size = DESK) -> str:
    """What is uncertain on the line of turns: a bar for its range, a diamond for its likeliest turn, and its share."""
    line = _Line(turns, size)
    shown = [it for it in hinges if line.within(it.first, it.last)]
    if not shown:
        return ""
    rows: list[list[tuple[float, float]]] = []
    drawn = "".join(_hinge(line, it, rows) for it in shown)
    high = len(rows) * 22 + 8
    told = "; ".join(
        f"{it.thing}: {' to '.join(dict.fromkeys((it.first, it.last)))}, in {it.share:.0%} of the futures"
        for it in shown
    )
    return _figure("Hinges", f"Hinges. {told}", size.wide, high, (*line.years(0, high), drawn), " hinges")


def _hinge(line: _Line, it: Hinge, rows: list[list[tuple[float, float]]]) -> str:
    """A hinge in the first row in which it and its words have room."""
    start, end, spot = line.of(it.first), line.of(it.last, 1), line.of(it.likeliest) + 4
    label = f"{it.share:.0%}".replace("%", " %")
    wide = (len(it.thing) + len(label) + 1) * 6.4 + 10
    back = end + wide > line.size.wide
    taken = (start - wide, end) if back else (start, end + wide)
    row = next((i for i, its in enumerate(rows) if all(taken[1] < a or taken[0] > b for a, b in its)), len(rows))
    if row == len(rows):
        rows.append([])
    rows[row].append(taken)
    y = 14 + row * 22
    words = f'x="{start - 6}" text-anchor="end"' if back else f'x="{end + 6}"'
    return (
        f'<rect class="range" x="{start}" y="{y - 3.5}" width="{max(8, end - start):.1f}" height="7" rx="3.5"/>'
        f'<path class="diamond" d="M{spot},{y - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z"/>'
        f'<text {words} y="{y + 4}"><tspan class="middle">{escape(it.thing)}</tspan> {label}</text>'
    )
