"""Grants to China: how much, by which routes, and what closes them (40.81 to 40.83)."""

from __future__ import annotations

from functools import cache

from warcabinet.board import supply as board_supply
from warcabinet.board.maps import Board, by_key, europe, pacific
from warcabinet.board.names import with_role
from warcabinet.board.seas import passages, ports, sail
from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.events import Happened
from warcabinet.model.names import called
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import home_hexes
from warcabinet.rules.aid.courses import Course, runs, stretch
from warcabinet.rules.aid.grants import ANY_GRANT, Grant
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.supply_by_land import armor_zone, friends, hexes_of, passable
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.economy.force_pools import controls_site, free_of_enemy_zone
from warcabinet.rules.kinds import definition, effect, limit, value

WEST = "western allies"
GRANTORS = ("britain", "usa")
KUNMING, HAIPHONG = place_key("Kunming"), "Haiphong"
SIX_STEPS = 6
_PORTS = (it for it in with_role("port") if it.board == "pacific")
CHINESE_PORTS = tuple(it.name for it in _PORTS if by_key(it.key).country == "china")
#: A hex of the open Atlantic at the western edge, where ships from America come in.
WESTERN_WATERS = next(it.id for it in europe() if it.kind == "sea" and "west" in it.edges and "atlantic" in it.seas)


# -- How much ------------------------------------------------------------------------------------------------------


@value("40.81", covers=("40.811", "40.812A", "40.812B", "40.812C", "40.812C(1)", "40.812C(2)"))
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


@limit("40.811", on=GrantBrps, when=lambda s, cmd: _to_china(cmd, *GRANTORS), also=("40.812A", "40.812B"))
def within_limit_for_china(s: State, cmd: GrantBrps) -> Bound:
    """Britain and the U.S. grant China no more than their limits for a turn."""
    left = max(0, chinese_grant_limit(s, cmd.power) - total(s, "granted", f"{cmd.power} china", "turn"))
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


def country_at(place: str) -> str:
    """The country that a port or base lies in; none for a place that is not named."""
    key = place_key(place) if place else "box/"
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
def reaches_nationalists(s: State, place: str) -> bool:
    supplied = supplied_nationalists(s)
    return bool(supplied) and line_between(s, (place_key(place),), supplied)


def supplied_nationalists(s: State) -> int:
    """The hexes that Nationalist China holds in full supply, as a bitmap."""
    one = pacific()
    sources = tuple(it.key for it in with_role("supply_unlimited", "china") if holder(s, it.key) == "china")
    return board_supply.reach(one, sources, route_hexes(s)) & hexes_of(s, one, frozenset({"china"}))


# -- Ports ---------------------------------------------------------------------------------------------------------


@definition("40.831A")
def chinese_port_open(s: State, place: str) -> bool:
    """A Chinese port is open: not under Japanese control, not in the zone of control of Japanese armor."""
    one, key = pacific(), place_key(place)
    in_zone = armor_zone(s, one, lambda nation: _of_japan(s, nation)) & one.bits((key,))
    return not friendly(s, key, s.powers["japan"].faction) and not in_zone


@definition("40.831B", "Indochina is open: Haiphong is Western Allied, with a supply line to Kunming outside Burma")
def indochina_open(s: State) -> bool:
    line = line_between(s, (place_key(HAIPHONG),), (KUNMING,), without="burma")
    return friendly(s, place_key(HAIPHONG), WEST) and line


def open_ports(s: State) -> list[str]:
    """The ports by which a grant could reach the Nationalists now: Chinese ones, and Haiphong for Indochina."""
    found = [it for it in CHINESE_PORTS if chinese_port_open(s, it) and reaches_nationalists(s, it)]
    return [*found, HAIPHONG] if indochina_open(s) and reaches_nationalists(s, KUNMING) else found


# -- What the routes carry -----------------------------------------------------------------------------------------


@value("40.83", "Chinese ports and Indochina carry ten BRPs a turn")
def ports_capacity(s: State) -> int:
    return 10


INTO_CHINA = {"port": "ports", "burma road": "burma road", "hump": "hump"}
SEAWAYS = {"south africa": "40.82A", "pacific": "40.82B", "australia": "40.82C"}


@effect("40.81", covers=("40.82C", "40.82B(1)", "40.82B(2)", "40.82B(3)"), also=("78.42",))
def use_chinese_route(p: Proceedings, power: str, by: str, through: str, port: str, brp: int) -> None:
    """A grant uses the capacity of its route to China."""
    note("seaway", SEAWAYS[by], by)
    if by == "pacific":
        landed = {"china": "40.82B(1)", "french_indochina": "40.82B(2)"}.get(country_at(port), "40.82B(3)")
        note("landed", landed, port)
    p.do(Happened(Happening(p.s.moment, f"sent by {INTO_CHINA[through]}", power, brp)))


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


def _can_build(s: State, power: str, key: str) -> bool:
    return controls_site(s, power, key) and free_of_enemy_zone(s, power, key)


def grantor_waters(s: State, power: str) -> tuple[str, ...]:
    """The hexes of the European board from which a grantor's ships sail: its home ports, or the open Atlantic."""
    if power == "usa":
        return (WESTERN_WATERS,)
    return tuple(it for it in _home_ports(power) if _can_build(s, power, f"europe/{it}"))


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
    harbours = [id_ for id_ in _home_ports(recipient) if _can_build(s, recipient, f"europe/{id_}")]
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
