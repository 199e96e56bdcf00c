"""Who is at the door: the person behind a cookie or a token, and the seats they hold at the table asked for."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.plumbing.problems import forbidden, not_found, unauthorized
from warcabinet.web.table.endpoints import ServerParts

COOKIE = "warcabinet"


class Visitor:
    """A request's sender, as far as known. A token names one seat at one table; a cookie all of a person's seats."""

    def __init__(self, person: Person | None, table: str = "", seat: str = "") -> None:
        self.person, self.table, self.seat = person, table, seat

    @property
    def program(self) -> bool:
        return bool(self.seat)


def visitor(server: ServerParts, request: HTTPConnection) -> Visitor:
    """Read the token or the cookie. A wrong token is refused; a stale cookie is nobody's."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme:
        owner = server.hall.people.token_owner(secret.strip()) if scheme.lower() == "bearer" else None
        if owner is None:
            raise unauthorized()
        return Visitor(*owner)
    cookie = request.cookies.get(COOKIE, "")
    return Visitor(server.hall.people.person(cookie) if cookie else None)


def sitter_at(server: ServerParts, who: Visitor, table: str) -> Sitter:
    """Someone's seats at a table. To whom the table is closed, it does not exist."""
    if who.person is None:
        raise unauthorized()
    if who.program and who.table != table:
        raise not_found("such table")
    row = server.hall.table(table)
    seats = server.hall.seats_of(table, who.person.id)
    if who.program:
        seats = [seat for seat in seats if seat.id == who.seat]
    if not seats and (row.host != who.person.id or who.program):
        raise not_found("such table")
    if row.ends and row.host != who.person.id:
        raise not_found("such table: its host deleted it")
    return Sitter(who.person, row, tuple(seats), who.program)


def same_origin(request: HTTPConnection, public_url: str = "") -> None:
    """Refuse what another site makes a browser send: cookies go with it, so they prove nothing."""
    if request.headers.get("authorization"):
        return
    fetch = request.headers.get("sec-fetch-site")
    if fetch is not None and fetch not in ("same-origin", "none"):
        raise forbidden("this request came from another site")
    origin = request.headers.get("origin")
    if fetch is None and origin:
        hosts = {request.headers.get("host"), request.headers.get("x-forwarded-host"), urlsplit(public_url).netloc}
        if urlsplit(origin).netloc not in hosts:
            raise forbidden("this request came from another site")
