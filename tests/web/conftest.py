"""A server in memory over a fresh data folder, and people who sit at its tables."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from disk import nobody_waits_for_it
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
        from starlette.testclient import TestClient

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


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with nobody_waits_for_it():
        yield


class Begun:
    """A table that is played to where its tests begin, once: then each gets a copy of the whole data folder."""

    def __init__(self, data: Path, begin: Callable[[Callable[[str], Player]], tuple[Player, ...]]) -> None:
        self.data = data
        with running(plenty(data)) as app:
            self.players = [(it.name, it.table, it.client.cookies) for it in begin(lambda name: Player(app, name))]

    def players_at(self, app: Any) -> tuple[Player, ...]:
        return tuple(self._player(app, *it) for it in self.players)

    def _player(self, app: Any, name: str, table: str, cookies: Any) -> Player:
        made = Player(app, name)
        made.table = table
        made.client.cookies.update(cookies)
        return made


@contextmanager
def running(settings: Settings) -> Iterator[Any]:
    from starlette.testclient import TestClient

    app = create_app(settings)
    with TestClient(app):
        yield app


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Begun]:
    @cache
    def made(name: str) -> Begun:
        return Begun(tmp_path_factory.mktemp("begun") / name, BEGINNINGS[name])

    return made


@pytest.fixture
def settings(tmp_path: Path, request: pytest.FixtureRequest, begun: Callable[[str], Begun]) -> Settings:
    """A data folder of its own: empty, or with the table at which the test begins."""
    for name in sorted(set(BEGINNINGS) & set(request.fixturenames)):
        shutil.copytree(begun(name).data, tmp_path / name)
        return plenty(tmp_path / name)
    return plenty(tmp_path / "data")


@pytest.fixture
def app(settings: Settings) -> Iterator[Any]:
    with running(settings) as app:
        yield app


@pytest.fixture
def person(app: Any) -> Callable[[str], Player]:
    return lambda name: Player(app, name)


def _alone(person: Callable[[str], Player]) -> tuple[Player]:
    return (person("Ada").create().mobilize("italy", "japan"),)


def _in_two(person: Callable[[str], Player]) -> tuple[Player, Player]:
    seats = [
        {"title": "Axis", "powers": AXIS, "mine": True},
        {"title": "Allies", "powers": ALLIES, "mine": False},
    ]
    host = person("Ada").create(seats=seats).mobilize("italy", "japan")
    return host, person("Ben").join(host.invite("seat2"))


BEGINNINGS: dict[str, Callable[[Callable[[str], Player]], tuple[Player, ...]]] = {"solo": _alone, "two": _in_two}


def _sits(name: str, app: Any, begun: Callable[[str], Begun]) -> tuple[Player, ...]:
    """Those who sit at a table that was copied; where a test has settings of its own, the table is made there."""
    if app.state.server.settings.data.name == name:
        return begun(name).players_at(app)
    return BEGINNINGS[name](lambda player: Player(app, player))


@pytest.fixture
def solo(app: Any, begun: Callable[[str], Begun]) -> Player:
    """One person with every power: hot-seat."""
    return _sits("solo", app, begun)[0]


@pytest.fixture
def two(app: Any, begun: Callable[[str], Begun]) -> tuple[Player, ...]:
    """The host with the Axis, a friend with the Allies."""
    return _sits("two", app, begun)


@contextmanager
def served_alone(data: Path, first: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server as people run it, in a process of its own on loopback; `first` is done before it starts."""
    script = (
        f"{first}\n"
        "import sys; from pathlib import Path; from warcabinet.web.server.serve import make_server;"
        "from warcabinet.web.plumbing.settings import Settings; import threading, time;"
        "s = make_server(Settings(Path(sys.argv[1]), free_disk=0), '127.0.0.1', 0);"
        "threading.Thread(target=lambda: ([time.sleep(0.01) for _ in iter(lambda: s.started, True)],"
        " print(s.servers[0].sockets[0].getsockname()[1], flush=True)), daemon=True).start();"
        "s.run()"
    )
    command = [sys.executable, "-c", script, str(data)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        yield child, f"http://127.0.0.1:{child.stdout.readline().strip()}/api/v1"
    finally:
        child.kill()
        child.communicate()


@pytest.fixture
def own_process(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with served_alone(tmp_path / "data") as served:
        yield served
