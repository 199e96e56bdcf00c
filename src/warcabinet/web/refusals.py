"""Why something may not be: every reason with its clause, the words that offend, and the next chance."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.engine import GameDecision
from warcabinet.kernel.limits import Bound, Choice, Limit, Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.commands import fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.web.reasons import Reason, reason
from warcabinet.web.rights import actor_field
from warcabinet.web.words import command_parts, command_words
from warcabinet.words import spoken


class RefusalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason against an order: its clause, what its rule is about, and the next chance where time decides."""

    clause: str
    text: str
    rule: str = ""
    gist: str = ""
    next: str = ""


def refusal_line(state: State, kind: type[Command] | None, refusal: Refusal, power: str = "") -> RefusalLine:
    """A refusal with what its rule is about and, where it is a matter of time, the next chance."""
    rule = RULES.by_name.get(refusal.rule)
    chance = next_chance(state, kind, power) if kind is not None and not refusal.rule else ""
    return RefusalLine(refusal.clause, spoken(refusal.text), refusal.rule, rule.gist if rule else "", chance)


def next_chance(state: State, kind: type[Command], power: str) -> str:
    """The next moment at which this order may be given by this power, as far as time alone decides."""
    phases = RULES.orders[kind].phases
    side = powers()[power].player if power in powers() else ""
    for turn in (state.turn, state.turn + 1):
        for index, place in enumerate(calendar.steps()):
            if place.part == "year start" or calendar.moment(turn, index) <= state.moment:
                continue
            if (not side or place.part == side) and (not phases or place.step.name in phases):
                return calendar.moment_name(calendar.moment(turn, index))
    return ""


class SentencePart(msgspec.Struct, frozen=True):
    """Some words of an order's sentence, and whether a refusal is about them."""

    text: str
    wrong: bool


class RefusedOrder(msgspec.Struct, frozen=True):
    """An order that the rules forbid: every reason, what it rests on, and what was checked and found in order."""

    command: str
    power: str
    sentence: str
    parts: tuple[SentencePart, ...]
    given: dict[str, Any]
    refusals: tuple[RefusalLine, ...]
    rests_on: tuple[Reason, ...]
    checked: tuple[Reason, ...]


def refused_order(state: State, command: Command, ruling: GameDecision) -> RefusedOrder:
    """A refusal as the page shows it: the order, every reason, and what was checked and found in order."""
    kind = type(command)
    power = str(getattr(command, actor_field(kind) or "power", ""))
    blamed = {refusal.rule for refusal in ruling.refusals}
    wrong = {field for refusal in ruling.refusals for field in _offending(state, command, refusal)}
    rests = [why for limit in ruling.checked if limit.rule in blamed for why in _open_to_ruling(limit)]
    return RefusedOrder(
        command=name_of(command),
        power=power if power in powers() else "",
        sentence=command_words(command),
        parts=tuple(SentencePart(text, field in wrong) for field, text in command_parts(command)),
        given=msgspec.to_builtins(command),
        refusals=tuple(refusal_line(state, kind, refusal, power) for refusal in ruling.refusals),
        rests_on=tuple(map(reason, rests)),
        checked=tuple(reason(why) for why in ruling.checked if why.rule not in blamed),
    )


def _offending(state: State, command: Command, refusal: Refusal) -> set[str]:
    """The fields of an order that a refusal is about; the one who gives it is never the fault."""
    limit = RULES.by_name.get(refusal.rule)
    if not isinstance(limit, Limit):
        named = refusal.text.partition(":")[0]
        return {field.name for field in fields(type(command)) if field.name == named}
    finding = limit(state, command)
    if isinstance(finding, Bound | Choice):
        return {finding.field}
    looked_at = limit.looks_at(state, command)
    about = {field.name for field in fields(type(command)) if field.attribute in looked_at}
    return about - {actor_field(type(command))}


def _open_to_ruling(why: Why) -> list[Why]:
    """The values and definitions that a refusal rests on: what a referee can rule otherwise, nearest first."""
    near = [reason for reason in why.because if reason.rule in RULES.values()]
    return [*near, *(deeper for reason in why.because for deeper in _open_to_ruling(reason))][:6]
