"""The set-up editor on the map: counters, control, figures and pools by hand, errors at once, saved, started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steps import ask
from test_hands import SPOT, settle

COUNT = """async ([nation, unit, key]) => {
  const { draft } = await import('/static/setup/draft.js');
  const { there } = await import('/static/setup/counters.js');
  return there(draft.view, nation, unit, key);
}"""
HOLDS = "async (id) => (await import('/static/map/map.js')).map.made.held.power.get(id)"
ERRORS = "async () => (await import('/static/setup/draft.js')).errors().map((it) => it.text)"
HELD = "async () => (await import('/static/map/map.js')).map.hands.held !== null"


def spot(page: Any, id: str) -> tuple[float, float]:
    x, y = page.evaluate(SPOT, id)
    return x, y


def counts(page: Any, nation: str, unit: str, place: str, number: int) -> None:
    settle(page, COUNT, [nation, unit, place], number)


def tray(nation: str, unit: str) -> str:
    return f".tray-counter[data-nation={nation}][data-unit='{unit}']"


@pytest.fixture
def editor(someone: Any, server: Any) -> Any:
    page = someone()
    page.goto(f"{server.address}/")
    page.click("#setup-link")
    page.wait_for_selector("body.setup[data-ready=yes]")
    return page


def drag_counter(page: Any, nation: str, unit: str, to: tuple[float, float]) -> None:
    box = page.locator(tray(nation, unit)).bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 24, steps=3)
    settle(page, HELD)
    page.mouse.move(*to, steps=5)
    page.mouse.up()


def test_a_campaign_moves_over_by_hand(editor: Any, tmp_path: Path) -> None:
    """Counters by drag, click and key; levels, control, a country, a pool; an error stands in the way, then not."""
    counts(editor, "germany", "armor 4-6", "europe/L31", 0)
    drag_counter(editor, "germany", "armor 4-6", spot(editor, "L31"))
    counts(editor, "germany", "armor 4-6", "europe/L31", 1)
    assert "−1 of 13" in editor.inner_text(tray("germany", "armor 4-6"))
    editor.wait_for_selector(".findings .note:has-text('14 armor 4-6, the list has 13')")
    assert editor.get_attribute("#start", "aria-disabled") == "false"  # an assumed list hinders nobody

    editor.click(tray("germany", "infantry 3-3"))
    for _ in range(3):
        editor.mouse.click(*spot(editor, "M31"))
    counts(editor, "germany", "infantry 3-3", "europe/M31", 3)
    editor.keyboard.press("Escape")
    editor.mouse.click(*spot(editor, "M31"))
    editor.click("#panel-hex [aria-label='One Germany infantry 3-3 fewer']")
    counts(editor, "germany", "infantry 3-3", "europe/M31", 2)

    editor.focus(tray("germany", "army air"))
    editor.keyboard.press("Enter")
    editor.keyboard.press("ArrowRight")
    editor.keyboard.press("Enter")
    counts(editor, "germany", "army air", "europe/M32", 1)
    editor.keyboard.press("Escape")
    editor.keyboard.press("Delete")
    counts(editor, "germany", "army air", "europe/M32", 0)

    drag_counter(editor, "germany", "armor 4-6", centre(editor, "[data-drop=pool]"))
    counts(editor, "germany", "armor 4-6", "pool", 6)

    # British and German ground units in one hex are at war: nobody starts with that.
    editor.click("[data-nation=britain] summary")
    drag_counter(editor, "britain", "infantry 3-4", spot(editor, "L31"))
    editor.wait_for_selector("#verdict:has-text('One error')")
    assert editor.get_attribute("#start", "aria-disabled") == "true"
    assert "in one hex" in editor.inner_text(".findings .error")
    editor.keyboard.press("u")
    editor.wait_for_selector("#verdict:has-text('No errors')")

    editor.fill("[data-figure='powers.germany.brp']", "381")
    editor.keyboard.press("Tab")
    editor.wait_for_selector("[data-figure='powers.germany.brp'].changed")
    editor.click("[aria-label='Germany: level is assumed; name its source']")
    editor.fill("#modal input", "our ledger of 12 May")
    editor.click("#modal button.main")
    editor.wait_for_selector("[aria-label='Germany: level is assumed; name its source']", state="detached")

    editor.keyboard.press("Escape")
    editor.click("[data-mode=paint]")
    x, y = spot(editor, "N33")
    editor.mouse.move(x, y)
    editor.mouse.down()
    editor.mouse.move(*spot(editor, "N34"), steps=6)
    editor.mouse.up()
    settle(editor, HOLDS, "N34", "germany")
    editor.select_option("#panel-countries [aria-label='Sweden: status']", "conquered")
    settle(editor, HOLDS, "E38", "germany")

    editor.select_option("#turn", "Spring 1940")
    editor.wait_for_function("document.querySelector('#turn').value === 'Spring 1940'")
    editor.select_option("#phase", "unit construction")

    with editor.expect_download() as saved:
        editor.keyboard.press("Control+s")
    file = tmp_path / "ours.yaml"
    saved.value.save_as(file)
    assert "our ledger of 12 May" in file.read_text()

    editor.reload()  # unsaved work is kept
    editor.wait_for_selector("body.setup[data-ready=yes]")
    counts(editor, "germany", "infantry 3-3", "europe/M31", 2)
    assert editor.input_value("#turn") == "Spring 1940"

    editor.click("#open")
    editor.click("#modal li button:has-text('classic')")
    counts(editor, "germany", "infantry 3-3", "europe/M31", 0)
    editor.click("#open")
    editor.set_input_files("#position-file", file)
    counts(editor, "germany", "infantry 3-3", "europe/M31", 2)

    editor.click("#start")
    editor.fill("#start-name", "Ada")
    editor.click("#modal button[type=submit]")
    editor.wait_for_selector("body.table[data-ready=yes]")
    assert editor.inner_text("#card-germany .level") == "381"
    assert "Spring 1940" in editor.inner_text("#moment")


def centre(page: Any, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_running_game_is_laid_out_and_changed_with_a_finger(someone: Any, server: Any) -> None:
    page = someone(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/")
    table = ask(page, f"{server.address}/api/v1/tables", title="Ours", name="Ada")["table"]
    page.goto(f"{server.address}/setup?table={table}")
    page.wait_for_selector("body.setup[data-ready=yes]")
    counts(page, "germany", "armor 4-6", "europe/N32", 1)
    page.tap(tray("germany", "armor 4-6"))
    page.touchscreen.tap(*spot(page, "N32"))
    counts(page, "germany", "armor 4-6", "europe/N32", 2)
    page.tap("#undo")
    counts(page, "germany", "armor 4-6", "europe/N32", 1)
    page.tap(".setup-tabs [data-panel=figures]")
    assert page.input_value("[data-figure='powers.germany.brp']") == "150"
