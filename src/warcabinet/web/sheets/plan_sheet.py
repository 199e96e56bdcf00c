"""A plan as it is made by hand: lines on the line of turns, odds, preferences, questions, every fault beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from warcabinet.game.engine import as_command
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.keys import Unit
from warcabinet.model.names import ADJECTIVES, powers
from warcabinet.model.units import unit_cost
from warcabinet.plans.acting import steward
from warcabinet.plans.chances import Uncertain, told
from warcabinet.plans.editing import Edit
from warcabinet.plans.faults import Examined, Fault, Remedy, examined
from warcabinet.plans.form import Keep, Order, fields_of, filled_with
from warcabinet.web.orders.command_kinds import FieldKind, command_kinds
from warcabinet.web.orders.form_words import field_words
from warcabinet.web.orders.order_words import command_words

#: What a palette offers: in which group, which command, and in which phase it is given if nothing else is said.
PALETTE = (
    ("Orders", "declare_war", "Declare war", "declarations of war"),
    ("Orders", "build", "Build", "unit construction"),
    ("Orders", "spend", "Spend", "combat"),
    ("Orders", "grant", "Grant", "unit construction"),
    ("Orders", "mobilize", "Mobilize", "start of player turn"),
    ("Orders", "move", "Move", "movement"),
    ("Outcomes", "report_control", "A place is taken", "combat"),
    ("Outcomes", "report_loss", "Losses", "combat"),
    ("Outcomes", "report_surrender", "Surrender", "post-combat supply determination"),
    ("Outcomes", "report_result", "Diplomatic result", "diplomatic phase"),
    ("Outcomes", "report_track", "Tension", "diplomatic phase"),
    ("Outcomes", "report_bombing", "Bombing", "combat"),
)


#: Major powers whose surrender is reported once a capital is taken; no document here says it of others.
SURRENDERS = {"france": "Paris"}


class PaletteField(msgspec.Struct, frozen=True):
    """A field of a line: what it is called, and whether it takes several things, parted by commas."""

    name: str
    label: str
    hint: str
    kind: str
    many: bool
    required: bool


class PaletteLine(msgspec.Struct, frozen=True):
    group: str
    command: str
    label: str
    phase: str
    #: Whose player turn it belongs to is told by the power that this field names.
    actor: str
    fields: tuple[PaletteField, ...]


class PlanLine(msgspec.Struct, frozen=True):
    """An order or report of a plan: when, whose, what in words, on what condition."""

    index: int
    line: int
    last_line: int
    turn: str
    phase: str
    power: str
    words: str
    #: As it is written: its moment, its condition, and its fields.
    when: str
    each: str
    condition: str
    command: str
    fields: dict[str, Any]
    #: What else is written there, and stays: a name, a note, dice, between which turns.
    kept: dict[str, Any]
    #: Uncertain things that it hangs on.
    hangs_on: tuple[str, ...]
    faults: tuple[Fault, ...]
    #: What would follow from it and stands nowhere in the plan: offered, never put in by itself.
    follows: tuple[Remedy, ...]


class OddsLine(msgspec.Struct, frozen=True):
    """An uncertain thing with its odds in percent, and on how many lines it is used."""

    name: str
    kind: str
    odds: tuple[tuple[str, float], ...]
    uses: tuple[int, ...]
    line: int
    faults: tuple[Fault, ...]


class Ranked(msgspec.Struct, frozen=True):
    unit: str
    cost: int


class KeepLine(msgspec.Struct, frozen=True):
    """A power's preferences: the plan's own, or its steward's where the plan says nothing of it."""

    power: str
    own: bool
    build: tuple[Ranked, ...]
    mobilize: tuple[Ranked, ...]
    leave: int
    #: Where years differ, what is left in each.
    by_year: dict[int, int]
    reserve: int
    then_the_dearest: bool
    faults: tuple[Fault, ...]


class AskLine(msgspec.Struct, frozen=True):
    index: int
    question: str
    words: str
    faults: tuple[Fault, ...]


class PlanSheet(msgspec.Struct, frozen=True):
    """A plan as it is looked at. `read` is false where the text cannot be read at all: then only its fault is here."""

    read: bool
    title: str
    until: str
    turns: tuple[str, ...]
    lines: tuple[PlanLine, ...]
    uncertain: tuple[OddsLine, ...]
    keeps: tuple[KeepLine, ...]
    questions: tuple[AskLine, ...]
    #: All of them, also those that belong to no line.
    faults: tuple[Fault, ...]
    #: What is lawful but odd.
    odd: tuple[str, ...]


@cache
def palette() -> tuple[PaletteLine, ...]:
    kinds = {it.command: it for it in command_kinds()}
    return tuple(
        PaletteLine(group, name, label, phase, _actor(name), tuple(_fields(name, kinds[name].fields)))
        for group, name, label, phase in PALETTE
    )


def _actor(command: str) -> str:
    return {"report_control": "by", "move": "nation", "report_track": "", "report_result": ""}.get(command, "power")


def _fields(command: str, kinds: tuple[FieldKind, ...]) -> Iterator[PaletteField]:
    """The fields that matter in a plan: what must be said, and the units and BRPs that nearly always are."""
    for it in kinds:
        if it.required or it.name in ("units", "brp", "how"):
            words = field_words(command, it.name)
            yield PaletteField(it.name, words.label, words.hint, it.kind, it.many, it.required)


def plan_sheet(name: str, text: str) -> PlanSheet:
    found = examined(name, text)
    if found.document is None or found.plan is None:
        return PlanSheet(False, "", "", (), (), (), (), (), found.faults, ())
    orders = found.data.get("orders")
    lines = tuple(_line(found, at, it) for at, it in enumerate(orders if isinstance(orders, list) else []))
    uncertain = tuple(_odds(found, it, lines) for it in found.plan.uncertain if it not in found.plan.choose)
    asked = found.data.get("ask")
    return PlanSheet(
        True,
        found.plan.plan,
        str(found.plan.until),
        tuple(_turns(found)),
        lines,
        uncertain,
        tuple(_keep(found, power) for power in powers()),
        tuple(_asked(found, at, it) for at, it in enumerate(asked if isinstance(asked, list) else [])),
        found.faults,
        tuple(_odd(uncertain)),
    )


def _of(found: Examined, *path: str | int) -> tuple[Fault, ...]:
    return tuple(it for it in found.faults if it.path[: len(path)] == path)


def _turns(found: Examined) -> Iterator[str]:
    if found.turns:
        first, last = found.turns
        yield from map(calendar.turn_name, range(first, last + 1))


def _line(found: Examined, at: int, given: Any) -> PlanLine:
    assert found.document is not None
    first = found.document.line(("orders", at))
    order, plain = found.orders.get(at), given if isinstance(given, dict) else {}
    fields = {key: value for key, value in fields_of(plain).items() if key != "do"}
    turn, phase = _moment(str(plain.get("when") or plain.get("each") or ""))
    kept = {key: it for key, it in plain.items() if key not in (*fields, "do", "when", "each", "if")}
    return PlanLine(
        at,
        first,
        max(first, found.document.last_line(("orders", at))),
        turn if "when" in plain else "",
        phase,
        next((str(fields[it]) for it in ("power", "by", "nation") if fields.get(it) in powers()), ""),
        str(plain.get("name") or "") or _words(order, plain),
        str(plain.get("when", "")),
        str(plain.get("each", "")),
        str(plain.get("if", "")),
        str(plain.get("do", "")),
        fields,
        kept,
        tuple(sorted(order.hangs_on)) if order else (),
        _of(found, "orders", at),
        tuple(_follows(found, at, plain)) if order else (),
    )


def _follows(found: Examined, at: int, given: Mapping[str, Any]) -> Iterator[Remedy]:
    """Who may surrender where a capital is taken: the line that reports it, after this one, if none does yet."""
    taken, by = given.get("places"), str(given.get("by", ""))
    if given.get("do") != "report_control" or not isinstance(taken, list) or by not in powers():
        return
    orders, (turn, side, *_) = found.data["orders"], f"{given.get('when', '')}, , ".split(", ")
    told = {str(it.get("power")) for it in orders if isinstance(it, dict) and it.get("do") == "report_surrender"}
    for power, capital in SURRENDERS.items():
        if capital in map(str, taken) and power not in told and side and powers()[power].player != powers()[by].player:
            claim = f"{capital} is {next(it for it, whose in ADJECTIVES.items() if whose == by).capitalize()}"
            when = f"{turn}, {side}, post-combat supply"
            line = {"when": when, "if": claim, "do": "report_surrender", "power": power}
            yield Remedy(f"{powers()[power].name} surrenders if {claim}", (Edit(("orders", at + 1), line, True),))


def _moment(text: str) -> tuple[str, str]:
    """The turn and the phase of a moment, as far as they can be read."""
    try:
        turn, step = calendar.split(calendar.parse_moment(text))
        return calendar.turn_name(turn), calendar.steps()[step].step.name
    except WarCabinetError:
        return "", text


def _words(order: Order | None, given: Mapping[str, Any]) -> str:
    if order is not None:
        try:
            return command_words(as_command({**order.given, **filled_with(order.given, lambda name: f"({name})")}))
        except (WarCabinetError, msgspec.ValidationError):
            return order.label
    return " ".join(map(str, fields_of(given).values()))


def _odds(found: Examined, name: str, lines: tuple[PlanLine, ...]) -> OddsLine:
    assert found.plan is not None
    assert found.document is not None
    it: Uncertain = found.plan.uncertain[name]
    kind = next((key for key in ("chance", "one_of", "between", "dice") if getattr(it, key) is not None), "")
    try:
        odds = tuple((told(outcome), round(100 * share, 2)) for outcome, share in it.odds())
    except WarCabinetError:
        odds = ()
    uses = tuple(line.index for line in lines if name in line.hangs_on)
    return OddsLine(name, kind, odds, uses, found.document.line(("uncertain", name)), _of(found, "uncertain", name))


def _keep(found: Examined, power: str) -> KeepLine:
    assert found.plan is not None
    own = power in found.plan.keep
    it: Keep = found.plan.keep[power] if own else steward(power)
    plain = it.leave if isinstance(it.leave, int) else 0
    years = {} if isinstance(it.leave, int) else it.leave
    build, mobilize = (tuple(_ranked(unit) for unit in units) for units in (it.build, it.mobilize))
    faults = _of(found, "keep", power)
    return KeepLine(power, own, build, mobilize, plain, years, it.reserve, not it.nothing_else, faults)


def _ranked(unit: Unit) -> Ranked:
    try:
        return Ranked(unit, unit_cost(unit))
    except WarCabinetError:
        return Ranked(unit, 0)


def _asked(found: Examined, at: int, given: Any) -> AskLine:
    asked = found.questions.get(at)
    plain = given if isinstance(given, dict) else {}
    return AskLine(at, str(plain.get("question", "")), asked.words if asked else "", _of(found, "ask", at))


def _odd(uncertain: tuple[OddsLine, ...]) -> Iterator[str]:
    """What is lawful but odd: it is said, and nothing is held up by it."""
    for it in uncertain:
        if not it.uses and not it.faults:
            yield f"{it.name} is uncertain, but no line asks for it"
