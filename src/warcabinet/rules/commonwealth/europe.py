"""Australian and Indian contingents in Europe (71.14, 72.14)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model import calendar
from warcabinet.model.accounts import AtSea
from warcabinet.model.events import UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import called
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.commonwealth.boxed import BOXED, clause
from warcabinet.rules.commonwealth.deployment import in_europe
from warcabinet.rules.countries.middle_east import ETHIOPIA
from warcabinet.rules.kinds import effect, remembered, value
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


@barred(
    "71.14",
    acts=("enter", "attack", "join"),
    also=("72.14",),
    when=lambda s, it: it.nation in BOXED and it.exact and in_europe(it.at),
)
def contingent_in_europe(s: State, it: Presence) -> Refusal | None:
    """In Europe Australia and India each have two units at most, on the Mediterranean front and in Ethiopia."""
    fault = ""
    if it.at != ETHIOPIA and "mediterranean" not in fronts(it.at):
        fault = "in Europe they are restricted to the Mediterranean front and Ethiopia"
    elif it.act == "enter" and not (it.origin and in_europe(it.origin)):
        fault = _beyond_contingent(s, it.nation, it.units[0], it.count)
        if not fault and not it.reported:
            fault = _wrong_contingent(s, it.nation, it.units[0], it.count)
    return Refusal(clause(it.nation, "14"), fault) if fault else None


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


def _wrong_contingent(s: State, nation: str, unit: str, count: int) -> str:
    """What R-0086 has to say of a unit that is otherwise free to go."""
    chosen = reading_in_force(s, "R-0086")
    since = CONTINGENTS[nation][unit]
    late = since == "Fall 1939" and s.turn > calendar.parse_turn(since)
    if chosen == "b" and late and not sent_to_europe(s, nation, unit):
        return "the contingent was to go in Fall 1939; only what was lost of it is replaced"
    if chosen == "c" or nation != "australia":
        return ""
    there = sum(it.count for it in s.pieces.of_kind(nation, unit))
    british = there - built_by_americans(s, nation, unit)
    told = "units that were built with American BRPs do not go to Europe"
    return told if units_in_europe(s, nation, unit) + count > british else ""


@effect(
    "71.14",
    on=UnitsMoved,
    when=lambda s, moved: moved.nation in BOXED and isinstance(moved.to, At) and in_europe(moved.to.place),
    also=("72.14",),
)
def contingent_remembered(p: Proceedings, moved: UnitsMoved) -> None:
    """That a contingent was in Europe is remembered: what is lost of it may be replaced."""
    args = (moved.nation, moved.unit)
    if not sent_to_europe.noted(p.s, *args):
        sent_to_europe.under(clause(moved.nation, "14")).note(p, True, "sent to Europe", *args)


def _american_unit_lost(s: State, moved: UnitsMoved) -> bool:
    """Whether a unit lost outside Europe may be one for which the U.S. paid; those in Europe are British-built."""
    if moved.nation not in BOXED or moved.to != UNBUILT or not isinstance(moved.origin, At):
        return False
    return not in_europe(moved.origin.place) and bool(built_by_americans(s, moved.nation, moved.unit))


@effect("71.14", on=UnitsMoved, when=_american_unit_lost)
def american_units_forgotten(p: Proceedings, moved: UnitsMoved) -> None:
    """A unit lost is built anew, by whoever pays then: those that the U.S. paid for are lost first (R-0831)."""
    args = (moved.nation, moved.unit)
    left = max(0, built_by_americans(p.s, *args) - moved.count)
    built_by_americans.note(p, left, "one of them lost", *args)


def _paid_by_americans(s: State, moved: UnitsMoved) -> bool:
    """Whether a unit is built with BRPs that the U.S. granted for it (40.244)."""
    built = moved.nation in BOXED and moved.origin == UNBUILT and isinstance(moved.to, At)
    return built and balance(s.ledger, AtSea("usa", moved.nation)) > 0


@effect("71.14", on=UnitsMoved, when=_paid_by_americans)
def american_units_remembered(p: Proceedings, moved: UnitsMoved) -> None:
    """Which units the U.S. paid for is remembered: they do not go to Europe."""
    args = (moved.nation, moved.unit)
    built = built_by_americans(p.s, *args) + moved.count
    built_by_americans.under("71.153B").note(p, built, "paid by the U.S.", *args)
