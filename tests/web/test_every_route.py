"""Every route of the server, one by one: a route without a check, or without a line in these tables, fails here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Mount, Route

from warcabinet.web.table.endpoints import ENDPOINTS

T = "/tables/{table}"
#: What anybody may ask for. Everything else is somebody's.
OPEN = {
    "/health",
    "/metrics",  # from this machine alone
    "/",
    "/join/{invitation}",
    "/device/{secret}",
    "/setup",
    "/worker.js",  # code, alike for everybody
    "/rules",
    "/cases/{case:path}.svg",
    "/rules/{clause}",  # a table named in its query is asked whether one sits there
    "/api/v1/cases/open",
    "/api/v1/openapi.json",
    "/api/v1/hall",
    "/api/v1/tables",
    "/api/v1/tables/import",
    "/api/v1/demonstration",
    "/api/v1/join",
    "/api/v1/sign-in",
    "/api/v1/sign-out",
    "/api/v1/me",
    "/api/v1/me/devices",
    "/api/v1/me/recovery",
    "/api/v1/me/tokens",
    "/api/v1/me/notices",
    "/api/v1/me/notices/test",
    "/api/v1/notices/confirm",
    "/api/v1/notices/stop",
    "/you",
    "/notices/{what}/{secret}",
    "/notices/stop/{secret}",
    "/static/{name}",
    "/replays/{table}/{secret}",
    "/api/v1/boards/{board}",
    "/api/v1/commands",
    "/api/v1/clauses",
    "/api/v1/clauses/{clause}",
    "/api/v1/figures",
    "/api/v1/scenarios",
    "/api/v1/options",
    "/api/v1/setup",
    "/api/v1/setup/read",
    "/api/v1/setup/file",
    "/api/v1/setup/sheet",
}
#: A query for every reading route, so that it answers.
READS: dict[str, dict[str, str]] = {
    T: {},
    T + "/changes": {"since": "1-now-0"},
    T + "/offers": {},
    T + "/books": {},
    T + "/sheets.xlsx": {},
    T + "/sheets/{sheet}": {},
    T + "/explain": {"rule": "base", "args": "germany"},
    T + "/figure": {"path": "tracks.usat"},
    T + "/ledger": {"account": "brp/germany"},
    T + "/forecast": {"mode": "due"},
    T + "/sum": {"move": 3, "event": 9},
    T + "/moment": {"moment": "fall of France"},
    T + "/battle": {"move": "1"},
    T + "/year-start": {},
    T + "/year-start/page": {},
    T + "/year-start/explain": {"year": 1940, "power": "germany", "column": "total"},
    T + "/agenda": {},
    T + "/agenda/sum": {"id": "P1"},
    T + "/log": {},
    T + "/moves/{move}": {},
    T + "/charts": {},
    T + "/charts/growing": {},
    T + "/story": {},
    T + "/meanwhile": {"since": 0},
    T + "/countries/{country}": {},
    T + "/countries/{country}/page": {},
    T + "/garrisons": {},
    T + "/garrisons/page": {},
    T + "/powers/{power}": {},
    T + "/powers/{power}/page": {},
    T + "/powers/{power}/pool": {},
    T + "/hex/page": {"key": "europe/M25"},
    T + "/hex": {"key": "europe/M25"},
    T + "/box": {"key": "box/india_box"},
    T + "/orders": {"key": "europe/M25"},
    T + "/line": {"start": "Berlin", "end": "Vienna"},
    T + "/zones": {"board": "europe"},
    T + "/supply": {"board": "europe", "power": "germany", "to": "Brussels"},
    T + "/china": {},
    T + "/export": {},
    T + "/plans": {},
    T + "/suggest": {"power": "germany"},
    T + "/setup": {},
    T + "/ledger.csv": {},
    T + "/chronicle": {"short": "true"},
    T + "/talk": {},
    T + "/notes": {},
    T + "/tokens": {},
    T + "/dice": {},
    T + "/dice/check": {},
    T + "/rules": {},
    T + "/compare": {"other": "{table}"},
    T + "/compare/page": {"other": "{table}"},
    T + "/sealed": {},
    T + "/chart": {},
}
#: What there is nothing of in the first turn.
NOT_YET = (T + "/year-start/explain", T + "/moment", T + "/battle")
SPEND = {"do": "spend", "power": "germany", "brp": 5, "on": "other"}
ATTACK = {"nation": "germany", "at": "Lodz", "attackers": ["armor 4-6 at Breslau"]}
#: For every other route: what to send, and what a spectator and the seat of the other side are told.
WRITES: dict[tuple[str, str], tuple[dict[str, Any], int, int]] = {
    ("POST", T + "/do"): (SPEND, 403, 403),
    ("POST", T + "/do-all"): ({"orders": [SPEND]}, 403, 403),
    ("POST", T + "/preview"): (SPEND, 403, 403),
    ("POST", T + "/advance"): ({"to": ""}, 403, 403),
    ("POST", T + "/entries"): ({"lines": ["germany 5 other"]}, 403, 403),
    ("POST", T + "/entries/read"): ({"line": "germany 5 other"}, 403, 403),
    ("POST", T + "/undo"): ({}, 403, 200),  # asks for consent: the last move is another's
    ("POST", T + "/redo"): ({}, 403, 409),
    ("POST", T + "/consent"): ({"agree": True}, 409, 409),  # nothing waits for consent
    ("POST", T + "/seats/{seat}/invitations"): ({}, 403, 403),
    ("POST", T + "/seats/{seat}/vacate"): ({}, 403, 403),
    ("POST", T + "/seats/{seat}/sit"): ({}, 403, 403),
    ("POST", T + "/tokens"): ({"seat": "seat1"}, 403, 403),
    ("POST", T + "/tokens/{token}/withdraw"): ({}, 404, 404),
    ("POST", T + "/put-out"): ({"name": "Fan"}, 403, 403),
    ("POST", T + "/delete"): ({}, 403, 403),
    ("POST", T + "/call-back"): ({}, 403, 403),
    ("POST", T + "/dice/reveal"): ({}, 403, 200),
    ("POST", T + "/rules/agree"): ({}, 403, 409),  # there is nothing to agree to
    ("POST", T + "/year-start/confirm"): ({"year": 1940}, 409, 409),  # no year start stands before the table
    ("POST", T + "/year-start/open"): ({"year": 1940}, 409, 409),
    # These change nothing of the game; what they give is the asker's own, or what everybody at the table sees.
    ("POST", T + "/narrow"): ({"command": "spend"}, 200, 200),
    ("POST", T + "/read"): ({"line": "spend germany 9 other"}, 200, 200),
    ("POST", T + "/complete"): ({"line": "spend germany 9 other"}, 200, 200),
    ("POST", T + "/places"): ({"command": "build", "field": "at", "known": {"power": "germany"}}, 200, 200),
    ("POST", T + "/aid"): (
        {"plan": [{"do": "grant", "power": "germany", "to": "italy", "by": "land", "brp": 3}]},
        200,
        200,
    ),
    ("POST", T + "/aid/page"): ({"pair": "usa britain"}, 200, 200),
    ("POST", T + "/lift"): ({"nation": "germany", "unit": "army air", "place": "Berlin"}, 200, 200),
    ("POST", T + "/forecast"): ({"changes": [{"figure": "powers.germany.brp", "to": 9}]}, 200, 200),
    ("POST", T + "/forecast/page"): ({"typed": True}, 200, 200),
    ("POST", T + "/opened"): ({"ledger": "brp/germany"}, 200, 200),
    ("POST", T + "/forecast/explain"): ({"rule": "year_total", "power": "germany"}, 200, 200),
    ("POST", T + "/sealed"): ({"title": "x", "seats": ["seat9"]}, 403, 400),
    ("PUT", T + "/sealed"): ({"round": 1, "seat": "seat1"}, 409, 409),  # no round is under way
    ("POST", T + "/sealed/open"): ({"round": 1}, 403, 403),
    ("POST", T + "/sealed/call-off"): ({"round": 1}, 403, 403),
    ("POST", T + "/minders/{power}/shown"): ({}, 403, 403),
    ("POST", T + "/battle"): (ATTACK, 403, 403),
    ("POST", T + "/battle/outlook"): (ATTACK, 403, 200),
    ("POST", T + "/remind"): ({}, 403, 200),
    ("POST", T + "/battle/answer"): ({}, 409, 409),  # no battle is under way
    ("POST", T + "/battle/throw"): ({"dice": 2}, 409, 409),
    ("POST", T + "/battle/losses"): ({"side": "attacker"}, 409, 409),
    ("POST", T + "/battle/end"): ({}, 409, 409),
    ("POST", T + "/battle/off"): ({}, 409, 409),
    ("POST", T + "/moment/line"): ({"moment": "fall of France", "line": "peace"}, 409, 409),  # none has come
    ("POST", T + "/moment/confirm"): ({"moment": "fall of France"}, 409, 409),
    ("POST", T + "/moment/headline"): ({"moment": "fall of France", "headline": "Peace"}, 403, 409),
    ("POST", T + "/moment/open"): ({"moment": "fall of France"}, 409, 409),
    ("POST", T + "/ready"): ({}, 403, 200),
    ("PUT", T + "/hand"): ({"what": ""}, 403, 200),
    ("PUT", T + "/closing"): ({"closing": "all"}, 403, 403),
    ("PUT", T + "/watching"): ({"on": True}, 403, 403),
    ("POST", T + "/replays"): ({}, 403, 403),  # the host has not let anybody outside watch
    ("PUT", T + "/chart"): ({"text": ""}, 403, 200),
    ("PUT", T + "/seats/{seat}/passing"): ({"passing": True}, 403, 403),
    ("PUT", T + "/looked"): ({"line": 3}, 200, 200),
    ("POST", T + "/talk"): ({"text": "hello"}, 201, 201),
    ("PUT", T + "/notes"): ({"text": "my own"}, 200, 200),
    ("POST", T + "/what-if"): ({}, 201, 201),
    # Plans and their runs are their writer's; a power is left to somebody by whoever holds it.
    ("PUT", T + "/plans"): ({"name": "a", "text": "plan: a"}, 200, 200),
    ("DELETE", T + "/plans/{name}"): ({}, 200, 200),
    ("GET", T + "/plans/palette"): ({}, 200, 200),
    ("POST", T + "/plans/hand"): ({"text": "plan: a"}, 200, 200),
    ("POST", T + "/plans/try"): ({"text": "plan: a\nuntil: Fall 1939"}, 200, 200),
    ("POST", T + "/plans/played"): ({}, 409, 409),
    ("POST", T + "/plans/runs"): ({"text": "plan: a\nuntil: Never"}, 403, 400),
    ("GET", T + "/plans/runs/{run}"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/figures.csv"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/result.jsonl"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/compare"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/map"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/chance"): ({"of": "Paris"}, 404, 404),
    ("GET", T + "/plans/runs/{run}/chance.html"): ({"of": "Paris"}, 404, 404),
    ("GET", T + "/plans/runs/{run}/counsel"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/counsel.html"): ({}, 404, 404),
    ("GET", T + "/plans/runs/{run}/charts.html"): ({"power": "germany"}, 404, 404),
    ("GET", T + "/plans/runs/{run}/results.html"): ({}, 404, 404),
    ("POST", T + "/plans/runs/{run}/stop"): ({}, 404, 404),
    ("POST", T + "/plans/runs/{run}/resume"): ({}, 404, 404),
    ("POST", T + "/plans/runs/{run}/open"): ({"future": 0}, 404, 404),
    ("PUT", T + "/minders/{power}"): ({}, 403, 403),
    ("DELETE", T + "/minders/{power}"): ({}, 403, 403),
    ("POST", T + "/minders/{power}/line"): ({"build": ["armor 4-6"]}, 403, 403),
    ("POST", T + "/minders/{power}/give"): ({}, 403, 403),
}
NAMES = {
    "token": "0" * 12,
    "move": "1",
    "country": "belgium",
    "power": "germany",
    "sheet": "powers.csv",
    "seat": "seat1",
    "name": "a",
    "run": "0" * 16,
}


def routes(found: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every method and path that the application answers."""
    for route in found:
        if isinstance(route, Mount):
            yield from routes(route.routes, prefix + route.path)
        elif isinstance(route, Route):
            yield from ((method, prefix + route.path) for method in sorted((route.methods or {"GET"}) - {"HEAD"}))


def filled(path: str, table: str) -> str:
    return path.format(table=table, **NAMES)


def asked(query: dict[str, str], table: str) -> dict[str, str]:
    return {name: str(value).replace("{table}", table) for name, value in query.items()}


def at_tables() -> list[tuple[str, str]]:
    return [(it.method, it.path) for it in ENDPOINTS if it.path.startswith(T)]


def test_no_route_of_a_table_answers_a_stranger(app: Any, person: Any, solo: Any) -> None:
    nobody, other = person("Eve"), person("Mallory").create()
    before = solo.get().text
    for method, path in routes(app.routes):
        if path in OPEN:
            continue
        assert "{table}" in path, f"{path} is open to anybody: say so in OPEN, or check who asks"
        asked = filled(path, solo.table)
        assert nobody.client.request(method, asked, follow_redirects=False).status_code in (401, 307), path
        assert other.client.request(method, asked, json={}).status_code == 404, path
    assert solo.get().text == before


def test_every_endpoint_has_its_line_here() -> None:
    """A new endpoint must be put into one of the tables above, and so be tried by the tests below."""
    known = {("GET", path) for path in READS} | set(WRITES)
    assert known == set(at_tables())
    assert all(it.who == "sitter" for it in ENDPOINTS if "{table}" in it.path)


@pytest.fixture
def secrets(person: Any, two: Any) -> tuple[Any, Any, Any, list[str]]:
    """A table at which things are hidden: a note of the host, words to one seat, the seed of the dice."""
    axis, allies = two
    dora = person("Dora")
    axis.post("/seats/referee/vacate")
    dora.join(axis.invite("referee"))
    fan = person("Fan").join(axis.invite("spectators"))
    axis.call("PUT", f"/tables/{axis.table}/notes", text="the plan is Sickle")
    dora.call("PUT", f"/tables/{axis.table}/notes", text="rule on Bergen")
    assert axis.post("/talk", text="between us two only", to="referee").status_code == 201
    with axis.client.app.state.server.tables.at(axis.table) as table:
        seed = table.game.journal.seeds()[-1].secret
    return axis, allies, fan, ["the plan is Sickle", "rule on Bergen", "between us two only", seed]


def test_hidden_things_are_in_no_answer_to_another_seat(secrets: Any) -> None:
    axis, allies, fan, hidden = secrets
    assert "between us two only" in axis.get("/talk").text
    for reader in (allies, fan):
        answers = {
            path: reader.call("GET", filled(path, axis.table), **asked(query, axis.table))
            for path, query in READS.items()
        }
        for (method, path), (body, *_) in WRITES.items():
            looks = ("/narrow", "/places", "/lift", "/aid", "/forecast", "/explain", "/what-if", "/page", "/opened")
            if method == "POST" and path.endswith(looks):
                answers[path] = reader.call(method, filled(path, axis.table), **body)
        answers["the page"] = reader.client.get(f"/tables/{axis.table}")
        for path, answer in answers.items():
            assert answer.status_code == 404 if path in NOT_YET else answer.status_code < 300, (path, answer.text)
            assert not [it for it in hidden if it in answer.text], path


def test_hidden_things_do_not_go_with_a_copy(secrets: Any) -> None:
    _, allies, _, hidden = secrets
    copy = allies.post("/what-if").json()["table"]
    for path in ("", "/talk", "/notes", "/log", "/export"):
        answer = allies.call("GET", f"/tables/{copy}{path}")
        assert not [it for it in hidden if it in answer.text], path


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_no_seat_does_what_is_not_its_own(secrets: Any, method: str, path: str) -> None:
    axis, allies, fan, _ = secrets
    axis.do(do="spend", power="germany", brp=1, on="other")
    before = axis.get().json()
    notes = axis.get("/notes").json()
    body, as_fan, as_other = WRITES[method, path]
    assert fan.call(method, filled(path, axis.table), **body).status_code == as_fan
    assert allies.call(method, filled(path, axis.table), **body).status_code == as_other
    after = axis.get().json()
    for part in ("head", "position", "seats", "me"):
        assert after[part] == before[part], part
    assert axis.get("/notes").json() == notes


def test_a_host_without_a_seat_still_talks_and_gives_no_orders(two: Any) -> None:
    axis, _ = two
    for seat in ("seat1", "referee"):
        assert axis.post(f"/seats/{seat}/vacate").status_code == 200
    assert axis.get().json()["me"]["seats"] == []
    assert axis.post("/talk", text="who takes the Axis?").status_code == 201
    assert axis.do(**SPEND).status_code == 403
    assert axis.post("/undo").status_code == 403
