"""What is pressed stays under the hand until it is let go, whatever comes in from somebody else meanwhile."""

from __future__ import annotations

from typing import Any

from steps import ask, settle, sit_down


def test_news_do_not_take_a_button_from_under_the_hand(someone: Any, server: Any) -> None:
    page = someone()
    sit_down(page, server.address)
    table = page.get_attribute("body", "data-table")
    # The first of them becomes the present phase, and no button any more; the next one stays.
    button = page.locator("#phases button.go").nth(1)
    box, pressed = button.bounding_box(), button.element_handle()
    pressed.evaluate("(it) => it.addEventListener('click', () => (document.body.dataset.pressed = 'yes'))")
    moves = page.text_content("#log-count")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with page.expect_response(lambda answer: "/changes" in answer.url):
        ask(page, f"{server.address}/api/v1/tables/{table}/do", do="advance")
    assert pressed.evaluate("(it) => it.isConnected")
    page.mouse.up()
    page.wait_for_selector("body[data-pressed=yes]")
    settle(page, "(n) => document.querySelector('#log-count').textContent !== n", moves)
