"""The one table of figures. Positions, corrections, expectations, explanations, completion and documents go by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.figures import control, countries, mobilization, options, powers, tracks, unit_figures, waiting, wars
from warcabinet.figures.blanks import BLANKS
from warcabinet.figures.changes import PLUS
from warcabinet.figures.figure import Figure, Unfit, beginnings, blanks_in, filled, shape
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model.apply import apply
from warcabinet.model.events import EntryPosted, Event, UnitsMoved
from warcabinet.model.state import State

FIGURES: tuple[Figure, ...] = (
    *powers.ROWS,
    *tracks.ROWS,
    *countries.ROWS,
    *control.ROWS,
    *wars.ROWS,
    *unit_figures.ROWS,
    *mobilization.ROWS,
    *waiting.ROWS,
    *options.ROWS,
)


def _by_head(rows: tuple[Figure, ...]) -> dict[str, list[Figure]]:
    """The rows by their first word, those with the fewest blanks first: a figure of its own before any value."""
    found: dict[str, list[Figure]] = {}
    for row in sorted(rows, key=lambda it: len(blanks_in(it.path))):
        if any(it.path == row.path for it in found.get(row.head, ())):
            raise Unfit(f"{row.path} stands in the table twice")
        found.setdefault(row.head, []).append(row)
    return found


_BY_HEAD = _by_head(FIGURES)


class Listed(msgspec.Struct, frozen=True):
    """A row as it is listed for people."""

    path: str
    text: str
    example: str
    settable: bool = True


def listed() -> list[Listed]:
    return [Listed(it.path, it.text, it.example, it.settable) for it in FIGURES]


def is_figure(path: str) -> bool:
    """Whether a name means a figure and not a value: its first word is one of the table's."""
    return path.partition(".")[0] in _BY_HEAD


def find(path: str) -> tuple[Figure, tuple[str, ...]]:
    """The row that a path belongs to, and the names in its blanks as they are spelled."""
    row = _row(path)
    if row is None:
        raise _no_such(path)
    given = shape(row.path).fullmatch(path)
    assert given is not None
    named = zip(blanks_in(row.path), given.groups(), strict=True)
    return row, tuple(BLANKS[blank].named(name) for blank, name in named)


def _row(path: str) -> Figure | None:
    rows = _BY_HEAD.get(path.partition(".")[0], ())
    return next((row for row in rows if shape(row.path).fullmatch(path)), None)


def _no_such(path: str) -> WarCabinetError:
    near = _BY_HEAD.get(path.partition(".")[0])
    if near is None:
        return unknown("figure", path, [row.path for row in FIGURES])
    return WarCabinetError(f"write {' or '.join(row.path for row in near)}, not {path}")


def read(s: State, path: str) -> Any:
    """The value of a figure now."""
    row, names = find(path)
    return row.read(s, *names)


def correction(s: State, path: str, to: Any) -> list[Event]:
    """The facts that bring a figure to a value, whatever it was."""
    facts: list[Event] = []
    figures = sorted(spread(path, to), key=countries.lost_first)
    for one, value in figures:
        made = _set(s, one, value)
        facts += made
        if len(figures) > 1:
            for fact in made:
                s = apply(s, fact)
    return facts


def _set(s: State, path: str, to: Any) -> list[Event]:
    row, names = find(path)
    if isinstance(row.write, str):
        raise WarCabinetError(filled(row.write, row.path, names))
    return row.write(s, *names, to)


def in_whole(s: State, path: str, to: Any) -> tuple[str, Any]:
    """A line that adds to a list (`wars+`) as the line that says all of it; any other line as it is."""
    if path.endswith(PLUS):
        bare = path.removesuffix(PLUS)
        row, names = find(bare)
        there = [] if row.adds else row.read(s, *names)
        if not (isinstance(there, list) and isinstance(to, list)):
            raise WarCabinetError(f"{path} adds lines to a list, but {bare} is {there!r}; write {bare} to set it")
        return bare, [*there, *to]
    if isinstance(to, dict) and _goes_on(path):
        lines = (in_whole(s, f"{path}.{name}", value) for name, value in to.items())
        return path, {one.removeprefix(f"{path}."): value for one, value in lines}
    return path, to


#: What is expected may be one of several: `{one of: [4, 5]}`. It is no figure's name.
ONE_OF = "one of"


def spread(path: str, to: Any) -> Iterator[tuple[str, Any]]:
    """A figure, or the figures of a mapping: `tracks: {usat: 3}` is `tracks.usat: 3`."""
    if isinstance(to, dict) and ONE_OF not in to and _goes_on(path):
        for name, value in to.items():
            yield from spread(f"{path}.{name}", value)
    else:
        yield path, to


def _goes_on(path: str) -> bool:
    """Whether a mapping under a path is several figures, each by a longer path, and no figure of its own."""
    row = _row(path)
    if row is not None and row.whole:
        return False
    rows = _BY_HEAD.get(path.partition(".")[0], ())
    return any(start.fullmatch(path) for it in rows for start in beginnings(it.path))


def with_memo(facts: list[Event], memo: str) -> list[Event]:
    """The same facts, their entries saying why they were made."""
    return [_said(fact, memo) for fact in facts]


def _said(fact: Event, memo: str) -> Event:
    if isinstance(fact, EntryPosted):
        return EntryPosted(replace(fact.entry, memo=memo))
    return replace(fact, memo=memo) if isinstance(fact, UnitsMoved) else fact


def spelled_out(path: str) -> str:
    """A path with every name in it as the state knows it: `control.Brussels` is `control.europe/M25`."""
    row, names = find(path)
    return filled(row.path, row.path, names)


def reckoned_by(path: str) -> tuple[str, tuple[str, ...]] | None:
    """The value that reckons a figure and what it is asked with; none where the figure is read as it stands."""
    row, names = find(path)
    if not row.rule:
        return None
    asked = zip(blanks_in(row.path), names, strict=True)
    return filled(row.rule, row.path, names), tuple(name for blank, name in asked if f"<{blank}>" != row.rule)


def proposals() -> Iterator[tuple[str, str]]:
    """Figures that can be set, written out wherever the names that fill their blanks are few, with their texts."""
    for row in FIGURES:
        blanks = [BLANKS[blank] for blank in blanks_in(row.path)]
        if row.settable and all(blank.few for blank in blanks):
            for names in product(*(blank.known() for blank in blanks)):
                yield filled(row.path, row.path, names), row.text


def completions(typed: str) -> list[str]:
    """What a path may go on to, one name further than the last dot; a path that is still open ends in a dot."""
    *done, _ = typed.split(".")
    found: dict[str, None] = {}
    for row in FIGURES:
        parts = row.path.split(".")
        if len(parts) > len(done) and all(map(_fits, parts, done)):
            end = "." if len(parts) > len(done) + 1 else ""
            found |= {".".join((*done, name)) + end: None for name in _names(parts[len(done)])}
    return list(found)


def _fits(part: str, given: str) -> bool:
    return part == given or part.startswith("<")


def _names(part: str) -> tuple[str, ...]:
    return tuple(BLANKS[part[1:-1]].known()) if part.startswith("<") else (part,)
