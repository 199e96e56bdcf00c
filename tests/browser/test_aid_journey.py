"""The aid page with two browsers: a grant is planned, sent and met on the mapboard; the other seat follows it."""

from __future__ import annotations

from typing import Any

from steps import ask, invitation, join, until

from positions import CONVOY

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}
AFLOAT = "#convoy .afloat b"


def begin(page: Any, address: str) -> None:
    made = ask(page, f"{address}/api/v1/tables", title="Aid", name="Ada", position=CONVOY, seats=[AXIS, ALLIES])
    page.goto(f"{address}/tables/{made['table']}")
    page.wait_for_selector("body[data-ready=yes]")


def open_aid(page: Any) -> None:
    page.click(".views [data-view=aid]")
    page.wait_for_selector(".strips svg")


def test_a_grant_is_planned_sent_met_and_arrives_in_part(someone: Any, server: Any) -> None:
    axis, allies = someone(), someone()
    begin(axis, server.address)
    join(allies, invitation(axis, "seat2"), "Ben")
    open_aid(allies)
    open_aid(axis)

    allies.click("[data-pair='usa britain']")
    allies.fill(".planner input[name=brp]", "12")
    allies.click(".planner button.main")
    allies.wait_for_selector(".plan-bar:has-text('1 grant, 12 BRPs')")
    row = ".sides-table tr:has(th:has-text('United States'))"
    assert allies.inner_text(f"{row} td:nth-of-type(2)") == "−12"
    assert allies.inner_text(f"{row} td:nth-of-type(5)") == "−4"
    allies.click("#send-plan:not([disabled])")

    # The one who sent it waits, the other one is asked, and both see the same.
    allies.wait_for_selector("#convoy .answer:not(.mine):has-text('yours when Germany has answered')")
    assert allies.query_selector_all("#convoy .answer button:not([disabled]):not(.chip)") == []
    axis.wait_for_selector("#convoy .answer.mine:has-text('let it pass')", state="attached")
    axis.click("#convoy [data-reply=report_grant_interception]")
    axis.click("#order [data-field=ocean] label:has-text('atlantic')")
    axis.fill("#order input[name=transports_sunk]", "1")
    axis.wait_for_selector("#order .outcome:has-text('sunk')")
    axis.click("#order footer .main")
    allies.wait_for_selector(f"{AFLOAT}:text-is('10')")
    axis.wait_for_selector(f"{AFLOAT}:text-is('10')")

    axis.click("#convoy [data-reply=let_grant_pass]")
    axis.wait_for_selector("#order .outcome:has-text('Britain')")
    axis.click("#order footer .main")
    allies.wait_for_selector("#convoy", state="hidden")
    allies.click(".views [data-view=europe]")
    until(allies, "britain", 70)
    until(allies, "usa", 88)

    # Each ledger leads to the other, with what befell the grant on its way.
    allies.click("#card-usa .level")
    allies.click("#explain [data-trail='brp/britain']")
    allies.wait_for_selector("#explain-title:has-text('Britain')")
    allies.wait_for_selector("#explain tr.here:has-text('+10')")
    allies.click("#explain tr.here summary")
    allies.wait_for_selector("#explain tr.here li:has-text('1 transport sunk')")
    allies.click("#explain tr.here [data-trail='brp/usa']")
    allies.wait_for_selector("#explain tr.here:has-text('−12')")


def test_the_page_says_why_a_road_is_closed_and_opens_its_clause(someone: Any, server: Any) -> None:
    page = someone()
    begin(page, server.address)
    open_aid(page)
    page.click(".strip.siberia .chip.deny")
    page.wait_for_selector("#explain:not([hidden]):has-text('40.71')")
    page.keyboard.press("Escape")
    page.click(".switch button:has-text('What would cut it')")
    page.wait_for_selector(".cutting:has-text('Vologda')")


def test_a_planned_grant_becomes_a_standing_order(someone: Any, server: Any) -> None:
    page = someone()
    made = ask(page, f"{server.address}/api/v1/tables", title="Aid", name="Ada", position=CONVOY)
    page.goto(f"{server.address}/tables/{made['table']}")
    page.wait_for_selector("body[data-ready=yes]")
    open_aid(page)
    page.click("[data-pair='usa britain']")
    page.fill(".planner input[name=brp]", "12")
    page.click(".planner button.main")
    page.wait_for_selector(".plan-bar:has-text('1 grant, 12 BRPs')")
    page.click("#stand-by-plan")
    page.wait_for_selector(".plan-bar", state="detached")
    page.click(".views [data-view=plans]")
    row = page.locator(".minders tr", has_text="United States")
    row.get_by_text("a standing order").wait_for()
    said = row.locator("pre").text_content()
    assert "to: britain" in said
    assert "most: 12" in said
