"""The conformance cases of two engines as lines of play, read without either of them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml
from draw import Command
from lines import Line, bare


class _Core(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.2 core, as cases are written: only true and false are booleans, only plain decimals numbers, no dates."""


_Core.yaml_implicit_resolvers = {}
_Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)$"), list("-+.0123456789")
)
_Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|)$"), ["~", "n", ""])

Case = dict[str, Any]


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_Core)


def all_cases(folders: Iterable[Path], kept: Path) -> list[Case]:
    """The cases of all folders, those that are the same in several once. What was read of the first folder, which
    does not change, is kept in a file."""
    first, *others = folders
    found = _kept(first, kept)
    for folder in others:
        for path in sorted(folder.rglob("*.yaml")):
            before = first / path.relative_to(folder)
            if not before.exists() or before.read_bytes() != path.read_bytes():
                found += read(path)
    return found


def _kept(folder: Path, kept: Path) -> list[Case]:
    if folder.is_relative_to(kept.parent) and kept.exists():
        cases: list[Case] = msgspec.msgpack.decode(kept.read_bytes())
        return cases
    cases = [case for path in sorted(folder.rglob("*.yaml")) for case in read(path)]
    if folder.is_relative_to(kept.parent):
        kept.write_bytes(msgspec.msgpack.encode(cases))
    return cases


def chosen(cases: Iterable[Case], pattern: str, chapter: str) -> list[Case]:
    """The cases whose id or title fits a pattern, and which rest on a clause of a chapter."""
    wanted = pattern if any(it in pattern for it in "*?[") else f"*{pattern}*"
    return [
        it
        for it in cases
        if (not pattern or any(fnmatch.fnmatch(str(it[key]), wanted) for key in ("id", "title")))
        and (not chapter or any(str(clause).split(".")[0] == chapter for clause in it["clauses"]))
    ]


def as_lines(cases: Iterable[Case]) -> list[Line]:
    """Each case as a line of play, or several where it looks at several readings; what is played the same way once."""
    found: dict[bytes, Line] = {}
    for case in cases:
        for line in _lines(case):
            found.setdefault(msgspec.msgpack.encode((line.position, line.steps), order="deterministic"), line)
    return list(found.values())


def _lines(case: Case) -> Iterator[Line]:
    given = case.get("given") or {}
    position = {**given, "options": {"forces": "none", **given.get("options", {})}}
    steps = [{k: v for k, v in step.items() if k != "then"} for step in case.get("when", ())]
    letters = list(case.get("then_by_reading") or ()) or [""]
    for letter in letters:
        readings = {**given.get("readings", {}), **({case["disputed"]: letter} if letter else {})}
        title = f"case {case['id']}" + (f", reading {letter}" if letter else "")
        yield Line(title, {**position, "readings": readings}, steps)


def corpus(cases: Iterable[Case]) -> dict[str, list[Command]]:
    """What cases command, by kind."""
    found: dict[str, list[Command]] = {}
    for case in cases:
        for step in case.get("when", ()):
            if "do" in step:
                found.setdefault(step["do"], []).append(bare(step))
    return found
