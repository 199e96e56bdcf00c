"""The boxes of the Commonwealth and the Urals: how units enter and leave them, who may not be there, and who fights
there (70.12, 70.22, 71.2, 72.2, 81.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from warcabinet.board.boxes import box, boxes, joined
from warcabinet.board.maps import by_key, pacific
from warcabinet.board.names import places_at
from warcabinet.board.supply import reach
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.economy import ReportBombing
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import Mission, MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.names import called, powers
from warcabinet.model.places import PARTISANS, Place, holder, place_called
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES, home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import ANY_UNIT, Unit, kind_name, unit_factors
from warcabinet.rules.common.pieces import friendly, patron, side_of, units_at
from warcabinet.rules.common.presence import Act, Presence, barred, excused, unless_excused
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.common.waiting import goal_of, nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.common.ways import (
    AIR,
    ALL_BRANCHES,
    BY_SEA,
    EVERY_MISSION,
    GROUND,
    INTERCEPTIONS,
    NAVAL,
    NR,
    REDEPLOYMENTS,
    SR,
    TR,
    Ban,
    Way,
    banned,
    branch_of,
    enters,
    linked,
    named,
    no_way,
)
from warcabinet.rules.commonwealth.boxed import (
    BOX,
    BOXED,
    EDGE,
    GATES,
    JAPAN,
    URALS,
    WEST,
    beside_urals,
    board_of_edge,
    box_hexes,
    box_of,
    clause,
    country_in,
    enemy,
    factors_beside,
    factors_in_box,
    factors_that_stay,
    has_surrendered,
    joined_by_land,
    pacific_port,
    russian_factors,
    urals_gate,
)
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.geography import fronts
from warcabinet.rules.minors.voyages import mediterranean

#: The letter of the clause on each branch in the movement phase, under which a report comes as well.
IN_MOVEMENT = {GROUND: "221A", AIR: "221B", NAVAL: "221C"}


NOBODY = ("", "")


# -- where a way has its other end --------------------------------------------------------------------------------

_MEANS = {NR: "naval_redeployment", "base change": "base_change", "sea transport": "sea_transport"}


def _redeployed_by_land(s: State, country: str, how: str, place: Place) -> bool:
    """Whether a place is one from which units are redeployed to a box by land, over land that is held."""
    if not place.startswith("pacific/"):
        return False
    objective = how == SR and country == "india"  # strategically, to India, from any objective (72.223A)
    if not (any(it.has("objective") for it in places_at(place)) if objective else place in joined_by_land(country)):
        return False
    one, edge = pacific(), box(BOXED[country].box).hexes("ground")
    return bool(reach(one, edge, passable(s, one, "britain")) & one.bits((place,)))


@definition("71.21", "A way of moving leads between a country's box and a place")
def leads_to_box(s: State, country: str, how: str, place: Place) -> bool:
    id_ = BOXED[country].box
    if how in ("movement", "exploitation"):
        return place in box(id_).hexes("ground")
    if how == "staging":
        return place in home_hexes(country)
    if how in (TR, SR):
        return _redeployed_by_land(s, country, how, place)
    if how == "seaborne invasion":
        return place.startswith("pacific/") and by_key(place).kind == "coastal"
    if how == NR and mediterranean(place):
        return True  # through Suez, by a clause of its own (88.36)
    return how in _MEANS and (pacific_port(s, place) or linked(id_, place, _MEANS[how]))


@cache
def _other_ends(country: str, how: str) -> str:
    """In words, where a way to a box begins or ends."""
    name, edge, id_ = called(country), BOXED[country].edge, BOXED[country].box
    if how in ("movement", "exploitation"):
        hexes = ", ".join(key.partition("/")[2] for key in box(id_).hexes("ground"))
        return f"a hex of {name} on the {edge} ({hexes})"
    if how == "staging":
        return f"a hex of {name}"
    if how in (TR, SR):
        what = "an objective" if how == SR and country == "india" else f"a hex of {name}"
        return f"{what} from which friendly land leads off the {edge}"
    if how == "seaborne invasion":
        return "a coastal hex of the Pacific mapboard"
    others = [boxes()[it].name for it in boxes() if it != id_ and joined(id_, it, _MEANS[how])]
    ports = [places_at(key)[0].name for key in box(id_).hexes(_MEANS[how]) if key.startswith("europe/")]
    return " or ".join(("a port of the Pacific mapboard in Western Allied hands", *others, *ports))


def _in_from(s: State, cmd: MoveUnits, place: Place) -> str:
    country = country_in(cmd.to)
    if leads_to_box(s, country, cmd.how, place):
        return ""
    return f"by {cmd.how} {named(box_of(country))} is entered from {_other_ends(country, cmd.how)}"


def _out_to(s: State, cmd: MoveUnits, place: Place) -> str:
    country = country_in(cmd.from_)
    name = named(box_of(country))
    if cmd.how == "staging":
        # Aircraft come in from its country alone (71.221B), and leave for any hex of the mapboard (71.23, R-3201).
        leads, ends = place.startswith("pacific/"), "a hex of the Pacific mapboard"
    else:
        leads, ends = leads_to_box(s, country, cmd.how, place), _other_ends(country, cmd.how)
    if not leads:
        return f"by {cmd.how} one comes from {name} to {ends}"
    if cmd.how == "movement" and any(side_of(s, it.nation) != WEST for it in units_at(s, place)):
        return f"{place_called(cmd.to)} is not vacant, and nobody attacks out of {name}"
    if cmd.how in ("staging", TR, SR) and not friendly(s, place, WEST):
        return f"{place_called(cmd.to)} is not in Western Allied hands"
    return ""


def _staged(s: State, cmd: MoveUnits, place: Place) -> str:
    """Squadrons based on carriers stay in the India box (72.23)."""
    carriers = any(kind_name(it.unit) == "carrier" and it.nation == cmd.nation for it in units_at(s, box_of("india")))
    if carriers and country_in(cmd.from_) == "india":
        return "naval air squadrons on carriers in the India box do not stage onto the mapboard"
    return _out_to(s, cmd, place)


def _between_oceans(s: State, cmd: MoveUnits, place: Place) -> str:
    """Only the U.S. fleet sails from one U.S. box to the other: others are redeployed strategically."""
    both = {cmd.from_, cmd.to} == set(COMMONWEALTH_BOXES["canada"])
    return f"by strategic redeployment, not by {cmd.how}" if both and cmd.nation != "usa" else ""


def _strategically(s: State, cmd: MoveUnits, place: Place) -> str:
    """What is against a strategic redeployment: between the U.S. boxes go Canadians and British; or to Ethiopia."""
    ends = [it.removeprefix("box/") for it in (cmd.from_, cmd.to)]
    if not all(it in boxes() for it in ends) or not joined(ends[0], ends[1], "strategic_redeployment"):
        between = f"{place_called(cmd.from_)} and {place_called(cmd.to)}"
        return f"no way leads between {between} by {cmd.how}: no hex lies beside the box"
    # Commonwealth units are British ones (82.13).
    if "ethiopia" in ends or cmd.nation in ("usa", "britain", *COMMONWEALTH):
        return ""
    return f"Canadian and British units go from one U.S. box to the other, not {called(cmd.nation)}'s"


# -- the ways -----------------------------------------------------------------------------------------------------


#: Into the boxes of Australia and India.
WAYS_IN = (
    Way("221A", (GROUND,), ("movement", "sea transport"), _in_from, "movement"),
    Way("221B", (AIR,), ("staging", "sea transport"), _in_from, "movement"),
    Way("221C", (NAVAL,), ("base change",), _in_from, "movement"),
    Way("222A", ("armor",), ("exploitation",), _in_from, shuts=("exploitation", "advance", "seaborne invasion")),
    Way("223A", (GROUND, AIR), (TR, SR, NR), _in_from, shuts=REDEPLOYMENTS),
    Way("223A", (NAVAL,), (NR,), _in_from, shuts=REDEPLOYMENTS),
)
#: Out of them.
WAYS_OUT = (
    Way("23", ("naval air",), ("staging",), _staged),
    Way("23", (GROUND,), ("movement",), _out_to, "movement"),
    Way("23", (GROUND,), ("sea transport", "seaborne invasion", TR, SR, NR), _out_to),
    Way("23", (AIR,), ("staging", "sea transport", TR, SR, NR), _out_to),
    Way("23", (NAVAL,), ("base change", NR), _out_to),
    Way("31", ALL_BRANCHES, (), shuts=("advance",), told="no hex is captured by an attrition advance from a box"),
)


# -- the Urals box ---------------------------------------------------------------------------------------------


@definition("81.61", "A place is Russian territory that is on neither board: the Urals box")
def beyond_the_boards(s: State, place: Place) -> bool:
    return place == BOX


@value("81.62", "How many air units may base in the Urals box, by nation")
def urals_basing(s: State, nation: str) -> str:
    return "unlimited" if nation == "russia" else "none"


def _open_gate(s: State, board: str, by_rail: bool) -> bool:
    """Whether units can pass a hex of a board's edge: by rail and air a friendly one, on foot one without enemies."""
    for key in GATES:
        if board_of_edge(key) != board or not urals_gate(s, key):
            continue
        if friendly(s, key, s.powers["russia"].faction) or holder(s, key) == "communist_china":
            return True
        if not by_rail and not any(enemy(s, it.nation) for it in units_at(s, key)):
            return True
    return False


def _hostile_hex(s: State, key: str) -> bool:
    held_by = holder(s, key)
    return held_by in powers() and s.powers[held_by].faction != s.powers["russia"].faction and enemy(s, held_by)


def _through(s: State, cmd: MoveUnits, place: Place) -> Refusal | None:
    """What is against passing between a board and the box: no hex of that board's edge is open."""
    board = board_of_edge(place)
    if board not in EDGE:
        return Refusal("81.63", "the Urals box is joined to the edges of the two boards, and to no other box")
    if _open_gate(s, board, by_rail=cmd.how not in ("movement", "exploitation")):
        return None
    clause = EDGE[board] if enters(cmd, URALS) else "81.65"
    return Refusal(clause, f"no hex on the edge of that board leads into the Urals box ({board})")


def _onto_the_board(s: State, cmd: MoveUnits, place: Place) -> Refusal | str | None:
    """What is against leaving the box; vacant enemy hexes beside it are entered by movement (R-0079)."""
    if place.startswith("box/") or not _hostile_hex(s, place):
        return _through(s, cmd, place)
    if branch_of(cmd.unit) != GROUND or cmd.how != "movement":
        return f"{place_called(cmd.to)} is in enemy hands: only ground units move there"
    if not urals_gate(s, place) or any(enemy(s, it.nation) for it in units_at(s, place)):
        return f"{place_called(cmd.to)} is in enemy hands: from the Urals box only vacant hexes beside it are entered"
    left, beside = russian_factors(s) - cmd.count * unit_factors(cmd.unit), factors_beside(s)
    told = f"{left} Russian ground factors would be left in the box, {beside} of the enemy beside it"
    return told if left < beside else None


BY_RAIL = ("redeployment", TR, SR)
URALS_IN = (
    Way("631A", (GROUND,), ("movement",), _through, "movement"),
    Way("631B", (AIR,), ("staging",), _through, "movement"),
    Way("632A", ("armor",), ("exploitation",), _through, shuts=("exploitation",)),
    Way("633A", (GROUND, AIR), BY_RAIL, _through, shuts=REDEPLOYMENTS),
    Way("63", (NAVAL,), (), told="no way leads ships into the Urals box"),
)
URALS_OUT = (
    Way("65", (GROUND,), ("movement",), _onto_the_board, "movement"),
    Way("65", (AIR,), ("staging",), _onto_the_board, "movement"),
    Way("65", (GROUND, AIR), BY_RAIL, _onto_the_board),
    Way("68", ALL_BRANCHES, (), shuts=("advance",), told="no hex is captured by an advance from the Urals box"),
)


# -- who may not be there, and what is not done ----------------------------------------------------------------

TAKEN: tuple[Act, ...] = ("take", "rise")


class Shut(NamedTuple):
    """To whom a box is shut (nation, unit, country), for which acts, by which number; a few may be excused."""

    clause: str
    acts: tuple[Act, ...]
    to: Callable[[State, str, Unit, str], bool]
    told: str
    excusable: bool = False


def _strangers(s: State, nation: str, unit: Unit, country: str) -> bool:
    """The Flying Tigers base in India too, though China has not joined the Western Allies (78.61A)."""
    return side_of(s, nation) != WEST and (country, unit) != ("india", "flying tiger")


def _anybody(s: State, nation: str, unit: Unit, country: str) -> bool:
    return True


def _no_russians(s: State, nation: str, unit: Unit, country: str) -> bool:
    return nation != "russia"


SHUT = (
    Shut(
        *("224", ("enter",), lambda s, nation, unit, country: side_of(s, nation) == JAPAN),
        "Japanese units do not enter {box}; they may bomb it",
    ),
    Shut(
        *("51C", ("enter",), lambda s, nation, unit, country: has_surrendered(s, country)),
        "{country} has surrendered: {box} is closed to the Western Allies",
    ),
    Shut("221A", ("enter",), _strangers, "{nation} is no Western Ally: its units stay out of {box}", excusable=True),
    Shut("31", TAKEN, _anybody, "{box} is not captured; {country} can only surrender"),
)
URALS_SHUT = (
    Shut(
        *("634", ("enter",), lambda s, nation, unit, country: enemy(s, nation)),
        *("neither the European Axis nor Japan enters {box}", True),
    ),
    Shut("63", ("enter",), _no_russians, "{nation}: only Russian units enter {box}", excusable=True),
    Shut("61", ("build",), _no_russians, "{box} is part of Russia", excusable=True),
    Shut("68", TAKEN, _no_russians, "{box} cannot be taken", excusable=True),
)


FIGHTING: frozenset[Mission] = frozenset({"attack", "attrition"})
#: What is judged of ground units by itself, or is no operation of theirs.
BESIDES = FIGHTING | {"sea escort"}


def _japanese(s: State, nation: str) -> bool:
    return side_of(s, nation) == JAPAN


def _beside(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two that meet stands in the attrition zone of the box in which the other does."""
    ends = [it for it in (cmd.at, cmd.origin) if it]
    return any(key in box_hexes(s, country, "ground") for key in ends for country in BOXED if box_of(country) in ends)


@definition("71.211", "Any number of a nation's air and naval units may base in a country's box")
def basing_in_box(s: State, country: str, nation: str) -> bool:
    return side_of(s, nation) == WEST and not has_surrendered(s, country)


#: At the boxes of Australia and India, the nearest clause first.
BANS = (
    Ban("25", "at", (GROUND,), {"attack"}, "ground units attack neither into {box} nor out of it"),
    Ban("31", "at", (GROUND,), {"attrition"}, "only units beside {box} and in it meet in attrition", unless=_beside),
    Ban(
        *("223B", "into", ALL_BRANCHES, INTERCEPTIONS, "naval redeployment between boxes is not intercepted"),
        to=_japanese,
        phase="redeployment",
        also=("33",),
    ),
    Ban(
        *("24", "into", (AIR,), INTERCEPTIONS, "Japanese aircraft do not intercept in {box}: they come to bomb"),
        to=_japanese,
        also=("33",),
    ),
    Ban("33", "into", ALL_BRANCHES, INTERCEPTIONS, "ships are not intercepted in {box}, only on mapboard hexes"),
    Ban("31", "into", (GROUND,), EVERY_MISSION - BESIDES, "ground units fight in {box} by attrition only"),
    Ban("32", "into", (AIR,), {"attack"}, "aircraft in {box} are not attacked; it may be bombed", to=_japanese),
    Ban("24", "into", (AIR,), EVERY_MISSION - {"bombing"}, "Japanese aircraft come to {box} to bomb", to=_japanese),
    Ban("24", "out of", (AIR,), EVERY_MISSION, "aircraft in {box} fly no missions onto the mapboard"),
    Ban("224", "into", (NAVAL,), EVERY_MISSION, "Japanese ships do not enter {box}", to=_japanese),
    Ban(
        *("71", "out of", (NAVAL,), EVERY_MISSION, "no ships of theirs are based in {box}"),
        unless=lambda s, cmd: basing_in_box(s, country_in(cmd.origin), cmd.nation),
    ),
)


@value("81.64", "The front to which the Urals box belongs for a nation's bombing")
def urals_front(s: State, nation: str) -> str:
    return "asian" if patron(s, nation) == "japan" else "eastern"


@definition("81.68")
def one_attrition_zone(s: State, place: Place, other: Place) -> bool:
    """Two places are in one attrition zone: the Urals box and the hexes beside it, in Europe or in Asia."""
    keys = {place, other}
    return BOX in keys and all(it == BOX or urals_gate(s, it) for it in keys)


def _in_one_zone(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two stands in the Urals box and the other on a hex beside it."""
    both = bool(cmd.at and cmd.origin) and (cmd.at == BOX) != (cmd.origin == BOX)
    return both and one_attrition_zone(s, cmd.at, cmd.origin)


def _spares(s: State, nation: str) -> bool:
    return not at_war(s, patron(s, nation), "russia")


URALS_BANS = (
    Ban("64", "into", (AIR,), {"attack"}, "air attacks on {box} are prohibited; it may only be bombed"),
    Ban("64", "into", (AIR,), {"bombing"}, "only enemies of Russia bomb {box}", to=_spares),
    Ban("66", "into", (AIR,), EVERY_MISSION - {"bombing"}, "{box} may only be bombed", to=lambda s, it: it != "russia"),
    Ban("66", "out of", (AIR,), EVERY_MISSION, "air units in {box} fly no missions onto the mapboard"),
    Ban("67", "at", (GROUND,), EVERY_MISSION - {"attrition"}, "ground units do not attack out of {box} or into it"),
    Ban(
        "68", "at", (GROUND,), {"attrition"}, "only units in {box} and on the hexes beside it meet", unless=_in_one_zone
    ),
)


class Rows(NamedTuple):
    """What holds of a box: the country of the Commonwealth that it represents, its chapter, and the rows above."""

    country: str
    chapter: str
    ways_in: tuple[Way, ...]
    ways_out: tuple[Way, ...]
    shut: tuple[Shut, ...]
    bans: tuple[Ban, ...]
    #: Whether what is fought there may be reported by a rule outside the documents.
    excusable: bool = False


def _overseas(country: str, number: str) -> Rows:
    """Canada and South Africa: their boxes touch no board, and by basing may mean by sea."""
    ways = (
        Way(number, ALL_BRANCHES, (*BY_SEA, "redeployment", "basing"), _between_oceans),
        Way(number, ALL_BRANCHES, (SR,), _strategically),
    )
    shut = (
        Shut(number, ("enter",), _strangers, "{box} represents {country}: {nation}'s units do not enter it"),
        Shut(number, TAKEN, _anybody, "{box} represents {country}: it is lost to nobody"),
    )
    bans = (Ban(number, "into", (GROUND,), FIGHTING, "no ground units attack in {box}: no hex lies beside it"),)
    return Rows(country, "70", ways, ways, shut, bans)


#: The numbers in chapter 70 of the clauses on the boxes of Canada and South Africa.
LOCATION = {"canada": "12", "south_africa": "22"}
BOXES: dict[str, Rows] = {
    **{box_of(it): Rows(it, own.chapter, WAYS_IN, WAYS_OUT, SHUT, BANS) for it, own in BOXED.items()},
    BOX: Rows("russia", "81", URALS_IN, URALS_OUT, URALS_SHUT, URALS_BANS, excusable=True),
    **{key: _overseas(it, number) for it, number in LOCATION.items() for key in COMMONWEALTH_BOXES[it]},
}


def _cited(told: Callable[[Rows], Iterable[Way | Shut | Ban]]) -> tuple[str, ...]:
    """The clauses of some rows of all boxes, each once."""
    rows = ((it.chapter, row) for it in BOXES.values() for row in told(it))
    numbers = ((it, (row.clause, *(row.also if isinstance(row, Ban) else ()))) for it, row in rows)
    return tuple(dict.fromkeys(f"{chapter}.{it}" for chapter, found in numbers for it in found))


# -- what they are asked ------------------------------------------------------------------------------------------


def _passed(cmd: MoveUnits) -> Iterator[tuple[Place, tuple[Way, ...]]]:
    """The boxes that an order leads out of and into, with the ways there."""
    origin, to = cmd.from_, cmd.to
    if origin in BOXES and (origin != to or BOXES[origin].chapter == "70"):  # nobody moves in a box that touches no hex
        yield origin, BOXES[origin].ways_out
    if to.startswith("box/") and to in BOXES and origin != to:
        yield to, BOXES[to].ways_in


@limit(
    "71.221A",
    on=MoveUnits,
    covers=(*_cited(lambda it: (*it.ways_in, *it.ways_out)), "81.63A", "81.63B"),
    when=lambda s, cmd: any(True for _ in _passed(cmd)),
)
def boxes_have_ways(s: State, cmd: MoveUnits) -> Refusal | None:
    """Units enter a box of the Commonwealth, or that of the Urals, and leave it by the ways there, in their phases."""
    # Whom a box is shut to is told by the clause that keeps them out.
    shut = _shut_to(s, cmd.nation, cmd.unit, cmd.to, "enter")
    ways = ((key, it) for key, it in _passed(cmd) if key != cmd.to or not shut)
    return next(filter(None, (no_way(s, cmd, it, key, BOXES[key].chapter) for key, it in ways)), None)


@limit(
    "71.221A",
    on=(ReportMove, ReportUnits),
    covers=("71.221B", "71.221C", "71.23", "72.221B", "72.221C", "72.23", "81.63"),
    by=lambda s, cmd: _by_order(s, cmd),
)
def passes_by_order(s: State, cmd: ReportMove | ReportUnits) -> str | None:
    """Units that enter or leave the boxes of Australia, India and the Urals are ordered to: so it is seen how."""
    told = "units enter and leave boxes by the order move, which says how"
    return told if isinstance(cmd, ReportMove) else unless_excused(cmd, told)


def _by_order(s: State, cmd: ReportMove | ReportUnits) -> str:
    """The clause on a box into or out of which a report says that units passed, if an order is wanted for that."""
    if isinstance(cmd, ReportMove):
        if BOX in (cmd.to, cmd.origin):
            return "81.63"
        into = bool(country_in(cmd.to))
        place, nation, free = cmd.to if into else cmd.origin, cmd.power, cmd.to == cmd.origin
    else:
        into, place, nation = cmd.count > 0, cmd.at, cmd.nation
        # In the first turn units come on the map; those of the Commonwealth stand there and are built there.
        first = s.turn <= calendar.parse_turn(s.options.start)
        free = nation in COMMONWEALTH or first if into else cmd.lost or not cmd.count
    country = country_in(place)
    if not country or free:
        return ""
    if not into:
        return clause(country, "23")
    unit = next(iter(counted(cmd.units))) if isinstance(cmd, ReportMove) else cmd.unit
    shut = _shut_to(s, nation, unit, place, "enter")
    told_elsewhere = shut and not (isinstance(cmd, ReportMove) and shut[0].excusable)
    return "" if told_elsewhere else clause(country, IN_MOVEMENT[branch_of(unit)])


def _shut_to(s: State, nation: str, unit: Unit, place: Place, act: Act) -> tuple[Shut, Refusal] | None:
    """What shuts a box to a nation's units, if anything does, and how that is told."""
    box = BOXES.get(place)
    shut = box and next((it for it in box.shut if act in it.acts and it.to(s, nation, unit, box.country)), None)
    if box is None or not shut:
        return None
    told = shut.told.format(box=named(place), nation=called(nation), country=called(box.country))
    return shut, Refusal(f"{box.chapter}.{shut.clause}", told)


@barred(
    "71.224",
    acts=("enter", "build", *TAKEN),
    when=lambda s, it: it.at.startswith("box/") and it.at in BOXES,
    covers=_cited(lambda it: it.shut),
    final=True,
)
def boxes_are_shut(s: State, it: Presence) -> Refusal | None:
    """Boxes are entered by the Western Allies until a surrender, that of the Urals by Russia, and taken by nobody."""
    for unit in it.units or (ANY_UNIT,):
        found = _shut_to(s, it.nation, unit, it.at, it.act)
        if found and not (found[0].excusable and it.reported and excused(it.cmd)):
            return found[1]
    return None


@limit(
    "71.51C", on=DisplaceFleet, when=lambda s, cmd: bool(country_in(cmd.to)) and has_surrendered(s, country_in(cmd.to))
)
def no_refuge_after_surrender(s: State, cmd: DisplaceFleet) -> Refusal | None:
    """Displaced ships find no refuge in the box of a country that has surrendered."""
    found = _shut_to(s, cmd.nation, ANY_UNIT, cmd.to, "enter")
    return found[1] if found else None


# -- what stays behind, and basing --------------------------------------------------------------------------------


@limit(
    "71.23",
    on=MoveUnits,
    when=lambda s, cmd: country_in(cmd.from_) != "" and branch_of(cmd.unit) == GROUND and cmd.from_ != cmd.to,
    by=lambda s, cmd: clause(country_in(cmd.from_), "23"),
)
def enough_stay_in_box(s: State, cmd: MoveUnits) -> str | None:
    """No ground units leave a box if fewer factors would stay than Japanese ones are beside it."""
    country = country_in(cmd.from_)
    stay, wanted = factors_in_box(s, country) - unit_factors(cmd.unit) * cmd.count, factors_that_stay(s, country)
    told = f"{stay} ground factors would stay in {named(box_of(country))}, against {wanted} Japanese ones beside it"
    return told if 0 <= stay < wanted else None  # below nothing they are not there, which 84.45C says


def _concerned(cmd: ReportOperation) -> list[Place]:
    """The boxes at which an operation takes place, or out of which."""
    ends = dict.fromkeys(it for it in (cmd.at, cmd.origin) if it)
    return [key for key in ends if key in BOXES]


@limit("71.24", on=ReportOperation, covers=_cited(lambda it: it.bans), when=lambda s, cmd: bool(_concerned(cmd)))
def fights_at_boxes(s: State, cmd: ReportOperation) -> Refusal | None:
    """At boxes there are attrition, bombing by the enemy and ships that come out, nothing else."""
    for key in _concerned(cmd):
        found = banned(s, cmd, BOXES[key].bans, key, BOXES[key].chapter)
        if found and not (BOXES[key].excusable and excused(cmd)):
            return found
    return None


# -- bombing and interception -------------------------------------------------------------------------------------


@value("71.32", "The front to which a box belongs for offensive operations")
def front_of_box(s: State, country: str) -> tuple[str, ...]:
    return box(BOXED[country].box).fronts


@limit(
    "71.32", on=ReportBombing, covers=("71.321", "72.321"), when=lambda s, cmd: cmd.area in BOXED or cmd.box == URALS
)
def box_is_bombed_in_war(s: State, cmd: ReportBombing) -> Refusal | None:
    """A box is bombed by enemies at war with whom it belongs to, and not once its country has surrendered."""
    if cmd.box == URALS:
        told = "in the Urals box Russia is bombed" if cmd.power != "russia" else ""
        if not any(at_war(s, "russia", it) for it in powers() if enemy(s, it)):
            told = told or "the European Axis and Japan bomb the Urals box, and Russia is at peace with both"
        told = told or ("name the box or an area, not both" if cmd.area else "")
        return Refusal("81.64", told) if told else None
    if has_surrendered(s, cmd.area):
        told = f"{called(cmd.area)} has surrendered: bombing its box costs nobody BRPs"
        return Refusal(clause(cmd.area, "321"), told)
    if any(at_war(s, JAPAN, it) for it in ("britain", "usa")):
        return None
    return Refusal(clause(cmd.area, "32"), f"only Japan bombs {named(box_of(cmd.area))}, and it is at peace")


@definition("71.33", also=("71.223B", "72.223B"))
def can_be_intercepted(s: State, country: str, place: Place) -> bool:
    """What goes by sea between a box and another place can be intercepted: only on the mapboard.

    Whether the way between a box and a place leads over hexes; from box to box it does not.
    """
    between_boxes = place.startswith("box/")
    if between_boxes:
        note("between_boxes", clause(country, "223B"), True, place)
    return not between_boxes


#: Means by which units go over land, or fly: from board to board nothing but the Urals box lies in their way.
OVERLAND = ("movement", "exploitation", "advance", "staging", TR, SR)


def _between_boards(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Russian units, or others over land and by air, go from one board to the other: the box lies between."""
    if {board_of_edge(origin_of(cmd)), board_of_edge(goal_of(cmd))} != {"europe", "pacific"}:
        return False
    if nation_of(cmd) == "russia":
        return True
    ends = (origin_of(cmd), goal_of(cmd))
    # From the Mediterranean front other boxes lie in the way (88.36).
    northern = any(not {"western", "eastern"}.isdisjoint(fronts(it)) for it in ends if board_of_edge(it) == "europe")
    flown = isinstance(cmd, MoveUnits) and cmd.how in OVERLAND and branch_of(cmd.unit) != NAVAL
    return flown and northern and not enemy(s, nation_of(cmd))


@limit("81.65", on=(MoveUnits, ReportMove), when=_between_boards)
def through_the_box(s: State, cmd: MoveUnits | ReportMove) -> Refusal | str | None:
    """From board to board Russian units are redeployed through the Urals box; on foot and by air they stop in it."""
    if nation_of(cmd) != "russia":
        return Refusal("81.63", "only Russian units pass through the Urals box from one board to the other")
    if isinstance(cmd, MoveUnits) and (cmd.how not in REDEPLOYMENTS or cmd.how == NR):
        return f"by {cmd.how} units go as far as the Urals box, and on in a later turn"
    shut = [it for it in ("europe", "pacific") if not _open_gate(s, it, by_rail=True)]
    return f"no hex on the edge of that board leads into the Urals box ({', '.join(shut)})" if shut else None


def _fights_holder(s: State, it: Presence) -> bool:
    """Whether who would take a place is at war with who holds it, or frees it of partisans; else that is told."""
    held_by = holder(s, it.at)
    if held_by == PARTISANS:
        return True
    other = patron(s, held_by) if held_by in (*powers(), *s.countries) else ""
    return bool(other) and at_war(s, patron(s, it.nation), other)


@barred(
    "81.634",
    acts=("enter", "take"),
    when=lambda s, it: (
        enemy(s, it.nation)
        and board_of_edge(it.at) == ("europe" if patron(s, it.nation) == "japan" else "pacific")
        and (it.act == "enter" or _fights_holder(s, it))
    ),
    covers=("71.224", "72.224"),
)
def far_board_is_closed(s: State, it: Presence) -> str | None:
    """No way leads the European Axis or Japan from one board to the other: the boxes between are closed (R-3150)."""
    board = board_of_edge(it.at)
    stands_there = any(board_of_edge(one.place) == board for one in s.pieces.of(it.nation))
    there = board_of_edge(it.origin) == board if it.origin else stands_there
    return None if there else f"no way leads {called(it.nation)} to {it.place} from the other board (R-3150)"


@limit("81.68", on=ReportLoss, when=lambda s, cmd: cmd.at == BOX and GROUND in map(branch_of, units_going(cmd)))
def attrition_from_beside(s: State, cmd: ReportLoss) -> str | None:
    """Ground units in the Urals box are lost only to attrition by ground units beside it."""
    by = cmd.eliminated_by
    if not by or any(True for _ in beside_urals(s, lambda nation: patron(s, nation) == by)):
        return None
    return f"{called(by)} has no ground units beside the Urals box"
