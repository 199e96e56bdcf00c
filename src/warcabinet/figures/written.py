"""A state written down as a position: what its scenario would not give is said, line by line, and nothing else.

It is the way back from `set_up`: the position file of a table that is set up by hand, or of a running game that someone
wants to start anew from here. What no position can say (an operation under way, say) is told, never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace

from warcabinet.board.names import places
from warcabinet.figures.options import options_from
from warcabinet.figures.position import DueLine, PoolLine, Position, UnitLine, scenario_named, set_up
from warcabinet.figures.table import correction, read
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Deferred, Mobilization
from warcabinet.model.agenda import Arrival, Deferment, OfArea, Promise
from warcabinet.model.apply import apply
from warcabinet.model.names import OTHER_NATIONS, called, countries, powers
from warcabinet.model.pieces import BUILT, LOST
from warcabinet.model.places import holder, place_key
from warcabinet.model.rulings import ruling_named
from warcabinet.model.state import Options, State
from warcabinet.model.unit_lists import unbuilt, waiting
from warcabinet.model.units import kind_name, strength
from warcabinet.rules.economy.base import year_start_total
from warcabinet.rules.economy.industrial_centers import isolated_since
from warcabinet.rules.economy.spending import construction_limit

#: Options that a position of a later turn changes by itself, so that they are always said.
SAID = ("mobilization", "declarations", "set_up", "counters", "forces")

#: With this a ruling of the referee gives its reason.
REFEREE = "referee"


class Written(msgspec.Struct, frozen=True):
    """A position, and what of the state it cannot say."""

    position: Position
    left_out: tuple[str, ...]


def written(state: State, turn: str = "", player: str = "", phase: str = "") -> Written:
    """The position that sets a state up again; at another moment, if one is named."""
    return _Writing(state, turn, player, phase).all()


@lru_cache(maxsize=16)
def _bare(head: bytes) -> State:
    """What a scenario, a moment and options make before anything is set: asked for at each change, mostly the same."""
    return set_up(msgspec.json.decode(head, type=Position))[0]


def written_place(key: str) -> str:
    """A place as one would write it: the name of its city where that is unmistakable, else its key."""
    return _names().get(key, key)


def _names() -> dict[str, str]:
    if not _NAMES:
        for place in places().values():
            key = f"{place.board}/{place.hex}"
            try:
                if place_key(place.name) == key:
                    _NAMES.setdefault(key, place.name)
            except WarCabinetError:  # a name that stands on both boards
                continue
    return _NAMES


_NAMES: dict[str, str] = {}


class _Writing:
    """The lines so far, and the state that they make: each line is written only where that still differs."""

    def __init__(self, state: State, turn: str, player: str, phase: str) -> None:
        self.state = state
        self.left_out: list[str] = []
        self.set: dict[str, Any] = {}
        place = state.place
        self.head = Position(
            scenario=state.scenario,
            turn=turn or calendar.turn_name(state.turn),
            player=player or place.part,
            phase=phase or place.step.name,
            options=_options(state),
            readings={id: letter for id, letter in state.readings.items() if letter in ruling_named(id).selectable},
        )
        self.now = _bare(msgspec.json.encode(self.head))

    def say(self, path: str, to: Any) -> None:
        """Write a figure, unless the lines so far bring it to this already."""
        if read(self.now, path) == to:
            return
        try:
            facts = correction(self.now, path, to)
        except WarCabinetError as error:
            self.left_out.append(f"{path}: {error}")
            return
        for fact in facts:
            self.now = apply(self.now, fact)
        self.set[path] = to

    def all(self) -> Written:
        self._powers()
        self._countries()
        self._control()
        self._wars()
        units, pools = tuple(self._units()), tuple(self._pools())
        self._mobilized()
        self._happened()
        self._referee()
        agenda = tuple(self._agenda())
        self._unsaid()
        position = replace(
            self.head,
            set=self.set,
            units=units,
            pools=pools,
            agenda=agenda,
            referee=self.referee,
            earlier=_earlier(self.state),
        )
        return Written(position, tuple(self.left_out))

    def _countries(self) -> None:
        for country in countries():
            there, here = self.state.countries.get(country), self.now.countries.get(country)
            if there is not None and (here is None or (there.status, there.by) != (here.status, here.by)):
                self.say(f"countries.{country}", {"status": there.status, **({"by": there.by} if there.by else {})})
            if country in self.state.results or country in self.now.results:
                self.say(f"results.{country}", self.state.results.get(country, ""))

    def _control(self) -> None:
        changed: dict[str, list[str]] = {}
        for key in sorted({*self.state.control, *self.now.control}):
            by = holder(self.state, key)
            if by != holder(self.now, key):
                changed.setdefault(by, []).append(written_place(key))
        if changed:
            for fact in correction(self.now, "control", changed):
                self.now = apply(self.now, fact)
            self.set["control"] = changed
        for power in powers():
            for account in {**self.now.ledger.of("annual", power), **self.state.ledger.of("annual", power)}:
                if isinstance(account, Annual):
                    path = f"books.{power}.{account.area}"
                    self.say(path, read(self.state, path))

    def _powers(self) -> None:
        for power in powers():
            for figure in ("base", "brp", "faction", "surrendered"):
                self.say(f"powers.{power}.{figure}", read(self.state, f"powers.{power}.{figure}"))
            for rule in (year_start_total.name, construction_limit.name):
                fixed = self.state.determinations.get(rule, {}).get(power)
                if fixed is not None and not fixed.reason.startswith(REFEREE):
                    self.say(f"powers.{power}.{rule}", read(self.state, f"powers.{power}.{rule}"))
        for track, level in self.state.tracks.items():
            self.say(f"tracks.{track}", level)
        for ocean, count in self.state.transports.items():
            self.say(f"transports.{ocean}", count)
        for ic, since in self.state.determinations.get(isolated_since.name, {}).items():
            self.say(f"isolated.{ic}", since.value)

    def _wars(self) -> None:
        wars = read(self.state, "wars")
        if wars != read(self.now, "wars"):
            self.say("wars", wars)

    def _units(self) -> Iterator[UnitLine]:
        """Units that the scenario does not place are listed; where it places some, their number is set."""
        wanted = {(it.nation, it.place, it.unit): it.count for it in self.state.pieces.stacks()}
        placed = {(it.nation, it.place, it.unit): it.count for it in self.now.pieces.stacks()}
        for nation, place, unit in sorted(placed):
            self.say(f"units.{nation}.{place}.{unit}", wanted.get((nation, place, unit), 0))
        for (nation, place, unit), count in sorted(wanted.items()):
            if (nation, place, unit) not in placed:
                yield UnitLine(nation, kind_name(unit), written_place(place), strength(unit), count)

    def _pools(self) -> Iterator[PoolLine]:
        for nation in _nations():
            for unit, count in sorted(unbuilt(self.state, nation)):
                yield PoolLine(nation, kind_name(unit), strength(unit), count)
            for unit, count in sorted(self.state.pieces.off(nation, BUILT).items()):
                if count > 0:
                    yield PoolLine(nation, kind_name(unit), strength(unit), count, unbuilt=False)
        for power in powers():
            for turn, unit, count in sorted(waiting(self.state, power)):
                # Whoever moves a position on to a later turn has let them enter the force pool on the way.
                arrives = calendar.turn_name(turn) if turn >= self.now.turn else ""
                yield PoolLine(power, kind_name(unit), strength(unit), count, arrives=arrives)

    def _mobilized(self) -> None:
        scheduled = self.state.options.mobilization == "scheduled"
        for power in powers():
            made = [it for it in self.state.ledger.of("mobilization", power) if isinstance(it, Mobilization)]
            for part in sorted({it.part for it in made}) if scheduled else ():
                path = f"mobilizations.{power}.{part}"
                self.say(path, read(self.state, path))
            for account, brp in self.state.ledger.of("deferred", power).items():
                if isinstance(account, Deferred) and brp:
                    theater = f"{account.mobilization.split()[0]}." if power == "usa" else ""
                    self.say(f"deferred.{power}.{theater}{calendar.turn_name(account.turn)}", brp)
            self._shipyards(power)
        self.say("oil.urals", read(self.state, "oil.urals"))

    def _shipyards(self, power: str) -> None:
        for theater in ("europe", "pacific") if power == "usa" else ("",):
            path = f"shipbuilding.{power}{theater and '.' + theater}"
            self.say(path, read(self.state, path))

    def _happened(self) -> None:
        there = [it for it in read(self.state, "happened") if it not in read(self.now, "happened")]
        told = []
        for line in there:
            try:
                correction(self.now, "happened", [line])
            except WarCabinetError as error:
                self.left_out.append(f"what happened this year: {error}")
            else:
                told.append(line)
        if told:
            self.set["happened"] = told

    def _referee(self) -> None:
        lines: list[dict[str, Any]] = []
        for rule, by_args in self.state.determinations.items():
            for args, fixed in by_args.items():
                if fixed.reason.startswith(REFEREE):
                    lines.append({rule: args.split(", ") if args else [], "is": fixed.value})
        self.referee = tuple(lines)

    def _agenda(self) -> Iterator[DueLine]:
        known = {_due(it) for it in self.now.agenda}
        for it in self.state.agenda:
            if _due(it) in known or isinstance(it.of, Arrival | Deferment):
                continue
            if isinstance(it.of, OfArea) and not it.of.retaken and calendar.split(it.due)[0] >= self.now.turn:
                due = calendar.moment_name(it.due)
                yield DueLine(it.clause, due, it.power, it.of.area, it.brp, it.effect)
            else:
                self.left_out.append(f"{called(it.power)}, {calendar.moment_name(it.due)}: {it.effect} {it.of.about}")

    def _unsaid(self) -> None:
        for operation in self.state.operations:
            self.left_out.append(f"{operation.title}: it is under way, and is ended first")
        for nation in _nations():
            lost = sum(self.state.pieces.off(nation, LOST).values())
            if lost:
                self.left_out.append(f"{called(nation)}: {lost} units that were lost for good")


def position_text(position: Position, left_out: tuple[str, ...] = ()) -> str:
    """The position as a file: YAML, a line for each figure and each pile, as a person would write it."""
    said = {name: value for name, value in msgspec.to_builtins(position).items() if value not in ("", {}, [], ())}
    lines = [f"# Not said here: {text}" for text in left_out]
    for name, value in said.items():
        if name in ("units", "pools", "agenda", "referee"):
            lines += [f"{name}:", *(f"  - {_flow(_brief(line))}" for line in value)]
        elif isinstance(value, dict) and name != "earlier":
            lines += [f"{name}:", *(f"  {_flow(key)}: {_flow(line)}" for key, line in value.items())]
        else:
            lines.append(f"{name}: {_flow(value)}")
    return "\n".join(lines) + "\n"


#: What a line need not say.
_USUAL: dict[str, Any] = {"strength": "", "count": 1, "inverted": False, "unbuilt": True, "arrives": "", "about": ""}


def _brief(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in _USUAL or value != _USUAL[key]}


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)
    return text.removesuffix("\n").removesuffix("\n...")


def _nations() -> tuple[str, ...]:
    """All who can have pieces."""
    return (*powers(), *countries(), *OTHER_NATIONS)


def _due(it: Promise[Any]) -> tuple[object, ...]:
    return it.due, it.effect, it.power, it.of


def _options(state: State) -> dict[str, Any]:
    """The options that the scenario would not have by itself; its own forces are listed unit by unit instead."""
    scenario = scenario_named(state.scenario)
    usual = options_from({"start": scenario.turn, **scenario.options})
    said: dict[str, Any] = {}
    for field in msgspec.structs.fields(Options):
        value = getattr(state.options, field.name)
        if field.name in SAID or value != getattr(usual, field.name):
            said[field.name] = value
    return {**said, "forces": "counted" if state.options.counted else "none"}


def _earlier(state: State) -> dict[str, Any]:
    """Who held what has changed hands since the player turn began."""
    frame = next((it for it in state.frames if it.kind == "player turn"), None)
    held: dict[str, list[str]] = {}
    for key, by in sorted((frame.before if frame else {}).items()):
        held.setdefault(by, []).append(written_place(key))
    return {"control": held} if held else {}
