"""Routes to Russia by Persia, Turkey and Siberia: what they have in common, and the one by Siberia (40.246, 40.25)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Choice
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.aid import BuildAlaskaHighway, GrantBrps
from warcabinet.model.events import Happened
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.aid.convoys import OIL_AS_BRPS
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.pieces import friendly, neighbours, side_of, units_in
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.countries.middle_east import persian_route
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


def allied(s: State, key: str) -> bool:
    return any(friendly(s, key, side) for side in ("western allies", "russia"))


def partisans_in(s: State, country: str) -> list[Stack]:
    return [it for it in units_in(s, country) if it.branch == "partisan"]


@value("40.251", covers=("40.51A", "40.51B", "40.61A", "40.61B", "40.73A"), also=("40.532B", "40.65", "40.66"))
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
        there = sum(it.count for it in partisans_in(s, "turkey") if side_of(s, it.nation) == AXIS)
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
    p.do(Happened(Happening(p.s.moment, f"sent by {route}", power, brp + OIL_AS_BRPS * oil)))
    if oil:
        note("oil_by_route", OIL_CLAUSES[route], oil, power)
        p.do(Happened(Happening(p.s.moment, f"oil sent by {route}", power, oil)), OIL_CLAUSES[route])


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
    move_brps(p, "usa", -HIGHWAY_COST, "Alaska highway", Sink("brp", "alaska highway"))
    p.do(Happened(Happening(p.s.moment, "spent", "usa", HIGHWAY_COST)), "39.11B")
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
    lost = [place for place in ("Vladivostok", "Dutch Harbor") if friendly(s, place_key(place), japan)]
    if lost:
        note("japanese", "40.73B", ", ".join(lost))
    return at_war(s, "japan", "russia") or bool(lost)
