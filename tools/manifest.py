"""Marks in rulebook/clauses.csv how far each clause is carried out, as passing cases show it."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from warcabinet.conformance.coverage import coverage
from warcabinet.conformance.running import run_files
from warcabinet.kernel.clause import catalogue

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "src" / "warcabinet" / "rulebook" / "clauses.csv"


def main() -> None:
    outcomes = run_files((ROOT / "tests" / "cases",), strict=True)
    failed = [outcome.id for outcome in outcomes if not outcome.ok]
    if failed:
        sys.exit(f"cases fail: {', '.join(failed)}")
    documents, ours = coverage(outcomes), coverage(outcomes, "WC")
    states = dict.fromkeys((*documents.enforced, *ours.enforced), "enforced")
    states |= dict.fromkeys((*documents.answered, *ours.answered), "answered")
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["clause", "status", "gist", "reason", "sentences", "shown"])
        for id, row in catalogue().items():
            status = states.get(id, "planned") if row.computable else row.status
            writer.writerow([id, status, row.gist, row.reason, row.sentences, documents.sentences.get(id, 0)])
    print(f"{len(documents.enforced)} clauses are enforced, {len(documents.answered)} answered")


if __name__ == "__main__":
    main()
