"""Orders that nothing forbids as such and that nothing would fit: an empty force pool, no country to name."""

from __future__ import annotations

from collections import Counter

from warcabinet.game.offers import FieldOffer, Offer, judge_of_values
from warcabinet.game.pools import buildable
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands import command_types, fields, is_report
from warcabinet.model.state import State
from warcabinet.web.orders.meant import LOST, meant

#: Kinds of fields that name something on the map: whether any would fit is tried.
NAMED = ("country", "area", "nation")
#: Where a field has so few choices each of them is tried, whatever it names.
FEW = 8


def hopeless(state: State, offer: Offer) -> Refusal | None:
    """Why an order that looks open cannot be given by anybody: whatever were put into it would be refused."""
    kind = command_types()[offer.command]
    if not offer.available or kind.referee_only or offer.replies_to or offer.duty:
        return None
    if is_report(kind) and "by_rule" in offer.fields:
        # What these documents refuse another rule may have allowed.
        return None
    if offer.command == "build":
        return _nothing_to_build(state, str(offer.known.get("power", "")))
    country = offer.fields.get("country") if offer.command in LOST else None
    if country is not None and not meant(state, offer.command, offer.known, country):
        return Refusal("85.48", "no minor country has lost a unit that could be built again", "unit_was_lost")
    many = {field.name for field in fields(kind) if field.many}
    for field in offer.fields.values():
        if field.required and field.name not in many and (field.kind in NAMED or 0 < len(field.among) <= FEW):
            refused = _refused_all(state, offer, field)
            if refused is not None:
                gist = RULES.by_name[refused.rule].gist if refused.rule in RULES.by_name else refused.text
                return Refusal(refused.clause, f"{gist}: nothing fits", refused.rule)
    return None


def _refused_all(state: State, offer: Offer, field: FieldOffer) -> Refusal | None:
    """The reason of most of them, where each choice that is left for a field has one."""
    found: list[Refusal] = []
    against = judge_of_values(state, offer.command, offer.known, field.name)
    for value in meant(state, offer.command, offer.known, field):
        refused = against(value)
        if refused is None:
            return None
        found.append(refused)
    [(rule, _)] = Counter(it.rule for it in found).most_common(1) or [("", 0)]
    return next((it for it in found if it.rule == rule), None)


def _nothing_to_build(state: State, power: str) -> Refusal | None:
    if not power:
        return None
    pool = [it for it in buildable(state, power) if it.cost]
    if not pool:
        return Refusal("36.31", "no unit of the force pool is unbuilt", "force_pool_holds_units")
    if not any(it.most for it in pool):
        return Refusal(
            "39.31", "what is left this turn pays for no unit of the force pool", "within_construction_limit"
        )
    return None
