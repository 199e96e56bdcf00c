"""Both garrisons in a browser: they head the list of countries, and every figure opens."""

from __future__ import annotations

from typing import Any

from steps import ask

from positions import GARRISONS, WITHDRAWN


def test_a_reader_finds_the_garrisons_and_what_a_withdrawal_starts(someone: Any, server: Any) -> None:
    page = someone()
    api = f"{server.address}/api/v1/tables"
    page.goto(server.address)
    table = ask(page, api, title="Manchuria", name="Ada", position=GARRISONS)["table"]
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")
    page.click(".views [data-view=countries]")
    page.click(".country-list button:has-text('Manchuria, Siberia')")
    page.wait_for_selector(".garrison-card.japan .worth .number:text-is('45')")
    assert page.locator(".garrison-card.japan .held").count() == 4 + 9 + 1

    ask(page, f"{api}/{table}/do", **WITHDRAWN)
    page.wait_for_selector(".garrison-card.japan .worth .number:text-is('42')")
    page.wait_for_selector(".country-list button:has-text('42 : 45')")
    assert page.locator(".garrison-card.japan .held.departed").count() == 1
    assert "3 infantry factors" in page.inner_text(".transfer")
    assert page.locator(".moments li").count() == 4

    page.click(".garrison-card.japan .worth .number")
    page.wait_for_selector("#explain:not([hidden]) .why")
    assert "81.52" in page.inner_text("#explain")
    page.keyboard.press("Escape")
    page.click(".garrisons .switch button:has-text('If a unit left')")
    page.wait_for_selector(".supposed li:has-text('armor factors more would be freed')")
