"""`new-clause`: what is there already for a clause that is to be added, and stubs to begin with."""

from __future__ import annotations

import inspect
import math
import re
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType

import click
from rich.markup import escape

from warcabinet.cli import completing
from warcabinet.cli.show import chip, console
from warcabinet.conformance.casebook import cases_folder, file_of_case
from warcabinet.conformance.cases import Book, read_cases
from warcabinet.kernel.clause import Clause, catalogue, stands_under
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.model.rulings import rulings

# What a newcomer looks for first, and the words by which the functions that answer it are known.
TOPICS = {
    "who holds a place": ("hold", "holds", "held", "holder", "controls", "captor", "retained"),
    "whose land it is": ("home", "land", "hexes", "capital", "country"),
    "which side": ("side", "faction", "war", "patron", "leads", "player"),
    "units": ("units", "unit", "garrison", "stand", "stands"),
    "BRPs and promises": ("books", "brps", "agenda", "value", "falls"),
}
STOP = {"the", "and", "for", "not", "are", "its", "with", "from", "that", "may", "only", "each", "all", "once", "any"}


@click.command("new-clause")
@click.argument("clause", shell_complete=completing.clause)
@click.option(
    "--cases", type=click.Path(path_type=Path), default=cases_folder(), help="the cases (default: the checkout's)"
)
def new_clause(clause: str, cases: Path) -> None:
    """What is there already for a CLAUSE to be added, with stubs for code and two cases. Changes nothing."""
    if clause not in catalogue():
        raise WarCabinetError("\n".join(unlisted(clause)))
    row = catalogue()[clause]
    _show_clause(row)
    near = related(row.clause)
    _show_rules("Rules under it", carried_out(row.clause))
    _show_related(near)
    _show_cases(row.clause, near, cases)
    for ruling in rulings().values():
        if row.clause in ruling.clauses:
            console.print(f"[bold]{ruling.id}[/] {escape(ruling.question.strip())}")
    _show_helpers()
    _show_where(row.clause)
    console.print("\n[bold]Code[/] [dim](a rule cites one clause; docs/adding-a-clause.md says which kind)[/]")
    print(code_stub(row))
    file = f"tests/cases/{file_of_case(row.clause + '/1')}"
    console.print(f"[bold]Cases[/] [dim](figures from the text; docs/cases.md)[/] in {file}", soft_wrap=True)
    print(case_stubs(row))


def unlisted(clause: str) -> Iterator[str]:
    """What to do about a number that the manifest does not have."""
    yield str(unknown("clause", clause, catalogue()))
    if not re.fullmatch(r"(\d\d\.\d+[A-Z]?|WC\.\d+)(\(\d+\))?", clause):
        yield "A number looks like 82.41, 89.51B, 40.45B(2), or WC.29 for a house rule of your own."
        return
    chapter = clause.partition(".")[0]
    known = sorted((id for id, row in catalogue().items() if row.chapter == chapter), key=_in_order)
    at = bisect(known, _in_order(clause), key=_in_order)
    beside = known[max(at - 2, 0) : at + 2]
    yield f"Around it stand {', '.join(beside)}." if beside else f"Nothing of chapter {chapter} is there yet."
    yield f"If it is a number of its own, it gets a row in src/warcabinet/rulebook/clauses.csv{_after(known[:at])}:"
    yield f'    {clause},planned,"What it says in a sentence of our own, at most 120 letters",,1,0'
    yield "(clause, status, gist, reason, commanding sentences, how many cases show). One with nothing to compute is a"
    yield "heading, reference or remark, with a reason and 0,0. Other states are written by python3 dev.py manifest."
    yield from _also_in(clause, chapter, new_chapter=not known)
    yield f"Then: warcabinet new-clause {clause}"


def _in_order(id: str) -> tuple[int, str]:
    """House rules are counted, WC.10 after WC.9; the documents' numbers go by their digits."""
    return len(id) if id.startswith("WC") else 0, id


def _after(before: list[str]) -> str:
    return f", after that of {before[-1]}" if before else ""


def _also_in(clause: str, chapter: str, new_chapter: bool) -> Iterator[str]:
    """What else knows a clause by its number, and where the code of its chapter stands."""
    if chapter == "WC":
        yield "A house rule of your own, and how a table switches it on: CONTRIBUTING.md."
        return
    if "(" not in clause:
        yield "CLAUSES and DIGEST in tests/manifest/test_manifest.py count the documents' numbers: put both right."
    if new_chapter:
        yield "The chapter gets its title in GROUPS of rules_pages.py, and a package under src/warcabinet/rules."
    else:
        yield f"The chapter's rules stand in {', '.join(_modules_near(clause)[:3])}."


def _show_clause(row: Clause) -> None:
    told = f": {row.reason}" if row.reason else ""
    many = f", {row.sentences} commanding sentences" if row.sentences > 1 else ""
    console.print(f"{chip(row.clause)} {escape(row.gist)} [dim]{row.status}{told}{many}[/]")
    for id, other in catalogue().items():
        if id != row.clause and _beside(id, row.clause):
            console.print(f"    [dim]{chip(id)} {escape(other.gist)} ({other.status})[/]")


def _beside(id: str, clause: str) -> bool:
    """A clause above, below or next to another: those that are read together."""
    above = re.sub(r"(\(\d+\)|[A-Z]|\d)$", "", clause)
    return stands_under(clause, id) or stands_under(id, clause) or (above != clause and _parent(id) == above)


def _parent(id: str) -> str:
    return re.sub(r"(\(\d+\)|[A-Z]|\d)$", "", id)


def carried_out(clause: str) -> list[Rule]:
    """The rules that carry out a clause: as their own, a line they cover, or one they restate."""
    return [rule for rule in dict.fromkeys(RULES.by_name.values()) if clause in rule.clauses]


def related(clause: str, most: int = 6) -> list[str]:
    """Clauses with code that speak of the same things: the rarer the words they share, the nearer.

    Much is said twice in the documents; what already runs under another number is not written again.
    """
    words = {id: _words(id) for id in catalogue()}
    seen = Counter(word for it in words.values() for word in it)
    weight = {word: math.log(len(words) / count) for word, count in seen.items()}
    mine = words[clause]

    def nearness(id: str) -> float:
        shared = sum(weight[word] for word in mine & words[id])
        return float(shared / math.sqrt(1 + sum(weight[word] for word in words[id])))

    others = [id for id in RULES.by_clause if id != clause and not id.startswith("WC")]
    return [id for id in sorted(others, key=nearness, reverse=True)[:most] if nearness(id) > 1]


def _words(id: str) -> set[str]:
    """What a clause speaks of: its gist, and those of the rules that carry it out."""
    text = " ".join((catalogue()[id].gist, *(rule.gist for rule in RULES.by_clause.get(id, ()))))
    # Four letters tell Thai and Thailand, declare and declaration for the same.
    return {word[:4] for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in STOP}


def _show_rules(title: str, found: Iterable[Rule]) -> None:
    lines = [f"    {rule.kind} [bold]{rule.name}[/] [dim]{rule.where}[/] {escape(rule.gist)}" for rule in found]
    console.print(f"\n[bold]{title}[/]" if lines else f"\n[bold]{title}[/]: none yet")
    for line in lines:
        console.print(line)


def _show_related(near: list[str]) -> None:
    console.print("\n[bold]Related clauses with code[/] [dim](one that says the same is one word there: also=...)[/]")
    for id in near:
        console.print(f"  {chip(id)} {escape(catalogue()[id].gist)}")
        for rule in RULES.by_clause[id]:
            console.print(f"    {rule.kind} [bold]{rule.name}[/] [dim]{rule.where}[/] {escape(rule.gist)}")


def _show_cases(clause: str, near: list[str], cases: Path) -> None:
    if not cases.exists():
        return
    console.print("\n[bold]Cases[/]")
    wanted = [clause, *near]
    book = Book((cases,))
    for path in book.files:
        for case, line in read_cases(path, book):
            shown = [id for id in wanted if id in case.clauses]
            if clause in shown or (shown and case.id.startswith(tuple(f"{id}/" for id in near))):
                console.print(
                    f"    {case.id} [dim]{path.parent.name}/{path.name}:{line}[/] {escape(case.title)}", soft_wrap=True
                )


def helpers() -> Iterator[tuple[str, FunctionType]]:
    """The functions that rules share, most used first: no rules themselves, with a word on what they say."""
    modules = {name: it for name, it in sys.modules.items() if name.startswith("warcabinet.rules.") and it}
    used: Counter[FunctionType] = Counter()
    for name, module in modules.items():
        for function in vars(module).values():
            if isinstance(function, FunctionType) and function.__module__ != name:
                used[function] += 1
    for function, count in used.most_common():
        parameters = tuple(inspect.signature(function).parameters)
        if count > 1 and parameters[:1] in (("s",), ("p",)) and function.__module__.startswith("warcabinet."):
            yield function.__module__.removeprefix("warcabinet."), function


def _show_helpers() -> None:
    console.print("\n[bold]Helpers[/]")
    found = list(helpers())
    for topic, words in TOPICS.items():
        console.print(f"  {topic}")
        fitting = [it for it in found if set(words) & set(re.findall(r"[a-z]+", _about(it[1]).lower()))]
        for module, function in fitting[:6]:
            given = ", ".join(inspect.signature(function).parameters)
            told = (function.__doc__ or "").strip().split("\n")[0]
            console.print(f"    {function.__name__}({given}) [dim]{module}[/] {escape(told)}", soft_wrap=True)


def _about(function: FunctionType) -> str:
    return f"{function.__name__.replace('_', ' ')} {function.__doc__ or ''}"


def _show_where(clause: str) -> None:
    if modules := _modules_near(clause):
        console.print(f"\n[bold]Where[/] {', '.join(modules[:3])}")


def _modules_near(clause: str) -> list[str]:
    """The modules in which the rest of the chapter stands, those nearest in number first."""
    chapter = clause.split(".")[0]
    beside = [id for id in RULES.by_clause if id.split(".")[0] == chapter]
    beside.sort(key=lambda it: -len(_common(it, clause)))
    return list(dict.fromkeys(rule.where.split(":")[0] for id in beside for rule in RULES.by_clause[id]))


def _common(one: str, other: str) -> str:
    """How two clauses begin alike."""
    return next((one[:n] for n in range(min(len(one), len(other)), 0, -1) if one[:n] == other[:n]), "")


def kind_of(row: Clause) -> str:
    """The kind of rule that a clause most likely wants, by the words of its gist."""
    text = f" {row.gist.lower()} "
    if re.search(r"\b(may not|no|not|never|only|cannot|must|at most|restricted|barred)\b", text):
        return "limit"
    if re.search(r"\b(\d+|rate|cost|costs|value|worth|level|%|number)\b", text):
        return "value"
    return "effect"


def code_stub(row: Clause) -> str:
    """A rule to begin with, in the words of the how-to."""
    name = "_".join(re.findall(r"[a-z]+", row.gist.lower())[:4]) or "clause"
    gist = f'    """{row.gist.rstrip(".")}."""\n'
    if kind_of(row) == "limit":
        return (
            f'\n@limit("{row.clause}", on=MoveUnits, displaces=...)  # what refuses it now, if a limit does\n'
            f"def {name}(s: State, cmd: MoveUnits) -> str | None:\n{gist}"
            '    return "why it may not be" if ... else None\n'
        )
    if kind_of(row) == "value":
        return (
            f'\n@value("{row.clause}", displaces=...)  # the general figure, if this is an exception to one\n'
            f"def {name}(s: State, power: str) -> int:\n{gist}    return ...\n"
        )
    return (
        f'\n@effect("{row.clause}", on=WarBegan)\n'
        f"def {name}(p: Proceedings, began: WarBegan) -> None:\n{gist}"
        "    if ...:\n        p.do(...)\n"
    )


def case_stubs(row: Clause) -> str:
    """Two cases: one in which it holds, one just beyond it."""
    shows = f'\n  shows: ["{row.clause}#1"]' if row.sentences > 1 else ""
    refused = kind_of(row) == "limit"
    last = f'{{refused: ["{row.clause}"], unchanged: true}}' if refused else "{the figure it is about: as it was}"
    return f"""
- id: "{row.clause}/1"
  title: What it allows or brings, in a sentence
  clauses: ["{row.clause}"]{shows}
  given: {{scenario: classic-1939, turn: Winter 1941, player: axis, phase: movement}}
  when:
    - {{do: advance}}
  then: {{the figure it is about: as the text says}}
- id: "{row.clause}/2"
  title: And what lies just beyond it
  clauses: ["{row.clause}"]
  given: {{scenario: classic-1939, turn: Winter 1941, player: axis, phase: movement}}
  when:
    - {{do: advance}}
  then: {last}
"""
