"""What has been mobilized so far: how often, when, and which units. All of it is read from the ledger.

A mobilization is an entry in `mobilization/<power>/<part>/<turn>`; the part is `whole`, a theater of the United
States, or one of the two halves of a Russian peacetime mobilization. Units and shipbuilding increases come from
accounts that name the mobilization, so what each one brought can be looked up for ever.
"""

from __future__ import annotations

from warcabinet.kernel.ledger import balance
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import Mobilize, ReportProduction
from warcabinet.model.forces import kind_name
from warcabinet.model.state import State
from warcabinet.rules.kinds import value

BEGINNINGS = ("whole", "first half", "europe", "pacific")
THEATERS = ("europe", "pacific")


def turns_mobilized(s: State, power: str, *parts: str) -> list[int]:
    """The turns in which a power mobilized (the given parts), one for each time, in order."""
    found: list[int] = []
    prefix = f"mobilization/{power}/"
    for account, count in s.books.get("mobilization", {}).items():
        if account.startswith(prefix):
            part, _, turn = account.removeprefix(prefix).rpartition("/")
            if not parts or part in parts:
                found += [int(turn)] * count
    return sorted(found)


def begun(s: State, power: str, theater: str = "") -> list[int]:
    """The turns in which mobilizations began, in one theater or all together."""
    return turns_mobilized(s, power, *((theater,) if theater else BEGINNINGS))


@value("36.11", "How many mobilizations a power has made (in one theater of the United States)")
def mobilizations_made(s: State, power: str, theater: str) -> int:
    turns = begun(s, power, theater)
    note("turns_mobilized", "36.11", tuple(calendar.turn_name(turn) for turn in turns), power, theater)
    return len(turns)


def mobilized_now(s: State, power: str, theater: str = "") -> bool:
    """Whether the power (in this theater) has mobilized in the game turn under way, in part or whole."""
    parts = (theater,) if theater else ()
    return s.turn in turns_mobilized(s, power, *parts)


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


def unit_source(power: str, mobilization: str, unit: str) -> str:
    """The account that mobilized units come from: minus how many of them this mobilization brought."""
    return f"piece/source/{power}/{mobilization}/{unit}"


def units_from(s: State, power: str, mobilization: str = "") -> dict[str, int]:
    """The units that one mobilization brought so far; without a name, all mobilizations together."""
    found: dict[str, int] = {}
    prefix = f"piece/source/{power}/"
    for account, count in s.books.get("piece", {}).items():
        if account.startswith(prefix):
            which, _, unit = account.removeprefix(prefix).partition("/")
            if mobilization in ("", which):
                found[unit] = found.get(unit, 0) - count
    return found


DEFERRED = "deferred "
_AND = " and "


def deferred_name(mobilizations: list[str]) -> str:
    """The name in the accounts of units that come from what some mobilizations deferred."""
    return DEFERRED + _AND.join(mobilizations)


def brought_by(s: State, power: str, mobilization: str) -> dict[str, int]:
    """The units of one mobilization, those that came later from what it deferred included."""
    found = units_from(s, power, mobilization)
    prefix = f"piece/source/{power}/{DEFERRED}"
    for account, count in s.books.get("piece", {}).items():
        if account.startswith(prefix):
            which, _, unit = account.removeprefix(prefix).partition("/")
            if mobilization in which.split(_AND):
                found[unit] = found.get(unit, 0) - count
    return found


def of_kind(units: dict[str, int], *kinds: str) -> int:
    """How many of these units are of certain types."""
    return sum(count for unit, count in units.items() if kind_name(unit) in kinds)


def shipbuilding_account(power: str, theater: str = "") -> str:
    return f"shipbuilding/{power}/{theater}" if theater else f"shipbuilding/{power}"


def increases_from(s: State, power: str, mobilization: str) -> int:
    """Shipbuilding increases that one mobilization brought."""
    return -balance(s.books, f"shipbuilding/source/{power}/{mobilization}")


def increases_mobilized(s: State, power: str) -> int:
    """Shipbuilding increases that all mobilizations of a power brought."""
    prefix = f"shipbuilding/source/{power}/"
    found = s.books.get("shipbuilding", {}).items()
    return -sum(n for account, n in found if account.startswith(prefix) and not account.endswith("/production"))


def deferred_account(power: str, turn: int, mobilization: str) -> str:
    return f"deferred/{power}/{turn}/{mobilization}"


def deferrals(s: State, power: str) -> list[tuple[int, str, int]]:
    """BRPs of units that wait to be triggered: the turn of deferment, the mobilization, the BRPs; oldest first."""
    prefix = f"deferred/{power}/"
    found = []
    for account, brp in s.books.get("deferred", {}).items():
        if account.startswith(prefix) and brp > 0:
            turn, _, mobilization = account.removeprefix(prefix).partition("/")
            found.append((int(turn), mobilization, brp))
    return sorted(found)


def deferred_from(s: State, power: str, mobilization: str) -> int:
    """What was deferred from one mobilization, used since or not."""
    return -balance(s.books, f"deferred/source/{power}/{mobilization}")
