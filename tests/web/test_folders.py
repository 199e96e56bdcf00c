"""Disks that fail, damaged files, folders of earlier releases, backups, and what is watched."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from attacks import FIXTURES, ROLL, SPEND, file_of, settings_of
from starlette.testclient import TestClient

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import StorageError, examine
from warcabinet.store.backup import back_up
from warcabinet.web.hall.hall import Hall
from warcabinet.web.plumbing.settings import Settings, read_settings
from warcabinet.web.server.app import create_app

# -- disks and files (16, 21, 25) -------------------------------------------------------------------------------------


def test_a_failing_disk_is_said_everywhere_and_changes_nothing(solo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise StorageError("it cannot be written: the disk is full")

    opened = solo.client.app.state.server
    with opened.tables.at(solo.table) as table:
        monkeypatch.setattr(table.game.journal, "append", fail)
    monkeypatch.setattr(opened.hall.talk, "say", fail)
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


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    """As earlier releases left it."""
    data = Path(shutil.copytree(FIXTURES / "folder-0.1.0", tmp_path / "data"))
    there = (data, *data.rglob("*"))
    for file in there:
        file.chmod(0o755 if file.is_dir() else 0o644)
    opened = create_app(settings_of(data)).state.server
    try:
        assert [file for file in there if file.stat().st_mode & 0o077] == []
    finally:
        for it in (opened.tables, opened.hall, opened.folder):
            it.close()


@pytest.mark.skipif(sys.platform == "win32", reason="other limits there")
def test_a_disk_that_takes_no_more_is_said_to_be_full(solo: Any) -> None:
    """No file may grow: orders and talk are refused as what they are, health tells it, and nothing was changed."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        order, talk = solo.do(**SPEND), solo.post("/talk", text="hello")
        health = solo.client.get("/health")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (order.status_code, talk.status_code, health.status_code) == (507, 507, 503)
    assert "disk" in health.json()["faults"][0]
    assert solo.get().json()["head"] == 3
    assert solo.do(**SPEND).status_code == 200
    assert solo.post("/talk", text="hello").status_code == 201


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
        create_app(settings_of(tmp_path))


def test_a_hall_is_looked_through_before_a_server_runs_on_it(tmp_path: Path) -> None:
    """A page of talk is gone, which nobody reads when a server starts: play would go on and make it worse."""
    hall = Hall(tmp_path)
    for _ in range(400):
        hall.talk.say("table", "lost words " * 20)
    hall.close()
    with sqlite3.connect(tmp_path / "hall.sqlite") as db:
        db.execute("pragma wal_checkpoint(truncate)")
        size, count = (db.execute(f"pragma {it}").fetchone()[0] for it in ("page_size", "page_count"))
    db.close()
    file = tmp_path / "hall.sqlite"
    data = bytearray(file.read_bytes())
    last = max(n for n in range(count) if b"lost words" in data[n * size : (n + 1) * size])
    data[last * size : (last + 1) * size] = b"\xff" * size
    file.write_bytes(data)
    with pytest.raises(WarCabinetError, match="the hall is damaged"):
        create_app(settings_of(tmp_path))


def test_a_damaged_game_says_so_and_the_server_lives(solo: Any, settings: Settings) -> None:
    solo.client.app.state.server.tables.close()
    with sqlite3.connect(file_of(settings, solo.table)) as db:
        db.execute("delete from moves where id = 3")
    db.close()
    answer = solo.get()
    assert answer.status_code == 503
    assert "recover" in answer.json()["error"]
    assert solo.create().get().status_code == 200


# -- folders of earlier releases, backup, watching --------------------------------------------------------------------


def test_a_folder_of_0_2_0_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(FIXTURES / "folder-0.2.0", data)
    app = create_app(settings_of(data))
    table, at = "f534cc48de", "/api/v1/tables/f534cc48de"
    ada = TestClient(app, cookies={"warcabinet": "HG5yBiPscfy7uYAmugoRFFhMCM7KAxrg"})
    ben = TestClient(app, cookies={"warcabinet": "Z1bq5liZa9h5-eGoHuubNuL75u_xq_vE"})
    bot = TestClient(app, headers={"authorization": "Bearer wct_OBsgAf1jGp6yeIYK2QatjmEFrFJUQjzH"})
    assert [client.get(at).status_code for client in (ada, ben, bot)] == [200, 200, 200]
    assert ada.get(f"{at}/notes").json()["text"] == "attack in May"
    assert "only for you" in ada.get(f"{at}/talk").text
    assert ada.post(f"{at}/do", json=ROLL).status_code == 200
    app.state.server.tables.close()
    assert examine(data / "games" / f"{table}.wcg").ok
    # Its dice were sealed before the first throw of the new server.
    assert ada.get(f"{at}/dice").json()[-1]["first"] == 6


def test_a_running_server_is_backed_up_and_the_copy_runs(solo: Any, settings: Settings, tmp_path: Path) -> None:
    solo.post("/talk", text="remember this")
    copied = back_up(settings.data, tmp_path / "copy")
    assert copied == ["hall.sqlite", f"{solo.table}.wcg"]
    app = create_app(settings_of(tmp_path / "copy"))
    client = TestClient(app, cookies=dict(solo.client.cookies))
    assert client.get(f"/api/v1/tables/{solo.table}").json()["head"] == 3
    assert "remember this" in client.get(f"/api/v1/tables/{solo.table}/talk").text


def test_metrics_count_orders_refusals_and_streams(solo: Any, app: Any) -> None:
    solo.do(**SPEND)
    assert solo.do(do="spend", power="germany", brp=999, on="other").status_code == 422
    told = solo.client.get("/metrics").text
    assert "warcabinet_orders_total{} 1" in told
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
    app = create_app(settings_of(tmp_path))
    client = TestClient(app)
    assert client.post("/api/v1/tables", json={"title": "A", "name": "A", "scenario": "nowhere"}).status_code == 400
    body = {"title": "A", "name": "A", "save": "nonsense"}
    assert client.post("/api/v1/tables/import", json=body).status_code == 400
    assert client.get("/api/v1/tables").status_code == 401
    with sqlite3.connect(tmp_path / "hall.sqlite") as db:
        assert db.execute("select count(*) from people").fetchone() == (0,)
    db.close()


def test_a_hall_of_the_second_format_goes_on(tmp_path: Path) -> None:
    """It had neither turns nor links; its devices did not say when they were used."""
    hall = Hall(tmp_path)
    ada, secret = hall.people.new_person("Ada")
    hall.close()
    with sqlite3.connect(tmp_path / "hall.sqlite") as db:
        for table in ("links", "stands", "waiting", "looked", "ways", "outbox", "met", "rounds", "sealed", "passing"):
            db.execute(f"drop table {table}")
        for column in ("seen", "agent"):
            db.execute(f"alter table devices drop column {column}")
        db.execute("update hall_meta set value = 'warcabinet-hall-2' where key = 'format'")
    db.close()
    again = Hall(tmp_path)
    assert again.people.person(secret) == ada
    assert again.people.devices(ada.id)[0].seen == 0
    assert again.people.recovery_made(ada.id) == 0
    again.close()
    assert Hall(tmp_path).people.person(secret) == ada  # and once more, as it is now
