"""An order as a line that is understood as it stands: to choose among readings, and to say an entry anew."""

from __future__ import annotations

import re
from typing import Any

from warcabinet.game.engine import as_command
from warcabinet.game.typed.entries import parts, read_entry
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import BuildByCount
from warcabinet.model.commands.politics import ReportControl, ReportPeace, ReportTrack
from warcabinet.model.places import place_called
from warcabinet.model.state import State
from warcabinet.web.orders.order_words import command_words


def as_typed(state: State, command: Command) -> str:
    """A line in players' words where those are read as just this order then, else the command with its fields named."""
    words = _in_words(command)
    return words if _means(state, words, command) else _with_fields(command)


def _in_words(command: Command) -> str:
    match command:
        case ReportTrack(track=track, level=level):
            return f"{track} {level}"
        case ReportControl(places=places, by=by, by_rule=why):
            said = f"{by} takes {', '.join(place_called(key).partition(' (')[0] for key in places)}"
            return f"{said} '{why}'" if why else said
        case ReportPeace(between=(one, *others)):
            return f"{one} peace {', '.join(others)}"
        case BuildByCount(power=power, units=units):
            return f"{power} builds {', '.join(units)}"
        case _:
            return re.sub(r" \(reported\)| by count|[():]", "", command_words(command))


def _means(state: State, line: str, command: Command) -> bool:
    try:
        read = as_command(read_entry(state, line)[0])
    except WarCabinetError:
        return False
    return len(parts(line)) == 1 and _plainly(read) == _plainly(command)


def _plainly(command: Command) -> dict[str, Any]:
    """What is ordered, whoever orders it; one unit is a unit."""
    given = ((it.name, getattr(command, it.attribute)) for it in fields(type(command)))
    return {"do": name_of(type(command)), **{name: _without_one(value) for name, value in given}}


def _without_one(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_without_one, value))
    return value.removeprefix("1 ") if isinstance(value, str) else value


def _with_fields(command: Command) -> str:
    known = fields(type(command))
    told = [it for it in known if getattr(command, it.attribute) not in (it.default, None, ())] or known
    said = (f"{it.name}={_value(getattr(command, it.attribute))}" for it in told)
    return " ".join((name_of(type(command)), *said))


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if "/" in str(value) else str(value).replace("_", " ")
