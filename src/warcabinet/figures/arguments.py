"""What values and definitions may be asked for: their arguments by name, checked before a rule sees them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from itertools import product, zip_longest
from typing import Any

from warcabinet.board.names import places_at
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.model.names import area_named, countries, nation_named, no_such, power_named, spelled
from warcabinet.model.places import place_key


def _country(name: str) -> None:
    if name not in countries():
        raise no_such("country", name, countries())


def _number(given: Any) -> None:
    if not str(given).lstrip("-").isdigit():
        raise WarCabinetError(f"a whole number is wanted, not {given!r}")


PLACES = ("place", "from", "to")
# What a supply line may run to besides a place (37.13E).
OFF_BOARD = ("eastern edge",)
_BY_PARAMETER: dict[str, Callable[[Any], object]] = {
    "power": power_named,
    "attacker": power_named,
    "area": area_named,
    "country": _country,
    "nation": nation_named,
    "place": place_key,
    "from": lambda name: name in OFF_BOARD or place_key(name),
    "to": lambda name: name in OFF_BOARD or place_key(name),
}


def listed_arguments(rule: str, given: Any) -> list[Any]:
    """The arguments of a value or definition in order, however they were written: in order, by name, or as the one."""
    if isinstance(given, list | tuple):
        return list(given)
    if not isinstance(given, dict):
        return [] if given is None else [given]
    if rule not in RULES.values():
        raise unknown("value or definition", rule, RULES.values())
    wanted = RULES.values()[rule].parameters
    for name in given:
        if name not in wanted:
            raise WarCabinetError(f"{rule} has no argument '{name}'; it is asked for ({', '.join(wanted)})")
    missing = [name for name in wanted if name not in given]
    if missing:
        raise WarCabinetError(f"{rule}: {', '.join(missing)} is missing; it is asked for ({', '.join(wanted)})")
    return [given[name] for name in wanted]


def spellings(rule: str, args: Sequence[Any]) -> list[tuple[str, ...]]:
    """The arguments in every way in which a rule may ask for them: a place by name and by key. As given comes first."""
    ways: list[list[str]] = []
    for parameter, given in zip(RULES.values()[rule].parameters, args, strict=True):
        text = spelled(str(given), parameter) if parameter in ("power", "area", "country") else str(given)
        if parameter in PLACES and text not in OFF_BOARD:
            key = place_key(text)
            ways.append(list(dict.fromkeys((text, key, *(place.name for place in places_at(key))))))
        else:
            ways.append([text])
    return list(product(*ways))


def arguments(rule: str, args: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of a value or definition with powers and areas by their ids and places by their keys, checked."""
    values = RULES.values()
    wanted = values[rule].parameters if rule in values else ()
    given = [
        spelled(one, kind) if isinstance(one, str) and kind in ("power", "area", "country") else one
        for one, kind in zip_longest(args, wanted)
    ]
    check_arguments(rule, given[: len(args)])
    return tuple(_as_asked(*it) for it in zip(wanted, _kinds(rule), given, strict=True))


def _as_asked(parameter: str, kind: str, given: Any) -> Any:
    """An argument as rules ask one another for it: a number, or a place by its key, as not every rule knows names."""
    if kind == "int":
        return int(given)
    if parameter == "hex":
        return place_key(given if "/" in given or not given[-1:].isdigit() else f"pacific/{given}")
    return place_key(given) if parameter in PLACES and given not in OFF_BOARD else given


def _kinds(rule: str) -> list[str]:
    """What a value or definition is asked with, in order: names (str) and whole numbers (int)."""
    parameters = inspect.signature(RULES.values()[rule].fn).parameters
    return [str(it.annotation) for it in parameters.values()][1:]


def check_arguments(rule: str, args: Sequence[Any]) -> None:
    """Refuse what a value or definition cannot be asked for: too many or too few arguments, names of nothing."""
    values = RULES.values()
    if rule not in values:
        raise unknown("value or definition", rule, values)
    wanted = values[rule].parameters
    if len(wanted) != len(args):
        raise WarCabinetError(f"{rule} is asked for ({', '.join(wanted)}); {len(args)} given")
    for parameter, kind, given in zip(wanted, _kinds(rule), args, strict=True):
        check = _number if kind == "int" else _BY_PARAMETER.get(parameter)
        if check is not None:
            check(given)


_AMONG = {"supply": ("open", "cut")}
_KINDS = {"int": (int, "a whole number"), "bool": (bool, "true or false"), "str": (str, "a name")}


def check_result(rule: str, given: Any) -> None:
    """Refuse a ruling whose result is not of the rule's own kind."""
    wanted = RULES.values()[rule].returns
    if wanted in _KINDS and type(given) is not _KINDS[wanted][0]:
        raise WarCabinetError(f"{rule} is {_KINDS[wanted][1]}, not {given!r}")
    if wanted not in _KINDS and not isinstance(given, list | tuple):
        raise WarCabinetError(f"{rule} is a list of names, not {given!r}")
    if given not in _AMONG.get(rule, (given,)):
        raise WarCabinetError(f"{rule} is {' or '.join(_AMONG[rule])}, not {given!r}")
