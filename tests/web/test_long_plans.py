"""Long plans and positions silence nobody: bounded, read one at a time, long ones in a process with limits; a stop
ends them.
"""

from __future__ import annotations

import base64
import io
import os
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import forty_silence_nobody, settings_of
from starlette.testclient import TestClient

from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.plans.form import MOST, MOST_CLAIMS, Program, plan_of
from warcabinet.plans.intake import SHORT, gist_of
from warcabinet.store.apart import Limits, Processes, Stopped
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.readers import HERE, OF_ONE, Readers
from warcabinet.web.server.app import create_app

LIMITS = Limits(10, 1 << 30)
#: Claims about a track: each asks whether `tracks` is a power, an area or a place.
CLAIMS = " and ".join(["usat<1"] * 170)


def asking(questions: int, claims: str = CLAIMS) -> str:
    lines = (f"  - {{question: q{n}, at: Fall 1940, if: '{claims}'}}\n" for n in range(questions))
    return f"plan: A long one\nuntil: Winter 1942\nask:\n{''.join(lines)}"


#: As large as a request may be, and one that is sound.
WRONG = asking(29)
LONG = asking(11) + "#" * 40_000


#: A player's own sheet; and the ways to bring a position.
SHEET = b"power,base\ngermany,5\n"
BROUGHT = (("/tables", "position"), ("/setup", "text"), ("/setup/sheet", "data"))


def brought(field: str, long: bool) -> str:
    """A position with something wrong in it; a long one takes a while to read."""
    if field != "data":
        return "scenario: empty\nset:\n" + "".join(f"  control.Warsw{n}: germany\n" for n in range(1900 if long else 1))
    if not long:
        return base64.b64encode(SHEET + b"nowhere,5\n").decode()
    sheet, main = io.BytesIO(), "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED) as folder:
        cells = f'<worksheet xmlns="{main}"><row>{"<c/>" * 900_000}</row></worksheet>'
        folder.writestr("xl/worksheets/sheet1.xml", cells)
    return base64.b64encode(sheet.getvalue()).decode()


def order(more: str = "") -> str:
    return "  - {do: advance, each: 'Axis, combat'" + more + "}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (WRONG, f"line 15: the conditions of a plan make at most {MOST_CLAIMS:,} claims"),
        ("plan: x\norders:\n" + order() * 1001, f"line 2: orders: 1,001 of them; at most {MOST['orders']:,}"),
        ("plan: x\nask:\n" + "  - {question: q, at: Fall 1940, figure: usat}\n" * 201, "ask: 201 of them; at most 200"),
        ("plan: x\nuncertain:\n" + "".join(f"  u{n}: {{dice: 1}}\n" for n in range(201)), "uncertain: 201 of them"),
        (
            "plan: x\nnotes: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\nkeep: {germany: {build: &b ["
            + ", ".join(["*a"] * 1000)
            + "], mobilize: [*b, *b]}}\n",
            "it comes to more than 20,000 values",
        ),
    ],
)
def test_a_plan_longer_than_anybody_writes_is_refused_with_its_bound(text: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        plan_of("x", text)


def test_what_an_order_hangs_on_is_looked_for_by_one_pattern_for_each_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"thing {n}" for n in range(MOST["uncertain"])]
    text = "plan: x\nuncertain:\n" + "".join(f"  {it}: {{chance: 0.5}}\n" for it in names)
    text += "orders:\n" + order(", if: thing 7 or thing 8") * 300
    made: list[str] = []
    compiled = re.compile
    monkeypatch.setattr("warcabinet.plans.form.re.compile", lambda it: made.append(it) or compiled(it))
    program = plan_of("x", text)
    assert {it.hangs_on for it in program.orders} == {frozenset({"thing 7", "thing 8"})}
    assert len(made) == len(names)


# -- in a process of its own ------------------------------------------------------------------------------------------


def test_a_long_plan_is_read_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    here: list[int] = []

    def read(name: str, text: str) -> Program:
        here.append(len(text))
        return plan_of(name, text)

    monkeypatch.setattr("warcabinet.plans.intake.plan_of", read)
    assert gist_of("short", asking(1), LIMITS, Processes()).questions == ("q0",)
    found = gist_of("long", LONG, LIMITS, Processes())
    assert here == [len(asking(1))]
    assert found == plan_of("long", LONG).gist()
    with pytest.raises(WarCabinetError, match="wrong, line 15: the conditions"):
        gist_of("wrong", WRONG, LIMITS, Processes())


@pytest.mark.skipif(sys.platform != "linux", reason="other limits there")
def test_a_plan_that_wants_more_than_there_is_for_it_ends_alone() -> None:
    with pytest.raises(WarCabinetError, match="the plan is too large"):
        gist_of("x", LONG + "#" * 900_000, Limits(10, 48 << 20), Processes())


def test_what_is_being_read_ends_when_its_owner_does() -> None:
    processes = Processes()
    ended: list[Exception] = []

    def read() -> None:
        try:
            processes.carry_out("http.server", "the plan", 0, LONG, LIMITS)  # it would go on for ever
        except WarCabinetError as error:
            ended.append(error)

    reading = threading.Thread(target=read)
    reading.start()
    end = time.monotonic() + 20
    while not processes._here and time.monotonic() < end:
        time.sleep(0.01)
    processes.close()
    reading.join(20)
    assert [type(it) for it in ended] == [Stopped]
    with pytest.raises(Stopped):
        processes.carry_out("http.server", "the plan", 0, LONG, LIMITS)


# -- one at a time ----------------------------------------------------------------------------------------------------


@pytest.fixture
def readers() -> Iterator[Readers]:
    made = Readers(LIMITS, Processes())
    yield made
    made.close()


def waiting(readers: Readers, people: list[str]) -> tuple[list[threading.Thread], list[str]]:
    """Threads of some people that wait for their turn, and what they were told."""
    told: list[str] = []

    def wait(person: str) -> None:
        try:
            with readers.turn(person):
                told.append(f"{person} had a turn")
        except Stopped as stopped:
            told.append(str(stopped))

    threads = [threading.Thread(target=wait, args=(it,), daemon=True) for it in people]
    for number, thread in enumerate(threads, 2):
        thread.start()
        end = time.monotonic() + 20
        while len(readers._here) < number and time.monotonic() < end:
            time.sleep(0.005)
    return threads, told


def test_few_wait_and_one_person_holds_few_places(readers: Readers) -> None:
    assert OF_ONE < HERE <= 8  # of forty threads that answer requests
    with readers.turn("eve"):
        threads, told = waiting(readers, ["eve", "ada", "ben"])
        with pytest.raises(Problem, match="plans and positions of yours are being read"), readers.turn("eve"):
            pass
        with pytest.raises(Problem, match="other plans and positions are being read"), readers.turn("carl"):
            pass
        assert told == []
    for thread in threads:
        thread.join(20)
    assert sorted(told) == ["ada had a turn", "ben had a turn", "eve had a turn"]
    with readers.turn("carl"):
        pass


def test_nobody_waits_for_a_turn_when_the_server_stops(readers: Readers) -> None:
    with readers.turn("eve"):
        threads, told = waiting(readers, ["ada", "ben"])
        readers.close()
        for thread in threads:
            thread.join(20)
        assert [("stopping" in it) for it in told] == [True, True]
    with pytest.raises(Stopped, match="stopping"), readers.turn("carl"):
        pass


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/plans", {"name": "mine", "text": "plan: x\n"}),
        ("POST", "/plans/runs", {"text": "plan: x\n", "samples": 1}),
        ("PUT", "/minders/germany", {"text": "plan: x\n"}),
        ("POST", "/minders/germany/shown", {"text": "plan: x\n"}),
        ("POST", "/plans/hand", {"text": "plan: x\n"}),
        ("POST", "/plans/try", {"text": "plan: x\nuntil: Fall 1939\n"}),
        ("POST", "/setup", {"text": "scenario: empty\n"}),
        ("POST", "/setup", {"position": {"scenario": "empty"}}),
        ("POST", "/setup/file", {"position": {"scenario": "empty"}}),
        ("POST", "/setup/read", {"text": "germany brp 5"}),
        ("POST", "/setup/sheet", {"data": base64.b64encode(SHEET).decode()}),
        ("POST", "/tables", {"title": "B", "name": "Ada", "position": "scenario: empty\n"}),
    ],
)
def test_every_way_to_bring_a_plan_or_a_position_waits_its_turn(
    tmp_path: Path, method: str, path: str, body: Any
) -> None:
    app = create_app(settings_of(tmp_path))
    client = TestClient(app)
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    app.state.server.readers._here += ["somebody"] * HERE
    at = f"/api/v1{path}" if path.startswith(("/setup", "/tables")) else f"/api/v1/tables/{table}{path}"
    answer = client.request(method, at, json=body)
    assert answer.status_code == 503, answer.text
    app.state.server.readers._here.clear()
    assert client.request(method, at, json=body).status_code < 300, client.request(method, at, json=body).text


@pytest.mark.parametrize(("path", "field"), BROUGHT)
def test_a_long_position_is_read_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, field: str
) -> None:
    """What is wrong with it is said as it is of a short one."""
    client = TestClient(create_app(settings_of(tmp_path)))
    asked: list[str] = []
    inner = Processes.carry_out
    monkeypatch.setattr(Processes, "carry_out", lambda self, *given: asked.append(given[0]) or inner(self, *given))
    more = {"title": "A", "name": "Ada"} if path == "/tables" else {}
    for long in (False, True):
        answer = client.post(f"/api/v1{path}", json={**more, field: brought(field, long)})
        assert answer.status_code == 400
        told = ("more than 5000 rows" if long else "row 3 (nowhere, 5)") if field == "data" else "line 3: unknown place"
        assert told in answer.text
        assert asked == ["warcabinet.web.table.brought"] * long


def test_a_standing_order_is_short(solo: Any) -> None:
    answer = solo.call("PUT", f"/tables/{solo.table}/minders/germany", text=LONG)
    assert answer.status_code == 400
    assert f"at most {SHORT:,}" in answer.text


# -- a server ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("path", "field"), [("plans", "text"), ("minders/germany/shown", "text"), *BROUGHT])
def test_forty_long_plans_or_positions_silence_nobody(
    own_process: tuple[subprocess.Popen[str], str], path: str, field: str
) -> None:
    body: dict[str, Any] = {"title": "C", "name": "Eve"} if path == "/tables" else {}
    body[field] = WRONG if field == "text" and path != "/setup" else brought(field, long=True)
    method = "PUT" if path == "plans" else "POST"
    if path == "plans":
        body["name"] = "a plan"

    def bring(one: httpx.Client, table: str) -> httpx.Response:
        answer = one.request(method, path if path.startswith("/") else f"/tables/{table}/{path}", json=body)
        time.sleep(1)
        return answer

    forty_silence_nobody(own_process, bring, {400, 429, 503})
