"""Offers: what may be commanded now, and how far. The limits that refuse a command also narrow its fields."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from warcabinet.board.maps import both
from warcabinet.game.mobilization_calendar import Arrival, mobilization_sheets
from warcabinet.game.pools import Buildable, buildable
from warcabinet.house.books_alone import fits_table
from warcabinet.house.form import check_names, untimely, wanted
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.limits import Bound, Choice, Draft, Finding, Limit, Refusal, StillOpen, Watched, settled_limits
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.commands import Field, command_types, fields, is_report, name_of, old_names
from warcabinet.model.commands.base import Command
from warcabinet.model.names import ids_of, powers
from warcabinet.model.places import SomeHex, board_of, place_written
from warcabinet.model.reading import read_names
from warcabinet.model.state import State
from warcabinet.rules.common.waiting import duties
from warcabinet.rules.economy.deferral import deferred_brps
from warcabinet.rules.economy.force_pools import ground_units_listed, watched
from warcabinet.rules.economy.industrial_centers import ic_may_rise
from warcabinet.rules.economy.key_areas import ics
from warcabinet.rules.economy.mobilization_schedule import theaters_of

#: What it means to name a war with a mobilization: it is a promise, not the declaration.
WAR_HINT = "for transports and a second shipbuilding increase: a war that must then be declared in this player turn"


#: Kinds of fields that hold places: judged by their keys, offered by their names.
PLACES = ("place", "place or none")


class FieldOffer(msgspec.Struct, omit_defaults=True):
    """What a field may still be: its bounds or its choices, and the clauses that say so."""

    name: str
    kind: str
    required: bool
    text: str = ""
    most: int | None = None
    least: int | None = None
    among: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    shut: bool = False
    hint: str = ""


class Offer(msgspec.Struct, omit_defaults=True):
    """A command with its open fields; with refusals it is not available, and they say why."""

    command: str
    text: str
    known: dict[str, Any] = {}
    fields: dict[str, FieldOffer] = {}
    refusals: tuple[Refusal, ...] = ()
    report: bool = False
    #: The open operation that this command would reply to.
    replies_to: str = ""
    #: The clause by which the game waits for this very command.
    duty: str = ""

    @property
    def available(self) -> bool:
        return not self.refusals


def narrow(state: State, command: str, known: dict[str, Any], left_out: bool = False) -> Offer:
    """A command of which some fields are known: what is left open for the others.

    Where a number alone is open, its bound is the most that the judge takes. With `left_out` that is so once nothing
    else is missing: what may be left out counts as left out.
    """
    with quietly():
        return _hinted(state, _tightened(state, command, known, left_out))


def may_be_given(state: State, command: str, known: dict[str, Any]) -> bool:
    """Whether nothing stands against a command of which so much is known."""
    with quietly():
        return _tightened(state, command, known).available


def _tightened(state: State, command: str, known: dict[str, Any], left_out: bool = False) -> Offer:
    command = old_names().get(command, command)
    kind = command_types().get(command)
    if kind is None:
        raise unknown("command", command, command_types())
    names = [field.name for field in fields(kind)]
    for name in known:
        if name not in names:
            raise unknown(f"field of {command}", name, names)
    known = _typed(kind, read_names(kind, known))
    check_names(kind, known)
    offer = _narrowed(state, kind, known)
    for field in offer.fields.values():
        others = [it for it in fields(kind) if it.name in offer.fields and it.name != field.name]
        if field.most is not None and not any(it.required or not left_out for it in others):
            whole = {**{it.name: it.default for it in others}, **known}
            shut = _tighten(state, kind, field, whole, offer.refusals)
            offer.refusals = offer.refusals or (() if others else shut)
    return offer


#: Within so many values of a number each is tried; in longer stretches what is refused is refused to all above it.
_TRIED = 32


def _tighten(
    state: State, kind: type[Command], field: FieldOffer, known: dict[str, Any], anyway: tuple[Refusal, ...]
) -> tuple[Refusal, ...]:
    """Lower the bound of a number, all else being known, to the most that the judge takes; if none, say why."""

    def refusals(value: int) -> tuple[Refusal, ...]:
        found = _narrowed(state, kind, {**known, field.name: value}).refusals
        return tuple(it for it in found if it not in anyway)

    assert field.most is not None
    most, least = field.most, max(0, field.least or 0)
    if most <= least or not refusals(most):
        return ()
    if most - least > _TRIED:
        tried = range(least, most)
        most = least + bisect_left(tried, True, key=lambda it: bool(refusals(it))) - 1
    else:
        most = next((it for it in range(most - 1, least - 1, -1) if not refusals(it)), -1)
    if most < least:
        return refusals(least)
    field.by = tuple(dict.fromkeys(it.clause for it in refusals(most + 1)))
    field.most, field.shut = most, most == 0 and not field.required
    return ()


def _narrowed(state: State, kind: type[Command], known: dict[str, Any]) -> Offer:
    """The offer of a command whose known fields are what their types and names want."""
    command, text, open_fields = _form(kind)
    found = {name: FieldOffer(*form) for name, form in open_fields if name not in known}
    offer = Offer(command, text, known, found, report=is_report(kind))
    if state.waiting is not None and command in state.waiting.replies:
        offer.replies_to = state.waiting.id
    draft: Any = Draft(kind, _filled(kind, known))
    offer.refusals = tuple(untimely(state, kind, draft))
    for limit in settled_limits(state, draft, RULES.limits.get(kind, ())):
        try:
            _narrow_by(offer, state, draft, limit)
        except StillOpen:
            continue
    for opening in RULES.openings.get(kind, ()):
        try:
            _open_only(offer, opening(state, draft), opening)
        except StillOpen:
            continue
    return offer


def _hinted(state: State, offer: Offer) -> Offer:
    """An offer that says what its units could be, and which industrial centers may rise."""
    command, found = offer.command, offer.fields
    if offer.available and offer.known.get("power") in powers():
        if "units" in found:
            found["units"].hint = _units_hint(state, command, offer.known)
        if command == "mobilize" and "war_on" in found and not found["war_on"].shut:
            found["war_on"].hint = WAR_HINT
        if command == "raise_ics" and "ics" in found:
            field = found["ics"]
            field.among, field.by = tuple(it.area for it in ics() if ic_may_rise(state, it.area)), ("37.63",)
    return offer


@cache
def _form(kind: type[Command]) -> tuple[str, str, tuple[tuple[str, tuple[Any, ...]], ...]]:
    """A command's name, what it is for, and each of its fields as it is offered before anything narrows it."""
    text = (kind.__doc__ or "").split("\n")[0]
    shown = ((it, (it.name, it.kind, it.required, it.text, None, it.least, choices(it))) for it in fields(kind))
    return name_of(kind), text, tuple((it.name, form) for it, form in shown)


def _units_hint(state: State, command: str, known: dict[str, Any]) -> str:
    """What units an order could name: what a mobilization brings and when it arrives, or what is unbuilt."""
    power, theater = known["power"], known.get("theater", "")
    if command == "mobilize" and theater in theaters_of(power):
        sheet = next(it for it in mobilization_sheets(state, power) if it.theater == theater)
        return f"{sheet.size} BRPs of units; they arrive in {_by_turn(sheet.arrivals)}{_listed(state, power)}"
    if command == "trigger_deferred":
        return f"{deferred_brps(state, power)} deferred BRPs of units{_listed(state, power)}"
    if command == "build":
        return "; ".join(map(_stock, buildable(state, power)))
    return ""


def _stock(it: Buildable) -> str:
    """Units of a force pool: how many, at what price, and how many of them can be paid now where not all can."""
    if not it.cost:
        return f"{it.unbuilt} {it.unit}, whose cost is not known"
    price = f"{it.unbuilt} {it.unit} at {it.cost} BRP{'' if it.cost == 1 else 's'}"
    return price if it.most == it.unbuilt else f"{price}, {it.most or 'none'} of them now"


def _listed(state: State, power: str) -> str:
    """The ground units that a power's list of counters has, where the game asks it; others need a word (WC.28)."""
    if not watched(state):
        return ""
    return f"; ground units on the list: {', '.join(ground_units_listed(state, power))}"


def _by_turn(arrivals: Iterable[Arrival]) -> str:
    """Kinds of units with their costs under the turn in which they would arrive, the soonest first."""
    turns: dict[str, list[str]] = {}
    for it in sorted(arrivals, key=lambda it: calendar.parse_turn(it.arrives)):
        turns.setdefault(it.arrives, []).append(f"{it.type} ({it.cost} a {it.per})")
    return "; ".join(f"{turn}: {', '.join(kinds)}" for turn, kinds in turns.items())


def _typed(kind: type[Command], known: dict[str, Any]) -> dict[str, Any]:
    """The known fields as their types want them; a limit need not fear text where a number belongs."""
    types = _types(kind)
    found = {}
    for name, value in known.items():
        try:
            found[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            field = next(field for field in fields(kind) if field.name == name)
            raise WarCabinetError(f"{name}: {wanted(field)} ({error})") from None
    return found


@cache
def _types(kind: type[Command]) -> dict[str, Any]:
    return {f.encode_name: f.type for f in msgspec.structs.fields(kind)}


def choices(field: Field) -> tuple[str, ...]:
    """The names that a field's kind allows, where they are few enough to list."""
    if field.among:
        return field.among
    kind = field.kind.removesuffix(" or none")
    return tuple(ids_of(kind))


def _draft(kind: type[Command], known: dict[str, Any]) -> Any:
    """A command with only some fields filled; whoever looks at another learns that it is open."""
    return Draft(kind, _filled(kind, known))


def drafted(kind: type[Command], known: dict[str, Any]) -> Any:
    """A command of which some fields are known, as a limit may be asked about it."""
    return _draft(kind, _typed(kind, read_names(kind, known)))


def _watched(kind: type[Command], known: dict[str, Any]) -> Any:
    """A command with only some fields filled, which remembers which of them were looked at."""
    return Watched(kind, _filled(kind, known))


# What every command carries is never open.
_CARRIED: dict[str, Any] = {"seat": "", "seq_seen": None, "minded": ""}


def _filled(kind: type[Command], known: dict[str, Any]) -> dict[str, Any]:
    attributes = _attributes(kind)
    filled = dict(_CARRIED)
    for name, value in known.items():
        filled[attributes[name]] = value
    return filled


@cache
def _attributes(kind: type[Command]) -> dict[str, str]:
    """The attribute behind each field's name."""
    return {field.name: field.attribute for field in fields(kind)}


def _narrow_by(offer: Offer, state: State, draft: Any, limit: Limit[Any, Any]) -> None:
    for finding in limit.findings(state, draft):
        if isinstance(finding, Bound) and finding.field in offer.fields:
            _bound(offer, finding, limit)
        elif isinstance(finding, Choice) and finding.field in offer.fields:
            _open_only(offer, finding, limit)
        elif refusal := limit.judge(draft, finding):
            offer.refusals = (*offer.refusals, refusal)


def _open_only(offer: Offer, choice: Choice, rule: Rule) -> None:
    """Leave a field only what is open; a command that needs something where nothing is open is not available."""
    field = offer.fields.get(choice.field)
    if field is None:
        return
    open_ = tuple(map(place_written, choice.among)) if field.kind in PLACES else choice.among
    field.among = tuple(name for name in field.among or open_ if name in open_)
    field.by = (*field.by, choice.clause or rule.clause)
    field.shut = not field.among
    if field.required and field.shut:
        told = choice.text or f"{rule.gist}: nothing fits"
        offer.refusals = (*offer.refusals, Refusal(choice.clause or rule.clause, told, rule.name))


def _bound(offer: Offer, bound: Bound, limit: Limit[Any, Any]) -> None:
    field, clause = offer.fields[bound.field], bound.clause or limit.clause
    if bound.most is not None:
        if field.most is None or bound.most < field.most:
            field.most, field.by = bound.most, (clause,)
        elif bound.most == field.most:
            field.by = (*field.by, clause)
    if bound.least is not None:
        field.least = bound.least if field.least is None else max(field.least, bound.least)
        if clause not in field.by:
            field.by = (*field.by, clause)
    field.shut = field.most == 0 and not field.required
    if field.most is not None and field.least is not None and field.most < field.least:
        text = bound.text or limit.gist
        offer.refusals = (*offer.refusals, Refusal(clause, f"{text}: nothing is left", limit.name))


def _starting_points(command: str, power: str) -> list[dict[str, Any]]:
    """What is known of a command from the start: its power, and for American mobilizations the theater."""
    if command == "mobilize" and power == "usa":
        return [{"power": power, "theater": theater} for theater in ("europe", "pacific")]
    return [{"power": power}]


def offers(state: State, held: Iterable[str] = ()) -> list[Offer]:
    """Everything that can be commanded now, for the powers held (none named: all), unavailable things with reasons."""
    mine = list(held) or list(powers())
    # Figures that several commands ask for are worked out once.
    with quietly():
        found = _replies(state, mine) or _owed(state, mine)
        asked_for = state.waiting.replies if state.waiting is not None else ()
        owed = {it.command for it in found if not it.known}
        for name, kind in command_types().items():
            if not fits_table(state, kind):
                continue
            if kind.reply:
                # What nothing asks for is told of once, not for every power; what is asked of others is theirs.
                found += [_narrowed(state, kind, {})] if name not in asked_for else []
            elif not is_report(kind) and _of_power(kind):
                known = (it for power in mine for it in _starting_points(name, power))
                found += [_hinted(state, _narrowed(state, kind, it)) for it in known]
            elif name not in owed:
                found.append(_narrowed(state, kind, {}))
    return found


@cache
def _of_power(kind: type[Command]) -> bool:
    """Whether it names a power that it is of."""
    return any(field.name == "power" for field in fields(kind))


def _replies(state: State, mine: list[str]) -> list[Offer]:
    """What the open operation asks of these powers: it comes before everything else."""
    waiting = state.waiting
    if waiting is None:
        return []
    asked = [power for power in mine if power in waiting.waits_for]
    found: list[Offer] = []
    for name in waiting.replies:
        if _of_power(command_types()[name]):
            found += [narrow(state, name, {"power": power}) for power in asked]
        elif asked:
            found.append(narrow(state, name, {}))
    return found


def _owed(state: State, mine: list[str]) -> list[Offer]:
    """What these powers must do before the game goes on, each with the country it is about."""
    found = []
    for duty in duties(state):
        power = next((it for it in duty.of if it in mine), "")
        if power and (duty.actor or all(it in mine for it in duty.of)):
            acting = {duty.actor: power} if duty.actor else {}
            offer = narrow(state, duty.command, {**acting, **duty.known})
            offer.duty = duty.clause
            found.append(offer)
    return found


def refused_values(
    state: State, command: str, known: dict[str, Any], field: str, values: Iterable[str]
) -> dict[str, Refusal]:
    """Which of these values a field may not have, given what is known of the others, and the first reason for each."""
    with quietly():
        against = judge_of_values(state, command, known, field)
        judged = {value: against(value) for value in values}
    return {value: refusal for value, refusal in judged.items() if refusal is not None}


def judge_of_values(state: State, command: str, known: dict[str, Any], field: str) -> Callable[[str], Refusal | None]:
    """The first reason against a value of a field, given what is known of the others, for any value.

    Once nothing else is missing, what may be left out counts as left out.
    """
    command = old_names().get(command, command)
    kind = command_types().get(command)
    if kind is None:
        raise unknown("command", command, command_types())
    asked = next((it for it in fields(kind) if it.name == field), None)
    if asked is None:
        raise unknown(f"field of {command}", field, [it.name for it in fields(kind)])
    rest = {name: value for name, value in known.items() if name != field}
    rest = _typed(kind, read_names(kind, rest))
    check_names(kind, rest)
    whole = all(it.name in rest or it.name == field for it in fields(kind) if it.required)
    if whole:
        rest = {**{it.name: it.default for it in fields(kind) if not it.required and it.name != field}, **rest}
    given = tuple(known.get(field) or ()) if asked.many else ()
    made = (lambda known: kind(**_filled(kind, known))) if whole else (lambda known: _draft(kind, known))
    said: dict[Limit[Any, Any], int] = {}
    speak = _looking_at_more(state, _draft(kind, rest), RULES.limits.get(kind, ()), said=said)
    # Most values are hexes of one board, and many limits speak of boxes alone.
    boards = (it.name for it in both() if asked.kind == "place" and not asked.many)
    of_hexes: dict[str, Limits] = {
        it: _looking_at_more(state, _draft(kind, {**rest, field: SomeHex(f"{it}/")}), *speak, refusing=True)
        for it in boards
    }

    def against(value: str) -> Refusal | None:
        draft = made({**rest, **_read(kind, asked, given, value)})
        return _first_refusal(state, of_hexes.get(board_of(value), speak), draft, said)

    return against


def _read(kind: type[Command], field: Field, given: tuple[str, ...], value: str) -> dict[str, Any]:
    """One more value of a field, or the one it has, as a command would be read that has it."""
    return read_names(kind, {field.name: (*given, value) if field.many else value})


#: Limits, and those among them that are set aside.
Limits = tuple[list[Limit[Any, Any]], set[Limit[Any, Any]]]


def _looking_at_more(
    state: State,
    draft: Any,
    limits: Iterable[Limit[Any, Any]],
    put_aside: Iterable[Limit[Any, Any]] = (),
    refusing: bool = False,
    said: dict[Limit[Any, Any], int] | None = None,
) -> Limits:
    """The limits that have yet to look at an open field of a draft, and those that are set aside whatever it is.

    What a limit says without looking at it, it says of every value: how many things those are stands in `said`. One
    that is `refusing` every hex is asked of each all the same: its reason names the place.
    """
    left: list[Limit[Any, Any]] = []
    aside = set(put_aside)
    for limit in limits:
        told: list[Finding] = []
        try:
            if limit in aside or not limit.holds(state, draft):
                continue
            aside.update(limit.displaces)
            # All of them, or a limit that tells of several would not have looked at anything yet.
            told.extend(limit.findings(state, draft))
            if not refusing or all(it is None for it in told):
                continue
        except StillOpen:
            if said is not None:
                said[limit] = len(told)
        left.append(limit)
    return left, aside


def _first_refusal(state: State, limits: Limits, draft: Any, said: dict[Limit[Any, Any], int]) -> Refusal | None:
    """The first reason against a draft that has to do with a field: what was `said` before it was looked at has not."""
    for limit in settled_limits(state, draft, *limits):
        try:
            for number, finding in enumerate(limit.findings(state, draft)):
                refusal = limit.judge(draft, finding) if number >= said[limit] else None
                if refusal is not None:
                    return refusal
        except StillOpen:
            continue
    return None


def moments_to_come(state: State, kind: type[Command], power: str, ahead: int) -> Iterator[int]:
    """The moments to come in which an order of this power belongs, as far as its phases and its side say."""
    steps = _steps_of(kind, powers()[power].player if power in powers() else "")
    for turn in range(state.turn, state.turn + ahead + 1):
        for index in steps:
            if calendar.moment(turn, index) > state.moment:
                yield calendar.moment(turn, index)


@cache
def _steps_of(kind: type[Command], side: str) -> tuple[int, ...]:
    """The steps of a turn in which an order of a side belongs."""
    phases, parts = RULES.orders[kind].phases, (side,) if side else calendar.PLAYERS
    there = ((index, it.part, it.step.name) for index, it in enumerate(calendar.steps()))
    return tuple(index for index, part, name in there if part in parts and (not phases or name in phases))
