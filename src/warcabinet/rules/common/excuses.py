"""Reports that a clause of ours refuses and a rule outside our documents allows: the report names it for the log."""

from __future__ import annotations

from typing import Protocol

from warcabinet.model.events import Reported
from warcabinet.model.play import Play


class Excusable(Protocol):
    """A report that may name a rule outside these documents."""

    @property
    def by_rule(self) -> str: ...


def excused(cmd: Excusable) -> bool:
    """Whether the reporter names the rule that allows it. A limit asks this last, when it would refuse."""
    return bool(cmd.by_rule.strip())


def keep_excuse(p: Play, cmd: Excusable) -> None:
    """The log says by which rule something was done that our clauses do not know."""
    if excused(cmd):
        p.do(Reported("by another rule", f"by a rule outside these documents: {cmd.by_rule.strip()}"))
