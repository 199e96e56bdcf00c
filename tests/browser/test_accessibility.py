"""Every page and panel in both themes, held to our own rules, and to axe's where AXE_CORE names its script."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from steps import settle, spring_1942

RULES = (Path(__file__).parent / "rules.js").read_text(encoding="utf-8")
AXE = os.environ.get("AXE_CORE", "")
RUN_AXE = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).slice(0, 3).join('; '))"""


def check(page: Any, where: str) -> None:
    page.wait_for_timeout(250)
    assert page.evaluate(RULES) == [], where
    if AXE:
        page.evaluate(Path(AXE).read_text(encoding="utf-8"))
        assert page.evaluate(RUN_AXE) == [], where


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_panel_keeps_the_rules(someone: Any, server: Any, theme: str) -> None:
    page = someone(bypass_csp=bool(AXE), color_scheme=theme)
    page.goto(server.address + "/")
    page.check("input[name=scenario][value=prequel]")
    check(page, "hall")
    spring_1942(page, server.address)
    assert page.evaluate("() => document.documentElement.dataset.theme") == theme
    check(page, "table")
    page.click("[data-command=spend][data-power=germany] .go")
    page.fill("#order input[name=brp]", "900")
    page.click("#order label:has-text('other')")
    page.wait_for_selector("#order .outcome .bad")
    check(page, "order")
    page.click("#order footer .main")
    page.wait_for_selector("#refusal[open]")
    check(page, "refusal")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.click("#card-germany .level")
    page.wait_for_selector("#explain:not([hidden])")
    check(page, "explain")
    page.keyboard.press("Escape")
    for view in ("aid", "yearstart", "forecast", "countries", "powers", "log", "pacific"):
        # Between year starts their view has no button in sight; links lead there.
        page.dispatch_event(f".views [data-view={view}]", "click")
        page.wait_for_selector("#map:not([hidden])" if view == "pacific" else "#sheet:not([hidden]) h2")
        check(page, view)
        if view == "countries":
            page.click(".country-list button:has-text('Manchuria, Siberia')")
            page.wait_for_selector(".garrison-card")
            check(page, "garrisons")
        if view == "yearstart":
            page.click(".row button:has-text('Unfold all')")
            check(page, "year start, unfolded")
        if view == "forecast":
            page.click(".switch button:has-text('My what-if')")
            page.wait_for_selector(".suppose")
            check(page, "what-if")
    page.click("[data-layer=supply]")
    page.wait_for_selector("#supply-of:not([hidden])")
    check(page, "supply")
    for button in ("#people", "#help"):
        page.click(button)
        check(page, button)
        page.keyboard.press("Escape")
    page.click("#talk")
    check(page, "talk")


def test_a_phone_keeps_them_too(someone: Any, server: Any) -> None:
    page = someone(viewport={"width": 390, "height": 844}, has_touch=True, bypass_csp=bool(AXE))
    spring_1942(page, server.address)
    for tab in ("now", "map", "powers", "due", "log"):
        page.tap(f".phone-tabs [data-tab={tab}]")
        check(page, tab)


def test_nothing_moves_where_motion_is_not_wanted(someone: Any, server: Any) -> None:
    page = someone(reduced_motion="reduce")
    spring_1942(page, server.address)
    page.click("#card-germany .level")
    page.wait_for_selector("#explain:not([hidden])")
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_landmarks_and_roles_are_those_a_screen_reader_expects(someone: Any, server: Any) -> None:
    page = someone()
    spring_1942(page, server.address)
    for role, name in (
        ("banner", None),
        ("navigation", "Time"),
        ("complementary", "Powers"),
        ("main", None),
        ("complementary", "Now, due, log"),
        ("grid", "Map"),
        ("log", "Log, newest first"),
    ):
        assert page.get_by_role(role, **({"name": name} if name else {})).count() == 1, (role, name)
    assert "Spring 1942" in page.get_by_role("heading", level=1).inner_text()
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    cell = "() => document.getElementById(document.querySelector('#hex-grid').getAttribute('aria-activedescendant'))"
    settle(page, f"() => Boolean(({cell})())")
    said = page.evaluate(f"({cell})().textContent")
    assert re.match(r"[A-Z]{1,2}\d{1,2}( \w|,)", said), said
    page.keyboard.press("Enter")
    page.wait_for_selector("#hex-card:not([hidden])")
