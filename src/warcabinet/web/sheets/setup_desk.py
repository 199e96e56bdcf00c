"""The set-up editor's desk: a position that is being laid out, with all that the page draws of it.

The page keeps the position itself and sends it along with what is changed; nothing is stored here. Every change is a
figure and its value, as in a position file, so the desk can do exactly what a file can say.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from warcabinet.figures.position import Position, scenarios, set_up
from warcabinet.figures.table import correction
from warcabinet.figures.written import SAID, written
from warcabinet.game.engine import within_bounds
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.apply import apply
from warcabinet.model.forces import unit_names
from warcabinet.model.keys import Unit
from warcabinet.model.names import OTHER_NATIONS, TRACKS, StatusName, called, countries, powers
from warcabinet.model.pieces import BUILT, UNBUILT, Stack
from warcabinet.model.state import State
from warcabinet.model.unit_lists import waiting
from warcabinet.model.units import kind_name, parse_unit, unit_branch, unit_kinds
from warcabinet.rules.economy.force_pools import counters_of
from warcabinet.rules.minors.forces_of_minors import force_level
from warcabinet.web.map.standing import Nation, nations, worn
from warcabinet.web.map.waters import WaterLine, waters
from warcabinet.web.sheets.piles import Pile, piles
from warcabinet.web.sheets.position_view import (
    CountryLine,
    TrackLevel,
    WarLine,
    may_run_deficits,
    politics,
    wars,
)
from warcabinet.web.sheets.setup_findings import Finding, findings

SEASONS = calendar.SEASONS
#: A country that stands so stands with nobody.
ALONE = ("neutral", "independent")


class PowerLevels(msgspec.Struct, frozen=True):
    """A power's figures: what can be typed, and what follows from it."""

    power: str
    name: str
    seal: str
    player: str
    faction: str
    surrendered: bool
    level: int
    base: int
    deficit: int
    limit: int
    #: Figures without a source.
    assumed: tuple[str, ...]


class TrayLine(msgspec.Struct, frozen=True):
    """Counters of one kind: how many its list has, how many are in play; a list that no clause gives is assumed."""

    unit: str
    group: str
    listed: int
    used: int
    assumed: bool


class Tray(msgspec.Struct, frozen=True):
    nation: str
    name: str
    lines: tuple[TrayLine, ...]


class SetupMoment(msgspec.Struct, frozen=True):
    """When the position is, and which moments can be chosen."""

    turn: str
    player: str
    phase: str
    turns: tuple[str, ...]
    phases: tuple[str, ...]


class Setup(msgspec.Struct, frozen=True):
    """A position on the desk: the file, and what it makes."""

    position: Position
    #: What of a running game no position can say.
    left_out: tuple[str, ...]
    moment: SetupMoment
    powers: tuple[PowerLevels, ...]
    tracks: tuple[TrackLevel, ...]
    countries: tuple[CountryLine, ...]
    wars: tuple[WarLine, ...]
    control: dict[str, str]
    waters: tuple[WaterLine, ...]
    pieces: tuple[Stack, ...]
    nations: dict[str, Nation]
    worn: dict[str, str]
    trays: tuple[Tray, ...]
    pools: tuple[Pile, ...]
    kinds: tuple[str, ...]
    #: How a country may stand; those by which it stands with nobody.
    statuses: tuple[str, ...]
    alone: tuple[str, ...]
    findings: tuple[Finding, ...]


def desk(state: State, sources: dict[str, str] | None = None, left_out: tuple[str, ...] = ()) -> Setup:
    """A state laid out on the desk; what its position cannot say is told once, when it comes from a game."""
    made = written(state)
    return _laid_out(state, replace(made.position, sources=sources or {}), left_out or made.left_out)


def edited(position: Position, edits: dict[str, Any], turn: str = "", player: str = "", phase: str = "") -> Setup:
    """The desk after some figures were set and the moment was moved, the later figure having the last word."""
    within_bounds("the position", [msgspec.to_builtins(position), edits])
    state, _ = set_up(position)
    for path, to in edits.items():
        for fact in correction(state, path, to):
            state = apply(state, fact)
    if turn and turn != calendar.turn_name(state.turn):
        # At another turn the past is another: what a position of that turn leaves open is left open again.
        usual = {name: value for name, value in position.options.items() if name not in SAID}
        state = replace(state, options=set_up(Position(position.scenario, turn=turn, options=usual))[0].options)
    new = written(state, turn, player, phase).position
    kept = {path: source for path, source in position.sources.items() if path in new.set and source.strip()}
    moved = bool(turn or player or phase)
    return _laid_out(set_up(new)[0] if moved else state, replace(new, sources=kept), ())


def _laid_out(state: State, position: Position, left_out: tuple[str, ...]) -> Setup:
    return Setup(
        position=position,
        left_out=left_out,
        moment=_moment(state),
        powers=tuple(_levels(state, power, position) for power in powers()),
        tracks=tuple(TrackLevel(track, text, state.tracks.get(track, 0)) for track, text in TRACKS.items()),
        countries=politics(state),
        wars=wars(state),
        control=state.control,
        waters=waters(state),
        pieces=tuple(state.pieces.stacks()),
        nations=nations(state, (), True),
        worn=worn(state),
        trays=tuple(_trays(state)),
        pools=piles(state, (*powers(), *countries(), *OTHER_NATIONS)),
        kinds=tuple(unit_kinds()),
        statuses=get_args(StatusName),
        alone=ALONE,
        findings=findings(state),
    )


def _moment(state: State) -> SetupMoment:
    first = min(state.turn, calendar.parse_turn(state.options.start))
    last = calendar.turn_number(calendar.WINTER, calendar.LAST_YEAR)
    part = state.place.part
    phases = [it.step.name for it in calendar.steps() if it.part == part]
    return SetupMoment(
        turn=calendar.turn_name(state.turn),
        player=part,
        phase=state.place.step.name,
        turns=tuple(calendar.turn_name(turn) for turn in range(first, last + 1)),
        phases=tuple(phases),
    )


def _levels(state: State, power: str, position: Position) -> PowerLevels:
    value = RULES.values()
    deficit = int(value["deficit_limit"](state, power)) if may_run_deficits(state, power) else 0
    given = powers()[power]
    shown = {"level": f"powers.{power}.brp", "base": f"powers.{power}.base"}
    first = _assumed_at_first(position.scenario)
    return PowerLevels(
        power=power,
        name=given.name,
        seal=given.seal,
        player=given.player,
        faction=state.powers[power].faction,
        surrendered=state.powers[power].surrendered,
        level=int(value["level"](state, power)),
        base=int(value["base"](state, power)),
        deficit=deficit,
        limit=int(value["construction_limit"](state, power)),
        assumed=tuple(
            label
            for label, path in shown.items()
            if (path not in position.sources if path in position.set else path in first)
        ),
    )


def _assumed_at_first(scenario: str) -> set[str]:
    return {line.set for line in scenarios()[scenario].figures if line.source.startswith("assumed")}


def _trays(state: State) -> list[Tray]:
    found = []
    for nation in (*powers(), *countries(), *OTHER_NATIONS):
        used = _used(state, nation)
        listed = _listed(state, nation)
        units = sorted({*used, *listed}, key=_rank)
        lines = tuple(
            TrayLine(
                unit, _group(unit), listed.get(unit, (0, True))[0], used.get(unit, 0), listed.get(unit, (0, True))[1]
            )
            for unit in units
        )
        if lines or nation in powers():
            found.append(Tray(nation, called(nation), lines))
    return found


def _listed(state: State, nation: str) -> dict[Unit, tuple[int, bool]]:
    """The counters of a nation by its list, and whether that is assumed."""
    if nation in powers():
        return {unit: (row.count, row.source.startswith("assumed")) for unit, row in counters_of(state, nation).items()}
    if nation not in countries():
        return {}
    return {unit: (int(force_level(state, nation, unit)), False) for unit in unit_names(nation)}


def _used(state: State, nation: str) -> dict[Unit, int]:
    """What a nation has in play, on the boards, in its pool and on the track."""
    found: dict[Unit, int] = {}
    for it in state.pieces.of(nation):
        found[it.unit] = found.get(it.unit, 0) + it.count
    for where in (UNBUILT, BUILT):
        for unit, count in state.pieces.off(nation, where).items():
            found[unit] = found.get(unit, 0) + count
    for _, unit, count in waiting(state, nation):
        found[unit] = found.get(unit, 0) + count
    return {unit: count for unit, count in found.items() if count > 0}


def _group(unit: Unit) -> str:
    branch = unit_branch(unit)
    return {"ground": "Ground", "partisan": "Ground", "air": "Air", "naval": "Naval"}.get(branch, "Other")


GROUPS = ("Ground", "Air", "Naval", "Other")


def _rank(unit: Unit) -> tuple[int, int, str]:
    """Armor before infantry, the strong before the weak."""
    factors = parse_unit(unit)[1]
    return GROUPS.index(_group(unit)), 0 if "armor" in kind_name(unit) else 1, f"{99 - factors} {unit}"
