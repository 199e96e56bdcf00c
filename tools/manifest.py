"""Marks every clause that has code and was consulted by a passing case as implemented, in rulebook/clauses.csv."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from warcabinet.conformance import run_files
from warcabinet.coverage import coverage, with_code
from warcabinet.kernel.clause import catalogue

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "src" / "warcabinet" / "rulebook" / "clauses.csv"


def main() -> None:
    outcomes = run_files((ROOT / "tests" / "cases",))
    failed = [outcome.id for outcome in outcomes if not outcome.ok]
    if failed:
        sys.exit(f"cases fail: {', '.join(failed)}")
    done = set(coverage(outcomes).covered) & with_code()
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["clause", "status", "gist", "reason"])
        for id, row in catalogue().items():
            status = ("implemented" if id in done else "planned") if row.computable else row.status
            writer.writerow([id, status, row.gist, row.reason])
    print(f"{len(done)} clauses are implemented")


if __name__ == "__main__":
    main()
