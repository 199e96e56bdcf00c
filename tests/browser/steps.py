"""What a person does at the table, in a few words."""

from __future__ import annotations

from typing import Any


def open_table(page: Any, address: str, plan: str = "solo") -> str:
    page.goto(address + "/")
    page.fill("#name", "Ada")
    page.check(f"input[name=plan][value={plan}]")
    page.click("#new-table button[type=submit]")
    page.wait_for_selector("body[data-ready=yes]")
    return str(page.url)


#: The mobilizations with which the classic campaign opens.
OPENING = {
    "italy": [("2", "army air", ""), ("2", "infantry", "1-3")],
    "japan": [("3", "army air", ""), ("6", "naval air", "")],
}


def mobilize(page: Any, power: str, units: list[tuple[str, str, str]], defer: str = "") -> None:
    """Make a mobilization by its form: units one kind at a time, with what is put off."""
    page.click(f"[data-command=mobilize][data-power={power}] .go")
    for count, kind, strength in units:
        page.select_option("#order select[name=units-kind]", kind)
        page.fill("#order input[name=units-count]", count)
        if strength:
            page.fill("#order input[name=units-strength]", strength)
        page.click("#order .units button")
        page.wait_for_selector(f"#order .picked button:has-text('{kind}')")
    if defer:
        page.fill("#order input[name=defer]", defer)
    page.wait_for_selector("#order .outcome .change")
    page.click("#order footer .main")
    page.wait_for_selector(f"[data-command=mobilize][data-power={power}]:not(.no)", state="detached")


def open_the_war(page: Any) -> None:
    mobilize(page, "italy", OPENING["italy"])
    mobilize(page, "japan", OPENING["japan"], defer="5")


def level(page: Any, power: str) -> int:
    return int(page.inner_text(f"#card-{power} .level"))


def until(page: Any, power: str, value: int) -> None:
    """Wait until a power's level is shown as this."""
    page.wait_for_selector(f"#card-{power} .level:text-is('{value}')")


def step_to(page: Any, phase: str) -> None:
    """Go on by the button until a phase is reached."""
    for _ in range(20):
        if phase.lower() in page.inner_text("#phases .steps .now").lower():
            return
        was = page.inner_text("#moment")
        page.click("#next-step")
        page.wait_for_function("was => document.querySelector('#moment').textContent !== was", arg=was)
    raise AssertionError(f"never came to {phase}")
