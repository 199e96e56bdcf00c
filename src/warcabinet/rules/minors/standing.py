"""How a country may come to stand, by a diplomatic result or a report, and who refuses it (82.1 - 82.35, 85.1)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import AcceptAssociation, DeclineAssociation, ReportResult
from warcabinet.model.commands.politics import ReportPeace, ReportStatus, ReportWar
from warcabinet.model.names import called, countries, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import BELONGS, FOLLOWS
from warcabinet.rules.common.books import out_of_the_economy, retained, worth
from warcabinet.rules.common.diplomacy import LEVELS, Told, band, beneficiary, favors, lapse, promised, taken, told_of
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, STANDS_ALONE, faction, garrison
from warcabinet.rules.common.war_and_peace import attackers_of
from warcabinet.rules.economy.reported import minor_pays
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import definition, effect, limit, opening, order, refused_unless_excused
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
from warcabinet.rules.minors.attack import BELONGING, invader_of
from warcabinet.rules.minors.pacific import drawn_in
from warcabinet.rules.minors.results import activator, negates, ukraine_open
from warcabinet.rules.minors.status import (
    DIPLOMATIC,
    WITH_ITS_POWER,
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


def held_in_the_east(s: State, country: str) -> bool:
    """Whether a power has eastern Poland, which falls by its cities or goes with Poland (83.12A, 84.44)."""
    if country != "eastern_poland" or s.countries[country].status != "neutral":
        return False
    return area_holder(s, country) in powers()


@limit("82.21", on=ReportResult)
def result_is_in_order(s: State, cmd: ReportResult) -> Iterator[Finding]:
    """Results are for European countries that nobody conquered or owns; what one gives it gives a power of its side.

    Only a lesser result may be chosen, and Luxembourg is one country with Belgium.
    """
    country, standing = cmd.country, s.countries[cmd.country]
    if countries()[country].theater != "europe":
        yield "diplomatic results concern European countries"
    elif country in BELONGS:
        yield f"it belongs to {called(BELONGS[country])}: report a result for that"
    elif held_in_the_east(s, country):
        yield f"{called(area_holder(s, country))} holds it; no diplomatic result changes that"
    elif standing.status in ("conquered", "colony", "commonwealth") and not (country == "ukraine" and ukraine_open(s)):
        yield f"{called(country)} is {standing.words}; no diplomatic result changes that"
    if country in FOLLOWS:
        yield Refusal("87.13B", ONE_FOR_DIPLOMACY)
    if cmd.chosen is not None:
        side = favors(cmd.result)
        least, most = {"axis": (3, cmd.result), "allied": (cmd.result, 4)}.get(side, (cmd.result, cmd.result))
        told = "a lesser result lies between the middle and the one rolled"
        yield Bound("chosen", least=least, most=most, text=told, clause="85.51A")
    if taken(cmd) not in LEVELS:
        return
    wanted = ("axis",) if favors(taken(cmd)) == "axis" else ("western allies", "russia")
    if not (power := beneficiary(cmd)):
        yield "say which Allied power benefits (power)"
    elif faction(s, power) not in wanted:
        yield f"a result of {band(taken(cmd))} benefits {' or '.join(wanted)}, not {called(power)}"


@limit(
    "82.21",
    on=(ReportResult, ReportStatus),
    when=lambda s, cmd: (it := told_of(cmd)).status in BY_DIPLOMACY and it.power in powers(),
    covers=("82.31", "82.351", "83.31A", "83.43", "84.11C", "85.216", "85.34", "85.61"),
)
def may_stand_with(s: State, cmd: ReportResult | ReportStatus) -> Iterator[Finding]:
    """What keeps a country from standing so with a power keeps it by a result and by a report of its status alike."""
    it = told_of(cmd)
    for why in () if _repeats(s, cmd) else _kept_from(s, it):
        if not isinstance(cmd, ReportStatus):
            yield Refusal(why.clause, f"{why.text}; choose a lesser result", also=why.also)
        else:
            yield why if why.clause in NEVER_EXCUSED else refused_unless_excused(cmd, why)


#: Whom a country may not join, no rule outside the documents changes.
NEVER_EXCUSED = ("82.351", "85.216", "85.61")


def _kept_from(s: State, it: Told) -> Iterator[Refusal]:
    """Why a country may not come to stand so with a power, each reason by its clause."""
    apart = not bound(s, it.country)
    leaves = it.result is not None and not apart and negates(s, it.country, it.result)
    closer = it.result and it.status == "allied" and not (apart or leaves)
    joined = activator(s, it.country, it.power) if closer else it.power
    if it.status != "allied" and countries()[it.country].theater == "europe" and it.power not in IN_EUROPE:
        yield Refusal("82.21", f"{called(it.power)} has no diplomacy in Europe", also=("84.11C",))
    if out_of_the_economy(s, joined):  # a power that has surrendered takes nobody in (R-0443)
        yield Refusal("83.43", f"{called(joined)} has surrendered")
    if apart and (lost := capital_lost(s, it.country)):
        yield Refusal("83.31A", lost)
    if it.status == "controlled" and (invader := invader_of(s, it.country, it.power)):  # R-1822
        yield Refusal("82.31", f"{called(invader)} is at war with {it.name}, whose hexes it takes by force")
    if it.status == "allied":
        # Communist China, which is in no list, becomes Russia's.
        listed = (it.country, joined) == ("communist_china", "russia") or may_be_allied(s, it.country, joined)
        if not leaves and not listed:
            european = countries()[it.country].theater == "europe"
            yield Refusal("85.216" if european else "85.61", f"{it.name} may never be a minor ally of {called(joined)}")
        own = (name for name in powers() if wages_war(s, it.country, name) and faction(s, name) == faction(s, it.power))
        if apart and (enemy := next(own, "")):
            yield Refusal("85.34", f"{it.name} is at war with {called(enemy)}")
    if it.status in BOUND:
        among = new_patrons(s, it.country, it.power) if leaves else (it.power,)
        if not any(
            takes_in(s, one, it.country) if it.result is not None else may_join(s, it.country, one) for one in among
        ):
            yield Refusal("82.351", f"that side declared war on {it.name}, or surrendered")


def capital_lost(s: State, country: str) -> str | None:
    """Who has the capital of a country by force, and with it the BRPs, told as a refusal."""
    coming = {it.power for it in promised(s, receive_conquest, about=country)}
    for power in (it for it in powers() if it != s.countries[country].by and retained(s, it, country)):
        if power in coming or left_on_books(s, country, power) or counts_no_longer(s, power, country):
            return f"{called(power)} holds its capital"
    return "partisans hold its capital" if area_holder(s, country) == PARTISANS else None


@definition("82.36", "A German garrison does not keep a country from being subverted by the Communists")
def open_to_subversion(s: State, country: str) -> bool:
    note("garrison", "82.36", garrison(s, country), country)
    return s.countries[country].status in NEUTRAL


@limit("82.11A", on=ReportStatus, covers=("82.11B",), excusable=True)
def status_came_about(s: State, cmd: ReportStatus) -> Iterator[Finding]:
    """A report tells of a country what attack, survival and diplomacy, each in its time, can have made of it."""
    standing, name, joins = s.countries[cmd.country], called(cmd.country), cmd.status in BOUND
    stood, diplomacy = f"{name} is {standing.words} ({called(standing.by)})", s.place.step.name == "diplomatic phase"
    european = countries()[cmd.country].theater == "europe"
    if cmd.country in BELONGS and cmd.status in BY_DIPLOMACY:
        whole = called(BELONGS[cmd.country])
        yield Refusal("82.21", f"{name} goes with {whole}: report {whole}'s status")
    if standing.status in BOUND and european and (cmd.status in STANDS_ALONE or _handed_on(s, cmd)):
        yield Refusal("85.51A", f"{stood}: it surrenders or switches sides by report_result")
    if cmd.country in FOLLOWS and cmd.status in BY_DIPLOMACY and not _with_belgium(s, cmd):
        own = "the BRPs of a result for both are Belgium's" if cmd.brp and not joins else ONE_FOR_DIPLOMACY
        yield Refusal("87.13B", own)
    if _repeats(s, cmd):
        return
    if cmd.status in ("neutral", "independent") and standing.status in STANDS_ALONE:
        yield _not_as_attacked(s, cmd)
    if joins and standing.status in BOUND and faction(s, cmd.power) != faction(s, standing.by):
        yield Refusal("85.51B", f"{stood}: it leaves by a diplomatic result, report_result", also=("82.36",))
    if not european or cmd.power not in powers() or diplomacy:
        return
    if cmd.status == "allied":
        yield Refusal("85.31", f"{name} becomes a minor ally in a diplomatic phase")
    if cmd.status == "associated" and standing.status in STANDS_ALONE and attackers_of(s, cmd.country):
        coming = bool(promised(s, associate_survivor, about=cmd.country))
        when = "if it survives, as the next diplomatic phase begins" if coming else "when somebody takes it in"
        if coming or taken_in_by(s, cmd.country) != cmd.power:
            yield Refusal("84.21", f"{name} was attacked: it associates {when}", also=("82.81", "82.82", "84.22"))


def _repeats(s: State, cmd: ReportResult | ReportStatus) -> bool:
    """Whether a report only says how a country stands."""
    now = s.countries[cmd.country]
    return isinstance(cmd, ReportStatus) and (now.status, now.by) == (cmd.status, cmd.power)


def _with_belgium(s: State, cmd: ReportStatus) -> bool:
    """Whether Luxembourg comes to stand so with Belgium, or as a survivor of an attack, which associates by itself."""
    leader = s.countries[FOLLOWS[cmd.country]]
    if cmd.status in BOUND:
        joined = leader.status in BOUND and leader.by == cmd.power
        return joined or bool(attackers_of(s, cmd.country)) or _repeats(s, cmd)
    return not cmd.brp and ((leader.status, leader.by) == (cmd.status, cmd.power) or _repeats(s, cmd))


def _not_as_attacked(s: State, cmd: ReportStatus) -> Refusal | None:
    """A country is neutral until somebody attacks it, and independent from then on, whatever a report says."""
    attackers, name = attackers_of(s, cmd.country), called(cmd.country)
    if attackers:
        told = f"{name} is at war with {' and '.join(map(called, attackers))}"
        return Refusal("82.11A", told, also=("82.11B",)) if cmd.status == "neutral" else None
    # A position that does not know who declared war on whom takes a report as it stands.
    known = s.options.declarations == "ordered" and countries()[cmd.country].theater == "europe"
    if cmd.status == "neutral" or not known or border_war_fought(s, cmd.country):
        return None
    return Refusal("82.11A", f"nobody has attacked {name}: declare_war comes first", also=("82.11B",))


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


# -- who is refused, and accepted later ---------------------------------------------------------------------------


def just_associated(s: State, country: str, power: str) -> bool:
    """Whether a survivor came to a power in this phase, by its first turn or by a war (84.22); it has paid nothing."""
    if (s.countries[country].status, s.countries[country].by) != ("associated", power):
        return False
    if not happened(s, "associated by survival", country, "phase") or happened(s, "turned", country, "phase"):
        return False
    return bool(promised(s, minor_pays, association_pays, about=country)) or not worth(s, country)


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


@opening("84.21D", "Countries that are about to associate with the power", on=DeclineAssociation)
def about_to_associate(s: State, cmd: DeclineAssociation) -> Choice:
    # Those that will come to it if they survive, and those that just came.
    just_came = (it for it in s.countries if just_associated(s, it, cmd.power))
    coming = tuple(dict.fromkeys((*survivors_for(s, cmd.power), *just_came)))
    told = ", ".join(map(called, coming)) or "no country"
    return Choice("country", coming, f"{told} is about to associate with {called(cmd.power)}")


@limit("84.21D", "Only an association that is about to come can be refused", on=DeclineAssociation)
def something_to_decline(s: State, cmd: DeclineAssociation) -> Choice:
    return about_to_associate(s, cmd)


@order("82.81D", "A power accepts a country that it had refused", on=AcceptAssociation, phases=("diplomatic phase",))
def accept_association(p: Proceedings, cmd: AcceptAssociation) -> None:
    associate(p, cmd.country, cmd.power, "82.81D", "accepted after an earlier refusal", "diplomacy")


@limit("82.81D", "A country refused is accepted while its offer stands (R-0041)", on=AcceptAssociation)
def offer_stands(s: State, cmd: AcceptAssociation) -> Iterator[Finding]:
    refused = tuple(it for (it,), declined in association_declined.kept(s) if declined and fights_alone(s, it))
    yield Choice("country", refused, f"{' and '.join(map(called, refused)) or 'no country'} has been refused")
    if cmd.country not in refused:
        return
    name, power = called(cmd.country), called(cmd.power)
    against = [it for it in attackers_of(s, cmd.country) if protector(s, cmd.country, it) == cmd.power]
    if not against:
        yield f"{name} did not offer itself to {power}"
    elif reading_in_force(s, "R-0041") == "a":
        yield "a country that was refused fights on alone; it is not accepted later"
    # Nor is one accepted later that could not have joined at once, its attacker being neutral (84.22).
    elif not any(opposes(s, cmd.power, it) for it in against):
        yield f"{power} is not at war with whoever attacked {name}"
    if against and not may_join(s, cmd.country, cmd.power):
        yield Refusal("82.351", f"{power}'s side declared war on {name}")


# -- war and peace -------------------------------------------------------------------------------------------------


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


@limit("82.81", on=ReportPeace, covers=("82.82", "84.42", "85.42"), excusable=True)
def no_peace_with_attacker(s: State, cmd: ReportPeace) -> Refusal | None:
    """A country that was attacked makes no peace with its attacker by a report: it falls, or joins a power."""
    # A position that does not know who declared war on whom takes a report as it stands.
    for country, other in (cmd.between, cmd.between[::-1]) if s.options.declarations == "ordered" else ():
        if country in countries() and other in attackers_of(s, country):
            clause = WITH_ITS_POWER.get(s.countries[country].status, "82.81")
            return Refusal(clause, f"{called(country)}, which {called(other)} attacked, makes no peace of its own")
    return None


@limit("82.41", on=ReportWar, when=lambda s, cmd: any(it in countries() for it in cmd.between), excusable=True)
def wars_are_declared(s: State, cmd: ReportWar) -> Iterator[Finding]:
    """War on a minor country begins with a declaration that is paid for; who stands with a power is in its wars.

    No war of the Philippines or the Dutch East Indies is reported apart from that of their power.
    """
    if with_power := drawn_in(s, cmd.between):
        yield Refusal("82.93", with_power, also=("89.24", "89.41"))
    if s.options.declarations != "ordered":
        return
    country = next(it for it in cmd.between if it in countries())
    # In the Pacific all but Thailand come into the war with a power (82.93).
    free = countries()[country].theater == "europe" or country == "thailand"
    if free and s.countries[country].status in STANDS_ALONE:
        power, name = next((it for it in cmd.between if it in powers()), ""), called(country)
        told = f"a war of {called(power)} on {name} is declared and paid for: declare_war" if power else ""
        by_itself = cmd.declared_by == country or not power
        told = f"{name} declares war on nobody: a power declares it" if by_itself else told
        yield Refusal("82.41", told, also=("82.62",))
    for it in () if with_power else cmd.between:
        standing = s.countries.get(it)
        if standing is not None and standing.status in BELONGING and standing.by:
            name = f"{called(it)} is {standing.words} ({called(standing.by)})"
            told = f"{name}: at war as that power is, and with nobody else"
            yield Refusal("82.42", told, also=("82.35", "84.42", "85.42"))
            return
