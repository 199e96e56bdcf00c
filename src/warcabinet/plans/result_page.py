"""The result of a run as one page that needs nothing else: fan charts, questions, where it breaks, what matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from warcabinet.model.names import powers
from warcabinet.plans.chart import fan_chart, hinge_lane
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
svg text{fill:var(--soft);font-size:11px}.grid{stroke:var(--line)}.wide{fill:var(--wide)}.half{fill:var(--band)}
.median{stroke:var(--deep);fill:none;stroke-width:2.4}.one{stroke:var(--accent);fill:none;stroke-width:1.6}
.happened{stroke:var(--blue);fill:none;stroke-width:1.6;stroke-dasharray:5 4}
section{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:8px 28px}
.bar{display:inline-block;height:10px;background:var(--deep);vertical-align:middle}
.range{fill:none;stroke:var(--accent)}.diamond{fill:var(--accent)}
.counsel{display:block}td.r{text-align:right}small{display:block;font-weight:400}.counsel-plot{max-width:640px}
.dot{fill:var(--band)}.led{fill:var(--blue)}.led-line{fill:none;stroke:var(--blue)}
.low{background:var(--bad)}.high{background:var(--good)}
"""

Line = Mapping[str, Mapping[int, int]]


def as_page(result: Result, one: Line | None = None, happened: Line | None = None) -> str:
    """The page; `one` is a single future drawn among all, `happened` a game beside them."""
    told = f"{result.finished:,} of {result.futures:,} futures played to the end, seed {result.seed}"
    body = [
        f"<h1>{escape(result.plan)}</h1>",
        f"<p>{told}. Bands: half of the futures, and nine in ten; the line is the median.</p>",
        _questions(result.questions),
        _breaks(result.breaks, result.futures),
        *(_matters(it) for it in result.questions if it.matters),
        _hinges(result),
        *(_power(result, power, one or {}, happened or {}) for power in powers()),
    ]
    return page_of(result.plan, "".join(body))


def page_of(title: str, body: str) -> str:
    """A page that needs nothing else."""
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"<head>{meta}<title>{escape(title)}</title><style>{_STYLE}</style></head>"
    return f'<!doctype html><html lang="en">{head}<body><main>{body}</main></body></html>'


def _hinges(result: Result) -> str:
    drawn = hinge_lane(next(iter(result.figures.values())), result.hinges) if result.figures else ""
    return f"<h2>Hinges</h2>{drawn}" if drawn else ""


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
    rows = "".join(
        f"<tr><td>{escape(it.thing)}</td><td>{_outcomes(it, asked.claim)}</td><td class=n>{it.share:.0%}</td></tr>"
        for it in asked.matters
    )
    what = "chance" if asked.claim else "median"
    head = f'<tr><th>uncertain</th><th>the {what} where it went so</th><th class="n">of all that moves it</th></tr>'
    return f"<h2>What matters for: {escape(asked.question)}</h2><table>{head}{rows}</table>"


def _outcomes(it: Matters, claim: bool) -> str:
    shown = it.outcomes if len(it.outcomes) <= 6 else (it.outcomes[0], it.outcomes[-1])
    return ", ".join(f"{escape(went.outcome)} <b>{went.worth(claim)}</b>" for went in shown)


def _power(result: Result, power: str, one: Line, happened: Line) -> str:
    charts = []
    for name in ("base", "level", "construction limit", "unbuilt"):
        path = f"{power} {name}"
        if path in result.figures:
            drawn = fan_chart(result.figures[path], one.get(path, {}), happened.get(path, {}))
            charts.append(f"<div><h3>{name.capitalize()}</h3>{drawn}</div>")
    return f"<h2>{escape(powers()[power].name)}</h2><section>{''.join(charts)}</section>" if charts else ""
