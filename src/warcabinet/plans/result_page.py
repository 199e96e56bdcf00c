"""The result of a run as one page that needs nothing else: fan charts, questions, where it breaks, what matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from warcabinet.model.names import powers
from warcabinet.plans.chart import DESK, Points, Size, fan_chart, hinge_lane
from warcabinet.plans.results import Found, Matters, Result, Where

_STYLE = """
:root{--paper:#fdf8ec;--ink:#211d17;--soft:#6b6357;--line:#d8d0bd;--deep:#3a4252;--band:#b3b3b8;--wide:#dcdad6;
--accent:#8a3d14;--blue:#1f5fa8;--bad:#a8383b;--good:#3f7a55}
@media (prefers-color-scheme:dark){:root{--paper:#1b1a18;--ink:#ece6d9;--soft:#a49b8b;--line:#3a362f;--deep:#c9d2e3;
--band:#5b5f68;--wide:#35373b;--accent:#e39a6b;--blue:#7fb2ea;--bad:#e58a86;--good:#8cc9a1}}
body{background:var(--paper);color:var(--ink);font:15px/1.45 Inter,system-ui,sans-serif;margin:0}
main{max-width:1180px;margin:0 auto;padding:24px}
h1,h2,h3{font-family:Georgia,serif;margin:0 0 6px}
h2{border-bottom:2px solid var(--ink);padding-bottom:4px;margin-top:28px}
p{color:var(--soft);margin:0 0 12px}table{border-collapse:collapse;width:100%}
td,th{text-align:left;border-bottom:1px solid var(--line);padding:5px 8px;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.chip{border:1px solid var(--bad);color:var(--bad);
border-radius:4px;padding:0 5px;font:12px ui-monospace,monospace}svg{width:100%;height:auto;display:block}
svg text{fill:var(--soft);font-size:11px}.axis,.hinged{stroke:var(--line)}.strong{stroke:var(--soft)}
.wide{fill:var(--wide)}.half{fill:var(--band)}.middle{font-weight:700}figure{margin:0}figcaption{font-weight:700}
.other{stroke:var(--good);fill:none;stroke-width:1.6}.legend i{display:inline-block;width:18px;height:8px;margin:0 4px}
.track{fill:var(--line)}.below{fill:var(--bad)}.above{fill:var(--good)}.mean{fill:var(--ink)}
.median{stroke:var(--deep);fill:none;stroke-width:2.4}.one{stroke:var(--accent);fill:none;stroke-width:1.6}
.happened{stroke:var(--blue);fill:none;stroke-width:1.6;stroke-dasharray:5 4}
section{display:grid;grid-template-columns:repeat(auto-fit,minmax(430px,1fr));gap:8px 28px}
.bar{display:inline-block;height:10px;background:var(--deep);vertical-align:middle}
.range{fill:none;stroke:var(--accent)}.diamond{fill:var(--accent)}
.counsel{display:block}td.r{text-align:right}small{display:block;font-weight:400}.counsel-plot{max-width:640px}
.dot{fill:var(--band)}.led{fill:var(--blue)}.led-line{fill:none;stroke:var(--blue)}
.low{background:var(--bad)}.high{background:var(--good)}
"""

#: Figures over the turns, by their path.
Line = Mapping[str, Points]
#: What is drawn of each power.
FIGURES = ("base", "level", "construction limit", "unbuilt")
LEGEND = {
    "median": "median",
    "half": "half of the futures",
    "wide": "nine in ten",
    "one": "one future",
    "happened": "as it happened",
}


def as_page(result: Result, one: Line | None = None, happened: Line | None = None) -> str:
    """The page; `one` is a single future drawn among all, `happened` a game beside them."""
    told = f"{result.finished:,} of {result.futures:,} futures played to the end, seed {result.seed}"
    beside = {"one": one or {}, "happened": happened or {}}
    lane = hinge_lane(next(iter(result.figures.values())), result.hinges) if result.figures else ""
    body = [
        f"<h1>{escape(result.plan)}</h1>",
        f"<p>{told}. Bands: half of the futures, and nine in ten; the line is the median.</p>",
        _questions(result.questions),
        _breaks(result.breaks, result.futures),
        *(f"<h2>What matters for: {escape(it.question)}</h2>{_matters(it)}" for it in result.questions if it.matters),
        f"<h2>Hinges</h2>{lane}" if lane else "",
        *(_power(result, power, beside) for power in powers()),
    ]
    return page_of(result.plan, "".join(body))


def charts_part(result: Result, power: str, beside: Mapping[str, Line], other: str, asked: int, size: Size) -> str:
    """A power's figures as a part of a page at the table: hinges, charts, and what moves the asked one."""
    charts = _charts(result, power, beside, size)
    if not charts:
        return f'<p class="quiet">{escape(powers()[power].name)} has no figures yet.</p>'
    lane = hinge_lane(next(iter(result.figures.values())), result.hinges, size)
    legend = LEGEND | ({"other": f"median of {other}"} if other else {})
    keys = "".join(
        f'<span><i class="{kind}" aria-hidden="true"></i>{escape(text)}</span>' for kind, text in legend.items()
    )
    diamond = '<span><i class="diamond" aria-hidden="true">◆</i>hinge, its range and chance</span>'
    question = result.questions[asked] if asked < len(result.questions) else None
    told = f"for: {question.question}, {question.at}" if question else "nothing is asked"
    moved = _matters(question) if question and question.matters else ""
    why = (question.why if question else "") or "Nothing that is uncertain moves it."
    return (
        f'<p class="legend">{keys}{diamond}</p>{lane}{charts}'
        f'<h3>What matters <span class="quiet small">{escape(told)}</span></h3>'
        f"{moved or f'<p class=quiet>{escape(why)}</p>'}"
    )


def _charts(result: Result, power: str, beside: Mapping[str, Line], size: Size) -> str:
    name = powers()[power].name
    shown = (it for it in FIGURES if f"{power} {it}" in result.figures)
    return "".join(
        fan_chart(
            f"{name}: {it}",
            result.figures[f"{power} {it}"],
            {kind: lines.get(f"{power} {it}", {}) for kind, lines in beside.items()},
            result.hinges,
            size,
        )
        for it in shown
    )


def page_of(title: str, body: str) -> str:
    """A page that needs nothing else."""
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"<head>{meta}<title>{escape(title)}</title><style>{_STYLE}</style></head>"
    return f'<!doctype html><html lang="en">{head}<body><main>{body}</main></body></html>'


def _questions(found: Sequence[Found]) -> str:
    if not found:
        return ""
    rows = "".join(
        f'<tr><td>{escape(it.question)}</td><td>{escape(it.at)}</td><td class="n">{_chance(it)}</td>'
        f'<td class="n">{it.median}</td><td class="n">{it.low} to {it.high}</td></tr>'
        for it in found
    )
    numbers = "".join(f'<th class="n">{it}</th>' for it in ("chance", "median", "nine in ten"))
    return f"<h2>Questions</h2><table><tr><th>question</th><th>at</th>{numbers}</tr>{rows}</table>"


def _chance(it: Found) -> str:
    if it.chance is None:
        return ""
    sure = 1.96 * (it.chance * (1 - it.chance) / max(1, it.futures)) ** 0.5
    bar = f'<span class="bar" style="width:{round(60 * it.chance)}px"></span>'
    return f"{bar} {it.chance:.1%} <small>± {100 * sure:.1f}</small>"


def _breaks(found: Sequence[Where], futures: int) -> str:
    if not found:
        return "<h2>Where it breaks</h2><p>Nowhere: every order was accepted in every future.</p>"
    rows = "".join(
        f"<tr><td>{escape(it.order)}<br><small>{escape(it.text)}</small></td>"
        f"<td>{' '.join(f'<span class=chip>{escape(c)}</span>' for c in it.clauses)}</td>"
        f'<td class="n">{it.futures / max(1, futures):.1%}<br><small>{it.futures:,}</small></td>'
        f"<td>{escape(it.first)}</td></tr>"
        for it in found
    )
    head = '<tr><th>order of the plan</th><th>by</th><th class="n">futures</th><th>first</th></tr>'
    return f"<h2>Where it breaks</h2><table>{head}{rows}</table>"


def _matters(asked: Found) -> str:
    """What moves the asked figure: each thing's outcomes, a share of what holds or a median, beside that of all."""

    def worth(value: float) -> float:
        return 100 * value if asked.claim else value

    def told(value: float) -> str:
        return f"{worth(value):.0f} %" if asked.claim else f"{value:.1f}".removesuffix(".0")

    ends = [it.mean if asked.claim else it.median for one in asked.matters for it in one.outcomes]
    middle = (asked.chance or 0) if asked.claim else asked.median
    low, high = min(middle, *ends), max(middle, *ends)

    def share(value: float) -> float:
        return 100 * (value - low) / (high - low) if high > low else 50

    rows = "".join(_moves(it, asked.claim, told, share, middle) for it in asked.matters)
    what = f"{'Chance' if asked.claim else 'Median'} where it went so; of all {told(middle)}"
    heads = "".join(f'<th scope="col">{it}</th>' for it in ("Uncertain", what, "Span", "Of all that moves it"))
    return f'<table class="plain-table matters"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _moves(
    it: Matters, claim: bool, told: Callable[[float], str], share: Callable[[float], float], middle: float
) -> str:
    least, most = it.outcomes[0], it.outcomes[-1]
    start, end = (one.mean if claim else one.median for one in (least, most))
    below, above = (share(start), share(min(middle, end))), (share(max(middle, start)), share(end))
    parts = "".join(
        f'<rect class="{kind}" x="{a:.1f}" y="1" width="{max(0, b - a):.1f}" height="8"/>'
        for kind, (a, b) in (("below", below), ("above", above))
    )
    bar = (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" x="0" y="4.5" width="100" height="1"/>{parts}'
        f'<rect class="mean" x="{share(middle) - 0.25:.1f}" y="0" width="0.5" height="10"/></svg>'
    )
    return (
        f'<tr><th scope="row">{escape(it.thing)}</th>'
        f'<td><span class="ends">{escape(least.outcome)} <b>{told(start)}</b></span><span class="span">{bar}</span>'
        f'<span class="ends"><b>{told(end)}</b> {escape(most.outcome)}</span></td>'
        f'<td class="r">{told(end - start)}</td><td class="r quiet">{100 * it.share:.0f} %</td></tr>'
    )


def _power(result: Result, power: str, beside: Mapping[str, Line]) -> str:
    charts = _charts(result, power, beside, DESK)
    return f"<h2>{escape(powers()[power].name)}</h2><section>{charts}</section>" if charts else ""
