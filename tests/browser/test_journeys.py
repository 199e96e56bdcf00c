"""The journeys of the table, played in a browser as a person would."""

from __future__ import annotations

import re
from typing import Any

from steps import (
    OPENING,
    PATIENT,
    click_hex,
    invitation,
    join,
    level,
    mobilize,
    open_table,
    settle,
    skip_to,
    step_to,
    until,
)


def spend(page: Any, power: str, amount: int, on: str) -> None:
    page.click(f"[data-command=spend][data-power={power}] .go")
    page.click(f"#order label:has-text('{on}')")
    page.fill("#order input[name=brp]", str(amount))


def test_from_the_hall_to_a_first_accepted_order(someone: Any, server: Any) -> None:
    solo = someone()
    open_table(solo, server.address)
    for power in OPENING:
        mobilize(solo, power)
    step_to(solo, "Unit construction")
    spend(solo, "germany", 12, "unit construction")
    solo.wait_for_selector("#order .outcome .change:has-text('150 → 138')")
    solo.click("#order footer .main")
    until(solo, "germany", 138)
    assert solo.is_hidden("#order")
    assert "12 of 50" in solo.inner_text("#card-germany")
    solo.wait_for_selector("#log .minus:has-text('−12')")


def test_the_form_narrows_as_it_is_filled(solo: Any) -> None:
    skip_to(solo, "unit construction")
    solo.click("[data-command=spend][data-power=germany] .go")
    solo.wait_for_selector("#order [data-field=brp] .name:has-text('at most 150')")
    solo.click("#order label:has-text('unit construction')")
    solo.wait_for_selector("#order [data-field=brp] .name:has-text('at most 50')")
    assert "39.31" in solo.inner_text("#order [data-field=brp] .name")
    # What cannot be in this phase is folded, and what is chosen already is not called optional.
    assert "Declaration of war" in solo.text_content("#order [data-field=on] details")
    solo.keyboard.press("Escape")
    solo.evaluate("() => cabinet.modules['order.js'].openCommand('move')")
    solo.wait_for_selector("#order [data-field=how] select")
    assert "optional" not in solo.inner_text("#order-form")


def test_a_refused_order_shows_every_clause_and_returns_to_the_form(solo: Any) -> None:
    skip_to(solo, "unit construction")
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
    join(ben, invitation(ada, "seat2"), "Ben")
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
    skip_to(solo, "combat")
    solo.fill("#command", "Warsaw")
    solo.wait_for_selector("#completions li")
    solo.keyboard.press("Enter")
    box = solo.locator("#map-sheet").bounding_box()
    solo.wait_for_timeout(400)
    solo.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    solo.wait_for_selector("#hex-card h2:has-text('Warsaw')")
    solo.click("#hex-card .offer:has-text('Hexes were taken') .go")
    solo.wait_for_selector("#order .picked:has-text('M35')")
    solo.click("#order [data-field=by] label:has-text('Germany')")
    solo.wait_for_selector("#order .outcome:has-text('Poland')")
    solo.click("#order footer .main")
    solo.wait_for_selector("#due .due-line:has-text('Poland'):has-text('35.73A')")
    held = "async () => cabinet.modules['map/map.js'].map.made.held.power.get('M35')"
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
        settle(solo, "was => document.querySelector('#moment').textContent !== was", was)
    solo.keyboard.press("b")
    solo.wait_for_selector("#pool h2:has-text('Germany: force pool')")
    settle(solo, "() => document.querySelector('#pool').contains(document.activeElement)")
    solo.keyboard.press("Escape")
    assert solo.is_hidden("#pool")
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
    settle(solo, "() => Boolean(document.querySelector('#hex-grid').getAttribute('aria-activedescendant'))")
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
    assert page.locator(".phone-tabs [aria-current]").inner_text() == "Now"
    for down, sheet in ((400, "peek"), (-700, "full"), (300, "half")):
        handle = page.locator("#sheet-handle").bounding_box()
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + 8
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + down / 2)
        page.mouse.move(x, y + down)
        page.mouse.up()
        page.wait_for_selector(f"body[data-sheet={sheet}]")
    small = "els => els.map(e => e.getBoundingClientRect()).filter(r => r.height < 43.5).length"
    assert (
        page.eval_on_selector_all(
            ".phone-tabs button, #zoom-in, #zoom-out, .phone-tools button:not([hidden]), #sheet-handle", small
        )
        == 0
    )
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
    solo.wait_for_selector(".country h2:has-text('Poland')")
    solo.click(".country-list button:has-text('Norway')")
    solo.wait_for_selector(".country h2:has-text('Norway')")
    solo.click(".views [data-view=powers]")
    solo.wait_for_selector(".chart.levels")
    solo.wait_for_selector(".one-power details.folded:not([open]) summary:has-text('figures')")
    solo.wait_for_selector("#track .arrives[title*='Italy 1 specialized']")
    solo.click(".views [data-view=pacific]")
    settle(solo, "async () => cabinet.modules['map/map.js'].map.board?.name === 'pacific'")


def test_the_demonstration_and_its_save_come_back(someone: Any, server: Any) -> None:
    page = someone()
    page.goto(server.address + "/")
    page.click("#demo")
    page.wait_for_selector("body[data-scene]", timeout=PATIENT)
    assert "Fall 1939" in page.inner_text("#moment"), "it starts at the beginning"
    page.click("#story-close")
    page.click(".views [data-view=log]")
    with page.expect_download() as saved:
        page.click("a:has-text('Save the game')")
    path = saved.value.path()
    page.goto(server.address + "/")
    page.set_input_files("#save", {"name": "again.jsonl", "mimeType": "text/plain", "buffer": path.read_bytes()})
    page.click("#import button")
    page.wait_for_selector("body[data-table][data-ready=yes]", timeout=PATIENT)
    assert re.search("Summer 1945", page.inner_text("#moment"))
    # It is known as the demonstration by what happened in it, so the save tells the story as well.
    page.wait_for_selector("#story-open:not([hidden])")


def test_the_map_shows_where_units_may_stand_and_why_not_elsewhere(solo: Any) -> None:
    skip_to(solo, "declarations of war")
    solo.click("[data-command=declare_war][data-power=germany] .go")
    solo.select_option("#order [data-field=on] select", "belgium")
    solo.wait_for_selector("#order .outcome ol li")
    solo.click("#order footer .main")
    solo.wait_for_selector("#log :text('declare war')")
    solo.click("#next-step")
    # What stops the clock comes first: the set-up of the country that was attacked.
    solo.click("#now .offer.next[data-command=deploy] .go")
    solo.click("#order [data-field=by] label:has-text('Britain')")
    # The country is the order's own; who sets it up is chosen among those who may.
    assert "Belgium" in solo.inner_text("#order-title")
    assert solo.locator("#order [data-field=country]").count() == 0
    assert solo.locator("#order [data-field=by] label:has-text('Japan')").count() == 0
    solo.wait_for_selector("#order .places:has-text('2 hexes')")
    legal = "async () => [...cabinet.modules['map/map.js'].map.places.legal].sort()"
    assert solo.evaluate(legal) == ["europe/L25", "europe/M25"]
    click_hex(solo, "N25")
    solo.wait_for_selector("#order .not-here:has-text('Luxembourg') .chip:has-text('82.55')")
    click_hex(solo, "L25")
    solo.wait_for_selector("#order .rows li:has-text('Antwerp (L25)')")
    solo.wait_for_selector("#order .outcome :text('to Antwerp')")
    solo.click("#order footer .main")
    solo.wait_for_selector("#log :text('set up the forces of Belgium')")
    held = "async () => cabinet.modules['map/map.js'].map.made.stacks.has('europe/L25')"
    assert solo.evaluate(held)


def test_supply_is_shown_on_demand_and_traced_to_a_hex(solo: Any) -> None:
    solo.click("[data-layer=supply]")
    settle(solo, "async () => cabinet.modules['map/map.js'].map.supply?.power === 'germany'")
    click_hex(solo, "N28")
    solo.wait_for_selector("#hex-card :text('Germany: supplied over land')")
    solo.keyboard.press("Escape")
    solo.select_option("#supply-of", "france")
    settle(solo, "async () => cabinet.modules['map/map.js'].map.supply?.power === 'france'")
    click_hex(solo, "N28")
    solo.wait_for_selector("#hex-card :text('France: cut off')")


def test_chinas_layer_shows_who_may_go_where(solo: Any) -> None:
    solo.click(".views [data-view=pacific]")
    solo.click("[data-layer=china]")
    settle(solo, "async () => !!cabinet.modules['map/map.js'].map.china")
    solo.select_option("#china-of", "T")
    assert "Burma and India" in solo.inner_text("#china-of option[value=T]")
    click_hex(solo, "P19")
    solo.wait_for_selector("#hex-card :text('Nationalist China')")
    solo.wait_for_selector("#hex-card :text('Wang infantry')")


def test_a_year_start_is_supposed_and_its_sums_follow(solo: Any) -> None:
    solo.click(".views [data-view=forecast]")
    total = ".figures .total td:nth-of-type(4)"  # Britain
    solo.wait_for_selector(total)
    before = solo.inner_text(total)
    solo.click(".switch button:has-text('My what-if')")
    solo.fill("input[aria-label='Britain, Level now, what if']", "0")
    solo.keyboard.press("Enter")
    solo.wait_for_selector(".picked button:has-text('Britain level: 0')")
    settle(solo, "([total, before]) => document.querySelector(total).innerText !== before", [total, before])
    after = solo.inner_text(total)
    solo.click(f"{total} .number")
    solo.wait_for_selector(f"#explain .result:text-is('{after}')")
    solo.keyboard.press("Escape")
    solo.click(".switch button:has-text('As it stands')")
    solo.wait_for_selector(f"{total}:has-text('{before}')")


def test_a_refusal_goes_to_the_referee_and_is_ruled_on(someone: Any, server: Any) -> None:
    ada, ben = someone(), someone()
    open_table(ada, server.address, plan="axis")
    join(ben, invitation(ada, "seat2"), "Ben")
    ben.fill("#command", "spend britain 900 other")
    ben.wait_for_selector("#completions li")
    ben.keyboard.press("Enter")
    ben.wait_for_selector("#order .outcome .bad")
    ben.click("#order footer .main")
    ben.wait_for_selector("#refusal .asked strong:has-text('900 BRPs')")
    ben.click("#refusal .reasons .chip")
    ben.wait_for_selector("#explain h2:has-text('Clause')")
    ben.keyboard.press("Escape")
    ben.wait_for_selector("#explain", state="hidden")
    ben.click("#refusal button:has-text('Ask the referee')")
    ada.wait_for_selector("#talk-badge:not([hidden])")
    ada.click("#talk")
    ada.wait_for_selector(".talk-lines .whisper:has-text('Asks for a ruling')")
    ada.keyboard.press("Escape")
    # The referee meets the same refusal, and rules otherwise on what it rests on.
    ada.fill("#command", "spend germany 160 other")
    ada.wait_for_selector("#completions li")
    ada.keyboard.press("Enter")
    ada.wait_for_selector("#order .outcome .bad")
    ada.click("#order footer .main")
    ada.click("#refusal button:has-text('Ask the referee')")
    ada.click("#refusal .referee li:has-text('nobody deficit spends') .link")
    ada.fill("#order [name=is]", "no")
    ada.wait_for_selector("#order .outcome li")
    ada.click("#order footer .main")
    ada.wait_for_selector("#log :text('Ruling: No deficits yet')")


def test_seats_are_watched_undone_by_consent_and_refilled(someone: Any, server: Any) -> None:
    ada, ben, fan = someone(), someone(), someone()
    open_table(ada, server.address, plan="axis")
    join(ben, invitation(ada, "seat2"), "Ben")
    join(fan, invitation(ada, "spectators"), "Fan")
    assert "orders are the players" in fan.inner_text("#now")
    spend(ada, "germany", 9, "other")
    ada.wait_for_selector("#order .outcome .change")
    ada.click("#order footer .main")
    until(fan, "germany", 141)
    until(ben, "germany", 141)
    ben.click("#undo")
    ada.click(".consent button:has-text('Agree')")
    until(fan, "germany", 150)
    fan.wait_for_selector("#log .undone")
    ada.click("#people")
    ada.click("[data-seat=seat2] button:has-text('Replace')")
    ben.wait_for_selector("#toasts :text('vacated')")
    ada.click("[data-seat=seat2] button:has-text('Sit here')")
    ada.wait_for_selector("[data-seat=seat2]:has-text('(you)')")
    ada.keyboard.press("Escape")
    ada.wait_for_selector("#holds:has-text('all powers')")


def test_the_keys_of_sums_and_clauses(solo: Any) -> None:
    solo.keyboard.press("1")
    solo.keyboard.press("w")
    solo.wait_for_selector("#explain h2:has-text('Germany: level')")
    solo.keyboard.press("Escape")
    solo.click("#card-germany .card-meter .number")
    solo.wait_for_selector("#explain .fold")
    solo.keyboard.press("ArrowRight")
    solo.wait_for_selector("#explain .fold:focus")
    solo.keyboard.press("c")
    solo.wait_for_selector("#explain h2:has-text('Clause 39.31')")
    solo.keyboard.press("Escape")
    solo.keyboard.press("?")
    listed = solo.inner_text("#keys-help .keys")
    keys = "async () => Object.keys(cabinet.modules['keys.js'].KEYS)"
    for key in solo.evaluate(keys):
        assert key.upper() in listed.upper(), key
    solo.uncheck("#single-keys")
    solo.keyboard.press("Escape")
    solo.keyboard.press("w")
    assert solo.is_hidden("#explain")


def test_a_position_of_ones_own_and_options_start_a_table(someone: Any, server: Any) -> None:
    page = someone()
    page.goto(server.address + "/")
    page.fill("#name", "Ada")
    text = "scenario: classic-1939\nturn: Spring 1941\nset: {powers.germany.brp: 77}\n"
    page.set_input_files("#save", {"name": "mine.yaml", "mimeType": "text/plain", "buffer": text.encode()})
    page.click("#import button")
    page.wait_for_selector("body[data-ready=yes]")
    assert "Spring 1941" in page.inner_text("#moment")
    until(page, "germany", 77)
    page.goto(server.address + "/")
    page.check("input[name=scenario][value=prequel]")
    page.fill("#option-start", "Winter 1939")
    page.fill("[data-option=civilian_factories] [data-power=germany]", "2")
    page.click("#new-table button[type=submit]")
    page.wait_for_selector("#moment:has-text('Winter 1939')", state="attached")


#: The position as the page shows it, and as a page shows it that has just been opened.
SHOWN = """async () => {
  const { store } = cabinet.modules['store.js'];
  const { whole } = cabinet.modules['changes.js'];
  const { table } = cabinet.modules['api.js'];
  const plain = (p) => {
    const key = (s) => [s.place, s.nation, s.unit].join();
    const known = (value) => value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort().map(([k, v]) => [k, known(v)]))
      : Array.isArray(value) ? value.map(known) : value;
    return JSON.stringify(known({ ...p, pieces: [...p.pieces].sort((a, b) => (key(a) < key(b) ? -1 : 1)) }));
  };
  return [plain(store.view.position), plain(whole((await table.get()).position))];
}"""


def test_a_page_that_only_received_changes_shows_the_position(solo: Any, someone: Any, server: Any) -> None:
    fan = someone()
    join(fan, invitation(solo, "spectators"), "Fan")
    asked: dict[Any, list[str]] = {solo: [], fan: []}
    for page, requests in asked.items():
        page.on("request", lambda it, to=requests: to.append(f"{it.method} {it.url.partition('/api/v1')[2]}"))
    spend(solo, "germany", 9, "other")
    solo.wait_for_selector("#order .outcome .change")
    solo.click("#order footer .main")
    until(solo, "germany", 141)
    until(fan, "germany", 141)
    skip_to(solo, "combat")
    solo.click(".now-groups button:has-text('Report an outcome')")
    solo.click("[data-command=report_control] .go")
    solo.fill("#order [data-field=places] input", "Warsaw")
    solo.keyboard.press("Enter")
    solo.click("#order [data-field=by] label:has-text('Germany')")
    solo.wait_for_selector("#order .outcome:has-text('Poland')")
    solo.click("#order footer .main")
    solo.wait_for_selector("#due .due-line:has-text('Poland')")
    fan.wait_for_selector("#due .due-line:has-text('Poland')")
    solo.click("#undo")
    solo.wait_for_selector("#log .undone em:has-text('undone')")
    fan.wait_for_selector("#log .undone em:has-text('undone')")
    for page, requests in asked.items():
        shown, fresh = page.evaluate(SHOWN)
        assert shown == fresh
        # Neither the position nor the log was fetched again; one's own moves needed no request after them.
        table = page.url.rpartition("/")[2].partition("?")[0]
        fetched = [it.partition("?")[0].removeprefix(f"GET /tables/{table}") for it in requests if it.startswith("GET")]
        assert fetched.count("") == 1  # the one that this test makes
        assert "/log" not in fetched
        assert fetched.count("/changes") <= (1 if page is solo else 4)
