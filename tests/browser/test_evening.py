"""An evening of three: the fall of France to the end of its list, and coming back after two turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from steps import ask, settle, spot
from test_hands import READY

from warcabinet.web.turns import away

SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "The West", "powers": ["britain", "france"], "mine": False},
    {"title": "The others", "powers": ["russia", "usa", "china"], "mine": False},
]
QUIET = {"set_up": "reported", "mobilization": "reported", "declarations": "reported"}

#: Take up the first stack of one's own, while scenes of the past go by.
LIFT = """() => {
  const { map } = cabinet.modules['map/map.js'];
  const key = [...map.made.stacks.keys()].find((it) => map.hands.piles(it).length);
  map.hands.lift(key, map.hands.piles(key), [300, 300]);
}"""
CAMERA = "() => { const { scale, x, y } = cabinet.modules['map/map.js'].map.cam; return [scale, x, y]; }"
MIDDLE = """() => {
  const box = document.querySelector('#map-sheet').getBoundingClientRect();
  return [box.left + box.width / 2, box.top + 120];
}"""


def sit(someone: Callable[..., Any], address: str) -> tuple[list[Any], str]:
    """Anna, Ben and Clara at a table in which nothing has to be set up."""
    pages = [someone() for _ in SEATS]
    api = f"{address}/api/v1"
    table = ask(pages[0], f"{api}/tables", title="Three", name="Anna", seats=SEATS, options=QUIET)["table"]
    for page, seat, name in zip(pages[1:], ("seat2", "seat3"), ("Ben", "Clara"), strict=True):
        link = ask(pages[0], f"{api}/tables/{table}/seats/{seat}/invitations")["invitation"]
        page.goto(f"{address}/")
        ask(page, f"{api}/join", invitation=link, name=name)
    for page in pages:
        page.goto(f"{address}/tables/{table}")
        page.wait_for_selector("body[data-ready=yes]")
    return pages, f"{api}/tables/{table}"


def line(page: Any, id: str, choice: str = "") -> None:
    """Press a choice of a line, and see it done."""
    page.click(f"[data-line='{id}'] .presses button" + (f":text-is('{choice}')" if choice else ":last-child"))
    page.wait_for_selector(f"[data-line='{id}'].done")


def test_three_settle_the_fall_of_france_and_one_comes_back(
    someone: Callable[..., Any], server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (anna, ben, clara), api = sit(someone, server.address)
    ask(anna, f"{api}/do", do="report_control", places=["Paris", "Brest"], by="germany")
    ask(ben, f"{api}/do", do="report_surrender", power="france")
    # All are led to the sheet; the phase waits, and says for whom.
    for page in (anna, ben, clara):
        page.wait_for_selector("#sheet h2:has-text('The fall of France')")
        page.wait_for_selector(".views [data-view=moment]:has-text('Fall of France')")
    assert not clara.locator(".moment-line .presses button").count()
    # What the rules did at once opens to its sum.
    clara.click(".moment-facts li:has-text('BRPs') .minus")
    clara.wait_for_selector("#explain:visible")
    clara.keyboard.press("Escape")
    clara.wait_for_selector(".moment-facts li:has-text('falls due'):has-text('Germany, Paris') .plus")
    clara.wait_for_selector("footer:has-text('lines are open')")
    # The map stands beside the list; what a line is about is ringed there.
    for page in (anna, ben):
        settle(page, "() => document.querySelector('#map-sheet').getBoundingClientRect().width > 300")
    settle(ben, "() => cabinet.modules['map/map.js'].map.ringed.length > 1")
    anna.click("[data-line=peace] .presses button")
    ben.wait_for_selector("[data-line=peace].done")
    # The zone is drawn on the map beside the list, from the capital alone: a press takes a hex in, and out again.
    anna.click("[data-line=zone] button:has-text('On the map')")
    settle(anna, "() => cabinet.modules['map/map.js'].map.board?.name", answer="europe")
    anna.wait_for_selector("#moment-bar:has-text('Lay')")
    count = int(anna.inner_text("#moment-bar .main").split()[1])
    zone = ("P20", "S21", "T21", "U20", "V20")  # Lyon, Marseilles, Toulon: what stands there may go over to Vichy
    for n, hex_id in enumerate(zone, count + 1):
        anna.mouse.click(*spot(anna, hex_id))
        anna.wait_for_selector(f"#moment-bar .main:text-is('Lay {n} hexes')")
    assert anna.is_hidden("#fan")
    anna.mouse.click(*spot(anna, "P20"))
    anna.wait_for_selector(f"#moment-bar .main:text-is('Lay {count + 4} hexes')")
    anna.click("#moment-bar .main")
    ben.wait_for_selector(f"[data-line=zone].done:has-text('{count + 4} hexes laid')")
    line(anna, "ground of France", "To Germany")
    # A counter that still waits is dragged onto a choice of its line: it alone goes that way.
    piles = ben.locator("[data-line=counters] .piles button").count()
    x, y = spot(ben, "P24")
    ben.mouse.move(x, y)
    ben.mouse.down()
    ben.mouse.move(x + 9, y + 3, steps=3)
    settle(ben, READY)
    box = ben.locator("[data-line=counters] .presses button:text-is('Off the map')").bounding_box()
    ben.mouse.move(box["x"] + 20, box["y"] + 10, steps=4)
    ben.mouse.up()
    settle(ben, "() => document.querySelectorAll('[data-line=counters] .piles button').length", answer=piles - 1)
    # Counters: those that stand with Vichy go over, one pile is parted from the fleet, the rest leaves the map.
    ben.click("[data-line=counters] .presses button:text-is('To Vichy')")
    line(ben, "counters", "Off the map")
    piles = ben.locator("[data-line=fleet] .piles button").count()
    ben.click("[data-line=fleet] .piles button[title*='Toulon'] >> nth=0")
    ben.click("[data-line=fleet] .presses button:text-is('To Vichy')")
    settle(ben, "() => document.querySelectorAll('[data-line=fleet] .piles button').length", answer=piles - 1)
    line(ben, "fleet", "Scuttled")
    line(ben, "Tunisia", "Free French")
    for colony in ("Algeria", "Lebanon-Syria", "Morocco"):
        line(ben, colony, "With Vichy")
    line(ben, "French Indochina")
    # A word may be taken back while the sheet is open.
    ben.click("[data-line=Algeria] button:text-is('Change')")
    ben.wait_for_selector("[data-line=Algeria]:not(.done)")
    line(ben, "Algeria", "With Vichy")
    # What is left may stay open: the sheet says so, the host need not wait.
    anna.click("footer button:has-text('Leave for later')")
    ben.fill("[data-line='U.S.-Axis tension'] input", "9")
    line(ben, "U.S.-Axis tension")
    line(ben, "Russo-German tension")
    # The headline is for any seat to word, of those too who have no line.
    clara.fill(".moment-headline input", "An old marshal asks for an armistice")
    clara.keyboard.press("Tab")
    settle(
        ben,
        "() => document.querySelector('.moment-headline input').value",
        answer="An old marshal asks for an armistice",
    )
    ben.click("#moment-go:has-text('Confirm for Britain and France')")
    anna.wait_for_selector(".year-bar:has-text('Waiting for Axis')")
    anna.locator("#sheet h2").focus()
    anna.keyboard.press("n")
    # With the last word it is over: all are back on the map, and nothing of France is left there.
    for page in (anna, ben, clara):
        settle(page, "() => document.body.dataset.view", answer="europe")
        page.wait_for_selector(".views [data-view=moment]", state="hidden")
    left = (
        "() => [...cabinet.modules['map/map.js'].map.made.stacks.values()].flat().some((it) => it.nation === 'france')"
    )
    settle(anna, left, answer=False)
    anna.wait_for_selector("#log li:has-text('An old marshal asks for an armistice')")
    # Clara was away for two whole turns: she comes back to their scenes.
    with clara.expect_response("**/looked"):
        ask(anna, f"{api}/do", do="spend", power="italy", brp=1, on="other")
    clara.goto("about:blank")
    ask(anna, f"{api}/do", do="spend", power="germany", brp=7, on="other")
    while not (when := onward(anna, api)).startswith("Spring 1940, Axis, movement"):
        if not when:
            ask(anna, f"{api}/year-start/open", year=1940)
    ask(anna, f"{api}/do", do="report_move", power="germany", units=["armor 4-6"], origin="Breslau", to="Berlin")
    ask(anna, f"{api}/do", do="report_loss", power="russia", units=["infantry 1-3"], at="europe/I41")
    monkeypatch.setattr(away, "LONG", 0.0)
    clara.goto(api.replace("/api/v1", ""))
    clara.wait_for_selector("#story-side h2:has-text('While you were away')")
    # The others see that she reads, and need not wait for it.
    anna.click("#people")
    anna.wait_for_selector("[data-seat=seat3] .who:has-text('Clara is catching up')")
    clara.wait_for_selector(".away-scenes li:has-text('7 BRPs')")
    clara.wait_for_selector(".away-levels tr:has-text('Germany')")
    scenes = clara.locator(".away-scenes li").count()
    assert 4 <= scenes <= 12 * 5
    # What her own side lost is struck; what others do meanwhile comes as a new scene.
    clara.wait_for_selector("#story-side .lost[aria-label='1 infantry 1-3 lost']")
    ask(anna, f"{api}/do", do="spend", power="italy", brp=3, on="other")
    settle(clara, "() => document.querySelectorAll('.away-scenes li').length", answer=scenes + 1)
    # Clock and powers show the present; whoever moves the map, or lifts a counter, is not carried along.
    clara.wait_for_selector(".story-when:has-text('Fall 1939')")
    clara.wait_for_selector("#moment:has-text('Spring 1940')", state="attached")
    assert clara.is_hidden("#history-tools")
    clara.evaluate(LIFT)
    clara.wait_for_selector("#modal[open]:has-text('To my turn?')")
    clara.keyboard.press("Escape")
    clara.wait_for_selector("#modal", state="hidden")
    clara.mouse.move(*clara.evaluate(MIDDLE))
    clara.mouse.wheel(0, -200)
    camera = clara.evaluate(CAMERA)
    clara.click(f"#story-scenes li:nth-child({scenes - 1}) button")
    clara.wait_for_selector(f"#story-scenes [aria-current]:text-is('{scenes - 1}')")
    clara.wait_for_selector(f".away-scenes li:nth-child({scenes - 1}).now")
    arrows = "() => cabinet.modules['map/map.js'].map.arrows.filter((it) => it.kind === 'attack').length"
    settle(clara, arrows, answer=1)
    assert clara.evaluate(CAMERA) == camera
    # The number of an entry opens the position after it.
    clara.click(".story-when .link >> nth=-1")
    settle(clara, "() => cabinet.modules['store.js'].store.at !== null")
    clara.keyboard.press("ArrowRight")
    clara.keyboard.press("ArrowRight")
    clara.wait_for_selector("#story-next:has-text('To my turn')")
    clara.keyboard.press("n")
    settle(
        clara,
        "() => [document.querySelector('#story').hidden, cabinet.modules['store.js'].store.at]",
        answer=[True, None],
    )
    settle(anna, "() => cabinet.modules['store.js'].store.view.seats[2].catching_up", answer=[])
    clara.keyboard.press("h")
    clara.wait_for_selector("#story:not([hidden]) #story-next")
    clara.keyboard.press("Escape")
    clara.wait_for_selector("#story", state="hidden")


def onward(host: Any, api: str) -> str:
    """The host goes on over the others: where to; nowhere, where something keeps the phase."""
    said = {"sec-fetch-site": "same-origin"}
    answer = host.context.request.post(f"{api}/advance", data={"over": "they are away"}, headers=said)
    assert answer.status in (200, 409), answer.text()
    return str(answer.json()["moves"][-1]["when"]) if answer.ok else ""
