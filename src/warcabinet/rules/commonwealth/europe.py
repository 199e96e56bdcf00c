"""Australian and Indian contingents in Europe (71.14, 72.14)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model import calendar
from warcabinet.model.accounts import AtSea
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.events import UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import called
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.boxes import NR
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.commonwealth.boxed import BOXED, clause
from warcabinet.rules.commonwealth.deployment import in_europe
from warcabinet.rules.countries.middle_east import ETHIOPIA
from warcabinet.rules.kinds import effect, limit, remembered, value
from warcabinet.rules.minors.geography import fronts

# -- Europe -------------------------------------------------------------------------------------------------------

#: The contingents: one unit of each kind, and from when on it may be sent (71.14, 72.14).
CONTINGENTS = {
    "australia": {"infantry 1-2": "Fall 1939", "infantry 2-2": "Fall 1940"},
    "india": {"infantry 1-2": "Fall 1939", "infantry 2-2": "Fall 1939"},
}


@value("71.14", "Units of a kind that a country has in Europe", also=("72.14",))
def units_in_europe(s: State, country: str, unit: str) -> int:
    return sum(it.count for it in s.pieces.of_kind(country, unit) if in_europe(it.place))


@remembered("71.14", "A unit of this kind has been sent to Europe before", also=("72.14",))
def sent_to_europe(s: State, country: str, unit: str) -> bool:
    return units_in_europe(s, country, unit) > 0


@remembered("71.14", "Units of a kind that were built with American BRPs, which do not go to Europe")
def built_by_americans(s: State, country: str, unit: str) -> int:
    return 0


@limit(
    "71.14",
    "Australia and India each have one unit of one and one of two factors at most in Europe, redeployed by sea",
    on=MoveUnits,
    also=("72.14",),
    when=lambda s, cmd: cmd.nation in BOXED and in_europe(place_key(cmd.to)) and not in_europe(place_key(cmd.from_)),
)
def contingent_for_europe(s: State, cmd: MoveUnits) -> Refusal | None:
    fault = _not_to_europe(s, cmd)
    return Refusal(clause(cmd.nation, "14"), fault) if fault else None


def _not_to_europe(s: State, cmd: MoveUnits) -> str:
    beyond = _beyond_contingent(s, cmd.nation, cmd.unit, cmd.count)
    if beyond:
        return beyond
    if cmd.how != NR:
        return f"{called(cmd.nation)}'s units go to Europe by naval redeployment"
    return _wrong_contingent(s, cmd, CONTINGENTS[cmd.nation][cmd.unit])


def _beyond_contingent(s: State, nation: str, unit: str, count: int) -> str:
    """Why so many more units of a kind are not in Europe: their kind, the date, or those that are there."""
    since = CONTINGENTS[nation].get(unit)
    if since is None:
        return f"{unit}: one infantry 2-2 and one infantry 1-2 go to Europe, nothing else"
    if s.turn < calendar.parse_turn(since):
        return f"an {unit} goes to Europe from {since} on"
    if units_in_europe(s, nation, unit) + count > 1:
        return f"one {unit} of {called(nation)} at most is in Europe at the same time"
    return ""


def _wrong_contingent(s: State, cmd: MoveUnits, since: str) -> str:
    """What R-0086 has to say of a unit that is otherwise free to go."""
    chosen = reading_in_force(s, "R-0086")
    late = since == "Fall 1939" and s.turn > calendar.parse_turn(since)
    if chosen == "b" and late and not sent_to_europe(s, cmd.nation, cmd.unit):
        return "the contingent was to go in Fall 1939; only what was lost of it is replaced"
    if chosen == "c" or cmd.nation != "australia":
        return ""
    british = sum(it.count for it in s.pieces.of_kind(cmd.nation, cmd.unit)) - built_by_americans(
        s, cmd.nation, cmd.unit
    )
    told = "units that were built with American BRPs do not go to Europe"
    return told if units_in_europe(s, cmd.nation, cmd.unit) + cmd.count > british else ""


@limit(
    "71.14",
    "Australian and Indian units in Europe keep to the Mediterranean front and Ethiopia",
    on=MoveUnits,
    also=("72.14",),
    when=lambda s, cmd: cmd.nation in BOXED and in_europe(place_key(cmd.to)),
)
def mediterranean_only(s: State, cmd: MoveUnits) -> Refusal | None:
    return Refusal(clause(cmd.nation, "14"), RESTRICTED) if _closed_in_europe(place_key(cmd.to)) else None


RESTRICTED = "in Europe they are restricted to the Mediterranean front and Ethiopia"


def _closed_in_europe(place: str) -> bool:
    """Whether a place in Europe is neither on the Mediterranean front nor Ethiopia."""
    return place != ETHIOPIA and "mediterranean" not in fronts(place)


@limit(
    "71.14",
    "Australian and Indian units are reported in Europe only within their contingent, on the Mediterranean front",
    on=ReportUnits,
    also=("72.14",),
    when=lambda s, cmd: cmd.nation in BOXED and cmd.count > 0 and in_europe(place_key(cmd.at)),
)
def reported_within_contingent(s: State, cmd: ReportUnits) -> Refusal | None:
    fault = _beyond_contingent(s, cmd.nation, cmd.unit, cmd.count)
    if _closed_in_europe(place_key(cmd.at)):
        fault = RESTRICTED
    text = unless_excused(cmd, fault or None)
    return Refusal(clause(cmd.nation, "14"), text) if text else None


@limit(
    "71.14",
    "Australian and Indian units in Europe fight on the Mediterranean front and in Ethiopia only",
    on=ReportOperation,
    also=("72.14",),
    when=lambda s, cmd: cmd.nation in BOXED and bool(cmd.at) and in_europe(place_key(cmd.at)),
)
def fights_in_the_mediterranean(s: State, cmd: ReportOperation) -> Refusal | None:
    text = unless_excused(cmd, RESTRICTED) if _closed_in_europe(place_key(cmd.at)) else None
    return Refusal(clause(cmd.nation, "14"), text) if text else None


@effect(
    "71.14",
    "That a contingent was in Europe is remembered: what is lost of it may be replaced",
    on=UnitsMoved,
    when=lambda s, moved: moved.nation in BOXED and isinstance(moved.to, At) and in_europe(moved.to.place),
    also=("72.14",),
)
def contingent_remembered(p: Proceedings, moved: UnitsMoved) -> None:
    args = (moved.nation, moved.unit)
    if not sent_to_europe.noted(p.s, *args):
        sent_to_europe.under(clause(moved.nation, "14")).note(p, True, "sent to Europe", *args)


def _american_unit_lost(s: State, moved: UnitsMoved) -> bool:
    """Whether a unit lost outside Europe may be one for which the U.S. paid; those in Europe are British-built."""
    if moved.nation not in BOXED or moved.to != UNBUILT or not isinstance(moved.origin, At):
        return False
    return not in_europe(moved.origin.place) and bool(built_by_americans(s, moved.nation, moved.unit))


@effect(
    "71.14",
    "A unit lost is built anew, by whoever pays then: those that the U.S. paid for are lost first (R-0831)",
    on=UnitsMoved,
    when=_american_unit_lost,
)
def american_units_forgotten(p: Proceedings, moved: UnitsMoved) -> None:
    args = (moved.nation, moved.unit)
    left = max(0, built_by_americans(p.s, *args) - moved.count)
    built_by_americans.note(p, left, "one of them lost", *args)


def _paid_by_americans(s: State, moved: UnitsMoved) -> bool:
    """Whether a unit is built with BRPs that the U.S. granted for it (40.244)."""
    built = moved.nation in BOXED and moved.origin == UNBUILT and isinstance(moved.to, At)
    return built and balance(s.ledger, AtSea("usa", moved.nation)) > 0


@effect(
    "71.14",
    "Which units the U.S. paid for is remembered: they do not go to Europe",
    on=UnitsMoved,
    when=_paid_by_americans,
)
def american_units_remembered(p: Proceedings, moved: UnitsMoved) -> None:
    args = (moved.nation, moved.unit)
    built = built_by_americans(p.s, *args) + moved.count
    built_by_americans.under("71.153B").note(p, built, "paid by the U.S.", *args)
