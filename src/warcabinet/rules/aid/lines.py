"""The supply line that a grant needs, from the grantor's home to a place where the recipient could build (40.21)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.maps import Board, europe
from warcabinet.board.names import with_role
from warcabinet.board.seas import passages, ports, sail
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.names import called
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.aid.courses import Course, runs, stretch
from warcabinet.rules.aid.grants import ANY_GRANT, Grant
from warcabinet.rules.common.supply_by_land import friends, hexes_of, passable
from warcabinet.rules.economy.construction import controls_site, free_of_enemy_zone
from warcabinet.rules.kinds import definition, limit


def open_passages(s: State, one: Board, power: str) -> list[str]:
    """The straits and canals all of whose shores are friendly."""
    holds = hexes_of(s, one, friends(s, power))
    return [it.id for it in passages(one).values() if not one.bits(it.needs) & ~holds]


@cache
def _western_waters() -> str:
    """A hex of the open Atlantic at the western edge, where ships from America come in."""
    one = europe()
    return next(it.id for it in one if it.kind == "sea" and "west" in it.edges and "atlantic" in it.seas)


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
        return (_western_waters(),)
    return tuple(it for it in _home_ports(power) if _can_build(s, power, f"europe/{it}"))


def north_edge(one: Board) -> int:
    """The hexes by which ships leave the board for the Murmansk box: A23 to A34 on its northern edge."""
    return one.bits(f"A{n}" for n in range(23, 35))


def sails_north(s: State, power: str, start: str) -> bool:
    """Whether a power's ships get from a hex off the northern edge."""
    one = europe()
    return bool(sail(one, start, open_passages(s, one, power)) & north_edge(one))


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
