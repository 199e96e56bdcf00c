"""The API against its own description: whatever fits it or breaks it, the server never makes a mistake of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from bounds import many
from disk import nobody_waits_for_it
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install schemathesis")

MANY = 1_000_000
LIMITS = ("rate", "burst", "tables_per_person", "tables_per_hour", "tables_on_server", "tokens_per_person")


class Fuzzed(NamedTuple):
    """A server, a table on it, and the tokens of a player and of the referee."""

    app: Any
    table: str
    tokens: list[str]

    def described(self, **phases: Any) -> Any:
        """The server's own description of itself. A busy machine may take its time to answer."""
        config = schemathesis.config.SchemathesisConfig.from_dict({"request-timeout": 300, "phases": phases})
        return schemathesis.openapi.from_asgi("/api/v1/openapi.json", self.app, config=config)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    with nobody_waits_for_it():
        app = create_app(Settings(tmp_path_factory.mktemp("fuzzed"), free_disk=0, **dict.fromkeys(LIMITS, MANY)))
        client = TestClient(app)
        table = client.post("/api/v1/tables", json={"title": "Fuzz", "name": "Fuzz"}).json()["table"]
        tokens = [
            client.post(f"/api/v1/tables/{table}/tokens", json={"seat": seat}).json()["token"]
            for seat in ("seat1", "referee")
        ]
        yield Fuzzed(app, table, tokens)
        client.close()


@pytest.fixture(scope="module")
def whole(fuzzed: Fuzzed) -> Any:
    return fuzzed.described()


@pytest.fixture(scope="module")
def sampled(fuzzed: Fuzzed) -> Any:
    return fuzzed.described(coverage={"enabled": False})


@pytest.fixture(autouse=True)
def _named(request: pytest.FixtureRequest) -> None:
    """Schemathesis tells which operation it tries by an attribute that pytest has under another name."""
    request.node._nodeid = request.node.nodeid


#: Requests are thought up by who makes them, not by every process that lists the tests.
SCHEMA, SAMPLED = (schemathesis.pytest.from_fixture(name) for name in ("whole", "sampled"))
#: What never ends, or would take the ground from under the others, is left to tests of its own.
LEFT_OUT = ("/events", "/vacate", "/delete", "/withdraw", "/sign-out")


#: What runs the engine ahead to the year start for every answer is asked less often.
SLOW = ("/aid", "/aid/page", "/forecast", "/forecast/explain", "/forecast/page", "/opened")
#: These take the same orders as `/do`: one request for every border of every field, five thousand, are made there only.
AS_DO = ("/do-all", "/preview", "/sealed")


#: Of so many requests at the borders of an operation's fields one is made.
BORDERS = many(20, all=1)
REACHED: Counter[str] = Counter()


def left_out(case: Any) -> bool:
    """Whether a request stands for others that are made; those that are drawn at random are all made."""
    if case.meta.phase.name.value != "coverage":
        return False
    REACHED[case.operation.label] += 1
    return REACHED[case.operation.label] % BORDERS != 1 % BORDERS


def tried(case: Any, fuzzed: Fuzzed) -> None:
    if left_out(case):
        return
    if "table" in (case.path_parameters or {}):
        case.path_parameters["table"] = fuzzed.table
    for token in fuzzed.tokens:
        answer = case.call(headers={"authorization": f"Bearer {token}"})
        assert answer.status_code < 500, answer.text
        assert answer.headers["x-content-type-options"] == ["nosniff"]


@SCHEMA.exclude(path_regex="(" + "|".join(LEFT_OUT + SLOW + AS_DO) + ")$").parametrize()
@settings(max_examples=many(3, all=15), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_request_makes_the_server_err(case: Any, fuzzed: Fuzzed) -> None:
    tried(case, fuzzed)


@SCHEMA.include(path_regex="(" + "|".join(SLOW) + ")$").parametrize()
@settings(max_examples=many(2, all=4), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_forecast_makes_the_server_err(case: Any, fuzzed: Fuzzed) -> None:
    tried(case, fuzzed)


@SAMPLED.include(path_regex="(" + "|".join(AS_DO) + ")$").parametrize()
@settings(max_examples=many(15, all=60), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_order_given_otherwise_makes_the_server_err(case: Any, fuzzed: Fuzzed) -> None:
    tried(case, fuzzed)
