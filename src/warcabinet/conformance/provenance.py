"""Where every figure comes from: the rows of data and scenarios with their sources."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib.resources.abc import Traversable

import msgspec

from warcabinet.figures.position import scenarios
from warcabinet.model.names import DATA


class Figure(msgspec.Struct, frozen=True):
    """A row of data in short, with its file and source."""

    file: str
    what: str
    source: str

    @property
    def assumed(self) -> bool:
        """Whether the documents do not give it."""
        return "assumed" in self.source


def figures() -> Iterator[Figure]:
    """Every row with a source, file by file."""
    for path, name in _tables(DATA, ""):
        yield from _rows(path, name)
    for scenario in scenarios().values():
        for line in scenario.figures:
            yield Figure(f"scenarios/{scenario.name}.yaml", f"{line.set} = {line.to}", line.source)


def _tables(folder: Traversable, prefix: str) -> Iterator[tuple[Traversable, str]]:
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.is_dir():
            yield from _tables(path, f"{prefix}{path.name}/")
        elif path.name.endswith(".csv"):
            yield path, prefix + path.name


def _rows(path: Traversable, name: str) -> Iterator[Figure]:
    for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))):
        source = row.pop("source", None)
        if source is not None:
            told = [f"{key} {value}" if index else value for index, (key, value) in enumerate(row.items()) if value]
            yield Figure(name, ", ".join(told), source)
