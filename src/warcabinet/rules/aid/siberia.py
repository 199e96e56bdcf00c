"""The Siberian route to Russia and the Alaska highway (40.7)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.aid import BuildAlaskaHighway, GrantBrps
from warcabinet.model.events import Happened
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.aid.russia import for_russia, room, route_capacity
from warcabinet.rules.aid.shipping import hunters
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.pieces import friendly
from warcabinet.rules.economy.spending import spendable
from warcabinet.rules.kinds import definition, limit, order, remembered, value

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


@value("40.73A", displaces=route_capacity, when=lambda s, route: route == "siberia")
def siberian_capacity(s: State, route: str) -> int:
    """The Siberian route carries ten BRPs a turn."""
    return 5 if siberia_is_threatened(s) else 10


@definition("40.73B")
def siberia_is_threatened(s: State) -> bool:
    """Japan fights Russia, or controls Vladivostok or Dutch Harbor: the Siberian route carries five BRPs."""
    japan = s.powers["japan"].faction
    lost = [place for place in ("Vladivostok", "Dutch Harbor") if friendly(s, place_key(place), japan)]
    if lost:
        note("japanese", "40.73B", ", ".join(lost))
    return at_war(s, "japan", "russia") or bool(lost)


@limit("40.73A", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "siberia"))
def within_siberian_capacity(s: State, cmd: GrantBrps) -> Bound:
    """No more goes by Siberia than the route carries."""
    return room(s, cmd)


@limit("40.73C", on=GrantBrps, when=lambda s, cmd: for_russia(cmd, "siberia") and cmd.oil > 0)
def no_oil_by_threatened_siberia(s: State, cmd: GrantBrps) -> str | None:
    """No oil goes by Siberia while the route carries five BRPs."""
    return "the Siberian route carries only five BRPs" if siberia_is_threatened(s) else None


@definition("40.74", displaces=hunters, when=lambda s, power, recipient, by, through: by == "siberia")
def nobody_hunts_by_siberia(s: State, power: str, recipient: str, by: str, through: str) -> tuple[str, ...]:
    """What goes by Siberia may not be intercepted or attacked."""
    return ()
