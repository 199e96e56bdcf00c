"""The one strict reader of data files: CSV rows and YAML 1.2 core documents into typed structures.

An unknown column or key, a missing one, a value of the wrong type: each is an error that names file and line.
In YAML `on`, `no`, `3-4` and dates are text, and a key written twice is an error.
"""

from __future__ import annotations

import csv
import importlib
import io
import re
from collections.abc import Hashable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
import yaml

from warcabinet.kernel.errors import DataError

T = TypeVar("T")
Source = Path | Traversable


def read_csv(source: Source, row_type: type[T]) -> list[T]:
    """Every row of a CSV file as `row_type`, a frozen struct whose fields are the columns."""
    text = read_text(source)
    header, *cells = csv.reader(io.StringIO(text, newline="")) if text else ([],)
    _check_columns(source.name, header, row_type)
    for number, row in enumerate(cells):
        if len(row) != len(header):
            raise DataError(f"{source.name}, {_line(text, number)}: {len(row)} cells, but {len(header)} columns")
    rows = [dict(zip(header, row, strict=True)) for row in cells]
    try:
        return msgspec.convert(rows, list[row_type], strict=False)  # type: ignore[valid-type]
    except msgspec.ValidationError as error:
        # All rows are converted at once, which is faster; only the message tells which of them is wrong.
        told, _, place = str(error).partition(" - at `$[")
        index, _, where = place.partition("]")
        right = _right_ones(row_type, where.strip(".`"))
        raise DataError(f"{source.name}, {_line(text, int(index))}: {told} - at `${where}{right}") from None


def _line(text: str, number: int) -> str:
    """The line on which a row of a table ends, counted from the first below its header."""
    reader = csv.reader(io.StringIO(text, newline=""))
    for _ in range(number + 2):
        next(reader)
    return f"line {reader.line_num}"


def _right_ones(row_type: type[Any], column: str) -> str:
    """What a column may say, if it is one of a few words."""
    kind = next((it.type for it in msgspec.structs.fields(row_type) if it.encode_name == column), None)
    return f"; {column} is one of {', '.join(get_args(kind))}" if get_origin(kind) is Literal else ""


def _check_columns(name: str, header: list[str], row_type: type[Any]) -> None:
    fields = {f.encode_name: f.required for f in msgspec.structs.fields(row_type)}
    for column in header:
        if column not in fields:
            raise DataError(f"{name}, line 1: unknown column '{column}'; columns are {', '.join(fields)}")
    missing = [f for f, required in fields.items() if required and f not in header]
    if missing:
        raise DataError(f"{name}, line 1: column {', '.join(missing)} is missing")


class _Core(yaml.SafeLoader):
    """YAML 1.2 core: only true/false are booleans, only plain decimals are numbers, no dates."""


_Core.yaml_implicit_resolvers = {}
_Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)$"), list("-+.0123456789")
)
_Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|)$"), ["~", "n", ""])


def _construct_mapping(loader: _Core, node: yaml.MappingNode) -> dict[Hashable, Any]:
    seen: set[Hashable] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, Hashable):
            raise DataError(f"line {key_node.start_mark.line + 1}: a list or mapping cannot be a key")
        if key in seen:
            raise DataError(f"line {key_node.start_mark.line + 1}: key '{key}' stands twice")
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_Core.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
_Core.add_constructor("tag:yaml.org,2002:map", _construct_mapping)

_Tree = tuple[yaml.Node | None, Any]


class _Swift(_Core):
    """The same, with the parser in C, which reads five times as fast.

    Nodes are still put together in Python: there a text that is nested too deeply ends in an error, not in a crash.
    """

    def __init__(self, text: str) -> None:
        super().__init__("")
        parser = importlib.import_module("yaml.cyaml").CParser(text)
        for name in ("check_event", "get_event", "peek_event"):
            setattr(self, name, getattr(parser, name))


def _parsed(text: str, most: int) -> _Tree:
    """A text as a tree of nodes and as data. What the parser in C cannot read is read again for a better message."""
    if yaml.__with_libyaml__:
        try:
            return _built(_Swift(text), most)
        except (yaml.YAMLError, UnicodeEncodeError):
            pass
    return _built(_Core(io.StringIO(text)), most)


#: Values that a document may come to when what it names again is counted each time: a few lines can name thousands.
MOST_VALUES = 1_000_000


def _built(loader: _Core, most: int) -> _Tree:
    node = loader.get_single_node()
    if node is None:
        return None, None
    _weigh(node, {}, most)
    return node, loader.construct_document(node)


def _weigh(node: yaml.Node, known: dict[int, int], most: int) -> int:
    """How many values a node comes to. One that names itself, or others without end, is refused before it is built."""
    if (weight := known.get(id(node))) is not None:
        if not weight:
            raise DataError(f"line {node.start_mark.line + 1}: it is named within itself")
        return weight
    if not isinstance(node, yaml.CollectionNode):
        return 1
    known[id(node)] = 0
    parts = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in node.value for part in pair]
    weight = 1 + sum(_weigh(part, known, most) for part in parts)
    if weight > most:
        raise DataError(f"line {node.start_mark.line + 1}: it comes to more than {most:,} values")
    known[id(node)] = weight
    return weight


class Document:
    """A parsed YAML file that can still tell on which line a value stands."""

    def __init__(self, name: str, text: str, most_values: int = MOST_VALUES) -> None:
        self.name = name
        try:
            self._node, self.data = _parsed(text, most_values)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise DataError(f"{name}, line {line}: {error.problem}") from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise DataError(f"{name}, line {line}: a character that text does not have: {error.reason}") from None
        except yaml.YAMLError as error:
            raise DataError(f"{name}: {error}") from None
        except DataError as error:
            raise DataError(f"{name}, {error}") from None
        except RecursionError:
            raise DataError(f"{name}, line {_deep_line(text)}: nested too deeply to be read") from None

    def line(self, path: tuple[str | int, ...]) -> int:
        """The line of the value at `path`, or of its nearest ancestor that exists."""
        return self._at(path)[1]

    def last_line(self, path: tuple[str | int, ...]) -> int:
        """The last line of the value at `path`, where it is written in several."""
        node, _ = self._at(path)
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        return 1 if node is None else node.end_mark.line + 1

    def _at(self, path: tuple[str | int, ...]) -> tuple[yaml.Node | None, int]:
        node = self._node
        line = 1 if node is None else node.start_mark.line + 1
        for step in path:
            child = _child(node, step)
            if child is None:
                break
            node, line = child
        return node, line

    def convert(self, data_type: type[T]) -> T:
        try:
            return msgspec.convert(self.data, data_type)
        except msgspec.ValidationError as error:
            path, message = split_path(str(error))
            raise DataError(f"{self.name}, line {self.line(path)}: {message}") from None


#: Lists and mappings within each other: no document of ours has so many.
DEEP = 60


def _deep_line(text: str) -> int:
    """The line on which a document is nested beyond reason; its events are read, nothing is built."""
    depth = 0
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEP:
            return int(event.start_mark.line) + 1
    return 1


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, int] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        item = node.value[step]
        return item, item.start_mark.line + 1
    return None


def split_path(message: str) -> tuple[tuple[str | int, ...], str]:
    """Split msgspec's message into the path it names and a text for people."""
    text, _, where = message.partition(" - at `")
    steps: list[str | int] = []
    for name, index in re.findall(r"\.([A-Za-z_][\w-]*)|\[(\d+)\]", where):
        steps.append(int(index) if index else name)
    unknown_key = re.search(r"unknown field `([^`]+)`", text)
    if unknown_key:
        steps.append(unknown_key.group(1))
        text = f"unknown key '{unknown_key.group(1)}'"
    if where:
        text += " at " + where.rstrip("`").lstrip("$.")
    return tuple(steps), text


def read_document(source: Source) -> Document:
    """A YAML file as a document that remembers its lines."""
    return Document(source.name, read_text(source))


def read_text(source: Source) -> str:
    """The text of a file, which must be UTF-8."""
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{source.name} is not a text file in UTF-8: byte {error.start} cannot be read") from None
    except OSError as error:
        raise DataError(f"{source.name} cannot be read: {error.strerror}") from None


def read_yaml(source: Source, data_type: type[T]) -> T:
    """A YAML file as `data_type`, strictly."""
    return read_document(source).convert(data_type)
