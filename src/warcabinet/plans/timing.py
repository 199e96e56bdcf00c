"""When something of a plan comes: a moment of its own, or again and again; and that it can come at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model import calendar
from warcabinet.model.state import State

#: The last turn that a plan may name: nobody plays longer.
LAST = calendar.turn_name(calendar.split(calendar.last_moment())[0])


class Span(msgspec.Struct, frozen=True):
    """The moments that a plan is about: from the start of its scenario to the end of its last turn."""

    start: int
    end: int
    until: str

    def moment(self, text: str) -> int:
        """A moment by its name, if the plan comes to it."""
        found = calendar.parse_moment(text)
        if found >= self.end:
            raise WarCabinetError(f"{text} comes after the end of the plan; it is played until {self.until}")
        if found < self.start:
            raise WarCabinetError(f"{text} is over when the plan starts, in {calendar.moment_name(self.start)}")
        return found


def turn_of(text: str, season: int) -> int:
    """A turn by its name; of a year alone the one in this season: it comes from its spring, and until its winter."""
    year = re.fullmatch(r"\s*(\d{4})\s*", text)
    return calendar.turn_number(season, int(year[1])) if year else calendar.parse_turn(text)


def span(start: int, until: str) -> Span:
    """What lies between the start and the last turn of a plan."""
    turn = turn_of(until, calendar.WINTER)
    end = calendar.moment(turn + 1, 0)
    if end <= start:
        raise WarCabinetError(f"{until} is over when the plan starts")
    if turn > calendar.parse_turn(LAST):
        raise WarCabinetError(f"{until} is too far: the war is over by {LAST}")
    return Span(start, end, until)


def due(given: Mapping[str, Any], within: Span) -> tuple[frozenset[int], Callable[[State], bool], int | None]:
    """The steps at which an order is looked at, whether its moment has come, and its turn where it has but one."""
    if ("when" in given) == ("each" in given):
        raise WarCabinetError("an order has its moment: `when: Fall 1939, Axis, combat` or `each: Axis, combat`")
    if "when" in given:
        return _once(given, within)
    steps = _steps(str(given["each"]))
    first = turn_of(str(given["from"]), calendar.SPRING) if "from" in given else 0
    last = turn_of(str(given["until"]), calendar.WINTER) if "until" in given else 10**6
    if last < first:
        raise WarCabinetError(f"it comes from {given['from']} until {given['until']}, which is earlier: never")
    seasons = _seasons(given.get("in", calendar.SEASONS))
    return steps, lambda s: first <= s.turn <= last and s.season in seasons, None


def _once(given: Mapping[str, Any], within: Span) -> tuple[frozenset[int], Callable[[State], bool], int]:
    for key in ("until", "in"):
        if key in given:
            raise WarCabinetError(f"`{key}` goes with `each`; `when` is one moment")
    moment = within.moment(str(given["when"]))
    turn, step = calendar.split(moment)
    return frozenset({step}), lambda s: s.moment == moment, turn


def _steps(text: str) -> frozenset[int]:
    """The steps of a turn that a name without a year means."""
    if re.search(r"\d{4}", text):
        raise WarCabinetError(f"`each` comes again and again; for one moment write `when: {text}`")
    start = calendar.moment(calendar.turn_number(calendar.SPRING, 1940), 0)
    found = calendar.split(calendar.parse_moment(text, start - 1))[1]
    place = calendar.steps()[found]
    both = place.part in calendar.PLAYERS and not re.match(r"\s*(the )?(axis|allie)", text, re.IGNORECASE)
    return frozenset({calendar.step_index(it, place.step.name) for it in calendar.PLAYERS} if both else {found})


def _seasons(given: Any) -> frozenset[int]:
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if str(name).capitalize() not in calendar.SEASONS:
            raise unknown("season", name, calendar.SEASONS)
    return frozenset(calendar.SEASONS.index(str(name).capitalize()) for name in names)
