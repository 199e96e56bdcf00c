"""Commands as they are read: the names in them become keys here, once, whoever gave them and however they were kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.kept import lasting
from warcabinet.model.commands import fields
from warcabinet.model.commands.base import Command
from warcabinet.model.names import spelled
from warcabinet.model.places import place_key, place_written
from warcabinet.model.units import unit_spelled

#: What a name becomes, by the kind of the field in which it stands.
_KEYS: dict[str, Callable[[str], str]] = {
    **{it: partial(spelled, kind=it) for it in ("power", "country", "area", "nation", "belligerent")},
    "place": place_key,
    "unit": unit_spelled,
}


@lasting
def _named_fields(kind: type[Command]) -> tuple[tuple[str, str, Callable[[str], str]], ...]:
    """The fields that hold names: name, attribute, and how a name there becomes a key."""
    plain = ((field.name, field.attribute, field.kind.removesuffix(" or none")) for field in fields(kind))
    return tuple((name, attribute, _KEYS[of]) for name, attribute, of in plain if of in _KEYS)


def _key(of: Callable[[str], str], name: Any) -> Any:
    """The key of what is named; a name of nothing stays, and is refused when the command is judged."""
    if not isinstance(name, str) or not name:
        return name
    try:
        return of(name)
    except WarCabinetError:
        return name


def read_names(kind: type[Command], given: dict[str, Any]) -> dict[str, Any]:
    """The fields of a command as given, with keys for names however they were written: 'U.S.' is usa."""
    found = given
    for name, _, of in _named_fields(kind):
        value = given.get(name)
        if isinstance(value, str):
            found = {**found, name: _key(of, value)}
        elif isinstance(value, list | tuple):
            found = {**found, name: type(value)(_key(of, one) for one in value)}
    return found


def as_read(command: Command) -> Command:
    """A command made of names, or kept before names became keys, as it is read today."""
    changed: dict[str, Any] = {}
    for _, attribute, of in _named_fields(type(command)):
        value = getattr(command, attribute)
        key = tuple(_key(of, one) for one in value) if isinstance(value, tuple) else _key(of, value)
        if key != value:
            changed[attribute] = key
    return msgspec.structs.replace(command, **changed) if changed else command


@lasting
def _places(kind: type[Command]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.kind.removesuffix(" or none") == "place")


def as_written(command: Command) -> dict[str, Any]:
    """A command's fields as people would write them, to be read again: places by their names."""
    given: dict[str, Any] = msgspec.to_builtins(command)
    for name in _places(type(command)):
        value = given.get(name)
        if isinstance(value, str) and value:
            given[name] = place_written(value)
        elif isinstance(value, list | tuple):
            given[name] = [place_written(one) for one in value]
    return given
