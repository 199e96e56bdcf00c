"""How a table starts: the options of a scenario as fields of a form, and positions that someone brings along."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import yaml

from warcabinet.figures.position import Position, UnsetFigure, set_up
from warcabinet.game.engine import within_bounds
from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.model.state import Options
from warcabinet.model.titles import rule_title


class OptionField(msgspec.Struct, frozen=True):
    """An option as a form asks for it; one that is kept for each power is asked for each of them."""

    name: str
    label: str
    kind: str
    default: Any
    choices: tuple[str, ...] = ()
    text: str = ""


@cache
def option_fields() -> tuple[OptionField, ...]:
    """Every option, made from its type: a new one appears in the form by itself. The edition is the scenario's own."""
    kinds = {
        msgspec.inspect.IntType: "number",
        msgspec.inspect.BoolType: "yes or no",
        msgspec.inspect.LiteralType: "choice",
        msgspec.inspect.DictType: "powers",
    }
    info = msgspec.inspect.type_info(Options)
    assert isinstance(info, msgspec.inspect.StructType)
    found = []
    for field in info.fields:
        if field.name == "edition":
            continue
        told, of = _described(field.type)
        kind = kinds.get(type(of), "text")
        default = {} if kind == "powers" else field.default
        among = tuple(map(str, of.values)) if isinstance(of, msgspec.inspect.LiteralType) else ()
        found.append(OptionField(field.name, rule_title(field.name), kind, default, among, told))
    return tuple(found)


def _described(of: msgspec.inspect.Type) -> tuple[str, msgspec.inspect.Type]:
    """What is said of an option, and its type without what is said."""
    if isinstance(of, msgspec.inspect.Metadata):
        inner, bare = _described(of.type)
        return str((of.extra_json_schema or {}).get("description", inner)), bare
    return "", of


def read_position(text: str) -> Position:
    """A position as someone wrote it in YAML; what is wrong is said with its line."""
    _flat(text)
    _plain(text)
    try:
        document = Document("the position", text)
        position = document.convert(Position)
    except WarCabinetError:
        raise
    except Exception as error:
        # A tag that asks for a number and has none, and what else a stranger can think of.
        raise WarCabinetError(f"the position cannot be read: {error!r}") from None
    within_bounds("the position", msgspec.to_builtins(position))
    try:
        set_up(position)
    except UnsetFigure as error:
        raise WarCabinetError(f"the position, line {document.line(error.path)}: {error}") from None
    return position


#: Characters that a position file may have: one of a late campaign has some thirty thousand.
LONGEST = 200_000
#: No position nests deeper, in brackets, dashes or spaces.
DEEPEST = 12


def _flat(text: str) -> None:
    """Refuse what nests deeper than any position, before a parser takes seconds over it."""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        for c in line:
            depth += (c in "[{") - (c in "]}")
            if depth > DEEPEST:
                raise DataError(f"the position, line {number}: nested deeper than any position")
        bare = line.lstrip(" ")
        dashes = len(bare) - len(bare.lstrip("-?: \t"))
        if len(line) - len(bare) > 8 * DEEPEST or dashes > 4 * DEEPEST:
            raise DataError(f"the position, line {number}: nested deeper than any position")


def _plain(text: str) -> None:
    """Refuse references inside the text: a few lines of them can stand for more than any memory holds."""
    try:
        for token in yaml.scan(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(token, yaml.AliasToken):
                line = token.start_mark.line + 1
                raise DataError(f"the position, line {line}: write it out; references (*{token.value}) are not read")
    except yaml.YAMLError:
        return  # what is malformed is said by whoever reads it
