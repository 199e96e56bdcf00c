"""Commands and values as the table says them."""

from __future__ import annotations

from typing import Any

from warcabinet.board.names import places_at
from warcabinet.model.commands import fields, is_report, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.keys import Place
from warcabinet.model.places import place_called
from warcabinet.model.titles import rule_title
from warcabinet.views.words import figure_name, listed, name, singular, spoken


def value_words(value: Any) -> str:
    """A value as one would say it."""
    if isinstance(value, str):
        return spoken(name(value))
    if isinstance(value, list | tuple):
        return spoken(listed(map(str, value)))
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
    return singular(" ".join(text for _, text in command_parts(command)))


def _called(place: Place) -> str:
    """A place in a sentence: the city in it, or the hex with its country."""
    return place_called(place) if place.startswith("box/") or places_at(place) else name(place)


def _part(field: str, kind: str, value: Any) -> str:
    if kind in ("place", "place or none"):
        value = ", ".join(map(_called, value)) if isinstance(value, tuple) else _called(value)
    if kind in ("figure", "rule"):
        return figure_name(value) if kind == "figure" else rule_title(value)
    if kind == "brp":
        amount = f"−{-value}" if value < 0 else str(value)
        return f"{amount} BRPs" if field == "brp" else f"{field.replace('_', ' ')} {amount} BRPs"
    if field == "origin":
        return f"from {value_words(value)}"
    if field in _JOINED or field.endswith("_by"):
        return f"{field.replace('_', ' ')} {value_words(value)}"
    if field in ("note", "reason", "purpose"):
        return f"({value})"
    if isinstance(value, bool):
        return field.replace("_", " ") if value else f"not {field.replace('_', ' ')}"
    if isinstance(value, int):
        return f"{field.replace('_', ' ')} {value}"
    return value_words(value)
