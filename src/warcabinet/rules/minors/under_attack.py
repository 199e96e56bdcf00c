"""How a country that was attacked may be said to stand: no neutral, and open to no invader (82.11, 82.31, 83.31A)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportResult
from warcabinet.model.commands.politics import ReportPeace, ReportStatus
from warcabinet.model.names import countries, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.diplomacy import lapse, promised
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.kinds import effect, limit
from warcabinet.rules.minors.association import associate_survivor, taken_in_by
from warcabinet.rules.minors.attack import invader_of
from warcabinet.rules.minors.border_wars import border_war_fought
from warcabinet.rules.minors.result_limits import capital_lost, forget_refusals
from warcabinet.rules.minors.results import beneficiary, result_level, taken
from warcabinet.rules.minors.status import change_status

BY_DIPLOMACY = ("penetrated", "controlled", *BOUND)


def _stands_so(s: State, cmd: ReportStatus) -> bool:
    """Whether a report only repeats how a country stands."""
    now = s.countries[cmd.country]
    return (now.status, now.by) == (cmd.status, cmd.power)


@limit(
    "82.11B",
    on=ReportStatus,
    # A position that does not know who declared war on whom takes a report as it stands.
    when=lambda s, cmd: (
        cmd.status == "independent"
        and s.options.declarations == "ordered"
        and s.countries[cmd.country].status in STANDS_ALONE
        and countries()[cmd.country].theater == "europe"
    ),
)
def independent_by_attack(s: State, cmd: ReportStatus) -> str | None:
    """A country is independent because somebody attacked it, not by a report."""
    if attackers_of(s, cmd.country) or border_war_fought(s, cmd.country) or _stands_so(s, cmd):
        return None
    return unless_excused(cmd, f"nobody has attacked {countries()[cmd.country].name}: declare_war comes first")


@limit(
    "82.11A",
    on=ReportStatus,
    when=lambda s, cmd: (
        cmd.status == "neutral"
        and s.countries[cmd.country].status in STANDS_ALONE
        and bool(attackers_of(s, cmd.country))
    ),
)
def no_neutral_at_war(s: State, cmd: ReportStatus) -> str | None:
    """A country that a power has attacked is neutral no more."""
    if _stands_so(s, cmd):
        return None
    names = " and ".join(powers()[it].name for it in attackers_of(s, cmd.country))
    return unless_excused(cmd, f"{countries()[cmd.country].name} is at war with {names}")


@effect("82.11A", "A country that fought alone is neutral again once all who attacked it have made peace")
def neutral_again(p: Proceedings, *parties: str) -> None:
    for country in (it for it in parties if it in countries() and countries()[it].theater == "europe"):
        if attackers_of(p.s, country):
            continue
        forget_refusals(p, country)
        if p.s.countries[country].status == "independent":
            lapse(p, country, "it is at peace", associate_survivor)
            change_status(p, country, "neutral", "", "82.11A", "peace was made with it")


@limit(
    "82.81",
    on=ReportPeace,
    # A position that does not know who declared war on whom takes a report as it stands.
    when=lambda s, cmd: s.options.declarations == "ordered" and any(it in countries() for it in cmd.between),
    also=("82.82", "84.42", "85.42"),
)
def no_peace_with_attacker(s: State, cmd: ReportPeace) -> Refusal | None:
    """A country that was attacked makes no peace with its attacker by a report: it falls, or joins a power."""
    for country, other in (cmd.between, cmd.between[::-1]):
        if country in countries() and other in attackers_of(s, country):
            status = s.countries[country].status
            told = f"{countries()[country].name}, which {powers()[other].name} attacked, makes no peace of its own"
            refused = unless_excused(cmd, told)
            clause = {"associated": "84.42", "allied": "85.42"}.get(status, "82.81")
            return Refusal(clause, refused) if refused else None
    return None


def _at_war(country: str, invader: str) -> str:
    return f"{powers()[invader].name} is at war with {countries()[country].name}, whose hexes it takes by force"


@limit(
    "82.31",
    on=ReportResult,
    when=lambda s, cmd: (
        result_level(s, taken(cmd)) == "controlled" and bool(attackers_of(s, cmd.country)) and bool(beneficiary(cmd))
    ),
)
def no_control_at_war(s: State, cmd: ReportResult) -> str | None:
    """No result opens a country to the side that attacks it (R-1822)."""
    invader = invader_of(s, cmd.country, beneficiary(cmd))
    return f"{_at_war(cmd.country, invader)}; choose a lesser result" if invader else None


@limit(
    "82.31",
    on=ReportStatus,
    when=lambda s, cmd: cmd.status == "controlled" and cmd.power in powers() and bool(attackers_of(s, cmd.country)),
)
def no_control_reported_at_war(s: State, cmd: ReportStatus) -> str | None:
    """No country is reported to be open to the side that attacks it (R-1822)."""
    invader = "" if _stands_so(s, cmd) else invader_of(s, cmd.country, cmd.power)
    return unless_excused(cmd, _at_war(cmd.country, invader)) if invader else None


@limit(
    "83.31A",
    on=ReportStatus,
    when=lambda s, cmd: (
        cmd.status in BY_DIPLOMACY and cmd.power in powers() and s.countries[cmd.country].status in STANDS_ALONE
    ),
)
def capital_not_taken_by_report(s: State, cmd: ReportStatus) -> str | None:
    """Who has a capital by force receives the country's BRPs; no report of a status gives them to another."""
    lost = None if _stands_so(s, cmd) else capital_lost(s, cmd.country)
    return unless_excused(cmd, lost)


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
)
def not_associated_before_its_time(s: State, cmd: ReportStatus) -> Refusal | None:
    """A country that was attacked associates when it has survived and its attacker is opposed, not by a report
    before.
    """
    coming = bool(promised(s, associate_survivor, about=cmd.country))
    # What diplomacy brings about comes in its own phase, whoever attacked the country.
    if s.place.step.name == "diplomatic phase" or (not coming and taken_in_by(s, cmd.country) == cmd.power):
        return None
    name = countries()[cmd.country].name
    when = "as the next diplomatic phase begins, if it survives" if coming else "when it has survived and is taken in"
    told = unless_excused(cmd, f"{name} was attacked: it associates {when}")
    return Refusal("84.21" if coming else "84.22", told) if told else None
