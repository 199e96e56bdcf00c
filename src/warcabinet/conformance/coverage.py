"""How far the rules are carried out: derived from what passing cases did, never declared.

- *enforced*: in a passing case some order was refused by the clause or something happened by it, or it stands among
  the reasons of such a refusal or event. Every limit that cites it must have refused somewhere, and every effect,
  order and due that cites it must have made an event.
- *answered*: a figure that can be asked, and a passing case asked it or rested on it without consequence.
- a clause without code, or whose code no case shows, is *planned*; one with nothing to compute is a heading, a
  reference or a remark, with a reason.

House rules (WC) are counted apart: they are ours, not the documents'.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from warcabinet.conformance.cases import Book, cases_that_name, sentence_of
from warcabinet.conformance.running import Outcome
from warcabinet.figures.position import scenarios
from warcabinet.kernel.clause import Clause, catalogue
from warcabinet.kernel.effects import Due, Effect, Order
from warcabinet.kernel.limits import Limit
from warcabinet.kernel.rules import RULES, Rule


class Coverage(msgspec.Struct, frozen=True):
    """Clause ids of the documents by how far they are carried out; our house rules apart."""

    enforced: tuple[str, ...]
    answered: tuple[str, ...]
    planned: tuple[str, ...]
    not_computable: dict[str, str]
    # House rules that are enforced, of how many there are.
    house_rules: tuple[str, ...]
    all_house_rules: tuple[str, ...]
    # Rules that no passing case saw refuse, or make an event; by clause.
    untried: dict[str, tuple[str, ...]]
    # How many of its commanding sentences a clause is shown to carry out.
    sentences: dict[str, int]

    @property
    def covered(self) -> tuple[str, ...]:
        return (*self.enforced, *self.answered)

    @property
    def computable(self) -> tuple[str, ...]:
        return (*self.enforced, *self.answered, *self.planned)

    @property
    def whole(self) -> tuple[str, ...]:
        """Enforced clauses each of whose commanding sentences has a case that shows it."""
        return tuple(id for id in self.enforced if self.sentences[id] >= catalogue()[id].sentences)


def coverage(outcomes: Iterable[Outcome], chapter: str = "") -> Coverage:
    """What passing cases show of the clauses, of all chapters or of one."""
    passed = [outcome for outcome in outcomes if outcome.ok]
    shown = Shown(passed)
    by_state: dict[str, list[str]] = {"enforced": [], "answered": [], "planned": []}
    ours: list[str] = []
    rows = [row for row in catalogue().values() if chapter in ("", row.chapter)]
    for row in rows:
        if row.computable:
            state = shown.state(row)
            if row.house_rule and chapter != row.chapter:
                ours += [row.clause] if state == "enforced" else []
            else:
                by_state[state].append(row.clause)
    return Coverage(
        tuple(by_state["enforced"]),
        tuple(by_state["answered"]),
        tuple(by_state["planned"]),
        {row.clause: row.reason for row in rows if not row.computable},
        tuple(ours),
        tuple(row.clause for row in rows if row.house_rule and row.computable),
        {row.clause: idle for row in rows if (idle := shown.untried(row.clause))},
        {row.clause: shown.sentences(row) for row in rows if row.computable},
    )


class Shown:
    """What passing cases did, taken together."""

    def __init__(self, passed: list[Outcome]) -> None:
        self.enforced = {clause for outcome in passed for clause in outcome.enforced}
        self.consulted = {clause for outcome in passed for clause in outcome.consulted} | self.enforced
        self.rules = {rule for outcome in passed for rule in outcome.rules}
        named = [
            sentence_of(it) for outcome in passed for it in outcome.shows if it.partition("#")[0] in outcome.consulted
        ]
        self.named = {clause: {number for other, number in named if other == clause} for clause, _ in named}
        self.with_code = with_code()

    def state(self, row: Clause) -> str:
        """Enforced, answered or planned. A clause with bullets needs each of them to have been consulted."""
        id = row.clause
        # A house rule may be seen to with the form of a command, before any rule is asked.
        there = id in self.with_code or (row.house_rule and id in self.enforced)
        if not there or any(it not in self.consulted for it in (id, *bullets(id))):
            return "planned"
        if id in self.enforced and not self.untried(id):
            return "enforced"
        return "answered"

    def untried(self, id: str) -> tuple[str, ...]:
        """Limits of a clause that never refused, and effects that never did anything."""
        acting = (rule for rule in RULES.by_clause.get(id, ()) if rule.clause == id and _acts(rule))
        return tuple(rule.name for rule in acting if rule.name not in self.rules and not self._hands_on(rule))

    def _hands_on(self, rule: Rule) -> bool:
        """Whether a rule acts by running another that did: `p.run(conquer, ...)`."""
        code = rule.fn.__code__
        named = {*code.co_names, *(it for it in code.co_consts if isinstance(it, str))}
        return "run" in named and bool(named & self.rules)

    def sentences(self, row: Clause) -> int:
        """Sentences that cases name; where none is named, what was shown is at least one of them."""
        return len(self.named.get(row.clause, ())) or int(self.state(row) != "planned")


def _acts(rule: Rule) -> bool:
    return isinstance(rule, Limit | Effect | Order | Due)


def bullets(clause: str) -> list[str]:
    """The bullets of a clause that have something to compute."""
    return [id for id, row in catalogue().items() if id.startswith(clause + "(") and row.computable]


def with_code() -> set[str]:
    """Clauses that some rule carries out, or a line of a scenario that is all there is to them."""
    carried = {line.source for it in scenarios().values() for line in it.figures if line.carries}
    return set(RULES.by_clause) | carried


def cases_by_clause(paths: Iterable[Path], heading: str = "") -> dict[str, list[str]]:
    """Which cases name a clause; with a heading, cases that do not name it or anything under it are not read."""
    found: dict[str, list[str]] = {}
    book = Book(paths)
    for path in book.files:
        for case in cases_that_name(path, heading, book):
            for clause in case.clauses:
                found.setdefault(clause, []).append(case.id)
    return found
