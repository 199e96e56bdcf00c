"""Events, commands and reasons as the table says them; places by name, powers first, amounts signed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import board
from warcabinet.board.names import describe, places_at
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar, events
from warcabinet.model.commands import Command, fields, is_report, name_of
from warcabinet.model.names import TRACKS, areas, powers
from warcabinet.words import event_text


@cache
def name(thing: str) -> str:
    """What a power, country, track, place or account is called on the table."""
    if thing in powers():
        return powers()[thing].name
    if thing in areas():
        return areas()[thing].name
    if thing in TRACKS:
        return TRACKS[thing]
    if "/" in thing:
        return _place(thing)
    return thing.replace("_", " ") if thing.islower() else thing


def _place(key: str) -> str:
    head, _, rest = key.partition("/")
    if head == "box" and rest in boxes():
        return boxes()[rest].name
    if head in ("europe", "pacific") and rest in board(head):
        here = places_at(key)
        return f"{here[0].name} ({rest})" if here else f"{rest} ({describe(board(head)[rest])})"
    return key


def spoken(text: str) -> str:
    """A rule's own words with places by name: 'Brussels (M25)' for europe/M25."""
    return _KEY.sub(lambda found: name(found.group()), text)


_KEY = re.compile(r"\b(?:europe|pacific)/[A-Z]{1,2}\d{1,2}\b")


def listed(things: Iterable[str], most: int = 6) -> str:
    names = [name(thing) for thing in things]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


#: Words of names in code that are written otherwise.
_SPELLED = {"ic": "IC", "ics": "ICs", "brp": "BRP", "brps": "BRPs", "kmt": "KMT"} | {
    word: word.capitalize()
    for word in ("american", "asia", "british", "chinese", "german", "italian", "japanese", "russian", "french", "axis")
}


def rule_title(rule: str) -> str:
    """A rule's name as a heading."""
    text = " ".join(_SPELLED.get(word, word) for word in rule.split("_"))
    return text[:1].upper() + text[1:]


def _entry(e: events.EntryPosted) -> str:
    first = next((p for p in e.entry.postings if "/world" not in p.account), e.entry.postings[0])
    unit, _, rest = first.account.partition("/")
    memo = "" if e.entry.memo == "set" else f": {e.entry.memo}"
    if unit == "brp":
        return f"{name(rest)} {signed(first.amount)} BRPs{memo}"
    if unit == "base":
        return f"BRP base of {name(rest)} {signed(first.amount)}{memo}"
    if unit == "annual":
        power, _, area = rest.partition("/")
        return f"{name(area)} on the books of {name(power)} {signed(first.amount)} a year{memo}"
    if unit == "piece":
        nation, _, where = rest.partition("/")
        return f"{name(nation)}: {_piece(where)} {signed(first.amount)}"
    return f"{_account(first.account)} {signed(first.amount)}{memo}"


def _piece(where: str) -> str:
    """Where a piece is: 'infantry 1-3 at Brussels (M25)', 'infantry 1-3 unbuilt'."""
    head, _, rest = where.partition("/")
    place, _, unit = rest.rpartition("/")
    if head == "at":
        return f"{unit} at {name(place)}"
    return f"{unit} due {_turn(place)}" if head == "track" else f"{rest.replace('/', ' ')} {head}"


def _turn(number: str) -> str:
    """A turn by its name, where an account is kept by turns."""
    known = number.isdigit() and calendar.parse_turn("Fall 1930") < int(number) < calendar.parse_turn("Winter 1960")
    return calendar.turn_name(int(number)) if known else number


def _account(account: str) -> str:
    unit, *parts = account.split("/")
    return f"{rule_title(unit)}, {' '.join(_turn(name(part)) for part in parts)}"


def _status(e: events.StatusChanged) -> str:
    by = f", {name(e.by)}" if e.by else ""
    because = f" ({e.reason})" if e.reason and e.reason != "set" else ""
    return f"{name(e.country)} is {e.status}{by}{because}"


def _promised(e: events.Promised) -> str:
    p = e.promise
    rule = RULES.by_name.get(p.effect)
    about = f", {name(p.about)}" if p.about else ""
    return f"Falls due {calendar.moment_name(p.due)}: {rule.gist if rule else p.effect} ({name(p.power)}{about})"


def _determined(e: events.Determined) -> str:
    of = f" of {listed(e.args)}" if e.args else ""
    return f"{rule_title(e.rule)}{of} is fixed at {_value(e.fixed.value)}" + (
        f" ({e.fixed.reason})" if e.fixed.reason else ""
    )


_SENTENCES: dict[type, Callable[[Any], str]] = {
    events.GameStarted: lambda e: f"The game starts: {e.scenario}, {calendar.turn_name(e.turn)}",
    events.EntryPosted: _entry,
    events.ControlChanged: lambda e: f"{name(e.by) if e.by else 'Nobody'} controls {listed(e.places)}",
    events.AreaTaken: lambda e: f"{name(e.by)} takes {name(e.area)}" + (f" from {name(e.was)}" if e.was else ""),
    events.StatusChanged: _status,
    events.WarBegan: lambda e: (
        f"War between {name(e.between[0])} and {name(e.between[1])}"
        + (f", declared by {name(e.declared_by)}" if e.declared_by else "")
    ),
    events.WarEnded: lambda e: f"Peace between {name(e.between[0])} and {name(e.between[1])}",
    events.TrackMoved: lambda e: f"{name(e.track)} stands at {e.to}",
    events.ResultInForce: lambda e: f"Diplomatic result for {name(e.country)}: {e.result or 'none'}",
    events.Happened: lambda e: f"{rule_title(e.happening.kind)}: {name(e.happening.key)} {e.happening.amount}",
    events.Promised: _promised,
    events.Closed: lambda e: f"No longer due: {e.outcome}" + (f", {e.reason}" if e.reason else ""),
    events.StepEntered: lambda e: calendar.moment_name(calendar.moment(e.turn, e.step)),
    events.YearOpened: lambda e: f"The year {e.year} begins",
    events.Determined: _determined,
    events.Released: lambda e: f"{rule_title(e.rule)} of {listed(e.args)} is reckoned again",
    events.ReadingChosen: lambda e: f"{e.ruling} is played by reading {e.reading}",
    events.DiceRolled: lambda e: f"A die shows {e.face}: {e.purpose}",
    events.Corrected: lambda e: f"The referee sets {e.figure} to {e.to}: {e.reason}",
    events.AutoStep: lambda e: f"Automatic: {e.reason}",
}


def event_words(event: events.Event) -> str:
    """An event as a sentence: in the table's own words, else in those that every shell has."""
    say = _SENTENCES.get(type(event))
    text = say(event) if say is not None else event_text(event)
    return text[:1].upper() + text[1:]


def _value(value: Any) -> str:
    if isinstance(value, str):
        return name(value)
    if isinstance(value, list | tuple):
        return listed(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_JOINED = ("on", "by", "from", "to", "at", "in", "with", "between", "for", "is")


def command_parts(command: Command) -> list[tuple[str, str]]:
    """A command as the parts of a sentence, each with the field it tells of: who, what, then the fields in order."""
    kind = type(command)
    given = [(field, getattr(command, field.attribute)) for field in fields(kind)]
    given = [(field, value) for field, value in given if value not in (None, "", ()) and value != field.default]
    verb = name_of(kind).removeprefix("report_").replace("_", " ")
    verb = "" if verb == "brp" else verb  # the amount says it
    parts: list[tuple[str, str]] = []
    if given and given[0][0].kind == "power" and not given[0][0].many:
        field, power = given.pop(0)
        parts = [(field.name, f"{name(str(power))}:"), ("", verb)]
    else:
        parts = [("", verb[:1].upper() + verb[1:])]
    parts += [(field.name, _part(field.name, field.kind, value)) for field, value in given]
    parts = [(field, text) for field, text in parts if text]
    return [*parts, ("", "(reported)")] if is_report(kind) else parts


def command_words(command: Command) -> str:
    """A command as a sentence."""
    return " ".join(text for _, text in command_parts(command))


def _part(field: str, kind: str, value: Any) -> str:
    if kind == "brp":
        amount = f"−{-value}" if value < 0 else str(value)
        return f"{amount} BRPs" if field == "brp" else f"{field.replace('_', ' ')} {amount} BRPs"
    if field == "origin":
        return f"from {_value(value)}"
    if field in _JOINED or field.endswith("_by"):
        return f"{field.replace('_', ' ')} {_value(value)}"
    if field in ("note", "reason", "purpose"):
        return f"({value})"
    if isinstance(value, bool):
        return field.replace("_", " ") if value else f"not {field.replace('_', ' ')}"
    if isinstance(value, int):
        return f"{field.replace('_', ' ')} {value}"
    return _value(value)


def why_tree(why: Why) -> dict[str, Any]:
    """An explanation as the page draws it: every node with its gist, clause and result in words."""
    rule = RULES.by_name.get(why.rule)
    return {
        "rule": why.rule,
        "title": rule_title(why.rule),
        "gist": rule.gist if rule else "",
        "where": rule.where if rule else "",
        "clause": why.clause,
        "args": list(why.args),
        "about": listed(map(str, why.args)),
        "value": why.value,
        "text": _value(why.value),
        "note": why.note,
        "set_aside": [
            {"rule": r, "gist": RULES.by_name[r].gist, "clause": RULES.by_name[r].clause}
            for r in why.set_aside
            if r in RULES.by_name
        ],
        "because": [why_tree(reason) for reason in why.because],
    }
