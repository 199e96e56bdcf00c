"""The form of a command, checked before any rule: do the names exist, may this seat give it, is it the time for it?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from warcabinet.figures.table import correction
from warcabinet.kernel.errors import WarCabinetError, one_of_several, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.limits import Refusal, StillOpen
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands import REFEREE, Field, fields, is_report, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance, Correct
from warcabinet.model.names import (
    TRACKS,
    among,
    area_named,
    belligerent,
    called,
    countries,
    nation_named,
    power_named,
    powers,
)
from warcabinet.model.places import place_key
from warcabinet.model.rulings import ruling_named
from warcabinet.model.state import State
from warcabinet.model.unit_lists import parse_count, parse_force, parse_placement
from warcabinet.model.units import check_units

SEATS = "WC.9"


def _rule(name: str) -> None:
    if name not in RULES.values():
        raise unknown("value or definition", name, RULES.values())


def _placement(text: str) -> None:
    named = parse_placement(text)
    check_units(named.unit, named.count)


def _force(text: str) -> None:
    named = parse_force(text)
    check_units(named.unit, named.count)
    if named.nation:
        nation_named(named.nation)


# A name that was found once need not be looked for again.
_CHECKS: dict[str, Callable[[str], object]] = {
    "power": lasting(power_named),
    "area": lasting(area_named),
    "country": lasting(among("country", countries)),
    "place": place_key,
    "track": lasting(among("track", lambda: TRACKS)),
    "belligerent": lasting(belligerent),
    "unit": check_units,
    "nation": lasting(nation_named),
    "placement": _placement,
    "stack": _placement,
    "force": _force,
    "unit count": lambda text: check_units(*parse_count(text)),
    "rule": _rule,
    "ruling": ruling_named,
}


@lasting
def _checked_fields(kind: type[Command]) -> tuple[tuple[str, str, bool, bool, Callable[[str], object]], ...]:
    """The fields that hold names: name, attribute, whether it may be empty, whether it holds many, and the check."""
    found = []
    for field in fields(kind):
        plain = field.kind.removesuffix(" or none")
        if plain in _CHECKS:
            found.append((field.name, field.attribute, plain != field.kind, field.many, _CHECKS[plain]))
    return tuple(found)


def misnamed(field: Field, given: Any) -> Iterator[Refusal]:
    """What is wrong with the names given in one field of a command that is not complete yet."""
    plain = field.kind.removesuffix(" or none")
    if plain not in _CHECKS or (not given and plain != field.kind):
        return
    for number, one in enumerate(given if field.many else (given,)):
        try:
            _CHECKS[plain](one)
        except WarCabinetError as error:
            yield Refusal("", f"{field.name}: {one_of_several(error, number)}")


def malformed(s: State, command: object) -> list[Refusal]:
    """Everything that is wrong with a command as such: unknown names, a figure that cannot be set."""
    assert isinstance(command, Command)
    found: list[Refusal] = []
    for name, attribute, optional, many, check in _checked_fields(type(command)):
        given = getattr(command, attribute)
        if given or not optional:
            for one in given if many else (given,):
                try:
                    check(one)
                except WarCabinetError as error:
                    found.append(Refusal("", f"{name}: {one_of_several(error, len(found))}"))
    if isinstance(command, Correct):
        try:
            correction(s, command.figure, command.to)
        except WarCabinetError as error:
            found.append(Refusal("", str(error)))
    return found


def misfit(kind: type[Command], message: str) -> str:
    """What is wrong with the shape of a command, in terms of its fields, and what would be right."""
    missing = re.search(r"missing required field `(\w+)`", message)
    unknown_field = re.search(r"unknown field `(\w+)`", message)
    named = re.search(r"at `\$\.(\w+)", message)
    known = {field.name: field for field in fields(kind)}
    if unknown_field:
        return f"unknown field `{unknown_field.group(1)}`; its fields are {', '.join(known)}"
    field = known.get(missing.group(1) if missing else named.group(1) if named else "")
    if field is None:
        return message
    if missing:
        return f"{field.name} is missing: {wanted(field)}"
    return f"{field.name}: {wanted(field)} ({message.partition(' - at ')[0]})"


def wanted(field: Field) -> str:
    """What a field takes, in a few words."""
    if field.among:
        return f"write one of {', '.join(filter(None, field.among))}"
    what = _WANTED.get(field.kind.removesuffix(" or none"))
    if what and field.many:
        return f"write {what}"
    what = what or (f"a {field.kind}" if field.kind not in ("text", "any") else field.text or "text")
    least = f", at least {field.least}" if field.least is not None else ""
    return f"write a list of {field.kind}s" if field.many else f"write {what}{least}"


_WANTED = {
    "brp": "a number of BRPs",
    "number": "a whole number",
    "yes or no": "yes or no",
    "unit": "a unit such as armor 4-6",
    "unit count": "units such as 3 army air, 2 armor 3-5",
    "placement": "units with their place such as 2 infantry 1-3 at Brussels",
    "stack": "units where they stand such as 2 destroyer at Scapa Flow",
    "force": "units where they stand such as 2 armor 4-6 at Posen, or 3 infantry 2-3 of France at Paris to Orleans",
    "place": "a place such as Brussels or M25",
    "belligerent": "a power or country",
    "nation": "a power or country",
}


def check_names(kind: type[Command], known: dict[str, Any]) -> None:
    """Refuse names of nothing among the fields of a command that are known so far."""
    for name, _, optional, many, check in _checked_fields(kind):
        if name in known and (known[name] or not optional):
            for one in known[name] if many else (known[name],):
                check(one)


def untimely(s: State, kind: type[Command], command: Command) -> list[Refusal]:
    """Orders are given in their phase and in one's own player turn; only the referee rules and corrects.

    The command may be a draft: what hangs on a field that is still open is not said yet.
    """
    order, seat = RULES.orders[kind], command.seat
    found = _unseated(s, kind, seat) if seat else []
    if order.phases and (now := s.place.step.name) not in order.phases:
        found.append(_out_of_phase(kind, now))
    return found + _out_of_turn(s, command, order.out_of_turn) if _names_power(kind) else found


@lasting
def _out_of_phase(kind: type[Command], now: str) -> Refusal:
    order = RULES.orders[kind]
    *others, last = order.phases
    when = f"{', '.join(others)} or {last}" if others else last
    return Refusal(order.clause, f"only in {when}; it is now {now}", also=order.also)


def _unseated(s: State, kind: type[Command], seat: str) -> list[Refusal]:
    """What is wrong with the seat that gives a command; the table itself may do everything."""
    found: list[Refusal] = []
    if kind.referee_only and seat != REFEREE:
        found.append(Refusal(SEATS, f"{name_of(kind).replace('_', ' ')} is the referee's; ask the referee to do it"))
    if kind is Advance and seat in powers() and s.player and powers()[seat].player != s.player:
        told = f"it is the {s.player} player turn; its side goes on, not {powers()[seat].name}"
        found.append(Refusal(SEATS, told))
    asked = s.waiting.waits_for if kind.reply and s.waiting is not None else ()
    if asked and seat in powers() and seat not in asked:
        told = f"{' and '.join(map(called, asked))} is asked here, not {called(seat)}"
        found.append(Refusal(SEATS, told))
    return found


@lasting
def _names_power(kind: type[Command]) -> bool:
    """Whether it is an order of a power that it names."""
    return not is_report(kind) and "power" in kind.__struct_fields__


def _out_of_turn(s: State, command: Command, whenever: bool) -> list[Refusal]:
    """What is wrong with the power that an order names: another seat's, or not on turn."""
    try:
        power = powers().get(getattr(command, "power", ""))
    except StillOpen:
        return []
    if power is None:
        return []
    found: list[Refusal] = []
    player = s.player
    if command.seat and command.seat != power.power and command.seat in powers():
        found.append(
            Refusal(SEATS, f"the seat {called(command.seat)} commands {called(command.seat)}, not {power.name}")
        )
    if not player:
        found.append(Refusal("WC.1", "no power acts in the year start; go on to the spring turn"))
    elif not whenever and power.player != player:
        told = f"{power.name} moves in the {power.player} player turn; it is the {player} one"
        found.append(Refusal("WC.1", told))
    return found
