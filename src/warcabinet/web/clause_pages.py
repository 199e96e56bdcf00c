"""Clauses as the page shows them: found by the beginning of their number, each with the rules that carry it out."""

from __future__ import annotations

import msgspec

from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.rules import RULES
from warcabinet.web.errors import Problem


class RuleLine(msgspec.Struct, frozen=True):
    """A rule that carries out a clause, and where it stands in the code."""

    rule: str
    kind: str
    gist: str
    where: str


class ClausePage(msgspec.Struct, frozen=True):
    """A clause as we know it: its gist, and the rules that carry it out."""

    clause: str
    status: str
    gist: str
    reason: str
    rules: tuple[RuleLine, ...]


class ClauseLine(msgspec.Struct, frozen=True):
    clause: str
    gist: str
    status: str


class ClausesFound(msgspec.Struct, frozen=True):
    """Clauses whose number begins with what was typed."""

    clauses: tuple[ClauseLine, ...]


def clause_page(id: str) -> ClausePage:
    found = catalogue().get(id)
    if found is None:
        raise Problem(404, f"there is no clause {id}")
    rules = tuple(RuleLine(r.name, r.kind, r.gist, r.where) for r in RULES.by_clause.get(id, ()))
    return ClausePage(id, found.status, found.gist, found.reason, rules)


def clauses_starting(text: str) -> ClausesFound:
    """The first dozen clauses whose number begins with the text, for the command line."""
    found = [c for c in catalogue().values() if c.clause.startswith(text.upper())][:12] if text else []
    return ClausesFound(tuple(ClauseLine(c.clause, c.gist, c.status) for c in found))
