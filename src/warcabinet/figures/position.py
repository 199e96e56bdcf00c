"""Positions: how a game, a conformance case or a table that moves over is set up.

A position is a list of facts through the same door as a referee's correction: an amount is an opening entry,
control a `ControlChanged`. Effects do not run; the frames of turn and phase open when it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Annotated, Any

import msgspec

from warcabinet.figures.arguments import check_arguments, check_result, listed_arguments, spellings
from warcabinet.figures.changes import changed
from warcabinet.figures.control import places_meant
from warcabinet.figures.countries import lost_first
from warcabinet.figures.options import check_start, off_the_boards, options_from
from warcabinet.figures.table import correction, in_whole, with_memo
from warcabinet.figures.unit_figures import on_track
from warcabinet.kernel.clause import cite
from warcabinet.kernel.effects import Due
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES, Determination
from warcabinet.kernel.tables import Document, read_csv, read_document, read_yaml
from warcabinet.model import calendar
from warcabinet.model.accounts import Brp
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.apply import apply, blank
from warcabinet.model.communist_china import listed_hexes
from warcabinet.model.events import (
    ControlChanged,
    Determined,
    Event,
    GameStarted,
    Promised,
    UnitsMoved,
)
from warcabinet.model.happenings import Inverted, befell
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import balance
from warcabinet.model.names import DATA, areas, nation_named, power_named, powers
from warcabinet.model.pieces import BUILT, OUT_OF_PLAY, UNBUILT, At
from warcabinet.model.places import holder_named, place_key
from warcabinet.model.state import Options, State
from warcabinet.model.traits import home_hexes
from warcabinet.model.units import MOST_UNITS, check_units, parse_unit
from warcabinet.rules.china.territory import COMMUNISTS, NATIONALISTS
from warcabinet.rules.economy.base import year_start_total


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure of a scenario with its source; `reading` limits it to a reading of a ruling, `since` to later starts.

    `carries` says that this line is all there is to do for the clause that it names as its source; `passing` that it
    holds in the first turn only, and not in positions of later turns.
    """

    set: str
    to: Any
    source: str
    reading: str = ""
    since: str = ""
    carries: bool = False
    passing: bool = False


class DueLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    agenda: tuple[DueLine, ...] = ()
    forces: str = ""


@cache
def scenarios() -> dict[str, Scenario]:
    found = (read_yaml(path, Scenario) for path in (DATA / "scenarios").iterdir() if path.name.endswith(".yaml"))
    return {scenario.name: scenario for scenario in sorted(found, key=lambda it: it.name)}


def scenario_named(name: str) -> Scenario:
    found = scenarios().get(name)
    if found is None:
        raise unknown("scenario", name, scenarios())
    return found


Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_UNITS)]


class ForceLine(msgspec.Struct, frozen=True):
    """Units with which a scenario starts: at a place, unbuilt in a force pool, or later on the turn record track."""

    nation: str
    unit: Unit
    count: Count
    at: str
    arrives: str
    source: str
    only: str = ""

    def stands(self, options: Options) -> bool:
        """Whether the line counts with these options: `only` names one and its values, of which `2+` is two or more."""
        option, *values = self.only.split(" ")
        if not option:
            return True
        given = int(getattr(options, option))
        return any(given >= int(it[:-1]) if it.endswith("+") else given == int(it) for it in values)


@cache
def starting_forces(scenario: str) -> tuple[ForceLine, ...]:
    """The forces with which a scenario starts; most of them are assumed, and each line says so."""
    named = scenario_named(scenario).forces
    return tuple(read_csv(DATA / "scenarios" / named, ForceLine)) if named else ()


class PoolLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nation: str
    type: str
    strength: str = ""
    count: Count = 1
    unbuilt: bool = True
    arrives: str = ""

    @property
    def unit(self) -> Unit:
        return Unit(f"{self.type} {self.strength}".strip())


class UnitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nation: str
    type: str
    at: str
    strength: str = ""
    count: Count = 1
    inverted: bool = False

    @property
    def unit(self) -> Unit:
        return Unit(f"{self.type} {self.strength}".strip())


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a position file or the `given` of a case may say."""

    scenario: str = "empty"
    turn: str = ""
    player: str = ""
    phase: str = ""
    set: dict[str, Any] = {}
    earlier: dict[str, Any] = {}
    agenda: tuple[DueLine, ...] = ()
    options: dict[str, Any] = {}
    readings: dict[str, str] = {}
    referee: tuple[dict[str, Any], ...] = ()
    pools: tuple[PoolLine, ...] = ()
    units: tuple[UnitLine, ...] = ()
    #: Where figures of `set` come from: our ledger of 12 May. One without a source is assumed.
    sources: dict[str, str] = {}


class UnsetFigure(WarCabinetError):
    """A line of a position that cannot be set, and where in the file it stands."""

    def __init__(self, path: tuple[str | int, ...], error: WarCabinetError) -> None:
        super().__init__(str(error))
        self.path = path


#: The options by which a table keeps the books alone.
BOOKS_ALONE = {"forces": "counted", "set_up": "reported"}


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
        figure, value = in_whole(self.state, path, to)
        self.do(*with_memo(correction(self.state, figure, value), memo), clause=cite(source) if carries else "WC.8")


def set_up(position: Position) -> tuple[State, list[tuple[Event, str]]]:
    """The state that a position describes, and the facts that make it, each with its clause."""
    setup = Setup()
    scenario = scenario_named(position.scenario)
    turn, step = _moment(position, scenario)
    options = _options(position, scenario, turn)
    setup.do(GameStarted(scenario.name, options, turn, step))
    for ruling, choice in position.readings.items():
        _set_line(setup, "readings", f"readings.{ruling}", choice)
    _divide_china(setup)
    _set_figures(setup, scenario, position)
    _fix_totals(setup)
    _set_rulings(setup, position)
    if options.counted and _says_its_forces(position, scenario):
        setup.do(*off_the_boards(setup.state, OUT_OF_PLAY))
    elif options.forces in ("listed", "counted"):
        _start_with(setup, starting_forces(scenario.name))
    _set_forces(setup, position)
    if options.counted:
        setup.do(*off_the_boards(setup.state), clause="WC.29")
    now = calendar.moment(turn, step)
    for line in (it for it in _due_in(scenario, setup.state.options) if calendar.parse_moment(it.due) > now):
        setup.do(_promise(setup.state, line))
    for index, line in enumerate(position.agenda):
        with _in_line("agenda", index):
            setup.do(_promise(setup.state, line))
    _open_frames(setup, position, GameStarted(scenario.name, setup.state.options, turn, step))
    return setup.state, setup.facts


def _due_in(scenario: Scenario, options: Options) -> list[DueLine]:
    """What is due in a scenario; where it may begin in any turn, a line says `start` for the first one."""
    first = f"{options.start},"
    return [msgspec.structs.replace(it, due=it.due.replace("start,", first)) for it in scenario.agenda]


def _divide_china(setup: Setup) -> None:
    """Where the prequel left Communist China other hexes than the board shows, each side has its own (79.21)."""
    left = listed_hexes(setup.state.options.communist_hexes)
    if not left or setup.state.options.edition != "prequel":
        return
    given_up = tuple(key for key in home_hexes(COMMUNISTS) if key not in left)
    for keys, by in ((tuple(sorted(left)), COMMUNISTS), (given_up, NATIONALISTS)):
        if keys:
            setup.do(ControlChanged(keys, by), clause="79.21")


def _moment(position: Position, scenario: Scenario) -> tuple[int, int]:
    text = position.turn or str(position.options.get("start", "")) or scenario.turn
    turn, step = calendar.split(calendar.parse_moment(text))
    if not calendar.FIRST_YEAR <= calendar.year(turn) <= calendar.LAST_YEAR:
        years = f"{calendar.FIRST_YEAR} to {calendar.LAST_YEAR}"
        raise WarCabinetError(f"{text}: the calendar of the game has the years {years}")
    if calendar.steps()[step].part == "year start":
        before = calendar.turn_name(turn - 1)
        raise WarCabinetError(
            f"a year start is played, not set up: begin in {before}, Allied, end of turn, and advance"
        )
    if not (position.turn or position.player) and calendar.season(turn) == calendar.SPRING:
        # War broke out in a winter turn: the game opens with the year start that comes next (35.11).
        return turn - 1, calendar.last_step("allied")
    if position.player or position.phase:
        part = _player(position.player) if position.player else calendar.steps()[step].part
        step = calendar.step_index(part, position.phase) if position.phase else calendar.first_step(part)
    return turn, step


def _player(name: str) -> str:
    """Whose player turn it is: a side's, or that of the side on which a power moves."""
    power = powers().get(name.strip().casefold())
    return power.player if power else calendar.player_named(name)


def _options(position: Position, scenario: Scenario, turn: int) -> Options:
    raw = {"start": scenario.turn, **scenario.options, **position.options}
    if _history_unknown(position, scenario):
        told = {"mobilization"} if any(path.split(".")[0] == "mobilizations" for path in position.set) else set()
        unknown_since = {"mobilization": "judged", "declarations": "reported", "set_up": "reported", "counters": "free"}
        unknown_since["forces"] = "none"
        raw |= {name: how for name, how in unknown_since.items() if name not in {*position.options, *told}}
    if position.units or position.pools:
        # Whoever says where units stand brings a set-up of his own.
        raw["forces"] = position.options.get("forces", "none")
    if not scenario.figures and "start" not in position.options:
        # Nothing is said of how an empty position came about: it may be as early as one likes.
        raw["start"] = calendar.turn_name(min(turn, calendar.parse_turn(scenario.turn)))
    options = options_from(raw)
    check_start(options, turn)
    return options


def _history_unknown(position: Position, scenario: Scenario) -> bool:
    """A position later than its scenario does not tell what was mobilized and declared until then."""
    start = str(position.options.get("start", "")) or scenario.turn
    return bool(position.turn) and _turn_of(position.turn) != _turn_of(start)


def _turn_of(text: str) -> int:
    return calendar.split(calendar.parse_moment(text))[0]


def _set_figures(setup: Setup, scenario: Scenario, position: Position) -> None:
    later = _history_unknown(position, scenario)
    for line in scenario.figures:
        if line.passing and later:
            continue
        if line.since and calendar.parse_turn(setup.state.options.start) < calendar.parse_turn(line.since):
            continue
        ruling, _, letter = line.reading.partition("/")
        if not ruling or setup.state.readings.get(ruling, scenario.choices.get(ruling)) == letter:
            setup.set(line.set, line.to, line.source, line.carries)
    for path, to in sorted(position.set.items(), key=lost_first):
        _set_line(setup, "set", path, to, position.sources.get(path, ""))
    for path in position.earlier:
        if path != "control":
            error = WarCabinetError("of earlier only who held what is remembered: earlier: {control: {russia: [Riga]}}")
            raise UnsetFigure(("earlier", path), error)


def _set_line(setup: Setup, part: str, path: str, to: Any, source: str = "") -> None:
    try:
        setup.set(path, to, source)
    except WarCabinetError as error:
        raise UnsetFigure((part, path), error) from None


def _open_frames(setup: Setup, position: Position, start: GameStarted) -> None:
    """The frames open on what stood earlier; what has changed hands since does so inside them."""
    earlier = _earlier(position)
    now = {key: setup.state.control.get(key, "") for keys in earlier.values() for key in keys}
    for by, keys in earlier.items():
        setup.do(ControlChanged(keys, by))
    setup.do(start)
    for by in dict.fromkeys(now.values()):
        setup.do(ControlChanged(tuple(key for key, holder in now.items() if holder == by), by))


def _fix_totals(setup: Setup) -> None:
    """The total of the last year start, where nothing is said of it: what the power has as the position opens."""
    known = setup.state.determinations.get(year_start_total.name, {})
    for power in powers():
        level = balance(setup.state.ledger, Brp(power))
        if power not in known and level:
            setup.set(f"powers.{power}.{year_start_total.name}", level)


def _earlier(position: Position) -> dict[str, tuple[str, ...]]:
    """Who held which places when the player turn began."""
    try:
        held = msgspec.convert(position.earlier.get("control", {}), dict[str, list[str]])
        return {holder_named(by): places_meant(places) for by, places in held.items()}
    except msgspec.ValidationError as error:
        raise UnsetFigure(("earlier", "control"), WarCabinetError(f"control: {error}")) from None
    except WarCabinetError as error:
        raise UnsetFigure(("earlier", "control"), error) from None


def _set_rulings(setup: Setup, position: Position) -> None:
    for index, line in enumerate(position.referee):
        with _in_line("referee", index):
            _set_ruling(setup, line)


@contextmanager
def _in_line(part: str, index: int) -> Iterator[None]:
    """Say of an error in which line of a list it stands."""
    try:
        yield
    except WarCabinetError as error:
        raise UnsetFigure((part, index), error) from None


def _set_ruling(setup: Setup, line: dict[str, Any]) -> None:
    names = [name for name in line if name != "is"]
    if len(names) != 1 or "is" not in line:
        raise WarCabinetError("a referee's line is written {<rule>: [arguments], is: <result>}")
    rule = names[0]
    if rule not in RULES.values():
        raise unknown("value or definition", rule, RULES.values())
    named = listed_arguments(rule, line[rule])
    check_arguments(rule, named)
    check_result(rule, line["is"])
    fixed = Determination(line["is"], "", "referee: given with the position", "game")
    for args in spellings(rule, named):
        setup.do(Determined(rule, args, fixed))


def _says_its_forces(position: Position, scenario: Scenario) -> bool:
    """Whether a position lists all units that there are, or comes so late that the scenario's say nothing of it."""
    return bool(position.units or position.pools) or _history_unknown(position, scenario)


def _set_forces(setup: Setup, position: Position) -> None:
    for index, line in enumerate(position.pools):
        with _in_line("pools", index):
            _set_pool(setup, line)
    for index, placed in enumerate(position.units):
        with _in_line("units", index):
            _set_units(setup, placed)


def _start_with(setup: Setup, lines: tuple[ForceLine, ...]) -> None:
    """The scenario's forces, each with its source, so that what is assumed can be told from what a clause gives."""
    for line in (it for it in lines if it.stands(setup.state.options)):
        memo = f"at the start: {line.source}"
        if line.arrives:
            turn = calendar.parse_turn(line.arrives)
            setup.do(*with_memo(on_track(setup.state, line.nation, turn, line.unit, line.count), memo))
            continue
        where = UNBUILT if line.at == "unbuilt" else At(place_key(line.at))
        setup.do(UnitsMoved(line.nation, line.unit, line.count, OUT_OF_PLAY, where, memo))


def _set_pool(setup: Setup, line: PoolLine) -> None:
    check_units(line.unit)
    if line.arrives:
        turn = calendar.parse_turn(line.arrives)
        if turn < setup.state.turn:
            raise WarCabinetError(f"arrives: {line.arrives} is past; it is {calendar.turn_name(setup.state.turn)}")
        setup.do(*on_track(setup.state, power_named(line.nation).power, turn, line.unit, line.count))
        return
    where = UNBUILT if line.unbuilt else BUILT
    setup.do(UnitsMoved(nation_named(line.nation), line.unit, line.count, OUT_OF_PLAY, where, "set"))


def _set_units(setup: Setup, line: UnitLine) -> None:
    check_units(line.unit)
    kind, _ = parse_unit(line.unit)
    nation, place = nation_named(line.nation), place_key(line.at)
    setup.do(UnitsMoved(nation, line.unit, line.count, OUT_OF_PLAY, At(place), "set"))
    if line.inverted:
        if kind.branch != "air":
            raise WarCabinetError(f"only air units are inverted, not {line.unit}")
        setup.do(befell(setup.state, Inverted(nation, place, line.unit), line.count))


def _promise(s: State, line: DueLine) -> Promised:
    rule = _due_rule(line)
    if line.about and line.about not in areas():
        raise unknown("area", line.about, areas())
    if rule.matter is not OfArea:
        raise WarCabinetError(f"agenda: {rule.name} is about more than an area; set the figures that it comes from")
    worth = areas()[line.about].brp * rule.sign if line.about else 0
    brp = worth if line.brp is None else line.brp
    power = power_named(line.power).power
    due = calendar.parse_moment(line.due)
    # What was due earlier in the turn under way is settled as the game goes on.
    if calendar.split(due)[0] < s.turn:
        raise WarCabinetError(f"agenda: {line.due} is past; it is {calendar.moment_name(s.moment)}")
    return Promised(Promise(s.promised + 1, due, rule.name, rule.clause, s.moment, power, OfArea(line.about), brp))


def _due_rule(line: DueLine) -> Due[Promise[OfArea]]:
    """The effect that a line means: by its clause and, where that has several, by its BRPs or its moment."""
    cite(line.clause)
    due = [rule for rule in RULES.by_clause.get(line.clause, []) if isinstance(rule, Due)]
    fitting = [rule for rule in due if line.effect in ("", rule.name) and (not line.brp or line.brp * rule.sign > 0)]
    if len(fitting) > 1:
        # Losses fall due as a combat phase ends, gains at any other moment (35.73).
        step = calendar.steps()[calendar.split(calendar.parse_moment(line.due))[1]].step
        sign = -1 if step.name == "end of combat phase" else 1
        fitting = [rule for rule in fitting if rule.sign == sign]
    if len(fitting) != 1:
        known = [rule.name for rule in RULES.by_name.values() if isinstance(rule, Due)]
        raise WarCabinetError(
            f"agenda: {len(fitting)} effects of clause {line.clause} fit; say `effect:` (one of {', '.join(known)})"
        )
    return fitting[0]


def read_position(source: Any) -> Position:
    """A position from a YAML file."""
    document: Document = read_document(source)
    if isinstance(document.data, dict):
        document.data = changed({}, document.data)
    return document.convert(Position)
