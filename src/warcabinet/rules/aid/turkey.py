"""The Turkish route to Russia: what it carries, its ports and its line (40.6)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.maps import europe
from warcabinet.board.seas import sail
from warcabinet.kernel.limits import Bound, Choice
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import RUSSIA
from warcabinet.rules.aid.china import grantor_waters, open_passages
from warcabinet.rules.aid.courses import Course, runs
from warcabinet.rules.aid.persia import AXIS, allied, allied_hexes, course_by, eastern_edges
from warcabinet.rules.aid.russia import for_russia, room, route_capacity
from warcabinet.rules.common.pieces import side_of, units_in
from warcabinet.rules.countries.egypt import canal_open
from warcabinet.rules.kinds import definition, limit, value

PORTS = ("Istanbul", "Izmit", "Izmir", "Antioch")


@value("40.61A", displaces=route_capacity, when=lambda s, route: route == "turkey", also=("40.66",))
def turkish_capacity(s: State, route: str) -> int:
    """The Turkish route carries ten BRPs a turn while the Allies control Ankara; it need not be paid for."""
    return 10 - partisans_on_turkish_route(s) if allied(s, place_key("Ankara")) else 0


@value("40.61B", "Each Axis Turkish partisan takes two BRPs from the route, six at most", also=("40.65",))
def partisans_on_turkish_route(s: State) -> int:
    there = (it for it in units_in(s, "turkey") if it.branch == "partisan" and side_of(s, it.nation) == AXIS)
    return min(6, 2 * sum(it.count for it in there))


@limit("40.61A", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "turkey"))
def within_turkish_capacity(s: State, cmd: GrantBrps) -> Bound | str:
    """No more goes through Turkey than the route carries."""
    return room(s, cmd) if allied(s, place_key("Ankara")) else "the Allies do not control Ankara"


@limit("40.61C", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "turkey") and cmd.oil > 0)
def no_oil_past_turkish_partisans(s: State, cmd: GrantBrps) -> str | None:
    """No oil goes through Turkey while partisans reduce the route's capacity."""
    return "partisans reduce the capacity of the Turkish route" if partisans_on_turkish_route(s) else None


# -- The line ------------------------------------------------------------------------------------------------------


@cache
def _land_of(*countries: str) -> int:
    one = europe()
    return one.bits(it.id for it in one if it.is_land and it.country in countries)


def _turkish_and_russian(s: State, *others: str) -> int:
    return allied_hexes(s) & _land_of("turkey", *RUSSIA, *others)


@definition("40.62")
def turkish_line(s: State, place: str) -> bool:
    """A line runs from a Turkish port over Allied hexes of Turkey and Russia to the eastern edge in Russia."""
    return runs(turkish_course(s, place))


def turkish_course(s: State, place: str) -> Course:
    """From a Turkish port through Turkey and Russia to the eastern edge in Russia."""
    return course_by(_turkish_and_russian(s), (place_key(place),), eastern_edges("russian_east_edge"))


@definition("40.252", "A land line runs from Mosul through Turkey to the eastern edge in Russia")
def mosul_line(s: State) -> bool:
    # Iraq and Russia have no border, so a line over hexes of the three leads through Turkey.
    permitted = _turkish_and_russian(s, "iraq")
    return runs(course_by(permitted, (place_key("Mosul"),), eastern_edges("russian_east_edge")))


def _by_sea(cmd: GrantBrps) -> bool:
    return for_russia(cmd, "turkey") and (cmd.brp > 0 or not cmd.oil_from)


@limit("40.63A", on=GrantBrps, when=lambda s, cmd: _by_sea(cmd), also=("40.63B",))
def turkish_port(s: State, cmd: GrantBrps) -> Choice:
    """Istanbul, Izmit, Izmir and Antioch take grants for Russia."""
    return Choice("port", PORTS, "name the Turkish port in which it is landed")


@limit("40.62", on=GrantBrps, when=lambda s, cmd: _by_sea(cmd) and cmd.port in PORTS, also=("40.64",))
def turkish_line_runs(s: State, cmd: GrantBrps) -> str | None:
    """The line from the port through Turkey to the eastern edge in Russia is not cut."""
    return (
        None if turkish_line(s, cmd.port) else f"no line from {cmd.port} through Turkey and Russia to the eastern edge"
    )


@limit("40.252", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "turkey") and cmd.oil_from == "Mosul")
def mosul_oil_flows(s: State, cmd: GrantBrps) -> str | None:
    """Oil from Mosul has a land line through Turkey to Russia."""
    return None if mosul_line(s) else "no land line from Mosul through Turkey to the eastern edge in Russia"


@definition("40.63A", "From the Atlantic ships reach a Turkish port through the Mediterranean")
def mediterranean_way(s: State, power: str, place: str) -> bool:
    one = europe()
    goal, ways = one.bits((place_key(place),)), open_passages(s, one, power)
    return any(sail(one, start, [it for it in ways if it != "suez"]) & goal for start in grantor_waters(s, power))


@limit("40.63A", on=GrantBrps, when=lambda s, cmd: _by_sea(cmd) and cmd.by == "turkey" and cmd.port in PORTS)
def mediterranean_is_open(s: State, cmd: GrantBrps) -> str | None:
    """Through the Mediterranean the straits on the way are open."""
    return None if mediterranean_way(s, cmd.power, cmd.port) else f"ships do not reach {cmd.port} from the Atlantic"


@limit("40.63B", on=GrantBrps, when=lambda s, cmd: _by_sea(cmd) and cmd.by == "turkey by suez" and cmd.port in PORTS)
def suez_is_open(s: State, cmd: GrantBrps) -> str | None:
    # Each of the four ports lies on the Mediterranean, so from Suez nothing but the canal is in the way.
    """By the Indian Ocean the Suez canal is open."""
    return None if canal_open(s, cmd.power) else "the Suez canal is closed"
