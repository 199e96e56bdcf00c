"""Which diplomatic results may be reported, and which are refused by a country (82.2, 82.35, 85.1)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import AcceptAssociation, DeclineAssociation, ReportResult
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import BELONGS, FOLLOWS
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.books import out_of_the_economy, retained, worth
from warcabinet.rules.common.diplomacy import lapse, promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, faction, garrison
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import definition, limit, opening, order
from warcabinet.rules.minors.alliance import may_be_allied
from warcabinet.rules.minors.association import (
    IN_EUROPE,
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
    takes_in,
)
from warcabinet.rules.minors.results import (
    ALLIED_FACTIONS,
    LEVELS,
    activator,
    band,
    beneficiary,
    favors,
    negates,
    result_level,
    taken,
    ukraine_open,
)
from warcabinet.rules.minors.status import DIPLOMATIC, bound, counts_no_longer, left_on_books, release_hexes
from warcabinet.rules.minors.surrender import new_patrons

ONE_FOR_DIPLOMACY = "Belgium and Luxembourg are one country for diplomacy: report Belgium"


@limit("82.21", "A result that gives something says to whom", on=ReportResult)
def result_has_beneficiary(s: State, cmd: ReportResult) -> str | None:
    if taken(cmd) not in LEVELS:
        return None
    power = beneficiary(cmd)
    if not power:
        return "say which Allied power benefits (power)"
    if power not in IN_EUROPE:
        return f"{powers()[power].name} has no diplomacy in Europe"
    wanted = ("axis",) if favors(taken(cmd)) == "axis" else ALLIED_FACTIONS
    if faction(s, power) not in wanted:
        return f"a result of {band(taken(cmd))} benefits {' or '.join(wanted)}, not {powers()[power].name}"
    return None


@limit(
    "82.21",
    on=ReportStatus,
    when=lambda s, cmd: (
        cmd.status in ("penetrated", "controlled", "associated")
        and cmd.power in powers()
        and countries()[cmd.country].theater == "europe"
    ),
    also=("84.11C",),
)
def reported_power_in_europe(s: State, cmd: ReportStatus) -> str | None:
    """No European country is reported to come to a power without diplomacy in Europe."""
    now = s.countries[cmd.country]
    if cmd.power in IN_EUROPE or (now.status, now.by) == (cmd.status, cmd.power):
        return None
    return unless_excused(cmd, f"{powers()[cmd.power].name} has no diplomacy in Europe")


@limit("83.43", on=ReportResult, when=lambda s, cmd: taken(cmd) in LEVELS and bool(beneficiary(cmd)))
def beneficiary_in_the_war(s: State, cmd: ReportResult) -> str | None:
    """No result benefits a power that has surrendered (R-0443)."""
    power = _activates_for(s, cmd) or beneficiary(cmd)
    return f"{powers()[power].name} has surrendered: say who benefits (power)" if out_of_the_economy(s, power) else None


@limit(
    "83.43",
    on=ReportStatus,
    when=lambda s, cmd: cmd.status in ("penetrated", "controlled", *BOUND) and cmd.power in powers(),
)
def reported_power_in_the_war(s: State, cmd: ReportStatus) -> str | None:
    """No country is reported to come to a power that has surrendered (R-0443)."""
    now = s.countries[cmd.country]
    if not out_of_the_economy(s, cmd.power) or (now.status, now.by) == (cmd.status, cmd.power):
        return None
    return unless_excused(cmd, f"{powers()[cmd.power].name} has surrendered")


@limit("85.51A", "Only a lesser result may be chosen", on=ReportResult, when=lambda s, cmd: cmd.chosen is not None)
def chosen_is_lesser(s: State, cmd: ReportResult) -> Bound:
    side = favors(cmd.result)
    least, most = {"axis": (3, cmd.result), "allied": (cmd.result, 4)}.get(side, (cmd.result, cmd.result))
    return Bound("chosen", least=least, most=most, text="a lesser result lies between the middle and the one rolled")


def held_in_the_east(s: State, country: str) -> bool:
    """Whether a power has eastern Poland, which falls by its cities or goes with Poland (83.12A, 84.44)."""
    if country != "eastern_poland" or s.countries[country].status != "neutral":
        return False
    return area_holder(s, country) in powers()


@limit("82.21", "Results are for European countries that nobody conquered or owns", on=ReportResult)
def result_for_free_country(s: State, cmd: ReportResult) -> str | None:
    standing = s.countries[cmd.country]
    if countries()[cmd.country].theater != "europe":
        return "diplomatic results concern European countries"
    if cmd.country in BELONGS:
        return f"it belongs to {countries()[BELONGS[cmd.country]].name}: report a result for that"
    if held_in_the_east(s, cmd.country):
        return f"{powers()[area_holder(s, cmd.country)].name} holds it; no diplomatic result changes that"
    if cmd.country == "ukraine" and ukraine_open(s):
        return None
    if standing.status in ("conquered", "colony", "commonwealth"):
        return f"{countries()[cmd.country].name} is {standing.status}; no diplomatic result changes that"
    return None


@limit("87.13B", on=ReportResult, when=lambda s, cmd: cmd.country in FOLLOWS)
def result_for_belgium(s: State, cmd: ReportResult) -> str:
    """Luxembourg is one country with Belgium for diplomacy: results are for Belgium."""
    return ONE_FOR_DIPLOMACY


@limit(
    "87.13B",
    on=ReportStatus,
    when=lambda s, cmd: cmd.country in FOLLOWS and cmd.status in ("penetrated", "controlled", *BOUND),
)
def reported_with_belgium(s: State, cmd: ReportStatus) -> str | None:
    """Luxembourg is not reported under a result or joining a power without Belgium, unless it outlasted an attack."""
    now, leader = s.countries[cmd.country], s.countries[FOLLOWS[cmd.country]]
    if cmd.status not in BOUND and cmd.brp:
        return unless_excused(cmd, "the BRPs of a result for both are Belgium's")
    if (now.status, now.by) == (cmd.status, cmd.power):
        return None
    if cmd.status in BOUND:
        # A survivor of an attack associates by itself, and so may one whose Belgium has joined.
        goes_with = bool(attackers_of(s, cmd.country)) or (leader.status in BOUND and leader.by == cmd.power)
    else:
        goes_with = (leader.status, leader.by) == (cmd.status, cmd.power)
    return None if goes_with else unless_excused(cmd, ONE_FOR_DIPLOMACY)


@limit("83.31A", on=ReportResult, when=lambda s, cmd: not bound(s, cmd.country) and taken(cmd) in LEVELS)
def capital_not_taken(s: State, cmd: ReportResult) -> str | None:
    """Who has a capital by force receives the country's BRPs; no result gives them to another."""
    return capital_lost(s, cmd.country)


def capital_lost(s: State, country: str) -> str | None:
    """Who has the capital of a country by force, and with it the BRPs, told as a refusal."""
    standing = s.countries[country]
    coming = {it.power for it in promised(s, receive_conquest, about=country)}
    holders = [
        it for it in powers() if it in coming or left_on_books(s, country, it) or counts_no_longer(s, it, country)
    ]
    by_force = [it for it in holders if it != standing.by and retained(s, it, country)]
    if by_force:
        return f"{powers()[by_force[0]].name} holds its capital"
    partisans = area_holder(s, country) == PARTISANS
    return "partisans hold its capital" if partisans else None


@limit(
    "85.216",
    on=ReportResult,
    when=lambda s, cmd: taken(cmd) in (10, -3) and not (bound(s, cmd.country) and negates(s, cmd.country, taken(cmd))),
)
def activation_listed(s: State, cmd: ReportResult) -> str | None:
    """Only the listed countries may activate as minor allies of a power."""
    power = _activates_for(s, cmd) or beneficiary(cmd)
    if not power or may_be_allied(s, cmd.country, power):
        return None
    names = f"{countries()[cmd.country].name} may never be a minor ally of {powers()[power].name}"
    return f"{names}; choose a lesser result"


def _activates_for(s: State, cmd: ReportResult) -> str:
    """The power whose minor ally a country becomes or stays by a result, whoever obtained it; if alone, none."""
    result = taken(cmd)
    if not bound(s, cmd.country) or result not in (10, -3) or negates(s, cmd.country, result):
        return ""
    return activator(s, cmd.country, beneficiary(cmd))


@limit(
    "82.351",
    on=ReportResult,
    when=lambda s, cmd: result_level(s, taken(cmd)) in ("associated", "allied") and bool(beneficiary(cmd)),
)
def not_after_declaring(s: State, cmd: ReportResult) -> str | None:
    """A country on which a power or its allies declared war may not later join them."""
    switches = bound(s, cmd.country) and negates(s, cmd.country, taken(cmd))
    among = new_patrons(s, cmd.country, beneficiary(cmd)) if switches else (beneficiary(cmd),)
    if any(takes_in(s, it, cmd.country) for it in among):
        return None
    return f"{countries()[cmd.country].name} was attacked by that side, or it surrendered; choose a lesser result"


@limit("82.36", on=ReportStatus, when=lambda s, cmd: cmd.status in BOUND and s.countries[cmd.country].status in BOUND)
def subverted_while_free(s: State, cmd: ReportStatus) -> str | None:
    """A country comes over by subversion only while it stands with nobody, whoever garrisons it."""
    standing = s.countries[cmd.country]
    if open_to_subversion(s, cmd.country) or faction(s, cmd.power) == faction(s, standing.by):
        return None
    told = f"{countries()[cmd.country].name} is {standing.status} ({powers()[standing.by].name})"
    return unless_excused(cmd, f"{told}: it leaves by a diplomatic result, report_result")


@definition("82.36", "A German garrison does not keep a country from being subverted by the Communists")
def open_to_subversion(s: State, country: str) -> bool:
    note("garrison", "82.36", garrison(s, country), country)
    return s.countries[country].status in NEUTRAL


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
