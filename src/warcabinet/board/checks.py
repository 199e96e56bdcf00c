"""What the documents say of the boards, as checks. Each names its clause and answers with what is wrong."""

from __future__ import annotations

import msgspec

# The groups register their checks when they are read.
from warcabinet.board import checks_edges, checks_grid, checks_lands, checks_water  # noqa: F401
from warcabinet.board.check_phrases import CHECKS


class Outcome(msgspec.Struct, frozen=True):
    """How a constraint fared."""

    clause: str
    text: str
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


def run_all() -> list[Outcome]:
    """Every constraint, in the order of the boards' description."""
    return [Outcome(c.clause, c.text, tuple(c.run())) for c in sorted(CHECKS, key=lambda c: _order(c.clause))]


def _order(clause: str) -> tuple[int, str]:
    chapter, _, rest = clause.partition(".")
    return (int(chapter), rest) if chapter.isdigit() else (0, clause)
