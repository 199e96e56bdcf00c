"""What nobody can do who wants it busy: silence its health, fill its log, pass its limits (3, 19)."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from attacks import ROLL, settings_of
from starlette.testclient import TestClient

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.intake import Limits, take_in
from warcabinet.web.plumbing.middleware import LOG, log
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import FOR_PLAYERS, Bounds, Listener, Switchboard
from warcabinet.web.server.app import create_app
from warcabinet.web.server.serve import log_to, make_server

NEW = {"title": "A", "name": "Ada"}
#: As many as answer requests at once, and more.
MANY = 45


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[str, Any, threading.Thread]]:
    """A real server on loopback."""
    server = make_server(settings_of(tmp_path / "data", metrics_from="127.0.0.1"), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 60
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", server, thread
    server.handle_exit(15, None)
    thread.join(30)


def test_health_and_metrics_answer_while_every_thread_is_busy_and_the_server_ends(serving: Any) -> None:
    base, server, thread = serving
    opened = server.config.app.state.server
    with httpx.Client(base_url=base, timeout=60) as ada:
        table = ada.post("/api/v1/tables", json=NEW).json()["table"]
        cookies = dict(ada.cookies)

    def ask() -> None:
        with contextlib.suppress(httpx.HTTPError), httpx.Client(base_url=base, timeout=60, cookies=cookies) as one:
            one.get(f"/api/v1/tables/{table}")

    asking = [threading.Thread(target=ask, daemon=True) for _ in range(MANY)]
    with opened.tables.at(table):  # whoever asks for this table waits
        for one in asking:
            one.start()
        end = time.monotonic() + 60
        while "warcabinet_requests_waiting 0" in httpx.get(f"{base}/metrics", timeout=20).text:
            assert time.monotonic() < end, "a thread is left"
            time.sleep(0.05)
        assert httpx.get(f"{base}/health", timeout=20).json()["status"] == "ok"
        server.handle_exit(15, None)
    thread.join(60)
    assert not thread.is_alive()
    for one in asking:
        one.join(60)


def test_a_server_takes_no_more_connections_than_it_has_files_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda what: (1024, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda what, to: None)
    config = make_server(Settings(tmp_path), "127.0.0.1", 0).config
    opened = config.app.state.server  # type: ignore[union-attr]
    try:
        assert config.limit_concurrency is not None
        assert config.limit_concurrency + 3 * opened.settings.tables_open <= 1024 + 64
        assert opened.settings.listeners_on_server <= 512
    finally:
        for it in (opened.tables, opened.hall, opened.folder):
            it.close()


def test_no_flood_reaches_the_log_whoever_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    loggers = [LOG, *map(logging.getLogger, ("asyncio", "uvicorn", "uvicorn.error"))]
    kept = [(it, it.handlers[:], it.propagate, it.level) for it in loggers]
    told = StringIO()
    try:
        log_to(told, most=10)
        for n in range(1000):
            log("request", number=n)
            logging.getLogger("asyncio").error("socket.accept() out of system resource %s", n)
    finally:
        for it, handlers, propagate, level in kept:
            it.handlers[:], it.propagate = handlers, propagate
            it.setLevel(level)
    assert 10 <= len(told.getvalue().splitlines()) < 1000  # so many a second: it took no minute


# -- imports ----------------------------------------------------------------------------------------------------------


def saved(client: TestClient) -> tuple[str, str]:
    """A table and its save."""
    table = client.post("/api/v1/tables", json=NEW).json()["table"]
    client.post(f"/api/v1/tables/{table}/do", json=ROLL)
    return table, client.get(f"/api/v1/tables/{table}/export").text


@pytest.mark.skipif(sys.platform != "linux", reason="other limits there")
def test_a_game_that_wants_more_memory_than_there_is_for_it_ends_alone(tmp_path: Path) -> None:
    _, save = saved(TestClient(create_app(settings_of(tmp_path / "data"))))
    limits = Limits(bytes=len(save), moves=10, seconds=60, memory=1 << 30)
    take_in(save, tmp_path / "fits.wcg", limits)
    with pytest.raises(WarCabinetError, match="too large"):
        take_in(save, tmp_path / "wrong.wcg", msgspec.structs.replace(limits, memory=48 << 20))
    assert not list(tmp_path.glob("*wrong*"))


def test_imports_wait_for_each_other(tmp_path: Path) -> None:
    app = create_app(settings_of(tmp_path, import_seconds=0.05))
    client = TestClient(app)
    _, save = saved(client)
    with app.state.server.tables._imports:
        answer = client.post("/api/v1/tables/import", json={**NEW, "save": save})
    assert answer.status_code == 503, answer.text
    assert len(list((tmp_path / "games").iterdir())) == 1


def test_copies_and_imports_count_as_tables(tmp_path: Path) -> None:
    client = TestClient(create_app(settings_of(tmp_path, tables_per_person=1)))
    table, save = saved(client)
    assert client.post(f"/api/v1/tables/{table}/what-if", json={}).status_code == 429
    assert client.post("/api/v1/tables/import", json={**NEW, "save": save}).status_code == 429
    assert client.post("/api/v1/demonstration", json={}).status_code == 429
    assert len(list((tmp_path / "games").iterdir())) == 1


@pytest.mark.parametrize("number", [10**9 + 1, -(10**18), 10**300])
def test_an_option_larger_than_any_number_of_the_game_is_refused(person: Any, number: int) -> None:
    body = f'{{"title":"x","name":"Eve","options":{{"start":{number}}}}}'
    answer = person("Eve").client.post("/api/v1/tables", content=body)
    assert answer.status_code == 400
    assert "larger than any number" in answer.text


# -- streams ----------------------------------------------------------------------------------------------------------


def crowd(switchboard: Switchboard, table: str, spectators: int) -> None:
    switchboard._listeners[table] = {Listener(f"fan {n}", player=False) for n in range(spectators)}


def test_spectators_leave_places_for_those_who_play() -> None:
    places = 2 * FOR_PLAYERS + 12
    switchboard = Switchboard(Bounds(places, 8, 10_000))
    crowd(switchboard, "table", places - FOR_PLAYERS)
    with pytest.raises(Problem, match="as many listeners"):
        switchboard.take_place("table", "one more", player=False)
    switchboard.take_place("table", "the host", player=True)


def test_a_place_is_counted_when_it_is_taken() -> None:
    switchboard = Switchboard(Bounds(100, 8, 1000))
    held = [switchboard.take_place("table", "eve", player=False) for _ in range(8)]
    with pytest.raises(Problem, match="8 windows already"):
        switchboard.take_place("table", "eve", player=False)
    switchboard.give_up("table", held.pop())
    switchboard.take_place("table", "eve", player=False)


def test_a_server_has_places_left_for_those_who_play() -> None:
    switchboard = Switchboard(Bounds(1000, 8, 50))
    crowd(switchboard, "table", 50)
    with pytest.raises(Problem, match="this server has as many"):
        switchboard.take_place("another", "one more", player=False)
    switchboard.take_place("another", "the host", player=True)
    crowd(switchboard, "third", 5)
    with pytest.raises(Problem, match="this server has as many"):
        switchboard.take_place("another", "the host", player=True)
