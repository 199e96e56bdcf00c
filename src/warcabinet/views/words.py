"""Events and commands in words: the one place that turns facts into sentences for people, whatever the shell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import board
from warcabinet.board.names import describe, places_at
from warcabinet.figures.position import scenarios
from warcabinet.figures.table import find as find_figure
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Answer, Why
from warcabinet.model import calendar, events
from warcabinet.model.accounts import (
    OUTSIDE,
    Account,
    Annual,
    AtSea,
    Base,
    Bombed,
    Brp,
    Deferred,
    DeferredFrom,
    DeferredGone,
    IcValue,
    Mobilization,
    Oil,
    Shipbuilding,
    ShipbuildingFrom,
    Sink,
    Source,
    Spared,
    World,
    account_named,
)
from warcabinet.model.allegiances import Allegiance
from warcabinet.model.commands import command_types, fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.convoys import Consignment, Detachment, Shipment
from warcabinet.model.names import TRACKS, areas, called, powers
from warcabinet.model.pieces import NOT_IN_PLAY, At, Mobilized, OutOfPlay, Track, Where, piece_named
from warcabinet.model.places import PARTISANS, default_holders
from warcabinet.model.reading import as_written
from warcabinet.model.rulings import ruling_named
from warcabinet.model.state import Undertaking
from warcabinet.model.titles import rule_title, spaced
from warcabinet.model.units import unit_kinds
from warcabinet.rules.common.waiting import waits_text

#: Who rises in Moslem Unrest.
RISEN = {"wafdist": "Wafdists", "arab": "Arabs", "persian": "Persians"}


@cache
def name(thing: str) -> str:
    """What a power, country, track or place is called."""
    if (proper := called(thing)) != thing:
        return proper
    if thing in TRACKS:
        return TRACKS[thing]
    if thing in RISEN:
        return RISEN[thing]
    if "/" in thing:
        return place_name(thing)
    return thing.replace("_", " ") if thing.islower() else thing


def place_name(key: str) -> str:
    """A hex or box as people call it: its city first, then its id; a hex without a city with its country."""
    head, _, rest = key.partition("/")
    if head == "box" and rest in boxes():
        return boxes()[rest].name
    if head in ("europe", "pacific") and rest in board(head):
        here = places_at(key)
        return f"{here[0].name} ({rest})" if here else f"{rest} ({describe(board(head)[rest])})"
    return key


def answer_words(value: Answer) -> str:
    """A result as one would say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return listed(value)
    return name(value) if isinstance(value, str) else "" if value is None else str(value)


def listed(things: Iterable[str], most: int = 6) -> str:
    names = [name(thing) for thing in things]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def joined(things: Iterable[str]) -> str:
    """All of them: one, two and three."""
    found = list(things)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"\N{MINUS SIGN}{-amount}" if amount < 0 else "0"


def gist_of(refusal: Refusal) -> str:
    """What a refusal is about: its rule's gist, or that of the clause which one row of the rule cites."""
    rule = RULES.by_name.get(refusal.rule)
    if rule is None or refusal.clause == rule.clause or refusal.clause not in catalogue():
        return rule.gist if rule is not None else ""
    return catalogue()[refusal.clause].gist


def refusal_words(refusal: Refusal) -> str:
    """Why something may not be, as a player reads it: '44 BRPs, at most 40' where a number goes too far."""
    it = refusal.outside
    if it is None:
        return spoken(refusal.text)
    amount = {"brp": f"{it.asked} BRPs", "count": str(it.asked)}.get(it.field, f"{spaced(it.field)} {it.asked}")
    return in_number(f"{spoken(it.what)}: {amount}, {it.how} {it.bound}")


#: A refusal is not longer, but for what people wrote in it.
_A_REFUSAL = 400


def spoken(text: str) -> str:
    """A rule's own words as a player reads them: names for keys and ids."""
    return _spoken(text) if len(text) <= _A_REFUSAL else _spoken.__wrapped__(text)


@lru_cache(4096)
def _spoken(text: str) -> str:
    text = _FIELDS.sub("", _EXAMPLE.sub("", text))
    text = _FIGURE.sub(lambda found: figure_name(found.group()), text)
    text = _KEY.sub(lambda found: name(found.group()), text)
    return in_number(_ID.sub(lambda found: _worded(found.group()), text))


def in_number(text: str) -> str:
    """One of what is counted as several, and several of what lies in the pool by its name: 1 BRP, 3 cruisers."""
    return _MANY_UNITS.sub(r"\1s", _ONE_IS.sub(r"\1 is", _ONE.sub(r"\1", text)))


@cache
def plurals() -> dict[str, str]:
    """What several of a kind of unit are called, where that is another word than for one."""
    many = {unit: in_number(f"2 {unit}").removeprefix("2 ") for unit in unit_kinds()}
    return {unit: said for unit, said in many.items() if said != unit}


# How a position file would write it is nothing for a player.
_EXAMPLE = re.compile(r"(?:, such as|; say another with)[^{}]*\{[^{}]*\}")
# By which fields or commands it would be written is nothing for whoever has a form before them.
_FIELDS = re.compile(r" \((?:at|at, dm|[a-z]+(?:_[a-z]+)+)\)")
_FIGURE = re.compile(r"\b(?:powers|tracks|countries|results|books|control|units|pool|options|readings)\.[\w.-]*\w")
_KEY = re.compile(r"\b(?:(?:europe|pacific)/[A-Z]{1,2}\d{1,2}|box/\w+)\b")
_SHIPS = "airbase|battlecruiser|bomber|carrier|cruiser|destroyer|interceptor|partisan|replacement|submarine|transport"
_ONE = re.compile(
    rf"(?<![\d.])(?<!\d-)(1 (?:[a-z]+ )?(?:BRP|counter|factor|hit|increase|point|squadron|time|unit|{_SHIPS}))s\b"
)
_ONE_IS = re.compile(r"(?<![\d.:\-])(?<!and )(\b1(?: [a-z]+){0,2}) are\b")
# A count, no strength, sum or ratio; and nothing that a unit's name only begins.
_MANY_UNITS = re.compile(
    rf"(?<![\d.:\-\u2013\u2212])\b((?!1 )\d+ (?:(?:unbuilt|damaged|air) )*(?:{_SHIPS}))\b"
    r"(?!-| (?:counter|factor|hex|loss|point|unit|warfare))"
)
_ID = re.compile(r"\b[a-z]+(?:_[a-z]+)*\b")


@cache
def _worded(word: str) -> str:
    """An id as one says it: a power or area by its name, a command as it is headed, any other with spaces."""
    if word in powers() or word in areas():
        return called(word)
    if "_" not in word:
        return word
    return rule_title(word) if word in command_types() else spaced(word)


def figure_name(path: str) -> str:
    """A figure of the table by what it is: 'Germany: BRP level' for powers.germany.brp."""
    try:
        row, given = find_figure(path)
    except WarCabinetError:
        return path
    names = [spaced(it) if "_" in it and name(it) == it.replace("_", " ") else name(it) for it in given]
    if row.path in _FIGURES:
        return _FIGURES[row.path].format(*names)
    return f"{', '.join(names)}: {row.text}" if names else row.text


_FIGURES = {
    "powers.<power>.<value>": "{0}: {1}",
    "tracks.<track>": "{0}",
    "options.<option>": "option {0}",
    "control.<place>": "control of {0}",
    "countries.<country>": "standing of {0}",
    "countries.<country>.status": "status of {0}",
    "countries.<country>.by": "the power with which {0} stands",
    "results.<country>": "diplomatic result for {0}",
    "books.<power>.<area>": "yearly value of {1} on the books of {0}",
    "units.<nation>.<place>.<unit>": "{2} of {0} at {1}",
    "units.<nation>.unbuilt.<unit>": "unbuilt {1} of {0}",
    "pool.<power>.<unit>": "unbuilt {1} of {0}",
}


def figure_words(value: Any) -> str:
    """What a figure is set to, as one says it."""
    if isinstance(value, dict):
        return ", ".join(f"{'' if key == 'status' else f'{key} '}{figure_words(it)}" for key, it in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(figure_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return name(value) if isinstance(value, str) and value else "none" if value in (None, "") else str(value)


#: The name under which a line of a sum stands that is no rule's value: its note says what it is.
PART = "part"


class Saying(msgspec.Struct, frozen=True):
    """A reason in words: what it is, for whom or what, and what else is to be said of it."""

    text: str
    about: str = ""
    note: str = ""


def saying(why: Why, around: Why | None = None) -> Saying:
    """What a reason is called; among several of one rule each by its thing: Burma, not the rule eight times."""
    if why.rule == PART:
        return Saying(why.note)
    if why.rule == "account_balance":
        return Saying(account_name(str(why.args[0])), note=why.note)
    rule = RULES.by_name.get(why.rule)
    gist = rule.gist if rule else rule_title(why.rule)
    known = around.args if around is not None else ()
    # A rule's own numbers stand in its value and its reasons; those of a remark (a year) say what it is about.
    about = listed(str(arg) for arg in why.args if arg not in known and not (rule and isinstance(arg, int)))
    twins = [it for it in around.because if it.rule == why.rule] if around is not None else []
    if about and around is not None and (len(twins) > 1 or _an_area(why, known)):
        return Saying(about, note=" · ".join(filter(None, (gist if len(twins) < 2 else "", why.note))))
    return Saying(gist, about, why.note)


def _an_area(why: Why, known: tuple[str | int, ...]) -> bool:
    """Whether a number is about one area more than what it is counted for."""
    new = [arg for arg in why.args if arg not in known]
    return isinstance(why.value, int) and len(new) == 1 and new[0] in areas()


def account_name(text: str) -> str:
    """An account in words: whose BRPs, base, books or units it is."""
    if text.startswith("piece/"):
        nation, where, unit = piece_named(text)
        return f"{name(nation)}, {unit} {_where(where)}"
    return _account(account_named(text))


def _account(account: Account) -> str:
    match account:
        case Brp(power):
            return f"{name(power)}, BRPs"
        case Base(power):
            return f"{name(power)}, base"
        case AtSea(power, route):
            return f"{name(power)}, BRPs at sea to {name(route)}"
        case Annual(power, area):
            return f"{name(power)}, yearly value of {name(area)}"
        case Mobilization(power, part, turn):
            return f"{name(power)}, mobilization, {part}, {calendar.turn_name(turn)}"
        case Deferred(power, turn, mobilization):
            return f"{name(power)}, deferred, {calendar.turn_name(turn)}, {mobilization}"
        case Shipbuilding(power, theater):
            return f"{name(power)}, shipbuilding" + (f", {theater}" if theater else "")
        case DeferredFrom(power, source) | ShipbuildingFrom(power, source):
            return f"{name(power)}, {account.unit} from {source}"
        case IcValue(area) | Bombed(area) | Oil(area):
            return f"{name(area)}, {account.unit}"
        case Spared(area, turn, player):
            return f"{name(area)}, spared, {calendar.turn_name(turn)}, {player}"
        case DeferredGone(how):
            return f"deferred, {how}"
        case Sink("brp", "convoys"):
            return "lost at sea, BRPs"
        case Source(unit, of) | Sink(unit, of):
            return f"{of}, {_COUNTED.get(unit, unit)}"
        case World(unit):
            return f"the world, {_COUNTED.get(unit, unit)}"


_COUNTED = {"brp": "BRPs", "annual": "books"}


def _where(where: Where) -> str:
    """Where units are: on a hex, unbuilt, on the turn record track, lost."""
    match where:
        case At(place):
            return f"at {place_name(place)}"
        case Track(turn):
            return f"due {calendar.turn_name(turn)}"
        case Mobilized(by, deferred):
            return f"of {'deferred ' if deferred else ''}mobilization {' and '.join(by)}"
        case OutOfPlay():
            return "out of play"
    return str(where)


def command_text(command: Command) -> str:
    """A command as it would be typed."""
    parts, written = [name_of(command)], as_written(command)
    for field in fields(type(command)):
        value = getattr(command, field.attribute)
        if value not in (None, "", ()) and value != field.default:
            shown = written[field.name]
            parts.append(f"{field.name}={', '.join(map(str, shown)) if field.many else shown}")
    return " ".join(parts)


def event_text(event: events.Event) -> str:
    """An event as a sentence."""
    text = spoken(_SENTENCES[type(event)](event))
    return text[:1].upper() + text[1:]


def _started(e: events.GameStarted) -> str:
    known, when = scenarios().get(e.scenario), calendar.turn_name(e.turn)
    told = known.title.partition(";")[0] if known else e.scenario
    told = told[:1].lower() + told[1:]
    return f"The game starts: {told}" if when in told else f"The game starts: {told}, {when}"


def _entry(e: events.EntryPosted) -> str:
    moved = [p for p in e.entry.postings if not isinstance(p.account, OUTSIDE)]
    told = "; ".join(_posting(p.account, p.amount) for p in moved or e.entry.postings[:1])
    # What was taken is said once: Paris on the books of Germany.
    said = e.entry.memo == "set" or told.startswith(f"{e.entry.memo} on the books")
    return told if said else f"{told}: {e.entry.memo}"


def _posting(account: Account, amount: int) -> str:
    match account:
        case Brp(power):
            return f"{name(power)} {signed(amount)} BRPs"
        case Base(power):
            return f"BRP base of {name(power)} {signed(amount)}"
        case Annual(power, area):
            return f"{name(area)} on the books of {name(power)} {signed(amount)} a year"
    return f"{_account(account)} {signed(amount)}"


def _units(e: events.UnitsMoved) -> str:
    units = f"{e.count} {e.unit}"
    told = [f" {how} {_end(it)}" for how, it in (("from", e.origin), ("to", e.to)) if not isinstance(it, NOT_IN_PLAY)]
    more = e.memo.removeprefix(units).strip()
    why = "" if more in ("", "set", e.unit) else f": {more}"
    return f"{name(e.nation)}, {units}{''.join(told)}{why}"


def _end(where: Where) -> str:
    """Where units went from or to."""
    match where:
        case At(place):
            return place_name(place)
        case Track(turn):
            return f"the turn record track of {calendar.turn_name(turn)}"
    return {"unbuilt": "the force pool", "lost": "those lost", "built": "those built"}[str(where)]


#: Whose name asks for a verb in the plural.
MANY = (PARTISANS, "baltic_states", "finnish_border")


def _does(who: str, verb: str) -> str:
    """Who does something: partisans take what a power takes."""
    return f"{name(who)} {verb if who in MANY else verb + 's'}"


def _control(e: events.ControlChanged) -> str:
    if e.by:
        return f"{_does(e.by, 'control')} {listed(e.places)}"
    # Given back to nobody by name, a place is its country's own again.
    owners: dict[str, list[str]] = {}
    for place in e.places:
        owner = default_holders().get(place, "")
        owners.setdefault("" if owner in powers() else owner, []).append(place)
    return "; ".join(
        f"{_does(owner, 'control') if owner else 'Nobody controls'} {listed(places)}"
        for owner, places in owners.items()
    )


def _status(e: events.StatusChanged) -> str:
    with_whom = {"conquered": "by", "controlled": "by", "penetrated": "by", "colony": "of"}.get(e.status, "with")
    by = f" {with_whom} {name(e.by)}" if e.by else ""
    because = f" ({e.reason})" if e.reason and e.reason != "set" else ""
    return f"{name(e.country)} {'are' if e.country in MANY else 'is'} {e.status}{by}{because}"


def _promised(e: events.Promised) -> str:
    p = e.promise
    about = f", {name(p.about)}" if p.about else ""
    amount = f" {signed(p.brp)}" if p.brp else ""
    gist = RULES.by_name[p.effect].gist
    return f"Falls due {calendar.moment_name(p.due)}: {gist} ({name(p.power)}{about}{amount})"


def _power(e: events.PowerChanged) -> str:
    if e.surrendered is not None:
        return f"{name(e.power)} {'surrenders' if e.surrendered else 'is in the war again'}"
    return f"{name(e.power)} joins the {e.faction}"


def _determined(e: events.Determined) -> str:
    of = f" of {listed(e.args)}" if e.args else ""
    because = f" ({e.fixed.reason})" if e.fixed.reason else ""
    if isinstance(e.fixed.value, bool):
        about = f": {listed(e.args)}" if e.args else ""
        return f"{rule_title(e.rule) if e.fixed.value else f'Not {rule_title(e.rule).lower()}'}{about}{because}"
    rule = RULES.by_name.get(e.rule)
    turn = isinstance(e.fixed.value, int) and rule is not None and rule.gist.startswith("The turn in which")
    value = calendar.turn_name(int(str(e.fixed.value))) if turn else answer_words(e.fixed.value) or "none"
    return f"{rule_title(e.rule)}{of}: {value}{because}"


def _released(e: events.Released) -> str:
    """What holds no longer as it was fixed, of whom or of the game as a whole."""
    of = f" of {listed(e.args)}" if e.args else ""
    return f"{rule_title(e.rule)}{of} is reckoned again"


def _happened(e: events.Happened) -> str:
    kind = " ".join(name(word) if word in powers() or "/" in word else word for word in e.happening.kind.split())
    # Two nations or areas are told apart; what follows the first otherwise is one of its units.
    first, *rest = e.happening.key.split() or [""]
    more = ", ".join(map(name, rest)) if all(called(it) != it for it in rest) else " ".join(rest)
    about = ", ".join(filter(None, (spaced(first) if name(first) == first else name(first), more)))
    return f"{rule_title(kind)}: {about}" + (f" {e.happening.amount}" if e.happening.amount else "")


def _options(e: events.OptionsChanged) -> str:
    given = msgspec.to_builtins(e.options)
    return ", ".join(f"{key.replace('_', ' ')} {figure_words(value)}" for key, value in given.items() if value)


def _closed(e: events.Closed) -> str:
    said = {
        "done": "What was due has come",
        "averted": "What was due is averted",
        "passed on": "What was due passes on",
    }
    return said.get(e.outcome, "What was due has lapsed") + (f": {e.reason}" if e.reason else "")


def _war(e: events.WarBegan) -> str:
    declared = f", declared by {name(e.declared_by)}" if e.declared_by else ""
    return f"War between {name(e.between[0])} and {name(e.between[1])}{declared}"


_SENTENCES: dict[type, Callable[[Any], str]] = {
    events.GameStarted: lambda e: _started(e),
    events.EntryPosted: _entry,
    events.UnitsMoved: _units,
    events.ControlChanged: _control,
    events.AreaTaken: lambda e: f"{_does(e.by, 'take')} {name(e.area)}" + (f" from {name(e.was)}" if e.was else ""),
    events.StatusChanged: _status,
    events.WarBegan: _war,
    events.WarEnded: lambda e: f"Peace between {name(e.between[0])} and {name(e.between[1])}",
    events.PowerChanged: _power,
    events.TrackMoved: lambda e: f"{name(e.track)} stands at {e.to}",
    events.ResultInForce: lambda e: f"Diplomatic result for {name(e.country)}: {e.result or 'none'}",
    events.TransportsCounted: lambda e: f"{e.count} transports in the {spaced(e.ocean).title()}",
    events.Happened: _happened,
    events.Promised: _promised,
    events.Closed: _closed,
    events.OperationOpened: lambda e: waits_text(e.operation),
    events.OperationMoved: lambda e: waits_text(e.operation),
    events.OperationClosed: lambda e: f"The operation is over: {e.outcome}",
    events.StepEntered: lambda e: calendar.moment_name(calendar.moment(e.turn, e.step)),
    events.YearOpened: lambda e: f"The year {e.year} begins",
    events.Determined: _determined,
    events.Released: _released,
    events.ReadingChosen: lambda e: f"{e.ruling} is played by reading {e.reading}: {_reading(e)}",
    events.OptionsChanged: lambda e: f"Options: {_options(e)}",
    events.DiceRolled: lambda e: f"A die shows {e.face}: {e.purpose}",
    events.Reported: lambda e: f"Reported: {e.text}",
    events.Corrected: lambda e: f"The referee sets {figure_name(e.figure)} to {figure_words(e.to)}: {e.reason}",
    events.DiceSeeded: lambda e: f"Dice from seed {e.seed}" if e.seed else "Dice made ready",
    events.AutoStep: lambda e: f"Automatic: {e.reason}",
}


def undertaking_lines(about: Undertaking) -> list[str]:
    """What an operation is about, in a few lines: what sails, who meets it, what it has come to so far."""
    if isinstance(about, Consignment):
        return _consigned(about)
    if isinstance(about, Allegiance):
        return [f"{name(about.country)} becomes {name(about.power)}'s minor ally, or stays by itself for good"]
    lines = [f"{name(it.power)} sends {_load(it)}" for it in about.shipments]
    if about.escorts:
        lines.append(f"Escorts: {_detached(about.escorts)}")
    means = {"air": "from the air", "ships": "by ships", "submarines": "by submarines", "submarines_with_ships": ""}
    met = [(_detached(getattr(about, field)), how) for field, how in means.items() if getattr(about, field)]
    lines += [f"Met {how or 'by submarines with the ships'}: {units}" for units, how in met]
    if about.air_attacks or about.damage or about.sunk:
        lines.append(f"Air attacks {about.air_attacks}, BRPs lost to hits {about.damage}, transports sunk {about.sunk}")
    return lines


def _consigned(it: Consignment) -> list[str]:
    lines = [f"{name(it.power)} grants {it.brp} BRPs to {name(it.to)}"] if it.brp else []
    lines += [f"{name(it.power)} ships {it.oil} oil to {name(it.to)}"] if it.oil else []
    lines += [f"{n} transports of the {spaced(ocean).title()} at risk" for ocean, n in it.afloat.items()]
    return lines + ([f"Flown over the Hump from {place_name(it.air_base)}"] if it.flown_by else [])


def _load(it: Shipment) -> str:
    oil = f" and {it.oil} oil counter{'s' if it.oil > 1 else ''}" if it.oil else ""
    return f"{it.brp} BRPs{oil} in {it.transports} transport{'s' if it.transports > 1 else ''}"


def _detached(of: Iterable[Detachment]) -> str:
    told = (f"{it.count} {it.unit} of {name(it.nation)} from {place_name(it.origin)}" for it in of if it.count)
    return in_number(", ".join(told))


def _reading(e: events.ReadingChosen) -> str:
    return ruling_named(e.ruling).readings[e.reading]
