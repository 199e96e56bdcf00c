"""A table of stewards ends where the calendar does, takes its time, and becomes nothing that cannot be read back."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attacks import SPEND

from conftest import ALLIES, AXIS, Player, plenty, running
from warcabinet.figures.position import Position, set_up
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.web.table.minders import mind_on

RICH = "scenario: empty\nturn: Fall 1940\nset: {powers.germany.brp: 900}\n"
LATE = "scenario: empty\nturn: Winter 1946\nplayer: allied\nphase: redeployment\noptions: {set_up: reported}\n"


def left_to_stewards(host: Player) -> None:
    for power in (*AXIS, *ALLIES):
        left = host.call("PUT", f"/tables/{host.table}/minders/{power}", mode="act")
        assert left.status_code == 200, left.text


def saved(host: Player) -> Any:
    """What came of bringing the table's own save back."""
    return host.call("POST", "/tables/import", title="Again", name=host.name, save=host.get("/export").text)


def test_the_war_ends_where_the_calendar_does_and_its_save_is_read_back(person: Callable[[str], Player]) -> None:
    host = person("Ada").create(position=LATE)
    left_to_stewards(host)
    clock = host.get().json()["position"]["clock"]
    assert (clock["turn_name"], clock["part"], clock["next"]) == ("Winter 1946", "allied", "")
    gone_on = host.post("/advance")
    assert gone_on.status_code == 422
    assert "the war is over: the calendar ends with Winter 1946" in gone_on.text
    assert saved(host).status_code == 201


@pytest.mark.parametrize("turn", ["Spring 1947", "Fall 1929", "Winter 2014"])
def test_a_position_has_a_year_of_the_calendar(turn: str) -> None:
    with pytest.raises(WarCabinetError, match="the calendar of the game has the years 1930 to 1946"):
        set_up(Position("empty", turn=turn))


def test_stewards_take_a_share_of_a_minute_and_go_on_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.web.table.minders.MOST_MOVES", 10)
    monkeypatch.setattr("warcabinet.web.server.app.PAUSE", 3600)  # they go on when the test says so
    with running(plenty(tmp_path, steward_seconds=60)) as app:
        host, server = Player(app, "Ada").create(position=LATE.replace("Winter 1946", "Fall 1946")), app.state.server
        left_to_stewards(host)
        assert server.paused == {host.table}
        paused = host.get().json()["head"]
        server.minding.pay(server.hall.table(host.table).host, 1000, time.monotonic())
        mind_on(server, host.table)
        assert host.get().json()["head"] == paused
        assert host.do(**SPEND).status_code in (200, 422)
        assert host.get().json()["head"] <= paused + 1
        server.minding.pay(server.hall.table(host.table).host, -1000, time.monotonic())
        while server.paused:
            mind_on(server, host.table)
        with server.tables.at(host.table) as table:
            assert table.game.state.moment == calendar.last_moment()


def test_what_stewards_take_is_paid_from_the_share_of_their_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else holds them up: neither moves nor seconds at once."""
    monkeypatch.setattr("warcabinet.web.table.minders.MOST_MOVES", 10_000)
    monkeypatch.setattr("warcabinet.web.table.minders.LONGEST", 1000.0)
    monkeypatch.setattr("warcabinet.web.server.app.PAUSE", 3600)
    with running(plenty(tmp_path, steward_seconds=2)) as app:
        host, server = Player(app, "Ada").create(position=LATE.replace("Winter 1946", "Fall 1946")), app.state.server
        clock = itertools.count(0, 1.5)
        monkeypatch.setattr(time, "thread_time", lambda: next(clock))
        left_to_stewards(host)
        assert server.paused == {host.table}
        assert server.minding.wait(server.hall.table(host.table).host, time.monotonic()) > 0
        with server.tables.at(host.table) as table:
            assert table.game.state.moment < calendar.last_moment()


def test_stewards_pause_after_some_seconds_and_a_round_lets_them_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asks for it: the server looks for those who had to pause."""
    monkeypatch.setattr("warcabinet.web.table.minders.LONGEST", -1.0)
    monkeypatch.setattr("warcabinet.web.server.app.PAUSE", 0.02)
    with running(plenty(tmp_path, steward_seconds=600)) as app:
        host, server = Player(app, "Ada").create(position=LATE.replace("Winter 1946", "Fall 1946")), app.state.server
        left_to_stewards(host)
        assert server.paused == {host.table}
        paused = host.get().json()["head"]
        monkeypatch.setattr("warcabinet.web.table.minders.LONGEST", 4.0)
        end = time.monotonic() + 60
        while (server.paused or host.get().json()["head"] == paused) and time.monotonic() < end:
            time.sleep(0.05)
        assert host.get().json()["head"] > paused


def test_who_has_no_share_left_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr("warcabinet.web.table.minders.mind", lambda server, table: looked.append(table.id))
    with running(plenty(tmp_path)) as app:
        host, server = Player(app, "Ada").create(position=LATE), app.state.server
        mind_on(server, host.table)
        server.minding.pay(server.hall.table(host.table).host, 1000, time.monotonic())
        mind_on(server, host.table)
    assert looked == [host.table]


def test_a_game_becomes_no_longer_than_its_save_may_be(tmp_path: Path) -> None:
    with running(plenty(tmp_path, import_moves=4)) as app:
        host = Player(app, "Ada").create(position=RICH)
        for _ in range(3):
            assert host.do(**SPEND).status_code == 200
        for more in (host.do(**SPEND), host.post("/undo"), host.post("/advance")):
            assert (more.status_code, "this game is full" in more.text) == (409, True), more.text
        assert saved(host).status_code == 201


def test_a_game_is_weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.store.journal.WEIGHED_EVERY", 1)
    with running(plenty(tmp_path, import_limit=40_000)) as app:
        host = Player(app, "Ada").create(position=RICH)
        told = [host.do(**SPEND) for _ in range(40)]
        assert {it.status_code for it in told} == {200, 409}
        assert saved(host).status_code == 201
