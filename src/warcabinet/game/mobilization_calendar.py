"""The mobilizations to come: when the next ones are due at the latest, and the sheet that lists them.

Nothing of this is stored: tension, war and earlier mobilizations can still change it (36.11).
"""

from __future__ import annotations

import msgspec

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.units import unit_kinds
from warcabinet.rules.common.war_and_peace import player_of, went_to_war
from warcabinet.rules.economy.base import DELAYS
from warcabinet.rules.economy.deferral import MAY_DEFER, deferrable, deferred_brps
from warcabinet.rules.economy.mobilization import in_play, mobilization_brps, mobilization_size
from warcabinet.rules.economy.mobilization_record import begun, half_done, mobilized_now
from warcabinet.rules.economy.mobilization_schedule import (
    AMERICAN,
    AMERICAN_AT_WAR,
    AMERICAN_DATES,
    AMERICAN_LATER,
    AMERICAN_MOMENT,
    ENEMY,
    EUROPEANS,
    TENSION,
    american_mobilizations_left,
    effective_level_stands,
    european_mobilizations,
    free_japanese_mobilizations,
    japan_is_called,
    japanese_tension_call,
    mobilization_due,
    mobilization_open,
    russia_mobilizes_for_war,
    russian_civilian,
    russian_gap,
    russian_idle_factories,
    russian_mobilizations,
    scheduled,
    theaters_of,
)
from warcabinet.rules.economy.mobilized_units import ELIGIBLE
from warcabinet.rules.economy.shipbuilding import INCREASE, increases_open
from warcabinet.rules.economy.spending import war_this_turn
from warcabinet.rules.economy.timing import CALLS, level_was_reached


class Coming(msgspec.Struct, frozen=True):
    """A mobilization that its schedule dates: whose, at what moment at the latest, by which clause."""

    power: str
    theater: str
    moment: int
    clause: str


def coming_mobilizations(s: State) -> list[Coming]:
    """The next mobilization of each power (and American theater) that a date can be given for."""
    if not scheduled(s):
        return []
    found = []
    for power in powers():
        for theater in theaters_of(power):
            dated = _next(s, power, theater) if in_play(s, power, theater) else None
            if dated is not None:
                found.append(Coming(power, theater, *dated))
    return found


def _next(s: State, power: str, theater: str) -> tuple[int, str] | None:
    if power == "usa":
        return _american(s, theater)
    if power == "japan":
        return _japanese(s)
    if power == "russia":
        return _russian(s)
    return _european(s, power) if power in EUROPEANS else None


def _at(s: State, power: str, step: str, turn: int, theater: str = "") -> int:
    """A step of a turn, or of the power's next player turn if that is over or has seen its mobilization."""
    index = calendar.step_index(player_of(power), step)
    soonest = s.turn + 1 if s.step > index or mobilized_now(s, power, theater) else s.turn
    return calendar.moment(max(turn, soonest), index)


def _european(s: State, power: str) -> tuple[int, str] | None:
    if len(begun(s, power)) >= european_mobilizations(s, power):
        return None
    moment = _at(s, power, "start of player turn", calendar.parse_turn(s.options.start))
    in_time = s.options.edition == "prequel" or calendar.split(moment)[0] == calendar.parse_turn(s.options.start)
    return (moment, "36.11A") if in_time else None


def _russian(s: State) -> tuple[int, str] | None:
    start, turns = "start of player turn", russian_civilian(s)
    if half_done(s) is not None:
        return _at(s, "russia", start, s.turn), "36.41A"
    if russian_idle_factories(s) or len(turns) >= russian_mobilizations(s):
        return None
    called = not turns and level_was_reached(s, "rgt", 10)
    if called and s.player == "allied" and not mobilized_now(s, "russia"):
        return s.moment, "36.11B(2)"  # reached within the Allied player turn it is due at once, war or no war
    if russia_mobilizes_for_war(s):
        return _at(s, "russia", start, s.turn), "36.11B(7)"
    if turns:
        gap, clause = russian_gap(len(turns))
        return _at(s, "russia", start, turns[-1] + gap), clause
    return (_at(s, "russia", start, s.turn), "36.11B(2)") if called else None


def _japanese(s: State) -> tuple[int, str] | None:
    start, call = "start of player turn", japanese_tension_call(s)
    if len(begun(s, "japan")) < free_japanese_mobilizations(s) and s.options.edition == "classic":
        return _at(s, "japan", start, s.turn), "36.11C(1)"
    if call not in CALLS:
        return None
    if japan_is_called(s):
        return (_at(s, "japan", start, s.turn) if mobilized_now(s, "japan") else s.moment), "36.11C(2)"
    before = CALLS.index(call)
    latest = calendar.parse_turn(AMERICAN["pacific"][before][1])
    by_date = calendar.moment(latest, calendar.step_index("allied", "end of diplomatic phase"))
    return min(by_date, _corresponding(s, before) or by_date), "36.11C(2)"


def _corresponding(s: State, before: int) -> int | None:
    """When the American Pacific mobilization comes than which Japan is not later, so many before it, if it is dated."""
    dated = _american(s, "pacific") if in_play(s, "usa", "pacific") else None
    before_it = before - len(begun(s, "usa", "pacific"))
    if dated is None or (before_it and not went_to_war(s, "usa", "japan")):
        return None
    turn, step = calendar.split(dated[0])
    return calendar.moment(turn + before_it, step)


def _american(s: State, theater: str) -> tuple[int, str] | None:
    if american_mobilizations_left(s, theater) <= 0:
        return None
    made, step = len(begun(s, "usa", theater)), AMERICAN_MOMENT
    if went_to_war(s, "usa", ENEMY[theater]):
        return _at(s, "usa", step, s.turn, theater), AMERICAN_AT_WAR[theater]
    if made >= 3:
        return _at(s, "usa", step, s.turn, theater), AMERICAN_LATER[theater]
    clause, date = AMERICAN[theater][made]
    called = effective_level_stands(s, theater, 10 * (made + 1))
    return _at(s, "usa", step, s.turn if called else calendar.parse_turn(date), theater), clause


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
        found.append(Arrival(name, "36.34", INCREASE, "piece", calendar.turn_name(s.turn)))
    return found


def types_open_to(power: str) -> list[str]:
    """The types that a power's mobilizations may ever bring: Russia has its own list, transports are American."""
    barred = {"russia": ("naval air", "mechanized infantry", "transport"), "usa": ()}.get(power, ("transport",))
    return [name for name in ELIGIBLE if name not in barred]


def _may_mobilize(s: State, power: str, kind: str) -> bool:
    """Whether a type is open to a power now: transports need war."""
    in_time = kind != "transport" or any(war_this_turn(s, enemy) for enemy in ENEMY.values())
    return in_time and kind in types_open_to(power)
