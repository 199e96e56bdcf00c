"""Where Australian and Indian infantry may be until war with Japan, and the garrison at home (71.13, 72.13)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import Deploy, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import NOWHERE, Place, default_holders
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import Unit, kind_name, unit_cost, unit_factors
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of
from warcabinet.rules.common.pieces import units_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import Duty, duty
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.common.ways import linked
from warcabinet.rules.commonwealth.boxed import BOXED, box_of, clause, country_in, has_surrendered
from warcabinet.rules.commonwealth.construction import infantry_left, own_construction_left
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.forces_of_minors import full_strength, named
from warcabinet.rules.minors.geography import fronts, land
from warcabinet.rules.minors.set_up import not_set_up_at, set_up_at_home

HOME, EUROPE, BURMA, PACIFIC, ELSEWHERE = "home", "europe", "burma", "pacific", ""


class Column(msgspec.Struct, frozen=True):
    """A column of a table of deployment limits: areas, and the least and most infantry factors there."""

    areas: tuple[str, ...]
    called: str
    least: int
    most: int


DEPLOYMENT = {
    "australia": (
        Column((HOME,), "Australia", 4, 10),
        Column((PACIFIC,), "British possessions on the Pacific front", 0, 6),
        Column((EUROPE, BURMA), "Europe, Burma, Malaya and Singapore", 0, 3),
    ),
    "india": (
        Column((HOME,), "India", 4, 12),
        Column((BURMA,), "Burma, Malaya and Singapore", 0, 5),
        Column((EUROPE,), "Europe", 0, 3),
    ),
}


@cache
def region_of(country: str, place: Place) -> str:
    """Where a place lies, as the tables of deployment limits divide the world."""
    if place == box_of(country) or place in home_hexes(country):
        return HOME
    if place.startswith("europe/") or (place.startswith("box/") and boxes()[place[4:]].board == "europe"):
        return EUROPE
    if land(place)[0] in ("burma", "malaya", "singapore"):
        return BURMA
    british = default_holders().get(place) == "britain"
    return PACIFIC if british and "pacific" in fronts(place) else ELSEWHERE


def in_europe(place: Place) -> bool:
    return region_of("india", place) == EUROPE


def column_of(country: str, place: Place) -> Column | None:
    region = region_of(country, place)
    return next((it for it in DEPLOYMENT[country] if region in it.areas), None)


@definition("71.13", "Deployment limits hold until Britain and Japan go to war")
def deployment_limited(s: State, country: str) -> bool:
    return not went_to_war(s, "britain", "japan") and not has_surrendered(s, country)


@value("71.13", "A country's infantry factors where a place lies, as its table of limits counts them")
def infantry_deployed(s: State, country: str, place: Place) -> int:
    column = column_of(country, place)
    infantry = (it for it in units_of(s, country) if kind_name(it.unit) == "infantry")
    return sum(it.factors for it in infantry if column and region_of(country, it.place) in column.areas)


@value("71.13", "The most infantry factors of a country where a place lies, before war with Japan")
def infantry_admitted(s: State, country: str, place: Place) -> int:
    column = column_of(country, place)
    return column.most if column else 0


def home_of(country: str) -> Column:
    return DEPLOYMENT[country][0]


@value("71.13", "Infantry factors that a country lacks at home for its minimum garrison")
def missing_at_home(s: State, country: str) -> int:
    if not deployment_limited(s, country) or not any(units_of(s, country)):
        return 0
    return max(0, home_of(country).least - infantry_deployed(s, country, box_of(country)))


def _fault(s: State, country: str, unit: Unit, count: int, origin: Place, to: Place) -> str:
    """Why units of a country do not go from one place to another before war with Japan."""
    before, after, home = column_of(country, origin) if origin else None, column_of(country, to), home_of(country)
    if after is not None and before == after:
        return ""
    name, until = called(country), "until war breaks out between Britain and Japan"
    if kind_name(unit) != "infantry":
        return "" if after == home else f"its air and naval units stay in {name} {until}"
    if after is None:
        return f"{name}'s infantry stays in {'; '.join(it.called for it in DEPLOYMENT[country])} {until}"
    factors = unit_factors(unit) * count
    if infantry_deployed(s, country, to) + factors > infantry_admitted(s, country, to):
        return f"at most {after.most} of {name}'s infantry factors are in {after.called} {until}"
    left = infantry_deployed(s, country, box_of(country)) - factors
    if before == home and left < home.least:
        return f"{left} infantry factors would be left in {name}, where {home.least} must remain {until}"
    return ""


@barred(
    "71.13",
    acts=("enter", "build"),
    when=lambda s, it: (
        it.nation in BOXED
        and deployment_limited(s, it.nation)
        and (it.act == "enter" or column_of(it.nation, it.at) == home_of(it.nation))
    ),
    by=lambda s, it: clause(it.nation, "13"),
)
def within_deployment_limits(s: State, it: Presence) -> str | None:
    """Until war with Japan a country's units keep within its deployment limits."""
    return _fault(s, it.nation, it.units[0], it.count, it.origin, it.at) or None


@limit(
    "71.13",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation in BOXED and cmd.count < 0 and not cmd.lost and deployment_limited(s, cmd.nation),
    by=lambda s, cmd: clause(cmd.nation, "13"),
    excusable=True,
)
def minimum_stays_at_home(s: State, cmd: ReportUnits) -> str | None:
    """Until war with Japan infantry is reported gone from home, unless it was lost, only beyond the minimum."""
    at, home = cmd.at, home_of(cmd.nation)
    if column_of(cmd.nation, at) != home or kind_name(cmd.unit) != "infantry":
        return None
    left = infantry_deployed(s, cmd.nation, at) + unit_factors(cmd.unit) * cmd.count
    return f"{left} infantry factors would be left, {home.least} must remain" if left < home.least else None


@barred(
    "72.13",
    acts=("enter", "attack", "join", "operate"),
    when=lambda s, it: it.nation == "india" and it.exact and went_to_war(s, "britain", "japan"),
)
def indians_on_their_front(s: State, it: Presence) -> str | None:
    # The Australia box is on that front for offensive operations only (71.32, R-0830).
    """After war with Japan Indian units are on the Southeast Asian front, or in Europe as 72.14 allows."""
    on_front = country_in(it.at) == "india" if it.at.startswith("box/") else "southeast_asian" in fronts(it.at)
    return None if on_front or in_europe(it.at) else "Indian units are restricted to the Southeast Asian front"


# -- set-up -------------------------------------------------------------------------------------------------------


@barred("71.13", acts=("set up",), displaces=set_up_at_home, by=lambda s, it: clause(it.nation, "13"))
def set_up_within_limits(s: State, it: Presence) -> str | None:
    """At the start units are placed on the map within the deployment limits."""
    if column_of(it.nation, it.at) == home_of(it.nation):
        fault = not_set_up_at(s, it)
    elif in_europe(it.at):
        fault = f"no units of {called(it.nation)} are in Europe at the start"
    else:
        fault = _fault(s, it.nation, it.units[0], 0, NOWHERE, it.at)
    return fault or _too_many(s, it.cmd) or None


def _too_many(s: State, cmd: Deploy) -> str:
    """Why so many are not set up abroad: beyond a column's most, or below the least at home."""
    placed = [it for it in named(cmd) if kind_name(it.unit) == "infantry"]
    strength = full_strength(s, cmd.country).items()
    left = sum(unit_factors(unit) * count for unit, count in strength if kind_name(unit) == "infantry")
    for column in DEPLOYMENT[cmd.country][1:]:
        there = [it for it in placed if column_of(cmd.country, it.place) == column]
        factors = sum(unit_factors(it.unit) * it.count for it in there)
        if factors > column.most:
            return f"at most {column.most} infantry factors in {column.called}"
        left -= factors
    least = home_of(cmd.country).least
    return "" if left >= least else f"{left} infantry factors would be left at home, {least} must be there"


# -- the garrison at home -----------------------------------------------------------------------------------------

BY_SEA = "naval_redeployment"


def abroad(s: State, country: str) -> Iterator[Stack]:
    """The country's infantry that is not at home, where a redeployment of one turn leads home."""
    home, infantry = home_of(country).areas, (it for it in units_of(s, country) if kind_name(it.unit) == "infantry")
    far = (it for it in infantry if region_of(country, it.place) not in home)
    return (it for it in far if it.place.startswith("pacific/") or linked(BOXED[country].box, it.place, BY_SEA))


def _buildable(s: State, country: str) -> str:
    """An infantry unit with which Britain could restore a country's garrison now, if there is one."""
    means = min(construction_left(s, "britain"), spendable(s, "britain"), own_construction_left(s, country))
    room = infantry_left(s, country)
    found = (unit for unit, _ in unbuilt(s, country) if kind_name(unit) == "infantry" and unit_factors(unit) <= room)
    return next((unit for unit in found if unit_cost(unit) <= means), "")


def to_be_restored(s: State) -> dict[str, str]:
    """The countries whose broken garrison can be restored in this phase, with a unit that would do."""
    if s.player != "allied" or s.place.step.name not in ("unit construction", "redeployment"):
        return {}
    built = s.place.step.name == "unit construction"
    short = (it for it in BOXED if missing_at_home(s, it))
    found = {it: _buildable(s, it) if built else next((far.unit for far in abroad(s, it)), "") for it in short}
    return {country: unit for country, unit in found.items() if unit}


@limit("71.13", on=Advance, when=lambda s, cmd: bool(to_be_restored(s)))
def garrison_restored(s: State, cmd: Advance) -> Refusal | None:
    """A minimum garrison that losses broke is built up again as far as limits and BRPs allow, or brought home."""
    country, unit = next(iter(to_be_restored(s).items()))
    told = f"rebuild {unit} there" if s.place.step.name == "unit construction" else f"bring some home, such as {unit}"
    missing = f"{missing_at_home(s, country)} infantry factors are missing in {called(country)}"
    return Refusal(clause(country, "13"), f"{missing}: {told}")


@duty
def garrisons_to_build(s: State) -> Iterator[Duty]:
    for country, unit in to_be_restored(s).items() if s.place.step.name == "unit construction" else ():
        text, known = f"restore the garrison of {called(country)}", {"country": country, "unit": unit}
        yield Duty(clause(country, "13"), text, ("britain",), "rebuild", known, actor="power")


@foresees
def garrison_is_wanted(s: State) -> Iterator[Foreseen]:
    when = next_step_of(s, "britain", "redeployment")
    for country in BOXED:
        if missing := missing_at_home(s, country):
            told = f"{missing} infantry factors are missing in {called(country)}: bring them home or build them"
            averted = "war between Britain and Japan, or the garrison restored"
            yield Foreseen(when, clause(country, "13"), told, "britain", country, averted)
