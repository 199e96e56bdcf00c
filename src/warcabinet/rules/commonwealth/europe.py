"""Commonwealth contingents in Europe: how they get there, by order or report, and when they go home (71.14, 72.14)."""

from __future__ import annotations

from typing import Any

from warcabinet.kernel.limits import Limit, Refusal
from warcabinet.model import calendar
from warcabinet.model.accounts import AtSea
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.events import UnitsMoved
from warcabinet.model.keys import Place, Unit
from warcabinet.model.ledger import balance
from warcabinet.model.names import called
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES
from warcabinet.model.units import unit_branch
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.war_and_peace import player_of
from warcabinet.rules.common.ways import NR, named
from warcabinet.rules.commonwealth.boxed import BOXED, clause
from warcabinet.rules.commonwealth.deployment import in_europe
from warcabinet.rules.commonwealth.dominions import DOMINIONS
from warcabinet.rules.commonwealth.gibraltar import no_redeployment_at_z8, straits_are_open
from warcabinet.rules.countries.egypt import axis_beyond_canal, canal_passage, linked_by_suez
from warcabinet.rules.kinds import effect, limit, remembered, value
from warcabinet.rules.minors.geography import fronts
from warcabinet.rules.minors.units import places_left, units_off_map
from warcabinet.rules.minors.voyages import ETHIOPIA

# -- Europe -------------------------------------------------------------------------------------------------------

#: The contingents: one unit of each kind, and from when on it may be sent (71.14, 72.14).
CONTINGENTS = {
    "australia": {Unit("infantry 1-2"): "Fall 1939", Unit("infantry 2-2"): "Fall 1940"},
    "india": {Unit("infantry 1-2"): "Fall 1939", Unit("infantry 2-2"): "Fall 1939"},
}


@value("71.14", "Units of a kind that a country has in Europe", also=("72.14",))
def units_in_europe(s: State, country: str, unit: Unit) -> int:
    return sum(it.count for it in s.pieces.of_kind(country, unit) if in_europe(it.place))


@remembered("71.14", "Units of a kind that were built with American BRPs, which do not go to Europe")
def built_by_americans(s: State, country: str, unit: Unit) -> int:
    return 0


@barred(
    "71.14",
    acts=("enter", "attack", "join"),
    covers=("72.14",),
    when=lambda s, it: it.exact and clause(it.nation, "14") != "" and in_europe(it.at),
    by=lambda s, it: clause(it.nation, "14"),
)
def contingent_in_europe(s: State, it: Presence) -> str | None:
    """In Europe Australia and India each have two units at most, on the Mediterranean front and in Ethiopia."""
    if it.at != ETHIOPIA and "mediterranean" not in fronts(it.at):
        return "in Europe they are restricted to the Mediterranean front and Ethiopia"
    if it.act != "enter" or (it.origin and in_europe(it.origin)):
        return None
    fault = _beyond_contingent(s, it.nation, it.units[0], it.count)
    return fault or (not it.reported and _wrong_contingent(s, it.nation, it.units[0], it.count)) or None


def _beyond_contingent(s: State, nation: str, unit: Unit, count: int) -> str:
    """Why so many more units of a kind are not in Europe: their kind, the date, or those that are there."""
    since = CONTINGENTS[nation].get(unit)
    if since is None:
        return f"{unit}: one infantry 2-2 and one infantry 1-2 go to Europe, nothing else"
    if s.turn < calendar.parse_turn(since):
        return f"an {unit} goes to Europe from {since} on"
    if units_in_europe(s, nation, unit) + count > 1:
        return f"one {unit} of {called(nation)} at most is in Europe at the same time"
    return ""


def _wrong_contingent(s: State, nation: str, unit: Unit, count: int) -> str:
    """Units for which the U.S. paid do not go to Europe; the others may be sent later than in Fall 1939 (R-0086)."""
    if nation != "australia":
        return ""
    british = sum(it.count for it in s.pieces.of_kind(nation, unit)) - built_by_americans(s, nation, unit)
    told = "units that were built with American BRPs do not go to Europe"
    return told if units_in_europe(s, nation, unit) + count > british else ""


def _american_units(s: State, moved: UnitsMoved) -> int:
    """How many units for which the U.S. paid come or go: those built with BRPs that it granted, or lost (40.244).

    Those in Europe are British-built; of the others those that the U.S. paid for are lost first (R-0831).
    """
    if moved.nation not in BOXED:
        return 0
    if moved.origin == UNBUILT and isinstance(moved.to, At):
        return moved.count if balance(s.ledger, AtSea("usa", moved.nation)) > 0 else 0
    if moved.to != UNBUILT or not isinstance(moved.origin, At) or in_europe(moved.origin.place):
        return 0
    return -min(moved.count, built_by_americans(s, moved.nation, moved.unit))


@effect("71.14", on=UnitsMoved, when=lambda s, moved: _american_units(s, moved) != 0)
def american_units_remembered(p: Proceedings, moved: UnitsMoved) -> None:
    """Which units the U.S. paid for is remembered until they are lost: they do not go to Europe."""
    args, change = (moved.nation, moved.unit), _american_units(p.s, moved)
    reason, by = ("paid by the U.S.", "71.153B") if change > 0 else ("one of them lost", "71.14")
    built_by_americans.under(by).note(p, built_by_americans(p.s, *args) + change, reason, *args)


#: The steps in which a redeployment of this player turn is reported.
REDEPLOYED = ("redeployment", "end of player turn")


def _whence(s: State, it: Presence) -> list[Place]:
    """Where units come from: what an order says, or the places that such units are reported to have left."""
    return places_left(s, it.nation, it.units[0]) if it.reported else [it.origin]


def _comes_from_overseas(s: State, it: Presence) -> bool:
    """Whether units come to Europe and can only have come from overseas: a dominion's from its boxes.

    For a dominion Europe is the board; its own boxes are not there.
    """
    if it.nation not in COMMONWEALTH or s.countries[it.nation].status != "commonwealth":
        return False
    dominion = it.nation in DOMINIONS
    if not (it.at.startswith("europe/") if dominion else in_europe(it.at)):
        return False
    if it.reported and not units_off_map(s, it.nation, it.units[0]):
        return False
    places = _whence(s, it)
    return set(places) <= set(COMMONWEALTH_BOXES[it.nation]) if dominion else not any(map(in_europe, places))


@barred(
    "70.14A",
    acts=("enter",),
    when=_comes_from_overseas,
    covers=("71.14", "72.14"),
    by=lambda s, it: clause(it.nation, "14") or DOMINIONS[it.nation].start,
)
def redeployed_to_europe(s: State, it: Presence) -> str | None:
    """Commonwealth units come from overseas to Europe by naval redeployment, Canadians from the Atlantic U.S. box."""
    return _not_redeployed(s, it) or None


def _not_redeployed(s: State, it: Presence) -> str:
    """Why units have not been redeployed from where they were to Europe."""
    home = COMMONWEALTH_BOXES[it.nation][0]
    if it.nation in DOMINIONS and home not in _whence(s, it):
        return f"its units sail to Europe from {named(home)}"
    if it.reported:
        by_phase = s.player == player_of("britain") and s.place.step.name in REDEPLOYED
    else:
        by_phase = it.how == NR or (it.how == "redeployment" and it.nation in DOMINIONS)
    told = f"{called(it.nation)}'s units go to Europe by naval redeployment, in the Allied redeployment phase"
    return "" if by_phase else told


#: What a reported move of a power's units is held to at straits and canals, the nearest clause first.
_PASSAGES: tuple[Limit[State, Any], ...] = (
    canal_passage,
    axis_beyond_canal,
    linked_by_suez,
    no_redeployment_at_z8,
    straits_are_open,
)


def _not_passed(s: State, cmd: ReportUnits, origin: Place) -> Refusal | None:
    """What is against units having gone to a place from one that such units left; nothing if they may have."""
    meant = ReportMove(cmd.nation, (cmd.unit,) * cmd.count, Place(origin), cmd.at)
    asked = ((rule, it) for rule in _PASSAGES if rule.holds(s, meant) for it in rule.findings(s, meant))
    return next(filter(None, (rule.judge(meant, it) for rule, it in asked)), None)


@limit(
    "86.13",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.count > 0
        and unit_branch(cmd.unit) in ("ground", "naval")
        and units_off_map(s, cmd.nation, cmd.unit) > 0
        # Axis ships beyond the canal are judged wherever they come from.
        and not axis_beyond_canal.holds(s, cmd)
    ),
    covers=("73.41", "73.42", "88.342", "88.344", "88.36", "88.37", "88.54"),
    excusable=True,
)
def not_reported_past(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units of a minor country that left a place have not come to another past a strait or canal shut to them."""
    found = [_not_passed(s, cmd, it) for it in places_left(s, cmd.nation, cmd.unit)]
    return found[0] if found and all(found) else None
