"""Forty hostile requests at once leave an honest order its time, whatever they bring; a stop waits for none of them."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import forty_silence_nobody, settings_of
from starlette.testclient import TestClient

from warcabinet.game.engine import LONGEST_TEXT, MOST_NAMED, as_command
from warcabinet.game.typed.entries import MOST_SAID, Asked, parts, read_entry
from warcabinet.game.typed.matching import closest, starts
from warcabinet.game.typed.reading import MOST_GUESSED
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.unit_lists import parse_placement
from warcabinet.web.plumbing.at_once import OF_ADDRESS, OF_CLIENT, AtOnce
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.server.app import create_app

#: Names that nothing bears, each another one.
STRANGE = [f"{n % 9 + 1} infntry {n % 5}-{n % 7}" for n in range(2_500)]
MOBILIZE = {"do": "mobilize", "power": "germany", "units": STRANGE}
#: Words that are no part of any entry, on a line as many as one may have.
LINE = "qwerty uiop " * 50
LAYOUT = "Germany\n" + "".join(f"Brln{n}: {n} armr 4-6\n" for n in range(2_500))
HOSTILE: dict[str, tuple[str, Any]] = {
    "do": ("/do", MOBILIZE),
    "do-all": ("/do-all", {"orders": [{**MOBILIZE, "units": STRANGE[:40]}] * 60}),
    "preview": ("/preview", MOBILIZE),
    "narrow": ("/narrow", {"command": "mobilize", "known": {"power": "germany", "units": STRANGE}}),
    "entries": ("/entries", {"lines": [LINE] * 30}),
    "layout": ("/setup/read", {"text": LAYOUT}),
}


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("what", HOSTILE)
def test_forty_hostile_bodies_silence_nobody(own_process: tuple[subprocess.Popen[str], str], what: str) -> None:
    path, body = HOSTILE[what]

    def bring(one: httpx.Client, table: str) -> httpx.Response:
        return one.post(path if path.startswith("/setup") else f"/tables/{table}{path}", json=body)

    forty_silence_nobody(own_process, bring, {200, 400, 422, 429, 503})


# -- how many at once -------------------------------------------------------------------------------------------------


async def _held(at_once: AtOnce, clients: list[str], address: str) -> tuple[int, list[int]]:
    """How many have a turn together, and what those are told who still waited when the server stopped."""
    here, told, go = 0, list[int](), asyncio.Event()

    async def ask(client: str) -> None:
        nonlocal here
        try:
            async with at_once.turn(client, address):
                here += 1
                await go.wait()
        except Problem as problem:
            told.append(problem.status)

    asked = [asyncio.create_task(ask(it)) for it in clients]
    await asyncio.sleep(0.05)
    many, waiting = here, at_once.waiting()
    at_once.close()
    go.set()
    await asyncio.gather(*asked)
    assert at_once.waiting() == 0 < waiting or many == len(clients)
    return many, told


def _by_itself(held: Coroutine[Any, Any, tuple[int, list[int]]]) -> tuple[int, list[int]]:
    """Run in a thread of its own: tests of the browser have a loop in theirs."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, held).result()


def test_a_client_keeps_few_threads_busy_and_an_address_not_all() -> None:
    assert OF_CLIENT < OF_ADDRESS <= 20  # of forty threads
    alone = _by_itself(_held(AtOnce(), ["eve"] * 40, "10.0.0.1"))
    assert alone == (OF_CLIENT, [503] * (40 - OF_CLIENT))
    together = _by_itself(_held(AtOnce(), [f"eve {n}" for n in range(40)], "10.0.0.1"))
    assert together == (OF_ADDRESS, [503] * (40 - OF_ADDRESS))
    proxied = _by_itself(_held(AtOnce(frozenset({"10.0.0.1"})), [f"{n}" for n in range(40)], "10.0.0.1"))
    assert proxied == (40, [])


# -- how long an order is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"units": ["1 infantry 1-1"] * (MOST_NAMED + 1)}, "201 entries; an order has at most 200"),
        ({"units": ["1 infantry 1-1" + " " * LONGEST_TEXT]}, "1,014 letters; an order has at most 1,000"),
    ],
)
def test_an_order_longer_than_anybody_gives_is_refused_before_it_is_judged(more: Any, told: str, solo: Any) -> None:
    order = {"do": "mobilize", "power": "germany", **more}
    with pytest.raises(WarCabinetError, match=told):
        as_command(order)
    known = {key: value for key, value in order.items() if key != "do"}
    for path, body in (("preview", order), ("narrow", {"command": "mobilize", "known": known})):
        answer = solo.call("POST", f"/tables/{solo.table}/{path}", **body)
        assert answer.status_code == 400, path
        assert told in answer.text


def test_the_next_chance_of_an_order_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many names in it are wrong."""
    asked: list[str] = []

    def chance(*_: object) -> str:
        asked.append("asked")
        return ""

    monkeypatch.setattr("warcabinet.web.orders.refusal_lines.next_chance", chance)
    client = TestClient(create_app(settings_of(tmp_path)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    body = {**MOBILIZE, "units": STRANGE[:50]}
    answer = client.post(f"/api/v1/tables/{table}/preview", json=body)
    assert len(answer.json()["refused"]["refusals"]) >= 50, answer.text
    assert len(asked) == 1


def test_a_long_line_is_read_word_by_word(monkeypatch: pytest.MonkeyPatch, solo: Any) -> None:
    """A track is looked for in as many words as one has."""
    looked: list[int] = []

    def tracks() -> Any:
        looked.append(1)
        return {}

    monkeypatch.setattr("warcabinet.game.typed.entries.tracks", tracks)
    words = MOST_SAID
    assert parts("qwerty " * words)
    assert len(looked) <= 8 * words
    with pytest.raises(Asked, match="at most 100 words"):
        read_entry(None, "qwerty " * (words + 1))  # type: ignore[arg-type]


def test_lines_of_strange_words_are_held_against_few_names_and_those_behind_the_first_are_not_read(
    monkeypatch: pytest.MonkeyPatch, solo: Any
) -> None:
    """A word is held against what begins with it, and of a few it is looked up what they could have been."""
    held, read, looked = list[str](), list[str](), list[str]()

    def starts_as(text: str, words: str) -> bool:
        held.append(words)
        return starts(text, words)

    def parts_of(line: str) -> list[str]:
        read.append(line)
        return parts(line)

    def closest_to(word: str, fields: Any) -> list[str]:
        looked.append(word)
        return closest(word, fields)

    for module in ("matching", "reading", "entries"):
        monkeypatch.setattr(f"warcabinet.game.typed.{module}.starts", starts_as)
    for module in ("reading", "entries"):
        monkeypatch.setattr(f"warcabinet.game.typed.{module}.closest", closest_to)
    monkeypatch.setattr("warcabinet.game.entering.parts", parts_of)
    for line in (LINE, "mobilize " + "1 infntry 1-1 " * 33):
        for kept in (held, read, looked):
            kept.clear()
        answer = solo.call("POST", f"/tables/{solo.table}/entries", lines=[line] * 30).json()
        assert answer["given"] == 0
        assert "is not understood" in answer["asks"]
        assert read == [line]
        assert len(held) < 100 * MOST_SAID
        assert len(looked) <= MOST_GUESSED


def test_of_what_is_written_in_ever_new_ways_little_is_kept() -> None:
    """A stranger who writes the same units with other blanks fills no memory."""
    before = parse_placement.cache_info()  # type: ignore[attr-defined]
    assert before.maxsize
    for blanks in range(3):
        assert parse_placement(f"2 infantry 1-3{' ' * (blanks + 1)}at Brussels").count == 2
