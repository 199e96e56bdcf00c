"""Japan in Manchuria: what it is, armor that Japan never had, withdrawals in Pacific scenarios (81.1 to 81.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.board.maps import board as board_named
from warcabinet.board.zoc import zone
from warcabinet.kernel.limits import Bound
from warcabinet.model import calendar
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import Build, ReportMove
from warcabinet.model.commands.minors import DeclareWar, MoveUnits, Rebuild, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import cost_of, counted, unbuilt
from warcabinet.model.units import kind_name, unit_cost, unit_factors
from warcabinet.rules.china.territory import in_china
from warcabinet.rules.common.books import worth
from warcabinet.rules.common.pieces import units_of
from warcabinet.rules.common.waiting import Duty, Going, duty
from warcabinet.rules.common.war_and_peace import wars_between, went_to_war
from warcabinet.rules.economy.spending import Outlay, construction_left, spendable, spends_at_most
from warcabinet.rules.garrisons.counting import AIR, MANCHURIA, REGIONS, TYPES, garrison_factors, in_words, type_of
from warcabinet.rules.garrisons.levels import (
    FULL,
    japanese_factors,
    manchurian_requirement,
    prequel,
    siberian_shortfall,
)
from warcabinet.rules.garrisons.transfers import judged, leaves_garrison, manchurian_reduction, withdrawn_in_pacific
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.building import cost_to_power, rebuild_payer

CAPITALS = ("Harbin", "Mukden")
#: What a factor of each required type is worth.
WORTH = {"armor": 2, "infantry": 1, AIR: 3}

# -- the colony ---------------------------------------------------------------------------------------------------


@definition("81.21", "Harbin and Mukden are both capitals of Manchuria")
def manchurian_capital(s: State, place: str) -> bool:
    return place_key(place) in map(place_key, CAPITALS)


@value("81.11", "What the Japanese colony of Manchuria is worth a year: its two key economic areas", also=("81.21",))
def manchurian_brps(s: State) -> int:
    return sum(worth(s, it.casefold()) for it in CAPITALS)


@definition("81.11", "A place is part of China: Manchuria never is")
def part_of_china(s: State, place: str) -> bool:
    return in_china(s, place)


@definition("81.32", "A hex lies in the zone of control of Japanese armor in Manchuria, which reaches over its borders")
def manchurian_zone(s: State, place: str) -> bool:
    armor = {
        it.place for it in units_of(s, "japan") if kind_name(it.unit) == "armor" and it.place in REGIONS[MANCHURIA]
    }
    board = board_named("pacific")
    key = place_key(place)
    return key.startswith("pacific/") and bool(armor) and bool(zone(board, armor) & board.bits((key,)))


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


def _other_units(units: Mapping[str, int]) -> int:
    return cost_of({unit: count for unit, count in units.items() if kind_name(unit) != "armor"})


@limit("81.31A", on=(Spend, Build, DeclareWar), when=lambda s, cmd: cmd.power == "japan" and armor_reserve(s) > 0)
def armor_first(s: State, cmd: Outlay) -> Bound | str | None:
    """The armor that Manchuria lacks comes before any other expenditure."""
    reserve, left = armor_reserve(s), construction_left(s, "japan")
    most = max(0, spendable(s, "japan") - min(reserve, left))
    text = f"{reserve} BRPs are kept for the armor that Manchuria lacks"
    if isinstance(cmd, Build):
        other = _other_units(counted(cmd.units or ()))
        return text if other > max(0, min(spendable(s, "japan"), left) - reserve) else None
    return spends_at_most(s, cmd, most, text)


@limit(
    "81.31A",
    on=Rebuild,
    when=lambda s, cmd: rebuild_payer(s, cmd.country, cmd.power) == "japan" and armor_reserve(s) > 0,
)
def armor_before_minors(s: State, cmd: Rebuild) -> str | None:
    """The armor that Manchuria lacks comes before units of minor countries."""
    reserve, cost = armor_reserve(s), cost_to_power(s, cmd.country, cmd.unit)
    most = max(0, min(spendable(s, "japan"), construction_left(s, "japan")) - reserve)
    return f"{reserve} BRPs are kept for the armor that Manchuria lacks" if cost > most else None


def _buildable_armor(s: State) -> bool:
    """Whether Japan could pay now for some of the armor that it owes."""
    if not armor_reserve(s):
        return False
    left = min(spendable(s, "japan"), construction_left(s, "japan"))
    return any(unit_cost(unit) <= left for unit, _ in unbuilt(s, "japan") if kind_name(unit) == "armor")


def _owed_in(s: State, step: str) -> bool:
    """Whether Japan owes armor in a phase of its own player turn."""
    return s.player == "axis" and s.place.step.name == step and armor_owed(s)


@limit("81.31A", on=Advance, when=lambda s, cmd: _owed_in(s, "unit construction"))
def armor_is_built(s: State, cmd: Advance) -> str | None:
    """Armor that Manchuria lacks is built as soon as Japan can."""
    return "Japan builds the armor that Manchuria lacks first" if _buildable_armor(s) else None


def lacking(s: State) -> dict[str, int]:
    """Factors by type that Japan has and must bring to Manchuria while it owes armor."""
    wanted = {
        "armor": min(FULL["armor"] - siberian_shortfall(s, "armor"), japanese_factors(s, "armor")),
        "infantry": min(manchurian_requirement(s, "infantry"), japanese_factors(s, "infantry")),
    }
    missing = {it: count - garrison_factors(s, MANCHURIA, it) for it, count in wanted.items()}
    return {it: count for it, count in missing.items() if count > 0}


@limit("81.31A", on=Advance, when=lambda s, cmd: _owed_in(s, "redeployment"))
def infantry_instead(s: State, cmd: Advance) -> str | None:
    """Until Manchuria's armor is there two infantry factors stand in for each factor, and new armor goes there."""
    told = in_words(lacking(s))
    return f"Japan brings to Manchuria: {told}" if told else None


@duty
def armor_for_manchuria(s: State) -> Iterator[Duty]:
    if _owed_in(s, "unit construction") and _buildable_armor(s):
        yield Duty("81.31A", "build the armor that Manchuria lacks", ("japan",), "build", {"power": "japan"}, "power")
    if _owed_in(s, "redeployment") and lacking(s):
        told = "bring to Manchuria what it lacks"
        yield Duty("81.31A", told, ("japan",), "move", {"nation": "japan"}, "nation")


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
    return WITHDRAWN - sum(WORTH[it] * withdrawn_in_pacific(s, it) for it in TYPES)


def uncovered(s: State, leaving: Mapping[str, int]) -> int:
    """The worth of what would be missing in Manchuria beyond what is missing in Siberia."""
    gone = dict.fromkeys(TYPES, 0)
    for unit, count in leaving.items():
        if kind := type_of(unit):
            gone[kind] += count * unit_factors(unit)
    missing = {it: max(0, manchurian_reduction(s, it) + _beyond(s, it, gone[it])) for it in TYPES}
    return sum(WORTH[it] * max(0, missing[it] - siberian_shortfall(s, it)) for it in TYPES)


def _beyond(s: State, unit_type: str, leaving: int) -> int:
    """What leaves of a type, less what stands in Manchuria over its level."""
    if manchurian_reduction(s, unit_type):
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
        and leaves_garrison(s, cmd, MANCHURIA)
        and not (isinstance(cmd, MoveUnits) and cmd.how in IN_COMBAT)
        and not released_by_war(s)
    ),
)
def no_withdrawal(s: State, cmd: Going) -> Bound | str | None:
    """In Pacific scenarios nothing is withdrawn from Manchuria that would free Siberia, 15 BRPs once apart."""
    return judged(s, cmd, lambda leaving: withdrawal_refused(s, leaving))


def withdrawal_refused(s: State, leaving: Mapping[str, int]) -> str | None:
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
        factors = max(0, manchurian_reduction(p.s, it) - siberian_shortfall(p.s, it))
        if factors:
            withdrawn_in_pacific.note(
                p, withdrawn_in_pacific(p.s, it) + factors, "withdrawn in the turn that allows it", it
            )
