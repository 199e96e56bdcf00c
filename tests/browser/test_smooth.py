"""The map stays smooth on a crowded board: no task of the page takes 50 ms of a processor in a drag or a wheel step."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from steps import AS_SHOWN, ask, settle, spot
from test_hands import READY

from warcabinet.board.maps import board

NATIONS = ("germany", "italy", "britain", "russia", "france", "usa")
KINDS = ("infantry 3-3", "armor 4-6", "army air", "infantry 1-3", "armor 5-6")
STACKS = 1500
LONG = 50_000  # microseconds
#: A machine that collects its garbage or starts a thread may still be late once.
SPARE = 1


def crowded() -> str:
    """A position with fifteen hundred stacks, as many on a hex as there are kinds."""
    land = [h.id for h in board("europe") if h.is_land]
    lines = []
    for n in range(STACKS):
        kind, _, strength = KINDS[n // len(land) % len(KINDS)].rpartition(" ")
        unit = f"type: {kind}, strength: {strength}" if "-" in strength else f"type: {kind} {strength}"
        nation = NATIONS[n % len(land) * len(NATIONS) // len(land)]
        lines.append(f"  - {{nation: {nation}, {unit}, at: europe/{land[n % len(land)]}, count: {1 + n % 4}}}")
    head = ["scenario: classic-1939", "turn: Spring 1942", "player: axis", "phase: movement", "units:"]
    return "\n".join((*head, *lines))


def late(page: Any, deed: Callable[[], None]) -> list[int]:
    """The tasks of the page's own thread that took longer while something was done, by processor time."""
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["devtools.timeline", "toplevel"])
    deed()
    page.wait_for_timeout(500)  # the picture is painted sharp when the view rests
    events = json.loads(browser.stop_tracing())["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tasks = [e for e in events if e.get("tdur") and names.get((e["pid"], e["tid"])) == "CrRendererMain"]
    assert tasks
    return [e["tdur"] for e in tasks if e["name"].endswith("RunTask") and e["tdur"] > LONG]


def test_drag_and_wheel_never_stutter(someone: Any, server: Any) -> None:
    page = someone(**AS_SHOWN)
    page.goto(f"{server.address}/")
    made = ask(page, f"{server.address}/api/v1/tables", title="Crowd", name="Ada", position=crowded())
    page.goto(f"{server.address}/tables/{made['table']}")
    page.wait_for_selector("body[data-ready=yes]")
    x, y = spot(page, "N32")

    def wheel() -> None:
        page.mouse.move(x, y)
        for step in (100, 100, -100, -100, -100, 100):
            page.mouse.wheel(0, step)
            page.wait_for_timeout(200)

    def pan() -> None:
        sea = spot(page, "G27")  # on land there are counters everywhere, which would be taken up
        page.mouse.move(*sea)
        page.mouse.down()
        for n in range(30):
            page.mouse.move(sea[0] + n * 8, sea[1] + n * 5)
        page.mouse.up()

    def carry() -> None:
        at = spot(page, "N32")
        page.mouse.move(*at)
        page.mouse.down()
        page.mouse.move(at[0] + 9, at[1] + 3, steps=3)
        settle(page, READY)
        for n in range(40):
            page.mouse.move(at[0] + n * 7, at[1] - n * 3)
        page.keyboard.press("Escape")
        page.mouse.up()

    for deed in (wheel, carry, pan):
        assert len(late(page, deed)) <= SPARE, deed.__name__
