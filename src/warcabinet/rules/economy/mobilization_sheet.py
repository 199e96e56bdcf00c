"""What a power can mobilize now, and when each type of unit would enter its force pool: rows for offers and pages."""

from __future__ import annotations

import msgspec

from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.model.units import unit_kinds
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.economy.deferral import MAY_DEFER, deferrable, deferred_brps
from warcabinet.rules.economy.mobilization import mobilization_brps, mobilization_size
from warcabinet.rules.economy.mobilization_record import begun, half_done
from warcabinet.rules.economy.mobilization_schedule import (
    AMERICAN_DATES,
    ENEMY,
    EUROPEANS,
    TENSION,
    american_mobilizations_left,
    effective_level_stands,
    european_mobilizations,
    free_japanese_mobilizations,
    japanese_tension_call,
    mobilization_due,
    mobilization_open,
    russia_mobilizes_for_war,
    russian_civilian,
    russian_gap,
    russian_mobilizations,
    theaters_of,
)
from warcabinet.rules.economy.mobilized_units import ELIGIBLE
from warcabinet.rules.economy.payers import war_this_turn
from warcabinet.rules.economy.shipbuilding import increases_open, shipbuilding_worth
from warcabinet.rules.economy.turn_track import DELAYS


class Arrival(msgspec.Struct, frozen=True):
    """A type of unit: its clause, its cost, and the turn in which it would enter the force pool."""

    type: str
    clause: str
    cost: int
    per: str
    arrives: str


class Sheet(msgspec.Struct, frozen=True):
    """A power's mobilization as it stands: whether it is open or due, what it adds, and what it can bring."""

    power: str
    theater: str
    due: bool
    open: bool
    next: str
    base: int
    size: int
    defer: int
    deferred: int
    arrivals: tuple[Arrival, ...]


def mobilization_sheets(s: State, power: str) -> list[Sheet]:
    """One sheet for a power, two for the United States."""
    return [_sheet(s, power, theater) for theater in theaters_of(power)]


def _sheet(s: State, power: str, theater: str) -> Sheet:
    return Sheet(
        power,
        theater,
        mobilization_due(s, power, theater),
        mobilization_open(s, power, theater),
        next_call(s, power, theater),
        mobilization_brps(s, power),
        mobilization_size(s, power),
        max(0, deferrable(s, power, theater)) if power in MAY_DEFER else 0,
        deferred_brps(s, power),
        tuple(_arrivals(s, power, theater)),
    )


def next_call(s: State, power: str, theater: str) -> str:
    """In words, what calls for a power's next mobilization; empty when none is left."""
    made = len(begun(s, power, theater))
    if power == "usa":
        return _american_call(s, theater, made)
    if power == "japan":
        free = made < free_japanese_mobilizations(s)
        return "the first turn, one a turn" if free else _japanese_call(japanese_tension_call(s))
    if power == "russia":
        return _russian_call(s)
    left = european_mobilizations(s, power) - made if power in EUROPEANS else 0
    return f"{s.options.start}, one a turn" if left > 1 else s.options.start if left else ""


def _japanese_call(level: int) -> str:
    if level > 30:
        return ""
    return f"USJT {level}, or the American one by {AMERICAN_DATES['pacific'][level // 10 - 1]}"


def _american_call(s: State, theater: str, made: int) -> str:
    if american_mobilizations_left(s, theater) <= 0:
        return ""
    if made >= 3 or went_to_war(s, "usa", ENEMY[theater]):
        return "every turn"
    if effective_level_stands(s, theater, 10 * (made + 1)):
        return f"effective {TENSION[theater].upper()} {10 * (made + 1)}, which has been reached"
    return f"effective {TENSION[theater].upper()} {10 * (made + 1)}, or {AMERICAN_DATES[theater][made]}"


def _russian_call(s: State) -> str:
    turns = russian_civilian(s)
    if half_done(s) is not None:
        return "the second half, next turn"
    if len(turns) >= russian_mobilizations(s):
        return ""
    if russia_mobilizes_for_war(s):
        return "every turn"
    return calendar.turn_name(turns[-1] + russian_gap(len(turns))[0]) if turns else "RGT 10"


def _arrivals(s: State, power: str, theater: str) -> list[Arrival]:
    """Each type that the power may mobilize now, shipbuilding last, with the turn in which it would arrive."""
    found = []
    for name, clause in ELIGIBLE.items():
        if _may_mobilize(s, power, name):
            kind = unit_kinds()[name]
            found.append(Arrival(name, clause, kind.cost, kind.per, calendar.turn_name(s.turn + DELAYS[name][0])))
    if increases := increases_open(s, power, theater):
        name = f"shipbuilding, up to {increases}"
        found.append(Arrival(name, "36.34", shipbuilding_worth(s, 1), "piece", calendar.turn_name(s.turn)))
    return found


def types_open_to(power: str) -> list[str]:
    """The types that a power's mobilizations may ever bring: Russia has its own list, transports are American."""
    barred = {"russia": ("naval air", "mechanized infantry", "transport"), "usa": ()}.get(power, ("transport",))
    return [name for name in ELIGIBLE if name not in barred]


def _may_mobilize(s: State, power: str, kind: str) -> bool:
    """Whether a type is open to a power now: transports need war."""
    in_time = kind != "transport" or any(war_this_turn(s, enemy) for enemy in ENEMY.values())
    return in_time and kind in types_open_to(power)
