"""What players call commands and their fields: a label and a short hint for each, from one table."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from warcabinet.kernel.tables import read_csv
from warcabinet.model.titles import rule_title, spaced


class FormWords(msgspec.Struct, frozen=True):
    """A row: of a command where no field is named, of a field wherever it occurs where no command is."""

    command: str
    field: str
    label: str
    hint: str
    #: `needed`: the order is hardly meant without it, though its type lets it be left out; `seldom`: it stands aside.
    weight: Literal["", "needed", "seldom"]
    #: It can matter only where another field says one of these: `to=russia`, `by=air|submarines`; or anything: `to`.
    only: str

    def matters(self, known: dict[str, Any]) -> bool:
        field, equals, values = self.only.partition("=")
        told = known.get(field, "")
        return not field or (str(told) in values.split("|") if equals else bool(told))


@cache
def _rows() -> dict[tuple[str, str], FormWords]:
    rows = read_csv(Path(__file__).parent / "words.csv", FormWords)
    return {(row.command, row.field): row for row in rows}


def command_label(command: str) -> str:
    row = _rows().get((command, ""))
    return row.label if row else rule_title(command)


def field_words(command: str, field: str) -> FormWords:
    """What a field is called in a command: by its own row, else by what it is called everywhere."""
    rows = _rows()
    found = rows.get((command, field)) or rows.get(("", field))
    return found or FormWords(command, field, spaced(field).capitalize(), "", "", "")


def choice_label(command: str, field: str, value: str, plain: str) -> str:
    """What a choice is called: by its own row, else by its name, as the beginning of a line."""
    rows = _rows()
    found = rows.get((command, f"{field}={value}")) or rows.get(("", f"{field}={value}"))
    return found.label if found else plain[:1].upper() + plain[1:]
