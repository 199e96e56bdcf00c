"""What screen readers, and people who want no motion or the theme of their system, find at the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from steps import settle, spring_1942


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_table_is_light_or_dark_as_the_system_is(someone: Any, server: Any, theme: str) -> None:
    page = someone(color_scheme=theme)
    page.goto(server.address + "/")
    assert page.evaluate("() => document.documentElement.dataset.theme") == theme


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
