"""Persia: closed until war is declared or the route to Russia is opened, and what the opening does (88.6)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.events import ControlChanged, Determined
from warcabinet.model.names import powers
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.alliances import at_war, attackers_of, neutral_power, player_of
from warcabinet.rules.common.pieces import armed_units_at, controlled_for, faction, side_of, units_in
from warcabinet.rules.common.supply_by_land import limited_sources
from warcabinet.rules.common.ways import persian_route, persian_route_cost, persian_route_may_open
from warcabinet.rules.countries.middle_east import AXIS, WEST
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, effect, limit, value
from warcabinet.rules.minors.attack import BELONGING, may_attack_country
from warcabinet.rules.minors.caught_units import supply_next_turn
from warcabinet.rules.minors.geography import admits
from warcabinet.rules.minors.limits import may_attack_out, no_attack_out_of_neutral, open_besides
from warcabinet.rules.minors.status import change_status, returns_to

TEHRAN = place_key("Tehran")
ALLIES = (WEST, "russia")


def _open(s: State, country: str) -> bool:
    return country == "persia" and bool(persian_route(s))


# -- who may enter ------------------------------------------------------------------------------------------------


def _fights(s: State, power: str, side: str) -> bool:
    """Whether a power is at war with any of a side."""
    return any(at_war(s, power, it) for it in powers() if faction(s, it) == side)


@definition(
    "88.642",
    displaces=may_attack_country,
    when=lambda s, power, country: _open(s, country) and faction(s, power) == AXIS,
)
def axis_may_enter_persia(s: State, power: str, country: str) -> bool:
    """With the Persian route open the Axis enter Persia without a declaration of war on it."""
    return _fights(s, power, WEST)


@definition("88.62", displaces=admits, when=lambda s, power, country: _open(s, country) and faction(s, power) in ALLIES)
def allies_enter_persia(s: State, power: str, country: str) -> bool:
    """With the Persian route open the Allies enter Persia."""
    note("route", "88.641", persian_route(s), "persia")
    # Before its own war the U.S. is none of them.
    return power != "usa" or not neutral_power(s, power)


@definition(
    "88.62",
    displaces=admits,
    when=lambda s, power, country: country == "persia" and not _open(s, country) and _beside_other_allies(s, power),
)
def other_allies_enter_persia(s: State, power: str, country: str) -> bool:
    """After a declaration of war on Persia both Allied factions enter what one of them has of it (R-2020)."""
    return True


def _beside_other_allies(s: State, power: str) -> bool:
    """Whether Persia, once attacked, stands with the other Allied faction, and both fight the Axis."""
    standing = s.countries["persia"]
    if faction(s, power) not in ALLIES or faction(s, standing.by) not in ALLIES or standing.status not in BELONGING:
        return False
    attacked = standing.status == "conquered" or any("persia" in war.between for war in s.wars)
    return attacked and _fights(s, power, AXIS) and _fights(s, standing.by, AXIS)


@definition(
    "88.62",
    displaces=may_attack_country,
    when=lambda s, power, country: _open(s, country) and faction(s, power) in ALLIES,
)
def allies_attack_in_persia(s: State, power: str, country: str) -> bool:
    """With the Persian route open the Allies attack the Axis who have come into Persia."""
    return _fights(s, power, AXIS)


@definition(
    "88.62", displaces=(may_attack_out, no_attack_out_of_neutral), when=lambda s, power, country: _open(s, country)
)
def attacks_out_of_persia(s: State, power: str, country: str) -> bool:
    """Whom the open route lets into Persia attacks out of it as well."""
    return admits(s, power, country)


@definition("88.62", displaces=open_besides, when=_open, also=("88.642",))
def persia_open_besides(s: State, country: str) -> bool:
    """Whom the open route lets into Persia no diplomatic result counts or drives out (R-2530)."""
    return True


@value("88.641", displaces=returns_to, when=_open)
def persia_returns_to_payer(s: State, country: str) -> str:
    """What a power no longer has of Persia by a result is again his who opened the route (R-2530)."""
    payer = persian_route(s)
    return "" if s.powers[payer].surrendered else payer


@limit(
    "88.642", on=DeclareWar, also=("88.62",), when=lambda s, cmd: "persia" in (cmd.on or ()) and bool(persian_route(s))
)
def no_declaration_on_open_persia(s: State, cmd: DeclareWar) -> str | None:
    """With the route open nobody who may enter Persia declares war on it."""
    return (
        "the Persian route is open: Persia is entered without a declaration" if admits(s, cmd.power, "persia") else None
    )


# -- the route ----------------------------------------------------------------------------------------------------


def _passing(s: State) -> Iterator[str]:
    """The Persian hexes that the opening of the route gives its payer (R-0023)."""
    for key in home_hexes("persia"):
        if not any(side_of(s, it.nation) == AXIS for it in armed_units_at(s, key)):
            yield key


@effect(
    "88.641",
    on=Determined,
    when=lambda s, fixed: fixed.rule == persian_route.name and fixed.fixed.value in powers(),
    also=("40.524A", "40.524C"),
)
def persia_under_payer(p: Proceedings, fixed: Determined) -> None:
    """The opening of the Persian route gives its payer Persia, Russian-held hexes too, save where Axis units stand."""
    payer = str(fixed.fixed.value)
    standing = p.s.countries["persia"]
    passing = tuple(_passing(p.s))
    if standing.status == "conquered" and TEHRAN in passing and standing.by != payer:
        change_status(p, "persia", "conquered", payer, "88.641", "the Persian route was opened")
    if passing:
        p.do(ControlChanged(passing, payer))
    p.run(axis_caught_in_persia)


@effect("88.642", also=("40.524B",))
def axis_caught_in_persia(p: Proceedings) -> None:
    """Axis units in Persia are in at least partial supply in the first Axis player turn after the opening."""
    if any(side_of(p.s, it.nation) == AXIS for it in units_in(p.s, "persia")):
        supply_next_turn(p, "germany", "persia", "88.642")


def _allied_tehran(s: State) -> bool:
    """Whether either Allied faction's Tehran supplies the other too: both fight Germany."""
    if not any(controlled_for(s, TEHRAN, it) for it in ALLIES):
        return False
    west = (it for it in powers() if faction(s, it) == WEST)
    return at_war(s, "germany", "russia") and any(at_war(s, "germany", it) for it in west)


@value(
    "88.643",
    adds_to=limited_sources,
    when=lambda s, side: side in ALLIES and (controlled_for(s, TEHRAN, side) or _allied_tehran(s)),
)
def supplied_from_tehran(s: State, side: str) -> tuple[str, ...]:
    """Tehran is a limited supply source for the Allies, if they control it (R-0883)."""
    return (TEHRAN,)


def _opening_told(s: State) -> str:
    """What the opening of the route waits for; a Tehran in hostile hands is taken first (40.525, 40.526)."""
    if not persian_route_may_open(s):
        return "waits for war between Germany and Russia"
    fights_the_allies = any(player_of(it) == "allied" for it in attackers_of(s, "persia"))
    resists = fights_the_allies and s.countries["persia"].status != "conquered"
    hostile = side_of(s, "persia") == AXIS or controlled_for(s, TEHRAN, AXIS)
    return "waits until the Allies have taken Tehran" if resists or hostile else "may be opened"


@tells_of("persia")
def persian_page(s: State) -> Iterator[Told]:
    payer = persian_route(s)
    if payer:
        yield Told("88.641", f"the Persian route is open ({powers()[payer].name}); the Allies enter Persia")
        yield Told("88.642", "the Axis enter it without a declaration of war")
    else:
        inside = ", ".join(powers()[it].name for it in powers() if admits(s, it, "persia"))
        whom = f"open to {inside}, closed to the others" if inside else "closed to both sides"
        yield Told("88.62", f"{whom} until war is declared on it or the Persian route is opened")
        yield Told("88.64", f"the Persian route {_opening_told(s)}; it costs {persian_route_cost(s)} BRPs")
    yield Told("88.643", "Tehran is a limited supply source for the Allies while they control it")
