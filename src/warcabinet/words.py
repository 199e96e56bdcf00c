"""Events and commands in words: the one place that turns facts into sentences for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.names import places_at
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar, events
from warcabinet.model.commands import Command, fields, name_of
from warcabinet.model.names import TRACKS, areas, powers
from warcabinet.rules.readings import ruling_named


def name(of: str) -> str:
    """A power or area by its proper name."""
    if of in powers():
        return powers()[of].name
    return areas()[of].name if of in areas() else _NATIONS.get(of, of)


# Nations that are neither power nor area.
_NATIONS = {"dutch_east_indies": "Dutch East Indies", "vlasov": "Vlasov's Russians"}


def account_name(account: str) -> str:
    """An account in words: whose BRPs, base or books it is."""
    unit, owner, *rest = account.split("/")
    if unit == "annual" and rest:
        return f"{name(owner)}, yearly value of {name(rest[0])}"
    if unit == "piece" and rest:
        return f"{name(owner)}, {_pieces(rest)}"
    kinds = {"brp": "BRPs", "base": "base", "annual": "books", "piece": "units"}
    told = ", ".join(_turn_or_word(word) for word in rest)
    return f"{name(owner)}, {kinds.get(unit, unit)}" + (f", {told}" if told else "")


def _pieces(rest: list[str]) -> str:
    """Units and where they are: on a hex, unbuilt, on the turn record track, lost."""
    where, *inner = rest
    if where == "at" and len(inner) == 3:
        return f"{inner[2]} at {place_name('/'.join(inner[:2]))}"
    if where == "track" and len(inner) == 2:
        return f"{inner[1]} due {_turn_or_word(inner[0])}"
    return f"{', '.join(inner)} {where}"


def _turn_or_word(word: str) -> str:
    """A turn's number as its name; any other word as it is."""
    return calendar.turn_name(int(word)) if word.isdigit() and int(word) > 1000 else word.replace("_", " ")


def place_name(key: str) -> str:
    """A hex or box as people call it: its city first, then its id."""
    if key.startswith("box/"):
        return boxes()[key.removeprefix("box/")].name
    named = [place.name for place in places_at(key)]
    return f"{named[0]} ({key.partition('/')[2]})" if named else key.replace("/", " ")


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
    amount = f" {p.brp:+}" if p.brp else ""
    told = f": {RULES.by_name[p.effect].gist}" if not p.brp else ""
    return f"falls due {calendar.moment_name(p.due)}: {name(p.about)}{amount} for {name(p.power)}{told}"


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
    events.ControlChanged: lambda e: (
        f"{', '.join(map(place_name, e.places))} held by {name(e.by) if e.by else 'its owner'}"
    ),
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
