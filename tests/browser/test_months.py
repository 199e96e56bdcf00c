"""A campaign of months: told of one's turn, the list in the hall, a second device, and back after all were lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from steps import OPENING, ask, open_table, sit_down

RULES = (Path(__file__).parent / "rules.js").read_text(encoding="utf-8")
AXIS = ["germany", "italy", "japan"]
ALLIES = ["britain", "france", "russia", "usa", "china"]


def invited(host: Any, address: str, seat: str) -> str:
    """The link to a seat, by the host's own cookie."""
    table = host.url.rpartition("/")[2].partition("#")[0]
    made = ask(host, f"{address}/api/v1/tables/{table}/seats/{seat}/invitations")
    return str(address + made["path"])


def two_sides(someone: Callable[..., Any], address: str) -> tuple[Any, Any, str]:
    """The host with the Axis, whose mobilizations are made, and a friend with the Allies; both at the table."""
    ada, ben = someone(), someone()
    seats = [{"title": "Axis", "powers": AXIS, "mine": True}, {"title": "Allies", "powers": ALLIES, "mine": False}]
    start = {"title": "World war", "name": "Ada", "options": {"set_up": "reported"}}
    table = ask(ada, f"{address}/api/v1/tables", seats=seats, **start)["table"]
    ada.goto(f"{address}/tables/{table}")
    ada.wait_for_selector("body[data-ready=yes]")
    for power, (units, defer) in OPENING.items():
        names = [" ".join(part for part in unit if part) for unit in units]
        ask(ada, f"{address}/api/v1/tables/{table}/do", do="mobilize", power=power, units=names, defer=defer)
    ben.goto(invited(ada, address, "seat2"))
    ben.fill("input[name=name]", "Ben")
    ben.click("button[type=submit]")
    ben.wait_for_selector("body[data-ready=yes]")
    return ada, ben, table


def test_your_turn_in_the_page_and_in_the_hall(someone: Any, server: Any) -> None:
    ada, ben, table = two_sides(someone, server.address)
    settings = ben.context.new_page()
    settings.goto(server.address + "/you")
    with settings.expect_response(lambda r: r.request.method == "PUT" and r.url.endswith("/me/notices") and r.ok):
        settings.check("input[name=sound]")
    settings.fill("#rename input", "Benedict")
    settings.click("#rename button")
    settings.wait_for_selector("#toasts p")
    ben.reload()
    ben.wait_for_selector("body[data-ready=yes]")
    ben.wait_for_selector("#whose-move:has-text('The table waits for Ada (Axis)')")
    assert "Your turn" not in ben.title()
    ask(ada, f"{server.address}/api/v1/tables/{table}/talk", text="Over to you")
    ask(ada, f"{server.address}/api/v1/tables/{table}/advance", to="Fall 1939, Allied")
    ben.wait_for_selector("body[data-chimed='1']")
    assert ben.title().startswith("● Your turn")
    ada.wait_for_selector("#whose-move:has-text('The table waits for Benedict (Allies)')")
    ben.goto(server.address + "/")
    row = ben.wait_for_selector(f".tables li.mine[data-table='{table}']")
    words = row.inner_text()
    assert "your move, since" in words
    assert "Must mobilize now: Britain" in words
    assert row.query_selector(".unread.some") is not None
    assert ben.title().startswith("(1) ")
    ada.goto(server.address + "/")
    assert "Benedict’s move, since" in ada.wait_for_selector(f".tables li[data-table='{table}']").inner_text()


def test_a_second_device_and_back_after_all_were_lost(someone: Any, server: Any) -> None:
    ada, phone, stranger = someone(), someone(viewport={"width": 390, "height": 844}), someone()
    table = open_table(ada, server.address)
    ada.goto(server.address + "/you")
    ada.click("#another")
    phone.goto(ada.input_value("#device-link"))
    phone.click("#device button")
    phone.wait_for_selector("#tables .name")
    phone.goto(table)
    phone.wait_for_selector("body[data-ready=yes]")
    ada.reload()
    ada.wait_for_selector("#devices li + li")
    ada.click("#recovery")
    link = ada.wait_for_selector("#device-link").input_value()
    ada.click("#devices li:not(:has-text('This one')) .link")
    ada.wait_for_selector("#devices li + li", state="detached")
    phone.goto(table)
    phone.wait_for_selector("#new-table")  # signed out: the hall of a stranger
    ada.context.clear_cookies()
    stranger.goto(link)
    stranger.click("#device button")
    assert "/device/" in stranger.wait_for_selector("#next-link").input_value()
    stranger.goto(table)
    stranger.wait_for_selector("body[data-ready=yes]")
    stranger.goto(server.address + "/you")
    stranger.fill("#programs input[name=label]", "night watch")
    stranger.click("#programs form button")
    stranger.wait_for_selector("#token")
    stranger.click("#sign-out")
    stranger.wait_for_selector("#programs-left li:has-text('night watch')")  # it plays on, and Ada is told
    stranger.click("main button")
    stranger.wait_for_selector("#new-table")


def test_dice_are_shown_and_checked(someone: Any, server: Any) -> None:
    ada, ben, table = two_sides(someone, server.address)
    ask(ada, f"{server.address}/api/v1/tables/{table}/do", do="roll", purpose="weather")
    shown = ben.wait_for_selector("#toasts .thrown .face").get_attribute("aria-label")
    assert shown == ben.wait_for_selector("#log .face").get_attribute("aria-label")
    ben.click("#people")
    ben.click("#modal button:has-text('Check the dice')")
    ben.wait_for_selector(".throws tr[data-verdict=sealed]")
    ben.click("#reveal")
    row = ben.wait_for_selector(".throws tr[data-verdict=fits]")
    assert "Counted here: right." in row.inner_text()
    assert "this browser counted 1 itself: 1 right" in ben.inner_text("#modal header")


def test_sealed_orders_are_opened_together(someone: Any, server: Any) -> None:
    ada, ben, _ = two_sides(someone, server.address)
    ada.click("#people")
    ada.click("#modal button:has-text('Sealed orders')")
    ada.fill("#begin-sealed input[name=title]", "Who goes first")
    ada.click("#begin-sealed button")
    ben.wait_for_selector("#whose-move:has-text('Sealed orders are asked of you: Who goes first')")
    ada.wait_for_selector("#sealed .envelope")
    ada.click("[data-command=spend][data-power=germany] .go")
    ada.fill("#order input[name=brp]", "3")
    ada.click("#order label:has-text('other')")
    ada.wait_for_selector("#order .outcome .change")
    ada.click("#order .seal-order")
    ada.wait_for_selector("#sealed .envelopes li.sealed:has-text('Axis')")
    ben.wait_for_selector("#sealed .envelopes li.sealed:has-text('Axis')")
    assert "BRP" not in ben.inner_text("#sealed")
    ben.fill("#sealed textarea", "Britain waits")
    ben.click("#sealed .seal-it")
    for page in (ada, ben):
        page.wait_for_selector("#sealed h2:has-text('Opened together')")
        page.wait_for_selector("#sealed :text('Britain waits')")
        words = page.inner_text("#sealed")
        assert "3 BRPs" in words


def test_a_copy_looks_like_one_and_stands_beside_its_game(someone: Any, server: Any) -> None:
    page = someone()
    sit_down(page, server.address)
    table = page.url.rpartition("/")[2].partition("#")[0]
    api = f"{server.address}/api/v1/tables"
    copy = ask(page, f"{api}/{table}/what-if")["table"]
    ask(page, f"{api}/{copy}/do", do="spend", power="germany", brp=12, on="other")
    page.goto(f"{server.address}/tables/{copy}")
    page.wait_for_selector("#copy-band:has-text('It counts for nothing')")
    page.click("#compare-copy")
    row = page.wait_for_selector(".side-by-side tbody tr:has(.germany):has-text('Level')")
    assert "12" in page.inner_text(".side-by-side .two")
    assert row.query_selector_all(".value")[0].inner_text() != row.query_selector_all(".value")[1].inner_text()


def test_a_reading_shows_what_it_moves_and_idle_phases_pass(someone: Any, server: Any) -> None:
    page = someone()
    sit_down(page, server.address)
    table = page.url.rpartition("/")[2].partition("#")[0]
    page.click("#people")
    page.check("#modal [data-seat=seat1] input[name=passing]")
    page.keyboard.press("Escape")
    ask(page, f"{server.address}/api/v1/tables/{table}/advance", to="voluntary elimination")
    page.wait_for_selector("#now-where:not(:has-text('voluntary elimination')):not(:has-text('start of player turn'))")
    page.click(".now-groups button:has-text('Referee')")
    page.click("[data-command=choose_reading] .go")
    page.fill("#order [name=ruling]", "R-0080")
    page.fill("#order [name=reading]", "b")
    page.wait_for_selector("#order .figures-moved summary:has-text('in this position')")


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_hall_and_settings_keep_the_rules(someone: Any, server: Any, look: str) -> None:
    size = {"width": 390, "height": 844} if look == "phone" else {"width": 1440, "height": 900}
    page = someone(color_scheme="dark" if look == "dark" else "light", viewport=size)
    api = f"{server.address}/api/v1"
    table = ask(page, f"{api}/tables", title="Mine", name="Ada")["table"]
    ask(page, f"{api}/tables/{table}/what-if")
    ask(page, f"{api}/me/recovery")
    page.goto(server.address + "/")
    page.wait_for_selector("#tables li + li")
    page.wait_for_selector("#tell .switch")
    assert page.evaluate(RULES) == []
    page.goto(server.address + "/you")
    page.wait_for_selector("#webhook form")
    page.wait_for_selector("#programs form")
    page.click("#recovery")
    page.wait_for_selector("#device-link")
    assert page.evaluate(RULES) == []
