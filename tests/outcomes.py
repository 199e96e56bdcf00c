"""Every case is run once: what it came to is written down for whoever else needs it, in this process or another.

Each process has a file of its own, a line an outcome, so that none waits for another. What is not there yet when it is
asked for is run by who asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from case_list import Found, book
from warcabinet.conformance.cases import line_of, read_case
from warcabinet.conformance.running import Outcome, run_case


class _Kept:
    folder: Path | None = None


def share(folder: Path) -> None:
    """Where the outcomes of this session are kept."""
    _Kept.folder = folder / "outcomes"
    _Kept.folder.mkdir(exist_ok=True)


def run(found: Found) -> Outcome:
    """Run a case and write down what it came to."""
    document, index = found.document, found.index
    case = read_case(document, index, book())
    where = document.line((index,))
    outcome = run_case(case, document.name, where, lambda path: line_of(document, index, path), strict=True)
    if _Kept.folder is not None:
        with (_Kept.folder / f"{os.getpid()}.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(outcome) + b"\n")
    return outcome


def of_all(cases: Iterable[Found]) -> list[Outcome]:
    """The outcomes of these cases; those that nobody has run yet are run now."""
    known = {outcome.id: outcome for outcome in _written()}
    return [known[it.id] if it.id in known else run(it) for it in cases]


def _written() -> Iterable[Outcome]:
    for file in sorted(_Kept.folder.glob("*.jsonl")) if _Kept.folder is not None else ():
        # The last line may be half written by another process: then its case is run again.
        for line in file.read_bytes().split(b"\n")[:-1]:
            yield msgspec.json.decode(line, type=Outcome)
