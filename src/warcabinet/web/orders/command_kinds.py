"""The commands there are: what each is called, what it is for and which fields it has. Fixed, so pages keep them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from warcabinet.kernel.rules import RULES
from warcabinet.model.commands import command_types, fields, is_report
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import ChooseReading
from warcabinet.web.hall.rights import actor_field
from warcabinet.web.orders.form_words import command_label

Family = Literal["order", "report", "ruling"]


class FieldKind(msgspec.Struct, frozen=True):
    name: str
    kind: str
    many: bool
    required: bool


class CommandKind(msgspec.Struct, frozen=True):
    """A command: its label, its gist and clause, whose word it is, and its fields in order."""

    command: str
    label: str
    text: str
    family: Family
    clause: str
    gist: str
    #: The field that names who is ordered about; empty where nobody is.
    actor: str
    fields: tuple[FieldKind, ...]


def family(kind: type[Command]) -> Family:
    """Whose word a command is: a player's order, a report of an outcome, or the referee's ruling."""
    if kind.referee_only or kind is ChooseReading:
        return "ruling"
    return "report" if is_report(kind) else "order"


@cache
def command_kinds() -> tuple[CommandKind, ...]:
    return tuple(_kind(command, kind) for command, kind in command_types().items())


def _kind(command: str, kind: type[Command]) -> CommandKind:
    order = RULES.orders[kind]
    return CommandKind(
        command=command,
        label=command_label(command),
        text=(kind.__doc__ or "").split("\n")[0],
        family=family(kind),
        clause=order.clause,
        gist=order.gist,
        actor=actor_field(kind),
        fields=tuple(FieldKind(it.name, it.kind, it.many, it.required) for it in fields(kind)),
    )
