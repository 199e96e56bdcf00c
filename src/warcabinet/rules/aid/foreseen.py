"""What the roads to Russia and China will carry, and what would cut them: on the agenda and on cards of hexes (40.4 to
40.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from warcabinet.board.courses import hangs_on, hex_names
from warcabinet.kernel.limits import Limit
from warcabinet.model import calendar
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.places import NOWHERE, Place, place_key
from warcabinet.model.state import State
from warcabinet.rules.aid import china, murmansk, russia
from warcabinet.rules.aid.granting import ROADS
from warcabinet.rules.aid.grants import russia_may_receive
from warcabinet.rules.common.moments import Foreseen, foresees
from warcabinet.rules.common.war_and_peace import at_war

#: The country that a road is about.
ABOUT = {"persia": "persia", "turkey": "turkey", "burma road": "burma", "hump": "india"}


def _to(road: str) -> str:
    return "russia" if ROADS[road].oil else "china"


def carries(s: State, road: str) -> int:
    """The BRPs that a road carries in a turn as things stand; nothing where it is closed."""
    if not _is_open(s, road) or (_to(road) == "russia" and not russia_may_receive(s)):
        return 0
    return ROADS[road].capacity(s)


def _is_open(s: State, road: str) -> bool:
    """Whether somebody could send something by a road: what is asked are the limits on the order itself."""
    if road == "murmansk":  # whose convoy has sailed in this phase says nothing of the next
        return bool(open_railways(s)) and murmansk.vologda_open(s)
    return any(not _refused(s, order) for order in _orders(s, road))


#: The limits that say whether a road is open.
OPEN: tuple[Limit[State, Any], ...] = (
    *(russia.persian_route_is_open, russia.turkish_route_is_open, russia.highway_is_there),
    *(china.way_into_china, china.air_transport_is_there),
)


def _refused(s: State, order: GrantBrps) -> bool:
    return any(it.judge(order, told) for it in OPEN if it.holds(s, order) for told in it.findings(s, order))


def _orders(s: State, road: str) -> Iterator[GrantBrps]:
    """The grants that could go by a road to Russia or China, those first that are the likeliest to be open."""
    if _to(road) == "russia":
        ways: list[Any] = [it for it, by in russia.ROUTES.items() if by == road]
        ports = russia.PORTS if road == "turkey" else (NOWHERE,)
        for power, by, port in product(("usa", "britain"), ways, ports):
            yield GrantBrps(power, "russia", by, 1, port=port)
        return
    through: Any = next(it for it, by in china.INTO_CHINA.items() if by == road)
    bases = china.hump_bases(s) if road == "hump" else (NOWHERE,)
    if road == "ports":
        landed: list[tuple[Any, Place]] = [("pacific", it) for it in (*china.CHINESE_PORTS, china.HAIPHONG)]
    else:
        near = (it.key for it in china.PORTS if china.country_at(it.key) in ("burma", "india"))
        landed = [("south africa", NOWHERE), *(("pacific", it) for it in near)]
    for (by, port), base in product(landed, bases):
        yield GrantBrps("usa", "china", by, 1, through=through, port=port, air_base=base)


def hexes_it_hangs_on(s: State, road: str) -> tuple[str, ...]:
    """The hexes whose loss alone would close a road that is open."""
    if road == "murmansk":
        rails = [hangs_on(murmansk.railway_course(s, hex_id)) for hex_id in open_railways(s)]
        # With both railways open only what they have in common matters.
        shared = tuple(key for key in rails[0] if all(key in rail for rail in rails)) if rails else ()
        return tuple(dict.fromkeys((*shared, *hangs_on(murmansk.course_beyond_vologda(s)))))
    if road == "persia":
        return hangs_on(russia.persian_course(s))
    if road == "turkey":
        ports = [hangs_on(russia.turkish_course(s, port)) for port in russia.PORTS if russia.turkish_line(s, port)]
        return tuple(key for key in ports[0] if all(key in port for port in ports)) if ports else ()
    if road == "burma road":
        return hangs_on(china.burma_road_course(s))
    if road == "hump":
        bases = china.bases_that_fly(s)
        return (*(map(place_key, bases) if len(bases) == 1 else ()), china.KUNMING) if bases else ()
    landing = china.open_ports(s) if road == "ports" else []
    return tuple(map(place_key, landing)) if len(landing) == 1 else ()


def open_railways(s: State) -> list[str]:
    """By which hexes a convoy could reach Vologda now."""
    rails = {"A47": murmansk.murmansk_railway(s), "A50": murmansk.archangel_railway(s)}
    return [hex_id for hex_id, runs in rails.items() if runs]


def would_cut(s: State, road: str) -> list[tuple[str, str]]:
    """What would close a road that is open, or lessen what it carries, each with its clause."""
    hexes = hex_names(hexes_it_hangs_on(s, road))
    falls = f"the loss of {hexes}" if hexes else "the loss of every line"
    if road == "murmansk":
        found = [("40.412C", f"{falls}, or an Axis zone of control over Vologda")]
        if open_railways(s) == ["A50"]:
            found.append(("40.412B", "ice in winter and spring: only Archangel's railway is open"))
        return found
    if road == "persia":
        partisans = ("40.51B", "each Persian partisan beside Abadan, Ahwaz or Tehran takes 5")
        return [("40.53", falls), partisans]
    if road == "turkey":
        partisans = ("40.61B", "each Axis Turkish partisan takes 2, at most 6")
        return [("40.61A", "the loss of Ankara"), ("40.62", falls), partisans]
    if road == "siberia":
        cause = "war between Japan and Russia, or Vladivostok or Dutch Harbor in Japanese hands: 5 are left"
        return [] if russia.siberia_is_threatened(s) else [("40.73B", cause)]
    if road == "burma road":
        return [("40.841", falls), ("40.332C", "an Indian surrender")]
    if road == "hump":
        return [("40.851", falls), ("40.851", "no air transport left, or a way over Japanese hexes only")]
    return [("40.831A", falls if hexes else "the loss of every port"), ("40.831A", "Japanese armor beside it")]


def next_grants(s: State) -> int:
    """The next moment after this one at which the Allies make grants."""
    step = calendar.step_index("allied", "initial supply determination")
    now = calendar.moment(s.turn, step)
    return now if now > s.moment else calendar.moment(s.turn + 1, step)


@foresees
def roads_to_come(s: State) -> Iterator[Foreseen]:
    """What each road will carry when grants are made next, and what would cut it before."""
    when = next_grants(s)
    turn, step = calendar.split(when)
    later = s.at(turn, step)
    for road in _watched(s):
        name, clause, about = ROADS[road].name, ROADS[road].clause, ABOUT.get(road, "")
        then = carries(later, road)
        if then:
            averted_by = "; ".join(text for _, text in would_cut(later, road))
            yield Foreseen(when, clause, f"The {name} carries {then} BRPs", _to(road), about, averted_by)
        elif carries(s, road):
            yield Foreseen(when, clause, f"The {name} closes", _to(road), about, "ice: the railway by A47 open again")


def _watched(s: State) -> list[str]:
    """The roads that matter now: to Russia once it went to war with Germany, to China once the West fights Japan."""
    found = [road for road in ROADS if _to(road) == "russia"] if russia_may_receive(s) else []
    pacific_war = any(at_war(s, power, "japan") for power in ("britain", "usa"))
    to_china = [road for road in ROADS if _to(road) == "china"]
    return found + (to_china if pacific_war and not s.powers["china"].surrendered else [])
