"""What a sitter can do now, how far, what would come of it, and when what is not possible becomes so."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from warcabinet.engine import GameDecision, decide
from warcabinet.figures.table import proposals
from warcabinet.game import hands_over
from warcabinet.house.form import misnamed
from warcabinet.kernel.limits import Bound, Choice, Limit, Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.commands import command_types, fields, is_report, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import ChooseReading
from warcabinet.model.forces import unbuilt
from warcabinet.model.ledger import balance
from warcabinet.model.names import powers
from warcabinet.model.rulings import rulings
from warcabinet.model.state import State
from warcabinet.model.units import unit_kinds
from warcabinet.offers import FieldOffer, Offer, narrow, offers, sift
from warcabinet.rules.minors.forces import force_level, unit_names
from warcabinet.web.errors import Problem
from warcabinet.web.lines import event_line
from warcabinet.web.rights import Sitter, actor_field
from warcabinet.web.words import command_parts, command_words, why_tree
from warcabinet.words import name, rule_title, spoken


def label(command: str) -> str:
    return rule_title(command)


def family(kind: type[Command]) -> str:
    if kind.referee_only or kind is ChooseReading:
        return "ruling"
    return "report" if is_report(kind) else "order"


def refusal_view(state: State, kind: type[Command] | None, refusal: Refusal, power: str = "") -> dict[str, Any]:
    """A refusal with what its rule is about and, where it is a matter of time, the next chance."""
    rule = RULES.by_name.get(refusal.rule)
    chance = next_chance(state, kind, power) if kind is not None and not refusal.rule else ""
    return {
        "clause": refusal.clause,
        "text": spoken(refusal.text),
        "rule": refusal.rule,
        "gist": rule.gist if rule else "",
        "next": chance,
    }


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


def _rules(state: State) -> list[dict[str, Any]]:
    """Values and definitions that a referee can rule on, with what each is asked for."""
    return [
        {"value": rule.name, "name": rule.gist, "of": list(rule.parameters)}
        for rule in sorted(RULES.values().values(), key=lambda it: it.name)
    ]


def _figures(state: State) -> list[dict[str, Any]]:
    """Figures that can be corrected, written out where the names in them are few."""
    return [{"value": path, "name": text} for path, text in proposals()]


def _rulings(state: State) -> list[dict[str, Any]]:
    chosen = (it for it in rulings().values() if it.selectable)
    return [{"value": it.id, "name": it.question, "of": list(it.selectable)} for it in chosen]


#: Fields whose names are many: the form proposes them as one types.
SUGGESTED = {"rule": _rules, "figure": _figures, "ruling": _rulings}


def field_view(state: State, field: FieldOffer, many: bool, default: Any, nation: str) -> dict[str, Any]:
    view = {
        **msgspec.to_builtins(field),
        "many": many,
        "default": default,
        "choices": [{"value": value, "name": name(value)} for value in field.among],
    }
    if field.kind in SUGGESTED:
        view["suggested"] = SUGGESTED[field.kind](state)
    if field.kind in ("unit count", "unit", "placement"):
        view["kinds"] = [{"unit": k.unit, "name": k.name, "cost": k.cost, "per": k.per} for k in unit_kinds().values()]
        view["pool"] = _pool(state, field.kind, nation) if nation else []
        view["standing"] = _standing(state, nation) if nation else []
    return view


def _pool(state: State, kind: str, nation: str) -> list[dict[str, Any]]:
    """Units to choose from: those of a country that is set up by its force table, otherwise those not built."""
    if kind == "placement":
        levels = ((unit, force_level(state, nation, unit)) for unit in unit_names(nation))
        return [{"unit": unit, "count": count} for unit, count in levels if count]
    return [{"unit": unit, "count": count} for unit, count in unbuilt(state, nation)]


def _standing(state: State, nation: str) -> list[dict[str, Any]]:
    """A nation's units on the boards and in the boxes, and where they stand."""
    found = state.pieces.of(nation)
    return [{"unit": it.unit, "count": it.count, "place": it.place, "at": name(it.place)} for it in found]


def of_this_phase(state: State, offer: Offer) -> bool:
    """Whether an order is possible now but not in some other phase of this player turn: then it comes first."""
    part = state.place.part
    others = [i for i, place in enumerate(calendar.steps()) if place.part == part and i != state.step]
    if not offer.available or not actor_field(command_types()[offer.command]) or not others:
        return False
    elsewhere = replace(state, step=others[len(others) // 2 if state.step != others[len(others) // 2] else 0])
    return not narrow(elsewhere, offer.command, offer.known).available


def offer_view(state: State, offer: Offer) -> dict[str, Any]:
    kind = command_types()[offer.command]
    described = {field.name: field for field in fields(kind)}
    power = str(offer.known.get("power", ""))
    # Whose units the order is about: a country where one is named, else the power.
    nation = str(
        next((offer.known[f] for f, it in described.items() if it.kind == "nation" and f in offer.known), power)
    )
    order = RULES.orders[kind]
    return {
        "command": offer.command,
        "label": label(offer.command),
        "text": offer.text,
        "left": _left(state, kind, power),
        "family": family(kind),
        "clause": order.clause,
        "gist": order.gist,
        "known": offer.known,
        "available": offer.available,
        "replies_to": offer.replies_to,
        "duty": offer.duty,
        "actor": actor_field(kind),
        "order": [field.name for field in fields(kind)],
        "fields": {
            field: field_view(state, it, described[field].many, described[field].default, nation)
            for field, it in offer.fields.items()
        },
        "refusals": [refusal_view(state, kind, refusal, power) for refusal in offer.refusals],
    }


def _left(state: State, kind: type[Command], power: str) -> str:
    """What is left to a power for an order that the construction limit bounds whatever else it says."""
    bounded = any(limit.name == "within_construction_limit" for limit in RULES.limits.get(kind, ()))
    spends = any(field.kind == "brp" for field in fields(kind))
    if power not in powers() or not bounded or spends:
        return ""
    left, level = (RULES.values()[rule](state, power) for rule in ("construction_left", "level"))
    return f"{left} of the construction limit left, {level} BRPs in hand."


def now(state: State, sitter: Sitter) -> list[dict[str, Any]]:
    """Everything that this sitter can ask for, unavailable things with their reasons."""
    return [
        {**offer_view(state, offer), "of_this_phase": of_this_phase(state, offer)} for offer in offered(state, sitter)
    ]


def offered(state: State, sitter: Sitter) -> list[Offer]:
    """The commands that are this sitter's to give, now or at another time."""
    if not sitter.players and sitter.referee is None:
        return []
    found = offers(state, sitter.powers) if sitter.powers else _without_powers(state)
    if sitter.referee is not None:
        return found
    reports = sitter.table.reports == "players"
    mine = ("order", "report") if reports else ("order",)
    return [offer for offer in found if family(command_types()[offer.command]) in mine]


def _without_powers(state: State) -> list[Offer]:
    """What a referee without powers can ask for: all that no power orders."""
    return [narrow(state, command, {}) for command, kind in command_types().items() if not actor_field(kind)]


def narrowed(state: State, command: str, known: dict[str, Any]) -> dict[str, Any]:
    """What is left open when some fields are known. Wrong values are said to be wrong; they are no server error."""
    kind = command_types().get(command)
    if kind is None:
        raise Problem(404, f"there is no command {command}")
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    described = {field.name: field for field in fields(kind)}
    converted: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for field, value in known.items():
        if field not in described:
            raise Problem(400, f"{command} has no field {field}; it has {', '.join(described)}")
        try:
            converted[field] = msgspec.convert(value, types[field])
            said = [refusal.text for refusal in misnamed(described[field], converted[field])]
        except msgspec.ValidationError as error:
            said = [str(error)]
        if said:
            converted.pop(field, None)
            wrong[field] = said[0]
    view = offer_view(state, narrow(state, command, converted))
    for name_, field in view["fields"].items():
        _mark_choices(state, command, converted, name_, field)
    return {**view, "known": msgspec.to_builtins(converted), "wrong": wrong}


def _mark_choices(state: State, command: str, known: dict[str, Any], name_: str, field: dict[str, Any]) -> None:
    """Say of each choice of a field why it may not be, where something forbids it."""
    values = [str(choice["value"]) for choice in field["choices"]]
    refused = sift(state, command, known, name_, values) if field["kind"] in NAMED else {}
    for choice in field["choices"]:
        refusal = refused.get(str(choice["value"]))
        if refusal is not None:
            choice["no"] = {"text": spoken(refusal.text), "clause": refusal.clause}


#: Kinds of fields whose choices are judged one by one.
NAMED = ("power", "country", "area", "nation", "belligerent")


def refused(state: State, command: Command, ruling: GameDecision) -> dict[str, Any]:
    """A refusal as the page shows it: the order, every reason, and what was checked and found in order."""
    kind = type(command)
    power = str(getattr(command, actor_field(kind) or "power", ""))
    blamed = {refusal.rule for refusal in ruling.refusals}
    wrong = {field for refusal in ruling.refusals for field in _offending(state, command, refusal)}
    return {
        "command": name_of(command),
        "power": power if power in powers() else "",
        "sentence": command_words(command),
        "parts": [{"text": text, "wrong": field in wrong} for field, text in command_parts(command)],
        "given": msgspec.to_builtins(command),
        "refusals": [refusal_view(state, kind, refusal, power) for refusal in ruling.refusals],
        "rests_on": [
            why_tree(why) for limit in ruling.checked if limit.rule in blamed for why in _open_to_ruling(limit)
        ],
        "checked": [why_tree(why) for why in ruling.checked if why.rule not in blamed],
    }


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


def preview(state: State, command: Command) -> dict[str, Any]:
    """What would come of a command: every event in words, or every reason against it. Nothing is done."""
    ruling = decide(state, command)
    if ruling.refusals:
        return {"accepted": False, **refused(state, command, ruling)}
    if ruling.needs is not None:
        needs = msgspec.to_builtins(ruling.needs)
        return {
            "accepted": ruling.needs.kind == "die",
            "sentence": command_words(command),
            "needs": needs,
            "events": [],
        }
    return {
        "accepted": True,
        "sentence": command_words(command),
        "events": [event_line(record, whys=True) for record in ruling.records],
        "changes": _changes(state, ruling.state),
        "checked": [why_tree(why) for why in ruling.checked],
        "moment": calendar.moment_name(ruling.state.moment),
        "barrier": "hand-over" if hands_over(state, ruling.state) else "",
    }


def _changes(before: State, after: State) -> list[dict[str, Any]]:
    """Levels and bases that would be other than they are."""
    found = []
    for figure, account in (("level", Brp), ("base", Base)):
        for power in powers():
            was, is_ = balance(before.books, account(power)), balance(after.books, account(power))
            if was != is_:
                found.append({"power": power, "figure": figure, "was": was, "is": is_})
    return found
