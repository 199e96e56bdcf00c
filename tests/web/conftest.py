"""A server in memory over a fresh data folder, and people who sit at its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app

API = "/api/v1"
AXIS = ("germany", "italy", "japan")
ALLIES = ("britain", "france", "russia", "usa", "china")
MOBILIZATIONS: dict[str, dict[str, Any]] = {
    "italy": {"units": ["2 army air", "2 infantry 1-3"]},
    "japan": {"units": ["3 army air", "6 naval air"], "defer": 5},
    "britain": {"units": ["armor 4-5", "armor 2-5", "4 infantry 1-3"]},
}


class Player:
    """One browser: its own cookies, and the table it looks at."""

    def __init__(self, app: Any, name: str) -> None:
        self.client = TestClient(app, raise_server_exceptions=False)
        self.name = name
        self.table = ""

    def call(self, method: str, path: str, /, **body: Any) -> Any:
        json = {"json": body} if method in ("POST", "PUT") else {"params": body}
        return self.client.request(method, API + path, **json)

    def get(self, path: str = "", /, **query: Any) -> Any:
        return self.call("GET", f"/tables/{self.table}{path}", **query)

    def post(self, path: str, /, **body: Any) -> Any:
        return self.call("POST", f"/tables/{self.table}{path}", **body)

    def do(self, **command: Any) -> Any:
        return self.post("/do", **command)

    def create(self, **more: Any) -> Player:
        """A new table; the forces that stand on the boards from the start are left to reports unless asked for."""
        more.setdefault("options", {"set_up": "reported"})
        made = self.call("POST", "/tables", title="A game", name=self.name, **more)
        assert made.status_code == 201, made.text
        self.table = made.json()["table"]
        return self

    def mobilize(self, *powers: str) -> Player:
        """Make the mobilizations that are due, so that the game can go on."""
        for power in powers:
            done = self.do(do="mobilize", power=power, **MOBILIZATIONS[power])
            assert done.status_code == 200, done.text
        return self

    def invite(self, seat: str) -> str:
        made = self.post(f"/seats/{seat}/invitations")
        assert made.status_code == 201, made.text
        return str(made.json()["invitation"])

    def join(self, invitation: str) -> Player:
        joined = self.call("POST", "/join", invitation=invitation, name=self.name)
        assert joined.status_code == 200, joined.text
        self.table = joined.json()["table"]
        return self


def plenty(data: Path, **more: Any) -> Settings:
    """Settings under which no test comes to a limit that it is not about."""
    most = {"tables_per_hour": 100_000, "tables_per_person": 100_000, "talk_per_minute": 100_000, "free_disk": 0}
    return Settings(data, **{"rate": 1000, "burst": 5000, "metrics_from": "testclient", **most, **more})


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return plenty(tmp_path / "data")


@pytest.fixture
def app(settings: Settings) -> Iterator[Any]:
    app = create_app(settings)
    with TestClient(app):
        yield app


@pytest.fixture
def person(app: Any) -> Callable[[str], Player]:
    return lambda name: Player(app, name)


@pytest.fixture
def solo(person: Callable[[str], Player]) -> Player:
    """One person with every power: hot-seat."""
    return person("Ada").create().mobilize("italy", "japan")


@pytest.fixture
def two(person: Callable[[str], Player]) -> tuple[Player, Player]:
    """The host with the Axis, a friend with the Allies."""
    seats = [
        {"title": "Axis", "powers": AXIS, "mine": True},
        {"title": "Allies", "powers": ALLIES, "mine": False},
    ]
    host = person("Ada").create(seats=seats).mobilize("italy", "japan")
    return host, person("Ben").join(host.invite("seat2"))
