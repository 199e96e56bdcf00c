"""How a table starts: options, positions that someone brings, saves with other people in the seats."""

from __future__ import annotations

from typing import Any

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}
LATE = """
scenario: classic-1939
turn: Spring 1941
player: axis
phase: unit construction
set:
  powers.germany.brp: 77
"""


def begin(player: Any, **more: Any) -> Any:
    made = player.call("POST", "/tables", title="A game", name="Ada", **more)
    if made.status_code == 201:
        player.table = made.json()["table"]
    return made


def test_options_of_the_prequel_games_are_listed_and_taken(person: Any) -> None:
    ada = person("Ada")
    options = {it["name"]: it for it in ada.call("GET", "/options").json()}
    assert options["kmt_steps"]["kind"] == "number"
    assert options["tiles"]["kind"] == "powers"
    assert options["scope"]["choices"] == ["europe", "global", "pacific"]
    assert "edition" not in options
    assert begin(ada, scenario="prequel", options={"start": "Spring 1940", "kmt_steps": 9}).status_code == 201
    state = ada.client.app.state.server
    with state.tables.at(ada.table) as table:
        assert (table.game.state.options.kmt_steps, table.game.state.options.edition) == (9, "prequel")
    wrong = begin(person("Ben"), options={"luck": 7})
    assert wrong.status_code == 400
    assert "kmt_steps" in wrong.json()["error"]


def test_a_table_starts_from_a_position_in_yaml(person: Any) -> None:
    ada = person("Ada")
    assert begin(ada, position=LATE, seats=[AXIS, ALLIES]).status_code == 201
    position = ada.get().json()["position"]
    assert (position["clock"]["turn_name"], position["clock"]["phase"]) == ("Spring 1941", "unit construction")
    assert position["powers"][0]["figures"]["level"] == 77
    assert ada.get().json()["me"]["powers"] == AXIS["powers"]


def test_what_is_wrong_with_a_position_is_said_with_its_line(person: Any) -> None:
    ada = person("Ada")
    for text, said in (
        (LATE + "  powers.atlantis.brp: 1\n", "line 8"),
        ("scenario: [", "line 1"),
        ("turns: 3", "turns"),
        ("scenario: nowhere", "nowhere"),
        ("set: &a {tracks.usat: 1}\nearlier: *a\n", "references"),
    ):
        answer = begin(ada, position=text)
        assert answer.status_code == 400, text
        assert said in answer.json()["error"], answer.text
    assert ada.call("GET", "/tables").status_code == 401  # nobody was signed in, no table was made


def test_a_save_is_seated_as_its_host_wants(person: Any, solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    save = solo.get("/export").text
    ben = person("Ben")
    made = ben.call("POST", "/tables/import", title="Again", name="Ben", save=save, seats=[AXIS, ALLIES])
    assert made.status_code == 201, made.text
    ben.table = made.json()["table"]
    assert ben.get().json()["me"]["powers"] == AXIS["powers"]
    assert [seat["people"] for seat in ben.get().json()["seats"]][:2] == [["Ben"], []]
