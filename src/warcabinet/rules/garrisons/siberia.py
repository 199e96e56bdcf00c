"""Russia in Siberia: what starts there, what more may come, and bringing it up to strength (81.41, 81.43)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note, telling
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import Build, ReportEuropeanGarrison, ReportMove
from warcabinet.model.commands.minors import DeclareWar, MoveUnits, Rebuild
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Reported
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import cost_of, counted, unbuilt
from warcabinet.model.units import unit_cost, unit_factors
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.waiting import COMING, Coming, Duty, duty
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.economy.spending import Outlay, construction_left, spendable, spends_at_most
from warcabinet.rules.garrisons.counting import (
    REGIONS,
    SIBERIA,
    TYPES,
    garrison_factors,
    garrison_value,
    type_of,
    worth_of,
)
from warcabinet.rules.garrisons.levels import (
    FULL_VALUE,
    european_garrison_full,
    first_factory_mobilized,
    no_way_east,
    siberia_full,
    siberia_to_fill,
    siberian_maximum,
    siberian_minimum,
)
from warcabinet.rules.garrisons.transfers import joins_garrison, judged, siberia_has_minimum
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.building import cost_to_power, rebuild_payer

CONSTRUCTION = "unit construction"

# -- what comes ---------------------------------------------------------------------------------------------------


def beyond_maximum(s: State, coming: Mapping[str, int]) -> str | None:
    """Why units would be more than the garrison may have, if they would."""
    after = garrison_value(s, SIBERIA) + worth_of(s, coming)
    if after > FULL_VALUE:
        return (
            f"the Siberian garrison would be worth {after} BRPs, at most {FULL_VALUE} before the first civilian factory"
        )
    if reading_in_force(s, "R-0813") == "b":
        return None
    for kind in dict.fromkeys(map(type_of, coming)):
        more = sum(count * unit_factors(unit) for unit, count in coming.items() if type_of(unit) == kind)
        most = siberian_maximum(s, kind)
        if kind and garrison_factors(s, SIBERIA, kind) + more > most:
            return f"the Siberian garrison has at most {most} factors of {kind} before the first civilian factory"
    strange = [unit for unit in coming if not type_of(unit)]
    return (
        f"{', '.join(strange)}: no part of the Siberian garrison before the first civilian factory" if strange else None
    )


@limit(
    "81.41E",
    on=COMING,
    when=lambda s, cmd: joins_garrison(s, cmd, SIBERIA) and not first_factory_mobilized(s),
    also=("81.41C",),
)
def maximum_until_factory(s: State, cmd: Coming) -> Bound | str | None:
    """No more than the 45 BRPs of its units comes to Siberia until Russia has mobilized its first civilian factory."""
    return judged(s, cmd, lambda coming: beyond_maximum(s, coming))


# -- bringing the garrisons up to strength ------------------------------------------------------------------------


@remembered("81.43", "Losses took the Siberian garrison below its minimum, which is to be restored")
def minimum_to_restore(s: State) -> bool:
    return False


@order("81.41D", on=ReportEuropeanGarrison)
def report_european_garrison(p: Proceedings, cmd: ReportEuropeanGarrison) -> None:
    """Whether the garrison in Europe is at its full level is for the players to say."""
    told = "at its full level" if cmd.full else "below its full level"
    p.do(Reported("garrison", f"the Russian garrison in Europe is {told}"))
    european_garrison_full.note(p, cmd.full, f"reported {told}")


@value("81.41D", covers=("81.41D(3)",))
def siberian_target(s: State) -> int:
    """The BRP value up to which Siberia must be brought: its full level, or its minimum once Germany fights."""
    fights = went_to_war(s, "germany", "russia")
    note("went_to_war", "81.41D(3)", fights, "germany", "russia")
    return FULL_VALUE if siberia_to_fill(s) and not fights else siberian_minimum(s)


@definition("81.41D", "Siberia must be brought up to strength now")
def siberia_short(s: State) -> bool:
    if s.options.scope == "europe" or not siberia_has_minimum(s):
        return False
    return (siberia_to_fill(s) or minimum_to_restore(s)) and garrison_value(s, SIBERIA) < siberian_target(s)


@value("81.41D(1)", "BRPs that Russia keeps for units that Siberia lacks, as far as its force pool has them")
def siberian_reserve(s: State) -> int:
    if not siberia_short(s):
        return 0
    room = {it: siberian_maximum(s, it) - garrison_factors(s, SIBERIA, it) for it in TYPES}
    found = 0
    # Large units first: small ones would leave them no room.
    for unit, count in sorted(unbuilt(s, "russia"), key=lambda it: (-unit_factors(it[0]), it[0])):
        kind, size = type_of(unit), unit_factors(unit)
        fits = min(count, max(0, room.get(kind, 0)) // size) if kind else 0
        if fits:
            room[kind] -= fits * size
            found += fits * unit_cost(unit)
    return min(found, siberian_target(s) - garrison_value(s, SIBERIA))


def _reserved(s: State, cmd: Outlay) -> bool:
    return cmd.power == "russia" and siberian_reserve(s) > 0


@limit("81.41D(1)", on=(Spend, Build, DeclareWar), when=_reserved)
def garrisons_first(s: State, cmd: Outlay) -> Bound | str | None:
    """Building up the garrisons comes before any other Russian expenditure."""
    reserve, left = siberian_reserve(s), construction_left(s, "russia")
    text = f"{reserve} BRPs are kept for units that the Siberian garrison lacks"
    if not isinstance(cmd, Build):
        return spends_at_most(s, cmd, max(0, spendable(s, "russia") - min(reserve, left)), text)
    if place_key(cmd.at) in REGIONS[SIBERIA] or (siberia_to_fill(s) and not european_garrison_full(s)):
        # Russia decides which of its two garrisons comes first.
        return None
    most = max(0, min(spendable(s, "russia"), left) - reserve)
    return text if cost_of(counted(cmd.units or ())) > most else None


@limit(
    "81.43",
    on=(Spend, Build, DeclareWar),
    displaces=garrisons_first,
    when=lambda s, cmd: _reserved(s, cmd) and not siberia_to_fill(s),
)
def minimum_first(s: State, cmd: Outlay) -> Bound | str | None:
    """What losses took from the Siberian minimum is restored before any other Russian expenditure."""
    return garrisons_first(s, cmd)  # type: ignore[return-value, arg-type]


@limit(
    "81.41D(1)",
    on=Rebuild,
    when=lambda s, cmd: rebuild_payer(s, cmd.country, cmd.power) == "russia" and siberian_reserve(s) > 0,
    also=("81.43",),
)
def garrisons_before_minors(s: State, cmd: Rebuild) -> str | None:
    """Russia does not pay for units of minor countries with what its garrisons need."""
    reserve, cost = siberian_reserve(s), cost_to_power(s, cmd.country, cmd.unit)
    most = max(0, min(spendable(s, "russia"), construction_left(s, "russia")) - reserve)
    return f"{reserve} BRPs are kept for units that the Siberian garrison lacks" if cost > most else None


def _can_build(s: State) -> bool:
    """Whether Russia could pay now for a unit that Siberia lacks."""
    if not telling() and siberian_reserve(s) <= 0:
        return False  # what Russia could pay matters only to who reads the reasons
    left = min(spendable(s, "russia"), construction_left(s, "russia"))
    return siberian_reserve(s) > 0 and any(unit_cost(unit) <= left for unit, _ in unbuilt(s, "russia") if type_of(unit))


def _in_construction(s: State) -> bool:
    return s.player == "allied" and s.place.step.name == CONSTRUCTION


@limit("81.41D(1)", on=Advance, when=lambda s, cmd: _in_construction(s), also=("81.43",))
def garrisons_are_built(s: State, cmd: Advance) -> Refusal | None:
    """Garrisons are brought up to strength, and a minimum broken by losses is restored, as quickly as Russia can."""
    if not _can_build(s):
        return None
    clause, first = _owed(s)
    return Refusal(clause, f"Russia first {first} lacks {siberian_reserve(s)} BRPs that it can build")


def _owed(s: State) -> tuple[str, str]:
    """By which clause Russia owes units to Siberia, and what it does first."""
    if siberia_to_fill(s):
        return "81.41D(1)", "builds units for its garrisons: Siberia"
    return "81.43", "restores the Siberian garrison: it"


@duty
def siberia_owed(s: State) -> Iterator[Duty]:
    if _in_construction(s) and _can_build(s):
        yield Duty(
            _owed(s)[0], "build units for the Siberian garrison", ("russia",), "build", {"power": "russia"}, "power"
        )


@effect("81.43", when=lambda s: s.player == "allied" and s.options.scope != "europe")
def watch_siberia(p: Proceedings) -> None:
    """Each Russian player turn starts with a look at Siberia: filled, broken by losses, or restored."""
    s = p.s
    if siberia_to_fill(s) and siberia_full(s):
        siberia_to_fill.under("81.41D(1)").note(p, False, "the Siberian garrison reached its full level")
    there, least = garrison_value(s, SIBERIA), siberian_minimum(s)
    broken = siberia_has_minimum(s) and not siberia_to_fill(p.s) and 0 < there < least
    if broken != minimum_to_restore(s):
        told = f"worth {there} BRPs, at least {least}"
        minimum_to_restore.note(p, broken, told)


@foresees
def siberia_will_be_built(s: State) -> list[Foreseen]:
    if not siberia_short(s):
        return []
    lacks = siberian_target(s) - garrison_value(s, SIBERIA)
    text = f"Siberia lacks {lacks} BRPs of units: they are built before anything else"
    when = next_step_of(s, "russia", CONSTRUCTION)
    return [Foreseen(when, _owed(s)[0], text, "russia", "russia", "bringing the garrison up to strength")]


# -- between the two garrisons ------------------------------------------------------------------------------------


@limit(
    "81.41D(2)",
    on=(MoveUnits, ReportMove),
    displaces=no_way_east,
    when=lambda s, cmd: joins_garrison(s, cmd, SIBERIA) and siberia_short(s) and siberia_to_fill(s),
)
def filled_from_europe(s: State, cmd: MoveUnits | ReportMove) -> Bound | str | None:
    """Units go from Europe to Siberia while it is being filled."""
    return judged(s, cmd, lambda coming: beyond_maximum(s, coming))
