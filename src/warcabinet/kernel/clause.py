"""The catalogue of numbered clauses. A rule that cites an id which is not in it fails at import."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from warcabinet.kernel.errors import unknown
from warcabinet.kernel.tables import read_csv

Status = Literal["enforced", "answered", "planned", "heading", "reference", "remark"]


class Clause(msgspec.Struct, frozen=True):
    """One numbered clause: what it is about in our words, and whether there is anything to compute."""

    clause: str
    status: Status
    gist: str
    reason: str = ""
    # How many of its sentences command something; a case can say which of them it shows.
    sentences: int = 0
    # How many of them cases show: a clause is carried out whole when all are.
    shown: int = 0

    @property
    def chapter(self) -> str:
        return self.clause.split(".")[0]

    @property
    def computable(self) -> bool:
        """False for a heading, a mere reference or a remark: nothing in it can be computed."""
        return self.status in ("enforced", "answered", "planned")

    @property
    def house_rule(self) -> bool:
        """One of our own, for what happens at the table; no clause of the documents."""
        return self.chapter == "WC"


@cache
def catalogue() -> dict[str, Clause]:
    """Every clause by its id, in the order of the rulebook."""
    rows = read_csv(files("warcabinet") / "rulebook" / "clauses.csv", Clause)
    return {row.clause: row for row in rows}


@cache
def _standings() -> dict[str, int]:
    return {clause: place for place, clause in enumerate(catalogue())}


def standing(id: str) -> int:
    """How far on in the rulebook a clause stands."""
    return _standings()[id]


def stands_under(id: str, heading: str) -> bool:
    """Whether a clause is a heading's own or one of those below it: 35.31A under 35.31, 35.3 and 35, never under 3."""
    return id == heading or id.startswith((heading + ".", heading + "(")) or ("." in heading and id.startswith(heading))


def cite(clause: str) -> str:
    """The id itself, after making sure that it exists."""
    if clause not in catalogue():
        raise unknown("clause", clause, catalogue())
    return clause
