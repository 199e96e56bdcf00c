"""Axe's rules and our own over every page: hall, table with each view and panel, set-up editor; dark and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
from steps import ask, click_hex, sit_down, spring_1942

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
#: What axe does not look for.
RULES = (Path(__file__).parent / "rules.js").read_text(encoding="utf-8")
# What fades in has its colours once it is there.
RUN = """async ([part, only]) => {
  const ends = (it) => it.effect?.getComputedTiming().endTime < 5000;
  await Promise.allSettled(document.getAnimations().filter(ends).map((it) => it.finished));
  const told = { resultTypes: ['violations'], preload: false };
  const found = await axe.run(part ?? document, only ? { ...told, runOnly: { type: 'rule', values: only } } : told);
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary}`));
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: A state of a page: its name, the part of the page that it brings, how it is come to. All of the page is judged once.
State = tuple[str, str | None, Callable[[], object]]


def dark(page: Any, on: bool) -> None:
    page.evaluate("(dark) => { document.documentElement.dataset.theme = dark ? 'dark' : 'light' }", on)


def judge(page: Any, name: str, wrong: list[str], part: str | None = None) -> None:
    """All rules in the light theme; in the dark one only colours are other to axe, which looks at the part alone."""
    page.evaluate("document.fonts.ready")
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    for theme, only in (("light", None), ("dark", ["color-contrast"])):
        dark(page, theme == "dark")
        wrong += [f"{name}, {theme}: {it}" for it in (*page.evaluate(RUN, [part, only]), *page.evaluate(RULES))]
    dark(page, False)


def view(page: Any, name: str, ready: str) -> None:
    page.evaluate("async (v) => cabinet.modules['topbar.js'].openView(v)", name)
    page.wait_for_selector(ready)


def shut(page: Any) -> None:
    page.evaluate("document.querySelectorAll('dialog[open]').forEach((it) => it.close())")


def closed(page: Any) -> None:
    for _ in range(2):
        page.keyboard.press("Escape")


def refused(page: Any) -> None:
    page.click("#order footer .main")
    page.wait_for_selector("#refusal[open]")


def ordered(page: Any) -> None:
    """A form that asks for more than there is."""
    page.click("[data-command=spend][data-power=germany] .go")
    page.fill("#order input[name=brp]", "900")
    page.click("#order label:has-text('other')")
    page.wait_for_selector("#order .outcome .bad")


def pressed(page: Any, button: str, ready: str) -> None:
    page.click(button)
    page.wait_for_selector(ready)


def test_nothing_is_wrong_at_a_desk(someone: Any, server: Any) -> None:
    page, wrong = someone(), list[str]()
    page.goto(f"{server.address}/")
    page.check("input[name=scenario][value=prequel]")
    judge(page, "hall, new", wrong)
    spring_1942(page, server.address)
    here = page.url
    judge(page, "table", wrong)
    states: list[State] = [
        ("order", "#order", lambda: ordered(page)),
        ("refusal", "#refusal", lambda: refused(page)),
        ("sum", "#explain", lambda: (closed(page), pressed(page, "#card-germany .level", "#explain .chip:visible"))),
        ("clause", "#explain", lambda: page.locator("#explain .chip:visible").first.click()),
        (
            "hex",
            "#hex-card",
            lambda: (closed(page), click_hex(page, "L31"), page.wait_for_selector("#hex-card:not([hidden])")),
        ),
        ("pacific", "#map", lambda: (page.keyboard.press("Escape"), view(page, "pacific", "#map:not([hidden])"))),
        ("powers", "#sheet", lambda: view(page, "powers", "#sheet h2")),
        ("countries", "#sheet", lambda: view(page, "countries", "#sheet h2")),
        (
            "garrisons",
            "#sheet",
            lambda: pressed(page, ".country-list button:has-text('Manchuria, Siberia')", ".garrison-card"),
        ),
        ("aid", "#sheet", lambda: view(page, "aid", "#sheet h2")),
        ("plans", "#sheet", lambda: view(page, "plans", "#sheet h2")),
        ("plan by hand", "#sheet", lambda: pressed(page, "[data-choice=plan]", ".time-line")),
        ("forecast", "#sheet", lambda: view(page, "forecast", "#sheet .figures td .number")),
        ("what-if", "#sheet", lambda: pressed(page, ".switch button:has-text('My what-if')", ".suppose")),
        ("year start", "#sheet", lambda: view(page, "yearstart", "#sheet h2")),
        ("year start, unfolded", "#sheet", lambda: page.click(".row button:has-text('Unfold all')")),
        ("log", "#sheet", lambda: view(page, "log", "#sheet .log-lines li")),
        ("supply", "#map", lambda: (view(page, "europe", "#map:not([hidden])"), page.click("[data-layer=supply]"))),
        ("seats", "#modal", lambda: (page.wait_for_selector("#supply-of:not([hidden])"), page.click("#people"))),
        ("talk", None, lambda: (shut(page), page.click("#talk"))),
        ("help", None, lambda: (shut(page), page.keyboard.press("Escape"), page.click("#help"))),
    ]
    for name, part, go in states:
        go()
        page.wait_for_timeout(200)
        judge(page, name, wrong, part)
    page.goto(f"{server.address}/")
    judge(page, "hall", wrong)
    table = here.rpartition("/")[2]
    page.goto(f"{server.address}/setup?table={table}")
    page.wait_for_selector("body[data-ready=yes]")
    click_hex(page, "L31")
    judge(page, "set-up editor", wrong)
    page.click("#open")
    page.wait_for_selector("#modal[open]")
    judge(page, "set-up editor, open", wrong)
    seat = ask(page, f"{server.address}/api/v1/tables/{table}/seats/spectators/invitations")["path"]
    for name, path in (
        ("invitation", seat),
        ("no such page", "/nowhere"),
        ("you", "/you"),
        ("clause", "/rules/83.22A"),
    ):
        page.goto(server.address + path)
        judge(page, name, wrong)
    assert not wrong, "\n".join(wrong)


def test_nothing_is_wrong_on_a_phone(someone: Any, server: Any) -> None:
    page, wrong = someone(**PHONE), list[str]()
    sit_down(page, server.address)
    table = page.url.rpartition("/")[2]
    api = f"{server.address}/api/v1/tables/{table}"
    ask(page, f"{api}/do", do="deploy", by="britain", country="poland")
    ask(page, f"{api}/advance", to="movement")
    page.wait_for_selector("#now .offer.hand")
    judge(page, "now", wrong)
    for tab in ("map", "powers", "due", "log"):
        page.tap(f".phone-tabs [data-tab={tab}]")
        judge(page, tab, wrong)
    page.tap(".phone-tabs [data-tab=now]")
    click_hex(page, "N32")
    page.wait_for_selector("#hand-sheet:not([hidden])")
    judge(page, "hand", wrong)
    page.tap("#hand-sheet .close")
    for name, ready in (("forecast", "#sheet .figures td .number"), ("countries", "#sheet h2"), ("aid", "#sheet h2")):
        view(page, name, ready)
        judge(page, name, wrong)
    page.goto(f"{server.address}/setup")
    page.wait_for_selector("body[data-ready=yes]")
    judge(page, "set-up editor", wrong)
    page.tap(".setup-tabs [data-panel=figures]")
    judge(page, "set-up editor, figures", wrong)
    assert not wrong, "\n".join(wrong)
