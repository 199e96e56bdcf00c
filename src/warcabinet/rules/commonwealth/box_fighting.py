"""What may be done against the Commonwealth's boxes and out of them: attrition and bombing (70.12, 71.24-71.33)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.economy import ReportBombing
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.common.ways import AIR, ANY_UNIT, EVERY_MISSION, GROUND, INTERCEPTIONS, NAVAL, Ban, banned, named
from warcabinet.rules.commonwealth.box_ways import LOCATION, OVERSEAS, twice
from warcabinet.rules.commonwealth.boxed import BOXED, JAPAN, WEST, box_of, clause, country_in, has_surrendered
from warcabinet.rules.kinds import definition, limit, value

FIGHTING = frozenset({"attack", "attrition"})
#: What is judged of ground units by itself, or is no operation of theirs.
BESIDES = FIGHTING | {"sea escort"}


@value("71.31", also=("72.31",))
def attrition_zone(s: State, country: str) -> tuple[str, ...]:
    """The hexes that form one attrition zone with a country's box; none once it has surrendered."""
    return () if has_surrendered(s, country) else box(BOXED[country].box).hexes("ground")


def _japanese(s: State, nation: str) -> bool:
    return side_of(s, nation) == JAPAN


def _beside(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two that meet stands in the attrition zone of the box in which the other does."""
    ends = [place_key(it) for it in (cmd.at, cmd.origin) if it]
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
#: At those of Canada and South Africa.
BANS_OVERSEAS = {
    country: (Ban(number, "into", (GROUND,), FIGHTING, "no ground units attack in {box}: no hex lies beside it"),)
    for country, number in LOCATION.items()
}


def _bans(place: str) -> tuple[tuple[Ban, ...], str]:
    """What is not done at a box, and its chapter; nothing at other places."""
    if place in OVERSEAS:
        return BANS_OVERSEAS[OVERSEAS[place]], "70"
    country = country_in(place)
    return (BANS, BOXED[country].chapter) if country else ((), "")


def _concerned(cmd: ReportOperation) -> Iterator[tuple[str, tuple[Ban, ...], str]]:
    """The boxes at which an operation takes place, or out of which, with what is not done there."""
    for key in dict.fromkeys(place_key(it) for it in (cmd.at, cmd.origin) if it):
        bans, chapter = _bans(key)
        if bans:
            yield key, bans, chapter


@limit(
    "71.24",
    on=ReportOperation,
    also=(*twice("24", "25", "31", "32", "33", "71", "223B", "224")[1:], "70.12", "70.22"),
    when=lambda s, cmd: any(True for _ in _concerned(cmd)),
)
def fights_at_boxes(s: State, cmd: ReportOperation) -> Refusal | None:
    """At the boxes of the Commonwealth there are attrition, Japanese bombing and ships that come out, nothing else."""
    found = (banned(s, cmd, rows, key, chapter) for key, rows, chapter in _concerned(cmd))
    return next(filter(None, found), None)


# -- bombing and interception -------------------------------------------------------------------------------------


@value("71.32", "The front to which a box belongs for offensive operations", also=("72.32",))
def front_of_box(s: State, country: str) -> tuple[str, ...]:
    return box(BOXED[country].box).fronts


@limit("71.32", on=ReportBombing, also=("72.32", "71.321", "72.321"), when=lambda s, cmd: cmd.area in BOXED)
def box_is_bombed_in_war(s: State, cmd: ReportBombing) -> Refusal | None:
    """A box is bombed by Japan alone, so not in peace, and not once its country has surrendered."""
    if has_surrendered(s, cmd.area):
        told = f"{called(cmd.area)} has surrendered: bombing its box costs nobody BRPs"
        return Refusal(clause(cmd.area, "321"), told)
    if any(at_war(s, JAPAN, it) for it in ("britain", "usa")):
        return None
    return Refusal(clause(cmd.area, "32"), f"only Japan bombs {named(box_of(cmd.area))}, and it is at peace")


@definition("71.33", also=("72.33", "71.223B", "72.223B"))
def can_be_intercepted(s: State, country: str, place: str) -> bool:
    """What goes by sea between a box and another place can be intercepted: only on the mapboard.

    Whether the way between a box and a place leads over hexes; from box to box it does not.
    """
    between_boxes = place_key(place).startswith("box/")
    if between_boxes:
        note("between_boxes", clause(country, "223B"), True, place)
    return not between_boxes
