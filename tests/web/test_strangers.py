"""What strangers cost, and what once made the server err: none of it works any more."""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import ROLL, file_of, settings_of
from sqlalchemy.exc import PendingRollbackError
from starlette.testclient import TestClient

from warcabinet.model.commands import command_types
from warcabinet.store import examine, import_game, open_game
from warcabinet.store.database import StorageError
from warcabinet.web.plumbing.connections import Counted, Places
from warcabinet.web.plumbing.middleware import Flood, OneLine
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app
from warcabinet.web.server.serve import make_server, within_means

# -- what strangers cost (3) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "{" * 20_000, "- " * 20_000, "? " * 20_000, "".join(" " * n + "a:\n" for n in range(300))],
)
def test_a_position_that_would_cost_seconds_is_refused_before_it_is_parsed(
    person: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr("warcabinet.web.table.starting.Document", lambda name, text: parsed.append(text))
    monkeypatch.setattr("warcabinet.web.table.starting._plain", parsed.append)
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
    app = create_app(settings_of(tmp_path, import_limit=1_000_000, import_moves=5))
    client = TestClient(app)
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    for _ in range(2):
        client.post(f"/api/v1/tables/{table}/do", json=ROLL)
    save = client.get(f"/api/v1/tables/{table}/export").text
    body = {"title": "B", "name": "Ada", "save": save}
    assert client.post("/api/v1/tables/import", json=body).status_code == 201
    played_on = open_game(tmp_path / "games" / f"{table}.wcg")  # where no server bounds it
    for _ in range(4):
        played_on.do(ROLL)
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
        "warcabinet.web.hall.tables_in_play.import_game",
        lambda lines, place: (made.append(place), import_game(lines, place)),
    )
    tables = [person(it).call("POST", "/demonstration", name=it).json()["table"] for it in ("Ada", "Ben", "Carl")]
    assert len(made) == 1  # it takes a second; a copy takes none
    seeds = [open_game(file_of(settings, table)).journal.seeds()[-1] for table in tables]
    assert len({seed.secret for seed in seeds}) == 3
    assert examine(file_of(settings, tables[2])).ok


def test_tables_have_quotas(tmp_path: Path) -> None:
    new = {"title": "A", "name": "Ada"}
    by_address = create_app(settings_of(tmp_path / "a", tables_per_hour=2))
    assert [TestClient(by_address).post("/api/v1/tables", json=new).status_code for _ in range(3)] == [201, 201, 429]
    demo = TestClient(by_address).post("/api/v1/demonstration", json={})
    assert demo.status_code == 429
    by_person = TestClient(create_app(settings_of(tmp_path / "b", tables_per_person=1)))
    assert [by_person.post("/api/v1/tables", json=new).status_code for _ in range(2)] == [201, 429]
    of_server = create_app(settings_of(tmp_path / "c", tables_on_server=1))
    assert [TestClient(of_server).post("/api/v1/tables", json=new).status_code for _ in range(2)] == [201, 503]
    full = TestClient(create_app(settings_of(tmp_path / "d", free_disk=1 << 60)))
    assert full.post("/api/v1/tables", json=new).status_code == 507
    assert full.get("/health").status_code == 503


@pytest.fixture
def running(tmp_path: Path) -> Any:
    settings = settings_of(tmp_path / "data", request_seconds=0.5, listeners_per_person=3)
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


def test_no_address_takes_all_connections(tmp_path: Path) -> None:
    """Half requests of one address take so many places; the rest are let go at once, and give their places back."""
    counted = Counted(Places(all=10, of_one=4, proxies=frozenset({"10.0.0.1"})))
    assert [counted.take("eve") for _ in range(6)] == [True] * 4 + [False] * 2
    assert counted.take("ada")
    assert [counted.take("10.0.0.1") for _ in range(6)] == [True] * 5 + [False]
    counted.give_up("eve")
    assert counted.take("eve")
    settings = settings_of(tmp_path / "data", connections_per_address=5, trusted_proxies="")
    server = make_server(settings, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    where = server.servers[0].sockets[0].getsockname()
    halves = [socket.create_connection(where, timeout=15) for _ in range(5)]
    assert httpx_status(f"http://127.0.0.1:{where[1]}/health") == 0
    halves.pop().close()
    deadline = time.monotonic() + 15
    while httpx_status(f"http://127.0.0.1:{where[1]}/health") != 200:
        assert time.monotonic() < deadline, "the place was not given back"
        time.sleep(0.02)
    for half in halves:
        half.close()
    server.handle_exit(15, None)
    thread.join(10)


def httpx_status(url: str) -> int:
    try:
        return httpx.get(url, timeout=5).status_code
    except httpx.TransportError:
        return 0


def test_a_traceback_counts_by_its_lines_and_is_one_line_of_the_log() -> None:
    flood, told = Flood(100), OneLine()
    try:
        raise OSError(24, "Too many open files")
    except OSError:
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "accept", (), sys.exc_info())
    let_through = sum(flood.filter(record) for _ in range(1000))
    assert 1 <= let_through <= 2 * 100 // 4
    (line,) = told.format(record).splitlines()
    assert json.loads(line)["trace"][-1] == "OSError: [Errno 24] Too many open files"


WITHOUT_DATABASE = """
import pathlib, socket, sys
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.serve import log_to, make_server
from warcabinet.web.server.workers import Worker
log_to()
settings = Settings(pathlib.Path(sys.argv[1]), database="postgresql://nobody@127.0.0.1:1/none")
worker = Worker(lambda: make_server(settings, "", 0), socket.socket())
worker.wait()
sys.exit(worker.status)
"""


def test_a_worker_without_its_database_says_so_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_DATABASE, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 1
    began, line = map(json.loads, ended.stderr.splitlines())
    assert began["event"] == "worker"
    assert "cannot be reached" in line["error"]


def test_a_connection_that_was_ended_under_a_transaction_is_a_word_about_the_database(solo: Any) -> None:
    database = solo.client.app.state.server.hall._database
    for part in (database.reading, database.changing, database.one_look):
        with pytest.raises(StorageError, match="its connection was lost"), part():
            raise PendingRollbackError("Can't reconnect until invalid transaction is rolled back.")


def test_the_log_cannot_be_flooded() -> None:
    flood = Flood(10)
    record = logging.LogRecord("x", logging.INFO, "", 0, "hello", (), None)
    let_through = sum(flood.filter(record) for _ in range(1000))
    assert let_through <= 20


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


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/tables/{table}/talk", {"text": "a\0b"}),
        ("POST", "/notices/confirm", {"secret": "\0\x12"}),
        ("POST", "/tables/{table}/do", {"do": "report_brp", "power": "germany", "brp": 1, "cause": "\\\0"}),
        ("GET", "/tables/%00", None),
        ("GET", "/tables/{table}/log?most=%00", None),
    ],
)
def test_the_character_zero_is_no_text(solo: Any, method: str, path: str, body: Any) -> None:
    """PostgreSQL keeps none: a stranger's request once told everybody that the hall is damaged."""
    answer = solo.client.request(method, "/api/v1" + path.format(table=solo.table), json=body)
    assert answer.status_code == 400, answer.text
    assert "character with the number zero" in answer.text
    assert solo.post("/talk", text="a\\u0000b is written so").status_code < 300


def test_a_ruling_that_no_value_can_have_is_refused(solo: Any) -> None:
    wrong = solo.do(do="rule", rule="russian_ics", **{"is": 0}, reason="x")
    assert wrong.status_code in (400, 422), wrong.text
    assert solo.get().status_code == 200
