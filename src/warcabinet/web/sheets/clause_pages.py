"""Clauses as the pages show them: the rules that carry them out, the cases that show them, the rulings on them."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from warcabinet.conformance.casebook import Written, case_of, cases_naming
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.effects import Order
from warcabinet.kernel.limits import Limit
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.model.calendar import steps
from warcabinet.model.rulings import Ruling, rulings
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.sheets.case_words import given_words, outcome_by_reading, outcome_words, step_words


class RuleLine(msgspec.Struct, frozen=True):
    """A rule that carries out a clause, and where it stands in the code."""

    rule: str
    kind: str
    gist: str
    where: str


class CaseLine(msgspec.Struct, frozen=True):
    """A case that shows a clause: what is given, what is done, what must come of it, and where it is written."""

    case: str
    title: str
    file: str
    line: int
    given: tuple[str, ...]
    when: tuple[str, ...]
    then: tuple[str, ...]
    #: Where it is about an open point: the ruling, and what comes of it under each reading.
    ruling: str = ""
    by_reading: dict[str, tuple[str, ...]] = {}


class ReadingLine(msgspec.Struct, frozen=True):
    reading: str
    text: str
    #: Whether it is played unless a table chooses otherwise, and whether it can be chosen at all.
    shipped: bool
    selectable: bool


class RulingLine(msgspec.Struct, frozen=True):
    """An open point: the question, its readings, and why one of them is played."""

    ruling: str
    question: str
    clauses: tuple[str, ...]
    readings: tuple[ReadingLine, ...]
    reason: str


class ClausePage(msgspec.Struct, frozen=True):
    """A clause as we know it: its gist, the rules that carry it out, its cases, the rulings on it."""

    clause: str
    status: str
    gist: str
    reason: str
    rules: tuple[RuleLine, ...]
    sentences: int = 0
    shown: int = 0
    #: The steps of a player turn in which its orders are given or its effects run.
    steps: tuple[str, ...] = ()
    #: What its limits refuse, in their own words.
    refuses: tuple[str, ...] = ()
    cases: tuple[CaseLine, ...] = ()
    rulings: tuple[RulingLine, ...] = ()


class ClauseLine(msgspec.Struct, frozen=True):
    clause: str
    gist: str
    status: str


class ClausesFound(msgspec.Struct, frozen=True):
    """Clauses whose number begins with what was typed."""

    clauses: tuple[ClauseLine, ...]


@lru_cache(2048)
def clause_page(id: str) -> ClausePage:
    """A clause with all that is known of it. Nothing of it changes while the program runs, so it is made once."""
    found = catalogue().get(id)
    if found is None:
        raise Problem(404, f"there is no clause {id}")
    carried = RULES.by_clause.get(id, ())
    return ClausePage(
        id,
        found.status,
        found.gist,
        found.reason,
        tuple(RuleLine(r.name, r.kind, r.gist, r.where) for r in carried),
        found.sentences,
        found.shown,
        tuple(dict.fromkeys(step for rule in carried for step in _steps_of(rule))),
        tuple(rule.gist for rule in carried if isinstance(rule, Limit)),
        tuple(case_line(it) for it in cases_naming(id)),
        tuple(ruling_line(it) for it in rulings().values() if id in it.clauses),
    )


def _steps_of(rule: Rule) -> list[str]:
    """When a rule is asked: in the phases of its order or of those that it limits, or at a step that lists it."""
    if isinstance(rule, Order):
        return list(rule.phases)
    if isinstance(rule, Limit):
        return [phase for kind in rule.on if kind in RULES.orders for phase in RULES.orders[kind].phases]
    return [place.step.name for place in steps() if rule.name in place.step.effects]


def case_line(it: Written) -> CaseLine:
    case = case_of(it)
    return CaseLine(
        case.id,
        case.title,
        it.file,
        it.line,
        tuple(given_words(case.given)),
        tuple(map(step_words, case.when)),
        tuple(outcome_words(case)),
        case.disputed,
        {letter: tuple(then) for letter, then in outcome_by_reading(case).items()},
    )


def ruling_line(it: Ruling) -> RulingLine:
    readings = tuple(
        ReadingLine(letter, text, letter == it.choice, letter in it.selectable) for letter, text in it.readings.items()
    )
    return RulingLine(it.id, it.question.strip(), it.clauses, readings, it.reason.strip())


def clauses_starting(text: str) -> ClausesFound:
    """The first dozen clauses whose number begins with the text, for the command line."""
    found = [c for c in catalogue().values() if c.clause.startswith(text.upper())][:12] if text else []
    return ClausesFound(tuple(ClauseLine(c.clause, c.gist, c.status) for c in found))
