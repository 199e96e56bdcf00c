"""What an endpoint is: one entry for the router, the authorization and the OpenAPI description alike."""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table, Tables
from warcabinet.web.plumbing.at_once import AtOnce
from warcabinet.web.plumbing.folder import Folder
from warcabinet.web.plumbing.metrics import Metrics
from warcabinet.web.plumbing.middleware import Buckets
from warcabinet.web.plumbing.problems import unauthorized
from warcabinet.web.plumbing.readers import Queue, Readers
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.stream import Switchboard
from warcabinet.web.turns.herald import Herald


class Trouble:
    """The last time that the disk or a database failed: health tells it for a minute."""

    def __init__(self) -> None:
        self.text, self._when = "", 0.0

    def note(self, text: str) -> None:
        self.text, self._when = text, time.monotonic()

    def recent(self) -> bool:
        return bool(self.text) and time.monotonic() - self._when < 60


class ServerParts(msgspec.Struct, frozen=True):
    """Everything the server is made of."""

    settings: Settings
    folder: Folder
    hall: Hall
    tables: Tables
    switchboard: Switchboard
    metrics: Metrics
    trouble: Trouble
    #: How many tables an address may still make, and how much a person may still say.
    making: Buckets
    talking: Buckets
    #: Who tells people that it is their turn, and how many tests of that they may still ask for.
    herald: Herald
    trying: Buckets
    readers: Readers
    #: Those for whom pages about whole games are worked out, and how much of the processor each person may still take.
    reckoners: Queue
    shares: Buckets
    #: How long those who mind powers may still act at the tables of a host, and the tables at which they had to pause.
    minding: Buckets
    paused: set[str]
    at_once: AtOnce

    def pay(self, who: str, cost: float) -> None:
        """Take what something cost the processor off somebody's share."""
        self.shares.pay(who, cost, time.monotonic())


#: The types of what is asked for, and of what is said; None where there is nothing of it.
Q = TypeVar("Q", covariant=True)
B = TypeVar("B", covariant=True)


class Ask(msgspec.Struct, Generic[Q, B], frozen=True):
    """A request that has been let in: who asks, about which table, and for what."""

    server: ServerParts
    path: dict[str, str]
    query: Q
    body: B
    person: Person | None = None
    sitter_: Sitter | None = None
    base: str = ""
    #: Where the request came from.
    address: str = ""
    #: Names the request: the same one sent twice is carried out once, and answered alike.
    key: str = ""
    #: The browser that sent it, by its secret.
    secret: str = ""

    @property
    def sitter(self) -> Sitter:
        if self.sitter_ is None:
            raise unauthorized()
        return self.sitter_

    @property
    def who(self) -> str:
        """Whose share it is: a person's, or of an address from which somebody unknown asks."""
        return self.person.id if self.person is not None else self.address

    @property
    def id(self) -> str:
        return self.path["table"]

    def table(self) -> AbstractContextManager[Table]:
        return self.server.tables.at(self.sitter.table.id)


#: A request of which nobody looks at what it asks for or says.
AnyAsk = Ask[object, object]
Who = Literal["anybody", "person", "sitter"]
JSON = "application/json"


class Endpoint(msgspec.Struct, frozen=True):
    method: str
    path: str
    summary: str
    handler: Callable[[Ask[Any, Any]], Any]
    who: Who
    status: int
    tag: str
    #: The media type of a file; the answer is JSON otherwise.
    media: str
    #: Whether a program may ask it by a seat's token: only what orders need.
    programs: bool = True

    @property
    def query(self) -> Any:
        """The type of what can be asked for, as the handler declares it; None where there is nothing."""
        return _asked(self.handler)[0]

    @property
    def body(self) -> Any:
        """The type of what is said, as the handler declares it; None where there is nothing."""
        return _asked(self.handler)[1]

    @property
    def answer(self) -> Any:
        """The type of what is answered, as the handler declares it."""
        returned = get_type_hints(self.handler)["return"]
        return get_args(returned)[0] if get_origin(returned) is Answer else returned


@cache
def _asked(handler: Callable[..., Any]) -> tuple[Any, Any]:
    query, body = (None if it is type(None) else it for it in get_args(get_type_hints(handler)["ask"]))
    return query, body


ENDPOINTS: list[Endpoint] = []
H = TypeVar("H", bound=Callable[[Ask[Any, Any]], Any])


def endpoint(
    method: str,
    path: str,
    summary: str,
    *,
    who: Who = "sitter",
    status: int = 200,
    tag: str = "table",
    media: str = JSON,
    programs: bool = True,
) -> Callable[[H], H]:
    """Register a handler. It runs in a thread of its own; what it returns is sent as JSON of the type it declares."""

    def register(handler: H) -> H:
        ENDPOINTS.append(Endpoint(method, path, summary, handler, who, status, tag, media, programs))
        return handler

    return register


A = TypeVar("A")


class Kept(msgspec.Struct, frozen=True):
    """An answer that never changes while the server runs: written and compressed once, known by a mark."""

    content: bytes
    packed: bytes
    mark: str
    media: str = JSON


class Answer(msgspec.Struct, Generic[A], frozen=True):
    """An answer that comes with more than its data: a person's secret to keep, a file's name, a mark to keep it by."""

    data: A
    secret: str = ""
    #: The browser forgets who was signed in.
    forget: bool = False
    filename: str = ""
    kept: Kept | None = None
    #: The reader asked for exactly this version, so it never changes under this address.
    forever: bool = False


def keep(data: Any) -> Kept:
    """Write an answer down once, with the mark by which a browser knows that it has it."""
    return keep_text(msgspec.json.encode(data), JSON)


def keep_text(content: bytes, media: str) -> Kept:
    return Kept(content, gzip.compress(content, 9, mtime=0), hashlib.sha256(content).hexdigest()[:16], media)
