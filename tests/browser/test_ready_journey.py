"""A phase of two partners on three screens: who is ready is seen by all, and nobody is cut off with a full hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steps import ask, settle
from test_hands import drag

SEATS = [
    {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
    {"title": "West", "powers": ["britain", "france"], "mine": False},
    {"title": "East", "powers": ["russia", "usa", "china"], "mine": False},
]
PHASE = "() => cabinet.modules['store.js'].store.view.position.clock.phase"


def test_two_partners_close_a_phase_together(someone: Callable[..., Any], server: Any) -> None:
    anna, ben, clara = someone(), someone(), someone()
    api = f"{server.address}/api/v1/tables"
    quiet = {"set_up": "reported", "mobilization": "reported"}
    table = ask(anna, api, title="Three", name="Anna", seats=SEATS, options=quiet)["table"]
    for page, seat, name in ((ben, "seat2", "Ben"), (clara, "seat3", "Clara")):
        made = ask(anna, f"{api}/{table}/seats/{seat}/invitations")["invitation"]
        page.goto(f"{server.address}/")
        ask(page, f"{server.address}/api/v1/join", invitation=made, name=name)
    ask(ben, f"{api}/{table}/do", do="deploy", by="britain", country="poland")
    ask(anna, f"{api}/{table}/advance", to="Fall 1939, Allied")
    while "movement" not in ask(anna, f"{api}/{table}/advance", over="to where the test begins")["moves"][-1]["when"]:
        pass
    for page in (anna, ben, clara):
        page.goto(f"{server.address}/tables/{table}")
        page.wait_for_selector("body[data-ready=yes]")
    # Ben is ready: everybody sees it, nothing closes.
    ben.wait_for_selector("#now .ready strong:has-text('Close movement')")
    ben.keyboard.press("n")
    ben.wait_for_selector("#now .ready strong:has-text('You are ready')")
    for page in (anna, ben, clara):
        page.wait_for_selector("#ready-seals:has-text('1 of 2 ready')")
        assert page.evaluate(PHASE) == "movement"
    # Clara takes a counter up: her Ready is off, and so is every override; Ben reads what she holds.
    drag(clara, "I41", "H41")
    clara.keyboard.press("n")
    clara.wait_for_selector("#toasts p:has-text('drop it first')")
    ben.wait_for_selector("#now .ready-list .not:has-text('holds 1')")
    anna.wait_for_selector("#now button:has-text('Close over Clara'):disabled")
    # What Clara holds lies pale on Ben's map, and on no enemy's.
    held = "() => cabinet.modules['map/map.js'].map.others.map((it) => `${it.at} ${it.label}`)"
    settle(ben, held, answer=["europe/I41 in Clara’s hand"])
    # Anna is the referee and plays the other side: she reads that the hand is full, and nothing of what is in it.
    assert anna.evaluate("() => cabinet.modules['store.js'].store.view.ready.seats[1].hand") == "something"
    assert anna.evaluate(held) == []
    clara.keyboard.press("Escape")
    clara.mouse.up()
    settle(ben, held, answer=[])
    ben.click("#now button:has-text('Nudge Clara')")
    ben.wait_for_selector("#toasts p:has-text('reminded')")
    anna.wait_for_selector("#now button:has-text('Close over Clara'):enabled")
    # The other side's N closes nothing.
    anna.keyboard.press("n")
    anna.wait_for_selector("#toasts p.deny, #refusal[open]")
    assert clara.evaluate(PHASE) == "movement"
    # Not ready after all, and again; with Clara's it closes, and the log says by whom.
    ben.keyboard.press("n")
    ben.wait_for_selector("#now .ready strong:has-text('Close movement')")
    ben.keyboard.press("n")
    clara.wait_for_selector("#ready-seals:has-text('1 of 2 ready')")
    clara.click("#now #next-step")
    for page in (anna, ben, clara):
        settle(page, PHASE, None, "combat")
        page.wait_for_selector("#log li:has-text('closed by all: Ben, Clara; last Clara')")
        page.wait_for_selector("#toasts p:has-text('closed by all')")
    # The referee closes over the other side by a question, with a word that all read.
    anna.click("#now button:has-text('Close over Ben and Clara')")
    anna.fill("#over-why", "it is late")
    anna.click("#modal .main")
    for page in (ben, clara):
        page.wait_for_selector("#log li:has-text('closed by Anna, referee, over Ben and Clara: it is late')")
