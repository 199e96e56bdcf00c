"""Positions: how a game, a conformance case or a table that moves over is set up.

A position is a list of facts through the same door as a referee's correction: an amount is an opening entry,
control a `ControlChanged`. Effects do not run; the frames of turn and phase open when it is complete.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from warcabinet.kernel.agenda import Promise
from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.ledger import entry
from warcabinet.kernel.rules import RULES, Determination, Due
from warcabinet.kernel.tables import Document, read_document, read_yaml
from warcabinet.model import calendar
from warcabinet.model.apply import apply, blank
from warcabinet.model.arguments import check_arguments, check_result
from warcabinet.model.events import (
    ControlChanged,
    Determined,
    EntryPosted,
    Event,
    GameStarted,
    Promised,
)
from warcabinet.model.figures import correction, with_memo
from warcabinet.model.force_figures import on_track
from warcabinet.model.forces import parse_unit
from warcabinet.model.names import DATA, areas, nation_named, power_named
from warcabinet.model.places import place_key
from warcabinet.model.state import Options, State


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure of a scenario with its source; `reading` limits it to a reading of a ruling.

    `carries` says that this line is all there is to do for the clause that it names as its source; `passing` that it
    holds in the first turn only, and not in positions of later turns.
    """

    set: str
    to: Any
    source: str
    reading: str = ""
    carries: bool = False
    passing: bool = False


class AgendaLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clause: str
    due: str
    power: str
    about: str = ""
    brp: int | None = None
    effect: str = ""


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    turn: str
    figures: tuple[Line, ...] = ()
    options: dict[str, Any] = {}
    choices: dict[str, str] = {}
    agenda: tuple[AgendaLine, ...] = ()


@cache
def scenarios() -> dict[str, Scenario]:
    found = (read_yaml(path, Scenario) for path in (DATA / "scenarios").iterdir() if path.name.endswith(".yaml"))
    return {scenario.name: scenario for scenario in sorted(found, key=lambda it: it.name)}


def scenario_named(name: str) -> Scenario:
    found = scenarios().get(name)
    if found is None:
        raise unknown("scenario", name, scenarios())
    return found


class PoolLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nation: str
    type: str
    strength: str = ""
    count: int = 1
    unbuilt: bool = True
    arrives: str = ""

    @property
    def unit(self) -> str:
        return f"{self.type} {self.strength}".strip()


class UnitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nation: str
    type: str
    at: str
    strength: str = ""
    count: int = 1

    @property
    def unit(self) -> str:
        return f"{self.type} {self.strength}".strip()


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a position file or the `given` of a case may say."""

    scenario: str = "empty"
    turn: str = ""
    player: str = ""
    phase: str = ""
    set: dict[str, Any] = {}
    earlier: dict[str, Any] = {}
    agenda: tuple[AgendaLine, ...] = ()
    options: dict[str, Any] = {}
    readings: dict[str, str] = {}
    referee: tuple[dict[str, Any], ...] = ()
    pools: tuple[PoolLine, ...] = ()
    units: tuple[UnitLine, ...] = ()


class UnsetFigure(WarCabinetError):
    """A line of a position that cannot be set, and where in the file it stands."""

    def __init__(self, path: tuple[str, ...], error: WarCabinetError) -> None:
        super().__init__(str(error))
        self.path = path


class Setup:
    """Facts being gathered, with the state that they make so far."""

    def __init__(self) -> None:
        self.state = blank()
        self.facts: list[tuple[Event, str]] = []

    def do(self, *facts: Event, clause: str = "WC.8") -> None:
        for fact in facts:
            self.state = apply(self.state, fact)
            self.facts.append((fact, clause))

    def set(self, path: str, to: Any, source: str = "", carries: bool = False) -> None:
        memo = f"at the start: {source}" if source else "at the start"
        self.do(*with_memo(correction(self.state, path, to), memo), clause=cite(source) if carries else "WC.8")


def set_up(position: Position) -> tuple[State, list[tuple[Event, str]]]:
    """The state that a position describes, and the facts that make it, each with its clause."""
    setup = Setup()
    scenario = scenario_named(position.scenario)
    turn, step = _moment(position, scenario)
    options = _options(position, scenario)
    setup.do(GameStarted(scenario.name, options, turn, step))
    for ruling, choice in position.readings.items():
        setup.set(f"readings.{ruling}", choice)
    _set_figures(setup, scenario, position)
    _set_rulings(setup, position)
    _set_forces(setup, position)
    now = calendar.moment(turn, step)
    for line in (*(it for it in scenario.agenda if calendar.parse_moment(it.due) > now), *position.agenda):
        setup.do(_promise(setup.state, line))
    _open_frames(setup, position, GameStarted(scenario.name, setup.state.options, turn, step))
    return setup.state, setup.facts


def _moment(position: Position, scenario: Scenario) -> tuple[int, int]:
    turn = calendar.parse_turn(position.turn or position.options.get("start") or scenario.turn)
    if not (position.turn or position.player) and calendar.season(turn) == calendar.SPRING:
        # War broke out in a winter turn: the game opens with the year start that comes next (35.11).
        return turn - 1, calendar.last_step("allied")
    part = (position.player or "axis").strip().casefold()
    if part not in (*calendar.PLAYERS, "year start"):
        raise unknown("player", part, calendar.PLAYERS)
    step = calendar.step_index(part, position.phase) if position.phase else calendar.first_step(part)
    return turn, step


def _options(position: Position, scenario: Scenario) -> Options:
    raw = {"start": scenario.turn, **scenario.options, **position.options}
    if _history_unknown(position, scenario):
        told = any(path.split(".")[0] == "mobilizations" for path in position.set)
        kept = {"mobilization"} if told else set()
        raw |= {name: "reported" for name in ("mobilization", "declarations") if name not in {*position.options, *kept}}
    try:
        options = msgspec.convert(raw, Options)
        calendar.parse_turn(options.start)
        return options
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"options: {error}; known are {', '.join(Options.__struct_fields__)}") from None


def _history_unknown(position: Position, scenario: Scenario) -> bool:
    """A position later than its scenario leaves what was mobilized and declared until then to reports."""
    start = position.options.get("start") or scenario.turn
    return bool(position.turn) and calendar.parse_turn(position.turn) != calendar.parse_turn(start)


def _set_figures(setup: Setup, scenario: Scenario, position: Position) -> None:
    later = _history_unknown(position, scenario)
    for line in scenario.figures:
        if line.passing and later:
            continue
        ruling, _, letter = line.reading.partition("/")
        if not ruling or position.readings.get(ruling, scenario.choices.get(ruling)) == letter:
            setup.set(line.set, line.to, line.source, line.carries)
    late = _places(position.earlier.get("control", {}))
    for path, to in position.set.items():
        if path == "control" and late:
            to = {by: [it for it in places if place_key(str(it)) not in late] for by, places in to.items()}
        _set_line(setup, "set", path, to)
    for path, to in position.earlier.items():
        _set_line(setup, "earlier", path, to)


def _set_line(setup: Setup, part: str, path: str, to: Any) -> None:
    try:
        setup.set(path, to)
    except WarCabinetError as error:
        raise UnsetFigure((part, path), error) from None


def _places(control: dict[str, list[str]]) -> set[str]:
    return {place_key(str(place)) for places in control.values() for place in places}


def _open_frames(setup: Setup, position: Position, start: GameStarted) -> None:
    """The frames open on what stood earlier; what has changed hands since is applied inside them."""
    setup.do(start)
    late = _places(position.earlier.get("control", {}))
    for by, places in position.set.get("control", {}).items() if late else ():
        changed = tuple(place_key(str(place)) for place in places if place_key(str(place)) in late)
        if changed:
            setup.do(ControlChanged(changed, power_named(by).power))


def _set_rulings(setup: Setup, position: Position) -> None:
    for line in position.referee:
        names = [name for name in line if name != "is"]
        if len(names) != 1 or "is" not in line:
            raise WarCabinetError("a referee's line is written {<rule>: [arguments], is: <result>}")
        rule = RULES.values().get(names[0])
        if rule is None:
            raise unknown("value or definition", names[0], RULES.values())
        args = line[names[0]]
        named = args if not isinstance(args, dict) else [args[parameter] for parameter in rule.parameters]
        check_arguments(rule.name, named)
        check_result(rule.name, line["is"])
        fixed = Determination(line["is"], "", "referee: given with the position", "game")
        setup.do(Determined(rule.name, tuple(map(str, named)), fixed))


def _set_forces(setup: Setup, position: Position) -> None:
    for line in position.pools:
        parse_unit(line.unit)
        if line.arrives:
            turn = calendar.parse_turn(line.arrives)
            setup.do(*on_track(setup.state, power_named(line.nation).power, turn, line.unit, line.count))
            continue
        where = "unbuilt" if line.unbuilt else "built"
        account = f"piece/{nation_named(line.nation)}/{where}/{line.unit}"
        setup.do(EntryPosted(entry("set", (account, line.count), ("piece/world", -line.count))))
    for placed in position.units:
        parse_unit(placed.unit)
        account = f"piece/{nation_named(placed.nation)}/at/{place_key(placed.at)}/{placed.unit}"
        setup.do(EntryPosted(entry("set", (account, placed.count), ("piece/world", -placed.count))))


def _promise(s: State, line: AgendaLine) -> Promised:
    fitting = [
        rule
        for rule in RULES.by_clause.get(line.clause, [])
        if isinstance(rule, Due) and line.effect in ("", rule.name) and (not line.brp or line.brp * rule.sign > 0)
    ]
    if len(fitting) != 1:
        known = [rule.name for rule in RULES.by_name.values() if isinstance(rule, Due)]
        raise WarCabinetError(
            f"agenda: {len(fitting)} effects of clause {line.clause} fit; say `effect:` (one of {', '.join(known)})"
        )
    rule = fitting[0]
    if line.about and line.about not in areas():
        raise unknown("area", line.about, areas())
    worth = areas()[line.about].brp * rule.sign if line.about else 0
    brp = worth if line.brp is None else line.brp
    power = power_named(line.power).power
    due = calendar.parse_moment(line.due)
    return Promised(Promise(f"P{s.promised + 1}", due, rule.name, rule.clause, s.moment, power, line.about, brp))


def read_position(source: Any) -> Position:
    """A position from a YAML file."""
    document: Document = read_document(source)
    return document.convert(Position)
