"""A newcomer is led around: an order accepted, a refusal understood, a sum opened; by mouse and keys, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steps import settle
from test_hands import drag

#: Whether the card lies over the sum that it speaks of.
OVER = """() => {
  const [a, b] = ["#walk", "#explain"].map((it) => document.querySelector(it).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def _step(page: Any, title: str) -> None:
    page.wait_for_selector(f"#walk-title:text-is('{title}')")


def test_the_opening_walk_by_mouse_and_keys(someone: Callable[..., Any], server: Any) -> None:
    page = someone()
    page.goto(server.address + "/")
    page.fill("#name", "Nora")
    page.click("#walk-in")
    _step(page, "This is a real position")
    page.keyboard.press("Enter")  # Next has the focus
    _step(page, "Every number opens its sum")
    page.click("#card-germany .number >> nth=0")
    _step(page, "Down to the clause")
    settle(page, OVER, answer=False)
    page.keyboard.press("Escape")
    _step(page, "What now")
    page.click("#fold-denied")
    page.click("#now .offer.no .go >> nth=0")
    _step(page, "A refusal is understood")
    assert "Not allowed" in page.inner_text("#refusal h2")
    page.keyboard.press("Escape")
    _step(page, "Give an order")
    before = int(page.inner_text("#card-germany .level"))
    page.keyboard.press("/")
    page.keyboard.type("spend germany 5 other")
    page.keyboard.press("Enter")
    _step(page, "See what follows, then give it")
    page.wait_for_selector("#order .outcome .change")
    page.click("#order footer .main")
    _step(page, "The order is in the log")
    page.wait_for_selector(f"#card-germany .level:text-is('{before - 5}')")
    page.click("#log .number >> nth=0")
    _step(page, "On to movement")
    assert "−5" in page.inner_text("#explain")
    # Armies: a stack moves, another attacks, and what is built is dragged from the pool.
    page.keyboard.press("Escape")
    page.click("#phases .steps :text('Movement')")
    _step(page, "Move a stack")
    drag(page, "I43", "I42")
    page.mouse.up()
    _step(page, "Attack")
    drag(page, "E44", "D44")
    page.mouse.up()
    _step(page, "A battle in five steps")
    page.keyboard.press("Escape")
    _step(page, "On to unit construction")
    page.click("#phases .steps :text('Unit construction')")
    _step(page, "Build")
    page.keyboard.press("b")
    _step(page, "That is all you need")
    page.keyboard.press("Escape")
    page.click("#walk footer button >> nth=0")
    page.wait_for_selector("#walk", state="hidden")
    # It is found again under the help, on a position of its own.
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.click("#walk-again")
    _step(page, "This is a real position")


def test_the_opening_walk_on_a_phone_can_be_skipped(someone: Callable[..., Any], server: Any) -> None:
    page = someone(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(server.address + "/")
    page.fill("#name", "Nora")
    page.tap("#walk-in")
    _step(page, "This is a real position")
    page.tap("#walk footer .main")
    _step(page, "Every number opens its sum")
    box = page.locator("#walk").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.tap("#walk footer button:has-text('Skip')")
    page.wait_for_selector("#walk", state="hidden")
    assert page.locator(".walk-here").count() == 0
