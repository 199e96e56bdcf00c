"""Who gains a place that changes hands, and what is lost without a turn to retake it (82.22, 83.5, 83.61)."""

from __future__ import annotations

from warcabinet.kernel.kept import kept, lasting
from warcabinet.model.names import areas, called, powers
from warcabinet.model.places import PARTISANS, Place, areas_decided_by, deciding_places, default_holders, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened
from warcabinet.model.traits import PARTS, conquest_places, home_hexes
from warcabinet.rules.common.books import (
    detached,
    diplomatic_share,
    divided,
    in_being,
    joint_holder,
    on_books,
    one_faction,
)
from warcabinet.rules.common.diplomacy import areas_at, conqueror, ranks
from warcabinet.rules.common.pieces import SENIORITY, faction
from warcabinet.rules.common.war_and_peace import partners
from warcabinet.rules.kinds import definition, effect, remembered, value

HOLDS = ("conquered", "colony", "associated", "allied", "controlled")


@lasting
def country_at(key: str) -> str:
    """The country in which a place lies or which it decides, if any."""
    return next((name for name in areas_at(key) if areas()[name].is_country), "")


@value("83.61", "A place goes to whoever took it; one that partisans held and its owner's side freed, to its owner")
def who_gains(s: State, place: Place, taker: str) -> str:
    return _owner_of(s, place, taker) if freed_for_owner(s, place, taker) else taker


@definition("83.61", "A place that partisans held and its owner's side freed returns to its owner")
def freed_for_owner(s: State, place: Place, taker: str) -> bool:
    return holder(s, place) == PARTISANS and _owner_of(s, place, taker) != ""


def _owner_of(s: State, place: Place, by: str) -> str:
    """The power that a place returns to when it or a partner frees it of partisans.

    It is the one from which they took it; where that is not known the one that has the country, or in a power's land
    a key economic area or industrial center: as a conquest that counts for it (38.23), or did so in this year, or
    as its own.
    """
    if taken_from := lost_to_partisans(s, place):
        return taken_from if taken_from == by or partners(s, taken_from, by) else ""
    if country := country_at(place):
        standing = s.countries[country]
        owners = [standing.by] if standing.status in HOLDS else []
    else:
        area = next((it for it in areas_decided_by(place) if areas()[it].kind in ("key area", "ic")), "")
        counted = [it for it in powers() if area and on_books(s, it, area) > 0]
        lost = [it for it in powers() if area and happened(s, f"lost by {it}", area, "year")]
        owners = [*counted, *lost, areas()[area].owner if area else ""]
    return next((it for it in owners if it == by or partners(s, it, by)), "")


@remembered("83.61", "The power from which partisans took a place, as far as the game has seen it")
def lost_to_partisans(s: State, place: Place) -> str:
    return ""


@effect("83.61", "Whose a place was that partisans take is remembered: who frees it later frees it for that power")
def partisans_take_from(p: Proceedings, place: Place, held_by: str) -> None:
    if held_by in powers():
        told = f"{called(held_by)} held it before the partisans"
        lost_to_partisans.note(p, held_by, told, place)
    elif lost_to_partisans(p.s, place):
        # A country had it back since partisans took it from a power: they have nothing of that power's now.
        lost_to_partisans.forget(p, place)


# -- joint conquests ----------------------------------------------------------------------------------------------


def changed_hands(s: State) -> dict[str, str]:
    """The places that changed hands in the player turn under way, with who held them before."""
    return _held_before(s.frame("player turn").before)


@kept
def _held_before(before: dict[str, str]) -> dict[str, str]:
    return {key: by or default_holders().get(key, "") for key, by in before.items()}


def taken_from_others(s: State, key: Place) -> bool:
    """Whether a power took a place from another side this player turn.

    What passed between partners, or was only freed of partisans for its owner, was not taken (83.61).
    """
    before, now = changed_hands(s), holder(s, key)
    if key not in before or now not in powers() or before[key] == now or partners(s, before[key], now):
        return False
    return not (before[key] == PARTISANS and _owner_of(s, key, now))


def taken_now(s: State, area: str) -> str:
    """The power that took an area in this player turn, if one did: from then on there is something to share."""
    if not deciding_places(area):
        return next((it for it in powers() if happened(s, f"taken by {it}", area, "player turn")), "")
    if not in_being(s, area) or not any(taken_from_others(s, key) for key in deciding_places(area)):
        return ""
    by = joint_holder(s, area)
    return by if by in powers() else ""


@value("83.51", "The power that has a conquest of this player turn: its taker, or a senior partner that took part")
def has_conquest(s: State, area: str) -> str:
    taker = taken_now(s, area)
    if not taker:
        return taker
    senior = conqueror(s, area, taker)
    return next((it for it in _took_its_places(s, area) if _junior(s, senior, it)), senior)


def _took_its_places(s: State, area: str) -> list[str]:
    """The powers that took one of the places that a conquest needs, once all are held; they took part (R-0213)."""
    keys = conquest_places(area)
    whole = one_faction(s, {holder(s, key) for key in keys})
    took = {holder(s, key) for key in keys if taken_from_others(s, key)}
    return [it for it in SENIORITY if whole and it in took]


def spoils(s: State, area: str, senior: str) -> tuple[str, ...]:
    """What junior partners took in an area together with it, in this player turn.

    What is a conquest of its own, such as Bessarabia cut off from Rumania, is no part of its country's (83.12D).
    """
    apart = {key for part, whole in PARTS.items() if whole == area and detached(s, part) for key in home_hexes(part)}
    keys = {
        it: taken_from_others(s, it) for it in map(Place, changed_hands(s)) if area in areas_at(it) and it not in apart
    }
    return tuple(it for it, taken in keys.items() if taken and _junior(s, holder(s, it), senior))


def _junior(s: State, power: str, senior: str) -> bool:
    """Whether a power is a partner that ranks below another."""
    if power == senior or not partners(s, power, senior):
        return False
    order = ranks(faction(s, senior))[1]
    return senior in order and power in order and order.index(senior) < order.index(power)


# -- what diplomacy gave ------------------------------------------------------------------------------------------


@definition("82.22", "BRPs that a diplomatic result brought are lost as soon as another power conquers the country")
def loses_diplomatic_brps(s: State, power: str, area: str, taker: str) -> bool:
    if area not in s.countries or taker not in powers():
        return False
    # No power conquered what several sides divide: lost as other areas are, unless a key city is retaken (R-0498).
    if divided(s, area):
        return False
    standing = s.countries[area]
    if standing.status in ("penetrated", "controlled"):
        return standing.by == power
    # Attacked by that power or its partner the country stands alone, but the BRPs are still there (82.35, R-0212).
    # Who has Madrid by force counts Spain in full, more than a result gives (83.31A).
    had = on_books(s, power, area)
    return standing.status == "independent" and 0 < had <= diplomatic_share(s, area, 8)
