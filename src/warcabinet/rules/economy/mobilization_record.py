"""What has been mobilized so far: how often, when, and which units. All of it is read from ledger and pieces.

A mobilization is an entry for a power, part and turn; the part is `whole`, a theater of the United States, or one of
the two halves of a Russian peacetime mobilization. Units and shipbuilding increases come from sources that name the
mobilization, so what each one brought can be looked up for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warcabinet.kernel.kept import kept
from warcabinet.kernel.why import note, telling
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Deferred, DeferredFrom, Mobilization, ShipbuildingFrom
from warcabinet.model.commands.forces import Mobilize, ReportProduction
from warcabinet.model.ledger import balance
from warcabinet.model.state import State
from warcabinet.model.unit_lists import tally
from warcabinet.model.units import Unit, kind_name
from warcabinet.rules.kinds import value

BEGINNINGS = ("whole", "first half", "europe", "pacific")
THEATERS = ("europe", "pacific")


def turns_mobilized(s: State, power: str, *parts: str) -> tuple[int, ...]:
    """The turns in which a power mobilized (the given parts), one for each time, in order."""
    return _turns(s.ledger.of("mobilization", power), *parts)


@kept
def _turns(accounts: Mapping[Account, int], *parts: str) -> tuple[int, ...]:
    found: list[int] = []
    for it, count in accounts.items():
        if isinstance(it, Mobilization) and (not parts or it.part in parts):
            found += [it.turn] * count
    return tuple(sorted(found))


def begun(s: State, power: str, theater: str = "") -> tuple[int, ...]:
    """The turns in which mobilizations began, in one theater or all together."""
    return turns_mobilized(s, power, *((theater,) if theater else BEGINNINGS))


@value("36.11", "How many mobilizations a power has made (in one theater of the United States)")
def mobilizations_made(s: State, power: str, theater: str) -> int:
    turns = begun(s, power, theater)
    if telling():
        note("turns_mobilized", "36.11", tuple(calendar.turn_name(turn) for turn in turns), power, theater)
    return len(turns)


def mobilized_now(s: State, power: str, theater: str = "") -> bool:
    """Whether the power (in this theater) has mobilized in the game turn under way, in part or whole."""
    return s.turn in turns_mobilized(s, power, *((theater,) if theater else ()))


def half_done(s: State, power: str = "russia") -> int | None:
    """The turn in which a two-turn mobilization began that is not complete yet."""
    first = turns_mobilized(s, power, "first half")
    second = turns_mobilized(s, power, "second half")
    return first[len(second)] if len(first) > len(second) else None


def theater_of(cmd: Mobilize | ReportProduction) -> str:
    """The theater that an order is for: only the U.S. names one (36.11D)."""
    return cmd.theater if cmd.power == "usa" else ""


def label(s: State, power: str, theater: str = "") -> str:
    """The name of the mobilization under way in the accounts: its number, with the theater where there are two."""
    made = len(begun(s, power, theater))
    number = made if half_done(s, power) is not None else made + 1
    return f"{theater} {number}".strip()


def units_from(s: State, power: str) -> dict[Unit, int]:
    """The units that all mobilizations of a power brought so far."""
    return _brought(units for _, units in s.pieces.mobilized(power))


def _brought(sources: Iterable[Mapping[Unit, int]]) -> dict[Unit, int]:
    """The units that came from some sources: below zero there as many as they brought."""
    return tally((unit, -count) for units in sources for unit, count in units.items())


def brought_by(s: State, power: str, mobilization: str) -> dict[Unit, int]:
    """The units of one mobilization, those that came later from what it deferred included."""
    return _brought(units for it, units in s.pieces.mobilized(power) if mobilization in it.by)


def of_kind(units: Mapping[Unit, int], *kinds: str) -> int:
    """How many of these units are of certain types."""
    return sum(count for unit, count in units.items() if kind_name(unit) in kinds)


def increases_from(s: State, power: str, mobilization: str) -> int:
    """Shipbuilding increases that one mobilization brought."""
    return -balance(s.ledger, ShipbuildingFrom(power, mobilization))


def increases_mobilized(s: State, power: str) -> int:
    """Shipbuilding increases that all mobilizations of a power brought."""
    found = s.ledger.of("shipbuilding", power).items()
    return -sum(n for it, n in found if isinstance(it, ShipbuildingFrom) and it.source != "production")


def deferrals(s: State, power: str) -> list[tuple[int, str, int]]:
    """BRPs of units that wait to be triggered: the turn of deferment, the mobilization, the BRPs; oldest first."""
    found = s.ledger.of("deferred", power).items()
    return sorted((it.turn, it.mobilization, brp) for it, brp in found if isinstance(it, Deferred) and brp)


def deferred_from(s: State, power: str, mobilization: str) -> int:
    """What was deferred from one mobilization, used since or not."""
    return -balance(s.ledger, DeferredFrom(power, mobilization))
