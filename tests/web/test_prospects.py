"""What now offers only what can be done: nothing to build from an empty pool, no enemy's units to move."""

from __future__ import annotations

from typing import Any

from warcabinet.model.places import place_key


def line(player: Any, command: str, power: str) -> Any:
    offers = player.get("/offers").json()
    return next(it for it in offers if it["command"] == command and it["known"].get("power") == power)


def test_nothing_is_built_from_an_empty_pool(person: Any) -> None:
    solo = person("Ada").create(options={"set_up": "reported", "mobilization": "reported", "forces": "none"})
    solo.post("/advance", to="unit construction")
    assert not line(solo, "build", "germany")["available"]
    assert line(solo, "build", "germany")["refusals"][0]["clause"] == "36.31"
    solo.do(do="report_pool", power="germany", unit="infantry 3-3", count=2)
    assert line(solo, "build", "germany")["available"]


def test_an_association_is_declined_only_where_one_is_about_to_be(solo: Any) -> None:
    found = line(solo, "decline_association", "germany")
    assert not found["available"]
    assert "no country is about to associate" in found["refusals"][0]["text"]


def test_units_are_ordered_by_their_own_side_in_its_turn(solo: Any) -> None:
    solo.post("/advance", to="movement")
    assert {it["nation"]: _moves(it) for it in solo.get("/orders", key=place_key("Berlin")).json()["units"]} == {
        "germany": True
    }
    paris = solo.get("/orders", key=place_key("Paris")).json()["units"]
    assert paris
    assert not any(_moves(it) for it in paris)


def _moves(units: Any) -> bool:
    return any(it["command"] == "move" for it in units["orders"])
