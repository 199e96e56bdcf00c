"""Iraq: entered by the Axis without a declaration of war; its supply and oil (88.5)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.names import powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.pieces import controlled_for, faction, side_of
from warcabinet.rules.common.supply_by_land import unlimited_sources
from warcabinet.rules.countries.middle_east import AXIS, BASRA, WEST
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.attack import declaration_unnecessary, may_attack_country
from warcabinet.rules.minors.geography import admits, land, power_area

MOSUL = place_key("Mosul")


@value("88.52", adds_to=unlimited_sources, when=lambda s, side: side == WEST and controlled_for(s, BASRA, WEST))
def supplied_through_basra(s: State, side: str) -> tuple[str, ...]:
    """The Western Allies trace sea supply through the Indian Ocean to Basra."""
    return (BASRA,)


@value("88.53", "How many oil effects an oil center offsets, as far as these chapters say: Mosul three")
def oil_effects_offset(s: State, place: str) -> int:
    return 3 if place_key(place) == MOSUL else 0


def axis_fights_usa(s: State) -> bool:
    """Whether the Axis are at war with the U.S.: one of them is enough."""
    return any(at_war(s, it, "usa") for it in powers() if faction(s, it) == AXIS)


@definition(
    "88.55",
    displaces=may_attack_country,
    when=lambda s, power, country: country == "iraq" and faction(s, power) == AXIS,
)
def axis_may_enter_iraq(s: State, power: str, country: str) -> bool:
    # Whether a peace was reported as well makes no difference: the surrender decides.
    """The Axis enter Iraq without a declaration of war on it; after a British surrender they must fight the U.S."""
    if s.powers["britain"].surrendered:
        note("british_surrender", "88.55", True, "iraq")
        return axis_fights_usa(s)
    # Iraq is British all the same: who is at peace with Britain has no quarrel there (R-0410).
    return at_war(s, power, "britain")


@definition(
    "88.55",
    displaces=power_area,
    when=lambda s, nation, place: (
        land(place)[0] == "iraq"
        and nation in powers()
        and faction(s, nation) == AXIS
        and s.powers["britain"].surrendered
        and faction(s, holder(s, place)) != AXIS
        and not admits(s, nation, "iraq")
    ),
)
def iraq_closed(s: State, nation: str, place: str) -> bool:
    """After a British surrender what is not Axis of Iraq is closed to the Axis until they are at war with the U.S."""
    note("closed", "88.55", True, "iraq")
    return False


def _why_closed(s: State) -> str:
    if s.powers["britain"].surrendered:
        return "Britain has surrendered: without war with the U.S. the Axis stay out of Iraq"
    return "Iraq is a British colony, and Britain is not an enemy"


def _axis(s: State, nation: str) -> bool:
    return side_of(s, nation) == AXIS


@limit(
    "88.55",
    on=DeclareWar,
    displaces=declaration_unnecessary,
    when=lambda s, cmd: "iraq" in (cmd.on or ()) and faction(s, cmd.power) == AXIS,
)
def no_declaration_on_iraq(s: State, cmd: DeclareWar) -> str | None:
    """No declaration of war is made on Iraq."""
    return "the Axis enter Iraq without a declaration of war on it"


@tells_of("iraq")
def iraqi_page(s: State) -> Iterator[Told]:
    open_ = "may" if admits(s, "germany", "iraq") else "may not"
    yield Told("88.55", f"Germany {open_} enter it now; no declaration of war on it is needed")
    if s.powers["britain"].surrendered and not axis_fights_usa(s):
        yield Told("88.55", "the Axis may enter it once Germany has declared war on the U.S.")
    elif not s.powers["britain"].surrendered:
        yield Told("88.55", "after a British surrender the Axis enter it only at war with the U.S.")
    yield Told("88.52", "Baghdad is a limited supply source for who controls it; the West is supplied by sea at Basra")
    yield Told("88.53", f"Mosul offsets {oil_effects_offset(s, 'Mosul')} oil effects")
    yield Told("88.54", "Basra is joined by sea to Suez, Abadan, Ethiopia, South Africa, India and Australia")
