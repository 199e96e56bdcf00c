"""Offers filled at random: a command is drawn from what the table is offered now, field by field as it is narrowed."""

from __future__ import annotations

import random
from typing import Any

from warcabinet.game.offers import FieldOffer, Offer, narrow, offers
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import command_types, fields
from warcabinet.model.names import areas, countries, powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import stacks

#: What would not be play: the referee's own, and reports that say what rules bring about by themselves.
APART = {"advance", "correct", "rule", "release", "choose_reading", "roll", "report_surrender", "report_peace"}
#: Fields that open a way around the rules, or the book of another table.
LEFT_OUT = {"by_rule", "beyond_list", "note", "production", "minded"}
REPORTS = 0.4  # of what is drawn; the rest are orders
MOST = 12  # of a number that nothing bounds


def offered_order(s: State, dice: random.Random) -> dict[str, Any] | None:
    """A command that is open now, filled until nothing required is missing; none if it cannot be."""
    reports = dice.random() < REPORTS
    open_now = [it for it in offers(s) if it.available and it.command not in APART and it.report == reports]
    names = sorted({it.command for it in open_now})
    if not names:
        return None
    # Commands are drawn, not offers: what is offered to every power would else be drawn the most.
    name = dice.choice(names)
    return filled(s, dice.choice([it for it in open_now if it.command == name]), dice)


def filled(s: State, offer: Offer, dice: random.Random) -> dict[str, Any] | None:
    """An offer with its fields filled, each narrowed by those before it."""
    many = {it.name for it in fields(command_types()[offer.command]) if it.many}
    for _ in range(len(offer.fields) + 1):
        open_fields = [it for it in offer.fields.values() if it.name not in LEFT_OUT and not it.shut]
        wanted = [it for it in open_fields if it.required] or [it for it in open_fields if dice.random() < 0.15]
        if not wanted:
            return {"do": offer.command, **offer.known}
        field = dice.choice(wanted)
        value = value_of(s, field, dice)
        if value is None:
            return None
        try:
            offer = narrow(s, offer.command, {**offer.known, field.name: [value] if field.name in many else value})
        except WarCabinetError:
            return None
        if not offer.available:
            return None
    return {"do": offer.command, **offer.known}


def value_of(s: State, field: FieldOffer, dice: random.Random) -> Any:
    """Something that a field may still be, as far as its offer says; none for what a table would have to make up."""
    kind = field.kind.removesuffix(" or none")
    if field.among:
        return dice.choice(field.among)
    if kind in ("number", "brp"):
        least = field.least if field.least is not None else 0
        most = field.most if field.most is not None else least + MOST
        return dice.randint(least, max(least, most))
    if kind == "yes or no":
        return dice.random() < 0.5
    standing = list(stacks(s))
    pools: dict[str, list[Any]] = {
        "power": list(powers()),
        "country": list(countries()),
        "area": list(areas()),
        "belligerent": [*powers(), *countries()],
        "nation": [it.nation for it in standing],
        "place": [*(it.place for it in standing), *(place for area in areas().values() for place in area.places)],
        "unit": [it.unit for it in standing],
        "unit count": [it.unit for it in standing],
    }
    pool = pools.get(kind)
    return dice.choice(pool) if pool else None
