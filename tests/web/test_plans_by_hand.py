"""Plans by hand at the table: looked at, changed, tried, played ahead; the map of a run; and what bounds all of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

PLAN = """plan: Does Warsaw fall?  # a question
until: Winter 1939
uncertain:
  Warsaw falls: {chance: 50%}
orders:
  - {when: "Fall 1939, Axis, combat", if: Warsaw falls, do: report_control, places: [Warsaw], by: germany}
  - {when: "Fall 1939, Axis, combat", do: spend, power: germany, brp: 900, "on": offensive operations}
"""


@pytest.fixture
def host(person: Callable[[str], Any]) -> Any:
    return person("Anna").create()


def test_a_plan_is_looked_at_and_changed_where_it_is_written(host: Any) -> None:
    seen = host.post("/plans/hand", text=PLAN).json()
    assert seen["text"] == PLAN
    taken, spent = seen["sheet"]["lines"]
    assert (taken["turn"], taken["phase"], taken["power"], taken["condition"]) == (
        "Fall 1939",
        "combat",
        "germany",
        "Warsaw falls",
    )
    assert taken["line"] == 6
    assert spent["words"] == "Germany: spend 900 BRPs on offensive operations"
    (thing,) = seen["sheet"]["uncertain"]
    assert (thing["odds"], thing["uses"]) == ([["yes", 50.0], ["no", 50.0]], [0])
    change = {"path": ["uncertain", "Warsaw falls", "chance"], "value": "80%"}
    after = host.post("/plans/hand", text=PLAN, edits=[change]).json()
    assert after["text"] == PLAN.replace("50%", "80%")
    assert after["sheet"]["uncertain"][0]["odds"][0] == ["yes", 80.0]


def test_every_fault_is_there_with_its_remedies(host: Any) -> None:
    bad = PLAN.replace("[Warsaw]", "[Warsau]").replace("50%", "150%").replace("do: spend", "do: spent")
    sheet = host.post("/plans/hand", text=bad).json()["sheet"]
    assert [it["line"] for it in sheet["faults"]] == [4, 6, 7]
    assert sheet["lines"][0]["faults"][0]["remedies"][0]["label"] == "Make it Warsaw"
    unread = host.post("/plans/hand", text="plan: [").json()["sheet"]
    assert not unread["read"]
    assert len(unread["faults"]) == 1


def test_what_follows_from_a_line_is_offered_until_it_stands_in_the_plan(host: Any) -> None:
    paris = PLAN.replace("[Warsaw]", "[Paris]")
    (offer,) = host.post("/plans/hand", text=paris).json()["sheet"]["lines"][0]["follows"]
    assert offer["label"] == "France surrenders if Paris is German"
    after = host.post("/plans/hand", text=paris, edits=offer["edits"]).json()["sheet"]
    assert [(it["command"], it["condition"]) for it in after["lines"]][:2] == [
        ("report_control", "Warsaw falls"),
        ("report_surrender", "Paris is German"),
    ]
    assert not after["faults"]
    assert not any(it["follows"] for it in after["lines"])


def test_a_move_is_a_line_of_the_palette(host: Any) -> None:
    move = next(it for it in host.get("/plans/palette").json() if it["command"] == "move")
    assert [it["name"] for it in move["fields"]] == ["nation", "unit", "from", "to", "how"]
    fields = {"nation": "germany", "unit": "infantry 3-3", "from": "Berlin", "to": "Warsaw", "how": "redeployment"}
    line = {"when": "Fall 1939, Axis, redeployment", "do": "move", **fields}
    sheet = host.post("/plans/hand", text=PLAN, edits=[{"path": ["orders", 2], "value": line}]).json()["sheet"]
    assert not sheet["faults"]
    assert sheet["lines"][2]["power"] == "germany"


def test_the_likeliest_future_says_what_a_line_costs_and_what_refuses_it(host: Any) -> None:
    found = host.post("/plans/try", text=PLAN).json()
    assert found["ended"]
    taken, spent = found["orders"]
    assert not taken["refused"]
    assert spent["clauses"]
    assert spent["refused"]
    mended = host.post("/plans/try", text=PLAN.replace("900", "9")).json()
    assert mended["orders"][1]["brp"] == -9


def test_what_was_played_on_a_copy_becomes_a_plan_at_its_table(host: Any, person: Callable[[str], Any]) -> None:
    host.mobilize("italy", "japan").post("/advance", to="Fall 1939, Axis, combat")
    assert host.post("/plans/played").status_code == 409  # no copy
    copy = host.post("/what-if").json()["table"]
    mine, home = host, host.table
    mine.table = copy
    assert mine.get("/plans").json()["copy_of"]
    assert "nothing was ordered" in mine.post("/plans/played").json()["error"]
    mine.do(do="report_control", places=["Warsaw"], by="germany")
    mine.post("/advance", to="Fall 1939, Axis, unit construction")
    mine.do(do="build", power="germany", at="Berlin", units=["1 infantry 3-3"])
    made = mine.post("/plans/played").json()
    assert made["url"].endswith(f"/tables/{home}#plans")
    mine.table = home
    (kept,) = mine.get("/plans").json()["mine"]
    assert kept["text"] == made["text"]
    sheet = mine.post("/plans/hand", text=made["text"]).json()["sheet"]
    assert not sheet["faults"]
    assert [(it["command"], it["phase"]) for it in sheet["lines"]] == [
        ("report_control", "combat"),
        ("build", "unit construction"),
    ]


def test_the_map_of_a_run_tells_chances_and_what_decides_them(host: Any) -> None:
    made = host.post("/plans/runs", text=PLAN, samples=16, seed=1).json()
    for _ in range(600):
        if host.get(f"/plans/runs/{made['id']}").json()["run"]["state"] != "running":
            break
        time.sleep(0.1)
    page = host.get(f"/plans/runs/{made['id']}").json()
    assert not page["result"]["atlas"]["of"]  # the map is asked for by itself
    seen = host.get(f"/plans/runs/{made['id']}/map", by="Winter 1939").json()
    assert seen["turns"] == ["Fall 1939", "Winter 1939"]
    assert seen["futures"] == 16
    warsaw = next(it for it in seen["places"] if it["name"] == "Warsaw")
    share = warsaw["shares"]["germany"]
    assert 0 < share < 1
    assert seen["hexes"]["europe/M35"]["germany"] == share
    chance = host.get(f"/plans/runs/{made['id']}/chance", of="Warsaw", by="Winter 1939").json()
    assert [it["thing"] for it in chance["causes"]] == ["Warsaw falls"]
    card = host.get(f"/plans/runs/{made['id']}/chance.html", of="Warsaw", by="Winter 1939").text
    assert f'data-future="{chance["stands"][1]["first"]}"' in card
    assert 'data-thing="Warsaw falls"' in card
    assert host.get(f"/plans/runs/{made['id']}/map", by="Winter 1944").status_code == 400
    assert host.get(f"/plans/runs/{made['id']}/chance", of="Atlantis").status_code == 400


def test_what_a_stranger_sends_is_bounded(host: Any) -> None:
    long = PLAN + "# " + "x" * 20_000 + "\n"
    assert host.post("/plans/hand", text=long).status_code == 413
    assert host.post("/plans/try", text=long).status_code == 413
    many = [{"path": ["until"], "value": "Winter 1939"}] * 41
    assert host.post("/plans/hand", text=PLAN, edits=many).status_code == 400
    ways = ", ".join(map(str, range(500)))
    wide = f"{PLAN}choose: {{a: {{one of: [{ways}]}}}}\nwant: [{{most: germany base, at: Winter 1939}}]\n"
    assert "too much is open" in host.post("/plans/runs", text=wide, best=True).json()["error"]
    assert host.post("/plans/hand", text="plan: a\n" + "a: " + "[" * 500).json()["sheet"]["faults"]
