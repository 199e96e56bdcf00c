"""Two browsers come to a year start: each reads it and confirms it, and every amount in it opens its sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steps import ask, invitation, join

SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False},
]
QUIET = {"set_up": "reported", "mobilization": "reported"}


def test_each_seat_confirms_and_every_amount_opens(someone: Callable[..., Any], server: Any) -> None:
    anna, ben = someone(), someone()
    api = f"{server.address}/api/v1/tables"
    table = ask(anna, api, title="Two", name="Anna", seats=SEATS, options=QUIET)["table"]
    anna.goto(f"{server.address}/tables/{table}")
    anna.wait_for_selector("body[data-ready=yes]")
    join(ben, invitation(anna, "seat2"), "Ben")
    ways = ((anna, "Fall 1939, Allied"), (ben, "Winter 1939, Axis"), (anna, "Winter 1939, Allied"))
    for page, to in (*ways, (ben, "end of player turn")):
        ask(page, f"{api}/{table}/advance", to=to)
    ben.wait_for_selector("#moment:has-text('end of player turn')", state="attached")
    ben.keyboard.press("n")
    # Both are led to the sheet; nobody can order anything before both have confirmed.
    for page in (anna, ben):
        page.wait_for_selector("h2.page:has-text('1940 year start')")
        page.wait_for_selector("#track .now:text-is('Year start')")
        page.wait_for_selector("#phases [aria-current=step]:has-text('Confirm')")
        assert page.is_hidden(".views [data-view=forecast]")
    anna.click("[data-power=germany] .fold")
    assert "left in Winter" in anna.inner_text("[data-power=germany] td.growth")
    anna.click("[data-power=germany] td.total .number")
    anna.wait_for_selector("#explain .why li:has-text('Colonies and conquered minor countries')")
    anna.keyboard.press("Escape")
    anna.click(".year-bar .confirm")
    ben.wait_for_selector("[data-power=germany] .yes:has-text('Anna')")
    assert "yours to confirm" in ben.inner_text("[data-power=britain]")
    assert "Waiting for Allies" in anna.inner_text(".year-bar")
    ben.keyboard.press("n")
    anna.wait_for_selector(".year-bar:has-text('Every seat has confirmed')")
    anna.wait_for_selector("#track .now:text-is('Spring')")
    # From the log of a later day the amount opens its sum, and the sum its sheet.
    anna.click(".views [data-view=log]")
    anna.click(".log-large .link:has-text('more') >> nth=0")
    anna.click(".log-large .then:has-text('1940 year start') .number >> nth=0")
    anna.wait_for_selector("#explain h2:has-text('1940 year start')")
    anna.click("#explain .link:has-text('The sheet of the 1940 year start')")
    anna.wait_for_selector("[data-power=britain] .yes:has-text('Ben')")
