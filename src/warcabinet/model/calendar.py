"""Time. A turn is a season; a moment is a turn and a step of its sequence, as one integer.

So "the second Allied redeployment phase after" is arithmetic. The sequence itself is data: `data/sequence.yaml`.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import lasting
from warcabinet.kernel.tables import read_yaml

SEASONS = ("Spring", "Summer", "Fall", "Winter")
PLAYERS = ("axis", "allied")
Player = Literal["axis", "allied"]

SPRING, SUMMER, FALL, WINTER = range(4)
ROOM = 100  # steps that a turn has room for in a moment
#: The years of which positions can be set up; with the last one the war is over.
FIRST_YEAR, LAST_YEAR = 1930, 1946


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=None):
    """A place in the sequence: its effects run when it is entered; an automatic one asks nobody anything.

    `unless` names a definition: while it holds, something can be decided here, and the game stops.
    """

    name: str
    effects: tuple[str, ...] = ()
    automatic: bool = False
    unless: str = ""
    source: str = ""
    also: tuple[str, ...] = ()


class _Sequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    year_start: tuple[Step, ...]
    player_turn: tuple[Step, ...]


class Place(msgspec.Struct, frozen=True):
    """A step as it stands in a game turn: in the year start, or in one side's player turn."""

    step: Step
    part: str  # "year start", "axis" or "allied"


@lasting
def _sequence() -> _Sequence:
    return read_yaml(files("warcabinet") / "data" / "sequence.yaml", _Sequence)


@lasting
def steps() -> tuple[Place, ...]:
    """Every step of a game turn in order; the year start's are entered only where a year begins."""
    sequence = _sequence()
    places = [Place(step, "year start") for step in sequence.year_start]
    for player in PLAYERS:
        places += [Place(step, player) for step in sequence.player_turn]
    return tuple(places)


@lasting
def players() -> tuple[str, ...]:
    """Whose player turn each step belongs to; nobody's in the year start."""
    return tuple(place.part if place.part in PLAYERS else "" for place in steps())


@lasting
def step_at(step: int) -> Place:
    return steps()[step]


@lasting
def player_at(step: int) -> str:
    return players()[step]


@lasting
def first_step(part: str) -> int:
    return next(i for i, place in enumerate(steps()) if place.part == part)


@lasting
def last_step(part: str) -> int:
    return max(i for i, place in enumerate(steps()) if place.part == part)


def turn_number(season: int, year: int) -> int:
    return year * 4 + season


def season(turn: int) -> int:
    return turn % 4


def year(turn: int) -> int:
    return turn // 4


@lasting
def turn_name(turn: int) -> str:
    return f"{SEASONS[season(turn)]} {year(turn)}"


_SEASON_NUMBERS = {**{name.casefold(): number for number, name in enumerate(SEASONS)}, "autumn": FALL}


@lasting
def parse_turn(text: str) -> int:
    """'Winter 1941' as a turn."""
    match = re.fullmatch(r"\s*(\w+)\s+(\d{4})\s*", text)
    if match:
        number = _SEASON_NUMBERS.get(match.group(1).casefold())
        if number is None:
            raise unknown("season", match.group(1), SEASONS)
        return turn_number(number, int(match.group(2)))
    raise WarCabinetError(f"'{text}' is not a turn; write season and year, such as Winter 1941")


@lasting
def last_moment() -> int:
    """The end of the last turn of the calendar: nothing comes after it."""
    return moment(turn_number(WINTER, LAST_YEAR), last_step("allied"))


def moment(turn: int, step: int) -> int:
    return turn * ROOM + step


def split(when: int) -> tuple[int, int]:
    return divmod(when, ROOM)


def step_name(when: int) -> str:
    """The step of a moment by its name."""
    return steps()[split(when)[1]].step.name


def moment_name(when: int) -> str:
    turn, step = split(when)
    place = steps()[step]
    if place.part == "year start":
        return f"{year(turn)} year start, {place.step.name}"
    return f"{turn_name(turn)}, {place.part.capitalize()}, {place.step.name}"


def _plain(text: str) -> str:
    """A wording without case, commas and the words that may be left out."""
    words = text.casefold().replace(",", " ").split()
    return " ".join(word for word in words if word not in ("the", "phase"))


@lasting
def step_index(part: str, name: str) -> int:
    """The step called `name` (or one of its other names) in the year start or in a side's player turn."""
    wanted = _plain(name)
    names: list[str] = []
    for index, place in enumerate(steps()):
        if place.part == part:
            known = (place.step.name, *place.step.also)
            names += known
            if wanted in map(_plain, known):
                return index
    raise unknown("phase", name.strip(), names)


def player_named(name: str) -> str:
    """The side that moves: Axis or Allied, also written as the Allies or the Axis player."""
    wanted = _plain(name).removesuffix(" turn").removesuffix(" player")
    part = {"allies": "allied"}.get(wanted, wanted)
    if part not in PLAYERS:
        raise unknown("player", name.strip(), PLAYERS)
    return part


_YEAR_START = re.compile(
    r"(?:(?:year start|yss) (?P<after>\d{4})|(?P<before>\d{4}) (?:year start|yss))(?: (?P<step>.+))?|(?P<year>\d{4})"
)
ROOM_PART = re.compile(rf"(?P<turn>(?:{'|'.join(_SEASON_NUMBERS)}) \d{{4}})(?: (?P<rest>.+))?")
_PLAYER_PART = re.compile(r"(?P<player>axis|allied|allies)(?: player)?(?: turn)?(?: (?P<rest>.+))?")


def parse_moment(text: str, after: int | None = None) -> int:
    """'Winter 1941, Allied, end of combat phase', 'Winter 1941, Allied', 'Winter 1941', '1942 year start' or '1942'.

    A year alone is its year start. With `after`, also what comes next by that name: 'end of turn', 'Allied, unit
    construction', 'next turn'.
    """
    wanted = _plain(text)
    if found := _YEAR_START.fullmatch(wanted):
        step = step_index("year start", found["step"] or steps()[0].step.name)
        return moment(turn_number(SPRING, int(found["after"] or found["before"] or found["year"])), step)
    if found := ROOM_PART.fullmatch(wanted):
        return _of_turn(parse_turn(found["turn"]), found["rest"] or "", after)
    if found := re.match(r"[a-z]+ \d{4}\b", wanted):
        return moment(parse_turn(found[0]), first_step("axis"))
    if after is None:
        raise WarCabinetError(f"'{text}' is not a moment; write it like Winter 1941, Allied, end of combat phase")
    return _coming(text, wanted, after)


def _of_turn(turn: int, rest: str, after: int | None) -> int:
    """A moment of a turn; a phase without a player is the Axis one, or the Allied one if that is past."""
    if found := _PLAYER_PART.fullmatch(rest):
        part = player_named(found["player"])
        return moment(turn, step_index(part, found["rest"]) if found["rest"] else first_step(part))
    if not rest:
        return moment(turn, first_step("axis"))
    if rest == "end of turn":
        return moment(turn, last_step("allied"))
    moments = [moment(turn, step_index(part, rest)) for part in PLAYERS]
    return next((when for when in moments if after is None or when > after), moments[-1])


def _coming(text: str, wanted: str, after: int) -> int:
    """The next moment of a name that says no year."""
    now = split(after)[0]
    if wanted == "next turn":
        return moment(now + 1, first_step("axis"))
    if wanted in ("end of year", "end of this year"):
        return moment(turn_number(WINTER, year(now)), last_step("allied"))
    for turn in range(now, now + 5):
        for when in _called(turn, wanted):
            if when > after:
                return when
    names = sorted({name for place in steps() for name in (place.step.name, *place.step.also)})
    raise unknown("moment", text, [*names, *PLAYERS])


def _called(turn: int, wanted: str) -> list[int]:
    """The moments of one turn that bear a name: a phase in either player turn, or one side's player turn."""
    found = _PLAYER_PART.fullmatch(wanted)
    name = (found["rest"] or "") if found else wanted
    asked = (player_named(found["player"]),) if found else ("year start", *PLAYERS)
    parts = [part for part in asked if part != "year start" or season(turn) == SPRING]
    moments = []
    for index, place in enumerate(steps()):
        known = map(_plain, (place.step.name, *place.step.also))
        if place.part in parts and (name in known if name else index == first_step(place.part)):
            moments.append(moment(turn, index))
    return moments
