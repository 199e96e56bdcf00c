"""The rules in a browser: a chip leads to its clause, search finds another, a case opens on the board."""

from __future__ import annotations

from typing import Any

from steps import ask


def test_a_player_looks_a_clause_up_and_opens_its_case(someone: Any, server: Any) -> None:
    page = someone()
    page.goto(server.address)
    table = ask(page, f"{server.address}/api/v1/tables", title="A dispute", name="Ada")["table"]
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")
    page.click("#rules-link")
    page.wait_for_selector("h1:text-is('Rules')")
    page.fill("#find", "83.22A")
    page.keyboard.press("Enter")
    page.click(".list a.number:text-is('83.22A')")
    page.wait_for_selector("h1 .number:text-is('83.22A')")
    assert f"table={table}" in page.url
    assert page.locator(".readings .played:has-text('this table')").count() >= 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click(".open-case[data-case='83.22A/1']")
    page.wait_for_url("**/tables/*")
    page.wait_for_selector("body[data-ready=yes]")
    assert "Case 83.22A/1" in page.title()
