"""Who may do what at a table: seats, host and referee, programs, whispers, spectators, devices."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from attacks import ROLL, file_of, settings_of
from starlette.testclient import TestClient

from warcabinet.web.hall.people_book import alike
from warcabinet.web.plumbing.mail import is_address
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.webhook import _outside
from warcabinet.web.server.app import create_app

# -- one name, one person (23) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ada", " ada ", "ＡＤＡ", "A d a", "Adá"])
def test_nobody_poses_as_another(person: Any, two: Any, name: str) -> None:
    axis, _ = two
    link = axis.invite("spectators")
    assert person("Eve").call("POST", "/join", invitation=link, name=name).status_code == 409
    assert person("Eve").call("POST", "/join", invitation=link, name="Eve").status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "Ref\u0435ree",
        "REFEREE",
        "\u0405ystem",
        "\u03a1\u0430ul",
        "B\u0435n",
        "\u3164",
        "Ada\u200b",
        "A\u202eda",
        "War Cabinet",
    ],
)
def test_a_name_that_is_not_what_it_seems_is_refused(name: str, person: Any, two: Any) -> None:
    axis, _ = two
    joined = person(name).call("POST", "/join", invitation=axis.invite("spectators"), name=name)
    assert joined.status_code == 400, joined.text
    assert axis.call("PUT", "/me", name=name).status_code == 400


@pytest.mark.parametrize("name", ["\u0412\u0435\u043f", "8en ", "B\u00e9n", "\u0392\u0395\u039d", "BEN"])
def test_nobody_at_a_table_looks_like_another(name: str, person: Any, two: Any) -> None:
    axis, _ = two
    joined = person(name).call("POST", "/join", invitation=axis.invite("spectators"), name=name)
    other = name.startswith(("8", "\u0412"))  # figures and letters that look like nothing of it
    assert joined.status_code == (200 if other else 409), joined.text


def test_small_letters_of_another_alphabet_are_those_that_they_look_like() -> None:
    assert alike("\u0455\u0441\u043e\u0440\u0435") == alike("scope")


def test_addresses_that_lead_into_the_house_are_none() -> None:
    assert [_outside(it) for it in ("fec0::1", "feff::1", "fc00::1", "2001:4860:4860::8888")] == [False] * 3 + [True]
    assert [is_address(it) for it in ("a@127.0.0.1", "a@10", "a@example.org", "a@1.example.org")] == [False] * 2 + [
        True
    ] * 2


def test_one_is_called_otherwise_but_not_like_another(person: Any, two: Any) -> None:
    axis, _ = two
    fan = person("Fan").join(axis.invite("spectators"))
    assert fan.call("PUT", "/me", name="Ada").status_code == 409
    assert fan.call("PUT", "/me", name="Felicity").status_code == 200
    assert fan.get().json()["me"]["name"] == "Felicity"


# -- the host, the referee (9) ----------------------------------------------------------------------------------------


def test_who_plays_does_not_agree_to_their_own_request(two: Any) -> None:
    axis, allies = two  # the host plays the Axis and is the referee
    axis.do(**ROLL)
    assert axis.post("/undo").json()["asked"]
    assert axis.post("/consent", agree=True).status_code == 403
    assert allies.post("/consent", agree=True).json()["done"]


def test_a_referee_who_left_their_seat_does_not_agree_to_their_own_request(two: Any) -> None:
    """The referee's seat asks, and is the only one left to the host: it is still the host who asked."""
    axis, allies = two
    axis.do(**ROLL)
    axis.post("/seats/seat1/vacate")
    assert axis.post("/undo").json()["asked"]
    assert axis.post("/consent", agree=True).status_code == 403
    assert allies.post("/consent", agree=True).json()["done"]


def test_a_referee_who_asked_does_not_settle_it(person: Any, two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    judge = person("Judge").join(axis.invite("referee"))
    axis.do(**ROLL)
    assert judge.post("/undo").json()["asked"]  # a die stays, whoever asks
    assert judge.post("/consent", agree=True).status_code == 403
    assert [it.post("/consent", agree=True).json()["done"] for it in (axis, allies)] == [False, True]


def test_no_program_agrees_for_whoever_asked(two: Any) -> None:
    axis, _ = two
    token = axis.post("/tokens", seat="seat1").json()["token"]
    axis.do(**ROLL)
    axis.post("/undo")
    bot = TestClient(axis.client.app, headers={"authorization": f"Bearer {token}"})
    assert bot.post(f"/api/v1/tables/{axis.table}/consent", json={"agree": True}).status_code == 403


def test_a_host_who_sends_the_others_away_throws_no_second_time(person: Any, two: Any) -> None:
    axis, _ = two
    axis.do(**ROLL)
    axis.post("/seats/seat2/vacate")
    assert axis.post("/undo").status_code == 409
    assert axis.post("/seats/seat2/sit").status_code == 200  # now every seat is the host's
    assert not axis.get().json()["undo"]["free"]
    assert axis.post("/undo").status_code == 409
    axis.post("/seats/seat2/vacate")
    person("Carl").join(axis.invite("seat2"))
    assert axis.post("/undo").status_code == 409, "Carl did not see it fall"


def test_alone_at_a_table_a_die_is_taken_back(solo: Any) -> None:
    solo.do(**ROLL)
    assert solo.get().json()["undo"]["free"]
    assert solo.post("/undo").json()["done"]


def test_a_referee_who_plays_does_not_take_back_anothers_move(two: Any) -> None:
    axis, allies = two
    axis.post("/advance", to="Fall 1939, Allied")
    assert allies.do(do="spend", power="france", brp=5, on="other").status_code == 200
    assert axis.post("/undo").json()["asked"]
    head = axis.get().json()["head"]
    axis.post("/seats/seat1/vacate")  # leaving the seat for a moment does not make them impartial
    assert axis.post("/consent", agree=True).status_code in (403, 409)
    assert allies.get().json()["head"] == head


def test_a_referee_who_leaves_their_seat_for_a_moment_is_not_impartial(two: Any) -> None:
    """Neither takes back another's move unasked, is asked for their word, nor does again what was undone."""
    axis, allies = two
    axis.post("/advance", to="Fall 1939, Allied")
    spend = {"do": "spend", "power": "france", "brp": 5, "on": "other"}
    assert allies.do(**spend).status_code == 200
    axis.post("/seats/seat1/vacate")
    assert not axis.get().json()["undo"]["free"]
    assert axis.post("/undo").json()["asked"]
    assert allies.post("/consent", agree=False).status_code == 200
    assert allies.post("/undo").json()["done"]
    assert axis.post("/redo").status_code == 403
    allies.do(**ROLL)
    assert allies.post("/undo").status_code == 409, "nobody is left who could agree"


def test_a_referee_who_plays_no_power_settles_it(person: Any, two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    judge = person("Judge").join(axis.invite("referee"))
    axis.do(**ROLL)
    axis.post("/undo")
    assert judge.post("/consent", agree=True).json()["done"]
    assert allies.get().json()["head"] == 5


@pytest.mark.parametrize("seat", ["seat2", "referee"])
@pytest.mark.parametrize("asked_before", [True, False])
def test_who_saw_a_die_fall_is_not_sent_away_to_throw_it_again(
    seat: str, asked_before: bool, person: Any, two: Any
) -> None:
    """The host puts a second browser of his in a seat after the throw: its word does not count."""
    axis, allies = two
    axis.do(**ROLL)
    head = axis.get().json()["head"]
    if asked_before:
        assert axis.post("/undo").json()["asked"]
    axis.post("/seats/seat2/vacate")
    axis.post("/seats/referee/vacate")
    second = person("Second").join(axis.invite(seat))
    assert axis.post("/undo").status_code == 409
    answer = second.post("/consent", agree=True)
    assert answer.status_code in (200, 403, 409)
    assert second.get().json()["head"] == head
    assert axis.post("/undo").status_code == 409
    assert axis.get().json()["head"] == head
    if seat == "referee":
        allies.join(axis.invite("seat2"))  # who saw it is back, and may agree
        assert axis.post("/undo").json()["asked"]
        assert allies.post("/consent", agree=True).json()["done"]


def test_nobody_reports_anothers_loss_or_surrender(two: Any) -> None:
    axis, allies = two
    for report in (
        {"do": "report_surrender", "power": "germany"},
        {"do": "report_brp", "power": "germany", "brp": -20, "cause": "other"},
        {"do": "report_loss", "power": "germany", "units": ["infantry 3-3"], "at": "Berlin"},
        {"do": "report_control", "places": ["Berlin"], "by": "germany"},
    ):
        assert allies.do(**report).status_code == 403, report
    assert axis.do(do="report_brp", power="germany", brp=-1, cause="other").status_code == 200
    assert axis.do(do="report_control", places=["Warsaw"], by="germany").status_code == 200


# -- programs, whispers (14, 15) --------------------------------------------------------------------------------------


def test_a_program_reaches_neither_notes_nor_talk(two: Any) -> None:
    axis, allies = two
    token = allies.post("/tokens", seat="seat2").json()["token"]
    bot = TestClient(axis.client.app, headers={"authorization": f"Bearer {token}"})
    at = f"/api/v1/tables/{axis.table}"
    assert bot.get(f"{at}/notes").status_code == 403
    assert bot.put(f"{at}/notes", json={"text": "x"}).status_code == 403
    assert bot.get(f"{at}/talk").status_code == 403
    assert bot.post(f"{at}/talk", json={"text": "x"}).status_code == 403
    assert bot.post(f"{at}/delete", json={}).status_code == 403
    assert bot.get(at).status_code == 200
    (mine,) = allies.get("/tokens").json()
    assert mine["seat"] == "seat2"
    assert allies.post(f"/tokens/{mine['id']}/withdraw").status_code == 200
    assert bot.get(at).status_code == 401


def test_whispers_stay_with_those_who_heard_them(person: Any, two: Any) -> None:
    axis, allies = two
    axis.post("/talk", text="let us make peace", to="seat2")
    allies.post("/talk", text="I am thinking of it", to="seat1")
    allies.call("PUT", f"/tables/{axis.table}/notes", text="bluff")
    axis.post("/seats/seat2/vacate")
    carl = person("Carl").join(axis.invite("seat2"))
    assert "peace" not in carl.get("/talk").text
    assert "thinking" not in carl.get("/talk").text
    assert "bluff" not in carl.get("/notes").text
    assert "thinking" in axis.get("/talk").text
    axis.post("/seats/seat2/vacate")
    assert axis.post("/talk", text="anybody?", to="seat2").status_code == 409


# -- talk, spectators, the end of a table (22) ------------------------------------------------------------------------


def test_who_talks_without_end_is_slowed_down(tmp_path: Path) -> None:
    client = TestClient(create_app(settings_of(tmp_path, talk_per_minute=1)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    at = f"/api/v1/tables/{table}/talk"
    assert [client.post(at, json={"text": "spam"}).status_code for _ in range(3)] == [201, 429, 429]


def test_spam_hides_nothing(tmp_path: Path) -> None:
    client = TestClient(create_app(settings_of(tmp_path, talk_per_minute=100_000)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    at = f"/api/v1/tables/{table}/talk"
    client.post(at, json={"text": "important"})
    for _ in range(205):
        client.post(at, json={"text": "spam"})
    shown = client.get(at).json()
    assert "important" not in str(shown)
    assert "important" in client.get(at, params={"before": shown[0]["id"]}).text


def test_the_host_puts_out_one_spectator(person: Any, two: Any) -> None:
    axis, _ = two
    link = axis.invite("spectators")
    fan, troll = person("Fan").join(link), person("Troll").join(link)
    assert fan.post("/put-out", name="Troll").status_code == 403
    assert axis.post("/put-out", name="Nobody").status_code == 404
    assert axis.post("/put-out", name="Troll").status_code == 200
    assert troll.get().status_code == 404
    assert troll.call("POST", "/join", invitation=link, name="Troll").status_code == 404
    assert fan.get().status_code == 200


def test_a_table_is_deleted_with_time_to_change_ones_mind(person: Any, two: Any, settings: Settings) -> None:
    axis, allies = two
    server = axis.client.app.state.server
    assert allies.post("/delete").status_code == 403
    ends = axis.post("/delete").json()["ends"]
    assert ends > time.time() + 6 * 86400
    assert allies.get().status_code == 404
    assert server.tables.tidy() == []
    assert axis.post("/call-back").json()["ends"] == 0
    assert allies.get().status_code == 200
    ends = axis.post("/delete").json()["ends"]
    assert server.tables.tidy(ends + 1) == [axis.table]
    assert axis.get().status_code == 404
    assert not file_of(settings, axis.table).exists()


# -- devices ----------------------------------------------------------------------------------------------------------


def sign_in(someone: Any, path: str) -> Any:
    assert someone.client.get(path).status_code == 200
    return someone.call("POST", "/sign-in", secret=path.rpartition("/")[2])


def test_devices_are_listed_added_and_signed_out(person: Any, solo: Any) -> None:
    link = solo.call("POST", "/me/devices", label="phone").json()["path"]
    phone = person("")
    phone.table = solo.table
    assert sign_in(phone, link).json()["name"] == "Ada"
    assert phone.get().json()["me"]["name"] == "Ada"
    me = solo.call("GET", "/me").json()
    assert [it["label"] for it in me["devices"]] == ["browser", "phone"]
    other = next(it["id"] for it in me["devices"] if it["id"] != me["this"])
    assert solo.call("POST", "/sign-out", device=other).status_code == 200
    assert phone.get().status_code == 401
    assert solo.get().status_code == 200
    assert solo.call("POST", "/sign-out", everywhere=True).status_code == 200
    assert solo.get().status_code == 401


def test_a_link_for_a_device_works_once_and_for_some_minutes(
    person: Any, solo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = solo.call("POST", "/me/devices").json()["path"]
    assert sign_in(person(""), link).status_code == 200
    assert person("").call("POST", "/sign-in", secret=link.rpartition("/")[2]).status_code == 404
    late = solo.call("POST", "/me/devices").json()["path"]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 11 * 60)
    assert person("").call("POST", "/sign-in", secret=late.rpartition("/")[2]).status_code == 404


def test_a_host_who_lost_every_browser_comes_back(person: Any, two: Any) -> None:
    axis, _ = two
    first = axis.call("POST", "/me/recovery").json()["path"]
    link = axis.call("POST", "/me/recovery").json()["path"]
    assert person("").call("POST", "/sign-in", secret=first.rpartition("/")[2]).status_code == 404  # the newer is it
    assert axis.call("GET", "/me").json()["recovery"] > 0
    axis.call("POST", "/sign-out", everywhere=True)
    again = person("")
    again.table = axis.table
    told = sign_in(again, link).json()
    assert again.get().json()["me"]["host"]
    assert again.do(**ROLL).status_code == 200
    assert person("").call("POST", "/sign-in", secret=link.rpartition("/")[2]).status_code == 404  # used up
    assert sign_in(person(""), told["recovery"]["path"]).status_code == 200  # and followed by the next


def test_signing_out_all_others_leaves_this_one(person: Any, solo: Any) -> None:
    phone = person("")
    phone.table = solo.table
    sign_in(phone, solo.call("POST", "/me/devices").json()["path"])
    waiting = solo.call("POST", "/me/devices").json()["path"]
    recovery = solo.call("POST", "/me/recovery").json()["path"]
    assert solo.call("POST", "/sign-out", others=True, keep_recovery=False).status_code == 200
    assert phone.get().status_code == 401
    assert solo.get().status_code == 200
    for link in (waiting, recovery):
        assert person("").call("POST", "/sign-in", secret=link.rpartition("/")[2]).status_code == 404


def test_nobody_signs_out_anothers_browser(two: Any) -> None:
    axis, allies = two
    device = axis.call("GET", "/me").json()["this"]
    allies.call("POST", "/sign-out", device=device)
    assert axis.get().status_code == 200


def test_a_browser_is_listed_by_what_it_is_and_when_it_was_used(solo: Any) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    assert solo.client.get("/you", headers={"user-agent": agent}).status_code == 200
    (device,) = solo.call("GET", "/me").json()["devices"]
    assert device["agent"] == "Firefox, Linux"
    assert device["seen"] >= device["made"]


def test_programs_of_all_tables_are_listed(two: Any) -> None:
    axis, allies = two
    allies.post("/tokens", seat="seat2", label="clerk")
    (mine,) = allies.call("GET", "/me/tokens").json()
    assert (mine["label"], mine["title"], mine["seat"]) == ("clerk", "A game", "Allies")
    assert axis.call("GET", "/me/tokens").json() == []
    assert allies.post(f"/tokens/{mine['id']}/withdraw").status_code == 200
    assert allies.call("GET", "/me/tokens").json() == []


def test_whoever_runs_the_server_lets_a_host_back_in(person: Any, two: Any, settings: Settings) -> None:
    from click.testing import CliRunner

    from warcabinet.cli.server import let_in

    axis, _ = two
    axis.call("POST", "/sign-out", everywhere=True)
    told = CliRunner().invoke(let_in, [str(settings.data)]).output
    assert "Ada  hosts A game" in told
    told = CliRunner().invoke(let_in, [str(settings.data), "ada"]).output
    again = person("")
    again.table = axis.table
    assert sign_in(again, "/device/" + told.strip().rpartition("/")[2]).status_code == 200
    assert again.get().json()["me"]["host"]
    assert CliRunner().invoke(let_in, [str(settings.data), "Nobody"]).exit_code == 1


# -- the hall ---------------------------------------------------------------------------------------------------------


def listed(player: Any) -> dict[str, Any]:
    player.client.app.state.server.herald.look()
    (line,) = player.call("GET", "/tables").json()
    return dict(line)


def test_the_hall_lists_whose_move_since_when_and_what_waits(two: Any) -> None:
    axis, allies = two
    before = time.time()
    axis.post("/advance", to="Fall 1939, Allied")
    mine, theirs = listed(allies), listed(axis)
    assert mine["mine"]
    assert not theirs["mine"]
    assert mine["moment"] == "Fall 1939, Allied, start of player turn"
    (wait,) = theirs["waiting"]
    assert (wait["title"], wait["people"], wait["kind"]) == ("Allies", ["Ben"], "move")
    assert "mobilize now: Britain" in wait["text"]
    assert before <= wait["since"] <= time.time()
    since = wait["since"]
    allies.mobilize("britain")
    (wait,) = listed(axis)["waiting"]
    assert wait["since"] == since  # the same player turn, though something was done in it
    assert wait["text"] == "It is your player turn."
    stamp = axis.client.get(f"/tables/{axis.table}/stamp.svg", params={"theme": "dark"})
    assert stamp.text.startswith("<svg")
    assert 'clip-path="url(#land)"' in stamp.text  # the land by its coast, not by hexes
    assert stamp.headers["content-type"] == "image/svg+xml"


def test_the_hall_counts_what_was_not_read(person: Any, two: Any) -> None:
    axis, allies = two
    fan = person("Fan").join(axis.invite("spectators"))
    for n in range(3):
        axis.post("/talk", text=f"line {n}")
    axis.post("/talk", text="between us", to="seat2")
    assert listed(axis)["unread"] == 0  # one's own words
    assert listed(allies)["unread"] == 4
    assert listed(fan)["unread"] == 3  # not what was whispered
    last = allies.get("/talk").json()[-1]["id"]
    allies.call("PUT", f"/tables/{axis.table}/looked", line=last)
    assert listed(allies)["unread"] == 0


def test_a_table_of_an_earlier_release_is_listed_too(solo: Any) -> None:
    hall = solo.client.app.state.server.hall
    solo.client.app.state.server.herald.look()
    with hall._database.changing() as db:
        db.exec_driver_sql("DELETE FROM stands")
        db.exec_driver_sql("DELETE FROM waiting")
    assert solo.call("GET", "/tables").json()[0]["moment"] == ""
    assert listed(solo)["moment"].startswith("Fall 1939, Axis")


# -- addresses --------------------------------------------------------------------------------------------------------


def test_no_redirect_names_a_host_that_the_client_made_up(app: Any) -> None:
    for path in ("/health/", "/static", "/api/v1/tables/", "/api/v1"):
        answer = TestClient(app).get(path, headers={"host": "evil.example"}, follow_redirects=False)
        assert "evil" not in str(answer.headers), path


def test_a_guest_who_gives_a_name_with_a_table_is_called_so(person: Any) -> None:
    guest = person("Guest")
    assert guest.call("POST", "/demonstration", walk=True).status_code == 201
    assert 'id="name" name="name" required' in guest.client.get("/").text  # the hall still asks for a name
    guest.call("POST", "/tables", title="Ours", name="Ada")
    assert guest.call("GET", "/me").json()["name"] == "Ada"
    guest.call("POST", "/demonstration", walk=True)
    assert guest.call("GET", "/me").json()["name"] == "Ada"
