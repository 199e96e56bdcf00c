"""Counts the commanding sentences of each clause in the documents' texts, for the manifest.

python tools/sentences.py FOLDER     the folder that holds 35.txt, 36.txt ...; without --write it only says what differs

Only the number is kept. It is a first count by simple marks (a verb of command, not an example, not an introduction
of a list), and a number that was corrected by hand in rulebook/clauses.csv stays unless --all is given.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

from warcabinet.kernel.clause import catalogue

FILE = Path(__file__).resolve().parent.parent / "src" / "warcabinet" / "rulebook" / "clauses.csv"
COMMANDS = re.compile(
    r"\b(may|must|cannot|can|is|are|has|have|does|do|will|shall|never|receives?|loses?|adds?|costs?|counts?|remains?"
    r"|becomes?|uses?|requires?|applies|apply|increases?|decreases?|equals?|takes?|pays?|gains?|ends?|begins?|none)\b",
    re.IGNORECASE,
)
ABBREVIATED = re.compile(r"\b(U\.S|U\.K|vs|e\.g|i\.e|No|St|Mt|Fig)\.")
TITLE = re.compile(r"^(?!EXAMPLE)[A-Z0-9][A-Z0-9 ,.'’“”\"()/&+-]{3,}?:\s+")


def clause_texts(text: str) -> dict[str, str]:
    """The text of each clause that the manifest knows: numbered clauses, lettered items, bullets."""
    found: dict[str, list[str]] = {}
    clause = item = at = ""
    bullet = 0
    for line in text.splitlines():
        numbered = re.match(r"(\d\d\.\d+)\s+(.*)", line)
        lettered = re.match(r"([A-Z])\. (.*)", line)
        if numbered and numbered[1] in catalogue():
            clause, bullet, rest = numbered[1], 0, numbered[2]
            item = at = clause
        elif lettered and clause + lettered[1] in catalogue():
            item, bullet, rest = clause + lettered[1], 0, lettered[2]
            at = item
        elif line.startswith("•"):
            bullet, rest = bullet + 1, line[1:]
            at = f"{item}({bullet})" if f"{item}({bullet})" in catalogue() else item
        else:
            rest = line
        if at:
            found.setdefault(at, []).append(rest)
    return {id: "\n".join(lines) for id, lines in found.items()}


def commanding(text: str) -> int:
    """How many sentences of a clause command something."""
    count, example = 0, False
    for paragraph in re.split(r"\n\s*\n", text):
        plain = TITLE.sub("", " ".join(paragraph.split()))
        # An example runs on over its paragraphs, up to a box of its own.
        example = not plain.startswith("Classic ") and (example or bool(re.match(r"EXAMPLE|Example|NOTE", plain)))
        if example:
            continue
        plain = ABBREVIATED.sub(lambda found: found[0].replace(".", ""), re.sub(r"\([^()]*\)", "", plain))
        for sentence in re.split(r"(?<=[.;!])\s+(?=[A-Z“])", plain):
            whole = len(sentence.split()) >= 4 and sentence.rstrip().endswith(".")
            count += bool(whole and COMMANDS.search(sentence) and not sentence.startswith(("See ", "This rule change")))
    return count


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if len(words) != 1:
        sys.exit((__doc__ or "").strip())
    texts: dict[str, str] = {}
    for path in sorted(Path(words[0]).glob("*.txt")):
        texts |= clause_texts(path.read_text(encoding="utf-8"))
    counted = {}
    for id, row in catalogue().items():
        first = max(1, commanding(texts.get(id, ""))) if row.computable else 0
        counted[id] = first if "--all" in sys.argv or not row.sentences else row.sentences
        if counted[id] != row.sentences:
            print(f"{id}: {row.sentences} -> {counted[id]}")
    if "--write" in sys.argv:
        write(counted)


def write(sentences: dict[str, int]) -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["clause", "status", "gist", "reason", "sentences", "shown"])
        for id, row in catalogue().items():
            writer.writerow([id, row.status, row.gist, row.reason, sentences[id], row.shown])


if __name__ == "__main__":
    main()
