"""The page of the books: a line in a player's words, a whole turn pasted, a lost line, the phone."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, expect
from steps import ask

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
    # An entry is pressed to be put right: it stands in the line, and what followed is entered once more.
    page.locator(".entered").filter(has_text="25 BRPs").click()
    expect(page.locator("#line")).to_have_value(re.compile(r"instead \d+: Germany spend 25 BRPs"))
    page.locator("#line").fill(page.locator("#line").input_value().replace("25", "20"))
    expect(page.locator("#read")).to_contain_text("Instead of entry")
    page.locator("#line").press("Enter")
    expect(level(page, "germany")).to_have_text("112")


def test_tab_completes_and_arrows_choose_a_reading(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    line = page.locator("#line")
    line.focus()
    page.keyboard.type("to com")
    expect(page.locator(".endings")).to_contain_text("to combat")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(line).to_be_focused()
    line.fill("")
    # One press at once, before the page has said how the line is read.
    page.keyboard.type("germ")
    page.keyboard.press("Tab")
    expect(line).to_have_value("germany")
    page.keyboard.type(" 2 inf 3-3")
    # Nobody mobilizes or builds this now: both readings are offered, the second is gone to by arrows.
    other = page.locator("#read .word", has_text="germany builds 2 infantry 3-3")
    expect(other).to_be_visible()
    picture(page, "books-readings")
    while not other.evaluate("(it) => it === document.activeElement"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(line).to_have_value("germany builds 2 infantry 3-3")
    expect(page.locator("#read")).to_contain_text("Keep it for Fall 1939, Axis, unit construction")
    expect(line).to_be_focused()
    # With nothing to complete Tab goes on, as everywhere.
    line.fill("italy 2 aaf, 2 inf 1-3")
    expect(page.locator("#read .yes")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#give")).to_be_focused()


#: Fall 1939 of the demonstration as somebody types it who has done so before: eight powers, every phase.
TURN = """italy arm 2-5, aaf, inf 1-3
japan 3 aaf, 6 nas defer 5
to combat
ger 25 off Poland
jap 10 off Changsha
germany takes Warsaw, Danzig, Posen, Lodz, Cracow
to construction
ger 2 inf 3-3, 4 aaf
ger 15 construction subs
ita 4 inf 2-3
ita 12 construction
jap 4 inf 1-2
jap 18 construction
to allied
britain arm 4-5, arm 2-5, 4 inf 1-3
to diplomatic
usat 1, usjt 1
to combat
russia 10 off Poland
russia takes Vilna, Brest-Litovsk, Lvov 'the pact'
britain -2 subs
to construction
bri inf 3-4, 5 aaf
bri 20 construction escorts
fra 4 inf 2-3, arm 3-5
fra 10 construction
rus 4 inf 3-3, 2 arm 3-5
rus 15 construction
usa 2 inf 3-4, 2 inf 2-2, 4 aaf, 2 nas
usa 11 construction
china 5 inf 1-2
china 5 off
to winter""".splitlines()
#: Keys a second of somebody who types forty words a minute, and seconds to look at what the page says before Enter.
KEYS, LOOK = 3.5, 2.0


def test_a_whole_turn_takes_at_most_forty_entries_and_five_minutes(
    someone: Callable[..., Any], server: Any, request: pytest.FixtureRequest
) -> None:
    """Typed as somebody does with `--all`, and timed; otherwise as fast as the page takes it, and reckoned."""
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    page.locator("#line").focus()
    by_a_person = request.config.getoption("--all")
    waited, sat_down = 0.0, time.monotonic()
    for number, said in enumerate(TURN):
        before = page.locator(".sheet").get_attribute("data-move")
        page.keyboard.type(said, delay=1000 / KEYS if by_a_person else 0)
        if by_a_person:
            page.wait_for_timeout(1000 * LOOK)
        began = time.monotonic()
        page.keyboard.press("Enter")
        expect(page.locator(f'.sheet[data-move="{before}"]'), said).to_have_count(0, timeout=30_000)
        expect(page.locator("#outbox"), said).to_be_hidden()
        assert page.locator("#line").input_value() == "", (number, said, page.locator("#read").text_content())
        waited += time.monotonic() - began
    expect(page.locator(".moment")).to_contain_text("Winter 1939")
    by_hand = sum(len(it) + 1 for it in TURN) / KEYS + LOOK * len(TURN)
    assert len(TURN) <= 40
    assert by_hand <= 270, by_hand
    # Half a minute is left for the page itself, whose time says nothing on a machine that has other work.
    took = time.monotonic() - sat_down
    print(f"{len(TURN)} entries: {by_hand:.0f} s by hand, {waited:.0f} s of the page; {took:.0f} s in all")
    assert took <= 300 or not by_a_person
    assert level(page, "germany").text_content() == "92"
    picture(page, "books-winter")


def test_a_line_for_a_later_phase_is_kept_and_offered_there(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    enter(page, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5\nto combat")
    expect(page.locator(".phase.now h3")).to_contain_text("Combat")
    enter(page, "germany 15 construction")
    page.get_by_role("button", name="Keep it for Fall 1939, Axis, unit construction").click()
    expect(page.locator("#later")).to_contain_text(
        "Kept for Fall 1939, Axis, unit construction: germany 15 construction"
    )
    expect(page.locator("#line")).to_have_value("")
    expect(page.locator("#read")).to_be_empty()
    picture(page, "books-kept")
    page.reload()
    enter(page, "to construction")
    expect(page.locator("#later")).to_contain_text("Its phase has come")
    page.locator("#later").get_by_role("button", name="Give").click()
    expect(level(page, "germany")).to_have_text("135")
    expect(page.locator("#later")).to_be_hidden()


def test_a_line_whose_phase_is_past_is_entered_back_there(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    enter(page, PASTED)
    expect(level(page, "germany")).to_have_text("107")
    enter(page, "to allied")
    expect(page.locator(".sheet")).to_have_attribute("data-side", "Allied")
    page.locator("#line").fill("italy 12 construction")
    back = page.get_by_role("button", name="Enter it back there: Fall 1939, Axis, unit construction")
    expect(back).to_be_visible()
    picture(page, "books-back")
    back.click()
    expect(level(page, "italy")).to_have_text("73")
    expect(page.locator(".sheet")).to_have_attribute("data-side", "Allied")
    entered = page.locator(".phase.done").filter(has_text="Build").first
    expect(entered).to_contain_text("spend 12 BRPs on unit construction")
    page.get_by_role("button", name="Undo").click()
    expect(level(page, "italy")).to_have_text("85")
    expect(page.locator(".sheet")).to_have_attribute("data-side", "Allied")


SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False},
]


def test_two_keep_the_books_and_confirm_the_year_start(someone: Callable[..., Any], server: Any) -> None:
    """What all at the table must say is said on the page of the books too: year start, undo, a moment that waits."""
    anna, ben = someone(device_scale_factor=1), someone(device_scale_factor=1)
    api = f"{server.address}/api/v1"
    books = {"forces": "counted", "set_up": "reported"}
    table = ask(anna, f"{api}/tables", title="Books", name="Anna", seats=SEATS, options=books)["table"]
    link = ask(anna, f"{api}/tables/{table}/seats/seat2/invitations")["invitation"]
    ben.goto(f"{server.address}/")
    ask(ben, f"{api}/join", invitation=link, name="Ben")
    for page in (anna, ben):
        page.goto(f"{server.address}/tables/{table}")
    # With an empty line the button names what is owed, then the way on.
    give = anna.locator("#give")
    expect(give).to_contain_text("Next: ")
    enter(anna, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5")
    expect(give).to_have_text(re.compile("Close start of player turn"))
    give.click()
    expect(anna.locator(".phase.now h3")).to_contain_text("Diplomacy")
    enter(anna, "to allied")
    expect(ben.locator(".sheet")).to_have_attribute("data-side", "Allied")
    enter(ben, "britain arm 4-5, arm 2-5, 4 inf 1-3\nto winter")
    expect(anna.locator(".sheet")).to_have_attribute("data-side", "Axis")
    expect(anna.locator("#side-allied ~ h2").first).to_contain_text("Year start 1940")
    # An undo that needs the other is answered there.
    ben.get_by_role("button", name="Undo").click()
    anna.get_by_role("button", name="Do not agree").click()
    expect(ben.locator(".asks")).to_have_count(0)
    enter(anna, "to allied")
    expect(ben.locator(".sheet")).to_have_attribute("data-side", "Allied")
    enter(ben, "to spring")
    for page in (anna, ben):
        expect(page.locator(".asks")).to_contain_text("Spring 1940 waits for Axis, Allies")
    # What is refused meanwhile stays in the line.
    enter(anna, "germany 5 off")
    expect(anna.locator("#read")).to_contain_text("every seat has confirmed")
    expect(anna.locator("#line")).to_have_value("germany 5 off")
    anna.locator("#line").fill("")
    for page in (anna, ben):
        page.get_by_role("button", name="Confirm it").click()
    expect(anna.locator(".asks")).not_to_contain_text("waits for")
    anna.get_by_role("button", name="On to Spring 1940").first.click()
    for page in (anna, ben):
        expect(page.locator(".phase.now h3")).to_contain_text("Mobilize")
        expect(page.locator(".asks")).to_have_count(0)


def test_what_needs_units_is_asked_with_its_clause(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    asked = page.locator(".phase.now .asked").filter(has_text="Manchuria")
    expect(asked).to_contain_text("Did Japan set up its 45 BRPs of units in Manchuria?")
    expect(asked.locator(".chip")).to_have_text("81.31")
    asked.get_by_role("button", name="No").click()
    expect(page.locator("#read")).to_contain_text("Then it is not allowed: Japan begins with 45 BRPs")
    picture(page, "books-asked")
    enter(page, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5\nto declarations")
    expect(page.locator(".log")).to_contain_text("by the players' word: Did Japan set up")
    enter(page, "germany dow denmark, norway\nto set-up")
    expect(page.locator(".phase.now .asked").first).to_contain_text("Are the forces of Denmark, Norway set up?")
    page.locator("#line").fill("next")
    expect(page.locator("#read .asked").first).to_contain_text("82.53")
    before = page.locator(".sheet").get_attribute("data-move")
    page.locator("#read .asked").first.get_by_role("button", name="No").click()
    expect(page.locator("#read")).to_contain_text("nothing was entered")
    expect(page.locator("#line")).to_have_value("next")
    assert page.locator(".sheet").get_attribute("data-move") == before


def start(page: Any) -> None:
    """From the set-up editor to the table."""
    expect(page.locator("#start")).to_have_attribute("aria-disabled", "false")
    page.locator("#start").click()
    page.locator("#start-name").fill("Anna")
    page.locator("dialog").get_by_role("button", name="Start the table").click()
    page.wait_for_url("**/tables/*")


def test_the_map_is_brought_in_and_taken_away_again(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1)
    sit_down(page, server.address)
    enter(page, PASTED)
    expect(level(page, "germany")).to_have_text("107")
    page.get_by_role("link", name="Bring the map in").click()
    alone = page.get_by_label("The books alone")
    expect(alone).to_be_checked(timeout=30_000)
    alone.uncheck()
    start(page)
    expect(page.locator("#map")).to_be_visible()
    table = re.sub(r".*/tables/(\w+).*", r"\1", page.url)
    read = page.request.get(f"{server.address}/api/v1/tables/{table}/books").json()
    assert {it["power"]: it["figures"]["level"] for it in read["powers"]}["germany"] == 107
    assert not read["counted"]
    page.goto(f"{server.address}/setup?table={table}")
    alone = page.get_by_label("The books alone")
    expect(alone).not_to_be_checked()
    alone.check()
    start(page)
    expect(page.locator(".phase.now h3")).to_be_visible()
    expect(level(page, "germany")).to_have_text("107")


def test_a_phone_without_a_line_goes_on_entering(someone: Callable[..., Any], server: Any) -> None:
    page = someone(device_scale_factor=1, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sit_down(page, server.address)
    enter(page, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5\nto combat")
    expect(page.locator(".phase.now h3")).to_contain_text("Combat")
    page.context.set_offline(True)
    for said in ("germany 25 offensives", "germany takes Warsaw, Lodz", "to construction", "germany 15 construction"):
        enter(page, said)
    expect(page.locator("#outbox")).to_contain_text("4 entries wait")
    expect(level(page, "germany")).to_have_text("150")
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(level(page, "germany")).to_have_text("110")
    expect(page.locator(".phase.now h3")).to_contain_text("Build")
    entered = page.locator(".log li").filter(has_text="Germany")
    assert len([it for it in entered.all_text_contents() if "15" in it]) == 1


def test_the_page_is_opened_again_without_a_line_and_entries_wait_there(
    someone: Callable[..., Any], server: Any
) -> None:
    """A phone lets pages go: what was entered is there after a reload, and sent once when the line is back."""
    page = someone(device_scale_factor=1, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sit_down(page, server.address)
    enter(page, "italy 2 aaf, 2 inf 1-3\njapan 3 aaf, 6 nas defer 5\nto combat")
    expect(page.locator(".phase.now h3")).to_contain_text("Combat")
    page.wait_for_function(
        "caches.keys().then((all) => all.length && navigator.serviceWorker.controller !== undefined)"
    )
    page.wait_for_function(
        "caches.match(location.pathname).then(async (it) => it && (await it.text()).includes('data-phase=\"combat\"'))"
    )
    page.context.set_offline(True)
    enter(page, "germany 25 offensives")
    expect(page.locator("#outbox")).to_contain_text("1 entry waits")
    page.reload()
    expect(page.locator(".phase.now h3")).to_contain_text("Combat")
    expect(page.locator("#outbox")).to_contain_text("1 entry waits")
    enter(page, "germany takes Warsaw, Lodz")
    expect(page.locator("#outbox")).to_contain_text("2 entries wait")
    page.reload()
    expect(page.locator("#outbox")).to_contain_text("2 entries wait")
    expect(level(page, "germany")).to_have_text("150")
    picture(page, "books-phone-offline")
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(level(page, "germany")).to_have_text("125")
    entered = page.locator(".log li").filter(has_text="offensive")
    expect(entered).to_have_count(1)
    page.reload()
    expect(level(page, "germany")).to_have_text("125")


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
    expect(page.locator("#line")).to_have_value("2 5 ")
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
