"""Ireland, Portugal and Spain: submarines, harbours, capitals, and what an attack on one brings (84.24, 87.2, 87.5)."""

from __future__ import annotations

from warcabinet.board.names import places_at
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import DeclineAssociation, ReportResult
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Closed, Happened, PowerChanged, StatusChanged, WarBegan
from warcabinet.model.names import powers
from warcabinet.model.places import Place, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.books import worth
from warcabinet.rules.common.diplomacy import beneficiary, promise, promised, taken
from warcabinet.rules.common.moments import next_step_of, reading_in_force
from warcabinet.rules.common.pieces import BOUND, NEUTRAL, faction, friendly
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.supply_by_land import limited_sources
from warcabinet.rules.common.war_and_peace import declared_since, neutral_power, player_of
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.countries.scandinavia import reaction_lapses
from warcabinet.rules.kinds import definition, effect, limit, remembered, value
from warcabinet.rules.minors.association import associate_spain, fights_alone, survivors_for, takes_in
from warcabinet.rules.minors.ground import admits
from warcabinet.rules.minors.standing import something_to_decline


@definition("87.21", "A place belongs to Britain itself; Ulster does, for all purposes")
def part_of_britain(s: State, place: Place) -> bool:
    return place in (*home_hexes("ulster"), *home_hexes("britain"))


@definition("87.22")
def ireland_open(s: State, power: str) -> bool:
    """A power's units may enter Ireland: at war with it, or where it has joined or fallen to their side."""
    return admits(s, power, "ireland")


@definition("87.23", also=("87.43",))
def counts_as_ally(s: State, power: str) -> bool:
    """An attack by a power of the Allied side is an Allied attack, though the power be neutral itself (R-1862)."""
    return reading_in_force(s, "R-1862") == "a" or not neutral_power(s, power)


# -- submarines ---------------------------------------------------------------------------------------------------


@value("87.24", "What these chapters add to the Axis dice roll for submarine warfare in the Atlantic")
def atlantic_submarine_modifier(s: State) -> int:
    return 1 if irish_assistance(s) else 0


@remembered("87.24", "Ireland helps German submarines in secret: a 7 or more, not negated since (R-0058)")
def irish_assistance(s: State) -> bool:
    result = s.results.get("ireland", "") in ("7", "8", "9", "10")
    return (result or _under_axis_result(s)) and not _fallen_to_the_allies(s)


def _fallen_to_the_allies(s: State) -> bool:
    standing = s.countries["ireland"]
    return standing.status == "conquered" and standing.by in powers() and player_of(standing.by) == "allied"


def _under_axis_result(s: State) -> bool:
    """Whether Ireland stands as a 7 or an 8 leaves it, however the table told it."""
    standing = s.countries["ireland"]
    return standing.status in ("penetrated", "controlled") and faction(s, standing.by) == "axis"


@effect(
    "87.24", on=Happened, when=lambda s, it: (it.happening.kind, it.happening.key) == ("diplomatic result", "ireland")
)
def assistance_by_result(p: Proceedings, it: Happened) -> None:
    """A result of 7 or more starts Irish help for submarines, a 2 or a 3-4 ends it, others change nothing."""
    result = it.happening.amount
    helps = irish_assistance(p.s) if 4 < result < 7 else result >= 7
    irish_assistance.note(p, helps, f"a result of {result} in {calendar.turn_name(p.s.turn)}")


@effect("87.24", on=StatusChanged, when=lambda s, it: it.country == "ireland")
def assistance_by_status(p: Proceedings, changed: StatusChanged) -> None:
    """An Allied conquest of Ireland ends its help for submarines; standing as a 7 or an 8 leaves it starts it."""
    if _fallen_to_the_allies(p.s):
        irish_assistance.note(p, False, "Ireland was conquered by the Allies")
    elif _under_axis_result(p.s) and not irish_assistance(p.s):
        irish_assistance.note(p, True, f"Ireland is {changed.status} by a result for Germany")


TANGIER = place_key("Tangier")
#: The results with which a country associates with a power of the Axis, or joins an Allied one from there on.
JOINS_AXIS, JOINS_ALLIES = 9, -2


def _draws_spain_in(s: State, attacker: str) -> bool:
    """Whether a power's attack on Portugal finds a Spain that is neutral, and that Germany may take in."""
    western = faction(s, attacker) == "western allies" and counts_as_ally(s, attacker)
    neutral = s.countries["spain"].status in NEUTRAL and not fights_alone(s, "spain")
    return western and neutral and takes_in(s, "germany", "spain")


@effect(
    "84.24",
    on=WarBegan,
    when=lambda s, began: "portugal" in began.between and _draws_spain_in(s, began.declared_by),
    also=("87.43", "87.53"),
)
def spain_takes_sides(p: Proceedings, began: WarBegan) -> None:
    """A Western declaration of war on Portugal brings Spain to Germany in the next Axis diplomatic phase."""
    _bound_for_germany(p)


def _bound_for_germany(p: Proceedings) -> None:
    when = next_step_of(p.s, "germany", "end of diplomatic phase")
    promise(p, associate_spain, when, "germany", "spain", worth(p.s, "spain"))


@effect("84.24")
def spain_follows(p: Proceedings) -> None:
    # What a position says has happened was never promised.
    """Spain joins Germany, too, where a position has a Western war on Portugal since the last Allied player turn."""
    if p.s.player != "axis" or promised(p.s, associate_spain):
        return
    if any(_draws_spain_in(p.s, it) for it in declared_since(p.s, p.s.turn - 1, "portugal")):
        _bound_for_germany(p)


@effect(
    "87.43",
    on=PowerChanged,
    when=lambda s, changed: changed.power == "germany" and changed.surrendered is True,
    also=("84.24", "86.35C"),
)
def nothing_owed_to_germany(p: Proceedings, changed: PowerChanged) -> None:
    """Once Germany has surrendered nothing is owed to it for Portugal any more, nor for mined waters."""
    for it in promised(p.s, associate_spain, reaction_lapses, power="germany"):
        p.do(Closed(it.id, "lapsed", "Germany surrenders"))


@limit(
    "87.43",
    on=(ReportResult, ReportStatus, DeclineAssociation),
    when=lambda s, cmd: (
        cmd.country == "spain"
        and bool(promised(s, associate_spain, about="spain"))
        and not (isinstance(cmd, DeclineAssociation) and cmd.power != "germany")
    ),
    displaces=something_to_decline,
    also=("84.24",),
)
def spain_is_bound_for_germany(s: State, cmd: ReportResult | ReportStatus | DeclineAssociation) -> str | None:
    """While Spain is about to join Germany because of Portugal, nothing but a 10 changes that, nor is it refused."""
    told = "Spain associates with Germany in this diplomatic phase, since the Western Allies attacked Portugal"
    if isinstance(cmd, DeclineAssociation):
        return None if "spain" in survivors_for(s, cmd.power) else f"{told}: it is not refused"
    if isinstance(cmd, ReportResult):
        joins, power = taken(cmd) <= JOINS_ALLIES or taken(cmd) == JOINS_AXIS, beneficiary(cmd)
    else:
        joins, power = cmd.status in BOUND, cmd.power
    if not joins or power == "germany":
        return None
    return told if isinstance(cmd, ReportResult) else unless_excused(cmd, told)


SOURCES = {"supply_unlimited": "unlimited", "supply_limited": "limited"}


@value("87.51", "What kind of supply source a place is: limited, as Tangier is, unlimited, or none")
def supply_source(s: State, place: Place) -> str:
    roles = {role.role for it in places_at(place) for role in it.roles}
    return next((told for role, told in SOURCES.items() if role in roles), "none")


@value("87.51", adds_to=limited_sources, when=lambda s, side: friendly(s, TANGIER, side))
def supplied_from_tangier(s: State, side: str) -> tuple[Place, ...]:
    """Tangier, a colonial capital, is a limited supply source for the side that controls it."""
    return (TANGIER,)


HARBOURS = tuple(map(place_key, ("La Coruna", "Vigo", "Lisbon", "Cadiz")))


@definition("87.42")
def iberian_harbour(s: State) -> bool:
    """Germany has its favourable modifier for submarine warfare in the Atlantic: a supplied Iberian harbour is Axis."""
    for place in HARBOURS:
        if friendly(s, place, "axis") and any(fully_supplied(s, it, place) for it in ("germany", "italy")):
            note("harbour", "87.52", place_called(place))
            return True
    return False
