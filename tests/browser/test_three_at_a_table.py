"""Three people, three browsers: Fall 1939 to Summer 1940 by hand, armies dragged and phases pressed.

With `--all` they go on to the 1941 year start.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import TimeoutError as Late
from steps import ask, invitation, join, settle, spot
from test_hands import HOLDER, THERE, drag

from bounds import at_length, many

SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "West", "powers": ["britain", "france", "usa", "china"], "mine": False},
    {"title": "Russia", "powers": ["russia"], "mine": False},
]
#: A stack of a kind that a nation has inland, and a hex beside it in the same hands with room for it.
WAY = """async ([nation, unit]) => {
  const { map } = cabinet.modules['map/map.js'];
  const at = (id) => map.cam.screen(map.board.hexes.get(id));
  const frame = document.querySelector('#map-sheet').getBoundingClientRect();
  const inView = ([x, y]) => x > 60 && y > 60 && x < frame.width - 60 && y < frame.height - 60;
  const apart = (a, b) => Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1]);
  const free = [...map.board.hexes.keys()].filter(
    (id) => inView(at(id)) && map.made.held.power.get(id) === nation && !map.made.stacks.has(`europe/${id}`),
  );
  for (const [key, piles] of map.made.stacks) {
    const [board, id] = key.split('/');
    if (board !== 'europe' || !map.board.hexes.has(id) || !inView(at(id))) continue;
    if (piles.length !== 1 || piles[0].nation !== nation || piles[0].unit !== unit) continue;
    const nearest = free.sort((a, b) => apart(a, id) - apart(b, id))[0];
    if (nearest) return [id, nearest, piles[0].count];
  }
  return null;
}"""


def order(page: Any, line: str) -> None:
    """Type an order as the table shows it, and give it."""
    page.keyboard.press("/")
    page.fill("#command", line)
    page.keyboard.press("Enter")
    page.click("#order footer .main:not([disabled])")
    page.wait_for_selector("#order", state="hidden")


def go(page: Any, phase: str) -> None:
    """Go on to a phase; a press that met the news of another order is told so, and made again."""
    now = f"#phases [aria-current=step]:has-text('{phase}')"
    for _ in range(5):
        page.click(f"#phases button.go:has-text('{phase}')")
        with suppress(Late):
            page.wait_for_selector(now, timeout=10_000)
            return
    page.wait_for_selector(now)


def abreast(giver: Any, others: list[Any]) -> None:
    """Everybody has seen what was given: whoever orders before that is told that something happened meanwhile."""
    moves = giver.text_content("#log-count")
    for page in others:
        settle(page, "() => document.querySelector('#log-count').textContent", answer=moves)


def march(page: Any, nation: str, unit: str) -> None:
    """Drag a stack of a nation to a hex of its own beside it, and see it there."""
    found = page.evaluate(WAY, [nation, unit])
    assert found, f"no {unit} of {nation} could go anywhere"
    origin, to, count = found
    drag(page, origin, to)
    page.mouse.up()
    settle(page, THERE, [f"europe/{to}", unit], count)


def take(page: Any, hex_id: str, power: str) -> None:
    """One press says who takes a hex."""
    page.mouse.click(*spot(page, hex_id))
    page.click("#hex-card [data-act=take]")
    settle(page, HOLDER, hex_id, power)


def end(page: Any, then: list[Any], moment: str) -> None:
    """End the player turn; everybody sees the next one begin."""
    go(page, "End of turn")
    page.keyboard.press("n")
    for other in then:
        other.wait_for_selector(f"#moment:has-text('{moment}')", state="attached")


def confirm(pages: list[Any], year: int) -> None:
    for page in pages:
        page.wait_for_selector(f"h2.page:has-text('{year} year start')")
        page.click(".year-bar .confirm")
    for page in pages:
        page.wait_for_selector(".year-bar:has-text('Every seat has confirmed')")
        page.click(".views [data-view=europe]")
        page.wait_for_selector("#map:not([hidden])")


def anyone_closes(host: Any) -> None:
    """One of a side closes its phases, as people agree who play by voice; how all do it test_ready_journey.py shows."""
    host.click("#people")
    host.check("input[name=closing]")
    host.keyboard.press("Escape")
    host.wait_for_selector("#modal", state="hidden")


SEASONS = [("Spring", "Summer"), ("Summer", "Fall"), ("Fall", "Winter"), ("Winter", "")]


def test_three_play_on_from_fall_1939_by_hand(someone: Callable[..., Any], server: Any) -> None:
    ada, ben, cy = everybody = [someone(), someone(), someone()]
    api = f"{server.address}/api/v1/tables"
    table = ask(ada, api, title="Three", name="Ada", seats=SEATS, options={"set_up": "reported"})["table"]
    ada.goto(f"{server.address}/tables/{table}")
    ada.wait_for_selector("body[data-ready=yes]")
    join(ben, invitation(ada, "seat2"), "Ben")
    join(cy, invitation(ada, "seat3"), "Cy")
    anyone_closes(ada)

    # Fall 1939: Poland.
    order(ada, "mobilize italy 2 army air, 2 infantry 1-3")
    order(ada, "mobilize japan 3 army air, 6 naval air defer=5")
    go(ada, "Movement")
    drag(ada, "N32", "N34")
    ada.wait_for_selector("#drop-card .follows li .chip")
    ada.mouse.up()
    settle(ada, HOLDER, "N34", "germany")
    go(ada, "Combat")
    take(ada, "M35", "germany")
    for page in (ben, cy):
        settle(page, HOLDER, "M35", "germany")
    end(ada, everybody, "Fall 1939, Allied")
    order(ben, "mobilize britain armor 4-5, armor 2-5, 4 infantry 1-3")
    go(ben, "Movement")
    march(ben, "france", "infantry 2-3")
    abreast(ben, everybody)
    march(cy, "russia", "infantry 2-3")
    abreast(cy, everybody)
    end(ben, everybody, "Winter 1939, Axis")

    # Winter 1939, and the year start that all three read and confirm.
    go(ada, "Movement")
    march(ada, "germany", "infantry 3-3")
    end(ada, everybody, "Winter 1939, Allied")
    go(ben, "Movement")
    abreast(ben, everybody)
    march(cy, "russia", "infantry 1-3")
    abreast(cy, everybody)
    go(ben, "End of turn")
    ben.keyboard.press("n")
    confirm(everybody, 1940)

    # 1940, season by season: each moves something by hand, and mobilizations come as they are due.
    for season, following in SEASONS[: many(1, all=4)]:
        ada.wait_for_selector(f"#moment:has-text('{season} 1940, Axis')", state="attached")
        go(ada, "Movement")
        march(ada, "germany", "infantry 3-3")
        if season == "Spring":
            go(ada, "Unit construction")
            order(ada, "build germany 1 infantry 3-3 Berlin")
        end(ada, everybody, f"{season} 1940, Allied")
        if season == "Summer":
            order(ben, "mobilize usa europe 10 infantry 2-2")
        if season == "Winter":
            order(ben, "mobilize usa europe 10 infantry 2-2")
            order(ben, "mobilize usa pacific 10 infantry 2-2")
            abreast(ben, everybody)
            order(ada, "mobilize japan 3 army air, 11 naval air")
            abreast(ada, everybody)
        go(ben, "Movement")
        abreast(ben, everybody)
        march(cy, "russia", "infantry 2-3")
        abreast(cy, everybody)
        if following:
            end(ben, everybody, f"{following} 1940, Axis")
    if at_length():
        go(ben, "End of turn")
        ben.keyboard.press("n")
        confirm(everybody, 1941)
        ada.wait_for_selector("#moment:has-text('Spring 1941, Axis')", state="attached")
    verified = ask(ada, f"{api}/{table}/what-if")
    assert verified["table"]
