"""Routes to Russia by Persia, Turkey and Siberia: their opening, ports, lines and oil (40.246, 40.25, 40.5 to 40.7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from warcabinet.board.courses import Course, Stretch, runs, stretch, trace
from warcabinet.board.maps import europe
from warcabinet.board.names import areas
from warcabinet.board.seas import sail
from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import BuildAlaskaHighway, GrantBrps, OpenPersianRoute
from warcabinet.model.commands.economy import ReportBrp
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.events import AutoStep, Happened
from warcabinet.model.happenings import SentBy, befell
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, Place, holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.traits import RUSSIA, home_hexes
from warcabinet.rules.aid.china import grantor_waters, open_passages
from warcabinet.rules.aid.convoys import OIL_AS_BRPS
from warcabinet.rules.aid.grants import WESTERN_ALLIES
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.pieces import friendly, neighbours, side_of, units_at, units_in
from warcabinet.rules.common.supply_by_land import enemy_zone, friends, hexes_of, passable
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of
from warcabinet.rules.common.ways import NR
from warcabinet.rules.countries.egypt import canal_open
from warcabinet.rules.countries.middle_east import (
    open_persian_route,
    persian_route,
    persian_route_cost,
    persian_route_may_open,
)
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value

ROUTES = {"persia": "persia", "turkey": "turkey", "turkey by suez": "turkey", "siberia": "siberia"}
OIL_CLAUSES = {"persia": "40.25B", "turkey": "40.25C", "siberia": "40.25D"}
SOURCES = {"persia": ("", "Abadan", "Ahwaz"), "turkey": ("", "Mosul"), "siberia": ("",)}


def for_russia(cmd: GrantBrps, *routes: str) -> bool:
    """Whether an order sends something to Russia by one of these routes."""
    return cmd.to == "russia" and ROUTES.get(cmd.by) in routes


@limit("40.246", on=GrantBrps, when=lambda s, cmd: cmd.to != "russia")
def routes_lead_to_russia(s: State, cmd: GrantBrps) -> str | None:
    """The routes by Murmansk, Persia, Turkey and Siberia lead to Russia only."""
    return f"the route by {ROUTES[cmd.by].title()} leads to Russia" if cmd.by in ROUTES else None


AXIS = "axis"
TEHRAN, ABADAN, AHWAZ, ANKARA = map(place_key, ("Tehran", "Abadan", "Ahwaz", "Ankara"))
MOSUL, VLADIVOSTOK, DUTCH_HARBOR = map(place_key, ("Mosul", "Vladivostok", "Dutch Harbor"))
#: Where the Persian route takes its oil, as orders name it.
OIL = {"Abadan": ABADAN, "Ahwaz": AHWAZ}


def allied(s: State, key: Place) -> bool:
    return any(friendly(s, key, side) for side in ("western allies", "russia"))


def partisans_in(s: State, country: str) -> list[Stack]:
    return [it for it in units_in(s, country) if it.branch == "partisan"]


@value("40.251", covers=("40.51B", "40.61B"), also=("40.532B", "40.65", "40.66"))
def route_capacity(s: State, route: str) -> int:
    """BRPs that a route to Russia carries each turn: ten if it is open, less what partisans or Japan take from it."""
    if route not in OIL_CLAUSES:
        return 0
    if route == "persia":
        clause, is_open = "40.51A", bool(persian_route(s))
    else:
        clause, is_open = ("40.61A", allied(s, ANKARA)) if route == "turkey" else ("40.73A", True)
    note("whole", clause, 10 if is_open else 0, route)
    return max(0, (10 if is_open else 0) - lessened(s, route))


def lessened(s: State, route: str) -> int:
    """What is taken from a route's capacity: by partisans beside the Persian one, Axis ones in Turkey, by Japan."""
    if route == "siberia":
        return 5 if siberia_is_threatened(s) else 0
    if route == "persia":
        beside = {key for city in (ABADAN, AHWAZ, TEHRAN) for key in neighbours(city)}
        clause, taken = "40.51B", 5 * sum(it.count for it in partisans_in(s, "persia") if it.place in beside)
    else:
        # Those that go under Turkey's own name fight whoever leads it.
        axis = (it for it in partisans_in(s, "turkey") if (side_of(s, it.nation) == AXIS) != (it.nation == "turkey"))
        there = sum(it.count for it in axis)
        clause, taken = "40.61B", min(6, 2 * there)
    note("partisans", clause, -taken, route)
    return taken


# -- Oil -----------------------------------------------------------------------------------------------------------


@limit("40.25", "Oil is shipped to Russia only", on=GrantBrps, when=lambda s, cmd: cmd.to != "russia")
def oil_for_russia(s: State, cmd: GrantBrps) -> Bound:
    return Bound("oil", most=0, text="oil counters are shipped to Russia only")


@limit("40.252", on=GrantBrps, when=lambda s, cmd: cmd.to == "russia" and cmd.by in ROUTES)
def oil_source_fits(s: State, cmd: GrantBrps) -> Choice:
    """By land oil comes from Abadan or Ahwaz through Persia, from Mosul through Turkey."""
    return Choice("oil_from", SOURCES[ROUTES[cmd.by]], "oil by land: from Abadan or Ahwaz by Persia, Mosul by Turkey")


def oil_by_sea(cmd: GrantBrps) -> int:
    """The oil counters of an order that need transports."""
    return 0 if cmd.oil_from else cmd.oil


@effect("40.253", "Oil arrives, and changes no BRP level or limit")
def oil_arrives(p: Proceedings, oil: int) -> None:
    p.do(Happened(Happening(p.s.moment, "oil received", "russia", oil)))


@effect("40.251", "A grant and oil use the capacity of their route to Russia", covers=("40.25B", "40.25C", "40.25D"))
def use_russian_route(p: Proceedings, power: str, by: str, brp: int, oil: int) -> None:
    route = ROUTES[by]
    p.do(befell(p.s, SentBy("sent", route, power), brp + OIL_AS_BRPS * oil))
    if oil:
        note("oil_by_route", OIL_CLAUSES[route], oil, power)
        p.do(befell(p.s, SentBy("oil sent", route, power), oil), OIL_CLAUSES[route])


HIGHWAY_COST = 25


@remembered("40.72", "The turn in which the U.S. built the Alaska highway; nothing before")
def alaska_highway(s: State) -> int:
    return 0


@limit("40.72", "The U.S. builds the Alaska highway at war with Germany, once, for 25 BRPs", on=BuildAlaskaHighway)
def highway_may_be_built(s: State, cmd: BuildAlaskaHighway) -> str | None:
    if cmd.power != "usa":
        return f"{called(cmd.power)} does not build the Alaska highway"
    if alaska_highway(s):
        return "the Alaska highway has been built"
    if not at_war(s, "usa", "germany"):
        return "the United States are not at war with Germany"
    most = spendable(s, "usa")
    return None if most >= HIGHWAY_COST else f"it costs {HIGHWAY_COST} BRPs, the United States may spend {most}"


@order("40.72", on=BuildAlaskaHighway, phases=("unit construction",))
def build_alaska_highway(p: Proceedings, cmd: BuildAlaskaHighway) -> None:
    """The Alaska highway is built: 25 BRPs beside the construction limit."""
    spend_brps(p, "usa", HIGHWAY_COST, "alaska highway", "Alaska highway", by="39.11B")
    alaska_highway.note(p, p.s.turn, "the Alaska highway was built")


@limit("40.71", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "siberia"))
def highway_is_there(s: State, cmd: GrantBrps) -> str | None:
    """American grants go by Siberia from the turn after the highway was built on."""
    if cmd.power != "usa":
        return "only the United States grant by Siberia"
    built = alaska_highway(s)
    if not built:
        return "the Alaska highway has not been built"
    return None if s.turn > built else "the Alaska highway was built this turn"


@definition("40.73B")
def siberia_is_threatened(s: State) -> bool:
    """Japan fights Russia, or controls Vladivostok or Dutch Harbor: the Siberian route carries five BRPs."""
    japan = s.powers["japan"].faction
    lost = [place_called(place) for place in (VLADIVOSTOK, DUTCH_HARBOR) if friendly(s, place, japan)]
    if lost:
        note("japanese", "40.73B", ", ".join(lost))
    return at_war(s, "japan", "russia") or bool(lost)


WEST = "western allies"
BASRA = place_key("Basra")


def allied_hexes(s: State) -> int:
    """The European hexes through which an Allied line to Russia may run: in Allied hands, without Axis zones."""
    one = europe()
    west = hexes_of(s, one, friends(s, "britain"))
    # After a British surrender those who fight on have enemies that Britain has no more.
    for power in WESTERN_ALLIES:
        west &= ~enemy_zone(s, one, power)
    return west | passable(s, one, "russia")


# -- Opening -------------------------------------------------------------------------------------------------------


@remembered("40.54", "The turn in which the Persian route was opened; nothing before")
def persian_route_since(s: State) -> int:
    return 0


def _axis_at(s: State, key: Place) -> bool:
    """Whether the Axis control a hex, be it by a partisan."""
    partisan = any(it.branch == "partisan" and side_of(s, it.nation) == AXIS for it in units_at(s, key))
    return partisan or holder(s, key) == PARTISANS or friendly(s, key, AXIS)


@limit("40.521", on=OpenPersianRoute)
def persian_route_may_be_opened(s: State, cmd: OpenPersianRoute) -> Iterator[Refusal | str]:
    """A Western power at war with the Axis opens the Persian route, once, and pays.

    Germany and Russia have gone to war, Persia does not resist, and Tehran has been taken from the Axis and partisans.
    """
    name = called(cmd.power)
    cost, most = persian_route_cost(s), spendable(s, cmd.power)
    if cmd.power not in WESTERN_ALLIES:
        yield f"{name} is no Western Allied power"
    elif persian_route(s):
        yield "the Persian route has been opened"
    elif not any(at_war(s, cmd.power, it) for it in ("germany", "italy")):
        yield f"{name} is not at war with the Axis"
    elif cost > most:
        yield f"it costs {cost} BRPs, {name} may spend {most}"
    if not persian_route_may_open(s):
        yield Refusal("40.525A", "Germany and Russia have not gone to war")
    attacked = any(player_of(it) == "allied" for it in attackers_of(s, "persia"))
    if attacked and s.countries["persia"].status != "conquered":
        yield Refusal("40.525B", "Persia is at war with the Allies and has not been conquered")
    hostile = _axis_at(s, TEHRAN)
    if hostile:
        yield Refusal("40.525C", "the Axis control Tehran")
    if (hostile or side_of(s, "persia") == AXIS) and not (allied(s, TEHRAN) and not hostile):
        yield Refusal("40.526", "the Allies must capture Tehran first")


@order("40.521", on=OpenPersianRoute, phases=("unit construction",))
def open_the_persian_route(p: Proceedings, cmd: OpenPersianRoute) -> None:
    """The Persian route is opened: paid for beside the construction limit, for good."""
    spend_brps(p, cmd.power, persian_route_cost(p.s), "persian route", "Persian route", by="39.11B")
    persian_route_since.under("40.54").note(p, p.s.turn, "the Persian route was opened")
    open_persian_route(p, cmd.power)
    p.run(oil_centers_stay_whole)


@definition("40.524F", "Whether the opening damages the Persian oil centers: it does not")
def oil_centers_damaged_by_opening(s: State) -> bool:
    return False


@effect("40.524F", "The Persian oil centers change hands undamaged: oil may go from them as soon as grants may")
def oil_centers_stay_whole(p: Proceedings) -> None:
    if not oil_centers_damaged_by_opening(p.s):
        p.do(AutoStep("Persian route", "the oil centers of Abadan and Ahwaz are undamaged"))


@definition("40.524E")
def sea_transport_by_abadan(s: State) -> bool:
    """From the Allied player turn after the opening on Western units may sea transport through Abadan."""
    return bool(persian_route(s)) and s.turn > persian_route_since(s)


@definition("40.524D", "A Persian hex is open to Western redeployment: the route is open, and nothing Axis is adjacent")
def persian_redeployment(s: State, place: Place) -> bool:
    axis = any(side_of(s, it.nation) == AXIS for at in neighbours(place) for it in units_at(s, at))
    return bool(persian_route(s)) and not axis


def _persian_ends(cmd: MoveUnits) -> list[Place]:
    home = home_hexes("persia")
    return [place for place in (cmd.from_, cmd.to) if place in home]


@limit(
    "40.524D",
    on=MoveUnits,
    when=lambda s, cmd: (
        "redeployment" in cmd.how
        and bool(persian_route(s))
        and side_of(s, cmd.nation) == WEST
        and bool(_persian_ends(cmd))
    ),
)
def no_axis_beside_redeployment(s: State, cmd: MoveUnits) -> str | None:
    """Western units redeploy through Persia only where no Axis unit is adjacent."""
    ends = _persian_ends(cmd)
    beside = [place for place in ends if not persian_redeployment(s, place)]
    if beside:
        return f"Axis units are adjacent to {place_called(beside[0])}"
    if cmd.how == NR or trace(_redeployment(s, cmd)):
        return None
    return f"Axis units are adjacent to every way from {place_called(cmd.from_)} to {place_called(cmd.to)}"


def _redeployment(s: State, cmd: MoveUnits) -> Stretch:
    """The part of a redeployment that lies in Persia, over hexes that nothing Axis is adjacent to.

    What comes from elsewhere, or leaves Persia, passes its border somewhere, or Abadan.
    """
    one, home = europe(), home_hexes("persia")
    beside = one.bits(key for key in home if not persian_redeployment(s, key))
    free = allied_hexes(s) & ~beside
    elsewhere = free & ~one.bits(home) | free & one.bits((ABADAN,))
    start, end = (one.bits((key,)) if key in home else elsewhere for key in (cmd.from_, cmd.to))
    return stretch(one.name, start, end, free)


@limit(
    "40.524E",
    on=MoveUnits,
    when=lambda s, cmd: (
        cmd.how == "sea transport"
        and bool(persian_route(s))
        and side_of(s, cmd.nation) == WEST
        and ABADAN in (cmd.from_, cmd.to)
    ),
)
def abadan_takes_sea_transport(s: State, cmd: MoveUnits) -> str | None:
    """Western units sea transport through Abadan from the turn after the opening on."""
    return None if sea_transport_by_abadan(s) else "the Persian route was opened this turn"


@value("40.532A", "Which power bears the BRP losses that Persian partisans cause: the one that opened the route")
def bears_partisan_losses(s: State) -> str:
    return persian_route(s)


@limit(
    "40.532A",
    on=ReportBrp,
    when=lambda s, cmd: cmd.cause == "partisans" and cmd.country == "persia" and bool(persian_route(s)),
)
def opener_bears_losses(s: State, cmd: ReportBrp) -> str | None:
    """BRPs that Persian partisans cost are lost by the power that opened the Persian route."""
    bears = bears_partisan_losses(s)
    if cmd.power != bears:
        return f"{called(bears)} opened the Persian route: what Persian partisans cost is its loss"
    return None if partisans_in(s, "persia") else "there is no partisan in Persia"


# -- What it carries -----------------------------------------------------------------------------------------------


@limit("40.521", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "persia"))
def persian_route_is_open(s: State, cmd: GrantBrps) -> Iterator[Refusal]:
    """The Persian route is used from the turn after it was paid for, whatever becomes of the power that paid.

    Nothing goes by it while the line from the Gulf, or from the oil, by Tehran to the edge is cut.
    """
    if not persian_route(s):
        yield Refusal("40.521", "the Persian route has not been opened", also=("40.523",))
    elif s.turn <= persian_route_since(s):
        yield Refusal("40.54", "the Persian route was opened this turn")
    if (cmd.brp > 0 or not cmd.oil_from) and persian_route(s) and not persian_line(s):
        yield Refusal("40.53", "no supply line from Basra or Abadan by Tehran to the eastern edge")
    elif cmd.oil_from in OIL and not persian_oil_line(s, OIL[cmd.oil_from]):
        yield Refusal("40.53", f"no line from {cmd.oil_from} by Tehran to the eastern edge")


# -- The line ------------------------------------------------------------------------------------------------------


def eastern_edges(*groups: str) -> tuple[str, ...]:
    return tuple(key for group in groups for key in areas()[group].keys)


def course_by(permitted: int, *stations: tuple[str, ...]) -> Course:
    """From one station on the European board to the next, each any of several hexes."""
    return tuple(stretch("europe", sources, targets, permitted) for sources, targets in pairwise(stations))


def persian_course(s: State, *sources: str) -> Course:
    """From the Gulf, or from an oil center, through Tehran to the eastern edge in Russia or Persia."""
    edge = eastern_edges("russian_east_edge", "persian_east_edge")
    return course_by(allied_hexes(s), sources or (BASRA, ABADAN), (TEHRAN,), edge)


@definition("40.53", also=("40.531",))
def persian_line(s: State) -> bool:
    """A line runs from Basra or Abadan through Tehran to the eastern edge in Russia or Persia."""
    return runs(persian_course(s))


@definition("40.53", "A land line runs from an oil center through Tehran to the eastern edge")
def persian_oil_line(s: State, place: Place) -> bool:
    return runs(persian_course(s, place))


PORTS = tuple(map(place_key, ("Istanbul", "Izmit", "Izmir", "Antioch")))


# -- The line ------------------------------------------------------------------------------------------------------


@cache
def _land_of(*countries: str) -> int:
    one = europe()
    return one.bits(it.id for it in one if it.is_land and it.country in countries)


def _turkish_and_russian(s: State, *others: str) -> int:
    return allied_hexes(s) & _land_of("turkey", *RUSSIA, *others)


@definition("40.62")
def turkish_line(s: State, place: Place) -> bool:
    """A line runs from a Turkish port over Allied hexes of Turkey and Russia to the eastern edge in Russia."""
    return runs(turkish_course(s, place))


def turkish_course(s: State, place: Place) -> Course:
    """From a Turkish port through Turkey and Russia to the eastern edge in Russia."""
    return course_by(_turkish_and_russian(s), (place,), eastern_edges("russian_east_edge"))


@limit("40.62", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "turkey"))
def turkish_route_is_open(s: State, cmd: GrantBrps) -> Iterator[Finding]:
    """Istanbul, Izmit, Izmir and Antioch take grants for Russia, Mosul sends oil: by a line through Turkey.

    Ships reach the port through the Mediterranean, by whose straits they come, or from the Indian Ocean by Suez.
    """
    one, edge = europe(), eastern_edges("russian_east_edge")
    # Iraq and Russia have no border, so a line over hexes of the three leads through Turkey.
    mosul = course_by(_turkish_and_russian(s, "iraq"), (MOSUL,), edge)
    if cmd.oil_from == "Mosul" and not runs(mosul):
        yield Refusal("40.252", "no land line from Mosul through Turkey to the eastern edge in Russia")
    if not cmd.brp and cmd.oil_from:
        return
    yield Choice("port", PORTS, "name the Turkish port in which it is landed", "40.63A", ("40.63B",))
    if cmd.port not in PORTS:
        return
    if not turkish_line(s, cmd.port):
        told = f"no line from {place_called(cmd.port)} through Turkey and Russia to the eastern edge"
        yield Refusal("40.62", told, also=("40.64",))
    # Each of the four ports lies on the Mediterranean, so from Suez nothing but the canal is in the way.
    if cmd.by == "turkey by suez" and not canal_open(s, cmd.power):
        yield Refusal("40.63B", "the Suez canal is closed")
    goal, ways = one.bits((cmd.port,)), [it for it in open_passages(s, one, cmd.power) if it != "suez"]
    if cmd.by == "turkey" and not any(sail(one, it, ways) & goal for it in grantor_waters(s, cmd.power)):
        yield Refusal("40.63A", f"ships do not reach {place_called(cmd.port)} from the Atlantic")
