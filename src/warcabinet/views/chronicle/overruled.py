"""Where the table stood against the rules: refusals overruled with who and why, what the referee set, rulings used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.game.engine import decide
from warcabinet.game.journal import Journal, Move
from warcabinet.model import events
from warcabinet.model.commands import name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import RefereeRules, Release
from warcabinet.model.rulings import rulings
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.views.words import answer_words, command_text, figure_name, listed, name, spoken


class Intervention(msgspec.Struct, frozen=True):
    """What stands against the rules: the entry, whose, what, why, and by what clauses it would be refused."""

    entry: int
    seat: str
    text: str
    reason: str
    clauses: tuple[str, ...] = ()


class RulingUsed(msgspec.Struct, frozen=True):
    """A point that the documents leave open, in the season in which it first mattered, as this game reads it."""

    id: str
    clause: str
    question: str
    text: str
    entry: int


def interventions(journal: Journal, moves: Iterable[Move]) -> Iterator[Intervention]:
    """Reports that a rule outside the documents allowed, and figures and results that the referee set or released."""
    for move in moves:
        yield from _overruled(journal, move)
        yield from _by_the_referee(move)


def _overruled(journal: Journal, move: Move) -> Iterator[Intervention]:
    """A report that names the rule which allows it, where it would have been refused without that word."""
    command = move.command
    excuse = getattr(command, "by_rule", "").strip()
    if command is None or not excuse:
        return
    plain: Command = msgspec.structs.replace(command, by_rule="")
    refusals = decide(journal.state_at(move.before), plain).refusals
    if refusals:
        what = spoken(command_text(plain).removeprefix(name_of(plain)).strip())
        text = f"{name_of(plain).replace('_', ' ')} {what}. Refused: {listed((it.text for it in refusals), 2)}"
        clauses = tuple(dict.fromkeys(it.clause for it in refusals))
        yield Intervention(move.id, move.seat, text.rstrip("."), f"Allowed by {excuse}.", clauses)


def _by_the_referee(move: Move) -> Iterator[Intervention]:
    command = move.command
    if isinstance(command, RefereeRules):
        of = f" of {listed(map(name, command.args))}" if command.args else ""
        text = f"fixed {rule_title(command.rule).lower()}{of} at {answer_words(command.is_)}"
        yield Intervention(move.id, move.seat, text, command.reason)
    elif isinstance(command, Release):
        yield Intervention(move.id, move.seat, f"lifted the ruling on {rule_title(command.rule).lower()}", "")
    for record in move.records:
        event = record.event
        if isinstance(event, events.Corrected):
            text = f"set {figure_name(event.figure)} to {event.to}"
            yield Intervention(move.id, move.seat, text, event.reason)


def rulings_used(moves: Iterable[Move], state: State, told: set[str]) -> Iterator[RulingUsed]:
    """Rulings by whose clauses something happened, each told once in a chronicle."""
    for move in moves:
        for record in move.records:
            for id in _about(record.clause):
                if id not in told:
                    told.add(id)
                    ruling = rulings()[id]
                    reading = ruling.readings[reading_in_force(state, id)].strip()
                    yield RulingUsed(id, record.clause, ruling.question.strip(), reading, move.id)


def _about(clause: str) -> Iterator[str]:
    """The rulings on a clause of which a table may choose the reading."""
    for ruling in rulings().values():
        if clause in ruling.clauses and len(ruling.selectable) > 1:
            yield ruling.id
