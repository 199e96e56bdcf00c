"""The set-up editor's desk: positions opened, changed by figures, judged at once, and written as files."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.figures.position import set_up
from warcabinet.figures.table import read
from warcabinet.figures.written import position_text, written
from warcabinet.game import Game
from warcabinet.model.names import countries, powers
from warcabinet.web.sheets.setup_findings import findings
from warcabinet.web.table.starting import read_position

CLASSIC = {"scenario": "classic-1939"}


@pytest.fixture(scope="module")
def late(war: Game) -> Any:
    """The state at the end of the demonstration."""
    return war.state


def laid(person: Any, position: Any = CLASSIC, **more: Any) -> Any:
    answer = person("Ada").call("POST", "/setup", position=position, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def units(view: Any, nation: str, place: str) -> dict[str, int]:
    return {it["unit"]: it["count"] for it in view["pieces"] if (it["nation"], it["place"]) == (nation, place)}


def texts(view: Any, kind: str) -> list[str]:
    return [it["text"] for it in view["findings"] if it["kind"] == kind]


def test_a_game_is_written_down_and_set_up_again_as_it_was(late: Any) -> None:
    made = written(late)
    again, _ = set_up(read_position(position_text(made.position, made.left_out)))
    for power in powers():
        for figure in (
            "base",
            "brp",
            "faction",
            "surrendered",
            "year_start_total",
            "deficit_limit",
            "construction_limit",
        ):
            path = f"powers.{power}.{figure}"
            assert read(again, path) == read(late, path), path
    assert {(it.nation, it.place, it.unit, it.count) for it in again.pieces.stacks()} == {
        (it.nation, it.place, it.unit, it.count) for it in late.pieces.stacks()
    }
    for country in countries():
        assert read(again, f"countries.{country}") == read(late, f"countries.{country}")
    for path in (
        "wars",
        "control.Paris",
        "control.Smolensk",
        "tracks.usat",
        "mobilizations.japan",
        "shipbuilding.usa.europe",
    ):
        assert read(again, path) == read(late, path), path
    assert (again.turn, again.step) == (late.turn, late.step)
    assert [it for it in made.left_out if it.startswith("France")] == ["France: 39 units that were lost for good"]
    assert not [it for it in findings(late) if it.kind == "error"]
    assert written(again).position == made.position


def test_a_scenario_lies_on_the_desk_without_an_error(person: Any) -> None:
    view = laid(person)
    assert view["findings"] == []
    assert view["moment"]["turn"] == "Fall 1939"
    assert units(view, "germany", "europe/N32")["armor 4-6"] == 1
    germany = view["powers"][0]
    assert (germany["level"], germany["base"], germany["assumed"]) == (150, 150, [])
    assert next(it for it in view["powers"] if it["power"] == "japan")["assumed"] == ["base"]
    tray = {it["unit"]: it for it in view["trays"][0]["lines"]}
    assert (tray["armor 4-6"]["listed"], tray["armor 4-6"]["used"]) == (13, 13)


def test_every_change_is_a_figure(person: Any) -> None:
    first = laid(person)["position"]
    view = laid(
        person,
        first,
        edits={
            "units.germany.Berlin.armor 4-6": 2,
            "units.italy.unbuilt.infantry 1-3": 4,
            "turn_track.japan.Fall 1940.army air": 3,
            "control": {"germany": ["Warsaw", "europe/N34"]},
            "countries.sweden": {"status": "conquered", "by": "germany"},
            "powers.germany.brp": 99,
            "tracks.usat": 7,
        },
    )
    assert units(view, "germany", "europe/L31")["armor 4-6"] == 2
    assert {"nation": "japan", "unit": "army air", "count": 3, "arrives": "Fall 1940"} in view["pools"]
    assert view["control"]["europe/N34"] == "germany"
    assert next(it for it in view["countries"] if it["id"] == "sweden")["by"] == "germany"
    assert view["powers"][0]["level"] == 99
    assert view["powers"][0]["assumed"] == ["level"]
    again = laid(person, view["position"], edits={"units.germany.Berlin.armor 4-6": 0})
    assert "armor 4-6" not in units(again, "germany", "europe/L31")
    assert again["powers"][0]["level"] == 99


def test_errors_say_what_would_be_right_and_an_assumed_list_is_only_pointed_out(person: Any) -> None:
    view = laid(
        person,
        edits={
            "units.germany.Paris.infantry 3-3": 1,
            "units.germany.europe/A17.infantry 3-3": 1,
            "units.france.Lyon.armor 3-5": 9,
            "powers.italy.brp": -400,
            "countries.sweden": {"status": "conquered", "by": "germany"},
            "control": {"britain": ["Stockholm"]},
        },
    )
    wrong = {it["text"]: it for it in view["findings"] if it["kind"] == "error"}
    assert any("France and Germany in one hex" in text for text in wrong)
    assert any(text == "europe/A17: 1 Germany infantry 3-3 at sea" for text in wrong)
    sweden = next(it for text, it in wrong.items() if "Sweden" in text)
    assert (sweden["clause"], sweden["place"]) == ("83.11", "europe/E38")
    assert "give it to Germany" in sweden["right"]
    assert any("Italy: level -400" in text for text in wrong)
    assert any("armor 3-5, the list has" in text for text in texts(view, "note"))
    refused = person("Ben").call(
        "POST", "/setup", position=CLASSIC, edits={"countries.sweden": {"status": "conquered"}}
    )
    assert refused.status_code == 400
    assert "say by (or with) which power" in refused.json()["error"]


def test_units_on_the_land_of_a_power_with_whom_they_are_not_at_war_are_pointed_out(person: Any) -> None:
    edits: dict[str, Any] = {"units.germany.Moscow.infantry 3-3": 1, "units.germany.Leningrad.infantry 3-3": 1}
    view = laid(person, edits=edits)
    [note] = [it for it in texts(view, "note") if "not at war" in it]
    assert "Germany stands on land of Russia" in note
    assert not texts(view, "error")
    war = {"between": ["germany", "russia"], "since": "Fall 1939", "declared_by": "germany"}
    fought = laid(person, view["position"], edits={"wars": [*view["wars"], war]})
    assert not [it for it in texts(fought, "note") if "stands on land" in it]


def test_a_power_has_surrendered(person: Any) -> None:
    view = laid(person, edits={"powers.france.surrendered": True})
    assert {it["power"] for it in view["powers"] if it["surrendered"]} == {"france"}
    again = laid(person, view["position"], edits={"powers.france.surrendered": False})
    assert not [it for it in again["powers"] if it["surrendered"]]


def test_at_another_turn_the_past_is_another(person: Any) -> None:
    view = laid(person, turn="Spring 1942", player="allied", phase="movement")
    assert (view["moment"]["turn"], view["moment"]["player"], view["moment"]["phase"]) == (
        "Spring 1942",
        "allied",
        "movement",
    )
    assert view["position"]["options"]["mobilization"] == "judged"
    assert units(view, "germany", "europe/N32")["armor 4-6"] == 1


def test_a_position_is_saved_read_and_started(person: Any) -> None:
    ada = person("Ada")
    view = laid(person, edits={"powers.germany.brp": 77, "units.germany.Berlin.armor 4-6": 2})
    position = {**view["position"], "sources": {"powers.germany.brp": "our ledger"}}
    text = ada.call("POST", "/setup/file", position=position).text
    assert "powers.germany.brp: 77" in text
    assert "- {nation: germany, type: armor, at: Berlin, strength: 4-6, count: 2}" in text
    again = ada.call("POST", "/setup", text=text).json()
    assert again["position"]["sources"] == {"powers.germany.brp": "our ledger"}
    assert "level" not in again["powers"][0]["assumed"]
    made = ada.call("POST", "/tables", title="Ours", name="Ada", position=text)
    assert made.status_code == 201, made.text
    ada.table = made.json()["table"]
    assert ada.get().json()["position"]["powers"][0]["figures"]["level"] == 77


def test_the_position_of_a_game_is_for_those_who_sit_there(person: Any, solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    view = solo.get("/setup").json()
    assert view["powers"][0]["level"] == 141
    earlier = solo.get("/setup", at=1).json()
    assert earlier["powers"][0]["level"] == 150
    assert person("Eve").call("GET", f"/tables/{solo.table}/setup").status_code in (401, 403, 404)


def test_a_position_with_a_number_beyond_the_game_is_refused(person: Any) -> None:
    for path in ("/setup", "/setup/file"):
        huge = {**CLASSIC, "set": {"powers.germany.brp": 10**12}}
        assert person("Ada").call("POST", path, position=huge).status_code == 400
