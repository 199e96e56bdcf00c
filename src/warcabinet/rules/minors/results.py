"""Diplomatic results from -3 to 10, reports of status and conquest, and all that follows from them (82.2, 82.3, 83.11,
84.11C, 85.11A, 85.51).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import ReportConquest
from warcabinet.model.commands.minors import ReportResult
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Closed, Happened, PowerChanged, Reported, ResultInForce, StatusChanged
from warcabinet.model.happenings import TakenBy, befell
from warcabinet.model.names import StatusName, areas, called, countries, powers
from warcabinet.model.places import deciding_places
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import COMMONWEALTH, FOLLOWS, PARTS, conquest_places, follower_of
from warcabinet.rules.common.books import diplomatic_share, joint_holder, on_books, out_of_the_economy, worth
from warcabinet.rules.common.diplomacy import (
    LEVELS,
    band,
    beneficiary,
    conqueror,
    favors,
    has_conquest,
    lapse,
    promise,
    promised,
    taken,
)
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.common.presence import excused, keep_excuse
from warcabinet.rules.common.war_and_peace import attackers_of, partners
from warcabinet.rules.economy.reported import minor_value
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest, take_places
from warcabinet.rules.kinds import definition, effect, limit, order, value
from warcabinet.rules.minors.association import (
    activate,
    as_it_was,
    associate,
    associate_spain,
    awaits_declaration,
    may_be_allied,
    may_be_negated,
    negate_following,
)
from warcabinet.rules.minors.attack import invader_of
from warcabinet.rules.minors.conquest import conquer
from warcabinet.rules.minors.limits import leave_after_reversal, may_stay, sides_leaving, turn_on_guests
from warcabinet.rules.minors.status import (
    bound,
    change_status,
    hand_over_hexes,
    left_on_books,
    pay_whole_value,
    release_hexes,
    settle_diplomatically,
    take_off_books,
)
from warcabinet.rules.minors.surrender import follow_out, surrender_country, switch_country


@value("82.21", "What a diplomatic result amounts to")
def result_level(s: State, result: int) -> str:
    level = LEVELS.get(result, "nothing")
    clauses = {"associated": "84.11C", "allied": "85.11A"}
    if level in clauses:
        note("mechanism", clauses[level], level)
    return level


@order("82.21", "A diplomatic result takes effect", on=ReportResult, phases=("diplomatic phase",))
def report_result(p: Proceedings, cmd: ReportResult) -> None:
    result, power = taken(cmd), beneficiary(cmd)
    name = called(cmd.country)
    p.do(Reported("diplomatic result", f"{band(result)} for {name}"))
    earlier = p.s.results.get(cmd.country, "")
    # First, so that what follows from a result can still see the one that it replaces.
    p.do(Happened(Happening(p.s.moment, "diplomatic result", cmd.country, result)))
    p.do(ResultInForce(cmd.country, band(result)))
    if bound(p.s, cmd.country):
        _change_sides(p, cmd, result, power, earlier)
    else:
        _come_closer(p, cmd.country, result, power, earlier)


def _change_sides(p: Proceedings, cmd: ReportResult, result: int, power: str, earlier: str) -> None:
    """A country that is associated or allied surrenders, switches, or moves closer to the power it is with."""
    standing = p.s.countries[cmd.country]
    partner = follower_of(cmd.country)
    together = partner and p.s.countries[partner].by == standing.by and bound(p.s, partner)
    if negates(p.s, cmd.country, result):
        if result in (9, 10, -2, -3):
            p.run(switch_country, cmd, result, power)
        elif result not in (3, 4):
            p.run(surrender_country, cmd.country, result, power)
        if together:
            follow_out(p, partner, cmd.country, result, power)
    elif result_level(p.s, result) == "allied" and may_activate(p.s, cmd.country):
        p.run(activate, cmd.country, activator(p.s, cmd.country, power), earlier)
    now = p.s.countries[cmd.country].by if bound(p.s, cmd.country) else power
    # Luxembourg goes along too where Belgium becomes the minor ally of a partner of the power that led both.
    parted = together and bound(p.s, cmd.country) and now != p.s.countries[partner].by
    if parted or (partner and not together and _free(p.s, partner)):
        p.run(luxembourg_follows, partner, cmd.country, result, now)


def may_activate(s: State, country: str) -> bool:
    """Whether a country that stands with a side may become a minor ally by its result.

    An associate may, and so may the minor ally of a power that has surrendered, for a partner (R-2320).
    """
    standing = s.countries[country]
    orphaned = out_of_the_economy(s, standing.by)
    return standing.status == "associated" or orphaned


def activator(s: State, country: str, power: str) -> str:
    """Whose minor ally an associate becomes: its own power's (R-1841), or a partner's if that one may have none.

    Italy may have none (85.212), nor has a power that has surrendered any more (R-0443).
    """
    now = s.countries[country].by
    led = may_be_allied(s, country, now) and not out_of_the_economy(s, now)
    able = led or faction(s, power) != faction(s, now)
    return now if able else power


TAKEN = ("conquered", "colony")


def _free(s: State, country: str) -> bool:
    return s.countries[country].status not in (*BOUND, "conquered")


@definition("85.51A", "A result on the other side negates association or alliance")
def negates(s: State, country: str, result: int) -> bool:
    with_axis = faction(s, s.countries[country].by) == "axis"
    against = favors(result) == ("allied" if with_axis else "axis")
    if against:
        note("result", "85.51B" if result in (9, 10, -2, -3) else "85.51A", band(result), country)
        note("turned", "85.215", True, country)
    return against


def _come_closer(p: Proceedings, country: str, result: int, power: str, earlier: str) -> None:
    level = result_level(p.s, result)
    if p.s.countries[country].status in TAKEN and (level not in BOUND or favors(result) != "axis"):
        return  # the Ukraine: only a rising changes anything
    before = p.s.countries[country]
    reverse(p, country, result, power)
    if level in BOUND:
        turn_on_guests(p, country, power)
        lapse(p, country, "it has joined a power", associate_spain)
    if level == "allied":
        # An earlier result that this one reversed does not come back, if the activation is negated (85.341).
        p.run(activate, country, power, earlier if p.s.countries[country] == before else "")
    elif level == "associated":
        associate(p, country, power, "84.11C", f"diplomatic result {band(result)}", "diplomacy")
    elif level in ("penetrated", "controlled"):
        _gain_influence(p, country, result, power)
    partner = follower_of(country)
    if partner and _free(p.s, partner):
        p.run(luxembourg_follows, partner, country, result, power)
    if not awaits_declaration(p.s, country):
        for joined in (it for it in (country, partner) if it and bound(p.s, it)):
            # What becomes of units in a country that has joined somebody is told in 82.56, and they need not leave it.
            may_stay(p, joined, "it has joined a power")


@effect("87.13B", "Luxembourg goes with Belgium: one country for diplomacy, its BRPs counted only when it joins")
def luxembourg_follows(p: Proceedings, partner: str, country: str, result: int, power: str) -> None:
    level = result_level(p.s, result)
    reverse(p, partner, result, power)
    # What this result reversed does not come back, if the activation is negated (85.341).
    was = as_it_was(p.s, partner, power)
    if level in BOUND:
        associate(p, partner, power, "84.11C", f"follows {called(country)}", "diplomacy")
        if awaits_declaration(p.s, country):
            may_be_negated(p, negate_following, power, was)
    elif level == "controlled" and not invader_of(p.s, partner, power):
        control_hexes(p, partner, power, f"follows {called(country)}")


@definition("82.33", "An earlier result falls when a later one lies beyond the middle, on the way to the other side")
def falls(s: State, country: str, result: int) -> bool:
    standing = s.countries[country]
    if standing.status not in ("penetrated", "controlled"):
        return False
    return result <= 4 if faction(s, standing.by) == "axis" else result >= 3


def reverse(p: Proceedings, country: str, result: int, power: str) -> None:
    """Undo what an earlier result had given a power, if this one reverses it or gives it to another faction."""
    if (result in LEVELS and _outbid(p.s, country, power)) or falls(p.s, country, result):
        former = p.s.countries[country].by
        _take_back(p, country, f"result {band(result)} reverses the earlier one")
        take_off_books(p, country, former)


def _outbid(s: State, country: str, power: str) -> bool:
    """Whether a power takes over what another faction had by a result: two Allied ones can follow each other."""
    standing = s.countries[country]
    return standing.status in ("penetrated", "controlled") and faction(s, standing.by) != faction(s, power)


def _take_back(p: Proceedings, country: str, reason: str) -> None:
    """A country is no power's by a result any more."""
    standing = p.s.countries[country]
    if standing.status == "controlled":
        release_hexes(p, country, standing.by)
        leave_after_reversal(p, country, standing.by)
    change_status(p, country, _alone(p.s, country), "", "82.33", reason)


def _alone(s: State, country: str) -> StatusName:
    """What a country is by itself: one attacked while a power had a result fights on, and may be taken in (82.82)."""
    return "independent" if attackers_of(s, country) else "neutral"


def _gain_influence(p: Proceedings, country: str, result: int, power: str) -> None:
    """BRPs, and at the second step hexes. What the same side already has is never made less (R-0201)."""
    standing = p.s.countries[country]
    share = max(diplomatic_share(p.s, country, result), left_on_books(p.s, country, power))
    level = result_level(p.s, result)
    if standing.status == "controlled" and level == "penetrated":  # by the same side: another's was reversed
        if reading_in_force(p.s, "R-0201") != "b":
            return
        release_hexes(p, country, standing.by)
        leave_after_reversal(p, country, standing.by)
        share = diplomatic_share(p.s, country, result)
    if level == "controlled":
        p.run(control_hexes, country, power, f"diplomatic result {band(result)}")
    else:
        change_status(p, country, "penetrated", power, "82.21", f"diplomatic result {band(result)}")
    note("added_at_once", "82.22", share, country)
    settle_diplomatically(p, country, {power: share})


@effect("82.31", "A hex control result gives all hexes but those that other factions occupy, from the turn's start")
def control_hexes(p: Proceedings, country: str, power: str, reason: str) -> None:
    change_status(p, country, "controlled", power, "82.31", reason)
    hand_over_hexes(p, country, power, everything=True)
    may_stay(p, country, "its hexes are open to them again")


@effect("82.33", "What results gave a power ends when it surrenders, as if reversed (R-0490)", on=PowerChanged)
def results_end_with_power(p: Proceedings, changed: PowerChanged) -> None:
    if changed.surrendered is not True or not out_of_the_economy(p.s, changed.power):
        return
    for country, standing in tuple(p.s.countries.items()):
        if standing.by == changed.power and standing.status in ("penetrated", "controlled"):
            _take_back(p, country, f"{called(changed.power)} surrendered")
            p.do(ResultInForce(country, ""))


@effect("82.22", "No result is in force any more for a country that is conquered", on=StatusChanged)
def result_ends_with_conquest(p: Proceedings, changed: StatusChanged) -> None:
    if changed.status in TAKEN and p.s.results.get(changed.country):
        p.do(ResultInForce(changed.country, ""))


@definition("85.211", "Results for the Ukraine come while the Axis hold it (R-0467)")
def ukraine_open(s: State) -> bool:
    standing = s.countries["ukraine"]
    return standing.status == "conquered" and faction(s, standing.by) == "axis"


# -- conquests ----------------------------------------------------------------------------------------------------


@order("35.73A", "A major power is conquered, or an area by a rule outside the documents", on=ReportConquest)
def report_conquest(p: Proceedings, cmd: ReportConquest) -> None:
    p.do(Reported("conquest", f"{areas()[cmd.area].name} conquered by {called(cmd.by)}"))
    keep_excuse(p, cmd)
    if deciding_places(cmd.area):
        p.run(conquered_by_rule, cmd.area, cmd.by, cmd.brp)
        return
    p.do(befell(p.s, TakenBy(cmd.by, cmd.area)))
    by = conqueror(p.s, cmd.area, cmd.by)
    promise(p, receive_conquest, conquest_moment(p.s, by, cmd.area), by, cmd.area, cmd.brp)
    take_places(p, {}, shared=(cmd.area,))


@effect("83.11", "A conquest by a rule outside the documents: the capital passes, the country falls, BRPs come in time")
def conquered_by_rule(p: Proceedings, area: str, by: str, brp: int) -> None:
    take_places(p, dict.fromkeys(conquest_places(area), by))
    by = has_conquest(p.s, area) or by
    if area in countries() and not (p.s.countries[area].status in TAKEN and p.s.countries[area].by == by):
        p.run(conquer, area, by, entered=False)
    more = brp - on_books(p.s, by, area)
    for it in promised(p.s, receive_conquest, about=area, power=by):
        if it.brp != more:
            p.do(Closed(it.id, "passed on", f"reported as {brp} BRPs a year"))
    if more > 0:
        promise(p, receive_conquest, conquest_moment(p.s, by, area), by, area, more)


def _by_its_places(area: str) -> str:
    """How an area that is on a board is conquered, and what to report."""
    name, several = areas()[area].name, len(deciding_places(area)) > 1
    what = "the places that decide it are" if several else f"{areas()[area].places[0]} is"
    told = f"{name} is conquered when {what} taken: report_control"
    return f"{told}; or say which rule outside these documents makes it a conquest (by_rule)"


@limit("83.11", "A country falls with its capital as combat ends, not by a report", on=(ReportConquest, ReportStatus))
def fallen_by_capital(s: State, cmd: ReportConquest | ReportStatus) -> str | None:
    if isinstance(cmd, ReportStatus):
        return _by_its_places(cmd.country) if _conquest(s, cmd) and not excused(cmd) else None
    falls = cmd.area in countries() and bool(deciding_places(cmd.area))
    return _by_its_places(cmd.area) if falls and not excused(cmd) else None


def _brings(s: State, area: str) -> int:
    """What a conquest brings a year; Bessarabia and the border hexes by themselves, once they are cut off."""
    return areas()[area].brp if area in PARTS else worth(s, area)


@limit("35.73A", on=ReportConquest, covers=("38.231",))
def conquest_is_an_enemys(s: State, cmd: ReportConquest) -> Iterator[Refusal | Bound | str]:
    """Nobody conquers itself, nor its partner, nor what he has conquered; areas with a place are taken with it.

    A conquest brings its printed value, whatever rule made it one. Commonwealth countries surrender instead.
    """
    area, standing, most = areas()[cmd.area], s.countries.get(cmd.area), _brings(s, cmd.area)
    owner = standing.by if standing and standing.by else area.owner if area.owner in powers() else ""
    if owner == cmd.by:
        yield f"{area.name} is {called(cmd.by)}'s own; say which other power conquered it"
    elif area.kind == "major" and faction(s, owner) == faction(s, cmd.by):
        yield f"{area.name} and {called(cmd.by)} are of the same alliance faction"
    if area.kind in ("key area", "ic") and not excused(cmd):
        yield Refusal("35.73D", _by_its_places(cmd.area))
    if cmd.area in COMMONWEALTH:
        told = "Australia and India surrender as an Allied player turn ends (71.43, 72.43), or by surrender_voluntarily"
        yield Refusal("83.14", f"{area.name} is never conquered; {told}")
    elif area.kind != "major":
        yield Bound("brp", most=most, text=f"{area.name} brings its conqueror {most} BRPs a year", clause="83.31A")
    stands = [standing.by] if standing and standing.status in TAKEN else []
    coming = (it.power for it in promised(s, receive_conquest, about=cmd.area))
    holders = (*(it for it in powers() if on_books(s, it, cmd.area) > 0), *coming, *stands)
    partner = next((it for it in holders if it != cmd.by and partners(s, it, cmd.by)), "")
    if partner and not excused(cmd):
        yield Refusal("83.61", f"{area.name} is {called(partner)}'s; an ally gains it only by a reconquest")


# -- status -------------------------------------------------------------------------------------------------------


#: The result that would leave Luxembourg as Belgium is reported to stand: with a power, under its control, or free.
_AS_BY = {"associated": (9, -2), "allied": (9, -2), "controlled": (8, -1)}


@order("35.73B", "A minor country's status changes; its BRPs follow as the diplomatic phase ends", on=ReportStatus)
def report_status(p: Proceedings, cmd: ReportStatus) -> None:
    country, power = cmd.country, cmd.power
    keep_excuse(p, cmd)
    if _conquest(p.s, cmd):
        p.run(conquered_by_rule, country, power, worth(p.s, country) if cmd.brp is None else cmd.brp)
        return
    earlier, told = p.s.results.get(country, ""), f"reported: {cmd.status} {called(power)}".strip()
    stood = (p.s.countries[country].status, p.s.countries[country].by) == (cmd.status, power)
    if earlier and cmd.status != "independent" and not stood:
        # Of which result the table tells here is not known; the last one that was reported is not it.
        p.do(ResultInForce(country, ""), "82.21")
    if stood:
        p.do(StatusChanged(country, cmd.status, power, "35.73B", told))
    else:
        _stand(p, cmd, earlier, told)
    if cmd.status not in BOUND or (stood and cmd.brp is not None):
        # What a conquest is about to bring comes by itself (83.31A).
        coming = sum(it.brp for it in promised(p.s, receive_conquest, about=country, power=power))
        settle_diplomatically(p, country, {power: minor_value(cmd) - coming} if power else {})
    elif stood:
        pay_whole_value(p, country, power, as_it_was(p.s, country, power))
    partner = follower_of(country)
    if partner and _free(p.s, partner):
        by_axis, by_allies = _AS_BY.get(cmd.status, (4, 3))
        result = by_axis if faction(p.s, power) == "axis" else by_allies
        p.run(luxembourg_follows, partner, country, result, power)


def _stand(p: Proceedings, cmd: ReportStatus, earlier: str, told: str) -> None:
    """A country that is reported to join or leave a power, or to open its hexes to it, does so with its hexes."""
    country, power, was = cmd.country, cmd.power, p.s.countries[cmd.country]
    guests, outbid = bool(sides_leaving(p.s, country, apart_from=power)), _outbid(p.s, country, power)
    if outbid or (was.status == "controlled" and cmd.status not in ("controlled", *BOUND)):
        _take_back(p, country, told)
        take_off_books(p, country, was.by, power)
    if cmd.status in BOUND:
        if guests or outbid:
            p.do(Happened(Happening(p.s.moment, "turned", country)))
        turn_on_guests(p, country, power)
    if cmd.status == "allied":
        # What another side had by a result does not come back with a negation (82.33).
        p.run(activate, country, power, earlier if p.s.countries[country] == was else "", cmd.brp)
    elif cmd.status == "associated":
        associate(p, country, power, "35.73B", told, "diplomacy", cmd.brp)
    elif cmd.status == "controlled":
        p.run(control_hexes, country, power, told)
    else:
        if was.status in BOUND:
            release_hexes(p, country, was.by)
        change_status(p, country, cmd.status, power, "35.73B", told)
    if cmd.status in BOUND and not awaits_declaration(p.s, country):
        may_stay(p, country, "it has joined a power")


@value("82.21", "The most BRPs a year that a country brings its power by its status")
def most_by_status(s: State, country: str, status: StatusName) -> int:
    if status in ("penetrated", "controlled"):
        return diplomatic_share(s, country, 7 if status == "penetrated" else 8)
    # Rumania, Finland and Vichy France bring less once they have lost a part (85.491 - 85.493).
    return _brings(s, country) if status in (*BOUND, "conquered") else areas()[country].brp


@limit("82.21", on=ReportStatus, excusable=True)
def brings_by_status(s: State, cmd: ReportStatus) -> Iterator[Refusal | str]:
    """A status brings no more than its result or the country's value; no conquest passes to an ally by a report."""
    country, name, owner = cmd.country, called(cmd.country), s.countries[cmd.country].by
    # Of Luxembourg under a result 87.13B speaks.
    apart = country in COMMONWEALTH or (country in FOLLOWS and cmd.status in ("penetrated", "controlled"))
    if cmd.brp and not apart and cmd.brp > (most := most_by_status(s, country, cmd.status)):
        yield f"{name}, {cmd.status}, brings at most {most} BRPs a year"
    taken = s.countries[country].status in TAKEN and cmd.power != owner and not _rises(s, cmd)
    if taken and partners(s, cmd.power, owner):
        yield Refusal("83.61", f"{name} is {called(owner)}'s; an ally gains it only by a reconquest")


def _conquest(s: State, cmd: ReportStatus) -> bool:
    """Whether a report says that a country fell to a power; of one that it holds, it may still say what it brings."""
    if cmd.status != "conquered" or cmd.country in COMMONWEALTH:
        return False
    standing = s.countries[cmd.country]
    held = not deciding_places(cmd.country) or joint_holder(s, cmd.country) == cmd.power
    return (standing.status, standing.by) != ("conquered", cmd.power) or not held


def _rises(s: State, cmd: ReportStatus) -> bool:
    """Whether the Ukraine is reported to join the Axis, when it may (R-0467): a Russian colony does not (82.63)."""
    return cmd.country == "ukraine" and cmd.status in BOUND and faction(s, cmd.power) == "axis" and ukraine_open(s)


@limit("82.11", on=ReportStatus, when=lambda s, cmd: s.countries[cmd.country].status in TAKEN and not _rises(s, cmd))
def conquest_stays(s: State, cmd: ReportStatus) -> str | None:
    """A conquered country or colony changes by its capital alone; only the Ukraine can rise."""
    standing, area = s.countries[cmd.country], countries()[cmd.country]
    retaken = cmd.status == "colony" and (standing.status == "colony" or joint_holder(s, cmd.country) == area.owner)
    if retaken or cmd.status == "conquered" or excused(cmd):
        return None
    kept = f"{area.name} is {standing.words} ({called(standing.by)})" if standing.by else f"{area.name} fell"
    return f"{kept} and stays so until its capital is retaken; or say which rule outside these documents (by_rule)"
