"""Pages about a whole game silence nobody: one at a time, without the table's lock, kept, and paid for by cost."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attacks import SPEND, honest_order

from conftest import Player, plenty, running, served_alone
from warcabinet.web.table import reckoning
from warcabinet.web.table.reckoning import KINDS, QUEUE, Kind

PAGES = ("/chronicle", "/ledger.csv", "/export", "/year-start", "/dice/check", "/rules", "/story", "/compare")


def asked(player: Any, page: str) -> Any:
    return player.get(page, **({"other": player.table} if page == "/compare" else {}))


def test_a_page_of_a_long_game_is_worked_out_in_a_process(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {page: asked(solo, page).content for page in ("/chronicle", "/year-start", "/compare")}
    with solo.client.app.state.server.tables.at(solo.table) as table:
        table.kept.clear()
    started: list[str] = []
    processes = solo.client.app.state.server.tables.processes
    carry_out = processes.carry_out
    monkeypatch.setattr(processes, "carry_out", lambda *given: started.append(given[2].what) or carry_out(*given))
    monkeypatch.setattr(reckoning, "SHORT", 0)
    assert {page: asked(solo, page).content for page in here} == here
    assert started == ["chronicle", "year starts", "compare"]


def test_what_was_worked_out_is_kept_until_somebody_moves(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(what: str) -> Kind:
        kind = KINDS[what]
        return Kind(lambda *given: made.append(what) or kind.made(*given), kind.type, kind.kept)

    for what in ("chronicle", "compare", "year starts"):
        monkeypatch.setitem(KINDS, what, noted(what))
    for _ in range(2):
        for page in ("/chronicle", "/compare", "/year-start"):
            assert asked(solo, page).status_code == 200
    assert made == ["chronicle", "compare", "year starts"]
    assert solo.do(**SPEND).status_code == 200
    assert asked(solo, "/chronicle").status_code == 200
    assert made[3:] == ["chronicle"]


@pytest.mark.parametrize("page", PAGES)
def test_an_order_waits_for_no_page_and_few_wait_for_one(page: str, solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a page is worked out orders are taken; of one person three wait at most, and others are told at once."""
    go_on, begun = threading.Event(), threading.Event()

    def slow(*_given: object) -> Any:
        begun.set()
        assert go_on.wait(20)
        raise AssertionError("nobody reads it")

    monkeypatch.setattr("warcabinet.web.api.api_people.same_rules", lambda ask: False)
    for what, kind in list(KINDS.items()):
        monkeypatch.setitem(KINDS, what, Kind(slow, kind.type, kind.kept))
    threads = [threading.Thread(target=asked, args=(solo, page), daemon=True) for _ in range(QUEUE[1])]
    for thread in threads:
        thread.start()
    try:
        assert begun.wait(20)
        until = time.monotonic() + 20
        while len(solo.client.app.state.server.reckoners._here) < QUEUE[1] and time.monotonic() < until:
            time.sleep(0.01)
        assert asked(solo, page).status_code == 429
        assert solo.do(**SPEND).status_code == 200
    finally:
        go_on.set()
        for thread in threads:
            thread.join()


def test_a_person_has_a_share_by_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(plenty(tmp_path)) as app:
        ada, ben = Player(app, "Ada").create(), Player(app, "Ben").create()
        server, person = app.state.server, app.state.server.hall.table(ada.table).host
        paid: list[tuple[str, float]] = []
        pay = server.shares.pay
        monkeypatch.setattr(server.shares, "pay", lambda who, cost, now: paid.append((who, cost)))
        assert ada.get("/chronicle").status_code == 200
        assert {(who, cost > 0) for who, cost in paid} == {(person, True)}
        assert len(paid) == 2  # the page, and what the request cost beside it
        pay(person, 1000, time.monotonic())
        refused = ada.get("/log")
        assert (refused.status_code, "go on in" in refused.text) == (429, True)
        assert ben.get("/log").status_code == 200


#: A chronicle that takes a minute of the processor, as one does where many others want it, and says that it has begun.
ENDLESS = """
import pathlib, sys, time
from warcabinet.web.table import reckoning
def endless(*given):
    pathlib.Path(sys.argv[1], 'begun').touch()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        sum(range(1000))
reckoning.KINDS['chronicle'] = reckoning.Kind(endless, str)
"""


def test_a_stop_leaves_the_page_that_is_worked_out_to_itself(tmp_path: Path) -> None:
    """Whoever waits for it is told at once that the server stops."""
    with (
        served_alone(tmp_path, ENDLESS) as (child, base),
        httpx.Client(base_url=base, timeout=60) as ada,
        ThreadPoolExecutor() as threads,
    ):
        mine = ada.post("/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        asking = threads.submit(ada.get, f"/tables/{mine}/chronicle")
        end = time.monotonic() + 20
        while not (tmp_path / "begun").exists() and time.monotonic() < end:
            time.sleep(0.01)
        began = time.monotonic()
        child.terminate()
        answer = asking.result()
        waited = time.monotonic() - began
        _, told = child.communicate(timeout=60)
        stopped = time.monotonic() - began
    print(f"told after {waited:.2f} s, stopped after {stopped:.2f} s")
    assert (answer.status_code, "stopping" in answer.text) == (503, True)
    assert max(waited, stopped) < 4  # what is under way is cut off after five
    assert "Traceback" not in told


#: A look at a table that takes longer than a server that stops waits for.
SLOW = """
import pathlib, sys, time
from warcabinet.web.hall.tables_in_play import Tables
look = Tables.look
def slow(self, table):
    if pathlib.Path(sys.argv[1], 'slow').exists():
        pathlib.Path(sys.argv[1], 'begun').touch()
        time.sleep(7)
    look(self, table)
Tables.look = slow
"""


def test_a_request_that_a_stop_cuts_off_is_answered_that_the_server_stops(tmp_path: Path) -> None:
    """Not that it made a mistake: whoever asks again under its key is told what came of it."""
    with (
        served_alone(tmp_path, SLOW) as (child, base),
        httpx.Client(base_url=base, timeout=60) as ada,
        ThreadPoolExecutor() as threads,
    ):
        mine = ada.post("/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        (tmp_path / "slow").touch()
        asking = threads.submit(ada.post, f"/tables/{mine}/do", json=SPEND)
        end = time.monotonic() + 20
        while not (tmp_path / "begun").exists() and time.monotonic() < end:
            time.sleep(0.01)
        child.terminate()
        answer = asking.result()
        _, told = child.communicate(timeout=60)
    assert (answer.status_code, "stopping" in answer.text) == (503, True)
    assert "Traceback" not in told, told


def test_forty_heavy_pages_of_a_stranger_silence_nobody(own_process: tuple[subprocess.Popen[str], str]) -> None:
    """The longest game that there is, and whatever is worked out about it."""
    child, base = own_process
    with httpx.Client(base_url=base, timeout=60) as ada, httpx.Client(base_url=base, timeout=60) as eve:
        mine = ada.post("/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        hers = eve.post("/demonstration", json={}).json()["table"]
        quiet = honest_order(ada, mine)
        cookies, answers, over = dict(eve.cookies), list[int](), threading.Event()

        def look(page: str) -> None:
            with contextlib.suppress(httpx.HTTPError), httpx.Client(base_url=base, timeout=60, cookies=cookies) as one:
                while not over.wait(0.2):
                    answers.append(one.get(f"/tables/{hers}{page}", params={"other": hers}).status_code)

        pages = [page for page in PAGES if page != "/rules"]
        looking = [threading.Thread(target=look, args=(pages[n % len(pages)],), daemon=True) for n in range(40)]
        for thread in looking:
            thread.start()
        end = time.monotonic() + 30
        while (len(answers) < 40 or 200 not in answers) and time.monotonic() < end:
            time.sleep(0.02)
        meanwhile = honest_order(ada, mine)
        over.set()
        began = time.monotonic()
        child.terminate()
        _, told = child.communicate(timeout=60)
        stopped = time.monotonic() - began
    print(f"an order alone {quiet:.2f} s, beside forty heavy pages {meanwhile:.2f} s; stopped after {stopped:.1f} s")
    assert {200, 429} <= {*answers} <= {200, 400, 429, 503}
    assert meanwhile < 1 + 5 * quiet  # a machine that has other work to do is slow by itself
    assert stopped < 5 + 20 * quiet
    assert "Traceback" not in told
