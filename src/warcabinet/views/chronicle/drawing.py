"""The drawings of a chronicle: maps by control, small enough for some a season, and the chart of levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from xml.sax.saxutils import escape

from warcabinet.board import hexes, palette
from warcabinet.board.labels import Rect
from warcabinet.board.maps import Board, board
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.views.chronicle.counters import symbols
from warcabinet.views.chronicle.fronts import HEX, NOTHING_TAKEN, SeasonMap, laid_over
from warcabinet.views.chronicle.ground import ground

BOARDS = ("europe", "pacific")
#: Hexes that a cut shows at least from side to side, of a season and of a case, and its width for its height.
LEAST = 26.0
NARROW = 16.0
SHAPE = 2.3
#: Lines across a chart.
LINES = 12
_DASHES = ("", "7 3", "2 3", "8 3 2 3", "12 4", "4 2", "10 3 2 3 2 3", "1 3")


def definitions() -> str:
    """What all maps of a page share: the symbols of units."""
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{symbols()}</defs></svg>'


def picture(state: State, on: str, title: str, around: Sequence[str], theme: palette.Theme) -> str:
    """A map that is a file of its own: the part of a board around some hexes, which are ringed."""
    drawn = world_map(state, on, title, SeasonMap(around=around), theme)
    tag, _, rest = drawn.partition(">")
    face = "Arial, Helvetica, Liberation Sans, sans-serif"
    return f'{tag} xmlns="http://www.w3.org/2000/svg" font-family="{face}"><defs>{symbols()}</defs>{rest}'


def world_map(
    state: State, on: str, title: str, season: SeasonMap = NOTHING_TAKEN, theme: palette.Theme = "light"
) -> str:
    """A board by control with its units. Of a season it shows the part where places were taken, and by what marches."""
    one = board(on)
    left, top, wide, high = _window(one, season.shown, LEAST if season.taken else NARROW)
    page = Rect(left, top, left + wide, top + high)
    size = wide / season.pixels
    return (
        f'<svg class="map" viewBox="{left:.0f} {top:.0f} {wide:.0f} {high:.0f}" role="img" '
        f'aria-label="{escape(title, {chr(34): "&quot;"})}">'
        f"{ground(state, one, page, size, theme)}{laid_over(state, one, page, season, size, theme)}</svg>"
    )


def _window(one: Board, keys: Sequence[str], least: float) -> tuple[float, float, float, float]:
    """The part of a board to show, in pixels: all of it, or where some places lie with room around them."""
    edge = [_span([hexes.centre(h.at)[i] for h in one], 1) for i in (0, 1)]
    if not keys:
        (left, right), (top, bottom) = edge
        return left * HEX, top * HEX, (right - left) * HEX, (bottom - top) * HEX
    shown = [hexes.centre(one[key.partition("/")[2]].at) for key in keys]
    (left, right), (top, bottom) = (_span([p[i] for p in shown], 3) for i in (0, 1))
    wide = max(least, right - left, (bottom - top) * SHAPE)
    starts = [
        # Not beyond the board's edge, as far as there is more of it on the other side.
        max(edge[i][0], min(middle - wanted / 2, edge[i][1] - wanted))
        for i, middle, wanted in ((0, (left + right) / 2, wide), (1, (top + bottom) / 2, wide / SHAPE))
    ]
    return starts[0] * HEX, starts[1] * HEX, wide * HEX, wide / SHAPE * HEX


def _span(of: Sequence[float], margin: float) -> tuple[float, float]:
    return min(of) - margin, max(of) + margin


def level_chart(points: Iterable[tuple[str, dict[str, tuple[int, int]]]], small: bool = False) -> str:
    """Every power's level from season to season: a line within each, broken where a year start gives a new one.

    A small one stands beside a season's table: narrower, with letters as large.
    """
    told = list(points)
    colours = palette.tokens("light")
    most = max((max(pair) for _, by in told for pair in by.values()), default=1) or 1
    wide, high, left, bottom = 420.0 if small else 900.0, 330.0, 44.0, 290.0
    step = (wide - left - 130) / max(len(told), 1)

    def y(level: int) -> float:
        return bottom - level / most * (bottom - 20)

    out = [f'<svg class="chart" viewBox="0 0 {wide:.0f} {high:.0f}" role="img" aria-label="BRP levels by season">']
    for level in range(0, most + 1, lines_apart(most)):
        out.append(f'<path d="M{left} {y(level):.1f}H{wide - 130}" stroke="#d9cfba"/>')
        out.append(f'<text x="{left - 6}" y="{y(level) + 4:.1f}" text-anchor="end" font-size="11">{level}</text>')
    for n, (title, _) in enumerate(told):
        if title.startswith("Spring") or n == 0:
            out.append(f'<text x="{left + n * step:.1f}" y="{bottom + 18}" font-size="11">{escape(title[-4:])}</text>')
    ends: list[tuple[float, str, str]] = []
    for number, power in enumerate(powers()):
        parts = []
        for n, (_, by) in enumerate(told):
            start, end = by[power]
            parts.append(f"M{left + n * step:.1f} {y(start):.1f}L{left + (n + 1) * step:.1f} {y(end):.1f}")
        deep = colours[f"{power}-deep"]
        out.append(
            f'<path d="{"".join(parts)}" fill="none" stroke="{deep}" stroke-width="2" '
            f'stroke-dasharray="{_DASHES[number % len(_DASHES)]}"/>'
        )
        if told:
            last = told[-1][1][power][1]
            ends.append((y(last), f"{powers()[power].name} {last}", deep))
    out.append(_end_names(ends, wide - 124))
    return "".join([*out, "</svg>"])


def lines_apart(most: int) -> int:
    """How far two lines across a chart lie apart: about a dozen of them reach the largest figure, whatever it is."""
    if most <= 300:
        return 50
    every, times = 100, cycle((2.0, 2.5, 2.0))
    while most > LINES * every:
        every = int(every * next(times))
    return every


def _end_names(ends: list[tuple[float, str, str]], x: float) -> str:
    """The names at the lines' ends, moved apart where they would lie over each other."""
    out, above = [], -100.0
    for at, text, colour in sorted(ends):
        above = max(at + 4, above + 14)
        out.append(
            f'<text x="{x}" y="{above:.1f}" font-size="11.5" font-weight="700" fill="{colour}">{escape(text)}</text>'
        )
    return "".join(out)
