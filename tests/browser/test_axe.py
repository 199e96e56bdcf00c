"""The rules of axe over every page: the hall, the table with each view and panel, the set-up editor; dark, phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
from steps import ask, click_hex, sit_down

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# What fades in has its colours once it is there.
RUN = """async ([only, part]) => {
  const ends = (it) => it.effect?.getComputedTiming().endTime < 5000;
  await Promise.allSettled(document.getAnimations().filter(ends).map((it) => it.finished));
  const rules = only ? { runOnly: { type: 'rule', values: only } } : {};
  const found = await axe.run(part, { ...rules, resultTypes: ['violations'] });
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary}`));
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
State = tuple[str, str, Callable[[], object]]
WHOLE = "html"


def dark(page: Any, on: bool) -> None:
    page.evaluate("(dark) => { document.documentElement.dataset.theme = dark ? 'dark' : 'light' }", on)


def judge(page: Any, name: str, wrong: list[str], new: str = WHOLE) -> None:
    """All rules in the light theme; in the dark one only colours are other, and those of what is new on the page."""
    page.evaluate("document.fonts.ready")
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    for theme, only, part in (("light", None, WHOLE), ("dark", ["color-contrast"], new)):
        dark(page, theme == "dark")
        wrong += [f"{name}, {theme}: {it}" for it in page.evaluate(RUN, [only, part])]
    dark(page, False)


def view(page: Any, name: str, ready: str) -> None:
    page.evaluate("async (v) => (await import('/static/topbar.js')).openView(v)", name)
    page.wait_for_selector(ready)


def shut(page: Any) -> None:
    page.evaluate("document.querySelectorAll('dialog[open]').forEach((it) => it.close())")


def opened(page: Any) -> None:
    page.evaluate("async () => (await import('/static/order.js')).openCommand('spend', { power: 'usa', brp: 9 })")
    page.wait_for_selector("#order .main")


def test_axe_finds_nothing_at_a_desk(someone: Any, server: Any) -> None:
    page, wrong = someone(), list[str]()
    page.goto(f"{server.address}/")
    judge(page, "hall, new", wrong)
    table = ask(page, f"{server.address}/api/v1/demonstration", name="Ada")["table"]
    page.goto(f"{server.address}/")
    judge(page, "hall", wrong)
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")
    judge(page, "table", wrong)
    states: list[State] = [
        ("hex", "#hex-card", lambda: (click_hex(page, "L31"), page.wait_for_selector("#hex-card:not([hidden])"))),
        ("order", "#order", lambda: (page.keyboard.press("Escape"), opened(page))),
        ("sum", "#explain", lambda: (page.keyboard.press("Escape"), page.click("#card-usa .level"))),
        (
            "clause",
            WHOLE,
            lambda: (page.wait_for_selector("#explain .chip"), page.locator("#explain .chip").first.click()),
        ),
        ("pacific", "#map", lambda: (page.keyboard.press("Escape"), view(page, "pacific", "#map:not([hidden])"))),
        ("powers", "#sheet", lambda: view(page, "powers", "#sheet h2")),
        ("countries", "#sheet", lambda: view(page, "countries", "#sheet h2")),
        ("garrisons", "#sheet", lambda: page.click(".country-list button:has-text('Manchuria, Siberia')")),
        ("aid", "#sheet", lambda: view(page, "aid", "#sheet h2")),
        ("plans", "#sheet", lambda: view(page, "plans", "#sheet h2")),
        ("forecast", "#sheet", lambda: view(page, "forecast", "#sheet .figures td .number")),
        ("year start", "#sheet", lambda: view(page, "yearstart", "#sheet h2")),
        ("log", "#sheet", lambda: view(page, "log", "#sheet .log-lines li")),
        ("seats", "#modal", lambda: (view(page, "europe", "#map:not([hidden])"), page.click("#people"))),
        ("talk", WHOLE, lambda: (shut(page), page.click("#talk"))),
        ("help", "#modal", lambda: (shut(page), page.keyboard.press("Escape"), page.click("#help"))),
    ]
    for name, new, go in states:
        go()
        page.wait_for_timeout(200)
        judge(page, name, wrong, new)
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


def test_axe_finds_nothing_on_a_phone(someone: Any, server: Any) -> None:
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
        judge(page, name, wrong, "#sheet")
    page.goto(f"{server.address}/setup")
    page.wait_for_selector("body[data-ready=yes]")
    judge(page, "set-up editor", wrong)
    page.tap(".setup-tabs [data-panel=figures]")
    judge(page, "set-up editor, figures", wrong)
    assert not wrong, "\n".join(wrong)
