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
