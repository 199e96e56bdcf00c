"""Pages come back after any answer, with all that they missed; the host ends what the host began."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as Late
from steps import ask, invitation, join, level, open_table, settle, until


@pytest.mark.parametrize("status", [502, 503, 429])
def test_a_page_comes_back_after_any_answer_with_what_it_missed(someone: Any, server: Any, status: int) -> None:
    ada, ben = someone(), someone()
    url = open_table(ada, server.address, plan="axis")
    api = f"{server.address}/api/v1/tables/{url.rpartition('/')[2]}"
    link = invitation(ada, "seat2")
    refused = []

    def answer(route: Any) -> None:
        refused.append(route.request.url)
        route.fulfill(status=status, body="no server here")

    ben.route("**/events*", answer)
    join(ben, link, "Ben")
    ben.click("#talk")
    ben.wait_for_selector("#drawer:not([hidden])")
    ask(ada, f"{api}/do", do="spend", power="germany", brp=7, on="other")
    ask(ada, f"{api}/talk", text="said meanwhile")
    while not refused:
        ben.wait_for_timeout(50)
    ben.unroute("**/events*")
    until(ben, "germany", 143)
    assert level(ben, "germany") == 143
    ben.wait_for_selector(".talk-lines:has-text('said meanwhile')")
    # Once it listens, a line that is said comes by the stream.
    ask(ada, f"{api}/talk", text="said now")
    ben.wait_for_selector(".talk-lines:has-text('said now')")


def test_an_order_whose_answer_was_lost_is_given_once(solo: Any) -> None:
    lost = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())  # it reached the server, but its answer reaches nobody
        route.abort()

    solo.route("**/advance*", lose)
    head = solo.evaluate("() => fetch(location.pathname.replace('/tables', '/api/v1/tables')).then((r) => r.json())")
    solo.keyboard.press("n")
    settle(
        solo,
        "(head) => fetch(location.pathname.replace('/tables', '/api/v1/tables')).then((r) => r.json())"
        ".then((v) => v.head > head)",
        head["head"],
    )
    solo.wait_for_timeout(1500)
    moved = solo.evaluate("() => fetch(location.pathname.replace('/tables', '/api/v1/tables')).then((r) => r.json())")
    assert lost
    first = lost[0].json()
    assert moved["head"] == first["head"]


def test_the_host_shows_out_reveals_and_deletes(someone: Any, server: Any) -> None:
    ada, fan = someone(), someone()
    open_table(ada, server.address, plan="axis")
    join(fan, invitation(ada, "spectators"), "Fan")
    ada.keyboard.press("Escape")
    ada.click("#people")
    ada.wait_for_selector(".bench:has-text('Fan')")
    ada.click(".bench button:has-text('Show out')")
    fan.wait_for_selector("#toasts :text('vacated')")
    for _ in range(3):  # a press that met a drawing of the news is made again
        ada.click("#modal button:has-text('Dice')")
        with suppress(Late):
            ada.wait_for_selector(".dice:has-text('sha256')", timeout=15_000)
            break
    ada.keyboard.press("Escape")
    ada.click("#people")
    ada.on("dialog", lambda dialog: dialog.accept())
    ada.click("#modal button:has-text('Delete this table')")
    ada.click("#show-ended")
    ada.click("[data-call-back]")
    ada.wait_for_selector(".tables li.ended", state="detached")
    ada.click("#another")
    phone = someone()
    ada.wait_for_selector("#device-link:not([hidden])")
    phone.goto(ada.input_value("#device-link"))
    phone.click("button:has-text('Sign in')")
    phone.wait_for_selector(".hall-head .person:has-text('Ada')")
