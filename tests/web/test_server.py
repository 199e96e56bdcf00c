"""The server as such: headers, limits, description, stream, reverse proxy."""

from __future__ import annotations

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from warcabinet.bench.server_bench import Load, server_bench
from warcabinet.model.commands import command_types
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app
from warcabinet.web.server.openapi import description
from warcabinet.web.server.serve import make_server


def test_health_and_strict_headers(app: Any) -> None:
    answer = TestClient(app).get("/health")
    assert answer.json()["status"] == "ok"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_pages_load_nothing_from_elsewhere(solo: Any) -> None:
    for path in ("/", f"/tables/{solo.table}"):
        page = solo.client.get(path)
        assert page.status_code == 200
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", page.text)
        assert " style=" not in page.text
        assert "<script>" not in page.text


def test_too_large_and_too_many(tmp_path: Path) -> None:
    small = TestClient(create_app(Settings(tmp_path, rate=0.001, burst=3, body_limit=200, position_limit=400)))
    assert small.post("/api/v1/tables", content=b"x" * 500).status_code == 413
    assert small.post("/api/v1/join", content=b"x" * 300).status_code == 413
    small.get("/api/v1/figures")
    small.get("/api/v1/figures")
    late = small.get("/api/v1/figures")
    assert late.status_code == 429
    assert int(late.headers["retry-after"]) > 0


def test_changing_cookies_does_not_escape_the_limit(tmp_path: Path) -> None:
    small = TestClient(create_app(Settings(tmp_path, rate=0.001, burst=2)))
    answers = [small.get("/api/v1/figures", headers={"cookie": f"warcabinet=guess{n}"}).status_code for n in range(25)]
    assert answers[:20] == [200] * 20
    assert answers[20:] == [429] * 5


def test_the_description_knows_every_command() -> None:
    text = json.dumps(description())
    for name in command_types():
        assert f'"{name}"' in text
    assert "/api/v1/tables/{table}/do" in description()["paths"]


def test_malformed_requests_are_said_to_be_malformed(solo: Any) -> None:
    path = f"/api/v1/tables/{solo.table}/do"
    for body in (b"", b"{", b"[]", b'{"do":"fly"}', b'{"do":"spend"}', b"\xff\xfe", b"[" * 5000):
        assert solo.client.post(path, content=body).status_code == 400
    assert solo.client.get("/api/v1/tables/..%2f..%2fetc").status_code == 404
    assert solo.get("/moves/x").status_code == 404
    assert solo.get("", at="zero").status_code == 400


@pytest.fixture
def running(tmp_path: Path) -> Any:
    """A real server on loopback."""
    server = make_server(Settings(tmp_path / "data", root_path="/war"), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}", server, thread
    server.handle_exit(15, None)
    thread.join(10)


@pytest.mark.parametrize("passed_on", ["/war", ""])
def test_under_a_path_it_is_found_whether_the_proxy_passes_the_path_on_or_not(running: Any, passed_on: str) -> None:
    base, *_ = running
    with httpx.Client(base_url=base + passed_on, timeout=10) as ada:
        made = ada.post("/api/v1/tables", json={"title": "A", "name": "Ada"})
        assert (made.status_code, made.json()["url"][:12]) == (201, "/war/tables/")
        page = ada.get(f"/tables/{made.json()['table']}")
        scripts = re.findall(r'src="/war(/[^"]+\.js)"', page.text)
        assert [ada.get(it).status_code for it in scripts] == [200] * len(scripts) != []
        assert ada.get("/health").status_code == 200


def test_a_page_of_the_public_address_may_post_whatever_the_proxy_says_of_the_host(tmp_path: Path) -> None:
    """nginx's $host lacks the port: the origin is then judged by the address from which the server is reached."""
    client = TestClient(create_app(Settings(tmp_path, public_url="https://war.example.org:8443")))
    new = {"title": "A", "name": "Ada"}
    for origin, status in (("https://war.example.org:8443", 201), ("https://war.example.org:9999", 403)):
        headers = {"host": "war.example.org", "origin": origin}
        assert client.post("/api/v1/tables", json=new, headers=headers).status_code == status


def test_a_move_reaches_the_other_page_and_stopping_lets_it_go(running: Any) -> None:
    base, server, thread = running
    with httpx.Client(base_url=base, timeout=10) as ada, httpx.Client(base_url=base, timeout=10) as fan:
        table = ada.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()
        assert table["url"].startswith("/war/tables/")
        at = f"/api/v1/tables/{table['table']}"
        link = ada.post(f"{at}/seats/spectators/invitations").json()
        assert link["path"].startswith("/war/join/")
        fan.post("/api/v1/join", json={"invitation": link["invitation"], "name": "Fan"})
        with fan.stream("GET", f"{at}/events") as stream:
            lines = stream.iter_lines()
            while next(lines) != "event: hello":
                pass
            done = threading.Thread(
                target=ada.post, args=(f"{at}/do",), kwargs={"json": {"do": "roll", "purpose": "x"}}
            )
            done.start()
            while next(lines) != "event: move":
                pass
            done.join()
            assert json.loads(next(lines).removeprefix("data: "))["id"] == 2
            server.handle_exit(15, None)
            assert list(lines)[-1:] in ([], [""])
    thread.join(30)
    assert not thread.is_alive()


def test_a_position_after_three_turns_can_be_opened(solo: Any) -> None:
    solo.post("/advance", to="Fall 1939, Allied")
    solo.mobilize("britain")
    for turn in ("Winter 1939", "Spring 1940", "Summer 1940"):
        assert solo.post("/advance", to=turn).status_code == 200
    assert solo.client.get(f"/tables/{solo.table}").status_code == 200
    assert solo.get().json()["position"]["clock"]["turn_name"] == "Summer 1940"
    assert solo.get("/log").json()


def test_the_bench_measures_load_news_and_opening() -> None:
    # In a thread: a browser that other tests keep open has an event loop of its own in this one.
    load = Load(games=2, spectators=4, orders_per_second=4, seconds=1, weigh_every=20, weigh_steps=200)
    with ThreadPoolExecutor(1) as aside:
        measured = aside.submit(server_bench, load).result()
    assert (measured.games, measured.spectators, measured.orders) == (2, 4, 4)
    assert (measured.errors, measured.missed) == (0, 0)
    assert min(measured.seen_median_ms, measured.opened_median_ms) > 0
    assert any("three game turns" in line for line in measured.lines())
    assert 0 < measured.weights.mover_median < measured.weights.opened
