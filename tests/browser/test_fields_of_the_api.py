"""The page asks for nothing, says nothing and reads nothing that the API's description does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from steps import PATIENT, ask, sit_down, spring_1942

from warcabinet.web.server import openapi

WATCH = (Path(__file__).parent / "fields.js").read_text(encoding="utf-8")
VIEWS = ("pacific", "powers", "countries", "aid", "forecast", "plans", "log", "europe")
OUTSIDE = "() => [...outsideTheApi]"


@pytest.fixture
def watched(someone: Any) -> Any:
    page = someone()
    page.add_init_script(f"({WATCH})({json.dumps(openapi.description())})")
    return page


def test_the_watch_sees_what_is_not_described(watched: Any, server: Any) -> None:
    sit_down(watched, server.address)
    watched.evaluate("async () => (await cabinet.modules['api.js'].table.get('', { since: 'x' })).position.nothing")
    watched.evaluate("() => cabinet.modules['api.js'].hall.get('/nowhere').catch(() => null)")
    assert watched.evaluate(OUTSIDE) == [
        "get /api/v1/tables/{table} is not asked by since",
        "get /api/v1/tables/{table}.position has no nothing",
        "no get /api/v1/nowhere",
    ]


def test_every_view_of_a_table_keeps_to_the_description(watched: Any, server: Any) -> None:
    spring_1942(watched, server.address)
    for view in VIEWS:
        watched.click(f".views [data-view={view}]")
        watched.wait_for_load_state("networkidle")
    for opens in ("people", "talk", "help"):
        watched.click(f"#{opens}")
        watched.wait_for_load_state("networkidle")
        watched.keyboard.press("Escape")
    watched.click("#rail .number >> nth=0")
    watched.wait_for_selector("#explain .because, #explain li")
    watched.keyboard.press("Escape")
    watched.click("#log .opens, #log button >> nth=0")
    watched.wait_for_load_state("networkidle")
    assert watched.evaluate(OUTSIDE) == []


def test_orders_and_refusals_keep_to_the_description(watched: Any, server: Any) -> None:
    sit_down(watched, server.address)
    for command, known in (("spend", {"power": "germany", "brp": 9}), ("mobilize", {"power": "britain"})):
        watched.evaluate("([name, known]) => cabinet.modules['order.js'].openCommand(name, known)", [command, known])
        watched.wait_for_selector("#order footer .main")
        watched.click("#order footer .main")
        watched.wait_for_load_state("networkidle")
        watched.keyboard.press("Escape")
        watched.keyboard.press("Escape")
    watched.evaluate(
        "() => cabinet.modules['hexcard.js'].openHex(cabinet.modules['map/map.js'].map.board.hexes.get('K27'))"
    )
    watched.wait_for_load_state("networkidle")
    assert watched.evaluate(OUTSIDE) == []


def test_hall_and_editor_keep_to_the_description(watched: Any, server: Any) -> None:
    ask(watched, f"{server.address}/api/v1/tables", title="War", name="Ada")
    for path, there in (("/", "#new-table"), ("/you", "h1"), ("/setup", "#trays details")):
        watched.goto(server.address + path)
        watched.wait_for_selector(there, timeout=PATIENT)
        watched.wait_for_load_state("networkidle")
        assert watched.evaluate(OUTSIDE) == []
