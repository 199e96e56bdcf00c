"""Time. A turn is a season; a moment is a turn and a step of its sequence, as one integer.

So "the second Allied redeployment phase after" is arithmetic. The sequence itself is data: `data/sequence.yaml`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.tables import read_yaml

SEASONS = ("Spring", "Summer", "Fall", "Winter")
PLAYERS = ("axis", "allied")
Player = Literal["axis", "allied"]

SPRING, SUMMER, FALL, WINTER = range(4)
_TURN = 100  # steps that a turn has room for in a moment


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=None):
    """A place in the sequence: its effects run when it is entered; an automatic one asks nobody anything."""

    name: str
    effects: tuple[str, ...] = ()
    automatic: bool = False
    source: str = ""
    also: tuple[str, ...] = ()


class _Sequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    year_start: tuple[Step, ...]
    player_turn: tuple[Step, ...]


class Place(msgspec.Struct, frozen=True):
    """A step as it stands in a game turn: in the year start, or in one side's player turn."""

    step: Step
    part: str  # "year start", "axis" or "allied"


@cache
def _sequence() -> _Sequence:
    return read_yaml(files("warcabinet") / "data" / "sequence.yaml", _Sequence)


@cache
def steps() -> tuple[Place, ...]:
    """Every step of a game turn in order; the year start's are entered only where a year begins."""
    sequence = _sequence()
    places = [Place(step, "year start") for step in sequence.year_start]
    for player in PLAYERS:
        places += [Place(step, player) for step in sequence.player_turn]
    return tuple(places)


@cache
def first_step(part: str) -> int:
    return next(i for i, place in enumerate(steps()) if place.part == part)


@cache
def last_step(part: str) -> int:
    return max(i for i, place in enumerate(steps()) if place.part == part)


def turn_number(season: int, year: int) -> int:
    return year * 4 + season


def season(turn: int) -> int:
    return turn % 4


def year(turn: int) -> int:
    return turn // 4


def turn_name(turn: int) -> str:
    return f"{SEASONS[season(turn)]} {year(turn)}"


@cache
def parse_turn(text: str) -> int:
    """'Winter 1941' as a turn."""
    match = re.fullmatch(r"\s*(\w+)\s+(\d{4})\s*", text)
    if match:
        for number, name in enumerate(SEASONS):
            if name.casefold() == match.group(1).casefold():
                return turn_number(number, int(match.group(2)))
        raise unknown("season", match.group(1), SEASONS)
    raise WarCabinetError(f"'{text}' is not a turn; write season and year, such as Winter 1941")


def moment(turn: int, step: int) -> int:
    return turn * _TURN + step


def split(when: int) -> tuple[int, int]:
    return divmod(when, _TURN)


def moment_name(when: int) -> str:
    turn, step = split(when)
    place = steps()[step]
    if place.part == "year start":
        return f"{year(turn)} year start, {place.step.name}"
    return f"{turn_name(turn)}, {place.part.capitalize()}, {place.step.name}"


@cache
def step_index(part: str, name: str) -> int:
    """The step called `name` (or one of its other names) in the year start or in a side's player turn."""
    wanted = name.strip().casefold()
    names: list[str] = []
    for index, place in enumerate(steps()):
        if place.part == part:
            known = (place.step.name, *place.step.also)
            names += known
            if wanted in (k.casefold() for k in known):
                return index
    raise unknown("phase", name, names)


def parse_moment(text: str) -> int:
    """'Winter 1941, Allied, end of combat phase', 'Winter 1941, Allied', 'Winter 1941' or '1942 year start'."""
    found = re.fullmatch(r"\s*(?:year start (\d{4})|(\d{4}) year start)\s*(?:,\s*(.+))?", text, re.IGNORECASE)
    if found:
        name = found.group(3) or steps()[0].step.name
        return moment(turn_number(SPRING, int(found.group(1) or found.group(2))), step_index("year start", name))
    turn, _, rest = text.partition(",")
    player, _, phase = rest.partition(",")
    part = player.strip().casefold() or "axis"
    if part not in PLAYERS:
        raise unknown("player", player.strip(), PLAYERS)
    step = step_index(part, phase) if phase.strip() else first_step(part)
    return moment(parse_turn(turn), step)
