"""Force pools and the counters in them outside mobilization: construction, production, losses and moves as reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warcabinet.board.maps import board as board_named
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.economy import ReportPool
from warcabinet.model.commands.forces import (
    Build,
    BuildByCount,
    Mobilize,
    ReportLoss,
    ReportLossByCount,
    ReportMove,
    ReportProduction,
    TriggerDeferred,
)
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.counters import Counter, assumed_counters, own_counters
from warcabinet.model.events import Reported, UnitsMoved
from warcabinet.model.happenings import Eliminated, WentBySea, befell
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import BUILT, LOST, OUT_OF_PLAY, UNBUILT, At, Produced, Where
from warcabinet.model.places import Place, board_of, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import cost_of, counted, unbuilt_of
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_cost, unit_kind
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.pieces import patron, standing_at
from warcabinet.rules.common.presence import keep_excuse
from warcabinet.rules.common.supply_by_land import enemy_zone, supplied_from_the_east
from warcabinet.rules.common.waiting import origin_of, units_going
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.base import place_on_track
from warcabinet.rules.economy.industrial_centers import construct_ic
from warcabinet.rules.economy.mobilization_record import units_from
from warcabinet.rules.economy.shipbuilding import raise_rate
from warcabinet.rules.kinds import definition, limit, order, value

Adds = Mobilize | TriggerDeferred | ReportProduction
Reports = ReportPool | ReportUnits
RUSSIAN_LIGHT_ARMOR = Unit("armor 3-5")


def counters_of(s: State, power: str) -> Mapping[Unit, Counter]:
    """A power's list: the table's own, if it brought one for this power, else the one that is assumed."""
    own = own_counters(s.options.counter_list).get(power)
    return assumed_counters().get(power, {}) if own is None else own


@value("WC.28", "How many counters of a kind are on a power's list, beside what mobilization and production bring")
def counters_listed(s: State, power: str, unit: Unit) -> int:
    row = counters_of(s, power).get(unit)
    return row.count if row is not None else 0


@value("WC.28", "How many counters of a kind have come into play, beside what mobilization and production brought")
def counters_used(s: State, power: str, unit: Unit) -> int:
    return -s.pieces.count(power, OUT_OF_PLAY, unit)


def ground_units_listed(s: State, power: str) -> list[Unit]:
    """The ground units with a strength that are on a power's list."""
    return [unit for unit in counters_of(s, power) if unit_kind(unit).per == "factor"]


def not_listed(s: State, power: str, unit: Unit) -> str:
    """What is to be pointed out of a kind of ground unit that a power's list does not have."""
    kind = unit_kind(unit)
    if unit in counters_of(s, power) or kind.per != "factor":
        return ""
    known = ", ".join(it for it in counters_of(s, power) if kind_name(it) == kind.unit) or f"no {kind.name} at all"
    return f"the list of {called(power)} has no {unit} (it has {known})"


def too_many(s: State, power: str, unit: Unit, count: int) -> str:
    """What is to be pointed out of units that come into play by report: more than the list has."""
    row, used = counters_of(s, power).get(unit), counters_used(s, power, unit)
    if row is None or used + count <= row.count:
        return not_listed(s, power, unit)
    return f"the list of {called(power)} has {row.count} {unit}, with these {used + count} would be in play"


def watched(s: State) -> bool:
    return s.options.counters == "listed"


def _asks(s: State, found: list[str]) -> str | None:
    if not found:
        return None
    what = "the table's own list" if s.options.counter_list else "the list is assumed"
    return f"{'; '.join(found)}; {what}: if it is meant, say so (beyond_list)"


@limit("WC.28", on=(Mobilize, TriggerDeferred, ReportProduction), when=lambda s, cmd: watched(s))
def added_counters_are_listed(s: State, cmd: Adds) -> str | None:
    """Counters that are on no list are mobilized or produced only if the player says that they are meant."""
    found = [told for unit in counted(cmd.units) if (told := not_listed(s, cmd.power, unit))]
    return _asks(s, found) if found and not cmd.beyond_list else None


def _reported(cmd: Reports) -> str:
    return cmd.power if isinstance(cmd, ReportPool) else cmd.nation


@limit(
    "WC.28",
    on=(ReportPool, ReportUnits),
    when=lambda s, cmd: watched(s) and _reported(cmd) in powers() and cmd.count > 0,
)
def reported_counters_are_listed(s: State, cmd: Reports) -> str | None:
    """More counters than the list has come into play only if the player says that they are meant."""
    told = too_many(s, _reported(cmd), cmd.unit, cmd.count)
    return _asks(s, [told]) if told and not cmd.beyond_list else None


@value("36.32C(7)", "How many 3-5 armor units Russia has had in play, of eight in all")
def russian_light_armor_in_play(s: State) -> int:
    produced = -s.pieces.count("russia", Produced(), RUSSIAN_LIGHT_ARMOR)
    mobilized = units_from(s, "russia").get(RUSSIAN_LIGHT_ARMOR, 0)
    return counters_used(s, "russia", RUSSIAN_LIGHT_ARMOR) + produced + mobilized


def _light_armor(cmd: Reports | ReportProduction) -> int:
    """How many Russian 3-5 armor units a report brings."""
    if isinstance(cmd, ReportProduction):
        return counted(cmd.units).get(RUSSIAN_LIGHT_ARMOR, 0) if cmd.power == "russia" else 0
    return cmd.count if _reported(cmd) == "russia" and cmd.unit == RUSSIAN_LIGHT_ARMOR else 0


@limit("36.32C(7)", on=(ReportPool, ReportUnits, ReportProduction), when=lambda s, cmd: _light_armor(cmd) > 0)
def eight_russian_light_armor(s: State, cmd: Reports | ReportProduction) -> str | None:
    """Russia has eight 3-5 armor units in all, however they come into play."""
    there = russian_light_armor_in_play(s) + _light_armor(cmd)
    return f"{there} Russian 3-5 armor units, there are eight" if there > 8 else None


@order("36.33", "What production gave enters the force pool, now or when it is said to", on=ReportProduction)
def report_production(p: Proceedings, cmd: ReportProduction) -> None:
    p.do(Reported("production", f"{powers()[cmd.power].name}: {', '.join(cmd.units) or 'no units'}"))
    turn = calendar.parse_turn(cmd.arrives) if cmd.arrives else p.s.turn
    for unit, count in counted(cmd.units).items():
        place_on_track(p, cmd.power, unit, count, turn, Produced(), "36.33")
    if cmd.in_canada:
        raise_rate(p, "canada", "", cmd.shipbuilding, "production")
    else:
        raise_rate(p, cmd.power, cmd.theater, cmd.shipbuilding, "production")
    if cmd.ic:
        construct_ic(p, cmd.ic_at, cmd.oil)


@limit("WC.7", "Production arrives in a turn that exists, and not in the past", on=ReportProduction)
def production_arrives_later(s: State, cmd: ReportProduction) -> str | None:
    if not cmd.arrives:
        return None
    try:
        turn = calendar.parse_turn(cmd.arrives)
    except WarCabinetError as error:
        return str(error)
    return None if turn >= s.turn else f"{cmd.arrives} is over"


@order("WC.7", "Eliminated units return to the force pool, or leave the game for good", on=ReportLoss)
def report_loss(p: Proceedings, cmd: ReportLoss) -> None:
    keep_excuse(p, cmd)
    _eliminate(p, cmd, At(cmd.at))


@order("WC.29", "Eliminated units return to the force pool, or leave the game for good", on=ReportLossByCount)
def report_loss_by_count(p: Proceedings, cmd: ReportLossByCount) -> None:
    _eliminate(p, cmd, BUILT)


@limit("WC.29", "Only units that a power has built can be lost", on=ReportLossByCount)
def units_are_built(s: State, cmd: ReportLossByCount) -> str | None:
    short = []
    for unit, count in counted(cmd.units).items():
        there = s.pieces.count(cmd.power, BUILT, unit)
        if there < count:
            short.append(f"{there} {unit} of {powers()[cmd.power].name} are built, not {count}")
    return "; ".join(short) or None


def _eliminate(p: Proceedings, cmd: ReportLoss | ReportLossByCount, at: Where) -> None:
    for unit, count in counted(cmd.units).items():
        to = LOST if cmd.for_good else UNBUILT
        p.do(UnitsMoved(cmd.power, unit, count, at, to, f"{count} {unit} eliminated"))
        if cmd.eliminated_by and not cmd.for_good:
            remember_loss(p, cmd.power, unit, count, cmd.eliminated_by)


def remember_loss(p: Proceedings, power: str, unit: Unit, count: int, by: str) -> None:
    """Who eliminated which units: growth spares some of them (35.32)."""
    p.do(befell(p.s, Eliminated(by, power, unit), count))


@order("WC.7", "Units stand where they have gone", on=ReportMove)
def report_move(p: Proceedings, cmd: ReportMove) -> None:
    keep_excuse(p, cmd)
    origin, to = At(cmd.origin), At(cmd.to)
    for unit, count in counted(cmd.units).items():
        if p.s.place.step.name == "redeployment" and unit_branch(unit) == "naval":
            # Ships are redeployed by sea, however that is told.
            p.do(befell(p.s, WentBySea(cmd.origin, cmd.to, cmd.power, unit), count))
        p.do(UnitsMoved(cmd.power, unit, count, origin, to, f"{count} {unit}"))


@limit("WC.7", "Only units that stand in a place can be lost there or leave it", on=(ReportLoss, ReportMove))
def units_are_there(s: State, cmd: ReportLoss | ReportMove) -> str | None:
    where = origin_of(cmd)
    for unit, count in units_going(cmd).items():
        if (there := standing_at(s, cmd.power, where, unit)) < count:
            return f"{there} {unit} of {powers()[cmd.power].name} in {place_called(where)}, not {count}"
    return None


# Boxes in which a power builds though they are off the boards.
HOME_BOXES = {"usa": ("box/atlantic_us", "box/pacific_us"), "russia": ("box/urals",)}


@limit("36.31", on=(Build, BuildByCount))
def units_can_be_built(s: State, cmd: Build | BuildByCount) -> Iterator[Refusal | str]:
    """Only units in the force pool that are not built can be built, of a cost that is known."""
    for unit, count in counted(cmd.units).items():
        there = unbuilt_of(s, cmd.power, unit)
        note("unbuilt", "36.31", there, cmd.power, unit)
        if there < count:
            yield f"{count} {unit} asked for, {there} unbuilt in the force pool"
    if unknown := [unit for unit in counted(cmd.units) if unit_cost(unit) == 0]:
        yield Refusal("36.33", f"no cost is known for {', '.join(unknown)}; report it instead")


@definition("WC.27", "The power controls the place, or builds in its own box")
def controls_site(s: State, power: str, place: Place) -> bool:
    return place in HOME_BOXES.get(power, ()) or holder(s, place) == power


@definition("WC.27", "No enemy zone of control covers the place")
def free_of_enemy_zone(s: State, power: str, place: Place) -> bool:
    if place.startswith("box/"):
        return True
    board = board_named(board_of(place))
    return not enemy_zone(s, board, power) & board.bits((place,))


@definition("WC.27", "The place is in supply, unless the referee says otherwise: the sources are not in the documents")
def construction_supply(s: State, power: str, place: Place) -> bool:
    return True


@definition(
    "WC.27",
    displaces=construction_supply,
    when=lambda s, power, place: power == "russia" and place.startswith("europe/"),
)
def russian_construction_supply(s: State, power: str, place: Place) -> bool:
    """A Russian place on the European board needs a land line from the eastern edge."""
    return supplied_from_the_east(s, place)


def _has_partisans(s: State, power: str) -> bool:
    return any(unit_branch(unit) == "partisan" for unit in s.pieces.off(power, UNBUILT))


def _rises_among_enemies(s: State, cmd: Build) -> bool:
    """Whether nothing but partisans is built, in land of an enemy: there they need neither control nor supply."""
    held_by = holder(s, cmd.at)  # nobody holds a hex at sea, and Switzerland has no part in the war
    leader = patron(s, held_by) if held_by in s.countries or held_by in powers() else ""
    if not leader or not at_war(s, cmd.power, leader) or not _has_partisans(s, cmd.power):
        return False
    return all(unit_branch(unit) == "partisan" for unit in counted(cmd.units))


@limit("WC.27", on=Build, when=lambda s, cmd: not _rises_among_enemies(s, cmd))
def site_is_controlled(s: State, cmd: Build) -> str | None:
    """Units are built in a place that their power controls, partisans in enemy land as well."""
    told = f"{powers()[cmd.power].name} does not control {place_called(cmd.at)}"
    return None if controls_site(s, cmd.power, cmd.at) else told


@limit("WC.27", on=Build, when=lambda s, cmd: not _rises_among_enemies(s, cmd))
def site_is_free(s: State, cmd: Build) -> str | None:
    """Units are not built in an enemy zone of control."""
    told = f"{place_called(cmd.at)} is in an enemy zone of control"
    return None if free_of_enemy_zone(s, cmd.power, cmd.at) else told


@limit("WC.27", on=Build, when=lambda s, cmd: not _rises_among_enemies(s, cmd))
def site_is_supplied(s: State, cmd: Build) -> str | None:
    """Units are built in supply."""
    return None if construction_supply(s, cmd.power, cmd.at) else f"{place_called(cmd.at)} is not in supply"


@order("39.31", on=Build, phases=("unit construction",))
def build(p: Proceedings, cmd: Build) -> None:
    """Units are built: BRPs are spent within the construction limit, and the units stand on the board."""
    _construct(p, cmd, At(cmd.at))


@order("39.31", on=BuildByCount, phases=("unit construction",))
def build_by_count(p: Proceedings, cmd: BuildByCount) -> None:
    """Units are built: BRPs are spent within the construction limit, and the units stand on the players' own map."""
    _construct(p, cmd, BUILT)


def _construct(p: Proceedings, cmd: Build | BuildByCount, to: Where) -> None:
    units = counted(cmd.units)
    brp = cost_of(units)
    for unit, count in units.items():
        p.do(UnitsMoved(cmd.power, unit, count, UNBUILT, to, f"{count} {unit} built"))
    spend_brps(p, cmd.power, brp, "unit construction", f"unit construction: {', '.join(cmd.units)}", limit="39.31")
