"""Battles by hand: on one screen with a few presses, on two screens each with its own; the group's chart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from steps import ask, settle, spot, until
from test_hands import HOLDER, READY, THERE, drag, moving  # noqa: F401

SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "West", "powers": ["britain", "france"], "mine": False},
    {"title": "East", "powers": ["russia", "usa", "china"], "mine": False},
]
ODDS = "() => document.querySelector('#battle .battle-odds output').textContent === `NOW`"
TARGET = "() => Object.values(cabinet.modules['map/map.js'].map.ringed[0] ?? {})"
FACTORS = "() => Number(document.querySelector('#battle .attacker h3 .push').textContent)"
RINGED = "() => [...cabinet.modules['map/map.js'].map.places.legal]"
POLES = ["2 infantry 1-3 at Lodz", "army air at Warsaw"]


def press(page: Any, selector: str, presses: list[str]) -> None:
    page.click(selector)
    presses.append(selector)


def to_combat(axis: Any, allies: Any, address: str, table: str) -> None:
    """Two Polish armies in Lodz, a German stack on either side of Breslau, in the combat phase."""
    api = f"{address}/api/v1/tables/{table}"
    ask(allies, f"{api}/do", do="deploy", by="britain", country="poland", units=POLES)
    ask(axis, f"{api}/advance", to="movement")
    ask(axis, f"{api}/advance", to="combat")


@pytest.fixture
def combat(solo: Any) -> Any:
    address, table = solo.url.split("/tables/")
    to_combat(solo, solo, address, table)
    solo.wait_for_selector("#now .offer.hand")
    return solo


def test_one_person_fights_a_battle_of_two_stacks_in_eight_presses(combat: Any) -> None:
    presses: list[str] = []
    for stack in ("N32", "O32"):
        drag(combat, stack, "N33")
        combat.mouse.up()
        presses.append(stack)
        combat.wait_for_selector(f"#battle h3:has-text('{stack}'), #battle h3:has-text('Breslau')")
    combat.wait_for_selector("#battle .battle-steps .now:has-text('Forces')")
    settle(combat, FACTORS, answer=4)  # beside each stack stand its factors
    press(combat, "#battle-go", presses)
    combat.wait_for_selector("#battle .battle-steps .now:has-text('Throw')")
    press(combat, "#battle-go", presses)
    combat.wait_for_selector("#battle .battle-steps .now:has-text('Losses')")
    combat.wait_for_selector("#battle .battle-dice .die")
    # Who plays both sides is told once what to do.
    assert combat.inner_text("#battle footer").count("Tap what is lost") == 1
    for _ in range(2):
        press(combat, "#battle .battle-sides > .defender button[aria-pressed=false]", presses)
    press(combat, "#battle-go", presses)
    combat.wait_for_selector("#battle .battle-steps .now:has-text('Advance')")
    press(combat, "#battle-go", presses)
    combat.wait_for_selector("#battle h2:has-text('Lodz is Germany')")
    combat.wait_for_selector("#battle li:has-text('Losses of the defender')")
    assert len(presses) <= 8, presses
    settle(combat, HOLDER, "N33", "germany")
    settle(combat, THERE, ["europe/N33", "infantry 1-3"], 0)
    settle(combat, THERE, ["europe/N33", "armor 4-6"], 2)
    # One line of the log with its dice inside, and one undo.
    assert combat.locator("#log li:has-text('attack on Lodz')").count() == 1
    assert combat.locator("#log li:has-text('A die shows')").count() == 0
    combat.click("#battle footer button:has-text('Undo the battle')")
    settle(combat, THERE, ["europe/N33", "infantry 1-3"], 2)
    assert combat.is_hidden("#battle")


def test_two_fight_for_poland_each_on_an_own_screen_and_a_third_looks_on(
    someone: Callable[..., Any], server: Any
) -> None:
    ada, ben, cleo = someone(), someone(), someone()
    api = f"{server.address}/api/v1/tables"
    table = ask(ada, api, title="Three", name="Ada", seats=SEATS, options={"set_up": "reported"})["table"]
    ada.goto(f"{server.address}/tables/{table}")
    ada.wait_for_selector("body[data-ready=yes]")
    for page, seat, name in ((ben, "seat2", "Ben"), (cleo, "seat3", "Cleo")):
        invitation = ask(ada, f"{api}/{table}/seats/{seat}/invitations")["invitation"]
        page.goto(f"{server.address}/")
        ask(page, f"{server.address}/api/v1/join", invitation=invitation, name=name)
    for power, units in (("italy", ["2 army air", "2 infantry 1-3"]), ("japan", ["3 army air", "6 naval air"])):
        ask(ada, f"{api}/{table}/do", do="mobilize", power=power, units=units, defer=5 if power == "japan" else 0)
    to_combat(ada, ben, server.address, table)
    for page in (ben, cleo):
        page.goto(f"{server.address}/tables/{table}")
        page.wait_for_selector("body[data-ready=yes]")
    # Prepared: only the own side sees it, and Escape calls it off.
    drag(ada, "N32", "N33")
    ada.mouse.up()
    ada.wait_for_selector("#battle h2:has-text('Attack on Lodz')")
    assert ben.is_hidden("#battle")
    ada.keyboard.press("Escape")
    ada.wait_for_selector("#battle", state="hidden")
    ada.mouse.click(*spot(ada, "N33"))
    ada.click("#hex-card [data-act=attack]")
    ada.wait_for_selector("#battle h2:has-text('Attack on Lodz')")
    ada.fill("#battle input[type=number]", "8")
    ada.wait_for_selector("#battle-go:has-text('Attack: 8 BRPs')")
    ada.keyboard.press("Tab")
    ada.click("#battle-go")
    # The defender's sheet opens by itself, his own side left; the attacker waits and reads for whom.
    ben.wait_for_selector("#battle h2:has-text('Lodz is attacked')")
    ben.wait_for_selector("#battle .battle-sides > .defender:first-child")
    ben.wait_for_selector("#battle-bar:has-text('aircraft and ships in support, or none')")
    settle(ben, TARGET, answer=["europe/N33", "deny"])
    settle(ada, TARGET, answer=["europe/N33", "focus"])
    ada.wait_for_selector("#battle footer:has-text('Ben answers for Poland')")
    ada.wait_for_selector("#battle footer :text('yours when Ben has answered')")
    # It is paid: all see the level after it; the factors open to their sum.
    for page in (ada, ben, cleo):
        until(page, "germany", 142)
    cleo.click("#battle .battle-odds .number >> nth=0")
    cleo.wait_for_selector("#explain:has-text('Germany: factors')")
    cleo.keyboard.press("Escape")
    ada.keyboard.press("u")
    ada.wait_for_selector("#toasts p.deny:has-text('is under way')")
    ada.click("#battle footer button:has-text('Remind Ben')")
    # Ben brings it before the referee, who is Ada here; the referee has nobody to ask.
    ben.click("#battle header button:has-text('Ask the referee')")
    ada.wait_for_selector("#talk-badge:not([hidden])")
    ada.click("#talk")
    ada.wait_for_selector(".talk-lines .whisper:has-text('Asks the referee: Lodz is attacked, answer, ')")
    ada.keyboard.press("Escape")
    assert ada.locator("#battle header button:has-text('Ask the referee')").count() == 0
    # The odds move on both screens while he taps.
    before = ada.inner_text("#battle .battle-odds output")
    ben.click("#battle .battle-pile button[aria-label*='army air, Warsaw']")
    settle(ada, ODDS.replace("NOW", before), answer=False)
    ben.click("#battle-go:has-text('sent')")
    ada.wait_for_selector("#battle-go:has-text('Throw 2 dice')")
    ada.keyboard.press("n")
    ben.wait_for_selector("#battle .battle-dice .die")
    # Who has no part in it reads the sheet, and can press nothing of it.
    cleo.wait_for_selector("#battle h2:has-text('Battle of Lodz')")
    cleo.wait_for_selector("#battle-result:disabled")
    assert cleo.locator("#battle footer, #battle .battle-sides button:enabled").count() == 0
    # Ben taps his own, and Ada sees it; she cannot tap it.
    ben.click("#battle .battle-sides > .defender button[aria-pressed=false]")
    ada.wait_for_selector("#battle .battle-sides > .defender .lost")
    assert ada.locator("#battle .battle-sides > .defender button:enabled").count() == 0
    # The rest is dragged to a ringed hex; its cross takes it back, and by keys it goes there again.
    drag(ben, "N33", "M34")
    assert "europe/M34" in ben.evaluate(RINGED)
    ben.mouse.up()
    ada.wait_for_selector("#battle .battle-sides em:has-text('1 to M34')")
    x, y = spot(ben, "M34")
    at = ben.evaluate("() => cabinet.modules['map/map.js'].map.drafts[0].cross")
    box = ben.locator("#map-sheet").bounding_box()
    assert abs(box["x"] + at[0] - x) < 40 > abs(box["y"] + at[1] - y)
    ben.mouse.click(box["x"] + at[0], box["y"] + at[1])
    ada.wait_for_selector("#battle .battle-sides em", state="detached")
    ben.keyboard.press(".")
    settle(ben, READY)
    ben.keyboard.press("Enter")
    ada.wait_for_selector("#battle .battle-sides em")
    # What was dragged outlives a reload, and what was confirmed is taken back until the other has confirmed too.
    ben.reload()
    ben.wait_for_selector("#battle .battle-pile .link:has-text('1 to ')")
    ben.click("#battle-go:has-text('Confirm for')")
    ben.wait_for_selector("#battle footer:has-text('Ada takes off what is lost')")
    ben.click("#battle footer button:has-text('Take it back')")
    ben.wait_for_selector("#battle .battle-pile .link:has-text('1 to ')")
    ben.click("#battle-go:has-text('Confirm for')")
    ben.wait_for_selector("#battle footer:has-text('Ada takes off what is lost')")
    ada.click("#battle-go:has-text('Confirm for Germany')")
    # Survivors advance by keys, or by drag.
    ada.wait_for_selector("#battle-go:has-text('All advance')")
    ben.wait_for_selector("#battle footer:has-text('Ada may advance')")
    ada.keyboard.press(".")
    settle(ada, READY)
    ada.keyboard.press("Enter")
    ada.click("#battle .attacker .sent")
    ada.wait_for_selector("#battle .attacker .sent", state="detached")
    drag(ada, "N32", "N33")
    ada.mouse.up()
    ada.wait_for_selector("#battle .attacker .sent")
    ada.click("#battle-go:text-matches('^Advance')")
    ben.wait_for_selector("#battle h2:has-text('Lodz is Germany')")
    ben.keyboard.press("Escape")
    ada.wait_for_selector("#battle h2:has-text('Lodz is Germany')")
    ada.wait_for_selector("#battle :text('dice fell, so it asks the others')")
    cleo.wait_for_selector("#battle h2:has-text('Lodz is Germany')")
    for page in (ada, ben, cleo):
        settle(page, HOLDER, "N33", "germany")
        settle(page, THERE, ["europe/N33", "infantry 1-3"], 0)
    ben.wait_for_selector("#battle", state="hidden")
    ben.wait_for_selector("#log li:has-text('attack on Lodz') .minus:has-text('8')")
    assert ben.locator("#log li:has-text('offensive operations')").count() == 0  # its price stands in its line
    # The dice fell before both: an undo asks the other.
    ada.keyboard.press("Escape")
    ada.keyboard.press("u")
    ben.wait_for_selector("button:has-text('Agree')")


def test_missions_and_attrition_are_dragged_onto_a_target(combat: Any) -> None:
    mission = "() => document.querySelector('#battle select')?.value"
    drag(combat, "L31", "N33")
    combat.mouse.up()
    settle(combat, mission, answer="bombing")
    # With units on the ground it is theirs.
    drag(combat, "N32", "N33")
    combat.mouse.up()
    settle(combat, mission, answer="attack")
    combat.select_option("#battle select >> nth=0", "attrition")
    combat.wait_for_timeout(400)
    combat.click("#battle-go")
    combat.click("#battle footer button:has-text('No dice')")
    combat.wait_for_selector("#battle .battle-steps .now:has-text('Losses')")
    combat.click("#battle-go")
    combat.click("#battle footer button:has-text('Stay')")
    combat.wait_for_selector("#battle h2:has-text('Lodz holds')")
    combat.keyboard.press("Escape")
    combat.wait_for_selector("#log li:has-text('attrition on Lodz')")
    settle(combat, HOLDER, "N33", "")


def test_the_groups_chart_is_typed_once_and_read(combat: Any) -> None:
    drag(combat, "N32", "N33")
    combat.mouse.up()
    combat.click("#battle-go")
    combat.click("#battle footer button:has-text('Type your chart')")
    rows = "\n".join(f"{total} | A0 D1 R" for total in range(2, 13))
    combat.fill("#chart-text", "dice | two | 1:1\n2 | x | y")
    combat.click("#modal .main")
    combat.wait_for_selector("#chart-trouble:has-text('no odds')")
    combat.fill("#chart-text", f"dice | 1:1\n{rows}")
    combat.click("#modal .main")
    combat.wait_for_selector("#battle .battle-chart li")
    combat.click("#battle-go")
    combat.wait_for_selector("#battle .battle-chart .now:has-text('A0 D1 R')")
    assert combat.input_value("#battle-result") == "A0 D1 R"
    combat.wait_for_selector("#battle .battle-meter:has-text('of 1 factor')")
    # By keys: space strikes a counter, and it is read out so.
    combat.focus("#battle .battle-sides > .defender button[aria-pressed=false]")
    combat.keyboard.press("Space")
    combat.wait_for_selector("#battle button[aria-label='infantry 1-3, Lodz (N33), lost, 1 of 1 factor']:focus")
    combat.focus("#battle h2")
    combat.keyboard.press("k")
    combat.wait_for_selector("#battle", state="hidden")
    combat.wait_for_selector("#battle-bar:has-text('Battle of Lodz')")
    combat.keyboard.press("k")
    combat.click("#battle header button:has-text('Call off')")
    combat.wait_for_selector("#battle", state="hidden")
