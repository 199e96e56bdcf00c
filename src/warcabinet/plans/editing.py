"""A plan changed where it is written: a line put, moved or taken out, everything else letter by letter as it was.

What a table shows of a plan and its text are one: every change is one of the text. Comments and the order of keys stay.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import msgspec
import yaml

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document

Path = tuple[str | int, ...]
#: A value of the text: its library tells their kinds apart, our checker does not know how.
Node = Any


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change: what stands at a path becomes this; nothing takes it out. `before` puts it in before that."""

    path: Path
    value: Any = None
    before: bool = False


def edited(name: str, text: str, edits: Sequence[Edit]) -> str:
    """The text after some changes, one after the other."""
    for edit in edits:
        text = _edited(name, text, edit)
    return text


def _edited(name: str, text: str, edit: Edit) -> str:
    if not edit.path:
        raise WarCabinetError("a change says where it is")
    document = Document(name, text)
    wanted = _changed(document.data, edit)
    found = _Text(text).after(edit)
    # Where the writer's own way of writing is beyond us, the plan is written anew: its sense comes first.
    return found if _reads_as(name, found, wanted) else written_out(wanted)


def _reads_as(name: str, text: str, wanted: Any) -> bool:
    try:
        return bool(Document(name, text).data == wanted)
    except WarCabinetError:
        return False


def written_out(data: Any) -> str:
    """A plan as text, sections in their own lines, each entry in one."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict) and value:
            lines += [f"{key}:", *(f"  {flow(at)}: {flow(it)}" for at, it in value.items())]
        elif isinstance(value, list) and value:
            lines += [f"{key}:", *(f"  - {flow(it)}" for it in value)]
        else:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """A value in one line, as people write it in a plan."""
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**9)
    return text.removesuffix("\n").removesuffix("\n...")


def _changed(data: Any, edit: Edit) -> Any:
    """The same change made to what the text says."""
    whole = copy.deepcopy(data)
    *way, last = edit.path
    at = whole
    for step, following in zip(way, edit.path[1:], strict=True):
        if isinstance(at, dict) and at.get(step) is None:
            at[step] = [] if isinstance(following, int) else {}
        at = _within(at, step)
    if isinstance(at, list) and isinstance(last, int):
        if edit.value is None:
            _within(at, last)
            del at[last]
        elif edit.before or last >= len(at):
            at.insert(last, edit.value)
        else:
            at[last] = edit.value
    elif isinstance(at, dict) and edit.value is not None:
        at[last] = edit.value
    elif isinstance(at, dict):
        _within(at, last)
        del at[last]
    else:
        raise WarCabinetError(f"nothing can be put at {told(edit.path)}")
    if edit.value is None and way and not at:
        del whole[way[0]]  # an empty section says nothing
    return whole


def _within(data: Any, step: str | int) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        raise WarCabinetError(f"there is no {step} to be changed") from None


def told(path: Path) -> str:
    return ", ".join(map(str, path))


class _Text:
    """A text with the places of its values."""

    def __init__(self, text: str) -> None:
        self.text = text if text.endswith("\n") else f"{text}\n"
        self.lines = self.text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.root = yaml.compose(self.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def after(self, edit: Edit) -> str:
        parent, node = self._node(edit.path[:-1]), self._node(edit.path)
        if edit.value is None:
            return self._without(edit.path)
        if node is not None and not edit.before:
            return self._put(self._at(node.start_mark), self._end(node), flow(edit.value))
        if parent is None or (isinstance(parent, yaml.ScalarNode) and not parent.value):
            return self._begun(edit)
        if node is not None and not parent.flow_style:
            return self._line_before(node, f"- {flow(edit.value)}")
        said = flow(edit.value) if isinstance(parent, yaml.SequenceNode) else self._pair(edit)
        return self._added(parent, said, node)

    def _pair(self, edit: Edit) -> str:
        return f"{flow(edit.path[-1])}: {flow(edit.value)}"

    def _begun(self, edit: Edit) -> str:
        """A section that is not there yet, at the end of the text; within one that is not there, all of the way."""
        section, *rest = edit.path
        if len(rest) != 1 or self._node((section,)) is not None:
            return ""
        entry = f"- {flow(edit.value)}" if isinstance(rest[0], int) else f"{flow(rest[0])}: {flow(edit.value)}"
        return f"{self.text.rstrip()}\n\n{section}:\n  {entry}\n"

    def _added(self, parent: Node, said: str, before: Node) -> str:
        """One more in a list or mapping, at its end or before another."""
        if parent.flow_style:
            at = self._at(before.start_mark) if before is not None else self._end(parent) - 1
            if before is not None:
                return self._put(at, at, f"{said}, ")
            kept = len(self.text[:at].rstrip())
            return self._put(kept, kept, f", {said}" if parent.value else said)
        last = parent.value[-1]
        first = parent.value[0]
        key = first[0] if isinstance(first, tuple) else None
        column = key.start_mark.column if key is not None else parent.start_mark.column
        end = self._line_end(self._end(last[1] if isinstance(last, tuple) else last))
        dash = "" if key is not None else "- "
        return self._put(end, end, f"{' ' * column}{dash}{said}\n")

    def _line_before(self, node: Node, said: str) -> str:
        start = self.starts[node.start_mark.line]
        line = self.lines[node.start_mark.line]
        return self._put(start, start, f"{line[: len(line) - len(line.lstrip())]}{said}\n")

    def _without(self, path: Path) -> str:
        parent = self._node(path[:-1])
        if parent is None:
            return ""
        if len(parent.value) == 1 and len(path) > 1:
            return self._without(path[:1])
        at = self._place(parent, path[-1])
        if at is None:
            return ""
        first, node = self._both(parent.value[at])
        if not parent.flow_style:
            return self._put(self.starts[first.start_mark.line], self._line_end(self._end(node)), "")
        if at + 1 < len(parent.value):
            following, _ = self._both(parent.value[at + 1])
            return self._put(self._at(first.start_mark), self._at(following.start_mark), "")
        _, before = self._both(parent.value[at - 1])
        return self._put(self._end(before), self._end(node), "")

    @staticmethod
    def _both(entry: Any) -> tuple[Node, Node]:
        return entry if isinstance(entry, tuple) else (entry, entry)

    @staticmethod
    def _place(parent: Node, step: str | int) -> int | None:
        if isinstance(parent, yaml.SequenceNode):
            return step if isinstance(step, int) and step < len(parent.value) else None
        if isinstance(parent, yaml.MappingNode):
            return next((at for at, (key, _) in enumerate(parent.value) if key.value == str(step)), None)
        return None

    def _node(self, path: Path) -> Node:
        node = self.root
        for step in path:
            at = self._place(node, step)
            if at is None:
                return None
            node = self._both(node.value[at])[1]
        return node

    def _at(self, mark: Any) -> int:
        return int(self.starts[mark.line] + mark.column)

    def _end(self, node: Node) -> int:
        """Where a value ends: the last that is written of it."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            return self._end(self._both(node.value[-1])[1])
        return self._at(node.end_mark)

    def _line_end(self, at: int) -> int:
        found = self.text.find("\n", at)
        return len(self.text) if found < 0 else found + 1

    def _put(self, start: int, end: int, said: str) -> str:
        return f"{self.text[:start]}{said}{self.text[end:]}"
