"""The stream of a real server: every event bears an id, and who comes back with one hears what was missed (5, 6)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import SPEND, file_of, settings_of

from warcabinet.store import open_game
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import NAMED, SETTLED, Known, Switchboard, known
from warcabinet.web.server.serve import make_server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path / "data")


@pytest.fixture
def ada(settings: Settings) -> Iterator[httpx.Client]:
    """A host at her table, on a server on loopback."""
    server = make_server(settings, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 60
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=60) as client:
        table = client.post("/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        client.base_url = f"{client.base_url}tables/{table}"
        yield client
    server.handle_exit(15, None)
    thread.join(30)


class Event:
    def __init__(self, lines: Iterator[str]) -> None:
        """The next event of a stream; lines that only keep it alive are passed over."""
        told: dict[str, str] = {}
        end = time.monotonic() + 60
        for line in lines:
            assert time.monotonic() < end, "nothing came but signs of life"
            if not line and "event" in told:
                break
            name, _, value = line.partition(": ")
            told[name] = value
        self.kind, self.id, self.data = told.get("event", ""), told.get("id", ""), json.loads(told.get("data", "{}"))


def test_who_comes_back_with_an_id_hears_what_was_missed(ada: httpx.Client) -> None:
    with ada.stream("GET", "/events") as stream:
        hello = Event(stream.iter_lines())
    assert hello.kind == "hello"
    assert hello.id, "an event without an id cannot be come back to"
    ada.post("/do", json=SPEND)
    ada.post("/talk", json={"text": "said meanwhile"})
    for coming_back in ({"headers": {"last-event-id": hello.id}}, {"params": {"after": hello.id}}):
        with ada.stream("GET", "/events", **coming_back) as stream:  # type: ignore[arg-type]
            lines = stream.iter_lines()
            again, move, talk = Event(lines), Event(lines), Event(lines)
        assert (again.kind, move.kind, talk.kind) == ("hello", "move", "talk")
        assert move.data["id"] == 2
        assert talk.data["text"] == "said meanwhile"
        assert again.id == hello.id, "whoever breaks off now has not heard the rest"
    with ada.stream("GET", "/events", params={"after": talk.id}) as stream:
        lines = stream.iter_lines()
        assert Event(lines).kind == "hello"
        ada.post("/talk", json={"text": "said now"})
        news = Event(lines)
    assert (news.kind, news.data["text"]) == ("talk", "said now")
    assert news.id != talk.id


def test_lines_said_in_the_same_instant_reach_every_page(ada: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are numbered in one order and sent in another: none is dropped, and who comes back has each of them once."""
    held: list[tuple[Any, ...]] = []
    tell = Switchboard.tell

    def late(self: Switchboard, *given: Any, **more: Any) -> None:
        if given[1] == "talk" and len(held) < 2:
            held.append((self, *given))
            return
        tell(self, *given, **more)

    with ada.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert Event(lines).kind == "hello"
        monkeypatch.setattr(Switchboard, "tell", late)
        for text in ("one", "two", "three"):
            ada.post("/talk", json={"text": text})
        three = Event(lines)
        for given in reversed(held):
            tell(*given)
        two, one = Event(lines), Event(lines)
    assert [it.data["text"] for it in (three, two, one)] == ["three", "two", "one"]
    for after, missed in ((three, ["one", "two"]), (two, ["one"]), (one, [])):
        with ada.stream("GET", "/events", params={"after": after.id}) as stream:
            lines = stream.iter_lines()
            assert Event(lines).kind == "hello"
            ada.post("/talk", json={"text": "end"})
            found: list[str] = []
            while not found or found[-1] != "end":
                found.append(Event(lines).data["text"])
        assert [it for it in found if it != "end"] == missed


def test_the_mark_goes_up_when_nothing_below_can_come() -> None:
    now = Known(3, 10)
    now.hear(14, 100.0)
    now.hear(12, 101.0)
    assert (str(now), now.knows(13), now.knows(12)) == ("3.10.12.14", False, True)
    assert known(str(now)) is not None
    now.hear(20, 100.5 + SETTLED)
    assert (str(now), now.knows(13)) == ("3.14.20", True)
    for line in range(21, 100):
        now.hear(line, 111.0)
    assert known(str(now)) is not None
    assert now.line == 99 - NAMED
    assert known("3") is known("3.x") is known(".".join("1" * (NAMED + 3))) is None


def test_a_browser_that_signed_out_hears_nothing_more(ada: httpx.Client) -> None:
    """Its streams end at once; the programs of that person, which go on, are named."""
    assert ada.post("/tokens", json={"seat": "seat1", "label": "bot"}).status_code == 201
    with ada.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert Event(lines).kind == "hello"
        out = ada.post(str(ada.base_url).partition("/tables")[0] + "/sign-out", json={})
        assert [it["label"] for it in out.json()["programs"]] == ["bot"]
        assert Event(lines).kind == "gone"
        assert list(lines) == []


def test_a_page_hears_of_a_move_from_outside(ada: httpx.Client, settings: Settings) -> None:
    table = str(ada.base_url).rstrip("/").rpartition("/")[2]
    assert ada.get("/log").status_code == 200  # the server has the game open
    with ada.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert Event(lines).kind == "hello"
        open_game(file_of(settings, table)).do({"do": "roll", "purpose": "from outside"})
        news: Any = Event(lines)
    assert (news.kind, news.data["id"]) == ("move", 2)
