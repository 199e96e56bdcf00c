"""Grants to China: how much, by which routes, and what closes them: ports, the Burma Road, the Hump (40.8)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from warcabinet.board import supply as board_supply
from warcabinet.board.boxes import box
from warcabinet.board.courses import Course, runs, stretch
from warcabinet.board.maps import Board, by_key, europe, pacific
from warcabinet.board.names import places_at, with_role
from warcabinet.board.seas import passages, ports, sail
from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.happenings import Granted, SentBy, befell, sum_of
from warcabinet.model.keys import Unit
from warcabinet.model.names import called
from warcabinet.model.places import Place, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import tally
from warcabinet.rules.aid.convoys import in_action
from warcabinet.rules.aid.grants import ANY_GRANT, Grant
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.supply_by_land import armor_zone, friends, hexes_of, passable
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.force_pools import controls_site, free_of_enemy_zone
from warcabinet.rules.garrisons.counting import inverted_at
from warcabinet.rules.kinds import definition, effect, limit, opening, value

WEST = "western allies"
GRANTORS = ("britain", "usa")
KUNMING, HAIPHONG = place_key("Kunming"), place_key("Haiphong")
SIX_STEPS = 6
PORTS = tuple(it for it in with_role("port") if it.board == "pacific")
CHINESE_PORTS = tuple(it.key for it in PORTS if by_key(it.key).country == "china")
#: A hex of the open Atlantic at the western edge, where ships from America come in.
WESTERN_WATERS = next(it.id for it in europe() if it.kind == "sea" and "west" in it.edges and "atlantic" in it.seas)


# -- How much ------------------------------------------------------------------------------------------------------


@value("40.81", covers=("40.812C", "40.812C(1)", "40.812C(2)"))
def chinese_grant_limit(s: State, power: str) -> int:
    """BRPs that a power may grant China in a turn: Britain five, the U.S. by tension or, at war with Japan, ten."""
    if power != "usa":
        note("british_limit", "40.811", 5, power)
        return 5
    if at_war(s, "usa", "japan"):
        note("at_war", "40.812B", plain := 10, power)
    else:
        usjt = s.tracks.get("usjt", 0)
        note("tension", "40.812A", usjt, "usjt")
        plain = min(10, max(0, usjt) // 5)
    return max(0, plain + _lobby_change(s))


def _lobby_change(s: State) -> int:
    """By how much China Lobby research changes the American limit: only after Storm Over Asia, one a step from six."""
    note("research", "40.812C", s.options.china_lobby_steps)
    steps = s.options.china_lobby_steps - SIX_STEPS if s.options.edition == "prequel" else 0
    if steps:
        note("from_six_steps", "40.812C(1)" if steps < 0 else "40.812C(2)", steps)
    return steps


@limit("40.811", on=GrantBrps, when=lambda s, cmd: _to_china(cmd, *GRANTORS))
def within_limit_for_china(s: State, cmd: GrantBrps) -> Bound:
    """Britain and the U.S. grant China no more than their limits for a turn."""
    left = max(0, chinese_grant_limit(s, cmd.power) - sum_of(s, Granted("granted", cmd.power, "china"), "turn"))
    clause, text = "40.811", "what Britain may grant China this turn"
    if cmd.power == "usa":
        clause, text = "40.812B", "what the United States may grant China this turn"
        if not at_war(s, "usa", "japan"):
            clause, text = "40.812A", "what tension lets the United States grant China this turn"
    return Bound("brp", most=left, text=text, clause=clause)


def _to_china(cmd: GrantBrps, *powers: str) -> bool:
    return cmd.to == "china" and cmd.power in powers


# -- Which way -----------------------------------------------------------------------------------------------------


@limit("40.245", on=GrantBrps, when=lambda s, cmd: cmd.to != "china" or cmd.power in GRANTORS)
def entry_is_named(s: State, cmd: GrantBrps) -> Choice:
    """China receives by a port, the Burma Road or the Hump, which take nothing else."""
    if cmd.to != "china":
        return Choice("through", ("",), "only grants to China enter by these ways")
    return Choice("through", ("port", "burma road", "hump"), "say through what it enters China")


def india_holds(s: State) -> bool:
    return s.countries["india"].status == "commonwealth"


def country_at(place: Place) -> str:
    """The country that a port or base lies in; none for a place that is not named."""
    key = place or "box/"
    return "" if key.startswith("box/") else by_key(key).country


# -- Lines on the Pacific board ------------------------------------------------------------------------------------


def _of_japan(s: State, nation: str) -> bool:
    return side_of(s, nation) == s.powers["japan"].faction


def route_hexes(s: State) -> int:
    """The land that a grant to China may cross: Chinese of either side or Western Allied, without Japanese zones."""
    one = pacific()
    ours = hexes_of(s, one, friends(s, "britain") | {"china", "communist_china"})
    return ours & ~armor_zone(s, one, lambda nation: _of_japan(s, nation))


def course_between(
    s: State, sources: tuple[str, ...] | int, targets: tuple[str, ...] | int, without: str = ""
) -> Course:
    """Over hexes that a grant to China may cross, apart from a country that it must avoid."""
    one, permitted = pacific(), route_hexes(s)
    if without:
        permitted &= ~one.bits(it.id for it in one if it.country == without)
    return (stretch(one.name, sources, targets, permitted),)


def line_between(s: State, sources: tuple[str, ...] | int, targets: tuple[str, ...] | int, without: str = "") -> bool:
    """Whether a line runs over hexes that a grant to China may cross, apart from a country that it must avoid."""
    return runs(course_between(s, sources, targets, without), clause="40.82")


@definition("40.82", "From a place a line leads to a hex that Nationalist China holds in full supply")
def reaches_nationalists(s: State, place: Place) -> bool:
    supplied = supplied_nationalists(s)
    return bool(supplied) and line_between(s, (place,), supplied)


def supplied_nationalists(s: State) -> int:
    """The hexes that Nationalist China holds in full supply, as a bitmap."""
    one = pacific()
    sources = tuple(it.key for it in with_role("supply_unlimited", "china") if holder(s, it.key) == "china")
    return board_supply.reach(one, sources, route_hexes(s)) & hexes_of(s, one, frozenset({"china"}))


# -- Ports ---------------------------------------------------------------------------------------------------------


@definition("40.831A")
def chinese_port_open(s: State, place: Place) -> bool:
    """A Chinese port is open: not under Japanese control, not in the zone of control of Japanese armor."""
    one = pacific()
    in_zone = armor_zone(s, one, lambda nation: _of_japan(s, nation)) & one.bits((place,))
    return not friendly(s, place, s.powers["japan"].faction) and not in_zone


@definition("40.831B", "Indochina is open: Haiphong is Western Allied, with a supply line to Kunming outside Burma")
def indochina_open(s: State) -> bool:
    line = line_between(s, (HAIPHONG,), (KUNMING,), without="burma")
    return friendly(s, HAIPHONG, WEST) and line


def open_ports(s: State) -> list[Place]:
    """The ports by which a grant could reach the Nationalists now: Chinese ones, and Haiphong for Indochina."""
    found = [it for it in CHINESE_PORTS if chinese_port_open(s, it) and reaches_nationalists(s, it)]
    return [*found, HAIPHONG] if indochina_open(s) and reaches_nationalists(s, KUNMING) else found


# -- What the routes carry -----------------------------------------------------------------------------------------


@value("40.83", "Chinese ports and Indochina carry ten BRPs a turn")
def ports_capacity(s: State) -> int:
    return 10


INTO_CHINA = {"port": "ports", "burma road": "burma road", "hump": "hump"}
SEAWAYS = {"south africa": "40.82A", "pacific": "40.82B", "australia": "40.82C"}


@effect("40.81", covers=("40.82C",), also=("78.42",))
def use_chinese_route(p: Proceedings, power: str, by: str, through: str, port: Place, brp: int) -> None:
    """A grant uses the capacity of its route to China."""
    note("seaway", SEAWAYS[by], by)
    if by == "pacific":
        landed = {"china": "40.82B(1)", "french_indochina": "40.82B(2)"}.get(country_at(port), "40.82B(3)")
        note("landed", landed, port)
    p.do(befell(p.s, SentBy("sent", INTO_CHINA[through], power), brp))


def open_passages(s: State, one: Board, power: str) -> list[str]:
    """The straits and canals all of whose shores are friendly."""
    holds = hexes_of(s, one, friends(s, power))
    return [it.id for it in passages(one).values() if not one.bits(it.needs) & ~holds]


#: Islands that belong to a power and are no part of its home country.
_OVERSEAS = ("malta", "cyprus")


@cache
def _home_ports(power: str) -> tuple[str, ...]:
    one, home = europe(), set(home_hexes(power))
    own = (id_ for id_ in ports(one).values() if f"europe/{id_}" in home and one[id_].region not in _OVERSEAS)
    return tuple(sorted(own))


def _can_build(s: State, power: str, key: Place) -> bool:
    return controls_site(s, power, key) and free_of_enemy_zone(s, power, key)


def grantor_waters(s: State, power: str) -> tuple[str, ...]:
    """The hexes of the European board from which a grantor's ships sail: its home ports, or the open Atlantic."""
    if power == "usa":
        return (WESTERN_WATERS,)
    return tuple(it for it in _home_ports(power) if _can_build(s, power, Place(f"europe/{it}")))


def sails_north(s: State, power: str, start: str) -> bool:
    """Whether a power's ships get from a hex off the northern edge."""
    one = europe()
    # The hexes by which ships leave the board for the Murmansk box: A23 to A34 on its northern edge.
    return bool(sail(one, start, open_passages(s, one, power)) & one.bits(f"A{n}" for n in range(23, 35)))


@limit(
    "40.21",
    on=ANY_GRANT,
    when=lambda s, cmd: cmd.power in ("britain", "france") and (not isinstance(cmd, GrantBrps) or cmd.by != "land"),
)
def sails_from_home(s: State, cmd: Grant) -> str | None:
    """A grant by sea sails from a port at home, to Murmansk off the northern edge."""
    harbours = grantor_waters(s, cmd.power)
    if not harbours:
        return f"{called(cmd.power)} has no port at home from which a grant could sail"
    if isinstance(cmd, GrantBrps) or any(sails_north(s, cmd.power, it) for it in harbours):
        return None
    return f"no ship of {called(cmd.power)} gets off the northern edge between A23 and A34"


@definition("40.21", "A sea line runs from the grantor's home to a port in which the recipient could build")
def sea_line(s: State, power: str, recipient: str) -> bool:
    one = europe()
    harbours = [id_ for id_ in _home_ports(recipient) if _can_build(s, recipient, Place(f"europe/{id_}"))]
    ways = open_passages(s, one, power)
    for start in grantor_waters(s, power):
        water = sail(one, start, ways)
        reached = [id_ for id_ in harbours if one.bits((id_,)) & water]
        if reached:
            note("line", "", "by sea", power, recipient, text=f"from {start} to {', '.join(reached)}")
            return True
    note("line", "", "cut", power, recipient, text="no port at home that the recipient could build in is reached")
    return False


@definition("40.21", "A land line runs from the grantor's home to a place in which the recipient could build")
def land_line(s: State, power: str, recipient: str) -> bool:
    return runs(land_course(s, power, recipient), power, recipient)


def land_course(s: State, power: str, recipient: str) -> Course:
    """From the grantor's own key areas to hexes at home in which the recipient could build."""
    one = europe()
    sources = tuple(
        it.key for it in with_role("key_area", power) if it.board == one.name and holder(s, it.key) == power
    )
    homes = (key for key in home_hexes(recipient) if key.startswith("europe/"))
    targets = tuple(key for key in homes if _can_build(s, recipient, key))
    return (stretch(one.name, sources, targets, passable(s, one, power) | passable(s, one, recipient)),)


AIR_TRANSPORT = Unit("air transport")
RANGE = 3


@value("40.85", "Five BRPs a turn may be flown over the Hump")
def hump_capacity(s: State) -> int:
    return 5


def air_transport_at(s: State, place: Place) -> str:
    """The Western Allied nation that has an uninverted air transport at a base, if any."""
    there = tally((it.nation, it.count) for it in s.pieces.at(place) if it.unit == AIR_TRANSPORT)
    upright = (it for it, count in there.items() if count > inverted_at(s, it, place, AIR_TRANSPORT))
    return next((it for it in upright if side_of(s, it) == WEST), "")


@definition("40.851", "An operational base for the Hump: Western Allied, in India or Burma, and supplied")
def hump_base(s: State, place: Place) -> bool:
    country = country_at(place)
    return country in ("india", "burma") and friendly(s, place, WEST) and in_action(s, place)


@value("40.851", "Hexes from a base to Kunming over none that Japan controls; nothing where there is no such way")
def hump_distance(s: State, place: Place) -> int:
    flown = flight(s, place)
    if not flown:
        note("no_way", "40.851", place)
    return max(0, len(flown) - 1)


def flight(s: State, place: Place) -> tuple[str, ...]:
    """The shortest way from a base to Kunming over no hex that Japan controls, both ends included; none if there is no.

    Unlike a supply line it crosses water and enemy zones.
    """
    one = pacific()
    japanese = hexes_of(s, one, friends(s, "japan"))
    goal, start = one[KUNMING].id, one[place].id
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
    near = (it for it in hump_bases(s) if air_transport_at(s, it) and 0 < hump_distance(s, it) <= RANGE)
    return [it for it in near if landed and line_between(s, landed, (it,))]


@opening("40.851", "Bases from which a grant could be flown over the Hump", on=GrantBrps)
def bases_open(s: State, cmd: GrantBrps) -> Choice:
    return Choice("air_base", ("", *hump_bases(s)))


def hump_bases(s: State) -> tuple[Place, ...]:
    """The bases for the Hump at which an air transport stands."""
    places = (it.place for it in s.pieces.of_type(AIR_TRANSPORT) if it.place.startswith("pacific/"))
    return tuple(it for it in dict.fromkeys(places) if hump_base(s, it))


MANDALAY = place_key("Mandalay")


@value("40.84")
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


@limit("40.82", on=GrantBrps, when=lambda s, cmd: cmd.to == "china")
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
        flyers = any(air_transport_at(s, place) for place in hump_bases(s))
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
