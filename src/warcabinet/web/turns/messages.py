"""What a person is told when it is their turn: one message about all tables that wait, in words and as data."""

from __future__ import annotations

import msgspec

from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.notice_book import Way
from warcabinet.web.plumbing import mail, webhook
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.plumbing.webhook import NotSent
from warcabinet.web.turns.words_of_turn import turn_words


class Turn(msgspec.Struct, frozen=True):
    """A table that waits for someone: as which seat, where the game is, what waits, since when, and where it is."""

    table: str
    title: str
    seat: str
    moment: str
    what: str
    since: float
    url: str


class Message(msgspec.Struct, frozen=True):
    person: str
    name: str
    turns: tuple[Turn, ...]

    @property
    def subject(self) -> str:
        if not self.turns:
            return "War Cabinet: a test"
        if len(self.turns) == 1:
            return f"Your turn: {self.turns[0].title}, {self.turns[0].moment}"
        return f"{len(self.turns)} tables wait for you"

    @property
    def text(self) -> str:
        if not self.turns:
            return f"{self.name}, this is a test. So you will be told when it is your turn."
        return "\n\n".join(f"{it.title} ({it.seat}): {it.moment}. {it.what}\n{it.url}" for it in self.turns)


def urls(settings: Settings) -> str:
    return (settings.public_url.rstrip("/") or "http://localhost:8039") + settings.root_path


def turns_of(hall: Hall, settings: Settings, person: str, tables: set[str]) -> tuple[Turn, ...]:
    """The tables of these at which a person must decide now."""
    waits, stands = hall.notices.waiting(tables), hall.notices.stands(tables)
    found = []
    for row in waits:
        mine = {seat.id: seat for seat in hall.seats_of(row.table, person)}
        if row.seat in mine:
            table = hall.table(row.table)
            stand = stands.get(row.table)
            moment = stand.moment if stand else ""
            where = f"{urls(settings)}/tables/{row.table}"
            what = turn_words(row.kind, row.text)
            found.append(Turn(row.table, table.title, mine[row.seat].title, moment, what, row.since, where))
    return tuple(found)


def send(hall: Hall, settings: Settings, way: Way, told: Message, confirm: str = "") -> None:
    """Tell it by one way; raises where it could not be delivered."""
    if way.way == "mail":
        _by_mail(hall, settings, way, told, confirm)
        return
    data = {"person": told.name, "tables": msgspec.to_builtins(told.turns)}
    body = webhook.dressed(way.form, told.text, data)  # type: ignore[arg-type]
    webhook.deliver(way.address, body, private=settings.private_webhooks, seconds=settings.notice_seconds)


def _by_mail(hall: Hall, settings: Settings, way: Way, told: Message, confirm: str) -> None:
    if not settings.smtp:
        raise NotSent("this server sends no e-mail")
    stop = f"{urls(settings)}/notices/stop/{hall.notices.signed('stop', way.person)}"
    parts = [told.text]
    if confirm:
        parts.append(f"Open this link, and e-mails come to this address from then on:\n{confirm}")
    parts.append(f"No more e-mails from this table: {stop}")
    made = mail.message(settings.mail_from, way.address, told.subject, "\n\n".join(parts) + "\n", stop)
    mail.deliver(settings.smtp, made, settings.notice_seconds)
