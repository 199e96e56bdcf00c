"""The API of turns: how a person is told that it is theirs, a test of it, links that stop it, what was looked at."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.web.hall.notice_book import Way
from warcabinet.web.plumbing import mail, webhook
from warcabinet.web.plumbing.problems import Problem, not_found
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.plumbing.webhook import Form, NotSent
from warcabinet.web.table.endpoints import AnyAsk, Ask, ServerParts, endpoint
from warcabinet.web.turns.away import catches_up, looked_at
from warcabinet.web.turns.messages import Message, send, urls

Minutes = Annotated[float, Meta(ge=0, le=10080)]
T = "/tables/{table}"


class BrowserWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an open page does when it becomes your turn."""

    title: bool = True
    sound: bool = False
    notice: bool = False


class MailWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """E-mail: to which address, and at most once in how many minutes."""

    on: bool = False
    address: Annotated[str, Meta(max_length=254)] = ""
    every: Minutes = 60.0


class WebhookWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook: where to, in which form, and at most once in how many minutes."""

    on: bool = False
    address: Annotated[str, Meta(max_length=500)] = ""
    form: Form = "json"
    every: Minutes = 0.0


class Wishes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How you wish to be told that it is your turn; what is left out stays as it is."""

    browser: BrowserWay | None = None
    mail: MailWay | None = None
    webhook: WebhookWay | None = None


class HowSent(msgspec.Struct, frozen=True):
    """How it went of late: when the last message was sent, and what was wrong with one that was not."""

    sent: float = 0.0
    trouble: str = ""


class Notices(msgspec.Struct, frozen=True):
    """How you are told that it is your turn."""

    browser: BrowserWay
    mail: MailWay
    webhook: WebhookWay
    mail_state: HowSent
    webhook_state: HowSent
    #: Whether whoever reads the address agreed to it.
    mail_confirmed: bool
    #: Whether this server sends e-mail at all, and at most once in how many minutes.
    mail_possible: bool
    mail_minutes: float


def notices_of(server: ServerParts, person: str) -> Notices:
    ways = server.hall.notices.ways(person)
    post, hook = ways.get("mail", Way(person, "mail")), ways.get("webhook", Way(person, "webhook", every=0.0))
    pages = ways.get("browser")
    return Notices(
        browser=BrowserWay() if pages is None else msgspec.json.decode(pages.address, type=BrowserWay),
        mail=MailWay(post.on, post.address, post.every),
        webhook=WebhookWay(hook.on, hook.address, hook.form or "json", hook.every),  # type: ignore[arg-type]
        mail_state=HowSent(post.sent, post.trouble),
        webhook_state=HowSent(hook.sent, hook.trouble),
        mail_confirmed=bool(post.confirmed),
        mail_possible=bool(server.settings.smtp),
        mail_minutes=server.settings.mail_minutes,
    )


@endpoint("GET", "/me/notices", "How you are told that it is your turn", who="person", tag="people")
def notices(ask: Ask[None, None]) -> Notices:
    assert ask.person is not None
    return notices_of(ask.server, ask.person.id)


@endpoint("PUT", "/me/notices", "Say how you wish to be told that it is your turn", who="person", tag="people")
def wish(ask: Ask[None, Wishes]) -> Notices:
    assert ask.person is not None
    hall, me, wishes = ask.server.hall, ask.person.id, ask.body
    if wishes.browser is not None:
        told = msgspec.json.encode(wishes.browser).decode()
        hall.notices.set_way(Way(me, "browser", True, told))
    if wishes.mail is not None:
        hall.notices.set_way(_mail(ask, hall.notices.ways(me).get("mail", Way(me, "mail")), wishes.mail))
    if wishes.webhook is not None:
        hall.notices.set_way(_webhook(ask, hall.notices.ways(me).get("webhook", Way(me, "webhook")), wishes.webhook))
    return notices_of(ask.server, me)


def _mail(ask: AnyAsk, old: Way, wish: MailWay) -> Way:
    """An address is written to once its reader has agreed, by the link in the first message."""
    if (wish.on or wish.address) and not mail.is_address(wish.address):
        raise Problem(400, "this is no e-mail address")
    if wish.on and not ask.server.settings.smtp:
        raise Problem(409, "this server sends no e-mail: whoever runs it has not named a mail server")
    same = wish.address == old.address
    if wish.on and not (same and old.confirmed):
        raise Problem(409, "send a test first, and open the link in it: then e-mails come to this address")
    every = max(wish.every, ask.server.settings.mail_minutes)
    changed = Way(old.person, "mail", wish.on, wish.address, every=every)
    return replace(changed, confirmed=old.confirmed, sent=old.sent) if same else changed


def _webhook(ask: AnyAsk, old: Way, wish: WebhookWay) -> Way:
    if wish.on or wish.address:
        try:
            webhook.checked(wish.address, ask.server.settings.private_webhooks)
        except NotSent as refusal:
            raise Problem(400, str(refusal)) from None
    sent = old.sent if wish.address == old.address else 0.0
    return Way(old.person, "webhook", wish.on, wish.address, wish.form, wish.every, sent=sent)


class Try(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    way: Annotated[str, Meta(pattern="^(mail|webhook)$")]


class Tried(msgspec.Struct, frozen=True):
    """Whether the test was delivered, and what was wrong."""

    done: bool
    text: str


@endpoint("POST", "/me/notices/test", "Send a test by e-mail or webhook", who="person", tag="people")
def try_notice(ask: Ask[None, Try]) -> Tried:
    assert ask.person is not None
    hall, me = ask.server.hall, ask.person
    way = hall.notices.ways(me.id).get(ask.body.way)
    if way is None or not way.address:
        raise Problem(409, "give an address first")
    now = time.monotonic()
    if ask.server.trying.take(me.id, now) or ask.server.trying.take(f"from {ask.address}", now):
        raise Problem(429, "many tests were sent of late; try again in ten minutes")
    confirm = ""
    if way.way == "mail" and not way.confirmed:
        confirm = f"{urls(ask.server.settings)}/notices/confirm/{hall.notices.signed('confirm', me.id, way.address)}"
    try:
        send(hall, ask.server.settings, way, Message(me.id, me.name, ()), confirm)
    except NotSent as trouble:
        hall.notices.change_way(me.id, way.way, trouble=str(trouble))
        return Tried(False, str(trouble))
    hall.notices.change_way(me.id, way.way, trouble="")
    return Tried(True, "sent; open the link in it, and you will be told by e-mail" if confirm else "sent")


class NoticeLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last part of a link in a message."""

    secret: Annotated[str, Meta(min_length=1, max_length=100)]


class Stopped(msgspec.Struct, frozen=True):
    done: bool = True


@endpoint("POST", "/notices/confirm", "Agree to e-mails, by the link in the first one", who="anybody", tag="people")
def confirm_mail(ask: Ask[None, NoticeLink]) -> Stopped:
    confirm(ask.server, ask.body.secret)
    return Stopped()


@endpoint("POST", "/notices/stop", "No more e-mails, by the link in every one", who="anybody", tag="people")
def stop_mail(ask: Ask[None, NoticeLink]) -> Stopped:
    stop(ask.server, ask.body.secret)
    return Stopped()


def confirm(server: ServerParts, secret: str) -> None:
    person = secret.partition("-")[0]
    way = server.hall.notices.ways(person).get("mail")
    if way is None or server.hall.notices.signer("confirm", secret, way.address) != person:
        raise not_found("such link: the address was changed")
    server.hall.notices.change_way(person, "mail", confirmed=time.time(), on=True)


def stop(server: ServerParts, secret: str) -> None:
    """No more e-mails: the address is forgotten, so that it must be agreed to anew."""
    person = server.hall.notices.signer("stop", secret)
    if not person:
        raise not_found("such link")
    server.hall.notices.set_way(Way(person, "mail"))


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of talk that you have read, and the last move that you have seen; 0: no more than before."""

    line: Annotated[int, Meta(ge=0, le=2**53)] = 0
    move: Annotated[int, Meta(ge=0, le=2**31)] = 0
    #: Whether you read the scenes of what happened while you were away: others see that you are catching up.
    replay: bool = False


class Looked(msgspec.Struct, frozen=True):
    done: bool = True


@endpoint("PUT", T + "/looked", "You have the table before your eyes: no e-mail is needed", programs=False)
def look(ask: Ask[None, Look]) -> Looked:
    last = ask.server.hall.talk.last_line(ask.id)
    ask.server.hall.notices.look(ask.id, ask.sitter.person.id, min(ask.body.line, last))
    if ask.body.move:
        looked_at(ask.server.hall, ask.id, ask.sitter, ask.body.move)
    if catches_up(ask.server.hall, ask.id, ask.sitter, ask.body.replay):
        ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return Looked()
