"""The glossary: one line for each word, in order, and each lives where it is said to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import warcabinet

SOURCE = Path(warcabinet.__file__).parent
GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def rows() -> list[tuple[str, str, str]]:
    cells = (
        re.split(r"(?<!\\)\|", it)[1:-1] for it in GLOSSARY.read_text(encoding="utf-8").splitlines() if it[:1] == "|"
    )
    word, means, where = zip(*(map(str.strip, it) for it in list(cells)[2:]), strict=True)
    return list(zip(word, means, where, strict=True))


def fault(where: str) -> str:
    """What is wrong with where a word is said to live: files that are not there, names that are in none of them."""
    quoted = re.findall(r"`([^`]+)`", where)
    paths = [it for it in quoted if "/" in it or "." in it]
    missing = [it for it in paths if not (SOURCE / it).exists()]
    if missing or not paths:
        found = {it: [str(at.relative_to(SOURCE)) for at in SOURCE.rglob(Path(it).name)] for it in missing}
        return f"not there, but perhaps elsewhere: {found}"
    text = "".join((SOURCE / it).read_text(encoding="utf-8") for it in paths if (SOURCE / it).is_file())
    strange = [it for it in quoted if it not in paths and not re.search(rf"\b{re.escape(it)}\b", text)]
    return f"{', '.join(strange)}: not in {', '.join(paths)}" if strange else ""


def test_words_stand_in_order_once_each_with_one_line():
    words = [word for word, _, _ in rows()]
    assert words == sorted(words, key=str.casefold)
    assert len(set(words)) == len(words)
    assert all(means and where for _, means, where in rows())


@pytest.mark.parametrize(("word", "where"), [(word, where) for word, _, where in rows()])
def test_a_word_lives_where_the_glossary_says(word: str, where: str):
    assert not fault(where)


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("`kernel/limit.py` `Limit`", "not there, but perhaps elsewhere: {'kernel/limit.py': []}"),
        ("`web/limits.py`", "not there, but perhaps elsewhere: {'web/limits.py': "),
        ("`kernel/limits.py` `Barrier`", "Barrier: not in kernel/limits.py"),
        ("in the kernel", "not there, but perhaps elsewhere: {}"),
        ("`kernel/limits.py` `Limit`", ""),
    ],
)
def test_a_place_that_is_wrong_is_found(where: str, told: str):
    assert fault(where).startswith(told)
    assert bool(fault(where)) == bool(told)
