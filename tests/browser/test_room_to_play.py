"""The map has room, the right column leads on, and what someone types or holds outlives the news of others."""

from __future__ import annotations

from typing import Any

import pytest
from steps import OPENING, ask, settle, sit_down

COVERED = """() => {
  const area = (r) => r.width * r.height;
  const over = [...document.querySelectorAll('.tray, .map-tools .group, .inset')];
  const all = over.reduce((sum, it) => sum + area(it.getBoundingClientRect()), 0);
  return all / area(document.querySelector('#map-sheet').getBoundingClientRect());
}"""
CUT = """() => [...document.querySelectorAll('.top button, .top a, .steps li, .map-tools button')]
  .filter((it) => it.getClientRects().length && it.getBoundingClientRect().right > innerWidth)
  .map((it) => it.textContent || it.id)"""
#: The map is painted so many pixels beyond what is seen of it.
PAINTED_BEYOND = 160
#: How far the names of cities lie from them: hexes from the middle of the hex to the nearest edge of the name.
FARTHEST = """(margin) => {
  const { board, sheet } = cabinet.modules['map/map.js'].map;
  const far = ([id, r]) => {
    const { scale, x: left, y: top } = sheet.painted;
    const hex = board.hexes.get(id);
    const [x, y] = [hex.x * scale + left + margin, hex.y * scale + top + margin];
    return Math.hypot(Math.max(r.x - x, 0, x - r.x - r.w), Math.max(r.y - y, 0, y - r.y - r.h)) / scale;
  };
  return [sheet.named.size, Math.max(...[...sheet.named].map(far))];
}"""


def at_size(someone: Any, server: Any, width: int, height: int) -> Any:
    page = someone(viewport={"width": width, "height": height})
    sit_down(page, server.address)
    return page


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_little_lies_over_the_map_and_nothing_is_cut(someone: Any, server: Any, width: int, height: int) -> None:
    page = at_size(someone, server, width, height)
    assert page.evaluate(COVERED) < 0.1
    assert page.evaluate(CUT) == []
    before = page.evaluate(COVERED)
    page.click("[data-fold=inset]")
    page.wait_for_selector("#map-inset:visible")
    assert page.evaluate(COVERED) > before
    # What was unfolded stays so.
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    assert page.get_attribute("[data-fold=inset]", "aria-expanded") == "true"
    assert page.get_attribute("[data-fold=boxes]", "aria-expanded") == "false"


@pytest.mark.parametrize("size", [(1280, 800), (1600, 1000)])
def test_the_names_of_cities_stay_at_their_cities(someone: Any, server: Any, size: tuple[int, int]) -> None:
    page = at_size(someone, server, *size)
    settle(page, "() => cabinet.modules['map/map.js'].map.sheet.named.size > 20")
    names, farthest = page.evaluate(FARTHEST, PAINTED_BEYOND)
    assert names > 20
    assert farthest < 1


def test_the_last_lines_of_the_log_are_in_sight(someone: Any, server: Any) -> None:
    page = at_size(someone, server, 1600, 1000)
    assert page.locator("#due .due-line").first.bounding_box()["y"] < 500
    assert page.locator("#log li").first.bounding_box()["y"] < 980
    assert page.locator("#now [data-command=spend]").count() == 3
    assert page.locator("#now .offer:has([data-command=spend])").count() == 1
    assert page.locator("#now [data-command=let_grant_pass]").count() == 0


def test_the_log_is_in_sight_while_much_is_owed(someone: Any, server: Any) -> None:
    page = someone(viewport={"width": 1600, "height": 1000})
    table = ask(page, server.address + "/api/v1/tables", title="World war", name="Ada")["table"]
    page.goto(f"{server.address}/tables/{table}")
    line = page.locator("#log li:not(.heading)").first.bounding_box()
    assert line["y"] + line["height"] <= 1000
    assert "arrive" not in page.inner_text("#now .offer.next .text")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1600, 1000)])
def test_the_head_of_a_force_pool_fits(someone: Any, server: Any, width: int, height: int) -> None:
    page = at_size(someone, server, width, height)
    page.evaluate("() => cabinet.modules['pool.js'].openPool('germany')")
    page.wait_for_selector("#pool .pool-pile")
    close, pool = (page.locator(it).bounding_box() for it in ("#pool > header .close", "#pool"))
    assert close["x"] + close["width"] <= pool["x"] + pool["width"]


def test_a_refusal_leads_to_what_is_owed(someone: Any, server: Any) -> None:
    page = someone()
    api = server.address + "/api/v1/tables"
    table = ask(page, api, title="World war", name="Ada")["table"]
    for power, (units, defer) in OPENING.items():
        names = [" ".join(filter(None, unit)) for unit in units]
        ask(page, f"{api}/{table}/do", do="mobilize", power=power, units=names, defer=defer)
    page.goto(f"{server.address}/tables/{table}")
    page.click("#now .offer.no[data-command=advance] .go")
    page.click("#refusal .reasons button:has-text('Set up forces: Thailand')")
    page.wait_for_selector("#order-title:has-text('Set up forces')")
    page.wait_for_selector("#order [data-field=units]")


def test_what_is_typed_into_a_form_outlives_the_news(solo: Any, server: Any) -> None:
    table = solo.get_attribute("body", "data-table")
    solo.click("[data-command=spend][data-power=germany] .go")
    solo.fill("#order input[name=brp]", "1")
    solo.click("#order .seldom summary")
    solo.fill("#order input[name=note]", "half a wo")
    moves = solo.text_content("#log-count")
    ask(solo, f"{server.address}/api/v1/tables/{table}/do", do="spend", power="italy", brp=1, on="other")
    solo.wait_for_function("(was) => document.querySelector('#log-count').textContent !== was", arg=moves)
    assert solo.evaluate("() => document.activeElement.name") == "note"
    solo.keyboard.type("rd")
    assert solo.input_value("#order input[name=note]") == "half a word"
    assert solo.input_value("#order input[name=brp]") == "1"


def test_the_inspector_follows_what_is_done(solo: Any, server: Any) -> None:
    """The card of a hex says what is there now, and keeps the focus where it is."""
    table = solo.get_attribute("body", "data-table")
    hex_ = "cabinet.modules['map/map.js'].map.board.hexes.get('L31')"
    solo.evaluate(f"() => cabinet.modules['hexcard.js'].openHex({hex_})")
    solo.wait_for_selector("#hex-card:not([hidden])")
    report = {"nation": "germany", "unit": "infantry 1-3", "at": "Berlin", "count": 1}
    ask(solo, f"{server.address}/api/v1/tables/{table}/do", do="report_units", beyond_list=True, **report)
    solo.wait_for_selector("#hex-card:has-text('infantry 1-3')")
