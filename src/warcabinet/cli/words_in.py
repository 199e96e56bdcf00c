"""What people type: commands as `spend power=germany brp=7`, dice, options."""

from __future__ import annotations

import shlex
from typing import Any

from warcabinet.game.typed import as_given, read_order
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.model.commands import command_types, fields, old_names


def parse_value(text: str, field: str = "value") -> Any:
    """A value as YAML 1.2 core reads it: 7, true, [a, b], {x: 1}, text."""
    try:
        return Document(field, text).data
    except WarCabinetError:
        return text


def parse_pairs(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`name=value` pairs as a mapping."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator:
            raise WarCabinetError(f"'{pair}': write name=value, such as power=germany")
        if name in found:
            raise WarCabinetError(f"'{name}' is given twice")
        found[name] = parse_value(value, name)
    return found


def parse_command(words: tuple[str, ...]) -> dict[str, Any]:
    """A command from words, as at the table or by name=value pairs, or from one YAML mapping with `do:`."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        given = parse_value(words[0])
        if not isinstance(given, dict):
            raise WarCabinetError(f"'{words[0]}' is not a mapping such as {{do: spend, power: germany}}")
        return given
    name, *pairs = words
    name = old_names().get(name, name)
    if name not in command_types() or not all("=" in pair for pair in pairs):
        return _typed(words)
    found = parse_pairs(tuple(pairs))
    typed = dict(pair.split("=", 1) for pair in pairs)
    for field in fields(command_types()[name]):
        if field.name in found:
            found[field.name] = _fit(field.kind, field.many, found[field.name], typed[field.name])
    return {"do": name, **found}


def _typed(words: tuple[str, ...]) -> dict[str, Any]:
    """Words as they are typed at the table; what was quoted may be a name of several words, or a remark."""
    quoted = [f'"{word}"' if " " in word and "=" not in word else word for word in words]
    read = read_order(" ".join(quoted)) if len(words) > 1 else None
    remarks = read is not None and not read.unread
    return as_given(" ".join(quoted if remarks else words))


def _fit(kind: str, many: bool, value: Any, typed: str) -> Any:
    """Let `places=Brussels`, `reading=b` and `outcome='thrown 4: D2'` mean what they plainly mean."""
    if value is None:
        return [] if many else ""
    if many and isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    if many and not isinstance(value, list):
        return [str(value)]
    if kind in ("text", "choice") and not isinstance(value, str):
        return typed
    return value


def split_line(line: str) -> tuple[str, ...]:
    """A typed line as words; quotes keep words together."""
    if line.lstrip().startswith("{"):
        return (line.strip(),)
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise WarCabinetError(f"'{line}': {error}") from None


def parse_dice(text: str) -> list[int] | None:
    """'6,2' as faces; empty: let the game throw."""
    if not text:
        return None
    faces = text.replace(",", " ").split()
    if not all(face.isdigit() and 1 <= int(face) <= 6 for face in faces):
        raise WarCabinetError(f"'{text}': dice are faces from 1 to 6, such as 6,2")
    return [int(face) for face in faces]
