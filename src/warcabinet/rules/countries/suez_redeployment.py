"""Western Allied redeployment and escort by way of Suez, Basra and Abadan (88.343, 88.36, 88.54)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import by_key
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.places import board_of, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import patron, side_of, standing_at, units_at
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.ways import NR, marches, must_pass
from warcabinet.rules.countries.egypt import canal_open, mission_through_canal
from warcabinet.rules.countries.middle_east import (
    ABADAN,
    BASRA,
    BOXES,
    SOUTH_AFRICA,
    SUEZ,
    WEST,
    beyond_canal,
    eastern_waters,
    ends,
    in_its_lands,
    mediterranean,
    mediterranean_shore,
    sailings,
)
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, limit

#: What naval redeployment joins to Suez beyond the canal.
FROM_SUEZ = (*BOXES, BASRA, ABADAN)


@definition("88.343", "Allied ships in Suez may escort a naval redeployment to a place")
def escorts_from_suez(s: State, power: str, place: str) -> bool:
    key = place_key(place)
    if key in FROM_SUEZ:
        return True
    # The Black Sea lies farther than the Mediterranean ports that are named.
    return mediterranean_shore(key) and canal_open(s, power)


@limit(
    "88.343",
    on=ReportOperation,
    displaces=mission_through_canal,
    when=lambda s, cmd: (
        cmd.mission == "sea escort"
        and bool(cmd.origin)
        and place_key(cmd.origin) == SUEZ
        and side_of(s, cmd.nation) == WEST
    ),
)
def escort_from_suez(s: State, cmd: ReportOperation) -> str | None:
    """From Suez ships escort to the Indian Ocean and, while the canal is open, to Mediterranean ports."""
    if not cmd.at:
        return "say where the escorted units go (at)"
    if escorts_from_suez(s, patron(s, cmd.nation), cmd.at):
        return None
    shut = mediterranean(place_key(cmd.at)) and not canal_open(s, patron(s, cmd.nation))
    return "the canal is closed: no escort to the Mediterranean" if shut else f"ships in Suez do not escort to {cmd.at}"


def _redeployed_by_sea(s: State, cmd: MoveUnits) -> bool:
    return side_of(s, cmd.nation) == WEST and sailings(s, cmd)[0].how == NR


def _round_africa(cmd: MoveUnits) -> bool:
    """Whether the Atlantic leads there from South Africa: Gibraltar and Tangier lie on it as well."""
    return place_key(cmd.from_) == SOUTH_AFRICA and "atlantic" in by_key(place_key(cmd.to)).seas


@definition("88.36", "Units redeployed by sea stop in a box on their way; between Suez, Basra and Abadan there is none")
def delayed_by_box(s: State, from_: str, to: str) -> bool:
    both = {place_key(from_), place_key(to)}
    return not both <= {SUEZ, BASRA, ABADAN} and any(it.startswith("pacific/") for it in both)


@limit("88.36", on=MoveUnits, when=lambda s, cmd: SUEZ in ends(cmd) and _redeployed_by_sea(s, cmd))
def redeployed_from_suez(s: State, cmd: MoveUnits) -> str | None:
    """From Suez units are redeployed to four boxes, Basra and Abadan, or through the canal."""
    other = sailings(s, cmd)[0].other_end(SUEZ)
    if other in FROM_SUEZ or (other.startswith("europe/") and not eastern_waters(other)):
        return None
    way = cmd.to if other == place_key(cmd.to) else cmd.from_
    if delayed_by_box(s, cmd.from_, cmd.to):
        return f"no naval redeployment between Suez and {way}: a box lies between them, where units stop for a turn"
    return f"no naval redeployment between Suez and {way}: east of it are Basra, Abadan and four boxes"


@limit(
    "88.36",
    on=MoveUnits,
    when=lambda s, cmd: (
        place_key(cmd.from_) in FROM_SUEZ
        and mediterranean(place_key(cmd.to))
        and not _round_africa(cmd)
        and _redeployed_by_sea(s, cmd)
    ),
)
def escorted_through_suez(s: State, cmd: MoveUnits) -> str | None:
    """From the Indian Ocean through Suez into the Mediterranean needs destroyers in Suez, and carries no ships."""
    return _past_mediterranean(s, cmd) or _goes_on(s, cmd)


@limit(
    "88.344",
    on=MoveUnits,
    displaces=escorted_through_suez,
    when=lambda s, cmd: (
        place_key(cmd.from_) == SOUTH_AFRICA
        and mediterranean(place_key(cmd.to))
        and not _round_africa(cmd)
        and _redeployed_by_sea(s, cmd)
        and not canal_open(s, patron(s, cmd.nation))
    ),
)
def not_from_south_africa(s: State, cmd: MoveUnits) -> str | None:
    """No naval redeployment leads from South Africa into the Mediterranean while the Suez canal is closed."""
    return f"from South Africa to {cmd.to} one redeploys through the Suez canal, which is closed"


def _goes_on(s: State, cmd: MoveUnits) -> str | None:
    """Why units may not go on from Suez in the turn in which they come there; nothing if they may."""
    if sailings(s, cmd)[0].branch == "naval":
        return "only ground and air units are redeployed on from Suez in the same turn"
    return None if _destroyers_at_suez(s) else "no destroyers in Suez to escort them on their way through the canal"


@limit(
    "88.36",
    on=MoveUnits,
    when=lambda s, cmd: (
        _redeployed_by_sea(s, cmd) and place_key(cmd.from_) == SUEZ and not beyond_canal(place_key(cmd.to))
    ),
)
def escorted_on_from_suez(s: State, cmd: MoveUnits) -> str | None:
    """Units just come to Suez from the Indian Ocean go on into the Mediterranean only with destroyers in Suez."""
    return _past_mediterranean(s, cmd) or _goes_on(s, cmd) if _just_come(s, cmd, from_east=True) else None


def _past_mediterranean(s: State, cmd: MoveUnits) -> str | None:
    """Why units from the Indian Ocean do not go so far in one turn: into the Mediterranean, not out of it again."""
    to = place_key(cmd.to)
    if board_of(to) != "europe" or mediterranean_shore(to):
        return None
    inland = not by_key(to).seas
    if inland and not must_pass(s, cmd.nation, "gibraltar", SUEZ, to):
        return None
    return f"through Suez units go on into the Mediterranean in the same turn, and no farther: {cmd.to} lies beyond it"


def _just_come(s: State, cmd: MoveUnits, from_east: bool) -> bool:
    """Whether an order takes units out of Suez that came there by sea in this phase, from one side of the canal."""
    start, units = s.since("phase"), f"{cmd.nation} {cmd.unit}"
    came = 0
    for it in s.happenings:
        if it.moment >= start and it.key == units and it.kind.endswith(f" to {SUEZ}"):
            origin = it.kind.removeprefix("sailed from ").removesuffix(f" to {SUEZ}")
            came += it.amount if (origin in FROM_SUEZ) == from_east else 0
    return cmd.count > standing_at(s, cmd.nation, SUEZ, cmd.unit) - came


@limit(
    "88.36",
    on=MoveUnits,
    when=lambda s, cmd: (
        _redeployed_by_sea(s, cmd)
        and mediterranean(place_key(cmd.from_))
        and place_key(cmd.to) != SUEZ
        and beyond_canal(place_key(cmd.to))
        and canal_open(s, patron(s, cmd.nation))
    ),
)
def no_farther_than_suez(s: State, cmd: MoveUnits) -> str | None:
    """Out of the Mediterranean units are redeployed as far as Suez (R-0881)."""
    return _ends_at_suez(s, cmd)


def _ends_at_suez(s: State, cmd: MoveUnits) -> str | None:
    if reading_in_force(s, "R-0881") == "b":
        return _goes_on(s, cmd)
    return f"units go to Suez first, and from there to {cmd.to} in a later turn"


@limit(
    "88.36",
    on=MoveUnits,
    when=lambda s, cmd: _redeployed_by_sea(s, cmd) and place_key(cmd.from_) == SUEZ and beyond_canal(place_key(cmd.to)),
)
def no_farther_in_this_phase(s: State, cmd: MoveUnits) -> str | None:
    """Units come from the Mediterranean to Suez are redeployed no farther in the same phase (R-0881)."""
    return _ends_at_suez(s, cmd) if _just_come(s, cmd, from_east=False) else None


@limit("88.36", on=MoveUnits, when=lambda s, cmd: ABADAN in ends(cmd) and _redeployed_by_sea(s, cmd))
def redeployed_to_abadan(s: State, cmd: MoveUnits) -> str | None:
    """Abadan is joined to Suez, Basra and the boxes of the Indian Ocean; what lies behind a box is a turn away."""
    return _not_joined_to(s, cmd, ABADAN, BASRA)


@limit("88.54", on=MoveUnits, when=lambda s, cmd: BASRA in ends(cmd) and _redeployed_by_sea(s, cmd))
def redeployed_to_basra(s: State, cmd: MoveUnits) -> str | None:
    """Basra is joined to Suez, Abadan and the boxes of the Indian Ocean."""
    return _not_joined_to(s, cmd, BASRA, ABADAN)


def _not_joined_to(s: State, cmd: MoveUnits, port: str, neighbour: str) -> str | None:
    """Why units are not redeployed by sea between a port of the Persian Gulf and another place; nothing if they are."""
    other = sailings(s, cmd)[0].other_end(port)
    if other in (SUEZ, neighbour, *BOXES) or mediterranean(other):
        return None
    names = {BASRA: "Basra", ABADAN: "Abadan"}
    return f"to and from {names[port]}: Suez, {names[neighbour]}, Ethiopia, the South Africa, India and Australia boxes"


def _past_a_box(s: State, cmd: MoveUnits | ReportMove) -> bool:
    """Whether Western units go from the Middle East or the Mediterranean to the other board, or come from there."""
    nation, both = cmd.nation if isinstance(cmd, MoveUnits) else cmd.power, ends(cmd)
    if {board_of(it) for it in both} != {"europe", "pacific"} or side_of(s, nation) != WEST:
        return False
    here = both[0] if board_of(both[0]) == "europe" else both[1]
    # Gibraltar and Tangier lie on the way round by the Atlantic as well.
    if "atlantic" in by_key(here).seas or not (mediterranean(here) or eastern_waters(here) or in_its_lands(here)):
        return False
    # What a closed canal keeps back is refused by its own clause.
    return canal_open(s, patron(s, nation)) or not any(it.through_canal for it in sailings(s, cmd))


@limit(
    "88.36",
    on=MoveUnits,
    when=lambda s, cmd: (
        _past_a_box(s, cmd) and not {SUEZ, BASRA, ABADAN} & set(ends(cmd)) and not mediterranean(place_key(cmd.from_))
    ),
)
def moved_past_a_box(s: State, cmd: MoveUnits) -> str:
    """Between Middle East or Mediterranean and the Pacific board lies a box, where Western units stop for a turn."""
    return f"a box lies between {cmd.from_} and {cmd.to}, where units stop for a turn"


@limit("88.36", on=ReportMove, also=("88.54",), when=_past_a_box)
def reported_past_a_box(s: State, cmd: ReportMove) -> Refusal | None:
    """Western units are not reported to have passed in one turn a box between the Middle East and the Pacific board."""
    ends = place_key(cmd.origin), place_key(cmd.to)
    if not delayed_by_box(s, cmd.origin, cmd.to):
        return None
    told = f"a box lies between {cmd.origin} and {cmd.to}, where units stop for a turn: they are ordered into it"
    refused = unless_excused(cmd, told)
    return Refusal("88.54" if BASRA in ends else "88.36", refused) if refused else None


#: What an order to redeploy by sea is held to, with its clause; a report in that phase is held to the same.
_BY_ORDER = (
    ("88.344", not_from_south_africa),
    ("88.36", redeployed_from_suez),
    ("88.36", escorted_through_suez),
    ("88.36", escorted_on_from_suez),
    ("88.36", no_farther_than_suez),
    ("88.36", no_farther_in_this_phase),
    ("88.36", redeployed_to_abadan),
    ("88.54", redeployed_to_basra),
)


@limit(
    "88.36",
    on=ReportMove,
    also=("88.54",),
    when=lambda s, cmd: (
        s.place.step.name == "redeployment"
        and side_of(s, cmd.power) == WEST
        and any(eastern_waters(it) or it == SOUTH_AFRICA for it in ends(cmd))
        and all(board_of(it) == "europe" or it == SOUTH_AFRICA for it in ends(cmd))
    ),
)
def reported_as_ordered(s: State, cmd: ReportMove) -> Refusal | None:
    # What a closed canal keeps back is refused by its own clause, and boxes beside the Pacific are left by order.
    """Western ships and seaborne troops are reported redeployed by Suez, Basra or Abadan only as orders allow."""
    if any(it.through_canal for it in sailings(s, cmd)) and not canal_open(s, patron(s, cmd.power)):
        return None
    for unit, count in counted(cmd.units).items():
        if not _at_sea(s, cmd, unit):
            continue
        meant = MoveUnits(cmd.power, unit, cmd.origin, cmd.to, "naval redeployment", count)
        told = ((clause, rule(s, meant)) for clause, rule in _BY_ORDER if rule.holds(s, meant))
        clause, text = next(((clause, it) for clause, it in told if it), ("", None))
        refused = unless_excused(cmd, str(text)) if text else None
        if refused:
            return Refusal(clause, refused)
    return None


def _at_sea(s: State, cmd: ReportMove, unit: str) -> bool:
    """Whether units that are reported to have gone somewhere sailed: ships, and troops that did not march."""
    branch = parse_unit(unit)[0].branch
    return branch == "naval" or (branch == "ground" and not marches(s, patron(s, cmd.power), *ends(cmd)))


def _destroyers_at_suez(s: State) -> bool:
    return any(kind_name(it.unit) == "destroyer" and side_of(s, it.nation) == WEST for it in units_at(s, SUEZ))


@tells_of("egypt")
def redeployment_page(s: State) -> Iterator[Told]:
    """Where the Western Allies redeploy from Suez, and whether they go on into the Mediterranean."""
    boxes = "the South Africa, India, Australia and Ethiopia boxes"
    yield Told("88.36", f"from Suez Allied units are redeployed by sea to {boxes}, Basra and Abadan")
    if not canal_open(s, "britain"):
        return
    there = "and there are" if _destroyers_at_suez(s) else "and there are none"
    yield Told("88.36", f"coming from there they go on into the Mediterranean, if destroyers are in Suez, {there}")
