"""The roads to Russia and China: what each carries, open or by which clause not, where it runs, on what it hangs.

A road is judged by the limits of chapter 40 themselves, on an order whose amount is still open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from warcabinet.board.courses import Course, trace
from warcabinet.board.maps import board
from warcabinet.kernel.clause import stands_under
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.convoys import Consignment, Convoy
from warcabinet.model.places import place_called, place_key
from warcabinet.model.state import State, total
from warcabinet.rules.aid.china import (
    HAIPHONG,
    KUNMING,
    MANDALAY,
    burma_road_course,
    course_between,
    flight,
    india_holds,
    supplied_nationalists,
)
from warcabinet.rules.aid.foreseen import hexes_it_hangs_on, would_cut
from warcabinet.rules.aid.grants import WESTERN_ALLIES
from warcabinet.rules.aid.murmansk import (
    allied_turns_since_outbreak,
    archangel_railway,
    course_beyond_vologda,
    murmansk_railway,
    railway_course,
)
from warcabinet.rules.aid.russia import PORTS, alaska_highway, persian_course, persian_route_since, turkish_course
from warcabinet.rules.countries.middle_east import persian_route
from warcabinet.views.aid_ways import Claim, Pairs, Way
from warcabinet.views.words import name

RoadState = Literal["open", "closed", "used up", "under way"]
ORDINALS = ("", "First", "Second", "Third", "Fourth", "Fifth", "Sixth")


class MapLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line to be drawn: over these hexes, or, where it is cut, from one end towards the other."""

    text: str
    clause: str
    hexes: tuple[str, ...]
    open: bool
    #: Hexes that would have to be opened for it.
    cut: tuple[str, ...] = ()
    #: Off the board or through the air: drawn as a bow.
    bow: bool = False


class Road(msgspec.Struct, frozen=True, omit_defaults=True):
    """A road by which grants reach Russia or China."""

    id: str
    name: str
    to: str
    state: RoadState
    capacity: int
    used: int
    #: The value that says how much it carries, for whoever asks why.
    rule: str
    args: tuple[str, ...]
    #: Oil counters that it takes in a turn, and those sent.
    oil: int
    oil_used: int
    because: tuple[Claim, ...]
    why_not: tuple[Claim, ...]
    would_cut: tuple[Claim, ...]
    hangs_on: tuple[str, ...]
    lines: tuple[MapLine, ...]


class _Kind(msgspec.Struct, frozen=True):
    """What is always so of a road."""

    name: str
    to: str
    chapter: tuple[str, ...]
    rule: str
    args: tuple[str, ...] = ()
    kind: str = ""
    oil: int = 0
    within: Literal["turn", "player turn"] = "turn"


ROADS = {
    "murmansk": _Kind("Murmansk", "russia", ("40.41",), "murmansk_capacity", (), "to murmansk", 2, "player turn"),
    "persia": _Kind("Persia", "russia", ("40.5",), "route_capacity", ("persia",), "by persia", 1),
    "turkey": _Kind("Turkey", "russia", ("40.6",), "route_capacity", ("turkey",), "by turkey", 1),
    "siberia": _Kind("Siberia", "russia", ("40.7",), "route_capacity", ("siberia",), "by siberia", 1),
    "burma road": _Kind("Burma Road", "china", ("40.84", "40.82"), "burma_road_capacity", (), "by burma road"),
    "hump": _Kind("Hump", "china", ("40.85", "40.82"), "hump_capacity", (), "by hump"),
    "ports": _Kind("Chinese ports", "china", ("40.83", "40.82"), "ports_capacity", (), "by ports"),
}


def roads(s: State, judged: State, pairs: Pairs) -> tuple[Road, ...]:
    """Every road: `judged` is the position without what is under way, in which the ways of each pair were judged."""
    return tuple(_road(s, judged, pairs, id, kind) for id, kind in ROADS.items())


def _road(s: State, judged: State, pairs: Pairs, id: str, kind: _Kind) -> Road:
    ways = [way for found in pairs.values() for way in found if way.road == id]
    own = [[it for it in way.why_not if any(stands_under(it.clause, c) for c in kind.chapter)] for way in ways]
    reasons = min(own, key=len, default=[])
    capacity = int(RULES.values()[kind.rule](judged, *kind.args))
    used = sum(total(judged, f"sent {kind.kind}", power, kind.within) for power in WESTERN_ALLIES)
    full = bool(capacity) and used >= capacity
    open_now = full or not reasons
    state: RoadState = "under way" if _under_way(s, id) else "used up" if full else "open" if open_now else "closed"
    return Road(
        id=id,
        name=kind.name,
        to=kind.to,
        state=state,
        capacity=capacity if state != "closed" else 0,
        used=used,
        rule=kind.rule,
        args=kind.args,
        oil=kind.oil,
        oil_used=sum(total(judged, f"oil sent {kind.kind}", power, "turn") for power in WESTERN_ALLIES),
        because=tuple(_BECAUSE[id](judged)) if open_now else (),
        why_not=() if open_now else tuple(dict.fromkeys(reasons)),
        would_cut=tuple(Claim(*it) for it in would_cut(judged, id)) if open_now else (),
        hangs_on=hexes_it_hangs_on(judged, id) if open_now else (),
        lines=tuple(_LINES[id](judged, ways)),
    )


def _under_way(s: State, id: str) -> bool:
    for it in s.operations:
        if isinstance(it.about, Convoy) and id == "murmansk":
            return True
        if isinstance(it.about, Consignment) and it.about.to in ("russia", "china") and it.about.by.startswith(id):
            return True
    return False


# -- Why it is open ------------------------------------------------------------------------------------------------


def _murmansk_because(s: State) -> Iterator[Claim]:
    n = allied_turns_since_outbreak(s)
    which = ORDINALS[n] if n < len(ORDINALS) else f"{n}th"
    yield Claim("40.411", f"{which} Allied turn of the war")
    if murmansk_railway(s):
        yield Claim("40.412A", "by A47 to Vologda")
    if archangel_railway(s):
        yield Claim("40.412B", "by A50, free of ice")
    elif s.season not in (calendar.SUMMER, calendar.FALL):
        yield Claim("40.412B", f"ice closes Archangel in {calendar.SEASONS[s.season].lower()}")


def _persia_because(s: State) -> Iterator[Claim]:
    since = persian_route_since(s)
    when = f" in {calendar.turn_name(since)}" if since else ""
    yield Claim("40.521", f"opened{when} by {name(persian_route(s))}")
    yield Claim("40.53", "from the Gulf by Tehran to the eastern edge")


def _turkey_because(s: State) -> Iterator[Claim]:
    yield Claim("40.61A", "Ankara is Allied")
    yield Claim("40.62", "through a Turkish port to the eastern edge in Russia")


def _siberia_because(s: State) -> Iterator[Claim]:
    yield Claim("40.72", f"the Alaska highway was built in {calendar.turn_name(alaska_highway(s))}")
    yield Claim("40.74", "nobody may intercept it")


def _road_because(s: State) -> Iterator[Claim]:
    yield Claim("40.841", "from the India box by Mandalay to Kunming")


def _hump_because(s: State) -> Iterator[Claim]:
    yield Claim("40.851", "flown to Kunming, three hexes at most")


def _ports_because(s: State) -> Iterator[Claim]:
    yield Claim("40.83", "ports of China and Indochina together")


_BECAUSE = {
    "murmansk": _murmansk_because,
    "persia": _persia_because,
    "turkey": _turkey_because,
    "siberia": _siberia_because,
    "burma road": _road_because,
    "hump": _hump_because,
    "ports": _ports_because,
}

# -- Where it runs -------------------------------------------------------------------------------------------------


def course_line(course: Course, text: str, clause: str, ends: tuple[str, str]) -> MapLine:
    """A course as one line: its hexes, or what cuts it."""
    hexes: list[str] = []
    cut: list[str] = []
    for part in course:
        found = trace(part)
        hexes += [f"{part.board}/{id}" for id in found.path]
        cut += [f"{part.board}/{id}" for id in found.cut]
        if not found and not cut:
            cut += [f"{part.board}/{id}" for id in board(part.board).ids(part.targets)[:1]]
    passed = tuple(dict.fromkeys(hexes))
    return MapLine(text, clause, passed if not cut else ends, not cut, tuple(dict.fromkeys(cut)))


def _murmansk_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    beyond = course_beyond_vologda(s)
    for hex_id, text, clause, railway in (
        ("A47", "A47", "40.412A", murmansk_railway(s)),
        ("A50", "A50", "40.412B", archangel_railway(s)),
    ):
        ends = (f"europe/{hex_id}", place_key("Vologda"))
        line = course_line((*railway_course(s, hex_id), *beyond), text, clause, ends)
        yield line if railway else msgspec.structs.replace(line, hexes=ends, open=False)


def _persia_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    line = course_line(persian_course(s), "Gulf", "40.53", (place_key("Abadan"), place_key("Tehran")))
    yield line if persian_route(s) else msgspec.structs.replace(line, open=False)


def _turkey_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    found = [course_line(turkish_course(s, it), place_called(it), "40.62", (it, "europe/Z47")) for it in PORTS]
    yield next((it for it in found if it.open), found[2])


def _siberia_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    ends = (place_key("Dutch Harbor"), place_key("Vladivostok"))
    yield MapLine("Alaska highway", "40.71", ends, bool(alaska_highway(s)), bow=True)


def _burma_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    line = course_line(burma_road_course(s), "road", "40.841", (place_key(MANDALAY), place_key(KUNMING)))
    yield line if india_holds(s) else msgspec.structs.replace(line, open=False)


def _hump_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    base = next((way.known["air_base"] for way in ways if way.known.get("air_base")), "Dimapur")
    flown = tuple(f"pacific/{id}" for id in flight(s, place_key(base)))
    ends = (place_key(base), place_key(KUNMING))
    yield MapLine("hump", "40.851", ends, bool(flown) and any(not way.why_not for way in ways), bow=True)


def _ports_lines(s: State, ways: list[Way]) -> Iterator[MapLine]:
    haiphong, kunming = (HAIPHONG,), (KUNMING,)
    by_indochina = course_between(s, haiphong, kunming, without="burma")
    line = course_line(by_indochina, "Haiphong", "40.831B", (haiphong[0], kunming[0]))
    open_ports = [way.known["port"] for way in ways if not way.why_not]
    yield (
        line
        if place_called(HAIPHONG) in open_ports
        else msgspec.structs.replace(line, hexes=(haiphong[0], kunming[0]), open=False)
    )
    for port in open_ports:
        if port != place_called(HAIPHONG):
            course = course_between(s, (place_key(port),), supplied_nationalists(s))
            yield course_line(course, port, "40.831A", (place_key(port), kunming[0]))


_LINES: dict[str, Any] = {
    "murmansk": _murmansk_lines,
    "persia": _persia_lines,
    "turkey": _turkey_lines,
    "siberia": _siberia_lines,
    "burma road": _burma_lines,
    "hump": _hump_lines,
    "ports": _ports_lines,
}
