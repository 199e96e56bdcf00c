"""Where places may be named, how far supply reaches, and what a year start would be if."""

from __future__ import annotations

from typing import Any


def places(player: Any, **asked: Any) -> dict[str, Any]:
    answer = player.post("/places", **asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_place_is_legal_or_says_why_not(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    asked = {"command": "build", "field": "at", "known": {"power": "germany"}}
    found = places(solo, **asked)
    assert "europe/L31" in found["legal"]
    against = {reason["clause"]: reason["places"] for reason in found["reasons"]}
    assert "europe/M25" in against["WC.27"]
    one = places(solo, **asked, place="Brussels")
    assert one["legal"] == []
    assert "Brussels" in one["reasons"][0]["text"]
    assert places(solo, **asked, place="Berlin")["legal"] == ["europe/L31"]
    # What is wrong with another field is not held against the places.
    wrong = {**asked, "known": {"power": "germany", "units": ["40 armor 4-6"]}}
    assert places(solo, **wrong)["legal"] == found["legal"]


def test_units_are_set_up_where_their_country_is(solo: Any) -> None:
    solo.post("/advance", to="declarations of war")
    assert solo.do(do="declare_war", power="germany", on=["belgium"]).status_code == 200
    assert solo.post("/advance", to="").status_code == 200
    known = {"by": "britain", "country": "belgium"}
    field = solo.post("/narrow", command="deploy", known=known).json()["fields"]["units"]
    assert {"unit": "infantry 1-3", "count": 3, "said": "3 infantry 1-3"} in field["pool"]
    found = places(solo, command="deploy", field="units", known=known, unit="1 infantry 1-3")
    assert found["legal"] == ["europe/L25", "europe/M25"]
    assert {reason["clause"] for reason in found["reasons"]} == {"82.55"}


def test_choices_say_why_they_may_not_be(solo: Any) -> None:
    solo.post("/advance", to="declarations of war")
    offer = solo.post("/narrow", command="declare_war", known={"power": "germany"}).json()
    choices = {choice["value"]: choice.get("no") for choice in offer["fields"]["on"]["choices"]}
    assert choices["belgium"] is None
    assert choices["poland"]["clause"]


def test_one_side_of_a_war_is_not_judged_before_the_other_is_named(solo: Any) -> None:
    form = solo.post("/narrow", command="report_war")
    assert form.status_code == 200, form.text
    assert "no" not in form.json()["fields"]["between"]["choices"][0]


def test_every_form_opens(solo: Any) -> None:
    for offer in solo.get("/offers").json():
        form = solo.post("/narrow", command=offer["command"], known=offer["known"])
        assert form.status_code == 200, (offer["command"], form.text)
        assert set(form.json()["fields"]) == set(form.json()["order"]) - set(offer["known"])


def test_only_fields_that_name_places_have_legal_ones(solo: Any) -> None:
    assert solo.post("/places", command="spend", field="brp").status_code == 400
    assert solo.post("/places", command="fly", field="to").status_code == 404
    assert solo.post("/places", command="build", field="at", place="Narnia").status_code == 400


def test_supply_reaches_over_land_and_sea_and_says_what_cuts_it(solo: Any) -> None:
    germany = solo.get("/supply", board="europe", power="germany", to="Vienna").json()
    assert germany["line"]["found"]
    assert "L31" in germany["land"]
    assert not set(germany["land"]) & set(germany["sea"])
    cut = solo.get("/supply", board="europe", power="germany", to="Paris").json()["line"]
    assert (cut["found"], bool(cut["cut"])) == (False, True)
    britain = solo.get("/supply", board="europe", power="britain", to="Cairo").json()
    assert britain["line"]["by_sea"]
    assert solo.get("/supply", board="europe", power="atlantis").status_code == 400
    assert solo.get("/supply", board="europe", power="germany", to="Tokyo").status_code == 400


def test_supply_by_sea_ends_where_a_passage_is_shut(solo: Any) -> None:
    """Russia's ports on the Black Sea lie behind the Bosporus, which it does not hold."""
    russia = solo.get("/supply", board="europe", power="russia").json()
    assert "Bosporus and Dardanelles" in russia["shut"]
    assert not {"AA32", "BB31"} & set(russia["sea"])


def year_totals(answer: Any) -> dict[str, int]:
    rows = {row["rule"]: row["cells"] for row in answer.json()["rows"]}
    return {power: cell["value"] for power, cell in rows["year_total"].items()}


def test_a_year_start_can_be_supposed_and_changes_nothing(solo: Any) -> None:
    before = year_totals(solo.get("/forecast"))
    changes = [{"figure": "powers.germany.brp", "to": 0}, {"figure": "books.germany.belgium", "to": 15}]
    supposed = solo.post("/forecast", changes=changes)
    after = year_totals(supposed)
    assert after["germany"] != before["germany"]
    assert after["france"] == before["france"]
    asked = {"changes": changes, "rule": "year_total", "power": "germany"}
    assert solo.post("/forecast/explain", **asked).json()["tree"]["value"] == after["germany"]
    limits = {row["rule"]: row["cells"] for row in supposed.json()["rows"]}["construction_limit"]["germany"]
    why = solo.post("/forecast/explain", changes=changes, rule="construction_limit", power="germany").json()
    assert why["tree"]["value"] == limits["value"]
    assert year_totals(solo.get("/forecast")) == before
    assert solo.post("/forecast", changes=[{"figure": "powers.germany.luck", "to": 1}]).status_code == 400


def test_a_limit_tells_what_is_used_and_left(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    solo.do(do="spend", power="germany", brp=12, on="unit construction")
    then = solo.get("/explain", rule="construction_limit", args="germany").json()["then"]
    assert [(it["rule"], it["value"]) for it in then] == [("constructed", 12), ("construction_left", 38)]


def orders(player: Any, key: str) -> dict[tuple[str, str], Any]:
    found = player.get("/orders", key=key).json()["orders"]
    return {(it["command"], it["known"].get("power", "")): it for it in found}


def test_a_place_tells_which_orders_may_name_it_and_why_not_the_others(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    brussels, berlin = orders(solo, "europe/M25"), orders(solo, "europe/L31")
    assert brussels["build", "germany"]["refusals"][0]["clause"] == "WC.27"
    assert berlin["build", "germany"] | {"refusals": []} == berlin["build", "germany"]
    assert berlin["build", "germany"]["given"] == {"at": "europe/L31"}
    # A place that decides over a country is a way to name the country.
    assert brussels["report_status", ""]["given"] == {"country": "belgium"}
    # What can be done stands before what cannot.
    assert [bool(it["refusals"]) for it in brussels.values()] == sorted(
        bool(it["refusals"]) for it in brussels.values()
    )


def test_units_that_stand_somewhere_can_be_named_by_orders(solo: Any) -> None:
    there = solo.get("/orders", key="europe/N32").json()["units"]
    (stack,) = [it for it in there if it["unit"] == "infantry 3-3"]
    assert (stack["nation"], stack["unit"], stack["count"]) == ("germany", "infantry 3-3", 2)
    given = {it["command"]: it["given"] for it in stack["orders"]}
    assert given["report_move"] == {"power": "germany", "units": ["2 infantry 3-3"], "origin": "europe/N32"}
    assert given["report_units"]["at"] == "europe/N32"
    box = solo.get("/orders", key="box/india_box").json()
    assert {(it["nation"], it["unit"]) for it in box["units"]} == {("britain", "armor 2-3"), ("britain", "transport")}


def test_a_refusal_marks_the_words_that_offend_and_what_a_referee_can_rule(solo: Any) -> None:
    refused = solo.do(do="spend", power="germany", brp=900, on="other").json()["refused"]
    assert [part["text"] for part in refused["parts"] if part["wrong"]] == ["900 BRPs"]
    assert "no_deficits_yet" in {why["rule"] for why in refused["rests_on"]}
    ruled = solo.do(do="rule", rule="no_deficits_yet", **{"is": False}, reason="house rule")
    assert ruled.status_code == 200, ruled.text
    assert solo.do(do="spend", power="germany", brp=160, on="other").status_code == 200


def test_chinas_map_says_who_may_go_where(solo: Any) -> None:
    found = solo.get("/china").json()
    assert {"name": "Peking", "hex": "J25", "holder": "japan"} in found["objectives"]
    assert "P19" in found["nationalists"]
    assert "L22" in found["communists"]
    going = {it["letter"]: it for it in found["going"]}
    assert going["G"]["reach"] == "China"
    assert "W12" not in going["G"]["hexes"]
    # Rangoon is open to the Flying Tigers in peace (78.61A), Mukden to Wang units (80.33).
    assert "W12" in going["T"]["hexes"]
    assert "I28" in going["W"]["hexes"]
    assert "I28" not in going["C"]["hexes"]
    told = {it["clause"] for it in solo.get("/powers/china").json()["own_rules"]}
    assert {"78.31", "78.41", "80.31A", "80.41"} <= told
    assert solo.get("/powers/germany").json()["own_rules"] == []
