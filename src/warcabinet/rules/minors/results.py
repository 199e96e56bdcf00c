"""Diplomatic results from -3 to 10 and all that follows from them (82.2, 82.3, 84.11C, 85.11A, 85.51)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportResult
from warcabinet.model.events import Happened, PowerChanged, Reported, ResultInForce, StatusChanged
from warcabinet.model.names import called, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import follower_of
from warcabinet.rules.common.books import diplomatic_share, on_books, out_of_the_economy, retained
from warcabinet.rules.common.diplomacy import LEVELS, band, beneficiary, favors, taken
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.common.war_and_peace import attackers_of
from warcabinet.rules.kinds import definition, effect, order, value
from warcabinet.rules.minors.alliance import (
    activate,
    awaits_declaration,
    may_be_allied,
    may_be_negated,
    negate_following,
    partners_share,
)
from warcabinet.rules.minors.association import associate
from warcabinet.rules.minors.attack import invader_of
from warcabinet.rules.minors.leaving import leave_after_reversal, may_stay, turn_on_guests
from warcabinet.rules.minors.status import (
    bound,
    change_status,
    hand_over_hexes,
    leave_partner,
    left_on_books,
    release_hexes,
    settle_diplomatically,
)
from warcabinet.rules.minors.surrender import follow_out, surrender_country, switch_country


@value("82.21", "What a diplomatic result amounts to", covers=("84.11C", "85.11A"))
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
    together = bool(partner) and p.s.countries[partner].by == standing.by and bound(p.s, partner)
    if negates(p.s, cmd.country, result):
        if result in (9, 10, -2, -3):
            p.run(switch_country, cmd, result, power)
        elif result not in (3, 4):
            p.run(surrender_country, cmd.country, result, power)
        if together:
            follow_out(p, partner, cmd.country, result, power)
    elif result_level(p.s, result) == "allied" and may_activate(p.s, cmd.country):
        activate(p, cmd.country, activator(p.s, cmd.country, power), earlier)
        now = p.s.countries[cmd.country].by
        if together and p.s.countries[partner].by != now:
            # Luxembourg goes along where Belgium becomes the minor ally of a partner of the power that led both.
            leave_partner(p, partner, now)
            p.run(luxembourg_follows, partner, cmd.country, result, now)
    if partner and not together and _free(p.s, partner):
        whose = p.s.countries[cmd.country].by if bound(p.s, cmd.country) else power
        p.run(luxembourg_follows, partner, cmd.country, result, whose)


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


def _free(s: State, country: str) -> bool:
    return not bound(s, country) and s.countries[country].status != "conquered"


@definition("85.51A", "A result on the other side negates association or alliance", covers=("85.51B", "85.215"))
def negates(s: State, country: str, result: int) -> bool:
    with_axis = faction(s, s.countries[country].by) == "axis"
    against = favors(result) == ("allied" if with_axis else "axis")
    if against:
        note("result", "85.51B" if result in (9, 10, -2, -3) else "85.51A", band(result), country)
        note("turned", "85.215", True, country)
    return against


def _come_closer(p: Proceedings, country: str, result: int, power: str, earlier: str) -> None:
    level = result_level(p.s, result)
    if p.s.countries[country].status in ("conquered", "colony") and (level not in BOUND or favors(result) != "axis"):
        return  # the Ukraine: only a rising changes anything
    before = p.s.countries[country]
    reverse(p, country, result, power)
    if level in BOUND:
        turn_on_guests(p, country, power)
    if level == "allied":
        # An earlier result that this one reversed does not come back, if the activation is negated (85.341).
        activate(p, country, power, earlier if p.s.countries[country] == before else "")
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
    before, had = p.s.countries[partner], on_books(p.s, power, partner)
    if level in ("associated", "allied"):
        partners = partners_share(p.s, before, partner, power)
        associate(p, partner, power, "84.11C", f"follows {called(country)}", "diplomacy")
        if awaits_declaration(p.s, country):
            may_be_negated(p, negate_following, partner, power, before, had, partners)
    elif level == "controlled" and not invader_of(p.s, partner, power):
        change_status(p, partner, "controlled", power, "82.31", f"follows {called(country)}")
        hand_over_hexes(p, partner, power, everything=True)
        may_stay(p, partner, "its hexes are open to them again")


@definition("82.33", "An earlier result falls when a later one lies beyond the middle, on the way to the other side")
def falls(s: State, country: str, result: int) -> bool:
    standing = s.countries[country]
    if standing.status not in ("penetrated", "controlled"):
        return False
    return result <= 4 if faction(s, standing.by) == "axis" else result >= 3


def reverse(p: Proceedings, country: str, result: int, power: str) -> None:
    """Undo what an earlier result had given a power, if this one reverses it or gives it to another faction."""
    standing = p.s.countries[country]
    by_result = standing.status in ("penetrated", "controlled")
    # Another power takes over what one had: two Allied factions can follow each other.
    outbid = by_result and result in LEVELS and faction(p.s, standing.by) != faction(p.s, power)
    if not outbid and not falls(p.s, country, result):
        return
    if standing.status == "controlled":
        release_hexes(p, country, standing.by)
        leave_after_reversal(p, country, standing.by)
    _alone_again(p, country, f"result {band(result)} reverses the earlier one")
    note("taken_back", "82.22", on_books(p.s, standing.by, country), country)
    settle_diplomatically(p, country, _kept_by_force(p.s, country, standing.by))


def _alone_again(p: Proceedings, country: str, reason: str) -> None:
    """A country that was attacked while a power had a result fights on, and may still be taken in (82.82)."""
    change_status(p, country, "independent" if attackers_of(p.s, country) else "neutral", "", "82.33", reason)


def _kept_by_force(s: State, country: str, power: str) -> dict[str, int]:
    """What enemies of the power that had a result count, having its capital by force: no result is theirs (83.31A)."""
    others = (it for it in powers() if faction(s, it) != faction(s, power) and retained(s, it, country))
    return {it: left_on_books(s, country, it) for it in others if left_on_books(s, country, it) > 0}


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


@effect(
    "82.33",
    on=PowerChanged,
    when=lambda s, changed: changed.surrendered is True and out_of_the_economy(s, changed.power),
)
def results_end_with_power(p: Proceedings, changed: PowerChanged) -> None:
    """What diplomatic results gave a power ends when it surrenders, as if they were reversed (R-0490)."""
    for country, standing in tuple(p.s.countries.items()):
        if standing.by == changed.power and standing.status in ("penetrated", "controlled"):
            release_hexes(p, country, changed.power)
            leave_after_reversal(p, country, changed.power)
            _alone_again(p, country, f"{called(changed.power)} surrendered")
            p.do(ResultInForce(country, ""))


@effect(
    "82.22",
    on=StatusChanged,
    when=lambda s, changed: changed.status in ("conquered", "colony") and bool(s.results.get(changed.country)),
)
def result_ends_with_conquest(p: Proceedings, changed: StatusChanged) -> None:
    """A conquest ends what diplomacy gave: no result is in force for the country any more."""
    p.do(ResultInForce(changed.country, ""))


@definition("85.211", "Results for the Ukraine come while the Axis hold it (R-0467)")
def ukraine_open(s: State) -> bool:
    standing = s.countries["ukraine"]
    return standing.status == "conquered" and faction(s, standing.by) == "axis"
