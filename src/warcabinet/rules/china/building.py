"""Building Communist Chinese units: how many, where, and who pays (79.4, 79.5, 84.47A, 85.481B)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Rebuild, ReportOperation, ReportUnits
from warcabinet.model.places import default_holders, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, total
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import parse_unit, unit_cost, unit_factors
from warcabinet.rules.china.territory import (
    COMMUNISTS,
    NATIONALISTS,
    YENAN,
    communist_sources,
    construction_rate,
    holds,
    in_china,
    region_kept,
    regions,
)
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import effect, limit, remembered, value
from warcabinet.rules.minors.building import (
    branch_of,
    cost_to_power,
    free_infantry_factors,
    in_enemy_zone,
    rebuild_payer,
    rebuilt,
    rebuilt_at_home,
    rebuilt_by_its_kind,
    status_of,
    supplied_hex,
    unit_was_lost,
)
from warcabinet.rules.minors.force_pools import most_partisans
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.operations import operation_is_free

PARTISAN, INFANTRY = "partisan", "infantry"


# -- how many -----------------------------------------------------------------------------------------------------


@value(
    "84.47A(1)",
    displaces=free_infantry_factors,
    when=lambda s, nation: nation == COMMUNISTS,
    covers=("85.481B",),
    also=("79.41",),
)
def communist_infantry_factors(s: State, nation: str) -> int:
    """Communist China rebuilds two infantry factors a turn; after the prequel one a region it started with."""
    rate = construction_rate(s)
    if status_of(s, nation) == "allied":
        note("russian_minor_ally", "85.481B", rate, nation)
    return rate


@limit(
    "84.47A(1)",
    on=Rebuild,
    when=lambda s, cmd: cmd.country == COMMUNISTS and branch_of(cmd.unit) == INFANTRY,
    displaces=rebuilt_by_its_kind,
    also=("79.41", "79.41A", "79.41B", "85.481B"),
)
def communist_factors_left(s: State, cmd: Rebuild) -> Refusal | None:
    """Communist China rebuilds two infantry factors a turn; after the prequel one for each region it started with."""
    left, wanted = free_infantry_factors(s, COMMUNISTS) - rebuilt(s, COMMUNISTS, INFANTRY), unit_factors(cmd.unit)
    if wanted <= left:
        return None
    clause = "85.481B" if status_of(s, COMMUNISTS) == "allied" else "84.47A(1)"
    if s.options.edition == "prequel":
        clause = "79.41A"
        if wanted == 2 and left == 1 and building_deferred(s) and construction_rate(s) == 1:
            return None
    return Refusal(clause, f"{max(0, left)} infantry factors are left this turn")


@remembered("79.41B", "Communist China deferred building for a turn, so as to rebuild a 2-2 infantry unit")
def building_deferred(s: State) -> bool:
    return False


@effect("79.41B", when=lambda s: s.player == "allied" and s.options.edition == "prequel" and construction_rate(s) == 1)
def defer_building(p: Proceedings) -> None:
    """At a rate of one factor, a turn without building lets Communist China build a 2-2 in the next."""
    waiting = any(parse_unit(unit)[0].unit == INFANTRY and count for unit, count in unbuilt(p.s, COMMUNISTS))
    deferred = waiting and not rebuilt(p.s, COMMUNISTS, INFANTRY)
    if deferred and not building_deferred(p.s):
        building_deferred.note(p, True, f"nothing was built in {calendar.turn_name(p.s.turn)}")
    elif building_deferred(p.s) and not deferred:
        building_deferred.forget(p)


@value("79.42", "Communist Chinese partisans that may be built in a turn; the Sinkiang Road adds one (R-0088)")
def partisan_rate(s: State) -> int:
    return 1 + (s.options.edition == "prequel" and s.options.sinkiang_road)


@value(
    "82.61",
    displaces=most_partisans,
    when=lambda s, nation, side: nation == COMMUNISTS and side == "russia" and s.year >= 1942,
)
def more_communist_partisans(s: State, nation: str, side: str) -> int:
    """Communist China gets one more partisan each year from 1942."""
    return most_partisans.general(s, nation, side) + s.year - 1941


def _new_partisans(cmd: Rebuild | ReportUnits) -> int:
    """How many Communist Chinese partisans a command brings."""
    if isinstance(cmd, Rebuild):
        return int(cmd.country == COMMUNISTS and branch_of(cmd.unit) == PARTISAN)
    if cmd.nation != COMMUNISTS or parse_unit(cmd.unit)[0].branch != PARTISAN:
        return 0
    return max(0, cmd.count)


@limit("79.42", on=(Rebuild, ReportUnits), when=lambda s, cmd: _new_partisans(cmd) > 0)
def partisans_by_turn_and_place(s: State, cmd: Rebuild | ReportUnits) -> str | None:
    """Communist China builds one partisan a turn, in a hex of China that Japan controls."""
    most = partisan_rate(s)
    if total(s, "rebuilt partisan", COMMUNISTS, "turn") + _new_partisans(cmd) > most:
        return f"{most} Communist Chinese partisan{'s are' if most > 1 else ' is'} built in a turn"
    if not in_china(s, cmd.at):
        return f"{place_called(cmd.at)} is not in China"
    if faction(s, holder(s, cmd.at)) != faction(s, "japan"):
        return f"{place_called(cmd.at)} is not under Japanese control"
    return None


@limit("79.42", on=Rebuild, when=lambda s, cmd: _new_partisans(cmd) > 0, displaces=unit_was_lost)
def communist_partisans_rise(s: State, cmd: Rebuild) -> str | None:
    """Partisans rise anew, whether or not any were lost."""
    there = sum(it.count for it in s.pieces.of_kind(COMMUNISTS, PARTISAN))
    most = most_partisans(s, COMMUNISTS, "russia")
    return None if there < most else f"{there} Communist Chinese partisans are on the board; the table gives {most}"


# -- where --------------------------------------------------------------------------------------------------------


@limit("79.41", on=Rebuild, when=lambda s, cmd: cmd.country == COMMUNISTS, displaces=rebuilt_at_home, also=("79.41B",))
def communist_site(s: State, cmd: Rebuild) -> str | None:
    """Communist infantry is built in China where Communists or Russia were at the start: supplied, in no Japanese
    ZoC.
    """
    if branch_of(cmd.unit) == PARTISAN or prohibited(s, cmd.at):
        return None
    key = cmd.at
    if not in_china(s, cmd.at):
        return f"{place_called(cmd.at)} is not in China"
    if not (holds(s, key) and _held_at_start(s, key)):
        return f"{place_called(cmd.at)} was not Communist China's or Russia's when the player turn began"
    if in_enemy_zone(s, COMMUNISTS, key):
        return f"{place_called(cmd.at)} is in a Japanese zone of control"
    return None if supplied_hex(s, COMMUNISTS, COMMUNISTS, key) else f"{place_called(cmd.at)} is not supplied"


def _held_at_start(s: State, key: str) -> bool:
    frame = s.frame("player turn")
    if key not in frame.before:
        return True
    was = frame.before[key] or default_holders().get(key, "")
    return was in (COMMUNISTS, "russia")


def prohibited(s: State, place: str) -> str:
    """Why no Communist Chinese unit is built in a place, whatever else holds; nothing if it may be."""
    key = place_key(place)
    if holder(s, key) == NATIONALISTS:
        return "it is Nationalist China's"
    country = land(key)[0]
    return f"it is in {country.replace('_', ' ').title()}" if country in ("manchuria", "hong_kong") else ""


@limit("79.43", on=Rebuild, when=lambda s, cmd: cmd.country == COMMUNISTS)
def not_built_there(s: State, cmd: Rebuild) -> str | None:
    """No Communist Chinese units are built in Nationalist hexes, Manchuria or Hong Kong."""
    reason = prohibited(s, cmd.at)
    return f"{place_called(cmd.at)}: {reason}" if reason else None


# -- who pays -----------------------------------------------------------------------------------------------------


@value("79.52", covers=("79.53",))
def free_factors(s: State) -> int:
    """Infantry factors a turn that cost nothing: all while Yenan holds, after the prequel those of its regions."""
    if s.options.scope == "pacific":
        note("pacific_scenario", "79.53", True, COMMUNISTS)
        return construction_rate(s)
    if s.options.edition == "classic":
        return construction_rate(s) if holds(s, place_key(YENAN)) else 0
    kept = sum(region_kept(s, it) for it in regions(s.options.communist_regions))
    return kept + (s.options.sinkiang_road and bool(communist_sources(s)))


@value("79.52", displaces=cost_to_power, when=lambda s, nation, unit: nation == COMMUNISTS, also=("79.72",))
def communist_unit_cost(s: State, nation: str, unit: str) -> int:
    """What Russia pays for a Communist Chinese unit: nothing as long as factors of regions that hold out are left."""
    free = free_factors(s)
    if branch_of(unit) != INFANTRY:
        return 0 if free else unit_cost(unit)
    if free >= construction_rate(s):
        return 0  # whatever may be built is free, a 2-2 for which building was deferred as well
    built = rebuilt(s, COMMUNISTS, INFANTRY)
    paid = max(0, built + unit_factors(unit) - free) - max(0, built - free)
    return paid * unit_cost(unit) // unit_factors(unit)


@value("79.52", displaces=rebuild_payer, when=lambda s, nation, power: nation == COMMUNISTS)
def russia_pays(s: State, nation: str, power: str) -> str:
    """Russia pays for Communist Chinese units that are not free."""
    return "russia"


@limit("79.52", on=Rebuild, when=lambda s, cmd: cmd.country == COMMUNISTS)
def within_russian_means(s: State, cmd: Rebuild) -> str | None:
    """Russia pays within its means and its construction limit (R-0095)."""
    cost = cost_to_power(s, COMMUNISTS, cmd.unit)
    if cost and cost > construction_left(s, "russia"):
        return f"Russia pays {cost} BRPs, more than is left of its construction limit"
    return f"Russia pays {cost} BRPs, more than it may spend" if cost > spendable(s, "russia") else None


@limit("79.52", on=ReportUnits, when=lambda s, cmd: _new_partisans(cmd) > 0)
def paid_partisans_are_ordered(s: State, cmd: ReportUnits) -> str | None:
    """Partisans for which Russia must pay are built by an order."""
    return "Russia pays for them now: rebuild" if cost_to_power(s, COMMUNISTS, PARTISAN) else None


@limit(
    "79.51",
    on=ReportOperation,
    when=lambda s, cmd: cmd.nation == COMMUNISTS and cmd.brp > 0 and s.countries[COMMUNISTS].status != "allied",
    displaces=operation_is_free,
)
def independent_attacks_are_free(s: State, cmd: ReportOperation) -> str:
    """Communist Chinese offensive operations cost nothing while it is independent."""
    return "independent Communist China attacks at no cost"
