"""Figures of wars that are on, and of what has happened this turn or year."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.figures.amounts import converted, count_of
from warcabinet.figures.figure import Figure
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.events import Event, Happened, WarBegan, WarEnded
from warcabinet.model.happenings import happening_key
from warcabinet.model.names import attacker_among, belligerent
from warcabinet.model.state import Happening, State


class _WarLine(msgspec.Struct, forbid_unknown_fields=True):
    between: tuple[str, str]
    since: str = ""
    declared_by: str = ""


def _read_wars(s: State) -> list[dict[str, Any]]:
    return [
        {"between": list(w.between), "since": calendar.turn_name(w.since), "declared_by": w.declared_by}
        for w in s.wars
        if w.ended is None
    ]


def _set_wars(s: State, to: Any) -> list[Event]:
    begun: dict[frozenset[str], WarBegan] = {}
    for line in converted("wars", to, list[_WarLine]):
        one, other = map(belligerent, line.between)
        # A scenario that may begin in any turn has its wars from the start of the game, or from an earlier turn.
        turns = [s.options.start if it == "start" else it for it in line.since.split(" or ") if it]
        since = min(map(calendar.parse_turn, turns), default=None)
        declared_by = belligerent(line.declared_by) if line.declared_by else attacker_among((one, other))
        _check_war(s, (one, other), declared_by, since)
        if frozenset((one, other)) in begun:
            raise WarCabinetError(f"wars: {one} and {other} stand there twice")
        begun[frozenset((one, other))] = WarBegan((one, other), declared_by, since)
    return _changed_wars(s, begun)


def _changed_wars(s: State, begun: dict[frozenset[str], WarBegan]) -> list[Event]:
    """What makes the wars those that are wanted; one that is on as it should be is left alone."""
    ended: list[Event] = []
    for war in s.wars:
        if war.ended is None:
            wanted = begun.get(frozenset(war.between))
            since = war.since if wanted is None or wanted.since is None else wanted.since
            if wanted is not None and (since, wanted.declared_by) == (war.since, war.declared_by):
                del begun[frozenset(war.between)]
            else:
                ended.append(WarEnded(war.between, never=True))
    return [*ended, *begun.values()]


def _check_war(s: State, between: tuple[str, str], declared_by: str, since: int | None) -> None:
    one, other = between
    if one == other:
        raise WarCabinetError(f"wars: {one} cannot be at war with itself")
    if declared_by and declared_by not in between:
        raise WarCabinetError(f"wars: declared by {declared_by}, who is neither {one} nor {other}")
    if since is not None and since > max(s.turn, calendar.parse_turn(s.options.start)):
        then, now = calendar.turn_name(since), calendar.turn_name(s.turn)
        raise WarCabinetError(f"wars: {one} and {other} since {then}, but it is {now}")


def _read_happened(s: State) -> list[dict[str, Any]]:
    return [{h.kind: h.key, "brp": h.amount, "in": calendar.moment_name(h.moment)} for h in s.happenings]


def _set_happened(s: State, to: Any) -> list[Event]:
    facts: list[Event] = []
    for line in converted("happened", to, list[dict[str, Any]]):
        kinds = [key for key in line if key not in ("brp", "count", "in")]
        if len(kinds) != 1 or ("brp" in line and "count" in line):
            raise WarCabinetError("a happening is written {<what>: <to whom>, brp: ..., in: player turn}")
        kind = kinds[0]
        window = _window(s, converted("in", line.get("in", "player turn"), str))
        amount = count_of(f"happened: {kind}", line.get("brp", line.get("count", 0)))
        facts.append(Happened(Happening(window, kind, happening_key(kind, line[kind]), amount)))
    return facts


def _window(s: State, text: str) -> int:
    """The moment at which something happened: since a frame opened, or as it was said."""
    for frame in s.frames:
        if frame.kind == text.removeprefix("this ").replace("game turn", "turn"):
            return frame.since
    when = calendar.parse_moment(text)
    if when > s.moment:
        raise WarCabinetError(f"happened in: {calendar.moment_name(when)} is still to come")
    return when


ROWS = (
    Figure(
        "wars",
        "wars that are on",
        "wars: [{between: [germany, russia], since: Summer 1941, declared_by: germany}]",
        _read_wars,
        _set_wars,
    ),
    Figure(
        "happened",
        "facts of this turn or year",
        "happened: [{bombed: london, brp: 4, in: player turn}]",
        _read_happened,
        _set_happened,
        adds=True,
    ),
)
