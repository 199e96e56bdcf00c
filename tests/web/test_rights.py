"""Tests that try: a seat neither reads nor does what is not its own."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from warcabinet.figures.position import Position, UnitLine, set_up
from warcabinet.game.offers import offers
from warcabinet.model.commands import command_types, is_report
from warcabinet.web.hall.rights import actor_field
from warcabinet.web.orders.place_orders import orders_here

READS = ("", "/offers", "/log", "/agenda", "/charts", "/talk", "/notes", "/export", "/ledger.csv", "/forecast",
         "/moves/1", "/countries/belgium", "/powers/germany", "/explain?rule=base&args=germany", "/hex?key=europe/M25",
         "/figure?path=tracks.usat", "/ledger?account=brp/germany", "/zones?board=europe", "/events")  # fmt: skip


@pytest.mark.parametrize("path", READS)
def test_a_stranger_reads_nothing(person: Any, solo: Any, path: str) -> None:
    nobody = person("Eve")
    nobody.table = solo.table
    assert nobody.get(path).status_code == 401
    other = person("Eve").create()
    other.table = solo.table
    assert other.get(path).status_code == 404


def test_a_stranger_does_nothing(person: Any, solo: Any) -> None:
    eve = person("Eve").create()
    eve.table = solo.table
    for path in ("/do", "/preview"):
        assert eve.post(path, do="roll", purpose="luck").status_code == 404
    for path in ("/undo", "/redo", "/seats/seat1/invitations", "/seats/seat1/vacate", "/seats/seat1/sit"):
        assert eve.post(path).status_code == 404
    assert eve.post("/advance", to="").status_code == 404
    assert solo.get().json()["head"] == 3


def test_no_seat_orders_for_a_power_that_is_not_its_own(two: Any) -> None:
    axis, allies = two
    order = {"do": "spend", "brp": 5, "on": "other"}
    assert allies.do(**order, power="germany").status_code == 403
    assert axis.do(**order, power="france").status_code == 403
    assert allies.do(**order, power="germany", seat="seat1").status_code == 403
    assert allies.post("/preview", **order, power="germany").status_code == 403
    assert axis.do(**order, power="germany").status_code == 200


def test_a_country_that_fights_alone_is_moved_by_the_power_with_which_it_moves(two: Any) -> None:
    axis, allies = two
    order = {"do": "move", "nation": "poland", "unit": "infantry 1-3", "from": "Warsaw", "to": "Lodz"}
    assert allies.post("/preview", **order).status_code == 200
    assert axis.post("/preview", **order).status_code == 403
    assert axis.post("/preview", **{**order, "nation": "belgium"}).status_code == 200  # the host referees


@pytest.mark.parametrize(("nation", "unit", "at"), [("greece", "infantry 1-3", "europe/EE27"),
                                                    ("dutch_east_indies", "infantry 1-2", "pacific/II11")])  # fmt: skip
def test_the_card_of_a_hex_has_orders_for_units_of_those_who_fight_alone(nation: str, unit: str, at: str) -> None:
    kind, _, strength = unit.partition(" ")
    wars = [{"between": ["italy", "greece"], "declared_by": "italy"}, {"between": ["japan", "britain"]}]
    facts = {"countries.greece": {"status": "independent"}, "wars": wars}
    units = (UnitLine(nation=nation, type=kind, strength=strength, at=at),)
    position = Position("classic-1939", turn="Spring 1942, Allied, movement", set=facts, units=units)
    state, _ = set_up(position)
    found = {held: orders_here(state, offers(state, held), at, held).units for held in (("britain",), ("germany",))}
    assert "move" in {it.command for it in found["britain",][0].orders}
    assert "move" not in {it.command for it in found["germany",][0].orders}


def test_only_the_side_whose_turn_it_is_goes_on(two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    assert allies.post("/advance", to="").status_code == 403
    assert axis.post("/advance", to="Fall 1939, Allied, combat").status_code == 403
    assert axis.post("/advance", to="Fall 1939, Allied").status_code == 200
    assert axis.post("/advance", to="").status_code == 403
    allies.mobilize("britain")
    assert allies.post("/advance", to="").status_code == 200


def test_only_the_referee_rules(two: Any) -> None:
    _, allies = two
    fix = {"do": "correct", "figure": "powers.germany.brp", "to": 0, "reason": "why not"}
    assert allies.do(**fix).status_code == 403
    assert allies.do(**fix, seat="referee").status_code == 403
    assert allies.do(**fix, seat="").status_code == 403
    assert allies.do(do="choose_reading", ruling="R-0002", reading="b").status_code == 403


def test_reports_can_be_left_to_the_referee(person: Any) -> None:
    seats = [
        {"title": "Axis", "powers": ["germany"], "mine": True},
        {"title": "Allies", "powers": ["france"], "mine": False},
    ]
    host = person("Ada").create(seats=seats, reports="referee")
    friend = person("Ben").join(host.invite("seat2"))
    report = {"do": "report_control", "places": ["Warsaw"], "by": "germany"}
    assert friend.do(**report).status_code == 403
    assert host.do(**report).status_code == 200


def test_spectators_look_on(person: Any, two: Any) -> None:
    axis, _ = two
    fan = person("Fan").join(axis.invite("spectators"))
    assert fan.get().status_code == 200
    assert fan.get().json()["position"]["offers"] == []
    for command in (
        {"do": "roll", "purpose": "x"},
        {"do": "report_track", "track": "usat", "level": 3},
        {"do": "advance"},
    ):
        assert fan.do(**command).status_code == 403
    assert fan.post("/undo").status_code == 403
    assert fan.post("/seats/seat1/invitations").status_code == 403
    assert fan.post("/talk", text="psst", to="seat1").status_code == 403
    assert fan.post("/talk", text="well played").status_code == 201


def test_private_notes_and_whispers_never_leave_their_seat(person: Any, two: Any) -> None:
    axis, allies = two
    fan = person("Fan").join(axis.invite("spectators"))
    axis.call("PUT", f"/tables/{axis.table}/notes", text="attack in May")
    assert axis.get("/notes").json()["text"] == "attack in May"
    assert allies.get("/notes").json()["text"] == ""
    allies.post("/talk", text="only for the referee", to="referee")
    assert "only for the referee" in axis.get("/talk").text  # the host referees
    axis.post("/talk", text="hello all")
    axis.post("/talk", text="to the allies alone", to="seat2")
    assert "to the allies alone" in allies.get("/talk").text
    seen = fan.get("/talk").text
    assert "hello all" in seen
    assert "to the allies alone" not in seen
    assert "only for the referee" not in seen
    for reader in (allies, fan):
        for path in ("", "/talk", "/log", "/export"):
            assert "attack in May" not in reader.get(path).text


def test_a_vacated_seat_is_lost_at_once_and_can_be_filled_anew(person: Any, two: Any) -> None:
    axis, allies = two
    token = allies.post("/tokens", seat="seat2").json()["token"]
    assert axis.post("/seats/seat2/invitations").status_code == 409
    assert allies.post("/seats/seat1/vacate").status_code == 403
    assert axis.post("/seats/seat2/vacate").status_code == 200
    assert allies.get().status_code == 404
    program = TestClient(allies.client.app, headers={"authorization": f"Bearer {token}"})
    assert program.get(f"/api/v1/tables/{axis.table}").status_code == 401
    carl = person("Carl").join(axis.invite("seat2"))
    assert carl.get().json()["me"]["powers"] == ["britain", "france", "russia", "usa", "china"]


def test_an_invitation_seats_one_player_only(person: Any, two: Any) -> None:
    axis, _ = two
    axis.post("/seats/seat2/vacate")
    link = axis.invite("seat2")
    person("Carl").join(link)
    assert person("Dora").call("POST", "/join", invitation=link, name="Dora").status_code == 404


def test_a_program_holds_a_seat_by_its_token_and_nothing_else(two: Any) -> None:
    axis, allies = two
    made = allies.post("/tokens", seat="seat2", label="bot")
    assert allies.post("/tokens", seat="seat1").status_code == 403
    bot = TestClient(axis.client.app, headers={"authorization": f"Bearer {made.json()['token']}"})
    at = f"/api/v1/tables/{axis.table}"
    assert bot.get(at).json()["me"]["powers"][0] == "britain"
    order = {"do": "spend", "brp": 5, "on": "other"}
    assert bot.post(at + "/do", json={**order, "power": "germany"}).status_code == 403
    axis.post("/advance", to="Fall 1939, Allied")
    assert bot.post(at + "/do", json={**order, "power": "britain"}).status_code == 200
    assert bot.post(at + "/tokens", json={"seat": "seat2"}).status_code == 403
    assert bot.post(at + "/seats/seat1/vacate", json={}).status_code == 403
    wrong = TestClient(axis.client.app, headers={"authorization": "Bearer wct_guess"})
    assert wrong.get(at).status_code == 401


def test_undo_beyond_a_die_or_of_another_seat_needs_consent(two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    axis.do(do="spend", power="germany", brp=5, on="other")
    assert allies.post("/undo").json()["asked"]
    assert allies.post("/consent", agree=True).status_code == 403
    refused = axis.post("/consent", agree=False).json()
    assert (refused["done"], refused["asked"], refused["head"]) == (False, False, 4)
    axis.do(do="roll", purpose="weather")
    asked = axis.post("/undo").json()
    assert asked["asked"]
    assert "die" in asked["reason"]
    assert allies.get().json()["undo"]["asked"]["waits_for_me"]
    assert allies.post("/consent", agree=True).json()["done"]
    assert axis.get().json()["head"] == 6


def test_another_site_cannot_make_a_browser_act(solo: Any) -> None:
    path = f"/api/v1/tables/{solo.table}/do"
    order = {"do": "roll", "purpose": "x"}
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        assert solo.client.post(path, json=order, headers=headers).status_code == 403


def test_secrets_are_not_kept_in_the_open(settings: Any, two: Any) -> None:
    axis, _ = two
    link = axis.invite("spectators")
    cookie = next(iter(axis.client.cookies.values()))
    kept = b"".join(p.read_bytes() for p in settings.data.glob("hall.sqlite*"))
    assert link.encode() not in kept
    assert cookie.encode() not in kept


def test_nobody_learns_the_dice_to_come(two: Any) -> None:
    _, allies = two
    with allies.client.app.state.server.tables.at(allies.table) as table:
        seed = table.game.journal.seeds()[-1].secret
    for path in ("", "/moves/1", "/log", "/export"):
        assert seed not in allies.get(path).text
    # A copy throws dice of its own: what it shows says nothing of the game it came from.
    copy = allies.post("/what-if").json()["table"]
    with allies.client.app.state.server.tables.at(copy) as table:
        assert table.game.journal.seeds()[-1].secret != seed


def test_every_order_names_whose_it_is_or_is_harmless() -> None:
    """A new order must say who is ordered about, or a seat could give it for another."""
    # What is set up at once is held against the powers of the sitter (test_setting_up_at_once).
    harmless = {"advance", "roll", "rule", "release", "correct", "choose_reading", "deploy_rest"}
    for name, kind in command_types().items():
        assert is_report(kind) or actor_field(kind) or name in harmless, name


def test_setting_up_at_once(two: Any) -> None:
    """Whoever sets up all that waits must play those whose right it is."""
    axis, allies = two
    axis.post("/seats/referee/vacate")
    axis.post("/advance", to="declarations of war")
    for country in ("belgium", "netherlands"):
        assert axis.do(do="declare_war", power="germany", on=[country]).status_code == 200
    axis.post("/advance", to="set-up of attacked minors")
    assert axis.do(do="deploy_rest").status_code == 403
    assert axis.do(do="deploy_rest", by="britain").status_code == 403
    assert allies.do(do="deploy_rest").status_code == 200
    assert allies.do(do="deploy_rest").status_code == 422


def test_nobody_moves_units_of_another(two: Any) -> None:
    axis, allies = two
    move = {"do": "move", "unit": "infantry 3-3", "from": "Berlin", "to": "Leipzig"}
    assert allies.do(**move, nation="germany").status_code == 403
    assert allies.do(**move, nation="belgium").status_code == 403
    assert axis.do(**move, nation="germany").status_code == 422  # none is there, but it is theirs to try


def test_forces_that_a_power_leads_are_ordered_by_its_seat(two: Any) -> None:
    axis, allies = two
    move = {"do": "move", "unit": "infantry 1-2", "from": "Rangoon", "to": "Mandalay"}
    for nation in ("indian_national_army", "vlasov"):
        assert allies.do(**move, nation=nation).status_code == 403
        assert axis.do(**move, nation=nation).status_code == 422  # none is there, but it is theirs to try
