"""Figures of mobilization and industry: what was mobilized and deferred, shipyards, industrial centers, Urals oil."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from warcabinet.figures.amounts import count_of, pieces_of, set_balance
from warcabinet.figures.figure import Figure
from warcabinet.figures.unit_figures import set_promise
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import Determination
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Deferred, Mobilization, Oil, Shipbuilding
from warcabinet.model.agenda import Deferment
from warcabinet.model.events import Determined, Event, OptionsChanged, Released
from warcabinet.model.names import among
from warcabinet.model.state import State
from warcabinet.rules.common.books import account_balance
from warcabinet.rules.economy.deferral import deferred_lapse
from warcabinet.rules.economy.industrial_centers import isolated_since


def _set_account(s: State, account: Account, to: Any) -> list[Event]:
    return set_balance(s, account, count_of("the number", to))


_way = among("way to keep mobilizations", lambda: ("scheduled", "judged", "reported"))


def _set_way(s: State, to: Any) -> list[Event]:
    return [OptionsChanged(replace(s.options, mobilization=_way(str(to))))]


def _made(s: State, power: str) -> dict[Mobilization, int]:
    return {it: n for it, n in s.ledger.of("mobilization", power).items() if isinstance(it, Mobilization)}


def _read_all(s: State, power: str) -> list[str]:
    return _turn_names([it.turn for it, count in _made(s, power).items() for _ in range(count)])


def _read_part(s: State, power: str, part: str) -> list[str]:
    return _turn_names([it.turn for it, count in _made(s, power).items() if it.part == part for _ in range(count)])


def _turn_names(turns: list[int]) -> list[str]:
    return [calendar.turn_name(turn) for turn in sorted(turns)]


def _set_whole(s: State, power: str, to: Any) -> list[Event]:
    return _set_part(s, power, "whole", to)


def _set_part(s: State, power: str, part: str, to: Any) -> list[Event]:
    """Set what was mobilized; the schedule is then kept from there on."""
    if power == "usa" and part not in ("europe", "pacific"):
        raise WarCabinetError(
            "the U.S. mobilizes in a theater: write mobilizations.usa.europe or mobilizations.usa.pacific"
        )
    facts: list[Event] = [] if s.options.mobilization == "scheduled" else _set_way(s, "scheduled")
    wanted = _turns_mobilized(s, to)
    for turn in sorted({it.turn for it in _made(s, power) if it.part == part} | set(wanted)):
        facts += _set_account(s, Mobilization(power, part, turn), wanted.count(turn))
    return facts


def _turns_mobilized(s: State, to: Any) -> list[int]:
    """Turns as they were written; a bare number means the last so many turns before this one."""
    if isinstance(to, int) and not isinstance(to, bool):
        return [s.turn - ago for ago in range(pieces_of("the number", to), 0, -1)]
    if not isinstance(to, list):
        raise WarCabinetError("mobilizations are a list of turns, such as [Fall 1939, Winter 1940], or their number")
    return [calendar.parse_turn(str(turn)) for turn in to]


def _deferred(s: State, power: str, turn: str = "", theater: str = "") -> int:
    when = calendar.parse_turn(turn) if turn else None
    found = ((it, brp) for it, brp in s.ledger.of("deferred", power).items() if isinstance(it, Deferred))
    return sum(brp for it, brp in found if when in (None, it.turn) and it.mobilization.startswith(theater))


def _set_deferred(s: State, power: str, turn: str, to: Any) -> list[Event]:
    return _defer(s, power, turn, "earlier", to)


def _set_deferred_there(s: State, power: str, theater: str, turn: str, to: Any) -> list[Event]:
    return _defer(s, power, turn, f"{theater} earlier", to)


def _defer(s: State, power: str, turn: str, mobilization: str, to: Any) -> list[Event]:
    """What was deferred in a turn, under a name that a position gives it, with the promise that lets it lapse."""
    when = calendar.parse_turn(turn)
    facts = _set_account(s, Deferred(power, when, mobilization), to)
    return facts + set_promise(s, deferred_lapse, when + 5, power, Deferment(when, mobilization))


def _read_isolated(s: State, ic: str) -> str:
    found = s.determinations.get(isolated_since.name, {}).get(ic)
    return str(found.value) if found else ""


def _set_isolated(s: State, ic: str, to: Any) -> list[Event]:
    if not to:
        return [Released(isolated_since.name, (ic,))]
    since = calendar.turn_name(calendar.parse_turn(str(to)))
    return [Determined(isolated_since.name, (ic,), Determination(since, isolated_since.clause, "set", "game"))]


ROWS = (
    Figure(
        "mobilizations",
        "whether mobilizations are kept by their schedule, judged, or left to reports; or those of several powers",
        "mobilizations: {japan: [Fall 1939], usa.europe: [Summer 1940], russia.first half: [Fall 1940]}",
        lambda s: s.options.mobilization,
        _set_way,
    ),
    Figure(
        "mobilizations.<power>",
        "the turns in which a power has mobilized (set: as a whole)",
        "mobilizations.japan: [Fall 1939]",
        _read_all,
        _set_whole,
    ),
    Figure(
        "mobilizations.<power>.<part>",
        "the same for a part: whole, europe, pacific, first half, second half",
        "mobilizations.usa.europe: [Summer 1940]",
        _read_part,
        _set_part,
    ),
    Figure(
        "deferred.<power>",
        "BRPs of units deferred from mobilizations, all together",
        "deferred.japan: 5",
        lambda s, power: _deferred(s, power),
        "say in which turn it was deferred, such as deferred.japan.Fall 1939: 5",
    ),
    Figure(
        "deferred.<power>.<turn>",
        "BRPs of units deferred in one turn",
        "deferred.japan.Fall 1939: 5",
        lambda s, power, turn: _deferred(s, power, turn),
        _set_deferred,
    ),
    Figure(
        "deferred.<power>.<theater>.<turn>",
        "the same in one theater, for the U.S. only",
        "deferred.usa.pacific.Fall 1941: 5",
        lambda s, power, theater, turn: _deferred(s, power, turn, theater),
        _set_deferred_there,
    ),
    Figure(
        "shipbuilding.<power>",
        "a shipbuilding rate",
        "shipbuilding.japan: 3",
        lambda s, power: account_balance(s, Shipbuilding(power)),
        lambda s, power, to: _set_account(s, Shipbuilding(power), to),
    ),
    Figure(
        "shipbuilding.<power>.<theater>",
        "the shipbuilding rate in one theater, for the U.S.",
        "shipbuilding.usa.pacific: 4",
        lambda s, power, theater: account_balance(s, Shipbuilding(power, theater)),
        lambda s, power, theater, to: _set_account(s, Shipbuilding(power, theater), to),
    ),
    Figure(
        "isolated.<ic>",
        "since when an industrial center is cut off",
        "isolated.ic_moscow: Fall 1941",
        _read_isolated,
        _set_isolated,
        rule=isolated_since.name,
    ),
    Figure(
        "oil.urals",
        "industrial centers given up for Urals oil",
        "oil.urals: 1",
        lambda s: account_balance(s, Oil("urals")),
        lambda s, to: _set_account(s, Oil("urals"), to),
    ),
)
