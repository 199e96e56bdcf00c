"""The war as it happened plays itself: at a click from the hall, from its beginning, at the pace that one likes."""

from __future__ import annotations

from typing import Any

from steps import AS_SHOWN, PATIENT

SHOWN = "async () => { const { map } = cabinet.modules['map/map.js']; return [map.board.name, map.cam.x]; }"
SLIDE = """(n) => {
  const slider = document.querySelector("#story-scenes");
  slider.value = n;
  slider.dispatchEvent(new Event("change"));
}"""


def scene(page: Any) -> int:
    return int(page.get_attribute("body", "data-scene"))


def begin(page: Any, address: str) -> None:
    page.goto(address + "/")
    page.click("#demo")
    page.wait_for_selector("body[data-scene='0']", timeout=PATIENT)


def jump(page: Any, said: str) -> int:
    """Go to the scene in which something is said, by the slider."""
    table = page.get_attribute("body", "data-table")
    scenes = page.context.request.get(page.url.partition("/tables/")[0] + f"/api/v1/tables/{table}/story").json()
    number = next(n for n, it in enumerate(scenes) if it["say"].startswith(said))
    page.evaluate(SLIDE, number)
    page.wait_for_selector(f"body[data-scene='{number}']")
    return number


def test_the_war_plays_itself(someone: Any, server: Any) -> None:
    page = someone(bypass_csp=True, **AS_SHOWN)
    begin(page, server.address)
    assert "Fall 1939" in page.inner_text("#moment")
    assert "The war as it happened" in page.inner_text("#story")
    page.click("#story-faster")
    page.click("#story-faster")
    assert page.inner_text("#story-rate") == "4×"
    # It goes on by itself, and the position, the map and the words with it.
    page.wait_for_selector("body[data-scene='3']")
    page.keyboard.press("Space")
    page.wait_for_selector("#story-play[aria-label=Play]")
    paused = scene(page)
    assert "5 of" in page.inner_text("#story") or paused != 4
    page.click("#story-on")
    page.wait_for_selector(f"body[data-scene='{paused + 1}']")
    page.click("#story-back")
    page.wait_for_selector(f"body[data-scene='{paused}']")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"body[data-scene='{paused + 1}']")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#story-rate") == "2×"


def test_the_map_and_the_chart_go_with_the_story(someone: Any, server: Any) -> None:
    page = someone(**AS_SHOWN)
    begin(page, server.address)
    page.click("#story-play")
    jump(page, "Warsaw falls")
    board, where = page.evaluate(SHOWN)
    assert board == "europe"
    drawn = float(page.get_attribute("#so-far rect", "width"))
    assert page.locator("#story-side [clip-path='url(#so-far)'] .series.germany").count() == 1
    jump(page, "Midway")
    assert page.evaluate(SHOWN)[0] == "pacific"
    assert "Summer 1942" in page.inner_text("#moment")
    jump(page, "Paris is free")
    board, there = page.evaluate(SHOWN)
    assert board == "europe"
    assert there != where
    assert float(page.get_attribute("#so-far rect", "width")) > 4 * drawn
    assert "Germany" in page.inner_text("#story-side")
    last = jump(page, "2 September 1945")
    assert page.get_attribute("#story-scenes", "max") == str(last)
    assert "Summer 1945" in page.inner_text("#moment")
    # The last scene is the present: closed, it is a table like any other.
    page.click("#story-close")
    page.wait_for_selector("#story", state="hidden")
    page.wait_for_selector("#story-open:not([hidden])")


def test_it_plays_on_a_phone(someone: Any, server: Any) -> None:
    page = someone(**{**AS_SHOWN, "viewport": {"width": 390, "height": 844}}, has_touch=True, bypass_csp=True)
    begin(page, server.address)
    page.tap("#story-play")
    page.wait_for_selector("#story-play[aria-label=Play]")
    page.wait_for_selector("#story-side .chart.growing")
    here = scene(page)
    page.tap("#story-on")
    page.wait_for_selector(f"body[data-scene='{here + 1}']")
    box = page.locator("#story").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_a_table_of_ones_own_has_no_story(solo: Any) -> None:
    assert solo.is_hidden("#story")
    assert solo.is_hidden("#story-open")
