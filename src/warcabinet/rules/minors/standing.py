"""How a country may come to stand, by a diplomatic result or a report, and who refuses it (82.1 - 82.35, 85.1).

What keeps it from standing so is told once of both (`denied`).
"""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import AcceptAssociation, DeclineAssociation, ReportResult
from warcabinet.model.commands.politics import ReportPeace, ReportStatus
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import BELONGS, FOLLOWS
from warcabinet.rules.common.books import out_of_the_economy, retained, worth
from warcabinet.rules.common.diplomacy import LEVELS, Told, band, beneficiary, denied, favors, lapse, promised, taken
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, STANDS_ALONE, faction, garrison
from warcabinet.rules.common.war_and_peace import attackers_of
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import definition, effect, limit, opening, order
from warcabinet.rules.minors.association import (
    IN_EUROPE,
    associate,
    associate_survivor,
    association_declined,
    association_pays,
    fight_on,
    fights_alone,
    may_be_allied,
    may_join,
    opposes,
    protector,
    refused_by,
    survivors_for,
    taken_in_by,
    takes_in,
)
from warcabinet.rules.minors.attack import invader_of
from warcabinet.rules.minors.results import activator, negates, ukraine_open
from warcabinet.rules.minors.status import (
    DIPLOMATIC,
    border_war_fought,
    bound,
    change_status,
    counts_no_longer,
    left_on_books,
    release_hexes,
    wages_war,
)
from warcabinet.rules.minors.surrender import new_patrons

BY_DIPLOMACY = ("penetrated", "controlled", *BOUND)
ONE_FOR_DIPLOMACY = "Belgium and Luxembourg are one country for diplomacy: report Belgium"


@limit("82.21", "A result that gives something says to whom", on=ReportResult)
def result_has_beneficiary(s: State, cmd: ReportResult) -> str | None:
    if taken(cmd) not in LEVELS:
        return None
    power = beneficiary(cmd)
    if not power:
        return "say which Allied power benefits (power)"
    wanted = ("axis",) if favors(taken(cmd)) == "axis" else ("western allies", "russia")
    if faction(s, power) not in wanted:
        return f"a result of {band(taken(cmd))} benefits {' or '.join(wanted)}, not {called(power)}"
    return None


@denied("82.21", status=("penetrated", "controlled", "associated"), when=lambda s, it: it.european, also=("84.11C",))
def has_diplomacy_in_europe(s: State, it: Told) -> str | None:
    """No European country comes to a power without diplomacy in Europe."""
    return None if it.power in IN_EUROPE else f"{called(it.power)} has no diplomacy in Europe"


@denied("83.43", "No country comes to a power that has surrendered (R-0443)", status=BY_DIPLOMACY)
def power_in_the_war(s: State, it: Told) -> str | None:
    power = _joined(s, it)
    return f"{called(power)} has surrendered" if out_of_the_economy(s, power) else None


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
        return f"it belongs to {called(BELONGS[cmd.country])}: report a result for that"
    if held_in_the_east(s, cmd.country):
        return f"{called(area_holder(s, cmd.country))} holds it; no diplomatic result changes that"
    if cmd.country == "ukraine" and ukraine_open(s):
        return None
    if standing.status in ("conquered", "colony", "commonwealth"):
        return f"{called(cmd.country)} is {standing.status}; no diplomatic result changes that"
    return None


@limit("87.13B", on=ReportResult, when=lambda s, cmd: cmd.country in FOLLOWS)
def result_for_belgium(s: State, cmd: ReportResult) -> str:
    """Luxembourg is one country with Belgium for diplomacy: results are for Belgium."""
    return ONE_FOR_DIPLOMACY


@limit(
    "87.13B", on=ReportStatus, when=lambda s, cmd: cmd.country in FOLLOWS and cmd.status in BY_DIPLOMACY, excusable=True
)
def reported_with_belgium(s: State, cmd: ReportStatus) -> str | None:
    """Luxembourg is not reported under a result or joining a power without Belgium, unless it outlasted an attack."""
    leader = s.countries[FOLLOWS[cmd.country]]
    if cmd.status not in BOUND and cmd.brp:
        return "the BRPs of a result for both are Belgium's"
    if _stands_so(s, cmd):
        return None
    if cmd.status in BOUND:
        # A survivor of an attack associates by itself, and so may one whose Belgium has joined.
        goes_with = bool(attackers_of(s, cmd.country)) or (leader.status in BOUND and leader.by == cmd.power)
    else:
        goes_with = (leader.status, leader.by) == (cmd.status, cmd.power)
    return None if goes_with else ONE_FOR_DIPLOMACY


@denied("83.31A", status=BY_DIPLOMACY, when=lambda s, it: not bound(s, it.country))
def capital_not_taken(s: State, it: Told) -> str | None:
    """Who has a capital by force receives the country's BRPs; diplomacy gives them to nobody else."""
    return capital_lost(s, it.country)


def capital_lost(s: State, country: str) -> str | None:
    """Who has the capital of a country by force, and with it the BRPs, told as a refusal."""
    coming = {it.power for it in promised(s, receive_conquest, about=country)}
    holders = (
        it for it in powers() if it in coming or left_on_books(s, country, it) or counts_no_longer(s, it, country)
    )
    for power in holders:
        if power != s.countries[country].by and retained(s, power, country):
            return f"{called(power)} holds its capital"
    return "partisans hold its capital" if area_holder(s, country) == PARTISANS else None


def _leaves(s: State, it: Told) -> bool:
    """Whether a result takes a country from the power that it stands with."""
    return not it.reported and bound(s, it.country) and negates(s, it.country, taken(it.cmd))


def _joined(s: State, it: Told) -> str:
    """The power with which a country would stand: one that activates may not be his who obtained the result."""
    activates = not it.reported and it.status == "allied" and bound(s, it.country) and not _leaves(s, it)
    return activator(s, it.country, it.power) if activates else it.power


@denied("85.216", status=("allied",), when=lambda s, it: not _leaves(s, it), final=True)
def activation_listed(s: State, it: Told) -> str | None:
    """Only the listed countries become minor allies of a power, and Communist China Russia's."""
    power = _joined(s, it)
    if (it.country, power) == ("communist_china", "russia") or may_be_allied(s, it.country, power):
        return None
    return f"{it.name} may never be a minor ally of {called(power)}"


@denied("85.34", "A country at war with a power becomes no minor ally of its side", status=("allied",))
def not_with_its_enemy(s: State, it: Told) -> str | None:
    own = (name for name in powers() if wages_war(s, it.country, name) and faction(s, name) == faction(s, it.power))
    enemy = "" if bound(s, it.country) else next(own, "")
    return f"{it.name} is at war with {called(enemy)}" if enemy else None


@limit(
    "85.31",
    on=ReportStatus,
    when=lambda s, cmd: (
        cmd.status == "allied" and cmd.power in powers() and countries()[cmd.country].theater == "europe"
    ),
    excusable=True,
)
def reported_as_it_activates(s: State, cmd: ReportStatus) -> str | None:
    """A European country is reported as a minor ally in the diplomatic phase of its die roll."""
    if s.place.step.name == "diplomatic phase" or _stands_so(s, cmd):
        return None
    return f"{called(cmd.country)} becomes a minor ally in a diplomatic phase"


@denied(
    "82.351", "A country on which a power or its allies declared war may not later join them", status=BOUND, final=True
)
def not_after_declaring(s: State, it: Told) -> str | None:
    among = new_patrons(s, it.country, it.power) if _leaves(s, it) else (it.power,)
    if any((may_join(s, it.country, power) if it.reported else takes_in(s, power, it.country)) for power in among):
        return None
    return f"that side declared war on {it.name}, or surrendered"


@limit(
    "82.36",
    on=ReportStatus,
    when=lambda s, cmd: cmd.status in BOUND and s.countries[cmd.country].status in BOUND,
    excusable=True,
)
def subverted_while_free(s: State, cmd: ReportStatus) -> str | None:
    """A country comes over by subversion only while it stands with nobody, whoever garrisons it."""
    standing = s.countries[cmd.country]
    if open_to_subversion(s, cmd.country) or faction(s, cmd.power) == faction(s, standing.by):
        return None
    told = f"{called(cmd.country)} is {standing.status} ({called(standing.by)})"
    return f"{told}: it leaves by a diplomatic result, report_result"


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
    reason = f"declined by {called(cmd.power)}"
    association_declined.note(p, True, reason, cmd.country)
    refused_by.note(p, True, reason, cmd.country, cmd.power)
    fight_on(p, cmd.country, "82.81D", f"its association was {reason}")
    if had_joined:
        release_hexes(p, cmd.country, cmd.power, backdated=True)


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
    return f"{called(cmd.country)} is not about to associate with {called(cmd.power)}"


@order("82.81D", "A power accepts a country that it had refused", on=AcceptAssociation, phases=("diplomatic phase",))
def accept_association(p: Proceedings, cmd: AcceptAssociation) -> None:
    associate(p, cmd.country, cmd.power, "82.81D", "accepted after an earlier refusal", "diplomacy")


@opening("82.81D", "Countries that the power had refused", on=AcceptAssociation)
def refused_before(s: State, cmd: AcceptAssociation) -> Choice:
    refused = tuple(it for it in s.countries if association_declined(s, it))
    return Choice("country", refused, f"{called(cmd.power)} has refused no country")


def _offered(s: State, cmd: AcceptAssociation) -> bool:
    return any(protector(s, cmd.country, it) == cmd.power for it in attackers_of(s, cmd.country))


@limit("82.81D", "A refused country may be accepted only where the offer stands (R-0041)", on=AcceptAssociation)
def offer_stands(s: State, cmd: AcceptAssociation) -> str | None:
    if not association_declined(s, cmd.country) or not fights_alone(s, cmd.country):
        return f"{called(cmd.country)} has not been refused"
    if not _offered(s, cmd):
        return f"{called(cmd.country)} did not offer itself to {called(cmd.power)}"
    if reading_in_force(s, "R-0041") == "a":
        return "a country that was refused fights on alone; it is not accepted later"
    # Nor is one accepted later that could not have joined at once, its attacker being neutral (84.22).
    against = (it for it in attackers_of(s, cmd.country) if protector(s, cmd.country, it) == cmd.power)
    if not any(opposes(s, cmd.power, it) for it in against):
        return f"{called(cmd.power)} is not at war with whoever attacked {called(cmd.country)}"
    return None


@limit("82.351", on=AcceptAssociation, when=_offered)
def not_accepted_by_attacker(s: State, cmd: AcceptAssociation) -> str | None:
    """A country that a power's side has attacked since it offered itself is not accepted by it."""
    if may_join(s, cmd.country, cmd.power):
        return None
    return f"{called(cmd.power)}'s side declared war on {called(cmd.country)}"


# -- countries that were attacked ---------------------------------------------------------------------------------


def _stands_so(s: State, cmd: ReportStatus) -> bool:
    """Whether a report only repeats how a country stands."""
    now = s.countries[cmd.country]
    return (now.status, now.by) == (cmd.status, cmd.power)


@limit(
    "82.11A",
    on=ReportStatus,
    when=lambda s, cmd: cmd.status in ("neutral", "independent") and s.countries[cmd.country].status in STANDS_ALONE,
    also=("82.11B",),
    excusable=True,
)
def stands_alone_as_attacked(s: State, cmd: ReportStatus) -> str | None:
    """A country is neutral until somebody attacks it, and independent from then on, whatever a report says."""
    attackers, name = attackers_of(s, cmd.country), called(cmd.country)
    if _stands_so(s, cmd) or (attackers and cmd.status == "independent"):
        return None
    told = f"{name} is at war with {' and '.join(map(called, attackers))}"
    if not attackers:
        # A position that does not know who declared war on whom takes a report as it stands.
        known = s.options.declarations == "ordered" and countries()[cmd.country].theater == "europe"
        if cmd.status == "neutral" or not known or border_war_fought(s, cmd.country):
            return None
        told = f"nobody has attacked {name}: declare_war comes first"
    return told


@effect("82.11A", "A country that fought alone is neutral again once all who attacked it have made peace")
def neutral_again(p: Proceedings, *parties: str) -> None:
    for country in (it for it in parties if it in countries() and countries()[it].theater == "europe"):
        if attackers_of(p.s, country):
            continue
        # Who attacks it after a peace begins a war of which nobody has refused it yet (82.81).
        if association_declined(p.s, country):
            association_declined.forget(p, country)
            for power in (it for it in powers() if refused_by(p.s, country, it)):
                refused_by.forget(p, country, power)
        if p.s.countries[country].status == "independent":
            lapse(p, country, "it is at peace", associate_survivor)
            change_status(p, country, "neutral", "", "82.11A", "peace was made with it")


@limit(
    "82.81",
    on=ReportPeace,
    # A position that does not know who declared war on whom takes a report as it stands.
    when=lambda s, cmd: s.options.declarations == "ordered" and any(it in countries() for it in cmd.between),
    also=("82.82", "84.42", "85.42"),
    excusable=True,
)
def no_peace_with_attacker(s: State, cmd: ReportPeace) -> Refusal | None:
    """A country that was attacked makes no peace with its attacker by a report: it falls, or joins a power."""
    for country, other in (cmd.between, cmd.between[::-1]):
        if country in countries() and other in attackers_of(s, country):
            clause = {"associated": "84.42", "allied": "85.42"}.get(s.countries[country].status, "82.81")
            return Refusal(clause, f"{called(country)}, which {called(other)} attacked, makes no peace of its own")
    return None


@denied("82.31", "No country opens to the side that attacks it (R-1822)", status=("controlled",))
def no_control_at_war(s: State, it: Told) -> str | None:
    invader = invader_of(s, it.country, it.power)
    return f"{called(invader)} is at war with {it.name}, whose hexes it takes by force" if invader else None


@limit(
    "84.21",
    on=ReportStatus,
    when=lambda s, cmd: (
        cmd.status == "associated"
        and cmd.power in powers()
        and s.countries[cmd.country].status in STANDS_ALONE
        and bool(attackers_of(s, cmd.country))
        and countries()[cmd.country].theater == "europe"
    ),
    also=("82.81", "82.82", "84.22"),
    excusable=True,
)
def not_associated_before_its_time(s: State, cmd: ReportStatus) -> str | None:
    """A country that was attacked associates when it has survived and its attacker is opposed, not by a report
    before.
    """
    coming = bool(promised(s, associate_survivor, about=cmd.country))
    # What diplomacy brings about comes in its own phase, whoever attacked the country.
    if s.place.step.name == "diplomatic phase" or (not coming and taken_in_by(s, cmd.country) == cmd.power):
        return None
    when = "as the next diplomatic phase begins, if it survives" if coming else "when it has survived and is taken in"
    return f"{called(cmd.country)} was attacked: it associates {when}"


@limit(
    "85.51A",
    on=ReportStatus,
    when=lambda s, cmd: (
        s.countries[cmd.country].status in BOUND
        and (cmd.status in STANDS_ALONE or _handed_on(s, cmd))
        and countries()[cmd.country].theater == "europe"
    ),
    excusable=True,
)
def leaves_by_result(s: State, cmd: ReportStatus) -> str | None:
    """An associate or minor ally leaves its power by a diplomatic result, not by a report."""
    standing = s.countries[cmd.country]
    told = f"{called(cmd.country)} is {standing.status} ({called(standing.by)})"
    return f"{told}: it surrenders or switches sides by report_result"


def _handed_on(s: State, cmd: ReportStatus) -> bool:
    """Whether an associate or ally would pass to a partner, or an ally be an associate again.

    Only where its own power may have no minor allies does an associate become a partner's (85.212).
    """
    standing = s.countries[cmd.country]
    if cmd.status not in BOUND or faction(s, cmd.power) != faction(s, standing.by):
        return False
    if cmd.power == standing.by:
        return (standing.status, cmd.status) == ("allied", "associated")
    return cmd.status == "associated" or standing.status == "allied" or may_be_allied(s, cmd.country, standing.by)


@limit(
    "82.21", on=ReportStatus, when=lambda s, cmd: cmd.country in BELONGS and cmd.status in BY_DIPLOMACY, excusable=True
)
def parts_go_with_their_country(s: State, cmd: ReportStatus) -> str | None:
    """A part of a country has no diplomatic result of its own, nor joins anybody by itself."""
    part, whole = called(cmd.country), called(BELONGS[cmd.country])
    return f"{part} goes with {whole}: report {whole}'s status"
