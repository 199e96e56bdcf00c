"""What values and definitions may be asked for: their arguments by name, checked before a rule sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.model.names import area_named, countries, no_such, power_named


def _country(name: str) -> None:
    if name not in countries():
        raise no_such("country", name, countries())


def _number(given: Any) -> None:
    if not str(given).lstrip("-").isdigit():
        raise WarCabinetError(f"a whole number is wanted, not {given!r}")


_BY_PARAMETER: dict[str, Callable[[Any], object]] = {
    "power": power_named,
    "area": area_named,
    "country": _country,
    "amount": _number,
}


def check_arguments(rule: str, args: Sequence[Any]) -> None:
    """Refuse what a value or definition cannot be asked for: too many or too few arguments, names of nothing."""
    values = RULES.values()
    if rule not in values:
        raise unknown("value or definition", rule, values)
    wanted = values[rule].parameters
    if len(wanted) != len(args):
        raise WarCabinetError(f"{rule} is asked for ({', '.join(wanted)}); {len(args)} given")
    for parameter, given in zip(wanted, args, strict=True):
        check = _BY_PARAMETER.get(parameter)
        if check is not None:
            check(given)


_KINDS = {"int": (int, "a whole number"), "bool": (bool, "true or false"), "str": (str, "a name")}


def check_result(rule: str, given: Any) -> None:
    """Refuse a ruling whose result is not of the rule's own kind."""
    wanted = RULES.values()[rule].returns
    if wanted in _KINDS and type(given) is not _KINDS[wanted][0]:
        raise WarCabinetError(f"{rule} is {_KINDS[wanted][1]}, not {given!r}")
