"""A position as people type it from their paper: a nation, its places and what stands there, line by line.

No word is dropped: a line that is not understood whole is told with its number, and nothing of it counts.
"""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec

from warcabinet.board.names import OnBothBoards
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import Field
from warcabinet.model.forces import parse_count
from warcabinet.model.names import StatusName, called, powers
from warcabinet.model.places import place_key
from warcabinet.typed.matching import Match, closest, match, starts


def _field(kind: str) -> Field:
    return Field(kind, kind, kind, "", True)


NATION, COUNTRY, POWER, PLACE, UNITS = map(_field, ("nation", "country", "power", "place", "unit count"))
_POOL = re.compile(r"(?:force pool|pool|unbuilt)\b")
_TURN = re.compile(r"(?:spring|summer|fall|winter) \d{4}\b")
_FIGURE = re.compile(r"(level|base)\s*[:=]?\s*(-?\d+)(?![\w-])")
_STATUS = re.compile(
    rf"(?P<who>.+?)[:\s]+(?P<status>{'|'.join(get_args(StatusName))})(?:\s+(?:(?:by|with|of|to)\s+)?(?P<by>.+))?"
)


class NotRead(msgspec.Struct, frozen=True):
    """A line that was not understood: its number, its words, and why."""

    line: int
    text: str
    why: str


class Laid(msgspec.Struct, frozen=True):
    """What the lines say: figures and their values as in a position file, and the lines that say nothing."""

    figures: dict[str, Any]
    #: Whose units were named, and who has none.
    nations: tuple[str, ...]
    none: tuple[str, ...]
    lines: int
    wrong: tuple[NotRead, ...]


def read_layout(text: str, board: str = "europe") -> Laid:
    """Lines such as `Germany`, `Berlin: 2 armor 4-6, 11 army air`, `pool: 6 infantry 3-3`, `level 381, base 161`,
    `Summer 1942: 1 armor 5-6`, `Germany holds Minsk, K44`, `France: none` and `Norway: conquered by Germany`."""
    reader = _Reader(board)
    wrong: list[NotRead] = []
    lines = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        lines += 1
        try:
            reader.read(line)
        except WarCabinetError as error:
            wrong.append(NotRead(number, line, str(error)))
    return Laid(reader.figures, tuple(reader.nations), tuple(reader.none), lines, tuple(wrong))


class _Reader:
    def __init__(self, board: str) -> None:
        self.board = board
        self.nation = ""
        self.nations: dict[str, None] = {}
        self.none: dict[str, None] = {}
        self.figures: dict[str, Any] = {}

    def read(self, line: str) -> None:
        said = line.lower().replace("−", "-").strip(" .;")
        if not self._status(said):
            self._of_nation(said)

    def _status(self, said: str) -> bool:
        """`Belgium, Norway: conquered by Germany`."""
        found = _STATUS.fullmatch(said)
        named = [match(COUNTRY, it.strip()) for it in found["who"].split(",")] if found else []
        if (
            found is None
            or not all(named)
            or any(it.length < len(part.strip()) for it, part in zip(named, found["who"].split(","), strict=True) if it)
        ):
            return False
        standing: dict[str, str] = {"status": found["status"]}
        if found["by"]:
            standing["by"] = str(_whole(POWER, found["by"], "power").value)
        for it in named:
            assert it is not None
            self.figures[f"countries.{it.value}"] = standing
        return True

    def _of_nation(self, said: str) -> None:
        """A nation by itself, or what one has and holds."""
        nation, rest = self.nation, said
        found = match(NATION, said)
        if found is not None and not self._is_place(found, said):
            nation, rest = str(found.value), said[found.length :].lstrip(" :,")
            if not rest:
                self.nation = nation
                return
        if not nation:
            raise WarCabinetError(f"whose? Write a nation first, on a line of its own{_hint(said, NATION)}")
        if rest in ("none", "no units"):
            self.none[nation] = None
        elif starts(rest, "holds"):
            self._holds(nation, rest.removeprefix("holds").strip(" :"))
        elif _FIGURE.match(rest):
            self._levels(nation, rest)
        else:
            self._units(nation, rest)

    def _is_place(self, found: Match, said: str) -> bool:
        """Luxembourg is a country and a city: under a nation's heading, with units behind it, it is the city."""
        rest = said[found.length :].lstrip(" :")
        return bool(self.nation and found.value not in powers() and match(UNITS, rest) and match(PLACE, said))

    def _levels(self, nation: str, rest: str) -> None:
        if nation not in powers():
            raise WarCabinetError(f"{called(nation)} has no BRPs of its own")
        for part in re.split(r"\s*,\s*", rest):
            found = _FIGURE.fullmatch(part)
            if found is None:
                raise WarCabinetError(f"'{part}': write level or base and a number")
            self.figures[f"powers.{nation}.{'brp' if found[1] == 'level' else 'base'}"] = int(found[2])

    def _holds(self, nation: str, rest: str) -> None:
        keys = [self._key(_whole(PLACE, part, "place")) for part in re.split(r"\s*,\s*|\s+and\s+", rest)]
        self.figures.setdefault("control", {}).setdefault(nation, []).extend(keys)

    def _units(self, nation: str, rest: str) -> None:
        """A place, the force pool or a turn, and the units there."""
        path, rest = self._where(nation, rest)
        parts = [part for part in re.split(r"\s*(?:,|\+|;|\band\b)\s*", rest.strip(" :")) if part]
        if not parts:
            raise WarCabinetError("which units? Write a number and a unit, such as 2 armor 4-6")
        # All of them are read before any counts.
        for unit, count in [parse_count(str(_whole(UNITS, part, "unit").value)) for part in parts]:
            key = f"{path}.{unit}"
            self.figures[key] = self.figures.get(key, 0) + count
        self.nations[nation] = None

    def _where(self, nation: str, rest: str) -> tuple[str, str]:
        if pool := _POOL.match(rest):
            return f"units.{nation}.unbuilt", rest[pool.end() :]
        if turn := _TURN.match(rest):
            name = calendar.turn_name(calendar.parse_turn(turn.group().capitalize()))
            return f"turn_track.{nation}.{name}", rest[turn.end() :]
        place = match(PLACE, rest)
        if place is None:
            raise WarCabinetError(f"no place begins this line{_hint(rest, PLACE)}")
        return f"units.{nation}.{self._key(place)}", rest[place.length :]

    def _key(self, place: Match) -> str:
        try:
            return place_key(str(place.value))
        except OnBothBoards:
            return place_key(f"{self.board}/{place.value}")


def _whole(field: Field, text: str, what: str) -> Match:
    """What a text is for a field, all of it."""
    found = match(field, text.strip())
    if found is None:
        raise WarCabinetError(f"'{text.strip()}' is no {what} that is known{_hint(text, field)}")
    left = text.strip()[found.length :].strip()
    if left:
        raise WarCabinetError(f"'{left}' means nothing after {found.said}")
    return found


def _hint(text: str, field: Field) -> str:
    words = re.split(r"[\s:,]+", text.strip())
    near = closest(words[0], [field]) if words[0] else []
    return f"; {' or '.join(near[:2])}?" if near else ""
