"""What travels between server and page: changes and not the position, compressed; choices and boards when asked."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from positions import CONVOY, SAILING
from warcabinet.bench.page_weights import weigh
from warcabinet.game.demo import carry_out, demo
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands.table import Advance
from warcabinet.web.orders.offer_list import MET_BY

LIGHT = 20_000


def test_after_a_move_a_page_receives_little() -> None:
    """Over a sample of the demonstration's moves; `warcabinet bench --server` weighs more of them."""
    # In a thread: a browser that other tests keep open has an event loop of its own in this one.
    with ThreadPoolExecutor(1) as aside:
        weights = aside.submit(weigh, 14, 600).result()
    assert weights.moves > 30
    for median in (weights.mover_median, weights.watcher_median, weights.spectator_median):
        assert 0 < median < LIGHT
    assert weights.opened < LIGHT


def test_answers_are_compressed_and_the_stream_is_not(solo: Any) -> None:
    view = solo.get()
    assert view.headers["content-encoding"] == "gzip"
    assert int(view.headers["content-length"]) < len(view.content) / 4
    plain = solo.client.get(f"/api/v1/tables/{solo.table}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers


def test_the_list_of_offers_holds_no_choices(solo: Any) -> None:
    """What a field may be is asked for when its form opens."""
    for offer in solo.get().json()["position"]["offers"]:
        known = {"command", "known", "available", "room", "by", "refusals", "of_this_phase", "meets", "rank", "final"}
        assert set(offer) <= known
    form = solo.post("/narrow", command="declare_war", known={"power": "germany"}).json()
    assert {choice["value"] for choice in form["fields"]["on"]["choices"]} > {"belgium", "france"}


# -- changes ------------------------------------------------------------------------------------------------------


def put(old: list[Any], news: list[Any], *names: str) -> list[Any]:
    """A list with some of its lines replaced, each known by these of its parts."""
    other = {json.dumps([it[name] for name in names]): it for it in news}
    return [other.get(json.dumps([it[name] for name in names]), it) for it in old]


def merged(old: dict[str, Any], news: dict[str, Any]) -> dict[str, Any]:
    """The position that a page shows after changes came, as `static/changes.js` puts it together."""
    stacks = {(it["nation"], it["place"], it["unit"]): it for it in (*old["pieces"], *news.get("pieces", ()))}
    agenda = {it["id"]: it for it in (*old["agenda"], *news.get("agenda", ()))}
    order = news.get("agenda_order", [it["id"] for it in old["agenda"]])
    control = {**old["control"], **news.get("control", {})}
    offers = put(old["offers"], news.get("offers", []), "command", "known")
    whole = {name: value for name, value in news.items() if name not in ("agenda_order", "all_offers")}
    return {
        **old,
        **whole,
        "powers": put(old["powers"], news.get("powers", []), "power"),
        "countries": put(old["countries"], news.get("countries", []), "id"),
        "control": {key: holder for key, holder in control.items() if holder is not None},
        "pieces": [it for it in stacks.values() if it["count"]],
        "agenda": [agenda[id] for id in order],
        "offers": news.get("offers", []) if news.get("all_offers") else offers,
    }


def ordered(position: dict[str, Any]) -> dict[str, Any]:
    """The order in which stacks are listed says nothing."""
    pieces = sorted(position["pieces"], key=lambda it: (it["place"], it["nation"], it["unit"]))
    return {**position, "pieces": pieces}


def test_changes_make_the_old_view_the_new_one_all_through_a_campaign(person: Any) -> None:
    """A page that only ever received changes shows what one shows that has just been opened."""
    script = demo()
    ada = person("Ada").create(scenario=script.scenario, options=script.options)
    fan = person("Fan").join(ada.invite("spectators"))
    shown = {page: page.get().json() for page in (ada, fan)}
    server = ada.client.app.state.server
    for number, step in enumerate(script.steps, 1):
        with server.tables.at(ada.table) as table:
            carry_out(table.game, step)
        if number % 61:
            continue
        for page, view in shown.items():
            update = page.get("/changes", since=view["mark"]).json()
            assert update["position"] is None
            position = merged(view["position"], update["changes"])
            fresh = page.get().json()
            assert ordered(position) == ordered(fresh["position"]), step
            assert (update["mark"], update["head"]) == (fresh["mark"], fresh["head"])
            shown[page] = {**update, "position": position}


def test_changes_bring_the_offers_of_an_operation_that_waits(person: Any) -> None:
    """A reply that is awaited is an order more for the seat that is asked, and one less when it has been given."""
    ada = person("Ada").create(position=CONVOY)
    view = ada.get().json()
    for command, _ in SAILING:
        assert ada.do(**command).status_code == 200
        update = ada.get("/changes", since=view["mark"]).json()
        view = {**update, "position": merged(view["position"], update["changes"])}
        assert ordered(view["position"]) == ordered(ada.get().json()["position"])
        replies = [it for it in view["position"]["offers"] if it.get("replies_to") and it["available"]]
        assert bool(replies) == bool(view["position"]["waits"])
        assert all(it["meets"] == ["WC.10"] and it["rank"] for it in replies)


def test_the_one_who_moves_receives_what_changed_with_the_answer(solo: Any) -> None:
    before = solo.get().json()
    order = {"do": "spend", "power": "germany", "brp": 9, "on": "other"}
    path = f"/api/v1/tables/{solo.table}/do"
    done = solo.client.post(path, params={"since": before["mark"]}, json=order).json()
    update = done["update"]
    assert update["head"] == done["head"] == before["head"] + 1
    assert [card["power"] for card in update["changes"]["powers"]] == ["germany"]
    assert [line["id"] for line in update["log"]] == [done["head"]]
    assert "control" not in update["changes"]
    assert "pieces" not in update["changes"]
    assert ordered(merged(before["position"], update["changes"])) == ordered(solo.get().json()["position"])
    # A program that names no view is told what it did, and no more.
    assert solo.do(**order).json()["update"] is None


def test_only_hexes_and_stacks_that_changed_come(solo: Any) -> None:
    solo.do(do="report_control", places=["Danzig"], by="germany")
    mark = solo.get().json()["mark"]
    moved = solo.do(do="report_move", power="germany", units=["2 infantry 3-3"], origin="Breslau", to="Vienna")
    assert moved.status_code == 200, moved.text
    solo.do(do="report_control", places=["Warsaw"], by="germany")
    changes = solo.get("/changes", since=mark).json()["changes"]
    assert {it["place"]: it["count"] for it in changes["pieces"]} == {"europe/N32": 0, "europe/Q30": 2}
    assert changes["control"] == {"europe/M35": "germany"}


def test_an_undo_takes_hexes_back_and_marks_the_lines_of_the_log(solo: Any) -> None:
    solo.do(do="report_control", places=["Warsaw"], by="germany")
    view = solo.get().json()
    solo.post("/undo")
    update = solo.get("/changes", since=view["mark"]).json()
    assert update["changes"]["control"] == {"europe/M35": None}
    assert [(line["id"], line["undone"]) for line in update["log"]] == [(view["head"] + 1, False), (view["head"], True)]


@pytest.mark.parametrize("mark", ["", "x", "1", "99-now-abc", "2-now-0123456789ab", "²-now-", "-1-now-", "9" * 50])
def test_a_page_whose_view_is_not_known_receives_the_whole(solo: Any, mark: str) -> None:
    update = solo.get("/changes", since=mark).json()
    assert update["changes"] is None
    assert update["log"] is None
    assert update["position"] == solo.get().json()["position"]


def test_another_seats_mark_is_not_the_base_of_anything(two: Any) -> None:
    axis, allies = two
    assert allies.get("/changes", since=axis.get().json()["mark"]).json()["changes"] is None
    # Neither is one's own after a seat was lost.
    mark = axis.get().json()["mark"]
    axis.post("/seats/referee/vacate")
    update = axis.get("/changes", since=mark).json()
    assert update["changes"] is None
    assert not update["me"]["referee"]


def test_the_past_is_looked_at_by_changes_too(solo: Any) -> None:
    solo.do(do="spend", power="germany", brp=9, on="other")
    now = solo.get().json()
    past = solo.get("/changes", since=now["mark"], at=2).json()
    position = merged(now["position"], past["changes"])
    assert ordered(position) == ordered(solo.get("", at=2).json()["position"])
    assert position["offers"] == []
    assert past["log"] is None
    back = solo.get("/changes", since=past["mark"]).json()
    assert ordered(merged(position, back["changes"])) == ordered(now["position"])


# -- what is kept -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "path"), [("europe", "/boards/europe"), ("commands", "/commands")])
def test_what_never_changes_is_kept_by_its_mark(solo: Any, name: str, path: str) -> None:
    page = solo.client.get(f"/tables/{solo.table}").text
    marks = json.loads(page.partition('data-marks="')[2].partition('"')[0].replace("&#34;", '"'))
    client = TestClient(solo.client.app)
    steps = {"steps": "true"} if name == "europe" else {}
    kept = client.get(f"/api/v1{path}", params={"mark": marks[name], **steps})
    assert "immutable" in kept.headers["cache-control"]
    assert kept.headers["content-encoding"] == "gzip"
    # Without the mark, or with an old one, a browser asks whether it still has it.
    plain = client.get(f"/api/v1{path}", params={"mark": "old", **steps})
    assert plain.json() == kept.json()
    assert plain.headers["cache-control"] == "public, no-cache"
    same = client.get(f"/api/v1{path}", params=steps, headers={"if-none-match": plain.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")
    bare = client.get(f"/api/v1{path}", params=steps, headers={"accept-encoding": "identity"})
    assert bare.json() == kept.json()


def test_a_coast_in_steps_is_the_same_coast_and_lighter(solo: Any) -> None:
    client = TestClient(solo.client.app)
    plain = client.get("/api/v1/boards/europe")
    short = client.get("/api/v1/boards/europe", params={"steps": "true"})
    assert int(short.headers["content-length"]) < 0.75 * int(plain.headers["content-length"])
    walked = []
    for ring in short.json()["coast"]["rings"]:
        line = list(ring[:2])
        for step in ring[2:]:
            line.append(line[-2] + step)
        walked.append(line)
    assert walked == plain.json()["coast"]["rings"]
    assert "steps" not in plain.json()["coast"]


# -- what the server says -----------------------------------------------------------------------------------------


def test_of_every_duty_it_is_known_which_orders_meet_it() -> None:
    """A new duty that stops the clock must say by which orders it is met."""
    assert set(MET_BY) == set(RULES.limits[Advance])


def test_the_server_says_whose_word_it_is_that_the_game_goes_on(person: Any, two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    fan = person("Fan").join(axis.invite("spectators"))
    said = [page.get().json()["position"]["may_advance"] for page in (axis, allies, fan)]
    assert said == [True, False, False]


def test_the_server_says_what_comes_first_and_who_moves(solo: Any) -> None:
    solo.post("/advance", to="declarations of war")
    solo.do(do="declare_war", power="germany", on=["belgium"])
    solo.post("/advance")
    position = solo.get().json()["position"]
    first = min((it for it in position["offers"] if it.get("rank")), key=lambda it: it["rank"])
    assert (first["command"], first["meets"]) == ("deploy", ["82.53"])
    assert position["moving"] == ["germany", "italy", "japan"]
    assert position["may_advance"]
    assert position["clock"]["next"] == "voluntary elimination"
