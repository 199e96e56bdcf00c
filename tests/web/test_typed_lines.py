"""The command line of the table: what it understands, what it points out, what it proposes from what is there."""

from __future__ import annotations

from typing import Any


def read(player: Any, line: str) -> Any:
    answer = player.post("/read", line=line)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_order_with_what_is_missing_and_why_it_may_not_be(solo: Any) -> None:
    found = read(solo, "build germany armor 4-6 in Berlin")
    assert found["given"] == {"power": "germany", "units": ["1 armor 4-6"], "at": "Berlin"}
    assert found["missing"] == []
    assert "unit construction" in found["refusals"][0]["text"]
    assert found["refusals"][0]["next"].startswith("Fall 1939, Axis, unit construction")
    assert read(solo, "Berlin") is None


def test_units_are_proposed_from_the_counters_there_are(solo: Any) -> None:
    proposed = {it["line"]: it["note"] for it in read(solo, "report pool italy ")["proposals"]}
    assert any(line.startswith("report pool italy armor 2-5") for line in proposed)
    stands = sum(it["count"] for it in solo.get().json()["position"]["pieces"] if _german_armor(it))
    moved = read(solo, "move germany ")["proposals"]
    assert {"line": "move germany armor 4-6 ", "note": f"{stands} on the map"} in moved
    form = solo.post("/narrow", command="move", known={"nation": "germany"}).json()
    assert {it["unit"]: it["count"] for it in form["fields"]["unit"]["counters"]}["armor 4-6"] == stands


def test_a_mobilization_proposes_only_what_it_may_bring(solo: Any) -> None:
    """Submarines, flak and whatever else only production adds are not among the counters of its form (36.33)."""
    form = solo.post("/narrow", command="mobilize", known={"power": "italy"}).json()
    named = {it["unit"] for it in form["fields"]["units"]["counters"]}
    assert {"army air", "naval air", "infantry 2-3", "armor 2-5"} <= named
    assert not named & {"submarine", "flak", "transport", "flying tiger", "partisan", "airbase"}
    assert form["fields"]["war_on"]["shut"]
    # What waits in the force pool to be built is none of its units.
    assert not form["fields"]["units"].get("pool")


def _german_armor(stack: Any) -> bool:
    return bool(stack["nation"] == "germany" and stack["unit"] == "armor 4-6")


def test_a_wrong_word_is_pointed_out_and_put_right(solo: Any) -> None:
    found = read(solo, "spend germany 9 ofensive")
    assert [it["text"] for it in found["unread"]] == ["ofensive"]
    assert "spend germany 9 offensive operations" in [it["line"].strip() for it in found["proposals"]]


def test_whoever_holds_one_power_need_not_name_it(person: Any) -> None:
    seats = [
        {"title": "Germany", "powers": ["germany"], "mine": True},
        {
            "title": "The rest",
            "powers": ["italy", "japan", "britain", "france", "russia", "usa", "china"],
            "mine": False,
        },
    ]
    host = person("Ada").create(seats=seats)
    assert read(host, "spend 9 other")["given"] == {"power": "germany", "brp": 9, "on": "other"}
