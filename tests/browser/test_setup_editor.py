"""The set-up editor on the map: counters, control, figures and pools by hand, errors at once, saved, started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steps import ask, settle, spot

COUNT = """async ([nation, unit, key]) => {
  const { draft } = cabinet.modules['setup/draft.js'];
  const { there } = cabinet.modules['setup/counters.js'];
  return there(draft.view, nation, unit, key);
}"""
HOLDS = "async (id) => cabinet.modules['map/map.js'].map.made.held.power.get(id)"
ERRORS = "async () => cabinet.modules['setup/draft.js'].errors().map((it) => it.text)"
SURRENDERED = """async () => {
  const { draft } = cabinet.modules['setup/draft.js'];
  return draft.view.powers.filter((p) => p.surrendered).map((p) => p.power);
}"""
HELD = "async () => cabinet.modules['map/map.js'].map.hands.held !== null"


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

    editor.keyboard.press("/")
    editor.keyboard.type("Warsaw")
    editor.keyboard.press("Enter")
    editor.wait_for_selector("#panel-hex h2:has-text('Warsaw')")
    editor.keyboard.press("/")
    editor.keyboard.type("M31")
    editor.keyboard.press("Enter")
    editor.wait_for_selector("#panel-hex:has-text('M31')")

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
    settle(editor, "() => document.querySelector('#turn')?.value", answer="Spring 1940")
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
    editor.wait_for_selector("#modal[open]")
    editor.set_input_files("#position-file", file)
    counts(editor, "germany", "infantry 3-3", "europe/M31", 2)

    editor.click("#start")
    editor.fill("#start-name", "Ada")
    editor.click("#modal button[type=submit]")
    editor.wait_for_selector("body.table[data-ready=yes]")
    assert editor.inner_text("#card-germany .level") == "381"
    assert "Spring 1940" in editor.inner_text("#moment")


def test_surrender_war_tension_turn_and_name(editor: Any) -> None:
    """A box in the levels and a typed line say that a power has surrendered; a name that was typed stays."""
    editor.fill("#title", "Ours of 1941")
    editor.keyboard.press("Tab")
    editor.click("#open")
    editor.click("#modal li button >> nth=0")
    settle(editor, "() => document.querySelector('#modal').open", answer=False)
    settle(editor, "() => document.querySelector('#title').value", answer="Ours of 1941")
    editor.check("[aria-label='China: surrendered']")
    settle(editor, SURRENDERED, answer=["china"])
    editor.keyboard.press("Escape")
    editor.locator("#map-sheet").focus()
    editor.click("#lines")
    editor.fill(
        "#typed-lines",
        "France: surrendered\nChina: not surrendered\nwar: Germany, Russia since Summer 1941\nU.S.-Axis tension 22\n"
        "turn: Fall 1941\nGermany: Berlin: 2 inf 3-3; Paris: 1 inf 3-3",
    )
    editor.wait_for_selector("#typed-told:has-text('6 lines understood: 7 figures')")
    editor.click("#modal button[type=submit]")
    settle(editor, SURRENDERED, answer=["france"])
    assert editor.input_value("#turn") == "Fall 1941"
    assert editor.input_value("[data-figure='tracks.usat']") == "22"
    assert "since Summer 1941" in editor.inner_text(".war-rows li:has-text('Germany and Russia')")
    counts(editor, "germany", "infantry 3-3", "europe/N23", 1)

    editor.fill("#find", "army britain")
    editor.wait_for_selector(tray("britain", "army air"))
    assert not editor.locator(tray("germany", "army air")).count()
    editor.fill("#find", "zzyzx")
    editor.wait_for_selector("#trays :text('Nothing found')")
    editor.reload()
    editor.wait_for_selector("body.setup[data-ready=yes]")
    assert editor.input_value("#title") == "Ours of 1941"


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


#: A campaign in the spring of 1942 as its players would type it from the table: 71 stacks, levels, pools, statuses.
PAPER = """\
Germany
level 381, base 161
Leipzig: 1 ATR, 1 RP
Novgorod: 1 arm 4-6
Smolensk: 2 arm 4-6, 1 arm 5-6, 8 AAF, 4 inf 3-3
Berlin: 2 arm 4-6, 11 AAF, 1 SAC, 2 inf 3-3, 2 RP
El Agheila: 1 arm 4-6
Cologne: 1 arm 4-6, 1 AAF
Paris: 1 arm 4-6, 2 AAF, 1 SAC, 1 inf 3-3
S43: 1 arm 4-6
Konigsberg: 5 AAF, 1 inf 3-3
Warsaw: 6 AAF
Breslau: 5 AAF
Wilhelmshaven: 2 BC, 2 CA, 2 DD, 2 SS
Kiel: 2 CA, 2 DD, 1 RP
A44: 1 inf 3-3
D43: 3 inf 3-3
Copenhagen: 1 inf 3-3
The Hague: 2 inf 3-3
Bryansk: 3 inf 3-3
Essen: 1 inf 3-3, 1 RP
L32: 1 inf 3-3
L35: 1 inf 3-3
N26: 1 inf 3-3
O26: 1 inf 3-3
Cracow: 1 inf 3-3
Q31: 1 inf 3-3
U26: 2 inf 3-3
Frankfurt: 1 RP
Prague: 1 RP
Munich: 1 RP
pool: 2 arm 2-6, 5 arm 4-6, 2 CA, 6 inf 3-3, 1 specialized, 2 SS
Spring 1943: 2 arm 5-6
Spring 1944: 1 arm 4-6, 6 inf 1-3, 3 inf 3-3
Italy
level 90, base 80
Tripoli: 1 arm 2-5, 1 inf 1-3
Milan: 1 arm 2-5, 3 AAF, 2 inf 2-3
Rome: 1 arm 2-5, 5 AAF, 3 inf 1-3, 2 inf 2-3, 1 RP
Palermo: 3 AAF, 1 inf 1-3
Naples: 2 CA, 3 DD, 1 RP
Taranto: 4 CA, 6 DD, 1 inf 1-3, 1 SS
Genoa: 2 CA, 3 DD, 1 inf 3-3
T22: 1 inf 3-3
Cagliari: 1 RP
Rhodes: 1 RP
Venice: 1 RP
pool: 1 DD, 1 inf 1-3, 1 RP, 1 specialized
Britain
level 169, base 129
Benghazi: 1 arm 2-5, 1 arm 4-5, 1 inf 3-4
Tobruk: 1 arm 2-5
London: 2 arm 4-5, 10 AAF, 4 inf 1-3, 2 inf 3-4, 7 INT
Gibraltar: 1 AAF, 2 CA, 3 DD, 1 RP
Valletta: 1 AAF, 1 inf 1-3
Birmingham: 5 AAF, 1 inf 3-4
Alexandria: 2 AAF, 3 CA, 3 DD, 1 RP
Liverpool: 2 asw, 6 TR
Scapa Flow: 3 BC, 4 CA, 5 DD, 4 NAS, 1 RP
Portsmouth: 3 CA, 4 DD, 1 SS
Jerusalem: 1 inf 1-3
Cairo: 1 inf 1-3
Manchester: 1 RP
pool: 2 CA, 4 DD, 1 inf 1-2
Summer 1942: 1 specialized
Russia
level 158, base 68
Gorki: 2 arm 3-5, 2 inf 1-3, 4 inf 2-3
Moscow: 1 arm 3-5, 2 AAF, 3 inf 2-3, 2 inf 3-2, 2 inf 3-3
I45: 2 arm 3-5, 2 inf 3-3
Leningrad: 2 CA, 6 DD, 2 inf 2-3
Sevastopol: 1 CA, 3 DD, 1 inf 1-3
Tabriz: 1 inf 1-3
Grozny: 1 inf 1-3
Baku: 1 inf 1-3
Kalinin: 4 inf 2-3
pool: 15 AAF, 11 inf 1-3, 2 inf 2-3, 1 inf 3-3
Spring 1942: 1 arm 4-5, 3 inf 3-3, 2 specialized
Summer 1942: 2 AAF, 3 inf 3-3
Fall 1942: 1 arm 4-5, 1 AAF
Winter 1942: 1 AAF
Spring 1943: 1 arm 4-5
Summer 1943: 1 arm 4-5
Finland
Helsinki: 1 AAF, 3 inf 2-3
Viipuri: 2 inf 2-3
Hungary
Budapest: 1 AAF, 2 inf 1-3, 1 inf 2-3
Lvov: 2 inf 1-3
U29: 2 inf 1-3
Rumania
Bucharest: 1 AAF, 2 inf 2-3
Constanta: 2 DD
Odessa: 4 inf 1-3
Ploesti: 2 inf 1-3
Belgium, Luxembourg, Netherlands, Denmark, Norway, Yugoslavia, Greece: conquered by Germany
Poland, Eastern Poland, Baltic States, Ukraine, Bessarabia: conquered by Germany
Rumania, Hungary, Bulgaria: allied with Germany
Finland associated with Germany
Vichy France penetrated by Germany
Ethiopia conquered by Britain
Germany holds Smolensk, Bryansk, Novgorod, D43, S43, El Agheila
France: none
"""
#: What an action with the mouse takes somebody who does it for the first time, and a character that is typed.
SECONDS, A_CHARACTER = 3, 0.25


def test_a_stranger_sets_up_the_middle_of_a_war_in_a_quarter_of_an_hour(editor: Any) -> None:
    actions = 0

    def act(do: Any, *given: Any) -> None:
        nonlocal actions
        do(*given)
        actions += 1

    act(editor.select_option, "#turn", "Spring 1942")
    act(editor.select_option, "#phase", "movement")
    act(editor.keyboard.press, "t")
    typed = PAPER.replace("Kalinin", "Kalinn", 1)  # nobody types so much without a slip
    act(editor.fill, "#typed-lines", typed)
    editor.wait_for_selector(".wrong-lines li:has-text('Kalinin')")
    act(editor.check, "#modal input[name=alone]")
    act(editor.click, "#modal button[type=submit]")
    settle(editor, "() => document.querySelector('#typed-lines').value.startsWith('Kalinn')")
    act(editor.fill, "#typed-lines", "Russia\nKalinin: 4 inf 2-3")
    act(editor.uncheck, "#modal input[name=alone]")
    act(editor.keyboard.press, "Control+Enter")
    counts(editor, "russia", "infantry 2-3", "europe/G46", 4)
    editor.wait_for_selector("#modal[open]", state="detached")
    counts(editor, "germany", "army air", "europe/L31", 11)
    counts(editor, "france", "infantry 2-3", "europe/N23", 0)

    # By hand: three at each click, a stack copied, the land behind the front painted, a level, a pile to the pool.
    act(editor.fill, "#find", "hungary")
    act(editor.click, tray("hungary", "infantry 1-3"))
    act(editor.keyboard.press, "2")
    act(editor.mouse.click, *spot(editor, "R31"))
    counts(editor, "hungary", "infantry 1-3", "europe/R31", 2)
    act(editor.keyboard.press, "Escape")
    act(editor.mouse.click, *spot(editor, "R31"))
    act(editor.keyboard.press, "k")
    act(editor.mouse.click, *spot(editor, "R32"))
    counts(editor, "hungary", "infantry 1-3", "europe/R32", 2)
    act(editor.keyboard.press, "Escape")
    act(editor.keyboard.press, "c")
    for _ in range(3):  # strokes along the front
        act(editor.mouse.click, *spot(editor, "J43"))
    settle(editor, HOLDS, "J43", "germany")
    act(editor.fill, "[data-figure='powers.usa.brp']", "359")
    act(editor.keyboard.press, "Tab")
    editor.wait_for_selector("#verdict:has-text('No errors')")

    act(editor.click, "#start")
    act(editor.fill, "#start-name", "Ada")
    act(editor.click, "#modal button[type=submit]")
    editor.wait_for_selector("body.table[data-ready=yes]")
    assert editor.inner_text("#card-germany .level") == "381"
    stacks = sum(1 for line in PAPER.splitlines() if ":" in line and not line.startswith(("pool", "Spring", "Summer")))
    assert stacks > 60
    assert actions * SECONDS + len(PAPER) * A_CHARACTER < 15 * 60
