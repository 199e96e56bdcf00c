"""The rules bound to the game's state: `decide` is all that any shell needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

import warcabinet.rules.all  # noqa: F401  (registers every rule)
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.ruling import Engine, Record, Ruling
from warcabinet.model.apply import apply
from warcabinet.model.commands import Command, command_types
from warcabinet.model.events import DiceRolled, Event
from warcabinet.model.form import malformed, misfit, untimely
from warcabinet.model.state import State

GameRuling = Ruling[State, Event]
GameRecord = Record[Event]

# Other names under which the format of the cases knows a field.
ALSO_CALLED = {("report_control", "hexes"): "places"}

ENGINE: Engine[State, Event] = Engine(apply, malformed, untimely, lambda purpose, face: DiceRolled(purpose, face))


def decide(state: State, command: Command, dice: Sequence[int] = ()) -> GameRuling:
    """Judge a command against a state: accepted with events, refused with every reason, or in need of a die."""
    return ENGINE.decide(state, command, dice)


def as_command(command: Command | dict[str, Any]) -> Command:
    """A command from a mapping such as a case, a request or a command line gives it."""
    # A struct does not check what it is made of; what goes into a log must fit its types.
    given: dict[str, Any] = msgspec.to_builtins(command) if isinstance(command, Command) else command
    name = given.get("do")
    if not isinstance(name, str) or name not in command_types():
        raise unknown("command", name, command_types())
    given = {ALSO_CALLED.get((name, field), field): to for field, to in given.items()}
    try:
        return msgspec.convert(given, command_types()[name])
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"{name}: {misfit(command_types()[name], str(error))}") from None
