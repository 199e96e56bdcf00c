"""A convoy at a table of two browsers: one seat replies by its forms, the other sees whom the table waits for."""

from __future__ import annotations

from typing import Any

from steps import ask, invitation, join, until

from positions import CONVOY

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}


def begin(page: Any, address: str) -> None:
    api = f"{address}/api/v1/tables"
    table = ask(page, api, title="To Murmansk", name="Ada", position=CONVOY, seats=[AXIS, ALLIES])["table"]
    page.goto(f"{address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")


def give(page: Any, shown: str) -> None:
    """Give the order whose outcome is shown."""
    page.wait_for_selector(f"#order .outcome:has-text('{shown}')")
    page.click("#order footer .main")
    page.wait_for_selector("#order", state="hidden")


def test_two_browsers_play_a_convoy_to_its_arrival_and_take_it_back_by_consent(someone: Any, server: Any) -> None:
    axis, allies = someone(), someone()
    begin(axis, server.address)
    join(allies, invitation(axis, "seat2"), "Ben")
    allies.click("[data-command=sail_convoy][data-power=britain] .go")
    allies.fill("#order input[name=brp]", "8")
    give(allies, "waits for Germany")
    until(allies, "britain", 52)

    allies.wait_for_selector(".waits:not(.mine):has-text('the table waits for Germany')")
    assert "waits for Germany" in allies.inner_text("#now-where")
    assert allies.query_selector("#next-step") is None
    assert allies.query_selector("[data-command=oppose_convoy]") is None

    axis.wait_for_selector(".waits.mine:has-text('your reply is awaited'):has-text('Britain sends 8 BRPs')")
    assert "your reply" in axis.inner_text("#now-where")
    axis.click("[data-command=oppose_convoy] .go")
    axis.select_option("#order [data-field=air] select", "4 army air at Bergen")
    give(axis, "attack, or call it off")

    allies.wait_for_selector(".waits:has-text('4 army air of Germany from Bergen')")
    axis.click("[data-command=attack_convoy] .go")
    axis.click("#order [data-field=by] label:has-text('air')")
    give(axis, "air attack 1")
    axis.click("[data-command=report_convoy_attack] .go")
    axis.fill("#order input[name=hits]", "2")
    give(axis, "2 hits")
    axis.click("[data-command=call_off_attacks] .go")
    give(axis, "Russia")

    until(allies, "russia", 26)
    allies.wait_for_selector(".waits", state="detached")
    allies.wait_for_selector("#next-step")

    # It is all taken back, attack by attack: Britain asks, Germany agrees, and its question is open again each time.
    for reopened in ("call_off_attacks", "report_convoy_attack", "attack_convoy", "oppose_convoy"):
        allies.click("#undo")
        axis.click(".consent button:has-text('Agree')")
        axis.wait_for_selector(f"[data-command={reopened}] .go")
        allies.wait_for_selector(".waits:has-text('the table waits for Germany')")
    allies.click("#undo")
    axis.click(".consent button:has-text('Agree')")
    allies.wait_for_selector(".waits", state="detached")
    for page in (axis, allies):
        until(page, "britain", 60)
        until(page, "russia", 20)
