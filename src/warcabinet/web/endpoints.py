"""What an endpoint is: one entry for the router, the authorization and the OpenAPI description alike."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Literal

import msgspec

from warcabinet.web.errors import unauthorized
from warcabinet.web.hall import Hall, Person
from warcabinet.web.rights import Sitter
from warcabinet.web.settings import Settings
from warcabinet.web.stream import Switchboard
from warcabinet.web.tables import Table, Tables


class House(msgspec.Struct, frozen=True):
    """Everything the server is made of."""

    settings: Settings
    hall: Hall
    tables: Tables
    switchboard: Switchboard


class NoBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing needs to be said."""


class NoQuery(msgspec.Struct, frozen=True):
    """Nothing can be asked for."""


class Ask(msgspec.Struct, frozen=True):
    """A request that has been let in: who asks, about which table, and for what."""

    house: House
    path: dict[str, str]
    query: Any
    body: Any
    person: Person | None = None
    sitter_: Sitter | None = None
    base: str = ""

    @property
    def sitter(self) -> Sitter:
        if self.sitter_ is None:
            raise unauthorized()
        return self.sitter_

    @property
    def id(self) -> str:
        return self.path["table"]

    def table(self) -> AbstractContextManager[Table]:
        return self.house.tables.at(self.sitter.table.id)


Who = Literal["anybody", "person", "sitter"]


class Endpoint(msgspec.Struct, frozen=True):
    method: str
    path: str
    summary: str
    handler: Callable[[Ask], Any]
    who: Who
    query: Any
    body: Any
    status: int
    tag: str


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: str,
    path: str,
    summary: str,
    *,
    who: Who = "sitter",
    query: Any = NoQuery,
    body: Any = NoBody,
    status: int = 200,
    tag: str = "table",
) -> Callable[[Callable[[Ask], Any]], Callable[[Ask], Any]]:
    """Register a handler. It runs in a thread of its own; what it returns is sent as JSON."""

    def register(handler: Callable[[Ask], Any]) -> Callable[[Ask], Any]:
        ENDPOINTS.append(Endpoint(method, path, summary, handler, who, query, body, status, tag))
        return handler

    return register


class Answer(msgspec.Struct, frozen=True):
    """An answer that is more than JSON: a person's secret to keep, or a file."""

    data: Any = None
    secret: str = ""
    content: bytes | None = None
    media: str = "application/json"
    filename: str = ""
    etag: str = ""
