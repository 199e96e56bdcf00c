"""Bringing both garrisons up to strength before all else, what more may come to Siberia, and what Japan withdraws from
Manchuria in Pacific scenarios (81.1 to 81.3, 81.41, 81.43).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from warcabinet.board.maps import board as board_named
from warcabinet.board.zoc import zone
from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import Build, ReportEuropeanGarrison, ReportMove
from warcabinet.model.commands.minors import DeclareWar, MoveUnits, Rebuild, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import Reported
from warcabinet.model.places import Place, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import cost_of, counted, unbuilt
from warcabinet.model.units import Unit, kind_name, unit_cost, unit_factors
from warcabinet.rules.china.territory import in_china
from warcabinet.rules.common.books import worth
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import units_of
from warcabinet.rules.common.waiting import COMING, Coming, Duty, Going, duty
from warcabinet.rules.common.war_and_peace import wars_between, went_to_war
from warcabinet.rules.economy.spending import Outlay, construction_left, spendable, spends_at_most
from warcabinet.rules.garrisons import transfers
from warcabinet.rules.garrisons.counting import (
    AIR,
    FULL,
    FULL_VALUE,
    MANCHURIA,
    REGIONS,
    SIBERIA,
    TYPES,
    european_garrison_full,
    first_factory_mobilized,
    garrison_factors,
    garrison_value,
    in_words,
    japanese_factors,
    manchurian_requirement,
    no_way_east,
    prequel,
    siberia_full,
    siberia_to_fill,
    siberian_maximum,
    siberian_minimum,
    siberian_shortfall,
    type_of,
    worth_of,
)
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.building import cost_to_power, rebuild_payer

CONSTRUCTION = "unit construction"

# -- what comes ---------------------------------------------------------------------------------------------------


def beyond_maximum(s: State, coming: Mapping[Unit, int]) -> str | None:
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
    told = f"{', '.join(strange)}: no part of the Siberian garrison before the first civilian factory"
    return told if strange else None


@limit(
    "81.41E",
    on=COMING,
    when=lambda s, cmd: transfers.joins_garrison(s, cmd, SIBERIA) and not first_factory_mobilized(s),
    also=("81.41C",),
)
def maximum_until_factory(s: State, cmd: Coming) -> Bound | str | None:
    """No more than the 45 BRPs of its units comes to Siberia until Russia has mobilized its first civilian factory."""
    return transfers.judged(s, cmd, lambda coming: beyond_maximum(s, coming))


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


@value("81.41D")
def siberian_target(s: State) -> int:
    """The BRP value up to which Siberia must be brought: its full level, or its minimum once Germany fights."""
    fights = went_to_war(s, "germany", "russia")
    note("went_to_war", "81.41D(3)", fights, "germany", "russia")
    return FULL_VALUE if siberia_to_fill(s) and not fights else siberian_minimum(s)


@definition("81.41D", "Siberia must be brought up to strength now")
def siberia_short(s: State) -> bool:
    if s.options.scope == "europe" or not transfers.siberia_has_minimum(s):
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


@effect("81.43", when=lambda s: s.player == "allied" and s.options.scope != "europe")
def watch_siberia(p: Proceedings) -> None:
    """Each Russian player turn starts with a look at Siberia: filled, broken by losses, or restored."""
    s = p.s
    if siberia_to_fill(s) and siberia_full(s):
        siberia_to_fill.under("81.41D(1)").note(p, False, "the Siberian garrison reached its full level")
    there, least = garrison_value(s, SIBERIA), siberian_minimum(s)
    broken = transfers.siberia_has_minimum(s) and not siberia_to_fill(p.s) and 0 < there < least
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
    return [
        Foreseen(when, RESERVES["russia"].clause(s), text, "russia", "russia", "bringing the garrison up to strength")
    ]


# -- between the two garrisons ------------------------------------------------------------------------------------


@limit(
    "81.41D(2)",
    on=(MoveUnits, ReportMove),
    displaces=no_way_east,
    when=lambda s, cmd: transfers.joins_garrison(s, cmd, SIBERIA) and siberia_short(s) and siberia_to_fill(s),
)
def filled_from_europe(s: State, cmd: MoveUnits | ReportMove) -> Bound | str | None:
    """Units go from Europe to Siberia while it is being filled."""
    return transfers.judged(s, cmd, lambda coming: beyond_maximum(s, coming))


CAPITALS = ("Harbin", "Mukden")
#: What a factor of each required type is worth.
WORTH = {"armor": 2, "infantry": 1, AIR: 3}

# -- the colony ---------------------------------------------------------------------------------------------------


@definition("81.21", "Harbin and Mukden are both capitals of Manchuria")
def manchurian_capital(s: State, place: Place) -> bool:
    return place in map(place_key, CAPITALS)


@value("81.11", "What the Japanese colony of Manchuria is worth a year: its two key economic areas", also=("81.21",))
def manchurian_brps(s: State) -> int:
    return sum(worth(s, it.casefold()) for it in CAPITALS)


@definition("81.11", "A place is part of China: Manchuria never is")
def part_of_china(s: State, place: Place) -> bool:
    return in_china(s, place)


@definition("81.32", "A hex lies in the zone of control of Japanese armor in Manchuria, which reaches over its borders")
def manchurian_zone(s: State, place: Place) -> bool:
    armor = {
        it.place for it in units_of(s, "japan") if kind_name(it.unit) == "armor" and it.place in REGIONS[MANCHURIA]
    }
    board = board_named("pacific")
    return place.startswith("pacific/") and bool(armor) and bool(zone(board, armor) & board.bits((place,)))


# -- armor that Japan never had -----------------------------------------------------------------------------------


@remembered("81.31A", "Japan still owes Manchuria armor that it did not have at the start")
def armor_owed(s: State) -> bool:
    return prequel(s) and s.options.missing_japanese_armor > 0


@value("81.31A", "BRPs that Japan keeps for the armor it owes, as far as its force pool has it")
def armor_reserve(s: State) -> int:
    if not armor_owed(s):
        return 0
    missing = max(0, FULL["armor"] - japanese_factors(s, "armor"))
    at_hand = sum(count * unit_factors(unit) for unit, count in unbuilt(s, "japan") if kind_name(unit) == "armor")
    return WORTH["armor"] * min(missing, at_hand)


def lacking(s: State) -> dict[str, int]:
    """Factors by type that Japan has and must bring to Manchuria while it owes armor."""
    wanted = {
        "armor": min(FULL["armor"] - siberian_shortfall(s, "armor"), japanese_factors(s, "armor")),
        "infantry": min(manchurian_requirement(s, "infantry"), japanese_factors(s, "infantry")),
    }
    missing = {it: count - garrison_factors(s, MANCHURIA, it) for it, count in wanted.items()}
    return {it: count for it, count in missing.items() if count > 0}


# -- before all else ----------------------------------------------------------------------------------------------


class Reserve(NamedTuple):
    """BRPs that a power keeps for its garrison before all else: how many, by which clause, and what for.

    `parts` are the units that the garrison lacks, `beside` what an order to build costs that is not for it.
    """

    brps: Callable[[State], int]
    clause: Callable[[State], str]
    lacks: str
    parts: Callable[[Unit], object]
    beside: Callable[[State, Build], int]


def _beside_siberia(s: State, cmd: Build) -> int:
    """Russia decides which of its two garrisons comes first."""
    own = cmd.at in REGIONS[SIBERIA] or (siberia_to_fill(s) and not european_garrison_full(s))
    return 0 if own else cost_of(counted(cmd.units or ()))


def _is_armor(unit: Unit) -> bool:
    return kind_name(unit) == "armor"


RESERVES = {
    "russia": Reserve(
        siberian_reserve,
        lambda s: "81.41D(1)" if siberia_to_fill(s) else "81.43",
        "units that the Siberian garrison lacks",
        type_of,
        _beside_siberia,
    ),
    "japan": Reserve(
        armor_reserve,
        lambda s: "81.31A",
        "the armor that Manchuria lacks",
        _is_armor,
        lambda s, cmd: cost_of({it: n for it, n in counted(cmd.units or ()).items() if not _is_armor(it)}),
    ),
}
PAID: tuple[type[Outlay | Rebuild], ...] = (Spend, Build, DeclareWar, Rebuild)


def _payer(s: State, cmd: Outlay | Rebuild) -> str:
    return rebuild_payer(s, cmd.country, cmd.power) if isinstance(cmd, Rebuild) else cmd.power


@limit(
    "81.41D(1)",
    on=PAID,
    when=lambda s, cmd: (it := RESERVES.get(_payer(s, cmd))) is not None and it.brps(s) > 0,
    covers=("81.31A", "81.43"),
)
def garrisons_first(s: State, cmd: Outlay | Rebuild) -> Bound | Refusal | None:
    """Building up the garrisons comes before any other expenditure of Russia and Japan, units of minors too."""
    payer = _payer(s, cmd)
    it = RESERVES[payer]
    reserve, means, left = it.brps(s), spendable(s, payer), construction_left(s, payer)
    text, clause = f"{reserve} BRPs are kept for {it.lacks}", it.clause(s)
    if isinstance(cmd, Build | Rebuild):
        cost = it.beside(s, cmd) if isinstance(cmd, Build) else cost_to_power(s, cmd.country, cmd.unit)
        return Refusal(clause, text) if cost > max(0, min(means, left) - reserve) else None
    return spends_at_most(s, cmd, max(0, means - min(reserve, left)), text, clause)


def _can_build(s: State, power: str) -> bool:
    """Whether a power could pay now for a unit that its garrison lacks."""
    it = RESERVES[power]
    if not telling() and it.brps(s) <= 0:
        return False  # what the power could pay matters only to who reads the reasons
    left = min(spendable(s, power), construction_left(s, power))
    return it.brps(s) > 0 and any(unit_cost(unit) <= left for unit, _ in unbuilt(s, power) if it.parts(unit))


def _owed(s: State) -> Iterator[tuple[str, Duty]]:
    """What is owed to the garrisons before play goes on: how that is told, and the duty."""
    step, clause = s.place.step.name, RESERVES["russia"].clause(s)
    if s.player == "allied" and step == CONSTRUCTION and _can_build(s, "russia"):
        first = (
            "builds units for its garrisons: Siberia" if siberia_to_fill(s) else "restores the Siberian garrison: it"
        )
        told = f"Russia first {first} lacks {siberian_reserve(s)} BRPs that it can build"
        what = "build units for the Siberian garrison"
        yield told, Duty(clause, what, ("russia",), "build", {"power": "russia"}, "power")
    if s.player != "axis" or not armor_owed(s):
        return
    if step == CONSTRUCTION and _can_build(s, "japan"):
        what = "build the armor that Manchuria lacks"
        told = "Japan builds the armor that Manchuria lacks first"
        yield told, Duty("81.31A", what, ("japan",), "build", {"power": "japan"}, "power")
    if step == "redeployment" and (lacks := in_words(lacking(s))):
        what = "bring to Manchuria what it lacks"
        yield (
            f"Japan brings to Manchuria: {lacks}",
            Duty("81.31A", what, ("japan",), "move", {"nation": "japan"}, "nation"),
        )


@limit("81.41D(1)", on=Advance, when=lambda s, cmd: bool(s.player), covers=("81.31A", "81.43"))
def garrisons_are_built(s: State, cmd: Advance) -> Refusal | None:
    """Garrisons are brought up to strength as quickly as Russia and Japan can; infantry stands in for missing armor."""
    return next((Refusal(it.clause, told) for told, it in _owed(s)), None)


@duty
def garrisons_owed(s: State) -> Iterator[Duty]:
    return (it for _, it in _owed(s))


@effect(
    "81.31A",
    when=lambda s: s.player == "axis" and armor_owed(s) and garrison_factors(s, MANCHURIA, "armor") >= FULL["armor"],
)
def settle_armor(p: Proceedings) -> None:
    """With six armor factors in Manchuria Japan owes it none any more."""
    armor_owed.note(p, False, "six armor factors stand in Manchuria")


# -- Pacific scenarios --------------------------------------------------------------------------------------------

WITHDRAWN = 15
LATEST = calendar.parse_turn("Summer 1941")
#: Ways of moving that are part of combat, and no withdrawal.
IN_COMBAT = ("advance", "exploitation")


@value("81.33", "The turn in which Japan may withdraw 15 BRPs: Summer 1941, or that of war with Britain if sooner")
def withdrawal_turn(s: State) -> int:
    return min([LATEST, *(war.since for war in wars_between(s, "japan", "britain"))])


@value("81.33", "BRPs of units that Japan may withdraw now though this would free Siberia (R-0075)")
def withdrawal_left(s: State) -> int:
    if s.turn != withdrawal_turn(s):
        return 0
    return WITHDRAWN - sum(WORTH[it] * transfers.withdrawn_in_pacific(s, it) for it in TYPES)


def uncovered(s: State, leaving: Mapping[Unit, int]) -> int:
    """The worth of what would be missing in Manchuria beyond what is missing in Siberia."""
    gone = dict.fromkeys(TYPES, 0)
    for unit, count in leaving.items():
        if kind := type_of(unit):
            gone[kind] += count * unit_factors(unit)
    missing = {it: max(0, transfers.manchurian_reduction(s, it) + _beyond(s, it, gone[it])) for it in TYPES}
    return sum(WORTH[it] * max(0, missing[it] - siberian_shortfall(s, it)) for it in TYPES)


def _beyond(s: State, unit_type: str, leaving: int) -> int:
    """What leaves of a type, less what stands in Manchuria over its level."""
    if transfers.manchurian_reduction(s, unit_type):
        return leaving
    over = garrison_factors(s, MANCHURIA, unit_type) - FULL[unit_type]
    return leaving - max(0, over)


@definition("81.33", "War between Russia and Japan has released Japan's units in Manchuria (R-0823)")
def released_by_war(s: State) -> bool:
    return went_to_war(s, "russia", "japan")


@limit(
    "81.33",
    on=(MoveUnits, ReportMove, ReportUnits),
    when=lambda s, cmd: (
        s.options.scope == "pacific"
        and transfers.leaves_garrison(s, cmd, MANCHURIA)
        and not (isinstance(cmd, MoveUnits) and cmd.how in IN_COMBAT)
        and not released_by_war(s)
    ),
)
def no_withdrawal(s: State, cmd: Going) -> Bound | str | None:
    """In Pacific scenarios nothing is withdrawn from Manchuria that would free Siberia, 15 BRPs once apart."""
    return transfers.judged(s, cmd, lambda leaving: withdrawal_refused(s, leaving))


def withdrawal_refused(s: State, leaving: Mapping[Unit, int]) -> str | None:
    """Why units may not be withdrawn in a Pacific scenario, if they may not."""
    most = withdrawal_left(s)
    after = uncovered(s, leaving)
    if after <= most or after <= uncovered(s, {}):
        return None
    return f"{after} BRPs would be missing in Manchuria, and Russia could reduce Siberia; {most} may be withdrawn"


@effect("81.33", when=lambda s: s.player == "axis" and s.options.scope == "pacific" and withdrawal_left(s) > 0)
def settle_withdrawal(p: Proceedings) -> None:
    """What Japan withdrew from Manchuria in the one turn in which it may frees nothing in Siberia."""
    for it in TYPES:
        factors = max(0, transfers.manchurian_reduction(p.s, it) - siberian_shortfall(p.s, it))
        if factors:
            transfers.withdrawn_in_pacific.note(
                p, transfers.withdrawn_in_pacific(p.s, it) + factors, "withdrawn in the turn that allows it", it
            )
