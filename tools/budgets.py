"""How large the rules are, against the figures in tests/budgets.yaml, which may fall and never rise.

python3 dev.py budgets     every figure beside its budget; budgets that are higher than need be are lowered in the file

A budget is raised only by hand, with the reason beside it. tests/unit/test_budgets.py fails where a figure is above it.
"""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import warcabinet.house.all  # every rule is registered
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.effects import Effect
from warcabinet.kernel.limits import Limit
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.kernel.tables import read_yaml
from warcabinet.model.rulings import rulings

ROOT = Path(__file__).resolve().parent.parent
#: What is imported is what is measured.
PACKAGE = Path(warcabinet.house.all.__file__).parents[1]
FILE = ROOT / "tests" / "budgets.yaml"
PER_CHAPTER = "lines per 100 words"
#: How far a chapter may stand above its budget: what a module shares out moves to the others when one chapter shrinks.
SHIFT = 3

Figures = dict[str, int]


def measured(words: Figures) -> Figures:
    """Every figure that has a budget, by name; chapters with their words are `lines per 100 words of 82`."""
    rules, shared = rules_of_documents(), lines_by_chapter()
    return {
        "lines of rules": lines(PACKAGE / "rules", "py"),
        "modules of rules": len(list((PACKAGE / "rules").rglob("*.py"))),
        "rules": len(rules),
        "limits": sum(type(rule) is Limit for rule in rules),
        "longest chain of after": longest_chain(rule for rule in RULES.by_name.values() if isinstance(rule, Effect)),
        "selectable readings": sum(len(it.selectable) > 1 for it in rulings().values()),
        "lines of kernel": lines(PACKAGE / "kernel", "py"),
        "lines of JavaScript": lines(PACKAGE / "web" / "static", "js"),
        **{f"{PER_CHAPTER} of {it}": math.ceil(100 * shared[it] / count) for it, count in words.items()},
    }


def lines(folder: Path, ending: str) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob(f"*.{ending}"))


def lines_of(module: str) -> int:
    return len(inspect.getsource(sys.modules[module]).splitlines())


def rules_of_documents() -> list[Rule]:
    """The rules under rules/; those of the house are apart."""
    return [rule for rule in dict.fromkeys(RULES.by_name.values()) if rule.module.startswith("warcabinet.rules.")]


def lines_by_chapter() -> Counter[str]:
    """Lines of rules/ by chapter: a rule's are its clause's, the rest of its module is shared out in proportion.

    A module without rules serves all chapters and is counted for none.
    """
    own: dict[str, Counter[str]] = {}
    for rule in rules_of_documents():
        taken = len(inspect.getsourcelines(rule.fn)[0])
        own.setdefault(rule.module, Counter())[catalogue()[rule.clause].chapter] += taken
    found: Counter[str] = Counter()
    for module, by_chapter in own.items():
        whole = lines_of(module)
        for chapter, taken in by_chapter.items():
            found[chapter] += round(whole * taken / by_chapter.total())
    return found


def longest_chain(effects: Iterable[Effect]) -> int:
    """How many effects stand in the longest row of which each says that it comes after the one before."""
    earlier: dict[str, set[str]] = {}
    for effect in effects:
        earlier.setdefault(effect.name, set()).update(it.name for it in effect.after)
    depth: Figures = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max(map(deep, earlier.get(name, ())), default=0)
        return depth[name]

    return max(map(deep, earlier), default=0)


def budgets() -> tuple[Figures, Figures]:
    """The budgets by the names of the figures, and the words of each chapter."""
    told = read_yaml(FILE, dict[str, int | dict[str, int]])
    words, chapters = told.pop("words"), told.pop(PER_CHAPTER)
    assert isinstance(words, dict)
    assert isinstance(chapters, dict)
    single = {name: figure for name, figure in told.items() if isinstance(figure, int)}
    return {**single, **{f"{PER_CHAPTER} of {it}": figure for it, figure in chapters.items()}}, words


def room(name: str, budget: int) -> int:
    return budget + (SHIFT if name.startswith(PER_CHAPTER) else 0)


def risen(figures: Figures, allowed: Figures) -> Iterator[str]:
    """What stands above its budget, in words."""
    for name, figure in figures.items():
        if figure > room(name, allowed[name]):
            yield f"{name}: {figure}, budget {allowed[name]}"


def lowered(text: str, figures: Figures, allowed: Figures) -> str:
    """The file with every budget lowered that is higher than need be; its remarks stay."""
    for name, figure in figures.items():
        if figure < allowed[name]:
            _, _, chapter = name.partition(f"{PER_CHAPTER} of ")
            text = _set(text, chapter or name, figure, after=f"{PER_CHAPTER}:\n" if chapter else "")
    return text


def _set(text: str, key: str, figure: int, after: str) -> str:
    start = text.index(after) + len(after)
    line = re.compile(rf'^(\s*"?{re.escape(key)}"?: )\d+', re.MULTILINE)
    return text[:start] + line.sub(rf"\g<1>{figure}", text[start:], count=1)


def main() -> None:
    allowed, words = budgets()
    figures = measured(words)
    print(f"{'':28}{'now':>8}{'budget':>8}")
    for name, figure in figures.items():
        told = f"{allowed[name] - figure} below" if figure < allowed[name] else ""
        told = "ABOVE" if figure > room(name, allowed[name]) else told
        print(f"{name:28}{figure:8,}{allowed[name]:8,}  {told}".rstrip())
    before = FILE.read_text(encoding="utf-8")
    after = lowered(before, figures, allowed)
    FILE.write_text(after, encoding="utf-8")
    print("Lower budgets are written to tests/budgets.yaml." if after != before else "No budget can be lowered.")
    if any(risen(figures, allowed)):
        raise SystemExit("What is above its budget must shrink, or the budget is raised by hand with its reason.")


if __name__ == "__main__":
    main()
