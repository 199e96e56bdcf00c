"""A country's page: as it stands, what it would bring by turn, what could be ordered about it, and its history."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from warcabinet.board.maps import board
from warcabinet.board.names import places
from warcabinet.game import Game
from warcabinet.game.forecast import Item
from warcabinet.game.offers import choices, narrow, refused_values
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Answer as Value
from warcabinet.model import calendar, events
from warcabinet.model.accounts import Annual
from warcabinet.model.commands import Field, command_types, fields
from warcabinet.model.ledger import balance
from warcabinet.model.names import countries, powers
from warcabinet.model.state import State
from warcabinet.views.country_page import Change, Force, LimitInForce, Partisans, country_page
from warcabinet.views.told.telling import Told
from warcabinet.views.words import name
from warcabinet.web.orders.form_words import command_label
from warcabinet.web.orders.meant import meant
from warcabinet.web.orders.prospects import hopeless
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line
from warcabinet.web.plumbing.problems import not_found
from warcabinet.web.sheets.position_view import standing


class PowerShare(msgspec.Struct, frozen=True):
    """What a power has of a country on its books a year."""

    power: str
    brp: int


class Brings(msgspec.Struct, frozen=True):
    """What a yearly value still comes to in a turn."""

    turn: str
    share: Value
    brp: Value
    clause: str


class CountryOrder(msgspec.Struct, frozen=True):
    """A command that can name the country, and why it cannot be given now."""

    command: str
    label: str
    text: str
    field: str
    clause: str
    refusals: tuple[RefusalLine, ...]


class StandingChange(msgspec.Struct, frozen=True):
    """A time at which the country's standing changed."""

    move: int
    when: str
    clause: str
    status: str
    by: str
    reason: str


class CountrySheet(msgspec.Struct, frozen=True):
    id: str
    name: str
    kind: str
    theater: str
    status: str
    by: str
    standing: str
    since: str
    clause: str
    reason: str
    brp: int
    source: str
    places: tuple[str, ...]
    result: str
    books: tuple[PowerShare, ...]
    brings: tuple[Brings, ...]
    deployed: bool
    forces: tuple[Force, ...]
    partisans: tuple[Partisans, ...]
    limits: tuple[LimitInForce, ...]
    closed: tuple[Change, ...]
    coming: tuple[Item, ...]
    changes: tuple[Change, ...]
    own_rules: tuple[Told, ...]
    enemies: tuple[str, ...]
    orders: tuple[CountryOrder, ...]
    history: tuple[StandingChange, ...]


def country_sheet(game: Game, state: State, id: str) -> CountrySheet:
    area = countries().get(id)
    if area is None:
        raise not_found(f"country {id}")
    now = state.countries[id]
    page = country_page(state, id)
    return CountrySheet(
        id=id,
        name=area.name,
        kind=area.kind,
        theater=area.theater,
        status=now.status,
        by=now.by,
        standing=standing(state, id),
        since=calendar.turn_name(now.since) if now.since else "",
        clause=now.clause,
        reason="" if now.reason == "set" else now.reason,
        brp=area.brp,
        source=area.source,
        places=tuple(area.places),
        result=page.result,
        books=tuple(PowerShare(p, n) for p in powers() if (n := balance(state.ledger, Annual(p, id)))),
        brings=_brings(state, area.brp),
        deployed=page.deployed,
        forces=page.forces,
        partisans=page.partisans,
        limits=page.limits,
        closed=page.closed,
        coming=page.coming,
        changes=page.changes,
        own_rules=page.own_rules,
        enemies=tuple(name(it) for it in page.at_war_with),
        orders=_about(state, id),
        history=_history(game, id),
    )


def middle_of(sheet: CountrySheet) -> str:
    """The hex in the middle of its picture: the first of the places that decide of it, else some hex of its land."""
    decide = (it.key for called in sheet.places for it in places().values() if it.name == called)
    own = (it.key for it in board(sheet.theater) if sheet.id in (it.country, it.region))
    return next((it for it in (*decide, *own) if it.startswith(sheet.theater)), "")


def _brings(state: State, brp: int) -> tuple[Brings, ...]:
    """What the yearly value still comes to in each of the coming four turns, by the proration rule itself."""
    if "prorated" not in RULES.values() or not brp:
        return ()
    found = []
    for turn in range(state.turn, state.turn + 4):
        later = replace(state, turn=turn, step=calendar.first_step("axis"))
        why = explain_value("prorated", later, brp)
        share = explain_value("season_share", later).value
        found.append(Brings(calendar.turn_name(turn), share, why.value, why.clause))
    return tuple(found)


def _about(state: State, id: str) -> tuple[CountryOrder, ...]:
    """Commands that can name this country, with whether they can be given now."""
    found = []
    for command, kind in command_types().items():
        for field in fields(kind):
            if _concerns(state, id, command, field):
                offer = narrow(state, command, {field.name: id})
                # What no power could say of this country is as shut as what is refused outright.
                against = hopeless(state, offer)
                found_against = offer.refusals if against is None else (against,)
                refusals = tuple(refusal_line(state, kind, refusal) for refusal in found_against)
                clause = RULES.orders[kind].clause
                found.append(CountryOrder(command, command_label(command), offer.text, field.name, clause, refusals))
                break
    return tuple(found)


def _concerns(state: State, id: str, command: str, field: Field) -> bool:
    """Whether the country is one of those that somebody could mean by a field of an order, and no rule keeps it out."""
    if field.many or field.kind not in ("country", "area", "belligerent") or id not in choices(field):
        return False
    among = narrow(state, command, {}).fields[field.name]
    return id in meant(state, command, {}, among) and not refused_values(state, command, {}, field.name, [id])


def _history(game: Game, id: str) -> tuple[StandingChange, ...]:
    line = game.line()
    found = []
    for move in game.log():
        for record in move.records if move.id in line else ():
            event = record.event
            if isinstance(event, events.StatusChanged) and event.country == id:
                why = "" if event.reason == "set" else event.reason
                when = calendar.moment_name(move.moment)
                found.append(StandingChange(move.id, when, record.clause, event.status, event.by, why))
    return tuple(found)
