"""The Middle East: what belongs to it, Arabia, Iraq, Persia and the route through it (88.1, 88.2, 88.5, 88.6)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import DeclareWar
from warcabinet.model.events import ControlChanged, Determined
from warcabinet.model.names import called, powers
from warcabinet.model.places import Place, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.moments import step_of_next_turn
from warcabinet.rules.common.pieces import STANDS_ALONE, armed_units_at, controlled_for, faction, side_of, units_in
from warcabinet.rules.common.supply_by_land import limited_sources, unlimited_sources
from warcabinet.rules.common.war_and_peace import at_war, declarers, neutral_power, wars_between
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.attack import BELONGING, declaration_unnecessary, may_attack_country
from warcabinet.rules.minors.ground import admits
from warcabinet.rules.minors.limits import may_attack_out, open_besides
from warcabinet.rules.minors.status import change_status, returns_to, supply_until
from warcabinet.rules.minors.voyages import AXIS, BASRA, PARTS, WEST


@definition("88.11", "Whether a country is part of the Middle East", covers=tuple(PARTS))
def in_middle_east(s: State, country: str) -> bool:
    clause = next((it for it, members in PARTS.items() if country in members), "")
    if clause:
        note("part_of_it", clause, PARTS[clause], country)
    return bool(clause)


MOSUL = place_key("Mosul")


@value("88.52", adds_to=unlimited_sources, when=lambda s, side: side == WEST and controlled_for(s, BASRA, WEST))
def supplied_through_basra(s: State, side: str) -> tuple[Place, ...]:
    """The Western Allies trace sea supply through the Indian Ocean to Basra."""
    return (BASRA,)


@value("88.53", "How many oil effects an oil center offsets, as far as these chapters say: Mosul three")
def oil_effects_offset(s: State, place: Place) -> int:
    return 3 if place == MOSUL else 0


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


@limit(
    "88.55",
    on=DeclareWar,
    displaces=declaration_unnecessary,
    when=lambda s, cmd: "iraq" in (cmd.on or ()) and faction(s, cmd.power) == AXIS,
)
def no_declaration_on_iraq(s: State, cmd: DeclareWar) -> str | None:
    """No declaration of war is made on Iraq."""
    return "the Axis enter Iraq without a declaration of war on it"


TEHRAN = place_key("Tehran")
ALLIES = (WEST, "russia")


# -- the route ----------------------------------------------------------------------------------------------------


@remembered("88.64", "The Western power that opened the Persian route; nobody, while it is closed")
def persian_route(s: State) -> str:
    return ""


def open_persian_route(p: Proceedings, power: str) -> None:
    """The route is open from now on, whatever becomes of the power that paid for it (40.523)."""
    persian_route.under("88.64").note(p, power, f"{called(power)} opened the Persian route")


@value("88.64", also=("40.522",))
def persian_route_cost(s: State) -> int:
    """The opening of the Persian route costs 25 BRPs, 15 once Allies or Axis declared war on Persia (R-2021)."""
    return 15 if any(it != "japan" for it in declarers(s, "persia")) else 25


@definition("88.64", "The Persian route may be opened: Germany and Russia have gone to war (R-0022)", also=("40.525A",))
def persian_route_may_open(s: State) -> bool:
    wars = wars_between(s, "germany", "russia")
    if wars:
        note("outbreak", "88.64", calendar.turn_name(wars[0].since), "russia")
    return bool(wars)


def _open(s: State, country: str) -> bool:
    return country == "persia" and bool(persian_route(s))


# -- who may enter ------------------------------------------------------------------------------------------------


def _fights(s: State, power: str, side: str) -> bool:
    """Whether a power is at war with any of a side."""
    return any(at_war(s, power, it) for it in powers() if faction(s, it) == side)


@definition(
    "88.62",
    displaces=may_attack_country,
    when=lambda s, power, country: _open(s, country) and faction(s, power) in (AXIS, *ALLIES),
    also=("88.642",),
)
def attacks_in_open_persia(s: State, power: str, country: str) -> bool:
    """With the Persian route open the Axis enter Persia without a declaration of war, and the Allies attack them."""
    return _fights(s, power, WEST if faction(s, power) == AXIS else AXIS)


@definition(
    "88.62",
    displaces=admits,
    when=lambda s, power, country: (
        country == "persia"
        and ((faction(s, power) in ALLIES and (_open(s, country) or _beside_other_allies(s, power))) or _aids(s, power))
    ),
)
def allies_enter_persia(s: State, power: str, country: str) -> bool:
    """With the route open the Allies enter Persia; after war on it those at war with its enemy too (R-2020, R-2801)."""
    if not _open(s, country):
        return True
    note("route", "88.641", persian_route(s), "persia")
    # Before its own war the U.S. is none of them.
    return power != "usa" or not neutral_power(s, power)


def _aids(s: State, power: str) -> bool:
    """Whether a power fights one that declared war on a Persia that stands alone."""
    alone = s.countries["persia"].status in STANDS_ALONE
    return alone and not _open(s, "persia") and any(at_war(s, power, it) for it in declarers(s, "persia"))


def _beside_other_allies(s: State, power: str) -> bool:
    """Whether Persia, once attacked, stands with the other Allied faction, and both fight the Axis."""
    standing = s.countries["persia"]
    if faction(s, standing.by) not in ALLIES or standing.status not in BELONGING:
        return False
    attacked = standing.status == "conquered" or bool(declarers(s, "persia"))
    return attacked and _fights(s, power, AXIS) and _fights(s, standing.by, AXIS)


@definition("88.62", displaces=may_attack_out, when=lambda s, power, country: _open(s, country))
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
    told = "the Persian route is open: Persia is entered without a declaration"
    return told if admits(s, cmd.power, "persia") else None


# -- what its opening does -------------------------------------------------------------------------------------------


@effect(
    "88.641",
    on=Determined,
    when=lambda s, fixed: fixed.rule == persian_route.name and fixed.fixed.value in powers(),
    also=("40.524A", "40.524C"),
)
def persia_under_payer(p: Proceedings, fixed: Determined) -> None:
    """The opening of the Persian route gives its payer all Persian hexes but those where Axis units stand (R-0023)."""
    payer = str(fixed.fixed.value)
    standing = p.s.countries["persia"]
    held = {key for key in home_hexes("persia") for it in armed_units_at(p.s, key) if side_of(p.s, it.nation) == AXIS}
    passing = tuple(it for it in home_hexes("persia") if it not in held)
    if standing.status == "conquered" and TEHRAN in passing and standing.by != payer:
        change_status(p, "persia", "conquered", payer, "88.641", "the Persian route was opened")
    if passing:
        p.do(ControlChanged(passing, payer))
    p.run(axis_caught_in_persia)


@effect("88.642", also=("40.524B",))
def axis_caught_in_persia(p: Proceedings) -> None:
    """Axis units in Persia are in at least partial supply in the first Axis player turn after the opening."""
    if any(side_of(p.s, it.nation) == AXIS for it in units_in(p.s, "persia")):
        supply_until(p, "germany", "persia", "88.642", step_of_next_turn(p.s, "germany", "end of player turn"))


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
def supplied_from_tehran(s: State, side: str) -> tuple[Place, ...]:
    """Tehran is a limited supply source for the Allies, if they control it (R-0883)."""
    return (TEHRAN,)
