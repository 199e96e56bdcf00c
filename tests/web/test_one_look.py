"""What an order asks of the databases: few questions, and what a thread asks at one look is never stale."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from conftest import Player, plenty
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.server.app import create_app


@contextmanager
def counted() -> Iterator[list[str]]:
    """Every statement that any database is given meanwhile, by any thread."""
    asked: list[str] = []

    def note(_db: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(f"{threading.current_thread().name}: {statement}")

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


def test_an_order_asks_little(solo: Player, app: Any) -> None:
    """A server with two hundred tables was busy putting questions: each costs more than the rules do."""
    herald = app.state.server.herald
    order = {"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"}
    assert solo.do(**order).status_code == 200
    herald.look()
    with counted() as asked:
        assert solo.do(**order).status_code == 200
        herald.look()
    # Who it is and where they sit, whether others moved, the move itself, who minds powers, whose move it is now.
    about_it = [it for it in asked if not it.startswith("post")]
    assert 15 <= len(about_it) <= 24, about_it


def test_one_look_sees_what_is_changed_meanwhile(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    seat = Seat("seat1", "Axis", "player", ("germany",))
    hall.add_table(TableRow("t1", "A game", "classic", "p1", time.time()), [seat])
    with hall.one_look():
        assert hall.table("t1").title == "A game"
        assert hall.passing("t1") == set()
        hall.set_passing("t1", "seat1", True)  # by this thread
        assert hall.passing("t1") == {"seat1"}
        other = threading.Thread(target=hall.set_passing, args=("t1", "seat1", False))
        other.start()
        other.join()
        with hall.one_look():  # one within another is the same
            assert hall.passing("t1") == set()
        assert hall.seats("t1") == [seat]
    assert hall.table("t1").id == "t1"  # and it is over
    hall.close()


def test_only_tables_too_many_are_closed(tmp_path: Path) -> None:
    app = create_app(plenty(tmp_path / "data", tables_open=2))
    with TestClient(app):
        first, second, third = (Player(app, "Ada").create() for _ in range(3))
        for player in (first, second, first, third):
            assert player.get().status_code == 200
        tables = app.state.server.tables
        assert tables.open() == 2
        assert set(tables._open) == {first.table, third.table}  # the one longest unasked for went


def test_a_page_asks_no_more_in_a_long_phase(solo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves that are not kept in memory are not asked for one by one, whichever process is asked."""
    monkeypatch.setattr("warcabinet.store.reading.STATES_KEPT", 4)
    order = {"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"}
    asked: list[int] = []
    for _ in range(3):
        for _ in range(12):
            assert solo.do(**order).status_code == 200
        tables = solo.client.app.state.server.tables
        with tables.at(solo.table) as table:
            table.kept.clear()  # as in a process that has just started
        with counted() as found:
            assert solo.get("/changes").status_code == 200
        asked.append(len(found))
    assert asked[2] <= asked[0] + 2, asked
