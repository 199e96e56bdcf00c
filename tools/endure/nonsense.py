"""Requests that fit the description or break it, and every command with nonsense in it: no answer is a server error."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from starlette.testclient import TestClient

from warcabinet.model.commands import command_types
from warcabinet.model.names import powers
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.server.app import create_app

MANY = 1_000_000
#: What never ends, or would take the ground from under the others.
LEFT_OUT = ("/events", "/vacate", "/delete", "/withdraw", "/sign-out")
JUNK: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 7, 2**31, -(2**63), 10**30, 0.5, 1e308, "", " ", "\x00", "\ud7ff", "ß" * 300),
    *("germany", "france", "Paris", "europe/M25", "Spring 1940", "other", "39.11", "'; drop table moves; --"),
    *([], [[]], ["germany"], ["Paris", 3], {}, {"germany": 1}, {"a": {"b": [None]}}, [{"kind": "infantry"}]),
)
WAYS = ("do", "preview", "narrow", "places")
#: Examples of an operation of the API at a time.
EXAMPLES = 5
#: Seconds for one answer: a save that is brought is read by a process of its own.
PATIENCE = 120
RANDOM = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Ground:
    """An application with a table, and who may do everything at it."""

    def __init__(self, folder: Path, database: str) -> None:
        free = {
            "tables_per_person": MANY,
            "tables_per_hour": MANY,
            "tables_on_server": MANY,
            "tokens_per_person": MANY,
            "share_seconds": MANY,
        }
        its = Settings(folder, database=database, rate=MANY, burst=MANY, free_disk=0, **free)  # type: ignore[arg-type]
        self.app = create_app(its)
        self.client = TestClient(self.app, raise_server_exceptions=False)
        self.table = self.client.post("/api/v1/tables", json={"title": "Nonsense", "name": "Ada"}).json()["table"]
        made = self.client.post(f"/api/v1/tables/{self.table}/tokens", json={"seat": "seat1"})
        self.token = made.json()["token"]


def nonsense(dice: random.Random, kind: str) -> dict[str, Any]:
    """A command with some of its fields, filled with anything."""
    fields = [*command_types()[kind].__struct_fields__, "nothing"]
    some = dice.sample(fields, dice.randrange(len(fields) + 1))
    order = {name: dice.choice(JUNK) for name in some}
    if "power" in fields and dice.random() < 0.7:
        order["power"] = dice.choice(list(powers()))
    return {**order, "do": kind}


def _order(ground: Ground, dice: random.Random, kind: str) -> Iterator[str]:
    order, way = nonsense(dice, kind), dice.choice(WAYS)
    answer = ground.client.post(f"/api/v1/tables/{ground.table}/{way}", json=order)
    if answer.status_code >= 500:
        yield f"{way} {order}: {answer.status_code} {answer.text[:300]}"


def _operation(ground: Ground, operation: Any, number: int) -> Iterator[str]:
    found: list[str] = []

    @seed(number)
    @RANDOM
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = ground.table
        try:
            answer = case.call(headers={"authorization": f"Bearer {ground.token}"}, timeout=PATIENCE)
        except Exception as error:
            found.append(f"{operation.label} {case.body!r}: {type(error).__name__} {error}")
            return
        if answer.status_code >= 500:
            found.append(f"{operation.label} {case.body!r}: {answer.status_code} {answer.text[:300]}")

    ask()
    yield from found[:1]


def pester(
    folder: Path,
    seconds: float,
    dice: random.Random,
    tick: Callable[[float, int], None],
    most: int = MANY,
    database: str = "",
) -> Iterator[str]:
    """By turns an operation of the API and all commands with nonsense, until the time is over or so many were asked."""
    ground = Ground(folder, database)
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", ground.app)
    operations = [it.ok() for it in schema.exclude(path_regex=f"({'|'.join(LEFT_OUT)})$").get_all_operations()]
    kinds, began, asked = sorted(command_types()), time.monotonic(), 0
    while asked < most and (spent := time.monotonic() - began) < seconds:
        yield from _operation(ground, dice.choice(operations), dice.randrange(MANY))
        asked += EXAMPLES
        for kind in dice.sample(kinds, 20):
            yield from _order(ground, dice, kind)
            asked += 1
        tick(spent, asked)
    ground.client.close()
