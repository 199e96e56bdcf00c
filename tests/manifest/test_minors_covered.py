"""Every clause of chapters 82 to 85 with something to compute is consulted by a passing case."""

from __future__ import annotations

from pathlib import Path

from warcabinet.conformance import run_files
from warcabinet.kernel.clause import catalogue

CASES = Path(__file__).parents[1] / "cases" / "minors"
CHAPTERS = ("82", "83", "84", "85")


def test_every_clause_is_consulted() -> None:
    outcomes = run_files([CASES])
    failed = [f"{outcome.id}: {outcome.message}" for outcome in outcomes if not outcome.ok]
    assert not failed
    consulted = {clause for outcome in outcomes for clause in outcome.consulted}
    wanted = {it.clause for it in catalogue().values() if it.chapter in CHAPTERS and it.computable}
    assert not wanted - consulted
