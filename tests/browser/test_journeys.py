"""The journeys of the table, played in a browser as a person would."""

from __future__ import annotations

import re
from typing import Any

from steps import level, open_table, step_to, until


def spend(page: Any, power: str, amount: int, on: str) -> None:
    page.click(f"[data-command=spend][data-power={power}] .go")
    page.click(f"#order label:has-text('{on}')")
    page.fill("#order input[name=brp]", str(amount))


def test_from_the_hall_to_a_first_accepted_order(solo: Any) -> None:
    step_to(solo, "Unit construction")
    spend(solo, "germany", 12, "unit construction")
    solo.wait_for_selector("#order .outcome .change:has-text('150 → 138')")
    solo.click("#order footer .main")
    until(solo, "germany", 138)
    assert solo.is_hidden("#order")
    assert "12 of 50" in solo.inner_text("#card-germany")
    solo.wait_for_selector("#log .minus:has-text('−12')")


def test_the_form_narrows_as_it_is_filled(solo: Any) -> None:
    step_to(solo, "Unit construction")
    solo.click("[data-command=spend][data-power=germany] .go")
    solo.wait_for_selector("#order [data-field=brp] .name:has-text('at most 150')")
    solo.click("#order label:has-text('unit construction')")
    solo.wait_for_selector("#order [data-field=brp] .name:has-text('at most 50')")
    assert "39.31" in solo.inner_text("#order [data-field=brp] .name")


def test_a_refused_order_shows_every_clause_and_returns_to_the_form(solo: Any) -> None:
    step_to(solo, "Unit construction")
    spend(solo, "germany", 900, "unit construction")
    solo.click("#order footer .main")
    dialog = solo.wait_for_selector("#refusal[open]")
    text = dialog.inner_text()
    assert "Not allowed: two reasons" in text
    assert "39.31" in text
    assert "39.22C" in text
    assert solo.get_attribute("#refusal", "role") == "alertdialog"
    solo.click("#refusal footer .main")
    assert solo.input_value("#order input[name=brp]") == "900"
    assert level(solo, "germany") == 150


def test_every_number_opens_its_sum_to_the_clause(solo: Any) -> None:
    solo.click("#card-germany .card-meter .number")
    box = solo.wait_for_selector("#explain:not([hidden])")
    assert "50" in box.inner_text()
    assert "39.31" in box.inner_text()
    solo.click("#explain .total .chip")
    solo.wait_for_selector("#explain h2:has-text('Clause 39.31')")
    solo.keyboard.press("Escape")
    assert solo.is_hidden("#explain")


def test_two_browsers_at_one_table_see_each_other_at_once(someone: Any, server: Any) -> None:
    ada, ben = someone(), someone()
    open_table(ada, server.address, plan="axis")
    ada.click("#people")
    ada.click("[data-seat=seat2] button:has-text('Invite')")
    link = ada.input_value("[data-seat=seat2] input")
    ada.keyboard.press("Escape")
    ben.goto(link)
    ben.fill("#name", "Ben")
    ben.click("button[type=submit]")
    ben.wait_for_selector("body[data-ready=yes]")
    assert "Allies" in ben.inner_text("#holds")
    assert "looking on" not in ben.inner_text("#now-where")
    assert ben.query_selector("#next-step") is None
    spend(ada, "germany", 7, "other")
    ada.wait_for_selector("#order .outcome .change")
    ada.click("#order footer .main")
    until(ben, "germany", 143)
    ben.click("#talk")
    ben.fill("#drawer input[name=text]", "Well met")
    ben.click("#drawer button[type=submit]")
    ada.wait_for_selector("#talk-badge:not([hidden])")
    ada.click("#talk")
    ada.wait_for_selector(".talk-lines:has-text('Well met')")


def test_undo_leaves_a_trace(solo: Any) -> None:
    spend(solo, "germany", 9, "other")
    solo.wait_for_selector("#order .outcome .change")
    solo.click("#order footer .main")
    until(solo, "germany", 141)
    solo.click("#undo")
    until(solo, "germany", 150)
    solo.wait_for_selector("#log .undone em:has-text('undone')")


def test_capture_a_hex_on_the_map(solo: Any) -> None:
    step_to(solo, "Combat")
    solo.fill("#command", "Brussels")
    solo.wait_for_selector("#completions li")
    solo.keyboard.press("Enter")
    box = solo.locator("#map-sheet").bounding_box()
    solo.wait_for_timeout(400)
    solo.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    solo.wait_for_selector("#hex-card h2:has-text('Brussels')")
    solo.click("#hex-card .offer:has-text('Report control') .go")
    solo.wait_for_selector("#order .picked:has-text('M25')")
    solo.click("#order [data-field=by] label:has-text('Germany')")
    solo.wait_for_selector("#order .outcome:has-text('Belgium')")
    solo.click("#order footer .main")
    solo.wait_for_selector("#due:has-text('Belgium')")
    assert "35.73A" in solo.inner_text("#due")
    held = "async () => (await import('/static/map/map.js')).map.made.held.power.get('M25')"
    assert solo.evaluate(held) == "germany"


def test_declare_a_war(solo: Any) -> None:
    solo.click(".now-groups button:has-text('Report an outcome')")
    solo.click("[data-command=report_war] .go")
    for side in ("italy", "france"):
        solo.select_option("#order [data-field=between] select", side)
        solo.wait_for_selector(f"#order .picked:has-text('{side.capitalize()}')")
    solo.wait_for_selector("#order .outcome:has-text('War between Italy and France')")
    solo.click("#order footer .main")
    solo.wait_for_selector("#card-italy:has-text('at war')")


def test_the_history_can_be_scrubbed_and_a_copy_tried(solo: Any) -> None:
    spend(solo, "germany", 9, "other")
    solo.wait_for_selector("#order .outcome .change")
    solo.click("#order footer .main")
    until(solo, "germany", 141)
    solo.focus("#history")
    solo.keyboard.press("ArrowLeft")
    until(solo, "germany", 150)
    assert "at=3" in solo.url
    original = solo.url.split("?")[0]
    solo.reload()
    solo.wait_for_selector("body[data-ready=yes]")
    until(solo, "germany", 150)
    solo.click("#history-copy")
    solo.wait_for_url(lambda url: url.split("?")[0] != original)
    solo.wait_for_selector("body[data-ready=yes]")
    spend(solo, "germany", 50, "other")
    solo.wait_for_selector("#order .outcome .change")
    solo.click("#order footer .main")
    until(solo, "germany", 100)
    solo.goto(original)
    solo.wait_for_selector("body[data-ready=yes]")
    until(solo, "germany", 141)


def test_typed_orders_are_completed_and_opened(solo: Any) -> None:
    solo.keyboard.press("/")
    solo.keyboard.type("spend germ")
    solo.wait_for_selector("#completions li")
    solo.fill("#command", "spend italy 5 offensive operations")
    solo.keyboard.press("Enter")
    solo.wait_for_selector("#order h2:has-text('Italy')")
    assert solo.input_value("#order input[name=brp]") == "5"
    solo.wait_for_selector("#order .outcome .change:has-text('Italy level')")
    solo.keyboard.press("Escape")
    solo.fill("#command", "39.31")
    solo.wait_for_selector("#completions li:has-text('39.31')")


def test_by_keyboard_alone(solo: Any) -> None:
    for _ in range(30):
        if "unit construction" in solo.inner_text("#moment").lower():
            break
        was = solo.inner_text("#moment")
        solo.keyboard.press("n")
        solo.wait_for_function("was => document.querySelector('#moment').textContent !== was", arg=was)
    solo.keyboard.press("b")
    solo.wait_for_selector("#order h2:has-text('Build: Germany')")
    assert solo.evaluate("() => document.querySelector('#order').contains(document.activeElement)")
    solo.keyboard.press("Escape")
    solo.keyboard.press("/")
    solo.keyboard.type("spend germany 8 unit construction")
    solo.wait_for_selector("#completions li")
    solo.keyboard.press("Enter")
    solo.wait_for_selector("#order .outcome .change")
    solo.keyboard.press("Tab")
    solo.keyboard.press("Enter")
    until(solo, "germany", 142)
    solo.keyboard.press("m")
    solo.keyboard.press("ArrowRight")
    solo.wait_for_function("() => document.querySelector('#hex-grid').getAttribute('aria-activedescendant')")
    solo.keyboard.press("Enter")
    solo.wait_for_selector("#hex-card:not([hidden])")
    solo.keyboard.press("Escape")
    assert solo.is_hidden("#hex-card")
    assert solo.evaluate("document.activeElement.id") == "hex-grid"


def test_on_a_phone(someone: Any, server: Any) -> None:
    page = someone(viewport={"width": 390, "height": 844}, has_touch=True, device_scale_factor=2)
    open_table(page, server.address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for tab in ("map", "powers", "due", "log", "now"):
        page.tap(f".phone-tabs [data-tab={tab}]")
    small = "els => els.map(e => e.getBoundingClientRect()).filter(r => r.height < 43.5).length"
    assert page.eval_on_selector_all(".phone-tabs button, #zoom-in, #zoom-out, .phone-tools button", small) == 0
    page.tap("[data-command=spend][data-power=germany] .go")
    page.tap("#order label:has-text('other')")
    page.fill("#order input[name=brp]", "5")
    page.wait_for_selector("#order .outcome .change")
    page.tap("#order footer .main")
    page.wait_for_selector(".phone-figures:has-text('145')")


def test_the_sheets_open_and_their_numbers_too(solo: Any) -> None:
    solo.click(".views [data-view=forecast]")
    solo.wait_for_selector(".figures .total")
    solo.click(".figures .total td .number")
    solo.wait_for_selector("#explain:not([hidden])")
    solo.keyboard.press("Escape")
    solo.click(".switch button:has-text('With what falls due')")
    solo.wait_for_selector("h2:has-text('with what falls due')")
    solo.click(".views [data-view=countries]")
    solo.wait_for_selector(".country h2:has-text('Belgium')")
    solo.click(".country-list button:has-text('Norway')")
    solo.wait_for_selector(".country h2:has-text('Norway')")
    solo.click(".views [data-view=powers]")
    solo.wait_for_selector(".chart.levels")
    solo.click(".views [data-view=pacific]")
    solo.wait_for_function("async () => (await import('/static/map/map.js')).map.board?.name === 'pacific'")


def test_the_demonstration_and_its_save_come_back(someone: Any, server: Any) -> None:
    page = someone()
    page.goto(server.address + "/")
    page.click("#demo")
    page.wait_for_selector("body[data-ready=yes]")
    assert "Spring 1942" in page.inner_text("#moment")
    page.click(".views [data-view=log]")
    with page.expect_download() as saved:
        page.click("a:has-text('Save the game')")
    path = saved.value.path()
    page.goto(server.address + "/")
    page.set_input_files("#save", {"name": "again.jsonl", "mimeType": "text/plain", "buffer": path.read_bytes()})
    page.click("#import button")
    page.wait_for_selector("body[data-ready=yes]")
    assert re.search("Spring 1942", page.inner_text("#moment"))
