"""Building Australian and Indian units: where, how much in a turn, and who pays (71.15, 72.16)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import Rebuild, ReportIncrease
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import kind_name, unit_cost, unit_factors
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.waiting import Duty, duty
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.commonwealth.boxed import BOXED, box_of, clause, has_surrendered
from warcabinet.rules.commonwealth.deployment import (
    missing_at_home,
)
from warcabinet.rules.commonwealth.europe import limit_reduction
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.building import branch_of, rebuilt, rebuilt_at_home
from warcabinet.rules.minors.yards import POINT

#: BRPs of construction in a turn (71.152, 72.162), infantry factors and air factors (71.152A, 71.152B).
BRPS_A_TURN = {"australia": ("152", 9), "india": ("162", 3)}
INFANTRY_A_TURN, AIR_A_TURN = 3, 1
AIR_FACTOR = unit_cost("army air")


# -- how much -----------------------------------------------------------------------------------------------------


@value("71.152", "BRPs of its own units that Australia may build this turn: nine, less what bombs and enemies took off")
def own_construction_limit(s: State, country: str) -> int:
    return BRPS_A_TURN[country][1] - limit_reduction(s, country)


@value("72.162", displaces=own_construction_limit, when=lambda s, country: country == "india")
def indian_construction_limit(s: State, country: str) -> int:
    """India builds three BRPs of infantry a turn, less what bombs and enemies took off."""
    return BRPS_A_TURN[country][1] - limit_reduction(s, country)


@value(
    "71.51D",
    displaces=(own_construction_limit, indian_construction_limit),
    when=lambda s, country: has_surrendered(s, country) and reading_in_force(s, "R-0070") == "a",
    also=("72.51D",),
)
def nothing_after_surrender(s: State, country: str) -> int:
    """A country that surrendered builds nothing in its box."""
    return 0


@value("71.152", "BRPs that a country's construction has used this turn, whoever paid", also=("72.162",))
def own_construction_used(s: State, country: str) -> int:
    ships = total(s, "shipbuilding used", country, "player turn")
    return rebuilt(s, country, "infantry") + AIR_FACTOR * rebuilt(s, country, "air") + POINT * ships


@value("71.152", "BRPs that are left of a country's own construction limit this turn", also=("72.162",))
def own_construction_left(s: State, country: str) -> int:
    return max(0, own_construction_limit(s, country) - own_construction_used(s, country))


@value("71.152", "What a country's unbuilt units could cost this turn, within all its limits", also=("72.162",))
def own_construction_possible(s: State, country: str) -> int:
    pool = {"infantry": 0, "air": 0}
    for unit, count in unbuilt(s, country):
        what = branch_of(unit)
        if what in pool:
            pool[what] += unit_cost(unit) * count
    infantry = min(pool["infantry"], INFANTRY_A_TURN - rebuilt(s, country, "infantry"))
    air = min(pool["air"], AIR_FACTOR * (AIR_A_TURN - rebuilt(s, country, "air")))
    return max(0, min(infantry + air, own_construction_left(s, country)))


@limit(
    "71.152",
    on=Rebuild,
    also=("71.152A", "71.152B", "72.162"),
    when=lambda s, cmd: cmd.country in BOXED and branch_of(cmd.unit) != "naval",
)
def within_own_limit(s: State, cmd: Rebuild) -> Refusal | None:
    """A Commonwealth country's construction stays within its limits, of BRPs and of factors a turn."""
    what, country = branch_of(cmd.unit), cmd.country
    if country == "australia" and what == "infantry":
        built = rebuilt(s, country, what)
        if built + unit_factors(cmd.unit) > INFANTRY_A_TURN:
            told = f"{built} infantry factors have been built this turn, at most {INFANTRY_A_TURN} are"
            return Refusal("71.152A", told)
    if country == "australia" and what == "air" and rebuilt(s, country, what) >= AIR_A_TURN:
        return Refusal("71.152B", "one army air factor is built in a turn")
    left, cost = own_construction_left(s, country), unit_cost(cmd.unit)
    if cost <= left:
        return None
    number, most = BRPS_A_TURN[country]
    less = limit_reduction(s, country)
    told = f"{most} BRPs a turn" + (f", less {less}" if less else "")
    return Refusal(clause(country, number), f"{cost} BRPs, and {left} are left of {called(country)}'s {told}")


# -- where --------------------------------------------------------------------------------------------------------


@limit("71.151", on=Rebuild, displaces=rebuilt_at_home, also=("72.161",), when=lambda s, cmd: cmd.country in BOXED)
def built_in_its_country(s: State, cmd: Rebuild) -> Refusal | None:
    """Units are built in a hex of their country or in its box."""
    fault = rebuilt_at_home(s, cmd)
    number = "151" if cmd.country == "australia" else "161"
    return Refusal(clause(cmd.country, number), fault.text) if isinstance(fault, Refusal) else None


@limit(
    "71.51D", on=Rebuild, also=("72.51D",), when=lambda s, cmd: cmd.country in BOXED and has_surrendered(s, cmd.country)
)
def not_built_after_surrender(s: State, cmd: Rebuild) -> Refusal | None:
    """After a country has surrendered nothing is built in its box."""
    name = called(cmd.country)
    if place_key(cmd.at) == box_of(cmd.country):
        return Refusal(clause(cmd.country, "51D"), f"{name} has surrendered: nothing is built in its box")
    if reading_in_force(s, "R-0070") == "a":
        return Refusal(clause(cmd.country, "51A"), f"{name} has surrendered: its units are out of play for good")
    return None


@limit(
    "71.51A",
    on=ReportIncrease,
    also=("72.51A", "71.51D"),
    when=lambda s, cmd: cmd.country in BOXED and has_surrendered(s, cmd.country),
)
def no_increase_after_surrender(s: State, cmd: ReportIncrease) -> Refusal | None:
    """Production adds nothing to the force pool or shipyard of a country that has surrendered."""
    name = called(cmd.country)
    if cmd.units and reading_in_force(s, "R-0070") == "a":
        return Refusal(clause(cmd.country, "51A"), f"{name} has surrendered: its units are out of play for good")
    if cmd.shipbuilding:
        return Refusal(clause(cmd.country, "51D"), f"{name} has surrendered: no ships are built there")
    return None


# -- who pays -----------------------------------------------------------------------------------------------------


@definition("71.153B", also=("72.163B",))
def americans_may_pay(s: State, country: str) -> bool:
    """The U.S. may pay for a country's units: it went to war with Japan, or Britain surrendered."""
    return (went_to_war(s, "usa", "japan") or s.powers["britain"].surrendered) and not has_surrendered(s, country)


# -- the garrison at home, built again ------------------------------------------------------------------------------


def _buildable(s: State, country: str) -> str:
    """An infantry unit with which Britain could restore a country's garrison now, if there is one."""
    means = min(construction_left(s, "britain"), spendable(s, "britain"), own_construction_left(s, country))
    found = (unit for unit, _ in unbuilt(s, country) if kind_name(unit) == "infantry" and unit_cost(unit) <= means)
    return next(found, "")


def to_be_restored(s: State) -> dict[str, str]:
    """The countries whose broken garrison can be built up now, with a unit that would do."""
    if s.place.step.name != "unit construction" or s.player != "allied":
        return {}
    return {it: unit for it in BOXED if missing_at_home(s, it) and (unit := _buildable(s, it))}


@limit("71.13", on=Advance, also=("72.13",), when=lambda s, cmd: bool(to_be_restored(s)))
def garrison_built_up(s: State, cmd: Advance) -> Refusal | None:
    """A minimum garrison that losses broke is built up again as far as limits and BRPs allow."""
    country, unit = next(iter(to_be_restored(s).items()))
    told = f"{missing_at_home(s, country)} infantry factors are missing in {called(country)}"
    return Refusal(clause(country, "13"), f"{told}: rebuild {unit} there")


@duty
def garrisons_to_build(s: State) -> Iterator[Duty]:
    for country, unit in to_be_restored(s).items():
        text = f"restore the garrison of {called(country)}"
        known = {"country": country, "unit": unit}
        yield Duty(clause(country, "13"), text, ("britain",), "rebuild", known, actor="power")
