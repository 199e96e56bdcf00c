"""Small things that hurt: words dropped by the command line, notes lost on closing, presses lost on the slider."""

from __future__ import annotations

from typing import Any

from steps import settle, skip_to, spring_1942


def test_the_command_line_drops_no_word_and_notes_and_presses_are_kept(solo: Any) -> None:
    # What the table shows can be typed; a word that means nothing is pointed out and stays in the line.
    solo.fill("#command", "spend germany 9 othr")
    solo.press("#command", "Enter")
    solo.wait_for_selector("#toasts:has-text('is not understood: did you mean other?')")
    assert solo.input_value("#command") == "spend germany 9 othr"
    solo.fill("#command", "places=Warsaw by=germany")
    solo.wait_for_selector("#completions li:has-text('Hexes were taken · Warsaw · Germany')")
    solo.press("#command", "Enter")
    solo.wait_for_selector("#order-title:has-text('Hexes were taken')")
    solo.wait_for_selector("#order .picked button:has-text('Warsaw')")
    solo.keyboard.press("Escape")
    # Notes are kept as they are typed: the drawer is closed without a word.
    solo.click("#talk")
    solo.click("#drawer [role=tab]:has-text('Notes')")
    solo.fill("#drawer textarea", "attack in May")
    solo.keyboard.press("Escape")
    solo.reload()
    solo.wait_for_selector("body[data-ready=yes]")
    solo.click("#talk")
    solo.click("#drawer [role=tab]:has-text('Notes')")
    assert solo.input_value("#drawer textarea") == "attack in May"
    solo.click("#drawer .close")
    # Every press on the slider counts, however quick.
    skip_to(solo, "unit construction")
    solo.focus("#history")
    top = int(solo.get_attribute("#history", "max"))
    for _ in range(6):
        solo.keyboard.press("ArrowLeft")
    settle(solo, f"() => document.querySelector('#moment').textContent.endsWith('after move {top - 6}')")
    assert solo.input_value("#history") == str(top - 6)


def test_a_line_that_means_nothing_says_so_and_the_force_pool_is_found(solo: Any) -> None:
    solo.fill("#command", "france surrenders")
    solo.wait_for_selector("#completions li:has-text('surrender')")
    solo.fill("#command", "zzyzx war")
    solo.wait_for_selector("#completions li:has-text('Nothing found')")
    solo.wait_for_selector("#completions li:has-text('declare war')")
    solo.fill("#command", "germany zzyzx")
    solo.wait_for_selector("#completions li:has-text('orders begin with a verb')")
    solo.press("#command", "Enter")
    solo.wait_for_selector(":text('“germany zzyzx” is no order')")
    assert solo.input_value("#command") == "germany zzyzx"
    solo.fill("#command", "germany war declare")
    solo.wait_for_selector("#completions li:has-text('declare war germany')")
    for line in ("force pool germany", "germany force pool"):
        solo.fill("#command", line)
        solo.wait_for_selector("#completions li:has-text('Germany: force pool')")
    solo.press("#command", "Enter")
    solo.wait_for_selector("#power-pool:focus")
    assert "Force pool, not built" in solo.inner_text(".one-power")
    assert "deficit room" in solo.inner_text("#card-germany")


def test_a_moment_is_told_only_with_its_own_position(someone: Any, server: Any) -> None:
    """While the past is still on its way, nothing on the page speaks of it: no picture mixes two moments."""
    page = someone()
    spring_1942(page, server.address)
    told = "() => [document.querySelector('#card-italy').ariaLabel, document.querySelector('#past').hidden]"
    assert page.evaluate(told) == ["Italy, at war", True]
    late: list[Any] = []
    page.route("**/changes?*", lambda route: late.append(route))
    page.focus("#history")
    page.keyboard.press("Home")
    page.wait_for_timeout(300)
    assert late
    assert page.evaluate(told) == ["Italy, at war", True]
    assert not page.locator("#now .history-note").count()
    late[0].continue_()
    page.wait_for_selector("#now .history-note")
    assert page.evaluate(told) == ["Italy, neutral", False]
