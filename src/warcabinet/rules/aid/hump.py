"""Grants to China over the Burma Road and over the Hump: capacity, the air transport, its bases and its route (40.84,
40.85).
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.boxes import box
from warcabinet.board.maps import pacific
from warcabinet.board.names import places_at
from warcabinet.kernel.limits import Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.names import called
from warcabinet.model.places import place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import tally
from warcabinet.rules.aid.china import (
    INTO_CHINA,
    KUNMING,
    WEST,
    chinese_port_open,
    country_at,
    course_between,
    india_holds,
    indochina_open,
    line_between,
    reaches_nationalists,
)
from warcabinet.rules.aid.convoys import in_action
from warcabinet.rules.aid.courses import Course, runs
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.supply_by_land import friends, hexes_of
from warcabinet.rules.garrisons.counting import inverted_at
from warcabinet.rules.kinds import definition, limit, opening, value

AIR_TRANSPORT = "air transport"
RANGE = 3


@value("40.85", "Five BRPs a turn may be flown over the Hump")
def hump_capacity(s: State) -> int:
    return 5


def air_transport_at(s: State, place: str) -> str:
    """The Western Allied nation that has an uninverted air transport at a base, if any."""
    key = place_key(place)
    there = tally((it.nation, it.count) for it in s.pieces.at(key) if it.unit == AIR_TRANSPORT)
    upright = (it for it, count in there.items() if count > inverted_at(s, it, key, AIR_TRANSPORT))
    return next((it for it in upright if side_of(s, it) == WEST), "")


@definition("40.851", "An operational base for the Hump: Western Allied, in India or Burma, and supplied")
def hump_base(s: State, place: str) -> bool:
    country = country_at(place)
    return country in ("india", "burma") and friendly(s, place_key(place), WEST) and in_action(s, place_key(place))


@value("40.851", "Hexes from a base to Kunming over none that Japan controls; nothing where there is no such way")
def hump_distance(s: State, place: str) -> int:
    flown = flight(s, place)
    if not flown:
        note("no_way", "40.851", place)
    return max(0, len(flown) - 1)


def flight(s: State, place: str) -> tuple[str, ...]:
    """The shortest way from a base to Kunming over no hex that Japan controls, both ends included; none if there is no.

    Unlike a supply line it crosses water and enemy zones.
    """
    one = pacific()
    japanese = hexes_of(s, one, friends(s, "japan"))
    goal, start = one[KUNMING].id, one[place_key(place)].id
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    front = [start]
    while front and goal not in ways:
        ahead: list[str] = []
        for here in front:
            for it in one.neighbours(here):
                if it.id not in ways and not one.bits((it.id,)) & japanese:
                    ways[it.id] = (*ways[here], it.id)
                    ahead.append(it.id)
        front = ahead
    return ways.get(goal, ())


def bases_that_fly(s: State) -> list[str]:
    """The bases from which a grant that came to the India box could be flown to the Nationalists now."""
    if not reaches_nationalists(s, KUNMING) or not in_action(s, KUNMING):
        return []
    landed = box("india_box").hexes("supply") if india_holds(s) else ()
    near = (it for it in _hump_bases(s) if air_transport_at(s, it) and 0 < hump_distance(s, it) <= RANGE)
    return [it for it in near if landed and line_between(s, landed, (it,))]


@opening("40.851", "Bases from which a grant could be flown over the Hump", on=GrantBrps)
def bases_open(s: State, cmd: GrantBrps) -> Choice:
    return Choice("air_base", ("", *_hump_bases(s)))


def _hump_bases(s: State) -> tuple[str, ...]:
    """The bases for the Hump at which an air transport stands."""
    places = (it.place for it in s.pieces.of_type(AIR_TRANSPORT) if it.place.startswith("pacific/"))
    return tuple(it for it in dict.fromkeys(places) if hump_base(s, it))


MANDALAY = place_key("Mandalay")


@value("40.84", covers=("40.84A", "40.84B", "40.84B(1)"))
def burma_road_capacity(s: State) -> int:
    """BRPs that the Burma Road carries in a turn: ten by its research result, five after three steps, else none."""
    if s.options.edition == "classic" or s.options.burma_road_result:
        note("research", "40.84B", "result")
        if s.options.edition == "classic":
            note("classic_game", "40.84B(1)", 10)
        return 10
    if s.options.burma_road_steps < 3:
        return 0
    note("research", "40.84A", s.options.burma_road_steps)
    return 5


@definition("40.841", "The Burma Road is open: a supply line from the India box to Mandalay, and on to Kunming")
def burma_road_open(s: State) -> bool:
    return india_holds(s) and runs(burma_road_course(s), clause="40.82")


def burma_road_course(s: State) -> Course:
    """From the India box to Mandalay, and on to Kunming."""
    edge, mandalay = box("india_box").hexes("supply"), (MANDALAY,)
    return (*course_between(s, edge, mandalay), *course_between(s, mandalay, (KUNMING,)))


# -- Into China ----------------------------------------------------------------------------------------------------


@limit(
    "40.82",
    on=GrantBrps,
    when=lambda s, cmd: cmd.to == "china",
    also=("40.332C", "40.82A", "40.82B", "40.82B(3)", "40.82C", "40.831A", "40.831B", "40.841", "40.851", "72.51H"),
)
def way_into_china(s: State, cmd: GrantBrps) -> Iterator[Finding]:
    """A grant comes by a port, the Burma Road or the Hump, while it is open, to a fully supplied Nationalist hex.

    From the India box, which an Indian surrender closes, it goes on by the Road or the Hump. Across the Pacific it goes
    to a port: in China or Indochina, or in Burma or India for road and Hump.
    """
    from_box = cmd.by in ("south africa", "australia")
    if from_box:
        told = "from the India box by the Burma Road or over the Hump"
        yield Choice("through", ("burma road", "hump"), told, "40.82A", ("40.82C",))
        if not india_holds(s):
            yield Refusal("40.332C", "India has surrendered", also=("72.51H",))
    if cmd.by == "pacific" and (told := _no_landing(cmd)):
        yield Refusal("40.82B", told)
    into = country_at(cmd.port) if cmd.through == "port" else ""
    if cmd.through in INTO_CHINA:
        via = cmd.port if into == "china" else KUNMING
        if not reaches_nationalists(s, via):
            yield f"no line leads from {place_called(via)} to a supplied Nationalist hex"
    if into == "china" and not chinese_port_open(s, cmd.port):
        yield Refusal("40.831A", f"{place_called(cmd.port)} is Japanese, or in the zone of Japanese armor")
    if into == "french_indochina":
        if not indochina_open(s):
            told = "Haiphong is not Western Allied, or no line leads from it to Kunming without passing Burma"
            yield Refusal("40.831B", told)
        elif not line_between(s, (cmd.port,), (KUNMING,), without="burma"):
            yield Refusal("40.831B", f"no line leads from {place_called(cmd.port)} to Kunming")
    if cmd.through == "burma road":
        if not burma_road_open(s):
            yield Refusal("40.841", "no supply line from the India box by Mandalay to Kunming")
        landed = cmd.by == "pacific" and cmd.port
        if landed and not line_between(s, (cmd.port,), (MANDALAY,)):
            yield Refusal("40.82B(3)", f"no line leads from {place_called(cmd.port)} to Mandalay")
    if cmd.through == "hump" and (told := _no_flight(s, cmd)):
        yield Refusal("40.851", told)


def _no_landing(cmd: GrantBrps) -> str:
    """Why a grant across the Pacific is not landed in the port that is named."""
    if not cmd.port:
        return "name the port in which it is landed"
    wanted = ("china", "french_indochina") if cmd.through == "port" else ("burma", "india")
    if not any(it.has("port") for it in places_at(cmd.port)):
        return f"{place_called(cmd.port)} is no port"
    return (
        ""
        if country_at(cmd.port) in wanted
        else f"{place_called(cmd.port)} is not in {' or '.join(map(called, wanted))}"
    )


@limit("40.851", "Only what goes over the Hump is flown", on=GrantBrps)
def nothing_else_is_flown(s: State, cmd: GrantBrps) -> Choice | None:
    over_it = cmd.to == "china" and cmd.through == "hump"
    return None if over_it else Choice("air_base", ("",), "only grants over the Hump are flown")


@limit("40.851", on=GrantBrps, when=lambda s, cmd: cmd.to == "china" and cmd.through == "hump")
def air_transport_is_there(s: State, cmd: GrantBrps) -> str | None:
    """One uninverted Western Allied air transport factor flies a grant over the Hump."""
    if not cmd.air_base:
        flyers = any(air_transport_at(s, place) for place in _hump_bases(s))
        return "name the air base from which it is flown" if flyers else "no air transport in India or Burma can fly it"
    found = air_transport_at(s, cmd.air_base)
    return None if found else f"no uninverted Western Allied air transport in {place_called(cmd.air_base)}"


def _no_flight(s: State, cmd: GrantBrps) -> str:
    """Why no way of three hexes, none Japanese, leads to Kunming from an operational base in India or Burma."""
    key, base = KUNMING, cmd.air_base
    if not in_action(s, key):
        return "the air base of Kunming is not operational"
    if not friendly(s, key, WEST) and not friendly(s, key, s.powers["china"].faction):
        return "Kunming is in enemy hands"
    if not base:
        return ""
    if not hump_base(s, base):
        return f"{place_called(base)} is no operational Western Allied air base in India or Burma"
    landed = (cmd.port,) if cmd.by == "pacific" and cmd.port else box("india_box").hexes("supply")
    if not line_between(s, landed, (base,)):
        return f"no line leads to {place_called(base)}"
    steps = hump_distance(s, base)
    if not steps:
        return f"every way from {place_called(base)} to Kunming leads over Japanese hexes"
    return "" if steps <= RANGE else f"{place_called(base)} is {steps} hexes from Kunming, at most {RANGE}"
