"""What the cases cover: which clauses have code, which were consulted by a passing case, which cannot be computed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from warcabinet.cases import case_files, read_cases
from warcabinet.conformance import Outcome
from warcabinet.figures.position import scenarios
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.tables import read_text


class Coverage(msgspec.Struct, frozen=True):
    """Clause ids: consulted by a passing case; with something to compute; with nothing, and why."""

    covered: tuple[str, ...]
    computable: tuple[str, ...]
    not_computable: dict[str, str]


def coverage(outcomes: Iterable[Outcome], chapter: str = "") -> Coverage:
    """A clause counts as covered when a passing case consulted it, and all of its bullets, where it has any."""
    consulted = {clause for outcome in outcomes if outcome.ok for clause in outcome.consulted}
    wanted = {id: clause for id, clause in catalogue().items() if chapter in ("", clause.chapter)}
    computable = tuple(id for id, clause in wanted.items() if clause.computable)
    covered = tuple(id for id in computable if id in consulted and all(b in consulted for b in bullets(id)))
    nothing = {id: clause.reason for id, clause in wanted.items() if not clause.computable}
    return Coverage(covered, computable, nothing)


def bullets(clause: str) -> list[str]:
    """The bullets of a clause that have something to compute."""
    return [id for id, row in catalogue().items() if id.startswith(clause + "(") and row.computable]


def with_code() -> set[str]:
    """Clauses that some rule carries out, or a line of a scenario that is all there is to them."""
    carried = {line.source for it in scenarios().values() for line in it.figures if line.carries}
    return set(RULES.by_clause) | carried


def cases_by_clause(paths: Iterable[Path], heading: str = "") -> dict[str, list[str]]:
    """Which cases name a clause; with a heading, files that do not name it or anything under it are not read."""
    found: dict[str, list[str]] = {}
    for path in case_files(paths):
        if heading not in read_text(path):
            continue
        for case, _ in read_cases(path):
            for clause in case.clauses:
                found.setdefault(clause, []).append(case.id)
    return found
