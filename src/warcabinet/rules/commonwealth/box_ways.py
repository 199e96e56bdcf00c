"""Boxes of the Commonwealth: how units enter and leave them, who may not be in them, and who fights there (70.12,
70.22, 71.2, 72.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_called, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES, home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import kind_name, unit_factors
from warcabinet.rules.common.pieces import friendly, side_of, units_at
from warcabinet.rules.common.presence import Act, Presence, barred, excused, unless_excused
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.common.ways import (
    AIR,
    ANY_UNIT,
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
    linked,
    named,
    no_way,
)
from warcabinet.rules.commonwealth.boxed import (
    BOXED,
    JAPAN,
    WEST,
    box_of,
    clause,
    country_in,
    factors_in_box,
    factors_that_stay,
    has_surrendered,
    joined_by_land,
    pacific_port,
)
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.voyages import mediterranean

#: The letter of the clause on each branch in the movement phase, under which a report comes as well.
IN_MOVEMENT = {GROUND: "221A", AIR: "221B", NAVAL: "221C"}


NOBODY = ("", "")


def twice(*numbers: str) -> tuple[str, ...]:
    """Clauses of the chapters of Australia and India that have the same numbers."""
    return tuple(clause(country, number) for country in BOXED for number in numbers)


# -- where a way has its other end --------------------------------------------------------------------------------

_MEANS = {NR: "naval_redeployment", "base change": "base_change", "sea transport": "sea_transport"}


def _redeployed_by_land(s: State, country: str, how: str, place: str) -> bool:
    """Whether a place is one from which units are redeployed to a box by land, over land that is held."""
    if not place.startswith("pacific/"):
        return False
    objective = how == SR and country == "india"  # strategically, to India, from any objective (72.223A)
    if not (any(it.has("objective") for it in places_at(place)) if objective else place in joined_by_land(country)):
        return False
    one, edge = pacific(), box(BOXED[country].box).hexes("ground")
    return bool(reach(one, edge, passable(s, one, "britain")) & one.bits((place,)))


@definition("71.21", "A way of moving leads between a country's box and a place")
def leads_to_box(s: State, country: str, how: str, place: str) -> bool:
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
    others = [named(it) for it in boxes() if it != id_ and joined(id_, it, _MEANS[how])]
    ports = [places_at(key)[0].name for key in box(id_).hexes(_MEANS[how]) if key.startswith("europe/")]
    return " or ".join(("a port of the Pacific mapboard in Western Allied hands", *others, *ports))


def _in_from(s: State, cmd: MoveUnits, place: str) -> str:
    country = country_in(cmd.to)
    if leads_to_box(s, country, cmd.how, place):
        return ""
    return f"by {cmd.how} {named(box_of(country))} is entered from {_other_ends(country, cmd.how)}"


def _out_to(s: State, cmd: MoveUnits, place: str) -> str:
    country = country_in(cmd.from_)
    name = named(box_of(country))
    if not leads_to_box(s, country, cmd.how, place):
        return f"by {cmd.how} one comes from {name} to {_other_ends(country, cmd.how)}"
    if cmd.how == "movement" and any(side_of(s, it.nation) != WEST for it in units_at(s, place)):
        return f"{place_called(cmd.to)} is not vacant, and nobody attacks out of {name}"
    if cmd.how in ("staging", TR, SR) and not friendly(s, place, WEST):
        return f"{place_called(cmd.to)} is not in Western Allied hands"
    return ""


def _staged(s: State, cmd: MoveUnits, place: str) -> str:
    """Squadrons based on carriers stay in the India box (72.23)."""
    carriers = any(kind_name(it.unit) == "carrier" and it.nation == cmd.nation for it in units_at(s, box_of("india")))
    if carriers and country_in(cmd.from_) == "india":
        return "naval air squadrons on carriers in the India box do not stage onto the mapboard"
    return _out_to(s, cmd, place)


def _between_oceans(s: State, cmd: MoveUnits, place: str) -> str:
    """Only the U.S. fleet sails from one U.S. box to the other: others are redeployed strategically."""
    both = {cmd.from_, cmd.to} == set(COMMONWEALTH_BOXES["canada"])
    return f"by strategic redeployment, not by {cmd.how}" if both and cmd.nation != "usa" else ""


def _strategically(s: State, cmd: MoveUnits, place: str) -> str:
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
    Way("31", ANY_UNIT, (), shuts=("advance",), told="no hex is captured by an attrition advance from a box"),
)


# -- who may not be there, and what is not done ----------------------------------------------------------------

TAKEN: tuple[Act, ...] = ("take", "rise")


class Shut(NamedTuple):
    """To whom a box is shut (nation, unit, country), for which acts, by which number; a few may be excused."""

    clause: str
    acts: tuple[Act, ...]
    to: Callable[[State, str, str, str], bool]
    told: str
    excusable: bool = False


def _strangers(s: State, nation: str, unit: str, country: str) -> bool:
    """The Flying Tigers base in India too, though China has not joined the Western Allies (78.61A)."""
    return side_of(s, nation) != WEST and (country, unit) != ("india", "flying tiger")


def _anybody(s: State, nation: str, unit: str, country: str) -> bool:
    return True


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
FIGHTING = frozenset({"attack", "attrition"})
#: What is judged of ground units by itself, or is no operation of theirs.
BESIDES = FIGHTING | {"sea escort"}


@value("71.31")
def attrition_zone(s: State, country: str) -> tuple[str, ...]:
    """The hexes that form one attrition zone with a country's box; none once it has surrendered."""
    return () if has_surrendered(s, country) else box(BOXED[country].box).hexes("ground")


def _japanese(s: State, nation: str) -> bool:
    return side_of(s, nation) == JAPAN


def _beside(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two that meet stands in the attrition zone of the box in which the other does."""
    ends = [it for it in (cmd.at, cmd.origin) if it]
    return any(key in attrition_zone(s, country) for key in ends for country in BOXED if box_of(country) in ends)


def _based_there(s: State, cmd: ReportOperation) -> bool:
    return side_of(s, cmd.nation) == WEST and not has_surrendered(s, country_in(cmd.origin))


#: At the boxes of Australia and India, the nearest clause first.
BANS = (
    Ban("25", "at", (GROUND,), {"attack"}, "ground units attack neither into {box} nor out of it"),
    Ban("31", "at", (GROUND,), {"attrition"}, "only units beside {box} and in it meet in attrition", unless=_beside),
    Ban(
        *("223B", "into", ANY_UNIT, INTERCEPTIONS, "naval redeployment between boxes is not intercepted"),
        to=_japanese,
        phase="redeployment",
        also=("33",),
    ),
    Ban(
        *("24", "into", (AIR,), INTERCEPTIONS, "Japanese aircraft do not intercept in {box}: they come to bomb"),
        to=_japanese,
        also=("33",),
    ),
    Ban("33", "into", ANY_UNIT, INTERCEPTIONS, "ships are not intercepted in {box}, only on mapboard hexes"),
    Ban("31", "into", (GROUND,), EVERY_MISSION - BESIDES, "ground units fight in {box} by attrition only"),
    Ban("32", "into", (AIR,), {"attack"}, "aircraft in {box} are not attacked; it may be bombed", to=_japanese),
    Ban("24", "into", (AIR,), EVERY_MISSION - {"bombing"}, "Japanese aircraft come to {box} to bomb", to=_japanese),
    Ban("24", "out of", (AIR,), EVERY_MISSION, "aircraft in {box} fly no missions onto the mapboard"),
    Ban("224", "into", (NAVAL,), EVERY_MISSION, "Japanese ships do not enter {box}", to=_japanese),
    Ban("71", "out of", (NAVAL,), EVERY_MISSION, "no ships of theirs are based in {box}", unless=_based_there),
)


class Rows(NamedTuple):
    """What holds of a box: the country of the Commonwealth that it represents, its chapter, and the rows above."""

    country: str
    chapter: str
    ways_in: tuple[Way, ...]
    ways_out: tuple[Way, ...]
    shut: tuple[Shut, ...]
    bans: tuple[Ban, ...]


def _overseas(country: str, number: str) -> Rows:
    """Canada and South Africa: their boxes touch no board, and by basing may mean by sea."""
    ways = (
        Way(number, ANY_UNIT, (*BY_SEA, "redeployment", "basing"), _between_oceans),
        Way(number, ANY_UNIT, (SR,), _strategically),
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
    **{key: _overseas(it, number) for it, number in LOCATION.items() for key in COMMONWEALTH_BOXES[it]},
}


# -- what they are asked ------------------------------------------------------------------------------------------


def _passed(cmd: MoveUnits) -> Iterator[tuple[str, tuple[Way, ...], str]]:
    """The boxes that an order leads out of and into, with the ways there."""
    origin, to = cmd.from_, cmd.to
    if origin in BOXES and (origin != to or not country_in(origin)):  # nobody moves within a box that no hex touches
        yield origin, BOXES[origin].ways_out, BOXES[origin].chapter
    if to.startswith("box/") and to in BOXES and origin != to:
        yield to, BOXES[to].ways_in, BOXES[to].chapter


@limit(
    "71.221A",
    on=MoveUnits,
    also=(*twice("221A", "221B", "221C", "222A", "223A", "23", "31")[1:], "70.12", "70.22"),
    when=lambda s, cmd: any(True for _ in _passed(cmd)),
)
def boxes_have_ways(s: State, cmd: MoveUnits) -> Refusal | None:
    """Units enter a box of the Commonwealth and leave it by the ways that lead there, in their phases."""
    if _shut_to(s, cmd.nation, cmd.unit, cmd.to, "enter"):
        return None  # told by the clause that keeps them out
    return next(filter(None, (no_way(s, cmd, ways, key, chapter) for key, ways, chapter in _passed(cmd))), None)


@limit(
    "71.221A",
    on=(ReportMove, ReportUnits),
    also=twice("221A", "221B", "221C", "23")[1:],
    by=lambda s, cmd: clause(*_by_order(s, cmd)),
)
def passes_by_order(s: State, cmd: ReportMove | ReportUnits) -> str | None:
    """Units that enter or leave the Australia or India box are ordered to, so that it can be seen how."""
    country, number = _by_order(s, cmd)
    told = f"units {'leave' if number == '23' else 'enter'} {named(box_of(country))} by the order move, which says how"
    return told if isinstance(cmd, ReportMove) else unless_excused(cmd, told)


def _by_order(s: State, cmd: ReportMove | ReportUnits) -> tuple[str, str]:
    """The country whose box a report says that units passed into or out of, and the number of the clause on it."""
    if isinstance(cmd, ReportMove):
        return _moved_by_order(s, cmd)
    country = country_in(cmd.at)
    if not country:
        return NOBODY
    if cmd.count < 0:
        return NOBODY if cmd.lost else (country, "23")
    under_way = s.turn > calendar.parse_turn(s.options.start)  # in the first turn units come on the map
    strange = cmd.nation not in COMMONWEALTH and not _shut_to(s, cmd.nation, cmd.unit, cmd.at, "enter")
    return (country, IN_MOVEMENT[branch_of(cmd.unit)]) if cmd.count > 0 and under_way and strange else NOBODY


def _moved_by_order(s: State, cmd: ReportMove) -> tuple[str, str]:
    if cmd.to == cmd.origin:
        return NOBODY
    if country := country_in(cmd.to):
        first = next(iter(counted(cmd.units)))
        shut = _shut_to(s, cmd.power, first, cmd.to, "enter")
        return NOBODY if shut and not shut[0].excusable else (country, IN_MOVEMENT[branch_of(first)])
    return (country, "23") if (country := country_in(cmd.origin)) else NOBODY


def _shut_to(s: State, nation: str, unit: str, place: str, act: Act) -> tuple[Shut, Refusal] | None:
    """What shuts a box to a nation's units, if anything does, and how that is told."""
    box = BOXES.get(place)
    shut = (
        next((it for it in box.shut if act in it.acts and it.to(s, nation, unit, box.country)), None) if box else None
    )
    if box is None or shut is None:
        return None
    told = shut.told.format(box=named(place), nation=called(nation), country=called(box.country))
    return shut, Refusal(f"{box.chapter}.{shut.clause}", told)


@barred(
    "71.224",
    acts=("enter", *TAKEN),
    when=lambda s, it: it.at.startswith("box/") and it.at in BOXES,
    also=(*twice("221A", "31", "51C"), "72.224", "70.12", "70.22"),
    final=True,
)
def boxes_are_shut(s: State, it: Presence) -> Refusal | None:
    """The boxes of the Commonwealth are entered by the Western Allies until a surrender, and taken by nobody."""
    for unit in it.units or ("",):
        found = _shut_to(s, it.nation, unit, it.at, it.act)
        if found and not (found[0].excusable and it.reported and excused(it.cmd)):
            return found[1]
    return None


@limit(
    "71.51C", on=DisplaceFleet, when=lambda s, cmd: bool(country_in(cmd.to)) and has_surrendered(s, country_in(cmd.to))
)
def no_refuge_after_surrender(s: State, cmd: DisplaceFleet) -> Refusal | None:
    """Displaced ships find no refuge in the box of a country that has surrendered."""
    found = _shut_to(s, cmd.nation, "", cmd.to, "enter")
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
    return told if stay < wanted else None


@definition("71.211", "Any number of a nation's air and naval units may base in a country's box")
def basing_in_box(s: State, country: str, nation: str) -> bool:
    return side_of(s, nation) == WEST and not has_surrendered(s, country)


def _concerned(cmd: ReportOperation) -> list[str]:
    """The boxes at which an operation takes place, or out of which."""
    ends = dict.fromkeys(it for it in (cmd.at, cmd.origin) if it)
    return [key for key in ends if key in BOXES]


@limit(
    "71.24",
    on=ReportOperation,
    also=(*twice("24", "25", "31", "32", "33", "71", "223B", "224")[1:], "70.12", "70.22"),
    when=lambda s, cmd: bool(_concerned(cmd)),
)
def fights_at_boxes(s: State, cmd: ReportOperation) -> Refusal | None:
    """At the boxes of the Commonwealth there are attrition, Japanese bombing and ships that come out, nothing else."""
    found = (banned(s, cmd, BOXES[it].bans, it, BOXES[it].chapter) for it in _concerned(cmd))
    return next(filter(None, found), None)


# -- bombing and interception -------------------------------------------------------------------------------------


@value("71.32", "The front to which a box belongs for offensive operations")
def front_of_box(s: State, country: str) -> tuple[str, ...]:
    return box(BOXED[country].box).fronts


@limit("71.32", on=ReportBombing, also=("71.321", "72.321"), when=lambda s, cmd: cmd.area in BOXED)
def box_is_bombed_in_war(s: State, cmd: ReportBombing) -> Refusal | None:
    """A box is bombed by Japan alone, so not in peace, and not once its country has surrendered."""
    if has_surrendered(s, cmd.area):
        told = f"{called(cmd.area)} has surrendered: bombing its box costs nobody BRPs"
        return Refusal(clause(cmd.area, "321"), told)
    if any(at_war(s, JAPAN, it) for it in ("britain", "usa")):
        return None
    return Refusal(clause(cmd.area, "32"), f"only Japan bombs {named(box_of(cmd.area))}, and it is at peace")


@definition("71.33", also=("71.223B", "72.223B"))
def can_be_intercepted(s: State, country: str, place: str) -> bool:
    """What goes by sea between a box and another place can be intercepted: only on the mapboard.

    Whether the way between a box and a place leads over hexes; from box to box it does not.
    """
    between_boxes = place_key(place).startswith("box/")
    if between_boxes:
        note("between_boxes", clause(country, "223B"), True, place)
    return not between_boxes
