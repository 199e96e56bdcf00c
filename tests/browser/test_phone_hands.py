"""The phone plays by hand: a stack as a sheet, a tap says where, a bar confirms; redo, typed orders, the past."""

from __future__ import annotations

from typing import Any

from steps import ask, settle, sit_down, spot
from test_hands import THERE

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: A hex in sight that what is held may not enter.
FORBIDDEN = """async () => {
  const { map } = cabinet.modules['map/map.js'];
  for (const key of map.places.forbidden.keys()) {
    const hex = map.board.hexes.get(key.split('/')[1]);
    const [x, y] = hex?.land ? map.cam.screen(hex) : [0, 0];
    if (x > 20 && y > 60 && x < map.cam.width - 90 && y < map.cam.height - 20) return hex.id;
  }
}"""


def tap(page: Any, id: str) -> None:
    page.touchscreen.tap(*spot(page, id))


def test_an_army_moves_by_taps(someone: Any, server: Any) -> None:
    page = someone(**PHONE)
    sit_down(page, server.address)
    address, table = page.url.split("/tables/")
    api = f"{address}/api/v1/tables/{table}"
    ask(page, f"{api}/do", do="deploy", by="britain", country="poland")
    ask(page, f"{api}/advance", to="movement")
    page.wait_for_selector("#now .offer.hand")

    tap(page, "N32")
    page.wait_for_selector("#hand-sheet:not([hidden]) .hand-pile[data-unit='infantry 3-3']")
    sheet = page.locator("#hand-sheet").bounding_box()
    assert spot(page, "N32")[1] < sheet["y"]  # the sheet never covers the hex it speaks of
    page.tap("[aria-label='One more: Germany infantry 3-3']")
    page.wait_for_selector("#hand-sheet em:has-text('Not judged here')")
    assert page.is_disabled("#hand-confirm .main")

    tap(page, page.evaluate(FORBIDDEN))  # a neutral's
    page.wait_for_selector("#hand-sheet .hand-target.no .chip")
    assert page.is_disabled("#hand-confirm .main")
    tap(page, "M31")
    page.wait_for_selector("#hand-sheet .hand-target:not(.no)")
    assert page.inner_text("#hand-confirm .main") == "Move 1 infantry to M31"
    assert page.evaluate(THERE, ["europe/M31", "infantry 3-3"]) == 0  # nothing happens before the bar is pressed
    page.tap("#hand-confirm .main")
    settle(page, THERE, ["europe/M31", "infantry 3-3"], 1)
    page.wait_for_selector("#hand-sheet", state="hidden")

    page.tap(".phone-tools button:text-is('Undo')")
    settle(page, THERE, ["europe/M31", "infantry 3-3"], 0)
    page.tap(".phone-tools button:text-is('Redo')")
    settle(page, THERE, ["europe/M31", "infantry 3-3"], 1)

    page.tap(".phone-tools .type-order")
    page.fill("#command", "spend germany 9 other")
    page.keyboard.press("Enter")
    page.wait_for_selector("#order:not([hidden])")
    page.keyboard.press("Escape")

    page.tap(".phone-tools [data-goto=forecast]")
    page.wait_for_selector("#sheet .figures td .number")
    figure = page.locator("#sheet .figures td .number").first.bounding_box()
    assert figure["x"] + figure["width"] < 390  # figures stand beside their steps

    page.goto(f"{address}/tables/{table}?at=2")
    page.wait_for_selector("#past:has-text('after move 2')")
    tap(page, "N32")
    page.wait_for_selector("#hex-card:not([hidden])")  # nothing is taken up in the past
    page.tap("#past-live")
    page.wait_for_selector("#past", state="hidden")
