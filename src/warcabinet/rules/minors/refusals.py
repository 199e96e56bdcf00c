"""Survivors that a power refuses, and may take in later (82.81D, 84.21D)."""

from __future__ import annotations

from warcabinet.kernel.limits import Choice
from warcabinet.model.commands.minors import AcceptAssociation, DeclineAssociation
from warcabinet.model.names import called, countries, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.promises import lapse, promised
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.worth import worth
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.kinds import limit, opening, order
from warcabinet.rules.minors.association import (
    associate,
    association_declined,
    association_pays,
    fight_on,
    fights_alone,
    may_join,
    opposes,
    protector,
    refused_by,
    survivors_for,
)
from warcabinet.rules.minors.status import DIPLOMATIC, bound, release_hexes


def just_associated(s: State, country: str, power: str) -> bool:
    """Whether a survivor came to a power in this phase, by its first turn or by a war (84.22); it has paid nothing."""
    standing = s.countries[country]
    joined = (standing.status, standing.by) == ("associated", power)
    if not joined or not happened(s, "associated by survival", country, "phase"):
        return False
    pays = promised(s, minor_pays, association_pays, about=country) or not worth(s, country)
    return bool(pays) and not happened(s, "turned", country, "phase")


@order("84.21D", "A power refuses a country that would associate with it", on=DeclineAssociation, out_of_turn=True)
def decline_association(p: Proceedings, cmd: DeclineAssociation) -> None:
    had_joined = bound(p.s, cmd.country)
    if had_joined:
        lapse(p, cmd.country, "association declined", association_pays, *DIPLOMATIC)
    reason = f"declined by {powers()[cmd.power].name}"
    association_declined.note(p, True, reason, cmd.country)
    refused_by.note(p, True, reason, cmd.country, cmd.power)
    fight_on(p, cmd.country, "82.81D", f"its association was {reason}")
    if had_joined:
        release_hexes(p, cmd.country, cmd.power, backdated=True)


def forget_refusals(p: Proceedings, country: str) -> None:
    """Who attacks a country after a peace begins a war of which nobody has refused it yet (82.81)."""
    if association_declined(p.s, country):
        association_declined.forget(p, country)
        for power in powers():
            if refused_by(p.s, country, power):
                refused_by.forget(p, country, power)


def _about_to_join(s: State, power: str) -> tuple[str, ...]:
    """The countries that a power may refuse: those that will come to it if they survive, and those that just came."""
    just_came = (it for it in s.countries if just_associated(s, it, power))
    return tuple(dict.fromkeys((*survivors_for(s, power), *just_came)))


@opening("84.21D", "Countries that are about to associate with the power", on=DeclineAssociation)
def about_to_associate(s: State, cmd: DeclineAssociation) -> Choice:
    return Choice("country", _about_to_join(s, cmd.power))


@limit("84.21D", "Only an association that is about to come can be refused", on=DeclineAssociation)
def something_to_decline(s: State, cmd: DeclineAssociation) -> str | None:
    if cmd.country in _about_to_join(s, cmd.power):
        return None
    return f"{countries()[cmd.country].name} is not about to associate with {powers()[cmd.power].name}"


@order("82.81D", "A power accepts a country that it had refused", on=AcceptAssociation, phases=("diplomatic phase",))
def accept_association(p: Proceedings, cmd: AcceptAssociation) -> None:
    associate(p, cmd.country, cmd.power, "82.81D", "accepted after an earlier refusal", "diplomacy")


@opening("82.81D", "Countries that the power had refused", on=AcceptAssociation)
def refused_before(s: State, cmd: AcceptAssociation) -> Choice:
    refused = tuple(it for it in s.countries if association_declined(s, it))
    return Choice("country", refused, f"{powers()[cmd.power].name} has refused no country")


def _offered(s: State, cmd: AcceptAssociation) -> bool:
    return any(protector(s, cmd.country, it) == cmd.power for it in attackers_of(s, cmd.country))


@limit("82.81D", "A refused country may be accepted only where the offer stands (R-0041)", on=AcceptAssociation)
def offer_stands(s: State, cmd: AcceptAssociation) -> str | None:
    if not association_declined(s, cmd.country) or not fights_alone(s, cmd.country):
        return f"{called(cmd.country)} has not been refused"
    if not _offered(s, cmd):
        return f"{countries()[cmd.country].name} did not offer itself to {powers()[cmd.power].name}"
    if reading_in_force(s, "R-0041") == "a":
        return "a country that was refused fights on alone; it is not accepted later"
    # Nor is one accepted later that could not have joined at once, its attacker being neutral (84.22).
    against = (it for it in attackers_of(s, cmd.country) if protector(s, cmd.country, it) == cmd.power)
    if not any(opposes(s, cmd.power, it) for it in against):
        return f"{powers()[cmd.power].name} is not at war with whoever attacked {countries()[cmd.country].name}"
    return None


@limit("82.351", on=AcceptAssociation, when=_offered)
def not_accepted_by_attacker(s: State, cmd: AcceptAssociation) -> str | None:
    """A country that a power's side has attacked since it offered itself is not accepted by it."""
    if may_join(s, cmd.country, cmd.power):
        return None
    return f"{powers()[cmd.power].name}'s side declared war on {countries()[cmd.country].name}"
