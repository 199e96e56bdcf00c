"""Counters of the eight powers: what the documents name is enforced, what is beyond a list needs a player's word.

The documents print no power's counters; `data/counters.csv` is assumed, and a table may bring its own list. So nothing
is forbidden by it: whoever means a counter that is not on the list says so, and the log keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.model.commands.economy import ReportPool
from warcabinet.model.commands.forces import Mobilize, ReportProduction, TriggerDeferred
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.counters import Counter, assumed_counters, own_counters
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import OUT_OF_PLAY, Produced
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.economy.mobilization_record import units_from
from warcabinet.rules.kinds import limit, value

Adds = Mobilize | TriggerDeferred | ReportProduction
Reports = ReportPool | ReportUnits
RUSSIAN_LIGHT_ARMOR = "armor 3-5"


def counters_of(s: State, power: str) -> Mapping[str, Counter]:
    """A power's list: the table's own, if it brought one for this power, else the one that is assumed."""
    own = own_counters(s.options.counter_list).get(power)
    return assumed_counters().get(power, {}) if own is None else own


@value("WC.28", "How many counters of a kind are on a power's list, beside what mobilization and production bring")
def counters_listed(s: State, power: str, unit: str) -> int:
    row = counters_of(s, power).get(unit)
    return row.count if row is not None else 0


@value("WC.28", "How many counters of a kind have come into play, beside what mobilization and production brought")
def counters_used(s: State, power: str, unit: str) -> int:
    return -s.pieces.count(power, OUT_OF_PLAY, unit)


def strengths(s: State, power: str, kind: str) -> list[str]:
    """The units of a type that are on a power's list."""
    return [unit for unit in counters_of(s, power) if kind_name(unit) == kind]


def ground_units_listed(s: State, power: str) -> list[str]:
    """The ground units with a strength that are on a power's list."""
    return [unit for unit in counters_of(s, power) if parse_unit(unit)[0].per == "factor"]


def not_listed(s: State, power: str, unit: str) -> str:
    """What is to be pointed out of a kind of ground unit that a power's list does not have."""
    kind = parse_unit(unit)[0]
    if unit in counters_of(s, power) or kind.per != "factor":
        return ""
    known = ", ".join(strengths(s, power, kind.unit)) or f"no {kind.name} at all"
    return f"the list of {called(power)} has no {unit} (it has {known})"


def too_many(s: State, power: str, unit: str, count: int) -> str:
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
    return f"{'; '.join(found)}; {what}: if it is meant, say so with beyond_list"


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


@limit(
    "36.32C(7)",
    on=(ReportPool, ReportUnits),
    when=lambda s, cmd: _reported(cmd) == "russia" and cmd.unit == RUSSIAN_LIGHT_ARMOR and cmd.count > 0,
)
def eight_russian_light_armor(s: State, cmd: Reports) -> str | None:
    """Russia has eight 3-5 armor units in all, however they come into play."""
    there = russian_light_armor_in_play(s) + cmd.count
    return f"{there} Russian 3-5 armor units, there are eight" if there > 8 else None


@limit("36.32C(7)", on=ReportProduction, when=lambda s, cmd: cmd.power == "russia")
def no_ninth_produced(s: State, cmd: ReportProduction) -> str | None:
    """Production does not bring a ninth Russian 3-5 armor unit."""
    asked = counted(cmd.units).get(RUSSIAN_LIGHT_ARMOR, 0)
    there = russian_light_armor_in_play(s) + asked
    return f"{there} Russian 3-5 armor units, there are eight" if asked and there > 8 else None
