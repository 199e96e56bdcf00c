"""A position as people type it from their paper: a nation, its places and what stands there, line by line.

No word is dropped: a line that is not understood whole is told with its number, and nothing of it counts.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from typing import Any, get_args

import msgspec

from warcabinet.board.names import OnBothBoards
from warcabinet.game.typed.matching import Match, closest, match, starts
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import Field
from warcabinet.model.names import TRACKS, StatusName, called, powers
from warcabinet.model.places import place_key
from warcabinet.model.unit_lists import parse_count


def _field(kind: str) -> Field:
    return Field(kind, kind, kind, "", True)


NATION, COUNTRY, POWER, SIDE, PLACE, UNITS = map(
    _field, ("nation", "country", "power", "belligerent", "place", "unit count")
)
#: How much of a word must agree with a name for it to be guessed.
ALIKE = 0.75
_POOL = re.compile(r"(?:force pool|pool|unbuilt)\b")
_TURN = re.compile(r"(?:spring|summer|fall|winter) \d{4}\b")
_FIGURE = re.compile(r"(level|base)\s*[:=]?\s*(-?\d+)(?![\w-])")
_SURRENDERED = re.compile(r"(?:has |is )?surrendered|surrenders")
_FIGHTS_ON = re.compile(r"(?:has |is )?not surrendered")
_NOW = re.compile(r"(?:turn|it is)\s*[:=]?\s*(?P<turn>.+)")
_LEVEL = re.compile(r"(?P<track>.+?)(?: level)?\s*[:=]?\s*(?P<level>-?\d+)")
_WAR = re.compile(r"wars?\b\s*(?:between\b|:)?\s*(?P<sides>.+)")
_SINCE = re.compile(r"\s*,?\s*since\s+(?P<turn>.+)")
_STATUS = re.compile(
    rf"(?P<who>.+?)[:\s]+(?P<status>{'|'.join(get_args(StatusName))})(?:\s+(?:(?:by|with|of|to)\s+)?(?P<by>.+))?"
)


class NotRead(msgspec.Struct, frozen=True):
    """A line that was not understood: its number, its words, and why."""

    line: int
    text: str
    why: str


class LaidWar(msgspec.Struct, frozen=True):
    """Two who are at war, the first of whom declared it."""

    between: tuple[str, ...]
    since: str = ""


class Laid(msgspec.Struct, frozen=True):
    """What the lines say: figures and their values as in a position file, and the lines that say nothing."""

    figures: dict[str, Any]
    #: Wars to add to those that are on; without a turn, one that has just begun.
    wars: tuple[LaidWar, ...]
    #: The turn that it is, where a line says so.
    turn: str
    #: Whose units were named, and who has none.
    nations: tuple[str, ...]
    none: tuple[str, ...]
    lines: int
    wrong: tuple[NotRead, ...]


def read_layout(text: str, board: str = "europe") -> Laid:
    """Lines such as `Germany`, `Berlin: 2 armor 4-6, 11 army air`, `pool: 6 infantry 3-3`, `level 381, base 161`,
    `Summer 1942: 1 armor 5-6`, `Germany holds Minsk, K44`, `France: none`, `France: surrendered`,
    `Norway: conquered by Germany`, `war: Germany, Russia since Summer 1941`, `U.S.-Axis tension 22`,
    `turn: Spring 1942`."""
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
    return Laid(
        reader.figures,
        tuple(reader.wars),
        reader.turn,
        tuple(reader.nations),
        tuple(reader.none),
        lines,
        tuple(wrong),
    )


class _Reader:
    def __init__(self, board: str) -> None:
        self.board = board
        self.nation = ""
        self.nations: dict[str, None] = {}
        self.none: dict[str, None] = {}
        self.figures: dict[str, Any] = {}
        self.wars: list[LaidWar] = []
        self.turn = ""

    def read(self, line: str) -> None:
        said = line.lower().replace("−", "-").strip(" .;")
        if not (self._moment(said) or self._war(said) or self._track(said) or self._status(said)):
            self._of_nation(said)

    def _moment(self, said: str) -> bool:
        """`turn: Spring 1942`."""
        found = _NOW.fullmatch(said)
        if found:
            self.turn = _turn_named(found["turn"])
        return bool(found)

    def _war(self, said: str) -> bool:
        """`war: Germany, Russia since Summer 1941`."""
        found = _WAR.fullmatch(said)
        if found is None:
            return False
        since = _SINCE.search(found["sides"])
        named = found["sides"][: since.start()] if since else found["sides"]
        sides = [str(_whole(SIDE, it, "nation").value) for it in re.split(r"\s*(?:,|;|\band\b|\bwith\b)\s*", named)]
        if len(sides) != len({*sides}) or len(sides) != 2:
            raise WarCabinetError("who is at war with whom? Write two, such as war: Germany, Russia")
        self.wars.append(LaidWar((sides[0], sides[1]), _turn_named(since["turn"]) if since else ""))
        return True

    def _track(self, said: str) -> bool:
        """`U.S.-Axis tension 22`."""
        found = _LEVEL.fullmatch(said)
        track = tracks().get(_plain(found["track"])) if found else None
        if found is None or track is None:
            return False
        self.figures[f"tracks.{track}"] = int(found["level"])
        return True

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
        elif _SURRENDERED.fullmatch(rest) or _FIGHTS_ON.fullmatch(rest):
            self._surrendered(nation, bool(_SURRENDERED.fullmatch(rest)))
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

    def _surrendered(self, nation: str, yes: bool) -> None:
        if nation not in powers():
            raise WarCabinetError(f"{called(nation)} is no major power; write by whom it is conquered")
        self.figures[f"powers.{nation}.surrendered"] = yes

    def _holds(self, nation: str, rest: str) -> None:
        keys = [self._key(_whole(PLACE, part, "place")) for part in re.split(r"\s*,\s*|\s+and\s+", rest)]
        self.figures.setdefault("control", {}).setdefault(nation, []).extend(keys)

    def _units(self, nation: str, rest: str) -> None:
        """Places, the force pool or turns, and the units there; another place may follow on the same line."""
        path, rest = self._where(nation, rest)
        found: list[tuple[str, int]] = []
        bare = True  # no unit stands behind the last place yet
        for part in re.split(r"\s*(?:,|\+|;|\band\b)\s*", rest.strip(" :")):
            if part and not match(UNITS, part) and not bare and (place := self._next_place(nation, part)):
                path, part = place
                bare = True
            if part:
                # All of them are read before any counts.
                unit, count = parse_count(str(_whole(UNITS, part, "unit").value))
                found.append((f"{path}.{unit}", count))
                bare = False
        if bare:
            raise WarCabinetError("which units? Write a number and a unit, such as 2 armor 4-6")
        for key, count in found:
            self.figures[key] = self.figures.get(key, 0) + count
        self.nations[nation] = None

    def _next_place(self, nation: str, part: str) -> tuple[str, str] | None:
        try:
            path, rest = self._where(nation, part)
        except WarCabinetError:
            return None
        return path, rest.strip(" :")

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


def _turn_named(text: str) -> str:
    """A turn as it is written in files."""
    return calendar.turn_name(calendar.parse_turn(text.strip(" :").capitalize()))


def _plain(text: str) -> str:
    """A track's name without what people write in several ways: dots, hyphens and blanks."""
    return re.sub(r"[\W_]+", "", text)


@cache
def tracks() -> dict[str, str]:
    """The tracks by their ids and by what they are called, with and without the word tension."""
    found: dict[str, str] = {}
    for track, text in TRACKS.items():
        for name in (track, text.lower(), text.lower().removesuffix(" tension")):
            found.setdefault(_plain(name), track)
    return found


def _whole(field: Field, text: str, what: str) -> Match:
    """What a text is for a field, all of it."""
    found = match(field, text.strip())
    if found is None:
        raise WarCabinetError(f"'{text.strip()}' is no {what} that is known{_hint(text, field)}")
    left = text.strip()[found.length :].strip()
    if left:
        raise WarCabinetError(f"'{left}' means nothing after {found.said}")
    return found


def _alike(word: str, name: str) -> bool:
    """Whether a word is a name mistyped: a guess that is far off misleads more than none."""
    parts = (name, *name.split())
    return any(SequenceMatcher(None, word.lower(), it.lower()).ratio() >= ALIKE for it in parts)


def _hint(text: str, field: Field) -> str:
    words = re.split(r"[\s:,]+", text.strip())
    near = [it for it in closest(words[0], [field]) if _alike(words[0], it)] if words[0] else []
    return f"; {' or '.join(near[:2])}?" if near else ""
