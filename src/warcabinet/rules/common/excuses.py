"""Reports against a clause of these documents: refused, unless they say which rule outside them allows it."""

from __future__ import annotations

from typing import Protocol

from warcabinet.model.events import Reported
from warcabinet.model.proceedings import Proceedings

HINT = "; or name the rule outside these documents that allows it (by_rule)"


class Excusable(Protocol):
    """A report with the field that names a rule outside these documents."""

    @property
    def by_rule(self) -> str: ...


def excused(cmd: Excusable) -> bool:
    """Whether a report names the rule that allows it."""
    return bool(cmd.by_rule.strip())


def unless_excused(cmd: Excusable, refusal: str | None) -> str | None:
    """A limit's refusal, unless the report is excused.

    The excuse is looked at last, so that a draft in which it is still open is not shut.
    """
    if refusal is None or excused(cmd):
        return None
    return refusal if refusal.endswith(HINT) else f"{refusal}{HINT}"


def keep_excuse(p: Proceedings, cmd: Excusable) -> None:
    """The log keeps by which rule a report was allowed."""
    if excused(cmd):
        p.do(Reported("by rule", f"by a rule outside these documents: {cmd.by_rule.strip()}"), "WC.7")
