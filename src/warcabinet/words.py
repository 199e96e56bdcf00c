"""Events and commands in words: the one place that turns facts into sentences for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from warcabinet.model import calendar, events
from warcabinet.model.commands import Command, fields, name_of
from warcabinet.model.names import TRACKS, areas, powers
from warcabinet.rules.readings import ruling_named


def name(of: str) -> str:
    """A power or area by its proper name."""
    if of in powers():
        return powers()[of].name
    return areas()[of].name if of in areas() else of


def account_name(account: str) -> str:
    """An account in words: whose BRPs, base or books it is."""
    unit, _, rest = account.partition("/")
    owner, _, what = rest.partition("/")
    if unit == "annual" and what:
        return f"{name(owner)}, yearly value of {name(what)}"
    kinds = {"brp": "BRPs", "base": "base", "annual": "books", "piece": "units"}
    return f"{name(owner)}, {kinds.get(unit, unit)}" + (f", {what}" if what else "")


def command_text(command: Command) -> str:
    """A command as it would be typed."""
    parts = [name_of(command)]
    for field in fields(type(command)):
        value = getattr(command, field.attribute)
        if value not in (None, "", ()) and value != field.default:
            shown = ", ".join(map(str, value)) if field.many else value
            parts.append(f"{field.name}={shown}")
    return " ".join(parts)


def event_text(event: events.Event) -> str:
    """An event as a sentence."""
    teller = _TELLERS.get(type(event))
    return teller(event) if teller else type(event).__name__


def _entry(e: events.EntryPosted) -> str:
    moved = [p for p in e.entry.postings if p.account.split("/")[1] not in ("world", "source", "sink")]
    return "; ".join(f"{account_name(p.account)} {p.amount:+}" for p in moved) + f" ({e.entry.memo})"


def _status(e: events.StatusChanged) -> str:
    with_whom = {"conquered": "by", "colony": "of", "commonwealth": "with"}.get(e.status, "with")
    return f"{name(e.country)} is {e.status}" + (f" {with_whom} {name(e.by)}" if e.by else "")


def _promised(e: events.Promised) -> str:
    p = e.promise
    return f"falls due {calendar.moment_name(p.due)}: {name(p.about)} {p.brp:+} for {name(p.power)}"


def _power(e: events.PowerChanged) -> str:
    if e.surrendered is not None:
        return f"{name(e.power)} {'surrenders' if e.surrendered else 'is in the war again'}"
    return f"{name(e.power)} joins the {e.faction}"


def _determined(e: events.Determined) -> str:
    about = f" for {', '.join(map(name, e.args))}" if e.args else ""
    return f"{e.rule.replace('_', ' ')}{about} is fixed at {e.fixed.value} ({e.fixed.reason})"


_TELLERS: dict[type, Callable[[Any], str]] = {
    events.GameStarted: lambda e: f"{e.scenario}: {calendar.moment_name(calendar.moment(e.turn, e.step))}",
    events.EntryPosted: _entry,
    events.ControlChanged: lambda e: f"{', '.join(e.places)} held by {name(e.by) if e.by else 'its owner'}",
    events.AreaTaken: lambda e: f"{name(e.area)} taken by {name(e.by)}",
    events.StatusChanged: _status,
    events.WarBegan: lambda e: f"war between {name(e.between[0])} and {name(e.between[1])}",
    events.WarEnded: lambda e: f"peace between {name(e.between[0])} and {name(e.between[1])}",
    events.PowerChanged: _power,
    events.TrackMoved: lambda e: f"{TRACKS[e.track]} stands at {e.to}",
    events.ResultInForce: lambda e: f"diplomatic result for {name(e.country)}: {e.result or 'none'}",
    events.TransportsCounted: lambda e: f"{e.count} transports in the {e.ocean.replace('_', ' ')}",
    events.Happened: lambda e: f"{name(e.happening.key)}: {e.happening.kind} {e.happening.amount}",
    events.Promised: _promised,
    events.Closed: lambda e: f"agenda {e.id}: {e.outcome}" + (f", {e.reason}" if e.reason else ""),
    events.StepEntered: lambda e: calendar.moment_name(calendar.moment(e.turn, e.step)),
    events.YearOpened: lambda e: f"the year {e.year} opens",
    events.Determined: _determined,
    events.Released: lambda e: f"{e.rule}({', '.join(e.args)}) is computed again",
    events.ReadingChosen: lambda e: f"{e.ruling}: reading {e.reading} ({ruling_named(e.ruling).readings[e.reading]})",
    events.OptionsChanged: lambda e: f"options: {msgspec.to_builtins(e.options)}",
    events.DiceRolled: lambda e: f"die for {e.purpose}: {e.face}",
    events.Reported: lambda e: f"reported: {e.text}",
    events.Corrected: lambda e: f"the referee sets {e.figure} to {e.to}: {e.reason}",
    events.DiceSeeded: lambda e: f"dice from seed {e.seed}",
    events.AutoStep: lambda e: f"automatic: {e.reason}",
}
