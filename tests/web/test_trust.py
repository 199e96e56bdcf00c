"""Attacks on the table and faults around it, each once found to work: none does any more."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import stat
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import command_types
from warcabinet.store import StorageError, examine, import_game, open_game
from warcabinet.store.backup import back_up
from warcabinet.web.app import create_app
from warcabinet.web.events import _caught_up
from warcabinet.web.gate import Visitor, sitter_at
from warcabinet.web.middleware import Flood
from warcabinet.web.serve import make_server, within_means
from warcabinet.web.settings import Settings, read_settings
from warcabinet.web.stream import Known, known

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROLL = {"do": "roll", "purpose": "weather"}
SPEND = {"do": "spend", "power": "germany", "brp": 5, "on": "other"}


def file_of(settings: Settings, table: str) -> Path:
    return settings.data / "games" / f"{table}.wcg"


# -- what strangers cost (3) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "{" * 20_000, "- " * 20_000, "? " * 20_000, "".join(" " * n + "a:\n" for n in range(300))],
)
def test_a_position_that_would_cost_seconds_is_refused_before_it_is_parsed(
    person: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr("warcabinet.web.starting.Document", lambda name, text: parsed.append(text))
    monkeypatch.setattr("warcabinet.web.starting._plain", parsed.append)
    eve = person("Eve")
    answer = eve.call("POST", "/tables", title="x", name="Eve", position=text)
    assert answer.status_code == 400, answer.text
    assert "nested deeper" in answer.json()["error"]
    assert parsed == []
    assert eve.call("GET", "/tables").status_code == 401


@pytest.mark.parametrize(
    "text", ["scenario: classic-1939\nturn: !!int ''\n", "set: {powers.germany.brp: " + "9" * 4000 + "}"]
)
def test_a_position_that_means_nothing_is_refused(person: Any, text: str) -> None:
    answer = person("Eve").call("POST", "/tables", title="x", name="Eve", position=text)
    assert answer.status_code == 400, answer.text


def test_an_import_is_read_in_a_process_of_its_own_with_limits(tmp_path: Path) -> None:
    app = create_app(_settings(tmp_path, import_limit=1_000_000, import_moves=5))
    client = TestClient(app)
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    for _ in range(2):
        client.post(f"/api/v1/tables/{table}/do", json=ROLL)
    save = client.get(f"/api/v1/tables/{table}/export").text
    body = {"title": "B", "name": "Ada", "save": save}
    assert client.post("/api/v1/tables/import", json=body).status_code == 201
    for _ in range(4):
        client.post(f"/api/v1/tables/{table}/do", json=ROLL)
    long = {**body, "save": client.get(f"/api/v1/tables/{table}/export").text}
    assert "at most 5 moves" in client.post("/api/v1/tables/import", json=long).json()["error"]
    assert client.post("/api/v1/tables/import", json={**body, "save": "x" * 1_100_000}).status_code == 413
    deep = client.post("/api/v1/tables/import", json={**body, "save": save + "[" * 10_000})
    assert deep.status_code == 400
    assert len(list((tmp_path / "games").iterdir())) == 2


def test_a_demonstration_is_a_copy_with_dice_of_its_own(
    person: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    monkeypatch.setattr(
        "warcabinet.web.tables.import_game", lambda lines, place: (made.append(place), import_game(lines, place))
    )
    tables = [person(it).call("POST", "/demonstration", name=it).json()["table"] for it in ("Ada", "Ben", "Carl")]
    assert len(made) == 1  # it takes a second; a copy takes none
    seeds = [open_game(file_of(settings, table)).journal.seeds()[-1] for table in tables]
    assert len({seed.secret for seed in seeds}) == 3
    assert examine(file_of(settings, tables[2])).ok


def _settings(data: Path, **more: Any) -> Settings:
    usual = {"rate": 1000, "burst": 5000, "free_disk": 0, "metrics_from": "testclient"}
    return Settings(data, **{**usual, **more})


def test_tables_have_quotas(tmp_path: Path) -> None:
    new = {"title": "A", "name": "Ada"}
    by_address = create_app(_settings(tmp_path / "a", tables_per_hour=2))
    assert [TestClient(by_address).post("/api/v1/tables", json=new).status_code for _ in range(3)] == [201, 201, 429]
    demo = TestClient(by_address).post("/api/v1/demonstration", json={})
    assert demo.status_code == 429
    by_person = TestClient(create_app(_settings(tmp_path / "b", tables_per_person=1)))
    assert [by_person.post("/api/v1/tables", json=new).status_code for _ in range(2)] == [201, 429]
    of_server = create_app(_settings(tmp_path / "c", tables_on_server=1))
    assert [TestClient(of_server).post("/api/v1/tables", json=new).status_code for _ in range(2)] == [201, 503]
    full = TestClient(create_app(_settings(tmp_path / "d", free_disk=1 << 60)))
    assert full.post("/api/v1/tables", json=new).status_code == 507
    assert full.get("/health").status_code == 503


@pytest.fixture
def running(tmp_path: Path) -> Any:
    settings = _settings(tmp_path / "data", request_seconds=0.5, listeners_per_person=3)
    server = make_server(settings, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.handle_exit(15, None)
    thread.join(10)


@pytest.mark.parametrize(
    "part",
    [b"", b"GET / HT", b"POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf",
     b"GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET /hea"],
)  # fmt: skip
def test_half_a_request_is_let_go(running: int, part: bytes) -> None:
    with socket.create_connection(("127.0.0.1", running), timeout=15) as half:
        half.sendall(part)
        while half.recv(4096):
            pass  # whatever it answers, it ends


def test_streams_are_bounded_for_each_person(running: int) -> None:
    base = f"http://127.0.0.1:{running}/api/v1"
    with httpx.Client(timeout=10) as ada, httpx.Client(timeout=10) as fan:
        table = ada.post(f"{base}/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        link = ada.post(f"{base}/tables/{table}/seats/spectators/invitations").json()["invitation"]
        fan.post(f"{base}/join", json={"invitation": link, "name": "Fan"})
        held = []
        codes = []
        for _ in range(5):
            stream = fan.send(fan.build_request("GET", f"{base}/tables/{table}/events"), stream=True)
            codes.append(stream.status_code)
            lines = stream.iter_lines()
            next(lines)
            held.append((stream, lines))
        assert codes == [200, 200, 200, 429, 429]
        with ada.stream("GET", f"{base}/tables/{table}/events") as own:
            assert own.status_code == 200
        for stream, _ in held:
            stream.close()


@pytest.mark.skipif(sys.platform == "win32", reason="other limits there")
def test_streams_and_open_games_fit_the_files_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda what: (1024, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda what, to: None)
    settings, connections = within_means(Settings(Path("x")))
    assert connections is not None
    assert settings.listeners_on_server + 3 * settings.tables_open < 1024
    assert connections + 3 * settings.tables_open <= 1024 + 64


def test_the_log_cannot_be_flooded() -> None:
    import logging

    flood = Flood(10)
    record = logging.LogRecord("x", logging.INFO, "", 0, "hello", (), None)
    let_through = sum(flood.filter(record) for _ in range(1000))
    assert let_through <= 20


# -- other writers (5) ------------------------------------------------------------------------------------------------


def test_a_move_from_outside_is_noticed_and_play_goes_on(solo: Any, settings: Settings) -> None:
    open_game(file_of(settings, solo.table)).do({"do": "roll", "purpose": "from outside"})
    assert solo.get().json()["head"] == 4
    assert "from outside" in solo.get("/log").text
    assert solo.do(**SPEND).status_code == 200
    assert examine(file_of(settings, solo.table)).ok


def test_a_second_server_on_the_folder_is_refused(settings: Settings, app: Any) -> None:
    with pytest.raises(WarCabinetError, match="another server uses"):
        create_app(settings)


# -- events with ids (6) ----------------------------------------------------------------------------------------------


def test_a_page_that_was_away_gets_what_it_missed(person: Any, two: Any) -> None:
    axis, allies = two
    fan = person("Fan").join(axis.invite("spectators"))
    house = axis.client.app.state.house

    def missed(player: Any, since: Known | None) -> tuple[Known, list[tuple[str, Any]]]:
        who = house.hall.person(next(iter(player.client.cookies.values())))
        now, news = _caught_up(house, sitter_at(house, Visitor(who), axis.table), since)
        return now, [(it.kind, json.loads(it.data)) for it in news]

    since, nothing = missed(fan, None)
    assert nothing == []
    axis.do(**SPEND)
    axis.post("/talk", text="to all")
    axis.post("/talk", text="psst", to="seat2")
    now, news = missed(fan, since)
    assert [kind for kind, _ in news] == ["move", "talk"]
    assert news[0][1]["id"] == 4
    assert news[1][1]["text"] == "to all"
    assert [it["text"] for kind, it in missed(allies, since)[1] if kind == "talk"] == ["to all", "psst"]
    assert missed(fan, now)[1] == []


def test_ids_that_pages_make_up_are_nothing() -> None:
    assert known("3.14") == Known(3, 14)
    for made_up in ("", "x", "3", "3.x", "-1.2", "²." + "9", "9" * 30 + ".1"):
        assert known(made_up) is None


# -- one seat, one person (7, 23) -------------------------------------------------------------------------------------


def test_one_invitation_seats_one_even_at_the_same_instant(person: Any, two: Any) -> None:
    axis, _ = two
    axis.post("/seats/seat2/vacate")
    link = axis.invite("seat2")
    people = [person(f"Rival {n}") for n in range(12)]
    with ThreadPoolExecutor(12) as pool:
        codes = list(pool.map(lambda it: it.call("POST", "/join", invitation=link, name=it.name).status_code, people))
    assert sorted(codes)[0] == 200
    assert codes.count(200) == 1
    assert len(axis.get().json()["seats"][1]["people"]) == 1


@pytest.mark.parametrize("name", ["Ada", " ada ", "ＡＤＡ", "A d a", "Adá"])
def test_nobody_poses_as_another(person: Any, two: Any, name: str) -> None:
    axis, _ = two
    link = axis.invite("spectators")
    assert person("Eve").call("POST", "/join", invitation=link, name=name).status_code == 409
    assert person("Eve").call("POST", "/join", invitation=link, name="Eve").status_code == 200


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


def test_a_referee_who_plays_does_not_take_back_anothers_move(two: Any) -> None:
    axis, allies = two
    axis.post("/advance", to="Fall 1939, Allied")
    assert allies.do(do="spend", power="france", brp=5, on="other").status_code == 200
    assert axis.post("/undo").json()["asked"]
    head = axis.get().json()["head"]
    axis.post("/seats/seat1/vacate")  # leaving the seat for a moment does not make them impartial
    assert axis.post("/consent", agree=True).status_code in (403, 409)
    assert allies.get().json()["head"] == head


def test_a_referee_who_plays_no_power_settles_it(person: Any, two: Any) -> None:
    axis, allies = two
    axis.post("/seats/referee/vacate")
    judge = person("Judge").join(axis.invite("referee"))
    axis.do(**ROLL)
    axis.post("/undo")
    assert judge.post("/consent", agree=True).json()["done"]
    assert allies.get().json()["head"] == 5


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


# -- server errors (10, 17) -------------------------------------------------------------------------------------------


def test_a_table_of_any_name_is_exported(person: Any) -> None:
    ada = person("Ada")
    made = ada.call("POST", "/tables", title="世界大戦 é", name="Ada")
    ada.table = made.json()["table"]
    answer = ada.get("/export")
    assert answer.status_code == 200
    assert "filename*=UTF-8''%E4%B8%96" in answer.headers["content-disposition"]


def test_what_once_made_the_server_err(solo: Any) -> None:
    for command in command_types():
        assert solo.post("/narrow", command=command).status_code < 500, command
    assert solo.get("/moves/²").status_code == 404
    assert solo.get("/moves/" + "9" * 5000).status_code == 404
    assert solo.do(do="correct", figure="control.Berlin", to=[], reason="x").status_code in (400, 422)
    big = {"do": "report_brp", "power": "germany", "brp": 10**4299, "cause": "other"}
    raw = json.dumps({**big, "brp": 0}).replace('"brp": 0', '"brp": ' + "9" * 4300)
    for path in ("do", "preview"):
        answer = solo.client.post(f"/api/v1/tables/{solo.table}/{path}", content=raw)
        assert answer.status_code == 400, answer.text
    assert solo.get().json()["head"] == 3
    wide = {"changes": [{"figure": "powers.germany.brp", "to": 10**30}]}
    assert solo.post("/forecast", **wide).status_code == 400


def test_a_ruling_that_no_value_can_have_is_refused(solo: Any) -> None:
    wrong = solo.do(do="rule", rule="russian_ics", **{"is": 0}, reason="x")
    assert wrong.status_code in (400, 422), wrong.text
    assert solo.get().status_code == 200


# -- twice (20) -------------------------------------------------------------------------------------------------------


def keyed(player: Any, path: str, key: str, **body: Any) -> Any:
    url = f"/api/v1/tables/{player.table}{path}"
    return player.client.post(url, json=body, headers={"idempotency-key": key})


def test_an_order_sent_twice_is_carried_out_once(two: Any) -> None:
    axis, allies = two
    first = keyed(axis, "/do", "a1", **SPEND).json()
    again = keyed(axis, "/do", "a1", **SPEND)
    assert again.status_code == 200
    assert again.json()["moves"] == first["moves"]
    assert axis.get().json()["head"] == 4
    assert keyed(axis, "/do", "a2", **SPEND).json()["head"] == 5
    assert keyed(axis, "/do", "a1", **ROLL).status_code == 409
    # Another person's key of the same name is another key.
    assert keyed(allies, "/undo", "a1").json()["asked"]


def test_many_at_once_with_one_key_move_once(solo: Any) -> None:
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: keyed(solo, "/do", "same", **ROLL).status_code, range(8)))
    assert codes == [200] * 8
    assert solo.get().json()["head"] == 4


def test_going_on_undoing_and_consent_twice_do_it_once(two: Any) -> None:
    axis, allies = two
    first = keyed(axis, "/advance", "n", to="").json()
    assert keyed(axis, "/advance", "n", to="").json()["moves"] == first["moves"]
    axis.do(**SPEND)
    head = axis.get().json()["head"]
    assert keyed(axis, "/undo", "u").json()["done"]
    assert keyed(axis, "/undo", "u").json()["done"]
    assert axis.get().json()["head"] == head + 1
    assert keyed(axis, "/redo", "r").json()["done"]
    assert keyed(axis, "/redo", "r").json()["done"]
    axis.do(**ROLL)
    axis.post("/undo")
    axis.post("/undo")
    asked = [line for line in axis.get("/talk").json() if "asks to undo" in line["text"]]
    assert len(asked) == 1
    head = axis.get().json()["head"]
    assert keyed(allies, "/consent", "c", agree=True).json()["done"]
    assert keyed(allies, "/consent", "c", agree=True).json()["done"]
    assert axis.get().json()["head"] == head + 1


def test_two_undos_at_once_take_back_one_move(solo: Any) -> None:
    solo.do(**SPEND)
    seq = solo.do(**SPEND).json()["seq"]
    answers = [solo.post("/undo", seq_seen=seq).status_code for _ in range(2)]
    assert answers == [200, 409]
    assert solo.post("/redo", seq_seen=seq).status_code == 409


def test_a_key_survives_a_restart(settings: Settings, solo: Any) -> None:
    first = keyed(solo, "/do", "k", **ROLL).json()
    solo.client.app.state.house.tables.close()
    assert keyed(solo, "/do", "k", **ROLL).json()["moves"] == first["moves"]


# -- disks and files (16, 21, 25) -------------------------------------------------------------------------------------


def test_a_failing_disk_is_said_everywhere_and_changes_nothing(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise StorageError("it cannot be written: the disk is full")

    house = solo.client.app.state.house
    with house.tables.at(solo.table) as table:
        monkeypatch.setattr(table.game.journal, "append", fail)
    monkeypatch.setattr(house.hall, "say", fail)
    assert solo.do(**SPEND).status_code == 507
    assert solo.post("/talk", text="hello").status_code == 507
    health = solo.client.get("/health")
    assert health.status_code == 503
    assert "disk" in health.text
    monkeypatch.undo()
    assert solo.get().json()["head"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_only_the_owner_reads_the_data(settings: Settings, solo: Any) -> None:
    solo.post("/talk", text="hello")
    for file in (settings.data, *settings.data.rglob("*")):
        mode = stat.S_IMODE(file.stat().st_mode)
        assert not mode & 0o077 or file.name == "lock", (file, oct(mode))


@pytest.mark.parametrize("damage", ["text", "empty page", "another format"])
def test_a_damaged_hall_is_said_to_be_so(tmp_path: Path, damage: str) -> None:
    hall = tmp_path / "hall.sqlite"
    if damage == "text":
        hall.write_text("hello" * 1000)
    elif damage == "empty page":
        shutil.copy(FIXTURES / "folder-0.2.0" / "hall.sqlite", hall)
        data = hall.read_bytes()
        hall.write_bytes(data[:4096] + b"\xff" * 8192 + data[12288:])
    else:
        with sqlite3.connect(hall) as db:
            db.execute("create table hall_meta (key text primary key, value text)")
            db.execute("insert into hall_meta values ('format', 'warcabinet-hall-99')")
    with pytest.raises(WarCabinetError):
        create_app(_settings(tmp_path))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_said_to_be_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="cannot hold games"):
        create_app(_settings(tmp_path / "data"))


def test_a_damaged_game_says_so_and_the_server_lives(solo: Any, settings: Settings) -> None:
    solo.client.app.state.house.tables.close()
    with sqlite3.connect(file_of(settings, solo.table)) as db:
        db.execute("delete from moves where id = 3")
    db.close()
    answer = solo.get()
    assert answer.status_code == 503
    assert "recover" in answer.json()["error"]
    assert solo.create().get().status_code == 200


# -- talk, spectators, the end of a table (22) ------------------------------------------------------------------------


def test_who_talks_without_end_is_slowed_down(tmp_path: Path) -> None:
    client = TestClient(create_app(_settings(tmp_path, talk_per_minute=1)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    at = f"/api/v1/tables/{table}/talk"
    assert [client.post(at, json={"text": "spam"}).status_code for _ in range(3)] == [201, 429, 429]


def test_spam_hides_nothing(tmp_path: Path) -> None:
    client = TestClient(create_app(_settings(tmp_path, talk_per_minute=100_000)))
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
    house = axis.client.app.state.house
    assert allies.post("/delete").status_code == 403
    ends = axis.post("/delete").json()["ends"]
    assert ends > time.time() + 6 * 86400
    assert allies.get().status_code == 404
    assert house.tables.tidy() == []
    assert axis.post("/call-back").json()["ends"] == 0
    assert allies.get().status_code == 200
    ends = axis.post("/delete").json()["ends"]
    assert house.tables.tidy(ends + 1) == [axis.table]
    assert axis.get().status_code == 404
    assert not file_of(settings, axis.table).exists()


# -- devices ----------------------------------------------------------------------------------------------------------


def test_devices_are_listed_added_and_signed_out(person: Any, solo: Any) -> None:
    link = solo.call("POST", "/me/devices", label="phone").json()["path"]
    phone = person("")
    phone.table = solo.table
    assert phone.client.get(link).status_code == 200
    assert phone.call("POST", "/sign-in", secret=link.rpartition("/")[2]).status_code == 200
    assert phone.get().json()["me"]["name"] == "Ada"
    me = solo.call("GET", "/me").json()
    assert [it["label"] for it in me["devices"]] == ["browser", "phone"]
    other = next(it["id"] for it in me["devices"] if it["id"] != me["this"])
    assert solo.call("POST", "/sign-out", device=other).status_code == 200
    assert phone.get().status_code == 401
    assert solo.get().status_code == 200
    assert solo.call("POST", "/sign-out", everywhere=True).status_code == 200
    assert solo.get().status_code == 401


def test_no_redirect_names_a_host_that_the_client_made_up(app: Any) -> None:
    for path in ("/health/", "/static", "/api/v1/tables/", "/api/v1"):
        answer = TestClient(app).get(path, headers={"host": "evil.example"}, follow_redirects=False)
        assert "evil" not in str(answer.headers), path


# -- dice -------------------------------------------------------------------------------------------------------------


def test_dice_are_committed_to_and_revealed_at_the_table(two: Any) -> None:
    axis, allies = two
    (sealed,) = allies.get("/dice").json()
    assert "secret" not in sealed
    axis.do(**ROLL)
    told = allies.post("/dice/reveal").json()
    assert told[0]["commitment"] == sealed["commitment"]
    assert len(told[0]["secret"]) == 64
    assert "secret" not in told[1]
    assert allies.post("/dice/reveal").status_code == 409
    assert axis.do(**ROLL).status_code == 200


# -- folders of earlier releases, backup, watching --------------------------------------------------------------------


def test_a_folder_of_0_2_0_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(FIXTURES / "folder-0.2.0", data)
    app = create_app(_settings(data))
    table, at = "f534cc48de", "/api/v1/tables/f534cc48de"
    ada = TestClient(app, cookies={"warcabinet": "HG5yBiPscfy7uYAmugoRFFhMCM7KAxrg"})
    ben = TestClient(app, cookies={"warcabinet": "Z1bq5liZa9h5-eGoHuubNuL75u_xq_vE"})
    bot = TestClient(app, headers={"authorization": "Bearer wct_OBsgAf1jGp6yeIYK2QatjmEFrFJUQjzH"})
    assert [client.get(at).status_code for client in (ada, ben, bot)] == [200, 200, 200]
    assert ada.get(f"{at}/notes").json()["text"] == "attack in May"
    assert "only for you" in ada.get(f"{at}/talk").text
    assert ada.post(f"{at}/do", json=ROLL).status_code == 200
    app.state.house.tables.close()
    assert examine(data / "games" / f"{table}.wcg").ok
    # Its dice were sealed before the first throw of the new server.
    assert ada.get(f"{at}/dice").json()[-1]["first"] == 6


def test_a_running_server_is_backed_up_and_the_copy_runs(solo: Any, settings: Settings, tmp_path: Path) -> None:
    solo.post("/talk", text="remember this")
    copied = back_up(settings.data, tmp_path / "copy")
    assert copied == ["hall.sqlite", f"{solo.table}.wcg"]
    app = create_app(_settings(tmp_path / "copy"))
    client = TestClient(app, cookies=dict(solo.client.cookies))
    assert client.get(f"/api/v1/tables/{solo.table}").json()["head"] == 3
    assert "remember this" in client.get(f"/api/v1/tables/{solo.table}/talk").text


def test_metrics_count_orders_refusals_and_streams(solo: Any, app: Any) -> None:
    solo.do(**SPEND)
    assert solo.do(do="spend", power="germany", brp=999, on="other").status_code == 422
    told = solo.client.get("/metrics").text
    assert "warcabinet_orders_total{} 3" in told  # with the two mobilizations
    assert "warcabinet_refusals_total{} 1" in told
    for gauge in ("streams", "tables_open", "disk_free_bytes", "requests_waiting", "open_files"):
        assert f"warcabinet_{gauge} " in told
    assert 'warcabinet_seconds_bucket{of="request",le="+Inf"}' in told


def test_metrics_are_not_for_strangers(tmp_path: Path) -> None:
    assert TestClient(create_app(Settings(tmp_path))).get("/metrics").status_code == 404


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("secure = true\ntables_per_hour = 5\n")
    read = read_settings(file, data=tmp_path)
    assert (read.secure, read.tables_per_hour) == (True, 5)
    file.write_text("tables_per_our = 5\n")
    with pytest.raises(WarCabinetError, match="tables_per_our"):
        read_settings(file, data=tmp_path)


def test_an_account_is_made_only_with_a_table(tmp_path: Path) -> None:
    app = create_app(_settings(tmp_path))
    client = TestClient(app)
    assert client.post("/api/v1/tables", json={"title": "A", "name": "A", "scenario": "nowhere"}).status_code == 400
    body = {"title": "A", "name": "A", "save": "nonsense"}
    assert client.post("/api/v1/tables/import", json=body).status_code == 400
    assert client.get("/api/v1/tables").status_code == 401
    with sqlite3.connect(tmp_path / "hall.sqlite") as db:
        assert db.execute("select count(*) from people").fetchone() == (0,)
    db.close()


# -- rules pinned -----------------------------------------------------------------------------------------------------


def test_a_table_keeps_its_rules_until_its_people_agree(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    axis, allies = two
    monkeypatch.setattr("warcabinet.web.pinned.__version__", "9.9.9")
    monkeypatch.setattr("warcabinet.web.api_people.__version__", "9.9.9")
    refused = axis.do(**SPEND)
    assert refused.status_code == 409
    assert "rules of" in refused.json()["error"]
    assert axis.post("/advance", to="").status_code == 409
    assert axis.get().status_code == 200
    told = axis.get("/rules").json()
    assert (told["server"], told["same"], told["differences"], told["missing"]) == ("9.9.9", False, [], ["Ada", "Ben"])
    assert not axis.post("/rules/agree").json()["done"]
    assert axis.get("/rules").json()["missing"] == ["Ben"]
    assert axis.do(**SPEND).status_code == 409
    assert allies.post("/rules/agree").json()["done"]
    assert axis.do(**SPEND).status_code == 200
    assert allies.post("/rules/agree").status_code == 409


def test_what_newer_rules_would_judge_differently_is_shown_first(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.web.pinned.__version__", "9.9.9")
    with solo.client.app.state.house.tables.at(solo.table) as table:
        monkeypatch.setattr(table.game, "redecide", lambda: ["move 2 (mobilize): today refused by 36.1"])
    assert solo.get("/rules").json()["differences"] == ["move 2 (mobilize): today refused by 36.1"]
