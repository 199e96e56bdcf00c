"""Western Allied redeployment and escort by way of Suez, Basra and Abadan (88.343, 88.36, 88.54)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from warcabinet.board.maps import by_key
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.places import Place, board_of, place_called
from warcabinet.model.state import State
from warcabinet.model.units import kind_name
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import patron, side_of, standing_at, units_at
from warcabinet.rules.common.waiting import nation_of, units_going
from warcabinet.rules.common.ways import NR, marches, must_pass, named
from warcabinet.rules.countries.egypt import canal_open, canal_passage
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.voyages import (
    ABADAN,
    BASRA,
    BOXES,
    SOUTH_AFRICA,
    SUEZ,
    WEST,
    Sailing,
    beyond_canal,
    eastern_waters,
    ends,
    in_its_lands,
    mediterranean,
    mediterranean_shore,
    sailings,
)

#: What naval redeployment joins to Suez beyond the canal.
FROM_SUEZ = (*BOXES, BASRA, ABADAN)
Redeployed = MoveUnits | ReportMove


@definition("88.343", "Allied ships in Suez may escort a naval redeployment to a place")
def escorts_from_suez(s: State, power: str, place: Place) -> bool:
    if place in FROM_SUEZ:
        return True
    # The Black Sea lies farther than the Mediterranean ports that are named.
    return mediterranean_shore(place) and canal_open(s, power)


@limit(
    "88.343",
    on=ReportOperation,
    displaces=canal_passage,
    when=lambda s, cmd: cmd.mission == "sea escort" and ends(cmd)[0] == SUEZ and side_of(s, cmd.nation) == WEST,
)
def escort_from_suez(s: State, cmd: ReportOperation) -> str | None:
    """From Suez ships escort to the Indian Ocean and, while the canal is open, to Mediterranean ports."""
    if not cmd.at:
        return "say where the escorted units go (at)"
    if escorts_from_suez(s, patron(s, cmd.nation), cmd.at):
        return None
    if mediterranean(cmd.at) and not canal_open(s, patron(s, cmd.nation)):
        return "the canal is closed: no escort to the Mediterranean"
    return f"ships in Suez do not escort to {place_called(cmd.at)}"


@definition("88.36", "Units redeployed by sea stop in a box on their way; between Suez, Basra and Abadan there is none")
def delayed_by_box(s: State, from_: Place, to: Place) -> bool:
    both = {from_, to}
    return not both <= {SUEZ, BASRA, ABADAN} and any(it.startswith("pacific/") for it in both)


# -- the links ----------------------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A stretch of the way by sea: by which clause, who goes by it, and what may be against it."""

    clause: str
    taken: Callable[[State, Sailing, Redeployed], bool]
    obstacle: Callable[[State, Sailing], str | None]


def _at(port: str) -> Callable[[State, Sailing, Redeployed], bool]:
    return lambda s, it, cmd: port in it.ends


def _round_africa(it: Sailing, cmd: Redeployed) -> bool:
    """Whether units go from South Africa by the Atlantic: to Gibraltar and Tangier, or where the order says past it."""
    named = isinstance(cmd, MoveUnits) and cmd.through == "strait of gibraltar"
    return it.origin == SOUTH_AFRICA and (named or "atlantic" in by_key(it.to).seas)


def _into_mediterranean(s: State, it: Sailing, cmd: Redeployed) -> bool:
    """Whether units come from the Indian Ocean, or have just come from there to Suez, and go through the canal."""
    if it.origin == SUEZ:
        return not beyond_canal(it.to) and _just_come(s, it, cmd, from_east=True)
    return it.origin in FROM_SUEZ and mediterranean(it.to) and not _round_africa(it, cmd)


def _out_of_mediterranean(s: State, it: Sailing, cmd: Redeployed) -> bool:
    """Whether units come from the Mediterranean, or have just come from there to Suez, and go farther."""
    if it.to == SUEZ or not beyond_canal(it.to):
        return False
    if it.origin == SUEZ:
        return _just_come(s, it, cmd, from_east=False)
    return mediterranean(it.origin) and it.through_canal


def _just_come(s: State, it: Sailing, cmd: Redeployed, from_east: bool) -> bool:
    """Whether units are taken out of Suez that came there by sea in this phase, from one side of the canal."""
    start, units = s.since("phase"), f"{it.nation} {it.unit}"
    came = 0
    for done in s.happenings:
        if done.moment >= start and done.key == units and done.kind.endswith(f" to {SUEZ}"):
            origin = done.kind.removeprefix("sailed from ").removesuffix(f" to {SUEZ}")
            came += done.amount if (origin in FROM_SUEZ) == from_east else 0
    return units_going(cmd)[it.unit] > standing_at(s, it.nation, SUEZ, it.unit) - came


def _past_a_box(s: State, it: Sailing, cmd: Redeployed) -> bool:
    """Whether units go from the Middle East to the other board, or come to it or the Mediterranean from there."""
    if {board_of(end) for end in it.ends} != {"europe", "pacific"} or mediterranean(it.origin):
        return False
    here = it.origin if board_of(it.origin) == "europe" else it.to
    # Gibraltar and Tangier lie on the way round by the Atlantic as well.
    return "atlantic" not in by_key(here).seas and (mediterranean(here) or eastern_waters(here) or in_its_lands(here))


def _in_the_gulf(s: State, it: Sailing) -> str | None:
    """What is against a redeployment between a port of the Persian Gulf and another place."""
    port, neighbour = (BASRA, ABADAN) if BASRA in it.ends else (ABADAN, BASRA)
    if it.other_end(port) in (SUEZ, neighbour, *BOXES) or mediterranean(it.other_end(port)):
        return None
    joined = f"Suez, {named(neighbour)}, Ethiopia, the South Africa, India and Australia boxes"
    return f"to and from {named(port)}: {joined}"


def _from_suez(s: State, it: Sailing) -> str | None:
    other = it.other_end(SUEZ)
    if other in FROM_SUEZ or (other.startswith("europe/") and not eastern_waters(other)):
        return None
    told = f"no naval redeployment between Suez and {named(other)}"
    if delayed_by_box(s, *it.ends):
        return f"{told}: a box lies between them, where units stop for a turn"
    return f"{told}: east of it are Basra, Abadan and four boxes"


def _goes_on(s: State, it: Sailing) -> str | None:
    """Why units may not go on from Suez in the turn in which they come there; nothing if they may."""
    if it.branch == "naval":
        return "only ground and air units are redeployed on from Suez in the same turn"
    return None if destroyers_at_suez(s) else "no destroyers in Suez to escort them on their way through the canal"


def _no_farther_than_mediterranean(s: State, it: Sailing) -> str | None:
    """Units from the Indian Ocean go on into the Mediterranean, not out of it again."""
    inland = board_of(it.to) == "europe" and not by_key(it.to).seas
    outside = board_of(it.to) == "europe" and not mediterranean_shore(it.to)
    if not outside or (inland and not must_pass(s, it.nation, "gibraltar", SUEZ, it.to)):
        return _goes_on(s, it)
    return f"through Suez units go on into the Mediterranean in the same turn: {named(it.to)} lies beyond it"


def _no_farther_than_suez(s: State, it: Sailing) -> str | None:
    """Out of the Mediterranean units are redeployed as far as Suez (R-0881)."""
    if reading_in_force(s, "R-0881") == "b":
        return _goes_on(s, it)
    return f"units go to Suez first, and from there to {named(it.to)} in a later turn"


LINKS = (
    Link(
        "88.344",
        lambda s, it, cmd: it.origin == SOUTH_AFRICA and mediterranean(it.to) and not _round_africa(it, cmd),
        lambda s, it: (
            None
            if canal_open(s, patron(s, it.nation))
            else f"from South Africa to {named(it.to)} one redeploys through the Suez canal, which is closed"
        ),
    ),
    Link("88.54", _at(BASRA), _in_the_gulf),
    Link("88.36", _at(ABADAN), _in_the_gulf),
    Link("88.36", _at(SUEZ), _from_suez),
    Link("88.36", _into_mediterranean, _no_farther_than_mediterranean),
    Link("88.36", _out_of_mediterranean, _no_farther_than_suez),
    Link(
        "88.36",
        _past_a_box,
        lambda s, it: f"a box lies between {named(it.origin)} and {named(it.to)}, where units stop for a turn",
    ),
)


def _redeployments(s: State, cmd: Redeployed) -> Iterator[Sailing]:
    """The redeployments of Western Allied units by sea that an order or a report tells of.

    What a closed canal keeps back is refused by its own clause, and boxes beside the Pacific are left by order.
    """
    if side_of(s, nation_of(cmd)) != WEST or not any(beyond_canal(it) or it == SOUTH_AFRICA for it in ends(cmd)):
        return
    for it in sailings(s, cmd):
        if it.through_canal and not canal_open(s, patron(s, it.nation)):
            continue
        if it.how == NR if isinstance(cmd, MoveUnits) else _redeployed_by_report(s, it):
            yield it


def _redeployed_by_report(s: State, it: Sailing) -> bool:
    """Whether units that are reported to have gone somewhere were redeployed by sea: ships, and troops that did not
    march.
    """
    if {board_of(end) for end in it.ends} == {"europe", "pacific"}:
        return True
    here = all(board_of(end) == "europe" or end == SOUTH_AFRICA for end in it.ends)
    if s.place.step.name != "redeployment" or not here:
        return False
    return it.branch == "naval" or (it.branch == "ground" and not marches(s, patron(s, it.nation), *it.ends))


@limit(
    "88.36",
    on=(MoveUnits, ReportMove),
    covers=("88.54", "88.344"),
    when=lambda s, cmd: any(True for _ in _redeployments(s, cmd)),
    excusable=True,
)
def linked_by_suez(s: State, cmd: Redeployed) -> Refusal | None:
    """Western Allied units are redeployed by the sea links of Suez as far as they lead in a turn."""
    for it in _redeployments(s, cmd):
        for link in LINKS:
            told = link.obstacle(s, it) if link.taken(s, it, cmd) else None
            if told:
                return Refusal(link.clause, told)
    return None


def destroyers_at_suez(s: State) -> bool:
    return any(kind_name(it.unit) == "destroyer" and side_of(s, it.nation) == WEST for it in units_at(s, SUEZ))
