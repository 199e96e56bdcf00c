"""The stream of a table's events for one page: what it missed first, then what happens."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.stream import NAMED, SETTLED, Known, Listener, MoveNews, News, known
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.table.gate import sitter_at, visitor

#: Lines of talk that are sent after a gap; who missed more looks at the table anew.
MOST_MISSED = 100
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


#: News that no page hears of: somebody signed out, so that every stream asks whether it may go on.
SIGNED_OUT = "signed out"


class Hello(msgspec.Struct, frozen=True):
    """Where the table is as the stream begins: a page that shows less asks for what changed."""

    head: int
    line: int


def events(server: ServerParts) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        sitter = await run_in_threadpool(_admitted, server, request)
        player = bool(sitter.players or sitter.referee or sitter.host)
        table, switchboard = sitter.table.id, server.switchboard
        listener = switchboard.take_place(table, sitter.person.id, player)
        told = request.headers.get("last-event-id") or request.query_params.get("after", "")
        stream = _stream(server, request, sitter, known(told), listener)
        return Streamed(stream, lambda: switchboard.give_up(table, listener))

    return answer


class Streamed(StreamingResponse):
    """A stream that gives its place up however it ends, also where it never began."""

    def __init__(self, stream: AsyncIterator[bytes], ended: Callable[[], None]) -> None:
        super().__init__(stream, media_type="text/event-stream", headers=HEADERS)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def _admitted(server: ServerParts, request: Request) -> Sitter:
    try:
        return sitter_at(server, visitor(server, request), request.path_params["table"])
    except WarCabinetError as error:
        raise Problem(503, str(error)) from None


async def _stream(
    server: ServerParts, request: Request, sitter: Sitter, since: Known | None, listener: Listener
) -> AsyncIterator[bytes]:
    now = Known(0, 0)
    async for news in server.switchboard.listen(listener):
        if news is None:
            if now.move:
                yield b": still here\n\n"
                continue
            # Listening has begun, so nothing falls between what is caught up with here and what comes.
            try:
                now, missed = await run_in_threadpool(_caught_up, server, sitter, since)
            except (Problem, WarCabinetError):
                return
            yield b"retry: 2000\n" + _event(
                "hello", msgspec.json.encode(Hello(now.move, max(now.line, *now.heard, 0))), since or now
            )
            for news_ in missed:
                # Who breaks off before the last of them comes back for all.
                yield _event(news_.kind, news_.data, now if news_ is missed[-1] else since or now)
            continue
        if news.kind in ("seats", SIGNED_OUT):
            # Seats changed hands, or somebody signed out: whoever is not let in any more is shown out.
            try:
                sitter = await run_in_threadpool(_admitted, server, request)
            except Problem:
                yield b"event: gone\ndata: {}\n\n"
                return
        if news.kind != SIGNED_OUT and _new(news, now, sitter):
            yield _event(news.kind, news.data, now)


def _event(kind: str, data: bytes, id: Known) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (str(id).encode(), kind.encode(), data)


def _new(news: News, now: Known, sitter: Sitter) -> bool:
    """Whether news is for this listener and not known yet; what it knows then."""
    if news.line is not None:
        if now.knows(news.line.id):
            return False
        now.hear(news.line.id, time.monotonic())
        return sitter.hears(news.line) and not sitter.program
    if news.move:
        if news.move <= now.move:
            return False
        now.move = news.move
    return True


def _caught_up(server: ServerParts, sitter: Sitter, since: Known | None) -> tuple[Known, list[News]]:
    """Where the table is, and what happened since a page last heard of it."""
    with server.tables.at(sitter.table.id) as table:
        head = table.game.head
        text = move_line(head, table.game.line()).text
    talk, id, moment = server.hall.talk, sitter.table.id, time.monotonic()
    if since is None:
        now = Known(head.id, talk.last_line(id, before=time.time() - SETTLED))
        for number in talk.lines_after(id, now.line):
            now.hear(number, moment)
        return now, []
    now, missed = Known(head.id, since.line, dict(since.heard)), list[News]()
    if since.move < head.id:
        missed.append(News("move", msgspec.json.encode(MoveNews(head.id, head.seq, head.seat, (text,)))))
    if not sitter.program:
        lines = talk.heard(id, sitter.person.id, after=since.line, last=MOST_MISSED + NAMED)
        lines = [line for line in lines if line.id not in since.heard]
        if len(lines) > MOST_MISSED or since.line > talk.last_line(id):
            missed.append(News("resync", b"{}"))
        for line in lines[-MOST_MISSED:]:
            now.hear(line.id, moment)
            missed.append(News("talk", msgspec.json.encode(line)))
    if since.move > head.id:
        missed.append(News("resync", b"{}"))
    return now, missed
