"""Armies moved by hand: dragging, the fan, keys alone, enemies met, boxes; nothing covers the hex it speaks of."""

from __future__ import annotations

from typing import Any

import pytest
from steps import ask, settle, spot

HELD = "async () => cabinet.modules['map/map.js'].map.hands.held !== null"
THERE = """async ([key, unit]) => {
  const { map } = cabinet.modules['map/map.js'];
  return (map.made.stacks.get(key) ?? []).filter((p) => p.unit === unit).reduce((n, p) => n + p.count, 0);
}"""
HOLDER = "async (id) => cabinet.modules['map/map.js'].map.made.held.power.get(id)"
READY = "async () => cabinet.modules['map/map.js'].map.hands.held?.order != null"
PAINTED = "() => document.querySelector('#hex-card canvas').toDataURL()"


@pytest.fixture
def moving(solo: Any) -> Any:
    """The Axis movement phase of Fall 1939."""
    address, table = solo.url.split("/tables/")
    ask(solo, f"{address}/api/v1/tables/{table}/do", do="deploy", by="britain", country="poland")
    ask(solo, f"{address}/api/v1/tables/{table}/advance", to="movement")
    solo.wait_for_selector("#now .offer.hand")
    return solo


def drag(page: Any, origin: str, to: str, key: str = "") -> None:
    """Press on a hex, carry what is taken up to another and wait there until the rules have answered."""
    x, y = spot(page, origin)
    if key:
        page.keyboard.down(key)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 9, y + 3, steps=3)
    if key:
        page.keyboard.up(key)
    settle(page, READY)
    page.mouse.move(*spot(page, to), steps=6)


def test_a_counter_is_dragged_to_a_hex(moving: Any) -> None:
    drag(moving, "N32", "L31")
    assert "Not judged here: movement cost" in moving.inner_text("#in-hand")
    assert "Berlin" in moving.inner_text("#under")
    moving.mouse.up()
    settle(moving, THERE, ["europe/L31", "armor 4-6"], 1)
    assert moving.evaluate(THERE, ["europe/N32", "armor 4-6"]) == 0
    moving.click("#undo")
    settle(moving, THERE, ["europe/N32", "armor 4-6"], 1)


def test_a_whole_stack_moves_as_one_order(moving: Any) -> None:
    drag(moving, "N32", "L31")
    moving.wait_for_selector("#in-hand:has-text('1 armor 4-6'):has-text('whole stack')")
    moving.keyboard.press("Control")
    moving.wait_for_selector("#in-hand:has-text('1 armor 4-6, 5 army air, 2 infantry 3-3')")
    moving.mouse.up()
    settle(moving, THERE, ["europe/L31", "infantry 3-3"], 2)
    moving.wait_for_selector("#log li:has-text('1 armor 4-6, 5 army air, 2 infantry 3-3 from Breslau to Berlin')")
    moving.click("#undo")
    for unit, count in (("armor 4-6", 1), ("army air", 5), ("infantry 3-3", 2)):
        settle(moving, THERE, ["europe/N32", unit], count)


def test_where_units_may_not_go_says_why_and_nothing_moves(moving: Any) -> None:
    drag(moving, "N32", "E38")
    moving.wait_for_selector("#in-hand .bad")
    # The bar that says so stands between the boxes at the top, and covers none.
    bar = moving.locator("#in-hand").bounding_box()
    for tray in moving.locator(".trays.top-left .tray, .trays.top-right .tray").all():
        box = tray.bounding_box()
        assert bar["x"] >= box["x"] + box["width"] or bar["x"] + bar["width"] <= box["x"]
    moving.mouse.up()
    moving.wait_for_selector("#refusal[open] .chip:has-text('82.41')")
    moving.keyboard.press("Escape")
    assert moving.evaluate(THERE, ["europe/N32", "armor 4-6"]) == 1


def test_an_enemy_is_fought_and_an_empty_hex_of_his_is_entered(moving: Any) -> None:
    # A counter that rests over an enemy says what a drop means; where somebody stands, the battle sheet opens.
    drag(moving, "N32", "M35")
    moving.wait_for_selector("#drop-card:not([hidden]):has-text('the battle sheet opens')")
    card = moving.locator("#drop-card").bounding_box()
    for x, y in (spot(moving, "M35"), spot(moving, "N32")):  # neither the hex nor where they come from
        assert not (card["x"] < x < card["x"] + card["width"] and card["y"] < y < card["y"] + card["height"])
    moving.mouse.up()
    moving.wait_for_selector("#battle h2:has-text('Attack on Warsaw')")
    assert moving.evaluate(THERE, ["europe/N32", "armor 4-6"]) == 1
    moving.keyboard.press("Escape")
    moving.wait_for_selector("#battle", state="hidden")
    # Nor is it taken by a press in the inspector.
    moving.mouse.click(*spot(moving, "M35"))
    moving.wait_for_selector("#hex-card [data-act=attack]")
    assert moving.locator("#hex-card [data-act=take]").count() == 0
    moving.keyboard.press("Escape")
    drag(moving, "N32", "N34")
    moving.wait_for_selector("#drop-card .follows li .chip")
    moving.mouse.up()
    settle(moving, THERE, ["europe/N34", "armor 4-6"], 1)
    settle(moving, HOLDER, "N34", "germany")
    moving.click("#undo")
    settle(moving, THERE, ["europe/N32", "armor 4-6"], 1)
    settle(moving, HOLDER, "N34", "")


def test_a_capture_that_was_not_reported_is_pointed_out(moving: Any) -> None:
    address, table = moving.url.split("/tables/")
    move = {
        "do": "move",
        "nation": "germany",
        "unit": "armor 4-6",
        "from": "Breslau",
        "to": "europe/N34",
        "how": "movement",
    }
    ask(moving, f"{address}/api/v1/tables/{table}/do", **move)
    moving.wait_for_selector("#now .capture[data-place='europe/N34']")
    moving.click("#now .capture .go")
    settle(moving, HOLDER, "N34", "germany")
    moving.wait_for_selector("#now .capture", state="detached")


def test_what_a_form_would_place_lies_on_the_map_as_a_ghost(moving: Any) -> None:
    ghosts = "async () => cabinet.modules['map/map.js'].map.drafts.map((g) => `${g.count} ${g.unit} ${g.at}`)"
    opens = "async (given) => cabinet.modules['order.js'].openCommand('move', given)"
    given = {"nation": "germany", "unit": "armor 4-6", "from": "europe/N32", "how": "movement"}
    moving.evaluate(opens, given)
    moving.wait_for_selector("#order [data-field=to]")
    moving.mouse.click(*spot(moving, "L31"))
    settle(moving, ghosts, None, ["1 armor 4-6 europe/L31"])
    moving.mouse.move(*spot(moving, "F27"))  # off the stack, whose fan Escape would close first
    moving.keyboard.press("Escape")
    settle(moving, ghosts, None, [])


def test_a_box_tells_its_units_first_and_the_phase_is_in_sight(moving: Any) -> None:
    moving.click(".tray[data-box='box/ethiopia']")
    moving.wait_for_selector("#hex-card .pile-card")
    units, chapter = moving.locator("#hex-card .pile-card").first, moving.locator("#hex-card .chip").first
    assert units.bounding_box()["y"] < chapter.bounding_box()["y"]
    moving.set_viewport_size({"width": 1024, "height": 768})
    moving.click("#phases button.go:has-text('Redeployment')", force=True)
    moving.wait_for_selector("#phases [aria-current=step]:has-text('Redeployment')")
    now, strip = moving.locator("#phases [aria-current=step]"), moving.locator("#phases .steps")
    box, frame = now.bounding_box(), strip.bounding_box()
    assert frame["x"] <= box["x"]
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1


def test_escape_puts_back_what_is_held(moving: Any) -> None:
    drag(moving, "N32", "L31")
    moving.keyboard.press("Escape")
    assert not moving.evaluate(HELD)
    moving.mouse.up()
    assert moving.evaluate(THERE, ["europe/N32", "armor 4-6"]) == 1


def test_a_stack_fans_out_and_one_pile_is_taken(moving: Any) -> None:
    moving.mouse.move(*spot(moving, "N32"))
    moving.wait_for_selector("#fan .pile[aria-label='2 infantry 3-3 of Germany']")
    box = moving.locator("#fan .pile[aria-label='2 infantry 3-3 of Germany']").bounding_box()
    moving.mouse.move(box["x"] + 20, box["y"] + 20, steps=4)
    moving.keyboard.down("Shift")
    moving.mouse.down()
    moving.keyboard.up("Shift")
    settle(moving, READY)
    moving.mouse.move(*spot(moving, "L31"), steps=5)
    moving.mouse.up()
    settle(moving, THERE, ["europe/L31", "infantry 3-3"], 1)
    assert moving.evaluate(THERE, ["europe/N32", "infantry 3-3"]) == 1


def test_keys_alone_move_an_army(moving: Any) -> None:
    moving.mouse.click(*spot(moving, "N32"))
    moving.wait_for_selector("#hex-card h2:has-text('Breslau')")
    moving.focus("#hex-grid")
    moving.keyboard.press("1")
    settle(moving, READY)
    moving.keyboard.press("ArrowLeft")
    assert "Holding one armor 4-6 from Breslau" in moving.inner_text("#said")
    moving.keyboard.press("Enter")
    settle(moving, THERE, ["europe/N31", "armor 4-6"], 1)


def test_the_inspector_stands_beside_the_map(moving: Any) -> None:
    moving.mouse.click(*spot(moving, "N32"))
    moving.wait_for_selector("#hex-card .pile-card:has-text('infantry 3-3')")
    card, sheet = moving.locator("#hex-card").bounding_box(), moving.locator("#map-sheet").bounding_box()
    light = moving.evaluate(PAINTED)
    moving.click("#theme")
    assert moving.evaluate(PAINTED) != light, "counters beside the map follow the theme"
    moving.click("#theme")
    assert moving.evaluate(PAINTED) == light
    assert card["x"] >= sheet["x"] + sheet["width"] - 1
    moving.click("#hex-card .pile-card:has-text('army air')")
    settle(moving, READY)
    moving.mouse.click(*spot(moving, "L31"))
    settle(moving, THERE, ["europe/L31", "army air"], 10)
    moving.mouse.click(*spot(moving, "M34"))
    moving.wait_for_selector("#hex-card [data-act=take]")
    moving.hover("#hex-card [data-act=take]")
    moving.wait_for_selector("#hex-card .follows li .chip")
    assert "since the start" in moving.inner_text("#hex-card .fact:has-text('Held by')")
    moving.click("#hex-card [data-act=take]")
    settle(moving, HOLDER, "M34", "germany")
    moving.mouse.click(*spot(moving, "M34"))
    moving.wait_for_selector("#hex-card .fact:has-text('since Fall 1939') button:has-text('entry')")
    moving.wait_for_selector("#hex-card .absent:has-text('Allies here'):has-text('nearest')")
    moving.mouse.click(*spot(moving, "M31"))
    moving.wait_for_selector("#hex-card .fact:has-text('Supply'):has-text('open by land')")
    moving.keyboard.press("s")
    settle(moving, "async () => cabinet.modules['map/map.js'].map.line?.found ?? false")


def test_a_phase_is_gone_to_by_a_press_and_quiet_ones_pass(moving: Any) -> None:
    moving.click("#phases button.go:has-text('Unit construction')")
    moving.wait_for_selector("#phases [aria-current=step]:has-text('Unit construction')")
    moving.keyboard.press("g")
    moving.wait_for_selector("#phases [aria-current=step]:has-text('Redeployment')")


def test_units_are_built_by_hand_all_together_or_none(moving: Any) -> None:
    moving.click("#phases button.go:has-text('Unit construction')")
    moving.wait_for_selector("#phases [aria-current=step]:has-text('Unit construction')")
    moving.keyboard.press("b")
    moving.wait_for_selector("#pool .pool-pile[data-unit=submarine] .assumed")

    def lay(unit: str, hex_id: str, key: str = "") -> None:
        box = moving.locator(f"#pool .pool-pile[data-unit='{unit}']").bounding_box()
        if key:
            moving.keyboard.down(key)
        moving.mouse.move(box["x"] + 30, box["y"] + 30)
        moving.mouse.down()
        if key:
            moving.keyboard.up(key)
        settle(moving, READY)
        moving.mouse.move(*spot(moving, hex_id), steps=6)
        # What is in the hand is the hatched part of the limit, and stands among the orders that are not given.
        moving.wait_for_selector(f"#orders-in-hand .in-your-hand:has-text('{unit}')")
        assert moving.locator("#pool .pool-limit b").bounding_box()["width"] > 0
        moving.mouse.up()
        moving.wait_for_selector(f"#orders-in-hand li:has-text('{unit}')")

    lay("infantry 3-3", "L31")
    moving.keyboard.press("u")  # the last ghost goes back, no move is undone
    moving.wait_for_selector("#orders-in-hand", state="hidden")
    lay("infantry 3-3", "L31")
    lay("armor 4-6", "K33", "Shift")
    # One infantry for 3, five armor for 8 each: 43 of a limit of 50.
    assert "\N{MINUS SIGN}43" in moving.inner_text("#orders-in-hand .total")
    # What is laid outlives the page that is loaded again.
    moving.reload()
    moving.wait_for_selector("body[data-ready=yes]")
    moving.wait_for_selector("#orders-in-hand li:has-text('armor 4-6')")
    assert "\N{MINUS SIGN}43" in moving.inner_text("#orders-in-hand .total")
    settle(moving, THERE, ["europe/K33", "armor 4-6"], 1)  # a ghost is no counter
    moving.click("#orders-in-hand .main")
    settle(moving, THERE, ["europe/K33", "armor 4-6"], 6)
    assert moving.evaluate(THERE, ["europe/L31", "infantry 3-3"]) == 1
    moving.wait_for_selector("#card-germany .level:text-is('107')")


def test_counters_are_dragged_out_of_a_box(moving: Any) -> None:
    box = moving.locator(".tray[data-box='box/ethiopia'] canvas").first.bounding_box()
    moving.mouse.move(box["x"] + 15, box["y"] + 20)
    moving.mouse.down()
    moving.mouse.move(box["x"] + 5, box["y"] + 10, steps=3)
    settle(moving, READY)
    moving.mouse.move(*spot(moving, "N32"), steps=5)
    moving.wait_for_selector("#in-hand .bad .chip:has-text('88.423C')")
    moving.mouse.up()
    moving.wait_for_selector("#refusal[open] .chip:has-text('88.423C')")
    assert moving.evaluate(THERE, ["box/ethiopia", "infantry 1-3"]) == 3
