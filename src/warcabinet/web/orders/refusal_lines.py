"""Why something may not be: every reason with its clause, the words that offend, and the next chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.game.engine import GameDecision
from warcabinet.game.offers import Offer, may_be_given, moments_to_come
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Bound, Choice, Draft, Limit, Refusal, StillOpen
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.commands import command_types, fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.reading import as_written
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.views.words import gist_of, in_number, listed, refusal_words
from warcabinet.web.hall.rights import actor_field
from warcabinet.web.orders.order_words import command_parts, way_on
from warcabinet.web.orders.reasons import Reason, reason
from warcabinet.web.orders.unit_choices import counters_for


class RefusalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason against an order: its clause, what its rule is about, and the next chance where time decides."""

    clause: str
    text: str
    rule: str = ""
    gist: str = ""
    next: str = ""
    #: What would be right, where there are a few things to choose from.
    right: str = ""
    #: The clauses that say the same beside it.
    also: tuple[str, ...] = ()


def refusal_line(
    state: State,
    kind: type[Command] | None,
    refusal: Refusal,
    power: str = "",
    draft: Any = None,
    known: dict[str, Any] | None = None,
    chance: str | None = None,
) -> RefusalLine:
    """A refusal with what its rule is about, the next chance where it is a matter of time, and what would be right.

    With the order, or as much as is known of it, limits too are asked when they would let it pass. Whoever tells of
    many orders has found out their next `chance` for all of them together.
    """
    rule = RULES.by_name.get(refusal.rule)
    if kind is None or refusal.rule:
        chance = ""
    elif chance is None:
        chance = next_chance(state, kind, power, known, AHEAD if draft is not None else 0)
    right = ""
    if draft is not None and isinstance(rule, Limit) and kind is not None:
        # Time does not go by for whoever may not go on: what is owed comes first.
        chance = "" if kind is Advance else _later(state, kind, rule, draft, power)
        right = _right(state, kind, rule, draft)
    text = refusal_words(refusal)
    return RefusalLine(refusal.clause, text, refusal.rule, gist_of(refusal), chance, right, refusal.also)


#: So many turns are looked ahead for the next chance: as far as a year start and the spring after it.
AHEAD = 4


def _later(state: State, kind: type[Command], limit: Limit[Any, Any], draft: Any, power: str) -> str:
    """The next moment at which a limit would not stand in the way, if nothing but time went by."""
    for moment in moments_to_come(state, kind, power, AHEAD):
        turn, step = calendar.split(moment)
        then = replace(state, turn=turn, step=step)
        try:
            if limit.when is not None and not limit.when(then, draft):
                return calendar.moment_name(moment)
            if not any(limit.judge(draft, it) for it in limit.findings(then, draft)):
                return calendar.moment_name(moment)
        except (StillOpen, WarCabinetError):
            return ""
    return ""


def _right(state: State, kind: type[Command], limit: Limit[Any, Any], draft: Any) -> str:
    """What the field that a limit is about may be: its choices, or the counters there are."""
    try:
        findings = tuple(limit.findings(state, draft))
        for finding in findings:
            if isinstance(finding, Choice) and finding.among:
                return f"{finding.field.replace('_', ' ')}: {listed(finding.among, 8)}"
        nation = str(getattr(draft, actor_field(kind) or "power", ""))
    except StillOpen:
        return ""
    units = {field.attribute for field in fields(kind) if field.kind in ("unit", "unit count")}
    if not any(isinstance(it, str) for it in findings) or not units or isinstance(draft, Draft):
        return ""
    if not units & limit.looks_at(state, draft):
        return ""
    there = {it.unit: it.count for it in counters_for(state, name_of(kind), nation) if it.count}
    asked = [it for name in units for it in (getattr(draft, name),) if it]
    named = counted(tuple(one for it in asked for one in (it if isinstance(it, tuple) else (it,))))
    if all(there.get(unit, 0) >= count for unit, count in named.items()):
        return ""
    lying = [in_number(f"{count} {unit}") for unit, count in list(there.items())[:8]]
    return f"there are {', '.join(lying)}" if lying else ""


def next_chance(
    state: State, kind: type[Command], power: str, known: dict[str, Any] | None = None, ahead: int = 0
) -> str:
    """The next moment at which nothing would stand against this order if only time went by, if there is one.

    A list of orders asks about the first moment that its phases give; who asks for one order looks further ahead.
    """
    given = known if known is not None else {field: power for field in (actor_field(kind),) if field and power}
    moments = moments_to_come(state, kind, power, ahead or 1)
    for moment in moments if ahead else islice(moments, 1):
        if may_be_given(state.at(*calendar.split(moment)), name_of(kind), given):
            return calendar.moment_name(moment)
    return ""


def next_chances(state: State, offers: Sequence[Offer]) -> dict[int, str]:
    """The next chance of each order that it is not the time for, by its place among them.

    Those that may be given at the same moment are asked about together, which shares what is found out about it.
    """
    asked: dict[int, list[int]] = {}
    for place, offer in enumerate(offers):
        if any(not it.rule for it in offer.refusals):
            kind, power = command_types()[offer.command], str(offer.known.get("power", ""))
            for moment in islice(moments_to_come(state, kind, power, 1), 1):
                asked.setdefault(moment, []).append(place)
    found: dict[int, str] = {}
    for moment, places in asked.items():
        then = state.at(*calendar.split(moment))
        given = (it for it in places if may_be_given(then, offers[it].command, offers[it].known))
        found |= dict.fromkeys(given, calendar.moment_name(moment))
    return found


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
    parts = [("", way_on(state))] if kind is Advance else command_parts(command)
    fine = [reason(why) for why in ruling.checked if why.rule not in blamed]
    # Whatever is wrong with the names in it, the order has one next chance.
    chance = next_chance(state, kind, power, None, AHEAD) if "" in blamed else ""
    return RefusedOrder(
        command=name_of(command),
        power=power if power in powers() else "",
        sentence=" ".join(text for _, text in parts),
        parts=tuple(SentencePart(text, field in wrong) for field, text in parts),
        given=as_written(command),
        refusals=tuple(refusal_line(state, kind, refusal, power, command, None, chance) for refusal in ruling.refusals),
        rests_on=tuple(map(reason, rests)),
        checked=tuple({(it.rule, it.about, it.text): it for it in fine}.values()),
    )


def _offending(state: State, command: Command, refusal: Refusal) -> set[str]:
    """The fields of an order that a refusal is about; the one who gives it is never the fault."""
    limit = RULES.by_name.get(refusal.rule)
    if not isinstance(limit, Limit):
        named = refusal.text.partition(":")[0]
        return {field.name for field in fields(type(command)) if field.name == named}
    for finding in limit.findings(state, command):
        if isinstance(finding, Bound | Choice) and limit.judge(command, finding) == refusal:
            return {finding.field}
    looked_at = limit.looks_at(state, command)
    about = {field.name for field in fields(type(command)) if field.attribute in looked_at}
    return about - {actor_field(type(command))}


def _open_to_ruling(why: Why) -> list[Why]:
    """The values and definitions that a refusal rests on: what a referee can rule otherwise, nearest first."""
    near = [reason for reason in why.because if reason.rule in RULES.values()]
    return [*near, *(deeper for reason in why.because for deeper in _open_to_ruling(reason))][:6]
