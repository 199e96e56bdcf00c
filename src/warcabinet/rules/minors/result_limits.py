"""Which diplomatic results may be reported, for which country and for whom (82.2, 82.35, 85.1)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportResult
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.names import countries, powers
from warcabinet.model.places import PARTISANS, area_holder
from warcabinet.model.state import State
from warcabinet.model.traits import BELONGS, FOLLOWS
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.books import out_of_the_economy
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, faction, garrison
from warcabinet.rules.common.promises import promised
from warcabinet.rules.common.worth import retained
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.alliance import may_be_allied
from warcabinet.rules.minors.association import IN_EUROPE, takes_in
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
from warcabinet.rules.minors.status import bound, counts_no_longer, left_on_books
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
