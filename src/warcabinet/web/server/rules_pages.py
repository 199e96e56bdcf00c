"""The rules as pages: chapters, a clause each with a link of its own, search, and how far all of it is carried out.

They need no table and are the same for everybody; with a table (`?table=`) they say which readings it plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request

from warcabinet.conformance.casebook import case_called, case_of, cases_on_ruling
from warcabinet.kernel.clause import Clause, catalogue
from warcabinet.kernel.rules import RULES
from warcabinet.model.calendar import PLAYERS, steps
from warcabinet.model.rulings import rulings
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.web.plumbing.problems import not_found
from warcabinet.web.sheets.case_maps import places_named
from warcabinet.web.sheets.clause_pages import ClausePage, RulingLine, clause_page, ruling_line
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.table.gate import sitter_at, visitor

#: What the chapters are about, in groups as they are looked for.
GROUPS: dict[str, dict[str, str]] = {
    "Economy": {
        "35": "Year start and BRPs",
        "36": "Mobilization",
        "37": "Industrial centers",
        "38": "Key economic areas",
        "39": "Spending limits",
        "40": "BRP grants",
    },
    "Commonwealth": {
        "70": "Canada, South Africa",
        "71": "Australia",
        "72": "India",
        "73": "Gibraltar",
        "74": "Colonies, Singapore",
    },
    "China and Siberia": {
        "78": "Nationalist China",
        "79": "Communist China",
        "80": "China at war",
        "81": "Manchuria, Siberia",
    },
    "Minor countries": {
        "82": "Status and war",
        "83": "Conquest",
        "84": "Association",
        "85": "Minor allies",
        "86": "Scandinavia",
        "87": "Western Europe",
        "88": "Middle East, Africa",
        "89": "Asia",
    },
    "Our own": {"WC": "House rules of the table"},
}
MOST_FOUND = 60


class ChapterLine(msgspec.Struct, frozen=True):
    """A chapter in the tree: how many of its clauses with something to compute are carried out."""

    chapter: str
    title: str
    done: int
    of: int


class Totals(msgspec.Struct, frozen=True):
    """How far the documents are carried out: what `rules --coverage` counts."""

    computable: int
    enforced: int
    whole: int
    answered: int
    planned: int
    nothing: int
    house: int
    house_enforced: int
    rulings: int


class Step(msgspec.Struct, frozen=True):
    """A step of the player turn, and whether the clause acts in it."""

    name: str
    own: bool


@cache
def tree() -> dict[str, tuple[ChapterLine, ...]]:
    return {group: tuple(_chapter(number, title) for number, title in its.items()) for group, its in GROUPS.items()}


def _chapter(number: str, title: str) -> ChapterLine:
    rows = [row for row in catalogue().values() if row.chapter == number and row.computable]
    return ChapterLine(number, title, sum(row.status != "planned" for row in rows), len(rows))


@cache
def totals() -> Totals:
    rows = [row for row in catalogue().values() if not row.house_rule]
    ours = [row for row in catalogue().values() if row.house_rule and row.computable]
    enforced = [row for row in rows if row.status == "enforced"]
    return Totals(
        sum(row.computable for row in rows),
        len(enforced),
        sum(row.shown >= row.sentences for row in enforced),
        sum(row.status == "answered" for row in rows),
        sum(row.status == "planned" for row in rows),
        sum(not row.computable for row in rows),
        len(ours),
        sum(row.status == "enforced" for row in ours),
        len(rulings()),
    )


def above(clause: str) -> list[Clause]:
    """The headings under which a clause stands, the widest first."""
    return [row for row in _shorter(clause) if row.clause != clause]


def _shorter(clause: str) -> Iterable[Clause]:
    seen = ""
    for letter in clause:
        seen += letter
        if seen in catalogue() and "." in seen:
            yield catalogue()[seen]


@cache
def below(clause: str) -> tuple[Clause, ...]:
    """The clauses right under a heading."""
    return tuple(row for id, row in catalogue().items() if _heading_of(id) == clause)


def _heading_of(clause: str) -> str:
    up = above(clause)
    return up[-1].clause if up else ""


def in_chapter(chapter: str) -> list[Clause]:
    return [row for row in catalogue().values() if row.chapter == chapter]


def _in_tree(row: Clause) -> tuple[int, str]:
    """Where a clause stands in the tree: what is under a heading right after it."""
    return (int(row.clause.partition(".")[2]) if row.house_rule else 0, row.clause)


def beside(clause: str) -> tuple[str, str]:
    """The clauses before and after one."""
    ids = list(catalogue())
    at = ids.index(clause)
    return ids[at - 1] if at else "", ids[at + 1] if at + 1 < len(ids) else ""


def found(words: str) -> list[Clause]:
    """Clauses by the beginning of their number, or by words of their gist and of the rules that carry them out."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    rows = [row for row in catalogue().values() if row.clause.casefold().startswith("".join(wanted))]
    rows += [row for row in catalogue().values() if row not in rows and all(word in _text(row) for word in wanted)]
    return rows[:MOST_FOUND]


@cache
def _text(row: Clause) -> str:
    carried = (f"{rule.name} {rule.gist}" for rule in RULES.by_clause.get(row.clause, ()))
    asked = (it.question for it in rulings().values() if row.clause in it.clauses)
    return " ".join((row.clause, row.gist, *carried, *asked)).casefold()


def moments(page: ClausePage) -> tuple[Step, ...]:
    """The steps of the sequence with those marked in which the clause acts; nothing where no step is its own."""
    names = dict.fromkeys(place.step.name for place in steps() if place.part in ("year start", PLAYERS[0]))
    if not set(page.steps) & set(names):
        return ()
    return tuple(Step(name, name in page.steps) for name in names)


class AtTable(msgspec.Struct, frozen=True):
    """The table from which the rules are read: its name, and the readings that it plays."""

    id: str
    title: str
    readings: dict[str, str]


def at_table(server: ServerParts, request: Request) -> AtTable | None:
    """The table named in the address, for those who sit there."""
    id = request.query_params.get("table", "")
    if not id:
        return None
    sitter = sitter_at(server, visitor(server, request), id)
    with server.tables.at(id) as table:
        state = table.game.state
    played = {ruling: reading_in_force(state, ruling) for ruling in rulings()}
    return AtTable(id, sitter.table.title, played)


def address(base: str, id: str, table: AtTable | None) -> str:
    """Where a clause or ruling has its page; the table goes along."""
    return f"{base}/rules{'/' if id else ''}{quote(id, safe='()')}{f'?table={quote(table.id)}' if table else ''}"


def rules_view(server: ServerParts, request: Request) -> tuple[str, dict[str, Any]]:
    """The template and the values of one of these pages."""
    id = request.path_params.get("clause", "")
    base = str(request.scope.get("root_path", ""))
    table = at_table(server, request)
    who = visitor(server, request).person

    def to(other: str) -> str:
        return address(base, other, table)

    words = request.query_params.get("q", "")[:80].strip()
    shared: dict[str, Any] = {
        "tree": tree(),
        "totals": totals(),
        "table": table,
        "to": to,
        "words": words,
        "name": who.name if who else "",
        "here": "rules",
        "speaking": [],
        "id": id,
    }
    if words:
        return "rules-index.html", {**shared, "found": found(words), "chapter": None, "clauses": [], "rulings": []}
    if id in catalogue():
        return "rules-clause.html", {**shared, **_clause_values(id)}
    return "rules-index.html", {**shared, "found": None, **_list_values(id)}


def _clause_values(id: str) -> dict[str, object]:
    page = clause_page(id)
    chapter = catalogue()[id].chapter
    before, after = beside(id)
    return {
        "page": page,
        "chapter": _title(chapter),
        "above": above(id),
        "below": below(id),
        "before": before,
        "after": after,
        "moments": moments(page),
        "on_the_map": lambda case: bool(places_named(case_called(case))),
        "open": {row.clause for row in above(id)} | {id},
        "above_of": _heading_of,
        "depth": lambda clause: len(above(clause)) + 1,
        "rows": sorted(in_chapter(chapter), key=_in_tree),
    }


def _list_values(id: str) -> dict[str, object]:
    """A chapter, a ruling, all rulings, or the front page."""
    if id in ("", "rulings"):
        every = [ruling_line(it) for it in rulings().values()] if id else []
        return {"chapter": None, "clauses": [], "rulings": every}
    if id in rulings():
        speaking = [case_of(it) for it in cases_on_ruling(id)]
        return {"chapter": None, "clauses": [], "rulings": [ruling_line(rulings()[id])], "speaking": speaking}
    titled = _title(id)
    if titled is None:
        raise not_found(f"clause {id}")
    return {"chapter": titled, "clauses": in_chapter(id), "rulings": _rulings_of(id)}


def _title(chapter: str) -> ChapterLine | None:
    return next((it for lines in tree().values() for it in lines if it.chapter == chapter), None)


def _rulings_of(chapter: str) -> list[RulingLine]:
    return [ruling_line(it) for it in rulings().values() if any(catalogue()[c].chapter == chapter for c in it.clauses)]
