"""Links and seats that several people reach for at the same instant: one of them gets it, the others hear so (7)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from warcabinet.web.hall.hall import Hall

PEOPLE = 8


@pytest.fixture
def axis(two: Any) -> Any:
    """The host, with an empty second seat."""
    host, _ = two
    host.post("/seats/seat2/vacate")
    return host


def joined(people: list[Any], links: list[str]) -> list[int]:
    """What each of them is answered who follows a link, all of them at once."""

    def join(person: Any, link: str) -> int:
        return int(person.call("POST", "/join", invitation=link, name=person.name).status_code)

    with ThreadPoolExecutor(len(people)) as pool:
        return sorted(pool.map(join, people, links))


def seated(host: Any) -> list[str]:
    return list(host.get().json()["seats"][1]["people"])


@pytest.fixture
def all_look_first(axis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits down before everybody has looked where their link leads."""
    together = threading.Barrier(PEOPLE, timeout=60)
    looked: Callable[..., Any] = Hall.invitation

    def looked_up(hall: Hall, secret: str) -> Any:
        found = looked(hall, secret)
        together.wait()
        return found

    monkeypatch.setattr(Hall, "invitation", looked_up)


@pytest.mark.usefixtures("all_look_first")
def test_one_invitation_seats_one_even_at_the_same_instant(person: Any, axis: Any) -> None:
    """All have found the link good; it is used up by the first who sits down, and is nothing for the others."""
    people = [person(f"Rival {n}") for n in range(PEOPLE)]
    assert joined(people, [axis.invite("seat2")] * PEOPLE) == [200, *[404] * (PEOPLE - 1)]
    assert len(seated(axis)) == 1


@pytest.mark.usefixtures("all_look_first")
def test_several_invitations_to_a_seat_seat_one(person: Any, axis: Any) -> None:
    people = [person(f"Rival {n}") for n in range(PEOPLE)]
    assert joined(people, [axis.invite("seat2") for _ in people]) == [200, *[409] * (PEOPLE - 1)]
    assert len(seated(axis)) == 1


def test_an_invitation_that_seated_nobody_is_not_used_up(person: Any, axis: Any) -> None:
    """Looked up, seated and used up are one: whoever was refused has left no trace, and the link still leads there."""
    link = axis.invite("seat2")
    assert person("Ada").call("POST", "/join", invitation=link, name="Ada").status_code == 409  # the host's name
    assert seated(axis) == []
    with axis.client.app.state.server.hall._database.reading() as db:
        assert db.exec_driver_sql("select count(*) from people where name = 'Ada'").scalar() == 1
    assert person("Carl").call("POST", "/join", invitation=link, name="Carl").status_code == 200
    assert seated(axis) == ["Carl"]
    assert person("Dora").call("POST", "/join", invitation=link, name="Dora").status_code == 404
