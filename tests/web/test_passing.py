"""Phases in which a seat has nothing to decide pass by themselves, if it wishes."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app


@pytest.fixture
def app(settings: Settings) -> Any:
    """Without the threads: each test says when the herald looks."""
    return create_app(settings)


def phase(player: Any) -> tuple[str, str]:
    player.client.app.state.server.herald.look()
    clock = player.get().json()["position"]["clock"]
    return clock["part"], clock["phase"]


def wish(player: Any, seat: str, on: bool = True) -> Any:
    return player.call("PUT", f"/tables/{player.table}/seats/{seat}/passing", passing=on)


def test_nothing_passes_unless_it_is_wished(two: Any) -> None:
    axis, _ = two
    axis.post("/advance", to="voluntary elimination")
    assert phase(axis) == ("axis", "voluntary elimination")


def test_phases_without_a_decision_pass_and_the_next_stops(two: Any) -> None:
    axis, allies = two
    axis.post("/advance", to="voluntary elimination")
    head = axis.get().json()["head"]
    assert wish(axis, "seat1").status_code == 200
    part, now = phase(axis)
    assert part == "axis"
    assert now not in ("voluntary elimination", "end of player turn")
    view = axis.get().json()
    assert view["head"] > head
    assert view["me"]["seats"][0]["passing"]
    # Where it stopped there is something to decide: going on is not offered by itself any more.
    assert phase(axis) == (part, now)
    assert wish(allies, "seat1").status_code == 403


def test_what_was_undone_is_not_passed_again(two: Any) -> None:
    axis, _ = two
    axis.post("/advance", to="voluntary elimination")
    wish(axis, "seat1")
    passed = phase(axis)
    assert axis.post("/undo").json()["done"]
    back = phase(axis)
    assert back != passed
    assert phase(axis) == back


def test_to_hand_over_stays_a_decision(two: Any) -> None:
    axis, _ = two
    wish(axis, "seat1")
    axis.post("/advance", to="end of player turn")
    assert phase(axis) == ("axis", "end of player turn")


def test_both_seats_of_a_side_must_wish_it(person: Any) -> None:
    seats = [
        {"title": "Europe", "powers": ["germany", "italy"], "mine": True},
        {"title": "Asia", "powers": ["japan"], "mine": False},
        {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False},
    ]
    ada = person("Ada").create(seats=seats).mobilize("italy")
    ben = person("Ben").join(ada.invite("seat2")).mobilize("japan")
    ada.call("PUT", f"/tables/{ada.table}/closing", closing="anyone")
    ada.post("/advance", to="voluntary elimination")
    wish(ada, "seat1")
    assert phase(ada)[1] == "voluntary elimination"
    wish(ben, "seat2")
    assert phase(ada)[1] != "voluntary elimination"


def test_who_takes_the_seat_next_has_not_wished_it(two: Any, person: Any) -> None:
    axis, _ = two
    wish(axis, "seat1")
    axis.post("/seats/seat1/vacate")
    carl = person("Carl").join(axis.invite("seat1"))
    assert not carl.get().json()["me"]["seats"][0]["passing"]
