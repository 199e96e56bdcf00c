"""Commands and values as the table says them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.board.names import places_at
from warcabinet.kernel.tables import read_csv
from warcabinet.model import calendar
from warcabinet.model.commands import Field, command_types, fields, is_report, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.keys import Place
from warcabinet.model.places import place_called
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.views.words import figure_name, in_number, joined, listed, name, spoken


def value_words(value: Any) -> str:
    """A value as one would say it."""
    if isinstance(value, str):
        return spoken(name(value))
    if isinstance(value, list | tuple):
        return spoken(listed(map(str, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class Saying(msgspec.Struct, frozen=True):
    """How a field is said in the sentence of a command, or of any; the command's own words where no field is named.

    `field=value` is said of that value alone, and then even where it need not be given; `field=+` of what came and
    `field=-` of what went: with its amount, or only the verb that agrees with it.
    """

    command: str
    field: str
    said: str


@cache
def _sayings() -> dict[str, tuple[Saying, ...]]:
    """What may be said of each command, in the order of its sentence; what it has no row of is said as everywhere."""
    rows = read_csv(Path(__file__).parent / "sentences.csv", Saying)
    found: dict[str, tuple[Saying, ...]] = {}
    for command in command_types():
        own = [row for row in rows if row.command == command]
        named = {row.field.partition("=")[0] for row in own}
        order = [field.name for field in fields(command_types()[command])]
        common = [row for row in rows if not row.command and row.field.partition("=")[0] in {*order} - named]
        common.sort(key=lambda row: order.index(row.field.partition("=")[0]))
        found[command] = (*own, *common)
    return found


def command_parts(command: Command) -> list[tuple[str, str]]:
    """A command as the parts of a sentence, each with the field it tells of: who, then what, as its rows have it."""
    kind = type(command)
    given = {field.name: (field, getattr(command, field.attribute)) for field in fields(kind)}
    rows = _sayings()[name_of(kind)]
    actor = _actor(kind)
    told = {actor} - {""}
    parts = [(actor, f"{name(str(given[actor][1]))}:")] if actor else []
    for row in rows:
        field, _, only = row.field.partition("=")
        about, value = given.get(field, (None, None))
        if about is None:
            parts.append(("", row.said))
        elif only in ("+", "-"):
            if isinstance(value, int) and (value > 0) == (only == "+"):
                told.add(field)
                parts.append((field, row.said.replace("{}", _said(about, abs(value)))))
        elif field not in told and (str(value) == only if "=" in row.field else _is_given(about, value)):
            told.add(field)
            parts.append((field, row.said.replace("{}", _said(about, value))))
    parts = _agreeing(parts)
    if not actor:
        (field, text), *others = parts
        parts = [(field, text[:1].upper() + text[1:]), *others]
    return [*parts, ("", "(reported)")] if is_report(kind) else parts


def _actor(kind: type[Command]) -> str:
    """The field of the power that gives an order, which the sentence begins with unless its rows place it."""
    first = next(iter(fields(kind)), None)
    own = {row.field for row in _sayings()[name_of(kind)] if row.command}
    return first.name if first is not None and first.kind == "power" and first.name not in own else ""


def _is_given(field: Field, value: Any) -> bool:
    return value not in (None, "", ()) and value != field.default


def _agreeing(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Parts of which each agrees with the number before it; its mark ends the part before it, unless one is there."""
    found: list[tuple[str, str]] = []
    for field, text in parts:
        mark, text = re.match(r"([,;:]?) ?(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        if found and mark and not found[-1][1].endswith(":"):
            found[-1] = (found[-1][0], found[-1][1] + mark)
        before = found[-1][1] + " " if found else ""
        found.append((field, in_number(before + text).removeprefix(before)))
    return found


def command_words(command: Command) -> str:
    """A command as a sentence."""
    return " ".join(text for _, text in command_parts(command))


#: What phases are called in short.
CALLED = {
    "start of player turn": "Mobilization",
    "diplomatic phase": "Diplomacy",
    "end of diplomatic phase": "BRP adjustments",
    "set-up of attacked minors": "Set-up",
    "initial supply determination": "Initial supply",
    "end of combat phase": "Losses",
    "post-combat supply determination": "Post-combat supply",
    "end of player turn": "End of turn",
    "allotments": "Diplomatic and research points",
}


def phase_called(name: str) -> str:
    """A phase as it is called in short, as a sentence begins with it."""
    called = CALLED.get(name, name)
    return called[:1].upper() + called[1:]


def way_on(state: State) -> str:
    """What going on is called: the phase that it closes, or the player turn where nothing more is decided in it."""
    here = state.place
    if all(it.part != here.part or it.step.automatic for it in calendar.steps()[state.step + 1 :]):
        return "End the player turn"
    phase = CALLED.get(here.step.name, here.step.name)
    return f"Close {phase if phase[:2].isupper() else phase[:1].lower() + phase[1:]}"


def _called(place: Place) -> str:
    """A place in a sentence: the city in it, or the hex with its country."""
    return place_called(place) if place.startswith("box/") or places_at(place) else name(place)


#: Fields of several of these hold names that are joined.
NATIONS = ("power", "belligerent", "area")
#: A hex within the text of units, as commands write it.
_WRITTEN = re.compile(r"\b(?:europe|pacific|box)[:/]\w+")


def _amount(value: int) -> str:
    return f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)


def _said(field: Field, value: Any) -> str:
    """What a field holds, as one would say it."""
    if field.kind in ("place", "place or none"):
        return joined(map(_called, value)) if isinstance(value, tuple) else _called(value)
    if field.kind == "figure":
        return figure_name(value)
    if field.kind == "rule":
        return rule_title(value)
    if field.kind == "brp":
        return f"{_amount(value)} BRPs"
    if isinstance(value, int) and not isinstance(value, bool):
        return _amount(value)
    if isinstance(value, tuple) and field.kind in NATIONS:
        return joined(map(name, value))
    if field.many:
        value = tuple(_WRITTEN.sub(lambda key: _called(Place(key.group().replace(":", "/"))), it) for it in value)
    return value_words(value)
