"""The page of the books: a line in a player's words, a whole turn pasted, a lost line, the phone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, expect

PASTED = """italy 2 aaf, 2 inf 1-3
japan 3 aaf, 6 nas defer 5
to combat
germany 25 offensives Poland
germany takes Warsaw, Danzig, Posen, Lodz, Cracow
to construction
germany 2 inf 3-3, 4 aaf"""


def sit_down(page: Any, address: str) -> None:
    """The first choice in the hall: the books alone."""
    page.goto(address)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("radio", name="The books alone").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".phase.now h3")).to_contain_text("Mobilize")


def enter(page: Any, line: str) -> None:
    page.locator("#line").fill(line)
    page.locator("#line").press("Enter")


def level(page: Any, power: str) -> Any:
    return page.locator(f'tr[data-power="{power}"] .level')


def picture(page: Any, name: str) -> None:
    if where := os.environ.get("PICTURES"):
        page.screenshot(path=str(Path(where, f"{name}.png")))


def test_a_turn_is_kept_by_lines(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    expect(page.locator(".owed").first).to_contain_text("must mobilize now")
    page.locator("#line").fill("germny 45 construction")
    expect(page.locator("#read")).to_contain_text("'germny' is not understood")
    enter(page, PASTED)
    expect(page.locator(".phase.now h3")).to_contain_text("Build")
    expect(level(page, "germany")).to_have_text("107")
    page.locator("#line").fill("germany 15 construction submarines")
    expect(page.locator("#read")).to_contain_text("level 107 → 92")
    expect(page.locator("#read .yes")).to_have_text("✓ allowed")
    picture(page, "books")
    page.locator("#line").press("Enter")
    expect(level(page, "germany")).to_have_text("92")
    enter(page, "italy 300 construction")
    expect(page.locator("#read")).to_contain_text("39.31")
    expect(page.locator("#line")).to_have_value("italy 300 construction")
    page.get_by_role("button", name="Undo").click()
    expect(level(page, "germany")).to_have_text("107")
    expect(page.locator(".log .undone")).to_have_count(1)


def test_what_was_entered_without_a_line_is_sent_once_when_it_is_back(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sit_down(page, server.address)
    enter(page, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5\nto combat")
    expect(page.locator(".phase.now h3")).to_contain_text("Combat")
    taken: list[str] = []

    def lose(route: Any) -> None:
        # The server takes the entry, and its answer is lost on the way.
        taken.append(route.request.headers["idempotency-key"])
        route.fetch()
        # The page may have been left meanwhile.
        with suppress(Error):
            route.abort()

    page.route("**/entries", lose)
    page.locator(".choose[data-power=germany]").tap()
    for word in ("2", "5"):
        page.locator("#words").get_by_role("button", name=word, exact=True).tap()
    page.locator("#line").fill("25 offensives")
    page.locator("#give").tap()
    expect(page.locator("#outbox")).to_contain_text("1 entry waits")
    picture(page, "books-phone-lost")
    assert taken
    page.unroute("**/entries")
    page.reload()
    expect(page.locator("#outbox")).to_be_hidden()
    expect(level(page, "germany")).to_have_text("125")
    expect(page.locator("body")).to_have_attribute("data-tab", "now")
    page.get_by_role("button", name="Due", exact=True).tap()
    expect(page.get_by_role("heading", name="Year start 1940")).to_be_visible()
    page.get_by_role("button", name="Now", exact=True).tap()
    picture(page, "books-phone")


def test_a_sheet_of_every_power_and_the_year_start_fit_on_a_page_each(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    enter(page, PASTED)
    expect(page.locator(".phase.now h3")).to_contain_text("Build")
    address = page.url.split("?")[0]
    made = page.request.post(f"{server.address}/api/v1/demonstration", data={"name": "Anna", "walk": True})
    war = f"{server.address}{made.json()['url']}"
    wanted = (("?power=germany", 1), ("?power=usa", 1), ("?year", 1), ("", 9))
    for at, asked, sheets in [*((address, *it) for it in wanted), (war, "?power=germany", 1), (war, "?year", 1)]:
        page.goto(f"{at}/print{asked}")
        expect(page.locator(".page")).to_have_count(sheets)
        page.emulate_media(media="print")
        cut = page.evaluate(
            "[...document.querySelectorAll('.page')].filter((it) => it.scrollHeight > it.clientHeight + 1).length"
        )
        assert not cut, asked
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == sheets, asked
        picture(page, f"print{asked.replace('?', '-')}")
