"""Hall and games in PostgreSQL, several processes: any serves any table, none loses or doubles anything.

A server of its own is started on loopback for these tests, with Debian's PostgreSQL, and thrown away after them;
WARCABINET_TEST_POSTGRES names another database that may be filled and emptied.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from msgspec.structs import replace
from starlette.testclient import TestClient

from conftest import ALLIES, AXIS, Player
from warcabinet.bench.own_postgres import HOW, programs, running
from warcabinet.bench.own_server import answers
from warcabinet.game import Conflict
from warcabinet.game.throws import Seed, dice_for
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.database import StorageError, _engines, database, one_of_many
from warcabinet.store.games import create_game, examine, open_game
from warcabinet.store.journal import SqlJournal
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.people_book import PeopleBook
from warcabinet.web.hall.rehouse import rehouse
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import Bounds, Switchboard
from warcabinet.web.server.app import create_app
from warcabinet.web.server.relay import Relay
from warcabinet.web.sheets.dice_check import dice_check

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'warcabinet[postgres]'")


class At:
    """Where the database of these tests is."""

    url = os.environ.get("WARCABINET_TEST_POSTGRES", "")


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """A server of its own; without PostgreSQL the tests are skipped and say so, but never in CI."""
    if At.url:
        yield
        return
    where = programs()
    if where is None:
        assert os.environ.get("CI") != "true", HOW
        pytest.skip(HOW)
    with running(where) as At.url:
        yield
    At.url = ""


ROLL = {"do": "roll", "purpose": "weather"}
FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture
def empty() -> Iterator[sa.Engine]:
    engine = database(At.url)[0]
    with engine.begin() as db:
        games = db.execute(sa.text("select nspname from pg_namespace where nspname like 'game\\_%'")).scalars().all()
        for name in (*games, "public"):
            db.execute(sa.text(f'drop schema if exists "{name}" cascade'))
        db.execute(sa.text("create schema public"))
    yield engine
    engine.dispose()


def settings(data: Path) -> Settings:
    many = 1_000_000
    return Settings(
        data, database=At.url, rate=many, burst=many, tables_per_hour=many, tables_per_person=many, free_disk=0
    )


def test_a_table_lives_in_the_database(empty: sa.Engine, tmp_path: Path) -> None:
    client = TestClient(create_app(settings(tmp_path)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    at = f"/api/v1/tables/{table}"
    assert client.post(f"{at}/do", json=ROLL).status_code == 200
    assert client.post(f"{at}/talk", json={"text": "hello"}).status_code == 201
    assert examine(one_of_many(At.url, table)).ok
    copy = client.post(f"{at}/what-if", json={"at": 1}).json()["table"]
    assert examine(one_of_many(At.url, copy)).ok
    assert client.get(f"/api/v1/tables/{copy}").json()["head"] == 1
    save = client.get(f"{at}/export").text
    made = client.post("/api/v1/tables/import", json={"title": "B", "name": "Ada", "save": save})
    assert made.status_code == 201, made.text
    wrong = client.post("/api/v1/tables/import", json={"title": "C", "name": "Ada", "save": save[:-9]})
    assert wrong.status_code == 400
    with empty.connect() as db:
        schemas = db.execute(sa.text("select count(*) from pg_namespace where nspname like 'game\\_%'")).scalar()
    assert schemas == 3
    assert not list((tmp_path / "games").iterdir())
    ends = client.post(f"{at}/delete", json={}).json()["ends"]
    assert client.app.state.server.tables.tidy(ends + 1) == [table]  # type: ignore[attr-defined]
    assert client.get(at).status_code == 404


def test_hosts_that_start_at_once_make_one_hall(empty: sa.Engine) -> None:
    with ThreadPoolExecutor(6) as several:
        halls = list(several.map(Hall, [At.url] * 6))
    people = [hall.people.new_person("Ada")[0] for hall in halls]
    assert len({it.id for it in people}) == 6
    for hall in halls:
        hall.close()


def test_two_applications_see_each_others_moves(empty: sa.Engine, tmp_path: Path) -> None:
    one, two = (TestClient(create_app(settings(tmp_path))) for _ in range(2))
    table = one.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    two.cookies.update(one.cookies)
    at = f"/api/v1/tables/{table}"
    for n in range(6):
        client = (one, two)[n % 2]
        assert client.post(f"{at}/do", json=ROLL).json()["head"] == n + 2
    key = {"idempotency-key": "k"}
    first = one.post(f"{at}/do", json=ROLL, headers=key).json()
    assert two.post(f"{at}/do", json=ROLL, headers=key).json()["moves"] == first["moves"]


def _serve(data: Path, workers: int, first: str = "") -> tuple[subprocess.Popen[str], str]:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (data / "server.toml").write_text("rate = 100000\nburst = 100000\ntables_per_hour = 100000\nfree_disk = 0\n")
    command = [sys.executable, "-c", f"{first}\nfrom warcabinet.__main__ import main\nmain()", "serve", str(data)]
    command += ["--port", str(port), "--database", At.url]
    command += ["--workers", str(workers), "--settings", str(data / "server.toml")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    base = f"http://127.0.0.1:{port}"
    until = time.monotonic() + 90
    while time.monotonic() < until:
        try:
            if httpx.get(f"{base}/health", timeout=5).status_code == 200:
                return process, base
        except httpx.HTTPError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError("the server did not start")


# -- dice: a revealed seed never throws again, in any process -------------------------------------------------------


def _every_throw_is_right(table: str) -> None:
    """Once the last seed is told too, by `verify` and by the check at the table alike."""
    game = open_game(one_of_many(At.url, table))
    assert isinstance(game.journal, SqlJournal)
    with contextlib.suppress(Conflict):
        game.journal.reveal()
    told = dice_check(game, game.journal.seeds())
    assert (told.wrong, told.late, told.sealed) == (0, 0, 0)
    assert told.checked == len(told.throws)
    assert examine(one_of_many(At.url, table)).faults == []


def test_a_seed_that_one_process_reveals_throws_in_no_other(empty: sa.Engine, tmp_path: Path) -> None:
    one, two = (TestClient(create_app(settings(tmp_path))) for _ in range(2))
    table = one.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    two.cookies.update(one.cookies)
    at = f"/api/v1/tables/{table}"
    assert one.post(f"{at}/do", json=ROLL).status_code == two.post(f"{at}/do", json=ROLL).status_code == 200
    told, _ = one.post(f"{at}/dice/reveal").json()
    assert two.get(f"{at}/dice").json()[0]["secret"] == told["secret"]
    assert two.get(f"{at}/dice/check").json()["checked"] == 2
    thrown = [two.post(f"{at}/do", json=ROLL).json()["moves"][0] for _ in range(12)]
    known = Seed(1, told["commitment"], told["secret"])
    assert [it["dice"] for it in thrown] != [[dice_for([known], it["id"]).throw()] for it in thrown]
    _every_throw_is_right(table)


def test_who_reveals_waits_for_who_throws(empty: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A throw that is being written is one of the seed that is revealed after it."""
    place = one_of_many(At.url, "0001")
    game, other = create_game(place), open_game(place)
    write = SqlJournal._write
    waiting: list[Any] = []
    with ThreadPoolExecutor(1) as pool:

        def written(journal: SqlJournal, *rest: Any) -> str:
            if not waiting:
                waiting.append(pool.submit(other.journal.reveal))  # type: ignore[attr-defined]
                with pytest.raises(TimeoutError):
                    waiting[0].result(0.5)
            return write(journal, *rest)

        monkeypatch.setattr(SqlJournal, "_write", written)
        thrown = game.do(ROLL)
        waiting[0].result(30)
    assert [seed.first for seed in game.journal.seeds()] == [1, thrown.id + 1]
    _every_throw_is_right("0001")


def test_who_throws_waits_for_who_reveals_and_throws_by_the_next(empty: sa.Engine) -> None:
    place = one_of_many(At.url, "0002")
    game = create_game(place)
    game.do(ROLL)
    other = open_game(place)
    assert isinstance(game.journal, SqlJournal)
    seeds = game.journal.read_seeds
    throwing: list[Any] = []
    with ThreadPoolExecutor(1) as pool:

        def read(db: sa.Connection, **how: bool) -> tuple[Seed, ...]:
            found = seeds(db, **how)
            if how.get("to_reveal"):
                throwing.append(pool.submit(other.do, ROLL))
                with pytest.raises(TimeoutError):
                    throwing[0].result(0.5)
            return found

        game.journal.read_seeds = read  # type: ignore[method-assign]
        game.journal.reveal()
        thrown = throwing[0].result(30)
    seed = other.journal.seeds()[-1]
    assert seed.first == thrown.id
    assert thrown.faces == [dice_for([seed], thrown.id).throw()]
    _every_throw_is_right("0002")


def test_dice_of_several_processes_are_right_whoever_reveals_when(empty: sa.Engine, tmp_path: Path) -> None:
    """Three processes throw, and reveal every few throws, all at once."""
    process, base = _serve(tmp_path, 3)
    try:
        host = httpx.Client(timeout=60)
        table = host.post(f"{base}/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
        at, cookies = f"{base}/api/v1/tables/{table}", dict(host.cookies)

        def play(number: int) -> list[int]:
            answers = []
            for n in range(12):
                with httpx.Client(timeout=60, cookies=cookies) as client:  # any process takes it
                    what = ("/dice/reveal", {}) if (n + number) % 4 == 0 else ("/do", ROLL)
                    answers.append(client.post(at + what[0], json=what[1]).status_code)
            return answers

        with ThreadPoolExecutor(4) as pool:
            answers = [code for them in pool.map(play, range(4)) for code in them]
        assert set(answers) <= {200, 409}
        assert answers.count(200) > 12
        assert host.get(f"{at}/dice/check").json()["wrong"] == 0
    finally:
        process.terminate()
        process.wait(60)
    _every_throw_is_right(table)


def _insist(client: httpx.Client, url: str, body: dict[str, Any], key: str) -> Any:
    """As a page does: under the same key until there is an answer."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            answer = client.post(url, json=body, headers={"idempotency-key": key})
        except httpx.HTTPError:
            time.sleep(0.1)
            continue
        if answer.status_code == 200:
            return answer.json()
        assert answer.status_code in (409, 502, 503), answer.text
        time.sleep(0.05)
    raise AssertionError("no answer")


def test_killed_workers_and_backends_lose_and_double_nothing(empty: sa.Engine, tmp_path: Path) -> None:
    process, base = _serve(tmp_path, 2)
    heard: list[int] = []
    try:
        with httpx.Client(timeout=20) as ada:
            table = ada.post(f"{base}/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
            at = f"{base}/api/v1/tables/{table}"
            listening = threading.Thread(target=_listen, args=(dict(ada.cookies), at, heard), daemon=True)
            listening.start()
            for n in range(30):
                if n % 6 == 2:
                    _kill_a_worker(process.pid)
                if n % 6 == 5:
                    _kill_backends(empty)
                if n == 15:
                    process.send_signal(signal.SIGHUP)  # all by turns, without a lost event
                _insist(ada, f"{at}/do", ROLL, f"order {n}")
            until = time.monotonic() + 30
            while (not heard or heard[-1] < 31) and time.monotonic() < until:
                time.sleep(0.1)
    finally:
        workers = _workers(process.pid)
        process.kill()  # whatever happens to the one that started them, no worker is left on the port
        process.wait(60)
    until = time.monotonic() + 60
    while any(Path(f"/proc/{it}").exists() for it in workers):
        assert time.monotonic() < until, "a worker outlives its parent"
        time.sleep(0.05)
    report = examine(one_of_many(At.url, table))
    assert report.ok, report.faults
    assert report.moves == 31
    assert heard[-1] == 31


def _listen(cookies: dict[str, str], at: str, heard: list[int]) -> None:
    """A page: it comes back after any break, with the last id it heard."""
    last = ""
    with httpx.Client(timeout=30, cookies=cookies) as page:
        while not heard or heard[-1] < 31:
            try:
                with page.stream("GET", f"{at}/events", params={"after": last}) as stream:
                    kind = ""
                    for line in stream.iter_lines():
                        name, _, value = line.partition(": ")
                        if name == "id":
                            last = value
                        kind = value if name == "event" else kind
                        if name == "data" and kind == "move":
                            heard.append(json.loads(value)["id"])
            except httpx.HTTPError:
                pass
            time.sleep(0.1)


def _workers(parent: int) -> list[int]:
    return [int(it) for it in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def _kill_a_worker(parent: int) -> None:
    for child in _workers(parent)[:1]:
        os.kill(child, signal.SIGKILL)


#: Processes that come to make up for others do not begin as long as a file says so.
SLOW_START = """
import pathlib, sys, time
from warcabinet.web.server import serve
make = serve.make_server
def slow(*given):
    while pathlib.Path(sys.argv[2], 'slow').exists():
        time.sleep(0.05)
    return make(*given)
serve.make_server = slow
"""


def test_a_killed_worker_is_made_up_for_at_once(empty: sa.Engine, tmp_path: Path) -> None:
    """It is forked from one that has read the program, and takes a fraction of what reading it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, "-c", "import warcabinet.web.server.serve"], check=True)
    reading = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    process, base = _serve(tmp_path, 2)
    try:
        old = set(_workers(process.pid))
        for child in old:
            os.kill(child, signal.SIGKILL)
        until = time.monotonic() + 60
        while len(new := set(_workers(process.pid)) - old) < 2 or not answers(int(base.rpartition(":")[2])):
            assert time.monotonic() < until
            time.sleep(0.02)
        stats = [Path(f"/proc/{it}/stat").read_text().rpartition(")")[2].split() for it in new]
    finally:
        process.terminate()
        process.wait(60)
    began = max(int(it[11]) for it in stats) / os.sysconf("SC_CLK_TCK")
    print(f"reading the program takes {reading:.2f} s of the processor, a process that is forked {began:.2f} s")
    assert began < reading / 2


def test_nobody_waits_at_a_door_behind_which_nobody_is(empty: sa.Engine, tmp_path: Path) -> None:
    """With all workers killed whoever comes is refused at once, and a proxy has another host; then it is served again.

    A page that waited instead for a slow start heard of moves half a minute late.
    """
    process, base = _serve(tmp_path, 2, SLOW_START)
    (tmp_path / "slow").touch()
    try:
        until = time.monotonic() + 60
        while len(_workers(process.pid)) < 2:
            assert time.monotonic() < until
        for child in _workers(process.pid):
            os.kill(child, signal.SIGKILL)
        refused, until = False, time.monotonic() + 60
        while not refused and time.monotonic() < until:
            try:
                httpx.get(f"{base}/health", timeout=0.5)
            except httpx.ConnectError:
                refused = True
            except httpx.HTTPError:
                pass  # it stood in the door as that was shut
        assert refused, "it waited for a worker that was yet to start"
        (tmp_path / "slow").unlink()
        while not answers(int(base.rpartition(":")[2])):
            assert time.monotonic() < until + 60
            time.sleep(0.05)
        assert httpx.get(f"{base}/health", timeout=60).status_code == 200
    finally:
        process.terminate()
        process.wait(60)


def test_who_begins_to_hear_the_others_has_every_page_look_anew(empty: sa.Engine) -> None:
    """Pages may listen already, and what was told before is told by nobody again."""
    switchboard, handed = Switchboard(Bounds(8, 8, 8)), list[tuple[str, str]]()
    switchboard.take_place("table", "Ada", player=True)
    switchboard.hand_out = lambda table, news: handed.append((table, news.kind))  # type: ignore[method-assign]
    relay = Relay(At.url, switchboard)
    relay.start()
    until = time.monotonic() + 30
    while not handed and time.monotonic() < until:
        time.sleep(0.02)
    relay.stop()
    assert handed == [("table", "resync")]


def _kill_backends(engine: sa.Engine) -> None:
    with engine.begin() as db:
        others = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
        db.execute(sa.text(f"{others} and datname = current_database()"))


def test_a_database_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    from warcabinet.kernel.errors import WarCabinetError

    with pytest.raises(WarCabinetError, match="cannot be reached"):
        create_app(Settings(tmp_path, database="postgresql://nobody@127.0.0.1:1/nothing"))


def test_a_database_that_may_only_be_read_is_said_to_be_so(empty: sa.Engine, tmp_path: Path) -> None:
    """As a reader, and in a database that takes no writing: a clear word, and nothing is called damage."""
    client = TestClient(create_app(settings(tmp_path)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    with empty.begin() as db:
        db.execute(sa.text("drop role if exists reader"))
        db.execute(sa.text("create role reader login"))
        for schema in ("public", f'"game_{table}"'):
            db.execute(sa.text(f"grant usage on schema {schema} to reader"))
            db.execute(sa.text(f"grant select on all tables in schema {schema} to reader"))
    at = sa.make_url(At.url)
    no_writing = {"options": "-c default_transaction_read_only=on"}
    try:
        for url in (at.set(username="reader"), at.update_query_dict(no_writing)):
            place = url.render_as_string(hide_password=False)
            for work in (
                lambda place=place: create_app(replace(settings(tmp_path), database=place)),
                lambda place=place: open_game(one_of_many(place, table)).do(ROLL),
                lambda place=place: create_game(one_of_many(place, "another")),
            ):
                with pytest.raises(StorageError, match=r"cannot be (used|written)"):
                    work()
    finally:
        for name in [it for it in _engines if "reader" in it or "read_only" in it]:
            _engines.pop(name).dispose()
        with empty.begin() as db:
            db.execute(sa.text("drop owned by reader"))
            db.execute(sa.text("drop role reader"))
    assert examine(one_of_many(At.url, table)).moves == 1


def test_a_lost_connection_is_not_called_damage(empty: sa.Engine, tmp_path: Path) -> None:
    client = TestClient(create_app(settings(tmp_path)))
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ada"}).json()["table"]
    game = open_game(one_of_many(At.url, table))
    journal = game.journal
    assert isinstance(journal, SqlJournal)

    def cut_off() -> None:
        with journal.reading() as db:
            mine = db.execute(sa.text("select pg_backend_pid()")).scalar()
            with empty.begin() as other:
                other.execute(sa.text(f"select pg_terminate_backend({mine})"))
            until = time.monotonic() + 30
            while time.monotonic() < until:  # it notices when it asks again
                db.execute(sa.text("select 1"))

    with pytest.raises(StorageError, match="cannot be reached"):
        cut_off()
    assert game.do(ROLL).id == 2


def test_two_links_to_one_seat_seat_one(empty: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes have each seen the seat free: one of them still waits for the other, and finds it taken."""
    apps = [create_app(settings(tmp_path)) for _ in range(2)]
    seats = [{"title": "Axis", "powers": AXIS, "mine": True}, {"title": "Allies", "powers": ALLIES, "mine": False}]
    ada = Player(apps[0], "Ada").create(seats=seats)
    links = [ada.invite("seat2") for _ in apps]
    together = threading.Barrier(2)
    refuse = PeopleBook.refuse_name

    def both_here(*given: Any) -> None:
        """Where a seat was found free; both come here only if neither waits for the other."""
        with contextlib.suppress(threading.BrokenBarrierError):
            together.wait(3)
        refuse(*given)

    monkeypatch.setattr(PeopleBook, "refuse_name", both_here)

    def join(n: int) -> int:
        name = ("Ben", "Carl")[n]
        return int(Player(apps[n], name).call("POST", "/join", invitation=links[n], name=name).status_code)

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(join, range(2))) == [200, 409]
    assert len(ada.get().json()["seats"][1]["people"]) == 1


def test_several_processes_tell_a_turn_once(empty: sa.Engine, tmp_path: Path) -> None:
    from receivers import receiver

    its = replace(settings(tmp_path), private_webhooks=True)
    first, second = create_app(its), create_app(its)
    seats = [{"title": "Axis", "powers": AXIS, "mine": True}, {"title": "Allies", "powers": ALLIES, "mine": False}]
    with receiver() as box:
        ada = Player(first, "Ada").create(seats=seats).mobilize("italy", "japan")
        ben = Player(second, "Ben").join(ada.invite("seat2"))
        assert ben.call("PUT", "/me/notices", webhook={"address": box.address, "on": True}).status_code == 200
        assert ada.post("/advance", to="Fall 1939, Allied").status_code == 200
        first.state.server.herald.look()
        (line,) = ben.call("GET", "/tables").json()
        assert line["mine"]
        now = time.time() + 120
        assert [app.state.server.herald.send(now) for app in (second, first)] == [1, 0]
        assert len(box.got) == 1
        # A round of sealed orders is the same whichever process is asked.
        id = ada.post("/sealed", title="Bids").json()["round"]["id"]
        for player, seat in ((ada, "seat1"), (ben, "seat2")):
            path = f"/tables/{player.table}/sealed"
            assert player.call("PUT", path, round=id, seat=seat, words=player.name).status_code == 200
        assert [it["words"] for it in ada.get("/sealed").json()["outcome"]] == ["Ada", "Ben"]


# -- from a folder to the database ------------------------------------------------------------------------------------


def _folder(data: Path) -> tuple[str, TestClient]:
    """A folder with a table at which something was said, noted and moved."""
    app = create_app(Settings(data, rate=1e6, burst=10**6, free_disk=0))
    client = TestClient(app)
    table = client.post("/api/v1/tables", json={"title": "A", "name": "Ädä"}).json()["table"]
    at = f"/api/v1/tables/{table}"
    for _ in range(3):
        assert client.post(f"{at}/do", json=ROLL).status_code == 200
        assert client.post(f"{at}/talk", json={"text": "hello ✓"}).status_code == 201
    assert client.put(f"{at}/notes", json={"text": "mine"}).status_code == 200
    opened = app.state.server
    for it in (opened.tables, opened.hall, opened.folder):
        it.close()
    return table, client


def test_a_folder_goes_over_whole(empty: sa.Engine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    table, before = _folder(data)
    went = rehouse(data, At.url)
    assert (went.tables, went.moves, went.people) == (1, 4, 1)
    client = TestClient(create_app(settings(tmp_path / "other")), cookies=dict(before.cookies))
    at = f"/api/v1/tables/{table}"
    assert client.get(at).json()["head"] == 4
    assert client.get(f"{at}/notes").json()["text"] == "mine"
    # Moves, dice and lines of talk go on where they were.
    assert client.post(f"{at}/do", json=ROLL).json()["head"] == 5
    assert client.post(f"{at}/talk", json={"text": "on"}).status_code == 201
    assert [it["text"] for it in client.get(f"{at}/talk").json() if it["name"]][-2:] == ["hello ✓", "on"]
    assert examine(one_of_many(At.url, table)).ok
    with pytest.raises(WarCabinetError, match="is not empty"):
        rehouse(data, At.url)


def test_the_command_carries_a_folder_over(empty: sa.Engine, tmp_path: Path) -> None:
    """As people do it: by a program that has spoken to no database before."""
    data = tmp_path / "data"
    table, _ = _folder(data)
    command = [sys.executable, "-m", "warcabinet", "rehouse", str(data), "--database", At.url]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert examine(one_of_many(At.url, table)).ok


def test_a_folder_of_0_1_0_goes_over(empty: sa.Engine, tmp_path: Path) -> None:
    data = Path(shutil.copytree(FIXTURES / "folder-0.1.0", tmp_path / "data"))
    assert rehouse(data, At.url).tables == 3
    app = create_app(settings(tmp_path / "other"))
    eve = TestClient(app, cookies={"warcabinet": "FUnq_yjylsO3PVpNRi3yAY8L3vR-S9L7"})
    assert eve.post("/api/v1/tables/6aa881f532/rules/agree", json={}).json()["done"]
    assert eve.post("/api/v1/tables/6aa881f532/do", json=ROLL).json()["head"] == 35


def test_a_folder_that_cannot_go_over_leaves_nothing(
    empty: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    table, _ = _folder(data)

    def broken(*args: Any) -> None:
        raise WarCabinetError("the line was cut")

    with monkeypatch.context() as patched:
        patched.setattr("warcabinet.web.hall.rehouse._carry_hall", broken)
        with pytest.raises(WarCabinetError, match="the line was cut"):
            rehouse(data, At.url)
    with empty.begin() as db:
        assert not [it for it in sa.inspect(db).get_schema_names() if it.startswith("game_")]
        # What a killed run leaves: a game of this folder and no hall. The next run begins anew.
        db.execute(sa.text(f'create schema "game_{table}"'))
    assert rehouse(data, At.url).tables == 1


def test_a_folder_in_use_or_damaged_stays(empty: sa.Engine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    table, _ = _folder(data)
    app = create_app(Settings(data, free_disk=0))
    with pytest.raises(WarCabinetError, match="another server uses"):
        rehouse(data, At.url)
    opened = app.state.server
    for it in (opened.tables, opened.hall, opened.folder):
        it.close()
    with contextlib.closing(sqlite3.connect(data / "games" / f"{table}.wcg")) as db, db:
        db.execute("update moves set records = '[]' where id = 2")
    with pytest.raises(WarCabinetError, match="is not whole"):
        rehouse(data, At.url)
    assert not sa.inspect(empty).get_table_names()
