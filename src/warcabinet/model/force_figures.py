"""Public figures of mobilization and force pools: what has been mobilized, pools, the turn record track, shipyards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warcabinet.kernel.agenda import Promise
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.ledger import balance, entry
from warcabinet.kernel.rules import Determination
from warcabinet.model import calendar
from warcabinet.model.amounts import count_of, set_balance
from warcabinet.model.events import Determined, EntryPosted, Event, OptionsChanged, Promised, Released
from warcabinet.model.forces import at_account, parse_unit, track_account, unbuilt_account
from warcabinet.model.names import area_named, power_named, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State

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


def _moved_to(s: State, account: str, to: Any) -> list[Event]:
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
    prefix = f"mobilization/{power}/{part}/" if len(rest) > 1 else f"mobilization/{power}/"
    found: list[int] = []
    for account, count in s.books.get("mobilization", {}).items():
        if account.startswith(prefix):
            found += [int(account.rpartition("/")[2])] * count
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
    prefix = f"mobilization/{power}/{part}/"
    known = {account for account in s.books.get("mobilization", {}) if account.startswith(prefix)}
    for account in sorted(known | {f"{prefix}{turn}" for turn in wanted}):
        facts += _moved_to(s, account, wanted.count(int(account.rpartition("/")[2])))
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
    facts: list[Event] = [EntryPosted(entry("set", (track_account(power, turn, unit), count), ("piece/world", -count)))]
    about = calendar.turn_name(turn)
    if not any((it.effect, it.power, it.about) == ("enter_force_pool", power, about) for it in s.agenda.values()):
        due = calendar.moment(turn, calendar.first_step(powers()[power].player))
        made = Promise(f"P{s.promised + 1}", due, "enter_force_pool", "36.353", s.moment, power, about, 0)
        facts.append(Promised(made))
    return facts


def _pool_account(rest: list[str]) -> str:
    power, unit = _parts(rest, "power", "unit")
    return unbuilt_account(power_named(power).power, _unit(unit))


def _track_account(rest: list[str]) -> str:
    power, turn, unit = _parts(rest, "power", "turn", "unit")
    return track_account(power_named(power).power, calendar.parse_turn(turn), _unit(unit))


def _at_account(rest: list[str]) -> str:
    # A place may have dots in its name: the U.S. boxes.
    place, power, unit = _parts([".".join(rest[:-2]), *rest[-2:]], "place", "power", "unit")
    return at_account(power, place_key(place), _unit(unit))


def _shipbuilding_account(rest: list[str]) -> str:
    power = power_named(rest[0] if rest else "").power
    if len(rest) == 1:
        return f"shipbuilding/{power}"
    if len(rest) > 2 or rest[1] not in ("europe", "pacific"):
        raise unknown("theater", ".".join(rest[1:]), ("europe", "pacific"))
    return f"shipbuilding/{power}/{rest[1]}"


def _write_track(s: State, rest: list[str], to: Any) -> list[Event]:
    account = _track_account(rest)
    more = count_of("the number", to) - balance(s.books, account)
    if more <= 0:
        return _moved_to(s, account, to)
    return on_track(s, power_named(rest[0]).power, calendar.parse_turn(rest[1]), rest[2], more)


def _deferment(rest: list[str]) -> tuple[str, int, str]:
    """Power, turn and the name under which a position keeps what was deferred then."""
    *theater, turn = _parts(rest[1:], *(("theater", "turn") if len(rest) > 2 else ("turn",)))
    if theater and theater[0] not in ("europe", "pacific"):
        raise unknown("theater", theater[0], ("europe", "pacific"))
    return power_named(rest[0]).power, calendar.parse_turn(turn), " ".join([*theater, "earlier"])


def _read_deferred(s: State, rest: list[str]) -> int:
    prefix = f"deferred/{power_named(rest[0] if rest else '').power}/"
    if len(rest) > 1:
        prefix += f"{calendar.parse_turn(rest[-1])}/{rest[1] if len(rest) > 2 else ''}"
    return sum(brp for account, brp in s.books.get("deferred", {}).items() if account.startswith(prefix))


def _write_deferred(s: State, rest: list[str], to: Any) -> list[Event]:
    """Set what was deferred in a turn, with the promise that lets it lapse after four more."""
    if len(rest) < 2:
        raise WarCabinetError("say in which turn it was deferred, such as deferred.japan.Fall 1939: 5")
    power, turn, mobilization = _deferment(rest)
    facts = _moved_to(s, f"deferred/{power}/{turn}/{mobilization}", to)
    about = f"{calendar.turn_name(turn)}, mobilization {mobilization}"
    if not any((it.effect, it.power, it.about) == ("deferred_lapse", power, about) for it in s.agenda.values()):
        due = calendar.moment(turn + 5, calendar.first_step(powers()[power].player))
        made = Promise(f"P{s.promised + 1}", due, "deferred_lapse", "36.351", s.moment, power, about, 0)
        facts.append(Promised(made))
    return facts


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


def _oil_account(rest: list[str]) -> str:
    if rest != ["urals"]:
        raise unknown("oil source", ".".join(rest), ("urals",))
    return "oil/urals"


FORCE_READERS: dict[str, Callable[[State, list[str]], Any]] = {
    "mobilizations": _read_mobilizations,
    "pool": lambda s, rest: balance(s.books, _pool_account(rest)),
    "turn_track": lambda s, rest: balance(s.books, _track_account(rest)),
    "at": lambda s, rest: balance(s.books, _at_account(rest)),
    "shipbuilding": lambda s, rest: balance(s.books, _shipbuilding_account(rest)),
    "deferred": _read_deferred,
    "oil": lambda s, rest: balance(s.books, _oil_account(rest)),
    "isolated": _read_isolated,
}
FORCE_WRITERS: dict[str, Callable[[State, list[str], Any], list[Event]]] = {
    "mobilizations": _write_mobilizations,
    "pool": lambda s, rest, to: _moved_to(s, _pool_account(rest), to),
    "turn_track": _write_track,
    "at": lambda s, rest, to: _moved_to(s, _at_account(rest), to),
    "shipbuilding": lambda s, rest, to: _moved_to(s, _shipbuilding_account(rest), to),
    "deferred": _write_deferred,
    "isolated": _write_isolated,
    "oil": lambda s, rest, to: _moved_to(s, _oil_account(rest), to),
}
