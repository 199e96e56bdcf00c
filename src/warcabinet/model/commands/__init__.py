"""Commands: what someone at the table asks for. Orders are judged by the rules; reports bring in what happened
outside them; the referee may rule and correct.

The names and fields here are public: cases, the command line, pages and `docs/commands.md` are made from them.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Union

import msgspec

from warcabinet.kernel.why import Answer
from warcabinet.model.commands.base import Command, registered

REFEREE = "referee"

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


@cache
def command_types() -> dict[str, type[Command]]:
    """Every command by the name under which it is given: orders first, then reports, then what is the referee's."""
    named = {_tag(kind): kind for kind in registered() if not kind.now_called}
    return dict(sorted(named.items(), key=lambda it: (it[1].referee_only, is_report(it[1]), it[1].__module__)))


@cache
def old_names() -> dict[str, str]:
    """Names under which commands were given before, and what they are called today."""
    return {_tag(kind): kind.now_called for kind in registered() if kind.now_called}


def as_called_today(command: Command) -> Command:
    """A command under its name of today."""
    if not type(command).now_called:
        return command
    return msgspec.convert(renamed(msgspec.to_builtins(command)), command_types()[type(command).now_called])


def renamed(given: dict[str, Any]) -> dict[str, Any]:
    """What is given under an old name, under that of today, with what the old one meant where it said nothing."""
    if given.get("do") not in old_names():
        return given
    kind = next(it for it in registered() if _tag(it) == given["do"])
    meant = {it.name: it.default for it in msgspec.structs.fields(kind) if isinstance(it.default, str)}
    return {**meant, **given, "do": kind.now_called}


def _tag(kind: type[Command]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def name_of(command: Command | type[Command]) -> str:
    return _tag(command if isinstance(command, type) else type(command))


@cache
def is_report(kind: type[Command]) -> bool:
    return _tag(kind).startswith("report_")


class Field(msgspec.Struct, frozen=True):
    """A field of a command as forms and documents need it."""

    name: str
    attribute: str
    kind: str
    text: str
    required: bool
    default: Answer | tuple[()] = None
    among: tuple[str, ...] = ()
    many: bool = False
    least: int | None = None


@cache
def fields(kind: type[Command]) -> tuple[Field, ...]:
    """The fields of a command, without those that every command carries."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return tuple(_field(f) for f in info.fields if f.name not in ("seat", "seq_seen", "minded"))


def _field(f: msgspec.inspect.Field) -> Field:
    kind, text, among, many = _describe(f.type)
    default = None if f.default is msgspec.NODEFAULT else f.default
    return Field(f.encode_name, f.name, kind, text, f.required, default, among, many, _least(f.type))


def _least(t: msgspec.inspect.Type) -> int | None:
    """The smallest number that a field's type allows."""
    if isinstance(t, msgspec.inspect.Metadata):
        return _least(t.type)
    return t.ge if isinstance(t, msgspec.inspect.IntType) else None


def _describe(t: msgspec.inspect.Type) -> tuple[str, str, tuple[str, ...], bool]:
    """Kind, description, choices and plurality of a field's type."""
    ins = msgspec.inspect
    if isinstance(t, ins.Metadata):
        kind, text, among, many = _describe(t.type)
        extra = t.extra or {}
        schema = t.extra_json_schema or {}
        return str(extra.get("kind", kind)), str(schema.get("description", text)), among, many
    if isinstance(t, ins.LiteralType):
        return "choice", "", tuple(map(str, t.values)), False
    if isinstance(t, ins.VarTupleType):
        kind, text, among, _ = _describe(t.item_type)
        return kind, text, among, True
    if isinstance(t, ins.TupleType):
        kind, text, among, _ = _describe(t.item_types[0])
        return kind, text, among, True
    if isinstance(t, ins.IntType):
        return "number", "", (), False
    if isinstance(t, ins.BoolType):
        return "yes or no", "", (), False
    if isinstance(t, ins.UnionType):
        inner = [_describe(m) for m in t.types if not isinstance(m, ins.NoneType)]
        return inner[0] if len(inner) == 1 else ("any", "", (), False)
    return ("text" if isinstance(t, ins.StrType) else "any"), "", (), False


if TYPE_CHECKING:
    AnyCommand = Command
else:
    # What a stored or sent command is decoded as: whichever its name says.
    AnyCommand = Union[registered()]  # noqa: UP007

__all__ = [
    "REFEREE",
    "AnyCommand",
    "Command",
    "Field",
    "as_called_today",
    "command_types",
    "fields",
    "is_report",
    "name_of",
    "old_names",
    "renamed",
]
