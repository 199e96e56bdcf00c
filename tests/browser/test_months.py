"""A campaign of months: told of one's turn, the list in the hall, a second device, and back after all were lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steps import OPENING, ask, open_table

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
