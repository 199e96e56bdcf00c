"""Replays for people outside: what happened since a move, read by whoever has the link, where the table allows it.

A replay shows what the log tells all: no hands, no sealed orders, no talk. Where the host takes the leave back, no link
opens any more.
"""

from __future__ import annotations

import secrets

import msgspec

from warcabinet.game.demo import Scene
from warcabinet.views.scenes import scenes
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter, may_host
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found

WATCHING, MOST = "watching", 40


class Replay(msgspec.Struct, frozen=True):
    """The stretch of a game that a link shows, and who made it."""

    since: int
    to: int
    by: str


def watching(hall: Hall, table: str) -> bool:
    return hall.evening.kept(table, WATCHING, bool) or False


def allow_watching(hall: Hall, table: str, sitter: Sitter, on: bool) -> None:
    may_host(sitter)
    hall.evening.keep(table, WATCHING, on or None)


def replay_made(hall: Hall, table: Table, sitter: Sitter, since: int) -> str:
    """The secret of a link to what happened since a move until now; the same stretch has one link."""
    if not watching(hall, table.id):
        raise forbidden("this table lets nobody outside watch: the host allows it under Seats")
    wanted = Replay(since, table.game.head.id, sitter.person.name)
    kept = {name: it for name, it in hall.evening.all(table.id).items() if name.startswith("replay ")}
    same = next((name for name in kept if hall.evening.kept(table.id, name, Replay) == wanted), "")
    if not same and len(kept) >= MOST:
        raise Problem(409, f"a table has at most {MOST} links to replays")
    secret = same.partition(" ")[2] or secrets.token_urlsafe(16)
    hall.evening.keep(table.id, f"replay {secret}", wanted)
    return secret


def replay_of(hall: Hall, table: Table, secret: str) -> tuple[Scene, ...]:
    """The scenes that a link shows."""
    found = hall.evening.kept(table.id, f"replay {secret}", Replay) if watching(hall, table.id) else None
    if found is None:
        raise not_found("such replay")
    told = table.once(("replay", secret, found.since, found.to), lambda: scenes(table.game, found.since))
    return tuple(it for it in told if it.move <= found.to)
