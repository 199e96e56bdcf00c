"""Units where they stand: who occupies a hex, on whose side a nation is, and how pieces come and go."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain

from warcabinet.board.maps import both, by_key
from warcabinet.model.events import UnitsMoved
from warcabinet.model.keys import Unit
from warcabinet.model.names import powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Stack
from warcabinet.model.places import PARTISANS, Place, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.restatements import of_ally
from warcabinet.model.state import State
from warcabinet.model.traits import (
    BELONGS,
    COMMONWEALTH_BOXES,
    DUTCH,
    DUTCH_AREAS,
    LED_FORCES,
    PARTS,
    VICHY,
    home_hexes,
)
from warcabinet.model.unit_lists import unbuilt
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import colonies_of, vichy_places

BOUND = ("associated", "allied")
#: How a neutral stands, whatever result it is under; and one that is nobody's, at war by itself or not.
NEUTRAL = ("neutral", "penetrated", "controlled")
STANDS_ALONE = (*NEUTRAL, "independent")
#: Counters that are no units, though they stand on the boards (82.321C).
COUNTERS = ("airbase", "rocket base", "railhead", "fort")
SENIORITY = ("germany", "italy", "japan", "usa", "britain", "france", "russia", "china")


def patron(s: State, nation: str) -> str:
    """The power that commands a nation's units: itself, or the one its country is bound to."""
    if nation in powers():
        return nation
    if nation in LED_FORCES:
        return LED_FORCES[nation]
    standing = s.countries[country_of(s, nation)]
    if nation in COMMONWEALTH_BOXES:
        # What Japan has of a country that surrendered are not its units (71.51A, 72.51A).
        return standing.by if standing.status == "commonwealth" else "britain"
    return standing.by if standing.status in BOUND else ""


def country_of(s: State, nation: str) -> str:
    """The country by whose status a nation's units go: for the Dutch, a part of the Indies that has not fallen."""
    if nation != DUTCH:
        return nation
    return next((it for it in DUTCH_AREAS if s.countries[it].status != "conquered"), DUTCH_AREAS[0])


def side_of(s: State, nation: str) -> str:
    """A nation's alliance faction; a country that stands with nobody is its own side."""
    power = patron(s, nation)
    return s.powers[power].faction if power else nation


def said_of(s: State, nation: str, clause: str) -> str:
    """The clause by which a nation's units stand to their power: one on associates, or its twin on minor allies.

    Vlasov's Russians are minor ally units (85.46I).
    """
    allied = nation == "vlasov" or (nation in s.countries and s.countries[nation].status == "allied")
    return of_ally(clause) if allied else clause


def faction(s: State, power: str) -> str:
    return s.powers[power].faction if power in s.powers else ""


def neighbours(key: str) -> tuple[Place, ...]:
    """The keys of the hexes beside a hex."""
    if key.startswith("box/"):
        return ()
    here = by_key(key)
    board = next(one for one in both() if one.name == here.board)
    return tuple(h.key for h in board.neighbours(here.id))


def land_beside(key: str) -> tuple[Place, ...]:
    """The hexes beside a hex on which ground units can stand."""
    return tuple(it for it in neighbours(key) if by_key(it).is_land)


def units_at(s: State, place: Place) -> Collection[Stack]:
    return s.pieces.at(place)


def armed_units_at(s: State, place: Place) -> Iterator[Stack]:
    """The units on a hex, without counters that are none."""
    return (it for it in units_at(s, place) if it.unit not in COUNTERS)


def regulars_at(s: State, place: Place) -> Iterator[Stack]:
    """The units on a hex that occupy it: no partisans, no counters."""
    return (it for it in armed_units_at(s, place) if it.branch != "partisan")


def units_of(s: State, nation: str) -> Iterator[Stack]:
    return s.pieces.of(nation)


def units_of_kind(s: State, nation: str, unit: Unit) -> Collection[Stack]:
    return s.pieces.of_kind(nation, unit)


def units_in(s: State, country: str) -> Iterator[Stack]:
    """Every stack in a country, its own and foreign ones; what Russia has cut off is no longer in it (83.12)."""
    if country == VICHY:
        return s.pieces.among(frozenset(vichy_places(s)))
    cut_off = tuple(it for it, whole in PARTS.items() if whole == country and s.countries[it].status == "conquered")
    return s.pieces.among(_inside(country, cut_off))


@cache
def _inside(country: str, cut_off: tuple[str, ...]) -> frozenset[Place]:
    return frozenset(home_hexes(country)).difference(*map(home_hexes, cut_off))


def land_beside_home(s: State, country: str) -> tuple[Place, ...]:
    """What a country holds beside its own land from the start: eastern Poland, until that is conquered (R-0421)."""
    if country != "poland" or s.countries["eastern_poland"].status != "neutral":
        return ()
    return home_hexes("eastern_poland")


def units_in_its_east(s: State, country: str, side: str) -> Iterator[Stack]:
    """A side's units in Poland's east, which a result opens and closes with Poland until it has fallen (R-0421)."""
    there = s.pieces.among(frozenset(land_beside_home(s, country)))
    return (it for it in there if side_of(s, it.nation) == side)


def garrison(s: State, country: str) -> tuple[str, ...]:
    """The powers that have units in a country, senior ones first; Commonwealth units are British ones (82.13).

    Partisans are no garrison (R-0423), nor are airbases (82.321C); minor allies are one of the power that leads them
    (R-0885).
    """
    # Spanish Morocco is Spain's for war and diplomacy, and so are units in it (83.447).
    parts = [it for it, whole in BELONGS.items() if whole == country and s.countries[it].status != "conquered"]
    if country == VICHY:
        parts += colonies_of(s, VICHY)
    # Only those to whom a result opened Poland are in it in its east: Russians may come there by a pact (R-0421).
    standing = s.countries[country]
    east = units_in_its_east(s, country, faction(s, standing.by)) if standing.status == "controlled" else ()
    stacks = chain(*(units_in(s, part) for part in (country, *parts)), east)
    everywhere = {(it.nation, it.branch) for it in stacks if it.unit not in COUNTERS}
    inside = {nation for nation, branch in everywhere if nation != country and branch != "partisan"}
    there = {_garrisons_for(s, it) for it in inside}
    return tuple(power for power in SENIORITY if power in there)


def _garrisons_for(s: State, nation: str) -> str:
    if nation in COMMONWEALTH_BOXES:
        return "britain"
    return nation if reading_in_force(s, "R-0885") == "b" else patron(s, nation)


def occupier(s: State, place: Place, apart_from: str = "") -> str:
    """The power whose regular units stand on a hex, the senior one of several; no partisans, no airbases."""
    found = {patron(s, stack.nation) for stack in regulars_at(s, place)}
    return next((power for power in SENIORITY if power in found and power != apart_from), "")


def occupied_by(s: State, place: Place, side: str) -> bool:
    """Whether regular units of a faction stand on a hex; partisans do not count."""
    return any(side_of(s, stack.nation) == side for stack in regulars_at(s, place))


def occupied_by_others(s: State, place: Place, side: str, country: str) -> bool:
    """Whether units of another faction than `side` stand on a hex, the country's own apart."""
    return any(side_of(s, stack.nation) != side and stack.nation != country for stack in armed_units_at(s, place))


def ground_of_others(s: State, place: Place, side: str, country: str = "") -> bool:
    """Whether ground units of another faction stand there: only those keep a capital that turned (R-0214)."""
    there = (stack for stack in units_at(s, place) if stack.branch == "ground")
    return any(side_of(s, stack.nation) != side and stack.nation != country for stack in there)


def friendly(s: State, place: Place, side: str) -> bool:
    """Whether a place is held by a faction, by its powers or the countries bound to them."""
    held_by = holder(s, place)
    if held_by in powers():
        return faction(s, held_by) == side
    return held_by in s.countries and side_of(s, held_by) == side


def held_by_partisans(s: State, place: Place) -> bool:
    """Whether partisans control a hex: as reported, or since Axis ones stand there and no regular ground units do."""
    if holder(s, place) == PARTISANS:
        return True
    there = units_at(s, place)
    risen = any(it.branch == "partisan" and side_of(s, it.nation) == "axis" for it in there)
    return risen and not any(it.branch == "ground" for it in there)


def controlled_for(s: State, place: Place, side: str) -> bool:
    """Whether a side controls a place of the Middle East, where partisans hold what they have for the Axis (88.344)."""
    if held_by_partisans(s, place):
        return side == "axis"
    return friendly(s, place, side)


def place_units(p: Proceedings, nation: str, unit: Unit, place: Place, count: int, memo: str = "") -> None:
    """New pieces come on the board."""
    p.do(UnitsMoved(nation, unit, count, OUT_OF_PLAY, At(place), memo or unit))


def move_units(p: Proceedings, nation: str, unit: Unit, origin: Place, to: Place, count: int) -> None:
    """Pieces go from one place to another."""
    p.do(UnitsMoved(nation, unit, count, At(origin), At(to), f"{unit} moves"))


def eliminate(p: Proceedings, stack: Stack, count: int, for_good: bool, clause: str = "") -> None:
    """Pieces are lost: to their force pool, or out of play."""
    gone = OUT_OF_PLAY if for_good else UNBUILT
    p.do(UnitsMoved(stack.nation, stack.unit, count, At(stack.place), gone, f"{stack.unit} eliminated"), clause)


def remove_all(p: Proceedings, nation: str, clause: str) -> None:
    """Every regular unit of a nation, built or not, leaves play for good; partisans that bear its name fight on."""
    for stack in tuple(it for it in units_of(p.s, nation) if it.branch != "partisan"):
        eliminate(p, stack, stack.count, True, clause)
    remove_unbuilt(p, nation, clause)


def remove_unbuilt(p: Proceedings, nation: str, clause: str = "") -> None:
    for unit, count in tuple(unbuilt(p.s, nation)):
        p.do(UnitsMoved(nation, unit, count, UNBUILT, OUT_OF_PLAY, "out of play"), clause)


def standing_at(s: State, nation: str, place: Place, unit: Unit) -> int:
    return s.pieces.count(nation, At(place), unit)
