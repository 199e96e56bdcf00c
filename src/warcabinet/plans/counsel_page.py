"""Counsel as people read it: a part of a page at the table, or a page that needs nothing else."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

import jinja2
from markupsafe import Markup

from warcabinet.model.names import powers
from warcabinet.plans.choices import told
from warcabinet.plans.counsel import Counsel, Dot
from warcabinet.plans.result_page import page_of

WIDE, HIGH, EDGE = 420, 150, 40


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return made.get_template("counsel.html")


def counsel_part(found: Counsel, table: bool = False) -> str:
    """Everything that a search says, as a part of a page; at a table, other plans than the best can be taken too."""
    names = {key: power.name for key, power in powers().items()}
    plots = {"search_plot": _search(found), "curve_plot": _curve(found)}
    return _template().render(it=found, told=told, names=names, table=table, **plots)


def counsel_page(found: Counsel) -> str:
    return page_of(found.plan, f"<h1>{escape(found.plan)}</h1>{counsel_part(found)}")


def _scale(values: list[float], low: float, high: float) -> list[float]:
    least, most = min(values), max(values)
    room = (most - least) or 1.0
    return [round(low + (it - least) * (high - low) / room, 1) for it in values]


def _plot(xs: list[float], ys: list[float], dots: tuple[Dot, ...], label: str) -> Markup:
    """Plans as dots: those that were better than all before them are joined by a line."""
    across = _scale(xs, EDGE, WIDE - 8)
    down = _scale(ys, HIGH - 18, 10)
    led = " ".join(f"{x},{y}" for x, y, it in zip(across, down, dots, strict=True) if it.best)
    drawn = "".join(
        f'<circle cx="{x}" cy="{y}" r="{4 if it.best else 2}" class="{"led" if it.best else "dot"}"/>'
        for x, y, it in zip(across, down, dots, strict=True)
    )
    ends = "".join(
        f'<text x="{EDGE - 4}" y="{y + 4}" text-anchor="end">{value}</text>'
        for value, y in zip(_ends(max(ys), min(ys)), (10, HIGH - 18), strict=True)
    )
    return Markup(
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)}" class="counsel-plot">'
        f'{ends}<polyline points="{led}" class="led-line"/>{drawn}</svg><p class="quiet small">{escape(label)}</p>'
    )


def _ends(high: float, low: float) -> tuple[str, str]:
    """The two ends of a scale, as exactly as it takes to tell them apart."""
    digits = 0 if high - low >= 2 or high == low else 1 if high - low >= 0.2 else 3
    return f"{high:.{digits}f}", f"{low:.{digits}f}"


def _search(found: Counsel) -> Markup:
    if len(found.dots) < 2:
        return Markup("")
    xs, ys = [float(it.number) for it in found.dots], [it.means[0] for it in found.dots]
    return _plot(xs, ys, found.dots, f"{found.goals[0]}, by plans tried: 1 to {len(found.dots)}")


def _curve(found: Counsel) -> Markup:
    """The first two goals against each other; the line goes through the plans that none beats in both."""
    if len(found.curve) < 2:
        return Markup("")
    dots = tuple(Dot(at, it.means, True) for at, it in enumerate(found.curve))
    others = tuple(Dot(it.number, it.means, False) for it in found.dots)
    both = (*others, *dots)
    label = f"{found.goals[0]} (up), {found.goals[1]} (across)"
    return _plot([it.means[1] for it in both], [it.means[0] for it in both], both, label)
