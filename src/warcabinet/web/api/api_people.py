"""The API of people: devices and programs, talk and notes, whom the host puts out, the end of a table, the dice."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet import __version__
from warcabinet.game import Conflict
from warcabinet.game.throws import Seed, published
from warcabinet.web.api.api_hall import Name, say_to_all
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.people_book import Device, Person, TokenLine
from warcabinet.web.hall.rights import may_host, may_play
from warcabinet.web.hall.schema import Line
from warcabinet.web.hall.tables_in_play import SPECTATORS
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.sheets.dice_check import DiceCheck
from warcabinet.web.table.endpoints import Answer, AnyAsk, Ask, ServerParts, endpoint
from warcabinet.web.table.event_stream import SIGNED_OUT
from warcabinet.web.table.pinned import RulesHere, needed, rules_here, same_rules
from warcabinet.web.table.reckoning import reckoned

T = "/tables/{table}"


class Said(msgspec.Struct, frozen=True):
    """It is so now."""

    done: bool = True


# -- oneself ------------------------------------------------------------------------------------------------------


class Myself(msgspec.Struct, frozen=True):
    """What the server knows of you: your name, the browsers that are signed in as you, whether you can come back."""

    name: str
    devices: tuple[Device, ...]
    #: The browser that asks.
    this: str
    #: Since when you have a recovery link; 0: none.
    recovery: float


def me_at(server: ServerParts, person: Person, secret: str) -> Myself:
    hall = server.hall
    return Myself(
        person.name,
        tuple(hall.people.devices(person.id)),
        hall.people.device(secret),
        hall.people.recovery_made(person.id),
    )


@endpoint("GET", "/me", "Your name and the browsers that are signed in as you", who="person", tag="people")
def myself(ask: Ask[None, None]) -> Myself:
    assert ask.person is not None
    return me_at(ask.server, ask.person, ask.secret)


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


@endpoint("PUT", "/me", "Call yourself otherwise", who="person", tag="people")
def rename(ask: Ask[None, NewName]) -> Said:
    assert ask.person is not None
    ask.server.hall.people.rename(ask.person.id, ask.body.name.strip())
    for row in ask.server.hall.tables_of(ask.person.id):
        ask.server.switchboard.tell(row.id, "seats", SeatsNews())
    return Said()


class NewDevice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: Annotated[str, Meta(min_length=1, max_length=60)] = "another browser"


class DeviceLink(msgspec.Struct, frozen=True):
    """A link that signs a browser in as you, once. It is told once; whoever opens it is you."""

    path: str
    #: When it cannot be used any more; 0: it waits for the day on which it is needed.
    ends: float


@endpoint("POST", "/me/devices", "A link for another browser, for some minutes", who="person", status=201, tag="people")
def add_device(ask: Ask[None, NewDevice]) -> DeviceLink:
    assert ask.person is not None
    its = ask.server.settings
    ends = time.time() + its.device_link_minutes * 60
    secret = ask.server.hall.people.new_link(ask.person.id, "device", ask.body.label, ends, its.devices_per_person)
    return DeviceLink(f"{ask.base}/device/{secret}", ends)


@endpoint("POST", "/me/recovery", "A link to keep for the day on which all your browsers are lost", who="person",
          status=201, tag="people")  # fmt: skip
def make_recovery(ask: Ask[None, None]) -> DeviceLink:
    assert ask.person is not None
    return _recovery(ask, ask.person.id)


def _recovery(ask: AnyAsk, person: str) -> DeviceLink:
    secret = ask.server.hall.people.new_link(person, "recovery", "by the recovery link", 0.0, 0)
    return DeviceLink(f"{ask.base}/device/{secret}", 0.0)


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: Annotated[str, Meta(min_length=1, max_length=100)]


class SignedIn(msgspec.Struct, frozen=True):
    """Who this browser is now. A recovery link was used up by it: here is the next one, told once."""

    name: str
    recovery: DeviceLink | None


@endpoint("POST", "/sign-in", "Be known in this browser by a link from another", who="anybody", tag="people")
def sign_in(ask: Ask[None, SignIn]) -> Answer[SignedIn]:
    person, kind, secret = ask.server.hall.people.use_link(ask.body.secret)
    again = _recovery(ask, person.id) if kind == "recovery" else None
    return Answer(SignedIn(person.name, again), secret)


class Out(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which browser: this one, another by its id, all others, or all of them."""

    device: Annotated[str, Meta(max_length=40)] = ""
    others: bool = False
    everywhere: bool = False
    #: With all browsers signed out: whether the recovery link still leads back.
    keep_recovery: bool = True


class ProgramLine(msgspec.Struct, frozen=True):
    """A program of yours: at which table, in which seat, and since when."""

    id: str
    table: str
    title: str
    seat: str
    label: str
    made: float


class SignedOut(Said, frozen=True):
    """It is so now: the streams of those browsers end. Programs go on by their own tokens until these are withdrawn."""

    programs: tuple[ProgramLine, ...] = ()


@endpoint("POST", "/sign-out", "Sign out this browser, another, or all", who="person", tag="people")
def sign_out(ask: Ask[None, Out]) -> Answer[SignedOut]:
    assert ask.person is not None
    hall, out = ask.server.hall, ask.body
    this = hall.people.device(ask.secret)
    if out.everywhere or out.others:
        hall.people.sign_out(ask.person.id, but="" if out.everywhere else this)
        hall.people.withdraw_links(ask.person.id, recovery=not out.keep_recovery)
    else:
        hall.people.sign_out(ask.person.id, out.device or this)
    for row in hall.tables_of(ask.person.id):
        ask.server.switchboard.tell(row.id, SIGNED_OUT, SeatsNews())
    return Answer(
        SignedOut(programs=programs_of(hall, ask.person.id)),
        forget=out.everywhere or (not out.others and out.device in ("", this)),
    )


# -- programs -----------------------------------------------------------------------------------------------------


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: str
    label: Annotated[str, Meta(min_length=1, max_length=60)] = "program"


class SeatToken(msgspec.Struct, frozen=True):
    """A token by which a program holds a seat. It is told once."""

    seat: str
    token: str


@endpoint("POST", T + "/tokens", "A token by which a program plays one of your seats", status=201, programs=False)
def token(ask: Ask[None, NewToken]) -> SeatToken:
    if ask.body.seat not in {seat.id for seat in ask.sitter.seats}:
        raise forbidden("that seat is not yours")
    most = ask.server.settings.tokens_per_person
    secret = ask.server.hall.people.new_token(ask.id, ask.body.seat, ask.sitter.person.id, ask.body.label, most)
    return SeatToken(ask.body.seat, secret)


@endpoint("GET", T + "/tokens", "Your programs at this table", programs=False)
def tokens(ask: Ask[None, None]) -> list[TokenLine]:
    return ask.server.hall.people.tokens(ask.id, ask.sitter.person.id)


def programs_of(hall: Hall, person: str) -> tuple[ProgramLine, ...]:
    return tuple(
        ProgramLine(it.id, it.table, hall.table(it.table).title, hall.seat(it.table, it.seat).title, it.label, it.made)
        for it in hall.people.tokens("", person)
    )


@endpoint("GET", "/me/tokens", "Your programs at all tables", who="person", tag="people")
def all_tokens(ask: Ask[None, None]) -> list[ProgramLine]:
    assert ask.person is not None
    return list(programs_of(ask.server.hall, ask.person.id))


@endpoint("POST", T + "/tokens/{token}/withdraw", "A program of yours loses its token at once", programs=False)
def withdraw_token(ask: Ask[None, None]) -> Said:
    ask.server.hall.people.withdraw_token(ask.id, ask.sitter.person.id, ask.path["token"])
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return Said()


# -- talk and notes -----------------------------------------------------------------------------------------------


class Earlier(msgspec.Struct, frozen=True):
    before: Annotated[int, Meta(ge=0, le=2**53, description="a line: those before it; 0: the last ones")] = 0


@endpoint("GET", T + "/talk", "What was said at the table, as far as you heard it", programs=False)
def talk(ask: Ask[Earlier, None]) -> list[Line]:
    return ask.server.hall.talk.heard(ask.id, ask.sitter.person.id, before=ask.query.before)


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say: to everybody, or to one seat alone."""

    text: Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S")]
    to: str = ""


@endpoint("POST", T + "/talk", "Say something, to all or to one seat", status=201, programs=False)
def say(ask: Ask[None, Say]) -> Line:
    hall = ask.server.hall
    # A host who gave every seat away still speaks, to all.
    seat = ask.sitter.seats[0] if ask.sitter.seats else SPECTATORS
    heard: tuple[str, ...] = ()
    if ask.body.to:
        seat = may_play(ask.sitter)
        heard = _hearers(ask, ask.body.to)
    if ask.server.talking.take(ask.sitter.person.id, time.monotonic()):
        raise Problem(429, "you said much of late; wait a moment")
    with ask.table() as table:
        move = table.game.head.id
    text, name = ask.body.text.strip(), ask.sitter.person.name
    line = hall.talk.say(ask.id, text, seat=seat.id, name=name, to=ask.body.to, move=move, heard=heard)
    hall.notices.look(ask.id, ask.sitter.person.id, line.id)
    ask.server.switchboard.tell(ask.id, "talk", line, line)
    return line


def _hearers(ask: AnyAsk, to: str) -> tuple[str, ...]:
    """Who hears words to one seat: whoever sits there now, and the one who says them. They stay theirs."""
    chair = ask.server.hall.seat(ask.id, to)
    if chair.role == "spectator":
        raise forbidden("what spectators hear, everybody hears: say it to all")
    there = ask.server.hall.sitters(ask.id).get(to, [])
    if not there:
        raise Problem(409, f"nobody sits there: {chair.title}")
    return (ask.sitter.person.id, *(person.id for person in there))


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=20000)]


@endpoint("GET", T + "/notes", "Your private notes; nobody else ever gets them", programs=False)
def notes(ask: Ask[None, None]) -> Note:
    return Note(ask.server.hall.talk.note(ask.id, ask.sitter.person.id))


@endpoint("PUT", T + "/notes", "Write your private notes", programs=False)
def write_notes(ask: Ask[None, Note]) -> Note:
    ask.server.hall.talk.write_note(ask.id, ask.sitter.person.id, ask.body.text)
    return Note(ask.body.text)


# -- the host -----------------------------------------------------------------------------------------------------


class PutOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A spectator by name; links to the bench are withdrawn with it, or they would come back at once."""

    name: Name


@endpoint(
    "POST", T + "/put-out", "The host shows a spectator out, and withdraws the links to the bench", programs=False
)
def put_out(ask: Ask[None, PutOut]) -> Said:
    may_host(ask.sitter)
    there = ask.server.hall.sitters(ask.id).get(SPECTATORS.id, [])
    person = next((it for it in there if it.name == ask.body.name), None)
    if person is None:
        raise not_found(f"spectator called {ask.body.name}")
    ask.server.hall.vacate(ask.id, SPECTATORS.id, person.id)
    say_to_all(ask, ask.id, f"{person.name} was shown out by the host")
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return Said()


class Ending(msgspec.Struct, frozen=True):
    """When a table is taken away for good; 0: it stays."""

    ends: float


@endpoint("POST", T + "/delete", "The host deletes the table; for some days it can be called back", programs=False)
def delete(ask: Ask[None, None]) -> Ending:
    may_host(ask.sitter)
    ends = ask.sitter.table.ends or time.time() + ask.server.settings.days_to_change_mind * 86400
    ask.server.hall.set_end(ask.id, ends)
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return Ending(ends)


@endpoint("POST", T + "/call-back", "The host changes their mind: the table stays", programs=False)
def call_back(ask: Ask[None, None]) -> Ending:
    may_host(ask.sitter)
    ask.server.hall.set_end(ask.id, 0.0)
    return Ending(0.0)


# -- dice ---------------------------------------------------------------------------------------------------------


@endpoint("GET", T + "/dice", "The commitments to the dice, and the seeds that were revealed")
def dice(ask: Ask[None, None]) -> list[Seed]:
    with ask.table() as table:
        return list(published(table.game.journal.seeds()))


@endpoint("GET", T + "/dice/check", "Every throw against what was committed to before it, in words")
def check_dice(ask: Ask[None, None]) -> DiceCheck:
    told: DiceCheck = reckoned(ask, "dice")
    return told


@endpoint("POST", T + "/dice/reveal", "Publish the seeds so far, to check every throw; another one throws from now on",
          programs=False)  # fmt: skip
def reveal(ask: Ask[None, None]) -> list[Seed]:
    seat = may_play(ask.sitter)
    with ask.table() as table:
        try:
            table.journal.reveal()
        except Conflict as conflict:
            raise Problem(409, str(conflict)) from None
        told = list(published(table.game.journal.seeds()))
    say_to_all(ask, ask.id, f"{seat.title} had the seed of the dice revealed; a new one is committed to")
    return told


# -- the rules ----------------------------------------------------------------------------------------------------


@endpoint("GET", T + "/rules", "By whose rules the table is played, and what newer ones would judge differently")
def rules(ask: Ask[None, None]) -> RulesHere:
    return rules_here(ask, () if same_rules(ask) else reckoned(ask, "differences"))


@endpoint("POST", T + "/rules/agree", "Agree that the table goes on by the rules of this server", programs=False)
def agree_to_rules(ask: Ask[None, None]) -> Said:
    seat = may_play(ask.sitter)
    if same_rules(ask):
        raise Problem(409, "the table is played by these rules already")
    done = ask.server.hall.agree(ask.id, ask.sitter.person.id, __version__, set(needed(ask)))
    say_to_all(
        ask, ask.id, f"{seat.title} agrees to the rules of {__version__}" + ("; they hold from now on" if done else "")
    )
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return Said(done)
