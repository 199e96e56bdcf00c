"""The form of an order: its fields with what each may still be, asked for when the form opens and as it is filled."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from warcabinet.figures.table import proposals
from warcabinet.game.engine import no_longer_than_orders_are
from warcabinet.game.offers import FieldOffer, Offer, drafted, narrow, refused_values
from warcabinet.house.form import misnamed, wanted
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands import Field, command_types, fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import ChooseReading
from warcabinet.model.forces import unit_names
from warcabinet.model.rulings import rulings
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_kinds
from warcabinet.rules.minors.forces_of_minors import force_level
from warcabinet.views.words import figure_name, in_number, name, refusal_words
from warcabinet.web.hall.rights import actor_field
from warcabinet.web.orders.command_kinds import Family, family
from warcabinet.web.orders.form_words import choice_label, command_label, field_words
from warcabinet.web.orders.meant import meant
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line
from warcabinet.web.orders.unit_choices import ADDING, LOST, UNBUILT, YARDS, CounterChoice, counters_for, price_words
from warcabinet.web.plumbing.problems import Problem


class Forbidden(msgspec.Struct, frozen=True):
    """Why a choice may not be made."""

    text: str
    clause: str


class FieldChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a field may be, or may not: then with the reason."""

    value: str
    name: str
    no: Forbidden | None = None


class Suggestion(msgspec.Struct, frozen=True):
    """A name that the form proposes as one types; `of` is what it is asked for, or how it can be read."""

    value: str
    name: str
    of: tuple[str, ...] = ()


class UnitKindLine(msgspec.Struct, frozen=True):
    """A kind of unit, in words with what it costs where that is paid, and of what it is counted."""

    unit: str
    said: str
    per: str


class UnitCount(msgspec.Struct, frozen=True):
    unit: str
    count: int
    #: Both in words.
    said: str


class StandingUnits(msgspec.Struct, frozen=True):
    """Units on the boards or in the boxes, and where they stand."""

    unit: str
    count: int
    place: str
    at: str


class FieldForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a form: its bounds or its choices, the clauses that say so, and what it proposes."""

    name: str
    kind: str
    required: bool
    many: bool
    choices: tuple[FieldChoice, ...]
    #: What players call it, and what it is for.
    label: str = ""
    help: str = ""
    #: `needed`: the order is hardly meant without it; `seldom`: it stands aside.
    weight: Literal["", "needed", "seldom"] = ""
    text: str = ""
    default: Any = None
    most: int | None = None
    least: int | None = None
    by: tuple[str, ...] = ()
    #: Nothing may be put into it here.
    shut: bool = False
    hint: str = ""
    suggested: tuple[Suggestion, ...] = ()
    #: For fields that name units: the kinds there are, what can be taken, and what stands where.
    kinds: tuple[UnitKindLine, ...] = ()
    pool: tuple[UnitCount, ...] = ()
    standing: tuple[StandingUnits, ...] = ()
    #: The counters that may be named, where not any kind of unit may be.
    counters: tuple[CounterChoice, ...] = ()


class OrderForm(msgspec.Struct, frozen=True):
    """A command of which some fields are known: what is left open for the others, and what is wrong with these."""

    command: str
    label: str
    text: str
    family: Family
    clause: str
    gist: str
    actor: str
    order: tuple[str, ...]
    known: dict[str, Any]
    wrong: dict[str, str]
    available: bool
    refusals: tuple[RefusalLine, ...]
    fields: dict[str, FieldForm]


def _rules(state: State) -> tuple[Suggestion, ...]:
    """Values and definitions that a referee can rule on, with what each is asked for."""
    found = sorted(RULES.values().values(), key=lambda it: it.name)
    return tuple(Suggestion(it.name, f"{rule_title(it.name)}: {it.gist}", tuple(it.parameters)) for it in found)


def _figures(state: State) -> tuple[Suggestion, ...]:
    """Figures that can be corrected, written out where the names in them are few."""
    return tuple(Suggestion(path, figure_name(path)) for path, _ in proposals())


def _rulings(state: State) -> tuple[Suggestion, ...]:
    chosen = (it for it in rulings().values() if len(it.selectable) > 1)
    return tuple(Suggestion(it.id, it.question, tuple(it.selectable)) for it in chosen)


#: Fields whose names are many: the form proposes them as one types.
SUGGESTED = {"rule": _rules, "figure": _figures, "ruling": _rulings}
#: Kinds of fields that name units.
UNITS = ("unit count", "unit", "placement")
#: Fields that name units of some branches only.
BRANCHES = {
    "escorts_lost": ("naval",),
    "raiders_lost": ("naval", "air"),
}
#: Kinds of fields whose choices are judged one by one.
NAMED = ("power", "country", "area", "nation", "belligerent")
#: Choices of other kinds that are judged too, as soon as another field is known: the ways of a grant to somebody.
JUDGED = {("grant", "by"): "to", ("spend", "on"): "power"}


def order_form(state: State, command: str, known: dict[str, Any]) -> OrderForm:
    """What is left open when some fields are known. Wrong values are said to be wrong; they are no server error."""
    kind = command_types().get(command)
    if kind is None:
        raise Problem(404, f"there is no command {command}")
    converted, wrong = _converted(command, kind, known)
    offer = narrow(state, command, converted, left_out=True)
    order = RULES.orders[kind]
    power = str(offer.known.get("power", ""))
    draft = drafted(kind, converted)
    return OrderForm(
        command=command,
        label=command_label(command),
        text=offer.text,
        family=family(kind),
        clause=order.clause,
        gist=order.gist,
        actor=actor_field(kind),
        order=tuple(field.name for field in fields(kind)),
        known=msgspec.to_builtins(converted),
        wrong=wrong,
        available=offer.available,
        refusals=tuple(refusal_line(state, kind, it, power, draft, offer.known) for it in offer.refusals),
        fields=_field_forms(state, kind, offer, converted, {name: known[name] for name in wrong}),
    )


def known_fields(command: str, known: dict[str, Any]) -> dict[str, Any]:
    """The fields that are known and not wrong, as their types want them."""
    kind = command_types().get(command)
    if kind is None:
        raise Problem(404, f"there is no command {command}")
    return _converted(command, kind, known)[0]


def _converted(command: str, kind: type[Command], known: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The known fields as their types want them, and what is wrong with the others."""
    no_longer_than_orders_are(command, known)
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
            said = [_amiss(described[field], str(error))]
        if said:
            converted.pop(field, None)
            wrong[field] = said[0]
    return converted, wrong


def _amiss(field: Field, told: str) -> str:
    """What is wrong with what was put into a field: too few or too many, or something else than it takes."""
    if field.many and "length" in told:
        return f"name one {'more' if '>=' in told else 'fewer'}"
    return wanted(field)


def _field_forms(
    state: State, kind: type[Command], offer: Offer, known: dict[str, Any], amiss: dict[str, Any]
) -> dict[str, FieldForm]:
    described = {field.name: field for field in fields(kind)}
    power = str(offer.known.get("power", ""))
    # Whose units the order is about: a country where one is named, else the power.
    nation = str(
        next((offer.known[f] for f, it in described.items() if it.kind == "nation" and f in offer.known), power)
    )
    return {
        field: _field_form(
            state,
            offer.command,
            it,
            described[field],
            {**offer.known, **known},
            _choices(state, offer.command, {**known, **_begun(it, amiss.get(field))}, it),
            nation,
            _counters(state, offer, known),
        )
        for field, it in offer.fields.items()
    }


def _field_form(
    state: State,
    command: str,
    field: FieldOffer,
    about: Field,
    known: dict[str, Any],
    choices: tuple[FieldChoice, ...],
    nation: str,
    counters: tuple[CounterChoice, ...],
) -> FieldForm:
    units = field.kind in UNITS
    words = field_words(command, field.name)
    # What comes into a force pool is not taken out of it.
    named = {it.unit for it in counters} if counters and field.kind == "unit count" else None
    from_pool = units and bool(nation) and (not counters or command in UNBUILT)
    pool = _pool(state, field.kind, nation) if from_pool else ()
    return FieldForm(
        name=field.name,
        kind=field.kind,
        required=field.required,
        many=about.many,
        choices=choices,
        label=words.label,
        help=words.hint,
        weight=words.weight,
        text=field.text,
        default=about.default,
        most=field.most,
        least=field.least,
        by=field.by,
        shut=field.shut or not words.matters(known) or _all_refused(field, choices) or _never(field),
        # What can be taken at a press is not told beside it.
        hint="" if pool else field.hint,
        suggested=SUGGESTED[field.kind](state) if field.kind in SUGGESTED else (),
        kinds=_kinds(command, field.name) if units else (),
        pool=tuple(it for it in pool if named is None or it.unit in named),
        standing=_standing(state, nation) if units and nation else (),
        counters=counters if field.kind in ("unit count", "unit") else (),
    )


def _begun(field: FieldOffer, given: Any) -> dict[str, Any]:
    """A list of names that is not whole yet: what it has narrows what may still come."""
    names = isinstance(given, list | tuple) and given and all(it in field.among for it in given)
    return {field.name: tuple(given)} if names else {}


def _never(field: FieldOffer) -> bool:
    """Whether only a no is open."""
    return field.kind == "yes or no" and bool(field.among) and "true" not in field.among


def _all_refused(field: FieldOffer, choices: tuple[FieldChoice, ...]) -> bool:
    """Whether a field that may be left out has choices, and none that could be made."""
    named = [it for it in choices if it.value]
    return not field.required and bool(named) and all(it.no for it in named)


def _counters(state: State, offer: Offer, known: dict[str, Any]) -> tuple[CounterChoice, ...]:
    """The counters there are for an order; who goes beyond the list may name any."""
    if known.get("beyond_list"):
        return ()
    # Whoever has a country's units built again builds none of its own by that.
    about = ("nation", "country") if offer.command in LOST else ("nation", "country", "power")
    nation = next((str(offer.known[it]) for it in about if offer.known.get(it)), "")
    return counters_for(state, offer.command, nation)


def _choices(state: State, command: str, known: dict[str, Any], field: FieldOffer) -> tuple[FieldChoice, ...]:
    """What a field may be; of each choice why it may not be, where something forbids it."""
    if (command, field.name) == (name_of(ChooseReading), "reading"):
        return _readings(str(known.get("ruling", "")))
    if field.kind == "yes or no":
        return ()
    among = meant(state, command, known, field)
    judged = field.kind.removesuffix(" or none") in NAMED and _complete(command, field)
    judged |= JUDGED.get((command, field.name)) in known
    # Too large an amount is told beside the amount.
    others = {name: value for name, value in known.items() if name != "brp"}
    refused = refused_values(state, command, others, field.name, among) if judged else {}
    found = []
    for value in among:
        refusal = refused.get(value)
        no = Forbidden(refusal_words(refusal), refusal.clause) if refusal is not None else None
        label = choice_label(command, field.name, value, in_number(name(value))) if value else ""
        found.append(FieldChoice(value, label, no))
    return _with_a_partner(state, command, known, field, tuple(found))


#: Orders in which who acts, or by which road, hangs on whom it is meant for: the field of the one, and of the other.
PARTNERS = {"deploy": ("by", "country"), "grant": ("by", "to")}


def _with_a_partner(
    state: State, command: str, known: dict[str, Any], field: FieldOffer, found: tuple[FieldChoice, ...]
) -> tuple[FieldChoice, ...]:
    """Only who or what could do for one of those that are open, where it is not known yet which is meant."""
    actor, country = PARTNERS.get(command, ("", ""))
    if field.name != actor or country in known:
        return found
    offer = narrow(state, command, known, left_out=True)
    others = [it.value for it in _choices(state, command, known, offer.fields[country]) if not it.no]

    def fits(power: str) -> bool:
        return len(refused_values(state, command, {**known, actor: power}, country, others)) < len(others)

    return tuple(it for it in found if it.no or fits(it.value)) or found


def _readings(ruling: str) -> tuple[FieldChoice, ...]:
    """The readings of an open point, each in its own words; none before it is known which point."""
    about = rulings().get(ruling)
    return tuple(FieldChoice(it, f"{it}: {about.readings[it]}") for it in about.selectable) if about else ()


def _complete(command: str, field: FieldOffer) -> bool:
    """Whether one choice fills a field: of a pair (the sides of a war) one alone cannot be judged."""
    type_ = next(it.type for it in msgspec.structs.fields(command_types()[command]) if it.encode_name == field.name)
    described = next(it for it in fields(command_types()[command]) if it.name == field.name)
    try:
        msgspec.convert(field.among[:1] if described.many else next(iter(field.among), ""), type_)
    except msgspec.ValidationError:
        return False
    return True


def _kinds(command: str, field: str) -> tuple[UnitKindLine, ...]:
    branches = BRANCHES.get(field)
    paid = command in (*UNBUILT, *ADDING, *YARDS)
    return tuple(
        UnitKindLine(k.unit, f"{k.name}, {price_words(k.cost, f'a {k.per}')}" if paid else k.name, k.per)
        for k in unit_kinds().values()
        if not branches or k.branch in branches
    )


def _pool(state: State, kind: str, nation: str) -> tuple[UnitCount, ...]:
    """Units to choose from: those of a country that is set up by its force table, otherwise those not built."""
    if kind == "placement":
        levels = ((unit, force_level(state, nation, unit)) for unit in unit_names(nation))
        found = [(unit, count) for unit, count in levels if count]
    else:
        found = list(unbuilt(state, nation))
    return tuple(UnitCount(unit, count, in_number(f"{count} {unit}")) for unit, count in found)


def _standing(state: State, nation: str) -> tuple[StandingUnits, ...]:
    """A nation's units on the boards and in the boxes, and where they stand."""
    return tuple(StandingUnits(it.unit, it.count, it.place, name(it.place)) for it in state.pieces.of(nation))
