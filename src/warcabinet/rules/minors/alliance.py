"""Minor allies: who may have which, activation, its impediments (85.1 - 85.34, 85.44, 85.47, 85.49)."""

from __future__ import annotations

from warcabinet.kernel.effects import Due
from warcabinet.kernel.why import note
from warcabinet.model.agenda import Joined, OfArea, Promise
from warcabinet.model.events import Closed, Happened, Reported, ResultInForce
from warcabinet.model.names import called, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, Standing, State, happened
from warcabinet.model.traits import FOLLOWS, POTENTIAL_ALLIES
from warcabinet.model.unit_lists import unbuilt
from warcabinet.rules.common.books import enter_on_books, on_books, out_of_the_economy
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import end_of_diplomacy, next_step_of
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.kinds import definition, due, effect, remembered
from warcabinet.rules.minors.association import associate_spain, associate_survivor
from warcabinet.rules.minors.status import (
    bound,
    change_status,
    hand_over_hexes,
    leave_partner,
    minor_pays_again,
    pay_whole_value,
    release_hexes,
    settle_diplomatically,
    wages_war,
)


@definition("85.216", covers=tuple(dict.fromkeys(c for c, _ in POTENTIAL_ALLIES.values())))
def may_be_allied(s: State, country: str, power: str) -> bool:
    """Which countries may activate as minor allies of a power."""
    clause, listed = POTENTIAL_ALLIES.get(power, POTENTIAL_ALLIES.get(faction(s, power), ("85.216", ())))
    note("potential_minor_allies", clause, country in listed, power)
    return country in listed


def activate(p: Proceedings, country: str, power: str, earlier: str) -> None:
    """The country becomes a minor ally, with hexes, units and BRPs; `earlier` is the result that this one replaces."""
    p.run(activate_ally, country, power, earlier)


@effect("85.31", "A country activates in the diplomatic phase of the die roll that activates it")
def activate_ally(p: Proceedings, country: str, power: str, earlier: str) -> None:
    before = p.s.countries[country]
    had, partners = on_books(p.s, power, country), partners_share(p.s, before, country, power)
    lapse(p, country, "it has activated", associate_survivor, associate_spain)
    leave_partner(p, country, power)
    change_status(p, country, "allied", power, "85.11A", "diplomatic activation")
    p.run(allied_hexes, country, power)
    p.run(allied_units, country, power)
    p.run(allied_brps, country, power, before)
    begins_to_count(p, country, power)
    if not unimpeded(p.s, country, power):
        may_be_negated(p, negate_activation, country, power, before, had, partners, earlier)


def begins_to_count(p: Proceedings, country: str, power: str) -> None:
    """What an activation means for other diplomacy waits until the phase is over, in a change of sides too (85.33)."""
    p.do(Happened(Happening(p.s.moment, "activated", country)))
    lapse(p, country, "it has activated anew", activation_counts)
    promise(p, activation_counts, end_of_diplomacy(p.s), power, country)


def may_be_negated(
    p: Proceedings,
    rule: Due[Promise[Joined]],
    country: str,
    power: str,
    before: Standing,
    had: int,
    partners: int = 0,
    result: str | None = None,
) -> None:
    """Remember what a country was and had brought, to which it returns if war is not declared in time."""
    joined = Joined(country, before.status, before.by, had, _coming(p.s, country, power), partners, result)
    promise(p, rule, next_step_of(p.s, power, "mining"), power, joined)


def partners_share(s: State, before: Standing, country: str, power: str) -> int:
    """What a partner of the power had on its books of a country that stood with it before it activated."""
    return on_books(s, before.by, country) if before.by and before.by != power else 0


def switch_may_be_weakened(p: Proceedings, country: str, power: str) -> None:
    """A country that switched as a minor ally stays an associate only, if war is not declared in time (R-0215)."""
    if not unimpeded(p.s, country, power):
        when = next_step_of(p.s, power, "mining")
        lesser = "9" if faction(p.s, power) == "axis" else "-2"
        joined = Joined(country, "associated", power, None, 0, result=lesser)
        promise(p, negate_activation, when, power, joined)


def awaits_declaration(s: State, country: str) -> bool:
    """Whether a country's activation still hangs on a declaration of war."""
    return bool(promised(s, negate_activation, about=country))


def _coming(s: State, country: str, power: str) -> int:
    """The BRPs a year that the activation pays; what only counts from the next year start is not paid (R-0033)."""
    return sum(it.brp for it in promised(s, minor_pays, minor_pays_again, about=country, power=power))


@effect("85.44", "The power controls what its minor ally controlled, from the start of the player turn")
def allied_hexes(p: Proceedings, country: str, power: str) -> None:
    hand_over_hexes(p, country, power)


@remembered("85.53A", "A country's units came into a power's force pool when it switched sides")
def pooled_by_switch(s: State, country: str, power: str) -> bool:
    return False


@definition("85.47", covers=("85.53A",))
def force_pool_of(s: State, country: str) -> str:
    """Into whose force pool a minor ally's units go, those lost before included; an associate's after it switched."""
    standing = s.countries[country]
    if standing.status == "associated" and pooled_by_switch(s, country, standing.by):
        note("switched_sides", "85.53A", True, country)
        return standing.by
    return standing.by if standing.status == "allied" else ""


@effect("85.47", "All ground and air units join the power's force pool, even those lost before")
def allied_units(p: Proceedings, country: str, power: str) -> None:
    lost = ", ".join(f"{count} {unit}" for unit, count in unbuilt(p.s, country))
    text = f"{called(country)}'s units join {called(power)}'s force pool; lost before: {lost or 'none'}"
    p.do(Reported("force pool", text))


@effect("85.49", "The minor ally's BRPs are received in the player turn of its activation, unless they were before")
def allied_brps(p: Proceedings, country: str, power: str, before: Standing) -> None:
    pay_whole_value(p, country, power, before)


@definition("85.33", "Activation counts for other diplomacy only once the diplomatic phase is over")
def counts_for_diplomacy(s: State, country: str) -> bool:
    return s.countries[country].status == "allied" and not happened(s, "activated", country, "phase")


@due("85.33", "An activation begins to count for other diplomacy, now that the phase is over")
def activation_counts(p: Proceedings, due_now: Promise[OfArea]) -> int:
    if p.s.countries[due_now.about].status != "allied":
        p.do(Closed(due_now.id, "lapsed", "it is no minor ally any more"))
        return 0
    told = f"{called(due_now.about)} is a minor ally for other diplomacy too"
    p.do(Reported("activation", told))
    return 0


@definition("85.34", "A country at war with a power activates only for those who fight that power", covers=("85.34A",))
def unimpeded(s: State, country: str, power: str) -> bool:
    # Nobody can declare war on a power that has surrendered: it stands in nobody's way (R-0443).
    fighting = [it for it in powers() if wages_war(s, country, it) and not out_of_the_economy(s, it)]
    enemies = [it for it in fighting if faction(s, it) != faction(s, power)]
    if enemies and all(at_war(s, power, it) for it in enemies):
        note("already_at_war", "85.34A", enemies, power)
    return all(at_war(s, power, it) for it in enemies)


@due("85.341", averted_by="declaring war on whoever is at war with {about}", covers=("85.34B",))
def negate_activation(p: Proceedings, due_now: Promise[Joined]) -> int:
    """Activation is negated, because the power did not go to war with the country's enemy."""
    country, power = due_now.about, due_now.power
    if p.s.countries[country].status != "allied" or p.s.countries[country].by != power:
        p.do(Closed(due_now.id, "lapsed", "it is no minor ally any more"))
        return 0
    if unimpeded(p.s, country, power):
        note("declared", "85.34B", True, power)
        p.do(Closed(due_now.id, "averted", "war was declared on its enemy"))
        return 0
    return _undo_joining(p, due_now, "its activation was negated")


@due("85.341", averted_by="declaring war on whoever is at war with Belgium")
def negate_following(p: Proceedings, due_now: Promise[Joined]) -> int:
    """Who followed a country into an activation that is negated goes back with it."""
    leader = FOLLOWS[due_now.about]
    if (p.s.countries[leader].status, p.s.countries[leader].by) == ("allied", due_now.power):
        p.do(Closed(due_now.id, "averted", f"{called(leader)} is a minor ally"))
        return 0
    if not bound(p.s, due_now.about) or p.s.countries[due_now.about].by != due_now.power:
        p.do(Closed(due_now.id, "lapsed", "it has left already"))
        return 0
    return _undo_joining(p, due_now, f"the activation of {called(leader)} was negated")


def _undo_joining(p: Proceedings, due_now: Promise[Joined], reason: str) -> int:
    """A country is again what it was before it joined; what its joining paid is given back."""
    joined, power = due_now.of, due_now.power
    country = joined.country
    change_status(p, country, joined.status, joined.by, "85.341", reason)
    if joined.result is not None:
        p.do(ResultInForce(country, joined.result), "85.341")
    if joined.status not in ("controlled", "associated", "conquered"):
        release_hexes(p, country, power)
    change = 0 if joined.had is None else joined.had - on_books(p.s, power, country)
    if change:
        enter_on_books(p, power, country, change)
    if joined.by not in ("", power):
        _back_to_partner(p, joined, power)
    return -joined.paid


def _back_to_partner(p: Proceedings, joined: Joined, power: str) -> None:
    """A country that a partner controlled or led is with it again, hexes and BRPs."""
    if joined.status in ("controlled", "associated"):
        release_hexes(p, joined.country, power)
        hand_over_hexes(p, joined.country, joined.by, everything=joined.status == "controlled")
    if joined.partners:
        settle_diplomatically(p, joined.country, {joined.by: joined.partners})


@definition("85.62", "Until Russia fights Japan Communist China fights it alone, and Russians stay out of its hexes")
def closed_to_russia(s: State) -> bool:
    return not at_war(s, "russia", "japan")
