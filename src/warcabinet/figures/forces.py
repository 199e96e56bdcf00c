"""Public figures of mobilization and force pools: what has been mobilized, pools, the turn record track, shipyards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import Determination
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Deferred, Mobilization, Oil, Shipbuilding
from warcabinet.model.agenda import Arrival, Deferment, Matter, Promise
from warcabinet.model.amounts import count_of, set_balance, set_units
from warcabinet.model.events import Determined, Event, OptionsChanged, Promised, Released, UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import area_named, power_named, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Track, Where
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit

PARTS = ("whole", "europe", "pacific", "first half", "second half")

FORCE_FIGURES: tuple[tuple[str, str, str, bool], ...] = (
    (
        "mobilizations.<power>.<part>",
        "the turns in which a power has mobilized; part: whole, europe, pacific, first half, second half",
        "mobilizations: {japan: [Fall 1939], usa.europe: [Summer 1940], russia.first half: [Fall 1940]}",
        True,
    ),
    ("pool.<power>.<unit>", "unbuilt units in a force pool", "pool.japan.army air: 3", True),
    (
        "turn_track.<power>.<turn>.<unit>",
        "units on the turn record track, by the turn in which they enter the force pool",
        "turn_track.japan.Fall 1940.army air: 3",
        True,
    ),
    ("at.<place>.<power>.<unit>", "units that stand in a place", "at.Berlin.germany.armor 4-6: 1", True),
    ("shipbuilding.<power>.<theater>", "a shipbuilding rate", "shipbuilding.usa.pacific: 4", True),
    ("deferred.<power>", "BRPs of units deferred from mobilizations, all together", "deferred.japan: 5", False),
    (
        "deferred.<power>.<theater>.<turn>",
        "BRPs of units deferred in one turn; the theater for the U.S. only",
        "deferred.japan.Fall 1939: 5",
        True,
    ),
    ("isolated.<ic>", "since when an industrial center is cut off", "isolated.ic_moscow: Fall 1941", True),
    ("oil.urals", "industrial centers given up for Urals oil", "oil.urals: 1", True),
)


def _unit(text: str) -> str:
    parse_unit(text)
    return text


def _moved_to(s: State, account: Account, to: Any) -> list[Event]:
    """The entry that brings an account to a number."""
    return set_balance(s, account, count_of("the number", to))


def _parts(rest: list[str], *names: str) -> list[str]:
    if len(rest) != len(names):
        raise WarCabinetError(f"write {'.'.join(f'<{name}>' for name in names)} after the first word")
    return rest


def _mobilization(rest: list[str]) -> tuple[str, str]:
    """Power and part of a figure such as `mobilizations.usa.europe`."""
    power = power_named(rest[0] if rest else "").power
    part = rest[1] if len(rest) > 1 else "whole"
    if part not in PARTS or len(rest) > 2:
        raise unknown("part of a mobilization", ".".join(rest[1:]), PARTS)
    return power, part


def _read_mobilizations(s: State, rest: list[str]) -> list[str]:
    power, part = _mobilization(rest)
    found: list[int] = []
    for it, count in s.books.of("mobilization", power).items():
        if isinstance(it, Mobilization) and (len(rest) == 1 or it.part == part):
            found += [it.turn] * count
    return [calendar.turn_name(turn) for turn in sorted(found)]


def _write_mobilizations(s: State, rest: list[str], to: Any) -> list[Event]:
    """Set what was mobilized; the schedule is then kept from there on. `reported` leaves it to reports instead."""
    from msgspec.structs import replace

    if not rest and to in ("reported", "judged", "scheduled"):
        return [OptionsChanged(replace(s.options, mobilization=to))]
    facts: list[Event] = []
    if s.options.mobilization != "scheduled":
        facts.append(OptionsChanged(replace(s.options, mobilization="scheduled")))
    if isinstance(to, dict):
        for path, turns in to.items():
            facts += _write_mobilizations(s, [*rest, *path.split(".")], turns)
        return facts
    power, part = _mobilization(rest)
    if power == "usa" and part not in ("europe", "pacific"):
        raise WarCabinetError(
            "the U.S. mobilizes in a theater: write mobilizations.usa.europe or mobilizations.usa.pacific"
        )
    wanted = _turns_mobilized(s, to)
    made = (it for it in s.books.of("mobilization", power) if isinstance(it, Mobilization) and it.part == part)
    for turn in sorted({it.turn for it in made} | set(wanted)):
        facts += _moved_to(s, Mobilization(power, part, turn), wanted.count(turn))
    return facts


def _turns_mobilized(s: State, to: Any) -> list[int]:
    """Turns as they were written; a bare number means the last so many turns before this one."""
    if isinstance(to, int) and not isinstance(to, bool):
        return [s.turn - ago for ago in range(count_of("the number", to), 0, -1)]
    if not isinstance(to, list):
        raise WarCabinetError("mobilizations are a list of turns, such as [Fall 1939, Winter 1940], or their number")
    return [calendar.parse_turn(str(turn)) for turn in to]


def on_track(s: State, power: str, turn: int, unit: str, count: int) -> list[Event]:
    """The facts that put units on the turn record track of a position, with the promise that brings them in."""
    _unit(unit)
    facts: list[Event] = [UnitsMoved(power, unit, count, OUT_OF_PLAY, Track(turn), "set")]
    return facts + _promised(s, "enter_force_pool", "36.353", turn, power, Arrival(turn))


def _promised(s: State, effect: str, clause: str, turn: int, power: str, of: Matter) -> list[Event]:
    """The promise that a position has for what stands in it, for the start of a power's player turn."""
    if s.agenda.find(effect, about=of.about, power=power):
        return []
    due = calendar.moment(turn, calendar.first_step(powers()[power].player))
    return [Promised(Promise(s.promised + 1, due, effect, clause, s.moment, power, of))]


def _in_pool(rest: list[str]) -> tuple[str, Where, str]:
    power, unit = _parts(rest, "power", "unit")
    return power_named(power).power, UNBUILT, _unit(unit)


def _on_track(rest: list[str]) -> tuple[str, Where, str]:
    power, turn, unit = _parts(rest, "power", "turn", "unit")
    return power_named(power).power, Track(calendar.parse_turn(turn)), _unit(unit)


def _standing(rest: list[str]) -> tuple[str, Where, str]:
    # A place may have dots in its name: the U.S. boxes.
    place, power, unit = _parts([".".join(rest[:-2]), *rest[-2:]], "place", "power", "unit")
    return power, At(place_key(place)), _unit(unit)


def _counted(named: Callable[[list[str]], tuple[str, Where, str]]) -> Callable[[State, list[str]], int]:
    return lambda s, rest: s.pieces.count(*named(rest))


def _set(named: Callable[[list[str]], tuple[str, Where, str]]) -> Callable[[State, list[str], Any], list[Event]]:
    return lambda s, rest, to: set_units(s, *named(rest), count_of("the number", to))


def _shipbuilding(rest: list[str]) -> Shipbuilding:
    power = power_named(rest[0] if rest else "").power
    if len(rest) == 1:
        return Shipbuilding(power)
    if len(rest) > 2 or rest[1] not in ("europe", "pacific"):
        raise unknown("theater", ".".join(rest[1:]), ("europe", "pacific"))
    return Shipbuilding(power, rest[1])


def _write_track(s: State, rest: list[str], to: Any) -> list[Event]:
    more = count_of("the number", to) - s.pieces.count(*_on_track(rest))
    if more <= 0:
        return _set(_on_track)(s, rest, to)
    return on_track(s, power_named(rest[0]).power, calendar.parse_turn(rest[1]), rest[2], more)


def _deferment(rest: list[str]) -> tuple[str, int, str]:
    """Power, turn and the name under which a position keeps what was deferred then."""
    *theater, turn = _parts(rest[1:], *(("theater", "turn") if len(rest) > 2 else ("turn",)))
    if theater and theater[0] not in ("europe", "pacific"):
        raise unknown("theater", theater[0], ("europe", "pacific"))
    return power_named(rest[0]).power, calendar.parse_turn(turn), " ".join([*theater, "earlier"])


def _read_deferred(s: State, rest: list[str]) -> int:
    power = power_named(rest[0] if rest else "").power
    turn = calendar.parse_turn(rest[-1]) if len(rest) > 1 else None
    theater = rest[1] if len(rest) > 2 else ""
    found = ((it, brp) for it, brp in s.books.of("deferred", power).items() if isinstance(it, Deferred))
    return sum(brp for it, brp in found if turn in (None, it.turn) and it.mobilization.startswith(theater))


def _write_deferred(s: State, rest: list[str], to: Any) -> list[Event]:
    """Set what was deferred in a turn, with the promise that lets it lapse after four more."""
    if len(rest) < 2:
        raise WarCabinetError("say in which turn it was deferred, such as deferred.japan.Fall 1939: 5")
    power, turn, mobilization = _deferment(rest)
    facts = _moved_to(s, Deferred(power, turn, mobilization), to)
    return facts + _promised(s, "deferred_lapse", "36.351", turn + 5, power, Deferment(turn, mobilization))


def _read_isolated(s: State, rest: list[str]) -> str:
    found = s.determinations.get("isolated_since", {}).get(area_named(".".join(rest)).area)
    return str(found.value) if found else ""


def _write_isolated(s: State, rest: list[str], to: Any) -> list[Event]:
    area = area_named(".".join(rest))
    if area.kind != "ic":
        raise WarCabinetError(f"{area.name} is no industrial center; write ic_ before the city, such as ic_moscow")
    if not to:
        return [Released("isolated_since", (area.area,))]
    since = calendar.turn_name(calendar.parse_turn(str(to)))
    return [Determined("isolated_since", (area.area,), Determination(since, "37.72", "set", "game"))]


def _oil(rest: list[str]) -> Oil:
    if rest != ["urals"]:
        raise unknown("oil source", ".".join(rest), ("urals",))
    return Oil("urals")


FORCE_READERS: dict[str, Callable[[State, list[str]], Any]] = {
    "mobilizations": _read_mobilizations,
    "pool": _counted(_in_pool),
    "turn_track": _counted(_on_track),
    "at": _counted(_standing),
    "shipbuilding": lambda s, rest: balance(s.books, _shipbuilding(rest)),
    "deferred": _read_deferred,
    "oil": lambda s, rest: balance(s.books, _oil(rest)),
    "isolated": _read_isolated,
}
FORCE_WRITERS: dict[str, Callable[[State, list[str], Any], list[Event]]] = {
    "mobilizations": _write_mobilizations,
    "pool": _set(_in_pool),
    "turn_track": _write_track,
    "at": _set(_standing),
    "shipbuilding": lambda s, rest, to: _moved_to(s, _shipbuilding(rest), to),
    "deferred": _write_deferred,
    "isolated": _write_isolated,
    "oil": lambda s, rest, to: _moved_to(s, _oil(rest), to),
}
