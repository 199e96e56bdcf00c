"""A game through the API: look, ask, try, do, take back, look back."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.kernel.decision import Engine


def test_view_shows_the_position_and_what_can_be_done(solo: Any) -> None:
    view = solo.get().json()
    position = view["position"]
    assert position["clock"]["turn_name"] == "Fall 1939"
    germany = position["powers"][0]
    assert (germany["name"], germany["figures"]["level"], germany["mine"]) == ("Germany", 150, True)
    assert {offer["command"] for offer in position["offers"]} >= {"advance", "spend", "report_control", "rule"}


def test_an_order_is_previewed_then_done_and_changes_the_level(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    order = {"do": "spend", "power": "germany", "brp": 12, "on": "unit construction"}
    tried = solo.post("/preview", **order).json()
    assert tried["accepted"]
    assert tried["changes"] == [{"power": "germany", "figure": "level", "was": 150, "is": 138}]
    assert solo.get().json()["position"]["powers"][0]["figures"]["level"] == 150
    done = solo.do(**order)
    assert done.status_code == 200, done.text
    assert solo.get().json()["position"]["powers"][0]["figures"]["level"] == 138


def test_fields_narrow_as_they_are_filled(solo: Any) -> None:
    wide = solo.post("/narrow", command="spend", known={"power": "germany"}).json()
    assert wide["fields"]["brp"]["most"] == 150
    known = {"power": "germany", "on": "unit construction"}
    narrow = solo.post("/narrow", command="spend", known=known).json()
    assert narrow["fields"]["brp"]["most"] == 50
    assert narrow["fields"]["brp"]["by"] == ["39.31"]
    wrong = solo.post("/narrow", command="spend", known={"power": "atlantis"}).json()
    assert "atlantis" in wrong["wrong"]["power"]


def test_a_refusal_names_every_clause_and_changes_nothing(solo: Any) -> None:
    refused = solo.do(do="spend", power="germany", brp=900, on="unit construction")
    assert refused.status_code == 422
    body = refused.json()["refused"]
    assert {r["clause"] for r in body["refusals"]} >= {"39.31", "39.22C"}
    assert body["checked"]
    assert solo.get().json()["head"] == 3


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of the commands that the engine decides, one by one."""
    found: list[str] = []
    decide = Engine.decide

    def noting(self: Any, state: Any, command: object, *more: Any, **how: Any) -> Any:
        found.append(type(command).__name__)
        return decide(self, state, command, *more, **how)

    monkeypatch.setattr(Engine, "decide", noting)
    return found


def test_a_refused_order_is_decided_once(solo: Any, decided: list[str]) -> None:
    solo.client.app.state.server.herald.look()  # nobody decides anything meanwhile
    decided.clear()
    assert solo.do(do="spend", power="germany", brp=900, on="unit construction").status_code == 422
    assert decided == ["Spend"]


def test_a_clock_that_may_not_go_on_is_decided_once(person: Any, decided: list[str]) -> None:
    ada = person("Ada").create()
    ada.client.app.state.server.herald.look()
    decided.clear()
    assert ada.post("/advance", to="").status_code == 422
    assert decided == ["Advance"]


def test_advance_goes_on_and_the_log_tells_it(solo: Any) -> None:
    assert solo.post("/advance", to="unit construction").status_code == 200
    solo.do(do="spend", power="germany", brp=9, on="unit construction")
    log = solo.get("/log", power="germany").json()
    assert log[0]["amount"] == -9
    assert log[0]["clause"] == "39.11"
    assert solo.get("/log", clause="39.31").json()
    assert not solo.get("/log", power="china", clause="39.11").json()


def test_a_stale_command_is_a_conflict(solo: Any) -> None:
    seq = solo.get().json()["seq"]
    solo.do(do="roll", purpose="weather")
    late = solo.do(do="spend", power="germany", brp=1, on="other", seq_seen=seq)
    assert late.status_code == 409


def test_undo_leaves_a_trace_and_redo_brings_it_back(solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    assert solo.post("/undo").json()["done"]
    assert solo.get().json()["position"]["powers"][0]["figures"]["level"] == 150
    assert [line["undone"] for line in solo.get("/log", most=3).json()] == [False, True, False]
    assert solo.post("/redo").json()["done"]
    assert solo.get().json()["position"]["powers"][0]["figures"]["level"] == 141
    assert any("stays in the log" in line["text"] for line in solo.get("/talk").json())


def test_every_figure_of_a_card_can_be_explained(solo: Any) -> None:
    position = solo.get().json()["position"]
    for label, rule in position["card_rules"].items():
        answer = solo.get("/explain", rule=rule, args="germany").json()
        assert answer["tree"]["clause"], label
    assert solo.get("/figure", path="powers.germany.brp").json()["value"] == 150
    assert solo.get("/explain", rule="base", args="narnia").status_code == 404
    assert solo.get("/explain", rule="base").status_code == 400


def test_the_ledger_forecast_agenda_charts_and_country_pages(solo: Any) -> None:
    solo.post("/advance", to="combat")
    solo.do(do="report_war", between=["germany", "belgium"], declared_by="germany", by_rule="our own")
    solo.do(do="deploy", by="britain", country="belgium")
    solo.do(do="report_control", places=["Brussels"], by="germany")
    agenda = solo.get("/agenda").json()
    assert ("belgium", "35.73A") in {(item["about"], item["clause"]) for item in agenda}
    solo.do(do="spend", power="germany", brp=15, on="offensive operations")
    ledger = solo.get("/ledger", account="brp/germany").json()
    assert ledger["balance"] == 135 == ledger["lines"][-1]["balance"]
    assert solo.get("/forecast").json()["year"] == 1940
    with_due = solo.get("/forecast", mode="due").json()
    totals = {row["rule"]: row["cells"] for row in with_due["rows"]}["year_total"]
    assert totals["germany"]["value"] > 0
    assert solo.get("/charts").json()["flows"]["germany"] == {"offensive operations": -15}
    solo.post("/advance", to="unit construction")
    belgium = solo.get("/countries/belgium").json()
    assert belgium["status"] == "conquered"
    assert belgium["history"][-1]["by"] == "germany"
    assert belgium["brings"][0]["brp"] == 7
    # No power could refuse the association of a country that has fallen (84.21D): the order is shut, and says why.
    shut = {it["command"]: it["refusals"] for it in belgium["orders"]}["decline_association"]
    assert shut[0]["clause"] == "84.21D"
    # Orders that never concern it are not told there.
    told = {it["command"] for it in solo.get("/countries/india").json()["orders"]}
    assert {"grant", "report_status"} <= told
    assert not {"eliminate_ic", "report_result", "report_supply", "report_recovery", "displace"} & told


def test_history_at_any_move_and_a_copy_of_it(solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    solo.do(do="spend", power="germany", brp=20, on="other")
    then = solo.get("", at=4).json()
    assert then["position"]["powers"][0]["figures"]["level"] == 141
    assert then["position"]["offers"] == []
    assert solo.get("", at=99).status_code == 404
    copy = solo.post("/what-if", at=4).json()
    solo.call("POST", f"/tables/{copy['table']}/do", do="spend", power="germany", brp=100, on="other")
    other = solo.call("GET", f"/tables/{copy['table']}").json()
    assert other["position"]["powers"][0]["figures"]["level"] == 41
    assert other["table"]["parent"] == solo.table
    assert solo.get().json()["position"]["powers"][0]["figures"]["level"] == 121


def test_export_and_import_bring_back_the_same_game(solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    save = solo.get("/export").text
    again = solo.call("POST", "/tables/import", title="Again", name="Ada", save=save)
    assert again.status_code == 201
    other = solo.call("GET", f"/tables/{again.json()['table']}").json()
    assert other["position"]["powers"] == solo.get().json()["position"]["powers"]
    assert solo.call("POST", "/tables/import", title="x", name="Ada", save="{}").status_code == 400


def test_the_referee_rules_and_corrects(solo: Any) -> None:
    assert solo.do(do="correct", figure="powers.italy.brp", to=99, reason="miscounted").status_code == 200
    ruled = solo.do(do="rule", rule="growth_rate", args=["italy"], **{"is": 30}, reason="agreed")
    assert ruled.status_code == 200, ruled.text
    position = solo.get().json()["position"]
    assert position["powers"][1]["figures"]["level"] == 99
    assert position["rulings"][0]["value"] == 30


def test_the_demonstration_plays_at_a_click(person: Any) -> None:
    guest = person("Guest")
    made = guest.call("POST", "/demonstration", name="Guest")
    guest.table = made.json()["table"]
    assert guest.get().json()["position"]["clock"]["turn_name"] == "Summer 1945"


def test_a_land_line_is_open_or_says_what_cuts_it(solo: Any) -> None:
    open_line = solo.get("/line", start="Berlin", end="Vienna").json()
    assert open_line["found"]
    assert open_line["path"][0] == "europe/L31"
    cut = solo.get("/line", start="Berlin", end="Paris").json()
    assert not cut["found"]
    assert cut["cut"]
    assert solo.get("/line", start="Berlin", end="Tokyo").status_code == 400
    assert solo.get("/line", start="Berlin", end="Narnia").status_code == 400


def test_what_must_be_done_first_is_said_and_stops_the_clock(person: Any) -> None:
    ada = person("Ada").create()
    refused = ada.post("/advance", to="")
    assert refused.status_code == 422
    assert refused.json()["refused"]["refusals"][0]["clause"] == "36.351"
    offers = ada.get("/offers").json()
    first = [(o["command"], o["known"]["power"], o["rank"]) for o in offers if o.get("rank")]
    assert first == [("mobilize", "italy", 1), ("mobilize", "japan", 2)]
    assert all(o["meets"] == ["36.351"] and o["of_this_phase"] for o in offers if o.get("rank"))
    ada.mobilize("italy", "japan")
    assert ada.post("/advance", to="").status_code == 200


def test_units_are_built_and_stand_on_the_map(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    field = solo.post("/narrow", command="build", known={"power": "germany", "at": "Berlin"}).json()["fields"]["units"]
    assert {"unit": "infantry 3-3", "count": 14, "said": "14 infantry 3-3"} in field["pool"]
    assert solo.do(do="build", power="germany", at="Berlin", units=["2 infantry 3-3"]).status_code == 200
    pieces = solo.get().json()["position"]["pieces"]
    assert {"nation": "germany", "place": "europe/L31", "unit": "infantry 3-3", "count": 2} in pieces


def test_orders_given_together_are_all_done_or_none(solo: Any) -> None:
    solo.post("/advance", to="unit construction")
    build = {"do": "build", "power": "germany", "at": "Berlin", "units": ["2 infantry 3-3"]}
    before = solo.get().json()
    refused = solo.post("/do-all", orders=[build, {**build, "units": ["90 infantry 3-3"]}])
    assert refused.status_code == 422
    assert refused.json()["index"] == 1
    assert refused.json()["refused"]["refusals"]
    assert solo.get().json()["head"] == before["head"]
    done = solo.post("/do-all", orders=[build, {**build, "at": "Breslau"}])
    assert done.status_code == 200, done.text
    assert len(done.json()["moves"]) == 2
    assert solo.post("/do-all", orders=[]).status_code == 400
    stale = solo.post("/do-all", orders=[build], seq_seen=before["seq"])
    assert stale.status_code == 409


def test_a_powers_sheet_shows_its_force_pool_and_what_arrives_when(person: Any) -> None:
    ada = person("Ada").create(options={})
    ada.do(do="correct", figure="units.germany.unbuilt.armor 5-6", to=3, reason="ours")
    ada.do(do="correct", figure="turn_track.germany.Summer 1940.submarine", to=2, reason="ours")
    pool = ada.get("/powers/germany").json()["pool"]
    assert {"nation": "germany", "unit": "armor 5-6", "count": 3, "arrives": ""} in pool
    assert {"nation": "germany", "unit": "submarine", "count": 2, "arrives": "Summer 1940"} in pool
    assert {it["nation"] for it in pool} == {"germany"}
