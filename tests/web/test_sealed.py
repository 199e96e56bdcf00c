"""Sealed orders: nobody learns what is in an envelope before all are opened, however they ask."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient
from test_every_route import READS, WRITES, asked, filled

SPEND = {"do": "spend", "power": "germany", "brp": 29, "on": "offensive operations"}
BRITAIN = {"do": "spend", "power": "britain", "brp": 3, "on": "other"}
SECRET = "Sickle cut through the Ardennes"


@pytest.fixture
def round_(person: Any, two: Any) -> tuple[Any, Any, Any, int]:
    """A round of two seats in which the Axis has sealed, with someone on the bench."""
    axis, allies = two
    fan = person("Fan").join(axis.invite("spectators"))
    begun = axis.post("/sealed", title="Who spends what")
    assert begun.status_code == 201, begun.text
    id = begun.json()["round"]["id"]
    assert seal(axis, id, "seat1", [SPEND], SECRET).status_code == 200
    return axis, allies, fan, id


def seal(player: Any, round: int, seat: str, orders: Any = (), words: str = "") -> Any:
    path = f"/tables/{player.table}/sealed"
    return player.call("PUT", path, round=round, seat=seat, orders=list(orders), words=words)


def test_what_is_sealed_is_in_no_answer_to_anybody_else(round_: Any, person: Any) -> None:
    axis, allies, fan, _ = round_
    assert SECRET in axis.get("/sealed").text
    token = allies.post("/tokens", seat="seat2").json()["token"]
    bot = TestClient(axis.client.app, headers={"authorization": f"Bearer {token}"})
    for reader in (allies, fan):
        answers = {
            path: reader.call("GET", filled(path, axis.table), **asked(query, axis.table))
            for path, query in READS.items()
        }
        for (method, path), (body, *_) in WRITES.items():
            if method == "POST" and path.endswith(
                ("/narrow", "/places", "/lift", "/aid", "/forecast", "/what-if", "/page", "/opened")
            ):
                answers[path] = reader.call(method, filled(path, axis.table), **body)
        answers["the page"] = reader.client.get(f"/tables/{axis.table}")
        answers["the hall"] = reader.call("GET", "/tables")
        for path, answer in answers.items():
            assert answer.status_code < 300 or answer.status_code == 404, (path, answer.text)
            assert SECRET not in answer.text, path
            assert '"brp":29' not in answer.text, path
    assert SECRET not in bot.get(f"/api/v1/tables/{axis.table}/sealed").text
    copy = allies.post("/what-if").json()["table"]
    assert SECRET not in allies.call("GET", f"/tables/{copy}/export").text
    assert allies.call("GET", f"/tables/{copy}/sealed").json()["round"] is None
    seen = allies.get().json()["sealed"]
    assert [(it["seat"], it["sealed"]) for it in seen["seats"]] == [("seat1", True), ("seat2", False)]
    # Not even in the own save: the game does not hold it.
    assert SECRET not in axis.get("/export").text


def test_the_stream_and_the_notices_do_not_tell(round_: Any) -> None:
    axis, _, _, _ = round_
    server = axis.client.app.state.server
    server.herald.look()
    told = repr(server.hall.notices.waiting([axis.table])) + repr(server.hall.talk.heard(axis.table, "nobody"))
    assert "Who spends what" in told
    assert SECRET not in told


def test_who_takes_over_a_seat_does_not_read_its_envelope(round_: Any, person: Any) -> None:
    axis, allies, _, id = round_
    assert seal(allies, id, "seat1", [], "mine now").status_code == 403
    axis.post("/seats/seat1/vacate")
    carl = person("Carl").join(axis.invite("seat1"))
    assert SECRET not in carl.get("/sealed").text
    assert carl.get("/sealed").json()["mine"] == {}


def test_all_are_opened_when_all_have_sealed(round_: Any) -> None:
    axis, allies, fan, id = round_
    head = axis.get().json()["head"]
    axis.post("/advance", to="Fall 1939, Allied")  # the game goes on meanwhile
    assert seal(allies, id, "seat2", [BRITAIN], "Singapore").status_code == 200
    told = fan.get("/sealed").json()
    assert told["round"]["opened"] > 0
    first, second = told["outcome"]
    assert (first["title"], first["words"]) == ("Axis", SECRET)
    assert first["orders"][0]["refused"]  # no longer the Axis player turn: told with the reason
    assert second["orders"][0]["move"] > head
    assert seal(allies, id, "seat2").status_code == 409  # it is over


def test_both_orders_are_given_together_and_taken_back_by_consent(round_: Any) -> None:
    axis, allies, _, id = round_
    report = {"do": "report_brp", "power": "britain", "brp": -2, "cause": "other"}
    before = axis.get().json()["head"]
    assert seal(allies, id, "seat2", [report]).status_code == 200
    assert axis.get().json()["head"] == before + 2
    assert axis.post("/undo").json()["asked"]
    assert allies.post("/consent", agree=True).json()["done"]
    level = {it["power"]: it["figures"]["level"] for it in axis.get(at=before).json()["position"]["powers"]}
    now = {it["power"]: it["figures"]["level"] for it in axis.get().json()["position"]["powers"]}
    assert now == level


def test_the_host_opens_early_but_not_before_having_sealed(person: Any, two: Any) -> None:
    axis, allies = two
    id = axis.post("/sealed", title="Bids").json()["round"]["id"]
    seal(allies, id, "seat2", [], "twelve")
    assert axis.post("/sealed/open", round=id).status_code == 409  # or the host would choose knowing theirs
    assert allies.post("/sealed/open", round=id).status_code == 403
    assert "twelve" not in axis.get("/sealed").text
    assert axis.post("/sealed/call-off", round=id).status_code == 200
    assert "twelve" not in axis.get("/sealed").text
    id = axis.post("/sealed", title="Bids again").json()["round"]["id"]
    seal(axis, id, "seat1", [], "ten")
    told = axis.post("/sealed/open", round=id).json()["outcome"]
    assert [(it["sealed"], it["words"]) for it in told] == [(True, "ten"), (False, "")]


def test_who_leaves_the_table_does_not_open_what_others_chose(two: Any) -> None:
    """The host leaves his seat, would open and read, and sit down again to order."""
    axis, allies = two
    id = axis.post("/sealed", title="Bids").json()["round"]["id"]
    seal(allies, id, "seat2", [], "twelve")
    assert axis.post("/seats/seat1/vacate").status_code == 200
    assert axis.post("/sealed/open", round=id).status_code == 409
    assert "twelve" not in axis.get("/sealed").text
    assert axis.post("/seats/seat1/sit").status_code == 200
    assert seal(axis, id, "seat1", [], "ten").status_code == 200
    assert "twelve" in axis.get("/sealed").text


def test_an_envelope_goes_with_its_player_and_an_opened_round_says_who_sealed(round_: Any, person: Any) -> None:
    axis, allies, _, id = round_
    axis.post("/seats/seat1/vacate")
    carl = person("Carl").join(axis.invite("seat1"))
    assert seal(allies, id, "seat2", [], "Singapore").status_code == 200
    seen = allies.get("/sealed").json()["round"]
    assert (seen["opened"], [it["sealed"] for it in seen["seats"]]) == (0, [False, True])
    axis.post("/seats/seat1/vacate")
    judge = person("Judge")
    axis.post("/seats/referee/vacate")
    judge.join(axis.invite("referee"))
    assert judge.post("/sealed/open", round=id).status_code == 200
    opened = allies.get("/sealed").json()
    assert [it["sealed"] for it in opened["round"]["seats"]] == [False, True]
    assert {it["seat"]: (it["sealed"], it["words"]) for it in opened["outcome"]}["seat1"] == (False, "")
    assert SECRET not in carl.call("GET", f"/tables/{axis.table}/sealed").text + str(opened)


def test_what_may_not_be_sealed(round_: Any) -> None:
    axis, allies, fan, id = round_
    assert seal(allies, id, "seat2", [SPEND]).status_code == 403  # another's power
    assert seal(allies, id, "seat2", [{"do": "advance"}]).status_code == 400
    assert seal(axis, id, "seat1", [{**SPEND, "brp": 9999}]).status_code == 422
    assert SECRET in axis.get("/sealed").text  # what was sealed before is still there
    assert seal(fan, id, "seat2").status_code == 403
    assert axis.post("/sealed", title="another").status_code == 409
    assert fan.post("/sealed", title="mine").status_code == 403


def test_opened_twice_each_order_is_given_once(round_: Any) -> None:
    from warcabinet.web.hall.sealed_book import Envelope
    from warcabinet.web.table.sealed_rounds import open_all

    axis, _, _, id = round_
    server = axis.client.app.state.server
    found = server.hall.sealed.open_round(axis.table)
    kept: dict[str, Envelope] = server.hall.sealed.envelopes(id)

    class Asked:
        pass

    ask: Any = Asked()
    ask.server = server
    with server.tables.at(axis.table) as table:
        assert len(open_all(ask, table, found, lambda seat, it: it)) == 1
        for envelope in kept.values():  # as if the server had died before it wrote that it was opened
            server.hall.sealed.seal(found, envelope)
        assert open_all(ask, table, found, lambda seat, it: it) == []
