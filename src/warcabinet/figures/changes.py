"""A position written as changes of another: mappings merge, `name+` adds to a list, whatever else is said replaces."""

from __future__ import annotations

import re
from typing import Any

from warcabinet.kernel.errors import WarCabinetError

#: At the end of a name: what follows is added to the list that is there.
PLUS = "+"
# A country that is named gets its whole line anew.
_ANEW = re.compile(r"set\.countries\.[^.]+")
# What a position sets may add to a list of its scenario, which is not known here; control is changed place by place.
_TO_THE_SCENARIO = re.compile(r"set\.(?!control\b).*")

Raw = dict[str, Any]


def changed(there: Raw, own: Raw, path: str = "") -> Raw:
    """What is there, with changes of one's own; those come last, so that they hold against any other spelling."""
    made = dict(there)
    # What is said whole comes before what is added to it.
    for key, value in sorted(own.items(), key=lambda it: str(it[0]).endswith(PLUS)):
        name = str(key)
        bare = name.removesuffix(PLUS)
        here = f"{path}.{bare}".lstrip(".")
        if name != bare:
            _add(made, bare, value, here)
            continue
        made.pop(f"{name}{PLUS}", None)
        old = made.pop(key, None)
        if isinstance(value, dict):
            merges = isinstance(old, dict) and not _ANEW.fullmatch(here)
            value = changed(old if merges and old else {}, value, here)
        made[key] = value
    return made


def _add(made: Raw, bare: str, value: Any, here: str) -> None:
    """Add to a list; where none is there yet, the scenario may have one, and what a position sets is left to it."""
    if not isinstance(value, list):
        raise WarCabinetError(f"{here}{PLUS} adds the lines of a list, not {value!r}; without {PLUS} it is set")
    to_the_scenario = _TO_THE_SCENARIO.fullmatch(here) is not None
    key = f"{bare}{PLUS}" if to_the_scenario and not isinstance(made.get(bare), list) else bare
    old = made.pop(key, [])
    if not isinstance(old, list):
        raise WarCabinetError(f"{here}{PLUS} adds to a list, and {here} is {old!r}")
    made[key] = [*old, *value]
